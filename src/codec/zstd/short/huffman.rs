//! Huffman's codes for bytes: how long each is, and what it is (RFC 8878, 4.2.1).

use super::super::log::{FINE, times_log};
use super::MOST;

/// Bytes that have codes.
pub(super) const SYMBOLS: usize = 256;
/// The most bits of a code.
const LONGEST: usize = 11;
/// Bytes that are as frequent, or more so, are put in order one by one.
const FREQUENT: usize = 64;
/// More than codes would have bits if they could be longer: with one more for the longest, as many bytes would have to stand again by half.
const LEVELS: usize = 32;
/// Greater than all counts.
const NONE: u16 = MOST as u16 + 1;
/// Where a code's length stands, above its bits.
pub(super) const LEN: u32 = 16;

/// Codes for some bytes.
pub(super) struct Coder {
    /// A code's bits, and how many they are.
    pub codes: [u32; SYMBOLS],
    /// The shorter a code, the greater; 0 where there is none.
    pub weights: [u8; SYMBOLS],
    /// How many codes are as long.
    lens: Lens,
    longest: usize,
    sorted: Sorted,
}

impl Coder {
    pub fn new() -> Self {
        let sorted = Sorted { bytes: [0; SYMBOLS], there: [0; SYMBOLS], kinds: 0 };
        Coder { codes: [0; SYMBOLS], weights: [0; SYMBOLS], lens: [0; LONGEST + 1], longest: 0, sorted }
    }

    /// Decides how long codes are for so many bytes, of at least two kinds, and tells how many bits they all take; `None` where they and
    /// their description surely take more than `most` bytes.
    pub fn weigh(&mut self, counts: &Counts, all: usize, most: usize) -> Option<usize> {
        self.sorted.seek(counts);
        if self.sorted.takes(counts, all) > most {
            return None;
        }
        self.sorted.sort(counts);
        let bytes = self.sorted.bytes();
        self.lens = lens(counts, bytes);
        self.longest = self.lens.iter().rposition(|&codes| codes > 0).unwrap_or(0);
        self.weights.fill(0);
        let (mut bits, mut rest) = (0, bytes);
        for len in (1..=self.longest).rev() {
            let (these, others) = rest.split_at(usize::from(self.lens[len]));
            for &byte in these {
                self.weights[usize::from(byte)] = (self.longest + 1 - len) as u8;
                bits += len * usize::from(counts[usize::from(byte)]);
            }
            rest = others;
        }
        Some(bits)
    }

    /// The greatest byte that has a code.
    pub fn greatest(&self) -> usize {
        self.sorted.there().last().map_or(0, |&byte| usize::from(byte))
    }

    /// How many bytes below the greatest have each weight.
    pub fn weights_below(&self) -> [u16; LONGEST + 1] {
        let mut of = [0; LONGEST + 1];
        for (len, &codes) in (1..).zip(&self.lens[1..=self.longest]) {
            of[self.longest + 1 - len] = codes;
        }
        of[0] = (self.greatest() + 1 - self.sorted.kinds) as u16;
        of[usize::from(self.weights[self.greatest()])] -= 1;
        of
    }

    /// Makes the codes: the longest first, and of those that are as long the one of the least byte.
    pub fn assign(&mut self) {
        let mut next = [0u16; 16];
        let mut first = 0;
        for len in (1..=self.longest).rev() {
            next[len] = first;
            first = (first + self.lens[len]) / 2;
        }
        for &byte in self.sorted.there() {
            let len = (self.longest + 1 - usize::from(self.weights[usize::from(byte)])) % 16;
            self.codes[usize::from(byte)] = u32::from(next[len]) | (len as u32) << LEN;
            next[len] += 1;
        }
    }
}

/// How often each byte stands.
pub(super) type Counts = [u16; SYMBOLS];
type Lens = [u16; LONGEST + 1];

/// Counts bytes: every other one apart, so that two that are equal do not wait for each other.
pub(super) fn count(bytes: &[u8]) -> Counts {
    let (mut counts, mut others) = ([0; SYMBOLS], [0; SYMBOLS]);
    let (pairs, rest) = bytes.as_chunks::<2>();
    for &[one, other] in pairs {
        counts[usize::from(one)] += 1;
        others[usize::from(other)] += 1;
    }
    for &byte in rest {
        counts[usize::from(byte)] += 1;
    }
    counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
    counts
}

/// Bytes that stand somewhere.
struct Sorted {
    /// By how often they do.
    bytes: [u8; SYMBOLS],
    there: [u8; SYMBOLS],
    kinds: usize,
}

impl Sorted {
    /// Finds them.
    fn seek(&mut self, counts: &Counts) {
        let mut kinds = 0;
        for (byte, &count) in counts.iter().enumerate() {
            self.there[kinds % SYMBOLS] = byte as u8;
            kinds += usize::from(count > 0);
        }
        self.kinds = kinds;
    }

