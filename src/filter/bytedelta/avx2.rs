//! Running sums of bytes with AVX2.
#![allow(unsafe_code)] // loads and stores

use crate::base::cpu::{self, Simd};
use crate::filter::scan;
use std::arch::x86_64::*;

/// Bytes become their sum with all bytes before them.
pub fn running_sum(buf: &mut [u8]) {
    assert!(cpu::detected() >= Simd::Avx2);
    // SAFETY: the machine has the instructions.
    unsafe { running_sum_wide(buf) }
}

#[target_feature(enable = "avx2")]
fn running_sum_wide(buf: &mut [u8]) {
    let last_of_lane = _mm256_set1_epi8(15);
    let mut before = _mm256_setzero_si256();
    let (blocks, rest) = buf.as_chunks_mut::<32>();
    for block in blocks {
        // SAFETY: a block has 32 bytes.
        let mut x = unsafe { _mm256_loadu_si256(block.as_ptr().cast()) };
        x = _mm256_add_epi8(x, _mm256_bslli_epi128::<1>(x));
        x = _mm256_add_epi8(x, _mm256_bslli_epi128::<2>(x));
        x = _mm256_add_epi8(x, _mm256_bslli_epi128::<4>(x));
        x = _mm256_add_epi8(x, _mm256_bslli_epi128::<8>(x));
        let sums = _mm256_shuffle_epi8(x, last_of_lane);
        // The lower lane's sum belongs to all of the upper lane, and to what comes after; so does the upper one's.
        let lower = _mm256_permute2x128_si256::<0x08>(sums, sums);
        let all = _mm256_add_epi8(sums, _mm256_permute2x128_si256::<0x01>(sums, sums));
        x = _mm256_add_epi8(x, _mm256_add_epi8(lower, before));
        before = _mm256_add_epi8(before, all);
        // SAFETY: a block has 32 bytes.
        unsafe { _mm256_storeu_si256(block.as_mut_ptr().cast(), x) };
    }
    if let Some(first) = rest.first_mut() {
        *first = first.wrapping_add(_mm256_extract_epi8::<0>(before) as u8);
        scan::running_sum(rest);
    }
}
