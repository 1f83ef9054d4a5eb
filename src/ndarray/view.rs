//! Other views of the same chunks: axes of length 1 that come or go.
//!
//! Neither changes the order of items, blocks or chunks, so that the layout of the view and the super-chunk of the array
//! make an array. When the array's shape changes, [`View::layout`] tells the view's new one.

use super::layout::Layout;
use crate::base::Result;
use crate::base::consts::MAX_DIM;

/// Which axis of an array each axis of a view is; `None` for one of length 1 that the array does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    axes: Vec<Option<usize>>,
}

impl View {
    /// Without the axes that are marked.
    ///
    /// # Errors
    /// `InvalidIndex` when a marked axis is not of length 1; `InvalidParam` when there are fewer marks than axes.
    pub fn squeeze(layout: &Layout, axes: &[bool]) -> Result<Self> {
        let ndim = layout.ndim();
        let Some(axes) = axes.get(..ndim) else {
            crate::fail!(InvalidParam, "{} marks for {ndim} axes", axes.len());
        };
        if let Some(dim) = (0..ndim).find(|&dim| axes[dim] && layout.shape()[dim] != 1) {
            crate::fail!(InvalidIndex, "axis {dim} has {} items", layout.shape()[dim]);
        }
        Ok(View { axes: (0..ndim).filter(|&dim| !axes[dim]).map(Some).collect() })
    }

    /// Without the axes of length 1.
    pub fn squeeze_all(layout: &Layout) -> Self {
        let shape = layout.shape();
        View { axes: (0..layout.ndim()).filter(|&dim| shape[dim] != 1).map(Some).collect() }
    }

    /// With a new axis of length 1 at each marked place, and the array's axes at the others.
    ///
    /// # Errors
    /// `InvalidParam` when the places that are not marked are not as many as the axes, or all of them more than 16.
    pub fn expand_dims(layout: &Layout, places: &[bool]) -> Result<Self> {
        let kept = places.iter().filter(|new| !**new).count();
        if kept != layout.ndim() || places.len() > MAX_DIM {
            crate::fail!(InvalidParam, "{kept} of {} places for {} axes", places.len(), layout.ndim());
        }
        let mut next = 0..;
        Ok(View { axes: places.iter().map(|&new| if new { None } else { next.next() }).collect() })
    }

    /// This view of what `inner` shows, as a view of the array that `inner` is of.
    #[must_use]
    pub fn of(&self, inner: &View) -> Self {
        let through = |axis: &Option<usize>| axis.and_then(|dim| inner.axes.get(dim).copied().flatten());
        View { axes: self.axes.iter().map(through).collect() }
    }

    /// The layout of the view, for an array of this one.
    ///
    /// # Errors
    /// `InvalidParam` when the view has no axis for one of the array's that is longer than 1, in items or in its chunks.
    pub fn layout(&self, layout: &Layout) -> Result<Layout> {
        let (mut shape, mut chunkshape, mut blockshape) = (Vec::new(), Vec::new(), Vec::new());
        for axis in &self.axes {
            let (n, chunk, block) = axis.map_or((1, 1, 1), |dim| {
                (layout.shape()[dim], layout.chunkshape()[dim], layout.blockshape()[dim])
            });
            shape.push(n);
            chunkshape.push(chunk);
            blockshape.push(block);
        }
        let gone = (0..layout.ndim()).filter(|dim| !self.axes.contains(&Some(*dim)));
        for dim in gone {
            if (layout.shape()[dim], layout.chunk_len(dim)) != (1, 1) {
                let (n, chunk) = (layout.shape()[dim], layout.chunk_len(dim));
                crate::fail!(
                    InvalidParam,
                    "axis {dim} has {n} items in chunks of {chunk} and is not in the view"
                );
            }
        }
        Layout::new(&shape, &chunkshape, &blockshape, layout.typesize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;

    fn squeezed(layout: &Layout, axes: &[bool]) -> Result<Layout> {
        View::squeeze(layout, axes)?.layout(layout)
    }

    fn expanded(layout: &Layout, places: &[bool]) -> Result<Layout> {
        View::expand_dims(layout, places)?.layout(layout)
    }

    #[test]
    fn axes_of_one_come_and_go() {
        let layout = Layout::new(&[1, 5, 1, 4], &[1, 3, 1, 2], &[1, 2, 1, 2], 4).unwrap();
        let flat = View::squeeze_all(&layout).layout(&layout).unwrap();
        assert_eq!(
            (flat.shape(), flat.chunkshape(), flat.blockshape()),
            (&[5, 4][..], &[3, 2][..], &[2, 2][..])
        );
        assert_eq!((flat.nchunks(), flat.nblocks()), (layout.nchunks(), layout.nblocks()));
        assert_eq!(expanded(&flat, &[true, false, true, false]).unwrap(), layout);
        assert_eq!(squeezed(&layout, &[false, false, true, false]).unwrap().shape(), [1, 5, 4]);
        assert_eq!(
            squeezed(&layout, &[false, true, false, false]).unwrap_err().kind(),
            ErrorKind::InvalidIndex
        );
        assert!(squeezed(&layout, &[true]).is_err());
        assert!(expanded(&flat, &[true, false]).is_err());
        assert!(expanded(&flat, &[false, false, false]).is_err());
        assert!(expanded(&flat, &[&[true; 15][..], &[false; 2]].concat()).is_err());
    }

    #[test]
    fn an_axis_of_one_item_in_longer_chunks_cannot_go() {
        let layout = Layout::new(&[1, 5], &[2, 3], &[2, 3], 1).unwrap();
        let view = View::squeeze_all(&layout);
        assert_eq!(view.layout(&layout).unwrap_err().kind(), ErrorKind::InvalidParam);
    }

    #[test]
    fn views_of_views_and_of_arrays_that_grow() {
        let layout = Layout::new(&[1, 5], &[1, 3], &[1, 2], 1).unwrap();
        let flat = View::squeeze_all(&layout);
        let flat_layout = flat.layout(&layout).unwrap();
        let tall = View::expand_dims(&flat_layout, &[false, true]).unwrap().of(&flat);
        assert_eq!(tall.layout(&layout).unwrap().shape(), [5, 1]);
        assert_eq!(tall.layout(&layout.with_shape(&[1, 9]).unwrap()).unwrap().shape(), [9, 1]);
        assert!(tall.layout(&layout.with_shape(&[2, 5]).unwrap()).is_err());
    }
}
