//! A look at a stream that tells whether its bytes follow each other by chance, as those of digits, ratings or rounded
//! measurements do once they are shuffled: some are more frequent than others, but none says anything about the next.
//!
//! What such a stream repeats, it repeats by chance. A codec that searches thoroughly finds thousands of short matches there,
//! each of which takes about as many bits as codes for its bytes. Codes alone come out as short or shorter, in a fraction of
//! the time.
//!
//! The look counts, in a few pieces of the stream, pairs of places with the same byte, and such with the same two bytes in a
//! row. If bytes follow each other by chance, how frequent the former are tells how frequent the latter have to be.

use super::words::spread;
use std::collections::VecDeque;
use std::f64::consts::{LOG2_E, SQRT_2};
use std::ops::Range;

#[cfg(test)]
mod tests;

/// What is looked at: some pieces of so many bytes, from all over the stream.
const PIECES: usize = 8;
const PIECE: usize = 512;
/// Shorter streams are not looked at.
const SHORT: usize = 2 * PIECES * PIECE;
/// Two bytes in a row are counted by a hash of so many bits.
const HASH_BITS: u32 = 14;
/// One in so many pairs of places at least has the same byte: others are noise, more or less.
const MOST_SORTS: f64 = 128.0;
/// One in so many at most: others are runs, more or less.
const LEAST_SORTS: f64 = 1.6;
/// Of few bytes, chance makes a little more or less.
const NEARLY: Range<f64> = 0.8 * LEAST_SORTS..1.25 * MOST_SORTS;
/// First, so many bytes are looked at.
const GLANCE: usize = 256;
/// Then, what items have in common is looked for in so many.
const LONGER_GLANCE: usize = 1024;
/// By which part what is counted may be off what chance lets expect, and by how many beyond that.
const OFF: f64 = 0.125;
const SLACK: f64 = 32.0;

/// What there is to say of a stream whose bytes follow each other by chance, in bits for each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    /// How much a byte says: no codec needs less.
    pub entropy: f64,
    /// What it takes by the best code that has a whole number of bits for each byte.
    pub code: f64,
}

/// Looks at `src`, in which items of `item` bytes stand as they are, or none do (0); `None` when its bytes do not follow each
/// other by chance, or are noise, or nearly all the same.
pub(super) fn look(src: &[u8], item: usize) -> Option<Chance> {
    if src.len() < SHORT || !may_be_chance(&src[..GLANCE], item) || goes_by_items(&src[..LONGER_GLANCE], item)
    {
        return None;
    }
    look_at_pieces(src)
}

/// [`look`], at more than a glance. Apart, as it takes 32 KiB of stack, which the few streams that come here are to pay for alone.
#[inline(never)]
fn look_at_pieces(src: &[u8]) -> Option<Chance> {
    let mut seen = Seen::new();
    for part in src.chunks_exact(src.len() / PIECES).take(PIECES) {
        seen.add(&part[..PIECE]);
        // Most that are of another kind have shown it after one piece or two.
        if !seen.may_be_chance() {
            return None;
        }
    }
    seen.is_chance().then(|| Chance { entropy: seen.entropy(), code: seen.code() })
}

/// Whether a few bytes look as if: most streams of another kind show it in them, by how often neighbours are the same, or
/// bytes in the same place of items next to each other.
fn may_be_chance(glance: &[u8], item: usize) -> bool {
    let mut counts = [0; 256];
    let same: u32 = glance.iter().map(|&byte| u32::from(count(&mut counts[usize::from(byte)]))).sum();
    let sorts = pairs_of(glance.len()) / f64::from(same.max(1));
    let as_expected = |apart: usize| {
        let same = same_apart(glance, apart) as f64;
        let expected = glance.len().saturating_sub(apart) as f64 / sorts;
        (same - expected).abs() < expected / 2.0 + 2.0 * expected.sqrt() + 2.0
    };
    NEARLY.contains(&sorts) && as_expected(1) && (item <= 1 || as_expected(item))
}

/// How many bytes are the same as those so far behind them.
fn same_apart(bytes: &[u8], apart: usize) -> usize {
    let ahead = bytes.get(apart..).unwrap_or_default();
    bytes.iter().zip(ahead).filter(|(one, other)| one == other).count()
}

/// Whether bytes in the same place of items are the same more often than neighbours are, by an eighth of all bytes: chance knows no places.
fn goes_by_items(glance: &[u8], item: usize) -> bool {
    item > 1 && same_apart(glance, item) > same_apart(glance, 1) + glance.len() / 8
}

/// What has been seen so far.
struct Seen {
    counts: [u16; 256],
    twos: [u16; 1 << HASH_BITS],
    pieces: usize,
    /// Pairs of places with the same byte, and with the same two.
    same: u32,
    same_twos: u32,
}

