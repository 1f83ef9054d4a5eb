//! When sharing a run pays.
//!
//! What jobs take is guessed before they are done, and some data takes ten times as long as other. So a run that is not surely worth
//! it begins on one thread, and is shared when its first jobs have shown that the rest is ([`Crew`], [`Pace`]).

use std::time::Instant;

/// What it costs to get a sleeping worker to work, and to wait for its last job, in nanoseconds, where the machine has
/// other things to do: a run has to save more than this.
const WAKING: u64 = 75_000;

/// The same, where the time is not guessed.
const WAKING_BY_TIME: u64 = 25_000;

/// Runs that are guessed to take less, in nanoseconds, are not timed.
const TIMED: u64 = 5_000;

/// How many of `nthreads` threads are worth employing for a run of `njobs` jobs that would take one thread `nanos`
/// nanoseconds: each of them must have work for longer than waking it takes. What that costs with a host program's own
/// threads nobody knows: they get all there is to share.
pub fn threads(nthreads: usize, njobs: usize, nanos: u64) -> usize {
    let nanos = if super::has_executor() { u64::MAX } else { nanos };
    let useful = usize::try_from(nanos / WAKING).unwrap_or(usize::MAX);
    nthreads.min(njobs).min(useful).max(1)
}

/// The threads of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crew {
    /// So many begin.
    pub begin: usize,
    /// So many may come, when the run takes long enough.
    pub most: usize,
}

impl Crew {
    /// One, whatever the run takes.
    pub const ALONE: Crew = Crew { begin: 1, most: 1 };

    /// So many, and no more: of a run whose first jobs do not tell what the others take.
    pub fn fixed(nthreads: usize) -> Self {
        Crew { begin: nthreads, most: nthreads }
    }

    /// Those of a run of `njobs` jobs that would take one thread about `nanos` nanoseconds, where there may be `nthreads`.
    pub fn new(nthreads: usize, njobs: usize, nanos: u64) -> Self {
        let begin = threads(nthreads, njobs, nanos);
        let most = if nanos < TIMED { begin } else { nthreads.min(njobs).max(1) };
        Crew { begin, most }
    }
}

/// Of a run that one thread has begun: tells when the rest is worth sharing.
pub struct Pace {
    most: usize,
    /// How many jobs have to be done before somebody looks at the clock again.
    next_look: usize,
    began: Option<Instant>,
}

impl Pace {
    /// Begins now.
    pub fn new(crew: Crew) -> Self {
        let timed = crew.most > 1;
        Pace {
            most: crew.most,
            next_look: if timed { 1 } else { usize::MAX },
            began: timed.then(Instant::now),
        }
    }

    /// How many threads are worth it for `left` more jobs, after `done`.
    #[inline]
    pub fn threads(&mut self, done: usize, left: usize) -> usize {
        if done < self.next_look || left < 2 { 1 } else { self.look(done, left) }
    }

    fn look(&mut self, done: usize, left: usize) -> usize {
        self.next_look = 2 * done;
        let Some(began) = self.began else { return 1 };
        let took = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
        worth(self.most.min(left), (took / done as u64).saturating_mul(left as u64))
    }
}

/// How many of `most` threads are worth it for jobs that take one thread `nanos` nanoseconds, going by those done.
fn worth(most: usize, nanos: u64) -> usize {
    most.min(usize::try_from(nanos / WAKING_BY_TIME).unwrap_or(usize::MAX)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_runs_stay_on_one_thread() {
        assert_eq!(threads(8, 100, 10_000), 1);
        assert_eq!(threads(8, 1, u64::MAX), 1);
        assert_eq!(threads(0, 0, 0), 1);
        assert_eq!(threads(8, 100, u64::MAX), 8);
    }

    #[test]
    fn each_thread_has_its_share() {
        assert_eq!(threads(8, 100, 3 * WAKING), 3);
        assert_eq!(worth(8, 3 * WAKING_BY_TIME), 3);
        assert_eq!(worth(2, u64::MAX), 2);
        assert_eq!(worth(8, 0), 1);
    }

    #[test]
    fn who_begins_alone_may_have_company() {
        assert_eq!(Crew::new(8, 100, 2 * WAKING), Crew { begin: 2, most: 8 });
        assert_eq!(Crew::new(8, 100, TIMED), Crew { begin: 1, most: 8 });
        assert_eq!(Crew::new(8, 3, TIMED), Crew { begin: 1, most: 3 });
        assert_eq!(Crew::new(8, 100, 0), Crew::ALONE);
        assert_eq!(Crew::new(1, 100, u64::MAX), Crew::ALONE);
        assert_eq!(Crew::new(0, 0, u64::MAX), Crew::ALONE);
    }

    #[test]
    fn the_clock_is_asked_ever_more_seldom() {
        let mut pace = Pace::new(Crew { begin: 1, most: 2 });
        let mut looks = Vec::new();
        for done in 1..100 {
            let before = pace.next_look;
            pace.threads(done, 2);
            if pace.next_look != before {
                looks.push(done);
            }
        }
        assert_eq!(looks, [1, 2, 4, 8, 16, 32, 64]);
        assert_eq!(Pace::new(Crew::ALONE).began, None);
    }

    #[test]
    fn what_takes_long_is_shared_but_not_its_last_job() {
        let long_ago = Instant::now().checked_sub(std::time::Duration::from_millis(100));
        let mut pace = Pace { began: long_ago, ..Pace::new(Crew { begin: 1, most: 4 }) };
        assert_eq!(pace.threads(1, 1), 1);
        assert_eq!(pace.threads(1, 3), 3);
    }
}
