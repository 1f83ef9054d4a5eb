//! Pointers from C, checked: what is null or negative is an error before anything looks behind it.

use crate::base::{Error, ErrorKind, Result};
use libc::{c_char, c_void};
use std::ffi::CStr;
use std::ptr::NonNull;

/// The error for a null pointer called `name`.
pub fn null(name: &str) -> Error {
    Error::new(ErrorKind::NullPointer, format!("{name} is NULL"))
}

/// `len` bytes to read at `ptr`. A null pointer is good for no bytes.
///
/// # Safety
/// Unless null, `ptr` points to `len` initialised bytes that nobody writes for as long as `'a`.
pub unsafe fn bytes<'a>(name: &str, ptr: *const c_void, len: impl Into<i64>) -> Result<&'a [u8]> {
    let len = length(name, len)?;
    match NonNull::new(ptr.cast_mut()) {
        // SAFETY: the caller vouches for ptr and len.
        Some(ptr) => Ok(unsafe { std::slice::from_raw_parts(ptr.as_ptr().cast(), len) }),
        None if len == 0 => Ok(&[]),
        None => Err(null(name)),
    }
}

/// `len` bytes to write at `ptr`. A null pointer is good for no bytes.
///
/// # Safety
/// Unless null, `ptr` points to `len` bytes that nobody else uses for as long as `'a`.
pub unsafe fn bytes_mut<'a>(name: &str, ptr: *mut c_void, len: impl Into<i64>) -> Result<&'a mut [u8]> {
    let len = length(name, len)?;
    match NonNull::new(ptr) {
        // SAFETY: the caller vouches for ptr and len. The bytes may be uninitialised memory of the caller's; the engine
        // writes them before it reads them, and u8 has no invalid values.
        Some(ptr) => Ok(unsafe { std::slice::from_raw_parts_mut(ptr.as_ptr().cast(), len) }),
        None if len == 0 => Ok(&mut []),
        None => Err(null(name)),
    }
}

/// The bytes at `ptr` that a chunk may take, of which there may be too few to hold one: a length below 0 means none.
///
/// # Safety
/// As [`bytes_mut`].
pub unsafe fn output<'a>(name: &str, ptr: *mut c_void, len: i32) -> Result<&'a mut [u8]> {
    // SAFETY: the caller vouches for ptr and len.
    unsafe { bytes_mut(name, ptr, len.max(0)) }
}

/// `n` values to read at `ptr`. A null pointer is good for none.
///
/// # Safety
/// As [`bytes`], and `ptr` is aligned for `T`.
pub unsafe fn values<'a, T: Copy>(name: &str, ptr: *const T, n: impl Into<i64>) -> Result<&'a [T]> {
    let n = length(name, n)?;
    match NonNull::new(ptr.cast_mut()) {
        // SAFETY: the caller vouches for ptr and n.
        Some(ptr) => Ok(unsafe { std::slice::from_raw_parts(ptr.as_ptr(), n) }),
        None if n == 0 => Ok(&[]),
        None => Err(null(name)),
    }
}

fn length(name: &str, len: impl Into<i64>) -> Result<usize> {
    let len = len.into();
    usize::try_from(len)
        .map_err(|_| Error::new(ErrorKind::InvalidParam, format!("the length of {name} is {len}")))
}

/// The struct at `ptr`.
///
/// # Safety
/// Unless null, `ptr` points to a valid `T` that nobody writes for as long as `'a`.
pub unsafe fn reference<'a, T>(name: &str, ptr: *const T) -> Result<&'a T> {
    // SAFETY: the caller vouches for it.
    unsafe { ptr.as_ref() }.ok_or_else(|| null(name))
}

/// The text at `ptr`.
///
/// # Safety
/// Unless null, `ptr` points to a NUL-terminated string that nobody writes for as long as `'a`.
pub unsafe fn text<'a>(name: &str, ptr: *const c_char) -> Result<&'a CStr> {
    match NonNull::new(ptr.cast_mut()) {
        // SAFETY: the caller vouches for it.
        Some(ptr) => Ok(unsafe { CStr::from_ptr(ptr.as_ptr()) }),
        None => Err(null(name)),
    }
}

/// The most bytes of a text that may be none, with the zero after it.
const DOUBTFUL: usize = 256;

