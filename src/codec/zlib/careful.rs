//! Zlib's middle levels: matches from among the last places with the same bytes, and codes that each block has of its own.
//!
//! At the lower ones these are few places, in [`quads`](super::quads), at the others many, in [`rows`](crate::codec::rows). As
//! zlib-ng has it from the third on, a match that begins where the one before it ends may take over all of that but a byte.

use super::WINDOW;
use super::bits::Bits;
use super::block::{self, Tokens};
use super::finder::{Finder, Match};
use super::longest::{Effort, Longest, Rows};
use super::quads::Quads;
use super::symbols::{LONGEST, SHORTEST};
use crate::codec::sections::{Kind, Section};
use std::ops::Range;

/// Tokens of a block, or a few more, and of its first half.
const TOKENS: usize = 1 << 14;
const HALF: usize = TOKENS / 2;
const ROOM: usize = TOKENS + 2;

/// Matches that are longer than that are not taken over by the next one.
const MOST_TAKEN: usize = 1 << 13;

/// What a thread keeps for it.
#[derive(Default)]
pub(super) struct Careful {
    quads: Option<Quads>,
    rows: Option<Rows>,
    tokens: Tokens,
}

impl Careful {
    /// Writes all of `src`, which has these sections, as blocks of deflate, and tells how many bytes that took; `None` when it
    /// does not fit.
    pub fn write(&mut self, clevel: u8, sections: &[Section], src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let blocks = Blocks::new(src, dst, &mut self.tokens);
        let (quads, rows) = (&mut self.quads, &mut self.rows);
        match clevel {
            ..=2 => Search::<_, false>::new(quads.get_or_insert_default().finder::<3>(src.len(), 5))
                .write(sections, blocks),
            3 => Search::<_, true>::new(quads.get_or_insert_default().finder::<4>(src.len(), 12))
                .write(sections, blocks),
            _ => {
                let rows = rows.get_or_insert_default();
                Search::<_, true>::new(Longest::new(rows, src.len(), effort(clevel))).write(sections, blocks)
            }
        }
    }
}

/// How hard to look in rows at a level.
fn effort(clevel: u8) -> Effort {
    let (places, enough, covered) = if clevel <= 4 { (20, 32, 24) } else { (32, 48, 32) };
    Effort { places, enough, covered }
}

/// Blocks, one behind the other.
struct Blocks<'a> {
    bits: Bits<'a>,
    /// Those of the next one.
    tokens: &'a mut Tokens,
    src: &'a [u8],
    /// Where it begins.
    begin: usize,
    /// So many are in its first half, or once that is there, in all of it.
    pause: usize,
}

impl<'a> Blocks<'a> {
    fn new(src: &'a [u8], dst: &'a mut [u8], tokens: &'a mut Tokens) -> Self {
        tokens.clear(ROOM);
        Blocks { bits: Bits::new(dst), tokens, src, begin: 0, pause: HALF }
    }

    /// Writes a part of the source as it stands.
    fn store(&mut self, part: Range<usize>) -> Option<()> {
        self.begin = part.end;
        block::store(&mut self.bits, &self.src[part.clone()], part.end == self.src.len())
    }

    /// Writes the bytes of a part of the source by their codes.
    fn codes(&mut self, part: Range<usize>) -> Option<()> {
        for bytes in self.src[part].chunks(TOKENS) {
            self.begin += bytes.len();
            block::write_bytes(&mut self.bits, bytes, self.begin == self.src.len())?;
        }
        Some(())
    }

    fn byte(&mut self, at: usize) {
        self.tokens.byte(self.src[at]);
    }

    /// Adds a match that ends at a place of the source, or as many as it takes.
    fn repeat(&mut self, Match { mut len, back }: Match, end: usize) -> Option<()> {
        while len > LONGEST {
            // What is left is a match, too.
            let part = LONGEST.min(len - SHORTEST);
            self.tokens.repeat(part, back);
            len -= part;
            self.pause(end - len)?;
        }
        self.tokens.repeat(len, back);
        Some(())
    }

