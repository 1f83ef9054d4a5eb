//! Hashing places in registers of 8 lanes.
#![allow(unsafe_code)] // loads and stores

use super::{GROUP_AND_BEYOND, LANE, LANES, ROWS, TURN, start_of};
use crate::base::cpu::{self, Simd};
use crate::codec::words::PRIME;
use std::arch::x86_64::*;

/// Lanes of a register.
const HALF: usize = LANES / 2;

/// As [`super::least_scalar`].
///
/// # Panics
/// On a machine without AVX2.
#[inline(always)]
pub(super) fn least(group: &[u8; GROUP_AND_BEYOND]) -> [u32; LANES] {
    assert!(cpu::detected() >= Simd::Avx2);
    // SAFETY: the machine has AVX2.
    unsafe { least_in_rows(group) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn least_in_rows(group: &[u8; GROUP_AND_BEYOND]) -> [u32; LANES] {
    let (prime, rows) = (_mm256_set1_epi32(PRIME as i32), _mm256_set1_epi32(ROWS as i32 - 1));
    let mut least = [_mm256_set1_epi32(-1); 2];
    for row in 0..ROWS {
        for (half, least) in least.iter_mut().enumerate() {
            let start = start_of(row) + half * HALF * LANE;
            let (first, last) = (&group[start..][..HALF * LANE], &group[start + LANE - 1..][..HALF * LANE]);
            // SAFETY: both slices have as many bytes as a register.
            let (first, last) = unsafe {
                (_mm256_loadu_si256(first.as_ptr().cast()), _mm256_loadu_si256(last.as_ptr().cast()))
            };
            let last =
                _mm256_or_si256(_mm256_slli_epi32::<TURN>(last), _mm256_srli_epi32::<{ 32 - TURN }>(last));
            let hash = _mm256_mullo_epi32(_mm256_xor_si256(first, last), prime);
            let hash = _mm256_or_si256(_mm256_andnot_si256(rows, hash), _mm256_set1_epi32(row as i32));
            *least = _mm256_min_epu32(*least, hash);
        }
    }
    let mut lanes = [0; LANES];
    for (part, half) in lanes.chunks_exact_mut(HALF).zip(least) {
        // SAFETY: the part has as many bytes as a register.
        unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), half) };
    }
    lanes
}
