//! One block, both ways: filters, then streams; streams, then filters backward.

mod streams;

use super::scratch::Scratch;
use super::stream::{self, Layout, Out, Packed, Stream};
use crate::base::buffer::Buffer;
use crate::base::copy::copy;
use crate::base::params::FilterSlots;
use crate::base::{Result, bytes, item};
use crate::codec::{self, MadeOf, State, StreamParams};
use crate::fail;
use crate::filter::{self, BlockCtx, Spread, bitshuffle, shuffle};
use streams::{
    FEW, LENT, MOST, WORTH_FINDING, find_few, find_stream, find_streams, suits_finding, unpack_streams,
};

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
    /// Whether it is one raw stream whose bytes have not been written.
    pub(super) left: bool,
}

/// Filters the block `raw` and writes its `nstreams` streams into `out`; `None` when they do not fit.
pub(super) fn pack(
    packing: &Packing<'_>,
    ctx: &BlockCtx<'_>,
    nstreams: usize,
    raw: &[u8],
    scratch: (&mut State, &mut filter::Scratch, &mut Buffer),
    mut out: Out<'_>,
) -> Result<Option<PackedBlock>> {
    let (state, filter_scratch, spare) = scratch;
    let filtered = filter::forward(packing.filters, ctx, raw, filter_scratch)?;
    let (mut zeros, mut writer) = (true, stream::Writer::new(&packing.stream, packing.layout));
    for src in filtered.chunks_exact((filtered.len() / nstreams).max(1)) {
        match writer.pack(state, spare, src, &mut out)? {
            Some(packed) => zeros &= packed == Packed::Zeros,
            None => return Ok(None),
        }
    }
    Ok(Some(PackedBlock { len: out.len(), zeros, left: out.left_raw() }))
}

/// Writes a block of `nstreams` streams that nobody wants: zeros.
pub(super) fn pack_zeros(nstreams: usize, out: &mut [u8]) -> Option<PackedBlock> {
    let mut out = Out::new(out);
    for _ in 0..nstreams {
        stream::pack_zeros(&mut out)?;
    }
    Some(PackedBlock { len: out.len(), zeros: true, left: false })
}

/// How long the block of `nstreams` streams is that starts at the front of `packed` and has `len` uncompressed bytes.
///
/// # Errors
/// As [`stream::parse`].
pub(super) fn measure(packed: &[u8], nstreams: usize, len: usize) -> Result<PackedBlock> {
    let mut rest = packed;
    let mut zeros = true;
    for _ in 0..nstreams {
        zeros &= stream::parse(&mut rest, len / nstreams)? == Stream::Run(0);
    }
    Ok(PackedBlock { len: packed.len() - rest.len(), zeros, left: false })
}

/// A block of up to so many bytes is copied, if that spares its codec [care at the end](codec::wants_lent) of its place.
const WORTH_COPYING: usize = 1024;

/// What all blocks of a chunk that is being decompressed have in common.
pub(super) struct Unpacking<'a> {
    pub(super) filters: FilterSlots,
    /// How the filters spread the items. Measurements, which went through none, are where they were.
    pub(super) spread: Spread,
    pub(super) stream: StreamParams<'a>,
}

/// What streams are made of in a chunk of items of `typesize` bytes, by how its filters spread them, and whether its blocks
/// are split.
pub(super) fn made_of(spread: Spread, typesize: usize, split: bool) -> MadeOf {
    match spread {
        _ if split => MadeOf::Planes,
        Spread::Nowhere => MadeOf::items(typesize),
        Spread::Streams(_) => MadeOf::Planes,
        Spread::Bits => MadeOf::Bits,
        Spread::Everywhere => MadeOf::Bytes,
    }
}

/// Decodes a block of `nstreams` streams, which starts at the front of `src`, into `dst`.
pub(super) fn unpack(
    unpacking: &Unpacking<'_>,
    ctx: &BlockCtx<'_>,
    nstreams: usize,
    mut src: &[u8],
    scratch: &mut Scratch,
    dst: &mut [u8],
) -> Result<()> {
    if nstreams == 1 {
        let stream = stream::parse(&mut src, dst.len())?;
        return unpack_stream(unpacking, ctx, &stream, scratch, dst);
    }
    let len = if nstreams == 0 { 0 } else { item::whole_items(dst.len(), nstreams) };
    if len == 0 || len * nstreams != dst.len() {
        fail!(Data, "a block of {} bytes cannot be {nstreams} streams", dst.len());
    }
    let Scratch { codec, filter, .. } = scratch;
    match unpacking.spread {
        Spread::Everywhere if filter::is_in_place(&unpacking.filters, ctx.typesize) => {
            unpack_streams(unpacking, (nstreams, len), src, codec, dst)?;
            filter::backward_in_place(&unpacking.filters, ctx, filter, dst)
        }
        Spread::Nowhere => unpack_streams(unpacking, (nstreams, len), src, codec, dst),
        Spread::Streams(n) if n == nstreams && n <= MOST && len >= WORTH_FINDING => {
            let decoded = decoded(&mut filter.filtered, unpacking.spread, nstreams, dst);
            let streams = find_streams(unpacking, (nstreams, len), src, codec, decoded)?;
            shuffle::unshuffle_apart(&streams[..nstreams], dst);
            Ok(())
        }
        Spread::Streams(n) if n == nstreams && n <= FEW && suits_finding(src, n, dst.len()) => {
            let mut streams: [&[u8]; FEW] = [&[]; FEW];
            let room = filter.filtered.sized(dst.len() + LENT);
            find_few(unpacking, len, src, codec, room, &mut streams[..nstreams])?;
            shuffle::unshuffle_apart(&streams[..nstreams], dst);
            Ok(())
        }
        spread => {
            let decoded = decoded(&mut filter.filtered, spread, 1, dst);
            unpack_streams(unpacking, (nstreams, len), src, codec, decoded)?;
            undo(spread, unpacking, ctx, &decoded[..dst.len()], &mut filter.between, dst)
        }
    }
}

