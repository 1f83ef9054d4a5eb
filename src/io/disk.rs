//! The operating system's files.

use super::{Backend, File, Keep, Mode, Stamp};
use crate::base::{Error, ErrorKind, Result, env};
use std::fs::{self, OpenOptions};
use std::io::ErrorKind as OsKind;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Files by path, read and written with positioned calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Backend for Disk {
    fn open(&self, path: &Path, mode: Mode) -> Result<Box<dyn File>> {
        Ok(Box::new(DiskFile::open(path, mode)?))
    }

    fn keep(&self) -> Keep {
        Keep::Bounded
    }

    /// `BLOSC_LOCKING`, set to anything but nothing and 0.
    fn locks(&self) -> bool {
        env::is_on("BLOSC_LOCKING")
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        sync_dir(path)
    }
}

/// [`Disk`], with frames locked.
#[derive(Clone, Copy, Debug, Default)]
pub struct LockingDisk;

impl Backend for LockingDisk {
    fn open(&self, path: &Path, mode: Mode) -> Result<Box<dyn File>> {
        Disk.open(path, mode)
    }

    fn keep(&self) -> Keep {
        Disk.keep()
    }

    fn locks(&self) -> bool {
        true
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        sync_dir(path)
    }
}

/// One open file.
#[derive(Debug)]
pub struct DiskFile {
    file: fs::File,
    path: PathBuf,
}

impl DiskFile {
    /// Opens `path`.
    pub fn open(path: &Path, mode: Mode) -> Result<Self> {
        let mut options = OpenOptions::new();
        match mode {
            Mode::Read => options.read(true),
            Mode::Edit => options.read(true).write(true),
            Mode::Create => options.read(true).write(true).create(true).truncate(true),
            Mode::Touch => options.append(true).create(true),
        };
        let file = options.open(path).map_err(|e| {
            failed(ErrorKind::FileOpen, path, format_args!("cannot be opened to {}", verb(mode)), &e)
        })?;
        Ok(DiskFile { file, path: path.to_owned() })
    }
}

impl File for DiskFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        // Goes on after an interruption or a short read.
        self.file.read_exact_at(buf, offset).map_err(|e| {
            let what = format_args!("{} bytes at byte {offset} cannot be read", buf.len());
            failed(ErrorKind::FileRead, &self.path, what, &e)
        })
    }

    fn read_some(&self, offset: u64, buf: &mut [u8]) -> Option<usize> {
        self.file.read_at(buf, offset).ok()
    }

    fn write_at(&mut self, offset: u64, data: &[u8]) -> Result<()> {
        self.file.write_all_at(data, offset).map_err(|e| {
            let what = format_args!("{} bytes at byte {offset} cannot be written", data.len());
            failed(ErrorKind::FileWrite, &self.path, what, &e)
        })
    }

    fn size(&self) -> Result<u64> {
        let metadata = self.file.metadata();
        metadata
            .map(|m| m.len())
            .map_err(|e| failed(ErrorKind::FileRead, &self.path, format_args!("has no size"), &e))
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        self.file.set_len(len).map_err(|e| {
            failed(ErrorKind::FileTruncate, &self.path, format_args!("cannot be cut to {len} bytes"), &e)
        })
    }

    fn sync(&mut self) -> Result<()> {
        self.file
            .sync_data()
            .map_err(|e| failed(ErrorKind::FileWrite, &self.path, format_args!("cannot be synced"), &e))
    }

    fn stamp(&self) -> Option<Stamp> {
        self.file.metadata().ok().map(|m| stamp_of(&m))
    }

    fn try_claim(&self) -> Result<bool> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(fs::TryLockError::WouldBlock) => Ok(false),
            // Not every file system has locks.
            Err(fs::TryLockError::Error(e)) if e.kind() == OsKind::Unsupported => Ok(true),
            Err(fs::TryLockError::Error(e)) => {
                Err(failed(ErrorKind::Lock, &self.path, format_args!("cannot be locked"), &e))
            }
        }
    }
}

