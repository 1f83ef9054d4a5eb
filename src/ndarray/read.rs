//! Reading a box: every block that it touches is decoded once, by whoever is free, and copied from that worker's scratch
//! to its place in the caller's buffer; or decoded straight to its place, where the block lies there in one piece, or where its
//! rows are long and a shuffle is all that is left to undo.

use super::geometry::{BlockPart, ChunkPart, Chunks, Region};
use super::layout::Layout;
use super::sweep::{Blocks, Part, Sweep, Uniform, Visit};
use crate::base::Result;
use crate::base::scatter::Grid;
use crate::base::strided::Place;
use crate::chunk::Shuffled;
use std::ops::Range;

/// Reads `region` of an array into the first items, along each dimension, of `buffer`, which has room for `buffershape`
/// items. Other bytes, and those of items outside the array, stay as they are.
///
/// # Errors
/// `InvalidParam` when the buffer is too small; what opening and decoding a chunk report.
pub(crate) fn region(
    sweep: &Sweep<'_>,
    region: &Region,
    buffer: &mut [u8],
    buffershape: &[i64],
) -> Result<()> {
    let layout = sweep.layout;
    let chunks = Chunks::new(layout, region);
    if chunks.is_empty() {
        return Ok(());
    }
    let cuts = chunks.region().cuts(layout)?;
    let grid = Grid::new(buffer, layout.itemsize(), buffershape, &cuts[..layout.ndim()])?;
    sweep.run(&BoxRead { layout, chunks, grid })
}

/// A box that is being read.
struct BoxRead<'a> {
    layout: &'a Layout,
    chunks: Chunks<'a>,
    grid: Grid<'a>,
}

impl Part for ChunkPart<'_> {
    fn nchunk(&self) -> i64 {
        ChunkPart::nchunk(self)
    }

    fn nblocks(&self) -> usize {
        ChunkPart::nblocks(self)
    }
}

impl<'a> Visit for BoxRead<'a> {
    type Part = ChunkPart<'a>;

    fn nparts(&self) -> usize {
        self.chunks.len()
    }

    fn part(&self, n: usize) -> ChunkPart<'a> {
        self.chunks.get(n)
    }

    fn wanted(&self, part: &ChunkPart<'a>, n: usize) -> (usize, Range<usize>) {
        let block = part.touched(n);
        (block.nblock(), span(self.layout, &block))
    }

    fn visit(&self, blocks: &Blocks<'_, '_>, part: &ChunkPart<'a>, n: usize) -> Result<()> {
        let block = part.touched(n);
        let Some(mut cell) = self.grid.claim(block.cell()) else {
            crate::fail!(Failure, "block {} was claimed twice", block.nblock());
        };
        match blocks.uniform() {
            Some(Uniform::Zeros) => {
                cell.clear();
                return Ok(());
            }
            Some(Uniform::Item(item)) => return cell.fill(item),
            None => {}
        }
        if block.is_whole()
            && let Some(dst) = cell.contiguous()
        {
            return blocks.decode(block.nblock(), dst);
        }
        let layout = blocks.layout;
        let blockshape = layout.blockshape_coords();
        let place = Place { shape: &blockshape[..layout.ndim()], start: block.in_block() };
        let want = span(layout, &block);
        let row = block.shape().last().map_or(0, |&n| n as usize * layout.itemsize());
        if blocks.suit_rows(&want, row) {
            let len = layout.block_nbytes();
            let write = |bytes: Shuffled<'_>| cell.write_rows(len, place, |rows| bytes.write(rows));
            return blocks.reader.with_shuffled(block.nblock(), write)?;
        }
        blocks.with(block.nblock(), want, |bytes| cell.copy_from(bytes, place))
    }
}

/// The bytes of a block from the first to the last item of a part.
fn span(layout: &Layout, block: &BlockPart) -> Range<usize> {
    let (mut first, mut last) = (0, 0);
    for (dim, (&start, &n)) in block.in_block().iter().zip(block.shape()).enumerate() {
        first = first * layout.block_len(dim) + start;
        last = last * layout.block_len(dim) + start + n - 1;
    }
    // Items of a block, whose bytes a layout has counted.
    first as usize * layout.itemsize()..(last as usize + 1) * layout.itemsize()
}
