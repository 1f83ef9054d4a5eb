//! What concerns the whole process: forked children, and an executor in the pool's place.
#![allow(unsafe_code)] // fork

use blosc2::base::Result;
use blosc2::exec::{self, Executor};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// These tests change the process; they take turns.
static TURN: Mutex<()> = Mutex::new(());

fn count_to(nthreads: usize, njobs: usize) -> usize {
    let count = AtomicUsize::new(0);
    exec::run(nthreads, njobs, &|_, _| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(())
    })
    .unwrap();
    count.into_inner()
}

/// Forks; the child's exit code is 0 when `child` returns true. Gives up on a child that hangs.
fn in_a_child(child: impl FnOnce() -> bool) {
    // SAFETY: the child only runs code that must work after a fork (that is what is tested) and leaves by _exit.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0);
    if pid == 0 {
        let code = if child() { 0 } else { 1 };
        // SAFETY: ends the child without running the test harness's exit handlers.
        unsafe { libc::_exit(code) };
    }
    let mut status = -1;
    for _ in 0..2000 {
        // SAFETY: pid is our child, status a valid place.
        if unsafe { libc::waitpid(pid, &mut status, libc::WNOHANG) } == pid {
            assert_eq!(status, 0, "the child failed");
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // SAFETY: pid is our child and still there.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    panic!("the child hangs");
}

#[test]
fn a_child_forked_from_an_idle_pool_has_its_own() {
    let _turn = TURN.lock();
    assert_eq!(count_to(4, 100), 100);
    in_a_child(|| (0..50).all(|_| count_to(4, 100) == 100));
    in_a_child(|| {
        // A child's child.
        in_a_child(|| count_to(3, 10) == 10);
        count_to(3, 10) == 10
    });
    assert_eq!(count_to(4, 100), 100);
}

#[test]
fn a_child_forked_from_a_busy_pool_has_its_own() {
    let _turn = TURN.lock();
    let stop = AtomicBool::new(false);
    std::thread::scope(|s| {
        for _ in 0..3 {
            s.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    assert_eq!(count_to(4, 20), 20);
                }
            });
        }
        for _ in 0..60 {
            in_a_child(|| (0..5).all(|_| count_to(4, 100) == 100));
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_job_may_fork() {
    let _turn = TURN.lock();
    let forked = AtomicBool::new(false);
    exec::run(3, 30, &|n, _| {
        if n == 10 && !forked.swap(true, Ordering::Relaxed) {
            in_a_child(|| count_to(3, 30) == 30);
        }
        Ok(())
    })
    .unwrap();
}

/// Runs the seats on fresh threads and remembers how many there were; leaves out the first when `lazy`.
struct Threads {
    seats: AtomicUsize,
    lazy: bool,
}

struct Handle(Arc<Threads>);

impl Executor for Handle {
    fn execute(&self, nseats: usize, work: &(dyn Fn(usize) + Sync)) {
        self.0.seats.fetch_add(nseats, Ordering::Relaxed);
        std::thread::scope(|s| {
            for seat in usize::from(self.0.lazy)..nseats {
                s.spawn(move || work(seat));
            }
        });
    }
}

#[test]
fn an_executor_takes_the_place_of_the_pool() {
    let _turn = TURN.lock();
    for lazy in [false, true] {
        let threads = Arc::new(Threads { seats: AtomicUsize::new(0), lazy });
        exec::set_executor(Some(Box::new(Handle(threads.clone()))));
        assert_eq!(count_to(4, 100), 100);
        assert_eq!(threads.seats.load(Ordering::Relaxed), 4);
        let nested: Result<()> = exec::run(2, 2, &|_, _| exec::run(2, 2, &|_, _| Ok(())));
        nested.unwrap();
        exec::set_executor(None);
        assert_eq!(count_to(4, 100), 100);
        assert_eq!(threads.seats.load(Ordering::Relaxed), 10);
    }
}
