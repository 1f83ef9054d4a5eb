//! Deflate's symbols: a byte, the end of a block, a length or a distance, the latter two with extra bits (RFC 1951, 3.2.5).

/// The longest match.
pub(super) const LONGEST: usize = 258;
/// The shortest.
pub(super) const SHORTEST: usize = 3;
/// The end of a block; bytes stand for themselves, before it.
pub(super) const END: usize = 256;
/// The first symbol for lengths.
pub(super) const LENGTHS: usize = END + 1;
/// Bytes, the end, and lengths. The last two never occur, but have fixed codes, between those of others.
pub(super) const SYMBOLS: usize = 288;
/// The symbol of the longest match, which has no extra bits.
const LAST_LENGTH: usize = SYMBOLS - 3;
/// Distances. The last two never occur.
pub(super) const DISTANCES: usize = 32;
/// Lengths from this on have extra bits.
const WITH_EXTRA: usize = 11;

/// What is written behind a symbol's code.
#[derive(Clone, Copy)]
pub(super) struct Extra {
    pub bits: u32,
    pub count: u32,
}

/// The symbol for the length of a match.
#[inline(always)]
pub(super) const fn of_length(len: usize) -> (usize, Extra) {
    debug_assert!(SHORTEST <= len && len <= LONGEST);
    let back = (len - SHORTEST) as u32;
    if len < WITH_EXTRA || len == LONGEST {
        let symbol = if len == LONGEST { LAST_LENGTH } else { LENGTHS + back as usize };
        return (symbol, Extra { bits: 0, count: 0 });
    }
    // Four symbols for each number of extra bits.
    let count = back.ilog2() - 2;
    (LENGTHS + (4 * count + (back >> count)) as usize, Extra { bits: back & ((1 << count) - 1), count })
}

/// The symbol for a distance, 1 to 2^15.
#[inline(always)]
pub(super) const fn of_distance(distance: usize) -> (usize, Extra) {
    let back = distance as u32 - 1;
    // Two symbols for each number of extra bits.
    let count = (back | 2).ilog2() - 1;
    ((2 * count + (back >> count)) as usize, Extra { bits: back & ((1 << count) - 1), count })
}

/// How many extra bits there are behind a symbol for a byte, the end or a length.
pub(super) const fn extra_of(symbol: usize) -> u32 {
    if symbol < LENGTHS + 8 || symbol >= LAST_LENGTH { 0 } else { ((symbol - LENGTHS) / 4 - 1) as u32 }
}

/// How many extra bits there are behind a symbol for a distance.
pub(super) const fn extra_of_distance(symbol: usize) -> u32 {
    if symbol < 2 { 0 } else { (symbol / 2 - 1) as u32 }
}

/// The shortest length that a symbol for lengths stands for.
pub(super) const fn base_of(symbol: usize) -> usize {
    if symbol == LAST_LENGTH {
        return LONGEST;
    }
    let (extra, from) = (extra_of(symbol), symbol - LENGTHS);
    SHORTEST + ((from - 4 * extra as usize) << extra)
}

/// The least distance that a symbol for distances stands for.
pub(super) const fn base_of_distance(symbol: usize) -> usize {
    let extra = extra_of_distance(symbol);
    1 + ((symbol - 2 * extra as usize) << extra)
}
