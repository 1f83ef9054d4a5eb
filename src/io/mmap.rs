//! Files mapped into memory.
//!
//! A mapped file is read without a copy and without a call. It is as long as it was when it was opened, and as it
//! became by being written through this handle. A file that somebody else cuts short while it is mapped ends the
//! process when what is gone is read: that is how the system tells, and mapping a file means to trust those who may
//! change it.
#![allow(unsafe_code)] // mmap, mremap, msync and munmap, and the slices over what they map

use super::disk::failed;
use super::{Backend, Disk, File, Keep, Mode};
use crate::base::{ErrorKind, Result, env};
use crate::fail;
use std::fs::{self, OpenOptions};
use std::os::fd::{AsRawFd, RawFd};
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

/// How a file is mapped. The names are those that NumPy's `memmap` has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapMode {
    /// `r`: to be read.
    Read,
    /// `r+`: to be read and changed.
    Edit,
    /// `w+`: a new file, or one that is emptied first.
    Create,
    /// `c`: what is changed stays in memory, and the file as it is.
    Copy,
}

impl MapMode {
    const ALL: [MapMode; 4] = [MapMode::Read, MapMode::Edit, MapMode::Create, MapMode::Copy];

    /// The mode of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        MapMode::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// The mode's name.
    pub fn name(self) -> &'static str {
        match self {
            MapMode::Read => "r",
            MapMode::Edit => "r+",
            MapMode::Create => "w+",
            MapMode::Copy => "c",
        }
    }
}

/// Files mapped into memory, all in one mode.
#[derive(Clone, Copy, Debug)]
pub struct Mmap {
    mode: MapMode,
    room: usize,
}

impl Mmap {
    /// Maps files in `mode`, those that may be changed with `room` bytes of address space at first, so that they can
    /// grow in place.
    pub fn new(mode: MapMode, room: usize) -> Self {
        Mmap { mode, room }
    }
}

impl Backend for Mmap {
    fn open(&self, path: &Path, mode: Mode) -> Result<Box<dyn File>> {
        let mapped = match (self.mode, mode) {
            (MapMode::Read, Mode::Read) => MappedFile::open(path, MapMode::Read, self.room)?,
            (MapMode::Read, _) => fail!(FileOpen, "{}: mapped to be read only", path.display()),
            (MapMode::Create, Mode::Read | Mode::Edit) => MappedFile::open(path, MapMode::Edit, self.room)?,
            (map, _) => MappedFile::open(path, map, self.room)?,
        };
        Ok(Box::new(mapped))
    }

    fn keep(&self) -> Keep {
        Keep::Always
    }

    fn has_sparse_frames(&self) -> bool {
        false
    }

    /// Never where the file stays as it is.
    fn journals(&self) -> bool {
        !matches!(self.mode, MapMode::Read | MapMode::Copy) && Disk.journals()
    }

    /// What is small and written once is not mapped.
    fn beside(&self) -> Option<&dyn Backend> {
        Some(&Disk)
    }
}

/// One mapped file.
#[derive(Debug)]
pub struct MappedFile {
    file: fs::File,
    path: PathBuf,
    mode: MapMode,
    /// Bytes of the file, as we know it.
    len: usize,
    map: Mapping,
    changed: bool,
}

impl MappedFile {
    /// Opens and maps `path`, with `room` bytes of address space where it may grow.
    ///
    /// # Errors
    /// [`ErrorKind::FileOpen`] when it cannot be opened or mapped.
    pub fn open(path: &Path, mode: MapMode, room: usize) -> Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true);
        match mode {
            MapMode::Read | MapMode::Copy => {}
            MapMode::Edit => drop(options.write(true)),
            MapMode::Create => drop(options.write(true).create(true).truncate(true)),
        }
        let open = || {
            let file = options.open(path)?;
            let len = usize::try_from(file.metadata()?.len()).map_err(std::io::Error::other)?;
            let room = if mode == MapMode::Read { len } else { room.max(len) };
            let map = Mapping::new(&file, mode, len, room.max(1))?;
            Ok((file, len, map))
        };
        let (file, len, map) =
            open().map_err(|e| failed(ErrorKind::FileOpen, path, format_args!("cannot be mapped"), &e))?;
        if env::informs() {
            let (path, mode) = (path.display(), mode.name());
            // Python's bindings look for these words.
            env::info(format_args!(
                "Opened memory-mapped file {path} in mode {mode} with an mapping size of {} bytes.",
                map.room
            ));
        }
        Ok(MappedFile { file, path: path.to_owned(), mode, len, map, changed: false })
    }

    /// Where the mapping starts; valid until the next write that makes the file outgrow [`MappedFile::room`].
    pub fn address(&self) -> *const u8 {
        self.map.start.as_ptr()
    }

    /// The open file's descriptor.
    pub fn descriptor(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    /// Bytes in the file.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of address space.
    pub fn room(&self) -> usize {
        self.map.room
    }

    /// Bytes `offset..offset + len`, when the file has them.
    pub fn bytes(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let start = usize::try_from(offset).ok()?;
        start.checked_add(len).filter(|&end| end <= self.len)?;
        // SAFETY: the first self.len bytes of the mapping are those of the file, and are only written through &mut self.
        Some(unsafe { std::slice::from_raw_parts(self.map.start.as_ptr().add(start), len) })
    }

    fn grow(&mut self, len: usize) -> std::io::Result<()> {
        if len > self.map.room {
            self.map.grow(len.saturating_mul(2).min(isize::MAX as usize), self.len)?;
        }
        match self.mode {
            // What lies between was perhaps there before the file was cut.
            MapMode::Copy => self.map.zero(self.len, len),
            _ => self.file.set_len(len as u64)?,
        }
        self.len = len;
        Ok(())
    }
}

