//! Boxes in, block copies out: which chunks a box of items touches, which blocks of each, and where the box's part of a
//! block lies in the block and in a buffer that holds the box.
//!
//! Nothing here knows of bytes, and nothing allocates.

#![allow(clippy::needless_range_loop)] // several arrays go side by side

use super::layout::Layout;
use crate::base::Result;
use crate::base::consts::MAX_DIM;
use crate::base::scatter::Cuts;
use crate::base::strided::Coords;

/// A box of items: along each dimension, those from `start` up to but without `stop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    ndim: usize,
    start: Coords,
    stop: Coords,
}

impl Region {
    /// The box between two corners.
    ///
    /// # Errors
    /// `InvalidParam` unless `0 <= start <= stop` along each of at most 16 dimensions.
    pub fn new(start: &[i64], stop: &[i64]) -> Result<Self> {
        let ndim = start.len();
        let ordered = start.iter().zip(stop).all(|(a, b)| 0 <= *a && a <= b);
        if ndim > MAX_DIM || stop.len() != ndim || !ordered {
            crate::fail!(InvalidParam, "no box goes from {start:?} to {stop:?}");
        }
        let mut region = Region { ndim, start: [0; MAX_DIM], stop: [0; MAX_DIM] };
        region.start[..ndim].copy_from_slice(start);
        region.stop[..ndim].copy_from_slice(stop);
        Ok(region)
    }

    /// All items of an array.
    pub fn all_of(layout: &Layout) -> Self {
        let mut region = Region { ndim: layout.ndim(), start: [0; MAX_DIM], stop: [0; MAX_DIM] };
        region.stop[..region.ndim].copy_from_slice(layout.shape());
        region
    }

    /// The first item's coordinates.
    pub fn start(&self) -> &[i64] {
        &self.start[..self.ndim]
    }

    /// One past the last item's coordinates.
    pub fn stop(&self) -> &[i64] {
        &self.stop[..self.ndim]
    }

    /// Items along a dimension.
    pub fn len(&self, dim: usize) -> i64 {
        self.stop[dim] - self.start[dim]
    }

    /// Items along each dimension.
    pub fn shape(&self) -> Coords {
        let mut shape = [0; MAX_DIM];
        (0..self.ndim).for_each(|dim| shape[dim] = self.len(dim));
        shape
    }

    /// How many items there are. `None` when they cannot be counted.
    pub fn nitems(&self) -> Option<i64> {
        if self.is_empty() {
            return Some(0);
        }
        (0..self.ndim).try_fold(1i64, |n, dim| n.checked_mul(self.len(dim)))
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        (0..self.ndim).any(|dim| self.len(dim) == 0)
    }

    /// The part that lies inside an array of this shape.
    #[must_use]
    pub fn inside(&self, shape: &[i64]) -> Self {
        let mut region = *self;
        for (dim, &n) in shape.iter().enumerate() {
            region.start[dim] = region.start[dim].min(n);
            region.stop[dim] = region.stop[dim].min(n);
        }
        region
    }

    /// Where chunks and blocks cut this region of an array.
    ///
    /// # Errors
    /// `InvalidParam` when the array has no chunks.
    pub fn cuts(&self, layout: &Layout) -> Result<[Cuts; MAX_DIM]> {
        let mut cuts = [Cuts::none(1)?; MAX_DIM];
        for (dim, cut) in cuts[..self.ndim].iter_mut().enumerate() {
            *cut = Cuts::new(self.start[dim], self.stop[dim], layout.chunk_len(dim), layout.block_len(dim))?;
        }
        Ok(cuts)
    }
}

/// The chunks of an array that a region touches, in row-major order.
#[derive(Clone, Debug)]
pub struct Chunks<'l> {
    layout: &'l Layout,
    region: Region,
    /// The first chunk touched along each dimension, and how many.
    first: Coords,
    count: Coords,
    nchunks: usize,
}

impl<'l> Chunks<'l> {
    /// The chunks that `region`, or what of it lies inside the array, touches.
    pub fn new(layout: &'l Layout, region: &Region) -> Self {
        let region = region.inside(layout.shape());
        let mut chunks = Chunks { layout, region, first: [0; MAX_DIM], count: [0; MAX_DIM], nchunks: 0 };
        if region.is_empty() {
            return chunks;
        }
        chunks.nchunks = 1;
        for dim in 0..region.ndim {
            let len = layout.chunk_len(dim);
            chunks.first[dim] = region.start[dim] / len;
            chunks.count[dim] = (region.stop[dim] - 1) / len - chunks.first[dim] + 1;
            // No more chunks than items, whose number a layout has counted.
            chunks.nchunks *= chunks.count[dim] as usize;
        }
        chunks
    }

