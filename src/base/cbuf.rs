//! Bytes from the C allocator.
//!
//! Chunks and frames cross the C boundary in both directions: a caller frees what we return with `free`, and we free
//! what a caller hands over. Such bytes live in a [`CBuf`] from the start, so that ownership passes without a copy.
#![allow(unsafe_code)] // malloc, realloc and free, and the slice over what they return

use super::{Error, ErrorKind, Result};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// An owned, initialised byte buffer whose memory came from `malloc` and goes back by `free`.
pub struct CBuf {
    ptr: NonNull<u8>,
    len: usize,
}

// SAFETY: a CBuf owns its memory alone, as a Box<[u8]> does; free may be called from any thread.
unsafe impl Send for CBuf {}
// SAFETY: a shared CBuf only gives out `&[u8]`.
unsafe impl Sync for CBuf {}

impl CBuf {
    /// No bytes, no allocation.
    pub const fn empty() -> Self {
        CBuf { ptr: NonNull::dangling(), len: 0 }
    }

    /// `len` zero bytes. Large buffers come zeroed from the system, so this does not touch them.
    pub fn zeroed(len: usize) -> Result<Self> {
        if len == 0 {
            return Ok(CBuf::empty());
        }
        // SAFETY: calloc has no preconditions; a null return is handled below.
        let ptr = unsafe { libc::calloc(len, 1) };
        match NonNull::new(ptr.cast::<u8>()) {
            Some(ptr) => Ok(CBuf { ptr, len }),
            None => Err(Error::new(ErrorKind::MemoryAlloc, format!("{len} bytes could not be allocated"))),
        }
    }

    /// A copy of `bytes`.
    pub fn copy_of(bytes: &[u8]) -> Result<Self> {
        let mut buf = CBuf::zeroed(bytes.len())?;
        buf.copy_from_slice(bytes);
        Ok(buf)
    }

    /// Takes over `len` bytes that a C caller allocated.
    ///
    /// # Safety
    /// `ptr` came from this process's `malloc` family, `len` bytes of it are initialised and nobody else uses or
    /// frees it. With `len` 0, `ptr` may be null; when it is not, it is freed at once.
    pub unsafe fn from_raw(ptr: *mut u8, len: usize) -> Self {
        match NonNull::new(ptr) {
            Some(ptr) if len > 0 => CBuf { ptr, len },
            Some(ptr) => {
                // SAFETY: the caller passes ownership of a malloc'ed block.
                unsafe { libc::free(ptr.as_ptr().cast()) };
                CBuf::empty()
            }
            None => CBuf::empty(),
        }
    }

    /// Hands the bytes to a C caller, who frees them. Null when there are none.
    pub fn into_raw(self) -> *mut u8 {
        let this = std::mem::ManuallyDrop::new(self);
        if this.len == 0 { std::ptr::null_mut() } else { this.ptr.as_ptr() }
    }

    /// Where the bytes are; valid as long as the buffer is neither dropped nor resized.
    pub fn as_ptr(&self) -> *const u8 {
        self.ptr.as_ptr()
    }

    /// Makes the buffer `len` bytes long: shorter gives memory back, longer adds zeros.
    pub fn resize(&mut self, len: usize) -> Result<()> {
        if len == self.len {
            return Ok(());
        }
        if len == 0 || self.len == 0 {
            *self = CBuf::zeroed(len)?;
            return Ok(());
        }
        // SAFETY: ptr is a live malloc block (len > 0) and the new size is not zero; on failure the block stays.
        let ptr = unsafe { libc::realloc(self.ptr.as_ptr().cast(), len) };
        let Some(ptr) = NonNull::new(ptr.cast::<u8>()) else {
            return Err(Error::new(ErrorKind::MemoryAlloc, format!("{len} bytes could not be allocated")));
        };
        let old = self.len;
        self.ptr = ptr;
        self.len = len;
        if len > old {
            // SAFETY: realloc gave `len` bytes; those from `old` on are ours and not initialised yet.
            unsafe { std::ptr::write_bytes(ptr.as_ptr().add(old), 0, len - old) };
        }
        Ok(())
    }
}

impl Drop for CBuf {
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: with len > 0, ptr is a malloc block that this buffer owns.
            unsafe { libc::free(self.ptr.as_ptr().cast()) };
        }
    }
}

impl Deref for CBuf {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: len initialised bytes at ptr (dangling only when len is 0).
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }
}

impl DerefMut for CBuf {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in deref, and `&mut self` makes it unique.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }
}

impl std::fmt::Debug for CBuf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CBuf({} bytes)", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_with_zeros_and_shrinks() {
        let mut buf = CBuf::copy_of(&[1, 2, 3]).unwrap();
        buf.resize(5).unwrap();
        assert_eq!(&*buf, &[1, 2, 3, 0, 0]);
        buf.resize(2).unwrap();
        assert_eq!(&*buf, &[1, 2]);
        buf.resize(0).unwrap();
        assert!(buf.is_empty());
        buf.resize(1).unwrap();
        assert_eq!(&*buf, &[0]);
    }

    #[test]
    fn passes_through_raw() {
        let ptr = CBuf::copy_of(b"chunk").unwrap().into_raw();
        // SAFETY: ptr came from into_raw just above, with five bytes.
        let back = unsafe { CBuf::from_raw(ptr, 5) };
        assert_eq!(&*back, b"chunk");
        assert!(CBuf::empty().into_raw().is_null());
    }

    #[test]
    fn refuses_the_impossible() {
        assert_eq!(CBuf::zeroed(usize::MAX).unwrap_err().kind(), ErrorKind::MemoryAlloc);
    }
}
