//! Weights by the codes of tANS, with two states in turn (RFC 8878, 4.1 and 4.2.1.2).

use super::weights::{Sorted, Sorter, WEIGHTS};

/// States, as a power of two: at least, and at most.
const LOGS: std::ops::RangeInclusive<u32> = 5..=6;
const STATES: usize = 1 << *LOGS.end();
/// States that a word has bits for, whatever they are.
const STEPS: usize = 56 / *LOGS.end() as usize;

/// Sorts symbols by the weights that are told from there to there.
pub(super) fn read(src: &[u8], from: usize, to: usize, sorted: &mut Sorted) -> Option<Sorter> {
    let (often, begin) = Often::read(src, from)?;
    decode(Bits::new(src, begin, to)?, &often.cells(), often.log, sorted)
}

/// How many states each weight has.
struct Often {
    log: u32,
    /// -1 stands for one that is rarer than that, and has one.
    of: [i8; 16],
}

impl Often {
    /// Those that are described from there on, and where the description ends.
    fn read(src: &[u8], from: usize) -> Option<(Self, usize)> {
        let (mut at, mut weight) = (8 * from, 0);
        let word = |at: usize| Some(u64::from_le_bytes(*src.get(at / 8..)?.first_chunk()?) >> (at % 8));
        let log = LOGS.start() + (word(at)? & 15) as u32;
        at += 4;
        let mut often = Often { log, of: [0; 16] };
        let mut left = 1u64 << LOGS.contains(&log).then_some(log)?;
        while left > 0 {
            // From 0 to one more than are left: the first of these in one bit less than the others.
            let next = word(at)?;
            let bits = (left + 1).ilog2() + 1;
            let (half, first) = (1 << (bits - 1), (1 << bits) - 2 - left);
            let [short, long] = [half, 2 * half].map(|values| next & (values - 1));
            let value = match long {
                _ if short < first => short,
                _ if long < half => long,
                _ => long - first,
            };
            at += (bits - u32::from(short < first)) as usize;
            *often.of[..WEIGHTS].get_mut(weight)? = value as i8 - 1;
            weight += 1;
            left -= value.abs_diff(1);
            if value == 1 {
                // How many more have none: up to three, and then again.
                let mut more = 3;
                while more == 3 && weight < WEIGHTS {
                    more = (word(at)? & 3) as usize;
                    weight += more;
                    at += 2;
                }
            }
        }
        Some((often, at.div_ceil(8)))
    }

    /// What each state means.
    fn cells(&self) -> [Cell; STATES] {
        let states = 1usize << self.log;
        let weights = self.spread(states);
        // A weight's states count from how many it has.
        let mut next = self.of.map(|often| often.unsigned_abs());
        let mut cells = [Cell::default(); STATES];
        for (cell, &weight) in cells[..states].iter_mut().zip(&weights) {
            let next = &mut next[usize::from(weight) % 16];
            let bits = self.log - u32::from(*next).checked_ilog2().unwrap_or(0);
            let first = (usize::from(*next) << bits) as u8;
            *cell = Cell { weight, bits: bits as u8, first: first - states as u8, mask: (1 << bits) - 1 };
            *next += 1;
        }
        cells
    }

    /// Gives weights their states: rare ones the last, each of the others every so many-th of those before.
    fn spread(&self, states: usize) -> [u8; STATES] {
        let mut weights = [0; STATES];
        let mut end = states;
        for (weight, _) in (0..).zip(self.of).filter(|&(_, often)| often < 0) {
            end -= 1;
            weights[end % STATES] = weight;
        }
        let step = states / 2 + states / 8 + 3;
        let mut at = 0;
        for (weight, often) in (0..).zip(self.of) {
            for _ in 0..often {
                weights[at % STATES] = weight;
                at = (at + step) % states;
                while at >= end {
                    at = (at + step) % states;
                }
            }
        }
        weights
    }
}

/// A weight; so many bits tell how far the next state is behind `first`.
#[derive(Clone, Copy, Default)]
struct Cell {
    weight: u8,
    bits: u8,
    first: u8,
    /// Those bits.
    mask: u8,
}

/// Reads weights, until the next state of one would take more bits than there are: then, the other's is the last.
#[inline(never)]
fn decode(mut bits: Bits, cells: &[Cell; STATES], log: u32, sorted: &mut Sorted) -> Option<Sorter> {
    let mut sorter = Sorter::default();
    bits.load()?;
    let mut one = bits.next(log as u8, (1 << log) - 1)?;
    let mut other = bits.next(log as u8, (1 << log) - 1)?;
    loop {
        bits.load()?;
        for _ in 0..STEPS {
            let cell = cells[usize::from(one) % STATES];
            let more = bits.next(cell.bits, cell.mask);
            sorter.push(cell.weight, sorted)?;
            let Some(more) = more else {
                sorter.push(cells[usize::from(other) % STATES].weight, sorted)?;
                return Some(sorter);
            };
            (one, other) = (other, cell.first + more);
        }
    }
}

/// Bits from the last one on.
struct Bits<'a> {
    src: &'a [u8],
    from: usize,
    left: usize,
    /// The next of them, from the highest on.
    word: u64,
}

impl<'a> Bits<'a> {
    /// Those from there to there, before the bit that ends them; `None` without one.
    fn new(src: &'a [u8], from: usize, to: usize) -> Option<Self> {
        let last = src.get(from..to)?.last()?.checked_ilog2()?;
        Some(Bits { src, from, left: 8 * (to - from - 1) + last as usize, word: 0 })
    }

    /// Has 57 of them at hand, or all. Before them, in a frame, there are eight bytes at least, whatever they are.
    #[inline(always)]
    fn load(&mut self) -> Option<()> {
        let (end, beyond) = (self.from + self.left.div_ceil(8), self.left.wrapping_neg() % 8);
        self.word = u64::from_le_bytes(*self.src.get(end.checked_sub(8)?..)?.first_chunk()?) << beyond;
        Some(())
    }

    /// The next so many; `None` when there are less.
    #[inline(always)]
    fn next(&mut self, count: u8, mask: u8) -> Option<u8> {
        self.left = self.left.checked_sub(usize::from(count))?;
        self.word = self.word.rotate_left(u32::from(count));
        Some(self.word as u8 & mask)
    }
}
