//! `ndcell`: stores an n-dimensional block cell by cell, so that items near each other in space are near in memory.

use super::cells::Cells;
use crate::base::Result;
use crate::base::params::NdShape;
use crate::fail;

/// Stores the cells of `src` one after another in `dst`, which is as long. `meta` is a cell's side in items.
///
/// # Errors
/// `Failure` when there is no array shape, the block does not have that shape, or a cell has more items than the block.
pub fn forward(nd: Option<&NdShape>, typesize: usize, meta: u8, src: &[u8], dst: &mut [u8]) -> Result<()> {
    let cells = cells(nd, typesize, meta, src.len())?;
    let mut at = 0;
    cells.for_each_row(|row| {
        let len = row.len * typesize;
        dst[at..at + len].copy_from_slice(&src[row.start * typesize..][..len]);
        at += len;
    });
    Ok(())
}

/// Undoes [`forward`].
///
/// # Errors
/// As [`forward`].
pub fn backward(nd: Option<&NdShape>, typesize: usize, meta: u8, src: &[u8], dst: &mut [u8]) -> Result<()> {
    scatter(&cells(nd, typesize, meta, src.len())?, typesize, src, dst);
    Ok(())
}

/// Puts cells that are stored one after another where they belong.
pub(super) fn scatter(cells: &Cells, typesize: usize, src: &[u8], dst: &mut [u8]) {
    let mut at = 0;
    cells.for_each_row(|row| {
        let len = row.len * typesize;
        dst[row.start * typesize..][..len].copy_from_slice(&src[at..at + len]);
        at += len;
    });
}

fn cells(nd: Option<&NdShape>, typesize: usize, meta: u8, nbytes: usize) -> Result<Cells> {
    let nitems = whole_items(typesize, nbytes)?;
    let cells = Cells::new(nd, meta.into(), nitems)?;
    if cells.items_per_cell().is_none_or(|items| items > nitems) {
        fail!(Failure, "a cell of side {meta} has more items than the block ({nitems})");
    }
    Ok(cells)
}

/// How many items a block is.
///
/// # Errors
/// `Failure` when it is not whole items.
pub(super) fn whole_items(typesize: usize, nbytes: usize) -> Result<usize> {
    if typesize == 0 || !nbytes.is_multiple_of(typesize) {
        fail!(Failure, "a block of {nbytes} bytes is not whole items of {typesize}");
    }
    Ok(nbytes / typesize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_go_there_and_back() {
        let nd = NdShape { shape: vec![], chunkshape: vec![], blockshape: vec![3, 4] };
        let src: Vec<u8> = (0..24).collect();
        let mut there = [0; 24];
        forward(Some(&nd), 2, 2, &src, &mut there).unwrap();
        assert_eq!(
            there,
            [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]
        );
        let mut back = [0; 24];
        backward(Some(&nd), 2, 2, &there, &mut back).unwrap();
        assert_eq!(back[..], src);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let nd = NdShape { shape: vec![], chunkshape: vec![], blockshape: vec![3, 4] };
        let mut out = [0; 24];
        assert!(forward(Some(&nd), 2, 4, &[0; 24], &mut out).is_err(), "16 items in a cell");
        assert!(forward(Some(&nd), 2, 0, &[0; 24], &mut out).is_err());
        assert!(forward(Some(&nd), 4, 2, &[0; 24], &mut out).is_err());
        assert!(backward(Some(&nd), 0, 2, &[0; 24], &mut out).is_err());
        assert!(backward(None, 2, 2, &[0; 24], &mut out).is_err());
    }
}
