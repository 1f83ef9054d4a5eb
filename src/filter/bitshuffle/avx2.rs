//! Bits of streams to rows and back with AVX2: registers of two lanes.
#![allow(unsafe_code)] // loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

use super::sse2::few::FEW;
use super::sse2::lanes::lane_kernels;
use super::tiles::{Cut, Kernel, Rows};
use crate::base::cpu::{self, Simd};
use crate::filter::shuffle::avx2::{interleave, join, load, split, store};
use crate::filter::shuffle::tiles::Streams;
use std::arch::x86_64::*;

lane_kernels!(Avx2, "avx2", __m256i, 2);

/// Exchanges the bits of `x` that are `S` above those of `mask`, a byte for all bytes, for the bits of `y` at `mask`.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange<const S: i32>(x: __m256i, y: __m256i, mask: i8) -> [__m256i; 2] {
    let differ = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi64::<S>(x), y), _mm256_set1_epi8(mask));
    [_mm256_xor_si256(x, _mm256_slli_epi64::<S>(differ)), _mm256_xor_si256(y, differ)]
}
