//! A chunk that is open for reading: checked once, then any number of threads decode blocks of it.

use super::header::{ChunkHeader, Special};
use super::locate::{check_extent, head_of};
use super::scratch::{self, Scratch};
use super::source::ChunkSource;
use super::special;
use super::vlblocks::VlBlocks;
use crate::base::Result;
use crate::base::copy::copy;
use crate::base::params::DParams;
use crate::codec::Dict;
use crate::filter::{self, Spread};
use crate::{exec, fail};
use std::ops::Range;
use std::sync::OnceLock;

/// A chunk's bytes, checked so far that decoding a block of it can only fail for what is in that block.
pub struct ChunkReader<'a> {
    pub(super) header: ChunkHeader,
    pub(super) source: ChunkSource<'a>,
    params: &'a DParams,
    nchunk: i64,
    /// How the filters spread the items of a block.
    spread: Spread,
    /// Whether the other blocks need block 0.
    needs_block0: bool,
    // Boxed: few chunks have any of it, and a reader is made for every chunk.
    pub(super) more: Option<Box<More>>,
    /// For delta: the bytes of block 0, once somebody needed them beside their own block.
    block0: OnceLock<Box<Result<Vec<u8>>>>,
}

/// What few chunks have before their blocks.
pub(super) struct More {
    dict: Option<Dict>,
    vl: Option<VlBlocks>,
}

impl<'a> ChunkReader<'a> {
    /// Opens a chunk.
    ///
    /// # Errors
    /// As [`ChunkHeader::parse`]; `InvalidHeader` when the chunk says that it is longer than its bytes;
    /// `ReadBuffer` when it ends before its blocks begin; `InvalidParam` for the bytes of a
    /// lazy chunk, whose blocks are elsewhere; `CodecDict` for a bad dictionary.
    pub fn new(source: ChunkSource<'a>, params: &'a DParams) -> Result<Self> {
        let mut reader = Self::unopened(source, params);
        reader.open()?;
        Ok(reader)
    }

    /// Opens chunk `nchunk` of a super-chunk, or -1, for as long as `work` takes. A reader is large and this one is never
    /// moved, which small chunks feel.
    ///
    /// # Errors
    /// As [`ChunkReader::new`], and what `work` returns.
    #[inline(always)]
    pub fn with<R>(
        source: ChunkSource<'a>,
        params: &'a DParams,
        nchunk: i64,
        work: impl FnOnce(&Self) -> Result<R>,
    ) -> Result<R> {
        let mut reader = Self::unopened(source, params);
        reader.nchunk = nchunk;
        reader.open()?;
        work(&reader)
    }

    #[inline(always)]
    fn unopened(source: ChunkSource<'a>, params: &'a DParams) -> Self {
        ChunkReader {
            header: ChunkHeader::NONE,
            source,
            params,
            nchunk: -1,
            spread: Spread::Nowhere,
            needs_block0: false,
            more: None,
            block0: OnceLock::new(),
        }
    }

    /// A reader of the same chunk, which has nothing but blocks of its own, from another source.
    pub(super) fn of_source<'s>(&'s self, source: ChunkSource<'s>) -> ChunkReader<'s> {
        let Self { header, params, nchunk, spread, needs_block0, .. } = *self;
        ChunkReader { header, nchunk, spread, needs_block0, ..ChunkReader::unopened(source, params) }
    }

    /// Checks what stands before the blocks.
    fn open(&mut self) -> Result<()> {
        self.header.read(head_of(&self.source))?;
        check_extent(&self.header, &self.source)?;
        let header = &self.header;
        if header.has_starts() && !header.is_instrumented() {
            let filters = header.filters();
            self.spread = filter::spread(&filters, header.typesize());
            self.needs_block0 = header.nblocks() > 1 && !header.is_vl() && filter::uses_reference(&filters);
        }
        if self.header.uses_dict() || self.header.is_vl() {
            self.read_more()?;
        }
        Ok(())
    }

    /// What few chunks have before their blocks.
    #[cold]
    fn read_more(&mut self) -> Result<()> {
        self.more = Some(Box::new(More { dict: self.read_dict()?, vl: None }));
        if self.header.is_vl() {
            let vl = VlBlocks::read(&self.header, self.head(), self.blocks_start())?;
            if !matches!(self.source, ChunkSource::Deferred(_)) {
                vl.offsets(&self.header, &self.source)?;
            }
            self.more = self.more.take().map(|more| Box::new(More { vl: Some(vl), ..*more }));
        }
        Ok(())
    }

