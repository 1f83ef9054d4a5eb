//! Byte shuffle: all first bytes of the items, then all second bytes, and so on.
//!
//! A block of `n` items of `typesize` bytes is a matrix of bytes; shuffling transposes it. Bytes after the last whole
//! item stay where they are. `scalar` is the definition; the wide kernels take tiles of items, into which `tiles`
//! cuts a block.

mod scalar;
pub(super) mod tiles;

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
#[cfg(target_arch = "x86_64")]
pub(super) mod sse2;

use crate::base::copy::copy;
use crate::base::cpu::{self, Simd};
use crate::base::item;
use crate::base::scatter::Row;
use tiles::{Apart, Items, Kernel, Sources, Streams};

/// Shuffles `src` into `dst`, with the widest kernel that this machine has.
///
/// # Panics
/// When `typesize` is 0 or the two lengths differ.
pub fn shuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    shuffle_at(cpu::simd(), typesize, src, dst);
}

/// Undoes [`shuffle`].
///
/// # Panics
/// When `typesize` is 0 or the two lengths differ.
#[inline]
pub fn unshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    unshuffle_at(cpu::simd(), typesize, src, dst);
}

/// [`shuffle`] with the kernel of a level, or a lower one where the machine lacks it.
///
/// # Panics
/// As [`shuffle`].
pub fn shuffle_at(level: Simd, typesize: usize, src: &[u8], dst: &mut [u8]) {
    let Some(n) = whole_items(typesize, src, dst) else { return };
    let (src, dst) = (&src[..n * typesize], items_of(dst, src, n * typesize));
    if transpose_short(level, n, typesize, src, dst) {
        return;
    }
    shuffle_items(level, Items::whole(src, typesize), Streams { bytes: dst, stride: n }, n);
}

/// [`unshuffle`] with the kernel of a level, or a lower one where the machine lacks it.
///
/// # Panics
/// As [`unshuffle`].
#[inline]
pub fn unshuffle_at(level: Simd, typesize: usize, src: &[u8], dst: &mut [u8]) {
    let Some(n) = whole_items(typesize, src, dst) else { return };
    let (src, dst) = (&src[..n * typesize], items_of(dst, src, n * typesize));
    if transpose_short(level, typesize, n, src, dst) {
        return;
    }
    unshuffle_items(
        level,
        Sources::Together(Streams { bytes: src, stride: n }),
        Items::whole(dst, typesize),
        n,
    );
}

/// [`unshuffle`] of streams that lie apart, as many as an item has bytes.
///
/// # Panics
/// When there are none, or they are not all as long as `dst` has items, and nothing behind those.
#[inline]
pub fn unshuffle_apart(streams: &[&[u8]], dst: &mut [u8]) {
    unshuffle_apart_at(cpu::simd(), streams, dst);
}

/// [`unshuffle_apart`] with the kernel of a level, or a lower one where the machine lacks it.
///
/// # Panics
/// As [`unshuffle_apart`].
#[inline(always)]
pub fn unshuffle_apart_at(level: Simd, streams: &[&[u8]], dst: &mut [u8]) {
    let apart = Apart::new(streams);
    let n = apart.stream_len();
    assert_eq!(n * streams.len(), dst.len(), "a block keeps its length");
    match streams {
        [stream] => copy(stream, dst),
        _ => unshuffle_items(level, Sources::Apart(apart), Items::whole(dst, streams.len()), n),
    }
}

/// Whether to unshuffle items straight to rows of `len` bytes takes less time than to copy them there.
#[inline]
pub fn suits_rows(typesize: usize, len: usize) -> bool {
    let suits = |kernel: &Kernel| len >= kernel.tile * typesize && (kernel.rows)(typesize).is_some();
    len.is_multiple_of(typesize.max(1)) && kernel(cpu::simd()).is_some_and(suits)
}

