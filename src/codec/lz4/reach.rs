//! How far matches reach, told by words.

use super::encode::{Reach, Reached};
use crate::codec::words::{WORD, equal, word};
use std::hint::black_box;

/// So many bytes are compared without a loop.
const STEP: usize = 24;
/// So many words behind those are compared one by one: mostly, they tell, and how many it takes is foreseen as well as can be.
const WORDS: usize = 16;

/// As many bytes as there may be: some words more, mostly.
#[inline(never)]
pub(super) fn far(src: &[u8], from: usize, at: usize) -> usize {
    let left = src.len().saturating_sub(at);
    let (a, b) = (&src[from..from + left], &src[at..at + left]);
    let mut len = 0;
    for (x, y) in a.chunks_exact(8).zip(b.chunks_exact(8)).take(WORDS) {
        let differ = word(x, 0) ^ word(y, 0);
        if differ != 0 {
            return len + (differ.trailing_zeros() / 8) as usize;
        }
        len += 8;
    }
    len + equal(&a[len..], &b[len..])
}

/// The word behind the first `len` bytes, which are less than a word.
#[inline(always)]
pub(super) fn within<const N: usize>(bytes: &[u8; N], len: usize) -> u64 {
    let bits = 8 * len;
    word(bytes, 0) >> bits | word(bytes, WORD) << 1 << (63 - bits)
}

/// Matches of any length, few bytes mostly. What has to wait for one waits for one word where that is so.
pub(super) struct ByWords;

impl Reach for ByWords {
    const EVENLY: bool = true;

    #[inline(always)]
    fn reach(&mut self, src: &[u8], from: usize, at: usize) -> Reached {
        // That `from` is less, the compiler does not know; as it stands, it leaves out to ask whether that much follows it.
        if let Some(b) = src.get(at..).and_then(|src| src.first_chunk::<STEP>())
            && from <= at
            && let Some(a) = src.get(from..).and_then(|src| src.first_chunk::<STEP>())
        {
            let equal = |i| ((word(a, i) ^ word(b, i)).trailing_zeros() / 8) as usize;
            let first = equal(0);
            if first < 8 {
                return Reached { len: first, behind: Some(within(b, first)) };
            }
            // Eight equal bytes mean that the next eight count.
            let (second, third) = (equal(8), equal(16));
            let more = second + (second >> 3) * third;
            if more < STEP - 8 {
                return Reached::to(8 + more);
            }
        }
        Reached::to(far(src, from, at))
    }
}

/// Matches that are mostly as long as the last one. What comes next does not wait to be told so: the processor guesses that the
/// branch is taken, and goes on with the length that it knows.
#[derive(Default)]
pub(super) struct Foreseen {
    last: usize,
}

impl Reach for Foreseen {
    const EVENLY: bool = false;

    #[inline(always)]
    fn reach(&mut self, src: &[u8], from: usize, at: usize) -> Reached {
        let Reached { len, .. } = ByWords.reach(src, from, at);
        if len == self.last {
            // Else the compiler sees that both are the same, and takes the one that has to be waited for.
            return Reached::to(black_box(self.last));
        }
        self.last = len;
        Reached::to(len)
    }
}
