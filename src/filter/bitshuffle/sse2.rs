//! Bits of streams to rows and back with SSE2: registers of one lane.
#![allow(unsafe_code)] // loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

pub(super) mod few;
pub(super) mod lanes;

use super::tiles::{Cut, Kernel, Rows};
use crate::base::cpu::{self, Simd};
use crate::filter::shuffle::sse2::{interleave, join, load, split, store};
use crate::filter::shuffle::tiles::Streams;
use few::FEW;
use lanes::lane_kernels;
use std::arch::x86_64::*;

lane_kernels!(Sse2, "sse2", __m128i, 1);

/// Exchanges the bits of `x` that are `S` above those of `mask`, a byte for all bytes, for the bits of `y` at `mask`.
#[inline]
#[target_feature(enable = "sse2")]
fn exchange<const S: i32>(x: __m128i, y: __m128i, mask: i8) -> [__m128i; 2] {
    let differ = _mm_and_si128(_mm_xor_si128(_mm_srli_epi64::<S>(x), y), _mm_set1_epi8(mask));
    [_mm_xor_si128(x, _mm_slli_epi64::<S>(differ)), _mm_xor_si128(y, differ)]
}
