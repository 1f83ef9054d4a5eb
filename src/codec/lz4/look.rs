//! A look at what the matches of numbers are like.

use super::encode::{LEAST, Reach, Reached};
use super::reach::ByWords;
use super::sink::MORE;

/// Matches that begin sooner, or in the first half of a sample, are not counted: as long as little is known, they are rare.
const BEGINNING: usize = 4 << 10;
/// Bytes of a stream that are worth a look.
pub(super) const SAMPLE: usize = 16 << 10;

/// What they are like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Matches {
    /// Near to each other, and mostly as long as the one before.
    Regular,
    /// Few: of ten bytes, eight are literals, or more.
    Rare,
    /// With literals between them, though not between all: of ten bytes, three at least.
    Apart,
    #[default]
    Others,
}

/// Counts matches as they are found.
#[derive(Default)]
pub(super) struct Counted {
    /// From where on they are counted.
    beginning: usize,
    /// Where the last one ended.
    end: usize,
    /// How long it was.
    last: usize,
    all: usize,
    /// Those that were longer or shorter than the one before.
    surprises: usize,
    /// Those with more than one literal before what was looked up, be it that some of these belong to them.
    far: usize,
    /// Those whose length does not fit the token.
    long: usize,
    /// Bytes in matches, from what was looked up on.
    matched: usize,
}

impl Reach for Counted {
    const EVENLY: bool = false;

    #[inline(always)]
    fn reach(&mut self, src: &[u8], from: usize, at: usize) -> Reached {
        let reached @ Reached { len, .. } = ByWords.reach(src, from, at);
        if at >= self.beginning {
            self.all += 1;
            self.surprises += usize::from(len != self.last);
            self.far += usize::from(at - LEAST > self.end + 1);
            self.long += usize::from(len >= MORE);
            self.matched += LEAST + len;
        }
        (self.end, self.last) = (at + len, len);
        reached
    }
}

impl Counted {
    /// For a sample of `len` bytes.
    pub(super) fn of(len: usize) -> Self {
        Counted { beginning: BEGINNING.min(len / 2), ..Counted::default() }
    }

    /// What the matches of the sample, which has `len` bytes, are like. One that is far takes as long as two whose lengths are
    /// surprises, one that is long as long as one. The limit is where, of some thirty kinds of numbers, most begin to be written
    /// sooner by foreseeing than by liblz4.
    pub(super) fn matches(&self, len: usize) -> Matches {
        if 10 * (self.surprises + 2 * self.far + self.long) < 7 * self.all {
            Matches::Regular
        } else if 10 * self.matched <= 2 * (len - self.beginning) {
            Matches::Rare
        } else if 10 * self.matched < 7 * (len - self.beginning) && 10 * self.far < 9 * self.all {
            Matches::Apart
        } else {
            Matches::Others
        }
    }
}
