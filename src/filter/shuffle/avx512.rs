//! The byte shuffle with AVX-512 and its byte permutes (VBMI).
//!
//! A tile is 64 items: a whole cache line of every stream. The streams of a type of up to 32 bytes are worked out in
//! two halves of `G` registers, `2 * G` being the typesize rounded up to a power of two. One permute of two registers
//! takes a run of `64 / G` items from memory order to `G` parts, one per stream; the parts of `G` runs are then
//! transposed as wholes. On the way back the same steps are taken in reverse. Wider types go through in windows of 32
//! columns.
//!
//! Where streams are a multiple of a page apart, they all meet in one set of the first-level cache. Then at most eight
//! of them ([`GROUP`]) are written at a time, for as many tiles as leave the source in that cache.
#![allow(unsafe_code)] // loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

mod few;
pub(in crate::filter) mod registers;
mod rows;
pub(in crate::filter) mod runs;
pub(in crate::filter) mod short;

use super::avx2;
use super::sse2::lanes::unroll;
use super::tiles::{
    Items, Kernel, Sources, Streams, Unshuffle, UnshuffleRows, fits, for_each_step, meet_in_cache,
};
use crate::base::cpu::{self, Simd};
use registers::{evens_32, load, odds_32, store, table, transpose};
use runs::{PERMUTES, load_run, store_run};
use std::arch::x86_64::*;
use std::ops::Range;

/// Items of a tile.
const TILE: usize = 64;

/// The kernels of this level.
pub(in crate::filter) const KERNEL: Kernel = Kernel {
    tile: TILE,
    slack,
    shuffle,
    unshuffle,
    few,
    rows,
    short: Some(short::transpose),
    narrower: Some(&avx2::KERNEL),
};

/// What unshuffles less than a tile of a type.
fn few(typesize: usize) -> Option<Unshuffle> {
    match typesize {
        4 => Some(few::unshuffle::<2>),
        8 => Some(few::unshuffle::<4>),
        _ => None,
    }
}

/// What unshuffles to rows of a type.
fn rows(typesize: usize) -> Option<UnshuffleRows> {
    match typesize {
        2 => Some(rows::unshuffle::<2, 1>),
        4 => Some(rows::unshuffle::<4, 2>),
        8 => Some(rows::unshuffle::<8, 4>),
        16 => Some(rows::unshuffle::<16, 8>),
        _ => None,
    }
}

/// Columns of a window, and the widest type that needs none.
const WINDOW: usize = 32;

/// Streams that are written at a time where more would push each other out of the cache.
const GROUP: usize = 8;

/// How many bytes after a tile's items the kernels touch as well.
fn slack(typesize: usize) -> usize {
    if typesize > WINDOW || typesize.is_power_of_two() { 0 } else { 64 }
}

/// [`shuffle_tiles`], on a machine that has it.
fn shuffle(src: Items<&[u8]>, dst: Streams<&mut [u8]>, items: Range<usize>) {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions.
    unsafe { shuffle_tiles(src, dst, items) }
}

/// Shuffles the tiles of `items`.
///
/// # Panics
/// When `items` is not whole tiles, or `src` (with [`slack`]) or `dst` does not hold them.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn shuffle_tiles(src: Items<&[u8]>, dst: Streams<&mut [u8]>, items: Range<usize>) {
    let (typesize, columns, stride) = (src.typesize, src.columns, dst.stride);
    assert!(items.start <= items.end && items.len().is_multiple_of(TILE) && items.end <= stride);
    assert!(src.reach(items.end) + slack(typesize) <= src.bytes.len());
    assert!(fits(typesize, columns) && (columns - 1) * stride + items.end <= dst.bytes.len());
    let from = src.with(src.bytes.as_ptr());
    let to = Streams { bytes: dst.bytes.as_mut_ptr(), stride };
    // SAFETY: by the assertions, `items` with their slack can be read, and as many bytes written in each of `typesize`
    // streams.
    unsafe {
        match typesize {
            2 => halves::<1, 1, false>(from, to, items),
            3 => halves::<2, 1, false>(from, to, items),
            4 => halves::<2, 2, false>(from, to, items),
            5 => halves::<4, 1, false>(from, to, items),
            6 => halves::<4, 2, false>(from, to, items),
            7..=8 => halves::<4, 4, false>(from, to, items),
            9..=16 => in_groups(from, to, items),
            _ if meet_in_cache(columns, stride) => in_groups(from, to, items),
            17..=18 => halves::<16, 2, false>(from, to, items),
            19..=20 => halves::<16, 4, false>(from, to, items),
            21..=24 => halves::<16, 8, false>(from, to, items),
            25..=32 => halves::<16, 16, false>(from, to, items),
            _ => for_each_step(typesize, TILE, items, |items| {
                for_each_window(columns, |at, columns| {
                    let to = Streams { bytes: to.bytes.add(at * stride), stride };
                    let from = Items { bytes: from.bytes.add(at), ..from };
                    match columns {
                        16 => halves::<8, 8, true>(from, to, items.clone()),
                        _ => halves::<16, 16, true>(from, to, items.clone()),
                    }
                })
            }),
        }
    }
}

