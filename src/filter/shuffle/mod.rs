//! Byte shuffle: all first bytes of the items, then all second bytes, and so on.
//!
//! A block of `n` items of `typesize` bytes is a matrix of bytes; shuffling transposes it. Bytes after the last whole
//! item stay where they are. [`scalar`] is the definition.

pub mod scalar;

use crate::base::cpu::{self, Simd};

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
pub fn unshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    unshuffle_at(cpu::simd(), typesize, src, dst);
}

/// [`shuffle`] with the kernel of a level, or with a lower one where the machine lacks it.
///
/// # Panics
/// As [`shuffle`].
pub fn shuffle_at(_level: Simd, typesize: usize, src: &[u8], dst: &mut [u8]) {
    if let Some(items) = whole_items(typesize, src, dst) {
        scalar::shuffle(typesize, &src[..items], &mut dst[..items]);
    }
}

/// [`unshuffle`] with the kernel of a level, or with a lower one where the machine lacks it.
///
/// # Panics
/// As [`unshuffle`].
pub fn unshuffle_at(_level: Simd, typesize: usize, src: &[u8], dst: &mut [u8]) {
    if let Some(items) = whole_items(typesize, src, dst) {
        scalar::unshuffle(typesize, &src[..items], &mut dst[..items]);
    }
}

/// Copies what no kernel needs to look at: the bytes after the last whole item, and everything when the matrix has
/// only one row or column. Gives the number of bytes in whole items, or `None` when nothing is left to do.
fn whole_items(typesize: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    assert!(typesize > 0, "an item has at least one byte");
    assert_eq!(src.len(), dst.len(), "a block keeps its length");
    let items = src.len() - src.len() % typesize;
    if typesize == 1 || items <= typesize {
        dst.copy_from_slice(src);
        return None;
    }
    dst[items..].copy_from_slice(&src[items..]);
    Some(items)
}

#[cfg(test)]
mod tests;
