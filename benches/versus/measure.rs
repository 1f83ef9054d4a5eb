//! Timing: rounds in turn, the best of each side.

use crate::blosc::Blosc;
use crate::rows::Row;
use crate::unlearn::unlearn;
use std::time::{Duration, Instant};

/// What is timed.
pub enum Round {
    /// Work that leaves things as they were, done as often as a clock needs; it is told how often it was done before in the round.
    Steady(Box<dyn FnMut(u32)>),
    /// Does the work once, and tells how long it took.
    Single(Box<dyn FnMut() -> Duration>),
}

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
    fn new(round: Round) -> Prepared {
        Prepared { round, size: None, nbytes: None, limits: None }
    }

    /// The work, once and untimed.
    pub fn once(mut self) {
        self.round.time(1);
    }

    pub fn steady(mut work: impl FnMut() + 'static) -> Prepared {
        Prepared::steady_in_turn(move |_| work())
    }

    /// Work at places that follow from how often it was done in the round: the same ones on each side, since what a place costs,
    /// and which are still in the caches, is chance otherwise.
    pub fn steady_in_turn(work: impl FnMut(u32) + 'static) -> Prepared {
        Prepared::new(Round::Steady(Box::new(work)))
    }

    pub fn single(round: impl FnMut() -> Duration + 'static) -> Prepared {
        Prepared::new(Round::Single(Box::new(round)))
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
    /// The time that ours takes for the same on one thread, for cases of two.
    pub on_one_thread: Option<Duration>,
}

impl Figures {
    /// The C library's time by ours.
    pub fn ratio(&self) -> f64 {
        self.times[1].as_secs_f64() / self.times[0].as_secs_f64().max(1e-12)
    }

    /// How much faster ours is on two threads than on one.
    pub fn gain_of_threads(&self) -> Option<f64> {
        Some(self.on_one_thread?.as_secs_f64() / self.times[0].as_secs_f64().max(1e-12))
    }

    /// Our size by the C library's.
    pub fn size_ratio(&self) -> Option<f64> {
        Some(self.sizes[0]? as f64 / self.sizes[1]? as f64)
    }
}

/// At least this long is a round of steady work.
const TICK: Duration = Duration::from_millis(2);

impl Round {
    /// How long the work takes, of `times` times.
    fn time(&mut self, times: u32) -> Duration {
        match self {
            Round::Steady(work) => timed(|| (0..times).for_each(&mut *work)).1 / times,
            Round::Single(round) => round(),
        }
    }

    /// How often the work fits into a tick, once it is warm.
    fn repeats(&mut self) -> u32 {
        self.time(1);
        let Round::Steady(_) = self else { return 1 };
        let mut times = 1;
        while self.time(times) * times < TICK && times < 1 << 24 {
            times *= 2;
        }
        times
    }
}

pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let value = work();
    (value, began.elapsed())
}

/// The best of `rounds`.
fn best(mut round: Round, rounds: usize) -> Duration {
    let times = round.repeats();
    (0..rounds).map(|_| round.time(times)).min().unwrap_or(Duration::MAX)
}

/// Cases that look slow are looked at so much longer, before they are called so: of many cases, some were disturbed.
const PATIENCE: usize = 4;
/// And so often they are made ready: where their bytes lie is chance, and may stay so for all rounds.
const PLACES: usize = 3;

/// What is timed in turn: a case on ours and on the C library's, and on ours with one thread where it has two.
struct Sides {
    sides: Vec<Prepared>,
    /// How often each repeats its work, all alike: who does it less often pays more for what others left in the caches.
    repeats: u32,
    times: Vec<Duration>,
}

impl Sides {
    fn new(mut sides: Vec<Prepared>) -> Sides {
        let repeats = sides.iter_mut().map(|side| side.round.repeats()).max().unwrap_or(1);
        let times = vec![Duration::MAX; sides.len()];
        Sides { sides, repeats, times }
    }

    /// Times all until ours is fast enough for `least`, or patience is at its end.
    fn run_patiently(&mut self, rounds: usize, least: f64) {
        for _ in 0..PATIENCE {
            self.run(rounds);
            if self.is_clear(least) {
                break;
            }
        }
    }

    /// Times all, `rounds` times; the best of each counts. No round follows one of the same side: what a processor foresees of
    /// branches when it does the very same work once more, no user gets to see. (Work shorter than a tick is repeated in a round.)
    fn run(&mut self, rounds: usize) {
        for _ in 0..rounds {
            for (side, best) in self.sides.iter_mut().zip(&mut self.times) {
                unlearn();
                *best = side.round.time(self.repeats).min(*best);
            }
        }
    }

    /// Whether ours is fast enough beside the C library, and beside itself on one thread.
    fn is_clear(&self, least: f64) -> bool {
        let ours = self.times[0].as_secs_f64();
        self.times[1].as_secs_f64() >= ours * least
            && self.times[2..].iter().all(|one| one.as_secs_f64() >= ours)
    }
}

/// Runs `case` on both libraries, in turn; `alone` is the same on one thread, if it has two.
pub fn side_by_side(
    case: &Case,
    alone: Option<&Case>,
    [ours, theirs]: [&'static Blosc; 2],
    rounds: usize,
) -> Figures {
    if case.once {
        return once(case, [ours, theirs]);
    }
    let made_ready = || {
        let both = [(case.prepare)(ours), (case.prepare)(theirs)].into_iter();
        Sides::new(both.chain(alone.map(|alone| (alone.prepare)(ours))).collect())
    };
    let mut all = made_ready();
    all.run_patiently(rounds, case.row.least);
    for _ in 1..PLACES {
        if all.is_clear(case.row.least) {
            break;
        }
        let times = std::mem::take(&mut all.times);
        drop(all);
        all = Sides { times, ..made_ready() };
        all.run_patiently(rounds, case.row.least);
    }
    let Sides { mut sides, times, .. } = all;
    let limits = sides[0].limits.take().map(|limits| {
        let Limits { memcpy, codec } = limits();
        [best(memcpy, rounds), best(codec, rounds)]
    });
    Figures {
        times: [times[0], times[1]],
        sizes: [sides[0].size, sides[1].size],
        nbytes: sides[0].nbytes,
        limits,
        peaks: None,
        on_one_thread: times.get(2).copied(),
    }
}

/// Runs `case`, which takes long, once on each.
fn once(case: &Case, sides: [&'static Blosc; 2]) -> Figures {
    let mut sides = sides.map(|blosc| (case.prepare)(blosc));
    let times = sides.each_mut().map(|side| side.round.time(1));
    let [Prepared { size, nbytes, .. }, Prepared { size: their_size, .. }] = sides;
    Figures { times, sizes: [size, their_size], nbytes, limits: None, peaks: None, on_one_thread: None }
}
