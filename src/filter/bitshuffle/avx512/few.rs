//! Less than a tile of streams, with AVX-512 and GFNI: up to 64 items by registers that hold a stream and its rows, more by a
//! tile whose other items are masked out. Nothing around the items is touched.
#![allow(unsafe_code)] // masked loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

use super::{BACK_TURNED, DIAGONAL, TILE};
use crate::base::cpu::{self, Simd};
use crate::filter::bitshuffle::tiles::{Cut, Few, Rows};
use crate::filter::shuffle::avx512::registers::{first, table, transpose};
use crate::filter::shuffle::avx512::runs::PERMUTES;
use crate::filter::shuffle::avx512::short::places;
use crate::filter::shuffle::tiles::Streams;
use std::arch::x86_64::*;

/// Both ways.
pub const FEW: Few = Few { to_rows, from_rows };

/// Brings the bits of streams shorter than a tile to rows, `at` bytes after their beginnings.
fn to_rows(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
    let cut = Cut::of_few(streams.with_len(), rows.with_len(), at);
    assert!(streams.stride < TILE && cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions; the streams and their rows were cut.
    unsafe {
        match are_registers(streams.stride, rows.stride, at) {
            true => to_rows_by_registers(streams, rows, &cut),
            false => to_rows_masked(streams, rows, &cut),
        }
    }
}

/// Undoes [`to_rows`].
fn from_rows(rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
    let cut = Cut::of_few(streams.with_len(), rows.with_len(), at);
    assert!(streams.stride < TILE && cpu::detected() >= Simd::Avx512);
    // SAFETY: as above.
    unsafe {
        match are_registers(streams.stride, rows.stride, at) {
            true => from_rows_by_registers(rows, streams, &cut),
            false => from_rows_masked(rows, streams, &cut),
        }
    }
}

/// Bytes of a register.
const WIDTH: usize = 64;

/// Whether a stream of `len` bytes is a register, and so are its rows, which stand one behind the other.
fn are_registers(len: usize, stride: usize, at: usize) -> bool {
    len <= WIDTH && stride == len / 8 && at == 0
}

/// Transposes the bits of each group of eight bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn bits(bytes: __m512i) -> __m512i {
    let diagonal = _mm512_set1_epi64(DIAGONAL);
    _mm512_gf2p8affine_epi64_epi8::<0>(turned_bits(bytes), diagonal)
}

/// [`bits`] of groups that are turned around, or of groups, turned around.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn turned_bits(bytes: __m512i) -> __m512i {
    _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(DIAGONAL), bytes)
}

/// # Safety
/// `cut` is of the streams and the rows, which [`are_registers`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
unsafe fn to_rows_by_registers(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, cut: &Cut) {
    let (from, to, len) = (streams.bytes.as_ptr(), rows.bytes.as_mut_ptr(), streams.stride);
    let (mask, places) = (first(len), places(len / 8, 8, 0));
    for (stream, row) in cut.tiles() {
        // SAFETY: the mask is of as many bytes as the stream has, and its rows.
        unsafe {
            let bits = bits(_mm512_maskz_loadu_epi8(mask, from.add(stream).cast()));
            _mm512_mask_storeu_epi8(to.add(row).cast(), mask, _mm512_permutexvar_epi8(places, bits));
        }
    }
}

/// # Safety
/// As [`to_rows_by_registers`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
unsafe fn from_rows_by_registers(rows: Rows<&[u8]>, streams: Streams<&mut [u8]>, cut: &Cut) {
    let (from, to, len) = (rows.bytes.as_ptr(), streams.bytes.as_mut_ptr(), streams.stride);
    let around = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
    let (mask, places) = (first(len), _mm512_shuffle_epi8(places(8, len / 8, 0), around));
    for (stream, row) in cut.tiles() {
        // SAFETY: as above.
        unsafe {
            let groups = _mm512_permutexvar_epi8(places, _mm512_maskz_loadu_epi8(mask, from.add(row).cast()));
            _mm512_mask_storeu_epi8(to.add(stream).cast(), mask, turned_bits(groups));
        }
    }
}

/// # Safety
/// `cut` is of the streams and the rows.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
unsafe fn to_rows_masked(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, cut: &Cut) {
    let len = streams.stride;
    let permutes = &PERMUTES[8].there;
    let (lower, upper) = (table(&permutes[0]), table(&permutes[1]));
    let mask = first(len / 8);
    for (stream, row) in cut.tiles() {
        let (mut a, mut b) = ([_mm512_setzero_si512(); 4], [_mm512_setzero_si512(); 4]);
        // SAFETY: the masks are of bytes that are in the stream, and in each of its rows.
        unsafe {
            let stream = streams.bytes.as_ptr().add(stream);
            let bits = |r: usize| {
                let left = first(len.saturating_sub(r * WIDTH));
                bits(_mm512_maskz_loadu_epi8(left, stream.wrapping_add(r * WIDTH).cast()))
            };
            for r in 0..len.div_ceil(2 * WIDTH) {
                let (x, y) = (bits(2 * r), bits(2 * r + 1));
                a[r] = _mm512_permutex2var_epi8(x, lower, y);
                b[r] = _mm512_permutex2var_epi8(x, upper, y);
            }
            let (a, b) = (transpose::<4, 4>(a), transpose::<4, 4>(b));
            let row = rows.bytes.as_mut_ptr().add(row);
            for k in 0..4 {
                _mm512_mask_storeu_epi8(row.add(k * rows.stride).cast(), mask, a[k]);
                _mm512_mask_storeu_epi8(row.add((4 + k) * rows.stride).cast(), mask, b[k]);
            }
        }
    }
}

/// # Safety
/// As [`to_rows_masked`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
unsafe fn from_rows_masked(rows: Rows<&[u8]>, streams: Streams<&mut [u8]>, cut: &Cut) {
    let len = streams.stride;
    let (even, odd) = (table(&BACK_TURNED[0]), table(&BACK_TURNED[1]));
    let mask = first(len / 8);
    for (stream, row) in cut.tiles() {
        let (mut a, mut b) = ([_mm512_setzero_si512(); 4], [_mm512_setzero_si512(); 4]);
        // SAFETY: as above.
        unsafe {
            let row = rows.bytes.as_ptr().add(row);
            for k in 0..4 {
                a[k] = _mm512_maskz_loadu_epi8(mask, row.add(k * rows.stride).cast());
                b[k] = _mm512_maskz_loadu_epi8(mask, row.add((4 + k) * rows.stride).cast());
            }
            let (a, b) = (transpose::<4, 4>(a), transpose::<4, 4>(b));
            let stream = streams.bytes.as_mut_ptr().add(stream);
            let put = |r: usize, groups: __m512i| {
                let left = first(len.saturating_sub(r * WIDTH));
                let to = stream.wrapping_add(r * WIDTH).cast();
                _mm512_mask_storeu_epi8(to, left, turned_bits(groups));
            };
            for r in 0..len.div_ceil(2 * WIDTH) {
                put(2 * r, _mm512_permutex2var_epi8(a[r], even, b[r]));
                put(2 * r + 1, _mm512_permutex2var_epi8(a[r], odd, b[r]));
            }
        }
    }
}
