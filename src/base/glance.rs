//! Looking into what threads share for an instant, and may do without.

use std::sync::{Mutex, MutexGuard, TryLockError};

/// What the mutex guards, unless somebody has it just now.
///
/// For caches: whoever finds one locked does without. To wait for the other thread could be to wait for ever: when a process
/// forks, the child gets the lock as it is, and not the thread that would give it back.
pub fn glance<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_locked_is_done_without() {
        let mutex = Mutex::new(7);
        let guard = glance(&mutex).unwrap();
        assert!(glance(&mutex).is_none());
        drop(guard);
        assert_eq!(*glance(&mutex).unwrap(), 7);
    }
}
