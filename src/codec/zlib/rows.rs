//! The last places where four bytes stood, in rows by a hash of them.
//!
//! What a chain of places takes longest for is to follow it: each says only where the next one is. In a row they lie side by
//! side, and so do tags that tell beforehand which of them are worth a look: those with the same four bytes, and those with the
//! same eight.

#[cfg(target_arch = "x86_64")]
mod sse2;

use super::WINDOW;
use super::finder::{Finder, Match, SHORTEST, WORD, for_each_word};
use crate::codec::blosclz::bytes::{equal, word};
use std::ops::Range;

/// Places in a row.
const PLACES: usize = 32;
/// As a power of two, the most rows; short blocks have fewer, which are sooner emptied.
const MOST_BITS: u32 = 10;
const ROWS: usize = 1 << MOST_BITS;
/// How hard to look.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// So many places are tried that have the same eight bytes, and as many others.
    pub places: u32,
    /// A match that is as long will do.
    pub enough: usize,
    /// Of what a longer match covers, only so many places are remembered, the last ones.
    pub covered: usize,
}

/// Places whose bytes have, with few exceptions, hashes that begin alike.
#[derive(Clone)]
#[repr(align(64))] // tags in one line of the cache, places in the next
struct Row {
    /// Of each, the rest of the hash.
    four: [u8; PLACES],
    /// A hash of the four bytes behind those.
    eight: [u8; PLACES],
    /// Modulo 2^16. What was never set stands for the first place: what is found is compared.
    places: [u16; PLACES],
}

const EMPTY: Row = Row { four: [0; PLACES], eight: [0; PLACES], places: [0; PLACES] };

/// A row's number, and a place's tags in it.
#[derive(Clone, Copy)]
struct Hash {
    row: usize,
    four: u8,
    eight: u8,
}

/// The rows of one block.
pub(super) struct Rows {
    rows: Box<[Row; ROWS]>,
    /// In each row, where the last place is; those before it are behind it, and around.
    last: Box<[u8; ROWS]>,
    /// How far the first hash is shifted to be a row's number.
    shift: u32,
}

impl Default for Rows {
    fn default() -> Self {
        let rows =
            vec![EMPTY; ROWS].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("as many"));
        Rows { rows, last: Box::new([0; ROWS]), shift: 0 }
    }
}

impl Rows {
    /// Forgets all places, before a block of `len` bytes, in which is looked so hard.
    pub fn finder(&mut self, len: usize, effort: Effort) -> Longest<'_> {
        let bits = MOST_BITS.min((len / PLACES).max(2).ilog2() + 1);
        self.shift = u32::BITS - bits;
        // All of them: a place of another block may be one of this, and the stream shall be the same after whatever else.
        self.rows[..1 << bits].fill(EMPTY);
        self.last[..1 << bits].fill(0);
        Longest { rows: self, effort }
    }

    #[inline(always)]
    fn hash(&self, word: u64) -> Hash {
        let [four, behind] = [word as u32, (word >> 32) as u32].map(|half| half.wrapping_mul(0x9e37_79b1));
        let row = (four >> self.shift) as usize % ROWS;
        Hash {
            row,
            four: (four >> (self.shift - u8::BITS)) as u8,
            eight: (behind >> (u32::BITS - u8::BITS)) as u8,
        }
    }

    /// Remembers a place, and forgets the first of its row.
    #[inline(always)]
    fn put(&mut self, hash: Hash, at: usize) {
        let last = &mut self.last[hash.row];
        *last = last.wrapping_sub(1) % PLACES as u8;
        let (row, last) = (&mut self.rows[hash.row], usize::from(*last));
        row.four[last] = hash.four;
        row.eight[last] = hash.eight;
        row.places[last] = at as u16;
    }
}

/// Finds the longest match among places that are tried; of several, the nearest.
pub(super) struct Longest<'a> {
    rows: &'a mut Rows,
    effort: Effort,
}

impl Finder for Longest<'_> {
    #[inline(always)]
    fn find(&mut self, src: &[u8], at: usize) -> Option<Match> {
        if at + WORD > src.len() {
            return None;
        }
        let here = word(src, at);
        let hash = self.rows.hash(here);
        let row = &self.rows.rows[hash.row];
        // Bits are places, the last one lowest.
        let last = self.rows.last[hash.row];
        let four = equal_tags(&row.four, hash.four).rotate_right(u32::from(last));
        let mut found = None;
        if four != 0 {
            let eight = four & equal_tags(&row.eight, hash.eight).rotate_right(u32::from(last));
            let look = Look { src, at, here, row, last, effort: self.effort };
            found = look.among_long(eight).or_else(|| look.among_short(four));
        }
        self.rows.put(hash, at);
        found
    }

    fn cover(&mut self, src: &[u8], range: Range<usize>) {
        self.remember(src, range.start.max(range.end.saturating_sub(self.effort.covered))..range.end);
    }

    fn remember(&mut self, src: &[u8], range: Range<usize>) {
        for_each_word(src, range, |word, at| {
            let hash = self.rows.hash(word);
            self.rows.put(hash, at);
        });
    }
}

/// A look at the places in a row.
struct Look<'a> {
    src: &'a [u8],
    at: usize,
    /// The word there.
    here: u64,
    row: &'a Row,
    last: u8,
    effort: Effort,
}

impl Look<'_> {
    /// Among places that probably have the same eight bytes: a match that does.
    #[inline(always)]
    fn among_long(&self, places: u32) -> Option<Match> {
        let (src, at) = (self.src, self.at);
        let mut found = None::<Match>;
        for back in self.backs(places) {
            let from = at - back;
            let mut differ = word(src, from) ^ self.here;
            if let Some(Match { len: best @ WORD.., .. }) = found {
                // It ends at the end of `src`, or something longer has these bytes.
                let Some(end) = src[at..].get(best + 1 - WORD..=best) else { break };
                differ |= word(src, from + best + 1 - WORD) ^ word(end, 0);
                if differ != 0 {
                    continue;
                }
            }
            let len = if differ == 0 { self.reach(from) } else { (differ.trailing_zeros() / 8) as usize };
            if len >= WORD && found.is_none_or(|found| len > found.len) {
                found = Some(Match { len, back });
                if len >= self.effort.enough {
                    break;
                }
            }
        }
        found
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
            let place = self.row.places[(u32::from(self.last) + places.trailing_zeros()) as usize % PLACES];
            places &= places - 1;
            left -= 1;
            let back = usize::from((self.at as u16).wrapping_sub(place));
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

/// Which tags are equal to one: a bit for each.
#[inline(always)]
fn equal_tags(tags: &[u8; PLACES], tag: u8) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return sse2::equal_tags(tags, tag);
    #[cfg(not(target_arch = "x86_64"))]
    equal_tags_scalar(tags, tag)
}

/// The definition.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn equal_tags_scalar(tags: &[u8; PLACES], tag: u8) -> u32 {
    tags.iter().rev().fold(0, |bits, other| bits << 1 | u32::from(*other == tag))
}

#[cfg(test)]
mod tests;
