//! One stream of a block: `int32 csize`, then that many bytes, or a sign that there are none.
//!
//! | csize | the stream is |
//! |---|---|
//! | 0 | all zeros |
//! | -255..-1, then a byte with bit 0 set | all bytes `-csize` |
//! | the stream's length | stored raw |
//! | 1 up to the stream's length | compressed |

mod write;

pub(super) use write::{Layout, Out, Packed, Writer, pack_zeros, run_of};

use crate::base::copy::copy;
use crate::base::{Error, ErrorKind, Result};
use crate::codec::{self, State, StreamParams};
use crate::fail;
use std::ops::Range;

/// The token's bit that says "a run of one byte".
const RUN_TOKEN: u8 = 0x01;

/// All there is of a stream of zeros.
pub(super) const ZEROS: [u8; 4] = [0; 4];

/// One stream as it stands in the chunk.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stream<'a> {
    Run(u8),
    Raw(&'a [u8]),
    Coded(&'a [u8]),
}

/// Takes the stream of `len` uncompressed bytes off the front of `src`.
///
/// # Errors
/// `ReadBuffer` when it ends early, `RunLength` for a run that makes no sense.
#[inline(always)]
pub(super) fn parse<'a>(src: &mut &'a [u8], len: usize) -> Result<Stream<'a>> {
    let Some((csize, rest)) = src.split_first_chunk() else {
        fail!(ReadBuffer, "a block ends where a stream's size should be");
    };
    let csize = i32::from_le_bytes(*csize);
    // Asked first, and by `len`: where the next stream begins is then known before this one's size has been read.
    if csize as usize == len {
        let (stream, rest) = split(rest, len)?;
        *src = rest;
        return Ok(Stream::Raw(stream));
    }
    let Ok(csize) = usize::try_from(csize) else {
        let Some((&token, rest)) = rest.split_first() else {
            fail!(ReadBuffer, "a block ends where a run's token should be");
        };
        if token & RUN_TOKEN == 0 || csize < -255 {
            return Err(no_run(csize, token));
        }
        *src = rest;
        return Ok(Stream::Run(csize.wrapping_neg() as u8));
    };
    if csize == 0 {
        *src = rest;
        return Ok(Stream::Run(0));
    }
    let (stream, rest) = split(rest, csize)?;
    *src = rest;
    Ok(Stream::Coded(stream))
}

/// The first `len` bytes, which are a stream, and the others.
#[inline(always)]
fn split(bytes: &[u8], len: usize) -> Result<(&[u8], &[u8])> {
    bytes.split_at_checked(len).ok_or_else(|| cut_off(len, bytes.len()))
}

// Told by functions that take values: what words are made of by reference would be put down in memory for each stream.

#[cold]
#[inline(never)]
fn no_run(csize: i32, token: u8) -> Error {
    Error::new(ErrorKind::RunLength, format!("a run of {csize} with token {token}"))
}

#[cold]
#[inline(never)]
fn cut_off(len: usize, there: usize) -> Error {
    Error::new(ErrorKind::ReadBuffer, format!("a stream of {len} bytes, of which {there} are there"))
}

/// The compressed stream `coded`, which lies between what `before` and `after` begin with, and all that is behind it in the chunk; and
/// how long it is.
#[inline(always)]
pub(super) fn with_lent<'a>(coded: &[u8], before: &'a [u8], after: &[u8]) -> (&'a [u8], usize) {
    (&before[before.len() - after.len() - coded.len()..], coded.len())
}

/// Decompresses a stream [with what is lent](with_lent) to the front of `dst`. What stands behind its `len` bytes there may change.
///
/// # Errors
/// As [`Stream::unpack`].
#[inline(always)]
pub(super) fn unpack_coded(
    coded: (&[u8], usize),
    params: &StreamParams<'_>,
    state: &mut State,
    len: usize,
    dst: &mut [u8],
) -> Result<()> {
    check_whole(codec::decompress_lent(params, state, coded, (dst, len))?, len)
}

