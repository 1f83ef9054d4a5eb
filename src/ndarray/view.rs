//! Other views of the same chunks: axes of length 1 that come or go.
//!
//! Neither changes the order of items, blocks or chunks, so that the layout of the view and the super-chunk of the array
//! make an array.

use super::layout::Layout;
use crate::base::Result;
use crate::base::consts::MAX_DIM;

/// The layout without the axes that are marked.
///
/// # Errors
/// `InvalidIndex` when a marked axis is not of length 1; `InvalidParam` when there are fewer marks than axes, or the
/// chunks of a marked axis are longer than 1.
pub fn squeeze(layout: &Layout, axes: &[bool]) -> Result<Layout> {
    let ndim = layout.ndim();
    let Some(axes) = axes.get(..ndim) else {
        crate::fail!(InvalidParam, "{} marks for {ndim} axes", axes.len());
    };
    if let Some(dim) = (0..ndim).find(|&dim| axes[dim] && layout.shape()[dim] != 1) {
        crate::fail!(InvalidIndex, "axis {dim} has {} items", layout.shape()[dim]);
    }
    let kept = |dim: &usize| !axes[*dim];
    build(layout, (0..ndim).filter(kept).map(Some))
}

/// The layout without its axes of length 1.
///
/// # Errors
/// As [`squeeze`].
pub fn squeeze_all(layout: &Layout) -> Result<Layout> {
    let axes: Vec<bool> = layout.shape().iter().map(|&n| n == 1).collect();
    squeeze(layout, &axes)
}

/// The layout with a new axis of length 1 at each marked place, and its own axes at the others.
///
/// # Errors
/// `InvalidParam` when the places that are not marked are not as many as the axes, or all of them more than 16.
pub fn expand_dims(layout: &Layout, places: &[bool]) -> Result<Layout> {
    let kept = places.iter().filter(|new| !**new).count();
    if kept != layout.ndim() || places.len() > MAX_DIM {
        crate::fail!(InvalidParam, "{kept} of {} places for {} axes", places.len(), layout.ndim());
    }
    let mut next = 0..;
    build(layout, places.iter().map(|&new| if new { None } else { next.next() }))
}

/// The layout of some axes, and of new ones of length 1.
fn build(layout: &Layout, axes: impl Iterator<Item = Option<usize>>) -> Result<Layout> {
    let (mut shape, mut chunkshape, mut blockshape) = (Vec::new(), Vec::new(), Vec::new());
    for axis in axes {
        let (n, chunk, block) = axis.map_or((1, 1, 1), |dim| {
            (layout.shape()[dim], layout.chunkshape()[dim], layout.blockshape()[dim])
        });
        shape.push(n);
        chunkshape.push(chunk);
        blockshape.push(block);
    }
    let view = Layout::new(&shape, &chunkshape, &blockshape, layout.typesize())?;
    if view.chunk_nbytes() != layout.chunk_nbytes() || view.block_nbytes() != layout.block_nbytes() {
        crate::fail!(InvalidParam, "chunks of {:?} hold more than one item", layout.chunkshape());
    }
    Ok(view)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;

    #[test]
    fn axes_of_one_come_and_go() {
        let layout = Layout::new(&[1, 5, 1, 4], &[1, 3, 1, 2], &[1, 2, 1, 2], 4).unwrap();
        let flat = squeeze_all(&layout).unwrap();
        assert_eq!(
            (flat.shape(), flat.chunkshape(), flat.blockshape()),
            (&[5, 4][..], &[3, 2][..], &[2, 2][..])
        );
        assert_eq!((flat.nchunks(), flat.nblocks()), (layout.nchunks(), layout.nblocks()));
        assert_eq!(expand_dims(&flat, &[true, false, true, false]).unwrap(), layout);
        assert_eq!(squeeze(&layout, &[false, false, true, false]).unwrap().shape(), [1, 5, 4]);
        assert_eq!(
            squeeze(&layout, &[false, true, false, false]).unwrap_err().kind(),
            ErrorKind::InvalidIndex
        );
        assert!(squeeze(&layout, &[true]).is_err());
        assert!(expand_dims(&flat, &[true, false]).is_err());
        assert!(expand_dims(&flat, &[false, false, false]).is_err());
        assert!(expand_dims(&flat, &[&[true; 15][..], &[false; 2]].concat()).is_err());
    }

    #[test]
    fn an_axis_of_one_item_in_longer_chunks_cannot_go() {
        let layout = Layout::new(&[1, 5], &[2, 3], &[2, 3], 1).unwrap();
        assert_eq!(squeeze_all(&layout).unwrap_err().kind(), ErrorKind::InvalidParam);
    }
}
