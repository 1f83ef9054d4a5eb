//! Slices to and from plain buffers.

use super::geometry::{Chunks, Region};
use super::layout::Layout;
use super::read;
use super::sweep::Sweep;
use super::write::{self, Arrival, BoxChanges};
use crate::base::Result;
use crate::base::consts::MAX_DIM;
use crate::base::strided::{BoxCopy, Place};
use crate::schunk::SuperChunk;

/// Copies the items from `start` up to `stop` into the first items, along each dimension, of a row-major buffer that has
/// `buffershape` items. All other bytes of the buffer become 0, and so do items that lie past the end of the array.
///
/// An axis along which `start` is not before `stop` makes the slice empty. An array of no dimensions has one item, and
/// looks at no coordinates.
///
/// # Errors
/// `InvalidParam` when the buffer or its shape is too small for the slice, or there are not as many coordinates as
/// dimensions; `Failure` for a negative `start`; what storage reports, and what is wrong with a chunk.
pub fn get_slice(
    schunk: &SuperChunk,
    layout: &Layout,
    start: &[i64],
    stop: &[i64],
    buffer: &mut [u8],
    buffershape: &[i64],
) -> Result<()> {
    let Some(region) = request(layout, start, stop, buffer.len(), buffershape)? else {
        buffer.fill(0);
        return Ok(());
    };
    if !is_all(layout, &region, buffer.len(), buffershape) {
        buffer.fill(0);
    }
    get_region(schunk, layout, &region, buffer, buffershape, threads(schunk))
}

/// Copies items from the first items, along each dimension, of a row-major buffer that has `buffershape` items to those
/// from `start` up to `stop`. Items that would lie past the end of the array go nowhere.
///
/// # Errors
/// As [`get_slice`]. Of several chunks, those before the one that failed have changed.
pub fn set_slice(
    schunk: &mut SuperChunk,
    layout: &Layout,
    buffer: &[u8],
    buffershape: &[i64],
    start: &[i64],
    stop: &[i64],
) -> Result<()> {
    match request(layout, start, stop, buffer.len(), buffershape)? {
        Some(region) => set_region(schunk, layout, &region, buffer, buffershape),
        None => Ok(()),
    }
}

/// Copies all items into the front of a buffer.
///
/// # Errors
/// `InvalidParam` when the buffer is too small; otherwise as [`get_slice`].
pub fn to_buffer(schunk: &SuperChunk, layout: &Layout, buffer: &mut [u8]) -> Result<()> {
    let nbytes = layout.nbytes();
    let Some(buffer) = usize::try_from(nbytes).ok().and_then(|nbytes| buffer.get_mut(..nbytes)) else {
        crate::fail!(InvalidParam, "{nbytes} bytes do not fit in {}", buffer.len());
    };
    get_region(schunk, layout, &Region::all_of(layout), buffer, layout.shape(), threads(schunk))
}

/// What of the items asked for there can be; `None` when there is nothing to do.
fn request(
    layout: &Layout,
    start: &[i64],
    stop: &[i64],
    len: usize,
    buffershape: &[i64],
) -> Result<Option<Region>> {
    let ndim = layout.ndim();
    if start.len() < ndim || stop.len() < ndim || buffershape.len() < ndim {
        crate::fail!(InvalidParam, "coordinates of fewer than {ndim} dimensions");
    }
    let (start, stop, buffershape) = (&start[..ndim], &stop[..ndim], &buffershape[..ndim]);
    if layout.nitems() == 0 {
        return Ok(None);
    }
    let too_long = |dim: usize| stop[dim].saturating_sub(start[dim]) > buffershape[dim];
    if let Some(dim) = (0..ndim).find(|&dim| too_long(dim)) {
        let (a, b, n) = (start[dim], stop[dim], buffershape[dim]);
        crate::fail!(InvalidParam, "items {a} to {b} along axis {dim} of a buffer that has {n}");
    }
    if let Some(dim) = (0..ndim).find(|&dim| start[dim] < 0) {
        crate::fail!(Failure, "a slice from item {} on along axis {dim}", start[dim]);
    }
    if (0..ndim).any(|dim| start[dim] >= stop[dim]) {
        return Ok(None);
    }
    let region = Region::new(start, stop)?;
    check_buffer(layout, &region, len, buffershape)?;
    let inside = region.inside(layout.shape());
    Ok((!inside.is_empty()).then_some(inside))
}

/// Checks that a buffer holds a region.
fn check_buffer(layout: &Layout, region: &Region, len: usize, buffershape: &[i64]) -> Result<()> {
    let zeros = [0; MAX_DIM];
    let place = Place { shape: buffershape, start: &zeros[..layout.ndim()] };
    let shape = region.shape();
    let end = BoxCopy::new(layout.itemsize(), &shape[..layout.ndim()], place, place)?.dst_span().end;
    if end > len {
        crate::fail!(InvalidParam, "a slice that ends at byte {end} of a buffer of {len}");
    }
    Ok(())
}

/// Whether a region fills its buffer.
fn is_all(layout: &Layout, region: &Region, len: usize, buffershape: &[i64]) -> bool {
    let shape = region.shape();
    let nbytes = region.nitems().and_then(|n| n.checked_mul(i64::from(layout.typesize())));
    shape[..layout.ndim()] == buffershape[..layout.ndim()] && nbytes == i64::try_from(len).ok()
}

/// How many threads may read.
pub(crate) fn threads(schunk: &SuperChunk) -> usize {
    usize::try_from(schunk.dparams().nthreads).unwrap_or(1).max(1)
}

/// Reads a region that lies inside the array.
pub(crate) fn get_region(
    schunk: &SuperChunk,
    layout: &Layout,
    region: &Region,
    buffer: &mut [u8],
    buffershape: &[i64],
    nthreads: usize,
) -> Result<()> {
    with_sweep(schunk, layout, nthreads, |sweep| {
        read::region(sweep, region, buffer, &buffershape[..layout.ndim()])
    })
}

/// Writes a region that lies inside the array.
pub(crate) fn set_region(
    schunk: &mut SuperChunk,
    layout: &Layout,
    region: &Region,
    bytes: &[u8],
    buffershape: &[i64],
) -> Result<()> {
    check_buffer(layout, region, bytes.len(), &buffershape[..layout.ndim()])?;
    let shape = &buffershape[..layout.ndim()];
    let changes = BoxChanges { layout, chunks: Chunks::new(layout, region), bytes, shape };
    write::apply(schunk, layout, &changes, Arrival::Update)
}

/// The chunks of a super-chunk as blocks of an array.
pub(crate) fn with_sweep<R>(
    schunk: &SuperChunk,
    layout: &Layout,
    nthreads: usize,
    work: impl FnOnce(&Sweep<'_>) -> Result<R>,
) -> Result<R> {
    layout.check_chunk()?;
    let open = |nchunk: i64| schunk.reader(nchunk);
    work(&Sweep { layout, open: &open, nthreads })
}

/// All items of a new array: compresses a row-major buffer of them and appends the chunks.
pub(crate) fn fill(schunk: &mut SuperChunk, layout: &Layout, bytes: &[u8]) -> Result<()> {
    let region = Region::all_of(layout);
    check_buffer(layout, &region, bytes.len(), layout.shape())?;
    let chunks = Chunks::new(layout, &region);
    let changes = BoxChanges { layout, chunks, bytes, shape: layout.shape() };
    write::apply(schunk, layout, &changes, Arrival::Append)
}
