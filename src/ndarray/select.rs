//! Selections that are no boxes: any items along each axis ("orthogonal"), and single items anywhere ("sparse").
//!
//! Items are sorted, per axis, by the chunk and block that they are in; from then on a selection is read and written as a
//! slice is, block by block. A sparse selection is an orthogonal one along the only axis of the array's items as they are
//! stored: chunk after chunk, block after block.

#![allow(clippy::needless_range_loop)] // several arrays go side by side

use super::geometry::unravel;
use super::layout::Layout;
use super::slice;
use super::sweep::{Blocks, Part, Visit};
use super::write::{self, Arrival, Changes, Overlay};
use crate::base::Result;
use crate::base::consts::MAX_DIM;
use crate::base::copy::copy_short;
use crate::base::scatter::{Block, Mosaic, Pick, Picks, for_each_run};
use crate::base::strided::Coords;
use crate::schunk::SuperChunk;
use std::ops::Range;

/// Copies the items whose coordinates along each axis are all in that axis's list, in the order of the lists, into the
/// first items, along each dimension, of a row-major buffer that has `buffershape` items. Other bytes stay as they are.
///
/// # Errors
/// `InvalidIndex` for an item that is not there; `InvalidParam` when there are not as many lists as dimensions, or the
/// buffer is too small for its shape, or that for the lists; what storage reports, and what is wrong with a chunk.
pub fn get_orthogonal(
    schunk: &SuperChunk,
    layout: &Layout,
    selection: &[&[i64]],
    buffer: &mut [u8],
    buffershape: &[i64],
) -> Result<()> {
    let selection = Selection::new(layout, selection)?;
    let picks: Vec<&Picks> = selection.axes.iter().map(|axis| &axis.picks).collect();
    let mosaic = Mosaic::new(buffer, layout.itemsize(), shape_of(layout, buffershape)?, &picks)?;
    let gather = Gather { selection: &selection, mosaic };
    slice::with_sweep(schunk, layout, slice::threads(schunk), |sweep| sweep.run(&gather))
}

/// Copies items from a buffer to where [`get_orthogonal`] would have copied them from. Of several for one item, the last
/// in the order of the lists stays.
///
/// # Errors
/// As [`get_orthogonal`]. Of several chunks, those before the one that failed have changed.
pub fn set_orthogonal(
    schunk: &mut SuperChunk,
    layout: &Layout,
    selection: &[&[i64]],
    buffer: &[u8],
    buffershape: &[i64],
) -> Result<()> {
    let selection = Selection::new(layout, selection)?;
    let shape = shape_of(layout, buffershape)?;
    let nbytes = shape.iter().try_fold(layout.itemsize(), |n, &l| n.checked_mul(usize::try_from(l).ok()?));
    let fits = selection.axes.iter().zip(shape).all(|(axis, &n)| axis.picks.len() as i64 <= n);
    if !fits || nbytes.is_none_or(|nbytes| nbytes > buffer.len()) {
        crate::fail!(InvalidParam, "a selection does not fit a buffer of {} bytes, {shape:?}", buffer.len());
    }
    let changes = Selected { selection: &selection, buffer, shape };
    write::apply(schunk, layout, &changes, Arrival::Update)
}

/// Copies single items, given by their numbers in row-major order, into the front of a buffer, in the order given.
///
/// # Errors
/// `InvalidParam` for an array of no dimensions, an item that is not there, and a buffer that is too small; what storage
/// reports, and what is wrong with a chunk.
pub fn get_sparse(schunk: &SuperChunk, layout: &Layout, items: &[i64], buffer: &mut [u8]) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    if layout.ndim() == 0 {
        crate::fail!(InvalidParam, "single items of an array of no dimensions");
    }
    if let Some(item) = items.iter().find(|item| !(0..layout.nitems()).contains(*item)) {
        crate::fail!(InvalidParam, "item {item} of {}", layout.nitems());
    }
    let stored = as_stored(layout)?;
    let addresses: Vec<i64> = items.iter().map(|&item| address(layout, item)).collect();
    get_orthogonal(schunk, &stored, &[&addresses], buffer, &[items.len() as i64])
}

/// The array's items in the order in which they are stored, padding included, as an array of one dimension.
fn as_stored(layout: &Layout) -> Result<Layout> {
    layout.check_chunk()?;
    let Some(nitems) = layout.nchunks().checked_mul(layout.extchunknitems()) else {
        crate::fail!(InvalidParam, "{} chunks are too many", layout.nchunks());
    };
    // As many as a chunk's bytes can be, at most.
    let chunk = layout.extchunknitems() as i32;
    Layout::new(&[nitems], &[chunk], &[layout.blocknitems()], layout.typesize())
}

/// Where item `n` is in the order in which items are stored.
fn address(layout: &Layout, n: i64) -> i64 {
    let at = unravel(n, layout.shape());
    let (mut chunk, mut block, mut item) = (0, 0, 0);
    for dim in 0..layout.ndim() {
        let (c, b) = (layout.chunk_len(dim), layout.block_len(dim));
        let (in_chunk, i) = (at[dim] % c, at[dim]);
        chunk = chunk * layout.chunks_along(dim) + i / c;
        block = block * layout.blocks_along(dim) + in_chunk / b;
        item = item * b + in_chunk % b;
    }
    chunk * layout.extchunknitems() + block * i64::from(layout.blocknitems()) + item
}