/// What `path` is on disk; `None` when there is nothing there.
pub fn stamp(path: &Path) -> Result<Option<Stamp>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(stamp_of(&metadata))),
        Err(e) if matches!(e.kind(), OsKind::NotFound | OsKind::NotADirectory) => Ok(None),
        Err(e) => Err(failed(ErrorKind::FileOpen, path, format_args!("cannot be looked at"), &e)),
    }
}

/// Makes a directory on disk, open to all as far as the umask allows.
pub fn create_dir(path: &Path) -> Result<()> {
    fs::create_dir(path)
        .map_err(|e| failed(ErrorKind::FileOpen, path, format_args!("the directory cannot be made"), &e))
}

/// The files in a directory on disk.
pub fn list(path: &Path) -> Result<Vec<PathBuf>> {
    let names = |entries: fs::ReadDir| entries.map(|entry| Ok(entry?.path())).collect();
    let found = fs::read_dir(path).and_then(names);
    found.map_err(|e| failed(ErrorKind::FileRead, path, format_args!("the directory cannot be listed"), &e))
}

/// Makes the names in a directory survive a power loss.
pub fn sync_dir(path: &Path) -> Result<()> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let synced = fs::File::open(path).and_then(|dir| dir.sync_all());
    synced.map_err(|e| failed(ErrorKind::FileWrite, path, format_args!("the directory cannot be synced"), &e))
}

/// Removes a file on disk.
pub fn remove_file(path: &Path) -> Result<()> {
    fs::remove_file(path)
        .map_err(|e| failed(ErrorKind::FileRemove, path, format_args!("cannot be removed"), &e))
}

fn stamp_of(metadata: &fs::Metadata) -> Stamp {
    Stamp {
        is_dir: metadata.is_dir(),
        id: (metadata.dev(), metadata.ino()),
        len: metadata.len(),
        changed: i128::from(metadata.mtime()) * 1_000_000_000 + i128::from(metadata.mtime_nsec()),
    }
}

fn verb(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "read",
        Mode::Edit => "edit",
        Mode::Create | Mode::Touch => "write",
    }
}

pub(super) fn failed(
    kind: ErrorKind,
    path: &Path,
    what: std::fmt::Arguments<'_>,
    e: &std::io::Error,
) -> Error {
    Error::new(kind, format!("{}: {what}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("oxiblosc2-disk-{}-{name}", std::process::id()))
    }

    #[test]
    fn positions_are_absolute_and_ends_are_errors() {
        let path = scratch("positions");
        let mut file = Disk.open(&path, Mode::Create).unwrap();
        file.write_at(4, b"tail").unwrap();
        file.write_at(0, b"head").unwrap();
        assert_eq!(file.size().unwrap(), 8);
        let reader = Disk.open(&path, Mode::Read).unwrap();
        let mut buf = [0; 8];
        reader.read_at(0, &mut buf).unwrap();
        assert_eq!(&buf, b"headtail");
        assert_eq!(reader.read_at(1, &mut buf).unwrap_err().kind(), ErrorKind::FileRead);
        file.truncate(3).unwrap();
        assert_eq!(reader.size().unwrap(), 3);
        assert_eq!(reader.stamp(), Disk.stamp(&path).unwrap());
        Disk.remove_file(&path).unwrap();
        assert_eq!(Disk.stamp(&path).unwrap(), None);
    }

    #[test]
    fn failures_have_their_kinds_and_name_the_path() {
        let path = scratch("missing");
        for mode in [Mode::Read, Mode::Edit] {
            let e = Disk.open(&path, mode).err().unwrap();
            assert_eq!(e.kind(), ErrorKind::FileOpen);
            assert!(e.what().contains("missing"), "{e}");
        }
        assert_eq!(Disk.remove_file(&path).unwrap_err().kind(), ErrorKind::FileRemove);
        Disk.open(&path, Mode::Touch).unwrap();
        let mut reader = Disk.open(&path, Mode::Read).unwrap();
        assert_eq!(reader.write_at(0, b"x").unwrap_err().kind(), ErrorKind::FileWrite);
        assert_eq!(reader.truncate(0).unwrap_err().kind(), ErrorKind::FileTruncate);
        assert_eq!(Disk.create_dir(&path).unwrap_err().kind(), ErrorKind::FileOpen);
        Disk.remove_file(&path).unwrap();
    }
}
