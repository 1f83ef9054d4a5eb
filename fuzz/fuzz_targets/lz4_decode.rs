//! Any bytes as an LZ4 stream: the kernels give what a slow decoder gives that is plainly right.
#![no_main]

use blosc2::base::cpu::{self, Simd};
use blosc2::codec::lz4::Pairs;
use blosc2::codec::{self, LZ4, MadeOf, State, StreamParams};
use libfuzzer_sys::fuzz_target;

/// What a reader may see behind a stream and change behind its place.
const LENT: usize = 64;

/// The stream's bytes, one at a time; `None` where it makes no sense or has more than `room`.
fn slow(src: &[u8], room: usize) -> Option<Vec<u8>> {
    let mut input = src.iter().map(|&byte| usize::from(byte));
    let mut out = Vec::new();
    loop {
        let token = input.next()?;
        for _ in 0..length(&mut input, token >> 4)? {
            out.push(input.next()? as u8);
        }
        if out.len() > room {
            return None;
        }
        if input.len() == 0 {
            return Some(out);
        }
        let distance = input.next()? | input.next()? << 8;
        let len = length(&mut input, token & 15)? + 4;
        // What must be behind a match: a token and five literals, twelve bytes where it begins.
        let left = room - out.len();
        if distance == 0 || distance > out.len() || left < 12 || left < len + 5 || input.len() <= 5 {
            return None;
        }
        for _ in 0..len {
            out.push(out[out.len() - distance]);
        }
    }
}

fn length(input: &mut impl Iterator<Item = usize>, bits: usize) -> Option<usize> {
    let mut len = bits;
    let mut more = if bits == 15 { 255 } else { 0 };
    while more == 255 {
        more = input.next()?;
        len += more;
    }
    Some(len)
}

/// The stream, read twice at a time, to places of `len` bytes that it has to fill.
fn in_pairs(src: &[u8], len: usize) -> Option<Vec<u8>> {
    let p = StreamParams { codec: LZ4, typesize: 8, made_of: MadeOf::Planes, ..StreamParams::default() };
    // Only one of them has something behind it.
    let lent = [src, &[0x55; LENT]].concat();
    let (mut first, mut second) = (vec![0xee; len + LENT], vec![0xee; len]);
    let mut pairs = Pairs::new(&p);
    pairs.add((&lent, src.len()), (&mut first, len)).ok()?;
    pairs.add((src, src.len()), (&mut second, len)).ok()?;
    pairs.finish().ok()?;
    first.truncate(len);
    assert!(first == second);
    Some(first)
}

fuzz_target!(|input: (u16, &[u8])| {
    if cpu::simd() == Simd::Scalar {
        // Then there is no kernel, and liblz4 reads.
        return;
    }
    // Mostly little room: the slow decoder is slow.
    let (room, src) = (usize::from(input.0 & 0x3fff) >> (2 * (input.0 >> 14)), input.1);
    let theirs = slow(src, room);
    for len in [room, theirs.as_ref().map_or(0, Vec::len)] {
        assert_eq!(in_pairs(src, len), slow(src, len).filter(|held| held.len() == len));
    }
    let (mut st, mut dst) = (State::default(), vec![0; room + LENT]);
    let p = StreamParams { codec: LZ4, typesize: 8, ..StreamParams::default() };
    for p in MadeOf::ALL.map(|made_of| StreamParams { made_of, ..p }) {
        let ours = codec::decompress(&p, &mut st, src, &mut dst[..room]).ok();
        assert_eq!(ours, theirs.as_ref().map(Vec::len));
        let lent = [src, &[0x55; LENT]].concat();
        let by_lent = codec::decompress_lent(&p, &mut st, (&lent, src.len()), (&mut dst, room)).ok();
        assert_eq!(ours, by_lent);
        if let Some(theirs) = &theirs {
            assert!(dst.starts_with(theirs));
            codec::decompress(&p, &mut st, src, &mut dst[..room]).expect("as before");
            assert!(dst.starts_with(theirs));
            let enough = theirs.len() * 2 / 3;
            dst.fill(0xee);
            codec::decompress_front(&p, &mut st, src, &mut dst[..room], enough).expect("has a front");
            assert!(dst[..enough] == theirs[..enough]);
        }
    }
});
