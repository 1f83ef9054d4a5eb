//! Measuring time.

use super::guard::guard;
use super::pointers::Out;
use super::types::blosc_timestamp_t;

/// Notes the time, by a clock that never goes back.
///
/// @param timestamp Set to now. With NULL, nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_set_timestamp(timestamp: *mut blosc_timestamp_t) {
    guard("blosc_set_timestamp", || {
        // SAFETY: the caller gives a place for a time, or NULL.
        let timestamp = unsafe { Out::new("timestamp", timestamp) }?;
        let mut now = blosc_timestamp_t { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: now is a place for a time.
        if unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) } != 0 {
            crate::fail!(Failure, "the system has no monotonic clock");
        }
        timestamp.set(now);
        Ok(())
    });
}

/// The time between two time stamps.
///
/// @param start_time The earlier.
/// @param end_time The later.
/// @return Nanoseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_elapsed_nsecs(
    start_time: blosc_timestamp_t,
    end_time: blosc_timestamp_t,
) -> f64 {
    (end_time.tv_sec - start_time.tv_sec) as f64 * 1e9 + (end_time.tv_nsec - start_time.tv_nsec) as f64
}

/// The time between two time stamps.
///
/// @param start_time The earlier.
/// @param end_time The later.
/// @return Seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc_elapsed_secs(
    start_time: blosc_timestamp_t,
    end_time: blosc_timestamp_t,
) -> f64 {
    // SAFETY: has no preconditions.
    unsafe { blosc_elapsed_nsecs(start_time, end_time) * 1e-9 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_forward() {
        let mut start = blosc_timestamp_t { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: start is a place for a time; NULL is allowed.
        unsafe {
            blosc_set_timestamp(std::ptr::null_mut());
            blosc_set_timestamp(&mut start);
            let mut end = start;
            end.tv_sec += 2;
            end.tv_nsec -= 500_000_000;
            assert_eq!(blosc_elapsed_nsecs(start, end), 1.5e9);
            assert_eq!(blosc_elapsed_secs(start, end), 1.5);
            blosc_set_timestamp(&mut end);
            assert!(blosc_elapsed_nsecs(start, end) >= 0.0);
        }
    }
}
