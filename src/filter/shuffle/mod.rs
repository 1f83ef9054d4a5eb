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
use tiles::{Items, Kernel, Sources, Streams};

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
    let (src, dst) = (&src[..n * typesize], &mut dst[..n * typesize]);
    shuffle_items(level, Items::whole(src, typesize), Streams { bytes: dst, stride: n }, n);
}

/// [`unshuffle`] with the kernel of a level, or a lower one where the machine lacks it.
///
/// # Panics
/// As [`unshuffle`].
#[inline]
pub fn unshuffle_at(level: Simd, typesize: usize, src: &[u8], dst: &mut [u8]) {
    let Some(n) = whole_items(typesize, src, dst) else { return };
    let (src, dst) = (&src[..n * typesize], &mut dst[..n * typesize]);
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
pub fn unshuffle_apart(streams: &[&[u8]], dst: &mut [u8]) {
    unshuffle_apart_at(cpu::simd(), streams, dst);
}

/// [`unshuffle_apart`] with the kernel of a level, or a lower one where the machine lacks it.
///
/// # Panics
/// As [`unshuffle_apart`].
pub fn unshuffle_apart_at(level: Simd, streams: &[&[u8]], dst: &mut [u8]) {
    let n = streams[0].len();
    assert!(streams.iter().all(|stream| stream.len() == n), "streams are equally long");
    assert_eq!(n * streams.len(), dst.len(), "a block keeps its length");
    match streams {
        [stream] => copy(stream, dst),
        _ => unshuffle_items(level, Sources::Apart(streams), Items::whole(dst, streams.len()), n),
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

/// Shuffles `n` items. What lies behind them in `src` may be read.
pub(super) fn shuffle_items(level: Simd, src: Items<&[u8]>, dst: Streams<&mut [u8]>, n: usize) {
    match kernel(level) {
        Some(kernel) => kernel.shuffle(src, dst, n),
        None => scalar::shuffle_items(src, dst, 0..n),
    }
}

/// Undoes [`shuffle_items`]. What lies behind the items in `dst` may be overwritten.
#[inline]
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
    // In the order of how often: a table of jumps takes longer than a short block.
    let level = level.min(cpu::detected());
    if level == Simd::Avx2 {
        Some(&avx2::KERNEL)
    } else if level == Simd::Avx512 {
        Some(&avx512::KERNEL)
    } else if level == Simd::Sse2 {
        Some(&sse2::KERNEL)
    } else {
        None
    }
}

/// There is none for this architecture.
#[cfg(not(target_arch = "x86_64"))]
fn kernel(_: Simd) -> Option<&'static Kernel> {
    None
}

/// Copies what no kernel needs to look at: the bytes after the last whole item, and everything when the matrix has
/// only one row or column. Gives the number of whole items, or `None` when nothing is left to do.
#[inline]
fn whole_items(typesize: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    assert!(typesize > 0, "an item has at least one byte");
    assert_eq!(src.len(), dst.len(), "a block keeps its length");
    let n = src.len() / typesize;
    if typesize == 1 || n <= 1 {
        copy(src, dst);
        return None;
    }
    let end = n * typesize;
    if end < src.len() {
        dst[end..].copy_from_slice(&src[end..]);
    }
    Some(n)
}

#[cfg(test)]
pub(super) mod tests;