/// Calls `visit` with the first column of each window and how many it has: 32, or 16 where that is enough for the last
/// one, which overlaps the one before.
fn for_each_window(typesize: usize, mut visit: impl FnMut(usize, usize)) {
    for at in (0..typesize).step_by(WINDOW) {
        let columns = if typesize - at <= WINDOW / 2 { WINDOW / 2 } else { WINDOW };
        visit(at.min(typesize - columns), columns);
    }
}

/// Shuffles tiles, group after group, as many tiles at a time as leave the source in the first-level cache.
///
/// # Safety
/// As [`shuffle_tiles`] asserts; the typesize is more than 8.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn in_groups(src: Items<*const u8>, dst: Streams<*mut u8>, items: Range<usize>) {
    let typesize = src.typesize;
    for_each_step(typesize, TILE, items, |items| {
        // SAFETY: these are some of the caller's items and, group by group, of the streams.
        unsafe {
            if typesize <= 16 {
                for half in 0..2 {
                    let n = (typesize - half * GROUP).min(GROUP);
                    let to = Streams { bytes: dst.bytes.add(half * GROUP * dst.stride), ..dst };
                    let permute = &PERMUTES[typesize].there[half];
                    match n {
                        1..=2 => group::<8, 2, false>(src, to, items.clone(), permute, 0, n),
                        3..=4 => group::<8, 4, false>(src, to, items.clone(), permute, 0, n),
                        _ => group::<8, 8, false>(src, to, items.clone(), permute, 0, n),
                    }
                }
            } else if typesize <= WINDOW {
                for (half, odd) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let first = 16 * half + odd;
                    let n = (typesize + 1 - first) / 2;
                    let to = Streams { bytes: dst.bytes.add(first * dst.stride), stride: 2 * dst.stride };
                    let permute = &PERMUTES[typesize].there[half];
                    group::<16, 8, false>(src, to, items.clone(), permute, odd, n);
                }
            } else {
                for at in (0..src.columns).step_by(2 * GROUP) {
                    let at = at.min(src.columns - 2 * GROUP);
                    let src = Items { bytes: src.bytes.add(at), ..src };
                    for half in 0..2 {
                        let first = at + half * GROUP;
                        let to = Streams { bytes: dst.bytes.add(first * dst.stride), ..dst };
                        let permute = &PERMUTES[2 * GROUP].there[half];
                        group::<8, 8, true>(src, to, items.clone(), permute, 0, GROUP);
                    }
                }
            }
        }
    });
}

/// Shuffles tiles: all streams of the lower half, `B` of the upper one.
///
/// # Safety
/// As [`shuffle_tiles`] asserts.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn halves<const G: usize, const B: usize, const WINDOWED: bool>(
    src: Items<*const u8>,
    dst: Streams<*mut u8>,
    items: Range<usize>,
) {
    let columns = if WINDOWED { 2 * G } else { src.typesize };
    let permutes = &PERMUTES[columns].there;
    let (lower, upper) = (table(&permutes[0]), table(&permutes[1]));
    for item in items.step_by(TILE) {
        let mut a = [_mm512_setzero_si512(); G];
        let mut b = [_mm512_setzero_si512(); G];
        // SAFETY: the caller's.
        unsafe {
            unroll!(r < G, {
                let (x, y) = load_run::<G, WINDOWED>(src, item + r * (64 / G));
                a[r] = _mm512_permutex2var_epi8(x, lower, y);
                b[r] = _mm512_permutex2var_epi8(x, upper, y);
            });
            let a = transpose::<G, G>(a);
            for j in 0..G {
                store(dst.at(j, item), a[j]);
            }
            let b = transpose::<G, G>(b);
            for j in 0..B {
                if G + j < columns {
                    store(dst.at(G + j, item), b[j]);
                }
            }
        }
    }
}

/// Shuffles tiles to `n` of the streams of a half: all with 8 parts to a register, every other one with 16 (`odd` says
/// which). `N`, at least `n`, are worked out.
///
/// # Safety
/// As [`shuffle_tiles`] asserts, with `dst` beginning at the first of the streams.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn group<const G: usize, const N: usize, const WINDOWED: bool>(
    src: Items<*const u8>,
    dst: Streams<*mut u8>,
    items: Range<usize>,
    permute: &[u8; 64],
    odd: usize,
    n: usize,
) {
    let permute = table(permute);
    let every_other = if odd == 0 { evens_32() } else { odds_32() };
    for item in items.step_by(TILE) {
        let mut x = [_mm512_setzero_si512(); GROUP];
        // SAFETY: the caller's.
        unsafe {
            for r in 0..GROUP {
                let parts = |r: usize| {
                    let (x, y) = load_run::<G, WINDOWED>(src, item + r * (64 / G));
                    _mm512_permutex2var_epi8(x, permute, y)
                };
                x[r] = match G {
                    8 => parts(r),
                    _ => _mm512_permutex2var_epi32(parts(2 * r), every_other, parts(2 * r + 1)),
                };
            }
            let x = transpose::<GROUP, G>(x);
            for j in 0..N {
                if j < n {
                    store(dst.at(j, item), x[j]);
                }
            }
        }
    }
}

