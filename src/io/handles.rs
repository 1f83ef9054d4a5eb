//! Descriptors kept open between operations.
//!
//! Opening a file costs more than reading a block of it, so a frame keeps its handle. Every open frame would then
//! hold a descriptor, of which a process has few: past a bound on the whole process, frames open and close their
//! file at each operation instead.

use super::{Backend, File, Keep, Mode, Stamp};
use crate::base::{Result, env, glance};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// One path's handles.
#[derive(Debug)]
pub struct Handles {
    backend: Arc<dyn Backend>,
    path: PathBuf,
    /// The one handle of a backend that is opened once ([`Keep::Always`]): its views live as long as we do.
    fixed: OnceLock<Held<Box<dyn File>>>,
    held: Mutex<Option<Held<Arc<dyn File>>>>,
    /// Whether the path named nothing when it was looked at last: what is then written to an open file is lost.
    gone: AtomicBool,
}

struct Held<F> {
    file: F,
    writable: bool,
    _slot: Option<Slot>,
}

impl<F> std::fmt::Debug for Held<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Held(writable: {})", self.writable)
    }
}

/// A handle to read through.
pub enum Reader<'a> {
    /// The backend's one handle, whose views may be kept as long as the frame is not changed.
    Fixed(&'a dyn File),
    /// A handle that outlives the operation.
    Shared(Arc<dyn File>),
}

impl Reader<'_> {
    /// The file.
    pub fn file(&self) -> &dyn File {
        match self {
            Reader::Fixed(file) => *file,
            Reader::Shared(file) => &**file,
        }
    }
}

impl Handles {
    /// The handles of `path`, none open yet.
    pub fn new(backend: Arc<dyn Backend>, path: PathBuf) -> Self {
        Handles {
            backend,
            path,
            fixed: OnceLock::new(),
            held: Mutex::new(None),
            gone: AtomicBool::new(false),
        }
    }

    /// Where.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The place that the path is in.
    pub fn backend(&self) -> &Arc<dyn Backend> {
        &self.backend
    }

    /// What the path names now.
    pub fn stamp(&self) -> Result<Option<Stamp>> {
        let stamp = self.backend.stamp(&self.path)?;
        self.gone.store(stamp.is_none(), Ordering::Relaxed);
        Ok(stamp)
    }

