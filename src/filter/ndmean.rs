//! `ndmean`: replaces the items of each cell of an n-dimensional block with their mean. Lossy; undoing it only puts
//! the cells back in place.

use super::cells::Cells;
use super::ndcell;
use crate::base::Result;
use crate::base::params::NdShape;
use crate::fail;
use std::ops::AddAssign;

/// Fills `dst` with the means of the cells of `src`, cell by cell. `meta` is a cell's side in items.
///
/// # Errors
/// `Failure` when items are neither `f32` nor `f64`, there is no array shape, the block does not have that shape, or
/// `meta` is not in 1..=127.
pub fn forward(nd: Option<&NdShape>, typesize: usize, meta: u8, src: &[u8], dst: &mut [u8]) -> Result<()> {
    let cells = cells(nd, typesize, meta, src.len())?;
    match typesize {
        4 => means(&cells, src, dst, f32::from_le_bytes, |sum, n| (sum / n as f32).to_le_bytes()),
        8 => means(&cells, src, dst, f64::from_le_bytes, |sum, n| (sum / n as f64).to_le_bytes()),
        _ => fail!(Failure, "ndmean takes items of 4 or 8 bytes, not {typesize}"),
    }
    Ok(())
}

/// Puts the cells back where they belong.
///
/// # Errors
/// `Failure` when there is no array shape, the block does not have that shape, or `meta` is not in 1..=127.
pub fn backward(nd: Option<&NdShape>, typesize: usize, meta: u8, src: &[u8], dst: &mut [u8]) -> Result<()> {
    ndcell::scatter(&cells(nd, typesize, meta, src.len())?, typesize, src, dst);
    Ok(())
}

fn cells(nd: Option<&NdShape>, typesize: usize, meta: u8, nbytes: usize) -> Result<Cells> {
    if !(1..=127).contains(&meta) {
        fail!(Failure, "cells of side {meta}");
    }
    Cells::new(nd, meta.into(), ndcell::whole_items(typesize, nbytes)?)
}

/// Writes what `mean` makes of each cell's sum, once per item. Items are added one by one in the order of the cell:
/// floating-point sums depend on it.
fn means<const T: usize, F: Copy + Default + AddAssign>(
    cells: &Cells,
    src: &[u8],
    dst: &mut [u8],
    item: impl Fn([u8; T]) -> F,
    mean: impl Fn(F, usize) -> [u8; T],
) {
    let src = src.as_chunks::<T>().0;
    let mut out = dst.as_chunks_mut::<T>().0.iter_mut();
    let mut flush = |sum: F, n: usize| {
        let mean = mean(sum, n);
        out.by_ref().take(n).for_each(|item| *item = mean);
    };
    let (mut sum, mut n) = (F::default(), 0);
    cells.for_each_row(|row| {
        if row.opens_cell && n > 0 {
            flush(sum, n);
            (sum, n) = (F::default(), 0);
        }
        for &bytes in &src[row.start..row.start + row.len] {
            sum += item(bytes);
        }
        n += row.len;
    });
    if n > 0 {
        flush(sum, n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nd(blockshape: &[i32]) -> NdShape {
        NdShape { shape: vec![], chunkshape: vec![], blockshape: blockshape.to_vec() }
    }

    #[test]
    fn every_item_becomes_its_cells_mean() {
        let src: Vec<u8> = (0..6).flat_map(|i| (i as f32).to_le_bytes()).collect();
        let mut there = [0; 24];
        forward(Some(&nd(&[2, 3])), 4, 2, &src, &mut there).unwrap();
        let mut back = [0; 24];
        backward(Some(&nd(&[2, 3])), 4, 2, &there, &mut back).unwrap();
        let values: Vec<f32> = back.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        assert_eq!(values, [2.0, 2.0, 3.5, 2.0, 2.0, 3.5]);
    }

    #[test]
    fn a_cell_may_be_larger_than_the_block() {
        let src: Vec<u8> = (0..4).flat_map(|i| (i as f64).to_le_bytes()).collect();
        let mut there = [0; 32];
        forward(Some(&nd(&[2, 2])), 8, 127, &src, &mut there).unwrap();
        assert!(there.as_chunks::<8>().0.iter().all(|b| f64::from_le_bytes(*b) == 1.5));
    }

    #[test]
    fn other_types_and_sides_are_refused() {
        let mut out = [0; 8];
        assert!(forward(Some(&nd(&[4])), 2, 2, &[0; 8], &mut out).is_err());
        assert!(forward(Some(&nd(&[2])), 4, 0, &[0; 8], &mut out).is_err());
        assert!(forward(Some(&nd(&[2])), 4, 128, &[0; 8], &mut out).is_err());
        assert!(backward(Some(&nd(&[3])), 4, 2, &[0; 8], &mut out).is_err());
    }
}
