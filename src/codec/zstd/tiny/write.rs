//! Writing a frame of literals and matches.

use super::super::frame::{BLOCK_HEADER, LAST_COMPRESSED, LESS, MAGIC, SINGLE_SEGMENT, TWO_BYTES};
use super::super::noise::{codes_spare, codes_take_less};
use super::bits::{self, Writer};
use super::codes::{self, Alphabet, Coding, LEN, OFFSET, State};
use super::find::{Found, find, find_few};
use super::{ALL_LITERALS, BESIDE_LITERALS, Codings, LITERALS, MATCHES, MOST, Sequence, WORTH};

/// The fewest symbols that are worth to be said to be all the same.
const SAME: usize = 3;

/// Bytes of room that libzstd has to have behind a frame. Chunks that it stores for want of them are stored here, too: they save next
/// to nothing, and are copied.
pub(super) const SPARE: usize = 8;

/// Of so many literals, codes may spare a good part.
const MANY: usize = 40;

/// Bytes of a match that libzstd finds at the levels that are written here.
const FOUND: usize = 4;

/// Writes the frame of `src` at a Blosc level, and tells how long it is: an eighth shorter than `src`, or 0 when neither it nor what libzstd
/// would write fits. `None` when it is not so short, or would be better with what is not written here.
pub fn write(clevel: u8, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    // With room for more than the stream itself, libzstd may write what is longer.
    let literals =
        if dst.len() < src.len() { dst.len().saturating_sub(SPARE + BESIDE_LITERALS) } else { MOST };
    let mut found = Found::NOTHING;
    find(clevel, src, literals, &mut found)?;
    let mut frame = Frame { bytes: [0; ROOM], len: 0 };
    frame.fill(src.len(), &found);
    let frame = frame.bytes.get(..frame.len).filter(|frame| frame.len() <= src.len() - src.len() / WORTH)?;
    if found.literals().len() >= MANY && codes_take_less(src, frame.len()) {
        return None;
    }
    let needed = frame.len() + SPARE;
    if needed > dst.len() {
        // A match that libzstd finds, too, leaves so short a stream too few literals for codes.
        let found = found.sequences().iter().any(|sequence| usize::from(sequence.len) >= FOUND);
        return (src.len() <= LITERALS + 1 && found).then_some(0);
    }
    let place = &mut dst[..needed];
    place[..frame.len()].copy_from_slice(frame);
    Some(frame.len())
}

/// Writes the frame of a stream whose bytes take less as they stand than by codes, and tells how long it is; 0 when it does not fit.
/// `None` when it would be better with what is not written here.
pub fn write_few(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let mut found = Found::NOTHING;
    find_few(src, &mut found)?;
    if codes_spare(found.literals()) {
        return None;
    }
    if found.sequences().is_empty() {
        return Some(0);
    }
    let mut frame = Frame { bytes: [0; ROOM], len: 0 };
    frame.fill(src.len(), &found);
    let frame = &frame.bytes[..frame.len];
    if frame.len() + SPARE > dst.len() {
        return Some(0);
    }
    dst[..frame.len()].copy_from_slice(frame);
    Some(frame.len())
}

/// As many bytes as a frame takes: headers, literals and sequences.
const ROOM: usize = ALL_LITERALS + bits::MOST + 32;

struct Frame {
    bytes: [u8; ROOM],
    len: usize,
}

impl Frame {
    /// All of the frame of a stream of so many bytes.
    fn fill(&mut self, len: usize, found: &Found) {
        self.begin(len);
        let block = self.len;
        self.put(&[0; BLOCK_HEADER]);
        self.literals(found.literals());
        self.sequences(found.sequences());
        let len = self.len - block - BLOCK_HEADER;
        self.bytes[block..][..BLOCK_HEADER]
            .copy_from_slice(&(LAST_COMPRESSED | len << 3).to_le_bytes()[..BLOCK_HEADER]);
    }

    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// What stands before the block.
    fn begin(&mut self, len: usize) {
        self.put(&MAGIC);
        match u8::try_from(len) {
            Ok(len) => self.put(&[SINGLE_SEGMENT, len]),
            Err(_) => {
                self.put(&[SINGLE_SEGMENT | TWO_BYTES]);
                self.put(&((len - LESS) as u16).to_le_bytes());
            }
        }
    }

    /// Literals as they stand, or one for all.
    fn literals(&mut self, literals: &[u8]) {
        let count = literals.len();
        let (same, bytes) = match literals {
            [first, rest @ ..] if count >= SAME && rest.iter().all(|byte| byte == first) => {
                (1, &literals[..1])
            }
            _ => (0, literals),
        };
        match count {
            ..32 => self.put(&[same | (count << 3) as u8]),
            _ => self.put(&(u16::from(same) | 1 << 2 | (count << 4) as u16).to_le_bytes()),
        }
        self.put(bytes);
    }

    fn sequences(&mut self, sequences: &[Sequence]) {
        let mut symbols = [[0; 3]; MATCHES];
        let symbols = &mut symbols[..sequences.len()];
        for (symbols, sequence) in symbols.iter_mut().zip(sequences) {
            *symbols = [
                codes::LITERALS.symbol_of(sequence.literals),
                OFFSET.symbol_of(sequence.offset),
                LEN.symbol_of(sequence.len),
            ];
        }
        let Some(last) = symbols.last() else { return };
        let same = |i: usize| symbols.len() >= SAME && symbols.iter().all(|symbols| symbols[i] == last[i]);
        let [literals, offset, len] =
            std::array::from_fn(|i| if same(i) { Coding::Same(last[i]) } else { Coding::States });
        self.put(&[sequences.len() as u8, mode(literals) << 6 | mode(offset) << 4 | mode(len) << 2]);
        for coding in [literals, offset, len] {
            if let Coding::Same(symbol) = coding {
                self.put(&[symbol]);
            }
        }
        let (bytes, len) = write_bits(sequences, symbols, Codings { literals, offset, len });
        self.put(&bytes[..len]);
    }
}

fn mode(coding: Coding) -> u8 {
    u8::from(matches!(coding, Coding::Same(_)))
}

/// Bits of sequences and their symbols, of which there is one at least, from the last one to the first.
fn write_bits(sequences: &[Sequence], symbols: &[[u8; 3]], codings: Codings) -> ([u8; bits::MOST], usize) {
    let mut bits = Writer::new();
    let mut all = sequences.iter().zip(symbols).rev();
    let Some((last, &[l, o, m])) = all.next() else { return bits.end() };
    let mut literals = State::last(&codes::LITERALS, codings.literals, l);
    let mut offset = State::last(&OFFSET, codings.offset, o);
    let mut len = State::last(&LEN, codings.len, m);
    rests(&mut bits, last, [l, o, m]);
    for (sequence, &[l, o, m]) in all {
        bits.put(offset.before(o));
        bits.put(len.before(m));
        bits.put(literals.before(l));
        rests(&mut bits, sequence, [l, o, m]);
    }
    bits.put(len.bits());
    bits.put(offset.bits());
    bits.put(literals.bits());
    bits.end()
}

/// What the symbols of a sequence do not tell.
fn rests(bits: &mut Writer, sequence: &Sequence, [literals, offset, len]: [u8; 3]) {
    let rest = |alphabet: &Alphabet, symbol, value| alphabet.rest_of(symbol, value);
    bits.put(rest(&codes::LITERALS, literals, sequence.literals));
    bits.put(rest(&LEN, len, sequence.len));
    bits.put(rest(&OFFSET, offset, sequence.offset));
    bits.flush();
}
