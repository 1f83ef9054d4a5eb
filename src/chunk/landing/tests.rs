use super::*;
use crate::base::random::Random;

/// Blocks of sizes up to `most`, a few of them as large as that.
fn blocks(random: &mut Random, most: usize) -> Vec<Vec<u8>> {
    let nblocks = 1 + random.below(40);
    let len = |random: &mut Random| if random.below(4) == 0 { most } else { 4 + random.below(most - 3) };
    (0..nblocks).map(|_| (0..len(random)).map(|_| 1 + random.below(255) as u8).collect()).collect()
}

/// Lands blocks as `nthreads` threads bring them, in an order of their own; returns what the strip is then.
fn land<'a>(
    random: &mut Random,
    nthreads: usize,
    most: Option<usize>,
    blocks: &[Vec<u8>],
    (starts, body): (&'a mut [u8], &'a mut [u8]),
) -> Option<Strip<'a>> {
    let mut strip =
        Strip { starts, body, first: 100, landed: 0, len: 0, zeros: true, source: (&[], 1), missing: None };
    let mut landing = Landing { strip: &mut strip, parked: BTreeMap::new(), most };
    let mut taken = 0..blocks.len();
    let mut under_way: Vec<usize> = taken.by_ref().take(nthreads).collect();
    while !under_way.is_empty() {
        let n = under_way.swap_remove(random.below(under_way.len()));
        if !landing.land(n, PackedBlock { len: blocks[n].len(), zeros: false, left: false }, &blocks[n]) {
            return None;
        }
        under_way.extend(taken.next());
    }
    Some(strip)
}

#[test]
fn blocks_stand_in_order_however_they_come() {
    let (mut random, most) = (Random::new(1), 60);
    for _ in 0..3000 {
        let (blocks, nthreads) = (blocks(&mut random, most), 1 + random.below(6));
        let (mut starts, all) = (vec![0; 4 * blocks.len()], blocks.concat());
        // With much room, with little, and with too little.
        let room = if random.below(2) == 0 { blocks.len() * most } else { all.len() + random.below(40) };
        for (room, most) in [(room, Some(most)), (room, None), (all.len() - 1, Some(most))] {
            let mut body = vec![0; room];
            let strip = land(&mut random, nthreads, most, &blocks, (&mut starts, &mut body));
            assert_eq!(strip.is_some(), room >= all.len());
            let Some(strip) = strip else { continue };
            assert_eq!((strip.landed, strip.len), (blocks.len(), all.len()));
            assert!(body[..all.len()] == all);
            let mut at = 100;
            for (start, block) in starts.chunks(4).zip(&blocks) {
                assert_eq!(start, (at as u32).to_le_bytes());
                at += block.len();
            }
        }
    }
}

#[test]
fn what_waits_for_one_block_stands_right_behind_it() {
    let (mut random, most) = (Random::new(2), 60);
    for _ in 0..500 {
        let blocks = blocks(&mut random, most);
        let (mut starts, mut body) = (vec![0; 4 * blocks.len()], vec![0; blocks.len() * most]);
        let end = land(&mut random, 2, Some(most), &blocks, (&mut starts, &mut body)).unwrap().len;
        let last = body.iter().rposition(|&byte| byte != 0).unwrap();
        assert!(last < end + most, "{last} is far behind {end}");
    }
}
