//! Streams that `zlib-rs` writes, and such as no writer would, beside what it reads of them.

use super::super::tests::kinds;
use super::*;
use crate::base::random::Random;
use zlib_rs::{Deflate, DeflateConfig, DeflateFlush, InflateFlush, Status, Strategy};

/// What `zlib-rs` makes of data, without a wrapper.
fn deflated(src: &[u8], level: i32, strategy: Strategy) -> Vec<u8> {
    let config = DeflateConfig { level, strategy, window_bits: -15, ..DeflateConfig::default() };
    let mut deflate = Deflate::new_with_config(config);
    let mut dst = vec![0; 2 * src.len() + 1000];
    assert_eq!(deflate.compress(src, &mut dst, DeflateFlush::Finish).unwrap(), Status::StreamEnd);
    dst.truncate(deflate.total_out() as usize);
    dst
}

/// What `zlib-rs` reads.
fn by_library(src: &[u8], dst: &mut [u8]) -> Option<Inflated> {
    let mut inflate = zlib_rs::Inflate::new(false, 15);
    let status = inflate.decompress(src, dst, InflateFlush::Finish).ok()?;
    let (read, filled) = (inflate.total_in() as usize, inflate.total_out() as usize);
    Some(Inflated { filled, end: (status == Status::StreamEnd).then_some(read) })
}

/// Reads as every level of instructions does, which is the same.
fn read(src: &[u8], dst: &mut [u8]) -> Option<Inflated> {
    let levels = Simd::ALL.into_iter().filter(|simd| *simd <= cpu::detected());
    let mut before = None::<(Option<Inflated>, Vec<u8>)>;
    for simd in levels {
        dst.fill(0xee);
        let read = Inflate::default().read_by(simd, src, dst);
        let filled = read.map_or(0, |read| read.filled);
        if let Some((of_other, bytes)) = &before {
            assert!(
                *of_other == read && bytes[..] == dst[..filled],
                "{}: {read:?}, not {of_other:?}",
                simd.name()
            );
        }
        before = Some((read, dst[..filled].to_vec()));
    }
    before.expect("there is a level").0
}

/// Bits, the first of a byte lowest, in a stream that is written by hand.
#[derive(Default)]
struct Written {
    bytes: Vec<u8>,
    count: u32,
}

impl Written {
    /// Adds numbers, each of so many bits, the lowest first.
    fn bits(mut self, bits: &[(u32, u32)]) -> Self {
        for &(number, count) in bits {
            for bit in 0..count {
                if self.count.is_multiple_of(8) {
                    self.bytes.push(0);
                }
                *self.bytes.last_mut().unwrap() |=
                    ((number.checked_shr(bit).unwrap_or(0) & 1) << (self.count % 8)) as u8;
                self.count += 1;
            }
        }
        self
    }

    /// Begins a last block with codes of its own, of which lengths are told by codes of four bits for all of 0 to 15; so many are
    /// symbols' lengths, the others distances'.
    fn codes(self, symbols: usize, lengths: &[u8]) -> Self {
        let distances = lengths.len() - symbols;
        let told = [(0b101, 3), (symbols as u32 - 257, 5), (distances as u32 - 1, 5), (15, 4)];
        let runs = [0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4].map(|len| (len, 3));
        let lengths = lengths.iter().map(|len| (u32::from(*len).reverse_bits() >> 28, 4));
        self.bits(&told).bits(&runs).bits(&lengths.collect::<Vec<_>>())
    }

    /// Both readers agree on it, and on whether it is a stream.
    fn is(self, is_one: bool, what: &str) {
        let mut dst = [0; 300];
        let found = read(&self.bytes, &mut dst);
        assert_eq!(found.is_some_and(|read| read.end.is_some()), is_one, "{what}: {found:?}");
        let mut of_library = [0; 300];
        let library = by_library(&self.bytes, &mut of_library);
        assert_eq!(
            library.is_some_and(|read| read.end.is_some()),
            is_one,
            "{what}: {library:?} by the library"
        );
        if is_one {
            let filled = found.unwrap().filled;
            assert!(found == library && dst[..filled] == of_library[..filled], "{what}");
        }
    }
}

/// Lengths of symbols that are all 0 but some.
fn lengths(len: usize, some: &[(usize, u8)]) -> Vec<u8> {
    let mut lengths = vec![0; len];
    some.iter().for_each(|&(symbol, len)| lengths[symbol] = len);
    lengths
}

