//! Sections and the streams made of them, for all levels.

use super::*;
use crate::base::random::Random;
use crate::codec::sections::Section;

const NOISE: Kind = Kind::Stored;

/// Bytes by chance, but some more often than others.
fn uneven(random: &mut Random, len: usize) -> Vec<u8> {
    (0..len).map(|_| (random.below(256) * random.below(256) / 256) as u8).collect()
}

/// Words out of a few.
fn text(random: &mut Random, len: usize) -> Vec<u8> {
    let words = random.bytes(3000);
    let mut text = Vec::new();
    while text.len() < len {
        text.extend_from_slice(&words[random.below(words.len() - 30)..][..9 + random.below(20)]);
    }
    text.truncate(len);
    text
}

fn sections(clevel: u8, src: &[u8]) -> Vec<Section> {
    Sections::default().of(ability(clevel), src).to_vec()
}

fn kinds(clevel: u8, src: &[u8]) -> Vec<Kind> {
    sections(clevel, src).into_iter().map(|section| section.kind).collect()
}

/// The stream of `src`, which has come back from it; `None` when it has not shrunk.
fn there_and_back(state: &mut State, clevel: u8, src: &[u8]) -> Option<Vec<u8>> {
    let mut dst = vec![0; src.len()];
    let len = state.compress(clevel, src, &mut dst).unwrap();
    dst.truncate(len);
    let mut back = vec![1; src.len()];
    (len > 0).then(|| {
        assert_eq!(state.decompress(&dst, &mut back).unwrap(), src.len());
        assert!(back == src, "level {clevel}, {} bytes", src.len());
        dst
    })
}

/// What the library makes of it by itself.
fn in_one(clevel: u8, src: &[u8]) -> usize {
    let mut dst = vec![0; 2 * src.len() + 100];
    let mut deflate = Deflate::new(i32::from(clevel), true, WINDOW_BITS);
    deflate.compress(src, &mut dst, zlib_rs::DeflateFlush::Finish).unwrap();
    deflate.total_out() as usize
}

#[test]
fn sections_are_told_by_what_stands_in_them() {
    let mut random = Random::new(3);
    let (noise, uneven, text) =
        (random.bytes(20_480), uneven(&mut random, 20_480), text(&mut random, 20_480));
    for clevel in 1..=9 {
        let codes = if (2..9).contains(&clevel) { Kind::Codes } else { Kind::Matches };
        assert_eq!(kinds(clevel, &noise), [NOISE]);
        assert_eq!(kinds(clevel, &uneven), [codes]);
        assert_eq!(kinds(clevel, &text), [Kind::Matches]);
        let all = [&text[..], &noise, &uneven, &text[..100]].concat();
        let expected = [
            Section { kind: Kind::Matches, end: 20_480 },
            Section { kind: NOISE, end: 40_960 },
            Section { kind: codes, end: all.len() },
        ];
        assert_eq!(sections(clevel, &all), expected);
        // Too few codes for tables of their own.
        let few = [&text[..], &uneven[..4096], &text[..8192]].concat();
        assert_eq!(kinds(clevel, &few), [Kind::Matches]);
    }
}

#[test]
fn repetitions_are_no_noise() {
    let mut random = Random::new(4);
    let (noise, text) = (random.bytes(32_768), text(&mut random, 12_288));
    for clevel in 1..=9 {
        // As far back as a match reaches, and further.
        let near = [&noise[..], &noise[..8192]].concat();
        assert_eq!(kinds(clevel, &near), [NOISE, Kind::Continued]);
        let far = [&noise[..], &text, &noise].concat();
        assert_eq!(kinds(clevel, &far), [NOISE, Kind::Matches, NOISE]);
        // Of what was not looked at closely when it came by.
        let of_text = [&[7; 4096], &noise[..8192], &[7; 4096], &noise[1001..9193]].concat();
        assert_eq!(kinds(clevel, &of_text).last(), Some(&Kind::Continued));
    }
}

#[test]
fn what_is_repeated_across_noise_is_told() {
    let mut random = Random::new(5);
    let (noise, text) = (random.bytes(40_960), text(&mut random, 8192));
    let mut state = State::default();
    for clevel in 1..=9 {
        let again = [&text[..], &noise[..8192], &text].concat();
        assert_eq!(kinds(clevel, &again), [Kind::Matches, NOISE, Kind::Continued]);
        let len = there_and_back(&mut state, clevel, &again).unwrap().len();
        assert!(len <= in_one(clevel, &again) + 16, "level {clevel}: {len}");
        let too_far = [&text[..], &noise, &text].concat();
        assert_eq!(kinds(clevel, &too_far), [Kind::Matches, NOISE, Kind::Matches]);
    }
}

#[test]
fn streams_of_sections_come_back_and_are_as_small() {
    let mut random = Random::new(6);
    let mut state = State::default();
    for turn in 0..60 {
        let mut src = Vec::new();
        for _ in 0..1 + random.below(6) {
            let len = random.below(if turn % 10 == 0 { 150_000 } else { 30_000 });
            match random.below(4) {
                0 => src.extend(random.bytes(len)),
                1 => src.extend(uneven(&mut random, len)),
                2 => src.extend(text(&mut random, len)),
                _ => {
                    let from = random.below(src.len());
                    src.extend_from_within(from..(from + len).min(src.len()));
                }
            }
        }
        for clevel in [1, 2, 5, 9] {
            let len = there_and_back(&mut state, clevel, &src).map_or(src.len(), |stream| stream.len());
            let one = in_one(clevel, &src).min(src.len());
            assert!(len <= one + one / 100 + 50, "turn {turn}, level {clevel}: {len}, not {one}");
        }
    }
}

#[test]
fn what_does_not_fit_is_said() {
    let mut random = Random::new(8);
    let (noise, text) = (random.bytes(70_000), text(&mut random, 12_288));
    let uneven = uneven(&mut random, 12_288);
    let mut state = State::default();
    for src in [[&text[..], &noise, &uneven].concat(), [&uneven[..], &text, &noise].concat()] {
        let full = there_and_back(&mut state, 5, &src).unwrap();
        for room in (0..full.len()).step_by(97).chain(full.len() - 40..full.len()) {
            let mut dst = vec![0; room];
            assert_eq!(state.compress(5, &src, &mut dst).unwrap(), 0, "{room} of {}", full.len());
        }
        let mut dst = vec![0; full.len() + 1];
        assert_eq!(state.compress(5, &src, &mut dst).unwrap(), full.len());
    }
}

#[test]
fn the_wrapper_is_as_the_library_writes_it() {
    let src = text(&mut Random::new(9), 5000);
    for clevel in 1..=9 {
        let mut dst = vec![0; src.len()];
        let mut deflate = Deflate::new(i32::from(clevel), true, WINDOW_BITS);
        deflate.compress(&src, &mut dst, zlib_rs::DeflateFlush::Finish).unwrap();
        dst.truncate(deflate.total_out() as usize);
        assert_eq!(there_and_back(&mut State::default(), clevel, &src), Some(dst));
    }
}