    /// Ends the block, or its first half, at a place of the source if it has as many tokens as one has.
    #[inline(always)]
    fn pause(&mut self, end: usize) -> Option<()> {
        if self.tokens.len() < self.pause {
            return Some(());
        }
        if self.pause == TOKENS {
            return self.end(end);
        }
        self.tokens.halve(end - self.begin);
        self.pause = TOKENS;
        Some(())
    }

    /// Writes the block, which ends at a place of the source.
    fn end(&mut self, end: usize) -> Option<()> {
        let bytes = &self.src[self.begin..end];
        if !bytes.is_empty() || self.src.is_empty() {
            block::write(&mut self.bits, self.tokens, bytes, end == self.src.len())?;
        }
        self.tokens.clear(ROOM);
        self.begin = end;
        self.pause = HALF;
        Some(())
    }
}

/// A search through one source, in which a match may be `TAKEN` over by the next.
struct Search<F, const TAKEN: bool> {
    finder: F,
    /// Where the last section ended whose places are remembered.
    known: usize,
}

impl<F: Finder, const TAKEN: bool> Search<F, TAKEN> {
    fn new(finder: F) -> Self {
        Search { finder, known: 0 }
    }

    /// Writes all of the source, which has these sections, and tells how many bytes that took.
    fn write(mut self, sections: &[Section], mut blocks: Blocks) -> Option<usize> {
        for section in sections {
            let part = blocks.begin..section.end;
            match section.kind {
                Kind::Stored => blocks.store(part)?,
                Kind::Codes => blocks.codes(part)?,
                Kind::Matches => self.matches(part, &mut blocks)?,
                Kind::Continued => {
                    self.catch_up(blocks.src, part.start);
                    self.matches(part, &mut blocks)?;
                }
            }
        }
        blocks.bits.align()
    }

    /// Remembers places before a section, as far as matches reach.
    fn catch_up(&mut self, src: &[u8], begin: usize) {
        self.finder.remember(src, self.known.max(begin.saturating_sub(WINDOW))..begin);
        self.known = begin;
    }

    /// Writes a section of the source.
    fn matches(&mut self, section: Range<usize>, blocks: &mut Blocks) -> Option<()> {
        let src = &blocks.src[..section.end];
        // The last match, which ends at `at`, until it is known how the next one begins.
        let mut held = None::<Match>;
        let mut at = section.start;
        while at < section.end {
            blocks.pause(at - held.map_or(0, |held| held.len))?;
            let Some(mut found) = self.finder.find(src, at) else {
                if let Some(held) = held.take() {
                    blocks.repeat(held, at)?;
                }
                blocks.byte(at);
                at += 1;
                continue;
            };
            let end = at + found.len;
            self.finder.cover(src, at + 1..end, found.back);
            if !TAKEN {
                blocks.repeat(found, end)?;
                at = end;
                continue;
            }
            if let Some(held) = held {
                match before(src, at, found.back, held.len) {
                    Some(before) => {
                        if before < held.len {
                            blocks.byte(at - held.len);
                        }
                        found.len += before;
                    }
                    None => blocks.repeat(held, at)?,
                }
            }
            held = Some(found);
            at = end;
        }
        if let Some(held) = held {
            blocks.repeat(held, at)?;
        }
        self.known = section.end;
        blocks.end(section.end)
    }
}

/// How many bytes before `at` are as those `back` bytes before them, when that is `most`, or one less. What is too
/// long to be compared again and again is left as it is.
fn before(src: &[u8], at: usize, back: usize, most: usize) -> Option<usize> {
    if most > MOST_TAKEN {
        return None;
    }
    let (here, less) = (at - most, most - 1);
    // Where the second of them stood.
    let second = (at - back).checked_sub(less)?;
    // Most differ there already.
    if src[here + 1] != src[second] || src[here + 1..at] != src[second..at - back] {
        return None;
    }
    let all = second > 0 && src[here] == src[second - 1];
    Some(if all { most } else { less })
}
