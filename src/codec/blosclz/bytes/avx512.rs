//! Comparing in registers of 64 bytes.
#![allow(unsafe_code)] // loads

use crate::base::cpu::{self, Simd};
use std::arch::x86_64::*;

/// Bytes of a register.
const WIDE: usize = 64;

/// How many bytes at the beginning of both slices, which are as long, are equal; or fewer, but then all so far are, and
/// less than [`WIDE`] are left.
///
/// # Panics
/// On a machine without AVX-512.
#[inline(always)]
pub(super) fn equal(a: &[u8], b: &[u8]) -> usize {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has AVX-512.
    unsafe { equal_in_registers(a, b) }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn equal_in_registers(a: &[u8], b: &[u8]) -> usize {
    let mut len = 0;
    for (a, b) in a.chunks_exact(WIDE).zip(b.chunks_exact(WIDE)) {
        // SAFETY: both have as many bytes as a register.
        let equal = unsafe {
            let (a, b) = (_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast()));
            _mm512_cmpeq_epi8_mask(a, b)
        };
        if equal != u64::MAX {
            return len + equal.trailing_ones() as usize;
        }
        len += WIDE;
    }
    len
}
