//! Items from array to array: slices, copies, concatenation. The source may be cut into other chunks and blocks.

use super::create::{Blueprint, in_bulk};
use super::geometry::{Chunks, Region};
use super::layout::Layout;
use super::slice;
use super::write::{self, Arrival, BoxOverlay, Changes};
use super::{open, resize};
use crate::base::Result;
use crate::base::consts::MAX_DIM;
use crate::base::params::{CParams, DParams};
use crate::base::strided::Coords;
use crate::frame::checksums;
use crate::schunk::{Storage, SuperChunk};
use std::path::Path;
use std::sync::Arc;

/// An array that items come from.
#[derive(Clone, Copy)]
struct Origin<'a> {
    schunk: &'a SuperChunk,
    layout: &'a Layout,
}

/// Chunks that get items of another array.
struct Incoming<'a> {
    from: Origin<'a>,
    to: &'a Layout,
    /// The chunks that get items.
    chunks: Chunks<'a>,
    /// What to add to coordinates in the target to have those in the source.
    shift: Coords,
}

impl Changes for Incoming<'_> {
    type Overlay<'s>
        = BoxOverlay<'s>
    where
        Self: 's;

    fn nparts(&self) -> usize {
        self.chunks.len()
    }

    fn nchunk(&self, n: usize) -> i64 {
        self.chunks.get(n).nchunk()
    }

    fn overlay(&self, n: usize, nthreads: usize) -> Result<BoxOverlay<'_>> {
        let ndim = self.to.ndim();
        let region = *self.chunks.get(n).region();
        // The same chunk, as if what of the region lies in it were all.
        let part = Chunks::new(self.to, &region).get(0);
        let shape = region.shape();
        let (mut start, mut stop) = ([0; MAX_DIM], [0; MAX_DIM]);
        for dim in 0..ndim {
            start[dim] = region.start()[dim].saturating_add(self.shift[dim]);
            stop[dim] = region.stop()[dim].saturating_add(self.shift[dim]);
        }
        let source = Region::new(&start[..ndim], &stop[..ndim])?.inside(self.from.layout.shape());
        // A chunk of the target: its layout has counted the bytes.
        let nitems = shape[..ndim].iter().product::<i64>() as usize;
        let mut bytes = vec![0; nitems * self.to.itemsize()];
        let Origin { schunk, layout } = self.from;
        let nthreads = nthreads.min(slice::threads(schunk));
        slice::get_region(schunk, layout, &source, &mut bytes, &shape[..ndim], nthreads)?;
        Ok(BoxOverlay { layout: self.to, part, bytes: bytes.into(), shape: shape[..ndim].to_vec().into() })
    }
}

/// A new array of the items from `start` up to `stop` of another. Of the blueprint, the shape is not looked at. Items past
/// the end of the source are zeros.
///
/// # Errors
/// `InvalidParam` when `stop` is before `start`, or the bytes per item differ; `Failure` for a negative `start`; otherwise
/// as [`Blueprint::from_buffer`] and [`slice::get_slice`].
pub fn get_slice(
    schunk: &SuperChunk,
    layout: &Layout,
    start: &[i64],
    stop: &[i64],
    blueprint: &Blueprint,
) -> Result<(SuperChunk, Layout)> {
    let ndim = layout.ndim();
    if start.len() < ndim || stop.len() < ndim {
        crate::fail!(InvalidParam, "coordinates of fewer than {ndim} dimensions");
    }
    if blueprint.storage.cparams.typesize != layout.typesize() {
        let typesize = blueprint.storage.cparams.typesize;
        crate::fail!(InvalidParam, "items of {} bytes for an array of {typesize}", layout.typesize());
    }
    let shape = start[..ndim].iter().zip(stop).map(|(a, b)| b.saturating_sub(*a)).collect();
    let blueprint = Blueprint { shape, ..blueprint.clone() };
    // Refuses a shape that cannot be before anything else.
    blueprint.layout()?;
    if let Some(dim) = (0..ndim).find(|&dim| start[dim] < 0) {
        crate::fail!(Failure, "a slice from item {} on along axis {dim}", start[dim]);
    }
    let (mut new, to) = blueprint.bare()?;
    let mut shift = [0; MAX_DIM];
    shift[..ndim].copy_from_slice(&start[..ndim]);
    let chunks = Chunks::new(&to, &Region::all_of(&to));
    let incoming = Incoming { from: Origin { schunk, layout }, to: &to, chunks, shift };
    in_bulk(&mut new, |new| write::apply(new, &to, &incoming, Arrival::Append))?;
    Ok((new, to))
}

