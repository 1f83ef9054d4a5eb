//! Writing the streams of a block. A stream that is equal to the last one is not compressed once more.

use super::RUN_TOKEN;
use crate::base::Result;
use crate::base::buffer::Buffer;
use crate::base::copy::copy;
use crate::codec::{self, State, StreamParams};
use std::ops::Range;

/// How streams are laid out where a chunk is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chunk) enum Layout {
    /// As the table says.
    Runs,
    /// Without runs, which Blosc1 does not know.
    NoRuns,
    /// Of a VL block: the field holds the uncompressed size, and the compressed one is known otherwise.
    Vl,
}

/// An output buffer and how far it is filled.
pub(in crate::chunk) struct Out<'a> {
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
    pub(in crate::chunk) fn new(buf: &'a mut [u8]) -> Self {
        Out { buf, len: 0, most: usize::MAX, leaves_raw: false, left_raw: false }
    }

    /// An output in which raw streams are only given their place.
    pub(in crate::chunk) fn leaving_raw(self, leaves_raw: bool) -> Self {
        Out { leaves_raw, ..self }
    }

    /// An output of which more than `most` bytes are of no use.
    pub(in crate::chunk) fn at_most(self, most: usize) -> Self {
        Out { most, ..self }
    }

    /// Whether a raw stream's bytes are missing.
    pub(in crate::chunk) fn left_raw(&self) -> bool {
        self.left_raw
    }

    pub(in crate::chunk) fn len(&self) -> usize {
        self.len
    }

    fn rest(&mut self) -> &mut [u8] {
        &mut self.buf[self.len..]
    }

    /// Appends `bytes`; `None` when they do not fit.
    pub(in crate::chunk) fn put(&mut self, bytes: &[u8]) -> Option<()> {
        copy(bytes, self.rest().get_mut(..bytes.len())?);
        self.len += bytes.len();
        Some(())
    }

    /// Appends what stands at `written`; `None` when it does not fit.
    fn put_again(&mut self, written: Range<usize>) -> Option<()> {
        let end = self.len + written.len();
        if end > self.buf.len() {
            return None;
        }
        self.buf.copy_within(written, self.len);
        self.len = end;
        Some(())
    }

    /// Writes a raw stream to where its bytes belong, behind its size, or leaves their place; `None` when they do not fit.
    fn put_raw_behind_field(&mut self, src: &[u8]) -> Option<()> {
        let leaves_raw = self.leaves_raw;
        let place = self.rest().get_mut(4..4 + src.len())?;
        if !leaves_raw {
            copy(src, place);
        }
        self.left_raw |= leaves_raw;
        Some(())
    }

    pub(in crate::chunk) fn put_i32(&mut self, value: i32) -> Option<()> {
        self.put(&value.to_le_bytes())
    }
}

/// What became of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::chunk) enum Packed {
    Zeros,
    Other,
}

/// What writes the streams of a block.
pub(in crate::chunk) struct Writer<'p, 'a> {
    params: &'p StreamParams<'p>,
    layout: Layout,
    /// The last stream that was no run, and where it was written.
    last: Option<(&'a [u8], Range<usize>)>,
}

impl<'p, 'a> Writer<'p, 'a> {
    pub(in crate::chunk) fn new(params: &'p StreamParams<'p>, layout: Layout) -> Self {
        Writer { params, layout, last: None }
    }

    /// Writes the stream of `src` at the end of `out`; `None` when it does not fit.
    ///
    /// The codec gets room for one byte less than `src`, be there more or less left in `out`: what it writes must not depend on
    /// where in the chunk the block stands. It gets less where the output would be of no use then: some codecs need more room
    /// than they fill, and so chunks that would save a byte or two are stored, which are read sooner.
    pub(in crate::chunk) fn pack(
        &mut self,
        state: &mut State,
        spare: &mut Buffer,
        src: &'a [u8],
        out: &mut Out<'_>,
    ) -> Result<Option<Packed>> {
        if self.layout == Layout::Runs
            && let Some(byte) = run_of(src)
        {
            return Ok(put_run(byte, out));
        }
        if out.rest().len() < 4 {
            return Ok(None);
        }
        let room = src.len().saturating_sub(1).min(out.most.saturating_sub(out.len + 4));
        if let Some(written) = self.written_before(src, room) {
            return Ok(out.put_again(written).map(|()| Packed::Other));
        }
        let start = out.len;
        let csize = match self.compress(state, spare, room, src, out)? {
            None => return Ok(None),
            Some(0) if out.put_raw_behind_field(src).is_none() => return Ok(None),
            Some(0) => src.len(),
            Some(csize) => csize,
        };
        let field = if self.layout == Layout::Vl { src.len() } else { csize };
        out.rest()[..4].copy_from_slice(&(field as u32).to_le_bytes());
        out.len += 4 + csize;
        self.last = Some((src, start..out.len));
        Ok(Some(Packed::Other))
    }

    /// Where the stream of `src` was written before, if it was the last one, and the codec, which gets `room` now, would do so again.
    fn written_before(&self, src: &[u8], room: usize) -> Option<Range<usize>> {
        let (last, written) = self.last.as_ref()?;
        let csize = written.len() - 4;
        let same = self.params.codes_alike() && (csize <= room || csize == src.len()) && *last == src;
        same.then(|| written.clone())
    }

    /// Compresses `src` to where a stream's bytes belong in `out`, behind its size, and tells how many those are; 0 when they would
    /// not be fewer than `src`, and `None` when they do not fit.
    fn compress(
        &self,
        state: &mut State,
        spare: &mut Buffer,
        room: usize,
        src: &[u8],
        out: &mut Out<'_>,
    ) -> Result<Option<usize>> {
        if self.params.clevel == 0 {
            // Level 0 stores. Only VL blocks get here with it: other chunks are then stored whole.
            return Ok(Some(0));
        }
        if let Some(direct) = out.rest().get_mut(4..4 + room) {
            return codec::compress(self.params, state, src, direct).map(Some);
        }
        let spare = spare.sized(room);
        let len = codec::compress(self.params, state, src, spare)?;
        let Some(place) = out.rest().get_mut(4..4 + len) else { return Ok(None) };
        copy(&spare[..len], place);
        Ok(Some(len))
    }
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
pub(in crate::chunk) fn pack_zeros(out: &mut Out<'_>) -> Option<Packed> {
    put_run(0, out)
}

/// The byte that all of `src` is, if it is one.
pub(in crate::chunk) fn run_of(src: &[u8]) -> Option<u8> {
    let (&first, rest) = src.split_first()?;
    // Most streams differ early: a look at the ends spares the call.
    if rest.first().is_some_and(|&b| b != first) || rest.last().is_some_and(|&b| b != first) {
        return None;
    }
    (src[..rest.len()] == *rest).then_some(first)
}
