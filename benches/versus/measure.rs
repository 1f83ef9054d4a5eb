//! Timing: rounds in turn, the best of each side.

use crate::blosc::Blosc;
use crate::memory;
use crate::rows::Row;
use std::time::{Duration, Instant};

/// A round: does the work once or many times, and tells how long once took.
pub type Round = Box<dyn FnMut() -> Duration>;

/// A case made ready on one library.
pub struct Prepared {
    pub round: Round,
    /// Bytes that come out, where sizes are compared.
    pub size: Option<usize>,
    /// Bytes that go to or from the caller, where speed can be given.
    pub nbytes: Option<usize>,
    /// What nobody gets below, where that can be said: made only for ours.
    pub limits: Option<Box<dyn FnOnce() -> Limits>>,
}

/// Parts of a case that cannot be spared.
pub struct Limits {
    /// Copying the bytes that come out.
    pub memcpy: Round,
    /// The codec alone: the same streams, of blocks that were filtered before.
    pub codec: Round,
}

impl Prepared {
    pub fn new(round: Round) -> Prepared {
        Prepared { round, size: None, nbytes: None, limits: None }
    }

    /// The work, once and untimed.
    pub fn once(mut self) {
        (self.round)();
    }

    /// Work that leaves things as they were and is done as often as a clock needs.
    pub fn steady(work: impl FnMut() + 'static) -> Prepared {
        Prepared::new(steady(work))
    }
}

/// Something to do on either library.
pub struct Case {
    pub row: &'static Row,
    pub name: String,
    pub prepare: Box<dyn Fn(&'static Blosc) -> Prepared>,
    /// One round only: for what takes the C library minutes.
    pub once: bool,
}

impl Case {
    pub fn new(
        row: &'static Row,
        name: String,
        prepare: impl Fn(&'static Blosc) -> Prepared + 'static,
    ) -> Case {
        Case { row, name, prepare: Box::new(prepare), once: false }
    }
}

/// What came out, ours first.
pub struct Figures {
    pub times: [Duration; 2],
    pub sizes: [Option<usize>; 2],
    pub nbytes: Option<usize>,
    /// Copying, and the codec alone.
    pub limits: Option<[Duration; 2]>,
    /// The most memory, in bytes.
    pub peaks: Option<[u64; 2]>,
}

impl Figures {
    /// The C library's time by ours.
    pub fn ratio(&self) -> f64 {
        self.times[1].as_secs_f64() / self.times[0].as_secs_f64().max(1e-12)
    }

    /// Our size by the C library's.
    pub fn size_ratio(&self) -> Option<f64> {
        Some(self.sizes[0]? as f64 / self.sizes[1]? as f64)
    }
}

/// At least this long is a round of steady work.
const TICK: Duration = Duration::from_millis(2);

/// Repeats `work` so often that a round lasts a tick; how often is found on the first round.
pub fn steady(mut work: impl FnMut() + 'static) -> Round {
    let mut times = 0u32;
    Box::new(move || {
        if times == 0 {
            times = 1;
            while once(&mut work, times) < TICK && times < 1 << 24 {
                times *= 2;
            }
        }
        once(&mut work, times) / times
    })
}

fn once(work: &mut impl FnMut(), times: u32) -> Duration {
    let began = Instant::now();
    (0..times).for_each(|_| work());
    began.elapsed()
}

pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let value = work();
    (value, began.elapsed())
}

/// The best of `rounds`.
fn best(mut round: Round, rounds: usize) -> Duration {
    (0..=rounds).map(|_| round()).skip(1).min().unwrap_or(Duration::MAX)
}

/// Runs `case` on both libraries, in turn.
pub fn side_by_side(case: &Case, ours: &'static Blosc, theirs: &'static Blosc, rounds: usize) -> Figures {
    let peaks = [ours, theirs].map(|blosc| if case.once { None } else { memory::peak(case, blosc) });
    let mut sides = [(case.prepare)(ours), (case.prepare)(theirs)];
    let mut times = [Duration::MAX; 2];
    if !case.once {
        // The first round warms up.
        for side in &mut sides {
            (side.round)();
        }
    }
    for round in 0..if case.once { 1 } else { rounds } {
        for k in [round % 2, 1 - round % 2] {
            times[k] = times[k].min((sides[k].round)());
        }
    }
    let limits = sides[0].limits.take().map(|limits| {
        let Limits { memcpy, codec } = limits();
        [best(memcpy, rounds), best(codec, rounds)]
    });
    let [Prepared { size, nbytes, .. }, Prepared { size: their_size, .. }] = sides;
    let peaks = if let [Some(ours), Some(theirs)] = peaks { Some([ours, theirs]) } else { None };
    Figures { times, sizes: [size, their_size], nbytes, limits, peaks }
}
