//! The matches of a stream, one after the other: the first that is found is taken.

use super::Found;
use crate::codec::words::{WORD, equal, half, word};
use std::ops::{Range, RangeInclusive};

/// As powers of two, slots for hashes: at least and at most, and twice as many as there are bytes.
const BITS: RangeInclusive<u32> = 7..=10;
const SLOTS: usize = 1 << *BITS.end();
/// Bytes of a match, at least: at the last distance, and at another one.
const AGAIN: usize = 4;
const LEAST: usize = 5;
/// Bits of a word that are not among the latter.
const UNUSED: u32 = 8 * (WORD - LEAST) as u32;
/// A match that is as long will do.
const ENOUGH: usize = 24;
/// So far before the end of a match, a place is remembered.
const BEFORE: usize = 2;
/// Behind so many places at which nothing was found, and each time as many more, one more is passed over from one to the next.
const PATIENCE: usize = 128;
/// Odd, and its bits are as good as drawn.
const FACTOR: u64 = 0x9e37_79b1_85eb_ca87;

/// Where bytes stood last.
pub(super) struct Finder {
    /// By a hash, the last place.
    slots: [u16; SLOTS],
    /// As a power of two, those that are used.
    bits: u32,
}

impl Finder {
    pub const NEW: Self = Finder { slots: [0; SLOTS], bits: 0 };

    /// Finds matches, the next one each time, or one that begins a byte later, if it is longer and that is asked for; `None` when there are
    /// too many.
    pub fn find(&mut self, src: &[u8], later: bool, found: &mut Found) -> Option<()> {
        self.bits = (src.len().ilog2() + 1).clamp(*BITS.start(), *BITS.end());
        self.slots[..1 << self.bits].fill(0);
        // The first byte of a run in the first item is seldom one in the others.
        let (mut anchor, mut at) = (0, 2);
        loop {
            let again = found.distances().last();
            let Some(mut best) = self.seek(src, at..src.len(), again) else { break };
            while later
                && best.len() < ENOUGH
                && let Some(next) = self.seek(src, best.at + 1..best.at + 2, again)
                && next.len() > best.len()
            {
                best = next;
            }
            let Match { at: mut begin, from: mut before, end } = best;
            while begin > anchor && before > 0 && src[begin - 1] == src[before - 1] {
                (begin, before) = (begin - 1, before - 1);
            }
            found.add(src, anchor, begin..end, begin - before)?;
            if let Some(word) = src.get(end - BEFORE..).and_then(|src| src.first_chunk()) {
                self.slots[slot(u64::from_le_bytes(*word), self.bits)] = (end - BEFORE) as u16;
            }
            (anchor, at) = (end, end);
        }
        found.add_literals(src, anchor..src.len())
    }

    /// The first match in some places. Where none is found for long, some are passed over.
    #[inline(always)]
    fn seek(&mut self, src: &[u8], places: Range<usize>, again: usize) -> Option<Match> {
        let (mut at, bits, mut step) = (places.start, self.bits, 1);
        let mut more = at + PATIENCE;
        while at < places.end {
            let here = u64::from_le_bytes(*src.get(at..)?.first_chunk()?);
            let from = usize::from(std::mem::replace(&mut self.slots[slot(here, bits)], at as u16));
            // What stands at the last distance is told by less: also if that means another literal.
            let before = (at + 1).checked_sub(again)?;
            if half(src, before) == (here >> 8) as u32 {
                return Some(Match::from(src, at + 1, before, AGAIN));
            }
            if (word(src, from) ^ here) << UNUSED == 0 {
                return Some(Match::from(src, at, from, LEAST));
            }
            if at >= more {
                (step, more) = (step + 1, more + PATIENCE);
            }
            at += step;
        }
        None
    }
}

/// A stretch of bytes that stands farther back, too.
struct Match {
    at: usize,
    from: usize,
    end: usize,
}

impl Match {
    /// So many bytes, and those behind them that are the same.
    #[inline(always)]
    fn from(src: &[u8], at: usize, from: usize, len: usize) -> Self {
        let more = &src[at + len..];
        Match { at, from, end: at + len + equal(&src[from + len..][..more.len()], more) }
    }

    fn len(&self) -> usize {
        self.end - self.at
    }
}

/// The slot for as many bytes as a match has, with which a word begins.
#[inline(always)]
fn slot(word: u64, bits: u32) -> usize {
    ((word << UNUSED).wrapping_mul(FACTOR) >> (64 - bits)) as usize % SLOTS
}
