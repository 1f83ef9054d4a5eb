//! Matches from among the last places with the same four bytes, as [`rows`] have them.

use super::WINDOW;
use super::finder::{Finder, Match, SHORTEST};
use crate::codec::rows::{self, Places};
use crate::codec::words::{WORD, equal, word};
use std::ops::Range;

/// Those of one block.
pub(super) type Rows = rows::Rows<{ 1 << 10 }>;

/// How hard to look.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// So many places are tried that have the same eight bytes, and as many others.
    pub places: u32,
    /// A match that is as long will do.
    pub enough: usize,
    /// Of what a longer match covers, so many last places are remembered, and some of those before.
    pub covered: usize,
}

/// Finds the longest match among places that are tried; of several, the nearest.
pub(super) struct Longest<'a> {
    rows: &'a mut Rows,
    effort: Effort,
}

impl<'a> Longest<'a> {
    /// For a block of `len` bytes, in which is looked so hard.
    pub fn new(rows: &'a mut Rows, len: usize, effort: Effort) -> Self {
        rows.forget(len);
        Longest { rows, effort }
    }
}

impl Finder for Longest<'_> {
    #[inline(always)]
    fn find(&mut self, src: &[u8], at: usize) -> Option<Match> {
        if at + WORD > src.len() {
            return None;
        }
        let here = word(src, at);
        let hash = self.rows.hash(here);
        let places = self.rows.places(hash);
        let four = places.alike();
        let mut found = None;
        if four != 0 {
            let eight = four & places.alike_behind();
            let look = Look { src, at, here, places, effort: self.effort };
            found = look.among_long(eight).or_else(|| look.among_short(four));
        }
        self.rows.put(hash, at);
        found
    }

    fn cover(&mut self, src: &[u8], range: Range<usize>, back: usize) {
        self.rows.cover(src, range, back, self.effort.covered);
    }

    fn remember(&mut self, src: &[u8], range: Range<usize>) {
        self.rows.remember(src, range);
    }
}

/// A look at the places in a row.
struct Look<'a> {
    src: &'a [u8],
    at: usize,
    /// The word there.
    here: u64,
    places: Places<'a>,
    effort: Effort,
}

impl Look<'_> {
    /// Among places that probably have the same eight bytes: a match that does.
    #[inline(always)]
    fn among_long(&self, places: u32) -> Option<Match> {
        let (src, at) = (self.src, self.at);
        let mut found = Match { len: 0, back: 0 };
        // Something longer than what is found has this word, too, so far behind its beginning.
        let (mut behind, mut end) = (0, self.here);
        for back in self.backs(places) {
            let from = at - back;
            if word(src, from + behind) != end || word(src, from) != self.here {
                continue;
            }
            let len = self.reach(from);
            if len <= found.len {
                continue;
            }
            found = Match { len, back };
            behind = len + 1 - WORD;
            // It may end where `src` does.
            match src[at + behind..].first_chunk() {
                Some(bytes) if len < self.effort.enough => end = u64::from_le_bytes(*bytes),
                _ => break,
            }
        }
        (found.len > 0).then_some(found)
    }

    /// Among places that have less than eight.
    #[inline(always)]
    fn among_short(&self, places: u32) -> Option<Match> {
        let (mut best, mut found) = (SHORTEST - 1, None);
        for back in self.backs(places) {
            let differ = word(self.src, self.at - back) ^ self.here;
            let len = (differ.trailing_zeros() / 8) as usize;
            if len > best {
                (best, found) = (len, Some(Match { len, back }));
                if len + 1 >= WORD {
                    break;
                }
            }
        }
        found
    }

    /// How far back places are, from the last on, as many as are worth it.
    #[inline(always)]
    fn backs(&self, mut places: u32) -> impl Iterator<Item = usize> {
        let mut left = self.effort.places;
        std::iter::from_fn(move || {
            if places == 0 || left == 0 {
                return None;
            }
            let back = self.places.back(places.trailing_zeros(), self.at);
            places &= places - 1;
            left -= 1;
            // Those behind are farther.
            (back.wrapping_sub(1) < WINDOW && back <= self.at).then_some(back)
        })
    }

    /// How many bytes at `from` are those that stand here: a word at least.
    #[inline(always)]
    fn reach(&self, from: usize) -> usize {
        let behind = &self.src[self.at + WORD..];
        WORD + equal(&self.src[from + WORD..][..behind.len()], behind)
    }
}

#[cfg(test)]
mod tests;
