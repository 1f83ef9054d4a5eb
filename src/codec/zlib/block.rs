//! A block of deflate (RFC 1951, 3.2.3), in the form that takes least.

use super::bits::Bits;
use super::codes::{Code, Codes, Counts, FIXED, FIXED_LENGTHS, LONGEST_CODE, Lengths};
use super::header::Header;
use super::shortest;
use super::symbols::{DISTANCES, END, SYMBOLS, of_distance, of_length};

/// The bits of a block's header.
pub(super) const HEAD_BITS: u32 = 3;
/// In it, the last block has a one.
pub(super) const LAST: u64 = 1;
/// How the other blocks begin that are stored, those of fixed codes, and those of their own.
pub(super) const STORED: u64 = 0b000;
pub(super) const FIXED_CODES: u64 = 0b010;
pub(super) const OWN_CODES: u64 = 0b100;
/// The most bytes of a stored block.
pub(super) const MOST_STORED: usize = u16::MAX as usize;

/// A byte, or so many bytes from so far back.
#[derive(Clone, Copy)]
struct Token {
    /// None for a byte.
    back: u16,
    /// The byte, or the length.
    value: u16,
}

/// What is in a block, and how often; of the first half apart, once that ends.
pub(super) struct Tokens {
    all: Vec<Token>,
    counts: Counts,
    first: Option<Half>,
}

/// The first half of a block.
struct Half {
    counts: Counts,
    /// So many tokens.
    tokens: usize,
    /// So many bytes.
    bytes: usize,
}

/// So many bits should be saved by two blocks in place of one, whose codes take time to read.
const WORTH_HALVING: usize = 512;

impl Tokens {
    /// Forgets all, and takes room for about so many.
    pub fn clear(&mut self, room: usize) {
        self.all.clear();
        self.all.reserve(room);
        self.counts = Counts::NONE;
        self.first = None;
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// From here on, the second half, which begins behind so many bytes.
    pub fn halve(&mut self, bytes: usize) {
        let counts = std::mem::replace(&mut self.counts, Counts::NONE);
        self.first = Some(Half { counts, tokens: self.all.len(), bytes });
    }

    #[inline(always)]
    pub fn byte(&mut self, byte: u8) {
        self.all.push(Token { back: 0, value: u16::from(byte) });
        self.counts.symbols[usize::from(byte)] += 1;
    }

    /// A match of 3 to 258 bytes from 1 to 2^15 before.
    #[inline(always)]
    pub fn repeat(&mut self, len: usize, back: usize) {
        self.all.push(Token { back: back as u16, value: len as u16 });
        self.counts.symbols[of_length(len).0 % SYMBOLS] += 1;
        self.counts.distances[of_distance(back).0 % DISTANCES] += 1;
    }
}

impl Default for Tokens {
    fn default() -> Self {
        Tokens { all: Vec::new(), counts: Counts::NONE, first: None }
    }
}

/// Writes tokens, which stand for `bytes`, as one block, or each half as one where that takes less.
pub(super) fn write(bits: &mut Bits, tokens: &Tokens, bytes: &[u8], last: bool) -> Option<()> {
    let Some(first) = &tokens.first else {
        return write_tokens(bits, &Plan::of(&tokens.counts, bytes), &tokens.all, last);
    };
    let plans = Plans::of([&first.counts, &tokens.counts], bytes, first.bytes);
    let Some(halves) = plans.apart() else {
        return write_tokens(bits, &plans.whole, &tokens.all, last);
    };
    let (here, there) = tokens.all.split_at(first.tokens);
    write_tokens(bits, &halves[0], here, false)?;
    write_tokens(bits, &halves[1], there, last)
}

fn write_tokens(bits: &mut Bits, plan: &Plan, tokens: &[Token], last: bool) -> Option<()> {
    plan.write(bits, last, |bits, codes| {
        for token in tokens {
            if token.back == 0 {
                code(bits, codes.byte(token.value as u8));
            } else {
                code(bits, codes.length(usize::from(token.value)));
                code(bits, codes.distance(usize::from(token.back)));
            }
            bits.spill()?;
        }
        Some(())
    })
}

/// Writes bytes as such, as one block, or each half as one where that takes less.
pub(super) fn write_bytes(bits: &mut Bits, bytes: &[u8], last: bool) -> Option<()> {
    let middle = bytes.len() / 2;
    let (here, there) = bytes.split_at(middle);
    let plans = Plans::of([&counts_of(here), &counts_of(there)], bytes, middle);
    let Some(halves) = plans.apart() else { return write_each(bits, &plans.whole, bytes, last) };
    write_each(bits, &halves[0], here, false)?;
    write_each(bits, &halves[1], there, last)
}

fn write_each(bits: &mut Bits, plan: &Plan, bytes: &[u8], last: bool) -> Option<()> {
    /// So many codes fit the room between two calls of [`Bits::spill`].
    const TOGETHER: usize = 3;
    plan.write(bits, last, |bits, codes| {
        for bytes in bytes.chunks(TOGETHER) {
            bytes.iter().for_each(|byte| code(bits, codes.byte(*byte)));
            bits.spill()?;
        }
        Some(())
    })
}

fn counts_of(bytes: &[u8]) -> Counts {
    let mut counts = Counts::NONE;
    for byte in bytes {
        counts.symbols[usize::from(*byte)] += 1;
    }
    counts
}

/// One block, or one for each half.
struct Plans<'a> {
    whole: Plan<'a>,
    halves: [Plan<'a>; 2],
}

impl<'a> Plans<'a> {
    /// Those for `bytes`, of which the first half ends at `middle`, and what is in both.
    fn of(counts: [&Counts; 2], bytes: &'a [u8], middle: usize) -> Self {
        let (here, there) = bytes.split_at(middle);
        let halves = [Plan::of(counts[0], here), Plan::of(counts[1], there)];
        Plans { whole: Plan::of(&counts[0].with(counts[1]), bytes), halves }
    }

