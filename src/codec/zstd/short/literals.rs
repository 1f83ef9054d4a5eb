//! Literals: as they stand, all the same, or by codes (RFC 8878, 3.1.1.3.1).

use super::super::frame::write::Frame;
use super::super::sequences::bits::Writer;
use super::ROOM;
use super::describe::Description;
use super::huffman::{Coder, LEN, count};

/// So many are not worth codes, as libzstd has it (`ZSTD_minLiteralsToCompress`).
const FEW: usize = 63;
/// What stands before literals as they stand, at least.
const HEADER: usize = 1;
/// So many have codes in four parts.
const IN_PARTS: usize = 256;
const PARTS: usize = 4;
/// How long a part is, but for the last, takes so many bytes.
const PART_LEN: usize = 2;
/// Codes of so many bytes go into a word.
const AT_ONCE: usize = 5;

/// Adds literals in the way that takes least, which is no more than `most` bytes; `None` when there is none.
pub(super) fn write(coder: &mut Coder, literals: &[u8], most: usize, frame: &mut Frame<ROOM>) -> Option<()> {
    let len = literals.len();
    let same = literals.iter().all(|byte| *byte == literals[0]);
    if len > FEW && !same {
        // As libzstd has it (`ZSTD_minGain`).
        let most = most.min(len - (len >> 6) - 2).checked_sub(Coded::HEADER)?;
        let bits = coder.weigh(&count(literals), len, most);
        if let Some(coded) = bits.and_then(|bits| Coded::of(coder, bits, len, most)) {
            coder.assign();
            return coded.write(coder, literals, frame);
        }
    }
    if !same && len + HEADER > most {
        return None;
    }
    frame.literals(literals);
    Some(())
}

/// Literals by codes.
struct Coded {
    description: Description,
    parts: usize,
}

impl Coded {
    /// Bytes of the header, at least.
    const HEADER: usize = 3;

    /// So many literals, whose codes take so many bits; `None` when they take more than `most` bytes with their description.
    fn of(coder: &Coder, bits: usize, literals: usize, most: usize) -> Option<Self> {
        let parts = if literals < IN_PARTS { 1 } else { PARTS };
        // Each part ends in a bit, and then its byte.
        let coded = bits / 8 + parts + (parts - 1) * PART_LEN;
        let description = Some(coder).filter(|_| coded < most).and_then(Description::of)?;
        (description.bytes().len() + coded < most).then_some(Coded { description, parts })
    }

    fn write(&self, coder: &Coder, literals: &[u8], frame: &mut Frame<ROOM>) -> Option<()> {
        let header = frame.len();
        // As many bits for what they take as for what they are.
        let (format, bits, bytes) = match (self.parts, literals.len()) {
            (1, _) => (0, 10, 3),
            (_, ..1024) => (1, 10, 3),
            _ => (2, 14, 4),
        };
        frame.put(&[0; 4][..bytes]);
        frame.put(self.description.bytes());
        let lens = frame.len();
        frame.put(&[0; (PARTS - 1) * PART_LEN][..(self.parts - 1) * PART_LEN]);
        for (at, part) in literals.chunks(literals.len().div_ceil(self.parts)).enumerate() {
            let len = frame.put_by(|bytes| encode(coder, part, bytes))?;
            if at + 1 < self.parts {
                frame.put_at(lens + PART_LEN * at, &(len as u16).to_le_bytes());
            }
        }
        let taken = frame.len() - header - bytes;
        let told = 2 | format << 2 | literals.len() << 4 | taken << (4 + bits);
        frame.put_at(header, &told.to_le_bytes()[..bytes]);
        Some(())
    }
}

/// Writes the codes of bytes from the last one to the first.
#[inline(never)]
fn encode(coder: &Coder, literals: &[u8], bytes: &mut [u8]) -> Option<usize> {
    let mut bits = Writer::new(bytes);
    let code = |byte: u8| {
        let code = coder.codes[usize::from(byte)];
        (u64::from(code as u16), code >> LEN)
    };
    let (rest, words) = literals.as_rchunks::<AT_ONCE>();
    for word in words.iter().rev() {
        word.iter().rev().for_each(|&byte| bits.put(code(byte)));
        bits.flush();
    }
    rest.iter().rev().for_each(|&byte| bits.put(code(byte)));
    bits.end()
}