#[test]
fn what_the_library_writes_is_read() {
    let strategies = [Strategy::Default, Strategy::HuffmanOnly, Strategy::Rle, Strategy::Fixed];
    for (kind, src) in kinds::all() {
        let src = kinds::shuffled(&src[..60_000], 8);
        for level in [0, 1, 2, 5, 6, 9] {
            for strategy in strategies {
                for len in [0, 1, 10, 64, 70, 300, 1000, src.len()] {
                    let stream = deflated(&src[..len], level, strategy);
                    let mut dst = vec![0; len];
                    let found = read(&stream, &mut dst);
                    let whole = Inflated { filled: len, end: Some(stream.len()) };
                    assert!(found == Some(whole) && dst == src[..len], "{kind}, {level}, {len}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn a_beginning_is_read_as_far_as_there_is_room() {
    for (kind, src) in kinds::all() {
        for (level, strategy) in [(0, Strategy::Default), (1, Strategy::Fixed), (6, Strategy::Default)] {
            let src = &src[..3000];
            let stream = deflated(src, level, strategy);
            for room in (0..src.len()).step_by(7).chain(src.len() - 70..src.len()) {
                let mut dst = vec![0; room];
                let found = read(&stream, &mut dst);
                let full = Inflated { filled: room, end: None };
                assert!(found == Some(full) && dst == src[..room], "{kind}, {level}, {room}: {found:?}");
            }
            // What is behind the end is not looked at.
            let mut dst = vec![0; src.len() + 100];
            let more = [&stream[..], &[0xff; 50]].concat();
            let whole = Inflated { filled: src.len(), end: Some(stream.len()) };
            assert_eq!(read(&more, &mut dst), Some(whole), "{kind}, {level}");
        }
    }
}

#[test]
fn a_stream_that_is_cut_short_is_none() {
    for (kind, src) in kinds::all() {
        for (level, strategy) in [(0, Strategy::Default), (1, Strategy::Fixed), (6, Strategy::Default)] {
            let stream = deflated(&src[..2000], level, strategy);
            for len in 0..stream.len() {
                let found = read(&stream[..len], &mut vec![0; 2000]);
                // Full, when all that is missing is the end.
                assert!(found.is_none(), "{kind}, {level}, {len} bytes of {}: {found:?}", stream.len());
            }
        }
    }
}

#[test]
fn what_is_damaged_is_read_as_by_the_library() {
    let mut random = Random::new(30);
    let (mut whole, mut none) = (0, 0);
    for (kind, src) in kinds::all() {
        for turn in 0..60 {
            let len = 200 + random.below(3000);
            let strategy = if turn % 3 == 0 { Strategy::Fixed } else { Strategy::Default };
            let mut stream = deflated(&src[..len], 1 + turn % 9, strategy);
            // Most of what decides is at the front.
            for _ in 0..1 + random.below(3) {
                let at = random.below(stream.len().min(if turn % 2 == 0 { 60 } else { usize::MAX }));
                stream[at] ^= 1 << random.below(8);
            }
            let room = len + random.below(2) * 1000;
            let (mut ours, mut theirs) = (vec![0; room], vec![0; room]);
            let found = read(&stream, &mut ours).filter(|read| read.end.is_some());
            let library = by_library(&stream, &mut theirs).filter(|read| read.end.is_some());
            assert_eq!(found, library, "{kind}, {turn}");
            match found {
                Some(Inflated { filled, .. }) => {
                    assert!(ours[..filled] == theirs[..filled], "{kind}, {turn}");
                    whole += 1;
                }
                None => none += 1,
            }
        }
    }
    assert!(whole > 50 && none > 50, "{whole} were streams, {none} not");
}

#[test]
fn blocks_are_as_the_format_has_them() {
    let new = Written::default;
    let empty_fixed = [(0b011, 3), (0, 7)];
    new().bits(&empty_fixed).is(true, "an empty block of fixed codes");
    new().bits(&[(0b111, 3), (0, 29)]).is(false, "a fourth kind of block");
    new().bits(&[(0b001, 3), (0, 5), (2, 16), (0xfffd, 16), (0x4141, 16)]).is(true, "stored bytes");
    new().bits(&[(0b001, 3), (0, 5), (2, 16), (0xfffc, 16), (0x4141, 16)]).is(false, "a wrong complement");
    new().bits(&[(0b001, 3), (31, 5), (0, 16), (0xffff, 16)]).is(true, "bits that are passed over");
    // A fixed code for a length of 3 is 7 bits, of distances 5.
    let three = (0b0000001u32.reverse_bits() >> 25, 7);
    let a = ((0x30 + u32::from(b'a')).reverse_bits() >> 24, 8);
    let distance = |symbol: u32| (symbol.reverse_bits() >> 27, 5);
    new().bits(&[(0b011, 3), a, three, distance(0), (0, 7)]).is(true, "the last byte again");
    new().bits(&[(0b011, 3), a, three, distance(1), (0, 7)]).is(false, "from before the beginning");
    new().bits(&[(0b011, 3), three, distance(0), (0, 7)]).is(false, "from before the beginning, first");
    for symbol in [30, 31] {
        new()
            .bits(&[(0b011, 3), a, three, distance(symbol), (0, 20)])
            .is(false, "a distance that never occurs");
    }
    for code in [0b1100_0110u32, 0b1100_0111] {
        let code = (code.reverse_bits() >> 24, 8);
        new().bits(&[(0b011, 3), a, code, distance(0), (0, 20)]).is(false, "a length that never occurs");
    }
    new().bits(&[(0b010, 3), a, (0, 7)]).bits(&empty_fixed).is(true, "two blocks");
    new().bits(&[(0b010, 3), a, (0, 7)]).is(false, "no last block");
}

#[test]
fn codes_are_complete_or_one_is_alone() {
    let (a, b, end) = (usize::from(b'a'), usize::from(b'b'), 256);
    let of = |symbols: &[(usize, u8)], distances: &[u8]| {
        Written::default().codes(258, &[&lengths(258, symbols)[..], distances].concat())
    };
    // Codes in the order of their lengths and symbols.
    of(&[(a, 1), (end, 1)], &[0]).bits(&[(0, 1), (1, 1)]).is(true, "two codes, no distance");
    of(&[(end, 1)], &[0]).bits(&[(0, 1)]).is(true, "the end alone");
    of(&[(end, 1)], &[0]).bits(&[(1, 1)]).is(false, "what no code is");
    of(&[(end, 2)], &[0]).bits(&[(0, 2)]).is(false, "one code of two bits");
    of(&[(a, 1)], &[0]).bits(&[(0, 1), (0, 1)]).is(false, "no end");
    of(&[(a, 1), (b, 1), (end, 1)], &[0]).bits(&[(0, 9)]).is(false, "more codes than bits for them");
    of(&[(a, 2), (b, 2), (end, 2)], &[0]).bits(&[(0, 9)]).is(false, "fewer");
    let three = [(a, 2), (b, 2), (end, 2), (257, 2)];
    let (first, third) = ([(0, 2)], [(0b01, 2)]);
    let repeat = [(0b11, 2)];
    of(&three, &[1]).bits(&first).bits(&repeat).bits(&[(0, 1)]).bits(&third).is(true, "one distance");
    of(&three, &[1]).bits(&first).bits(&repeat).bits(&[(1, 1)]).bits(&third).is(false, "another distance");
    of(&three, &[0]).bits(&first).bits(&repeat).bits(&[(0, 1)]).bits(&third).is(false, "no distance to take");
    of(&three, &[0]).bits(&first).bits(&third).is(true, "no distance that were taken");
    of(&three, &[1, 1]).bits(&[(0, 2)]).bits(&repeat).bits(&[(0, 1)]).bits(&third).is(true, "two distances");
    of(&three, &[2, 2]).bits(&first).bits(&third).is(false, "two distances of two bits");
    of(&three, &[1, 1, 1]).bits(&first).bits(&third).is(false, "three distances of one bit");
}

#[test]
fn more_codes_than_there_are_symbols_are_refused() {
    let told = |symbols: u32, distances: u32| {
        let runs = [(0, 3), (0, 3), (1, 3), (1, 3)];
        Written::default()
            .bits(&[(0b101, 3), (symbols - 257, 5), (distances - 1, 5), (0, 4)])
            .bits(&runs)
            .bits(&[(0, 900)])
    };
    told(287, 1).is(false, "287 symbols");
    told(286, 31).is(false, "31 distances");
    told(286, 30).is(false, "no symbol has a code");
}

#[test]
fn runs_of_lengths_stay_within_them() {
    // Codes of runs: "again" is 0, a length of one is 10, "many" is 11.
    let runs = [(1, 3), (0, 3), (2, 3)];
    let runs = runs.into_iter().chain((3..17).map(|_| (0, 3))).chain([(2, 3), (0, 3)]).collect::<Vec<_>>();
    let head = |symbols: u32| {
        Written::default().bits(&[(0b101, 3), (symbols - 257, 5), (0, 5), (15, 4)]).bits(&runs)
    };
    let (again, one) = (|times: u32| [(0, 1), (times - 3, 2)], [(0b01, 2)]);
    let many = |times: u32| [(0b11, 2), (times - 11, 7)];
    head(257).bits(&again(3)).bits(&[(0, 99)]).is(false, "nothing to be again");
    // 256 zeros, and ones for the end and a distance.
    let front = || head(257).bits(&many(138)).bits(&many(118));
    front().bits(&one).bits(&one).bits(&[(0, 1)]).is(true, "two ones");
    front().bits(&one).bits(&again(3)).bits(&[(0, 9)]).is(false, "more than there are");
    head(257).bits(&many(138)).bits(&many(138)).bits(&[(0, 9)]).is(false, "more zeros than there are");
}

#[test]
fn the_longest_codes_are_read() {
    // Codes of 1 to 15 bits, of which the last two have 15.
    let mut symbols = (0..15).map(|i| (i * 16, i as u8 + 1)).collect::<Vec<_>>();
    symbols.push((256, 15));
    let lengths = [&lengths(257, &symbols)[..], &[0]].concat();
    let mut stream = Written::default().codes(257, &lengths);
    let mut told = Vec::new();
    for turn in 0..40 {
        for i in 0..15u32 {
            let len = if turn % 2 == 0 { i + 1 } else { 15 - i };
            // Ones, and a zero at the end, but for the last, which is the end's.
            stream = stream.bits(&[((1 << (len - 1)) - 1, len)]);
            told.push((16 * (len - 1)) as u8);
        }
    }
    let stream = stream.bits(&[((1 << 15) - 1, 15)]).bytes;
    let mut dst = vec![0; told.len()];
    assert_eq!(read(&stream, &mut dst), Some(Inflated { filled: told.len(), end: Some(stream.len()) }));
    assert_eq!(dst, told);
}