impl File for MappedFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let Some(bytes) = self.bytes(offset, buf.len()) else {
            fail!(FileRead, "{}: {} bytes at byte {offset} of {}", self.path.display(), buf.len(), self.len);
        };
        buf.copy_from_slice(bytes);
        Ok(())
    }

    fn view(&self, offset: u64, len: usize) -> Option<Result<&[u8]>> {
        Some(self.bytes(offset, len).ok_or_else(|| {
            let what = format!("{}: {len} bytes at byte {offset} of {}", self.path.display(), self.len);
            crate::base::Error::new(ErrorKind::FileRead, what)
        }))
    }

    fn write_at(&mut self, offset: u64, data: &[u8]) -> Result<()> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = start.checked_add(data.len()).filter(|&end| isize::try_from(end).is_ok());
        let (Some(end), true) = (end, self.mode != MapMode::Read) else {
            fail!(FileWrite, "{}: {} bytes at byte {offset}", self.path.display(), data.len());
        };
        if end > self.len {
            let what = format_args!("cannot grow to {end} bytes");
            self.grow(end).map_err(|e| failed(ErrorKind::FileWrite, &self.path, what, &e))?;
        }
        self.changed = true;
        // SAFETY: grow made the mapping and the file reach to `end`, we hold them alone, and `data` is not in them.
        unsafe {
            std::ptr::copy_nonoverlapping(data.as_ptr(), self.map.start.as_ptr().add(start), data.len())
        };
        Ok(())
    }

    fn size(&self) -> Result<u64> {
        Ok(self.len as u64)
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        let new = usize::try_from(len).unwrap_or(usize::MAX);
        let cut = match self.mode {
            MapMode::Read => Err(std::io::Error::other("mapped to be read only")),
            _ if new > self.len => self.grow(new),
            _ if new == self.len => Ok(()),
            MapMode::Copy => Ok(()),
            _ => self.file.set_len(len),
        };
        cut.map_err(|e| {
            failed(ErrorKind::FileTruncate, &self.path, format_args!("cannot be cut to {len} bytes"), &e)
        })?;
        self.len = new;
        Ok(())
    }

    fn sync(&mut self) -> Result<()> {
        if self.changed && self.mode != MapMode::Copy {
            let synced = self.map.sync(self.len);
            synced.map_err(|e| {
                failed(ErrorKind::FileWrite, &self.path, format_args!("cannot be synced"), &e)
            })?;
            self.changed = false;
        }
        Ok(())
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        // Not every system writes what is unmapped, network file systems above all.
        let _ = self.sync();
    }
}

/// Address space, backed by a file as far as that reaches.
#[derive(Debug)]
struct Mapping {
    start: NonNull<u8>,
    room: usize,
    private: bool,
}

// SAFETY: a mapping is memory that belongs to it alone; it may be used and unmapped from any thread.
unsafe impl Send for Mapping {}
// SAFETY: a shared mapping is only read; writing takes &mut.
unsafe impl Sync for Mapping {}

impl Mapping {
    fn new(file: &fs::File, mode: MapMode, len: usize, room: usize) -> std::io::Result<Self> {
        if mode == MapMode::Copy {
            // Memory of our own, so that it can grow past the file's end, and the file's pages over its front.
            let map = Mapping::anonymous(room)?;
            if len > 0 {
                let (prot, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_FIXED);
                // SAFETY: len is not more than room, so only memory of this mapping is replaced.
                checked(unsafe {
                    libc::mmap(map.start.as_ptr().cast(), len, prot, flags, file.as_raw_fd(), 0)
                })?;
            }
            return Ok(map);
        }
        let write = if mode == MapMode::Read { 0 } else { libc::PROT_WRITE };
        // SAFETY: a new mapping, where the system likes.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                room,
                libc::PROT_READ | write,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        Ok(Mapping { start: checked(start)?, room, private: false })
    }

