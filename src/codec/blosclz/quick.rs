//! Taking operations while input and output have room to spare: each copies a fixed number of bytes, more than it means, and what
//! comes next overwrites the surplus.

use super::decode::{Place, told_exactly};
use super::shaped::{One, Patience, follow, is_one};
use super::ways::{Bytes, Planes, Way};
use super::{MAX_LITERALS, NEAR, NUMBER};
use crate::base::cpu::{self, Simd};
use crate::codec::copy;
use crate::codec::items::{Shape, are_item};
use crate::codec::words::word;
use std::hint::cold_path;

/// The most that is looked at together: literals, and a word that the match behind them begins with.
pub(super) const AHEAD: usize = 1 + MAX_LITERALS + 8;
/// The first byte from which on a match has length bytes.
pub(super) const LONG: usize = 7 << 5;

/// A way to take operations, as [`take`] does.
pub(super) trait Taking {
    fn take(src: (&[u8], usize), dst: &mut [u8], place: Place, enough: usize) -> Option<Place>;
}

impl Taking for Bytes {
    #[inline(always)]
    fn take(src: (&[u8], usize), dst: &mut [u8], place: Place, enough: usize) -> Option<Place> {
        take::<Bytes>(src, dst, place, enough)
    }
}

impl Taking for Planes {
    #[inline(always)]
    fn take(src: (&[u8], usize), dst: &mut [u8], place: Place, enough: usize) -> Option<Place> {
        take::<Planes>(src, dst, place, enough)
    }
}

/// Takes operations of the stream that is the first `end` bytes of `src` as long as both sides have room for wide copies, until the
/// stream ends or `enough` is filled. The last one may go beyond either.
#[inline(always)]
pub(super) fn take<W: Way>(
    src: (&[u8], usize),
    dst: &mut [u8],
    place: Place,
    enough: usize,
) -> Option<Place> {
    match cpu::simd() {
        Simd::Scalar => scalar::<W>(src, dst, place, enough),
        #[cfg(target_arch = "x86_64")]
        _ => super::sse2::take::<W>(src, dst, place, enough),
        #[cfg(not(target_arch = "x86_64"))]
        _ => scalar::<W>(src, dst, place, enough),
    }
}

/// [`take`], without pointers.
#[inline(never)]
pub(super) fn scalar<W: Way>(
    (src, end): (&[u8], usize),
    dst: &mut [u8],
    place: Place,
    enough: usize,
) -> Option<Place> {
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
            // Mostly, a match follows.
            told = word(ahead, op + 2);
            if told as usize & 255 < MAX_LITERALS || at >= end || filled >= enough {
                continue;
            }
        }
        if Told::is_endless(told) {
            cold_path();
            Place { at, filled } = endless(&src[..end], dst, Place { at, filled })?;
            continue;
        }
        let Told { distance, len, taken } = Told::any(told);
        at += taken;
        if W::NEAR {
            copy::repeat(dst, filled, distance, len)?;
        } else {
            copy::repeat_apart(dst, filled, distance, len)?;
        }
        filled += len;
        let may_be_one = if W::FORESEEN && len <= NUMBER {
            literals > 0 && filled >= patience.again() && is_one(literals, distance, len)
        } else {
            W::ITEMS && are_item(literals, distance, len)
        };
        if may_be_one && src.get(at) == Some(head) {
            cold_path();
            let shape = Shape { head: *head, literals, tail: told as u32, tail_len: taken, distance };
            let one = One { first: word(ahead, 0), shape, len };
            Place { at, filled } =
                follow(&src[..end], dst, Place { at, filled }, enough, &one, &mut patience)?;
        }
    }
    Some(Place { at, filled })
}

/// What a match says, but for an endless one.
pub(super) struct Told {
    pub(super) distance: usize,
    pub(super) len: usize,
    /// The bytes that say so.
    pub(super) taken: usize,
}

impl Told {
    /// The match that `word` begins with. Whether there is a length byte is hard to foresee: no branch.
    #[inline(always)]
    pub(super) fn any(word: u64) -> Self {
        let op = word as usize & 255;
        let extended = usize::from(op >= LONG);
        let len = (op >> 5) + 2 + (word as usize >> 8 & 255 & 0usize.wrapping_sub(extended));
        let (distance, far) = Told::distance((word >> (8 * extended)) as usize >> 8, op);
        // All that follows waits for this: from the byte that tells, it is one step.
        Told { distance, len, taken: 3 + far - usize::from(op < LONG) }
    }

    /// The match that `word` begins with, which has no length byte.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    #[inline(always)]
    pub(super) fn short(word: u64) -> Self {
        let op = word as usize & 255;
        let (distance, far) = Told::distance(word as usize >> 8, op);
        Told { distance, len: (op >> 5) + 2, taken: 2 + far }
    }

    /// The distance of a match whose first byte is `op`, and which goes on with `bytes`, and how many of these it has more than one.
    #[inline(always)]
    fn distance(bytes: usize, op: usize) -> (usize, usize) {
        let back = (op & 31) << 8 | bytes & 255;
        if back == NEAR {
            cold_path();
            return (back + (bytes & 0xff00 | bytes >> 16 & 255) + 1, 2);
        }
        (back + 1, 0)
    }

    /// Whether the match that `word` begins with has more length bytes than one.
    #[inline(always)]
    pub(super) fn is_endless(word: u64) -> bool {
        const MORE: u64 = 255 << 8 | LONG as u64;
        word & MORE == MORE
    }
}

/// Takes a match with any number of length bytes.
#[inline(never)]
pub(super) fn endless(src: &[u8], dst: &mut [u8], place: Place) -> Option<Place> {
    let (Place { at, filled }, distance, len) = told_exactly(src, place)?;
    copy::repeat_exactly(dst, filled, distance, len)?;
    Some(Place { at, filled: filled + len })
}
