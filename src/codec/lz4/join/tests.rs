//! Streams that were joined, read by liblz4.

use super::super::{High, State, decompress_by_library};
use super::*;
use crate::base::random::Random;
use crate::codec::StreamParams;
use crate::codec::sections::tests::{mixtures, text};

/// Parameters of a level at which liblz4 writes all.
fn at(clevel: u8) -> StreamParams<'static> {
    StreamParams { clevel, ..StreamParams::default() }
}

/// What liblz4 reads.
fn read(stream: &[u8], len: usize) -> Vec<u8> {
    let mut back = vec![1; len];
    assert_eq!(decompress_by_library(stream, &mut back), Some(len));
    back
}

#[test]
fn literals_between_sections_have_any_length() {
    let mut random = Random::new(11);
    let mut high = High::new().unwrap();
    for between in (0..600).chain([4095, 66_000]) {
        // Sections that begin and end with literals, or next to none, and one that is nothing else.
        let ends = [random.below(40), random.below(700), 5 + random.below(300)];
        let text = text(&mut random, 400);
        let section = |ends: [usize; 2], random: &mut Random| {
            [&random.bytes(ends[0])[..], &[9; 30], &text, &random.bytes(ends[1])].concat()
        };
        let first = section([ends[0], ends[1]], &mut random);
        let second = section([ends[1], ends[2]], &mut random);
        let third = random.bytes(100);
        let src = [&first[..], &random.bytes(between), &second, &third, &text, &[9; 30], &text].concat();
        let begin = first.len() + between;
        let last = src.len() - 2 * text.len() - 30;
        let sections =
            [0..first.len(), begin..begin + second.len(), last - third.len()..last, last..src.len()];

        let mut dst = vec![0; src.len() + 1000];
        let mut joined = Joined::begin(&src, &mut dst);
        for section in sections {
            let room = joined.room(section.start).unwrap();
            let len = high.compress(9, &src[section.clone()], room).unwrap();
            joined.join(section, len).unwrap();
        }
        let len = joined.end().unwrap();
        assert!(read(&dst[..len], src.len()) == src, "{between} between");
        assert!(len < src.len());
    }
}

#[test]
fn streams_of_sections_come_back_and_are_as_small() {
    let (mut state, mut high) = (State::default(), High::new().unwrap());
    for (turn, src) in mixtures(12).enumerate() {
        for clevel in [6, 9] {
            let mut dst = vec![0; src.len()];
            let len = state.compress_hc(&at(clevel), &src, &mut dst).unwrap();
            assert!(len == 0 || read(&dst[..len], src.len()) == src, "turn {turn}, level {clevel}");
            let mut one = vec![0; src.len()];
            let one = high.compress(clevel, &src, &mut one).unwrap();
            if one > 0 && one + one / 100 + 50 < src.len() {
                assert!(
                    len > 0 && len <= one + one / 100 + 50,
                    "turn {turn}, level {clevel}: {len}, not {one}"
                );
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_said() {
    let mut random = Random::new(13);
    let (noise, text) = (random.bytes(70_000), text(&mut random, 20_000));
    let mut state = State::default();
    for src in [[&text[..], &noise, &text].concat(), [&noise[..], &text, &noise].concat()] {
        let mut dst = vec![0; src.len()];
        let len = state.compress_hc(&at(7), &src, &mut dst).unwrap();
        let full = dst[..len].to_vec();
        assert!(len > 0 && read(&full, src.len()) == src);
        for room in (0..len).step_by(197).chain(len - 40..len) {
            assert_eq!(state.compress_hc(&at(7), &src, &mut dst[..room]).unwrap(), 0, "{room} of {len}");
        }
        let mut dst = vec![0; len + 16];
        assert_eq!(state.compress_hc(&at(7), &src, &mut dst).unwrap(), len);
        assert!(dst[..len] == full);
    }
}

#[test]
fn what_is_no_stream_is_not_joined() {
    let src = [0; 200];
    for stream in [&[][..], &[0xf0, 255], &[0x10], &[0x0f, 1, 0], &[0x14, 7, 1], &[0x14, 7, 1, 0]] {
        let mut dst = vec![0; 200];
        let mut joined = Joined::begin(&src, &mut dst);
        joined.room(0).unwrap()[..stream.len()].copy_from_slice(stream);
        assert!(joined.join(0..100, stream.len()).is_none(), "{stream:?}");
    }
}