    /// How many chunks are touched.
    pub fn len(&self) -> usize {
        self.nchunks
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.nchunks == 0
    }

    /// The region, or what of it lies inside the array.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// The `n`th chunk that is touched, `n` less than [`Chunks::len`].
    pub fn get(&self, n: usize) -> ChunkPart<'l> {
        let ndim = self.region.ndim;
        let mut at = unravel(n as i64, &self.count[..ndim]);
        let mut nchunk = 0;
        for dim in 0..ndim {
            at[dim] += self.first[dim];
            nchunk = nchunk * self.layout.chunks_along(dim) + at[dim];
        }
        ChunkPart::new(self.layout, &self.region, nchunk, &at)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = ChunkPart<'l>> {
        (0..self.nchunks).map(|n| self.get(n))
    }
}

/// What of a region lies in one chunk.
#[derive(Clone, Debug)]
pub struct ChunkPart<'l> {
    layout: &'l Layout,
    nchunk: i64,
    /// The coordinates of the chunk's first item.
    origin: Coords,
    /// The coordinates of the region's first item.
    region_start: Coords,
    /// The items of the region in this chunk, as coordinates in the array.
    part: Region,
    /// The first block touched along each dimension, and how many.
    first: Coords,
    count: Coords,
    nblocks: usize,
}

impl<'l> ChunkPart<'l> {
    fn new(layout: &'l Layout, region: &Region, nchunk: i64, at: &Coords) -> Self {
        let zero = [0; MAX_DIM];
        let mut chunk = ChunkPart {
            layout,
            nchunk,
            origin: zero,
            region_start: region.start,
            part: *region,
            first: zero,
            count: zero,
            nblocks: 1,
        };
        for dim in 0..region.ndim {
            let origin = at[dim] * layout.chunk_len(dim);
            let start = region.start[dim].max(origin);
            // Padded to whole chunks, the array's length is no larger than an i64.
            let stop = region.stop[dim].min(origin + layout.chunk_len(dim));
            chunk.origin[dim] = origin;
            chunk.part.start[dim] = start;
            chunk.part.stop[dim] = stop;
            chunk.first[dim] = (start - origin) / layout.block_len(dim);
            chunk.count[dim] = (stop - 1 - origin) / layout.block_len(dim) - chunk.first[dim] + 1;
            chunk.nblocks *= chunk.count[dim] as usize;
        }
        chunk
    }

    /// The chunk's number in the super-chunk.
    pub fn nchunk(&self) -> i64 {
        self.nchunk
    }

    /// The items of the region in this chunk, as coordinates in the array.
    pub fn region(&self) -> &Region {
        &self.part
    }

    /// Whether the region holds every item that the chunk has of the array.
    pub fn is_whole(&self) -> bool {
        (0..self.part.ndim).all(|dim| {
            let end = (self.origin[dim] + self.layout.chunk_len(dim)).min(self.layout.shape()[dim]);
            self.part.start[dim] == self.origin[dim] && self.part.stop[dim] == end
        })
    }

    /// How many blocks the region touches.
    pub fn nblocks(&self) -> usize {
        self.nblocks
    }

    /// The `n`th block that the region touches, `n` less than [`ChunkPart::nblocks`].
    pub fn touched(&self, n: usize) -> BlockPart {
        let ndim = self.part.ndim;
        let mut at = unravel(n as i64, &self.count[..ndim]);
        let mut nblock = 0;
        for dim in 0..ndim {
            at[dim] += self.first[dim];
            nblock = nblock * self.layout.blocks_along(dim) + at[dim];
        }
        self.part_of(nblock as usize, &at)
    }

    /// What of block `nblock` the region touches; `None` when nothing.
    pub fn block(&self, nblock: usize) -> Option<BlockPart> {
        let ndim = self.part.ndim;
        let mut at = [0; MAX_DIM];
        let mut rest = nblock as i64;
        for dim in (0..ndim).rev() {
            let along = self.layout.blocks_along(dim);
            at[dim] = rest % along;
            rest /= along;
            let touched = self.first[dim]..self.first[dim] + self.count[dim];
            if !touched.contains(&at[dim]) {
                return None;
            }
        }
        (rest == 0).then(|| self.part_of(nblock, &at))
    }