    /// A handle to read through.
    pub fn reader(&self) -> Result<Reader<'_>> {
        match self.backend.keep() {
            Keep::Always => self.fixed_reader(),
            Keep::Bounded => self.held_reader(),
            Keep::No => Ok(Reader::Shared(Arc::from(self.backend.open(&self.path, Mode::Read)?))),
        }
    }

    fn fixed_reader(&self) -> Result<Reader<'_>> {
        if self.fixed.get().is_none() {
            let file = self.backend.open(&self.path, Mode::Read)?;
            // When another thread was first, this one's handle closes again.
            let _ = self.fixed.set(Held { file, writable: false, _slot: None });
        }
        match self.fixed.get() {
            Some(held) => Ok(Reader::Fixed(&*held.file)),
            None => crate::fail!(FileOpen, "{}: the handle is gone", self.path.display()),
        }
    }

    /// Keeps a handle to read that is open already, if there may be one more and there is none yet.
    pub fn hold(&self, file: Box<dyn File>) {
        if let Some(mut held) = glance(&self.held)
            && held.is_none()
            && let Some(slot) = Slot::claim()
        {
            *held = Some(Held { file: Arc::from(file), writable: false, _slot: Some(slot) });
        }
    }

    fn held_reader(&self) -> Result<Reader<'_>> {
        let mut held = glance(&self.held);
        if let Some(held) = held.as_ref().and_then(|held| held.as_ref()) {
            return Ok(Reader::Shared(held.file.clone()));
        }
        let file: Arc<dyn File> = Arc::from(self.backend.open(&self.path, Mode::Read)?);
        if let Some(held) = &mut held
            && let Some(slot) = Slot::claim()
        {
            **held = Some(Held { file: file.clone(), writable: false, _slot: Some(slot) });
        }
        Ok(Reader::Shared(file))
    }

    /// Runs `f` on a handle that can write, opened as `mode` says unless one is open already. `Create` always opens.
    pub fn edit<R>(&mut self, mode: Mode, f: impl FnOnce(&mut dyn File) -> Result<R>) -> Result<R> {
        match self.backend.keep() {
            Keep::Always => self.edit_fixed(mode, f),
            Keep::Bounded => self.edit_held(mode, f),
            Keep::No => f(&mut *self.backend.open(&self.path, mode)?),
        }
    }

    fn edit_fixed<R>(&mut self, mode: Mode, f: impl FnOnce(&mut dyn File) -> Result<R>) -> Result<R> {
        let mut held = match self.fixed.take() {
            Some(held) if held.writable && mode != Mode::Create => held,
            old => {
                drop(old);
                Held { file: self.backend.open(&self.path, mode)?, writable: true, _slot: None }
            }
        };
        let result = f(&mut *held.file);
        let _ = self.fixed.set(held);
        result
    }

    fn edit_held<R>(&mut self, mode: Mode, f: impl FnOnce(&mut dyn File) -> Result<R>) -> Result<R> {
        let current = self.held.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = current
            && held.writable
            && !*self.gone.get_mut()
            && mode != Mode::Create
            && let Some(file) = Arc::get_mut(&mut held.file)
        {
            return f(file);
        }
        // Give the slot of the handle to read back before asking for one more.
        *current = None;
        let mut file = self.backend.open(&self.path, mode)?;
        *self.gone.get_mut() = false;
        let result = f(&mut *file);
        if let Some(slot) = Slot::claim() {
            *current = Some(Held { file: Arc::from(file), writable: true, _slot: Some(slot) });
        }
        result
    }

    /// Closes what is kept open, once nobody reads through it any more: the path has come to name another file.
    pub fn forget(&self) {
        *self.lock() = None;
    }

    /// The stamp of the file that is held open, if one is.
    pub fn held_stamp(&self) -> Option<Stamp> {
        glance(&self.held)?.as_ref().and_then(|held| held.file.stamp())
    }

    fn lock(&self) -> MutexGuard<'_, Option<Held<Arc<dyn File>>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Open files by their numbers, each with the right to be kept open.
type Numbered = HashMap<u64, (Arc<dyn File>, Slot)>;

/// Files that belong together, by number, those read lately kept open.
#[derive(Default)]
pub struct Files {
    held: Mutex<Numbered>,
}

/// Most files that one [`Files`] keeps open.
const MOST_FILES: usize = 16;

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Files({} open)", self.lock().len())
    }
}

impl Files {
    /// File `number`, to read, which is at `path`.
    pub fn get(
        &self,
        backend: &Arc<dyn Backend>,
        number: u64,
        path: impl FnOnce() -> PathBuf,
    ) -> Result<Arc<dyn File>> {
        if let Some(file) = glance(&self.held).and_then(|held| Some(held.get(&number)?.0.clone())) {
            return Ok(file);
        }
        let file: Arc<dyn File> = Arc::from(backend.open(&path(), Mode::Read)?);
        if backend.keep() != Keep::No
            && let Some(mut held) = glance(&self.held)
        {
            if held.len() >= MOST_FILES {
                held.clear();
            }
            if let Some(slot) = Slot::claim() {
                held.insert(number, (file.clone(), slot));
            }
        }
        Ok(file)
    }

    /// Closes all: what the numbers stand for may have changed.
    pub fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, Numbered> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

static OPEN: AtomicUsize = AtomicUsize::new(0);

/// The right to keep one descriptor open.
struct Slot;

impl Slot {
    fn claim() -> Option<Slot> {
        let taken =
            OPEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < bound()).then_some(n + 1));
        taken.ok().map(|_| Slot)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Most descriptors the process keeps: `BLOSC_MAX_CACHED_READERS`, or a sixteenth of what it may open, 96 at most.
fn bound() -> usize {
    static BOUND: OnceLock<usize> = OnceLock::new();
    *BOUND.get_or_init(|| match env::integer("BLOSC_MAX_CACHED_READERS") {
        Some(n @ 0..=0x7fff_ffff) if env::text("BLOSC_MAX_CACHED_READERS") != Some(String::new()) => {
            n as usize
        }
        _ => open_files_limit().map_or(96, |limit| (limit / 16).min(96)),
    })
}

/// The soft limit on open files, where the system tells it in a file.
fn open_files_limit() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find(|line| line.starts_with("Max open files"))?;
    line["Max open files".len()..].split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::Memory;
    use crate::io::probe::Probe;

