//! The three alphabets of a sequence, and the codes that need no description (RFC 8878, 3.1.1.3.2).

use super::MOST;

/// An alphabet of at most 53 symbols, and its codes with at most 64 states.
pub(super) struct Alphabet {
    symbols: usize,
    /// The symbol of each value that a stream of [`MOST`] bytes may have.
    of: [u8; VALUES],
    /// The first value of each symbol, and how many bits tell which it is of those that follow.
    first: [u32; MOST_SYMBOLS],
    more: [u8; MOST_SYMBOLS],
    /// As a power of two, the states.
    log: u32,
    /// The states of all symbols, one symbol after the other.
    states: [u8; MOST_STATES],
    /// How to get there.
    back: [Back; MOST_SYMBOLS],
    /// What a state means.
    cells: [Cell; MOST_STATES],
}

/// An offset may be as far back as a stream is long, and 3 more.
const VALUES: usize = MOST + 4;
const MOST_SYMBOLS: usize = 53;
const MOST_STATES: usize = 64;

/// A symbol; so many bits tell how far the next state is behind `next`.
#[derive(Clone, Copy)]
struct Cell {
    symbol: u8,
    bits: u8,
    next: u8,
}

/// The way back to a state of a symbol.
#[derive(Clone, Copy)]
struct Back {
    /// Added to a state, and to how many there are, this has in its high half how many bits lead there.
    bits: u32,
    /// Added to the same without those bits, this is where the state before stands.
    at: u8,
    /// Where the first one stands.
    first: u8,
}

/// The number of literals.
pub(super) static LITERALS: Alphabet = Alphabet::new(
    0,
    &[
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16,
    ],
    6,
    &[
        4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1,
        -1, -1, -1,
    ],
);

