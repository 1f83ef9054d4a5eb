//! Less than a tile of streams, with AVX-512 and GFNI: up to 64 items at once, more by a tile whose other items are masked
//! out, so that nothing around them is touched.
#![allow(unsafe_code)] // masked loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

use super::{BACK_TURNED, DIAGONAL, TILE};
use crate::base::cpu::{self, Simd};
use crate::filter::bitshuffle::tiles::{Cut, Rows};
use crate::filter::shuffle::avx512::registers::{table, transpose};
use crate::filter::shuffle::avx512::runs::PERMUTES;
use crate::filter::shuffle::avx512::short::{first, places};
use crate::filter::shuffle::tiles::Streams;
use std::arch::x86_64::*;

/// [`to_rows_masked`], on a machine that has it.
pub fn to_rows(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions.
    unsafe { to_rows_masked(streams, rows, at) }
}

/// [`from_rows_masked`], on a machine that has it.
pub fn from_rows(rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions.
    unsafe { from_rows_masked(rows, at, streams) }
}

/// The items of a register.
const WIDTH: usize = 64;

/// Whether a stream is a register, and so are its rows, which stand one behind the other.
fn are_registers(len: usize, stride: usize, at: usize) -> bool {
    len <= WIDTH && stride == len / 8 && at == 0
}

/// Brings the bits of streams shorter than a tile to rows, `at` bytes after their beginnings.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn to_rows_masked(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
    let len = streams.stride;
    assert!(len < TILE && len.is_multiple_of(8));
    let cut = Cut::new(len, streams.with_len(), rows.with_len(), at);
    let diagonal = _mm512_set1_epi64(DIAGONAL);
    let bits = |bytes: __m512i| {
        let turned = _mm512_gf2p8affine_epi64_epi8::<0>(diagonal, bytes);
        _mm512_gf2p8affine_epi64_epi8::<0>(turned, diagonal)
    };
    let (from, to) = (streams.bytes.as_ptr(), rows.bytes.as_mut_ptr());
    if are_registers(len, rows.stride, at) {
        let (mask, places) = (first(len), places(len / 8, 8, 0));
        for (stream, row) in cut.tiles() {
            // SAFETY: `Cut` saw to it that the stream and its rows are there, to which the mask keeps.
            unsafe {
                let bits = bits(_mm512_maskz_loadu_epi8(mask, from.add(stream).cast()));
                _mm512_mask_storeu_epi8(to.add(row).cast(), mask, _mm512_permutexvar_epi8(places, bits));
            }
        }
        return;
    }
    let permutes = &PERMUTES[8].there;
    let (lower, upper) = (table(&permutes[0]), table(&permutes[1]));
    let mask = first(len / 8);
    for (stream, row) in cut.tiles() {
        let (mut a, mut b) = ([_mm512_setzero_si512(); 4], [_mm512_setzero_si512(); 4]);
        // SAFETY: as above.
        unsafe {
            let part = |r: usize| {
                let left = first(len.saturating_sub(r * WIDTH));
                bits(_mm512_maskz_loadu_epi8(left, from.add(stream).wrapping_add(r * WIDTH).cast()))
            };
            for r in 0..len.div_ceil(2 * WIDTH) {
                let (x, y) = (part(2 * r), part(2 * r + 1));
                a[r] = _mm512_permutex2var_epi8(x, lower, y);
                b[r] = _mm512_permutex2var_epi8(x, upper, y);
            }
            let (a, b) = (transpose::<4, 4>(a), transpose::<4, 4>(b));
            let row = to.add(row);
            for k in 0..4 {
                _mm512_mask_storeu_epi8(row.add(k * rows.stride).cast(), mask, a[k]);
                _mm512_mask_storeu_epi8(row.add((4 + k) * rows.stride).cast(), mask, b[k]);
            }
        }
    }
}

/// Undoes [`to_rows_masked`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn from_rows_masked(rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
    let len = streams.stride;
    assert!(len < TILE && len.is_multiple_of(8));
    let cut = Cut::new(len, streams.with_len(), rows.with_len(), at);
    let diagonal = _mm512_set1_epi64(DIAGONAL);
    let bits = |bytes: __m512i| _mm512_gf2p8affine_epi64_epi8::<0>(diagonal, bytes);
    let (from, to) = (rows.bytes.as_ptr(), streams.bytes.as_mut_ptr());
    if are_registers(len, rows.stride, at) {
        let (mask, places) = (first(len), places(8, len / 8, 0));
        // Groups of eight are turned around, as in `BACK_TURNED`.
        let around = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
        let places = _mm512_shuffle_epi8(places, around);
        for (stream, row) in cut.tiles() {
            // SAFETY: `Cut` saw to it that the stream and its rows are there, to which the mask keeps.
            unsafe {
                let bytes = _mm512_maskz_loadu_epi8(mask, from.add(row).cast());
                let bits = bits(_mm512_permutexvar_epi8(places, bytes));
                _mm512_mask_storeu_epi8(to.add(stream).cast(), mask, bits);
            }
        }
        return;
    }
    let (even, odd) = (table(&BACK_TURNED[0]), table(&BACK_TURNED[1]));
    let mask = first(len / 8);
    for (stream, row) in cut.tiles() {
        let (mut a, mut b) = ([_mm512_setzero_si512(); 4], [_mm512_setzero_si512(); 4]);
        // SAFETY: as above.
        unsafe {
            let row = from.add(row);
            for k in 0..4 {
                a[k] = _mm512_maskz_loadu_epi8(mask, row.add(k * rows.stride).cast());
                b[k] = _mm512_maskz_loadu_epi8(mask, row.add((4 + k) * rows.stride).cast());
            }
            let (a, b) = (transpose::<4, 4>(a), transpose::<4, 4>(b));
            let put = |r: usize, bytes: __m512i| {
                let left = first(len.saturating_sub(r * WIDTH));
                _mm512_mask_storeu_epi8(to.add(stream).wrapping_add(r * WIDTH).cast(), left, bits(bytes));
            };
            for r in 0..len.div_ceil(2 * WIDTH) {
                put(2 * r, _mm512_permutex2var_epi8(a[r], even, b[r]));
                put(2 * r + 1, _mm512_permutex2var_epi8(a[r], odd, b[r]));
            }
        }
    }
}
