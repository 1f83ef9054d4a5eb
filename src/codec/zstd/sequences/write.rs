//! Writing sequences: each of their three symbols by the codes that take least.

use super::super::log::FINE;
use super::Sequence;
use super::bits::Writer;
use super::codes::{self, Alphabet, LEN, MOST_SYMBOLS, OFFSET, Ways};
use super::often::{Counts, Often};

/// The most of them.
pub(in super::super) const MOST: usize = 512;
/// The most of them whose number is told in a byte.
const IN_A_BYTE: usize = 127;
/// The fewest symbols that are worth to be said to be all the same.
const SAME: usize = 3;
/// The fewest that may be worth codes of their own, and what those have to spare, in bits.
const MANY: usize = 24;
const SPARED: u32 = 16;
/// As a power of two, states of such codes: for so many symbols, and for more.
const LOGS: [u32; 2] = [5, 6];
const SOME: usize = 64;
/// The most bytes that describe them, and a word.
const DESCRIPTION: usize = 64;

/// Writes sequences, [`MOST`] at most, and tells how many bytes that takes; `None` when there is no room for them, and a word.
pub(in super::super) fn write(sequences: &[Sequence], bytes: &mut [u8]) -> Option<usize> {
    match sequences {
        [] => {
            *bytes.first_mut()? = 0;
            Some(1)
        }
        _ if sequences.len() < MANY => write_some(sequences, &mut [[0; 3]; MANY], bytes),
        _ if sequences.len() <= IN_A_BYTE => write_many(sequences, &mut [[0; 3]; IN_A_BYTE], bytes),
        _ => write_many(sequences, &mut [[0; 3]; MOST], bytes),
    }
}

/// Writes a few, with room for their symbols.
fn write_some(sequences: &[Sequence], symbols: &mut [[u8; 3]], bytes: &mut [u8]) -> Option<usize> {
    let symbols = symbols_of(sequences, symbols);
    let same = same(symbols);
    let coding = |which: usize| match same[which] {
        Some(symbol) => Coding::Same(symbol),
        None => Coding::Known,
    };
    Header { bytes, len: 0 }.write(sequences, symbols, &[coding(0), coding(1), coding(2)])
}

/// Writes many, which may have codes of their own, with room for their symbols.
#[inline(never)]
fn write_many(sequences: &[Sequence], symbols: &mut [[u8; 3]], bytes: &mut [u8]) -> Option<usize> {
    let symbols = symbols_of(sequences, symbols);
    let same = same(symbols);
    let counts = counts(symbols);
    let mut own = [const { Own::NONE }; 3];
    for (which, own) in own.iter_mut().enumerate().filter(|&(which, _)| same[which].is_none()) {
        own.fill(ALPHABETS[which], symbols.len(), &counts[which]);
    }
    let coding = |which: usize| match (same[which], &own[which]) {
        (Some(symbol), _) => Coding::Same(symbol),
        (_, own) if own.len > 0 => Coding::Own(own),
        _ => Coding::Known,
    };
    Header { bytes, len: 0 }.write(sequences, symbols, &[coding(0), coding(1), coding(2)])
}

/// Of symbols that are all the same.
static SAME_WAYS: Ways = Ways::SAME;

/// Those of literals, offsets and lengths: in this order, symbols stand, and codings are told.
const ALPHABETS: [&Alphabet; 3] = [&codes::LITERALS, &OFFSET, &LEN];

/// The symbols of each sequence, of which there is one at least.
fn symbols_of<'a>(sequences: &[Sequence], symbols: &'a mut [[u8; 3]]) -> &'a [[u8; 3]] {
    let symbols = &mut symbols[..sequences.len()];
    for (symbols, sequence) in symbols.iter_mut().zip(sequences) {
        *symbols = [
            codes::LITERALS.symbol_of(sequence.literals),
            OFFSET.symbol_of(sequence.offset),
            LEN.symbol_of(sequence.len),
        ];
    }
    symbols
}

/// What all symbols of each alphabet are, if they are the same, and worth to be said so.
fn same(symbols: &[[u8; 3]]) -> [Option<u8>; 3] {
    let first = symbols[0];
    let mut differ = [0; 3];
    for symbols in symbols {
        for which in 0..3 {
            differ[which] |= symbols[which] ^ first[which];
        }
    }
    [0, 1, 2].map(|which| (symbols.len() >= SAME && differ[which] == 0).then_some(first[which]))
}

/// How often each symbol of each alphabet stands.
fn counts(symbols: &[[u8; 3]]) -> [Counts<MOST_SYMBOLS>; 3] {
    let mut counts = [[0; _]; 3];
    for symbols in symbols {
        for which in 0..3 {
            counts[which][usize::from(symbols[which])] += 1;
        }
    }
    counts
}

/// How the symbols of one alphabet are written.
enum Coding<'a> {
    /// By the codes that need no description.
    Known,
    /// Nowhere, as they are all the same.
    Same(u8),
    Own(&'a Own),
}

/// Codes of their own.
struct Own {
    ways: Ways,
    description: [u8; DESCRIPTION],
    len: usize,
}

impl Own {
    /// None.
    const NONE: Self = Own { ways: Ways::NONE, description: [0; _], len: 0 };

