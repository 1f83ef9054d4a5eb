//! A look at a block before deflate works on it: in which of its sections are there matches at all?
//!
//! Deflate spends most of its time on looking for matches, and most of that where there are none: in the low bytes of shuffled
//! numbers, in the bits of their mantissas, in floats that nothing has shuffled. A fast look tells those places. What stands
//! there is stored, or its bytes get codes and nothing else.

use super::places::{Places, Repeated, WINDOW};
use crate::codec::noise;

/// Bytes that are looked at together; the last ones of a block with those before them.
const PIECE: usize = 4096;
/// A section of fewer bytes is not worth tables of its own.
const WORTH_CODES: usize = 2 * PIECE;
/// From so many of its bytes, by which part the sum of squares may exceed that of even ones: codes save a third of a per cent.
const CHANCE: u64 = 32;
/// Pairs that the first bytes of a piece may have more than there are by chance.
const SPARE: usize = PROMISING / 2;
/// After so much of a piece that is new, what stands before it is worth remembering.
const PROMISING: usize = 512;
/// In more places than that, what stands before a section has to be repeated in it, of the few that are looked at.
const GOES_BACK: usize = 8;
/// After a piece that was looked at in vain almost to its end, some are not, the more the more often that was so.
const MOST_SKIPPED: usize = 3;
/// At this level codes are always the same, and soon made: only what is stored is looked for.
const FIXED: u8 = 1;
/// From this level on matches may have three bytes, which the look does not see.
const THOROUGH: u8 = 9;

/// How a section is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its bytes stand as they are.
    Stored,
    /// Each byte has a code.
    Codes,
    /// By deflate, with the history that it has of the section itself.
    Matches,
    /// The same, but what stands before the section is worth to be told: it is repeated.
    Continued,
}

/// Bytes that are written alike, from the end of the section before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub kind: Kind,
    pub end: usize,
}

/// What a thread keeps for the look.
#[derive(Default)]
pub(super) struct Sections {
    places: Option<Box<Places>>,
    found: Vec<Section>,
}

impl Sections {
    /// The sections of `src` for a level: one at least.
    pub fn of(&mut self, clevel: u8, src: &[u8]) -> &[Section] {
        self.found.clear();
        let pieces = src.len() / PIECE;
        if pieces < 2 {
            self.found.push(Section { kind: Kind::Matches, end: src.len() });
            return &self.found;
        }
        let mut look = Look::new(self.places.get_or_insert_default(), clevel, src);
        for piece in 0..pieces {
            let end = if piece + 1 == pieces { src.len() } else { (piece + 1) * PIECE };
            self.found.push(Section { kind: look.kind(piece * PIECE, end), end });
        }
        join(&mut self.found);
        let mut begin = 0;
        for section in &mut self.found {
            if section.kind == Kind::Codes && section.end - begin < WORTH_CODES {
                section.kind = Kind::Matches;
            }
            begin = section.end;
        }
        join(&mut self.found);
        if self.found[0].kind == Kind::Continued {
            // By a section that has become part of it.
            self.found[0].kind = Kind::Matches;
        }
        &self.found
    }
}

/// Makes one section of those that go on as the one before.
fn join(sections: &mut Vec<Section>) {
    sections.dedup_by(|next, section| {
        let both = match (section.kind, next.kind) {
            (Kind::Matches, Kind::Continued) | (Kind::Continued, Kind::Matches) => Kind::Continued,
            (kind, same) if kind == same => kind,
            _ => return false,
        };
        *section = Section { kind: both, end: next.end };
        true
    });
}

/// One look at one block.
struct Look<'a> {
    places: &'a mut Places,
    src: &'a [u8],
    /// Whether codes alone may be worth their while.
    codes: bool,
    /// Before that, places are remembered.
    known: usize,
    /// Where the last piece ended in which there are no matches.
    cut: usize,
    /// Pieces that are not looked at next, and how many that was the last time.
    skip: usize,
    skipped: usize,
}

impl<'a> Look<'a> {
    fn new(places: &'a mut Places, clevel: u8, src: &'a [u8]) -> Self {
        places.forget();
        let codes = (FIXED + 1..THOROUGH).contains(&clevel);
        Look { places, src, codes, known: 0, cut: 0, skip: 0, skipped: 0 }
    }

    /// How the next piece is written.
    fn kind(&mut self, begin: usize, end: usize) -> Kind {
        let near = self.cut > 0 && begin - self.cut < WINDOW;
        if !near && self.skip > 0 {
            self.skip -= 1;
            return Kind::Matches;
        }
        let piece = &self.src[begin..end];
        let is_even =
            || noise::is_even_on_the_way(&piece[..PROMISING], SPARE) && noise::is_even(piece, CHANCE);
        let may_be_new = self.codes || noise::is_varied(piece) && is_even();
        let promising = begin + PROMISING;
        let mut repeated = Repeated::since(self.cut, near);
        if may_be_new || near {
            self.places.find(self.src, begin..promising, &mut repeated);
        }
        if may_be_new && repeated.is_little() {
            self.places.remember(self.src, self.known.max(begin.saturating_sub(WINDOW))..begin);
            self.known = end;
            self.places.find(self.src, promising..end, &mut repeated);
            if repeated.is_little() {
                (self.cut, self.skipped, self.skip) = (end, 0, 0);
                return if !self.codes || is_even() { Kind::Stored } else { Kind::Codes };
            }
            self.skipped = MOST_SKIPPED.min(2 * self.skipped + 1);
            self.skip = self.skipped;
        }
        if repeated.back > GOES_BACK { Kind::Continued } else { Kind::Matches }
    }
}
