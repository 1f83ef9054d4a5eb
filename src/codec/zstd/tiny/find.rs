//! The matches of a stream: of those that begin at a place or soon after, the one that saves the most.

use super::super::noise::alike;
use super::{Distances, LITERALS, MATCHES, MOST, Sequence};
use crate::codec::words::{WORD, equal, spread, word};

/// Bytes of a match, at least.
const LEAST: usize = 3;
/// A match that is as long will do.
const ENOUGH: usize = 24;
/// What a match saves must be more than that, in quarters of a byte: three bytes do, not too far back.
const WORTH: i32 = 4;
/// So much more has to be saved by a match that begins a byte later, or two.
const LATER: [i32; 2] = [4, 7];
/// So many places with the same hash are looked at.
const TRIES: usize = 8;
/// As a power of two, slots for hashes.
const BITS: u32 = 9;
/// How far back is looked at before all else, and that one of so many bytes has to be the same there.
const ITEMS: [usize; 3] = [1, 4, 8];
const PART: usize = 3;
/// Where nothing is found before that, little will be.
const LATE: usize = 32;
/// So many more literals and matches there may be at first than would come to as many as there may be.
const SOON: (usize, usize) = (20, 5);

/// What a stream is made of: all its literals, and its matches with how many stand before each.
pub(super) struct Found {
    literals: [u8; LITERALS],
    count: usize,
    sequences: [Sequence; MATCHES],
    matches: usize,
}

impl Found {
    const NOTHING: Self =
        Found { literals: [0; LITERALS], count: 0, sequences: [Sequence::NONE; MATCHES], matches: 0 };

    pub fn literals(&self) -> &[u8] {
        &self.literals[..self.count]
    }

    pub fn sequences(&self) -> &[Sequence] {
        &self.sequences[..self.matches]
    }

    /// Adds literals; `None` when they are too many.
    fn add_literals(&mut self, bytes: &[u8]) -> Option<()> {
        self.literals.get_mut(self.count..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.count += bytes.len();
        Some(())
    }

    /// Adds literals and the match behind them; `None` when they are too many, or it is one too many.
    fn add(&mut self, literals: &[u8], best: &Match, distances: &mut Distances) -> Option<()> {
        self.add_literals(literals)?;
        let literals = literals.len();
        let offset = distances.offset(best.distance, literals);
        distances.take(offset, literals);
        *self.sequences.get_mut(self.matches)? = Sequence { literals, len: best.len, offset };
        self.matches += 1;
        Some(())
    }

    /// Whether there will be too many of either, with those literals, if it goes on as up to `at`, of `len` bytes.
    fn is_too_much(&self, literals: usize, at: usize, len: usize) -> bool {
        let many = |count: usize, soon: usize, most: usize| count.saturating_sub(soon) * len > most * at;
        self.matches == 0 && at > LATE
            || many(self.count + literals, SOON.0, LITERALS)
            || many(self.matches, SOON.1, MATCHES)
    }
}

/// Finds the matches of a stream of at most [`MOST`] bytes. `None` when there are no matches, or too many of them, or of literals, of
/// which there is room for so many.
pub(super) fn find(src: &[u8], room: usize) -> Option<Found> {
    if src.len() > MOST || !repeats_itself(src) {
        return None;
    }
    let mut padded = [0; MOST + WORD];
    padded[..src.len()].copy_from_slice(src);
    let mut places =
        Places { src: &padded, end: src.len(), last: [0; 1 << BITS], before: [0; MOST], known: 0 };
    let (mut found, mut distances, mut anchor, mut at) = (Found::NOTHING, Distances::FIRST, 0, 1);
    while at + LEAST <= src.len() {
        let literals = at - anchor;
        if found.count + literals > room || found.is_too_much(literals, at, src.len()) {
            return None;
        }
        let Some(best) = places.best(at, anchor, &distances) else {
            at += 1;
            continue;
        };
        found.add(&src[anchor..best.at], &best, &mut distances)?;
        anchor = best.at + best.len;
        at = anchor;
    }
    found.add_literals(&src[anchor..])?;
    (found.matches > 0).then_some(found)
}

/// Whether a part of a stream is what stands a byte before it, or an item.
fn repeats_itself(src: &[u8]) -> bool {
    ITEMS.iter().any(|&back| alike(src, back) * PART > src.len())
}

/// A stretch of bytes that stands farther back, too.
#[derive(Clone, Copy)]
struct Match {
    at: usize,
    len: usize,
    distance: usize,
    /// In quarters of a byte.
    saves: i32,
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
        let mut best = self.at(at, anchor, distances)?;
        let (mut next, mut later) = (at + 1, 0);
        while later < LATER.len() && best.len < ENOUGH && next + LEAST <= self.end {
            match self.at(next, anchor, distances) {
                Some(other) if other.saves > best.saves + LATER[later] => (best, later) = (other, 0),
                _ => later += 1,
            }
            next += 1;
        }
        // What stands before both may be the same.
        let same = |at: usize| at > best.distance && self.src[at - 1] == self.src[at - 1 - best.distance];
        let before = (anchor + 1..=best.at).rev().take_while(|&at| same(at)).count();
        Some(Match { at: best.at - before, len: best.len + before, ..best })
    }