    /// Makes them those of symbols that stand so often, where they spare enough.
    fn fill(&mut self, alphabet: &Alphabet, all: usize, counts: &Counts<MOST_SYMBOLS>) -> Option<()> {
        let costs = alphabet.cost.iter().zip(counts);
        let known = costs.map(|(&cost, &count)| u32::from(cost) * u32::from(count)).sum::<u32>();
        let (log, spared) = if all > SOME { (LOGS[1], SPARED * FINE) } else { (LOGS[0], known / 3) };
        let often = Often::of(counts, log)?;
        let left = known.checked_sub(spared + often.cost(counts))?;
        let len = often.write(&mut self.description)?;
        if 8 * FINE * (len as u32) < left {
            often.fill(&mut self.ways);
            self.len = len;
        }
        Some(())
    }
}

/// What stands before the bits.
struct Header<'a> {
    bytes: &'a mut [u8],
    len: usize,
}

impl Header<'_> {
    /// Writes itself and the bits behind it, and tells how many bytes that takes.
    fn write(mut self, sequences: &[Sequence], symbols: &[[u8; 3]], codings: &[Coding; 3]) -> Option<usize> {
        self.count(sequences.len())?;
        self.codings(codings)?;
        self.bits(sequences, symbols, codings)
    }

    fn push(&mut self, byte: u8) -> Option<()> {
        *self.bytes.get_mut(self.len)? = byte;
        self.len += 1;
        Some(())
    }

    /// Tells how many sequences there are.
    fn count(&mut self, count: usize) -> Option<()> {
        if count > IN_A_BYTE {
            self.push((count >> 8) as u8 + 128)?;
        }
        self.push(count as u8)
    }

    /// Tells how the symbols of each alphabet are written.
    fn codings(&mut self, codings: &[Coding; 3]) -> Option<()> {
        let mode = |which: usize| match codings[which] {
            Coding::Known => 0,
            Coding::Same(_) => 1,
            Coding::Own(_) => 2,
        };
        self.push(mode(0) << 6 | mode(1) << 4 | mode(2) << 2)?;
        for coding in codings {
            match coding {
                Coding::Known => {}
                Coding::Same(symbol) => self.push(*symbol)?,
                Coding::Own(own) => {
                    self.bytes
                        .get_mut(self.len..)?
                        .get_mut(..own.len)?
                        .copy_from_slice(&own.description[..own.len]);
                    self.len += own.len;
                }
            }
        }
        Some(())
    }

    /// Adds the bits, and tells how many bytes there are then.
    fn bits(self, sequences: &[Sequence], symbols: &[[u8; 3]], codings: &[Coding; 3]) -> Option<usize> {
        let ways = |which: usize| match codings[which] {
            Coding::Known => &ALPHABETS[which].ways,
            Coding::Same(_) => &SAME_WAYS,
            Coding::Own(own) => &own.ways,
        };
        let bits = Writer::new(&mut self.bytes[self.len..]);
        let len = match codings {
            [Coding::Same(_), Coding::Same(_), Coding::Same(_)] => write_rests(sequences, symbols, bits)?,
            _ => write_bits(sequences, symbols, [ways(0), ways(1), ways(2)], bits)?,
        };
        Some(self.len + len)
    }
}

/// Where the symbols of an alphabet are that are written, from the last one to the first.
struct Walk<'a> {
    ways: &'a Ways,
    at: u8,
}

impl<'a> Walk<'a> {
    fn from(ways: &'a Ways, last: u8) -> Self {
        Walk { ways, at: ways.last(last) }
    }

    /// Goes back to the symbol before, from which bits, so many, lead here.
    #[inline(always)]
    fn before(&mut self, symbol: u8) -> (u64, u32) {
        self.ways.before(&mut self.at, symbol)
    }

    /// Where it is, and in how many bits.
    fn bits(&self) -> (u64, u32) {
        self.ways.bits(self.at)
    }
}

/// Bits of sequences and their symbols, of which there is one at least, from the last one to the first.
fn write_bits(
    sequences: &[Sequence],
    symbols: &[[u8; 3]],
    ways: [&Ways; 3],
    mut bits: Writer,
) -> Option<usize> {
    let mut all = sequences.iter().zip(symbols).rev();
    let (last, &[l, o, m]) = all.next()?;
    let [mut literals, mut offset, mut len] =
        [Walk::from(ways[0], l), Walk::from(ways[1], o), Walk::from(ways[2], m)];
    bits.put(rests(last, [l, o, m]));
    bits.flush();
    for (sequence, &[l, o, m]) in all {
        let states = join(join(offset.before(o), len.before(m)), literals.before(l));
        bits.put(join(states, rests(sequence, [l, o, m])));
        bits.flush();
    }
    bits.put(len.bits());
    bits.put(offset.bits());
    bits.put(literals.bits());
    bits.end()
}

/// The same where all symbols are the same, and stand nowhere.
fn write_rests(sequences: &[Sequence], symbols: &[[u8; 3]], mut bits: Writer) -> Option<usize> {
    for (sequence, symbols) in sequences.iter().zip(symbols).rev() {
        bits.put(rests(sequence, *symbols));
        bits.flush();
    }
    bits.end()
}

/// Some bits, and others behind them.
#[inline(always)]
fn join(some: (u64, u32), others: (u64, u32)) -> (u64, u32) {
    (some.0 | others.0 << some.1, some.1 + others.1)
}

/// What the symbols of a sequence do not tell.
#[inline(always)]
fn rests(sequence: &Sequence, [literals, offset, len]: [u8; 3]) -> (u64, u32) {
    let lens = join(codes::LITERALS.rest_of(literals, sequence.literals), LEN.rest_of(len, sequence.len));
    join(lens, OFFSET.rest_of(offset, sequence.offset))
}
