//! A backend that counts what goes through it, and can be told to fail: how tests weigh an operation in calls and
//! bytes, and cut it short at any point.

use super::{Backend, File, Keep, Mode, Stamp};
use crate::base::Result;
use crate::fail;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What went through since the last [`Probe::take`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Files opened.
    pub opens: u64,
    /// Reads, and views handed out.
    pub reads: u64,
    /// Bytes of them.
    pub read_bytes: u64,
    /// Writes.
    pub writes: u64,
    /// Bytes of them.
    pub write_bytes: u64,
    /// Truncations.
    pub truncates: u64,
    /// Looks at what a path names, or an open file is.
    pub looks: u64,
}

#[derive(Default)]
struct Inner {
    counts: Counts,
    budget: Option<u64>,
    capacity: Option<u64>,
}

/// Another backend, watched.
#[derive(Clone)]
pub struct Probe {
    backend: Arc<dyn Backend>,
    inner: Arc<Mutex<Inner>>,
}

impl Probe {
    /// Watches `backend`.
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Probe { backend, inner: Arc::default() }
    }

    /// The counts so far, which start again from zero.
    pub fn take(&self) -> Counts {
        std::mem::take(&mut self.lock().counts)
    }

    /// From now on, after `bytes` more written bytes every write and truncation fails; what fits of the write that
    /// crosses the line is still written, as in a crash. `None` lifts the limit.
    pub fn fail_after(&self, bytes: Option<u64>) {
        self.lock().budget = bytes;
    }

    /// From now on no file grows past `bytes`: what fits of a write is written, and the write fails, as on a full disk.
    pub fn fill_up_at(&self, bytes: Option<u64>) {
        self.lock().capacity = bytes;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many of `wanted` bytes may be written at `offset`.
    fn spend(&self, offset: u64, wanted: u64) -> u64 {
        let mut inner = self.lock();
        let wanted = inner.capacity.map_or(wanted, |capacity| wanted.min(capacity.saturating_sub(offset)));
        let Some(budget) = &mut inner.budget else {
            return wanted;
        };
        let granted = wanted.min(*budget);
        *budget -= granted;
        granted
    }
}

impl fmt::Debug for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Probe({:?})", self.backend)
    }
}

impl Backend for Probe {
    fn open(&self, path: &Path, mode: Mode) -> Result<Box<dyn File>> {
        self.lock().counts.opens += 1;
        let file = self.backend.open(path, mode)?;
        Ok(Box::new(ProbeFile { file, probe: self.clone() }))
    }

    fn keep(&self) -> Keep {
        self.backend.keep()
    }

    fn stamp(&self, path: &Path) -> Result<Option<Stamp>> {
        self.lock().counts.looks += 1;
        self.backend.stamp(path)
    }

    fn create_dir(&self, path: &Path) -> Result<()> {
        self.backend.create_dir(path)
    }

    fn list(&self, path: &Path) -> Result<Vec<PathBuf>> {
        self.backend.list(path)
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.backend.remove_file(path)
    }

    fn has_sparse_frames(&self) -> bool {
        self.backend.has_sparse_frames()
    }

    fn locks(&self) -> bool {
        self.backend.locks()
    }

    fn journals(&self) -> bool {
        self.backend.journals()
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        self.backend.sync_dir(path)
    }
}

struct ProbeFile {
    file: Box<dyn File>,
    probe: Probe,
}

impl ProbeFile {
    fn count_read(&self, bytes: usize) {
        let counts = &mut self.probe.lock().counts;
        counts.reads += 1;
        counts.read_bytes += bytes as u64;
    }
}

impl File for ProbeFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        self.count_read(buf.len());
        self.file.read_at(offset, buf)
    }

    fn read_some(&self, offset: u64, buf: &mut [u8]) -> Option<usize> {
        let read = self.file.read_some(offset, buf);
        if let Some(len) = read {
            self.count_read(len);
        }
        read
    }

    fn view(&self, offset: u64, len: usize) -> Option<Result<&[u8]>> {
        let view = self.file.view(offset, len);
        if view.is_some() {
            self.count_read(len);
        }
        view
    }

    fn write_at(&mut self, offset: u64, data: &[u8]) -> Result<()> {
        let granted = self.probe.spend(offset, data.len() as u64) as usize;
        {
            let counts = &mut self.probe.lock().counts;
            counts.writes += 1;
            counts.write_bytes += granted as u64;
        }
        if granted == data.len() {
            return self.file.write_at(offset, data);
        }
        self.file.write_at(offset, &data[..granted])?;
        fail!(FileWrite, "the probe stops here, {granted} of {} bytes written", data.len());
    }

    fn size(&self) -> Result<u64> {
        self.probe.lock().counts.looks += 1;
        self.file.size()
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        if self.probe.lock().budget == Some(0) {
            fail!(FileTruncate, "the probe stops here");
        }
        self.probe.lock().counts.truncates += 1;
        self.file.truncate(len)
    }

    fn sync(&mut self) -> Result<()> {
        self.file.sync()
    }

    fn stamp(&self) -> Option<Stamp> {
        self.probe.lock().counts.looks += 1;
        self.file.stamp()
    }

    fn try_claim(&self) -> Result<bool> {
        self.file.try_claim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;
    use crate::io::Memory;

    #[test]
    fn counts_and_stops_where_told() {
        let memory = Memory::new();
        let probe = Probe::new(Arc::new(memory.clone()));
        let path = Path::new("f");
        let mut file = probe.open(path, Mode::Create).unwrap();
        file.write_at(0, &[1; 10]).unwrap();
        let counts = probe.take();
        assert_eq!((counts.opens, counts.writes, counts.write_bytes), (1, 1, 10));
        probe.fail_after(Some(3));
        assert_eq!(file.write_at(0, &[2; 5]).unwrap_err().kind(), ErrorKind::FileWrite);
        assert_eq!(file.truncate(1).unwrap_err().kind(), ErrorKind::FileTruncate);
        assert_eq!(memory.bytes(path).unwrap(), [2, 2, 2, 1, 1, 1, 1, 1, 1, 1]);
        probe.fail_after(None);
        file.truncate(1).unwrap();
        assert_eq!(probe.take().truncates, 1);
        probe.fill_up_at(Some(4));
        assert!(file.write_at(2, &[3; 3]).is_err());
        assert_eq!(memory.bytes(path).unwrap(), [2, 0, 3, 3]);
        file.write_at(0, &[4; 4]).unwrap();
    }
}
