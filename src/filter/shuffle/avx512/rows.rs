//! Items that are unshuffled to rows, each of a tile at least, with AVX-512.
#![allow(unsafe_code)] // loads and stores

use super::{TILE, merge_columns};
use crate::base::cpu::{self, Simd};
use crate::base::scatter::Row;
use crate::filter::shuffle::tiles::Items;

/// Unshuffles items of `N` bytes, which is `2 * G`, on a machine that has what it takes.
pub fn unshuffle<const N: usize, const G: usize>(streams: &[&[u8]], rows: &mut [Row<'_>]) {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions.
    unsafe { merge::<N, G>(streams, rows) }
}

/// [`unshuffle`].
///
/// # Panics
/// When there are not `N` streams, or a row has less than a tile, no whole items, or others than the streams.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn merge<const N: usize, const G: usize>(streams: &[&[u8]], rows: &mut [Row<'_>]) {
    const { assert!(N == 2 * G) };
    let streams: &[&[u8]; N] = streams.try_into().expect("as many streams as an item has bytes");
    let len = streams.iter().map(|stream| stream.len()).min().unwrap_or(0);
    for Row { at, bytes } in rows {
        let (first, n) = (*at / N, bytes.len() / N);
        assert!(*at % N == 0 && bytes.len() % N == 0, "a row is whole items");
        assert!(n >= TILE && n <= len && first <= len - n);
        let to = Items::whole(bytes.as_mut_ptr(), N);
        let from = |j: usize, item| streams[j].as_ptr().wrapping_add(first + item);
        let mut done = 0;
        while done < n {
            // The last tile may overlap the one before.
            let start = done.min(n - TILE);
            done = start + TILE;
            // SAFETY: as asserted, each stream has the row's items, from its first one on, and the row has place for them.
            unsafe { merge_columns::<G, G, false>(from, to, start..done) };
        }
    }
}
