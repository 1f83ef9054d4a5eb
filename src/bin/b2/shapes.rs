//! Shapes of chunks and blocks for who does not ask for any.

use crate::compression::{Shape, parse_shape, small};
use crate::failure::Failure;

/// The shapes that are asked for.
#[derive(clap::Args)]
pub struct Cuts {
    /// Items along each dimension of a chunk; of a super-chunk, one number
    #[arg(long, value_name = "N,N...", value_parser = parse_shape)]
    pub chunks: Option<Shape>,
    /// Items along each dimension of a block
    #[arg(long, value_name = "N,N...", value_parser = parse_shape)]
    pub blocks: Option<Shape>,
}

/// Bytes of a chunk: enough for all threads to have blocks of it, and not so many that a small slice costs much.
const CHUNK: i64 = 4 << 20;
/// Bytes of a block: about what stays near a processor.
const BLOCK: i64 = 128 << 10;

/// The shapes of chunks and blocks: those asked for, and good ones for the others.
pub fn choose(shape: &[i64], itemsize: usize, cuts: &Cuts) -> Result<(Vec<i32>, Vec<i32>), Failure> {
    let (chunks, blocks) = (cuts.chunks.as_ref(), cuts.blocks.as_ref());
    for given in [chunks, blocks].into_iter().flatten() {
        if given.0.len() != shape.len() {
            let (have, want) = (given.0.len(), shape.len());
            return Err(Failure::usage(format!(
                "chunks or blocks of {have} dimensions for an array of {want}"
            )));
        }
    }
    let itemsize = itemsize.max(1) as i64;
    let ones = vec![1; shape.len()];
    let chunks = match (chunks, blocks) {
        (Some(chunks), _) => chunks.0.clone(),
        (None, Some(blocks)) => grow(&blocks.0, shape, CHUNK / itemsize),
        (None, None) => grow(&grow(&ones, shape, BLOCK / itemsize), shape, CHUNK / itemsize),
    };
    let blocks = blocks.map_or_else(|| grow(&ones, &chunks, BLOCK / itemsize), |blocks| blocks.0.clone());
    Ok((small(&Shape(chunks))?, small(&Shape(blocks))?))
}

/// A box that grows by doubling, the last axis first, as long as it has no more than `most` items and fits.
fn grow(from: &[i64], within: &[i64], most: i64) -> Vec<i64> {
    let mut shape = from.to_vec();
    loop {
        let mut grown = false;
        for dim in (0..shape.len()).rev() {
            let wider = shape[dim].saturating_mul(2).min(within[dim].max(1)).min(i64::from(i32::MAX));
            let others = (0..shape.len()).filter(|other| *other != dim).map(|other| shape[other]);
            let others = others.fold(1i64, i64::saturating_mul);
            if wider > shape[dim] && wider.saturating_mul(others) <= most {
                shape[dim] = wider;
                grown = true;
            }
        }
        if !grown {
            return shape;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_of_good_sizes() {
        let none = Cuts { chunks: None, blocks: None };
        let (chunks, blocks) = choose(&[10_000, 10_000], 4, &none).unwrap();
        assert_eq!((chunks, blocks), (vec![512, 2048], vec![128, 256]));
        assert_eq!(choose(&[3, 5], 8, &none).unwrap(), (vec![3, 5], vec![3, 5]));
        assert_eq!(choose(&[], 8, &none).unwrap(), (vec![], vec![]));
        assert_eq!(choose(&[0, 7], 8, &none).unwrap(), (vec![1, 7], vec![1, 7]));
        let asked = Cuts { chunks: Some(Shape(vec![100, 100])), blocks: None };
        assert_eq!(choose(&[500, 500], 1, &asked).unwrap().1, [100, 100]);
        assert!(choose(&[500], 1, &asked).is_err());
    }
}
