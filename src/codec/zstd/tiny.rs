//! Streams of a few hundred bytes that are literals as they stand, and few matches whose codes need no description (RFC 8878).
//!
//! For these, libzstd makes ready what a long stream would need: tables, contexts, choices. They are written here in a fraction of
//! that time, and read in half of it. Whatever else a stream has, codes for literals or codes of its own, is left to others
//! ([`coded`](super::coded) has those that are nothing else), and to libzstd to say what is no stream.

mod bits;
mod codes;
mod find;
mod read;
mod write;

pub(super) use read::read;
pub(super) use write::{write, write_few};

use super::frame::{BLOCK_HEADER, MAGIC};
use codes::Coding;

/// Above that Blosc level, libzstd weighs more against each other than is done here.
pub(super) const LEVEL: u8 = 5;
/// The longest of these streams.
const MOST: usize = 512;
/// So many literals are not worth codes: libzstd leaves them as they are, too (`ZSTD_minLiteralsToCompress`).
pub(super) const LITERALS: usize = 63;
/// The longest stream of which more are left as they are, where codes would not pay.
pub(super) const ALL_LITERALS: usize = 256;
/// So many matches are not worth codes of their own.
const MATCHES: usize = 16;
/// The part of a stream that is saved at least: what saves less is sooner copied than read, which libzstd may decide.
const WORTH: usize = 8;

/// What stands before the literals of a short frame, at least: how it begins, with a length of one byte, and the block's header.
pub(super) const BEFORE_LITERALS: usize = MAGIC.len() + 2 + BLOCK_HEADER;
/// What a frame has beside literals as they stand, at least: that, their header, how sequences begin, and three bytes more of one: its
/// states, or its symbols.
pub(super) const BESIDE_LITERALS: usize = BEFORE_LITERALS + 1 + 2 + 3;

/// Literals, and a match behind them.
#[derive(Clone, Copy)]
struct Sequence {
    literals: u16,
    len: u16,
    /// The distance and 3, or which of the last distances: 1 to 3.
    offset: u16,
}

impl Sequence {
    const NONE: Self = Sequence { literals: 0, len: 0, offset: 0 };
}

/// The distances of the last matches.
struct Distances([usize; 3]);

impl Distances {
    /// Those that a stream begins with.
    const FIRST: Self = Distances([1, 4, 8]);

    /// Those that offsets from 1 to 3 mean, behind so many literals: behind none, the first is not meant, as what follows it would
    /// have been part of the match before. 0 is none.
    #[inline(always)]
    fn meant(&self, literals: usize) -> [usize; 3] {
        let [first, second, third] = self.0;
        if literals > 0 { [first, second, third] } else { [second, third, first - 1] }
    }

    /// What a distance is written as, behind so many literals.
    fn offset(&self, distance: usize, literals: usize) -> usize {
        let meant = self.meant(literals);
        meant.iter().position(|&meant| meant == distance).map_or(distance + 3, |at| at + 1)
    }

    /// The distance that an offset means, which is the first one then; 0 when it is none.
    #[inline(always)]
    fn take(&mut self, offset: usize, literals: usize) -> usize {
        let [first, second, third] = self.0;
        let distance = match offset.checked_sub(4) {
            Some(less) => less + 1,
            None => self.meant(literals)[(offset - 1) % 3],
        };
        self.0 = match offset - usize::from(offset < 4 && literals > 0) {
            0 => [first, second, third],
            1 if offset < 4 => [distance, first, third],
            _ => [distance, first, second],
        };
        distance
    }
}

/// How the three codes of a sequence are written.
struct Codings {
    literals: Coding,
    offset: Coding,
    len: Coding,
}

#[cfg(test)]
mod tests;
