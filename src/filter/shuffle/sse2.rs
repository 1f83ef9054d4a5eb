//! The byte shuffle with SSE2: registers of one lane.
#![allow(unsafe_code)] // loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

pub(super) mod lane;
pub(super) mod lanes;

use super::tiles::{Items, Kernel, Sources, Streams, fits, for_each_step, meet_in_cache};
use crate::base::cpu::{self, Simd};
use lanes::{lane_kernels, unroll};
use std::arch::x86_64::*;
use std::ops::Range;

lane_kernels!(Sse2, "sse2", __m128i, 1, None);

#[inline]
#[target_feature(enable = "sse2")]
fn low(x: __m128i, y: __m128i) -> __m128i {
    _mm_unpacklo_epi8(x, y)
}

#[inline]
#[target_feature(enable = "sse2")]
fn high(x: __m128i, y: __m128i) -> __m128i {
    _mm_unpackhi_epi8(x, y)
}

#[inline]
#[target_feature(enable = "sse2")]
pub(in crate::filter) fn join([x]: [__m128i; 1]) -> __m128i {
    x
}

#[inline]
#[target_feature(enable = "sse2")]
pub(in crate::filter) fn split(x: __m128i) -> [__m128i; 1] {
    [x]
}

/// # Safety
/// 16 bytes can be read.
#[inline]
#[target_feature(enable = "sse2")]
pub(in crate::filter) unsafe fn load(ptr: *const u8) -> __m128i {
    // SAFETY: the caller's.
    unsafe { _mm_loadu_si128(ptr.cast()) }
}

/// # Safety
/// 16 bytes can be written.
#[inline]
#[target_feature(enable = "sse2")]
pub(in crate::filter) unsafe fn store(ptr: *mut u8, x: __m128i) {
    // SAFETY: the caller's.
    unsafe { _mm_storeu_si128(ptr.cast(), x) }
}

/// Stores the lane of `x`, each followed by `y`'s.
///
/// # Safety
/// 32 bytes can be written where `at` says for each lane.
#[inline]
#[target_feature(enable = "sse2")]
unsafe fn store_lanes(at: impl Fn(usize) -> *mut u8, x: __m128i, y: __m128i) {
    // SAFETY: the caller's.
    unsafe {
        store(at(0), x);
        store(at(0).add(16), y);
    }
}
