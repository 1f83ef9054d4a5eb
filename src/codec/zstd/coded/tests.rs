//! What is read here is read as libzstd does, and what it refuses is not read.

use super::super::State;
use super::super::tests::{at, by, by_library, mutate};
use super::*;
use crate::base::random::Random;

fn here(stream: &[u8], len: usize) -> Option<Vec<u8>> {
    by(read, stream, len)
}

/// Bytes of so many sorts, some more often than others: each of them in so many more of all dice's throws.
fn chance(random: &mut Random, len: usize, sorts: usize, dice: usize) -> Vec<u8> {
    let first = random.below(257 - sorts);
    (0..len).map(|_| (first + (0..dice).map(|_| random.below(sorts)).sum::<usize>() / dice) as u8).collect()
}

/// Few of one sort, and more of each that follows: codes of all lengths.
fn skewed(random: &mut Random, len: usize) -> Vec<u8> {
    (0..len).map(|_| 40 + (random.next() | 1 << 60).trailing_zeros() as u8).collect()
}

/// The frame that libzstd writes, by codes alone where `codes` says so.
fn frame(state: &mut State, level: i32, codes: bool, src: &[u8]) -> Vec<u8> {
    let mut stream = vec![0; 2 * src.len() + 500];
    let written = if codes {
        state.shrink_to_codes(src, &mut stream)
    } else {
        state.search(level, None, src, &mut stream)
    };
    stream.truncate(written.unwrap());
    stream
}

/// A source of some length, mostly short.
fn source(random: &mut Random, turn: usize) -> Vec<u8> {
    let len = match turn % 8 {
        0 => 20 + random.below(MOST + 4000),
        1 => 20 + random.below(8000),
        _ => 20 + random.below(1200),
    };
    match turn % 5 {
        0 => skewed(random, len),
        1 => chance(random, len, 2, 1),
        2 => chance(random, len, 256, 6),
        _ => {
            let sorts = 2 + random.below(255);
            chance(random, len, sorts, 1 + turn % 4)
        }
    }
}

#[test]
fn what_libzstd_writes_is_read_as_it_does_or_left_to_it() {
    let (mut random, mut state) = (Random::new(1), State::default());
    let [mut one, mut four] = [0; 2];
    for turn in 0..4000 {
        let src = source(&mut random, turn);
        let level = [1, 3, 9, 13, 19, -5][turn % 6];
        let stream = frame(&mut state, level, turn % 3 > 0, &src);
        let read = here(&stream, src.len() + random.below(40));
        assert_eq!(here(&stream, src.len() - 1), None);
        if let Some(read) = read {
            assert!(read == src, "{turn}");
            assert!(src.len() <= MOST);
            *if src.len() < 256 { &mut one } else { &mut four } += 1;
        }
    }
    assert!(one > 200 && four > 1500, "{one} {four}");
}

#[test]
fn all_frames_of_codes_are_read() {
    let (mut random, mut state) = (Random::new(2), State::default());
    for turn in 0..600 {
        let len = [100, 255, 256, 257, 300, 1023, 1024, 5000, MOST - 3, MOST - 2, MOST - 1, MOST][turn % 12];
        let src = if len > FEW {
            chance(&mut random, len, 110, 1 + turn % 2)
        } else {
            chance(&mut random, len, 20, 2 + turn % 5)
        };
        let stream = frame(&mut state, 1, true, &src);
        assert_eq!(stream[4 + 1 + usize::from(len > 255) + 1 + 3] & 3, 2, "no codes");
        assert!(here(&stream, len) == Some(src), "{turn}: {len}");
        let mut dst = vec![0; len];
        assert_eq!(state.decompress(None, &stream, &mut dst).unwrap(), len);
    }
}

#[test]
fn longer_ones_short_codes_and_matches_are_left_to_libzstd() {
    let (mut random, mut state) = (Random::new(3), State::default());
    let src = chance(&mut random, MOST + 1, 50, 2);
    assert_eq!(here(&frame(&mut state, 1, true, &src), MOST + 1), None);
    let short_codes = chance(&mut random, FEW + 1, 5, 1);
    assert_eq!(here(&frame(&mut state, 1, true, &short_codes), FEW + 1), None);
    assert!(here(&frame(&mut state, 1, true, &short_codes[1..]), FEW).is_some());
    let twice = src[..500].repeat(2);
    assert_eq!(here(&frame(&mut state, 9, false, &twice), 1000), None);
    // Blosc's way to libzstd for these.
    let mut stream = vec![0; 1000];
    let len = state.compress(&at(5), &twice, &mut stream).unwrap();
    let mut dst = vec![0; 1000];
    assert_eq!(state.decompress(None, &stream[..len], &mut dst).unwrap(), 1000);
    assert!(dst == twice);
}

