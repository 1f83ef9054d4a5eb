//! Matches for a place of a stream, and those that begin before it and reach farther than one that is there.

use crate::codec::lz4::encode::LEAST;
use crate::codec::rows::{self, Hash, Places};
use crate::codec::words::{WORD, equal, word};

/// As many places as a window has.
pub(super) type Rows = rows::Rows<{ 1 << 11 }>;

/// Of what a longer match covers, so many last places are remembered, and some of those before.
const COVERED: usize = 256;

/// A stretch of bytes that stands farther back, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    pub at: usize,
    /// [`LEAST`] at least.
    pub len: usize,
    /// Less than 2^16.
    pub back: usize,
}

impl Match {
    pub fn end(&self) -> usize {
        self.at + self.len
    }

    /// What of it is not before a place.
    pub fn from(self, at: usize) -> Self {
        Match { at, len: self.end() - at, ..self }
    }

    /// What of it is before a place.
    pub fn until(self, end: usize) -> Self {
        Match { len: end - self.at, ..self }
    }
}

/// How many places are tried.
#[derive(Clone, Copy)]
pub(super) struct Tries {
    /// Mostly, and at most.
    pub most: u32,
    /// In a run of one byte, where each of them is in a run, too, and most differ only in how much of it is left.
    pub in_run: u32,
}

impl Tries {
    #[inline(always)]
    fn at(self, here: u64) -> u32 {
        if here == here.rotate_left(u8::BITS) { self.in_run } else { self.most }
    }
}

/// A search through one stream.
pub(super) struct Search<'a> {
    rows: &'a mut Rows,
    tries: Tries,
    pub src: &'a [u8],
    /// Where matches end at the latest.
    end: usize,
    /// Places before that are remembered.
    known: usize,
    /// How far back the last match was that was found.
    back: usize,
}

impl<'a> Search<'a> {
    pub fn new(rows: &'a mut Rows, tries: Tries, src: &'a [u8]) -> Self {
        rows.forget(src.len());
        Search { rows, tries, src, end: 0, known: 0, back: 0 }
    }

    /// Goes on at `begin`, for matches that end at `end` at the latest. What lies between is not remembered.
    pub fn go_on(&mut self, begin: usize, end: usize) {
        (self.known, self.end) = (begin, end);
    }

    /// Remembers the places before `end` that are not, as far as matches reach.
    pub fn remember(&mut self, end: usize) {
        if self.known < end {
            let window = end.saturating_sub(usize::from(u16::MAX));
            self.rows.remember(self.src, self.known.max(window)..end);
            self.known = end;
        }
    }

    /// Remembers places before `end`, which matches covered.
    pub fn cover(&mut self, end: usize) {
        if self.known < end {
            self.rows.cover(self.src, self.known..end, self.back, COVERED);
            self.known = end;
        }
    }

    /// Whether a match may begin at `at`: a word is looked at, all of which one may have.
    pub fn is_place(&self, at: usize) -> bool {
        at + WORD <= self.end
    }

    /// The longest match that begins at `at`.
    #[inline(always)]
    pub fn longest(&mut self, at: usize) -> Option<Match> {
        self.wider(at, at, LEAST - 1)
    }

    /// A longer match than `held`, which begins with it or behind, and has those of its last bytes.
    #[inline(always)]
    pub fn longer(&mut self, held: Match, last: usize) -> Option<Match> {
        // What is found may be written from there on.
        if !self.is_place(held.end()) {
            return None;
        }
        let at = held.end() - last;
        self.cover(at);
        self.wider(held.at, at, held.len)
    }

    /// The longest match that has the bytes at `at`, begins at `low` at the earliest, and is longer than `len`; of several, the
    /// nearest.
    #[inline(always)]
    fn wider(&mut self, low: usize, at: usize, len: usize) -> Option<Match> {
        let here = word(self.src, at);
        let hash = self.rows.hash(here);
        let places = self.rows.places(hash);
        let alike = places.alike();
        let found = if alike == 0 {
            None
        } else {
            let tries = self.tries.at(here);
            let look = Look { src: self.src, end: self.end, low, at, here, places, tries };
            look.among(alike, len)
        };
        self.put(hash, at);
        if let Some(Match { back, .. }) = found {
            self.back = back;
        }
        found
    }

