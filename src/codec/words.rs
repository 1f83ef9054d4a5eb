//! Words in a stream, and how far two places are alike.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;

use crate::base::cpu::{self, Simd};
use std::ops::Range;

/// Bytes that are looked at together.
pub(super) const WORD: usize = 8;
/// So many bytes are compared by words first: most are told apart there.
const SHORT: usize = 16;

/// The eight bytes at `at`.
#[inline(always)]
pub(super) fn word(src: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&src[at..at + 8]);
    u64::from_le_bytes(bytes)
}

/// The four bytes at `at`.
#[inline(always)]
pub(super) fn half(src: &[u8], at: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&src[at..at + 4]);
    u32::from_le_bytes(bytes)
}

/// The prime next to 2^32 over the golden ratio: liblz4's, for hashes of four bytes.
pub(super) const PRIME: u32 = 0x9e37_79b1;

/// Four bytes as a hash, of which the highest bits tell most.
#[inline(always)]
pub(super) fn spread(four: u32) -> u32 {
    four.wrapping_mul(PRIME)
}

/// How many bytes at the beginning of both slices, which are as long, are equal: few mostly, but maybe very many.
#[inline(always)]
pub(super) fn equal(a: &[u8], b: &[u8]) -> usize {
    let short = a.len().min(SHORT);
    match equal_words(&a[..short], &b[..short]) {
        len if len < short => len,
        _ => short + equal_many(&a[short..], &b[short..]),
    }
}

/// [`equal_words`], for long ones. Apart, since what it calls would keep the registers from those who seldom get here.
#[inline(never)]
fn equal_many(a: &[u8], b: &[u8]) -> usize {
    match cpu::simd() {
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => avx512::equal(a, b),
        _ => {
            let len = a.chunks_exact(32).zip(b.chunks_exact(32)).take_while(|(x, y)| x == y).count() * 32;
            len + equal_words(&a[len..], &b[len..])
        }
    }
}

/// How many bytes at the beginning of both slices, which are as long, are equal.
#[inline(always)]
fn equal_words(a: &[u8], b: &[u8]) -> usize {
    let mut len = 0;
    for (x, y) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        let differ = word(x, 0) ^ word(y, 0);
        if differ != 0 {
            return len + differ.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    len + a[len..].iter().zip(&b[len..]).take_while(|(x, y)| x == y).count()
}

/// Calls a function with all words in a range of `src`, and their places; at its end, none stands any more.
#[inline(always)]
pub(super) fn for_each_word(src: &[u8], range: Range<usize>, mut call: impl FnMut(u64, usize)) {
    let Some(words) = src[..src.len().min(range.end + WORD - 1)].get(range.start..) else { return };
    for (word, at) in words.array_windows::<WORD>().zip(range) {
        call(u64::from_le_bytes(*word), at);
    }
}

/// The same with every so many-th word.
#[inline(always)]
pub(super) fn for_some_words(
    src: &[u8],
    range: Range<usize>,
    apart: usize,
    mut call: impl FnMut(u64, usize),
) {
    for at in range.step_by(apart) {
        let Some(word) = src.get(at..).and_then(|src| src.first_chunk()) else { break };
        call(u64::from_le_bytes(*word), at);
    }
}

#[cfg(test)]
mod tests;