    /// The chunk's dictionary.
    pub(super) fn dict(&self) -> Option<&Dict> {
        self.more.as_ref()?.dict.as_ref()
    }

    /// Where VL blocks are.
    pub(super) fn vl(&self) -> Option<&VlBlocks> {
        self.more.as_ref()?.vl.as_ref()
    }

    /// Tells hooks which chunk of a super-chunk this is.
    #[must_use]
    #[inline]
    pub fn for_chunk(mut self, nchunk: i64) -> Self {
        self.nchunk = nchunk;
        self
    }

    /// The header.
    pub fn header(&self) -> &ChunkHeader {
        &self.header
    }

    /// How this chunk is read.
    pub fn params(&self) -> &'a DParams {
        self.params
    }

    /// How many blocks there are.
    pub fn nblocks(&self) -> usize {
        self.header.nblocks()
    }

    /// The uncompressed bytes of the chunk that block `n` is; empty past the last one, and for VL blocks whose lengths
    /// storage does not tell.
    #[inline]
    pub fn block_range(&self, n: usize) -> Range<usize> {
        if !self.header.is_vl() {
            return self.header.block_range(n);
        }
        match self.vl_offsets().unwrap_or(&[]).get(n..) {
            Some([start, end, ..]) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }

    /// Where VL blocks start in the uncompressed bytes, and how many of those there are; nothing for other chunks.
    pub(super) fn vl_offsets(&self) -> Result<&[u32]> {
        self.vl().map_or(Ok(&[]), |vl| vl.offsets(&self.header, &self.source))
    }

    /// Where VL block `n` is in the chunk.
    pub(super) fn vl_packed_range(&self, n: usize) -> Range<usize> {
        self.vl().map_or(0..0, |vl| vl.packed_range(n))
    }

    /// Decodes VL block `n` into `dst`, of the block's length.
    pub(super) fn decode_vl_block(&self, n: usize, tid: usize, dst: &mut [u8]) -> Result<()> {
        exec::alone(|| {
            self.with_decoder(|decoder| self.with_scratch(|s| decoder.decode(n, tid, None, s, dst)))
        })
    }

    /// Which chunk of a super-chunk this is, or -1.
    pub(super) fn nchunk(&self) -> i64 {
        self.nchunk
    }

    pub(super) fn source(&self) -> &ChunkSource<'a> {
        &self.source
    }

    /// What all items are, when the chunk says only that.
    pub fn special(&self) -> Option<Special> {
        self.header.special()
    }

    /// The value of a [`Special::Value`] chunk; no bytes otherwise.
    pub fn special_value(&self) -> &[u8] {
        let start = self.header.header_len();
        self.head().get(start..start + self.header.value_len()).unwrap_or(&[])
    }

    /// Decodes block `n` into `dst`.
    ///
    /// # Errors
    /// `InvalidIndex` when there is no such block; `WriteBuffer` when `dst` does not have the
    /// block's length; what is wrong with the block; what codec, filters, postfilter and storage report.
    pub fn decode_block(&self, n: usize, dst: &mut [u8]) -> Result<()> {
        self.decode_block_on(n, 0, dst)
    }

    /// [`ChunkReader::decode_block`] for the thread in seat `tid`, which a postfilter wants to know.
    ///
    /// # Errors
    /// As [`ChunkReader::decode_block`].
    pub fn decode_block_on(&self, n: usize, tid: usize, dst: &mut [u8]) -> Result<()> {
        self.check_block(n)?;
        let len = self.block_range(n).len();
        if dst.len() != len {
            fail!(WriteBuffer, "block {n} has {len} bytes, its destination {}", dst.len());
        }
        let reference = self.reference_for(n)?;
        self.with_decoder(|decoder| self.with_scratch(|s| decoder.decode(n, tid, reference, s, dst)))
    }

    /// Decodes block `n`, in this thread's own scratch, and hands it to `look`. The slice has the block's length; the
    /// bytes of `want` are valid. A block that is stored raw is not copied. `look` may use the library.
    ///
    /// # Errors
    /// As [`ChunkReader::decode_block`]; `InvalidParam` when `want` is not inside the block.
    pub fn with_block<R>(&self, n: usize, want: Range<usize>, look: impl FnOnce(&[u8]) -> R) -> Result<R> {
        self.with_block_on(n, 0, want, look)
    }

    /// [`ChunkReader::with_block`] for the thread in seat `tid`, which a postfilter wants to know.
    ///
    /// # Errors
    /// As [`ChunkReader::with_block`].
    pub fn with_block_on<R>(
        &self,
        n: usize,
        tid: usize,
        want: Range<usize>,
        look: impl FnOnce(&[u8]) -> R,
    ) -> Result<R> {
        self.check_block(n)?;
        let range = self.block_range(n);
        if want.start > want.end || want.end > range.len() {
            fail!(InvalidParam, "bytes {want:?} of block {n}, which has {}", range.len());
        }
        if let (Some(data), None) = (self.memcpyed(), &self.params.postfilter) {
            return Ok(look(&data[range]));
        }
        let reference = self.reference_for(n)?;
        self.with_scratch(|s| {
            let mut buffer = std::mem::take(&mut s.block);
            let block = buffer.sized(range.len());
            if self.special() == Some(Special::Uninit) {
                // Not what the last user left here.
                block.fill(0);
            }
            let decoded = self.with_decoder(|decoder| match self.params.postfilter {
                Some(_) => decoder.decode(n, tid, reference, s, block),
                None => decoder.decode_part(n, reference, s, want, block),
            });
            let result = decoded.map(|()| look(block));
            s.block = buffer;
            result
        })
    }

    /// Runs `work`, on this chunk's blocks, with this thread's scratch.
    pub(super) fn with_scratch<R>(&self, work: impl FnOnce(&mut Scratch) -> R) -> R {
        scratch::with(self.header.largest_block(), work)
    }

    pub(super) fn check_block(&self, n: usize) -> Result<()> {
        if n >= self.nblocks() {
            fail!(InvalidIndex, "block {n} of a chunk of {}", self.nblocks());
        }
        self.vl_offsets()?;
        Ok(())
    }

    /// The bytes of a memcpyed chunk, where they are in memory.
    pub(super) fn memcpyed(&self) -> Option<&[u8]> {
        if !self.header.is_memcpyed() || self.special().is_some() {
            return None;
        }
        let (start, len) = (self.header.header_len(), self.header.nbytes());
        match &self.source {
            ChunkSource::Deferred(deferred) => deferred.reader().borrow_at(start as u64, len),
            source => head_of(source).get(start..start + len),
        }
    }

    /// Whether the other blocks need block 0.
    pub(super) fn needs_block0(&self) -> bool {
        self.needs_block0
    }

    /// What block `n` needs of block 0.
    fn reference_for(&self, n: usize) -> Result<Option<&[u8]>> {
        if n == 0 || !self.needs_block0() { Ok(None) } else { self.block0().map(Some) }
    }

    /// Block 0 before any postfilter, decoded when first asked for.
    pub(super) fn block0(&self) -> Result<&[u8]> {
        let block0 = self.block0.get_or_init(|| {
            let mut block = vec![0; self.block_range(0).len()];
            let done = self
                .with_decoder(|decoder| self.with_scratch(|s| decoder.decode_plain(0, None, s, &mut block)));
            Box::new(done.map(|()| block))
        });
        match &**block0 {
            Ok(block) => Ok(block),
            Err(error) => Err(error.clone()),
        }
    }

    /// The bytes from byte `start` on of a chunk that is special or memcpyed.
    pub(super) fn copy_plain(&self, start: usize, dst: &mut [u8]) -> Result<()> {
        if let Some(special) = self.special() {
            return special::fill(&self.header, special, self.special_value(), start, dst);
        }
        if let Some(data) = self.memcpyed() {
            copy(&data[start..start + dst.len()], dst);
            return Ok(());
        }
        match &self.source {
            ChunkSource::Deferred(deferred) => {
                deferred.reader().read_at((self.header.header_len() + start) as u64, dst)
            }
            _ => fail!(ReadBuffer, "a memcpyed chunk ends early"),
        }
    }

    /// How the filters spread the items of a block.
    pub(super) fn spread(&self) -> Spread {
        self.spread
    }

    pub(super) fn head(&self) -> &[u8] {
        head_of(&self.source)
    }
}
