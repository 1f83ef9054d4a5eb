//! Files that live in the process: for tests, and for programs that want frames without a disk.

use super::{Backend, File, Keep, Mode, Stamp};
use crate::base::Result;
use crate::fail;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A file system of its own. Clones share it.
#[derive(Clone, Default)]
pub struct Memory {
    tree: Arc<Mutex<BTreeMap<PathBuf, Node>>>,
}

#[derive(Clone)]
enum Node {
    Dir,
    File(Arc<Inner>),
}

struct Inner {
    number: u64,
    bytes: Mutex<Vec<u8>>,
    changes: AtomicU64,
    claimed: AtomicBool,
}

impl Memory {
    /// No files.
    pub fn new() -> Self {
        Memory::default()
    }

    /// A file's bytes, copied.
    pub fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        match self.tree().get(path)? {
            Node::File(inner) => Some(inner.bytes().clone()),
            Node::Dir => None,
        }
    }

    /// Puts a file there, in place of any that is.
    pub fn put(&self, path: &Path, bytes: &[u8]) {
        self.tree().insert(path.to_owned(), Node::File(Inner::new(bytes.to_vec())));
    }

    fn tree(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Node>> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn new(bytes: Vec<u8>) -> Arc<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (bytes, changes) = (Mutex::new(bytes), AtomicU64::new(0));
        Arc::new(Inner { number, bytes, changes, claimed: AtomicBool::new(false) })
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stamp(&self) -> Stamp {
        let len = self.bytes().len() as u64;
        let changed = i128::from(self.changes.load(Ordering::Relaxed));
        Stamp { is_dir: false, id: (0, self.number), len, changed }
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({} paths)", self.tree().len())
    }
}

impl Backend for Memory {
    fn open(&self, path: &Path, mode: Mode) -> Result<Box<dyn File>> {
        let mut tree = self.tree();
        let inner = match (tree.get(path), mode) {
            (Some(Node::File(inner)), _) => {
                if mode == Mode::Create {
                    inner.bytes().clear();
                }
                inner.clone()
            }
            (None, Mode::Create | Mode::Touch) => {
                let inner = Inner::new(Vec::new());
                tree.insert(path.to_owned(), Node::File(inner.clone()));
                inner
            }
            _ => fail!(FileOpen, "{}: no such file in memory", path.display()),
        };
        Ok(Box::new(MemoryFile { inner, has_claim: AtomicBool::new(false) }))
    }

    fn keep(&self) -> Keep {
        Keep::Bounded
    }

    fn stamp(&self, path: &Path) -> Result<Option<Stamp>> {
        Ok(self.tree().get(path).map(|node| match node {
            Node::Dir => Stamp { is_dir: true, id: (0, 0), len: 0, changed: 0 },
            Node::File(inner) => inner.stamp(),
        }))
    }

    fn create_dir(&self, path: &Path) -> Result<()> {
        let mut tree = self.tree();
        if tree.contains_key(path) {
            fail!(FileOpen, "{}: there already", path.display());
        }
        tree.insert(path.to_owned(), Node::Dir);
        Ok(())
    }

    fn list(&self, path: &Path) -> Result<Vec<PathBuf>> {
        let inside = |(file, node): (&PathBuf, &Node)| {
            let listed = matches!(node, Node::File(_)) && file.parent() == Some(path);
            listed.then(|| file.clone())
        };
        Ok(self.tree().iter().filter_map(inside).collect())
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        match self.tree().remove(path) {
            Some(Node::File(_)) => Ok(()),
            _ => fail!(FileRemove, "{}: no such file in memory", path.display()),
        }
    }
}

struct MemoryFile {
    inner: Arc<Inner>,
    has_claim: AtomicBool,
}

impl Drop for MemoryFile {
    fn drop(&mut self) {
        if *self.has_claim.get_mut() {
            self.inner.claimed.store(false, Ordering::Release);
        }
    }
}

impl MemoryFile {
    fn change<R>(&self, f: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        self.inner.changes.fetch_add(1, Ordering::Relaxed);
        f(&mut self.inner.bytes())
    }
}

impl File for MemoryFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let bytes = self.inner.bytes();
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let Some(found) = start.checked_add(buf.len()).and_then(|end| bytes.get(start..end)) else {
            fail!(FileRead, "{} bytes at byte {offset} of a file of {}", buf.len(), bytes.len());
        };
        buf.copy_from_slice(found);
        Ok(())
    }

    fn write_at(&mut self, offset: u64, data: &[u8]) -> Result<()> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let Some(end) = start.checked_add(data.len()) else {
            fail!(FileWrite, "byte {offset} is out of reach");
        };
        self.change(|bytes| {
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[start..end].copy_from_slice(data);
        });
        Ok(())
    }

    fn size(&self) -> Result<u64> {
        Ok(self.inner.bytes().len() as u64)
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        let Ok(len) = usize::try_from(len) else {
            fail!(FileTruncate, "{len} bytes are out of reach");
        };
        self.change(|bytes| bytes.resize(len, 0));
        Ok(())
    }

    fn stamp(&self) -> Option<Stamp> {
        Some(self.inner.stamp())
    }

    fn try_claim(&self) -> Result<bool> {
        if !self.has_claim.load(Ordering::Acquire) && self.inner.claimed.swap(true, Ordering::AcqRel) {
            return Ok(false);
        }
        self.has_claim.store(true, Ordering::Release);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;

    #[test]
    fn behaves_as_a_disk_does() {
        let memory = Memory::new();
        let path = Path::new("frame");
        assert_eq!(memory.open(path, Mode::Edit).err().unwrap().kind(), ErrorKind::FileOpen);
        let mut file = memory.open(path, Mode::Create).unwrap();
        file.write_at(2, b"ab").unwrap();
        assert_eq!(memory.bytes(path).unwrap(), b"\0\0ab");
        let mut buf = [0; 2];
        file.read_at(2, &mut buf).unwrap();
        assert_eq!(&buf, b"ab");
        assert_eq!(file.read_at(3, &mut buf).unwrap_err().kind(), ErrorKind::FileRead);
        assert_eq!(file.read_at(u64::MAX, &mut buf).unwrap_err().kind(), ErrorKind::FileRead);
        let before = memory.stamp(path).unwrap();
        file.write_at(0, b"x").unwrap();
        assert_ne!(memory.stamp(path).unwrap(), before);
        memory.remove_file(path).unwrap();
        assert_eq!(memory.stamp(path).unwrap(), None);
    }
}
