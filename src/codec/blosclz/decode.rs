//! Reading BloscLZ streams.
//!
//! While input and output have room to spare, an operation copies a fixed number of bytes, more than it means; what
//! comes next overwrites the surplus. Near the ends a plain loop takes over, which is exact. Short streams are mostly
//! ends: so who knows of bytes behind the stream, and behind the place that it goes to, lends them ([`Stream`]).

use super::bytes::word;
use super::{MAX_LITERALS, NEAR};
use crate::base::Result;
use crate::codec::items::{self, Shape};
use crate::codec::{MadeOf, bad_stream, copy};
use std::hint::cold_path;

/// Decompresses `src` into `dst` and tells how many bytes of `dst` were written.
///
/// # Errors
/// `Data` when `src` is cut short, refers to bytes before the beginning, or holds more than `dst`.
pub fn decompress(src: Stream<'_>, dst: &mut [u8]) -> Result<usize> {
    decompress_lent(src, dst.len(), dst)
}

/// A stream, and bytes behind it that may be read, but mean nothing.
#[derive(Clone, Copy)]
pub struct Stream<'a> {
    /// The stream and what follows it.
    pub bytes: &'a [u8],
    /// Where the stream ends.
    pub end: usize,
    /// What it is made of; of no account but for how long reading takes.
    pub made_of: MadeOf,
}

impl<'a> Stream<'a> {
    /// A stream with nothing behind it.
    pub fn whole(bytes: &'a [u8], made_of: MadeOf) -> Self {
        Stream { bytes, end: bytes.len(), made_of }
    }
}

/// Decompresses a stream into the first `len` bytes of `dst`, or fewer, and tells how many were written; those behind them
/// may change, too.
///
/// # Errors
/// `Data` when the stream is cut short, refers to bytes before the beginning, or holds more than `len`.
///
/// # Panics
/// When `len` is more than `dst` has, or the stream ends behind its bytes.
#[inline(always)]
pub fn decompress_lent(src: Stream<'_>, len: usize, dst: &mut [u8]) -> Result<usize> {
    let Stream { bytes, end, made_of } = src;
    // Several readers: to look out for items takes time, where there are none.
    let read = match made_of {
        MadeOf::Items => read::<true, false>(bytes, end, len, dst),
        MadeOf::Planes => read::<false, true>(bytes, end, len, dst),
        MadeOf::Numbers | MadeOf::Bits | MadeOf::Bytes => read::<false, false>(bytes, end, len, dst),
    };
    read.ok_or_else(|| bad_stream("BloscLZ", end))
}

/// [`decompress_lent`], with what it takes in registers: streams are short.
#[inline(never)]
fn read<const ITEMS: bool, const NEARBY: bool>(
    src: &[u8],
    end: usize,
    len: usize,
    dst: &mut [u8],
) -> Option<usize> {
    let own = &src[..end];
    let Some(&first) = own.first() else { return Some(0) };
    // The top bits of the first operation mean nothing.
    let place = match first_literals(src, dst) {
        Some(place) => place,
        None => literals(own, &mut dst[..len], Place { at: 1, filled: 0 }, usize::from(first & 31) + 1)?,
    };
    let place = fast::<ITEMS, NEARBY>((src, end), dst, place, len)?;
    if place.at > end || place.filled > len {
        return None;
    }
    exact(own, dst, len, place)
}

/// Decompresses at least the first `enough` bytes of a stream that `dst` has room for all of, or the whole stream where
/// it holds less; tells how many bytes were written.
///
/// # Errors
/// As [`decompress`], for as much as was read.
pub fn decompress_front(src: Stream<'_>, dst: &mut [u8], enough: usize) -> Result<usize> {
    let own = &src.bytes[..src.end];
    let read = match src.made_of {
        MadeOf::Items => read_front::<true, false>,
        MadeOf::Planes => read_front::<false, true>,
        MadeOf::Numbers | MadeOf::Bits | MadeOf::Bytes => read_front::<false, false>,
    };
    read(own, dst, enough).ok_or_else(|| bad_stream("BloscLZ", own.len()))
}

fn read_front<const ITEMS: bool, const NEARBY: bool>(
    src: &[u8],
    dst: &mut [u8],
    enough: usize,
) -> Option<usize> {
    let Some(&first) = src.first() else { return Some(0) };
    let place = literals(src, dst, Place { at: 1, filled: 0 }, usize::from(first & 31) + 1)?;
    let place = fast::<ITEMS, NEARBY>((src, src.len()), dst, place, enough)?;
    if place.filled < enough { exact(src, dst, dst.len(), place) } else { Some(place.filled) }
}

/// How far a stream is read.
#[derive(Clone, Copy)]
struct Place {
    /// The next byte of the input.
    at: usize,
    /// How many bytes of the output stand.
    filled: usize,
}

