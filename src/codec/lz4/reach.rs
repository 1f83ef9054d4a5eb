//! How far matches reach, told by words.

use super::encode::Reach;
use crate::codec::blosclz::bytes::{equal, word};
use std::hint::black_box;

/// Words of which most matches are told apart in the first.
const STEP: usize = 24;

/// How many bytes at `from` and at `at` are equal: few mostly. What has to wait for it waits for one word where that is so.
#[inline(always)]
fn by_words(src: &[u8], from: usize, at: usize) -> usize {
    let [a, b] = [from, at].map(|at| src.get(at..).and_then(|src| src.first_chunk::<STEP>()));
    if let (Some(a), Some(b)) = (a, b) {
        let equal = |i| ((word(a, i) ^ word(b, i)).trailing_zeros() / 8) as usize;
        let first = equal(0);
        if first < 8 {
            return first;
        }
        // Eight equal bytes mean that the next eight count.
        let (second, third) = (equal(8), equal(16));
        let more = second + (second >> 3) * third;
        if more < STEP - 8 {
            return 8 + more;
        }
    }
    far(src, from, at)
}

/// As many bytes as there may be.
#[inline(never)]
pub(super) fn far(src: &[u8], from: usize, at: usize) -> usize {
    let left = src.len().saturating_sub(at);
    equal(&src[from..from + left], &src[at..at + left])
}

/// Matches of any length.
pub(super) struct ByWords;

impl Reach for ByWords {
    const EVENLY: bool = true;

    #[inline(always)]
    fn reach(&mut self, src: &[u8], from: usize, at: usize) -> usize {
        by_words(src, from, at)
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
    fn reach(&mut self, src: &[u8], from: usize, at: usize) -> usize {
        let len = by_words(src, from, at);
        if len == self.last {
            // Else the compiler sees that both are the same, and takes the one that has to be waited for.
            return black_box(self.last);
        }
        self.last = len;
        len
    }
}
