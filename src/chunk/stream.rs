//! One stream of a block: `int32 csize`, then that many bytes, or a sign that there are none.
//!
//! | csize | the stream is |
//! |---|---|
//! | 0 | all zeros |
//! | -255..-1, then a byte with bit 0 set | all bytes `-csize` |
//! | the stream's length | stored raw |
//! | 1 up to the stream's length | compressed |

use crate::base::Result;
use crate::base::buffer::Buffer;
use crate::base::copy::copy;
use crate::codec::{self, State, StreamParams};
use crate::fail;
use std::ops::Range;

/// The token's bit that says "a run of one byte".
const RUN_TOKEN: u8 = 0x01;

/// How streams are laid out where a chunk is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// As the table says.
    Runs,
    /// Without runs, which Blosc1 does not know.
    NoRuns,
    /// Of a VL block: the field holds the uncompressed size, and the compressed one is known otherwise.
    Vl,
}

/// An output buffer and how far it is filled.
pub(super) struct Out<'a> {
    buf: &'a mut [u8],
    len: usize,
    /// How far it may be filled for the chunk to be worth it, be it larger or not.
    most: usize,
    /// Whether raw streams are only given their place: somebody else copies their bytes, or spares it.
    leaves_raw: bool,
    /// Whether that has happened.
    left_raw: bool,
}

impl<'a> Out<'a> {
    pub(super) fn new(buf: &'a mut [u8]) -> Self {
        Out { buf, len: 0, most: usize::MAX, leaves_raw: false, left_raw: false }
    }

    /// An output in which raw streams are only given their place.
    pub(super) fn leaving_raw(self, leaves_raw: bool) -> Self {
        Out { leaves_raw, ..self }
    }

    /// An output of which more than `most` bytes are of no use.
    pub(super) fn at_most(self, most: usize) -> Self {
        Out { most, ..self }
    }

    /// Whether a raw stream's bytes are missing.
    pub(super) fn left_raw(&self) -> bool {
        self.left_raw
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    fn rest(&mut self) -> &mut [u8] {
        &mut self.buf[self.len..]
    }

    /// Appends `bytes`; `None` when they do not fit.
    pub(super) fn put(&mut self, bytes: &[u8]) -> Option<()> {
        copy(bytes, self.rest().get_mut(..bytes.len())?);
        self.len += bytes.len();
        Some(())
    }

    pub(super) fn put_i32(&mut self, value: i32) -> Option<()> {
        self.put(&value.to_le_bytes())
    }
}

/// What became of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packed {
    Zeros,
    Other,
}

/// Writes the stream of `src` at the end of `out`; `None` when it does not fit.
///
/// The codec gets room for one byte less than `src`, be there more or less left in `out`: what it writes must not depend on
/// where in the chunk the block stands. It gets less where the output would be of no use then: some codecs need more room than
/// they fill, and so chunks that would save a byte or two are stored, which are read sooner.
pub(super) fn pack(
    params: &StreamParams<'_>,
    layout: Layout,
    state: &mut State,
    spare: &mut Buffer,
    src: &[u8],
    out: &mut Out<'_>,
) -> Result<Option<Packed>> {
    if layout == Layout::Runs
        && let Some(byte) = run_of(src)
    {
        return Ok(put_run(byte, out));
    }
    if out.rest().len() < 4 {
        return Ok(None);
    }
    let room = src.len().saturating_sub(1).min(out.most.saturating_sub(out.len + 4));
    let mut csize = 0;
    if params.clevel == 0 {
        // Level 0 stores. Only VL blocks get here with it: other chunks are then stored whole.
    } else if let Some(direct) = out.rest().get_mut(4..4 + room) {
        csize = codec::compress(params, state, src, direct)?;
    } else {
        let spare = spare.sized(room);
        let len = codec::compress(params, state, src, spare)?;
        if len > 0 {
            let Some(place) = out.rest().get_mut(4..4 + len) else { return Ok(None) };
            copy(&spare[..len], place);
            csize = len;
        }
    }
    if csize == 0 {
        let leaves_raw = out.leaves_raw;
        let Some(place) = out.rest().get_mut(4..4 + src.len()) else { return Ok(None) };
        if !leaves_raw {
            copy(src, place);
        }
        out.left_raw |= leaves_raw;
        csize = src.len();
    }
    let field = if layout == Layout::Vl { src.len() } else { csize };
    out.rest()[..4].copy_from_slice(&(field as u32).to_le_bytes());
    out.len += 4 + csize;
    Ok(Some(Packed::Other))
}

fn put_run(byte: u8, out: &mut Out<'_>) -> Option<Packed> {
    out.put_i32(-i32::from(byte))?;
    if byte == 0 {
        return Some(Packed::Zeros);
    }
    out.put(&[RUN_TOKEN])?;
    Some(Packed::Other)
}

/// Writes the stream of zeros.
pub(super) fn pack_zeros(out: &mut Out<'_>) -> Option<Packed> {
    put_run(0, out)
}