/// The length of a match.
pub(super) static LEN: Alphabet = Alphabet::new(
    3,
    &[
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
        1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ],
    6,
    &[
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
);

/// The offset of a match.
pub(super) static OFFSET: Alphabet = Alphabet::new(
    1,
    &[
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
        28,
    ],
    5,
    &[1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
);

impl Back {
    /// To a symbol that is in so many of the states, as a power of two, the first of which stands there.
    const fn new(log: u32, times: u8, first: u8) -> Self {
        let most = log - times.ilog2();
        // States that reach this take as many bits, the others one less.
        let reached = (times as u32) << most;
        Back { bits: (most << 16) - reached, at: first.wrapping_sub(times), first }
    }
}

impl Alphabet {
    /// From the first value, how many bits more each symbol has, and how often it is in the states; -1 stands for one that is rarer
    /// than that, and for all of them.
    const fn new(first: u32, more: &[u8], log: u32, often: &[i8]) -> Self {
        let mut new = Alphabet {
            symbols: more.len(),
            of: [0; VALUES],
            first: [0; MOST_SYMBOLS],
            more: [0; MOST_SYMBOLS],
            log,
            states: [0; MOST_STATES],
            back: [Back { bits: 0, at: 0, first: 0 }; MOST_SYMBOLS],
            cells: [Cell { symbol: 0, bits: 0, next: 0 }; MOST_STATES],
        };
        let (mut symbol, mut value, mut begin) = (0, first, 0);
        while symbol < more.len() {
            (new.first[symbol], new.more[symbol]) = (value, more[symbol]);
            value += 1 << more[symbol];
            let times = if often[symbol] < 0 { 1 } else { often[symbol] as u8 };
            new.back[symbol] = Back::new(log, times, begin);
            begin += times;
            symbol += 1;
        }
        assert!(begin as usize == 1 << log);
        new.spread(often);
        new.tell_symbols();
        new
    }

    /// Gives each value its symbol: the last one whose first value it reaches.
    const fn tell_symbols(&mut self) {
        let (mut symbol, mut value) = (0, self.first[0] as usize);
        while value < VALUES {
            if symbol + 1 < self.symbols && self.first[symbol + 1] as usize == value {
                symbol += 1;
            }
            self.of[value] = symbol as u8;
            value += 1;
        }
    }

    /// Gives symbols their states: rare ones the last, each of the others every so many-th of those before.
    const fn spread(&mut self, often: &[i8]) {
        let states = 1 << self.log;
        let step = states / 2 + states / 8 + 3;
        let mut end = states;
        let mut symbol = 0;
        while symbol < often.len() {
            if often[symbol] < 0 {
                end -= 1;
                self.cells[end].symbol = symbol as u8;
            }
            symbol += 1;
        }
        let (mut at, mut symbol) = (0, 0);
        while symbol < often.len() {
            let mut times = 0;
            while times < often[symbol] {
                self.cells[at].symbol = symbol as u8;
                at = (at + step) % states;
                while at >= end {
                    at = (at + step) % states;
                }
                times += 1;
            }
            symbol += 1;
        }
        let mut seen = [0; MOST_SYMBOLS];
        let mut state = 0;
        while state < states {
            let symbol = self.cells[state].symbol as usize;
            let back = &self.back[symbol];
            self.states[(back.first + seen[symbol]) as usize] = state as u8;
            let next = (back.first.wrapping_sub(back.at) + seen[symbol]) as usize;
            seen[symbol] += 1;
            let bits = self.log - next.ilog2();
            self.cells[state].bits = bits as u8;
            self.cells[state].next = ((next << bits) - states) as u8;
            state += 1;
        }
    }

    /// The symbol of a value, which is one of the alphabet's, and no more than a stream of [`MOST`] bytes may have.
    #[inline(always)]
    pub fn symbol_of(&self, value: u16) -> u8 {
        self.of[usize::from(value)]
    }

    /// The rest of a value that has that symbol, and in how many bits it is written.
    #[inline(always)]
    pub fn rest_of(&self, symbol: u8, value: u16) -> (u64, u32) {
        let symbol = usize::from(symbol);
        (u64::from(u32::from(value) - self.first[symbol]), u32::from(self.more[symbol]))
    }

    /// The first value of a symbol, and how many bits tell the rest.
    #[inline(always)]
    pub fn first_of(&self, symbol: u8) -> (usize, u32) {
        let symbol = usize::from(symbol);
        (self.first[symbol] as usize, u32::from(self.more[symbol]))
    }

    pub fn has(&self, symbol: u8) -> bool {
        usize::from(symbol) < self.symbols
    }
}

/// How the symbols of one alphabet are written: by states, or nowhere, as they are all the same.
#[derive(Clone, Copy)]
pub(super) enum Coding {
    States,
    Same(u8),
}

/// Where the symbols of an alphabet are, from one to the next.
#[derive(Clone, Copy)]
pub(super) struct State<'a> {
    alphabet: &'a Alphabet,
    coding: Coding,
    at: usize,
}

impl<'a> State<'a> {
    /// To read: from bits as many as [`log`](Self::log) says.
    pub fn new(alphabet: &'a Alphabet, coding: Coding, at: u64) -> Self {
        State { alphabet, coding, at: at as usize % MOST_STATES }
    }

    /// To write from the last symbol on.
    pub fn last(alphabet: &'a Alphabet, coding: Coding, symbol: u8) -> Self {
        let at = alphabet.states[usize::from(alphabet.back[usize::from(symbol)].first)];
        State { alphabet, coding, at: usize::from(at) }
    }

    /// Bits of a state.
    pub fn log(alphabet: &Alphabet, coding: Coding) -> u32 {
        match coding {
            Coding::States => alphabet.log,
            Coding::Same(_) => 0,
        }
    }

    /// The state, and its bits.
    pub fn bits(&self) -> (u64, u32) {
        match self.coding {
            Coding::States => (self.at as u64, self.alphabet.log),
            Coding::Same(_) => (0, 0),
        }
    }

    #[inline(always)]
    pub fn symbol(&self) -> u8 {
        match self.coding {
            Coding::States => self.alphabet.cells[self.at].symbol,
            Coding::Same(symbol) => symbol,
        }
    }

    /// How many bits tell the next state.
    #[inline(always)]
    pub fn next_bits(&self) -> u32 {
        match self.coding {
            Coding::States => u32::from(self.alphabet.cells[self.at].bits),
            Coding::Same(_) => 0,
        }
    }

    /// Goes to the next state.
    #[inline(always)]
    pub fn next(&mut self, bits: u64) {
        if let Coding::States = self.coding {
            self.at = (usize::from(self.alphabet.cells[self.at].next) + bits as usize) % MOST_STATES;
        }
    }

    /// Goes back to a state of the symbol before, from which bits, so many, lead here.
    #[inline(always)]
    pub fn before(&mut self, symbol: u8) -> (u64, u32) {
        let Coding::States = self.coding else { return (0, 0) };
        let back = &self.alphabet.back[usize::from(symbol)];
        let at = self.at as u32 + (1 << self.alphabet.log);
        let bits = (at + back.bits) >> 16;
        let which = back.at.wrapping_add((at >> bits) as u8);
        self.at = usize::from(self.alphabet.states[usize::from(which) % MOST_STATES]);
        (u64::from(at & ((1 << bits) - 1)), bits)
    }
}
