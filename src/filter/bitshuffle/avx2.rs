//! Bits of streams to rows and back with AVX2: registers of two lanes.
#![allow(unsafe_code)] // loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

use super::sse2::lanes::lane_kernels;
use super::tiles::{Cut, Kernel, Rows};
use crate::base::cpu::{self, Simd};
use crate::filter::shuffle::avx2::{interleave, join, load, split};
use crate::filter::shuffle::tiles::Streams;
use std::arch::x86_64::*;

lane_kernels!(Avx2, "avx2", __m256i, 2);

#[inline]
#[target_feature(enable = "avx2")]
fn highest_bits(x: __m256i) -> [u8; 4] {
    (_mm256_movemask_epi8(x) as u32).to_le_bytes()
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(x: __m256i, y: __m256i) -> __m256i {
    _mm256_add_epi8(x, y)
}

/// Transposes the 8 by 8 bits of each group of eight bytes, as [`super::scalar::transpose8`] does.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose_bits(x: __m256i) -> __m256i {
    let mask = _mm256_set1_epi64x(0x00aa_00aa_00aa_00aa);
    let t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64::<7>(x)), mask);
    let x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64::<7>(t)));
    let mask = _mm256_set1_epi64x(0x0000_cccc_0000_cccc);
    let t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64::<14>(x)), mask);
    let x = _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64::<14>(t)));
    let mask = _mm256_set1_epi64x(0x0000_0000_f0f0_f0f0);
    let t = _mm256_and_si256(_mm256_xor_si256(x, _mm256_srli_epi64::<28>(x)), mask);
    _mm256_xor_si256(x, _mm256_xor_si256(t, _mm256_slli_epi64::<28>(t)))
}