/// A copy of the short text at `ptr`, where there is one: `ptr` may be anything, and what is not there is not read.
#[cfg(target_os = "linux")]
pub fn text_if_any(ptr: *const c_char) -> Option<String> {
    const PAGE: usize = 4096;
    let mut copy = [0; DOUBTFUL];
    let here = libc::iovec { iov_base: copy.as_mut_ptr().cast(), iov_len: DOUBTFUL };
    // In two pieces, as the kernel reads a piece whole or not at all and only the first page may be there.
    let first = (PAGE - ptr.addr() % PAGE).min(DOUBTFUL);
    let there = [(ptr, first), (ptr.wrapping_add(first), DOUBTFUL - first)]
        .map(|(start, len)| libc::iovec { iov_base: start.cast_mut().cast(), iov_len: len });
    // SAFETY: it writes to `copy`, which has room; it reads other memory as that of another process, failing where there
    // is none.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &here, 1, there.as_ptr(), 2, 0) };
    let copy = copy.get(..usize::try_from(read).ok()?)?;
    let text = CStr::from_bytes_until_nul(copy).ok()?;
    text.to_str().ok().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// Nothing tells here whether there is a text.
#[cfg(not(target_os = "linux"))]
pub fn text_if_any(_: *const c_char) -> Option<String> {
    None
}

/// Where a function puts one of its results.
pub struct Out<T>(NonNull<T>);

impl<T> Out<T> {
    /// The place at `ptr`, which need not be initialised.
    ///
    /// # Safety
    /// Unless null, `ptr` is aligned and good for writing a `T` for as long as the `Out` is used.
    pub unsafe fn new(name: &str, ptr: *mut T) -> Result<Self> {
        NonNull::new(ptr).map(Out).ok_or_else(|| null(name))
    }

    /// Writes the result.
    pub fn set(&self, value: T) {
        // SAFETY: `new`'s caller vouched for the place.
        unsafe { self.0.write(value) }
    }
}

/// Writes a result that the caller may not want.
///
/// # Safety
/// Unless null, `ptr` is aligned and good for writing a `T`.
pub unsafe fn set_if_wanted<T>(ptr: *mut T, value: T) {
    if let Some(ptr) = NonNull::new(ptr) {
        // SAFETY: the caller vouches for it.
        unsafe { ptr.write(value) }
    }
}

/// A NUL-terminated copy of `text` from `malloc`.
pub fn malloc_text(text: &[u8]) -> Result<*mut c_char> {
    // SAFETY: malloc has no preconditions; the copy fits, with one byte for the NUL.
    unsafe {
        let copy = libc::malloc(text.len() + 1).cast::<u8>();
        if copy.is_null() {
            crate::fail!(MemoryAlloc, "{} bytes could not be allocated", text.len() + 1);
        }
        std::ptr::copy_nonoverlapping(text.as_ptr(), copy, text.len());
        copy.add(text.len()).write(0);
        Ok(copy.cast())
    }
}

/// A copy of `bytes` from `malloc`; not null even where there are none.
pub fn malloc_bytes(bytes: &[u8]) -> Result<*mut u8> {
    malloc_values(bytes)
}

/// A copy of `values` from `malloc`; not null even where there are none.
pub fn malloc_values<T: Copy>(values: &[T]) -> Result<*mut T> {
    const { assert!(size_of::<T>() > 0 && align_of::<T>() <= 16) };
    // SAFETY: malloc has no preconditions and aligns to 16 bytes; the copy fits.
    unsafe {
        let copy = libc::malloc(size_of_val(values).max(1)).cast::<T>();
        if copy.is_null() {
            crate::fail!(MemoryAlloc, "{} bytes could not be allocated", size_of_val(values));
        }
        std::ptr::copy_nonoverlapping(values.as_ptr(), copy, values.len());
        Ok(copy)
    }
}

/// A copy of `value` from `malloc`, for structs that a C caller frees.
pub fn malloc_value<T: Copy>(value: &T) -> Result<*mut T> {
    const { assert!(size_of::<T>() > 0 && align_of::<T>() <= 16) };
    // SAFETY: malloc has no preconditions and aligns to 16 bytes; the copy fits.
    unsafe {
        let copy = libc::malloc(size_of::<T>()).cast::<T>();
        if copy.is_null() {
            crate::fail!(MemoryAlloc, "{} bytes could not be allocated", size_of::<T>());
        }
        copy.write(*value);
        Ok(copy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_good_for_nothing_but_nothing() {
        // SAFETY: null pointers are allowed.
        unsafe {
            assert_eq!(bytes("src", std::ptr::null(), 0).unwrap(), b"");
            assert_eq!(bytes("src", std::ptr::null(), 1).unwrap_err().kind(), ErrorKind::NullPointer);
            assert_eq!(
                bytes_mut("dest", std::ptr::null_mut(), 1).unwrap_err().kind(),
                ErrorKind::NullPointer
            );
            assert_eq!(bytes("src", std::ptr::null(), -1).unwrap_err().kind(), ErrorKind::InvalidParam);
            assert_eq!(
                values::<i64>("shape", std::ptr::null(), 2).unwrap_err().kind(),
                ErrorKind::NullPointer
            );
            assert!(text("name", std::ptr::null()).is_err());
            assert!(Out::<i32>::new("nbytes", std::ptr::null_mut()).is_err());
            set_if_wanted::<i32>(std::ptr::null_mut(), 1);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_may_be_no_text_is_not_read_as_one() {
        assert_eq!(text_if_any(c"add".as_ptr()).as_deref(), Some("add"));
        for none in [std::ptr::null(), std::ptr::without_provenance(0x10), c"".as_ptr(), c"\xff".as_ptr()] {
            assert_eq!(text_if_any(none), None);
        }
        let endless = [b'a'; 2 * DOUBTFUL];
        assert_eq!(text_if_any(endless.as_ptr().cast()), None);
        // Right before a page that nobody may touch.
        const PAGE: usize = 4096;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping of two pages, the first of which is accessible until both are unmapped.
        unsafe {
            let start = libc::mmap(std::ptr::null_mut(), 2 * PAGE, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(start, libc::MAP_FAILED);
            assert_eq!(libc::mprotect(start, PAGE, libc::PROT_READ | libc::PROT_WRITE), 0);
            let end = start.cast::<u8>().add(PAGE);
            end.sub(4).cast::<[u8; 4]>().write(*b"add\0");
            assert_eq!(text_if_any(end.sub(4).cast()).as_deref(), Some("add"));
            end.sub(1).write(b'!');
            assert_eq!(text_if_any(end.sub(4).cast()), None);
            assert_eq!(text_if_any(end.cast()), None);
            libc::munmap(start, 2 * PAGE);
        }
    }

    #[test]
    fn copies_for_c_come_from_malloc() {
        let copy = malloc_text(b"|u1").unwrap();
        // SAFETY: malloc_text gives a C string.
        unsafe {
            assert_eq!(CStr::from_ptr(copy), c"|u1");
            libc::free(copy.cast());
        }
    }
}
