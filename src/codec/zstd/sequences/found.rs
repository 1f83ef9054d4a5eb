//! What a stream is made of: all its literals, and its matches with how many stand before each.

use super::{Distances, Sequence};
use std::ops::Range;

/// Bytes that are copied at a time, where they are few.
const WIDE: usize = 16;

/// Room for `L` literals, and for `M` matches.
pub(in super::super) struct Found<const L: usize, const M: usize> {
    literals: [u8; L],
    count: usize,
    sequences: [Sequence; M],
    matches: usize,
    distances: Distances,
}

impl<const L: usize, const M: usize> Found<L, M> {
    pub const NOTHING: Self = Found {
        literals: [0; L],
        count: 0,
        sequences: [Sequence::NONE; M],
        matches: 0,
        distances: Distances::FIRST,
    };

    /// Begins another stream.
    pub fn clear(&mut self) {
        (self.count, self.matches, self.distances) = (0, 0, Distances::FIRST);
    }

    /// All that is in no match.
    pub fn literals(&self) -> &[u8] {
        &self.literals[..self.count]
    }

    pub fn sequences(&self) -> &[Sequence] {
        &self.sequences[..self.matches]
    }

    /// The last distances.
    pub fn distances(&self) -> &Distances {
        &self.distances
    }

    /// Adds a match of bytes that stand so far back, too, and the literals in front of it, which begin at `from`; `None` when they are too
    /// many, or it is one too many.
    #[inline(always)]
    pub fn add(&mut self, src: &[u8], from: usize, found: Range<usize>, distance: usize) -> Option<()> {
        self.add_literals(src, from..found.start)?;
        let literals = found.start - from;
        let offset = self.distances.tell(distance, literals);
        *self.sequences.get_mut(self.matches)? =
            Sequence { literals: literals as u16, len: found.len() as u16, offset: offset as u16 };
        self.matches += 1;
        Some(())
    }

    /// Adds literals; `None` when they are too many.
    #[inline(always)]
    pub fn add_literals(&mut self, src: &[u8], which: Range<usize>) -> Option<()> {
        let (from, count) = (which.start, which.len());
        let place = self.literals.get_mut(self.count..)?;
        match (place.first_chunk_mut::<WIDE>(), src.get(from..)?.first_chunk::<WIDE>()) {
            (Some(place), Some(bytes)) if count <= WIDE => *place = *bytes,
            _ => place.get_mut(..count)?.copy_from_slice(src.get(which)?),
        }
        self.count += count;
        Some(())
    }
}