    #[inline(always)]
    fn put(&mut self, hash: Hash, at: usize) {
        if at >= self.known {
            self.rows.put(hash, at);
            self.known = at + 1;
        }
    }
}

/// A look at places that have the same four bytes.
struct Look<'a> {
    src: &'a [u8],
    end: usize,
    low: usize,
    at: usize,
    /// The word there.
    here: u64,
    places: Places<'a>,
    tries: u32,
}

impl Look<'_> {
    /// The longest match among places, if it is longer than `len`.
    #[inline(always)]
    fn among(&self, mut places: u32, mut len: usize) -> Option<Match> {
        let (src, at) = (self.src, self.at);
        let (most_before, before) = self.before();
        let mut found = None;
        // The last word of what is longer than the longest so far, where that is all behind `at`.
        let mut last = self.last(len, &mut places)?;
        for _ in 0..self.tries {
            if places == 0 {
                break;
            }
            let back = self.places.back(places.trailing_zeros(), at);
            places &= places - 1;
            if !(1..=at).contains(&back) {
                continue;
            }
            let from = at - back;
            if let Some((at, last)) = last
                && word(src, at - back) != last
            {
                continue;
            }
            // How many bytes are equal, as far as two words tell.
            let behind = equal_at_begin(word(src, from) ^ self.here);
            if behind < LEAST {
                continue;
            }
            let ahead = match from.checked_sub(WORD) {
                Some(ahead) => equal_at_end(word(src, ahead) ^ before).min(most_before),
                None => WORD,
            };
            if (ahead + behind <= len) & (ahead < WORD) & (behind < WORD) {
                continue;
            }
            let matched = self.whole(back, ahead, behind);
            if matched.len > len {
                (len, found) = (matched.len, Some(matched));
                match self.last(len, &mut places) {
                    Some(next) => last = next,
                    None => break,
                }
            }
        }
        found
    }

    /// The word before `at`, and how many bytes of it a match may have.
    #[inline(always)]
    fn before(&self) -> (usize, u64) {
        match self.at.checked_sub(WORD) {
            Some(before) => (self.at - self.low, word(self.src, before)),
            None => (0, 0),
        }
    }

    /// Where the last word is that a match longer than `len` has, and which, if all of it is behind `at`: then of the places, those
    /// remain that are alike behind, too. `None` when no match is longer.
    #[inline(always)]
    fn last(&self, len: usize, places: &mut u32) -> Option<Option<(usize, u64)>> {
        let end = self.low + len + 1;
        if end < self.at + WORD {
            return Some(None);
        }
        if end > self.end {
            return None;
        }
        *places &= self.places.alike_behind();
        Some(Some((end - WORD, word(self.src, end - WORD))))
    }

    /// The match that is so far back, of which so many bytes ahead of `at` and behind are known, and a word means more.
    #[inline(always)]
    fn whole(&self, back: usize, ahead: usize, behind: usize) -> Match {
        let (src, at) = (self.src, self.at);
        let behind = if behind < WORD {
            behind
        } else {
            let rest = &src[at + WORD..self.end];
            WORD + equal(&src[at + WORD - back..][..rest.len()], rest)
        };
        let ahead = if ahead < WORD && at - back >= WORD {
            ahead
        } else {
            equal_before(&src[self.low..at], &src[..at - back])
        };
        Match { at: at - ahead, len: ahead + behind, back }
    }
}

/// How many bytes at its beginning are equal in two words that differ by that.
#[inline(always)]
fn equal_at_begin(differ: u64) -> usize {
    (differ.trailing_zeros() / 8) as usize
}

/// The same, at the end.
#[inline(always)]
fn equal_at_end(differ: u64) -> usize {
    (differ.leading_zeros() / 8) as usize
}

/// How many bytes at the end of both are equal.
#[inline(never)]
fn equal_before(a: &[u8], b: &[u8]) -> usize {
    let mut len = 0;
    for (x, y) in a.rchunks_exact(WORD).zip(b.rchunks_exact(WORD)) {
        let differ = word(x, 0) ^ word(y, 0);
        if differ != 0 {
            return len + equal_at_end(differ);
        }
        len += WORD;
    }
    let rest = a[..a.len() - len].iter().rev().zip(b[..b.len() - len].iter().rev());
    len + rest.take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests;