fn shape_of<'s>(layout: &Layout, buffershape: &'s [i64]) -> Result<&'s [i64]> {
    match buffershape.get(..layout.ndim()) {
        Some(shape) => Ok(shape),
        None => crate::fail!(InvalidParam, "a buffer of {} dimensions", buffershape.len()),
    }
}

/// What is wanted along each axis.
struct Selection<'a> {
    layout: &'a Layout,
    axes: Vec<Axis>,
}

/// What is wanted along one axis: a group of picks per block, and which of the groups are in one chunk.
struct Axis {
    picks: Picks,
    groups: Vec<Group>,
    chunks: Vec<Range<usize>>,
}

/// Where a group is along its axis.
#[derive(Clone, Copy)]
struct Group {
    /// The chunk, and the block in it.
    chunk: i64,
    block: i64,
    /// The block's first item.
    low: i64,
    /// The first and the last item that are wanted, counted from that one.
    first: i64,
    last: i64,
}

impl<'a> Selection<'a> {
    fn new(layout: &'a Layout, lists: &[&[i64]]) -> Result<Self> {
        let ndim = layout.ndim();
        let Some(lists) = lists.get(..ndim) else {
            crate::fail!(InvalidParam, "{} lists for {ndim} dimensions", lists.len());
        };
        let axes = lists.iter().enumerate().map(|(dim, items)| Axis::new(layout, dim, items));
        Ok(Selection { layout, axes: axes.collect::<Result<_>>()? })
    }

    fn nparts(&self) -> usize {
        // No more than chunks of the array; an empty axis makes it none.
        self.axes.iter().fold(1, |n, axis| usize::saturating_mul(n, axis.chunks.len()))
    }

    /// What is wanted of the `n`th chunk that is touched.
    fn part(&self, n: usize) -> Wanted {
        let ndim = self.axes.len();
        let mut counts = [0; MAX_DIM];
        counts.iter_mut().zip(&self.axes).for_each(|(n, axis)| *n = axis.chunks.len() as i64);
        let at = unravel(n as i64, &counts[..ndim]);
        let mut wanted = Wanted { nchunk: 0, first: [0; MAX_DIM], count: [0; MAX_DIM], nblocks: 1 };
        for (dim, axis) in self.axes.iter().enumerate() {
            let groups = &axis.chunks[at[dim] as usize];
            let chunk = axis.groups[groups.start].chunk;
            wanted.nchunk = wanted.nchunk * self.layout.chunks_along(dim) + chunk;
            wanted.first[dim] = groups.start;
            wanted.count[dim] = groups.len() as i64;
            wanted.nblocks *= groups.len();
        }
        wanted
    }

    /// The block that a combination of groups is of: its number in the chunk, and its first item's coordinates.
    fn block(&self, groups: &[usize; MAX_DIM]) -> (usize, Coords) {
        let mut low = [0; MAX_DIM];
        let mut nblock = 0;
        for (dim, axis) in self.axes.iter().enumerate() {
            let group = axis.groups[groups[dim]];
            low[dim] = group.low;
            nblock = nblock * self.layout.blocks_along(dim) + group.block;
        }
        (nblock as usize, low)
    }

    /// The bytes of that block from the first to the last item that is wanted of it.
    fn span(&self, groups: &[usize; MAX_DIM]) -> Range<usize> {
        let (mut first, mut last) = (0, 0);
        for (dim, axis) in self.axes.iter().enumerate() {
            let (group, b) = (axis.groups[groups[dim]], self.layout.block_len(dim));
            first = first * b + group.first;
            last = last * b + group.last;
        }
        // Items of a block, whose bytes a layout has counted.
        first as usize * self.layout.itemsize()..(last as usize + 1) * self.layout.itemsize()
    }
}

impl Axis {
    fn new(layout: &Layout, dim: usize, items: &[i64]) -> Result<Self> {
        let n = layout.shape()[dim];
        if let Some(item) = items.iter().find(|item| !(0..n).contains(*item)) {
            crate::fail!(InvalidIndex, "item {item} along axis {dim}, which has {n}");
        }
        let (c, b) = (layout.chunk_len(dim), layout.block_len(dim));
        let per_chunk = layout.blocks_along(dim);
        let picks = Picks::new(items, |item| item / c * per_chunk + item % c / b);
        let group = |n: usize| {
            // Sorted by item, and not empty.
            let item = |pick: Option<&Pick>| pick.map_or(0, |pick| pick.item);
            let (first, last) = (item(picks.group(n).first()), item(picks.group(n).last()));
            let (chunk, block) = (first / c, first % c / b);
            let low = chunk * c + block * b;
            Group { chunk, block, low, first: first - low, last: last - low }
        };
        let groups: Vec<Group> = (0..picks.ngroups()).map(group).collect();
        let mut chunks: Vec<Range<usize>> = Vec::new();
        for of_chunk in groups.chunk_by(|a, b| a.chunk == b.chunk) {
            let start = chunks.last().map_or(0, |before| before.end);
            chunks.push(start..start + of_chunk.len());
        }
        Ok(Axis { picks, groups, chunks })
    }
}