/// The streams of a block that were met last, a coded one and a run, and where they are decoded to. The next may be equal: it is where
/// numbers are small for their type, and their upper bytes tell the sign, or where a fraction's bytes repeat.
pub(super) struct Met<'a> {
    coded: Option<(&'a [u8], usize)>,
    run: Option<(u8, usize)>,
    /// Whether equal coded streams hold the same.
    counts: bool,
}

impl<'a> Met<'a> {
    pub(super) fn new(params: &StreamParams<'_>) -> Self {
        Met { coded: None, run: None, counts: params.codes_alike() }
    }

    /// Where the stream that `coded` is equal to is decoded to, if the last one is; else `coded` is to be decoded to `place`.
    #[inline(always)]
    pub(super) fn before(&mut self, coded: &'a [u8], place: usize) -> Option<usize> {
        if self.counts { met_before(&mut self.coded, coded, place) } else { None }
    }

    /// The same for a run of a byte.
    #[inline(always)]
    pub(super) fn before_run(&mut self, byte: u8, place: usize) -> Option<usize> {
        met_before(&mut self.run, byte, place)
    }
}

/// The place of the last one met, if this is equal; else this is the last one.
#[inline(always)]
fn met_before<T: PartialEq>(last: &mut Option<(T, usize)>, this: T, place: usize) -> Option<usize> {
    match last {
        Some((known, first)) if *known == this => Some(*first),
        _ => {
            *last = Some((this, place));
            None
        }
    }
}

/// Checks that a stream holds as many bytes as it should.
#[inline]
fn check_whole(held: usize, len: usize) -> Result<()> {
    if held != len {
        fail!(Data, "a stream holds {held} bytes in place of {len}");
    }
    Ok(())
}

impl Stream<'_> {
    /// Writes the stream's uncompressed bytes to `dst`, which is as long as they are.
    #[inline]
    pub(super) fn unpack(&self, params: &StreamParams<'_>, state: &mut State, dst: &mut [u8]) -> Result<()> {
        self.unpack_lent(params, state, dst.len(), dst)
    }

    /// Writes the stream's `len` uncompressed bytes to the front of `dst`. What stands behind them there may change.
    #[inline]
    pub(super) fn unpack_lent(
        &self,
        params: &StreamParams<'_>,
        state: &mut State,
        len: usize,
        dst: &mut [u8],
    ) -> Result<()> {
        match *self {
            Stream::Run(byte) => dst[..len].fill(byte),
            Stream::Raw(raw) => copy(raw, &mut dst[..len]),
            Stream::Coded(coded) => unpack_coded((coded, coded.len()), params, state, len, dst)?,
        }
        Ok(())
    }

    /// Writes bytes `range` of the stream to the same bytes of `dst`, which is as long as the stream; what stands around
    /// them may change.
    pub(super) fn unpack_range(
        &self,
        params: &StreamParams<'_>,
        state: &mut State,
        range: Range<usize>,
        dst: &mut [u8],
    ) -> Result<()> {
        match *self {
            Stream::Run(byte) => dst[range].fill(byte),
            Stream::Raw(raw) => copy(&raw[range.clone()], &mut dst[range]),
            Stream::Coded(coded) => {
                if !unpack_items(params, state, coded, &range, dst)? {
                    codec::decompress_front(params, state, coded, dst, range.end)?;
                }
            }
        }
        Ok(())
    }
}

/// Decodes the items that bytes `range` are of, and nothing else, where the codec can; false where it cannot.
fn unpack_items(
    params: &StreamParams<'_>,
    state: &mut State,
    coded: &[u8],
    range: &Range<usize>,
    dst: &mut [u8],
) -> Result<bool> {
    let typesize = usize::try_from(params.typesize).unwrap_or(0);
    if params.split || typesize == 0 {
        return Ok(false);
    }
    let items = range.start / typesize..range.end.div_ceil(typesize);
    match dst.get_mut(items.start * typesize..items.end * typesize) {
        Some(place) => codec::decompress_items(params, state, coded, items, place),
        None => Ok(false),
    }
}

#[cfg(test)]
mod tests;
