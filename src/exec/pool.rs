//! The process-wide pool: worker threads that join runs.
//!
//! A run that wants company *offers* seats on a list under the pool's lock; an idle worker takes a seat, works until
//! the run has no job left, and leaves. The caller works as well and never waits for a seat to be taken: when it finds
//! no more jobs it withdraws the offer and waits only for the workers that are inside. Whoever is inside is working,
//! so nested runs cannot deadlock: each waits for threads that wait, at most, for runs nested deeper.
//!
//! Workers start on demand, as many as the run with the most threads needed, and sleep between runs. A forked child has none of its
//! parent's threads, and perhaps a lock that one of them held: it forgets the parent's pool and makes its own.
#![allow(unsafe_code)] // the borrowed run that workers reach by pointer; pthread_atfork; leaked statics

use super::Executor;
use super::claim::{Claims, inside_a_job, lock};
use super::sync::{AtomicUsize, Builder, Condvar, JoinHandle, Mutex, MutexGuard, spin_loop};
use crate::base::digits::digits;
use crate::base::{Error, ErrorKind};
use std::ptr;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// How often a caller looks whether the last worker is out before it goes to sleep. A block's time, about.
const LOOKS: usize = if cfg!(loom) { 1 } else { 2_000 };

/// The pool of this process, made on first use and never freed. Null after a fork.
static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

/// The host program's executor, if it has set one; never freed.
static EXECUTOR: AtomicPtr<Kept> = AtomicPtr::new(ptr::null_mut());

struct Pool {
    state: Mutex<State>,
    /// Told when seats are offered, and at shutdown.
    work: Condvar,
}

struct State {
    offers: Vec<Offer>,
    workers: Vec<JoinHandle<()>>,
    /// Workers that sleep.
    idle: usize,
    /// Counts shutdowns: a worker started before the last one leaves.
    era: u64,
}

/// Seats of one run that workers may take.
struct Offer {
    run: *const Shared<'static>,
    seats: usize,
    next_seat: usize,
}

// SAFETY: the pointer is only followed under the rule told at `Shared`, and what it points to is Sync.
unsafe impl Send for Offer {}

/// A run as workers see it. It lives on the caller's stack.
///
/// The rule that makes this sound: a worker follows a pointer to a `Shared` only while the pointer is in the offer list
/// and the worker holds the pool's lock, or while the worker is counted in `inside`. It enters the count under the lock
/// and while the offer is listed. The caller's [`Withdraw`] takes the offer off the list under the lock and then waits
/// for `inside` to be 0 before the `Shared`, and all that it borrows, can go: on every way out, a panic included.
struct Shared<'a> {
    claims: &'a Claims<'a>,
    /// Workers at work on this run. Changed under the pool's lock only.
    inside: AtomicUsize,
    /// Told, under the pool's lock, when `inside` becomes 0.
    empty: Condvar,
}

/// Runs `claims` on the calling thread and at most `helpers` workers.
pub(super) fn share(claims: &Claims<'_>, helpers: usize) {
    let pool = Pool::current();
    let shared = Shared { claims, inside: AtomicUsize::new(0), empty: Condvar::new() };
    // Made before the offer, so that the offer is withdrawn on every way out.
    let _withdraw = Withdraw { pool, shared: &shared };
    pool.offer(&shared, helpers);
    claims.work(0);
}

/// Takes the offer of a run back when the caller is done with it.
struct Withdraw<'a> {
    pool: &'static Pool,
    shared: &'a Shared<'a>,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        if !ptr::eq(self.pool, POOL.load(Ordering::Acquire)) {
            return self.forked();
        }
        let run = erased(self.shared);
        let mut state = lock(&self.pool.state);
        state.offers.retain(|offer| !ptr::eq(offer.run, run));
        if self.shared.inside.load(Ordering::Relaxed) == 0 {
            return;
        }
        drop(state);
        // The workers are at their last jobs: look for a while before paying for a sleep.
        for _ in 0..LOOKS {
            if self.shared.inside.load(Ordering::Relaxed) == 0 {
                break;
            }
            spin_loop();
        }
        // Under the lock again in any case: the worker that leaves last still holds it while it tells `empty`.
        state = lock(&self.pool.state);
        while self.shared.inside.load(Ordering::Relaxed) > 0 {
            state = self.shared.empty.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Withdraw<'_> {
    /// A job forked, and this is the child: no worker of the parent's exists here, so nobody can use the run, and the
    /// jobs that workers had claimed are not going to be done.
    fn forked(&self) {
        if self.shared.inside.load(Ordering::Relaxed) > 0 {
            let error = Error::new(ErrorKind::Failure, "the process forked in the middle of a job");
            self.shared.claims.fail(usize::MAX, error);
        }
    }
}

