//! Positioned reads and writes: files, memory, and what users register.
//!
//! A [`Backend`] knows paths; a [`File`] is one open path, read and written at absolute positions, so that a handle
//! has no cursor and any number of readers share it. Frames never touch the file system but through these two traits.
//!
//! [`disk`] is the operating system's files, [`mmap`] maps them, [`memory`] keeps files in the process, [`probe`] wraps another backend
//! and counts, or fails on purpose. [`handles`] keeps descriptors open between operations, within a bound, and
//! notices when a path has come to name another file. [`lock`] is the sidecar lock, with a `turnstile` before it; [`urlpath`] is about names, and
//! [`remove`] removes and renames what they name. [`journaled`] asks that changes can be taken back after a crash.

pub mod disk;
pub mod handles;
pub mod journaled;
pub mod lock;
pub mod memory;
pub mod mmap;
pub mod probe;
pub mod remove;
mod turnstile;
pub mod urlpath;

use crate::base::{Result, env};
use std::fmt;
use std::path::{Path, PathBuf};

pub use disk::{Disk, LockingDisk};
pub use handles::Handles;
pub use journaled::Journaled;
pub use memory::Memory;
pub use mmap::{MapMode, Mmap};

/// What the sidecar lock is called: a frame's file with this at its end, or this in a frame's directory.
pub const LOCK_SUFFIX: &str = ".b2lock";
/// What the rollback journal is called, likewise.
pub const JOURNAL_SUFFIX: &str = ".b2journal";

/// How a path is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To read (`rb`).
    Read,
    /// To read and write a file that exists (`rb+`).
    Edit,
    /// To write a new file, or one that is emptied first (`wb`).
    Create,
    /// So that the file exists; what it holds stays (`ab`).
    Touch,
}

/// Whether handles stay open between operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// One handle per operation, closed after it.
    No,
    /// Kept while the process is under its bound of descriptors, and dropped when the path names another file.
    Bounded,
    /// Opened once and kept: the backend's own memory is read through it ([`File::view`]).
    Always,
}

/// What tells one state of a path from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Whether it is a directory.
    pub is_dir: bool,
    /// Device and inode, or whatever names the file itself.
    pub id: (u64, u64),
    /// Bytes in the file.
    pub len: u64,
    /// When the file last changed, nanoseconds since some start.
    pub changed: i128,
}

/// An open file. Reads share it; writes need it alone.
pub trait File: Send + Sync {
    /// Fills `buf` from byte `offset` on. A file that ends before is `FileRead`.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()>;

    /// Reads from byte `offset` on, at most what fits in `buf`, and tells how many bytes came: fewer at the file's end, and
    /// perhaps elsewhere. `None` where that is not one call, or fails: [`File::read_at`] says why.
    fn read_some(&self, _offset: u64, _buf: &mut [u8]) -> Option<usize> {
        None
    }

    /// The backend's own bytes, where it has them in memory; `None` where they must be read.
    fn view(&self, _offset: u64, _len: usize) -> Option<Result<&[u8]>> {
        None
    }

    /// Writes all of `data` at byte `offset`, growing the file as needed.
    fn write_at(&mut self, offset: u64, data: &[u8]) -> Result<()>;

    /// Bytes in the file.
    fn size(&self) -> Result<u64>;

    /// Cuts or grows the file to `len` bytes.
    fn truncate(&mut self, len: u64) -> Result<()>;

    /// Makes what was written survive a power loss, where the backend can.
    fn sync(&mut self) -> Result<()> {
        Ok(())
    }

    /// The stamp of the open file, wherever its path points now. `None` where the backend has none.
    fn stamp(&self) -> Option<Stamp> {
        None
    }

    /// Claims the file until it is closed, against every other open file of that path. False when another has it. A
    /// backend that cannot tell says true.
    fn try_claim(&self) -> Result<bool> {
        Ok(true)
    }
}

/// A place that has files.
pub trait Backend: Send + Sync + fmt::Debug {
    /// Opens `path`. `FileOpen` when that is not possible.
    fn open(&self, path: &Path, mode: Mode) -> Result<Box<dyn File>>;

    /// Whether handles stay open between operations.
    fn keep(&self) -> Keep {
        Keep::No
    }

    /// What `path` is now; `None` when there is nothing there.
    fn stamp(&self, path: &Path) -> Result<Option<Stamp>> {
        disk::stamp(path)
    }

    /// Makes a directory whose parent exists. `FileOpen` when there is something already.
    fn create_dir(&self, path: &Path) -> Result<()> {
        disk::create_dir(path)
    }

    /// The files in a directory, in no order.
    fn list(&self, path: &Path) -> Result<Vec<PathBuf>> {
        disk::list(path)
    }

    /// Removes a file. `FileRemove` when that is not possible, or there is none.
    fn remove_file(&self, path: &Path) -> Result<()> {
        disk::remove_file(path)
    }

    /// Whether a frame may be a directory of files.
    fn has_sparse_frames(&self) -> bool {
        true
    }

    /// Whether frames are locked while they are read and changed, against other handles and processes.
    fn locks(&self) -> bool {
        false
    }

    /// Whether what a change overwrites is kept in a journal until it is done: `BLOSC_JOURNAL`, set to anything but
    /// nothing and 0.
    fn journals(&self) -> bool {
        env::is_on("BLOSC_JOURNAL")
    }

    /// The backend for small files beside the frames, where that is not this one.
    fn beside(&self) -> Option<&dyn Backend> {
        None
    }

    /// Makes the names in a directory survive a power loss, where the backend can.
    fn sync_dir(&self, _path: &Path) -> Result<()> {
        Ok(())
    }
}
