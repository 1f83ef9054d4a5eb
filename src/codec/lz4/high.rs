//! The middle levels of the high compression mode: of all the matches that a row of places has, those that take the fewest bytes.
//!
//! Streams are about as long as liblz4's, which tries as many places. What differs is that these need not be followed from one to the
//! next ([`rows`](crate::codec::rows)), and that two words tell of each whether it is worth more ([`search`]). Which
//! matches are written is told by [`choice`].

mod choice;
mod search;

use super::ABILITY;
use super::sink::Sink;
use crate::codec::pieces::{repeats_itself_seldom, repeats_seldom};
use crate::codec::sections::{Kind, Section, Sections};
use crate::codec::{MadeOf, StreamParams};
use choice::Choice;
use search::{Rows, Search, Tries};

/// Shorter streams of bits have so few places with the same bytes that liblz4 is soon through with them.
const SHORT_OF_BITS: usize = 1 << 14;
/// Shorter streams of other kinds have.
const SHORT: usize = 3 << 14;
/// Where one in so many places repeats another, liblz4 soon has matches that are long enough.
const SELDOM: usize = 10;
/// Where one in so many is in a run of a byte or of two, most matches go back as far as those runs do.
const ITSELF: usize = 4;
/// Places that are tried in a run: more make streams shorter by a thousandth, and take up to a quarter of the time.
const IN_RUN: u32 = 6;
/// Shorter streams are as soon compressed as looked at for sections without matches.
const LOOKED_AT: usize = 1 << 16;

/// Whether `src` is written here, where no dictionary belongs to it: where liblz4 takes longer, and a row has as many places as it
/// tries. Labels, masks and names repeat themselves too often.
pub(super) fn is_written_here(p: &StreamParams, src: &[u8]) -> bool {
    let levels = match p.made_of {
        MadeOf::Planes | MadeOf::Bits => 3..=5,
        MadeOf::Items | MadeOf::Numbers | MadeOf::Bytes => 4..=5,
    };
    levels.contains(&p.clevel)
        && match p.made_of {
            MadeOf::Bits => src.len() >= SHORT_OF_BITS,
            MadeOf::Planes => src.len() >= SHORT,
            MadeOf::Items | MadeOf::Numbers | MadeOf::Bytes => {
                src.len() >= SHORT && repeats_seldom(src, SELDOM) && repeats_itself_seldom(src, ITSELF)
            }
        }
}

/// How many places are tried at a level: as many as liblz4 does, or some more.
fn tries(clevel: u8) -> Tries {
    let most = match clevel {
        ..=3 => 4,
        4 => 8,
        _ => 20,
    };
    Tries { most, in_run: most.min(IN_RUN) }
}

/// What a thread keeps.
#[derive(Default)]
pub(super) struct Writer {
    rows: Option<Rows>,
}

impl Writer {
    /// Compresses `src` at a level; `None` when the stream does not fit. Apart from what every program runs (`everyday.ld`).
    #[inline(never)]
    pub(super) fn compress(
        &mut self,
        clevel: u8,
        sections: &mut Sections,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let whole = [Section { kind: Kind::Matches, end: src.len() }];
        let sections = if src.len() < LOOKED_AT { &whole } else { sections.of(ABILITY, src) };
        let rows = self.rows.get_or_insert_default();
        let mut choice = Choice::new(Search::new(rows, tries(clevel), src), Sink::new(src.len(), dst));
        let mut begin = 0;
        for section in sections {
            if section.kind == Kind::Continued {
                choice.catch_up(begin);
            }
            if matches!(section.kind, Kind::Matches | Kind::Continued) {
                choice.section(begin..section.end)?;
            }
            begin = section.end;
        }
        choice.finish()
    }
}

#[cfg(test)]
mod tests;
