//! How one run hands out its jobs and collects the outcome.

use super::Job;
use super::sync::{AtomicUsize, Mutex, MutexGuard, thread_local};
use crate::base::{Error, ErrorKind, Result};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

#[cfg(not(loom))]
thread_local! {
    /// How many jobs this thread is inside of.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}
// loom's macro takes no such block.
#[cfg(loom)]
thread_local! {
    static DEPTH: Cell<usize> = Cell::new(0);
}

/// Whether the calling thread is running a job right now.
pub(super) fn inside_a_job() -> bool {
    DEPTH.try_with(|depth| depth.get() > 0).unwrap_or(false)
}

/// Locks, whatever panicked while holding the lock: everything guarded here is valid after every single step.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many stretches a run is cut into at most: with more threads, some begin in the same one.
const MOST_STRETCHES: usize = if cfg!(loom) { 2 } else { 8 };

/// A run: its job, which numbers are to be handed out, and the failure with the lowest number so far.
pub(super) struct Claims<'a> {
    job: Job<'a>,
    stretches: [Stretch; MOST_STRETCHES],
    /// How many of them there are.
    nstretches: usize,
    /// Jobs from here on need not be done.
    limit: AtomicUsize,
    failure: Mutex<Option<(usize, Error)>>,
}

/// Jobs with numbers in a row, of which one thread does most. On a line of the cache for itself: its threads alone count here.
#[repr(align(128))]
struct Stretch {
    /// The next job to hand out.
    next: AtomicUsize,
    end: usize,
}

impl<'a> Claims<'a> {
    /// Jobs `0..njobs` in `nstretches` stretches, or as many as there may be.
    pub(super) fn new(njobs: usize, nstretches: usize, job: Job<'a>) -> Self {
        let nstretches = nstretches.clamp(1, MOST_STRETCHES);
        let begin = |n: usize| njobs / nstretches * n + (njobs % nstretches).min(n);
        let stretch = |n: usize| match n < nstretches {
            true => Stretch { next: AtomicUsize::new(begin(n)), end: begin(n + 1) },
            false => Stretch { next: AtomicUsize::new(njobs), end: njobs },
        };
        Claims {
            job,
            stretches: std::array::from_fn(stretch),
            nstretches,
            limit: AtomicUsize::new(njobs),
            failure: Mutex::new(None),
        }
    }

    /// Whether there is a job that nobody has claimed.
    pub(super) fn any_left(&self) -> bool {
        self.stretches[..self.nstretches].iter().any(|stretch| self.has_more(stretch))
    }

    /// Runs jobs, as the thread of this seat, until none is left: those of its own stretch first. Never panics.
    ///
    /// In each stretch numbers are claimed in ascending order, and a claimed job is run unless one below it has failed. So when
    /// job n fails, every job below n has been or will be run: the lowest failure is the same for any number of threads.
    pub(super) fn work(&self, seat: usize) {
        let _depth = Depth::enter();
        for n in 0..self.nstretches {
            self.work_on(&self.stretches[(seat + n) % self.nstretches], seat);
        }
    }

    fn work_on(&self, stretch: &Stretch, seat: usize) {
        // Asked first, which keeps the counter from wrapping, however many come by.
        while self.has_more(stretch) {
            let n = stretch.next.fetch_add(1, Ordering::Relaxed);
            if !self.is_wanted(stretch, n) {
                return;
            }
            if let Err(error) = caught(|| (self.job)(n, seat)) {
                self.fail(n, error);
            }
        }
    }

    fn has_more(&self, stretch: &Stretch) -> bool {
        self.is_wanted(stretch, stretch.next.load(Ordering::Relaxed))
    }

    /// Whether job `n`, where it is one of the stretch, is to be done.
    fn is_wanted(&self, stretch: &Stretch, n: usize) -> bool {
        n < stretch.end && n < self.limit.load(Ordering::Relaxed)
    }

    /// Records that job `n` failed and hands out none above it.
    pub(super) fn fail(&self, n: usize, error: Error) {
        self.limit.fetch_min(n, Ordering::Relaxed);
        let mut failure = lock(&self.failure);
        if failure.as_ref().is_none_or(|(lowest, _)| n < *lowest) {
            *failure = Some((n, error));
        }
    }

    pub(super) fn outcome(self) -> Result<()> {
        match self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}

/// Runs `job`; a panic in it becomes an error. What the job worked on is given up by whoever sees the error.
#[inline(always)]
pub(super) fn caught<R>(job: impl FnOnce() -> Result<R>) -> Result<R> {
    catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|panic| Err(told(&*panic)))
}

/// What a panic says, as an error.
#[cold]
fn told(panic: &(dyn std::any::Any + Send)) -> Error {
    let words =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    Error::new(ErrorKind::Failure, format!("a job panicked: {}", words.unwrap_or("no words")))
}

/// Counts a thread's way in and out of jobs.
struct Depth;

impl Depth {
    fn enter() -> Self {
        let _ = DEPTH.try_with(|depth| depth.set(depth.get() + 1));
        Depth
    }
}

impl Drop for Depth {
    fn drop(&mut self) {
        let _ = DEPTH.try_with(|depth| depth.set(depth.get().saturating_sub(1)));
    }
}