    /// The best match that begins at `at`.
    #[inline(always)]
    fn at(&mut self, at: usize, anchor: usize, distances: &Distances) -> Option<Match> {
        self.remember(at);
        let here = word(self.src, at);
        // Whatever repeats is in a slot, be it one of the last distances.
        let mut from = usize::from(self.last[slot(here)]);
        if from == 0 {
            return None;
        }
        let mut best = None;
        for distance in distances.meant(at - anchor) {
            self.consider(at, here, distance, |_| 0, &mut best);
        }
        for _ in 0..TRIES {
            if from == 0 || best.is_some_and(|best: Match| best.len >= ENOUGH) {
                break;
            }
            self.consider(at, here, at + 1 - from, |distance| (distance + 3).ilog2() as i32, &mut best);
            from = usize::from(self.before[(from - 1) % MOST]);
        }
        best
    }

    /// Takes a match if it is better; `bits` tells how many its distance takes.
    #[inline(always)]
    fn consider(
        &self,
        at: usize,
        here: u64,
        distance: usize,
        bits: impl Fn(usize) -> i32,
        best: &mut Option<Match>,
    ) {
        let Some(from) = at.checked_sub(distance) else { return };
        let differ = word(self.src, from) ^ here;
        if differ << (u64::BITS as usize - 8 * LEAST) != 0 || distance == 0 {
            return;
        }
        let len = self.reach(at, from, differ);
        let saves = 4 * len as i32 - bits(distance);
        if len >= LEAST && saves > best.map_or(WORTH, |best| best.saves) {
            *best = Some(Match { at, len, distance, saves });
        }
    }

    /// Remembers the places before `at`.
    fn remember(&mut self, at: usize) {
        while self.known < at {
            let slot = slot(word(self.src, self.known));
            self.before[self.known % MOST] = self.last[slot];
            self.known += 1;
            self.last[slot] = self.known as u16;
        }
    }

    /// How many bytes at `from` are those at `at`, whose words differ by that.
    #[inline(always)]
    fn reach(&self, at: usize, from: usize, differ: u64) -> usize {
        let most = self.end - at;
        if differ != 0 {
            return most.min((differ.trailing_zeros() / 8) as usize);
        }
        equal(&self.src[from..from + most], &self.src[at..self.end])
    }
}

/// The slot for the bytes that a word begins with, as many as a match has.
fn slot(word: u64) -> usize {
    let bytes = (word as u32) << (u32::BITS as usize - 8 * LEAST);
    (spread(bytes) >> (u32::BITS - BITS)) as usize
}
