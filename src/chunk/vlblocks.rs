//! Chunks whose blocks have lengths of their own.
//!
//! Each block is one stream whose size field holds the uncompressed length; the compressed length is the distance to the
//! next block's start, so that blocks stand in order.

use super::compress::{Compression, check_room, tuned};
use super::header::ChunkHeader;
use super::input::Input;
use super::locate::head_of;
use super::plan::Plan;
use super::reader::ChunkReader;
use super::source::ChunkSource;
use crate::base::params::CParams;
use crate::base::{CBuf, Result, bytes};
use crate::fail;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Where the VL blocks of a chunk are: in the chunk, and in its uncompressed bytes.
pub(super) struct VlBlocks {
    /// One more than blocks: each block's start in the chunk, and the chunk's end.
    starts: Vec<u32>,
    /// One more than blocks: each block's start in the uncompressed bytes, and their number. The lengths stand in front
    /// of the blocks: where those are in storage, they are read when somebody asks.
    offsets: OnceLock<Result<Vec<u32>>>,
}

impl VlBlocks {
    /// Reads and checks the starts of all blocks, the first of which cannot start before `first`.
    ///
    /// # Errors
    /// `InvalidHeader` when they are not in order and inside the chunk.
    pub(super) fn read(header: &ChunkHeader, head: &[u8], first: usize) -> Result<Self> {
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
        starts.push(header.cbytes() as u32);
        Ok(VlBlocks { starts, offsets: OnceLock::new() })
    }

    /// The offsets, read and checked by now.
    pub(super) fn offsets(&self, header: &ChunkHeader, source: &ChunkSource<'_>) -> Result<&[u32]> {
        match self.offsets.get_or_init(|| read_offsets(header, source, &self.starts)) {
            Ok(offsets) => Ok(offsets),
            Err(error) => Err(error.clone()),
        }
    }

    pub(super) fn packed_range(&self, n: usize) -> Range<usize> {
        self.starts[n] as usize..self.starts[n + 1] as usize
    }
}

/// Adds up the lengths of all blocks.
///
/// # Errors
/// `InvalidHeader` when they are not those of the chunk.
fn read_offsets(header: &ChunkHeader, source: &ChunkSource<'_>, starts: &[u32]) -> Result<Vec<u32>> {
    let mut offsets = Vec::with_capacity(starts.len());
    let mut offset = 0u32;
    offsets.push(offset);
    for (n, &start) in starts[..starts.len() - 1].iter().enumerate() {
        let len = read_len(header, source, n, start)?;
        match offset.checked_add(len) {
            Some(end) if end as usize <= header.nbytes() => offset = end,
            _ => fail!(InvalidHeader, "VL block {n} cannot have {len} bytes"),
        }
        offsets.push(offset);
    }
    if offset as usize != header.nbytes() {
        fail!(InvalidHeader, "VL blocks of {offset} bytes in a chunk of {}", header.nbytes());
    }
    Ok(offsets)
}

/// The uncompressed length of block `n`, which starts at `start`.
fn read_len(header: &ChunkHeader, source: &ChunkSource<'_>, n: usize, start: u32) -> Result<u32> {
    let mut field = [0; 4];
    match source {
        ChunkSource::Deferred(deferred) => deferred.reader().read_at(u64::from(start), &mut field)?,
        source => {
            let bytes = head_of(source).get(start as usize..).unwrap_or(&[]);
            field.copy_from_slice(bytes.get(..4).unwrap_or(&[0; 4]));
        }
    }
    match i32::from_le_bytes(field) {
        len if len > 0 && len as usize <= header.nbytes() => Ok(len as u32),
        len => fail!(InvalidHeader, "VL block {n} cannot have {len} bytes"),
    }
}

/// Compresses `blocks` into `dst`, each a block; 0 when the chunk does not fit.
///
/// # Errors
/// As [`Plan::vl`] and [`compress`](super::compress()).
pub fn vl_compress(params: &CParams, blocks: &[&[u8]], dst: &mut [u8]) -> Result<usize> {
    let nbytes = blocks.iter().map(|block| block.len()).sum();
    tuned(
        params,
        nbytes,
        |len| *len,
        |params| {
            let plan = Plan::vl(params, blocks.iter().map(|block| block.len()))?;
            check_room(dst)?;
            Compression { params, plan: &plan, input: Input::Vl(blocks), kept: None, recognises: false }
                .run(dst)
        },
    )
}

/// [`vl_compress`] into memory of its own.
///
/// # Errors
/// As [`vl_compress`].
pub fn vl_compress_to_cbuf(params: &CParams, blocks: &[&[u8]]) -> Result<CBuf> {
    let nbytes = blocks.iter().map(|block| block.len()).sum();
    tuned(
        params,
        nbytes,
        |chunk: &CBuf| chunk.len(),
        |params| {
            let plan = Plan::vl(params, blocks.iter().map(|block| block.len()))?;
            Compression { params, plan: &plan, input: Input::Vl(blocks), kept: None, recognises: false }
                .run_to_cbuf()
        },
    )
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
        // Not by block_range: the lengths of the other blocks are of no interest.
        let len = read_len(self.header(), self.source(), n, self.vl_packed_range(n).start as u32)?;
        let mut block = CBuf::zeroed(len as usize)?;
        self.decode_vl_block(n, 0, &mut block)?;
        Ok(block)
    }

    /// All blocks of a chunk of VL blocks, each in memory of its own, decoded on at most `nthreads` threads.
    ///
    /// # Errors
    /// As [`ChunkReader::vl_block`].
    pub fn vl_blocks(&self, nthreads: usize) -> Result<Vec<CBuf>> {
        if !self.header().is_vl() {
            fail!(InvalidParam, "a chunk without VL blocks");
        }
        let blocks = self.vl_offsets()?.windows(2).map(|pair| CBuf::zeroed((pair[1] - pair[0]) as usize));
        let blocks: Vec<_> = blocks.map(|block| block.map(Mutex::new)).collect::<Result<_>>()?;
        let nthreads = self.threads(nthreads, blocks.len(), self.header().nbytes());
        crate::exec::run(nthreads, blocks.len(), &|n, tid| {
            let mut block = blocks[n].lock().unwrap_or_else(PoisonError::into_inner);
            self.decode_vl_block(n, tid, &mut block)
        })?;
        Ok(blocks
            .into_iter()
            .map(|block| block.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect())
    }
}