impl Seen {
    fn new() -> Self {
        Seen { counts: [0; 256], twos: [0; 1 << HASH_BITS], pieces: 0, same: 0, same_twos: 0 }
    }

    fn add(&mut self, piece: &[u8]) {
        self.pieces += 1;
        for &byte in piece {
            self.same += u32::from(count(&mut self.counts[usize::from(byte)]));
        }
        for two in piece.array_windows() {
            self.same_twos += u32::from(count(&mut self.twos[hash(*two)]));
        }
    }

    /// One in so many pairs of places has the same byte.
    fn sorts(&self) -> f64 {
        pairs_of(self.pieces * PIECE) / f64::from(self.same.max(1))
    }

    /// How many pairs of places have the same two bytes in a row, or two of the same hash, if it goes by chance.
    fn expected_twos(&self) -> f64 {
        let same = 1.0 / (self.sorts() * self.sorts());
        let hashed = (1.0 - same) / f64::from(1 << HASH_BITS);
        pairs_of(self.pieces * (PIECE - 1)) * (same + hashed)
    }

    /// As far as a few pieces tell.
    fn may_be_chance(&self) -> bool {
        let expected = self.expected_twos();
        // The fewer there are, the further off chance has them.
        NEARLY.contains(&self.sorts())
            && (f64::from(self.same_twos) - expected).abs()
                < 2.0 * OFF * expected + 4.0 * expected.sqrt() + 8.0
    }

    fn is_chance(&self) -> bool {
        let expected = self.expected_twos();
        (LEAST_SORTS..MOST_SORTS).contains(&self.sorts())
            && (f64::from(self.same_twos) - expected).abs() < OFF * expected + SLACK
    }

    /// What a byte says, going by how frequent each is.
    fn entropy(&self) -> f64 {
        let all = (self.pieces * PIECE) as f64;
        let shares = self.counts.iter().filter(|&&count| count > 0).map(|&count| f64::from(count) / all);
        shares.map(|share| -share * log2(share)).sum()
    }

    /// What a byte takes.
    fn code(&self) -> f64 {
        f64::from(code_of(self.counts.iter().copied())) / (self.pieces * PIECE) as f64
    }
}

/// Bits that Huffman's code takes for bytes of which there are so many each: as many as all the nodes of its tree weigh.
fn code_of(counts: impl Iterator<Item = u16>) -> u32 {
    let mut leaves: Vec<u32> = counts.filter(|&count| count > 0).map(u32::from).collect();
    leaves.sort_unstable();
    // Nodes come into being in the order of their weights, so that the lightest is always at the front of one list.
    let (mut leaves, mut nodes, mut all) = (VecDeque::from(leaves), VecDeque::new(), 0);
    while leaves.len() + nodes.len() > 1 {
        let mut lightest = || match (leaves.front(), nodes.front()) {
            (Some(leaf), Some(node)) if leaf > node => nodes.pop_front(),
            (Some(_), _) => leaves.pop_front(),
            (None, _) => nodes.pop_front(),
        };
        let both = lightest().unwrap_or(0) + lightest().unwrap_or(0);
        nodes.push_back(both);
        all += both;
    }
    all
}

/// Of bytes that are next to each other in the alphabet, too, as if drawn: one multiplication would spread them too well.
#[inline(always)]
fn hash(two: [u8; 2]) -> usize {
    let mixed = spread(u32::from(u16::from_le_bytes(two)));
    ((mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b) >> (32 - HASH_BITS)) as usize
}

/// The logarithm of a positive number, to eight digits. The system's library has one, too, but is in few programs otherwise, and takes
/// 160 KiB of their memory.
fn log2(x: f64) -> f64 {
    const FRACTION: u64 = (1 << 52) - 1;
    let bits = x.to_bits();
    let (mut exponent, mut mantissa) =
        ((bits >> 52) as f64 - 1023.0, f64::from_bits(bits & FRACTION | 1.0f64.to_bits()));
    if mantissa > SQRT_2 {
        (exponent, mantissa) = (exponent + 1.0, mantissa / 2.0);
    }
    // The series of the area hyperbolic tangent, of less than a fifth.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let series = (0..5).rev().fold(0.0, |sum, i| sum * s * s + 1.0 / f64::from(2 * i + 1));
    exponent + 2.0 * LOG2_E * s * series
}

/// Counts one more, and tells how many there were.
#[inline(always)]
fn count(counter: &mut u16) -> u16 {
    *counter += 1;
    *counter - 1
}

fn pairs_of(places: usize) -> f64 {
    let places = places as f64;
    places * (places - 1.0) / 2.0
}