/// The most that is looked at together: literals, and a word that the match behind them begins with.
const AHEAD: usize = 1 + MAX_LITERALS + 8;
/// The first byte from which on a match has length bytes.
const LONG: usize = 7 << 5;
/// The length of a match whose first length byte is 255, but for more of them, which follow.
const ENDLESS: usize = (LONG >> 5) + 2 + 255;

/// The literals that a stream begins with, where both sides have room for a wide copy; perhaps too many.
#[inline(always)]
fn first_literals(src: &[u8], dst: &mut [u8]) -> Option<Place> {
    let [op, bytes @ ..] = src.first_chunk::<AHEAD>()?;
    if copy::roomy(dst) == 0 {
        return None;
    }
    copy::literals::<MAX_LITERALS>(dst, 0, bytes.first_chunk()?);
    let n = usize::from(op & 31) + 1;
    Some(Place { at: 1 + n, filled: n })
}

/// Takes operations of the stream that is the first `end` bytes of `src` as long as both sides have room for wide copies, until
/// the stream ends or `enough` is filled. The last one may go beyond either.
#[inline(always)]
fn fast<const ITEMS: bool, const NEARBY: bool>(
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
        let op = told as usize & 255;
        // Whether there is a length byte is hard to foresee: no branch.
        let extended = usize::from(op >= LONG);
        let len = (op >> 5) + 2 + (told as usize >> 8 & 255 & 0usize.wrapping_sub(extended));
        if len == ENDLESS {
            let (place, distance, len) = told_exactly(&src[..end], Place { at, filled })?;
            copy::repeat_exactly(dst, filled, distance, len)?;
            at = place.at;
            filled += len;
            continue;
        }
        let behind = (told >> (8 * extended)) as usize >> 8;
        let mut back = (op & 31) << 8 | behind & 255;
        at += 2 + extended;
        if back == NEAR {
            back += behind & 0xff00 | behind >> 16 & 255;
            at += 2;
        }
        let distance = back + 1;
        if NEARBY {
            copy::repeat(dst, filled, distance, len)?;
        } else {
            copy::repeat_apart(dst, filled, distance, len)?;
        }
        filled += len;
        if ITEMS && items::are_item(literals, distance, len) {
            cold_path();
            if src.get(at) == Some(head) {
                let shape =
                    Shape { head: *head, literals, tail: told as u32, tail_len: 2 + extended, distance };
                let (taken, now) = items::follow(&src[at.min(end)..end], dst, filled, enough, &shape)?;
                at += taken;
                filled = now;
            }
        }
    }
    Some(Place { at, filled })
}

/// Takes operations to the end, which fill `len` bytes at most. What stands behind those may change.
#[inline(always)]
fn exact(src: &[u8], dst: &mut [u8], len: usize, place: Place) -> Option<usize> {
    if place.at == src.len() { Some(place.filled) } else { rest(src, dst, len, place) }
}

/// [`exact`], where something is left.
#[inline(never)]
fn rest(src: &[u8], dst: &mut [u8], len: usize, mut place: Place) -> Option<usize> {
    // Where it is the input that ends, there is still room for wide copies.
    let roomy = copy::roomy(dst);
    while let Some(&op) = src.get(place.at) {
        if op < 32 {
            let from = Place { at: place.at + 1, ..place };
            place = literals(src, &mut dst[..len], from, usize::from(op) + 1)?;
        } else {
            let (next, distance, more) = told_exactly(src, place)?;
            copy::repeat_to_end(dst, roomy, place.filled, distance, more)?;
            place = Place { filled: place.filled + more, ..next };
            if place.filled > len {
                return None;
            }
        }
    }
    Some(place.filled)
}

/// The distance and the length of the match at `place`, and the place behind its bytes.
fn told_exactly(src: &[u8], mut place: Place) -> Option<(Place, usize, usize)> {
    let mut next = || {
        let byte = src.get(place.at).copied().map(usize::from);
        place.at += 1;
        byte
    };
    let op = next()?;
    let mut len = (op >> 5) + 2;
    if op >= LONG {
        loop {
            let more = next()?;
            len += more;
            if more != 255 {
                break;
            }
        }
    }
    let mut back = (op & 31) << 8 | next()?;
    if back == NEAR {
        back += next()? << 8 | next()?;
    }
    Some((place, back + 1, len))
}

/// Copies `len` literals at `place`, and gives the place behind them.
fn literals(src: &[u8], dst: &mut [u8], place: Place, len: usize) -> Option<Place> {
    let Place { at, filled } = place;
    dst.get_mut(filled..filled + len)?.copy_from_slice(src.get(at..at + len)?);
    Some(Place { at: at + len, filled: filled + len })
}
