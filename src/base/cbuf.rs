//! Bytes from the C allocator.
//!
//! Chunks and frames cross the C boundary in both directions: a caller frees what we return with `free`, and we free
//! what a caller hands over. Such bytes live in a [`CBuf`] from the start, so that ownership passes without a copy.
#![allow(unsafe_code)] // malloc, realloc and free, and the slice over what they return

use super::{Error, ErrorKind, Result};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// An owned, initialised byte buffer whose memory came from `malloc` and goes back by `free`. As a `Vec` does, it may
/// hold more memory than bytes.
pub struct CBuf {
    ptr: NonNull<u8>,
    /// Initialised bytes.
    len: usize,
    /// Allocated bytes; 0 when there is no allocation.
    cap: usize,
}

// SAFETY: a CBuf owns its memory alone, as a Box<[u8]> does; free may be called from any thread.
unsafe impl Send for CBuf {}
// SAFETY: a shared CBuf only gives out `&[u8]`.
unsafe impl Sync for CBuf {}

impl CBuf {
    /// No bytes, no allocation.
    pub const fn empty() -> Self {
        CBuf { ptr: NonNull::dangling(), len: 0, cap: 0 }
    }

    /// `len` zero bytes. Large buffers come zeroed from the system, so this does not touch them.
    pub fn zeroed(len: usize) -> Result<Self> {
        if len == 0 {
            return Ok(CBuf::empty());
        }
        // More is no slice; and where nobody looks at the memory, the compiler may take it that there was enough.
        if isize::try_from(len).is_err() {
            return Err(too_much(len));
        }
        // SAFETY: calloc has no preconditions; a null return is handled below.
        let ptr = unsafe { libc::calloc(len, 1) };
        match NonNull::new(ptr.cast::<u8>()) {
            Some(ptr) => Ok(CBuf { ptr, len, cap: len }),
            None => Err(too_much(len)),
        }
    }

