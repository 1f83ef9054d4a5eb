//! Deflate's fixed codes (RFC 1951, 3.2.5 and 3.2.6), as bits are written: the first of a code lowest.

/// Bits, and how many there are.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub bits: u32,
    pub count: u32,
}

/// The longest match.
pub(super) const LONGEST: usize = 258;
/// The shortest.
pub(super) const SHORTEST: usize = 3;
/// How a block of fixed codes begins, unless it is the last: then the first bit is a one.
pub(super) const BLOCK: u64 = 0b010;
/// The code for the end of a block is so many zeros.
pub(super) const END_BITS: u32 = 7;

/// The first symbol for lengths; before that one, the block's end.
const LENGTHS: u32 = 257;
/// From this symbol on, codes have eight bits again.
const LAST_SYMBOLS: u32 = 280;
/// Lengths from this on have extra bits.
const WITH_EXTRA: usize = 11;

/// The codes of bytes.
pub(super) static BYTES: [Code; 256] = {
    let mut codes = [Code { bits: 0, count: 0 }; 256];
    let mut byte = 0;
    while byte < codes.len() {
        codes[byte] = symbol(byte as u32);
        byte += 1;
    }
    codes
};

/// The codes of lengths, with their extra bits.
pub(super) static MATCHES: [Code; LONGEST + 1] = {
    let mut codes = [Code { bits: 0, count: 0 }; LONGEST + 1];
    let mut len = SHORTEST;
    while len <= LONGEST {
        let back = (len - SHORTEST) as u32;
        let (code, extra, extra_bits) = if len == LONGEST {
            (symbol(LENGTHS + 28), 0, 0)
        } else if len < WITH_EXTRA {
            (symbol(LENGTHS + back), 0, 0)
        } else {
            // Four symbols for each number of extra bits.
            let bits = back.ilog2() - 2;
            (symbol(LENGTHS + 4 * bits + (back >> bits)), back & ((1 << bits) - 1), bits)
        };
        codes[len] = Code { bits: code.bits | extra << code.count, count: code.count + extra_bits };
        len += 1;
    }
    codes
};

/// The code of a distance, 1 to 2^15, with its extra bits.
#[inline(always)]
pub(super) fn distance(distance: usize) -> Code {
    let back = distance as u32 - 1;
    // Two symbols for each number of extra bits.
    let extra = (back | 2).ilog2() - 1;
    let symbol = 2 * extra + (back >> extra);
    let code = u32::from(DISTANCES[symbol as usize % DISTANCES.len()]);
    Code { bits: code | (back & ((1 << extra) - 1)) << DISTANCE_BITS, count: DISTANCE_BITS + extra }
}

/// Bits of a distance's code, without the extra ones.
const DISTANCE_BITS: u32 = 5;

/// The codes of distances, which are the symbols' bits.
static DISTANCES: [u8; 1 << DISTANCE_BITS] = {
    let mut codes = [0; 1 << DISTANCE_BITS];
    let mut symbol = 0;
    while symbol < codes.len() {
        codes[symbol] = (symbol as u8).reverse_bits() >> (u8::BITS - DISTANCE_BITS);
        symbol += 1;
    }
    codes
};

/// The code of a symbol for a byte or a length.
const fn symbol(symbol: u32) -> Code {
    let (code, count) = match symbol {
        ..144 => (0x30 + symbol, 8),
        144..256 => (0x190 + symbol - 144, 9),
        256..LAST_SYMBOLS => (symbol - 256, 7),
        _ => (0xc0 + symbol - LAST_SYMBOLS, 8),
    };
    Code { bits: code.reverse_bits() >> (u32::BITS - count), count }
}
