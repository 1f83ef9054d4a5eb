//! The sidecar lock: how processes that use one frame keep out of each other's way.
//!
//! A file beside the frame is locked, shared to read and exclusively to change, and holds a counter that every change
//! raises: who finds another number than the one it left knows that the frame has changed, even when its length has
//! not. The lock only helps among those who all use it.

use super::LOCK_SUFFIX;
use super::disk::failed;
use super::turnstile;
use super::urlpath::with_suffix;
use crate::base::{ErrorKind, Result};
use crate::fail;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind as OsKind;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where in the sidecar the counter is.
const COUNTER_AT: u64 = 8;

/// One frame's lock, as one handle uses it.
#[derive(Debug)]
pub struct SidecarLock {
    path: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    file: Option<File>,
    /// How often we hold it to read, in all threads.
    shared: usize,
    /// How often we hold it to change.
    exclusive: usize,
    /// The counter, as it was when the lock was taken.
    counter: u64,
    /// The counter that belongs to what we know of the frame; 0 while nobody has locked it yet.
    known: u64,
}

/// The lock to read, as long as it lives.
#[derive(Debug)]
pub struct SharedGuard<'a> {
    lock: &'a SidecarLock,
}

/// What can be seen of a frame's lock without taking it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockState {
    /// The sidecar.
    pub path: PathBuf,
    /// How often the frame was locked to be changed.
    pub generation: u64,
    /// Who has it now.
    pub holder: Holder,
}

/// Who has a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Nobody.
    Nobody,
    /// One or more who read.
    Readers,
    /// One who changes the frame.
    Writer,
}

/// Looks at the lock of the frame at `path`, a sparse frame's directory or a file; `None` when it was never locked. Whoever
/// wants the lock in the same moment waits for as long as the look takes.
///
/// # Errors
/// [`ErrorKind::Lock`] when the sidecar cannot be read.
pub fn look(path: &Path, is_dir: bool) -> Result<Option<LockState>> {
    let lock = SidecarLock::new(path, is_dir);
    let file = match File::open(&lock.path) {
        Ok(file) => file,
        Err(e) if e.kind() == OsKind::NotFound => return Ok(None),
        Err(e) => return Err(lock.failed(&e)),
    };
    let generation = read_counter(&file).map_err(|e| lock.failed(&e))?;
    // Shared first: that keeps readers from nothing.
    let holder = match (file.try_lock_shared().is_ok(), file.try_lock().is_ok()) {
        (false, _) => Holder::Writer,
        (true, false) => Holder::Readers,
        (true, true) => Holder::Nobody,
    };
    Ok(Some(LockState { path: lock.path, generation, holder }))
}

impl SidecarLock {
    /// The lock of the frame at `path`: in a sparse frame's directory, or beside a file. Nothing is opened yet.
    pub fn new(path: &Path, is_dir: bool) -> Self {
        let path = if is_dir { path.join(LOCK_SUFFIX) } else { with_suffix(path, LOCK_SUFFIX) };
        SidecarLock { path, inner: Mutex::default() }
    }

    /// Takes the lock to read, or shares it with another thread or an outer change of this handle.
    ///
    /// # Errors
    /// [`ErrorKind::Lock`] when the sidecar cannot be opened, made or locked.
    pub fn shared(&self) -> Result<SharedGuard<'_>> {
        let mut inner = self.inner();
        if inner.shared == 0 && inner.exclusive == 0 {
            self.take(&mut inner, false)?;
        }
        inner.shared += 1;
        Ok(SharedGuard { lock: self })
    }

    /// Takes the lock to change the frame, or takes it once more.
    ///
    /// # Errors
    /// As [`SidecarLock::shared`].
    pub fn lock(&self) -> Result<()> {
        let mut inner = self.inner();
        if inner.exclusive == 0 {
            if inner.shared > 0 {
                fail!(Lock, "{}: the frame is being read through this handle", self.path.display());
            }
            self.take(&mut inner, true)?;
        }
        inner.exclusive += 1;
        Ok(())
    }

    /// Gives back what [`SidecarLock::lock`] took; what it did not is no error.
    ///
    /// # Errors
    /// [`ErrorKind::Lock`] when the system refuses.
    pub fn unlock(&self) -> Result<()> {
        let mut inner = self.inner();
        if inner.exclusive == 0 {
            return Ok(());
        }
        inner.exclusive -= 1;
        self.release(&mut inner)
    }

    /// Whether somebody has changed the frame since [`SidecarLock::know`].
    pub fn has_changed(&self) -> bool {
        let inner = self.inner();
        inner.known != inner.counter
    }

    /// Says that what is known of the frame is what it is now, while the lock is held.
    pub fn know(&self) {
        let mut inner = self.inner();
        inner.known = inner.counter;
    }

    fn take(&self, inner: &mut Inner, exclusive: bool) -> Result<()> {
        loop {
            let file = match inner.file.take() {
                Some(file) => file,
                None => self.open()?,
            };
            lock_file(&file, exclusive).map_err(|e| self.failed(&e))?;
            // When the sidecar was removed meanwhile, others lock another one.
            if self.is_current(&file) {
                let counter = read_counter(&file).map_err(|e| self.failed(&e))?;
                let was_known = inner.known == counter;
                inner.counter = counter;
                if exclusive {
                    inner.counter = counter.wrapping_add(1);
                    file.write_all_at(&inner.counter.to_ne_bytes(), COUNTER_AT)
                        .map_err(|e| self.failed(&e))?;
                    if was_known {
                        inner.known = inner.counter;
                    }
                }
                inner.file = Some(file);
                return Ok(());
            }
        }
    }

    fn release(&self, inner: &mut Inner) -> Result<()> {
        match &inner.file {
            Some(file) if inner.shared == 0 && inner.exclusive == 0 => {
                file.unlock().map_err(|e| self.failed(&e))
            }
            _ => Ok(()),
        }
    }

    fn open(&self) -> Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        options.open(&self.path).map_err(|e| self.failed(&e))
    }

    fn is_current(&self, file: &File) -> bool {
        let id = |m: std::fs::Metadata| (m.dev(), m.ino());
        match (file.metadata(), std::fs::metadata(&self.path)) {
            (Ok(ours), Ok(now)) => id(ours) == id(now),
            // Gone with the frame's directory, there is nothing that another lock could protect.
            (_, Err(e)) => e.kind() != OsKind::NotFound || !self.has_directory(),
            _ => true,
        }
    }

    fn has_directory(&self) -> bool {
        self.path.parent().is_none_or(|parent| parent.as_os_str().is_empty() || parent.exists())
    }

    fn failed(&self, e: &std::io::Error) -> crate::base::Error {
        failed(ErrorKind::Lock, &self.path, format_args!("the frame cannot be locked"), e)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SharedGuard<'_> {
    fn drop(&mut self) {
        let mut inner = self.lock.inner();
        inner.shared -= 1;
        // Nobody could do anything about a failure; closing the file unlocks in any case.
        let _ = self.lock.release(&mut inner);
    }
}

