//! Less than a tile of narrow items, with AVX-512: a tile whose other items are masked out, so that nothing around the
//! items is touched.
#![allow(unsafe_code)] // masked loads and stores
#![allow(clippy::needless_range_loop)] // registers go by number

use super::TILE;
use super::registers::{first, table, transpose};
use super::runs::PERMUTES;
use crate::base::cpu::{self, Simd};
use crate::filter::shuffle::sse2::lanes::unroll;
use crate::filter::shuffle::tiles::{Items, Sources};
use std::arch::x86_64::*;
use std::ops::Range;

/// Unshuffles fewer than a tile of items of `2 * G` bytes, on a machine that has what it takes.
pub fn unshuffle<const G: usize>(src: Sources<'_>, dst: Items<&mut [u8]>, items: Range<usize>) {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions.
    unsafe { merge::<G>(src, dst, items) }
}

/// [`unshuffle`].
///
/// # Panics
/// When the items are more than a tile or of another length, or `src` or `dst` does not hold them.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn merge<const G: usize>(src: Sources<'_>, dst: Items<&mut [u8]>, items: Range<usize>) {
    let typesize = 2 * G;
    let bytes = &mut dst.bytes[items.start * typesize..items.end * typesize];
    assert!(dst.typesize == typesize && items.len() <= TILE && src.hold(typesize, items.end));
    let permutes = &PERMUTES[typesize].back;
    let (even, odd) = (table(&permutes[0]), table(&permutes[1]));
    let mask = first(items.len());
    let stream = |j: usize| {
        // SAFETY: as asserted, every stream holds the items.
        unsafe { _mm512_maskz_loadu_epi8(mask, src.stream(j)[items.start..].as_ptr().cast()) }
    };
    let (mut a, mut b) = ([_mm512_setzero_si512(); G], [_mm512_setzero_si512(); G]);
    for j in 0..G {
        a[j] = stream(j);
        b[j] = stream(G + j);
    }
    let (a, b) = (transpose::<G, G>(a), transpose::<G, G>(b));
    let mut put = |at: usize, x: __m512i| {
        let mask = first(bytes.len().saturating_sub(at));
        // SAFETY: the mask is of bytes that are there.
        unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().wrapping_add(at).cast(), mask, x) };
    };
    unroll!(r < G, {
        put(128 * r, _mm512_permutex2var_epi8(a[r], even, b[r]));
        put(128 * r + 64, _mm512_permutex2var_epi8(a[r], odd, b[r]));
    });
}