#[test]
fn what_libzstd_refuses_is_not_read() {
    let (mut random, mut state) = (Random::new(4), State::default());
    let [mut read, mut refused] = [0; 2];
    for turn in 0..3000 {
        let len = if turn % 4 == 0 { 64 + random.below(3000) } else { 64 + random.below(500) };
        let sorts = 2 + random.below(150);
        let src = if turn % 7 == 0 {
            skewed(&mut random, len)
        } else {
            chance(&mut random, len, sorts, 1 + turn % 3)
        };
        let stream = frame(&mut state, 1, true, &src);
        for _ in 0..20 {
            let mut stream = stream.clone();
            // Most of all, where codes are described.
            let part = 6 + random.below(80).min(stream.len() - 6);
            let mut end = stream.split_off(if turn % 2 == 0 { part } else { stream.len() });
            mutate(&mut random, &mut stream);
            stream.append(&mut end);
            let expected = by_library(&stream, len + 50);
            match here(&stream, len + 50) {
                Some(bytes) => {
                    read += 1;
                    assert!(Some(bytes) == expected, "{turn}: {stream:?}");
                }
                None => refused += 1,
            }
        }
    }
    assert!(read > 1000 && refused > 20_000, "{read} {refused}");
}

#[test]
fn every_shorter_frame_and_every_longer_one_is_none() {
    let (mut random, mut state) = (Random::new(5), State::default());
    for len in [90, 300, 700] {
        let src = chance(&mut random, len, 20, 3);
        let stream = frame(&mut state, 1, true, &src);
        assert!(here(&stream, len) == Some(src));
        for end in 0..stream.len() {
            assert_eq!(here(&stream[..end], len), None, "{end}");
        }
        for more in [0, 1, 0x28] {
            assert_eq!(here(&[&stream[..], &[more]].concat(), len), None);
        }
    }
}

/// A frame of literals with such a description, four streams of one byte's worth each, and so many symbols in all.
fn framed(description: &[u8], codes: &[u8], count: usize) -> Vec<u8> {
    let coded = description.len() + codes.len();
    let header = (2 | count << 4 | coded << 14) as u32;
    let block = [&header.to_le_bytes()[..3], description, codes, &[0]].concat();
    let block_header = (5 | block.len() << 3) as u32;
    [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, count as u8], &block_header.to_le_bytes()[..3], &block].concat()
}

#[test]
fn weights_in_half_bytes_are_those_of_the_format() {
    // RFC 8878, 4.2.1: weights 4, 3, 2, 0, 1 for 0 to 4, and then 1, for codes of 1, 2, 3, 4 and 4 bits.
    let description = [127 + 5, 0x43, 0x20, 0x10];
    let codes = ["1", "01", "001", "", "0000", "0001"];
    let symbols: Vec<u8> = (0..60).map(|at| [0, 1, 0, 2, 0, 4, 5, 1][at % 8]).collect();
    let text: String = symbols.iter().map(|&symbol| codes[usize::from(symbol)]).collect();
    // The first bit is the highest of the last byte, behind a one.
    let text = format!("1{text}");
    let bits: Vec<u8> = text.bytes().map(|bit| bit - b'0').rev().collect();
    let bytes: Vec<u8> =
        bits.chunks(8).map(|byte| byte.iter().rev().fold(0, |all, bit| all << 1 | bit)).collect();
    let stream = framed(&description, &bytes, symbols.len());
    assert_eq!(by_library(&stream, symbols.len()), Some(symbols.clone()));
    assert_eq!(here(&stream, symbols.len()), Some(symbols.clone()));
    // One symbol more or less than there are bits for.
    for count in [59, 61] {
        assert_eq!(here(&framed(&description, &bytes, count), 80), None);
    }
}

#[test]
fn weights_that_make_no_codes_are_none() {
    for (weights, longest) in [
        (&[0x11][..], None),          // 1, 1, and no power of two is missing: 2 is, by a 2
        (&[0xc0][..], None),          // too high
        (&[0x00][..], None),          // none
        (&[0x22][..], None),          // no codes of the most bits
        (&[0x21, 0x10][..], Some(3)), // 2, 1, 1, 0, and a 3
    ] {
        let count = 2 * weights.len();
        let src = [&[127 + count as u8], weights, &[0; 8]].concat();
        let read = Lengths::read(&src, 0, &mut Sorted::new());
        let expected = if weights == [0x11] { Some(2) } else { longest };
        assert_eq!(read.map(|(lengths, _)| lengths.longest), expected, "{weights:?}");
    }
}

#[test]
fn a_table_is_what_codes_say() {
    let mut random = Random::new(7);
    let mut state = State::default();
    for turn in 0..200 {
        let sorts = 2 + random.below(254);
        let src = if turn % 4 == 0 {
            skewed(&mut random, 5000)
        } else {
            chance(&mut random, 2000, sorts, 1 + turn % 3)
        };
        let stream = frame(&mut state, 1, true, &src);
        let Some((literals, _)) = Literals::of(&stream) else { continue };
        let mut sorted = Sorted::new();
        let (lengths, _) = Lengths::read(literals.src, literals.from, &mut sorted).unwrap();
        let table = Table::<LONG>::new(&lengths, &sorted);
        // The longest codes first, each behind the one before.
        let mut at = 0;
        for (weight, (&count, symbols)) in
            lengths.counts.iter().zip(&sorted.of).enumerate().take(1 + lengths.longest as usize).skip(1)
        {
            let symbols = &symbols[..usize::from(count)];
            assert!(symbols.is_sorted());
            for &symbol in symbols {
                let bits = lengths.longest + 1 - weight as u32;
                for _ in 0..LONG >> bits {
                    assert_eq!(table.entry(at << (64 - LONG.ilog2())), (symbol, bits));
                    at += 1;
                }
            }
        }
        assert_eq!(at, LONG as u64);
    }
}