    fn watched(name: &str, bytes: &[u8]) -> (Probe, Memory, Handles) {
        let memory = Memory::new();
        memory.put(Path::new(name), bytes);
        let probe = Probe::new(Arc::new(memory.clone()));
        let handles = Handles::new(Arc::new(probe.clone()), PathBuf::from(name));
        (probe, memory, handles)
    }

    #[test]
    fn one_open_serves_many_reads_and_writes() {
        let (probe, memory, mut handles) = watched("a", b"abc");
        for _ in 0..3 {
            let mut buf = [0; 3];
            handles.reader().unwrap().file().read_at(0, &mut buf).unwrap();
        }
        assert_eq!(probe.take().opens, 1);
        for _ in 0..3 {
            handles.edit(Mode::Edit, |file| file.write_at(0, b"x")).unwrap();
            let mut buf = [0; 1];
            handles.reader().unwrap().file().read_at(0, &mut buf).unwrap();
            assert_eq!(&buf, b"x");
        }
        assert_eq!(probe.take().opens, 1, "the handle that writes also reads");
        assert_eq!(memory.bytes(Path::new("a")).unwrap(), b"xbc");
    }

    #[test]
    fn a_handle_in_use_is_not_written_through() {
        let (probe, _, mut handles) = watched("b", b"abc");
        handles.edit(Mode::Edit, |_| Ok(())).unwrap();
        let Reader::Shared(file) = handles.reader().unwrap() else { panic!("memory files are shared") };
        probe.take();
        handles.edit(Mode::Edit, |file| file.write_at(0, b"x")).unwrap();
        assert_eq!(probe.take().opens, 1);
        drop(file);
    }

    #[test]
    fn forgotten_handles_see_the_new_file() {
        let (_, memory, handles) = watched("c", b"old");
        let mut buf = [0; 3];
        handles.reader().unwrap().file().read_at(0, &mut buf).unwrap();
        let before = handles.held_stamp();
        memory.put(Path::new("c"), b"new");
        assert_ne!(handles.stamp().unwrap(), before);
        handles.forget();
        handles.reader().unwrap().file().read_at(0, &mut buf).unwrap();
        assert_eq!(&buf, b"new");
    }

    #[test]
    fn files_by_number_are_opened_once_while_they_are_few() {
        let memory = Memory::new();
        let probe = Probe::new(Arc::new(memory.clone()));
        let backend: Arc<dyn Backend> = Arc::new(probe.clone());
        let files = Files::default();
        let path = |n: u64| PathBuf::from(format!("{n}"));
        for n in 0..2 * MOST_FILES as u64 {
            memory.put(&path(n), &[n as u8]);
        }
        for n in [1, 2, 1, 1, 2] {
            let mut buf = [0];
            files.get(&backend, n, || path(n)).unwrap().read_at(0, &mut buf).unwrap();
            assert_eq!(u64::from(buf[0]), n);
        }
        assert_eq!(probe.take().opens, 2);
        for n in 0..2 * MOST_FILES as u64 {
            files.get(&backend, n, || path(n)).unwrap();
            assert!(files.lock().len() <= MOST_FILES);
        }
        files.clear();
        assert!(files.get(&backend, 99, || path(99)).is_err());
    }

    #[test]
    fn the_limit_reads_as_a_number() {
        assert!(open_files_limit().is_none_or(|n| n > 0));
        assert!(bound() <= 96 || env::is_set("BLOSC_MAX_CACHED_READERS"));
    }
}
