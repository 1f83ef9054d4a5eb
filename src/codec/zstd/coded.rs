//! Streams that are nothing but bytes by Huffman's codes: literals of one block, and no match (RFC 8878, 3.1.1.3.1 and 4.2).
//!
//! Of what libzstd takes for a short one, most goes into tables: it reads how long codes are, sorts them, and makes a table for
//! more bits than they have. Here they are sorted as they are read, and the table is no larger than it has to be. libzstd has the last
//! word: what is not one of these, or is damaged, is read, or refused, by libzstd.

mod fse;
mod streams;
mod table;
mod weights;

use super::frame::only_block;
use table::{LONG, SHORT, Table};
use weights::{Lengths, Sorted};

/// The longest of these streams.
const MOST: usize = 1 << 16;
/// Of more bytes than that, libzstd reads two at a time where their codes are short: those that save more than a fourth of them.
const FEW: usize = 2048;
/// The most bits of a code.
const LONGEST: u32 = 11;
/// Bytes that have codes.
const SYMBOLS: usize = 256;

/// Reads a frame into the front of `dst`, and tells how many bytes that is. `None` when it is not one of those that are read here,
/// or none at all: then anything may have been written.
pub(super) fn read(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let (literals, len) = Literals::of(src)?;
    literals.read(dst.get_mut(..len)?)?;
    Some(len)
}

/// Where codes stand: from there to the end, in one stream or in four.
struct Literals<'a> {
    src: &'a [u8],
    from: usize,
    four: bool,
}

impl<'a> Literals<'a> {
    /// Those of a frame, with their description, and how many they are. Most frames have matches, and no zero as their last byte,
    /// which says that there are none.
    #[inline(always)]
    fn of(frame: &'a [u8]) -> Option<(Self, usize)> {
        let [src @ .., 0] = frame else { return None };
        let (len, block) = only_block(frame)?;
        let &header = block.first_chunk()?;
        // As many bits for what they take as for what they are.
        let (bits, taken) = match header[0] & 0b1111 {
            0b0010 | 0b0110 => (10, 3),
            0b1010 => (14, 4),
            0b1110 => (18, 5),
            _ => return None,
        };
        let [a, b, c, d, e] = header;
        let sizes = u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) >> 4;
        let [count, coded] = [sizes, sizes >> bits].map(|size| (size & ((1 << bits) - 1)) as usize);
        // A block is no longer than its content.
        let agree = count == len && taken + coded + 1 == block.len() && block.len() <= len;
        let soon = len <= FEW || len <= MOST && 4 * coded >= 3 * len;
        let from = frame.len() - block.len() + taken;
        (agree && soon).then_some((Literals { src, from, four: header[0] & 0b1100 != 0 }, len))
    }

    /// All of them, which `dst` has the length of.
    #[inline(never)]
    fn read(self, dst: &mut [u8]) -> Option<()> {
        let mut sorted = Sorted::new();
        let (lengths, from) = Lengths::read(self.src, self.from, &mut sorted)?;
        let codes = Literals { from, ..self };
        if lengths.longest <= SHORT.ilog2() {
            codes.decode::<SHORT, { streams::per_word(SHORT) }>(&lengths, &sorted, dst)
        } else {
            codes.decode::<LONG, { streams::per_word(LONG) }>(&lengths, &sorted, dst)
        }
    }

    /// By a table of its own, which then is where no register has to tell.
    #[inline(never)]
    fn decode<const N: usize, const K: usize>(
        &self,
        lengths: &Lengths,
        sorted: &Sorted,
        dst: &mut [u8],
    ) -> Option<()> {
        let table = Table::<N>::new(lengths, sorted);
        if self.four {
            streams::four::<N, K>(self.src, self.from, &table, dst)
        } else {
            streams::one::<N, K>(self.src, self.from, &table, dst)
        }
    }
}

#[cfg(test)]
mod tests;
