//! The matches of a stream: of those that begin at a place or soon after, the one that saves the most.

use super::super::noise::alike;
use super::super::sequences::{self, Distances};
use super::{ALL_LITERALS, LITERALS, MATCHES, MOST};
use crate::codec::words::{WORD, equal, spread, word};

/// Bytes of a match, at least.
const LEAST: usize = 3;
/// So far back is looked before all else, and more than that part of the bytes have to be the same there: so many of so many.
const ITEMS: [usize; 3] = [1, 4, 8];
const PART: (usize, usize) = (1, 3);
/// So many more matches, or literals, there may be at first than would come to as many as there may be.
const SOON_MATCHES: usize = 5;
const SOON: usize = 20;
/// So many places with the same hash are looked at.
const TRIES: usize = 8;
/// A match that is as long will do.
const ENOUGH: usize = 24;
/// What a match saves must be more than that, in quarters of a byte: three bytes do, not too far back.
const WORTH: i32 = 4;
/// So much more has to be saved by a match that begins a byte later, or two.
const LATER: [i32; 2] = [4, 7];
/// As a power of two, slots for hashes.
const BITS: u32 = 9;
/// Where nothing is found before that, little will be.
const LATE: usize = 32;

/// What is found in a stream.
pub(super) type Found = sequences::found::Found<ALL_LITERALS, MATCHES>;

/// Whether a stream repeats itself enough to be searched.
fn is_worth(src: &[u8]) -> bool {
    ITEMS.iter().any(|&back| alike(src, back) * PART.1 > src.len() * PART.0)
}

/// Whether `found` will have too many matches, if it goes on as up to `at`, of `len` bytes.
fn are_many(found: &Found, at: usize, len: usize) -> bool {
    found.sequences().len().saturating_sub(SOON_MATCHES) * len > MATCHES * at
}

/// Whether it will have too many literals, with those `literals`, if it goes on as up to `at`, of `len` bytes.
fn are_too_many(found: &Found, literals: usize, at: usize, len: usize) -> bool {
    let literals = found.literals().len() + literals;
    found.sequences().is_empty() && at > LATE || literals.saturating_sub(SOON) * len > LITERALS * at
}

/// Finds the matches of a stream of at most [`MOST`] bytes that repeats itself. `None` when there are no matches, or too many of them, or
/// of literals, of which there is room for so many.
#[inline(always)]
pub(super) fn find(src: &[u8], room: usize, found: &mut Found) -> Option<()> {
    if src.len() > MOST || !is_worth(src) {
        return None;
    }
    find_within(src, Some(room), found)?;
    (!found.sequences().is_empty() && found.literals().len() <= LITERALS).then_some(())
}

/// Finds the matches of a stream of at most [`ALL_LITERALS`] bytes. `None` when there are too many of them.
pub(super) fn find_few(src: &[u8], found: &mut Found) -> Option<()> {
    if src.len() <= ALL_LITERALS { find_within(src, None, found) } else { None }
}

/// Adds literals and matches to nothing, unless there will be too many, or more literals than there is room for, if that is said.
#[inline(never)]
fn find_within(src: &[u8], room: Option<usize>, found: &mut Found) -> Option<()> {
    let mut padded = [0; MOST + WORD];
    padded[..src.len()].copy_from_slice(src);
    let (last, before) = ([0; 1 << BITS], [0; MOST]);
    let mut places = Places { src: &padded, end: src.len(), last, before, known: 0 };
    let (mut anchor, mut at) = (0, 1);
    while at + LEAST <= src.len() {
        let literals = at - anchor;
        let too_many =
            |room| found.literals().len() + literals > room || are_too_many(found, literals, at, src.len());
        if are_many(found, at, src.len()) || room.is_some_and(too_many) {
            return None;
        }
        let Some(best) = places.best(at, anchor, found.distances()) else {
            at += 1;
            continue;
        };
        at = best.at + best.len;
        found.add(src, anchor, best.at..at, best.distance)?;
        anchor = at;
    }
    found.add_literals(src, anchor..src.len())
}

/// A stretch of bytes that stands farther back, too.
#[derive(Clone, Copy)]
struct Match {
    at: usize,
    len: usize,
    distance: usize,
    /// In quarters of a byte.
    saves: i32,
    /// What is the same in the words at both places of a better one.
    same: u64,
}