    /// The bytes that codes for so many take with their description, at least: what they say, each by itself, and which they are.
    fn takes(&self, counts: &Counts, all: usize) -> usize {
        let told = |byte: &u8| times_log(usize::from(counts[usize::from(*byte)]));
        let coded = times_log(all) - self.there().iter().map(told).sum::<u32>();
        let (upto, kinds) = (usize::from(self.there()[self.kinds - 1]) + 1, self.kinds);
        let described = times_log(upto) - times_log(kinds) - times_log(upto - kinds);
        ((coded + described) / FINE / 8) as usize
    }

    /// Puts them in order.
    fn sort(&mut self, counts: &Counts) {
        let (halves, rest) = self.there[..self.kinds].as_chunks::<2>();
        let place = |byte: u8| usize::from(counts[usize::from(byte)]).min(FREQUENT);
        // Every other one apart, so that two that stand as often do not wait for each other.
        let mut places = [[0u16; 2]; FREQUENT + 1];
        for &[one, other] in halves {
            places[place(one)][0] += 1;
            places[place(other)][1] += 1;
        }
        rest.iter().for_each(|&byte| places[place(byte)][0] += 1);
        let mut begin = 0;
        for place in places.as_flattened_mut() {
            begin += std::mem::replace(place, begin);
        }
        let frequent = usize::from(places[FREQUENT][0]);
        let mut put = |byte: u8, half: usize| {
            let next = &mut places[place(byte)][half];
            self.bytes[usize::from(*next) % SYMBOLS] = byte;
            *next += 1;
        };
        for &[one, other] in halves {
            put(one, 0);
            put(other, 1);
        }
        rest.iter().for_each(|&byte| put(byte, 0));
        self.bytes[frequent..self.kinds].sort_unstable_by_key(|&byte| counts[usize::from(byte)]);
    }

    fn there(&self) -> &[u8] {
        &self.there[..self.kinds]
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.kinds]
    }
}

/// How many codes are as long, for bytes, of two kinds at least, that come in the order of how often they stand.
#[inline(never)]
fn lens(counts: &Counts, sorted: &[u8]) -> Lens {
    let mut leaves = [NONE; SYMBOLS + 2];
    for (leaf, &byte) in leaves.iter_mut().zip(sorted) {
        *leaf = counts[usize::from(byte)];
    }
    // Each is what the two least of those come to that are no part of another yet; and of which each is a part.
    let mut nodes = [NONE; SYMBOLS + 1];
    let mut above = [0u8; SYMBOLS + 1];
    let (mut leaf, mut node) = (0, 0);
    let last = sorted.len() - 2;
    for new in 0..=last {
        let ([a, b], [c, d]) = ([leaves[leaf], leaves[leaf + 1]], [nodes[node], nodes[node + 1]]);
        // Which is no part of this one is one of another later.
        above[node..][..2].fill(new as u8);
        // By branches, which are the same many times in a row.
        if b <= c {
            nodes[new] = a + b;
            leaf += 2;
        } else if d < a {
            nodes[new] = c + d;
            node += 2;
        } else {
            nodes[new] = a + c;
            (leaf, node) = (leaf + 1, node + 1);
        }
    }
    // How deep each is below the one that all are parts of, from that one on: none is less deep than the one before.
    let mut depths = [0u8; SYMBOLS];
    let mut on_level = [0u16; LEVELS];
    let (mut level, mut count) = (0, 1);
    for node in (0..last).rev() {
        let depth = depths[usize::from(above[node])] + 1;
        depths[node] = depth;
        if depth != level {
            on_level[usize::from(level) % LEVELS] = count;
            (level, count) = (depth, 0);
        }
        count += 1;
    }
    on_level[usize::from(level) % LEVELS] = count;
    // Two are parts of each; what is no node is a leaf.
    let mut lens = [0; LONGEST + 1];
    for (len, levels) in (1..).zip(on_level.windows(2)) {
        lens[len.min(LONGEST)] += 2 * levels[0] - levels[1];
    }
    if usize::from(level) >= LONGEST {
        shorten(&mut lens);
    }
    lens
}

/// Makes room for codes that were too long, and are among the longest now: a shorter one and one of these become two of one bit more
/// than the shorter one, which is as good as the place of one of the longest.
#[cold]
fn shorten(lens: &mut Lens) {
    let taken = |lens: &Lens| {
        (1..).zip(&lens[1..]).map(|(len, &codes)| usize::from(codes) << (LONGEST - len)).sum::<usize>()
    };
    for _ in 1 << LONGEST..taken(lens) {
        let Some(len) = lens[..LONGEST].iter().rposition(|&codes| codes > 0) else { return };
        lens[len] -= 1;
        lens[len + 1] += 2;
        lens[LONGEST] -= 1;
    }
}

#[cfg(test)]
mod tests;
