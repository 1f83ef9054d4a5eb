//! Where the parts of a chunk are: what must be there before the blocks, and where each block is.

use super::header::ChunkHeader;
use super::reader::ChunkReader;
use super::source::{ChunkSource, Deferred, dict_len};
use crate::base::buffer::Buffer;
use crate::base::copy::fetch_ahead;
use crate::base::{Error, ErrorKind, Result, bytes};
use crate::codec::Dict;
use crate::fail;
use std::ops::Range;

impl ChunkReader<'_> {
    /// The compressed bytes of block `n`, and perhaps some that follow: in memory, or read into `buffer`.
    pub(super) fn packed_block<'b>(&'b self, n: usize, buffer: &'b mut Buffer) -> Result<&'b [u8]> {
        let span = self.packed_range(n)?;
        match &self.source {
            ChunkSource::Deferred(deferred) => {
                let (offset, len) = (span.start as u64, span.len());
                if let Some(bytes) = deferred.reader().borrow_at(offset, len) {
                    return Ok(bytes);
                }
                let buffer = buffer.sized(len);
                deferred.reader().read_at(offset, buffer)?;
                Ok(buffer)
            }
            source => head_of(source)
                .get(span)
                .ok_or_else(|| Error::new(ErrorKind::ReadBuffer, "the chunk ends before its block does")),
        }
    }

    /// Where the compressed bytes of block `n` are in the chunk.
    #[inline]
    pub(super) fn packed_range(&self, n: usize) -> Result<Range<usize>> {
        if let Some(vl) = self.vl() {
            return Ok(vl.packed_range(n));
        }
        packed_range(&self.header, self.head(), self.blocks_start(), n)
    }

    /// Where the first block can start.
    pub(super) fn blocks_start(&self) -> usize {
        let dict = self.dict().map_or(0, |dict| 4 + dict.bytes().len());
        self.header.starts_end() + dict
    }

    /// The chunk's dictionary, made ready, if it has one.
    pub(super) fn read_dict(&self) -> Result<Option<Dict>> {
        if !self.header.uses_dict() {
            return Ok(None);
        }
        let at = self.header.starts_end();
        let len = dict_len(self.head(), at)?;
        let Some(bytes) =
            self.head().get(at + 4..at + 4 + len).filter(|_| at + 4 + len <= self.header.cbytes())
        else {
            fail!(ReadBuffer, "a dictionary of {len} bytes does not fit in the chunk");
        };
        let dict = Dict::for_decompression(self.header.codec()?, bytes);
        dict.map(Some).map_err(|e| e.as_kind(ErrorKind::CodecDict))
    }
}

/// Compressed blocks of so many bytes are brought near as a whole; of longer ones, which are read from front to back, so
/// many bytes as the processor takes to see that by itself.
const SHORT: usize = 8192;
const BEGINNING: usize = 512;

/// Brings near what follows a block in memory, which is most often decoded next and hardly ever longer. A block's streams
/// are short, and some are read from their end: the processor does not foresee them.
pub(super) fn fetch_after(chunk: &[u8], block: &Range<usize>) {
    let len = if block.len() <= SHORT { block.len() } else { BEGINNING };
    let end = chunk.len().min(block.end.saturating_add(len));
    if let Some(next) = chunk.get(block.end..end) {
        fetch_ahead(next);
    }
}

/// Where the compressed bytes of block `n` are in the chunk with that header, of which `head` is what stands before the
/// blocks at least: from its start to where it ends at the latest. Blocks need not be stored in order; the first can start at
/// `first`.
#[inline(always)]
pub(super) fn packed_range(
    header: &ChunkHeader,
    head: &[u8],
    first: usize,
    n: usize,
) -> Result<Range<usize>> {
    let start = block_start(header, head, first, n)?;
    let longest = longest(header, start, header.block_range(n).len());
    let next = if n + 1 < header.nblocks() { block_start(header, head, first, n + 1)? } else { longest };
    Ok(start..if next > start { next.min(longest) } else { longest })
}

/// [`packed_range`] of the only block of a chunk.
#[inline(always)]
pub(super) fn only_packed_range(header: &ChunkHeader, head: &[u8], first: usize) -> Result<Range<usize>> {
    let start = block_start(header, head, first, 0)?;
    Ok(start..longest(header, start, header.nbytes()))
}

#[inline(always)]
fn block_start(header: &ChunkHeader, head: &[u8], first: usize, n: usize) -> Result<usize> {
    let start = bytes::i32_le_at(head, header.header_len() + 4 * n);
    match start.and_then(|start| usize::try_from(start).ok()) {
        Some(start) if (first..header.cbytes()).contains(&start) => Ok(start),
        _ => fail!(Data, "block {n} cannot start at {start:?} of a chunk of {}", header.cbytes()),
    }
}

/// Where a block of `len` bytes ends at the latest.
#[inline(always)]
fn longest(header: &ChunkHeader, start: usize, len: usize) -> usize {
    let nstreams = if header.is_split() { header.typesize() } else { 1 };
    (start + len + 4 * nstreams).min(header.cbytes())
}

/// What of a chunk is in memory.
pub(super) fn head_of<'s>(source: &'s ChunkSource<'_>) -> &'s [u8] {
    match source {
        ChunkSource::Bytes(bytes) => bytes,
        ChunkSource::Owned(bytes) => bytes,
        ChunkSource::Deferred(deferred) => Deferred::head(deferred),
    }
}

/// Checks that the source has what the header promises.
pub(super) fn check_extent(header: &ChunkHeader, source: &ChunkSource<'_>) -> Result<()> {
    let have = head_of(source).len();
    match source {
        ChunkSource::Deferred(_) => {}
        _ if header.is_lazy() && header.special().is_none() => {
            fail!(InvalidParam, "the blocks of a lazy chunk are elsewhere, and nobody says where")
        }
        _ if header.cbytes() > have => {
            fail!(InvalidHeader, "a chunk of {} bytes, of which {have} are there", header.cbytes())
        }
        _ => {}
    }
    let head = header.starts_end() + header.value_len();
    if head > header.cbytes() || head > have {
        fail!(ReadBuffer, "a chunk of {} bytes has {head} bytes before its blocks", header.cbytes());
    }
    Ok(())
}
