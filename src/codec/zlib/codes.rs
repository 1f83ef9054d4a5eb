//! Deflate's codes, as bits are written: the first of a code lowest (RFC 1951, 3.2.2 and 3.2.6).

use super::symbols::{
    DISTANCES, END, LONGEST, SHORTEST, SYMBOLS, extra_of, extra_of_distance, of_distance, of_length,
};

/// The most bits of a code.
pub(super) const LONGEST_CODE: usize = 15;

/// Bits, and how many there are.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub bits: u32,
    pub count: u32,
}

impl Code {
    const NONE: Self = Code { bits: 0, count: 0 };
}

/// How many bits the code of each symbol has; none for those that have no code.
pub(super) struct Lengths {
    pub symbols: [u8; SYMBOLS],
    pub distances: [u8; DISTANCES],
}

/// The lengths of fixed codes.
pub(super) static FIXED_LENGTHS: Lengths = Lengths {
    symbols: {
        let mut lengths = [8; SYMBOLS];
        let mut symbol = 144;
        while symbol < 280 {
            lengths[symbol] = if symbol < END { 9 } else { 7 };
            symbol += 1;
        }
        lengths
    },
    distances: [5; DISTANCES],
};

/// The fixed codes.
pub(super) static FIXED: Codes = Codes::of(&FIXED_LENGTHS);

/// The codes of all that a block has.
pub(super) struct Codes {
    bytes: [Code; END],
    pub end: Code,
    /// Those of lengths, with their extra bits.
    matches: [Code; LONGEST + 1],
    distances: [Code; DISTANCES],
}

impl Codes {
    /// The codes that have these lengths.
    pub const fn of(lengths: &Lengths) -> Self {
        let symbols: [Code; SYMBOLS] = canonical(&lengths.symbols);
        let mut codes = Codes {
            bytes: [Code::NONE; END],
            end: symbols[END],
            matches: [Code::NONE; LONGEST + 1],
            distances: canonical(&lengths.distances),
        };
        let mut byte = 0;
        while byte < END {
            codes.bytes[byte] = symbols[byte];
            byte += 1;
        }
        let mut len = SHORTEST;
        while len <= LONGEST {
            let (symbol, extra) = of_length(len);
            let code = symbols[symbol];
            codes.matches[len] =
                Code { bits: code.bits | extra.bits << code.count, count: code.count + extra.count };
            len += 1;
        }
        codes
    }

    #[inline(always)]
    pub fn byte(&self, byte: u8) -> Code {
        self.bytes[usize::from(byte)]
    }

    /// That of a match's length, with its extra bits.
    #[inline(always)]
    pub fn length(&self, len: usize) -> Code {
        self.matches[len]
    }

    /// That of a distance, 1 to 2^15, with its extra bits.
    #[inline(always)]
    pub fn distance(&self, distance: usize) -> Code {
        let (symbol, extra) = of_distance(distance);
        let code = self.distances[symbol % DISTANCES];
        Code { bits: code.bits | extra.bits << code.count, count: code.count + extra.count }
    }
}

/// The codes of so many bits that go with each other; behind `lengths`, symbols have none.
pub(super) const fn canonical<const N: usize>(lengths: &[u8]) -> [Code; N] {
    let mut next = first_of_each(lengths);
    let mut codes = [Code::NONE; N];
    let mut symbol = 0;
    while symbol < lengths.len() {
        let count = lengths[symbol] as u32;
        if count > 0 {
            let code = next[count as usize];
            next[count as usize] += 1;
            codes[symbol] = Code { bits: code.reverse_bits() >> (u32::BITS - count), count };
        }
        symbol += 1;
    }
    codes
}

/// For each number of bits, the first code.
const fn first_of_each(lengths: &[u8]) -> [u32; LONGEST_CODE + 1] {
    // How many shorter ones by a bit there are, at first.
    let mut first = [0; LONGEST_CODE + 1];
    let mut symbol = 0;
    while symbol < lengths.len() {
        let count = lengths[symbol] as usize;
        if 0 < count && count < LONGEST_CODE {
            first[count + 1] += 1;
        }
        symbol += 1;
    }
    let mut count = 2;
    while count <= LONGEST_CODE {
        first[count] = (first[count] + first[count - 1]) << 1;
        count += 1;
    }
    first
}

/// How often each symbol occurs, but for the end.
pub(super) struct Counts {
    pub symbols: [u32; SYMBOLS],
    pub distances: [u32; DISTANCES],
}

impl Counts {
    pub const NONE: Self = Counts { symbols: [0; SYMBOLS], distances: [0; DISTANCES] };

    /// How often they occur in both.
    pub fn with(&self, other: &Counts) -> Self {
        let mut both = Counts::NONE;
        let all = both.symbols.iter_mut().chain(&mut both.distances);
        let a = self.symbols.iter().chain(&self.distances);
        let b = other.symbols.iter().chain(&other.distances);
        all.zip(a.zip(b)).for_each(|(both, (a, b))| *both = a + b);
        both
    }

    /// How many bits all of them and an end take, with the extra ones, by codes of these lengths.
    pub fn bits(&self, lengths: &Lengths) -> usize {
        let symbols = self.symbols.iter().zip(&lengths.symbols).enumerate();
        let symbols = symbols.map(|(symbol, (&times, &count))| times * (u32::from(count) + extra_of(symbol)));
        let distances = self.distances.iter().zip(&lengths.distances).enumerate();
        let distances = distances
            .map(|(symbol, (&times, &count))| times * (u32::from(count) + extra_of_distance(symbol)));
        symbols.chain(distances).sum::<u32>() as usize + usize::from(lengths.symbols[END])
    }
}

#[cfg(test)]
mod tests;