/// The byte that all of `src` is, if it is one.
pub(super) fn run_of(src: &[u8]) -> Option<u8> {
    let (&first, rest) = src.split_first()?;
    // Most streams differ early: a look at the ends spares the call.
    if rest.first().is_some_and(|&b| b != first) || rest.last().is_some_and(|&b| b != first) {
        return None;
    }
    (src[..rest.len()] == *rest).then_some(first)
}

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
    let Ok(csize) = usize::try_from(csize) else {
        let Some((&token, rest)) = rest.split_first() else {
            fail!(ReadBuffer, "a block ends where a run's token should be");
        };
        if token & RUN_TOKEN == 0 || csize < -255 {
            fail!(RunLength, "a run of {csize} with token {token}");
        }
        *src = rest;
        return Ok(Stream::Run(csize.wrapping_neg() as u8));
    };
    if csize == 0 {
        *src = rest;
        return Ok(Stream::Run(0));
    }
    let Some((stream, rest)) = rest.split_at_checked(csize) else {
        fail!(ReadBuffer, "a stream of {csize} bytes, of which {} are there", rest.len());
    };
    *src = rest;
    Ok(if csize == len { Stream::Raw(stream) } else { Stream::Coded(stream) })
}

/// Takes the stream of `len` uncompressed bytes off the front of `src` and writes those to the front of `dst`. What stands
/// behind them there may change.
///
/// # Errors
/// As [`parse`] and [`Stream::unpack`].
#[inline(always)]
pub(super) fn unpack_next(
    src: &mut &[u8],
    params: &StreamParams<'_>,
    state: &mut State,
    len: usize,
    dst: &mut [u8],
) -> Result<()> {
    let before = *src;
    match parse(src, len)? {
        Stream::Run(byte) => dst[..len].fill(byte),
        Stream::Raw(raw) => copy(raw, &mut dst[..len]),
        Stream::Coded(coded) => unpack_coded(with_lent(coded, before, src), params, state, len, dst)?,
    }
    Ok(())
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
}

impl Stream<'_> {
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
mod tests {
    use super::*;
    use crate::base::ErrorKind;

    #[test]
    fn runs_are_seen_only_where_all_bytes_are_equal() {
        assert_eq!(run_of(&[]), None);
        assert_eq!(run_of(&[7]), Some(7));
        for len in 2..70 {
            let mut src = vec![3; len];
            assert_eq!(run_of(&src), Some(3));
            for at in 0..len {
                src[at] = 4;
                assert_eq!(run_of(&src), None, "byte {at} of {len}");
                src[at] = 3;
            }
        }
    }

    #[test]
    fn streams_of_every_sort_parse() {
        let mut bytes = Vec::new();
        bytes.extend(0i32.to_le_bytes());
        bytes.extend((-200i32).to_le_bytes());
        bytes.push(1);
        bytes.extend([3, 0, 0, 0, b'r', b'a', b'w', 1, 0, 0, 0, b'c']);
        let mut src = &bytes[..];
        assert_eq!(parse(&mut src, 3).unwrap(), Stream::Run(0));
        assert_eq!(parse(&mut src, 3).unwrap(), Stream::Run(200));
        assert_eq!(parse(&mut src, 3).unwrap(), Stream::Raw(b"raw"));
        assert_eq!(parse(&mut src, 3).unwrap(), Stream::Coded(b"c"));
        assert_eq!(parse(&mut src, 3).unwrap_err().kind(), ErrorKind::ReadBuffer);
    }

    #[test]
    fn streams_that_make_no_sense_are_refused() {
        let kind = |bytes: &[u8]| parse(&mut &*bytes, 3).unwrap_err().kind();
        assert_eq!(kind(&[1, 0, 0]), ErrorKind::ReadBuffer);
        assert_eq!(kind(&[2, 0, 0, 0, 9]), ErrorKind::ReadBuffer);
        assert_eq!(kind(&[255, 255, 255, 127, 9]), ErrorKind::ReadBuffer);
        assert_eq!(kind(&[255, 255, 255, 255]), ErrorKind::ReadBuffer);
        assert_eq!(kind(&[255, 255, 255, 255, 2]), ErrorKind::RunLength);
        assert_eq!(kind(&[0, 255, 255, 255, 1]), ErrorKind::RunLength);
        assert_eq!(kind(&[0, 0, 0, 128, 1]), ErrorKind::RunLength);
    }

    #[test]
    fn a_stream_is_written_whole_or_not_at_all() {
        let src: Vec<u8> = (0..100u32).map(|i| (i * 7 % 101) as u8).collect();
        let params = StreamParams { codec: codec::LZ4, clevel: 5, typesize: 1, ..StreamParams::default() };
        for room in 0..=104 {
            let mut buf = vec![0; room];
            let mut out = Out::new(&mut buf);
            let (mut state, mut spare) = (State::default(), Buffer::default());
            let packed = pack(&params, Layout::Runs, &mut state, &mut spare, &src, &mut out).unwrap();
            assert_eq!(packed.is_some(), room == 104);
            assert_eq!(out.len(), if room == 104 { 104 } else { 0 });
        }
    }
}
