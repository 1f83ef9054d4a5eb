//! A look at a block before a slow codec works on it: in which of its sections are there matches at all?
//!
//! Such codecs spend most of their time on looking for matches, and most of that where there are none: in the low bytes of
//! shuffled numbers, in the bits of their mantissas, in floats that nothing has shuffled. A fast look tells those places. What
//! stands there is stored, or its bytes get codes and nothing else, where the codec has any.

mod places;

use super::noise;
use places::{Places, Repeated, repeats_itself};
use std::ops::Range;

/// Bytes that are looked at together, more or less at the end of a block.
pub(super) const PIECE: usize = 4096;
/// From so many of its bytes, by which part the sum of squares may exceed that of even ones: codes save a third of a per cent.
const CHANCE: u64 = 32;
/// Pairs that the first bytes of a piece may have more than there are by chance.
const SPARE: usize = PROMISING / 2;
/// After so much of a piece that is new, what stands before it is worth remembering.
const PROMISING: usize = 512;
/// Of a piece of a section with matches, so much is looked at in three places for what it repeats.
const GLANCE: usize = 192;
/// So many bytes of a piece tell that it goes on with what the one before it repeats.
const GOING_ON: usize = 64;
/// After a piece that was looked at in vain almost to its end, some are not, the more the more often that was so.
const MOST_SKIPPED: usize = 7;

/// How a section is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its bytes stand as they are.
    Stored,
    /// Each byte has a code.
    Codes,
    /// By the codec, with the history that it has of the section itself.
    Matches,
    /// The same, but what stands before the section is worth to be told: it is repeated.
    Continued,
}

