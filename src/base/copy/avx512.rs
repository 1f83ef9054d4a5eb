//! Copying in registers of 64 bytes.
#![allow(unsafe_code)] // loads and stores

use crate::base::cpu::{self, Simd};
use std::arch::x86_64::*;

/// What one round copies.
const ROUND: usize = 128;
/// What a register holds.
const LINE: usize = 64;

/// Copies `src` to `dst`.
///
/// # Panics
/// When the lengths differ, when they are less than [`ROUND`], or on a machine without AVX-512.
pub(super) fn copy(src: &[u8], dst: &mut [u8]) {
    assert!(src.len() == dst.len() && src.len() >= ROUND && cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has AVX-512; both have as many bytes, which are enough.
    unsafe { copy_rounds(src.as_ptr(), dst.as_mut_ptr(), src.len()) }
}

/// # Safety
/// `len` bytes, at least [`ROUND`], can be read at `src` and written at `dst`; the two do not overlap.
#[target_feature(enable = "avx512f")]
unsafe fn copy_rounds(src: *const u8, dst: *mut u8, len: usize) {
    let last = len - ROUND;
    let mut at = LINE - dst as usize % LINE;
    // SAFETY: a round begins at `last` at the latest.
    unsafe {
        copy_round(src, dst);
        while at < last {
            copy_round(src.add(at), dst.add(at));
            at += ROUND;
        }
        // Some of it perhaps for the second time.
        copy_round(src.add(last), dst.add(last));
    }
}

/// # Safety
/// [`ROUND`] bytes can be read at `src` and written at `dst`.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn copy_round(src: *const u8, dst: *mut u8) {
    // SAFETY: the caller vouches for it.
    unsafe {
        let parts = [0, LINE].map(|at| _mm512_loadu_si512(src.add(at).cast()));
        for (n, part) in parts.into_iter().enumerate() {
            _mm512_storeu_si512(dst.add(n * LINE).cast(), part);
        }
    }
}
