//! One stream out of those of a block's sections, with literals between them.
//!
//! A sequence is a token (how many literals, and how long the match is), the literals, and the match's distance and length. The
//! last one of a stream has literals only: when another stream follows, they belong to its first sequence, with all that
//! lies between.

use super::decode::{MORE, length};
use std::ops::Range;

/// Bytes of a distance.
const DISTANCE: usize = 2;

/// The stream of `src` in the making.
pub(super) struct Joined<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    /// Bytes of whole sequences.
    len: usize,
    /// From there on, `src` is not in them: literals of the next.
    waiting: usize,
}

impl<'a> Joined<'a> {
    pub(super) fn begin(src: &'a [u8], dst: &'a mut [u8]) -> Self {
        Joined { src, dst, len: 0, waiting: 0 }
    }

    /// Where the stream of the section that begins at `begin` is to be written: far enough back for the literals before it.
    /// `None` when there is no room.
    pub(super) fn room(&mut self, begin: usize) -> Option<&mut [u8]> {
        let at = self.place(begin);
        self.dst.get_mut(at..)
    }

    /// Token and lengths of the literals that wait, and of those of the section, take less than lies before that.
    fn place(&self, begin: usize) -> usize {
        let literals = begin - self.waiting;
        self.len + literals + literals / 255 + 3
    }

    /// Takes over the stream of a section, `len` bytes in [its room](Self::room). `None` when that is no stream.
    pub(super) fn join(&mut self, section: Range<usize>, len: usize) -> Option<()> {
        let at = self.place(section.start);
        let first = Sequence::read(self.dst.get(at..at + len)?)?;
        let Some(matched) = first.matched else { return Some(()) };
        let behind = at + first.literals.end;
        let literals = &self.src[self.waiting..section.start + first.literals.len()];
        let to = put(self.dst, self.len, literals, matched)?;
        self.dst.copy_within(behind..at + len, to);
        let end = to + at + len - behind;
        // To the last sequence: its literals wait for what follows.
        let mut here = to + Sequence::rest(self.dst.get(to..end)?, matched)?;
        loop {
            let sequence = Sequence::read(self.dst.get(here..end)?)?;
            let Some(matched) = sequence.matched else {
                (self.len, self.waiting) = (here, section.end - sequence.literals.len());
                return Some(());
            };
            here += sequence.literals.end;
            here += Sequence::rest(self.dst.get(here..end)?, matched)?;
        }
    }

    /// Writes the last literals, and tells how long the stream is. `None` when there is no room.
    pub(super) fn end(self) -> Option<usize> {
        put(self.dst, self.len, &self.src[self.waiting..], 0)
    }
}

/// Where the literals of a sequence stand in it, and the half of its token that tells how long its match is. The last one
/// has none.
struct Sequence {
    literals: Range<usize>,
    matched: Option<u8>,
}

impl Sequence {
    /// The first sequence of a stream.
    fn read(stream: &[u8]) -> Option<Self> {
        let (&token, mut rest) = stream.split_first()?;
        let count = length(&mut rest, usize::from(token >> 4))?;
        let begin = stream.len() - rest.len();
        let literals = begin..begin + count;
        let matched = (count < rest.len()).then_some(token & MORE as u8);
        (count <= rest.len()).then_some(Sequence { literals, matched })
    }

    /// How many bytes the distance and the length take that stand behind the literals.
    fn rest(bytes: &[u8], matched: u8) -> Option<usize> {
        let mut rest = bytes.get(DISTANCE..)?;
        length(&mut rest, usize::from(matched))?;
        Some(bytes.len() - rest.len())
    }
}

/// Writes token and literals of a sequence, and tells where they end.
fn put(dst: &mut [u8], at: usize, literals: &[u8], matched: u8) -> Option<usize> {
    let half = literals.len().min(MORE);
    *dst.get_mut(at)? = (half as u8) << 4 | matched;
    let mut end = at + 1;
    if half == MORE {
        let more = literals.len() - MORE;
        let bytes = dst.get_mut(end..)?.get_mut(..=more / 255)?;
        bytes.fill(255);
        bytes[more / 255] = (more % 255) as u8;
        end += bytes.len();
    }
    dst.get_mut(end..)?.get_mut(..literals.len())?.copy_from_slice(literals);
    Some(end + literals.len())
}

#[cfg(test)]
mod tests;
