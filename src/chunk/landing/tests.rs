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
    let strip =
        Strip { starts, body, first: 100, landed: 0, len: 0, zeros: true, source: (&[], 1), missing: None };
    let packed = |n: usize| PackedBlock { len: blocks[n].len(), zeros: false, left: false };
    land_on(strip, random, nthreads, most, blocks, packed)
}

fn land_on<'a>(
    mut strip: Strip<'a>,
    random: &mut Random,
    nthreads: usize,
    most: Option<usize>,
    blocks: &[Vec<u8>],
    packed: impl Fn(usize) -> PackedBlock,
) -> Option<Strip<'a>> {
    let mut landing = Landing { strip: &mut strip, parked: BTreeMap::new(), most };
    let mut taken = 0..blocks.len();
    let mut under_way: Vec<usize> = taken.by_ref().take(nthreads).collect();
    while !under_way.is_empty() {
        let n = under_way.swap_remove(random.below(under_way.len()));
        if !landing.land(n, packed(n), &blocks[n]) {
            return None;
        }
        under_way.extend(taken.next());
    }
    Some(strip)
}

/// A stream: its size, and its bytes.
fn stream(size: i32, bytes: &[u8]) -> Vec<u8> {
    [&size.to_le_bytes()[..], bytes].concat()
}

#[test]
fn blocks_that_were_left_out_are_brought_where_the_chunk_saves_something() {
    let mut random = Random::new(3);
    let mut stored = 0;
    for _ in 0..3000 {
        let blocksize = 1 + random.below(40);
        let len = 1 + random.below(20 * blocksize);
        let data = random.bytes(len);
        // Of ten blocks, so many are left out.
        let few = random.below(11);
        let whole: Vec<(Vec<u8>, bool)> = data
            .chunks(blocksize)
            .map(|block| match random.below(10) {
                n if n < few => (stream(block.len() as i32, block), true),
                n if n % 3 == 0 => (stream(-i32::from(block[0]), &[1]), false),
                _ => {
                    let len = random.below(block.len());
                    (stream(len as i32, &random.bytes(len)), false)
                }
            })
            .collect();
        let blocks: Vec<Vec<u8>> = whole.iter().map(|(bytes, _)| bytes.clone()).collect();
        let packed = |n: usize| PackedBlock { len: blocks[n].len(), zeros: false, left: whole[n].1 };
        let (mut starts, mut body) = (vec![0; 4 * blocks.len()], vec![0; blocks.len() * (blocksize + 5)]);
        let strip = Strip {
            starts: &mut starts,
            body: &mut body,
            first: 100,
            landed: 0,
            len: 0,
            zeros: true,
            source: (&data, blocksize),
            missing: Some(0),
        };
        let (nthreads, most) = (1 + random.below(4), Some(blocksize + 5));
        let mut strip = land_on(strip, &mut random, nthreads, most, &blocks, packed).unwrap();
        let saves = 4 * blocks.len() + blocks.concat().len() < data.len();
        stored += usize::from(strip.missing.is_some());
        assert!(strip.missing.is_none() || !saves, "what is missing would be brought");
        strip.complete();
        let len = strip.len;
        assert!(body[..len] == blocks.concat());
    }
    assert!((300..2700).contains(&stored), "{stored} chunks are stored in the end");
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
