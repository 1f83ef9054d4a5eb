use super::*;
use crate::base::random::Random;
use std::collections::HashMap;

/// Where an item is: chunk, block, item of the block.
type Address = (i64, usize, i64);

/// The definition: one item at a time, nothing clever.
fn address(layout: &Layout, at: &[i64]) -> Address {
    let (mut chunk, mut block, mut item) = (0, 0, 0);
    for (dim, &i) in at.iter().enumerate() {
        let (c, b) = (layout.chunk_len(dim), layout.block_len(dim));
        let (nchunks, nblocks) = ((layout.shape()[dim] + c - 1) / c, (c + b - 1) / b);
        chunk = chunk * nchunks + i / c;
        block = block * nblocks + i % c / b;
        item = item * b + i % c % b;
    }
    (chunk, block as usize, item)
}

/// Every item of a box in row-major order.
fn items(shape: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for &n in shape {
        all = all.iter().flat_map(|at| (0..n).map(|i| [&at[..], &[i]].concat())).collect();
    }
    all
}

fn offset(at: &[i64], shape: &[i64]) -> i64 {
    at.iter().zip(shape).fold(0, |sum, (i, n)| sum * n + i)
}

fn sum(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// Checks every answer about one region against the definition.
fn check(layout: &Layout, start: &[i64], stop: &[i64]) {
    let region = Region::new(start, stop).unwrap();
    let ndim = layout.ndim();
    let shape = &region.shape()[..ndim];
    let inside = region.inside(layout.shape());
    let inside_shape = inside.shape();
    let mut want: HashMap<i64, Address> = items(&inside_shape[..ndim])
        .iter()
        .map(|at| (offset(at, shape), address(layout, &sum(at, inside.start()))))
        .collect();
    let chunks = Chunks::new(layout, &region);
    assert_eq!(chunks.is_empty(), want.is_empty());
    let blockshape: Vec<i64> = (0..ndim).map(|d| layout.block_len(d)).collect();
    let cuts = if chunks.is_empty() { None } else { Some(inside.cuts(layout).unwrap()) };
    let mut last_chunk = -1;
    for chunk in chunks.iter() {
        assert!(chunk.nchunk() > last_chunk && chunk.nchunk() < layout.nchunks());
        last_chunk = chunk.nchunk();
        let mut last_block = None;
        for n in 0..chunk.nblocks() {
            let block = chunk.touched(n);
            assert!(last_block < Some(block.nblock()) && block.nblock() < layout.nblocks());
            last_block = Some(block.nblock());
            let same = chunk.block(block.nblock()).unwrap();
            assert_eq!((same.shape(), same.in_region()), (block.shape(), block.in_region()));
            assert_eq!(block.is_whole(), block.shape() == blockshape);
            for at in items(block.shape()) {
                let item = offset(&sum(&at, block.in_block()), &blockshape);
                let to = sum(&at, block.in_region());
                let found = want.remove(&offset(&to, shape));
                assert_eq!(found, Some((chunk.nchunk(), block.nblock(), item)));
                for (dim, cuts) in cuts.iter().flat_map(|cuts| &cuts[..ndim]).enumerate() {
                    assert!(cuts.cell(block.cell()[dim]).unwrap().contains(&to[dim]));
                }
            }
        }
        let touched = (0..layout.nblocks() + 2).filter(|&n| chunk.block(n).is_some()).count();
        assert_eq!(touched, chunk.nblocks());
        let valid = items(layout.shape());
        let of_chunk = valid.iter().filter(|at| address(layout, at).0 == chunk.nchunk());
        let whole = of_chunk
            .into_iter()
            .all(|at| at.iter().zip(start.iter().zip(stop)).all(|(i, (from, to))| from <= i && i < to));
        assert_eq!(chunk.is_whole(), whole);
    }
    assert!(want.is_empty(), "items that no block copy reaches");
}

#[test]
fn agrees_with_one_item_at_a_time() {
    let mut rng = Random::new(7);
    for round in 0..600 {
        let ndim = rng.below(5);
        let largest = [40, 20, 10, 7, 4][ndim];
        let shape: Vec<i64> = (0..ndim).map(|_| rng.below_i64(largest + 1)).collect();
        let chunk: Vec<i32> = (0..ndim).map(|_| 1 + rng.below_i64(largest + 2) as i32).collect();
        let block: Vec<i32> = chunk.iter().map(|&c| 1 + rng.below_i64(i64::from(c) + 1) as i32).collect();
        let layout = Layout::new(&shape, &chunk, &block, 1).unwrap();
        // Sometimes all, sometimes beyond the end.
        let reach = |rng: &mut Random, n: i64| if round % 5 == 0 { n + 3 } else { rng.below_i64(n + 1) };
        let stop: Vec<i64> = shape.iter().map(|&n| reach(&mut rng, n)).collect();
        let start: Vec<i64> =
            stop.iter().map(|&n| if round % 7 == 0 { 0 } else { rng.below_i64(n + 1) }).collect();
        check(&layout, &start, &stop);
    }
}

#[test]
fn agrees_at_every_boundary() {
    for (chunk, block) in [(4, 2), (5, 2), (3, 3), (3, 5), (1, 1), (20, 6)] {
        let layout = Layout::new(&[11], &[chunk], &[block], 1).unwrap();
        for start in 0..=12 {
            for stop in start..=13 {
                check(&layout, &[start], &[stop]);
            }
        }
    }
}

#[test]
fn chunks_of_a_box_by_number() {
    let layout = Layout::new(&[10, 7], &[4, 3], &[2, 2], 1).unwrap();
    assert_eq!(chunks_touched(&layout, &[3, 2], &[5, 4]).unwrap(), [0, 1, 3, 4]);
    assert_eq!(chunks_touched(&layout, &[8, 6], &[99, 99]).unwrap(), [8]);
    assert!(chunks_touched(&layout, &[8, 7], &[9, 7]).unwrap().is_empty());
    assert!(chunks_touched(&layout, &[0], &[1]).is_err());
    let scalar = Layout::new(&[], &[], &[], 1).unwrap();
    assert_eq!(chunks_touched(&scalar, &[], &[]).unwrap(), [0]);
}

#[test]
fn sixteen_dimensions() {
    let mut shape = [1i64; 16];
    (shape[0], shape[7], shape[15]) = (3, 2, 5);
    let mut chunk = [1i32; 16];
    (chunk[0], chunk[15]) = (2, 3);
    let mut block = [1i32; 16];
    block[15] = 2;
    let layout = Layout::new(&shape, &chunk, &block, 1).unwrap();
    let mut start = [0; 16];
    (start[0], start[15]) = (1, 1);
    check(&layout, &start, &shape);
}

#[test]
fn the_ends_of_the_numbers() {
    let n = i64::MAX - 7;
    let layout = Layout::new(&[n], &[1000], &[1 << 30], 1).unwrap_err();
    assert_eq!(layout.kind(), crate::base::ErrorKind::InvalidParam, "padding overflows");
    let n = i64::MAX / 1000 * 1000;
    let layout = Layout::new(&[n], &[1000], &[1 << 30], 1).unwrap();
    let chunks = Chunks::new(&layout, &Region::new(&[n - 1], &[i64::MAX]).unwrap());
    assert_eq!(chunks.len(), 1);
    let chunk = chunks.get(0);
    assert_eq!((chunk.nchunk(), chunk.nblocks()), (layout.nchunks() - 1, 1));
    assert_eq!((chunk.touched(0).in_block(), chunk.touched(0).shape()), (&[999][..], &[1][..]));
    assert_eq!(Region::new(&[0, 0], &[i64::MAX; 2]).unwrap().nitems(), None);
    for (start, stop) in [(&[-1][..], &[1][..]), (&[2], &[1]), (&[0], &[1, 1]), (&[0; 17], &[1; 17])] {
        assert!(Region::new(start, stop).is_err());
    }
}

#[test]
fn numbers_and_coordinates() {
    assert_eq!(unravel(23, &[4, 3, 2])[..3], [3, 2, 1]);
    assert_eq!(unravel(5, &[])[..2], [0, 0]);
    assert_eq!(unravel(5, &[2, 0, 2])[..3], [0, 0, 1]);
    assert_eq!(ravel(&[3, 2, 1], &[6, 2, 1]), 23);
}
