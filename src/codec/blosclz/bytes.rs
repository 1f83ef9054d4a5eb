//! What tells whether two places in a stream are alike, and how far.

#[cfg(target_arch = "x86_64")]
use super::sse2::{LANES, agree};
use crate::base::cpu::{self, Simd};
#[cfg(target_arch = "x86_64")]
use crate::codec::words::avx512;
use crate::codec::words::{equal, word};

/// So many bytes of a word tell whether a match may begin there.
pub(super) const TELLING: usize = 7;

/// A hash of the first [`TELLING`] bytes of a word, best in its highest bits.
#[inline(always)]
pub(super) fn hash_of_seven(word: u64) -> u64 {
    (word << (64 - 8 * TELLING)).wrapping_mul(0x9e37_79b1_85eb_ca87)
}

/// Whether two words that differ by `differ` are equal in their first [`TELLING`] bytes.
#[inline(always)]
pub(super) fn tells(differ: u64) -> bool {
    differ << (64 - 8 * TELLING) == 0
}

/// Whether the first [`TELLING`] bytes of a word are all the same, and the last has no bit that those have not: with zeros, which
/// small numbers are filled up with, it takes eight to be more than a part of an item.
#[inline(always)]
pub(super) fn uniform(word: u64) -> bool {
    let same = (word ^ word >> 8) << (64 - 8 * (TELLING - 1)) == 0;
    same & (word >> (8 * TELLING) & !word == 0)
}

/// [`common`] for places whose words differ by `differ`, but not in the first [`TELLING`] bytes.
#[inline(always)]
pub(super) fn reach(src: &[u8], from: usize, at: usize, differ: u64) -> usize {
    if differ != 0 { TELLING } else { 8 + common(src, from + 8, at + 8) }
}

/// How many bytes at `from` and at `at` are equal; `from` is less. The last byte of `src` does not count: it is always
/// a literal.
#[inline(always)]
pub(super) fn common(src: &[u8], from: usize, at: usize) -> usize {
    // Most answers are small: found without a branch that depends on the answer.
    if let (Some(a), Some(b)) = (src[from..].first_chunk::<STEP>(), src[at..].first_chunk::<{ STEP + 1 }>()) {
        let len = common_in_step(a, b);
        return if len < STEP { len } else { STEP + common_far(src, from + STEP, at + STEP) };
    }
    common_far(src, from, at)
}

/// So many bytes are compared at once.
const STEP: usize = 24;

#[inline(always)]
fn common_in_step(a: &[u8; STEP], b: &[u8; STEP + 1]) -> usize {
    let equal = |i| ((word(a, i) ^ word(b, i)).trailing_zeros() / 8) as usize;
    let (first, second, third) = (equal(0), equal(8), equal(16));
    // Eight equal bytes mean that the next eight count.
    first + (first >> 3) * (second + (second >> 3) * third)
}

/// [`common`], where many answers are not small.
#[inline(always)]
pub(super) fn common_any(src: &[u8], from: usize, at: usize) -> usize {
    // One branch tells very long ones from others.
    #[cfg(target_arch = "x86_64")]
    if let (Some(a), Some([b @ .., _])) =
        (src[from..].first_chunk(), src[at..].first_chunk::<{ LANES + 1 }>())
    {
        let len = agree(a, b);
        return if len < LANES { len } else { LANES + common_far(src, from + LANES, at + LANES) };
    }
    common(src, from, at)
}

#[inline(never)]
fn common_far(src: &[u8], from: usize, at: usize) -> usize {
    let left = src.len().saturating_sub(1 + at);
    let (a, b) = (&src[from..from + left], &src[at..at + left]);
    match cpu::simd() {
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => avx512::equal(a, b),
        _ => equal(a, b),
    }
}

/// How many bytes at `at` are what the one before is; as [`common`].
#[inline(always)]
pub(super) fn common_run(src: &[u8], at: usize) -> usize {
    // One branch tells long ones from others: how long one is, nobody foresees.
    #[cfg(target_arch = "x86_64")]
    if let Some([byte, bytes @ .., _]) = src[at - 1..].first_chunk::<{ 1 + LANES + 1 }>() {
        let len = agree(bytes, &[*byte; LANES]);
        return if len < LANES { len } else { LANES + common_far(src, at - 1 + LANES, at + LANES) };
    }
    common(src, at - 1, at)
}

/// How many bytes just before `from` and just before `at` are equal, 8 at most; `from` is less.
#[inline(always)]
pub(super) fn common_before(src: &[u8], from: usize, at: usize) -> usize {
    if from < 8 {
        return src[..from].iter().rev().zip(src[..at].iter().rev()).take_while(|(x, y)| x == y).count();
    }
    ((word(src, from - 8) ^ word(src, at - 8)).leading_zeros() / 8) as usize
}

#[cfg(test)]
mod tests;
