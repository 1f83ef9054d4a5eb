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
    blocks: &[Vec<u8>],
    (starts, body): (&'a mut [u8], &'a mut [u8]),
) -> Option<Strip<'a>> {
    let strip =
        Strip { starts, body, first: 100, landed: 0, len: 0, zeros: true, source: (&[], 1), missing: None };
    let packed = |n: usize| PackedBlock { len: blocks[n].len(), zeros: false, left: false };
    land_on(strip, random, nthreads, blocks, packed)
}

fn land_on<'a>(
    mut strip: Strip<'a>,
    random: &mut Random,
    nthreads: usize,
    blocks: &[Vec<u8>],
    packed: impl Fn(usize) -> PackedBlock,
) -> Option<Strip<'a>> {
    let mut landing = Landing { strip: &mut strip, parked: VecDeque::new() };
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
        let nthreads = 1 + random.below(4);
        let mut strip = land_on(strip, &mut random, nthreads, &blocks, packed).unwrap();
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
        for room in [room, all.len(), all.len() - 1] {
            let mut body = vec![0; room];
            let strip = land(&mut random, nthreads, &blocks, (&mut starts, &mut body));
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
fn what_waits_stands_about_where_it_is_going_to_stand() {
    let mut random = Random::new(2);
    for _ in 0..500 {
        let (nblocks, len, nthreads) = (1 + random.below(40), 64 + random.below(64), 2 + random.below(3));
        // As long as each other, but for the little by which blocks are longer than others before they are moved again.
        let blocks: Vec<Vec<u8>> = (0..nblocks).map(|_| vec![1; len + random.below(3)]).collect();
        let (mut starts, mut body) = (vec![0; 4 * nblocks], vec![0; 2 * nblocks * len]);
        let end = land(&mut random, nthreads, &blocks, (&mut starts, &mut body)).unwrap().len;
        let last = body.iter().rposition(|&byte| byte != 0).unwrap();
        let slack = nblocks * (3 + len / 32);
        assert!(last <= end + slack, "{last} is far behind {end}");
    }
}

#[test]
fn what_stands_in_the_way_is_moved_on_and_out_where_there_is_no_room() {
    for (room, there) in [(200, [100, 120]), (125, [100, usize::MAX])] {
        let (mut starts, mut body) = (vec![0; 12], vec![0; room]);
        let (starts, body) = (&mut starts[..], &mut body[..]);
        let mut strip =
            Strip { starts, body, first: 0, landed: 0, len: 0, zeros: true, source: (&[], 1), missing: None };
        let mut landing = Landing { strip: &mut strip, parked: VecDeque::new() };
        let packed = |len| PackedBlock { len, zeros: false, left: false };
        assert!(landing.land(2, packed(20), &[2; 20]) && landing.land(1, packed(20), &[1; 20]));
        landing.make_way(0, 100);
        let places = landing.parked.iter().map(|parked| match parked.place {
            Place::There(at) => at,
            Place::Apart(_) => usize::MAX,
        });
        assert_eq!(places.collect::<Vec<_>>(), there);
        let fits = landing.land(0, packed(100), &[3; 100]);
        assert_eq!(fits, room >= 140);
        if fits {
            assert!(strip.body[..140] == [&[3; 100][..], &[1; 20], &[2; 20]].concat());
        }
    }
}
