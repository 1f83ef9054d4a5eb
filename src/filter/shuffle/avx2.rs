//! The byte shuffle with AVX2: registers of two lanes.
#![allow(unsafe_code)] // loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

use super::sse2::lanes::{lane_kernels, unroll};
use super::sse2::{self, lane};
use super::tiles::{Items, Kernel, Sources, Streams, fits, for_each_step, meet_in_cache};
use crate::base::cpu::{self, Simd};
use std::arch::x86_64::*;
use std::ops::Range;

lane_kernels!(Avx2, "avx2", __m256i, 2, Some(&sse2::KERNEL));

#[inline]
#[target_feature(enable = "avx2")]
fn low(x: __m256i, y: __m256i) -> __m256i {
    _mm256_unpacklo_epi8(x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
fn high(x: __m256i, y: __m256i) -> __m256i {
    _mm256_unpackhi_epi8(x, y)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::filter) fn join([x, y]: [__m128i; 2]) -> __m256i {
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(x), y)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::filter) fn split(x: __m256i) -> [__m128i; 2] {
    [_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x)]
}

/// # Safety
/// 32 bytes can be read.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::filter) unsafe fn load(ptr: *const u8) -> __m256i {
    // SAFETY: the caller's.
    unsafe { _mm256_loadu_si256(ptr.cast()) }
}

/// # Safety
/// 32 bytes can be written.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::filter) unsafe fn store(ptr: *mut u8, x: __m256i) {
    // SAFETY: the caller's.
    unsafe { _mm256_storeu_si256(ptr.cast(), x) }
}

/// Stores the lanes of `x`, each followed by `y`'s.
///
/// # Safety
/// 32 bytes can be written where `at` says for each lane.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn store_lanes(at: impl Fn(usize) -> *mut u8, x: __m256i, y: __m256i) {
    // SAFETY: the caller's.
    unsafe {
        store(at(0), _mm256_permute2x128_si256::<0x20>(x, y));
        store(at(1), _mm256_permute2x128_si256::<0x31>(x, y));
    }
}
