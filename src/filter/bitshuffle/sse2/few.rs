//! Less than a tile of streams in registers of one lane: some groups of eight items at a time, of which each row gets a byte. The
//! last of them may be taken with the ones before. Nothing around the items is touched.
#![allow(unsafe_code)] // loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

use super::{items_of, rows_of};
use crate::filter::bitshuffle::portable;
use crate::filter::bitshuffle::tiles::{Cut, Few, Rows};
use crate::filter::shuffle::tiles::Streams;
use std::arch::x86_64::*;

/// What this level does, and a wider one for what is short.
pub const FEW: Few = Few { to_rows, from_rows };

/// Brings the bits of streams shorter than a tile to rows, `at` bytes after their beginnings.
fn to_rows(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, at: usize) {
    let cut = Cut::of_few(streams.with_len(), rows.with_len(), at);
    let by = match streams.stride / 8 {
        0..2 => return (portable::FEW.to_rows)(streams, rows, at),
        2..4 => to_rows_by::<2>,
        4..8 => to_rows_by::<4>,
        8..16 => to_rows_by::<8>,
        _ => to_rows_by::<16>,
    };
    // SAFETY: the streams and their rows were cut, and have so many groups.
    unsafe { by(streams, rows, &cut) }
}

/// Undoes [`to_rows`].
fn from_rows(rows: Rows<&[u8]>, at: usize, streams: Streams<&mut [u8]>) {
    let cut = Cut::of_few(streams.with_len(), rows.with_len(), at);
    let by = match streams.stride / 8 {
        0..2 => return (portable::FEW.from_rows)(rows, at, streams),
        2..4 => from_rows_by::<2>,
        4..8 => from_rows_by::<4>,
        8..16 => from_rows_by::<8>,
        _ => from_rows_by::<16>,
    };
    // SAFETY: as above.
    unsafe { by(rows, streams, &cut) }
}

/// [`to_rows`], `N` groups at a time.
///
/// # Safety
/// `cut` is of the streams and the rows, and each stream has `N` groups.
unsafe fn to_rows_by<const N: usize>(streams: Streams<&[u8]>, rows: Rows<&mut [u8]>, cut: &Cut) {
    let last = streams.stride / 8 - N;
    for (stream, row) in cut.tiles() {
        for group in (0..last).step_by(N).chain([last]) {
            // SAFETY: `N` groups from there on are in the stream, and as many bytes in each of its rows.
            unsafe {
                let from = streams.bytes.as_ptr().add(stream + 8 * group);
                let to = rows.bytes.as_mut_ptr().add(row + group);
                let mut items = [_mm_setzero_si128(); 8];
                for r in 0..N / 2 {
                    items[r] = load::<16>(from.add(16 * r));
                }
                let bits = rows_of(items);
                for k in 0..8 {
                    store::<N>(to.add(k * rows.stride), bits[k]);
                }
            }
        }
    }
}

/// [`from_rows`], `N` groups at a time.
///
/// # Safety
/// As [`to_rows_by`].
unsafe fn from_rows_by<const N: usize>(rows: Rows<&[u8]>, streams: Streams<&mut [u8]>, cut: &Cut) {
    let last = streams.stride / 8 - N;
    for (stream, row) in cut.tiles() {
        for group in (0..last).step_by(N).chain([last]) {
            // SAFETY: as above.
            unsafe {
                let from = rows.bytes.as_ptr().add(row + group);
                let to = streams.bytes.as_mut_ptr().add(stream + 8 * group);
                let mut bits = [_mm_setzero_si128(); 8];
                for k in 0..8 {
                    bits[k] = load::<N>(from.add(k * rows.stride));
                }
                let items = items_of(bits);
                for r in 0..N / 2 {
                    store::<16>(to.add(16 * r), items[r]);
                }
            }
        }
    }
}

/// `N` bytes, 2 to 16, and zeros behind them.
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn load<const N: usize>(from: *const u8) -> __m128i {
    // SAFETY: the caller's.
    unsafe {
        match N {
            2 => _mm_cvtsi32_si128(i32::from(from.cast::<u16>().read_unaligned())),
            4 => _mm_cvtsi32_si128(from.cast::<i32>().read_unaligned()),
            8 => _mm_loadl_epi64(from.cast()),
            _ => _mm_loadu_si128(from.cast()),
        }
    }
}

/// The first `N` bytes, 2 to 16.
///
/// # Safety
/// They can be written.
#[inline(always)]
unsafe fn store<const N: usize>(to: *mut u8, x: __m128i) {
    // SAFETY: the caller's.
    unsafe {
        match N {
            2 => to.cast::<u16>().write_unaligned(_mm_cvtsi128_si32(x) as u16),
            4 => to.cast::<i32>().write_unaligned(_mm_cvtsi128_si32(x)),
            8 => _mm_storel_epi64(to.cast(), x),
            _ => _mm_storeu_si128(to.cast(), x),
        }
    }
}
