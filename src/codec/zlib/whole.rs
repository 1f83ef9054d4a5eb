//! Deflate of a block as a whole, by `libdeflate`.
#![allow(unsafe_code)] // calls into libdeflate, over slices

use crate::base::{Error, ErrorKind, Result};
use libdeflate_sys as c;
use std::ffi::c_int;
use std::ptr::NonNull;

/// What finds matches and makes codes with the effort of a level.
pub(super) struct Compressor {
    raw: NonNull<c::libdeflate_compressor>,
    clevel: u8,
}

// SAFETY: the object is plain memory, tied to no thread.
unsafe impl Send for Compressor {}

impl Compressor {
    /// # Errors
    /// `MemoryAlloc` when there is no memory for it.
    pub fn new(clevel: u8) -> Result<Self> {
        // SAFETY: no preconditions; null is handled.
        let raw = NonNull::new(unsafe { c::libdeflate_alloc_compressor(c_int::from(clevel)) });
        let no_memory = || Error::new(ErrorKind::MemoryAlloc, "no memory for libdeflate");
        Ok(Compressor { raw: raw.ok_or_else(no_memory)?, clevel })
    }

    pub fn clevel(&self) -> u8 {
        self.clevel
    }

    /// Compresses all of `src`, and tells how many bytes that took; `None` when it does not fit.
    pub fn compress(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let (from, len) = (src.as_ptr().cast(), src.len());
        let (to, room) = (dst.as_mut_ptr().cast(), dst.len());
        // SAFETY: a live compressor that nobody else uses (&mut self), `len` readable and `room` writable bytes.
        let written = unsafe { c::libdeflate_deflate_compress(self.raw.as_ptr(), from, len, to, room) };
        (written > 0).then_some(written)
    }
}

impl Drop for Compressor {
    fn drop(&mut self) {
        // SAFETY: it came from `libdeflate_alloc_compressor`, and is freed once.
        unsafe { c::libdeflate_free_compressor(self.raw.as_ptr()) };
    }
}
