//! The last places where four bytes stood, in rows by a hash of them.
//!
//! What a chain of places takes longest for is to follow it: each says only where the next one is. In a row they lie side by
//! side, and so do tags that tell beforehand which of them are worth a look: those with the same four bytes, and those with the
//! same eight.

#[cfg(target_arch = "x86_64")]
mod sse2;

use super::words::{for_each_word, for_some_words, spread};
use std::ops::Range;

/// Of the places that a long match covers, one of so many is remembered, but for the last ones: so that what stands in the middle of
/// it is found again, where it goes on behind a byte that is not the same.
pub(super) const APART: usize = 32;
/// Places in a row.
pub(super) const PLACES: usize = 32;

/// Chunks that are long beside what is searched for matches in them.
const LONG: usize = 128 * 1024;

/// Bytes of rows, or of liblz4's chains, in which a chunk of `len` bytes was searched for matches, about, where it takes much longer
/// to search as many than to have the rows anew.
pub(super) fn state_len(len: usize) -> usize {
    if len >= LONG { 256 * 1024 } else { 0 }
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
pub(super) struct Hash {
    row: usize,
    four: u8,
    eight: u8,
}

/// The rows of one block: `MOST` of them, a power of two, fewer for short blocks, which are sooner emptied.
pub(super) struct Rows<const MOST: usize> {
    rows: Box<[Row; MOST]>,
    /// In each row, where the last place is; those before it are behind it, and around.
    last: Box<[u8; MOST]>,
    /// How far the first hash is shifted to be a row's number.
    shift: u32,
}

impl<const MOST: usize> Default for Rows<MOST> {
    fn default() -> Self {
        let rows =
            vec![EMPTY; MOST].into_boxed_slice().try_into().unwrap_or_else(|_| unreachable!("as many"));
        Rows { rows, last: Box::new([0; MOST]), shift: 0 }
    }
}

impl<const MOST: usize> Rows<MOST> {
    /// Forgets all places, before a block of `len` bytes.
    pub fn forget(&mut self, len: usize) {
        let bits = MOST.ilog2().min((len / PLACES).max(2).ilog2() + 1);
        self.shift = u32::BITS - bits;
        // All of them: a place of another block may be one of this, and the stream shall be the same after whatever else.
        self.rows[..1 << bits].fill(EMPTY);
        self.last[..1 << bits].fill(0);
    }

    #[inline(always)]
    pub fn hash(&self, word: u64) -> Hash {
        let [four, behind] = [word as u32, (word >> 32) as u32].map(spread);
        let row = (four >> self.shift) as usize % MOST;
        Hash {
            row,
            four: (four >> (self.shift - u8::BITS)) as u8,
            eight: (behind >> (u32::BITS - u8::BITS)) as u8,
        }
    }

    /// The places with a hash.
    #[inline(always)]
    pub fn places(&self, hash: Hash) -> Places<'_> {
        Places { row: &self.rows[hash.row], last: u32::from(self.last[hash.row]), hash }
    }

    /// Remembers a place, and forgets the first of its row.
    #[inline(always)]
    pub fn put(&mut self, hash: Hash, at: usize) {
        self.put_at(self.last[hash.row].wrapping_sub(1) % PLACES as u8, hash, at);
    }

    /// Remembers a place in that of its row, which is the last one then.
    #[inline(always)]
    fn put_at(&mut self, last: u8, hash: Hash, at: usize) {
        self.last[hash.row] = last;
        let (row, last) = (&mut self.rows[hash.row], usize::from(last) % PLACES);
        row.four[last] = hash.four;
        row.eight[last] = hash.eight;
        row.places[last] = at as u16;
    }

    /// Remembers all places in a range of `src`, but for those at its end.
    pub fn remember(&mut self, src: &[u8], range: Range<usize>) {
        if begins_with_run(src.get(range.start..).unwrap_or_default()) {
            return self.remember_run(src, range);
        }
        for_each_word(src, range, |word, at| {
            let hash = self.hash(word);
            self.put(hash, at);
        });
    }

    /// The same where bytes repeat. Most places go to one row: not each waits until it can be read where the one before it went.
    #[inline(never)]
    fn remember_run(&mut self, src: &[u8], range: Range<usize>) {
        let (mut row, mut last) = (usize::MAX, 0);
        for_each_word(src, range, |word, at| {
            let hash = self.hash(word);
            if hash.row != row {
                (row, last) = (hash.row, self.last[hash.row]);
            }
            last = last.wrapping_sub(1) % PLACES as u8;
            self.put_at(last, hash, at);
        });
    }

    /// Remembers places in a range of `src` that a match so far `back` covered: so many of the last, and of those before one in
    /// [`APART`], unless the last ones have all that there is, again and again.
    pub fn cover(&mut self, src: &[u8], range: Range<usize>, back: usize, last: usize) {
        let begin = range.start.max(range.end.saturating_sub(last));
        if back > last {
            for_some_words(src, range.start + APART..begin, APART, |word, at| {
                let hash = self.hash(word);
                self.put(hash, at);
            });
        }
        self.remember(src, begin..range.end);
    }
}

/// Those of a row that probably have the same four bytes. Where they are several, bits stand for them, the last place lowest.
pub(super) struct Places<'a> {
    row: &'a Row,
    last: u32,
    hash: Hash,
}

impl Places<'_> {
    /// Those that have the same four bytes, with few exceptions.
    #[inline(always)]
    pub fn alike(&self) -> u32 {
        equal_tags(&self.row.four, self.hash.four).rotate_right(self.last)
    }

    /// Those that have the same four bytes behind them, with few exceptions.
    #[inline(always)]
    pub fn alike_behind(&self) -> u32 {
        equal_tags(&self.row.eight, self.hash.eight).rotate_right(self.last)
    }

    /// How far before `at` the place of a bit is, modulo 2^16.
    #[inline(always)]
    pub fn back(&self, bit: u32, at: usize) -> usize {
        let place = self.row.places[(self.last + bit) as usize % PLACES];
        usize::from((at as u16).wrapping_sub(place))
    }
}

/// Whether the first eight bytes are the same.
#[inline(always)]
fn begins_with_run(src: &[u8]) -> bool {
    src.first_chunk().is_some_and(|bytes| {
        let word = u64::from_le_bytes(*bytes);
        word == word.rotate_left(u8::BITS)
    })
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