    fn anonymous(room: usize) -> std::io::Result<Self> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping, where the system likes.
        let start = unsafe {
            libc::mmap(std::ptr::null_mut(), room, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0)
        };
        Ok(Mapping { start: checked(start)?, room, private: true })
    }

    /// Makes the address space `room` bytes, keeping the first `len`.
    fn grow(&mut self, room: usize, len: usize) -> std::io::Result<()> {
        if self.private {
            let new = Mapping::anonymous(room)?;
            // SAFETY: both have len bytes, and a new mapping overlaps no other.
            unsafe { std::ptr::copy_nonoverlapping(self.start.as_ptr(), new.start.as_ptr(), len) };
            *self = new;
            return Ok(());
        }
        // SAFETY: our own mapping; where it was before nobody looks again, as growing takes &mut.
        let start =
            unsafe { libc::mremap(self.start.as_ptr().cast(), self.room, room, libc::MREMAP_MAYMOVE) };
        self.start = checked(start)?;
        self.room = room;
        Ok(())
    }

    /// Makes bytes `from..to` zero, which are inside a private mapping.
    fn zero(&mut self, from: usize, to: usize) {
        // SAFETY: the caller keeps to the mapping, which is memory of our own to the end.
        unsafe { std::ptr::write_bytes(self.start.as_ptr().add(from), 0, to - from) };
    }

    fn sync(&self, len: usize) -> std::io::Result<()> {
        // SAFETY: the front of our own mapping.
        match unsafe { libc::msync(self.start.as_ptr().cast(), len.min(self.room), libc::MS_SYNC) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: our own mapping, which nobody uses after this.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.room) };
    }
}

fn checked(start: *mut libc::c_void) -> std::io::Result<NonNull<u8>> {
    match NonNull::new(start.cast::<u8>()) {
        Some(start) if start.as_ptr().cast() != libc::MAP_FAILED => Ok(start),
        _ => Err(std::io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str, bytes: &[u8]) -> Self {
            let path = std::env::temp_dir().join(format!("oxiblosc2-mmap-{}-{name}", std::process::id()));
            fs::write(&path, bytes).unwrap();
            Scratch(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    #[test]
    fn files_grow_and_shrink_under_the_mapping() {
        for (mode, room) in
            [(MapMode::Edit, 1), (MapMode::Edit, 1 << 20), (MapMode::Create, 1), (MapMode::Copy, 1)]
        {
            let scratch = Scratch::new(&format!("grow{mode:?}{room}"), b"start");
            let mut model = if mode == MapMode::Create { Vec::new() } else { b"start".to_vec() };
            let mut file = Mmap::new(mode, room).open(&scratch.0, Mode::Create).unwrap();
            for (at, byte, len) in [(3, 1, 10), (5000, 2, 300), (100_000, 3, 1), (0, 4, 20_000)] {
                file.write_at(at, &vec![byte; len]).unwrap();
                model.resize(model.len().max(at as usize + len), 0);
                model[at as usize..at as usize + len].fill(byte);
            }
            for len in [90_000, 10, 50, 70_000] {
                file.truncate(len).unwrap();
                model.resize(len as usize, 0);
            }
            assert_eq!(file.size().unwrap() as usize, model.len());
            assert_eq!(file.view(0, model.len()).unwrap().unwrap(), model, "{mode:?} {room}");
            let mut buf = vec![9; 100];
            file.read_at(10, &mut buf).unwrap();
            assert_eq!(buf, model[10..110]);
            assert!(file.view(1, model.len()).unwrap().is_err());
            assert_eq!(file.read_at(u64::MAX, &mut buf).unwrap_err().kind(), ErrorKind::FileRead);
            drop(file);
            let stored = fs::read(&scratch.0).unwrap();
            assert_eq!(stored, if mode == MapMode::Copy { b"start".to_vec() } else { model });
        }
    }

    #[test]
    fn what_is_mapped_to_be_read_is_not_changed() {
        let scratch = Scratch::new("read", b"12345");
        let backend = Mmap::new(MapMode::from_name("r").unwrap(), 0);
        assert_eq!(backend.open(&scratch.0, Mode::Edit).err().unwrap().kind(), ErrorKind::FileOpen);
        let mut file = backend.open(&scratch.0, Mode::Read).unwrap();
        assert_eq!(file.view(1, 3).unwrap().unwrap(), b"234");
        assert_eq!(file.write_at(0, b"x").unwrap_err().kind(), ErrorKind::FileWrite);
        assert_eq!(file.truncate(1).unwrap_err().kind(), ErrorKind::FileTruncate);
        assert_eq!(fs::read(&scratch.0).unwrap(), b"12345");
        let missing = scratch.0.with_extension("missing");
        assert_eq!(MappedFile::open(&missing, MapMode::Edit, 1).unwrap_err().kind(), ErrorKind::FileOpen);
    }
}