/// [`unshuffle_apart`] to rows, which say where their bytes begin in the unshuffled block.
///
/// # Panics
/// When there are no streams, they are not equally long, or a row is not whole items of theirs.
pub fn unshuffle_rows(streams: &[&[u8]], rows: &mut [Row<'_>]) {
    unshuffle_rows_at(cpu::simd(), streams, rows);
}

/// [`unshuffle_rows`] with the kernel of a level, or a lower one where the machine lacks it.
///
/// # Panics
/// As [`unshuffle_rows`].
pub fn unshuffle_rows_at(level: Simd, streams: &[&[u8]], rows: &mut [Row<'_>]) {
    let typesize = streams.len();
    if let Some(kernel) = kernel(level)
        && let Some(unshuffle) = (kernel.rows)(typesize)
        && rows.iter().all(|row| row.bytes.len() >= kernel.tile * typesize)
    {
        return unshuffle(streams, rows);
    }
    for Row { at, bytes } in rows {
        assert!(at.is_multiple_of(typesize) && bytes.len().is_multiple_of(typesize), "a row is whole items");
        let (first, n) = (*at / typesize, bytes.len() / typesize);
        let parts: Vec<&[u8]> = streams.iter().map(|stream| &stream[first..first + n]).collect();
        unshuffle_apart_at(level, &parts, bytes);
    }
}

/// How many bytes past a cache line's start the streams of `dst` should begin, one after another: so that tiles of them and of
/// items do where they are most.
#[inline]
pub fn skew(typesize: usize, dst: &[u8]) -> usize {
    // Said before a kernel is looked for: short blocks feel that.
    if dst.len() < tiles::WORTH_CUTTING * typesize {
        return 0;
    }
    kernel(cpu::simd()).map_or(0, |kernel| kernel.skew(typesize, dst))
}

/// Transposes a matrix of bytes, all of `src`, of two columns at least, if it is short and there is a kernel for that; tells so.
#[inline]
pub(super) fn transpose_short(level: Simd, rows: usize, columns: usize, src: &[u8], dst: &mut [u8]) -> bool {
    if src.len() > tiles::SHORT {
        return false;
    }
    let Some(transpose) = kernel(level).and_then(|kernel| kernel.short) else { return false };
    transpose(rows, columns, src, dst);
    true
}

/// Shuffles `n` items. What lies behind them in `src` may be read.
#[inline(always)]
pub(super) fn shuffle_items(level: Simd, src: Items<&[u8]>, dst: Streams<&mut [u8]>, n: usize) {
    match kernel(level) {
        Some(kernel) => kernel.shuffle(src, dst, n),
        None => scalar::shuffle_items(src, dst, 0..n),
    }
}

/// Undoes [`shuffle_items`]. What lies behind the items in `dst` may be overwritten.
#[inline(always)]
pub(super) fn unshuffle_items(level: Simd, src: Sources<'_>, dst: Items<&mut [u8]>, n: usize) {
    match kernel(level) {
        Some(kernel) => kernel.unshuffle(src, dst, n),
        None => scalar::unshuffle_items(src, dst, 0..n),
    }
}

/// The wide kernel of a level, as far as the machine goes.
#[cfg(target_arch = "x86_64")]
#[inline]
fn kernel(level: Simd) -> Option<&'static Kernel> {
    // A table takes no branch, nor a table of jumps, which would take longer than a short block.
    const KERNELS: [Option<&Kernel>; Simd::ALL.len()] =
        [None, Some(&sse2::KERNEL), Some(&avx2::KERNEL), Some(&avx512::KERNEL)];
    KERNELS[level.min(cpu::detected()) as usize]
}

/// There is none for this architecture.
#[cfg(not(target_arch = "x86_64"))]
fn kernel(_: Simd) -> Option<&'static Kernel> {
    None
}

/// Copies what no kernel needs to look at: everything, when the matrix has only one row or column. Gives the number of whole
/// items, or `None` when nothing is left to do.
#[inline]
fn whole_items(typesize: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    assert!(typesize > 0, "an item has at least one byte");
    assert_eq!(src.len(), dst.len(), "a block keeps its length");
    let n = item::whole_items(src.len(), typesize);
    if typesize == 1 || n <= 1 {
        copy(src, dst);
        return None;
    }
    Some(n)
}

/// The first `len` bytes of `dst`, behind which those of `src` are copied.
#[inline]
fn items_of<'a>(dst: &'a mut [u8], src: &[u8], len: usize) -> &'a mut [u8] {
    let (items, rest) = dst.split_at_mut(len);
    if !rest.is_empty() {
        rest.copy_from_slice(&src[len..]);
    }
    items
}

#[cfg(test)]
pub(super) mod tests;
