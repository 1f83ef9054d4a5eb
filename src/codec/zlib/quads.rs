//! The last four places where four bytes stood, by a hash of them.
//!
//! Four fit a word, so that to remember one takes a load and a store, and no tags: where places are so few, they are as soon looked
//! at.

use super::WINDOW;
use super::finder::{Finder, Match, SHORTEST};
use crate::codec::rows::APART;
use crate::codec::words::{WORD, equal, for_each_word, for_some_words, spread, word};
use std::ops::Range;

/// As a power of two, the most quads; short blocks have fewer, which are sooner emptied.
const MOST_BITS: u32 = 14;
const QUADS: usize = 1 << MOST_BITS;
const PLACES: usize = 4;

/// What a thread keeps for it.
pub(super) struct Quads(Box<[u64; QUADS]>);

impl Default for Quads {
    fn default() -> Self {
        Quads(Box::new([0; QUADS]))
    }
}

impl Quads {
    /// What finds matches in a block of `len` bytes. `TRIED` places of a quad are tried. Of those that a match
    /// covers, all are remembered when it has no more than `short` bytes, else the last one and one in [`APART`].
    pub fn finder<const TRIED: usize>(&mut self, len: usize, short: usize) -> Nearest<'_, TRIED> {
        const { assert!(TRIED <= PLACES) };
        let bits = MOST_BITS.min((len / PLACES).max(2).ilog2() + 1);
        self.0[..1 << bits].fill(0);
        Nearest { quads: &mut self.0, shift: u32::BITS - bits, short }
    }
}

/// Finds the nearest match of eight bytes or more, else the longest.
pub(super) struct Nearest<'a, const TRIED: usize> {
    /// Places modulo 2^16, the last one lowest. What was never set stands for the first place: what is found is compared.
    quads: &'a mut [u64; QUADS],
    /// How far a hash is shifted to be a quad's number.
    shift: u32,
    short: usize,
}

impl<const TRIED: usize> Nearest<'_, TRIED> {
    /// Remembers a place where a word stands, and tells those where its first bytes stood before.
    #[inline(always)]
    fn put(&mut self, word: u64, at: usize) -> u64 {
        let hash = spread(word as u32) >> self.shift;
        let quad = &mut self.quads[hash as usize % QUADS];
        let before = *quad;
        *quad = before << u16::BITS | u64::from(at as u16);
        before
    }
}

impl<const TRIED: usize> Finder for Nearest<'_, TRIED> {
    #[inline(always)]
    fn find(&mut self, src: &[u8], at: usize) -> Option<Match> {
        if at + WORD > src.len() {
            return None;
        }
        let here = word(src, at);
        let mut quad = self.put(here, at);
        let mut best = Match { len: 0, back: 0 };
        for _ in 0..TRIED {
            let back = usize::from((at as u16).wrapping_sub(quad as u16));
            quad >>= u16::BITS;
            // Those behind are farther.
            if back.wrapping_sub(1) >= WINDOW || back > at {
                break;
            }
            let differ = word(src, at - back) ^ here;
            if differ == 0 {
                let behind = &src[at + WORD..];
                return Some(Match {
                    len: WORD + equal(&src[at + WORD - back..][..behind.len()], behind),
                    back,
                });
            }
            let len = (differ.trailing_zeros() / 8) as usize;
            if len > best.len {
                best = Match { len, back };
            }
        }
        (best.len >= SHORTEST).then_some(best)
    }

    #[inline(always)]
    fn cover(&mut self, src: &[u8], range: Range<usize>, back: usize) {
        if range.len() < self.short {
            self.remember(src, range);
        } else {
            let last = range.end.saturating_sub(1);
            if back > APART {
                for_some_words(src, range.start + APART..last, APART, |word, at| {
                    self.put(word, at);
                });
            }
            self.remember(src, last..range.end);
        }
    }

    #[inline(always)]
    fn remember(&mut self, src: &[u8], range: Range<usize>) {
        for_each_word(src, range, |word, at| {
            self.put(word, at);
        });
    }
}

#[cfg(test)]
mod tests;
