use super::*;
use crate::base::{Error, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Held by tests that shut the pool down, and by one whose jobs wait for each other: a pool that is shut down meanwhile waits
/// for those, and they for a worker that it does not make.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failure(n: usize) -> Result<()> {
    Err(Error::new(ErrorKind::Data, format!("job {n}")))
}

#[test]
fn every_job_runs_once_and_seats_are_in_range() {
    for nthreads in [0, 1, 2, 3, 8, 1000] {
        for njobs in [0, 1, 2, 7, 300] {
            let done: Vec<AtomicUsize> = (0..njobs).map(|_| AtomicUsize::new(0)).collect();
            run(nthreads, njobs, &|n, seat| {
                assert!(seat < nthreads.max(1));
                done[n].fetch_add(1, Ordering::Relaxed);
                Ok(())
            })
            .unwrap();
            assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 1));
        }
    }
}

#[test]
fn the_lowest_failing_job_is_the_one_reported() {
    for nthreads in [1, 2, 8] {
        for _ in 0..200 {
            let error = run(nthreads, 100, &|n, _| if n % 7 == 5 { failure(n) } else { Ok(()) }).unwrap_err();
            assert_eq!((error.kind(), error.what()), (ErrorKind::Data, "job 5"));
        }
    }
}

#[test]
fn a_panic_is_a_failure_and_the_pool_goes_on() {
    for nthreads in [1, 4] {
        let error = run(nthreads, 50, &|n, _| if n >= 20 { panic!("job {n} is broken") } else { Ok(()) })
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Failure);
        assert_eq!(error.what(), "a job panicked: job 20 is broken");
        run(nthreads, 50, &|_, _| Ok(())).unwrap();
    }
}

#[test]
fn runs_nest() {
    let count = AtomicUsize::new(0);
    run(4, 8, &|_, _| {
        run(4, 8, &|_, _| {
            run(3, 4, &|_, _| {
                count.fetch_add(1, Ordering::Relaxed);
                Ok(())
            })
        })
    })
    .unwrap();
    assert_eq!(count.into_inner(), 8 * 8 * 4);
}

#[test]
fn many_threads_run_at_once() {
    let _alone = alone();
    std::thread::scope(|s| {
        for thread in 0..16 {
            s.spawn(move || {
                for round in 0..200 {
                    let njobs = 1 + (thread + round) % 13;
                    // Borrowed and written by the jobs: whoever outlives its run corrupts this.
                    let sums: Vec<Mutex<usize>> = (0..njobs).map(Mutex::new).collect();
                    let result = run(1 + round % 5, njobs, &|n, _| {
                        *sums[n].lock().unwrap() += 100;
                        if round % 9 == 0 && n == njobs - 1 { failure(n) } else { Ok(()) }
                    });
                    assert_eq!(result.is_err(), round % 9 == 0);
                    for (n, sum) in sums.into_iter().enumerate() {
                        assert_eq!(sum.into_inner().unwrap(), n + 100);
                    }
                }
            });
        }
        // Shutting down meanwhile disturbs nobody.
        for _ in 0..20 {
            shutdown();
            std::thread::yield_now();
        }
    });
}

#[test]
fn workers_join_a_run_that_waits_for_them() {
    use std::sync::Barrier;
    let _alone = alone();
    let together = Barrier::new(3);
    run(3, 3, &|_, _| {
        together.wait();
        Ok(())
    })
    .unwrap();
}

#[test]
fn each_thread_begins_with_a_stretch_of_its_own() {
    use std::sync::Barrier;
    let _alone = alone();
    let together = Barrier::new(2);
    run(2, 7, &|n, seat| {
        // The first of each: four jobs, and three.
        if n == 0 || n == 4 {
            assert_eq!(n, 4 * seat);
            together.wait();
        }
        Ok(())
    })
    .unwrap();
}

#[test]
fn jobs_in_turn_are_begun_in_ascending_order() {
    use std::sync::Barrier;
    let _alone = alone();
    let together = Barrier::new(2);
    // Each pair is two jobs that are begun together.
    run_in_turn(2, 8, &|_, _| {
        together.wait();
        Ok(())
    })
    .unwrap();
    for nthreads in [1, 2, 8] {
        let error =
            run_in_turn(nthreads, 100, &|n, _| if n % 7 == 5 { failure(n) } else { Ok(()) }).unwrap_err();
        assert_eq!(error.what(), "job 5");
    }
}

#[test]
fn with_more_threads_than_stretches_every_job_is_done_once() {
    for (nthreads, njobs) in [(9, 9), (12, 100), (64, 65)] {
        let done: Vec<AtomicUsize> = (0..njobs).map(|_| AtomicUsize::new(0)).collect();
        run(nthreads, njobs, &|n, _| {
            done[n].fetch_add(1, Ordering::Relaxed);
            std::thread::yield_now();
            Ok(())
        })
        .unwrap();
        assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 1));
    }
}

#[test]
fn shutdown_from_inside_a_job_does_not_wait_for_itself() {
    let _alone = alone();
    run(3, 6, &|_, _| {
        shutdown();
        Ok(())
    })
    .unwrap();
    run(3, 6, &|_, _| Ok(())).unwrap();
}

#[test]
fn workers_are_numbered() {
    for n in [1, 9, 10, 12, 99, 100, 2048] {
        assert_eq!(super::pool::name_of(n), format!("blosc2-{n}"));
    }
}
