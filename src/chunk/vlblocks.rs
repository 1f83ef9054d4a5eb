//! Chunks whose blocks have lengths of their own.
//!
//! Each block is one stream whose size field holds the uncompressed length; the compressed length is the distance to the
//! next block's start, so that blocks stand in order.

use super::compress::{Compression, to_cbuf};
use super::header::ChunkHeader;
use super::input::Input;
use super::plan::Plan;
use super::reader::{ChunkReader, head_of};
use super::source::ChunkSource;
use crate::base::consts::MAX_OVERHEAD;
use crate::base::params::CParams;
use crate::base::{CBuf, Result, bytes};
use crate::fail;
use std::ops::Range;

/// Where the VL blocks of a chunk are: in the chunk, and in its uncompressed bytes.
#[derive(Debug)]
pub(super) struct VlBlocks {
    /// One more than blocks: each block's start in the chunk, and the chunk's end.
    starts: Vec<u32>,
    /// One more than blocks: each block's start in the uncompressed bytes, and their number.
    offsets: Vec<u32>,
}

impl VlBlocks {
    /// Reads and checks the starts and lengths of all blocks, the first of which cannot start before `first`.
    ///
    /// # Errors
    /// `InvalidHeader` when the starts are not in order and inside the chunk, or the lengths not those of the chunk.
    pub(super) fn read(header: &ChunkHeader, source: &ChunkSource<'_>, first: usize) -> Result<Self> {
        let head = head_of(source);
        let nblocks = header.nblocks();
        // Bounded: the block starts are known to be in `head`.
        let mut starts = Vec::with_capacity(nblocks + 1);
        let mut earliest = first;
        for n in 0..nblocks {
            let start = bytes::i32_le_at(head, header.header_len() + 4 * n);
            match start.and_then(|start| usize::try_from(start).ok()) {
                // At least a byte after the size field.
                Some(start) if start >= earliest && start + 4 < header.cbytes() => {
                    starts.push(start as u32);
                    earliest = start + 5;
                }
                _ => fail!(InvalidHeader, "VL block {n} cannot start at {start:?}"),
            }
        }
        starts.push(header.cbytes);
        let offsets = read_lens(header, source, &starts)?;
        Ok(VlBlocks { starts, offsets })
    }

    pub(super) fn range(&self, n: usize) -> Range<usize> {
        match self.offsets.get(n..).unwrap_or(&[]) {
            [start, end, ..] => *start as usize..*end as usize,
            _ => 0..0,
        }
    }

    pub(super) fn packed_range(&self, n: usize) -> Range<usize> {
        self.starts[n] as usize..self.starts[n + 1] as usize
    }
}

/// Adds up the lengths that stand in front of the blocks.
fn read_lens(header: &ChunkHeader, source: &ChunkSource<'_>, starts: &[u32]) -> Result<Vec<u32>> {
    let mut offsets = Vec::with_capacity(starts.len());
    let mut offset = 0u32;
    offsets.push(offset);
    for (n, &start) in starts[..starts.len() - 1].iter().enumerate() {
        let len = match source {
            ChunkSource::Deferred(deferred) => {
                let mut field = [0; 4];
                deferred.reader().read_at(u64::from(start), &mut field)?;
                i32::from_le_bytes(field)
            }
            source => bytes::i32_le_at(head_of(source), start as usize).unwrap_or(0),
        };
        match u32::try_from(len).ok().filter(|&len| len > 0).and_then(|len| offset.checked_add(len)) {
            Some(end) if end <= header.nbytes => offset = end,
            _ => fail!(InvalidHeader, "VL block {n} cannot have {len} bytes"),
        }
        offsets.push(offset);
    }
    if offset != header.nbytes {
        fail!(InvalidHeader, "VL blocks of {offset} bytes in a chunk of {}", header.nbytes);
    }
    Ok(offsets)
}

/// Compresses `blocks` into `dst`, each a block; 0 when the chunk does not fit.
///
/// # Errors
/// As [`Plan::vl`] and [`compress`](super::compress).
pub fn vl_compress(params: &CParams, blocks: &[&[u8]], dst: &mut [u8]) -> Result<usize> {
    let plan = Plan::vl(params, blocks.iter().map(|block| block.len()))?;
    if dst.len() < MAX_OVERHEAD {
        fail!(MaxBufsizeExceeded, "{} bytes of output have no room for a header", dst.len());
    }
    Compression { params, plan: &plan, input: Input::Vl(blocks) }.run(dst)
}

/// [`vl_compress`] into memory of its own.
///
/// # Errors
/// As [`vl_compress`].
pub fn vl_compress_to_cbuf(params: &CParams, blocks: &[&[u8]]) -> Result<CBuf> {
    let plan = Plan::vl(params, blocks.iter().map(|block| block.len()))?;
    to_cbuf(&Compression { params, plan: &plan, input: Input::Vl(blocks) })
}

impl ChunkReader<'_> {
    /// Block `n` of a chunk of VL blocks, in memory of its own.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when the chunk is not of VL blocks or has no such block; otherwise as
    /// [`ChunkReader::decode_block`].
    pub fn vl_block(&self, n: usize) -> Result<CBuf> {
        if !self.header().is_vl() {
            fail!(InvalidParam, "a chunk without VL blocks");
        }
        if n >= self.nblocks() {
            fail!(InvalidParam, "VL block {n} of {}", self.nblocks());
        }
        let mut block = CBuf::zeroed(self.block_range(n).len())?;
        self.decode_block(n, &mut block)?;
        Ok(block)
    }

    /// All blocks of a chunk of VL blocks, each in memory of its own, decoded on at most `nthreads` threads.
    ///
    /// # Errors
    /// As [`ChunkReader::vl_block`].
    pub fn vl_blocks(&self, nthreads: usize) -> Result<Vec<CBuf>> {
        use std::sync::{Mutex, PoisonError};
        if !self.header().is_vl() {
            fail!(InvalidParam, "a chunk without VL blocks");
        }
        let mut blocks = Vec::with_capacity(self.nblocks());
        for n in 0..self.nblocks() {
            blocks.push(Mutex::new(CBuf::zeroed(self.block_range(n).len())?));
        }
        let nthreads = self.threads(nthreads, blocks.len(), self.header().nbytes());
        crate::exec::run(nthreads, blocks.len(), &|n, tid| {
            let mut block = blocks[n].lock().unwrap_or_else(PoisonError::into_inner);
            self.decode_block_on(n, tid, &mut block)
        })?;
        Ok(blocks
            .into_iter()
            .map(|block| block.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect())
    }
}
