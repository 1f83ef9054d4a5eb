//! Bits of streams to rows and back with AVX-512 and GFNI.
//!
//! A tile of a stream is eight registers of eight groups of eight bytes. GFNI transposes the 8 by 8 bits of each group
//! in place: byte `k` of a group then belongs to row `k`. What is left is the byte shuffle of 64 items of 8 bytes, from
//! registers to registers.
#![allow(unsafe_code)] // loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

mod few;

use super::tiles::{Cut, Kernel, Rows};
use crate::base::cpu::{self, Simd};
use crate::filter::shuffle::avx512::registers::{load, store, table, transpose};
use crate::filter::shuffle::avx512::runs::PERMUTES;
use crate::filter::shuffle::tiles::Streams;
use std::arch::x86_64::*;

/// Bytes of a stream in a tile.
const TILE: usize = 512;

/// The kernels of this level.
pub const KERNEL: Kernel = Kernel { tile: TILE, to_rows, from_rows, few: few::FEW };

/// Byte `i` has bit `i` only: for GFNI, which counts a matrix's rows from the last byte, the matrix that turns bytes
/// around, and the bytes that pick a matrix's columns.
const DIAGONAL: i64 = 0x8040_2010_0804_0201_u64 as i64;

/// [`to_rows_wide`], on a machine that has it.
fn to_rows(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions.
    unsafe { to_rows_wide(streams, rows, at) }
}

/// Brings the bits of streams to rows, `at` bytes after their beginnings.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn to_rows_wide(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
    let cut = Cut::new(TILE, streams.with_len(), rows.with_len(), at);
    let diagonal = _mm512_set1_epi64(DIAGONAL);
    let permutes = &PERMUTES[8].there;
    let (lower, upper) = (table(&permutes[0]), table(&permutes[1]));
    for (stream, row) in cut.tiles() {
        let mut a = [_mm512_setzero_si512(); 4];
        let mut b = [_mm512_setzero_si512(); 4];
        // SAFETY: `Cut` saw to it that the tile has 512 bytes in its stream and 64 in each of its rows.
        unsafe {
            let stream = streams.bytes.as_ptr().add(stream);
            let bits = |r: usize| {
                let turned = _mm512_gf2p8affine_epi64_epi8::<0>(diagonal, load(stream.add(64 * r)));
                _mm512_gf2p8affine_epi64_epi8::<0>(turned, diagonal)
            };
            for r in 0..4 {
                let (x, y) = (bits(2 * r), bits(2 * r + 1));
                a[r] = _mm512_permutex2var_epi8(x, lower, y);
                b[r] = _mm512_permutex2var_epi8(x, upper, y);
            }
            let (a, b) = (transpose::<4, 4>(a), transpose::<4, 4>(b));
            let row = rows.bytes.as_mut_ptr().add(row);
            for k in 0..4 {
                store(row.add(k * rows.stride), a[k]);
            }
            for k in 0..4 {
                store(row.add((4 + k) * rows.stride), b[k]);
            }
        }
    }
}

/// [`from_rows_wide`], on a machine that has it.
fn from_rows(rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions.
    unsafe { from_rows_wide(rows, at, streams) }
}

/// For [`PERMUTES`], with the bytes of every group of eight turned around.
static BACK_TURNED: [[u8; 64]; 2] = {
    let mut turned = PERMUTES[8].back;
    let mut i = 0;
    while i < 64 {
        turned[0][i] = PERMUTES[8].back[0][i ^ 7];
        turned[1][i] = PERMUTES[8].back[1][i ^ 7];
        i += 1;
    }
    turned
};

/// Undoes [`to_rows_wide`].
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn from_rows_wide(rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
    let cut = Cut::new(TILE, streams.with_len(), rows.with_len(), at);
    let diagonal = _mm512_set1_epi64(DIAGONAL);
    let (first, second) = (table(&BACK_TURNED[0]), table(&BACK_TURNED[1]));
    for (stream, row) in cut.tiles() {
        let mut a = [_mm512_setzero_si512(); 4];
        let mut b = [_mm512_setzero_si512(); 4];
        // SAFETY: `Cut` saw to it that the tile has 64 bytes in each of its rows and 512 in its stream.
        unsafe {
            let row = rows.bytes.as_ptr().add(row);
            let stream = streams.bytes.as_mut_ptr().add(stream);
            for k in 0..4 {
                a[k] = load(row.add(k * rows.stride));
                b[k] = load(row.add((4 + k) * rows.stride));
            }
            let (a, b) = (transpose::<4, 4>(a), transpose::<4, 4>(b));
            for r in 0..4 {
                let x = _mm512_permutex2var_epi8(a[r], first, b[r]);
                let y = _mm512_permutex2var_epi8(a[r], second, b[r]);
                let out = stream.add(128 * r);
                store(out, _mm512_gf2p8affine_epi64_epi8::<0>(diagonal, x));
                store(out.add(64), _mm512_gf2p8affine_epi64_epi8::<0>(diagonal, y));
            }
        }
    }
}
