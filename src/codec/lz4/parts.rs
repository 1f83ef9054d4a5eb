//! Reading streams part by part, each in the way that suits it.
//!
//! Where the same bytes of items differ from one to the next, sequence follows sequence of one shape, and [`items`](crate::codec::items)
//! are taken together; where matches are long and begin far back, each is one wide copy. To look out for the one takes time
//! where it is in vain, and wide copies wait for what was written a moment ago: so some sequences are looked at first, and those
//! behind them are read as these want to be.

use super::decode::{Job, MORE, Place, Reached, SHORTEST, length, through};
use super::items::is_item;
use super::ways::Way;
use crate::base::cpu::Simd;
use crate::codec::words::WORD;
use crate::codec::{MadeOf, StreamParams};

/// Where fewer bytes of a stream are left, it takes longer to look than it saves.
pub(super) const WORTH_A_LOOK: usize = 2 << 10;
/// Where there may be items, it is looked at once, and again after so many bytes: what a stream begins with is not like the rest.
const BEGINNING: usize = 4 << 10;
/// Elsewhere, it makes less of a difference, and so many bytes are taken before it is looked again, or for the first time.
const BEGINNING_OF_OTHERS: usize = 16 << 10;
/// Four times as many are taken each time before it is looked again, up to so many.
const STRETCH: usize = 128 << 10;
/// So many sequences are looked at, in so many bytes at most.
const LOOK: usize = 32;
const LONGEST_LOOK: usize = 1 << 10;
/// Bytes of sequences that are mostly literals.
const LONG: usize = 24;
/// Matches that are longer, and are told by a token, take more than one register of sixteen bytes.
const REGISTER: usize = 16;
/// What was written so little before may still be on its way to the first cache.
const NEARBY: usize = 128;

/// Takes sequences from `place` on, where a stream is [worth a look](WORTH_A_LOOK), as long as both sides have room for wide copies.
#[inline(never)]
pub(super) fn fast(simd: Simd, p: &StreamParams, job: &mut Job<'_>, mut place: Place) -> Option<Reached> {
    let (made_of, enough) = (p.made_of, job.enough);
    let (mut way, mut stretch) = match (made_of, &job.src[place.at.min(job.end)..job.end]) {
        (MadeOf::Items, rest) => (way_of(rest, made_of), BEGINNING),
        // Labels, masks, pixels, text.
        (MadeOf::Bytes, rest) if p.typesize == 1 && rest.len() >= 2 * WORTH_A_LOOK => {
            (way_of(rest, made_of), BEGINNING_OF_OTHERS)
        }
        _ => (Way::Bytes, BEGINNING_OF_OTHERS),
    };
    loop {
        let until = enough.min(place.filled.saturating_add(stretch));
        job.enough = until;
        let reached = through(simd, way, job, place);
        job.enough = enough;
        match reached? {
            Reached::Near(now) if now.filled >= until && until < enough => place = now,
            reached => return Some(reached),
        }
        let rest = &job.src[place.at.min(job.end)..job.end];
        if rest.len() >= WORTH_A_LOOK {
            way = way_of(rest, made_of);
        }
        stretch = STRETCH.min(4 * stretch);
    }
}

/// How the sequences that a stream begins with want to be taken.
pub(super) fn way_of(stream: &[u8], made_of: MadeOf) -> Way {
    Seen::of(stream).way(made_of)
}

/// What the next sequences are.
#[derive(Default)]
struct Seen {
    sequences: usize,
    /// Bytes that they take in the stream.
    bytes: usize,
    /// How many are items of the shape that the next sequence has, too.
    items: usize,
    /// How many matches are no longer than a number.
    short: usize,
    /// How many are longer than a register, and told by a token.
    long: usize,
    /// How many begin [`NEARBY`].
    near: usize,
    /// How many are whole words that stood before, and nothing else.
    words: usize,
}

impl Seen {
    fn of(stream: &[u8]) -> Self {
        let stream = &stream[..stream.len().min(LONGEST_LOOK)];
        let (mut seen, mut rest) = (Seen::default(), stream);
        while seen.sequences < LOOK && seen.add(&mut rest).is_some() {
            seen.bytes = stream.len() - rest.len();
        }
        seen
    }

    /// Adds the next sequence, if all of it is there.
    fn add(&mut self, rest: &mut &[u8]) -> Option<()> {
        let token = *rest.split_off_first()?;
        let literals = length(rest, usize::from(token) >> 4)?;
        rest.split_off(..literals)?;
        let distance = usize::from(u16::from_le_bytes(*rest.split_off(..2)?.as_array()?));
        let len = length(rest, usize::from(token) & MORE)? + SHORTEST;
        self.sequences += 1;
        self.items += usize::from(is_item(token, distance) && rest.first() == Some(&token));
        self.short += usize::from(len <= WORD);
        self.long += usize::from((REGISTER + 1..MORE + SHORTEST).contains(&len));
        self.near += usize::from(distance < NEARBY);
        self.words += usize::from(literals == 0 && len.is_multiple_of(WORD));
        Some(())
    }

    /// The way to take others like them.
    fn way(&self, made_of: MadeOf) -> Way {
        let many_items = 8 * self.items > 3 * self.sequences;
        // Numbers of which a few bytes stood before, mostly just before, where a processor waits for what else it would read.
        let parts = 16 * self.short >= 15 * self.sequences && self.bytes >= LONG * self.sequences;
        let near_and_short = 4 * self.near >= 3 * self.sequences && 8 * self.short >= 5 * self.sequences;
        if made_of == MadeOf::Items && (many_items || parts) {
            Way::Items
        } else if 16 * self.long >= self.sequences && 8 * self.long > self.near {
            Way::Far
        } else if near_and_short && (made_of == MadeOf::Bytes || 8 * self.words >= 5 * self.sequences) {
            Way::Planes
        } else {
            Way::Bytes
        }
    }
}
