//! Taking operations while input and output have room to spare: each copies a fixed number of bytes, more than it means, and what
//! comes next overwrites the surplus.

use super::decode::{Place, told_exactly};
use super::{MAX_LITERALS, NEAR};
use crate::codec::copy;
use crate::codec::items::{self, Shape};
use crate::codec::words::word;
use std::hint::cold_path;

/// The most that is looked at together: literals, and a word that the match behind them begins with.
pub(super) const AHEAD: usize = 1 + MAX_LITERALS + 8;
/// The first byte from which on a match has length bytes.
pub(super) const LONG: usize = 7 << 5;
/// The length of a match whose first length byte is 255, but for more of them, which follow.
pub(super) const ENDLESS: usize = (LONG >> 5) + 2 + 255;

/// A way to take operations.
pub(super) trait Taking {
    /// Takes operations of the stream that is the first `end` bytes of `src` as long as both sides have room for wide copies, until
    /// the stream ends or `enough` is filled. The last one may go beyond either.
    fn take(src: (&[u8], usize), dst: &mut [u8], place: Place, enough: usize) -> Option<Place>;
}

/// The way for bytes of any kind. `NEARBY` is for streams whose matches mostly begin near, in what was written a moment ago.
pub(super) struct OfBytes<const NEARBY: bool>;

impl<const NEARBY: bool> Taking for OfBytes<NEARBY> {
    #[inline(always)]
    fn take(src: (&[u8], usize), dst: &mut [u8], place: Place, enough: usize) -> Option<Place> {
        take::<false, NEARBY>(src, dst, place, enough)
    }
}

/// [`Taking::take`], with a look out for [`items`] or without.
#[inline(always)]
pub(super) fn take<const ITEMS: bool, const NEARBY: bool>(
    (src, end): (&[u8], usize),
    dst: &mut [u8],
    place: Place,
    enough: usize,
) -> Option<Place> {
    let Place { mut at, mut filled } = place;
    let enough = enough.min(copy::roomy(dst));
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
            // Mostly, a match follows.
            told = word(ahead, op + 2);
            if told as usize & 255 < MAX_LITERALS || at >= end || filled >= enough {
                continue;
            }
        }
        let Told { distance, len, taken } = Told::any(told);
        if len == ENDLESS {
            cold_path();
            Place { at, filled } = endless(&src[..end], dst, Place { at, filled })?;
            continue;
        }
        at += taken;
        if NEARBY {
            copy::repeat(dst, filled, distance, len)?;
        } else {
            copy::repeat_apart(dst, filled, distance, len)?;
        }
        filled += len;
        if ITEMS && items::are_item(literals, distance, len) {
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

/// What a match says.
pub(super) struct Told {
    pub(super) distance: usize,
    pub(super) len: usize,
    /// The bytes that say so; of an [`ENDLESS`] one, not all.
    pub(super) taken: usize,
}

impl Told {
    /// The match that `word` begins with. Whether there is a length byte is hard to foresee: no branch.
    #[inline(always)]
    pub(super) fn any(word: u64) -> Self {
        let op = word as usize & 255;
        let extended = usize::from(op >= LONG);
        let len = (op >> 5) + 2 + (word as usize >> 8 & 255 & 0usize.wrapping_sub(extended));
        Told::behind((word >> (8 * extended)) as usize >> 8, op, len, 2 + extended)
    }

    /// The match that `word` begins with, which has no length byte.
    #[inline(always)]
    pub(super) fn short(word: u64) -> Self {
        let op = word as usize & 255;
        Told::behind(word as usize >> 8, op, (op >> 5) + 2, 2)
    }

    /// The match of `len` whose first byte is `op`, and whose distance goes on with `bytes`; `taken` are told, if it is near.
    #[inline(always)]
    fn behind(bytes: usize, op: usize, len: usize, mut taken: usize) -> Self {
        let mut back = (op & 31) << 8 | bytes & 255;
        if back == NEAR {
            back += bytes & 0xff00 | bytes >> 16 & 255;
            taken += 2;
        }
        Told { distance: back + 1, len, taken }
    }
}

/// Takes a match with any number of length bytes.
#[inline(never)]
pub(super) fn endless(src: &[u8], dst: &mut [u8], place: Place) -> Option<Place> {
    let (Place { at, filled }, distance, len) = told_exactly(src, place)?;
    copy::repeat_exactly(dst, filled, distance, len)?;
    Some(Place { at, filled: filled + len })
}
