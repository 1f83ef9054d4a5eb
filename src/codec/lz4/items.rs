//! Reading streams in which items stand as they are.
//!
//! Where the same bytes of each differ from the one before it, sequence follows sequence of one shape, and [`items`] are taken
//! together. To look out for that takes time where it is in vain: so some sequences are looked at first, and those behind
//! them are read as these want to be.

use super::decode::{Job, MORE, Place, Reached, SHORTEST, Way, length, through};
use crate::base::cpu::Simd;
use crate::codec::items;

/// Where fewer bytes of a stream are left, it takes longer to look than it saves.
const WORTH_A_LOOK: usize = 2 << 10;
/// So many bytes are taken before it is looked for the first time, and again.
const BEGINNING: usize = 4 << 10;
const STRETCH: usize = 128 << 10;
/// So many sequences are looked at, in so many bytes at most.
const LOOK: usize = 32;
const LONGEST_LOOK: usize = 1 << 10;
/// Bytes of sequences that are mostly literals.
const LONG: usize = 24;

/// By token: how far back its match begins if it and its literals are an item; 0 if they are none in any case.
const ITEM_OF: [u16; 256] = {
    let mut distances = [0; 256];
    let mut token = 0;
    while token < distances.len() {
        let (literals, len) = (token >> 4, (token & MORE) + SHORTEST);
        if items::are_item(literals, literals + len, len) {
            distances[token] = (literals + len) as u16;
        }
        token += 1;
    }
    distances
};

/// Whether the sequence of a token is an item as [`items::follow`] takes them. One comparison is foreseen, where several that are
/// each often true are not.
#[inline(always)]
pub(super) fn is_item(token: u8, distance: usize) -> bool {
    distance == usize::from(ITEM_OF[usize::from(token)])
}

/// Takes sequences from `place` on as long as both sides have room for wide copies.
#[inline(never)]
pub(super) fn fast(simd: Simd, job: &mut Job<'_>, mut place: Place) -> Option<Reached> {
    let enough = job.enough;
    let (mut way, mut stretch) = (Way::PerhapsItems, BEGINNING);
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
            way = Seen::of(rest).way();
        }
        stretch = STRETCH;
    }
}

/// What the next sequences are.
#[derive(Default)]
struct Seen {
    sequences: usize,
    /// Bytes that they take in the stream.
    bytes: usize,
    /// How many are items.
    items: usize,
    /// How many matches are no longer than a number.
    short: usize,
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
        self.items += usize::from(is_item(token, distance));
        self.short += usize::from(len <= 8);
        Some(())
    }

    /// The way to take others like them.
    fn way(&self) -> Way {
        let many_items = 8 * self.items > 3 * self.sequences;
        // Numbers of which a few bytes stood before, mostly just before, where a processor waits for what else it would read.
        let parts = 16 * self.short >= 15 * self.sequences && self.bytes >= LONG * self.sequences;
        if many_items || parts { Way::Items } else { Way::Bytes }
    }
}