    /// `len` bytes, whatever they are: for what is written before it is read. Zeros take up to a fifth of compressing counters, where
    /// the allocator has the memory from an earlier chunk and not from the system.
    pub fn of_any(len: usize) -> Result<Self> {
        if cfg!(any(debug_assertions, miri)) || !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
            let mut buf = CBuf::zeroed(len)?;
            // Who takes them for zeros is found by tests.
            buf.fill(0xA5);
            return Ok(buf);
        }
        let mut buf = CBuf::empty();
        buf.reserve_exact(len)?;
        buf.len = len;
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        // SAFETY: no instruction. As far as the compiler knows, it wrote to all memory that `buf` owns: from here on those
        // bytes have values, which are those that stand there.
        unsafe {
            std::arch::asm!("/* {0} */", in(reg) buf.ptr.as_ptr(), options(nostack, preserves_flags));
        }
        Ok(buf)
    }

    /// A copy of `bytes`.
    pub fn copy_of(bytes: &[u8]) -> Result<Self> {
        let mut buf = CBuf::empty();
        buf.reserve_exact(bytes.len())?;
        buf.extend_from_slice(bytes)?;
        Ok(buf)
    }

    /// Takes over `len` bytes that a C caller allocated.
    ///
    /// # Safety
    /// `ptr` came from this process's `malloc` family, `len` bytes of it are initialised and nobody else uses or
    /// frees it. With `len` 0, `ptr` may be null; when it is not, it is freed at once.
    pub unsafe fn from_raw(ptr: *mut u8, len: usize) -> Self {
        match NonNull::new(ptr) {
            Some(ptr) if len > 0 => CBuf { ptr, len, cap: len },
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
        if self.len == 0 {
            return std::ptr::null_mut();
        }
        std::mem::ManuallyDrop::new(self).ptr.as_ptr()
    }

    /// Where the bytes are; valid as long as the buffer is neither dropped nor resized.
    pub fn as_ptr(&self) -> *const u8 {
        self.ptr.as_ptr()
    }

    /// Makes the buffer `len` bytes long: shorter gives memory back, longer adds zeros.
    pub fn resize(&mut self, len: usize) -> Result<()> {
        if len <= self.len {
            self.len = len;
            return self.reallocate(len);
        }
        if self.cap == 0 {
            *self = CBuf::zeroed(len)?;
            return Ok(());
        }
        self.reserve_exact(len - self.len)?;
        // SAFETY: `len` bytes are allocated; those from self.len on are ours and not initialised yet.
        unsafe { std::ptr::write_bytes(self.ptr.as_ptr().add(self.len), 0, len - self.len) };
        self.len = len;
        Ok(())
    }

    /// Makes the buffer at most `len` bytes long and keeps the memory.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Gives back memory after the bytes, also such as nobody has told us of: in a block that a C caller has handed over.
    pub fn give_back_rest(&mut self) {
        if self.len > 0 {
            // SAFETY: the block is ours, from malloc, and not empty. When it cannot shrink it stays as it is.
            let shrunk = unsafe { libc::realloc(self.ptr.as_ptr().cast(), self.len) };
            if let Some(shrunk) = NonNull::new(shrunk.cast()) {
                self.ptr = shrunk;
                self.cap = self.len;
            }
        }
    }

    /// Makes room for `more` bytes after those there are, and some on top: adding is O(1) amortised.
    pub fn reserve(&mut self, more: usize) -> Result<()> {
        let needed = self.room_for(more)?;
        if needed <= self.cap {
            return Ok(());
        }
        self.reallocate(needed.max(self.cap.saturating_add(self.cap / 2)))
    }

    /// Makes room for `more` bytes after those there are, and no more than that.
    pub fn reserve_exact(&mut self, more: usize) -> Result<()> {
        let needed = self.room_for(more)?;
        if needed <= self.cap { Ok(()) } else { self.reallocate(needed) }
    }

    /// Adds a copy of `bytes` at the end.
    pub fn extend_from_slice(&mut self, bytes: &[u8]) -> Result<()> {
        self.reserve(bytes.len())?;
        // SAFETY: there is room for `bytes` after `len`, and `bytes` cannot lie in memory that we hold alone.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.ptr.as_ptr().add(self.len), bytes.len())
        };
        self.len += bytes.len();
        Ok(())
    }

    fn room_for(&self, more: usize) -> Result<usize> {
        self.len.checked_add(more).filter(|&n| isize::try_from(n).is_ok()).ok_or_else(|| too_much(more))
    }

    /// Makes the allocation `cap` bytes, which is not less than `len`.
    fn reallocate(&mut self, cap: usize) -> Result<()> {
        debug_assert!(cap >= self.len, "bytes would be lost");
        if cap == self.cap {
            return Ok(());
        }
        if cap == 0 {
            *self = CBuf::empty();
            return Ok(());
        }
        let old = if self.cap == 0 { std::ptr::null_mut() } else { self.ptr.as_ptr() };
        // SAFETY: `old` is null or our live malloc block, and the new size is not 0; on failure the block stays.
        let ptr = unsafe { libc::realloc(old.cast(), cap) };
        self.ptr = NonNull::new(ptr.cast::<u8>()).ok_or_else(|| too_much(cap))?;
        self.cap = cap;
        Ok(())
    }
}

fn too_much(bytes: usize) -> Error {
    Error::new(ErrorKind::MemoryAlloc, format!("{bytes} bytes could not be allocated"))
}

impl Drop for CBuf {
    fn drop(&mut self) {
        if self.cap > 0 {
            // SAFETY: with cap > 0, ptr is a malloc block that this buffer owns.
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
    fn any_bytes_can_be_written_and_handed_over() {
        assert!(CBuf::of_any(0).unwrap().into_raw().is_null());
        assert_eq!(CBuf::of_any(usize::MAX).unwrap_err().kind(), ErrorKind::MemoryAlloc);
        let mut buf = CBuf::of_any(1000).unwrap();
        buf.fill(7);
        buf.resize(10).unwrap();
        assert_eq!(*buf, [7; 10]);
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
    fn room_is_kept_and_reused() {
        let mut buf = CBuf::copy_of(b"head").unwrap();
        buf.reserve(100).unwrap();
        let at = buf.as_ptr();
        for _ in 0..10 {
            buf.extend_from_slice(b"0123456789").unwrap();
        }
        assert_eq!((buf.len(), buf.as_ptr()), (104, at));
        buf.truncate(5);
        assert_eq!(&*buf, b"head0");
        buf.resize(8).unwrap();
        assert_eq!(&*buf, b"head0\0\0\0", "what is added is zero, not what was there");
        buf.truncate(0);
        assert!(buf.into_raw().is_null());
        assert_eq!(CBuf::empty().reserve(usize::MAX).unwrap_err().kind(), ErrorKind::MemoryAlloc);
    }

    #[test]
    fn refuses_the_impossible() {
        assert_eq!(CBuf::zeroed(usize::MAX).unwrap_err().kind(), ErrorKind::MemoryAlloc);
    }
}
