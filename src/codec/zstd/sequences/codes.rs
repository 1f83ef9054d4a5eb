//! The three alphabets of a sequence, and the codes that need no description (RFC 8878, 3.1.1.3.2).

use super::MOST;
use super::often::cost;

/// An alphabet of at most 53 symbols, and its codes with at most 64 states.
pub(in super::super) struct Alphabet {
    symbols: usize,
    /// The symbol of each value that a stream of [`MOST`] bytes may have.
    of: [u8; VALUES],
    /// The first value of each symbol, and how many bits tell which it is of those that follow.
    first: [u32; MOST_SYMBOLS],
    more: [u8; MOST_SYMBOLS],
    pub ways: Ways,
    /// What each symbol takes, in parts of a bit.
    pub cost: [u16; MOST_SYMBOLS],
    /// What a state means.
    cells: [Cell; MOST_STATES],
}

/// An offset may be as far back as a stream is long, and 3 more.
const VALUES: usize = MOST + 4;
pub(in super::super) const MOST_SYMBOLS: usize = 53;
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
    /// Added to a state, and how many there are, this has in its high half how many bits lead there.
    bits: u32,
    /// Added to the same without those bits, this is where the state before stands.
    at: u8,
    /// Where the first one stands.
    first: u8,
}

/// The number of literals.
pub(in super::super) static LITERALS: Alphabet = Alphabet::new(
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
pub(in super::super) static LEN: Alphabet = Alphabet::new(
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
pub(in super::super) static OFFSET: Alphabet = Alphabet::new(
    1,
    &[
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
        28,
    ],
    5,
    &[1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
);

impl Back {
    /// To a symbol that is in so many of the states, one at least, which are a power of two; the first of its own stands there.
    const fn new(log: u32, times: u8, first: u8) -> Self {
        let most = log - times.ilog2();
        // States that reach this take as many bits, the others one less.
        let reached = (times as u32) << most;
        Back { bits: (most << 16) - reached, at: first.wrapping_sub(times), first }
    }
}

/// The states of an alphabet's symbols, and the ways from one to the one before.
pub(in super::super) struct Ways {
    /// As a power of two, the states.
    log: u32,
    /// Those of all symbols, one symbol after the other, each and how many they are.
    states: [u8; MOST_STATES],
    /// How to get there.
    back: [Back; MOST_SYMBOLS],
}

impl Ways {
    /// Those of no symbol.
    pub const NONE: Self =
        Ways { log: 0, states: [0; _], back: [Back { bits: 0, at: 0, first: 0 }; MOST_SYMBOLS] };

    /// Those of symbols that are all the same, and stand nowhere: one state, and no bits.
    pub const SAME: Self =
        Ways { states: [1; _], back: [Back { bits: 0, at: u8::MAX, first: 0 }; MOST_SYMBOLS], ..Ways::NONE };

    /// By how often each symbol is in the states; -1 stands for one that is rarer than that, and for all of them.
    const fn new(log: u32, often: &[i8]) -> Self {
        let mut new = Ways { log, ..Ways::NONE };
        let (mut places, mut symbol, mut begin) = (Places::of(log, often), 0, 0);
        while symbol < often.len() {
            begin = new.add(symbol, begin, places.take(often[symbol]));
            symbol += 1;
        }
        new
    }

    /// Makes them those of symbols, by how often each is in the states, once at least. None but these has a way.
    pub fn fill(&mut self, log: u32, symbols: impl Iterator<Item = (u8, i8)>) {
        self.log = log;
        let (mut places, mut begin) = (Places::of(log, &[]), 0);
        for (symbol, often) in symbols {
            begin = self.add(usize::from(symbol), begin, places.take(often));
        }
    }

    /// Adds a symbol whose states, a bit for each, begin there, and tells where those of the next one do.
    #[inline(always)]
    const fn add(&mut self, symbol: usize, begin: u8, places: u64) -> u8 {
        self.back[symbol] = Back::new(self.log, places.count_ones() as u8, begin);
        let (mut next, mut left) = (begin, places);
        while left > 0 {
            self.states[next as usize % MOST_STATES] = left.trailing_zeros() as u8 + (1 << self.log);
            next += 1;
            left &= left - 1;
        }
        next
    }

    /// The state of a stream's last symbol.
    #[inline(always)]
    pub fn last(&self, symbol: u8) -> u8 {
        self.states[usize::from(self.back[usize::from(symbol)].first) % MOST_STATES]
    }

    /// A state in bits, so many.
    #[inline(always)]
    pub fn bits(&self, state: u8) -> (u64, u32) {
        (u64::from(state) - (1 << self.log), self.log)
    }

    /// Goes back to a state of the symbol before, from which bits, so many, lead here.
    #[inline(always)]
    pub fn before(&self, state: &mut u8, symbol: u8) -> (u64, u32) {
        let back = &self.back[usize::from(symbol)];
        let at = u32::from(*state);
        let bits = (at + back.bits) >> 16;
        let which = back.at.wrapping_add((at >> bits) as u8);
        *state = self.states[usize::from(which) % MOST_STATES];
        (u64::from(at & ((1 << bits) - 1)), bits)
    }
}

/// States that symbols get: rare ones the last, each of the others every so many-th of those before.
struct Places {
    next: u32,
    step: u32,
    mask: u32,
    /// Behind those that are not the rare ones'.
    end: u32,
    /// Of these, the last that was taken.
    rare: u32,
}

impl Places {
    const fn of(log: u32, often: &[i8]) -> Self {
        let states = 1 << log;
        let (mut rare, mut symbol) = (0, 0);
        while symbol < often.len() {
            rare += (often[symbol] < 0) as u32;
            symbol += 1;
        }
        Places {
            next: 0,
            step: states / 2 + states / 8 + 3,
            mask: states - 1,
            end: states - rare,
            rare: states,
        }
    }

    /// Takes those of the next symbol, a bit for each.
    #[inline(always)]
    const fn take(&mut self, often: i8) -> u64 {
        if often < 0 {
            self.rare -= 1;
            return 1 << self.rare;
        }
        let (mut places, mut left) = (0, often);
        while left > 0 {
            places |= 1 << self.next;
            self.next = (self.next + self.step) & self.mask;
            while self.next >= self.end {
                self.next = (self.next + self.step) & self.mask;
            }
            left -= 1;
        }
        places
    }
}

impl Alphabet {
    /// From the first value, how many bits more each symbol has, and how often it is in the states, as for [`Ways`].
    const fn new(first: u32, more: &[u8], log: u32, often: &[i8]) -> Self {
        let mut new = Alphabet {
            symbols: more.len(),
            of: [0; VALUES],
            first: [0; MOST_SYMBOLS],
            more: [0; MOST_SYMBOLS],
            ways: Ways::new(log, often),
            cost: [0; MOST_SYMBOLS],
            cells: [Cell { symbol: 0, bits: 0, next: 0 }; MOST_STATES],
        };
        let (mut symbol, mut value) = (0, first);
        while symbol < more.len() {
            (new.first[symbol], new.more[symbol]) = (value, more[symbol]);
            new.cost[symbol] = cost(log, often[symbol].unsigned_abs());
            value += 1 << more[symbol];
            symbol += 1;
        }
        new.tell_states(log, often);
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

    /// Tells what each state means: a symbol's states count from how many it has.
    const fn tell_states(&mut self, log: u32, often: &[i8]) {
        let (mut places, mut symbol) = (Places::of(log, often), 0);
        while symbol < often.len() {
            let mut left = places.take(often[symbol]);
            let mut next = left.count_ones();
            while left > 0 {
                let bits = log - next.ilog2();
                self.cells[left.trailing_zeros() as usize] = Cell {
                    symbol: symbol as u8,
                    bits: bits as u8,
                    next: ((next << bits) - (1 << log)) as u8,
                };
                next += 1;
                left &= left - 1;
            }
            symbol += 1;
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

/// How the symbols of one alphabet are read: by states, or nowhere, as they are all the same.
#[derive(Clone, Copy)]
pub(in super::super) enum Coding {
    States,
    Same(u8),
}

/// Where the symbols of an alphabet are that are read, from one to the next.
#[derive(Clone, Copy)]
pub(in super::super) struct State<'a> {
    alphabet: &'a Alphabet,
    coding: Coding,
    at: u8,
}

impl<'a> State<'a> {
    /// From bits as many as [`log`](Self::log) says.
    pub fn new(alphabet: &'a Alphabet, coding: Coding, at: u64) -> Self {
        State { alphabet, coding, at: at as u8 }
    }

    /// Bits of a state.
    pub fn log(alphabet: &Alphabet, coding: Coding) -> u32 {
        match coding {
            Coding::States => alphabet.ways.log,
            Coding::Same(_) => 0,
        }
    }

    #[inline(always)]
    fn cell(&self) -> &Cell {
        &self.alphabet.cells[usize::from(self.at) % MOST_STATES]
    }

    #[inline(always)]
    pub fn symbol(&self) -> u8 {
        match self.coding {
            Coding::States => self.cell().symbol,
            Coding::Same(symbol) => symbol,
        }
    }

    /// How many bits tell the next state.
    #[inline(always)]
    pub fn next_bits(&self) -> u32 {
        match self.coding {
            Coding::States => u32::from(self.cell().bits),
            Coding::Same(_) => 0,
        }
    }

    /// Goes to the next state.
    #[inline(always)]
    pub fn next(&mut self, bits: u64) {
        if let Coding::States = self.coding {
            self.at = self.cell().next + bits as u8;
        }
    }
}
