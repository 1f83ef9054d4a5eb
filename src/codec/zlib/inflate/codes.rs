//! The codes of a block, as tables.

use super::super::codes::{FIXED_LENGTHS, LONGEST_CODE};
use super::super::header::{
    AGAIN, AGAIN_TIMES, FEW, FEW_TIMES, FEWEST_TOLD, MANY_TIMES, NUMBERS, ORDER, RUN_LENGTH_BITS, RUNS,
};
use super::super::symbols::{
    DISTANCES, END, LENGTHS, SYMBOLS, base_of, base_of_distance, extra_of, extra_of_distance,
};
use super::source::Source;
use super::table::{Entry, Table};

/// The last two symbols of each kind have codes, but never occur.
const USED: usize = SYMBOLS - 2;
const USED_DISTANCES: usize = DISTANCES - 2;

// Lengths ascend in the order of codes, so that few tables of longer ones have places to spare: 286 symbols take 1,332 entries at
// most, 30 distances 402. Fixed codes have no more than nine bits.
type Symbols = Table<10, 2048>;
type Distances = Table<8, 512>;
type Runs = Table<7, 128>;

/// The tables of a block.
#[derive(Default)]
pub(super) struct Tables {
    symbols: Symbols,
    distances: Distances,
    /// Whether they are those of fixed codes.
    fixed: bool,
}

impl Tables {
    /// Makes them those of fixed codes.
    pub fn fix(&mut self) -> Option<()> {
        if !self.fixed {
            self.set(&FIXED_LENGTHS.symbols, &FIXED_LENGTHS.distances)?;
            self.fixed = true;
        }
        Some(())
    }

    /// Makes them those of the codes that a block begins with; `None` when these are none.
    pub fn read(&mut self, source: &mut Source) -> Option<()> {
        source.refill();
        let mut told = [END + 1, 1, FEWEST_TOLD];
        for (told, bits) in told.iter_mut().zip(NUMBERS) {
            *told += source.take(bits)? as usize;
        }
        let [symbols, distances, runs] = told;
        if symbols > USED || distances > USED_DISTANCES {
            return None;
        }
        let mut lengths = [0; RUNS];
        for run in &ORDER[..runs] {
            source.refill();
            lengths[*run] = source.take(RUN_LENGTH_BITS)? as u8;
        }
        let mut all = [0; SYMBOLS + DISTANCES];
        let all = &mut all[..symbols + distances];
        unroll(&lengths, source, all)?;
        let (symbols, distances) = all.split_at(symbols);
        // A block without an end is none.
        if symbols[END] == 0 {
            return None;
        }
        self.fixed = false;
        self.set(symbols, distances)
    }

    fn set(&mut self, symbols: &[u8], distances: &[u8]) -> Option<()> {
        self.symbols.set(symbols, true, |symbol| match symbol {
            ..END => Entry::literal(symbol as u8),
            END => Entry::END,
            LENGTHS..USED => Entry::number(base_of(symbol), extra_of(symbol)),
            _ => Entry::NONE,
        })?;
        self.distances.set(distances, true, |symbol| match symbol {
            ..USED_DISTANCES => Entry::number(base_of_distance(symbol), extra_of_distance(symbol)),
            _ => Entry::NONE,
        })
    }

    /// What the bits that are held begin with, or what is [special](Entry::is_special).
    #[inline(always)]
    pub fn symbol(&self, source: &Source) -> Entry {
        self.symbols.short(source.peek())
    }

    /// What they begin with, when all that is known is `entry`.
    #[inline(always)]
    pub fn long_symbol(&self, entry: Entry, source: &Source) -> Option<Entry> {
        self.symbols.long(entry, source.peek())
    }

    /// The distance that they begin with, or what is special.
    #[inline(always)]
    pub fn distance(&self, source: &Source) -> Entry {
        self.distances.short(source.peek())
    }

    /// The distance that they begin with, when all that is known is `entry`.
    #[inline(always)]
    pub fn long_distance(&self, entry: Entry, source: &Source) -> Option<Entry> {
        self.distances.long(entry, source.peek())
    }
}

/// Reads runs of lengths, whose codes have so many bits.
fn unroll(codes: &[u8; RUNS], source: &mut Source, lengths: &mut [u8]) -> Option<()> {
    let mut runs = Runs::default();
    runs.set(codes, false, |symbol| Entry::number(symbol, 0))?;
    let mut at = 0;
    while at < lengths.len() {
        source.refill();
        let entry = runs.short(source.peek());
        if entry.is_special() {
            return None;
        }
        source.take(entry.bits())?;
        let symbol = entry.base();
        let (length, (fewest, _, bits)) = match symbol {
            ..=LONGEST_CODE => (symbol as u8, (1, 1, 0)),
            AGAIN => (lengths[..at].last().copied()?, AGAIN_TIMES),
            FEW => (0, FEW_TIMES),
            _ => (0, MANY_TIMES),
        };
        let times = fewest + source.take(bits)? as usize;
        lengths.get_mut(at..at + times)?.fill(length);
        at += times;
    }
    Some(())
}