fn lock_file(file: &File, exclusive: bool) -> std::io::Result<()> {
    if !exclusive {
        turnstile::let_writers_pass(file);
        return uninterrupted(|| file.lock_shared());
    }
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => turnstile::wait_as_writer(file, || uninterrupted(|| file.lock())),
        Err(TryLockError::Error(e)) if e.kind() == OsKind::Interrupted => uninterrupted(|| file.lock()),
        Err(TryLockError::Error(e)) => Err(e),
        Ok(()) => Ok(()),
    }
}

fn uninterrupted(lock: impl Fn() -> std::io::Result<()>) -> std::io::Result<()> {
    loop {
        match lock() {
            Err(e) if e.kind() == OsKind::Interrupted => {}
            result => return result,
        }
    }
}

/// The counter; 0 in a sidecar that is new.
fn read_counter(file: &File) -> std::io::Result<u64> {
    let mut counter = [0; 8];
    match file.read_exact_at(&mut counter, COUNTER_AT) {
        Ok(()) => Ok(u64::from_ne_bytes(counter)),
        Err(e) if e.kind() == OsKind::UnexpectedEof => Ok(0),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted_and_exclude_each_other() {
        let path = std::env::temp_dir().join(format!("oxiblosc2-lock-{}", std::process::id()));
        let (a, b) = (SidecarLock::new(&path, false), SidecarLock::new(&path, false));
        drop(a.shared().unwrap());
        a.know();
        b.lock().unwrap();
        b.lock().unwrap();
        b.know();
        b.unlock().unwrap();
        std::thread::scope(|s| {
            // Waits until b has let go.
            let changed = s.spawn(|| {
                let _guard = a.shared().unwrap();
                a.has_changed()
            });
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!changed.is_finished());
            b.unlock().unwrap();
            assert!(changed.join().unwrap());
        });
        b.unlock().unwrap();
        a.lock().unwrap();
        assert!(a.has_changed(), "b changed it, and a has not looked");
        a.know();
        a.unlock().unwrap();
        let sidecar = std::fs::read(with_suffix(&path, LOCK_SUFFIX)).unwrap();
        assert_eq!(sidecar, [[0; 8], 2u64.to_ne_bytes()].concat());
        std::fs::remove_file(with_suffix(&path, LOCK_SUFFIX)).unwrap();
    }

    #[test]
    fn threads_share_the_lock_to_read() {
        let path = std::env::temp_dir().join(format!("oxiblosc2-lock-shared-{}", std::process::id()));
        let (a, b) = (SidecarLock::new(&path, false), SidecarLock::new(&path, false));
        let one = a.shared().unwrap();
        drop(a.shared().unwrap());
        let still_shared = File::open(with_suffix(&path, LOCK_SUFFIX)).unwrap();
        assert!(still_shared.try_lock().is_err());
        assert_eq!(a.lock().unwrap_err().kind(), ErrorKind::Lock);
        drop(one);
        b.lock().unwrap();
        b.unlock().unwrap();
        std::fs::remove_file(with_suffix(&path, LOCK_SUFFIX)).unwrap();
    }
}
