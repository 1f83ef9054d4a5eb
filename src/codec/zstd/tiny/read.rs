//! Reading a frame of literals and matches.

use super::super::frame::only_block;
use super::super::sequences::Distances;
use super::super::sequences::bits::Reader;
use super::super::sequences::codes::{Alphabet, Coding, LEN, LITERALS, OFFSET, State};
use super::MOST;

/// The most matches: libzstd takes so long to make itself ready for a stream, but is sooner done with each.
const MATCHES: u8 = 8;
/// Bytes that are copied at a time.
const WIDE: usize = 16;
/// Literals of at most so many bytes, and as many behind them as a copy may have.
const ROOM: usize = MOST + 2 * WIDE;

/// Reads a frame into the front of `dst`, and tells how many bytes that is. `None` when it is not one of those that are read here,
/// or none at all: then anything may have been written.
pub fn read(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (len, block) = only_block(src).filter(|&(len, _)| len <= MOST)?;
    let dst = dst.get_mut(..len)?;
    let (literals, sequences) = Literals::of(block)?;
    if *sequences.first()? > MATCHES {
        return None;
    }
    let mut room = [0; ROOM];
    let count = literals.read(&mut room)?;
    let mut output = Output { literals: &room, used: 0, count, bytes: [0; ROOM], len: 0, most: len };
    read_sequences(sequences, &mut output)?;
    output.literals(count - output.used)?;
    if output.len != len {
        return None;
    }
    dst.copy_from_slice(&output.bytes[..len]);
    Some(len)
}

/// Literals that stand there, or are all the same.
enum Literals<'a> {
    All(&'a [u8]),
    Same(u8, usize),
}

impl<'a> Literals<'a> {
    /// Those of a block, and what follows them.
    #[inline(always)]
    fn of(block: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (&first, rest) = block.split_first()?;
        let (count, rest) = match first >> 2 & 3 {
            0 | 2 => (usize::from(first >> 3), rest),
            1 => {
                let (&second, rest) = rest.split_first()?;
                (usize::from(first >> 4) | usize::from(second) << 4, rest)
            }
            _ => return None,
        };
        match first & 3 {
            0 => rest.split_at_checked(count).map(|(bytes, rest)| (Literals::All(bytes), rest)),
            1 => rest.split_first().map(|(&byte, rest)| (Literals::Same(byte, count), rest)),
            _ => None,
        }
    }

    /// All of them; tells how many they are.
    #[inline(always)]
    fn read(self, to: &mut [u8; ROOM]) -> Option<usize> {
        match self {
            Literals::All(bytes) => {
                to[..MOST].get_mut(..bytes.len())?.copy_from_slice(bytes);
                Some(bytes.len())
            }
            Literals::Same(byte, count) => {
                to[..MOST].get_mut(..count)?.fill(byte);
                Some(count)
            }
        }
    }
}

/// How the three codes of a sequence are read.
struct Codings {
    literals: Coding,
    offset: Coding,
    len: Coding,
}

/// Reads the sequences to the end of their bits.
fn read_sequences(src: &[u8], output: &mut Output) -> Option<()> {
    let (&[count, modes], rest) = src.split_first_chunk()?;
    if count == 0 || modes & 3 != 0 {
        return None;
    }
    let mut rest = rest;
    let mut coding = |alphabet: &Alphabet, mode: u8| match mode & 3 {
        0 => Some(Coding::States),
        1 => {
            let (&symbol, behind) = rest.split_first()?;
            rest = behind;
            alphabet.has(symbol).then_some(Coding::Same(symbol))
        }
        _ => None,
    };
    let codings = Codings {
        literals: coding(&LITERALS, modes >> 6)?,
        offset: coding(&OFFSET, modes >> 4)?,
        len: coding(&LEN, modes >> 2)?,
    };
    let mut bits = Reader::new(rest)?;
    let [mut literals, mut offset, mut len] = {
        let logs = [
            State::log(&LITERALS, codings.literals),
            State::log(&OFFSET, codings.offset),
            State::log(&LEN, codings.len),
        ];
        let mut word = bits.word(logs.iter().sum())?;
        [
            State::new(&LITERALS, codings.literals, word.take(logs[0])),
            State::new(&OFFSET, codings.offset, word.take(logs[1])),
            State::new(&LEN, codings.len, word.take(logs[2])),
        ]
    };
    let mut distances = Distances::FIRST;
    for left in (0..count).rev() {
        let firsts = [
            OFFSET.first_of(offset.symbol()),
            LEN.first_of(len.symbol()),
            LITERALS.first_of(literals.symbol()),
        ];
        let nexts =
            if left > 0 { [literals.next_bits(), len.next_bits(), offset.next_bits()] } else { [0; 3] };
        let all = firsts.iter().map(|(_, more)| more).sum::<u32>() + nexts.iter().sum::<u32>();
        let mut word = bits.word(all)?;
        let [offset_value, match_len, literal_count] =
            firsts.map(|(first, more)| first + word.take(more) as usize);
        if left > 0 {
            literals.next(word.take(nexts[0]));
            len.next(word.take(nexts[1]));
            offset.next(word.take(nexts[2]));
        }
        output.literals(literal_count)?;
        output.repeat(distances.take(offset_value, literal_count), match_len)?;
    }
    bits.is_empty().then_some(())
}

/// What has been read.
struct Output<'a> {
    literals: &'a [u8; ROOM],
    used: usize,
    count: usize,
    bytes: [u8; ROOM],
    len: usize,
    most: usize,
}

impl Output<'_> {
    /// Copies the next literals.
    #[inline(always)]
    fn literals(&mut self, count: usize) -> Option<()> {
        if count > self.count - self.used || count > self.most - self.len {
            return None;
        }
        let mut at = 0;
        while at < count {
            let from: [u8; WIDE] = *self.literals[self.used + at..].first_chunk()?;
            *self.bytes[self.len + at..].first_chunk_mut()? = from;
            at += WIDE;
        }
        (self.used, self.len) = (self.used + count, self.len + count);
        Some(())
    }

    /// Copies `len` bytes from so far back.
    #[inline(always)]
    fn repeat(&mut self, distance: usize, len: usize) -> Option<()> {
        if distance == 0 || distance > self.len || len > self.most - self.len {
            return None;
        }
        let (mut at, end) = (self.len, self.len + len);
        if distance == 1 {
            let byte = self.bytes[at - 1];
            self.bytes[at..end].fill(byte);
            at = end;
        }
        // What is written repeats itself, too: from twice as far back each time.
        let mut distance = distance;
        while at < end {
            let from: [u8; WIDE] = *self.bytes[at - distance..].first_chunk()?;
            *self.bytes[at..].first_chunk_mut()? = from;
            at += distance.min(WIDE);
            if distance < WIDE {
                distance *= 2;
            }
        }
        self.len = end;
        Some(())
    }
}
