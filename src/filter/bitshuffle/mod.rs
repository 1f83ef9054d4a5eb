//! Bit shuffle: all lowest bits of the items' first bytes, then the next bits, and so on.
//!
//! A block of `n` items, `n` a multiple of 8, is a matrix of `n` by `8 * typesize` bits, the least significant bit of
//! each byte first; bit-shuffling transposes it. Items after the last group of eight, and bytes after the last item,
//! stay where they are. `scalar` is the definition. The kernels take it in two steps, tile by tile (`tiles`): the byte
//! shuffle to streams that stay in the cache, then the eight bits of each stream to eight rows.

mod portable;
mod scalar;
mod tiles;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod sse2;

use crate::base::copy::copy;
use crate::base::cpu::{self, Simd};
use tiles::Kernel;

/// Bit-shuffles `src` into `dst`, with the widest kernel that this machine has.
///
/// # Panics
/// When `typesize` is 0 or the two lengths differ.
pub fn bitshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    bitshuffle_at(cpu::simd(), typesize, src, dst);
}

/// Undoes [`bitshuffle`].
///
/// # Panics
/// When `typesize` is 0 or the two lengths differ.
pub fn bitunshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    bitunshuffle_at(cpu::simd(), typesize, src, dst);
}

/// Undoes the bit shuffle of Blosc1 chunks, which left a block alone when its number of items was not a multiple of 8.
///
/// # Panics
/// When `typesize` is 0 or the two lengths differ.
pub fn bitunshuffle_blosc1(typesize: usize, src: &[u8], dst: &mut [u8]) {
    if (src.len() / typesize).is_multiple_of(8) {
        bitunshuffle(typesize, src, dst);
    } else {
        copy(src, dst);
    }
}

/// [`bitshuffle`] with the kernel of a level, or a lower one where the machine lacks it.
///
/// # Panics
/// As [`bitshuffle`].
pub fn bitshuffle_at(level: Simd, typesize: usize, src: &[u8], dst: &mut [u8]) {
    let whole = copy_tail(typesize, src, dst);
    let (src, dst) = (&src[..whole], &mut dst[..whole]);
    kernel(level).bitshuffle(level, typesize, src, dst);
}

/// [`bitunshuffle`] with the kernel of a level, or a lower one where the machine lacks it.
///
/// # Panics
/// As [`bitunshuffle`].
pub fn bitunshuffle_at(level: Simd, typesize: usize, src: &[u8], dst: &mut [u8]) {
    let whole = copy_tail(typesize, src, dst);
    let (src, dst) = (&src[..whole], &mut dst[..whole]);
    kernel(level).bitunshuffle(level, typesize, src, dst);
}

/// The kernel of a level, as far as the machine goes.
fn kernel(level: Simd) -> &'static Kernel {
    match level.min(cpu::detected()) {
        #[cfg(target_arch = "x86_64")]
        Simd::Sse2 => &sse2::KERNEL,
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => &avx2::KERNEL,
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => &avx512::KERNEL,
        _ => &portable::KERNEL,
    }
}

/// Copies the bytes after the last group of eight items; gives the number of bytes before.
fn copy_tail(typesize: usize, src: &[u8], dst: &mut [u8]) -> usize {
    assert!(typesize > 0, "an item has at least one byte");
    assert_eq!(src.len(), dst.len(), "a block keeps its length");
    let whole = src.len() - src.len() % (8 * typesize);
    dst[whole..].copy_from_slice(&src[whole..]);
    whole
}

#[cfg(test)]
mod tests;
