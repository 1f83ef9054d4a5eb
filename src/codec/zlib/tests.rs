//! Streams made of sections, beside those that the library makes, for all levels.

use super::*;
use crate::base::random::Random;
use crate::codec::sections::tests::{mixtures, text, uneven};

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
fn what_is_repeated_across_noise_is_no_longer() {
    let mut random = Random::new(5);
    let (noise, text) = (random.bytes(8192), text(&mut random, 8192));
    let again = [&text[..], &noise, &text].concat();
    for clevel in 1..=9 {
        let len = there_and_back(&mut State::default(), clevel, &again).unwrap().len();
        assert!(len <= in_one(clevel, &again) + 16, "level {clevel}: {len}");
    }
}

#[test]
fn streams_of_sections_come_back_and_are_as_small() {
    let mut state = State::default();
    for (turn, src) in mixtures(6).enumerate() {
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

#[test]
fn a_wrapper_that_is_not_whole_is_refused() {
    let mut state = State::default();
    let src = text(&mut Random::new(10), 5000);
    let stream = there_and_back(&mut state, 5, &src).unwrap();
    let mut dst = vec![0; src.len()];
    // The beginning alone is read without the checksum, which is at the end.
    for at in [0, 1, stream.len() - 4, stream.len() - 3, stream.len() - 2, stream.len() - 1] {
        for bit in 0..8 {
            let mut damaged = stream.clone();
            damaged[at] ^= 1 << bit;
            assert!(state.decompress(&damaged, &mut dst).is_err(), "bit {bit} of byte {at}");
            assert_eq!(state.decompress_prefix(&damaged, &mut dst[..100]).is_err(), at < 2);
        }
    }
    for len in (0..10).chain(stream.len() - 6..stream.len()) {
        assert!(state.decompress(&stream[..len], &mut dst).is_err(), "{len} bytes");
    }
    // A dictionary is asked for by a header that is right otherwise.
    let asks = [&[0x78, 0xbb][..], &stream[2..]].concat();
    assert!(state.decompress(&asks, &mut dst).is_err());
    // A smaller window, which others may write.
    let smaller = [&[0x58, 0x85][..], &stream[2..]].concat();
    assert_eq!(state.decompress(&smaller, &mut dst).unwrap(), src.len());
    assert!(dst == src);
}
