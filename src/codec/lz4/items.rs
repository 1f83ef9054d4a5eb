//! Reading streams in which items stand as they are.
//!
//! Where the same bytes of each differ from the one before it, sequence follows sequence of one shape, and [`items`] are taken
//! together. To look out for that takes time where it is in vain: so some sequences are looked at first, and those behind
//! them are read as these want to be.

use super::decode::{Job, MORE, Place, Reached, SHORTEST, length, through};
use crate::base::cpu::Simd;
use crate::codec::{MadeOf, items};

/// Where fewer bytes of a stream are left, it takes longer to look than it saves.
const WORTH_A_LOOK: usize = 2 << 10;
/// So many bytes are taken before it is looked for the first time, and again.
const BEGINNING: usize = 4 << 10;
const STRETCH: usize = 128 << 10;
/// So many sequences are looked at, in so many bytes at most.
const LOOK: usize = 64;
const LONGEST_LOOK: usize = 2 << 10;
/// If more of them are items like the one before, it is looked out for them.
const MANY: usize = 16;

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
    let (mut made_of, mut stretch) = (MadeOf::Items, BEGINNING);
    loop {
        let until = enough.min(place.filled.saturating_add(stretch));
        job.enough = until;
        let reached = through(simd, made_of, job, place);
        job.enough = enough;
        match reached? {
            Reached::Near(now) if now.filled >= until && until < enough => place = now,
            reached => return Some(reached),
        }
        let rest = &job.src[place.at.min(job.end)..job.end];
        if rest.len() >= WORTH_A_LOOK {
            let alike = alike(rest).unwrap_or(0);
            made_of = if alike > MANY { MadeOf::Items } else { MadeOf::Numbers };
        }
        stretch = STRETCH;
    }
}

/// Of the next sequences, how many are items like the one before. `None` where the stream ends, or they are long.
fn alike(rest: &[u8]) -> Option<usize> {
    let mut rest = &rest[..rest.len().min(LONGEST_LOOK)];
    let (mut last, mut alike) = (0, 0);
    for _ in 0..LOOK {
        let token = *rest.split_off_first()?;
        let literals = length(&mut rest, usize::from(token) >> 4)?;
        rest.split_off(..literals)?;
        let distance = usize::from(u16::from_le_bytes(*rest.split_off(..2)?.as_array()?));
        length(&mut rest, usize::from(token) & MORE)?;
        alike += usize::from(token == last && is_item(token, distance));
        last = token;
    }
    Some(alike)
}
