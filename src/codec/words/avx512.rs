//! Comparing in registers of 64 bytes.
#![allow(unsafe_code)] // loads

use crate::base::cpu::{self, Simd};
use std::arch::x86_64::*;

/// Bytes of a register.
const WIDE: usize = 64;

/// How many bytes at the beginning of both slices, which are as long, are equal.
///
/// # Panics
/// When one is shorter, and on a machine without AVX-512.
#[inline(always)]
pub(in crate::codec) fn equal(a: &[u8], b: &[u8]) -> usize {
    assert!(a.len() == b.len() && cpu::detected() >= Simd::Avx512);
    // SAFETY: as long, and the machine has AVX-512.
    unsafe { equal_in_registers(a, b) }
}

/// # Safety
/// Both slices are as long.
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn equal_in_registers(a: &[u8], b: &[u8]) -> usize {
    let mut len = 0;
    while len < a.len() {
        let there = u64::MAX >> (WIDE - (a.len() - len).min(WIDE));
        // SAFETY: both have the bytes from `len` on that `there` asks for.
        let differ = unsafe {
            let [a, b] = [a, b].map(|bytes| _mm512_maskz_loadu_epi8(there, bytes.as_ptr().add(len).cast()));
            _mm512_cmpneq_epi8_mask(a, b)
        };
        if differ != 0 {
            return len + differ.trailing_zeros() as usize;
        }
        len += WIDE;
    }
    a.len()
}
