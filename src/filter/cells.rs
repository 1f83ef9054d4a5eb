//! The cells of an n-dimensional block: small boxes, in C order, each one stored whole before the next.

use crate::base::Result;
use crate::base::params::NdShape;
use crate::fail;

/// Most dimensions that the cell filters take.
const MAX_DIM: usize = 8;

/// A block cut into cells. Its items fill the block that it was made for exactly.
pub(super) struct Cells {
    ndim: usize,
    block: [usize; MAX_DIM],
    cell: [usize; MAX_DIM],
}

/// A row of items that lie side by side both in the block and in the cell.
pub(super) struct Row {
    /// Where it starts in the block, in items.
    pub start: usize,
    /// How many items.
    pub len: usize,
    /// Whether it is the first of its cell.
    pub opens_cell: bool,
}

impl Cells {
    /// Cells of `side` items along each dimension, clipped at the block's far edges.
    ///
    /// # Errors
    /// `Failure` when the block is not one of an array (`nd`), has no or more than 8 dimensions, is not `nitems` items,
    /// or `side` is 0.
    pub fn new(nd: Option<&NdShape>, side: usize, nitems: usize) -> Result<Cells> {
        let Some(nd) = nd else {
            fail!(Failure, "the cell filters need the shape of an array's blocks, and there is none");
        };
        let ndim = nd.blockshape.len();
        if ndim == 0 || ndim > MAX_DIM || side == 0 {
            fail!(Failure, "cells of side {side} in {ndim} dimensions");
        }
        let mut block = [1; MAX_DIM];
        let mut room = nitems;
        for (extent, &given) in block.iter_mut().zip(&nd.blockshape) {
            match usize::try_from(given) {
                Ok(given) if (1..=room).contains(&given) => *extent = given,
                _ => fail!(Failure, "block shape {:?} does not fit a block of {nitems} items", nd.blockshape),
            }
            // The product of the extents so far stays at most nitems.
            room /= *extent;
        }
        let product: usize = block.iter().product();
        if product != nitems {
            fail!(Failure, "block shape {:?} is not a block of {nitems} items", nd.blockshape);
        }
        Ok(Cells { ndim, block, cell: [side; MAX_DIM] })
    }

    /// Items in a cell that is not clipped, `None` when that is more than can be counted.
    pub fn items_per_cell(&self) -> Option<usize> {
        self.cell[..self.ndim].iter().try_fold(1usize, |items, &side| items.checked_mul(side))
    }

    /// Calls `visit` for the rows of each cell in turn.
    pub fn for_each_row(&self, mut visit: impl FnMut(Row)) {
        let (block, cell) = (&self.block[..self.ndim], &self.cell[..self.ndim]);
        let mut corner = [0; MAX_DIM];
        loop {
            self.rows_of_cell(&corner, &mut visit);
            if !step(&mut corner[..self.ndim], cell, |dim| block[dim]) {
                return;
            }
        }
    }

    /// The rows of the cell whose first item is at `corner`.
    fn rows_of_cell(&self, corner: &[usize; MAX_DIM], visit: &mut impl FnMut(Row)) {
        let last = self.ndim - 1;
        let side = |dim: usize| self.cell[dim].min(self.block[dim] - corner[dim]);
        let mut inside = [0; MAX_DIM];
        let mut opens_cell = true;
        loop {
            let start = (0..self.ndim).fold(0, |at, dim| at * self.block[dim] + corner[dim] + inside[dim]);
            visit(Row { start, len: side(last), opens_cell });
            opens_cell = false;
            if !step(&mut inside[..last], &[1; MAX_DIM], side) {
                return;
            }
        }
    }
}

/// Moves `index` to the next place in C order, `stride[dim]` at a time below `end(dim)`; false after the last.
fn step(index: &mut [usize], stride: &[usize], end: impl Fn(usize) -> usize) -> bool {
    for dim in (0..index.len()).rev() {
        index[dim] += stride[dim];
        if index[dim] < end(dim) {
            return true;
        }
        index[dim] = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nd(blockshape: &[i32]) -> NdShape {
        NdShape { shape: vec![], chunkshape: vec![], blockshape: blockshape.to_vec() }
    }

    fn order(blockshape: &[i32], side: usize) -> Vec<usize> {
        let nitems = blockshape.iter().product::<i32>() as usize;
        let mut items = vec![];
        let cells = Cells::new(Some(&nd(blockshape)), side, nitems).unwrap();
        cells.for_each_row(|row| items.extend(row.start..row.start + row.len));
        items
    }

    #[test]
    fn cells_come_whole_and_clipped() {
        assert_eq!(order(&[3, 3], 2), [0, 1, 3, 4, 2, 5, 6, 7, 8]);
        assert_eq!(order(&[4], 3), [0, 1, 2, 3]);
        assert_eq!(order(&[2, 2, 2], 1), [0, 1, 2, 3, 4, 5, 6, 7]);
        let mut sorted = order(&[2, 5, 3, 4], 3);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..120).collect::<Vec<_>>());
    }

    #[test]
    fn hostile_shapes_are_refused() {
        let refused = |shape: &[i32], side, nitems| Cells::new(Some(&nd(shape)), side, nitems).is_err();
        assert!(refused(&[], 2, 1));
        assert!(refused(&[1; 9], 2, 1));
        assert!(refused(&[2, 2], 0, 4));
        assert!(refused(&[2, 0], 2, 4));
        assert!(refused(&[2, -2], 2, 4));
        assert!(refused(&[2, 3], 2, 4));
        assert!(refused(&[2, 1], 2, 4));
        assert!(refused(&[i32::MAX; 8], 2, 1));
        assert!(refused(&[65536, 65536], 2, 0));
        assert!(Cells::new(None, 2, 4).is_err());
    }
}
