//! The functions of the backend #BLOSC2_IO_FILESYSTEM, for backends that are built on them. The library's own frames do
//! not pass through here.

use super::backend::FILESYSTEM;
use crate::base::Result;
use crate::capi::guard::guard;
use crate::capi::pointers::{bytes, bytes_mut, malloc_value, null, text};
use crate::capi::types::blosc2_io_cb;
use crate::capi::types::stdio::blosc2_stdio_file;
use crate::fail;
use libc::{FILE, c_char, c_int, c_void};
use std::fs::File;
use std::io::{Error, ErrorKind};
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::fs::FileExt;
use std::ptr::NonNull;

/// All of them.
pub(super) const FUNCTIONS: blosc2_io_cb = blosc2_io_cb {
    id: FILESYSTEM,
    name: c"filesystem".as_ptr().cast_mut(),
    is_allocation_necessary: true,
    open: Some(blosc2_stdio_open),
    close: Some(blosc2_stdio_close),
    size: Some(blosc2_stdio_size),
    write: Some(blosc2_stdio_write),
    read: Some(blosc2_stdio_read),
    truncate: Some(blosc2_stdio_truncate),
    destroy: Some(blosc2_stdio_destroy),
};

/// Opens a file. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_open(
    urlpath: *const c_char,
    mode: *const c_char,
    _params: *mut c_void,
) -> *mut c_void {
    guard("blosc2_stdio_open", || {
        // SAFETY: the caller gives C strings, or NULL.
        unsafe {
            let file = libc::fopen(text("urlpath", urlpath)?.as_ptr(), text("mode", mode)?.as_ptr());
            if file.is_null() {
                fail!(FileOpen, "the file cannot be opened: {}", Error::last_os_error());
            }
            let stream = malloc_value(&blosc2_stdio_file { file });
            if stream.is_err() {
                libc::fclose(file);
            }
            stream.map(<*mut blosc2_stdio_file>::cast)
        }
    })
}

/// Closes a stream. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_close(stream: *mut c_void) -> c_int {
    guard("blosc2_stdio_close", || {
        // SAFETY: the caller gives up a stream, or NULL.
        unsafe {
            let file = file_of(stream).map_err(|e| e.as_kind(FAILURE))?;
            let code = libc::fclose(file.as_ptr());
            libc::free(stream);
            Ok(code)
        }
    })
}

/// Gives the size of a file. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_size(stream: *mut c_void) -> i64 {
    guard("blosc2_stdio_size", || {
        // SAFETY: the caller gives an open stream, or NULL. Seeking also writes out what is buffered, so that it counts.
        unsafe {
            let file = file_of(stream).map_err(|e| e.as_kind(FAILURE))?.as_ptr();
            let at = libc::ftello(file);
            let size = if libc::fseeko(file, 0, libc::SEEK_END) == 0 { libc::ftello(file) } else { -1 };
            if at < 0 || libc::fseeko(file, at, libc::SEEK_SET) != 0 || size < 0 {
                fail!(Failure, "the file has no size: {}", Error::last_os_error());
            }
            Ok(size)
        }
    })
}

/// Writes items. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_write(
    ptr: *const c_void,
    size: i64,
    nitems: i64,
    position: i64,
    stream: *mut c_void,
) -> i64 {
    items_moved("blosc2_stdio_write", || {
        let (len, position) = extent(size, nitems, position)?;
        // SAFETY: the caller gives an open stream and so many bytes, or NULL.
        let (file, data) = unsafe {
            NonNull::new(ptr.cast_mut()).ok_or_else(|| null("ptr"))?;
            (descriptor(file_of(stream)?), bytes("ptr", ptr, len)?)
        };
        let moved = transfer(data.len(), |done| file.write_at(&data[done..], position + done as u64));
        Ok(in_items(moved, size))
    })
}

/// Reads items. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_read(
    ptr: *mut *mut c_void,
    size: i64,
    nitems: i64,
    position: i64,
    stream: *mut c_void,
) -> i64 {
    items_moved("blosc2_stdio_read", || {
        let (len, position) = extent(size, nitems, position)?;
        // SAFETY: the caller gives an open stream and a pointer to so many bytes, or NULL.
        let (file, buf) = unsafe {
            let to = ptr.as_ref().ok_or_else(|| null("ptr"))?;
            (descriptor(file_of(stream)?), bytes_mut("*ptr", *to, len)?)
        };
        let moved = transfer(buf.len(), |done| file.read_at(&mut buf[done..], position + done as u64));
        Ok(in_items(moved, size))
    })
}

/// Cuts or extends a file. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_truncate(stream: *mut c_void, size: i64) -> c_int {
    guard("blosc2_stdio_truncate", || {
        // SAFETY: the caller gives an open stream, or NULL.
        let file = unsafe { file_of(stream) }.map_err(|e| e.as_kind(FAILURE))?;
        let Ok(size) = u64::try_from(size) else {
            fail!(Failure, "a file of {size} bytes");
        };
        // SAFETY: the stream is open.
        match unsafe { descriptor(file) }.set_len(size) {
            Ok(()) => Ok(0),
            Err(e) => fail!(Failure, "the file cannot be cut to {size} bytes: {e}"),
        }
    })
}

/// Gives up parameters. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_destroy(_params: *mut c_void) -> c_int {
    0
}

const FAILURE: crate::base::ErrorKind = crate::base::ErrorKind::Failure;

/// Runs a body that counts items. What fails moved none.
pub(super) fn items_moved(name: &str, body: impl FnOnce() -> Result<i64>) -> i64 {
    guard::<i64>(name, body).max(0)
}

/// Bytes and place of so many items.
pub(super) fn extent(size: i64, nitems: i64, position: i64) -> Result<(i64, u64)> {
    let len = size.checked_mul(nitems).filter(|&len| size >= 0 && len >= 0);
    let end = len.and_then(|len| position.checked_add(len));
    match (len, u64::try_from(position), end) {
        (Some(len), Ok(position), Some(_)) => Ok((len, position)),
        _ => fail!(InvalidParam, "{nitems} items of {size} bytes at byte {position}"),
    }
}

fn in_items(bytes: usize, size: i64) -> i64 {
    (bytes as i64).checked_div(size).unwrap_or(0)
}

/// Goes on until `len` bytes are done, the file ends or an error is none that passes. Gives how many were.
fn transfer(len: usize, mut step: impl FnMut(usize) -> std::io::Result<usize>) -> usize {
    let mut done = 0;
    while done < len {
        match step(done) {
            Ok(0) => break,
            Ok(n) => done += n,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    done
}

/// # Safety
/// `stream` is NULL or one of `blosc2_stdio_open`'s, that is not closed yet.
unsafe fn file_of(stream: *mut c_void) -> Result<NonNull<FILE>> {
    // SAFETY: the caller vouches for it.
    let stream = unsafe { stream.cast::<blosc2_stdio_file>().as_ref() }.ok_or_else(|| null("stream"))?;
    NonNull::new(stream.file).ok_or_else(|| null("stream->file"))
}

/// The file's descriptor, which stays the file's.
///
/// # Safety
/// `file` is open for as long as the value is used.
unsafe fn descriptor(file: NonNull<FILE>) -> ManuallyDrop<File> {
    // SAFETY: the caller vouches for the file; the descriptor is only borrowed.
    ManuallyDrop::new(unsafe { File::from_raw_fd(libc::fileno(file.as_ptr())) })
}
