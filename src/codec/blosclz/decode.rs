//! Reading BloscLZ streams.
//!
//! While input and output have room to spare, [`quick`](super::quick) takes operations. Near the ends a plain loop takes over, which
//! is exact. Short streams are mostly ends: so who knows of bytes behind the stream, and behind the place that it goes to, lends
//! them ([`Stream`]).

use super::foreseen::OfNumbers;
use super::quick::{AHEAD, LONG, Taking};
use super::ways::{Bytes, Planes};
use super::{MAX_LITERALS, NEAR};
use crate::base::Result;
use crate::codec::{MadeOf, bad_stream, copy};

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
    read(src, len, dst, usize::MAX)
}

/// Reads a stream that fills `len` bytes of `dst` at most, or its beginning, until `enough` are filled.
#[inline(always)]
fn read(src: Stream<'_>, len: usize, dst: &mut [u8], enough: usize) -> Result<usize> {
    let Stream { bytes, end, made_of } = src;
    if bytes.len() < AHEAD {
        return tiny(&bytes[..end], dst, len).ok_or_else(|| bad_stream("BloscLZ", end));
    }
    // Several readers: to look out for items takes time, where there are none.
    let read = match made_of {
        MadeOf::Items => read_by::<OfNumbers<true>>,
        MadeOf::Numbers => read_by::<OfNumbers<false>>,
        MadeOf::Planes => read_by::<Planes>,
        MadeOf::Bits | MadeOf::Bytes => read_by::<Bytes>,
    };
    read(bytes, end, dst, len, enough).ok_or_else(|| bad_stream("BloscLZ", end))
}

/// [`read`], with what it takes in registers: streams are short.
#[inline(never)]
fn read_by<S: Taking>(src: &[u8], end: usize, dst: &mut [u8], len: usize, enough: usize) -> Option<usize> {
    let own = &src[..end];
    let Some(&first) = own.first() else { return Some(0) };
    let place = match first_literals(src, dst) {
        Some(place) => place,
        None => begin(own, &mut dst[..len], first)?,
    };
    let place = S::take((src, end), dst, place, enough.min(len))?;
    if place.at > end || place.filled > len {
        return None;
    }
    if place.filled >= enough { Some(place.filled) } else { exact(own, dst, len, place) }
}

/// Decompresses at least the first `enough` bytes of a stream that `dst` has room for all of, or the whole stream where
/// it holds less; tells how many bytes were written.
///
/// # Errors
/// As [`decompress`], for as much as was read.
pub fn decompress_front(src: Stream<'_>, dst: &mut [u8], enough: usize) -> Result<usize> {
    let len = dst.len();
    read(src, len, dst, enough)
}

/// How far a stream is read.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The next byte of the input.
    pub(super) at: usize,
    /// How many bytes of the output stand.
    pub(super) filled: usize,
}

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

/// Reads a stream at whose beginning its end is near already: the last one of a chunk, mostly.
#[inline(never)]
fn tiny(src: &[u8], dst: &mut [u8], len: usize) -> Option<usize> {
    let Some(&first) = src.first() else { return Some(0) };
    let place = begin(src, &mut dst[..len], first)?;
    to_end(src, dst, len, place)
}

/// The literals that a stream begins with. The top bits of its first operation mean nothing.
#[inline(always)]
fn begin(src: &[u8], dst: &mut [u8], first: u8) -> Option<Place> {
    literals(src, dst, Place { at: 1, filled: 0 }, usize::from(first & 31) + 1)
}

/// Takes operations to the end, which fill `len` bytes at most. What stands behind those may change.
#[inline(always)]
fn exact(src: &[u8], dst: &mut [u8], len: usize, place: Place) -> Option<usize> {
    if place.at == src.len() { Some(place.filled) } else { rest(src, dst, len, place) }
}

/// [`exact`], where something is left.
#[inline(never)]
fn rest(src: &[u8], dst: &mut [u8], len: usize, place: Place) -> Option<usize> {
    to_end(src, dst, len, place)
}

/// All operations that are left, each within the ends.
#[inline(always)]
fn to_end(src: &[u8], dst: &mut [u8], len: usize, mut place: Place) -> Option<usize> {
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
pub(super) fn told_exactly(src: &[u8], mut place: Place) -> Option<(Place, usize, usize)> {
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

/// Copies `len` literals at `place`, and gives the place behind them. Few are copied without a call, which takes longer than they do.
fn literals(src: &[u8], dst: &mut [u8], place: Place, len: usize) -> Option<Place> {
    let Place { at, filled } = place;
    let (from, to) = (src.get(at..at + len)?, dst.get_mut(filled..filled + len)?);
    match len {
        1 => to[0] = from[0],
        2..=4 => halves::<2>(from, to)?,
        5..=8 => halves::<4>(from, to)?,
        _ => to.copy_from_slice(from),
    }
    Some(Place { at: at + len, filled: filled + len })
}

/// Copies `N` to twice as many bytes: the first `N`, and the last.
#[inline(always)]
fn halves<const N: usize>(from: &[u8], to: &mut [u8]) -> Option<()> {
    *to.first_chunk_mut::<N>()? = *from.first_chunk()?;
    *to.last_chunk_mut::<N>()? = *from.last_chunk()?;
    Some(())
}
