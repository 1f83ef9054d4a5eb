//! What finds matches, which is told of the places where they may be.

use std::ops::Range;

/// Bytes that a match has at least. Deflate's may have one less, which is seldom shorter than its bytes.
pub(super) const SHORTEST: usize = 4;

/// A stretch of bytes that stands farther back, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// [`SHORTEST`] at least.
    pub len: usize,
    /// 1 to 2^15.
    pub back: usize,
}

/// Of one block, which is `src` for each function; places are told as they come.
pub(super) trait Finder {
    /// A match for what stands in `src` at `at`. Remembers the place.
    fn find(&mut self, src: &[u8], at: usize) -> Option<Match>;

    /// Remembers the places in a range of `src` that a match covered, whose bytes stood `back` before: as far as that is worth it.
    fn cover(&mut self, src: &[u8], range: Range<usize>, back: usize);

    /// Remembers all places in a range of `src`, but for those at its end.
    fn remember(&mut self, src: &[u8], range: Range<usize>);
}

#[cfg(test)]
pub(super) mod tests;
