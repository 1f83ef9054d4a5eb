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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;
    use crate::base::params::CParams;
    use crate::schunk::Storage;

    fn blueprint(shape: &[i64], chunkshape: &[i32], blockshape: &[i32], nthreads: i16) -> Blueprint {
        let cparams = CParams { nthreads, ..CParams::of_items(4) };
        let storage = Storage { contiguous: true, cparams, ..Storage::default() };
        Blueprint { storage, ..Blueprint::new(4, shape, chunkshape, blockshape) }
    }

    /// The items of a region of an array whose items are their own numbers.
    fn counted(shape: &[i64], region: &Region) -> Vec<u8> {
        let ndim = shape.len();
        let mut items = Vec::new();
        let nitems = region.shape()[..ndim].iter().product::<i64>();
        for n in 0..nitems {
            let at = super::super::geometry::unravel(n, &region.shape()[..ndim]);
            let item = (0..ndim).fold(0, |item, dim| item * shape[dim] + region.start()[dim] + at[dim]);
            items.extend((item as i32).to_le_bytes());
        }
        items
    }

    #[test]
    fn the_same_as_from_a_buffer() {
        for nthreads in [1, 3] {
            for (shape, chunks, blocks) in [
                (vec![7, 9, 5], vec![3, 4, 5], vec![2, 2, 3]),
                (vec![50], vec![7], vec![7]),
                (vec![], vec![], vec![]),
                (vec![0, 3], vec![2, 2], vec![1, 2]),
            ] {
                let blueprint = blueprint(&shape, &chunks, &blocks, nthreads);
                let all = counted(&shape, &Region::all_of(&blueprint.layout().unwrap()));
                let (want, _) = blueprint.from_buffer(&all).unwrap();
                let source = |region: &Region, items: &mut [u8]| {
                    items.copy_from_slice(&counted(&shape, region));
                    Ok(())
                };
                let (got, _) = from_source(&blueprint, &source).unwrap();
                assert_eq!(got.to_cframe().unwrap()[..], want.to_cframe().unwrap()[..], "{shape:?}");
            }
        }
    }

    #[test]
    fn a_source_that_fails_is_told() {
        let source = |region: &Region, _: &mut [u8]| match region.start()[0] {
            0 => Ok(()),
            _ => crate::fail!(FileRead, "torn off"),
        };
        let failed = from_source(&blueprint(&[9], &[3], &[3], 2), &source).unwrap_err();
        assert_eq!((failed.kind(), failed.what()), (ErrorKind::FileRead, "chunk 1: torn off"));
    }
}