/// The run's address, its lifetime forgotten.
fn erased(shared: &Shared<'_>) -> *const Shared<'static> {
    ptr::from_ref(shared).cast()
}

impl Pool {
    /// This process's pool.
    fn current() -> &'static Pool {
        watch_for_forks();
        let mut pool = POOL.load(Ordering::Acquire);
        if pool.is_null() {
            let fresh = Box::into_raw(Box::new(Pool::new()));
            match POOL.compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => pool = fresh,
                Err(earlier) => {
                    // SAFETY: `fresh` came from Box::into_raw just above and was not published.
                    drop(unsafe { Box::from_raw(fresh) });
                    pool = earlier;
                }
            }
        }
        // SAFETY: a pointer in POOL came from Box::into_raw and is never freed.
        unsafe { &*pool }
    }

    fn new() -> Self {
        let state = State { offers: Vec::new(), workers: Vec::new(), idle: 0, era: 0 };
        Pool { state: Mutex::new(state), work: Condvar::new() }
    }

    /// Puts seats on the list, starts the workers that are missing and wakes the sleeping ones that are wanted.
    fn offer(&'static self, shared: &Shared<'_>, helpers: usize) {
        let mut state = lock(&self.state);
        while state.workers.len() < helpers {
            let era = state.era;
            let name = name_of(state.workers.len() + 1);
            let Ok(worker) = Builder::new().name(name).spawn(move || self.worker(era)) else {
                // No more threads to be had: the run does with those there are.
                break;
            };
            state.workers.push(worker);
        }
        let wake = helpers.min(state.idle);
        state.offers.push(Offer { run: erased(shared), seats: helpers, next_seat: 1 });
        drop(state);
        for _ in 0..wake {
            self.work.notify_one();
        }
    }

    /// A worker's life.
    fn worker(&'static self, era: u64) {
        let mut state = lock(&self.state);
        // A worker whose job forked finds itself alone in the child; there it ends.
        while state.era == era {
            let Some((run, seat)) = state.take_seat() else {
                state.idle += 1;
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
                continue;
            };
            drop(state);
            // SAFETY: take_seat counted this worker in `inside`, so the run outlives the use (the rule at Shared).
            unsafe { (*run).claims.work(seat) };
            if !ptr::eq(self, POOL.load(Ordering::Acquire)) {
                return;
            }
            state = lock(&self.state);
            leave(run, &state);
        }
    }
}

/// What debuggers call worker `n`.
pub(super) fn name_of(n: usize) -> String {
    "blosc2-".to_owned() + &digits(n as u64, 10, 1)
}

impl State {
    /// A seat in the first run that has one and a job to do; the caller is then inside that run.
    fn take_seat(&mut self) -> Option<(*const Shared<'static>, usize)> {
        for offer in self.offers.iter_mut().filter(|offer| offer.seats > 0) {
            // SAFETY: the offer is listed and `&mut self` shows that the pool's lock is held (the rule at Shared).
            let shared = unsafe { &*offer.run };
            if shared.claims.any_left() {
                shared.inside.fetch_add(1, Ordering::Relaxed);
                let seat = offer.next_seat;
                offer.seats -= 1;
                offer.next_seat += 1;
                return Some((offer.run, seat));
            }
        }
        None
    }
}

/// Leaves the run that `take_seat` entered; `_held` shows that the pool's lock is held.
fn leave(run: *const Shared<'static>, _held: &MutexGuard<'_, State>) {
    // SAFETY: this worker is still counted in `inside`. After the subtraction the caller may see 0, but it has to take
    // the pool's lock, which is held here, before it lets the run go; so the run outlives this function.
    let shared = unsafe { &*run };
    if shared.inside.fetch_sub(1, Ordering::Release) == 1 {
        shared.empty.notify_one();
    }
}

/// Lets the workers go and, outside of jobs, waits until they are gone.
pub(super) fn shutdown() {
    let pool = POOL.load(Ordering::Acquire);
    if pool.is_null() {
        return;
    }
    // SAFETY: a pointer in POOL came from Box::into_raw and is never freed.
    let pool = unsafe { &*pool };
    let mut state = lock(&pool.state);
    state.era += 1;
    let workers = std::mem::take(&mut state.workers);
    drop(state);
    pool.work.notify_all();
    if !inside_a_job() {
        for worker in workers {
            let _ = worker.join();
        }
    }
}

/// Forgets the pool, as a forked child does: every run of a model begins without one.
#[cfg(loom)]
pub(super) fn start_over() {
    in_forked_child();
}

/// An executor, and the one that was set before it.
struct Kept {
    executor: Box<dyn Executor>,
    /// Never looked at; holds on to what a run may be using.
    former: *mut Kept,
}

/// The executor in the pool's place, if there is one.
pub(super) fn executor() -> Option<&'static dyn Executor> {
    // SAFETY: a pointer in EXECUTOR came from Box::into_raw and is never freed.
    unsafe { EXECUTOR.load(Ordering::Acquire).as_ref() }.map(|kept| &*kept.executor)
}

/// Sets or removes the executor. All there ever were are kept: a run may be using them.
pub(super) fn set_executor(executor: Option<Box<dyn Executor>>) {
    static LAST: AtomicPtr<Kept> = AtomicPtr::new(ptr::null_mut());
    let Some(executor) = executor else {
        EXECUTOR.store(ptr::null_mut(), Ordering::Release);
        return;
    };
    let kept = Box::into_raw(Box::new(Kept { executor, former: ptr::null_mut() }));
    let former = LAST.swap(kept, Ordering::AcqRel);
    // SAFETY: just allocated, and not yet told to anybody who looks at this field.
    unsafe { (*kept).former = former };
    EXECUTOR.store(kept, Ordering::Release);
}

/// Asks, once, to be told about forks.
fn watch_for_forks() {
    static ASKED: AtomicBool = AtomicBool::new(false);
    if !ASKED.load(Ordering::Relaxed) && !ASKED.swap(true, Ordering::Relaxed) {
        // SAFETY: the handler only stores to an atomic, which is allowed in a forked child.
        unsafe { libc::pthread_atfork(None, None, Some(in_forked_child)) };
    }
}

/// Forgets the parent's pool, memory, locks and all.
extern "C" fn in_forked_child() {
    POOL.store(ptr::null_mut(), Ordering::Release);
}
