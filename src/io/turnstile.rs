//! The turnstile before the sidecar lock: a writer that waits is let in before readers that come later.
//!
//! The system's lock is not fair: where readers follow each other closely there is always one inside, and a writer never
//! gets in. So a writer that finds readers locks a byte far behind the sidecar's end while it waits, with a lock of
//! another sort, which the C library does not look at; and readers that come let it go first. They do so for a while
//! only: who holds the lock through one handle and wants it through another must not wait for a writer that waits for
//! him.
//!
//! A system without such locks is as unfair as it was.
#![allow(unsafe_code)] // fcntl

#[cfg(not(target_os = "linux"))]
use std::fs::File;

#[cfg(target_os = "linux")]
mod ofd {
    use std::fs::File;
    use std::os::fd::AsRawFd;
    use std::time::{Duration, Instant};

    /// Where in the sidecar's numbering of bytes, which has no such byte.
    const AT: libc::off_t = 1 << 60;
    /// How long a reader lets a writer go first.
    const PATIENCE: Duration = Duration::from_millis(20);
    /// How often a reader looks.
    const PAUSE: Duration = Duration::from_micros(200);

    /// A request about the byte; what the system answers when it only looks.
    fn call(file: &File, command: libc::c_int, kind: libc::c_int) -> Option<libc::flock> {
        // SAFETY: all fields are integers, for which zero is valid.
        let mut lock: libc::flock = unsafe { std::mem::zeroed() };
        lock.l_type = kind as libc::c_short;
        lock.l_whence = libc::SEEK_SET as libc::c_short;
        lock.l_start = AT;
        lock.l_len = 1;
        // SAFETY: the descriptor is open as long as `file` lives, and the request is a whole one.
        let done = unsafe { libc::fcntl(file.as_raw_fd(), command, &raw mut lock) };
        (done == 0).then_some(lock)
    }

    /// Lets a writer that waits go first.
    pub(in super::super) fn let_writers_pass(file: &File) {
        let waits = || {
            let lock = call(file, libc::F_OFD_GETLK, libc::F_RDLCK);
            lock.is_some_and(|lock| libc::c_int::from(lock.l_type) == libc::F_WRLCK)
        };
        if waits() {
            let start = Instant::now();
            while start.elapsed() < PATIENCE && waits() {
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// Waits as a writer, behind writers that came before, while `lock` is taken.
    pub(in super::super) fn wait_as_writer<R>(file: &File, lock: impl FnOnce() -> R) -> R {
        let ours = call(file, libc::F_OFD_SETLKW, libc::F_WRLCK).is_some();
        let locked = lock();
        if ours {
            call(file, libc::F_OFD_SETLK, libc::F_UNLCK);
        }
        locked
    }
}

#[cfg(target_os = "linux")]
pub(super) use ofd::{let_writers_pass, wait_as_writer};

/// Does nothing here.
#[cfg(not(target_os = "linux"))]
pub(super) fn let_writers_pass(_: &File) {}

/// Takes the lock.
#[cfg(not(target_os = "linux"))]
pub(super) fn wait_as_writer<R>(_: &File, lock: impl FnOnce() -> R) -> R {
    lock()
}