/// What is wanted of one chunk: along each dimension so many groups from this one on.
struct Wanted {
    nchunk: i64,
    first: [usize; MAX_DIM],
    count: Coords,
    nblocks: usize,
}

impl Wanted {
    /// The groups of the `n`th block.
    fn groups(&self, n: usize, ndim: usize) -> [usize; MAX_DIM] {
        let at = unravel(n as i64, &self.count[..ndim]);
        let mut groups = self.first;
        groups[..ndim].iter_mut().zip(at).for_each(|(group, i)| *group += i as usize);
        groups
    }
}

impl Part for Wanted {
    fn nchunk(&self) -> i64 {
        self.nchunk
    }

    fn nblocks(&self) -> usize {
        self.nblocks
    }
}

/// A selection that is being read.
struct Gather<'a> {
    selection: &'a Selection<'a>,
    mosaic: Mosaic<'a>,
}

impl Visit for Gather<'_> {
    type Part = Wanted;

    fn nparts(&self) -> usize {
        self.selection.nparts()
    }

    fn part(&self, n: usize) -> Wanted {
        self.selection.part(n)
    }

    fn wanted(&self, part: &Wanted, n: usize) -> (usize, Range<usize>) {
        let groups = part.groups(n, self.selection.layout.ndim());
        let (nblock, _) = self.selection.block(&groups);
        (nblock, self.selection.span(&groups))
    }

    fn visit(&self, blocks: &Blocks<'_, '_>, part: &Wanted, n: usize) -> Result<()> {
        let layout = self.selection.layout;
        let ndim = layout.ndim();
        let groups = part.groups(n, ndim);
        let (nblock, low) = self.selection.block(&groups);
        let Some(mut tile) = self.mosaic.claim(&groups[..ndim]) else {
            crate::fail!(Failure, "block {nblock} was claimed twice");
        };
        let shape = layout.blockshape_coords();
        let block = Block { low: &low[..ndim], shape: &shape[..ndim] };
        let span = self.selection.span(&groups);
        blocks.with(nblock, span, |bytes| tile.copy_from(bytes, block))
    }
}

/// A selection that is being written.
struct Selected<'a> {
    selection: &'a Selection<'a>,
    buffer: &'a [u8],
    shape: &'a [i64],
}

impl Changes for Selected<'_> {
    type Overlay<'s>
        = SelectedOverlay<'s>
    where
        Self: 's;

    fn nparts(&self) -> usize {
        self.selection.nparts()
    }

    fn nchunk(&self, n: usize) -> i64 {
        self.selection.part(n).nchunk
    }

    fn overlay(&self, n: usize, _nthreads: usize) -> Result<SelectedOverlay<'_>> {
        Ok(SelectedOverlay { selected: self, wanted: self.selection.part(n) })
    }
}

/// What of a selection is in one chunk.
struct SelectedOverlay<'a> {
    selected: &'a Selected<'a>,
    wanted: Wanted,
}

impl SelectedOverlay<'_> {
    /// The groups that are of block `nblock`; `None` when nothing of it is selected.
    fn groups(&self, nblock: usize) -> Option<[usize; MAX_DIM]> {
        let Selection { layout, axes } = self.selected.selection;
        let mut groups = self.wanted.first;
        let mut rest = nblock as i64;
        for (dim, axis) in axes.iter().enumerate().rev() {
            let along = layout.blocks_along(dim);
            let block = rest % along;
            rest /= along;
            let first = self.wanted.first[dim];
            let all = &axis.groups[first..first + self.wanted.count[dim] as usize];
            groups[dim] = first + all.binary_search_by_key(&block, |group| group.block).ok()?;
        }
        Some(groups)
    }
}

impl Overlay for SelectedOverlay<'_> {
    fn is_whole(&self) -> bool {
        false
    }

    fn touches(&self, n: usize) -> bool {
        self.groups(n).is_some()
    }

    fn covers(&self, _n: usize) -> bool {
        false
    }

    fn write(&self, n: usize, dst: &mut [u8]) -> Result<()> {
        let Some(groups) = self.groups(n) else { return Ok(()) };
        let Selected { selection, buffer, shape } = self.selected;
        let (layout, ndim) = (selection.layout, selection.axes.len());
        let (_, low) = selection.block(&groups);
        let mut picks: [&[Pick]; MAX_DIM] = [&[]; MAX_DIM];
        for (dim, axis) in selection.axes.iter().enumerate() {
            picks[dim] = axis.picks.group(groups[dim]);
        }
        let blockshape = layout.blockshape_coords();
        let block = Block { low: &low[..ndim], shape: &blockshape[..ndim] };
        for_each_run(layout.itemsize(), &picks[..ndim], block, shape, |to, from, len| {
            copy_short(&buffer[from..from + len], &mut dst[to..to + len]);
        })
    }
}
