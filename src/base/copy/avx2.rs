//! Copying in registers of 32 bytes.
#![allow(unsafe_code)] // loads and stores

use crate::base::cpu::{self, Simd};
use std::arch::x86_64::*;

/// What one round copies.
const ROUND: usize = 128;
/// How far ahead bytes are asked for.
const FAR: usize = 512;

/// Copies `src` to `dst`, and asks for bytes before it comes to them, if told to look `AHEAD`.
///
/// # Panics
/// When the lengths differ, when they are less than [`ROUND`], or on a machine without AVX2.
pub(super) fn copy<const AHEAD: bool>(src: &[u8], dst: &mut [u8]) {
    assert!(src.len() == dst.len() && src.len() >= ROUND && cpu::detected() >= Simd::Avx2);
    // SAFETY: the machine has AVX2; both have as many bytes, which are enough.
    unsafe { copy_rounds::<AHEAD>(src.as_ptr(), dst.as_mut_ptr(), src.len()) }
}

/// # Safety
/// `len` bytes, at least [`ROUND`], can be read at `src` and written at `dst`; the two do not overlap.
#[target_feature(enable = "avx2")]
unsafe fn copy_rounds<const AHEAD: bool>(src: *const u8, dst: *mut u8, len: usize) {
    let last = len - ROUND;
    let mut at = 64 - dst as usize % 64;
    // SAFETY: a round begins at `last` at the latest. What is only asked for need not be there.
    unsafe {
        copy_round(src, dst);
        while at < last {
            if AHEAD {
                _mm_prefetch::<_MM_HINT_T0>(src.wrapping_add(at + FAR).cast());
                _mm_prefetch::<_MM_HINT_T0>(src.wrapping_add(at + FAR + ROUND / 2).cast());
            }
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
#[target_feature(enable = "avx2")]
unsafe fn copy_round(src: *const u8, dst: *mut u8) {
    // SAFETY: the caller vouches for it.
    unsafe {
        let (src, dst): (*const __m256i, *mut __m256i) = (src.cast(), dst.cast());
        let parts = [0, 1, 2, 3].map(|n| _mm256_loadu_si256(src.add(n)));
        for (n, part) in parts.into_iter().enumerate() {
            _mm256_storeu_si256(dst.add(n), part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_whole_with_a_look_ahead_and_without() {
        if cpu::detected() < Simd::Avx2 {
            return;
        }
        let src: Vec<u8> = (0..2000u32).map(|i| (i % 251) as u8).collect();
        for copy in [copy::<true>, copy::<false>] {
            for (from, to) in (0..40).map(|at| (at, 63 - at)) {
                for len in (ROUND..2 * ROUND + 3).chain([1900]) {
                    let mut dst = vec![7; 2000];
                    copy(&src[from..][..len], &mut dst[to..][..len]);
                    assert!(dst[to..][..len] == src[from..][..len], "{len} bytes from {from} to {to}");
                    assert!(dst[..to].iter().chain(&dst[to + len..]).all(|&byte| byte == 7));
                }
            }
        }
    }
}
