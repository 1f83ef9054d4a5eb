//! The definition of the byte shuffle, and the kernel where there is no wide one.

use super::tiles::{Items, Sources, Streams};
use std::ops::Range;

/// Shuffles some items.
pub fn shuffle_items(src: Items<&[u8]>, dst: Streams<&mut [u8]>, items: Range<usize>) {
    let Items { bytes: src, typesize, columns } = src;
    match (typesize, columns) {
        (2, 2) => shuffle_fixed::<2>(src, dst, items),
        (4, 4) => shuffle_fixed::<4>(src, dst, items),
        (8, 8) => shuffle_fixed::<8>(src, dst, items),
        (16, 16) => shuffle_fixed::<16>(src, dst, items),
        _ if columns == typesize => {
            let src = &src[items.start * typesize..items.end * typesize];
            for j in 0..typesize {
                let stream = &mut dst.bytes[j * dst.stride..][items.clone()];
                for (item, out) in src.chunks_exact(typesize).zip(stream) {
                    *out = item[j];
                }
            }
        }
        _ => {
            for j in 0..columns {
                let stream = &mut dst.bytes[j * dst.stride..][items.clone()];
                for (byte, out) in src.iter().skip(items.start * typesize + j).step_by(typesize).zip(stream) {
                    *out = *byte;
                }
            }
        }
    }
}

/// Undoes [`shuffle_items`].
pub fn unshuffle_items(src: Sources<'_>, dst: Items<&mut [u8]>, items: Range<usize>) {
    let Items { bytes: dst, typesize, columns } = dst;
    match (typesize, columns) {
        (2, 2) => unshuffle_fixed::<2>(src, dst, items),
        (4, 4) => unshuffle_fixed::<4>(src, dst, items),
        (8, 8) => unshuffle_fixed::<8>(src, dst, items),
        (16, 16) => unshuffle_fixed::<16>(src, dst, items),
        _ if columns == typesize => {
            let dst = &mut dst[items.start * typesize..items.end * typesize];
            for j in 0..typesize {
                let stream = &src.stream(j)[items.clone()];
                for (item, byte) in dst.chunks_exact_mut(typesize).zip(stream) {
                    item[j] = *byte;
                }
            }
        }
        _ => {
            for j in 0..columns {
                let stream = &src.stream(j)[items.clone()];
                for (out, byte) in
                    dst.iter_mut().skip(items.start * typesize + j).step_by(typesize).zip(stream)
                {
                    *out = *byte;
                }
            }
        }
    }
}

/// As [`shuffle_items`], with a typesize that the compiler knows.
fn shuffle_fixed<const T: usize>(src: &[u8], dst: Streams<&mut [u8]>, items: Range<usize>) {
    for j in 0..T {
        let stream = &mut dst.bytes[j * dst.stride..][items.clone()];
        for (item, out) in src.as_chunks::<T>().0[items.clone()].iter().zip(stream) {
            *out = item[j];
        }
    }
}

/// As [`unshuffle_items`], with a typesize that the compiler knows.
fn unshuffle_fixed<const T: usize>(src: Sources<'_>, dst: &mut [u8], items: Range<usize>) {
    let streams: [&[u8]; T] = std::array::from_fn(|j| &src.stream(j)[items.clone()]);
    for (i, item) in dst.as_chunks_mut::<T>().0[items].iter_mut().enumerate() {
        *item = std::array::from_fn(|j| streams[j][i]);
    }
}
