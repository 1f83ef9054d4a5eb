//! Taking operations of streams in which numbers and other items stand as they are.
//!
//! How long a match is, nobody can foresee in most streams; but numbers that stood before are as long as a number. So there are two
//! loops: [`take`] asks nothing, and has each operation wait for what the one before it says; here, it is asked whether a match is
//! long, and the processor goes on with what is likely. Every stream is looked at to see which pays.

use super::decode::Place;
use super::quick::{AHEAD, ENDLESS, LONG, Taking, Told, endless, take};
use super::shaped::{self, is_number};
use super::{MAX_LITERALS, NEAR, NUMBER};
use crate::codec::copy;
use crate::codec::items::{self, Shape};
use crate::codec::words::word;
use std::hint::cold_path;

/// Where fewer bytes of a stream are left, it takes longer to look than it saves.
const WORTH_A_LOOK: usize = 2 << 10;
/// So many bytes are taken before it is looked for the first time, and again.
const BEGINNING: usize = 4 << 10;
const STRETCH: usize = 128 << 10;
/// So many matches are looked at.
const LOOK: usize = 64;
/// If fewer of them are long where the one before was not, or the reverse, it is foreseen.
const SURPRISES: usize = 16;

/// The way for numbers. With `ITEMS`, they have the sizes at which it pays to look out for [`items`].
pub(super) struct OfNumbers<const ITEMS: bool>;

impl<const ITEMS: bool> Taking for OfNumbers<ITEMS> {
    #[inline(always)]
    fn take(src: (&[u8], usize), dst: &mut [u8], mut place: Place, enough: usize) -> Option<Place> {
        let (mut foreseen, mut stretch) = (ITEMS, BEGINNING);
        loop {
            let until = enough.min(place.filled + stretch);
            place = if foreseen {
                take_foreseen(src, dst, place, until)?
            } else {
                take_any::<ITEMS>(src, dst, place, until)?
            };
            if place.filled < until || until == enough {
                return Some(place);
            }
            if src.1.saturating_sub(place.at) >= WORTH_A_LOOK {
                foreseen = surprises(&src.0[..src.1], place.at) < SURPRISES;
            }
            stretch = STRETCH;
        }
    }
}

/// [`take`], apart from the other loop.
#[inline(never)]
fn take_any<const ITEMS: bool>(
    stream: (&[u8], usize),
    dst: &mut [u8],
    place: Place,
    enough: usize,
) -> Option<Place> {
    take::<ITEMS, false>(stream, dst, place, enough)
}

/// As [`take`], where it is foreseen whether matches are long.
#[inline(never)]
fn take_foreseen((src, end): (&[u8], usize), dst: &mut [u8], place: Place, enough: usize) -> Option<Place> {
    let Place { mut at, mut filled } = place;
    let enough = enough.min(copy::roomy(dst));
    let mut patience = Patience::default();
    while filled < enough
        && at < end
        && let Some(ahead) = src.get(at..).and_then(|src| src.first_chunk::<AHEAD>())
    {
        let [head, bytes @ ..] = ahead;
        let op = usize::from(*head);
        let mut told = word(ahead, 0);
        let mut literals = 0;
        if op < MAX_LITERALS {
            copy::literals::<MAX_LITERALS>(dst, filled, bytes.first_chunk()?);
            literals = op + 1;
            at += 1 + literals;
            filled += literals;
            told = word(ahead, op + 2);
            let op = told as usize & 255;
            if op < MAX_LITERALS || at >= end || filled >= enough {
                continue;
            }
            if op < LONG {
                let Told { distance, len, taken } = Told::short(told);
                at += taken;
                repeat(dst, filled, distance, len)?;
                filled += len;
                // One branch, which is foreseen.
                if patience.lasts(filled) && is_one(literals, distance, len) & (src.get(at) == Some(head)) {
                    cold_path();
                    let last = (ahead, literals, distance, len);
                    let (taken, now) = follow(&src[at.min(end)..end], dst, filled, enough, last)?;
                    patience.learn(filled, now);
                    at += taken;
                    filled = now;
                }
                continue;
            }
        } else if op < LONG {
            let Told { distance, len, taken } = Told::short(told);
            at += taken;
            repeat(dst, filled, distance, len)?;
            filled += len;
            continue;
        }
        let Told { distance, len, taken } = Told::any(told);
        if len == ENDLESS {
            cold_path();
            Place { at, filled } = endless(&src[..end], dst, Place { at, filled })?;
            continue;
        }
        at += taken;
        copy::repeat_apart(dst, filled, distance, len)?;
        filled += len;
        if items::are_item(literals, distance, len) {
            cold_path();
            if src.get(at) == Some(head) {
                let shape = Shape { head: *head, literals, tail: told as u32, tail_len: taken, distance };
                let (taken, now) = items::follow(&src[at.min(end)..end], dst, filled, enough, &shape)?;
                at += taken;
                filled = now;
            }
        }
    }
    Some(Place { at, filled })
}

/// [`copy::repeat`] for a number, or less: only that is read, which was written at once.
#[inline(always)]
fn repeat(dst: &mut [u8], filled: usize, distance: usize, len: usize) -> Option<()> {
    if distance < NUMBER {
        return copy::repeat(dst, filled, distance, len);
    }
    let number = *dst.get(filled.checked_sub(distance)?..)?.first_chunk::<NUMBER>()?;
    *dst.get_mut(filled..)?.first_chunk_mut()? = number;
    Some(())
}

/// Whether literals and a match are a number, or an item, which others may follow.
#[inline(always)]
fn is_one(literals: usize, distance: usize, len: usize) -> bool {
    is_number(literals, distance, len) | items::are_item(literals, distance, len)
}

/// Takes those that follow the one which `last` begins with, as long as they have its shape.
#[inline(never)]
fn follow(
    src: &[u8],
    dst: &mut [u8],
    filled: usize,
    enough: usize,
    (last, literals, distance, len): (&[u8; AHEAD], usize, usize, usize),
) -> Option<(usize, usize)> {
    if !items::are_item(literals, distance, len) {
        return shaped::follow(src, dst, filled, enough, word(last, 0), literals);
    }
    let tail = word(last, 1 + literals) as u32;
    let shape = Shape { head: last[0], literals, tail, tail_len: 2, distance };
    items::follow(src, dst, filled, enough, &shape)
}

/// From where on it is looked for numbers of one shape: at once, but where that was in vain, later and later.
#[derive(Default)]
struct Patience {
    wait: usize,
    again: usize,
}

impl Patience {
    /// So many bytes of them are worth it.
    const WORTH: usize = 8 * NUMBER;
    /// So many bytes are waited for at first, and at most.
    const FIRST: usize = 128;
    const MOST: usize = 1 << 16;

    #[inline(always)]
    fn lasts(&self, filled: usize) -> bool {
        filled >= self.again
    }

    /// Learns that they went from `before` to `now`.
    #[inline(always)]
    fn learn(&mut self, before: usize, now: usize) {
        let in_vain = now - before < Self::WORTH;
        self.wait = if in_vain { (2 * self.wait).clamp(Self::FIRST, Self::MOST) } else { 0 };
        self.again = now + self.wait;
    }
}

/// Of the next matches from `at` on, [`LOOK`] at most, how many are long where the one before was not, or the reverse.
#[inline(never)]
fn surprises(src: &[u8], mut at: usize) -> usize {
    let byte = |at: usize| src.get(at).copied().map_or(0, usize::from);
    let (mut changes, mut was_long) = (0, false);
    for _ in 0..LOOK {
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
