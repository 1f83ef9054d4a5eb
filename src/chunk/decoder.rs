//! What decodes the blocks of a chunk: what they have in common is worked out once, which small blocks feel.

use super::block::{self, Unpacking};
use super::input::hook_scratch_len;
use super::locate::{fetch_after, head_of, packed_range};
use super::part;
use super::reader::ChunkReader;
use super::scratch::Scratch;
use super::source::ChunkSource;
use crate::base::buffer::Buffer;
use crate::base::hooks::{Postfilter, Postfiltering};
use crate::base::{Error, ErrorKind, Result};
use crate::codec::{StreamParams, user};
use crate::fail;
use crate::filter::BlockCtx;
use std::ops::Range;

/// A chunk that is open for reading, and how its blocks are decoded.
pub(super) struct Decoder<'r> {
    reader: &'r ChunkReader<'r>,
    /// Without the codec, if nobody has that.
    unpacking: Unpacking<'r>,
    /// Of block 0.
    ctx: BlockCtx<'r>,
    /// Where the first block can start in the chunk.
    first: usize,
}

impl ChunkReader<'_> {
    /// Runs `work` with what decodes this chunk's blocks.
    pub(super) fn with_decoder<R>(&self, work: impl FnOnce(&Decoder<'_>) -> R) -> R {
        let (header, params) = (self.header(), self.params());
        let call =
            user::Call { cparams: None, dparams: Some(params), chunk: self.head(), token: params.token };
        let (spread, split) = (self.spread(), header.is_split());
        let unpacking = Unpacking {
            filters: header.filters(),
            spread,
            stream: StreamParams {
                codec: header.codec().unwrap_or_default(),
                meta: header.codec_meta(),
                clevel: 0,
                typesize: header.typesize() as i32,
                split,
                made_of: block::made_of(spread, header.typesize(), split),
                dict: self.dict(),
                nd: params.nd.as_deref(),
                call: Some(&call),
            },
        };
        let ctx = BlockCtx {
            typesize: header.typesize(),
            offset: 0,
            reference: None,
            nd: params.nd.as_deref(),
            schunk_typesize: params.in_schunk.then(|| usize::try_from(params.typesize).unwrap_or(1)),
            blosc1: header.version() <= 2,
            token: params.token,
        };
        work(&Decoder { reader: self, unpacking, ctx, first: self.blocks_start() })
    }
}

