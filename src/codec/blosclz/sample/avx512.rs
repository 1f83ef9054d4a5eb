//! Hashing places in registers of 16 lanes.
#![allow(unsafe_code)] // loads and stores

use super::{GROUP_AND_BEYOND, LANE, LANES, ROWS, TURN, start_of};
use crate::base::cpu::{self, Simd};
use crate::codec::words::PRIME;
use std::arch::x86_64::*;

/// As [`super::least_scalar`].
///
/// # Panics
/// On a machine without AVX-512.
#[inline(always)]
pub(super) fn least(group: &[u8; GROUP_AND_BEYOND]) -> [u32; LANES] {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has AVX-512.
    unsafe { least_in_rows(group) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn least_in_rows(group: &[u8; GROUP_AND_BEYOND]) -> [u32; LANES] {
    let (prime, rows) = (_mm512_set1_epi32(PRIME as i32), _mm512_set1_epi32(ROWS as i32 - 1));
    let mut least = _mm512_set1_epi32(-1);
    for row in 0..ROWS {
        let start = start_of(row);
        let (first, last) = (&group[start..][..LANES * LANE], &group[start + LANE - 1..][..LANES * LANE]);
        // SAFETY: both slices have as many bytes as a register.
        let (first, last) =
            unsafe { (_mm512_loadu_si512(first.as_ptr().cast()), _mm512_loadu_si512(last.as_ptr().cast())) };
        let hash = _mm512_mullo_epi32(_mm512_xor_si512(first, _mm512_rol_epi32::<TURN>(last)), prime);
        let hash = _mm512_or_si512(_mm512_andnot_si512(rows, hash), _mm512_set1_epi32(row as i32));
        least = _mm512_min_epu32(least, hash);
    }
    let mut lanes = [0; LANES];
    // SAFETY: the array has as many bytes as a register.
    unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), least) };
    lanes
}