/// A copy of an array, kept and compressed as the blueprint says, with the source's shape, metalayers and
/// variable-length metalayers; the blueprint's own are not looked at. With the same chunks and blocks, and parameters that
/// give the same result, chunks are taken over as they are.
///
/// # Errors
/// As [`get_slice`] and [`SuperChunk::copy`].
pub fn copy(schunk: &SuperChunk, layout: &Layout, blueprint: &Blueprint) -> Result<(SuperChunk, Layout)> {
    if blueprint.chunkshape == layout.chunkshape() && blueprint.blockshape == layout.blockshape() {
        return copy_same(schunk, layout, &blueprint.storage);
    }
    let own = [super::meta::NAME, super::meta::CATERVA_NAME].map(str::as_bytes);
    let metas = schunk.metas();
    let others = metas.iter().filter(|meta| !own.contains(&meta.name()));
    let metalayers = others.map(|meta| (meta.name().to_vec(), meta.content().to_vec())).collect();
    let blueprint = Blueprint { metalayers, ..blueprint.clone() };
    let zeros = [0; MAX_DIM];
    let (mut new, to) = get_slice(schunk, layout, &zeros[..layout.ndim()], layout.shape(), &blueprint)?;
    // The sums are of other chunks.
    for meta in schunk.vlmetas()?.iter().filter(|meta| meta.name() != checksums::NAME) {
        let content = schunk.vlmeta_get(meta.name())?;
        new.vlmeta_add(meta.name(), &content, Some(&blueprint.storage.cparams))?;
    }
    Ok((new, to))
}

fn copy_same(schunk: &SuperChunk, layout: &Layout, storage: &Storage) -> Result<(SuperChunk, Layout)> {
    let nd = Some(Arc::new(layout.nd_shape()));
    let blocksize = layout.block_nbytes() as i32;
    let cparams = CParams { blocksize, nd: nd.clone(), ..storage.cparams.clone() };
    let dparams = DParams { typesize: cparams.typesize, nd, in_schunk: true, ..storage.dparams.clone() };
    let mut new = schunk.copy(Storage { cparams, dparams, ..storage.clone() })?;
    let (layout, _) = open::attach(&mut new)?;
    Ok((new, layout))
}

/// Saves an array to a new file, or directory when it is not to be contiguous, compressed as it is.
///
/// # Errors
/// As [`SuperChunk::copy`].
pub fn save(schunk: &SuperChunk, layout: &Layout, path: &Path, contiguous: bool) -> Result<()> {
    let storage = Storage {
        contiguous,
        urlpath: Some(path.to_owned()),
        cparams: schunk.cparams().clone(),
        ..Storage::default()
    };
    copy_same(schunk, layout, &storage).map(drop)
}

/// Adds the items of another array at the end of `axis`. Where chunks and blocks agree and no chunk is cut, the other's
/// chunks are taken over as they are.
///
/// # Errors
/// `InvalidParam` when there is no such axis, or the arrays differ in bytes per item, dimensions or, along any other
/// axis, in length; otherwise as [`resize::resize`] and [`slice::set_slice`].
pub fn extend(
    schunk: &mut SuperChunk,
    layout: &mut Layout,
    axis: usize,
    other: &SuperChunk,
    other_layout: &Layout,
) -> Result<()> {
    let (ndim, at) = check_extend(layout, axis, other_layout)?;
    let mut shape = [0; MAX_DIM];
    shape[..ndim].copy_from_slice(layout.shape());
    let Some(n) = at.checked_add(other_layout.shape()[axis]) else {
        crate::fail!(InvalidParam, "axis {axis} cannot be that long");
    };
    shape[axis] = n;
    resize::resize(schunk, layout, &shape[..ndim], None)?;
    let mut start = [0; MAX_DIM];
    start[axis] = at;
    let region = Region::new(&start[..ndim], &shape[..ndim])?;
    let chunks = Chunks::new(layout, &region);
    let same =
        other_layout.chunkshape() == layout.chunkshape() && other_layout.blockshape() == layout.blockshape();
    if same && at.checked_rem(layout.chunk_len(axis)) == Some(0) {
        // The region's chunks are the other's, one by one.
        for n in 0..chunks.len() {
            schunk.update_chunk(chunks.get(n).nchunk(), other.chunk(n as i64)?.into_owned()?)?;
        }
        return Ok(());
    }
    let mut shift = [0; MAX_DIM];
    shift[axis] = -at;
    let from = Origin { schunk: other, layout: other_layout };
    let incoming = Incoming { from, to: layout, chunks, shift };
    write::apply(schunk, layout, &incoming, Arrival::Update)
}

/// Whether two super-chunks lock the same frame on disk. Whoever changes one cannot read the other meanwhile.
pub(crate) fn same_lock(a: &SuperChunk, b: &SuperChunk) -> bool {
    let path = |schunk: &SuperChunk| {
        let disk = schunk.disk()?;
        disk.lock()?;
        disk.path().canonicalize().ok()
    };
    path(a).is_some_and(|a| Some(a) == path(b))
}

/// The number of dimensions, and where the other array's items go along the axis.
pub(crate) fn check_extend(layout: &Layout, axis: usize, other: &Layout) -> Result<(usize, i64)> {
    let (ndim, shape) = (layout.ndim(), layout.shape());
    if axis >= ndim {
        crate::fail!(InvalidParam, "axis {axis} of an array of {ndim} dimensions");
    }
    if layout.typesize() != other.typesize() {
        crate::fail!(InvalidParam, "items of {} and {} bytes", layout.typesize(), other.typesize());
    }
    let agree = other.ndim() == ndim && (0..ndim).all(|d| d == axis || other.shape()[d] == shape[d]);
    if !agree {
        crate::fail!(InvalidParam, "{:?} does not extend axis {axis} of {shape:?}", other.shape());
    }
    Ok((ndim, shape[axis]))
}