impl Decoder<'_> {
    /// Decodes block `n` into `dst`, of the block's length, as the caller is to see it.
    #[inline]
    pub(super) fn decode(
        &self,
        n: usize,
        tid: usize,
        reference: Option<&[u8]>,
        s: &mut Scratch,
        dst: &mut [u8],
    ) -> Result<()> {
        match &self.reader.params().postfilter {
            None => self.decode_plain(n, reference, s, dst),
            Some(postfilter) => self.decode_hooked(&**postfilter, (n, tid), reference, s, dst),
        }
    }

    #[inline(never)]
    fn decode_hooked(
        &self,
        postfilter: &dyn Postfilter,
        (n, tid): (usize, usize),
        reference: Option<&[u8]>,
        s: &mut Scratch,
        dst: &mut [u8],
    ) -> Result<()> {
        let mut hooked = std::mem::take(&mut s.hooked);
        let input = hooked.sized(dst.len());
        let done = self
            .decode_plain(n, reference, s, input)
            .and_then(|()| self.postfilter(postfilter, (n, tid), input, dst, &mut s.hook));
        s.hooked = hooked;
        done
    }

    fn postfilter(
        &self,
        postfilter: &dyn Postfilter,
        (nblock, tid): (usize, usize),
        input: &[u8],
        output: &mut [u8],
        hook: &mut Buffer,
    ) -> Result<()> {
        let reader = self.reader;
        let typesize = match reader.header().value_len() {
            0 => reader.header().typesize(),
            len => len,
        };
        let blocksize = if reader.header().is_vl() { input.len() } else { reader.header().blocksize() };
        let offset = if reader.header().is_vl() { 0 } else { reader.block_range(nblock).start };
        let scratch = hook.sized(hook_scratch_len(blocksize, typesize));
        let nchunk = reader.nchunk();
        postfilter
            .apply(Postfiltering { input, output, typesize, offset, nchunk, nblock, tid, scratch })
            .map_err(|e| Error::new(ErrorKind::Postfilter, format!("the postfilter failed: {}", e.what())))
    }

    /// Decodes block `n` into `dst`, of the block's length, without the postfilter.
    #[inline]
    pub(super) fn decode_plain(
        &self,
        n: usize,
        reference: Option<&[u8]>,
        s: &mut Scratch,
        dst: &mut [u8],
    ) -> Result<()> {
        self.decode_part(n, reference, s, 0..dst.len(), dst)
    }

    /// Decodes block `n` into `dst`, of the block's length, so far that the bytes of `want` are valid.
    pub(super) fn decode_part(
        &self,
        n: usize,
        reference: Option<&[u8]>,
        s: &mut Scratch,
        want: Range<usize>,
        dst: &mut [u8],
    ) -> Result<()> {
        let reader = self.reader;
        if !reader.header().has_starts() {
            let start = reader.block_range(n).start + want.start;
            return reader.copy_plain(start, &mut dst[want]);
        }
        let whole = want.len() == dst.len();
        let done = match reader.source() {
            ChunkSource::Deferred(_) => {
                self.with_packed(n, s, |src, s| self.unpack(n, src, reference, s, want, dst))
            }
            // Said apart: the compiler then has it here, which small blocks feel.
            source => self
                .packed_in_memory(head_of(source), n, whole)
                .and_then(|src| self.unpack(n, src, reference, s, want, dst)),
        };
        done.map_err(|e| e.at(format_args!("block {n}")))
    }

    /// Decodes block `n`, of a chunk that [suits](ChunkReader::suits_rows), but for its shuffle, and hands `look` the streams.
    pub(super) fn with_streams<R>(
        &self,
        n: usize,
        s: &mut Scratch,
        look: impl FnOnce(&[&[u8]]) -> R,
    ) -> Result<R> {
        let header = self.reader.header();
        header.codec()?;
        let unpack = |src: &[u8], s: &mut Scratch| {
            block::with_streams(&self.unpacking, self.nstreams(n), header.blocksize(), src, s, look)
        };
        let done = match self.reader.source() {
            ChunkSource::Deferred(_) => self.with_packed(n, s, unpack),
            source => self.packed_in_memory(head_of(source), n, true).and_then(|src| unpack(src, s)),
        };
        done.map_err(|e| e.at(format_args!("block {n}")))
    }

    /// Where block `n` stands in a chunk that is in memory. When all of it is wanted (`whole`), what stands behind it is sent
    /// for, too.
    #[inline(always)]
    fn packed_in_memory<'c>(&self, chunk: &'c [u8], n: usize, whole: bool) -> Result<&'c [u8]> {
        let span = match self.reader.vl() {
            None => packed_range(self.reader.header(), chunk, self.first, n)?,
            Some(vl) => vl.packed_range(n),
        };
        if whole {
            fetch_after(chunk, &span);
        }
        match chunk.get(span) {
            Some(src) => Ok(src),
            None => fail!(ReadBuffer, "the chunk ends before its block does"),
        }
    }

    /// Hands `work` the packed block `n` of a chunk that is elsewhere.
    #[inline(never)]
    fn with_packed<R>(
        &self,
        n: usize,
        s: &mut Scratch,
        work: impl FnOnce(&[u8], &mut Scratch) -> Result<R>,
    ) -> Result<R> {
        let mut buffer = std::mem::take(&mut s.packed);
        let src = self.reader.packed_block(n, &mut buffer);
        let done = src.and_then(|src| work(src, s));
        s.packed = buffer;
        done
    }

    /// How many streams block `n` is.
    #[inline(always)]
    fn nstreams(&self, n: usize) -> usize {
        let header = self.reader.header();
        let whole = self.reader.block_range(n).len() == header.blocksize();
        if self.unpacking.stream.split && whole { header.typesize() } else { 1 }
    }

    /// Decodes the block at the front of `src`.
    #[inline(always)]
    fn unpack(
        &self,
        n: usize,
        src: &[u8],
        reference: Option<&[u8]>,
        s: &mut Scratch,
        want: Range<usize>,
        dst: &mut [u8],
    ) -> Result<()> {
        let (header, unpacking) = (self.reader.header(), &self.unpacking);
        header.codec()?;
        if self.reader.vl().is_some() {
            return block::unpack_vl(unpacking, &BlockCtx { reference, ..self.ctx }, src, s, dst);
        }
        let ctx = BlockCtx { offset: self.reader.block_range(n).start, reference, ..self.ctx };
        let nstreams = self.nstreams(n);
        if want.len() < dst.len()
            && !header.is_instrumented()
            && part::unpack(unpacking, &ctx, nstreams, src, s, want, dst)?
        {
            return Ok(());
        }
        block::unpack(unpacking, &ctx, nstreams, src, s, dst)
    }
}