    fn part_of(&self, nblock: usize, at: &Coords) -> BlockPart {
        let (layout, ndim) = (self.layout, self.part.ndim);
        let zero = [0; MAX_DIM];
        let mut block = BlockPart {
            ndim,
            nblock,
            shape: zero,
            in_block: zero,
            in_region: zero,
            cell: [0; MAX_DIM],
            is_whole: true,
        };
        for dim in 0..ndim {
            let len = layout.block_len(dim);
            let low = self.origin[dim] + at[dim] * len;
            let (part_start, part_stop) = (self.part.start[dim], self.part.stop[dim]);
            let start = part_start.max(low);
            // Against an overflow, the distance is compared and not the sum.
            let stop = if part_stop - low < len { part_stop } else { low + len };
            block.shape[dim] = stop - start;
            block.in_block[dim] = start - low;
            block.in_region[dim] = start - self.region_start[dim];
            block.cell[dim] = self.cell(dim, at[dim]);
            block.is_whole &= block.shape[dim] == len;
        }
        block
    }

    /// Which cell of the region's cuts a block is along a dimension. Counted from the array's first block on, a chunk's
    /// blocks are those that begin before the chunk's end: padding is no cell.
    fn cell(&self, dim: usize, at: i64) -> usize {
        let (chunk, block) = (self.layout.chunk_len(dim), self.layout.block_len(dim));
        let per_chunk = self.layout.blocks_along(dim);
        let first_chunk = self.region_start[dim] / chunk;
        let first = first_chunk * per_chunk + self.region_start[dim] % chunk / block;
        (self.origin[dim] / chunk * per_chunk + at - first) as usize
    }
}

/// What of a region lies in one block.
#[derive(Clone, Debug)]
pub struct BlockPart {
    ndim: usize,
    nblock: usize,
    shape: Coords,
    in_block: Coords,
    in_region: Coords,
    cell: [usize; MAX_DIM],
    is_whole: bool,
}

impl BlockPart {
    /// The block's number in the chunk.
    pub fn nblock(&self) -> usize {
        self.nblock
    }

    /// Items along each dimension.
    pub fn shape(&self) -> &[i64] {
        &self.shape[..self.ndim]
    }

    /// Where they begin in the block.
    pub fn in_block(&self) -> &[i64] {
        &self.in_block[..self.ndim]
    }

    /// Where they begin in a buffer that holds the region.
    pub fn in_region(&self) -> &[i64] {
        &self.in_region[..self.ndim]
    }

    /// The cell of [`Region::cuts`] that they are.
    pub fn cell(&self) -> &[usize] {
        &self.cell[..self.ndim]
    }

    /// Whether they are the whole block, padding included.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }
}

/// The numbers of the chunks that a box touches, ascending.
///
/// # Errors
/// As [`Region::new`].
pub fn chunks_touched(layout: &Layout, start: &[i64], stop: &[i64]) -> Result<Vec<i64>> {
    let region = Region::new(start, stop)?;
    if region.ndim != layout.ndim() {
        crate::fail!(InvalidParam, "coordinates of {} dimensions", region.ndim);
    }
    Ok(Chunks::new(layout, &region).iter().map(|chunk| chunk.nchunk()).collect())
}

/// The coordinates of the `n`th item, in row-major order, of `shape`. A length of 0 gives coordinate 0.
pub fn unravel(n: i64, shape: &[i64]) -> Coords {
    let mut at = [0; MAX_DIM];
    let mut rest = n;
    for (dim, &len) in shape.iter().enumerate().rev() {
        if dim == 0 {
            at[0] = rest;
        } else {
            at[dim] = rest.checked_rem(len).unwrap_or(0);
            rest = rest.checked_div(len).unwrap_or(0);
        }
    }
    at
}

/// How far from the first item the one at `index` is, with these strides.
pub fn ravel(index: &[i64], strides: &[i64]) -> i64 {
    index.iter().zip(strides).fold(0i64, |sum, (i, s)| sum.wrapping_add(i.wrapping_mul(*s)))
}

#[cfg(test)]
mod tests;
