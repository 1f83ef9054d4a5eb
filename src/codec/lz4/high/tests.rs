//! Streams of the middle levels, read and measured by liblz4.

use super::*;
use crate::base::random::Random;
use crate::codec::lz4::tests::data;
use crate::codec::lz4::{High, decompress_by_library};
use crate::codec::sections::tests::{mixtures, text, versions};

const LEVELS: [u8; 3] = [3, 4, 5];

/// The stream of `src`, in as much room as it may take; none when it does not fit that.
fn written(clevel: u8, src: &[u8], room: usize) -> Option<Vec<u8>> {
    let mut dst = vec![0xc5; room + 50];
    let (place, canary) = dst.split_at_mut(room);
    let len = Writer::default().compress(clevel, &mut Sections::default(), src, place);
    assert!(canary.iter().all(|&byte| byte == 0xc5));
    dst.truncate(len?);
    Some(dst)
}

fn assert_reads(stream: &[u8], src: &[u8]) {
    let mut back = vec![1; src.len()];
    assert_eq!(decompress_by_library(stream, &mut back), Some(src.len()));
    assert!(back == src);
}

/// As much as any stream takes.
fn bound(len: usize) -> usize {
    len + len / 255 + 16
}

/// How long liblz4's stream is.
fn by_library(clevel: u8, src: &[u8]) -> usize {
    High::new().unwrap().compress(clevel, src, &mut vec![0; bound(src.len())]).unwrap()
}

#[test]
fn streams_of_all_lengths_come_back() {
    let mut random = Random::new(1);
    for len in (0..300).chain([1000, 4096, 65_535, 65_536, 65_537, 131_072, 200_000]) {
        for kinds in [1, 2, 3, 20, 256] {
            let src: Vec<u8> = (0..len).map(|_| random.below(kinds) as u8).collect();
            for clevel in LEVELS {
                assert_reads(&written(clevel, &src, bound(len)).unwrap(), &src);
            }
        }
    }
}

#[test]
fn streams_are_as_short_as_liblz4s() {
    let mut random = Random::new(2);
    let walk = |random: &mut Random, steps: usize| {
        let mut at = 0_i32;
        let items = (0..50_000).flat_map(|_| {
            at += random.below(2 * steps + 1) as i32 - steps as i32;
            at.to_le_bytes()
        });
        items.collect::<Vec<u8>>()
    };
    let counted = |by: u64| (0..30_000_u64).flat_map(|i| (i * by).to_le_bytes()).collect::<Vec<u8>>();
    let mut all = vec![text(&mut random, 200_000), counted(1), counted(77)];
    all.extend([3, 50, 1000].map(|steps| walk(&mut random, steps)));
    for (of, src) in all.iter().enumerate() {
        for clevel in LEVELS {
            let stream = written(clevel, src, bound(src.len())).unwrap();
            assert_reads(&stream, src);
            let (len, other) = (stream.len(), by_library(clevel, src));
            assert!(len <= other + other / 50, "{of}, level {clevel}: {len}, not {other}");
        }
    }
}

#[test]
fn streams_of_sections_come_back_and_are_as_small() {
    for (turn, src) in mixtures(12).enumerate() {
        for clevel in LEVELS {
            let (stream, other) =
                (written(clevel, &src, bound(src.len())).unwrap(), by_library(clevel, &src));
            assert_reads(&stream, &src);
            let len = stream.len();
            assert!(len <= other + other / 100 + 50, "turn {turn}, level {clevel}: {len}, not {other}");
        }
    }
}

#[test]
fn what_stands_in_the_middle_of_what_was_repeated_is_found() {
    let src = versions(&mut Random::new(6), 30_000, 6);
    for clevel in LEVELS {
        let stream = written(clevel, &src, bound(src.len())).unwrap();
        assert_reads(&stream, &src);
        assert!(stream.len() < 32_000, "level {clevel}: {}", stream.len());
    }
}

#[test]
fn what_does_not_fit_is_said_and_no_more_is_written() {
    let mut random = Random::new(3);
    let (noise, text) = (random.bytes(30_000), text(&mut random, 20_000));
    for src in [text.clone(), [&text[..], &noise, &text].concat(), [&noise[..], &text].concat(), noise] {
        let stream = written(5, &src, bound(src.len())).unwrap();
        let len = stream.len();
        for room in (0..len).step_by(997).chain(len - 40..len) {
            // Where there is room for whatever stands there, it is not asked.
            assert!(written(5, &src, room).is_none_or(|other| other.len() == len), "{room} of {len}");
        }
        assert!(written(5, &src, len + 16).unwrap() == stream);
    }
}

#[test]
fn a_stream_is_the_same_after_others() {
    let (mut writer, mut sections) = (Writer::default(), Sections::default());
    let streams = data(&mut Random::new(4), 40_000);
    for src in streams.iter().chain(streams.iter().rev()) {
        let mut dst = vec![0; bound(src.len())];
        let len = writer.compress(5, &mut sections, src, &mut dst).unwrap();
        assert!(dst[..len] == written(5, src, bound(src.len())).unwrap());
    }
}

#[test]
fn what_is_written_here_is_long_of_middle_levels_and_seldom_repeats() {
    let p = |clevel, made_of| StreamParams { clevel, made_of, ..StreamParams::default() };
    let mut random = Random::new(6);
    let seldom = random.bytes(SHORT);
    let often: Vec<u8> = (0..SHORT).map(|_| u8::from(random.below(3) == 0)).collect();
    for made_of in MadeOf::ALL {
        let levels = |src: &[u8]| -> Vec<u8> {
            (1..=9).filter(|&level| is_written_here(&p(level, made_of), src)).collect()
        };
        let filtered = matches!(made_of, MadeOf::Planes | MadeOf::Bits);
        assert_eq!(levels(&seldom), if filtered { vec![3, 4, 5] } else { vec![4, 5] });
        assert_eq!(levels(&often), if filtered { vec![3, 4, 5] } else { vec![] });
        let short = if made_of == MadeOf::Bits { SHORT_OF_BITS } else { SHORT };
        assert!(levels(&seldom[..short - 1]).is_empty() && !levels(&seldom[..short]).is_empty());
    }
}