    /// The halves, if they are worth it.
    fn apart(&self) -> Option<&[Plan<'a>; 2]> {
        let bits = self.halves[0].bits + self.halves[1].bits;
        (bits + WORTH_HALVING <= self.whole.bits).then_some(&self.halves)
    }
}

/// How a block that stands for some bytes is best written.
struct Plan<'a> {
    bytes: &'a [u8],
    form: Form,
    /// About how many bits it takes.
    bits: usize,
    /// Of codes of its own.
    lengths: Lengths,
    header: Header,
}

/// What a block's codes are.
enum Form {
    Stored,
    Fixed,
    Own,
}

impl<'a> Plan<'a> {
    /// The form that takes least for `bytes`, in which symbols occur so often.
    fn of(counts: &Counts, bytes: &'a [u8]) -> Self {
        let lengths = Lengths::shortest(counts);
        let header = Header::of(&lengths);
        let (own, fixed) = (header.bits() + counts.bits(&lengths), counts.bits(&FIXED_LENGTHS));
        let stored = stored_bits(bytes.len());
        let form = match own.min(fixed) {
            least if stored <= least => Form::Stored,
            least if fixed == least => Form::Fixed,
            _ => Form::Own,
        };
        Plan { bytes, form, bits: stored.min(own).min(fixed), lengths, header }
    }

    /// Writes the block, by a body in the codes that it is given where it is not stored.
    #[inline(always)]
    fn write(
        &self,
        bits: &mut Bits,
        last: bool,
        body: impl Fn(&mut Bits, &Codes) -> Option<()>,
    ) -> Option<()> {
        let last_bit = if last { LAST } else { 0 };
        let own_codes;
        let codes = match self.form {
            Form::Stored => return store(bits, self.bytes, last),
            Form::Fixed => {
                bits.put(FIXED_CODES | last_bit, HEAD_BITS);
                &FIXED
            }
            Form::Own => {
                bits.put(OWN_CODES | last_bit, HEAD_BITS);
                self.header.write(bits)?;
                own_codes = Codes::of(&self.lengths);
                &own_codes
            }
        };
        // A copy, which stays in registers.
        let mut put = bits.lend();
        put.spill()?;
        body(&mut put, codes)?;
        code(&mut put, codes.end);
        put.spill()?;
        let reached = put.reached();
        bits.go_on(reached);
        Some(())
    }
}

/// Writes bytes as they stand.
pub(super) fn store(bits: &mut Bits, bytes: &[u8], last: bool) -> Option<()> {
    let mut blocks = bytes.chunks(MOST_STORED).peekable();
    while let Some(block) = blocks.next() {
        let last_bit = if last && blocks.peek().is_none() { LAST } else { 0 };
        bits.put(STORED | last_bit, HEAD_BITS);
        bits.align()?;
        bits.bytes(&lengths(block.len() as u16))?;
        bits.bytes(block)?;
    }
    Some(())
}

/// Length and its complement, which stand before stored bytes.
pub(super) const fn lengths(len: u16) -> [u8; 4] {
    let ([a, b], [c, d]) = (len.to_le_bytes(), (!len).to_le_bytes());
    [a, b, c, d]
}

/// About how many bits so many bytes take in stored blocks, more rather than fewer.
fn stored_bits(len: usize) -> usize {
    let whole = HEAD_BITS as usize + 7 + 8 * lengths(0).len();
    8 * len + whole * len.div_ceil(MOST_STORED)
}

#[inline(always)]
fn code(bits: &mut Bits, code: Code) {
    bits.put(u64::from(code.bits), code.count);
}

impl Lengths {
    /// Those that make what occurs so often shortest, with one end.
    fn shortest(counts: &Counts) -> Self {
        let mut symbols = counts.symbols;
        symbols[END] = 1;
        let mut lengths = Lengths { symbols: [0; SYMBOLS], distances: [0; DISTANCES] };
        shortest::lengths(&symbols, LONGEST_CODE, &mut lengths.symbols);
        shortest::lengths(&counts.distances, LONGEST_CODE, &mut lengths.distances);
        lengths
    }
}
