//! Bits of streams to rows and back with SSE2: registers of one lane.
#![allow(unsafe_code)] // loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

pub(super) mod lanes;

use super::tiles::{Cut, Kernel, Rows};
use crate::base::cpu::{self, Simd};
use crate::filter::shuffle::sse2::{interleave, join, load, split};
use crate::filter::shuffle::tiles::Streams;
use lanes::lane_kernels;
use std::arch::x86_64::*;

lane_kernels!(Sse2, "sse2", __m128i, 1);

#[inline]
#[target_feature(enable = "sse2")]
fn highest_bits(x: __m128i) -> [u8; 2] {
    (_mm_movemask_epi8(x) as u16).to_le_bytes()
}

#[inline]
#[target_feature(enable = "sse2")]
fn add(x: __m128i, y: __m128i) -> __m128i {
    _mm_add_epi8(x, y)
}

/// Transposes the 8 by 8 bits of each group of eight bytes, as [`super::scalar::transpose8`] does.
#[inline]
#[target_feature(enable = "sse2")]
fn transpose_bits(x: __m128i) -> __m128i {
    let mask = _mm_set1_epi64x(0x00aa_00aa_00aa_00aa);
    let t = _mm_and_si128(_mm_xor_si128(x, _mm_srli_epi64::<7>(x)), mask);
    let x = _mm_xor_si128(x, _mm_xor_si128(t, _mm_slli_epi64::<7>(t)));
    let mask = _mm_set1_epi64x(0x0000_cccc_0000_cccc);
    let t = _mm_and_si128(_mm_xor_si128(x, _mm_srli_epi64::<14>(x)), mask);
    let x = _mm_xor_si128(x, _mm_xor_si128(t, _mm_slli_epi64::<14>(t)));
    let mask = _mm_set1_epi64x(0x0000_0000_f0f0_f0f0);
    let t = _mm_and_si128(_mm_xor_si128(x, _mm_srli_epi64::<28>(x)), mask);
    _mm_xor_si128(x, _mm_xor_si128(t, _mm_slli_epi64::<28>(t)))
}
