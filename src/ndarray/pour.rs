//! Arrays of items that come from outside, chunk by chunk.

use super::create::{Blueprint, in_bulk};
use super::geometry::{Chunks, Region};
use super::layout::Layout;
use super::write::{self, Arrival, BoxOverlay, Changes};
use crate::base::Result;
use crate::schunk::SuperChunk;

/// Writes the items of a region, row by row, into a buffer that has just their length and is zeroed. Several threads may
/// call it at once, for different regions.
pub type Source<'a> = &'a (dyn Fn(&Region, &mut [u8]) -> Result<()> + Sync);

/// Chunks whose items a source gives.
struct Poured<'a> {
    chunks: Chunks<'a>,
    layout: &'a Layout,
    source: Source<'a>,
}

impl Changes for Poured<'_> {
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

    fn overlay(&self, n: usize, _nthreads: usize) -> Result<BoxOverlay<'_>> {
        let region = *self.chunks.get(n).region();
        // The same chunk, as if its items were the whole region.
        let part = Chunks::new(self.layout, &region).get(0);
        let shape = region.shape()[..self.layout.ndim()].to_vec();
        // A chunk's items: the layout has counted the bytes.
        let nitems = shape.iter().product::<i64>() as usize;
        let mut bytes = vec![0; nitems * self.layout.itemsize()];
        (self.source)(&region, &mut bytes)?;
        Ok(BoxOverlay { layout: self.layout, part, bytes: bytes.into(), shape: shape.into() })
    }
}

/// A new array of the items that `source` gives: it is asked for those of each chunk once. With as many threads as
/// `blueprint.storage.cparams` says, several chunks are made at a time.
///
/// # Errors
/// What `source` reports; otherwise as [`Blueprint::from_buffer`].
pub fn from_source(blueprint: &Blueprint, source: Source<'_>) -> Result<(SuperChunk, Layout)> {
    let (mut schunk, layout) = blueprint.bare()?;
    let chunks = Chunks::new(&layout, &Region::all_of(&layout));
    let poured = Poured { chunks, layout: &layout, source };
    in_bulk(&mut schunk, |schunk| write::apply(schunk, &layout, &poured, Arrival::Append))?;
    Ok((schunk, layout))
}
