//! How runs are handed to workers and taken back, in every order in which threads can meet.
//!
//! What jobs write to lies on the stack of who began the run, in cells that tell when two threads touch them without
//! one waiting for the other: a run that comes back before its last worker is out would be found.
#![cfg(loom)]

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;
use loom::thread;
use oxiblosc2_models::base::{Error, ErrorKind, Result};
use oxiblosc2_models::exec;

/// What jobs write, one cell each.
struct Cells(Vec<UnsafeCell<usize>>);

// SAFETY: loom watches that no two threads are in a cell at once.
unsafe impl Sync for Cells {}

impl Cells {
    fn new(n: usize) -> Self {
        Cells((0..n).map(|_| UnsafeCell::new(0)).collect())
    }

    fn add(&self, n: usize) {
        // SAFETY: as above.
        self.0[n].with_mut(|cell| unsafe { *cell += 1 });
    }

    fn get(&self, n: usize) -> usize {
        // SAFETY: as above.
        self.0[n].with(|cell| unsafe { *cell })
    }
}

/// Tries the orders in which `model` can go with up to so many changes of threads that nothing asks for.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    // There is one pool in a process, so there can be one model at a time.
    static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(move || {
        exec::start_over();
        model();
        exec::shutdown();
    });
}

/// A run whose every job is done once by the time it comes back.
fn run(nthreads: usize, njobs: usize) {
    let cells = Cells::new(njobs);
    exec::run(nthreads, njobs, &|n, seat| {
        assert!(seat < nthreads);
        cells.add(n);
        Ok(())
    })
    .unwrap();
    for n in 0..njobs {
        assert_eq!(cells.get(n), 1);
    }
}

#[test]
fn a_run_is_handed_over_and_taken_back() {
    check(3, || run(2, 2));
}

#[test]
fn who_is_done_helps_the_other() {
    // One has two jobs, the other one.
    check(3, || run(2, 3));
}

#[test]
fn jobs_in_turn_are_all_done() {
    check(3, || {
        let cells = Cells::new(3);
        exec::run_in_turn(2, 3, &|n, _| {
            cells.add(n);
            Ok(())
        })
        .unwrap();
        for n in 0..3 {
            assert_eq!(cells.get(n), 1);
        }
    });
}

#[test]
fn the_worker_stays_for_the_next_run() {
    check(2, || {
        run(2, 2);
        run(2, 2);
    });
}

#[test]
fn two_workers_join_one_run() {
    check(2, || run(3, 3));
}

#[test]
fn two_callers_share_a_worker() {
    check(2, || {
        let other = thread::spawn(|| run(2, 2));
        run(2, 2);
        other.join().unwrap();
    });
}

#[test]
fn runs_nest() {
    check(2, || {
        let cells = Arc::new(Cells::new(2));
        exec::run(2, 2, &|n, _| {
            run(2, 2);
            cells.add(n);
            Ok(())
        })
        .unwrap();
        assert_eq!((cells.get(0), cells.get(1)), (1, 1));
    });
}

#[test]
fn a_failure_comes_back_and_nobody_is_left_inside() {
    check(3, || {
        let cells = Cells::new(2);
        let done: Result<()> = exec::run(2, 2, &|n, _| {
            cells.add(n);
            if n == 0 { Err(Error::new(ErrorKind::Data, "job 0")) } else { Ok(()) }
        });
        assert_eq!(done.unwrap_err().what(), "job 0");
        assert_eq!(cells.get(0), 1);
        assert!(cells.get(1) <= 1);
        run(2, 2);
    });
}

#[test]
fn a_panic_comes_back_as_a_failure() {
    std::panic::set_hook(Box::new(|_| {}));
    check(2, || {
        let cells = Cells::new(2);
        let done = exec::run(2, 2, &|n, _| {
            cells.add(n);
            if n == 1 { panic!("job 1") } else { Ok(()) }
        });
        assert_eq!(done.unwrap_err().kind(), ErrorKind::Failure);
        assert_eq!((cells.get(0), cells.get(1)), (1, 1));
        run(2, 2);
    });
}

#[test]
fn shutting_down_in_the_middle_disturbs_nobody() {
    check(2, || {
        let other = thread::spawn(exec::shutdown);
        run(2, 2);
        other.join().unwrap();
        run(2, 2);
    });
}

#[test]
fn a_job_may_shut_the_pool_down() {
    check(2, || {
        exec::run(2, 2, &|n, _| {
            if n == 1 {
                exec::shutdown();
            }
            Ok(())
        })
        .unwrap();
        run(2, 2);
    });
}