impl Match {
    /// A match at `at`, or none yet, beside which one is better that saves more.
    #[inline(always)]
    fn new(at: usize, len: usize, distance: usize, saves: i32) -> Self {
        let more = (saves as usize / 4).min(WORD - 1);
        Match { at, len, distance, saves, same: u64::MAX >> ((WORD - 1 - more) * 8) }
    }
}

/// The places of a stream.
struct Places<'a> {
    /// With some zeros behind its end.
    src: &'a [u8; MOST + WORD],
    end: usize,
    /// By a hash, the last place, and by that, the one before: each and 1; 0 when there is none.
    last: [u16; 1 << BITS],
    before: [u16; MOST],
    /// Places before that are remembered.
    known: usize,
}

impl Places<'_> {
    /// The best match that begins at `at`, or one that begins a little later, if it is so much better.
    fn best(&mut self, at: usize, anchor: usize, distances: &Distances) -> Option<Match> {
        let mut best = self.at(at, anchor, distances, WORTH)?;
        let (mut next, mut later) = (at + 1, 0);
        while later < LATER.len() && best.len < ENOUGH && next + LEAST <= self.end {
            match self.at(next, anchor, distances, best.saves + LATER[later]) {
                Some(other) => (best, later) = (other, 0),
                None => later += 1,
            }
            next += 1;
        }
        // What stands before both may be the same.
        let same = |at: usize| at > best.distance && self.src[at - 1] == self.src[at - 1 - best.distance];
        let before = (anchor + 1..=best.at).rev().take_while(|&at| same(at)).count();
        Some(Match { at: best.at - before, len: best.len + before, ..best })
    }

    /// The best match that begins at `at`, if it saves more than that. No place is asked for twice, nor one before another.
    #[inline(always)]
    fn at(&mut self, at: usize, anchor: usize, distances: &Distances, than: i32) -> Option<Match> {
        for skipped in self.known..at {
            self.remember(skipped, word(self.src, skipped));
        }
        self.known = at + 1;
        let here = word(self.src, at);
        // Whatever repeats is in a slot, be it one of the last distances.
        let mut from = self.remember(at, here);
        if from == 0 {
            return None;
        }
        let mut best = Match::new(at, 0, 0, than);
        for distance in distances.meant(at - anchor) {
            self.consider(here, distance, |_| 0, &mut best);
        }
        for _ in 0..TRIES {
            if from == 0 || best.len >= ENOUGH {
                break;
            }
            self.consider(here, at + 1 - from, |distance| (distance + 3).ilog2() as i32, &mut best);
            from = usize::from(self.before[(from - 1) % MOST]);
        }
        (best.len > 0).then_some(best)
    }

    /// Takes a match if it is better; `bits` tells how many its distance takes.
    #[inline(always)]
    fn consider(&self, here: u64, distance: usize, bits: impl Fn(usize) -> i32, best: &mut Match) {
        let at = best.at;
        let from = at.wrapping_sub(distance) % MOST;
        let differ = word(self.src, from) ^ here;
        if differ & best.same != 0 || distance == 0 || distance > at {
            return;
        }
        let len = self.reach(at, from, differ);
        let saves = 4 * len as i32 - bits(distance);
        if len >= LEAST && saves > best.saves {
            *best = Match::new(at, len, distance, saves);
        }
    }

    /// Remembers the word at `at`, and tells the place before, and 1.
    #[inline(always)]
    fn remember(&mut self, at: usize, word: u64) -> usize {
        let before = std::mem::replace(&mut self.last[slot(word)], at as u16 + 1);
        self.before[at % MOST] = before;
        usize::from(before)
    }

    /// How many bytes at `from` are those at `at`, whose words differ by that.
    #[inline(always)]
    fn reach(&self, at: usize, from: usize, differ: u64) -> usize {
        match differ {
            0 => self.reach_far(at, from),
            _ => (self.end - at).min((differ.trailing_zeros() / 8) as usize),
        }
    }

    /// The same where those words are equal. Apart, as it is seldom so.
    #[inline(never)]
    fn reach_far(&self, at: usize, from: usize) -> usize {
        equal(&self.src[from..from + self.end - at], &self.src[at..self.end])
    }
}

/// The slot for the bytes that a word begins with, as many as a match has.
fn slot(word: u64) -> usize {
    let bytes = (word as u32) << (u32::BITS as usize - 8 * LEAST);
    (spread(bytes) >> (u32::BITS - BITS)) as usize
}
