//! Runs of items, between their order in memory and parts of registers.
#![allow(unsafe_code)] // loads and stores

use super::registers::{load, store};
use crate::filter::shuffle::tiles::Items;
use std::arch::x86_64::*;

/// Permutes of two registers, for the lower and the upper half of the streams.
pub struct Permutes {
    /// From a run of items in memory to parts.
    pub there: [[u8; 64]; 2],
    /// From parts to a run of items in memory.
    pub back: [[u8; 64]; 2],
}

/// The permutes of every typesize up to 32.
pub static PERMUTES: [Permutes; 33] = {
    let mut all = [const { Permutes { there: [[0; 64]; 2], back: [[0; 64]; 2] } }; 33];
    let mut typesize = 2;
    while typesize < all.len() {
        all[typesize] = permutes(typesize);
        typesize += 1;
    }
    all
};

const fn permutes(typesize: usize) -> Permutes {
    let run = 128 / typesize.next_power_of_two();
    let mut p = Permutes { there: [[0; 64]; 2], back: [[0; 64]; 2] };
    let mut item = 0;
    while item < run {
        let mut byte = 0;
        while byte < typesize {
            let part = byte * run + item;
            // Loaded: half a run in either register, so that each holds whole items. Stored: one after the other.
            let loaded = 64 * (2 * item / run) + (item % (run / 2)) * typesize + byte;
            let stored = item * typesize + byte;
            p.there[part / 64][part % 64] = loaded as u8;
            p.back[stored / 64][stored % 64] = part as u8;
            byte += 1;
        }
        item += 1;
    }
    p
}

/// A run of `64 / G` items from `item` on, half of it in each register. Of a window of `2 * G` columns, a register takes
/// as many items' columns as it can.
///
/// # Safety
/// The items can be read, and so can 64 bytes from the first and from the middle one (of a window, its columns of each).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub unsafe fn load_run<const G: usize, const WINDOWED: bool>(
    src: Items<*const u8>,
    item: usize,
) -> (__m512i, __m512i) {
    // SAFETY: the caller's.
    unsafe {
        if WINDOWED && G == 8 {
            let row = |i: usize| _mm_loadu_si128(src.at(item + i).cast());
            let two = |i: usize| _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(row(i)), row(i + 1));
            let four = |i: usize| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(two(i)), two(i + 2));
            (four(0), four(4))
        } else if WINDOWED {
            let row = |i: usize| _mm256_loadu_si256(src.at(item + i).cast());
            let two = |i: usize| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(row(i)), row(i + 1));
            (two(0), two(2))
        } else {
            (load(src.at(item)), load(src.at(item + 32 / G)))
        }
    }
}

/// Stores a run of items from `item` on, which lie one after the other in `x` and `y`.
///
/// # Safety
/// The items can be written, and so can 128 bytes from the first (of a window, its columns of each).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub unsafe fn store_run<const G: usize, const WINDOWED: bool>(
    dst: Items<*mut u8>,
    item: usize,
    x: __m512i,
    y: __m512i,
) {
    // SAFETY: the caller's.
    unsafe {
        if WINDOWED && G == 8 {
            let four = |i: usize, x: __m512i| {
                _mm_storeu_si128(dst.at(item + i).cast(), _mm512_castsi512_si128(x));
                _mm_storeu_si128(dst.at(item + i + 1).cast(), _mm512_extracti32x4_epi32::<1>(x));
                _mm_storeu_si128(dst.at(item + i + 2).cast(), _mm512_extracti32x4_epi32::<2>(x));
                _mm_storeu_si128(dst.at(item + i + 3).cast(), _mm512_extracti32x4_epi32::<3>(x));
            };
            four(0, x);
            four(4, y);
        } else if WINDOWED {
            _mm256_storeu_si256(dst.at(item).cast(), _mm512_castsi512_si256(x));
            _mm256_storeu_si256(dst.at(item + 1).cast(), _mm512_extracti64x4_epi64::<1>(x));
            _mm256_storeu_si256(dst.at(item + 2).cast(), _mm512_castsi512_si256(y));
            _mm256_storeu_si256(dst.at(item + 3).cast(), _mm512_extracti64x4_epi64::<1>(y));
        } else {
            store(dst.at(item), x);
            store(dst.at(item).add(64), y);
        }
    }
}