/// What a codec can do.
#[derive(Clone, Copy)]
pub(super) struct Ability {
    /// What becomes of sections that repeat nothing, but have bytes that are more frequent than others.
    pub uneven: Kind,
    /// So many bytes such a section has at least.
    pub shortest: usize,
    /// In a section that repeats nothing, repetitions of four bytes in so many places of a piece, every other one of which is
    /// looked at: what they would save is given away.
    pub little: usize,
    /// In so many places, of those that are looked at at most, what stands before a section has to be repeated for it to be
    /// worth the time that it takes to tell of it.
    pub worth_telling: usize,
    /// How often a piece is looked at for that, 3 times at most.
    pub glances: usize,
    /// So far back matches reach, less than 2^16.
    pub window: usize,
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
    /// The sections of `src` for a codec: one at least.
    pub fn of(&mut self, codec: Ability, src: &[u8]) -> &[Section] {
        self.found.clear();
        if src.len() < 2 * PIECE {
            self.found.push(Section { kind: Kind::Matches, end: src.len() });
            return &self.found;
        }
        let mut look = Look::new(self.places.get_or_insert_default(), codec, src);
        let mut begin = 0;
        while begin < src.len() {
            let end = if src.len() - begin < PIECE + PROMISING { src.len() } else { begin + PIECE };
            self.found.push(Section { kind: look.kind(begin, end), end });
            begin = end;
        }
        join(&mut self.found);
        let mut begin = 0;
        for section in &mut self.found {
            if section.kind == codec.uneven && section.end - begin < codec.shortest {
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
    codec: Ability,
    /// Before that, places are remembered.
    known: usize,
    /// Where the last pieces without matches begin, and where they end.
    new: Range<usize>,
    /// Where the last of those ended that are a section of their own.
    cut: usize,
    /// Pieces that are not looked at next, and how many that was the last time.
    skip: usize,
    skipped: usize,
    /// How far back the last piece was found to repeat something; 0 when it was not.
    back: usize,
}

impl<'a> Look<'a> {
    fn new(places: &'a mut Places, codec: Ability, src: &'a [u8]) -> Self {
        places.forget();
        Look { places, src, codec, known: 0, new: 0..0, cut: 0, skip: 0, skipped: 0, back: 0 }
    }

    /// How the next piece is written.
    fn kind(&mut self, begin: usize, end: usize) -> Kind {
        let near = self.cut > 0 && begin - self.cut < self.codec.window;
        if !near && self.skip > 0 {
            self.skip -= 1;
            return Kind::Matches;
        }
        if self.goes_on(begin) {
            return if near && begin - self.back < self.cut { Kind::Continued } else { Kind::Matches };
        }
        let piece = &self.src[begin..end];
        let is_even =
            || noise::is_even_on_the_way(&piece[..PROMISING], SPARE) && noise::is_even(piece, CHANCE);
        let may_be_new = self.codec.uneven != Kind::Matches || noise::is_varied(piece) && is_even();
        let mut repeated = Repeated::since(self.cut, self.codec.window);
        let is_new = may_be_new && self.may_be_long(begin) && self.is_new(begin..end, &mut repeated);
        self.back = repeated.distance;
        if is_new {
            self.new = if self.new.end == begin { self.new.start } else { begin }..end;
            // Only codes make it worth a look; without them, what is new is stored, or even: see above.
            let kind = match self.codec.uneven {
                Kind::Codes if !is_even() => Kind::Codes,
                _ => Kind::Stored,
            };
            if kind != self.codec.uneven || self.new.len() >= self.codec.shortest {
                self.cut = end;
            }
            return kind;
        }
        if near && self.goes_back(begin..end, repeated) { Kind::Continued } else { Kind::Matches }
    }

    /// Whether a section that is stored, and begins with a piece, may be long enough to be one, as far as the ends of the next pieces
    /// tell. Up to the last that tells that it is not, no section is.
    fn may_be_long(&mut self, begin: usize) -> bool {
        if self.codec.uneven != Kind::Stored || self.new.end == begin && begin > 0 {
            return true;
        }
        let next = (begin + PIECE..begin + self.codec.shortest).step_by(PIECE);
        let end = |at: usize| self.src.get(at + PIECE - PROMISING..at + PIECE);
        let short = |&at: &usize| end(at).is_none_or(|few| repeats_itself(few, self.codec.little));
        match next.rev().find(short) {
            Some(at) => {
                self.skip = (at - begin) / PIECE;
                false
            }
            None => true,
        }
    }

    /// Whether a piece begins with what stands as far before it as the one before it repeats: mostly all of it does then, and a look
    /// at it would take longer than to write it.
    fn goes_on(&self, begin: usize) -> bool {
        let there = begin.checked_sub(self.back).filter(|_| self.back > 0);
        there.is_some_and(|there| self.src[there..].starts_with(&self.src[begin..begin + GOING_ON]))
    }

    /// Whether a piece repeats next to nothing, neither of itself nor of what a match could reach.
    fn is_new(&mut self, piece: Range<usize>, repeated: &mut Repeated) -> bool {
        let (little, promising) = (self.codec.little, piece.start + PROMISING);
        self.places.find(self.src, piece.start..promising, little, repeated);
        if repeated.times > little {
            return false;
        }
        let reached = piece.start.saturating_sub(self.codec.window);
        self.places.remember(self.src, self.known.max(reached)..piece.start);
        self.places.find(self.src, promising..piece.end, little, repeated);
        let is_new = repeated.times <= little;
        self.known = if is_new { piece.end } else { piece.start };
        self.skipped = if is_new { 0 } else { MOST_SKIPPED.min(2 * self.skipped + 1) };
        self.skip = self.skipped;
        is_new
    }

    /// Whether a piece, of which some was `repeated`, repeats what stands before the cut: a few glances tell.
    fn goes_back(&mut self, piece: Range<usize>, mut repeated: Repeated) -> bool {
        let places = [piece.start, piece.start + piece.len() / 2, piece.end - GLANCE];
        for begin in places.into_iter().take(self.codec.glances) {
            let glance = begin..piece.end.min(begin + GLANCE);
            self.places.find(self.src, glance, GLANCE, &mut repeated);
        }
        repeated.back >= self.codec.worth_telling
    }
}

#[cfg(test)]
pub(super) mod tests;
