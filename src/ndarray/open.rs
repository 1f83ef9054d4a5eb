//! Arrays that are there already: what a super-chunk's metalayer says about its array, and following it as it changes.

use super::layout::Layout;
use super::meta::{self, Dtype, NdMeta};
use crate::base::params::{CParams, DParams, NdShape};
use crate::base::{Error, ErrorKind, Result};
use crate::frame::{Contents, Metalayers};
use crate::schunk::SuperChunk;
use std::sync::Arc;

/// The array that a super-chunk holds. From now on the super-chunk knows its shape, where filters and codecs need it.
///
/// # Errors
/// `MetalayerNotFound` when it holds none; otherwise as [`NdMeta::parse`] and [`Layout::new`].
pub fn attach(schunk: &mut SuperChunk) -> Result<(Layout, Option<Dtype>)> {
    let meta = read_meta(schunk)?;
    // An array's chunk is no larger than a chunk can be; for the C library any failure here is the metalayer's.
    let layout = meta.layout(schunk.typesize()).map_err(|e| e.as_kind(ErrorKind::InvalidParam))?;
    announce(schunk, &layout);
    Ok((layout, meta.dtype().cloned()))
}

/// Lets filters and codecs that know cells know of the array's.
pub(crate) fn announce(schunk: &mut SuperChunk, layout: &Layout) {
    let nd = Some(Arc::new(layout.nd_shape()));
    let cparams = CParams { nd: nd.clone(), ..schunk.cparams().clone() };
    let dparams = DParams { nd, ..schunk.dparams().clone() };
    schunk.set_cparams(cparams);
    schunk.set_dparams(dparams);
}

/// The metalayer of the array that a super-chunk holds.
///
/// # Errors
/// `MetalayerNotFound` when it holds none; otherwise as [`NdMeta::parse`].
pub fn read_meta(schunk: &SuperChunk) -> Result<NdMeta> {
    let bytes = schunk.meta_get(meta::NAME).or_else(|_| schunk.meta_get(meta::CATERVA_NAME));
    let bytes = bytes.map_err(|_| {
        Error::new(ErrorKind::MetalayerNotFound, "the super-chunk has no metalayer of an array")
    })?;
    NdMeta::parse(&bytes)
}

/// How the chunks of a frame are decompressed that may hold an array, which filters and codecs that know cells want to
/// know.
///
/// # Errors
/// As [`NdMeta::parse`] and [`Layout::new`].
pub fn decoding(contents: &Contents) -> Result<DParams> {
    let typesize = contents.header.typesize;
    let nd = shape_in(&contents.metas, typesize)?;
    Ok(DParams { typesize, in_schunk: true, nd, ..DParams::default() })
}

/// The shapes that the metalayers of an array say, if they are an array's.
fn shape_in(metas: &Metalayers, typesize: i32) -> Result<Option<Arc<NdShape>>> {
    let found = metas.position(meta::NAME).or_else(|| metas.position(meta::CATERVA_NAME));
    let Some(meta) = found.and_then(|at| metas.get(at)) else { return Ok(None) };
    let layout = NdMeta::parse(meta.content())?.layout(typesize)?;
    Ok(Some(Arc::new(layout.nd_shape())))
}

/// A copy of an array in memory, contiguous, with the metalayers of a view of it.
///
/// # Errors
/// As [`NdMeta::parse`], [`Layout::new`] and [`SuperChunk::reshaped`].
pub fn with_metas(schunk: &SuperChunk, metas: Metalayers) -> Result<SuperChunk> {
    match shape_in(&metas, schunk.typesize())? {
        Some(nd) => schunk.reshaped(metas, &nd),
        None => schunk.with_metas(metas),
    }
}

/// Writes the metalayer of an array whose shape has changed.
///
/// # Errors
/// `Failure` when the metalayer does not fit in the place of the old one, or what storage reports.
pub(crate) fn write_meta(schunk: &mut SuperChunk, layout: &Layout) -> Result<()> {
    let bytes = NdMeta::of(layout, read_meta(schunk)?.dtype()).serialize()?;
    let written = match schunk.meta_exists(meta::NAME) {
        Ok(_) => schunk.meta_update(meta::NAME, &bytes),
        Err(_) => schunk.meta_add(meta::NAME, &bytes),
    };
    written.map_err(|e| e.as_kind(ErrorKind::Failure))?;
    announce(schunk, layout);
    Ok(())
}

/// The layout that a super-chunk has now, when another handle may have changed it since tick `seen` of its
/// [`SuperChunk::change_tick`]; `None` when it is still `layout`. Looks at the disk.
///
/// Only the shape may change. A metalayer that cannot be found or read is in the middle of being written: what was known
/// stays.
///
/// # Errors
/// `Data` when the array has another number of dimensions, other chunks or other blocks than it had.
pub fn changed(schunk: &SuperChunk, layout: &Layout, seen: u64) -> Result<Option<Layout>> {
    schunk.refresh()?;
    if schunk.change_tick() == seen {
        return Ok(None);
    }
    let Ok(meta) = read_meta(schunk) else { return Ok(None) };
    if meta.chunkshape() != layout.chunkshape() || meta.blockshape() != layout.blockshape() {
        crate::fail!(Data, "the array has other chunks now");
    }
    let now = layout.with_shape(meta.shape())?;
    Ok((now != *layout).then_some(now))
}
