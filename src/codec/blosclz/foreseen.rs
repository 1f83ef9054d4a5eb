//! Taking operations of streams in which numbers and other items stand as they are.
//!
//! How long a match is, nobody can foresee in most streams; but numbers that stood before are as long as a number. So there are two
//! ways: one asks nothing, and has each operation wait for what the one before it says; in the [other](Numbers), it is asked whether
//! a match is long, and the processor goes on with what is likely. Every stream of some length is looked at to see which pays.

use super::decode::Place;
use super::quick::{LONG, Taking, take};
use super::ways::{Bytes, Items, Numbers, Way};
use super::{MAX_LITERALS, NEAR};

/// Where fewer bytes of a stream are left, it takes longer to look than it saves: at first, where a few matches have to do, and later.
const WORTH_A_GLANCE: usize = 1 << 10;
const WORTH_A_LOOK: usize = 2 << 10;
/// So many bytes are taken before it is looked again, and after that.
const BEGINNING: usize = 4 << 10;
const STRETCH: usize = 128 << 10;
/// So many matches are looked at, at first, and later.
const GLANCE: usize = 16;
const LOOK: usize = 64;
/// If a smaller part of them are long where the one before was not, or the reverse, it is foreseen.
const SURPRISES: usize = 4;

/// The way for numbers. With `ITEMS`, they have the sizes at which it pays to look out for [`items`](crate::codec::items).
pub(super) struct OfNumbers<const ITEMS: bool>;

impl<const ITEMS: bool> Taking for OfNumbers<ITEMS> {
    #[inline(always)]
    fn take(src: (&[u8], usize), dst: &mut [u8], mut place: Place, enough: usize) -> Option<Place> {
        let left = |place: Place| src.1.saturating_sub(place.at);
        let is_foreseen = |place: Place, look| surprises(&src.0[..src.1], place.at, look) < look / SURPRISES;
        let mut foreseen = ITEMS && (left(place) < WORTH_A_GLANCE || is_foreseen(place, GLANCE));
        let mut stretch = BEGINNING;
        loop {
            let until = enough.min(place.filled + stretch);
            place = match (foreseen, ITEMS) {
                (true, _) => take_apart::<Numbers>(src, dst, place, until)?,
                (false, true) => take_apart::<Items>(src, dst, place, until)?,
                (false, false) => take_apart::<Bytes>(src, dst, place, until)?,
            };
            if place.filled < until || until == enough {
                return Some(place);
            }
            if left(place) >= WORTH_A_LOOK {
                foreseen = is_foreseen(place, LOOK);
            }
            stretch = STRETCH;
        }
    }
}

/// [`take`], each loop apart.
#[inline(never)]
fn take_apart<W: Way>(src: (&[u8], usize), dst: &mut [u8], place: Place, enough: usize) -> Option<Place> {
    take::<W>(src, dst, place, enough)
}

/// Of the next matches from `at` on, `look` at most, how many are long where the one before was not, or the reverse.
#[inline(never)]
fn surprises(src: &[u8], mut at: usize, look: usize) -> usize {
    let byte = |at: usize| src.get(at).copied().map_or(0, usize::from);
    let (mut changes, mut was_long) = (0, false);
    for _ in 0..look {
        if byte(at) < MAX_LITERALS {
            at += byte(at) + 2;
        }
        let op = byte(at);
        if op < MAX_LITERALS {
            // Literals again, or the end.
            continue;
        }
        let is_long = op >= LONG;
        at += 2 + usize::from(is_long);
        if op & 31 == NEAR >> 8 && byte(at - 1) == NEAR & 255 {
            at += 2;
        }
        changes += usize::from(is_long != was_long);
        was_long = is_long;
    }
    changes
}
