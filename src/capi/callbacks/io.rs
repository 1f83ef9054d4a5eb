//! A C I/O backend as the engine's.

use crate::base::{Error, ErrorKind, Result};
use crate::capi::types::blosc2_io_cb;
use crate::fail;
use crate::io::{Backend, File, Mode};
use libc::c_void;
use std::ffi::{CStr, CString};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A program's functions, and the parameters they get.
pub(crate) struct CBackend {
    functions: blosc2_io_cb,
    params: *mut c_void,
}

// SAFETY: `new`'s caller vouched for functions that may be called from any thread, with these parameters.
unsafe impl Send for CBackend {}
// SAFETY: as above.
unsafe impl Sync for CBackend {}

impl CBackend {
    /// # Safety
    /// The functions are what the interface says of them, and may be called from any thread, with these parameters, for
    /// as long as the value and its files live.
    pub(crate) unsafe fn new(functions: blosc2_io_cb, params: *mut c_void) -> Self {
        CBackend { functions, params }
    }
}

impl fmt::Debug for CBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CBackend({})", self.functions.id)
    }
}

impl Backend for CBackend {
    fn open(&self, path: &Path, mode: Mode) -> Result<Box<dyn File>> {
        let open = present(self.functions.open, "open")?;
        let Ok(urlpath) = CString::new(path.as_os_str().as_bytes()) else {
            fail!(FileOpen, "{}: a path with a NUL in it", path.display());
        };
        // SAFETY: `new`'s caller vouched for the function and its parameters.
        let stream = unsafe { open(urlpath.as_ptr(), fopen_mode(mode).as_ptr(), self.params) };
        match NonNull::new(stream) {
            Some(stream) => {
                Ok(Box::new(CFile { functions: self.functions, stream: Mutex::new(Stream(stream)) }))
            }
            None => fail!(FileOpen, "{}: the backend cannot open it", path.display()),
        }
    }
}

/// `fopen`'s name of a mode.
fn fopen_mode(mode: Mode) -> &'static CStr {
    match mode {
        Mode::Read => c"rb",
        Mode::Edit => c"rb+",
        Mode::Create => c"wb",
        Mode::Touch => c"ab",
    }
}

fn present<F>(function: Option<F>, name: &str) -> Result<F> {
    function
        .ok_or_else(|| Error::new(ErrorKind::PluginIo, format!("the I/O backend has no function `{name}`")))
}

/// A stream that a backend opened. Its functions may keep a position in it: one call at a time.
struct CFile {
    functions: blosc2_io_cb,
    stream: Mutex<Stream>,
}

struct Stream(NonNull<c_void>);

// SAFETY: the backend's functions may be called from any thread, and its name is not used.
unsafe impl Send for CFile {}
// SAFETY: as above, and one thread at a time has the stream.
unsafe impl Sync for CFile {}

impl CFile {
    fn stream(&self) -> MutexGuard<'_, Stream> {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl File for CFile {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        if let Some(view) = self.view(offset, buf.len()) {
            buf.copy_from_slice(view?);
            return Ok(());
        }
        let read = present(self.functions.read, "read")?;
        let stream = self.stream();
        let mut done = 0;
        while done < buf.len() {
            let rest = &mut buf[done..];
            let mut to = rest.as_mut_ptr().cast();
            // SAFETY: `new`'s caller vouched for the function; the stream is open, and `to` has so many bytes.
            let n = unsafe { read(&mut to, 1, rest.len() as i64, position(offset, done), stream.0.as_ptr()) };
            done += moved(n, rest.len(), ErrorKind::FileRead, offset)?;
        }
        Ok(())
    }

    fn view(&self, offset: u64, len: usize) -> Option<Result<&[u8]>> {
        if self.functions.is_allocation_necessary {
            return None;
        }
        if len == 0 {
            return Some(Ok(&[]));
        }
        Some(present(self.functions.read, "read").and_then(|read| {
            let mut bytes: *mut c_void = ptr::null_mut();
            // SAFETY: `new`'s caller vouched for the function; the stream is open.
            let n = unsafe { read(&mut bytes, 1, len as i64, position(offset, 0), self.stream().0.as_ptr()) };
            if bytes.is_null() || usize::try_from(n).ok() != Some(len) {
                fail!(FileRead, "the backend has not {len} bytes at byte {offset}");
            }
            // SAFETY: a backend that allocates for itself keeps what it reads at least until the stream is closed.
            Ok(unsafe { std::slice::from_raw_parts(bytes.cast(), len) })
        }))
    }

    fn write_at(&mut self, offset: u64, data: &[u8]) -> Result<()> {
        let write = present(self.functions.write, "write")?;
        let stream = self.stream();
        let mut done = 0;
        while done < data.len() {
            let rest = &data[done..];
            let (from, len) = (rest.as_ptr().cast(), rest.len() as i64);
            // SAFETY: `new`'s caller vouched for the function; the stream is open, and `from` has so many bytes.
            let n = unsafe { write(from, 1, len, position(offset, done), stream.0.as_ptr()) };
            done += moved(n, rest.len(), ErrorKind::FileWrite, offset)?;
        }
        Ok(())
    }

    fn size(&self) -> Result<u64> {
        let size = present(self.functions.size, "size")?;
        // SAFETY: `new`'s caller vouched for the function; the stream is open.
        let size = unsafe { size(self.stream().0.as_ptr()) };
        match u64::try_from(size) {
            Ok(size) => Ok(size),
            Err(_) => fail!(FileRead, "the backend gives {size} as the size"),
        }
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        let truncate = present(self.functions.truncate, "truncate")?;
        // SAFETY: `new`'s caller vouched for the function; the stream is open.
        match unsafe { truncate(self.stream().0.as_ptr(), position(len, 0)) } {
            0 => Ok(()),
            code => fail!(FileTruncate, "the backend cannot cut to {len} bytes: {code}"),
        }
    }
}

impl Drop for CFile {
    fn drop(&mut self) {
        if let Some(close) = self.functions.close {
            // SAFETY: `new`'s caller vouched for the function; nobody uses the stream any more.
            unsafe { close(self.stream().0.as_ptr()) };
        }
    }
}

/// A place in a file, of which C counts no more than `i64` can.
fn position(offset: u64, done: usize) -> i64 {
    i64::try_from(offset).unwrap_or(i64::MAX).saturating_add(done as i64)
}

/// How many of `wanted` bytes a call moved; none is a failure.
fn moved(n: i64, wanted: usize, kind: ErrorKind, offset: u64) -> Result<usize> {
    match usize::try_from(n) {
        Ok(n) if (1..=wanted).contains(&n) => Ok(n),
        _ => Err(Error::new(kind, format!("the backend moved {n} of {wanted} bytes at byte {offset}"))),
    }
}
