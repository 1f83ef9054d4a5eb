//! Running sums of bytes with AVX-512.
#![allow(unsafe_code)] // loads and stores

use crate::base::cpu::{self, Simd};
use crate::filter::scan;
use std::arch::x86_64::*;

/// Bytes become their sum with all bytes before them.
pub fn running_sum(buf: &mut [u8]) {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions.
    unsafe { running_sum_wide(buf) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn running_sum_wide(buf: &mut [u8]) {
    // Of lanes of 16 bytes: each odd one gets the last byte of the one before, then each of the upper half that of the
    // lower.
    let to_odd = _mm512_setr_epi64(0, 0, BYTE_15, BYTE_15, 0, 0, BYTE_47, BYTE_47);
    let to_upper = _mm512_set1_epi8(31);
    let last = _mm512_set1_epi8(63);
    let mut before = _mm512_setzero_si512();
    let (blocks, rest) = buf.as_chunks_mut::<64>();
    for block in blocks {
        // SAFETY: a block has 64 bytes.
        let mut x = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        x = _mm512_add_epi8(x, _mm512_bslli_epi128::<1>(x));
        x = _mm512_add_epi8(x, _mm512_bslli_epi128::<2>(x));
        x = _mm512_add_epi8(x, _mm512_bslli_epi128::<4>(x));
        x = _mm512_add_epi8(x, _mm512_bslli_epi128::<8>(x));
        x = _mm512_add_epi8(x, _mm512_maskz_permutexvar_epi8(0xffff_0000_ffff_0000, to_odd, x));
        x = _mm512_add_epi8(x, _mm512_maskz_permutexvar_epi8(0xffff_ffff_0000_0000, to_upper, x));
        let sum = _mm512_permutexvar_epi8(last, x);
        x = _mm512_add_epi8(x, before);
        before = _mm512_add_epi8(before, sum);
        // SAFETY: a block has 64 bytes.
        unsafe { _mm512_storeu_si512(block.as_mut_ptr().cast(), x) };
    }
    if let Some(first) = rest.first_mut() {
        *first = first.wrapping_add(_mm512_cvtsi512_si32(before) as u8);
        scan::running_sum(rest);
    }
}

/// Eight times the number of a byte.
const BYTE_15: i64 = 0x0f0f_0f0f_0f0f_0f0f;
const BYTE_47: i64 = 0x2f2f_2f2f_2f2f_2f2f;
