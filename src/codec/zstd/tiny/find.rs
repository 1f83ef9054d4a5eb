//! The matches of a stream: of those that begin at a place or soon after, the one that saves the most.

use super::super::noise::alike;
use super::{ALL_LITERALS, Distances, LITERALS, MATCHES, MOST, Sequence};
use crate::codec::words::{WORD, equal, spread, word};

/// Bytes of a match, at least.
const LEAST: usize = 3;
/// Up to that Blosc level, libzstd is soon done.
const SOON_DONE: u8 = 2;
/// Bytes of a very short stream.
const SHORT: usize = 128;
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
/// So many more literals there may be at first than would come to as many as there may be.
const SOON: usize = 20;

/// How much is looked for.
#[derive(Clone, Copy)]
struct Effort {
    /// So far back is looked before all else, and more than that part of the bytes have to be the same there: so many of so many.
    items: &'static [usize],
    part: (usize, usize),
    /// A stream that seems to have more matches is given up, though not by as many as those that there may be at first.
    matches: usize,
    soon: usize,
    /// So many places with the same hash are looked at.
    tries: usize,
    /// A match that saves more may begin so much later.
    later: usize,
}

impl Effort {
    /// At the lowest levels, libzstd is soon done as well, but for making its tables ready.
    const LITTLE: Self = Effort { matches: MATCHES / 2, soon: 2, tries: 2, later: 1, ..Effort::MUCH };
    /// What is not very short then has to be made of runs, or most searches are given up.
    const LEAST: Self = Effort { items: &[1], part: (2, 3), ..Effort::LITTLE };
    const MUCH: Self =
        Effort { items: &[1, 4, 8], part: (1, 3), matches: MATCHES, soon: 5, tries: 8, later: LATER.len() };

    /// At a Blosc level, for a stream of so many bytes.
    fn at(clevel: u8, len: usize) -> Self {
        match clevel {
            ..=SOON_DONE if len > SHORT => Effort::LEAST,
            ..=SOON_DONE => Effort::LITTLE,
            _ => Effort::MUCH,
        }
    }

    /// Whether a stream repeats itself enough to be searched.
    fn is_worth(&self, src: &[u8]) -> bool {
        let (some, all) = self.part;
        self.items.iter().any(|&back| alike(src, back) * all > src.len() * some)
    }

    /// Whether `found` will have too many matches, if it goes on as up to `at`, of `len` bytes.
    fn is_exceeded(&self, found: &Found, at: usize, len: usize) -> bool {
        found.matches.saturating_sub(self.soon) * len > self.matches * at
    }
}

/// What a stream is made of: all its literals, and its matches with how many stand before each.
pub(super) struct Found {
    /// With room for a word.
    literals: [u8; ALL_LITERALS + WORD],
    count: usize,
    sequences: [Sequence; MATCHES],
    matches: usize,
}

impl Found {
    pub const NOTHING: Self = Found {
        literals: [0; ALL_LITERALS + WORD],
        count: 0,
        sequences: [Sequence::NONE; MATCHES],
        matches: 0,
    };

    pub fn literals(&self) -> &[u8] {
        &self.literals[..self.count]
    }

    pub fn sequences(&self) -> &[Sequence] {
        &self.sequences[..self.matches]
    }

    /// Adds literals, which stand there, with a word behind them; `None` when they are too many.
    #[inline(always)]
    fn add_literals(&mut self, src: &[u8; MOST + WORD], from: usize, to: usize) -> Option<()> {
        let count = to - from;
        if count > ALL_LITERALS - self.count {
            return None;
        }
        for at in (0..count).step_by(WORD) {
            *self.literals[self.count + at..].first_chunk_mut()? = word(src, from + at).to_le_bytes();
        }
        self.count += count;
        Some(())
    }

    /// Adds a match and the literals in front of it, which begin at `from`; `None` when they are too many, or it is one too many.
    fn add(
        &mut self,
        src: &[u8; MOST + WORD],
        from: usize,
        best: &Match,
        distances: &mut Distances,
    ) -> Option<()> {
        self.add_literals(src, from, best.at)?;
        let literals = best.at - from;
        let offset = distances.offset(best.distance, literals);
        distances.take(offset, literals);
        *self.sequences.get_mut(self.matches)? =
            Sequence { literals: literals as u16, len: best.len as u16, offset: offset as u16 };
        self.matches += 1;
        Some(())
    }

    /// Whether there will be too many literals, with those `literals`, if it goes on as up to `at`, of `len` bytes.
    fn are_too_many(&self, literals: usize, at: usize, len: usize) -> bool {
        self.matches == 0 && at > LATE || (self.count + literals).saturating_sub(SOON) * len > LITERALS * at
    }
}

/// Finds the matches of a stream of at most [`MOST`] bytes that repeats itself. `None` when there are no matches, or too many of them, or
/// of literals, of which there is room for so many. At the lowest Blosc levels, what takes long is passed over.
#[inline(always)]
pub(super) fn find(clevel: u8, src: &[u8], room: usize, found: &mut Found) -> Option<()> {
    let effort = Effort::at(clevel, src.len());
    if src.len() > MOST || !effort.is_worth(src) {
        return None;
    }
    find_within(effort, src, Some(room), found)?;
    (found.matches > 0 && found.count <= LITERALS).then_some(())
}

/// Finds the matches of a stream of at most [`ALL_LITERALS`] bytes. `None` when there are too many of them.
pub(super) fn find_few(src: &[u8], found: &mut Found) -> Option<()> {
    if src.len() <= ALL_LITERALS { find_within(Effort::MUCH, src, None, found) } else { None }
}

/// Adds literals and matches to nothing, unless there will be too many, or more literals than there is room for, if that is said.
#[inline(never)]
fn find_within(effort: Effort, src: &[u8], room: Option<usize>, found: &mut Found) -> Option<()> {
    let mut padded = [0; MOST + WORD];
    padded[..src.len()].copy_from_slice(src);
    let (last, before) = ([0; 1 << BITS], [0; MOST]);
    let mut places = Places { effort, src: &padded, end: src.len(), last, before, known: 0 };
    let (mut distances, mut anchor, mut at) = (Distances::FIRST, 0, 1);
    while at + LEAST <= src.len() {
        let literals = at - anchor;
        let too_many = |room| found.count + literals > room || found.are_too_many(literals, at, src.len());
        if effort.is_exceeded(found, at, src.len()) || room.is_some_and(too_many) {
            return None;
        }
        let Some(best) = places.best(at, anchor, &distances) else {
            at += 1;
            continue;
        };
        found.add(&padded, anchor, &best, &mut distances)?;
        anchor = best.at + best.len;
        at = anchor;
    }
    found.add_literals(&padded, anchor, src.len())
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
    effort: Effort,
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
        while later < self.effort.later && best.len < ENOUGH && next + LEAST <= self.end {
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
        for _ in 0..self.effort.tries {
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
