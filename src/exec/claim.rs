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

/// A run: its job, the next number to hand out, and the failure with the lowest number so far.
pub(super) struct Claims<'a> {
    job: Job<'a>,
    njobs: usize,
    next: AtomicUsize,
    failure: Mutex<Option<(usize, Error)>>,
}

impl<'a> Claims<'a> {
    pub(super) fn new(njobs: usize, job: Job<'a>) -> Self {
        Claims { job, njobs, next: AtomicUsize::new(0), failure: Mutex::new(None) }
    }

    /// Whether there is a job that nobody has claimed.
    pub(super) fn any_left(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.njobs
    }

    /// Runs jobs, as the thread of this seat, until none is left. Never panics.
    ///
    /// Numbers are claimed in ascending order and a claimed job is always run, so when job n fails every job below n
    /// has been or will be run: the lowest failure is the same for any number of threads.
    pub(super) fn work(&self, seat: usize) {
        let _depth = Depth::enter();
        loop {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            if n >= self.njobs {
                // Keeps the counter from wrapping, however often somebody asks.
                self.next.store(self.njobs, Ordering::Relaxed);
                return;
            }
            if let Err(error) = caught(|| (self.job)(n, seat)) {
                self.fail(n, error);
                return;
            }
        }
    }

    /// Records that job `n` failed and hands out no more.
    pub(super) fn fail(&self, n: usize, error: Error) {
        self.next.store(self.njobs, Ordering::Relaxed);
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
