//! One block, both ways: filters, then streams; streams, then filters backward.

use super::scratch::{Buffer, Scratch};
use super::stream::{self, Layout, Out, Packed, Stream};
use crate::base::params::FilterSlots;
use crate::base::{Result, bytes};
use crate::codec::{State, StreamParams};
use crate::fail;
use crate::filter::{self, BlockCtx};

/// What all blocks of a chunk that is being compressed have in common.
pub(super) struct Packing<'a> {
    pub(super) filters: &'a FilterSlots,
    pub(super) stream: StreamParams<'a>,
    pub(super) layout: Layout,
}

/// A compressed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedBlock {
    /// Its bytes.
    pub(super) len: usize,
    /// Whether all its streams are runs of zeros.
    pub(super) zeros: bool,
}

/// Filters the block `raw` and writes its `nstreams` streams into `out`; `None` when they do not fit.
pub(super) fn pack(
    packing: &Packing<'_>,
    ctx: &BlockCtx<'_>,
    nstreams: usize,
    raw: &[u8],
    scratch: (&mut State, &mut filter::Scratch, &mut Buffer),
    out: &mut [u8],
) -> Result<Option<PackedBlock>> {
    let (state, filter_scratch, spare) = scratch;
    let filtered = filter::forward(packing.filters, ctx, raw, filter_scratch)?;
    let mut out = Out::new(out);
    let mut zeros = true;
    for src in filtered.chunks_exact((filtered.len() / nstreams).max(1)) {
        match stream::pack(&packing.stream, packing.layout, state, spare, src, &mut out)? {
            Some(packed) => zeros &= packed == Packed::Zeros,
            None => return Ok(None),
        }
    }
    Ok(Some(PackedBlock { len: out.len(), zeros }))
}

/// Writes a block of `nstreams` streams that nobody wants: zeros.
pub(super) fn pack_zeros(nstreams: usize, out: &mut [u8]) -> Option<PackedBlock> {
    let mut out = Out::new(out);
    for _ in 0..nstreams {
        stream::pack_zeros(&mut out)?;
    }
    Some(PackedBlock { len: out.len(), zeros: true })
}

/// What all blocks of a chunk that is being decompressed have in common.
pub(super) struct Unpacking<'a> {
    pub(super) filters: &'a FilterSlots,
    pub(super) stream: StreamParams<'a>,
    /// The streams hold measurements, which went through no filter.
    pub(super) unfiltered: bool,
}

/// Decodes a block of `nstreams` streams, which starts at the front of `src`, into `dst`.
pub(super) fn unpack(
    unpacking: &Unpacking<'_>,
    ctx: &BlockCtx<'_>,
    nstreams: usize,
    src: &[u8],
    scratch: &mut Scratch,
    dst: &mut [u8],
) -> Result<()> {
    if nstreams == 0 || dst.len() < nstreams || !dst.len().is_multiple_of(nstreams) {
        fail!(Data, "a block of {} bytes cannot be {nstreams} streams", dst.len());
    }
    let streams = Streams { src, nstreams };
    if unpacking.unfiltered {
        return streams.decode(&unpacking.stream, &mut scratch.codec, dst);
    }
    if filter::is_in_place(unpacking.filters, ctx.typesize) {
        streams.decode(&unpacking.stream, &mut scratch.codec, dst)?;
        return filter::backward_in_place(unpacking.filters, ctx, &mut scratch.filter, dst);
    }
    if let Some(raw) = streams.single_raw(dst.len())? {
        return filter::backward(unpacking.filters, ctx, raw, &mut scratch.filter, dst);
    }
    let decoded = scratch.streams.sized(dst.len());
    streams.decode(&unpacking.stream, &mut scratch.codec, decoded)?;
    filter::backward(unpacking.filters, ctx, decoded, &mut scratch.filter, dst)
}

/// Decodes a VL block, which is all of `src`, into `dst`.
pub(super) fn unpack_vl(
    unpacking: &Unpacking<'_>,
    ctx: &BlockCtx<'_>,
    src: &[u8],
    scratch: &mut Scratch,
    dst: &mut [u8],
) -> Result<()> {
    let (Some(len), Some(coded)) = (bytes::i32_le_at(src, 0), src.get(4..)) else {
        fail!(ReadBuffer, "a VL block of {} bytes", src.len());
    };
    if usize::try_from(len) != Ok(dst.len()) {
        fail!(Data, "a VL block of {len} bytes in place of {}", dst.len());
    }
    let stream = if coded.len() == dst.len() { Stream::Raw(coded) } else { Stream::Coded(coded) };
    if unpacking.unfiltered {
        return stream.unpack(&unpacking.stream, &mut scratch.codec, dst);
    }
    if let Stream::Raw(raw) = stream {
        return filter::backward(unpacking.filters, ctx, raw, &mut scratch.filter, dst);
    }
    let decoded = scratch.streams.sized(dst.len());
    stream.unpack(&unpacking.stream, &mut scratch.codec, decoded)?;
    filter::backward(unpacking.filters, ctx, decoded, &mut scratch.filter, dst)
}

/// The streams of one block.
struct Streams<'a> {
    src: &'a [u8],
    nstreams: usize,
}

impl<'a> Streams<'a> {
    fn decode(&self, params: &StreamParams<'_>, state: &mut State, dst: &mut [u8]) -> Result<()> {
        let mut src = self.src;
        let len = dst.len() / self.nstreams;
        for dst in dst.chunks_exact_mut(len) {
            stream::parse(&mut src, len)?.unpack(params, state, dst)?;
        }
        Ok(())
    }

    /// The block's filtered bytes where they stand, if it is one stream stored raw.
    fn single_raw(&self, len: usize) -> Result<Option<&'a [u8]>> {
        if self.nstreams != 1 {
            return Ok(None);
        }
        let mut src = self.src;
        Ok(match stream::parse(&mut src, len)? {
            Stream::Raw(raw) => Some(raw),
            _ => None,
        })
    }
}
