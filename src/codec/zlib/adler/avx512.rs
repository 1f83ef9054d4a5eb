//! Adler-32 of rows of 64 bytes. Decompressing what is well compressed waits for this as long as for anything else.
#![allow(unsafe_code)] // loads

use crate::base::cpu::{self, Simd};
use std::arch::x86_64::*;

const ROW: usize = 64;
/// Bytes after which the sums, of 32 bits, must be reduced: whole rows, at most the 5,552 of RFC 1950.
const PART: usize = 5552 / ROW * ROW;
const BASE: u32 = 65521;

/// How often each byte of a row is in the second sum of that row.
static TIMES: [i8; ROW] = {
    let mut times = [0; ROW];
    let mut at = 0;
    while at < ROW {
        times[at] = (ROW - at) as i8;
        at += 1;
    }
    times
};

/// As `zlib-rs` has it.
///
/// # Panics
/// On a machine without AVX-512.
pub(super) fn adler32(data: &[u8]) -> u32 {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has AVX-512.
    unsafe { sums(data) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn sums(data: &[u8]) -> u32 {
    // `a` is the sum of all bytes, and one; `b` that of all values that `a` had.
    let (mut a, mut b) = (1u32, 0u32);
    for part in data.chunks(PART) {
        let (rows, rest) = part.as_chunks();
        let (bytes, before, within) = sums_of(rows);
        b += ROW as u32 * (rows.len() as u32 * a + before) + within;
        a += bytes;
        for &byte in rest {
            a += u32::from(byte);
            b += a;
        }
        (a, b) = (a % BASE, b % BASE);
    }
    b << 16 | a
}

/// The sum of all bytes; of that sum as it was before each row; and of the bytes, each as often as [`TIMES`] says.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn sums_of(rows: &[[u8; ROW]]) -> (u32, u32, u32) {
    let (zero, ones) = (_mm512_setzero_si512(), _mm512_set1_epi16(1));
    // SAFETY: there are as many bytes as are loaded.
    let times = unsafe { _mm512_loadu_si512(TIMES.as_ptr().cast()) };
    let (mut bytes, mut before, mut within) = (zero, zero, zero);
    for row in rows {
        // SAFETY: as above.
        let row = unsafe { _mm512_loadu_si512(row.as_ptr().cast()) };
        before = _mm512_add_epi32(before, bytes);
        bytes = _mm512_add_epi32(bytes, _mm512_sad_epu8(row, zero));
        // Two bytes of 255, 64 and 63 times, just fit 16 bits.
        let pairs = _mm512_maddubs_epi16(row, times);
        within = _mm512_add_epi32(within, _mm512_madd_epi16(pairs, ones));
    }
    let sum = |lanes| _mm512_reduce_add_epi32(lanes) as u32;
    (sum(bytes), sum(before), sum(within))
}
