//! Chunks that are stored in their order: of each, the next one is stored behind it.

use super::Place;
use super::offsets::{Offsets, stored};

/// Offsets of which those that are stored ascend, and no two are the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ascending {
    /// The last chunk that is stored.
    pub last: Option<usize>,
}

impl Ascending {
    /// For these offsets, if they ascend.
    pub fn of(offsets: &Offsets) -> Option<Self> {
        offsets.ascend().then(|| Ascending { last: last_before(offsets, offsets.len()) })
    }

    /// Whether a chunk that is stored comes after chunk `n`.
    pub fn is_before_last(self, n: usize) -> bool {
        self.last.is_some_and(|last| n < last)
    }

    /// What is known once a chunk has been added at `n`.
    pub fn insert(self, offsets: &Offsets, n: usize, place: Place) -> Option<Self> {
        let moved = self.last.filter(|&last| n <= last);
        match place {
            Place::Special(_) => Some(Ascending { last: moved.map_or(self.last, |last| Some(last + 1)) }),
            Place::Stored(at) => {
                (moved.is_none() && is_behind(offsets, self.last, at)).then_some(Ascending { last: Some(n) })
            }
        }
    }

    /// What is known once chunk `n` is somewhere else.
    pub fn replace(self, offsets: &Offsets, n: usize, place: Place) -> Option<Self> {
        let before = if self.last == Some(n) { last_before(offsets, n) } else { self.last };
        match place {
            Place::Special(_) => Some(Ascending { last: before }),
            Place::Stored(at) => {
                let is_last = !self.is_before_last(n) && is_behind(offsets, before, at);
                is_last.then_some(Ascending { last: Some(n) })
            }
        }
    }

    /// What is known once chunk `n` has been taken out.
    pub fn remove(self, offsets: &Offsets, n: usize) -> Self {
        let last = match self.last {
            Some(last) if n < last => Some(last - 1),
            Some(last) if n == last => last_before(offsets, n),
            last => last,
        };
        Ascending { last }
    }
}

/// The last chunk before chunk `n` that is stored.
fn last_before(offsets: &Offsets, n: usize) -> Option<usize> {
    (0..n).rev().find(|&n| offsets.code(n).and_then(stored).is_some())
}

/// Whether `offset` is behind that of a chunk, if there is one.
fn is_behind(offsets: &Offsets, chunk: Option<usize>, offset: u64) -> bool {
    chunk.and_then(|n| offsets.code(n)).and_then(stored).is_none_or(|before| before < offset)
}