/// [`unshuffle_tiles`], on a machine that has it.
fn unshuffle(src: Sources<'_>, dst: Items<&mut [u8]>, items: Range<usize>) {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions.
    unsafe { unshuffle_tiles(src, dst, items) }
}

/// Undoes [`shuffle_tiles`].
///
/// # Panics
/// When `items` is not whole tiles, or `src` or `dst` (with [`slack`]) does not hold them.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn unshuffle_tiles(src: Sources<'_>, dst: Items<&mut [u8]>, items: Range<usize>) {
    let (typesize, columns) = (dst.typesize, dst.columns);
    assert!(items.start <= items.end && items.len().is_multiple_of(TILE));
    assert!(dst.reach(items.end) + slack(typesize) <= dst.bytes.len());
    assert!(fits(typesize, columns) && src.hold(columns, items.end));
    let to = Items { bytes: dst.bytes.as_mut_ptr(), typesize, columns };
    // SAFETY: by the assertions, `items` can be read in each of `typesize` streams, and written with their slack.
    unsafe {
        match typesize {
            2 => merge::<1, 1, false>(src, to, items),
            3 => merge::<2, 1, false>(src, to, items),
            4 => merge::<2, 2, false>(src, to, items),
            5 => merge::<4, 1, false>(src, to, items),
            6 => merge::<4, 2, false>(src, to, items),
            7..=8 => merge::<4, 4, false>(src, to, items),
            9..=10 => merge::<8, 2, false>(src, to, items),
            11..=12 => merge::<8, 4, false>(src, to, items),
            13..=16 => merge::<8, 8, false>(src, to, items),
            17..=18 => merge::<16, 2, false>(src, to, items),
            19..=20 => merge::<16, 4, false>(src, to, items),
            21..=24 => merge::<16, 8, false>(src, to, items),
            25..=32 => merge::<16, 16, false>(src, to, items),
            _ => {
                for start in items.step_by(TILE) {
                    for_each_window(columns, |at, columns| {
                        let (src, to) = (src.skip(at), Items { bytes: to.bytes.add(at), ..to });
                        match columns {
                            16 => merge::<8, 8, true>(src, to, start..start + TILE),
                            _ => merge::<16, 16, true>(src, to, start..start + TILE),
                        }
                    });
                }
            }
        }
    }
}

/// Undoes [`halves`].
///
/// # Safety
/// As [`unshuffle_tiles`] asserts.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn merge<const G: usize, const B: usize, const WINDOWED: bool>(
    src: Sources<'_>,
    dst: Items<*mut u8>,
    items: Range<usize>,
) {
    let columns = if WINDOWED { 2 * G } else { dst.typesize };
    // Some stream for those that are not there: the permutes do not look at them.
    let last = columns - 1;
    // SAFETY: the caller's.
    unsafe {
        match src {
            Sources::Together(streams) => {
                let (from, stride) = (streams.bytes.as_ptr(), streams.stride);
                let at = move |j: usize, item| from.wrapping_add(j.min(last) * stride + item);
                merge_columns::<G, B, WINDOWED>(at, dst, items);
            }
            Sources::Apart(apart) => {
                let at = move |j: usize, item| apart.stream(j.min(last)).as_ptr().wrapping_add(item);
                merge_columns::<G, B, WINDOWED>(at, dst, items);
            }
        }
    }
}

/// [`merge`] of columns whose items are where `from` says.
///
/// # Safety
/// As [`merge`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
unsafe fn merge_columns<const G: usize, const B: usize, const WINDOWED: bool>(
    from: impl Fn(usize, usize) -> *const u8,
    dst: Items<*mut u8>,
    items: Range<usize>,
) {
    let columns = if WINDOWED { 2 * G } else { dst.typesize };
    let permutes = &PERMUTES[columns].back;
    let (first, second) = (table(&permutes[0]), table(&permutes[1]));
    for item in items.step_by(TILE) {
        let mut a = [_mm512_setzero_si512(); G];
        let mut b = [_mm512_setzero_si512(); G];
        // SAFETY: the caller's.
        unsafe {
            for j in 0..G {
                a[j] = load(from(j, item));
            }
            for j in 0..B {
                b[j] = load(from(G + j, item));
            }
            let a = transpose::<G, G>(a);
            let b = transpose::<G, G>(b);
            unroll!(r < G, {
                let x = _mm512_permutex2var_epi8(a[r], first, b[r]);
                let y = _mm512_permutex2var_epi8(a[r], second, b[r]);
                store_run::<G, WINDOWED>(dst, item + r * (64 / G), x, y);
            });
        }
    }
}
