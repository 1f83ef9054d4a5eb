//! What every processor of the architecture can do.
#![allow(unsafe_code)] // an intrinsic

use std::arch::x86_64::*;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Asks for `bytes` to be brought into the second-level cache.
pub fn fetch(bytes: &[u8]) {
    for line in bytes.chunks(LINE) {
        // SAFETY: every x86-64 processor has the instruction, which changes nothing that a program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(line.as_ptr().cast()) };
    }
}