/// Decodes a block of `len` bytes and `nstreams` streams, which starts at the front of `src`, and hands `look` the streams of
/// its shuffle, the one filter that there is.
#[inline(never)]
pub(super) fn with_streams<R>(
    unpacking: &Unpacking<'_>,
    nstreams: usize,
    len: usize,
    mut src: &[u8],
    scratch: &mut Scratch,
    look: impl FnOnce(&[&[u8]]) -> R,
) -> Result<R> {
    let Scratch { codec, filter, .. } = scratch;
    let typesize = match unpacking.spread {
        Spread::Streams(n @ 1..=MOST) if len.is_multiple_of(n) && len > 0 => n,
        spread => fail!(Failure, "a block of {len} bytes spread {spread:?} has no streams"),
    };
    let decoded = filter.filtered.sized(len + nstreams * LENT);
    let mut streams: [&[u8]; MOST] = [&[]; MOST];
    if nstreams == typesize {
        streams = find_streams(unpacking, (nstreams, len / typesize), src, codec, decoded)?;
    } else {
        let block = find_stream(&unpacking.stream, &stream::parse(&mut src, len)?, len, codec, || decoded)?;
        streams.iter_mut().zip(block.chunks_exact(len / typesize)).for_each(|(to, stream)| *to = stream);
    }
    Ok(look(&streams[..typesize]))
}

/// Where streams go that are to be spread into `dst`: as many bytes, and [`LENT`] more for each of `nstreams`, or the last one's sake.
#[inline(always)]
fn decoded<'a>(buffer: &'a mut Buffer, spread: Spread, nstreams: usize, dst: &[u8]) -> &'a mut [u8] {
    let skew = match spread {
        Spread::Streams(n) => shuffle::skew(n, dst),
        _ => 0,
    };
    &mut buffer.sized(skew + dst.len() + nstreams * LENT)[skew..]
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
    unpack_stream(unpacking, ctx, &stream, scratch, dst)
}

/// Decodes a block that is one stream. Where that is stored raw, the first filter reads it where it stands.
fn unpack_stream(
    unpacking: &Unpacking<'_>,
    ctx: &BlockCtx<'_>,
    stream: &Stream<'_>,
    scratch: &mut Scratch,
    dst: &mut [u8],
) -> Result<()> {
    let Scratch { codec: state, filter, .. } = scratch;
    let params = &unpacking.stream;
    match unpacking.spread {
        Spread::Everywhere if filter::is_in_place(&unpacking.filters, ctx.typesize) => {
            stream.unpack(params, state, dst)?;
            filter::backward_in_place(&unpacking.filters, ctx, filter, dst)
        }
        Spread::Nowhere if dst.len() <= WORTH_COPYING && codec::wants_lent(params, dst.len()) => {
            let (len, filtered) = (dst.len(), &mut filter.filtered);
            copy(find_stream(params, stream, len, state, || filtered.sized(len + LENT))?, dst);
            Ok(())
        }
        Spread::Nowhere => stream.unpack(params, state, dst),
        spread => {
            let (len, filtered) = (dst.len(), &mut filter.filtered);
            let decoded = find_stream(params, stream, len, state, || decoded(filtered, spread, 1, dst))?;
            undo(spread, unpacking, ctx, decoded, &mut filter.between, dst)
        }
    }
}

/// Undoes the filters of `src`, which is as long as `dst`; `between` is for blocks between two of them.
fn undo(
    spread: Spread,
    unpacking: &Unpacking<'_>,
    ctx: &BlockCtx<'_>,
    src: &[u8],
    between: &mut Buffer,
    dst: &mut [u8],
) -> Result<()> {
    match spread {
        Spread::Streams(n) => shuffle::unshuffle(n, src, dst),
        Spread::Bits if !ctx.blosc1 => bitshuffle::bitunshuffle(ctx.typesize, src, dst),
        _ => return filter::backward(&unpacking.filters, ctx, src, between, dst),
    }
    Ok(())
}
