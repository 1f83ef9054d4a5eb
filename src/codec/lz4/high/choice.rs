//! Which matches are written, where several overlap.
//!
//! The way is liblz4's: a match is held until it is known whether a longer one begins in it. Two that overlap are both held, the
//! second from where the first ends, until it is known whether a third one makes the second superfluous.

use super::search::{Match, Search};
use crate::codec::lz4::encode::{LAST, LEAST};
use crate::codec::lz4::sink::{MORE, Sink};
use std::ops::Range;

/// So few bytes before a match, or between two, are as soon written as they stand.
const FEW: usize = 3;
/// The longest match whose length fits a token.
const FREE: usize = LEAST + MORE - 1;
/// So many last bytes of a match another one has to have that takes its place, or that of the second.
const SHARED: usize = 2;
const SHARED_BY_SECOND: usize = 3;

/// The stream in the making.
pub(super) struct Choice<'a, 'b> {
    search: Search<'a>,
    sink: Sink<'b>,
    /// Up to there, all is written.
    written: usize,
}

impl<'a, 'b> Choice<'a, 'b> {
    pub fn new(search: Search<'a>, sink: Sink<'b>) -> Self {
        Choice { search, sink, written: 0 }
    }

    /// Remembers the places before a section.
    pub fn catch_up(&mut self, begin: usize) {
        self.search.remember(begin);
    }

    /// Writes the matches of a section; `None` when they do not fit, as below.
    pub fn section(&mut self, section: Range<usize>) -> Option<()> {
        self.search.go_on(section.start, section.end.min(self.search.src.len().saturating_sub(LAST)));
        let mut at = section.start;
        while self.search.is_place(at) {
            match self.search.longest(at) {
                None => at += 1,
                Some(found) => {
                    self.first(found)?;
                    at = self.written;
                    self.search.cover(at);
                }
            }
        }
        Some(())
    }

    /// Writes a match, or what is better, and all that overlap with it.
    fn first(&mut self, found: Match) -> Option<()> {
        let (mut skipped, mut held) = (found, found);
        while let Some(next) = self.search.longer(held, SHARED) {
            if skipped.at < held.at && next.at < held.at + skipped.len {
                // With it, there are fewer bytes between the two.
                held = skipped;
            }
            if next.at - held.at < FEW {
                held = next;
                continue;
            }
            match self.second(held, next)? {
                Some(both) => (skipped, held) = both,
                None => return Some(()),
            }
        }
        self.write(held)
    }

    /// Writes two matches, or what is better. When the second is skipped for the time being, it comes back, with the one that is
    /// held instead.
    fn second(&mut self, mut first: Match, mut second: Match) -> Option<Option<(Match, Match)>> {
        loop {
            second = behind(first, second);
            let Some(third) = self.search.longer(second, SHARED_BY_SECOND) else {
                self.write(before(first, second))?;
                self.write(second)?;
                return Some(None);
            };
            if third.at >= first.end() + FEW {
                self.write(before(first, second))?;
                (first, second) = (second, third);
            } else if third.at >= first.end() {
                self.write(first)?;
                let skipped = second.at.max(first.end());
                let is_match = skipped + LEAST <= second.end();
                return Some(Some((if is_match { second.from(skipped) } else { third }, third)));
            } else {
                second = third;
            }
        }
    }

    fn write(&mut self, Match { at, len, back }: Match) -> Option<()> {
        debug_assert!(at >= self.written && len >= LEAST);
        self.sink.sequence(self.search.src, self.written, at, back, len)?;
        self.written = at + len;
        Some(())
    }

    /// Ends the stream with its last literals, and tells its length.
    pub fn finish(self) -> Option<usize> {
        self.sink.finish(&self.search.src[self.written..])
    }
}

/// The second of two matches from where the first ends, as far as that one is long for nothing.
fn behind(first: Match, second: Match) -> Match {
    let end = (first.at + first.len.min(FREE)).min(second.end() - LEAST);
    if end > second.at { second.from(end) } else { second }
}

/// The first of two matches up to where the second begins.
fn before(first: Match, second: Match) -> Match {
    if second.at < first.end() { first.until(second.at) } else { first }
}
