//! Where block jobs run.
//!
//! A *run* is one piece of work cut into numbered jobs (the blocks of a chunk, say). [`run`] executes it: inline when
//! one thread is to do it, else on the process-wide pool of [`pool`], where the calling thread works too and idle
//! workers join it, or on the [`Executor`] that a caller put in the pool's place ([`set_executor`]).
//!
//! Each thread has a stretch of the jobs to itself, and helps with the others' when that is done: it stays in the same part of
//! the memory, in one run as in the next, and its caches and what it foresees with it. Jobs that others wait for are handed
//! out in turn instead. A run that fails reports what its lowest failing job says, whoever ran it.
//!
//! Read [`claim`] for how one run hands out its jobs and collects the outcome, [`pool`] for how threads meet, [`cost`]
//! for when sharing pays. `sync` is what they meet through, so that models can try every order of it.

mod claim;
pub mod cost;
mod pool;
mod sync;
#[cfg(all(test, not(loom)))]
mod tests;

use crate::base::Result;
use claim::Claims;

/// One job: its number, and the seat of the thread that runs it (0 is the caller; below `nthreads`).
pub type Job<'a> = &'a (dyn Fn(usize, usize) -> Result<()> + Sync);

/// Runs jobs `0..njobs` on at most `nthreads` threads, the calling one included, and returns when all are done. Each thread
/// does a stretch of them in ascending order, and then what others have left of theirs.
///
/// The caller decides by cost how many threads are worth it ([`cost::threads`]). Runs may be nested and may overlap
/// from any number of threads; a job never waits for a thread that is not already working.
///
/// # Errors
/// What the lowest failing job returned; jobs above it may not have run. A job that panics fails with
/// [`ErrorKind::Failure`](crate::base::ErrorKind::Failure).
pub fn run(nthreads: usize, njobs: usize, job: Job<'_>) -> Result<()> {
    shared(nthreads, njobs, nthreads, job)
}

/// [`run`], but whoever is free does the lowest job that nobody has begun.
///
/// # Errors
/// As [`run`].
pub fn run_in_turn(nthreads: usize, njobs: usize, job: Job<'_>) -> Result<()> {
    shared(nthreads, njobs, 1, job)
}

/// A run that is cut into at most `nstretches` stretches.
fn shared(nthreads: usize, njobs: usize, nstretches: usize, job: Job<'_>) -> Result<()> {
    let nthreads = nthreads.min(njobs).min(crate::base::consts::MAX_THREADS as usize);
    let claims = Claims::new(njobs, nstretches.min(nthreads), job);
    if nthreads <= 1 {
        claims.work(0);
    } else if let Some(executor) = pool::executor() {
        executor.execute(nthreads, &|seat| claims.work(seat));
        // Whatever the executor left undone.
        claims.work(0);
    } else {
        pool::share(&claims, nthreads - 1);
    }
    claims.outcome()
}

/// Runs `work` on the calling thread, as a run's only job. It is called once, and not moved, which small jobs would feel.
///
/// # Errors
/// What `work` returns; [`ErrorKind::Failure`](crate::base::ErrorKind::Failure) when it panics.
#[inline(always)]
pub fn alone<R>(mut work: impl FnMut() -> Result<R>) -> Result<R> {
    claim::caught(&mut work)
}

/// Threads of the host program's own that take the place of the pool.
pub trait Executor: Send + Sync {
    /// Calls `work(seat)` for each seat in `0..nseats`, from any threads, and returns when all calls have returned.
    fn execute(&self, nseats: usize, work: &(dyn Fn(usize) + Sync));
}

/// Puts `executor` in the place of the pool, or the pool back with `None`.
///
/// An executor stays in memory for the rest of the process: a run may be using it at any time.
pub fn set_executor(executor: Option<Box<dyn Executor>>) {
    pool::set_executor(executor);
}

/// Whether an executor is in the place of the pool.
pub fn has_executor() -> bool {
    pool::executor().is_some()
}

/// Lets the idle workers go, and waits for them unless called from inside a job. The next run starts new ones.
pub fn shutdown() {
    pool::shutdown();
}

/// Forgets the pool: every run of a model begins without one.
#[cfg(loom)]
pub fn start_over() {
    pool::start_over();
}
