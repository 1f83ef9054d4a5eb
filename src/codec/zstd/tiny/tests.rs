//! What is written here is read by libzstd, and what is read here is read as libzstd does, if it reads it.

use super::super::State;
use super::super::frame::write::SPARE;
use super::super::frame::{BLOCK_HEADER, LAST_COMPRESSED, MAGIC, SINGLE_SEGMENT};
use super::super::tests::{at, by, by_library, mutate};
use super::*;
use crate::base::random::Random;
use crate::codec::zstd::noise::{Fits, Places};

/// The same by what is here, if it is one that is read here.
fn here(stream: &[u8], len: usize) -> Option<Vec<u8>> {
    by(read, stream, len)
}

fn written(src: &[u8]) -> Option<Vec<u8>> {
    let mut dst = vec![0; src.len() + SPARE];
    let len = write(src, &mut dst)?;
    dst.truncate(len);
    Some(dst)
}

/// Bytes that repeat what stands before, more or less, near and far, and those of numbers that count.
fn repetitive(random: &mut Random, len: usize) -> Vec<u8> {
    let (kinds, often) = (1 + random.below(30), 1 + random.below(6));
    let mut src = vec![];
    while src.len() < len {
        match random.below(often) {
            0 => src.push(random.below(kinds) as u8),
            1 => src.extend((src.len() as u32 / 8).to_le_bytes()),
            _ => {
                let back = 1 + random.below(1 + src.len().min(20));
                let from = if random.below(3) == 0 {
                    random.below(src.len() + 1)
                } else {
                    src.len().saturating_sub(back)
                };
                (from..from + random.below(60)).for_each(|at| src.extend(src.get(at).copied()));
            }
        }
    }
    src.truncate(len);
    src
}

#[test]
fn what_is_written_is_read() {
    let mut random = Random::new(1);
    let [mut times, mut times_read] = [0; 2];
    for turn in 0..20_000 {
        let len = if turn % 3 == 0 { random.below(80) } else { random.below(MOST + 1) };
        let src = repetitive(&mut random, len);
        let Some(stream) = written(&src) else { continue };
        times += 1;
        assert!(stream.len() <= src.len() - src.len() / WORTH);
        assert!(by_library(&stream, len).as_ref() == Some(&src), "{turn}: {src:?}");
        let Some(read) = here(&stream, len) else { continue };
        times_read += 1;
        assert!(read == src, "{turn}: {src:?}");
        assert_eq!(here(&stream, len + 40), Some(src));
        assert_eq!(here(&stream, len - 1), None);
    }
    // Those of many matches are left to libzstd.
    assert!(times > 5000 && times_read > times / 2, "{times} {times_read}");
}

#[test]
fn streams_are_about_as_short_as_libzstds() {
    let mut random = Random::new(2);
    let (mut state, mut sum, mut of_library) = (State::default(), 0, 0);
    for _ in 0..5000 {
        let len = 20 + random.below(200);
        let src = repetitive(&mut random, len);
        let Some(stream) = written(&src) else { continue };
        let len = state.search(9, None, &src, &mut vec![0; 1000]).unwrap();
        sum += stream.len();
        of_library += len;
        assert!(stream.len() <= len + len / 3 + 4, "{}, not {len}: {src:?}", stream.len());
    }
    assert!(sum <= of_library + of_library / 100, "{sum}, not {of_library}");
}

#[test]
fn what_does_not_fit_is_not_written() {
    let src = [7; 100];
    let stream = written(&src).unwrap();
    let enough = stream.len() + SPARE;
    for room in 0..enough {
        // Where hardly anything but codes fits, it may be left to libzstd.
        assert!(write(&src, &mut vec![0; room]).is_none_or(|len| len == 0), "{room}");
    }
    assert_eq!(write(&src, &mut vec![0; enough]), Some(stream.len()));
    assert_eq!(written(&[7; MOST + 1]), None);
    assert_eq!(written(&[]), None);
    assert_eq!(written(&Random::new(3).bytes(MOST)), None);
}

/// Noise, a few parts of which stood before, or are runs.
fn noise_with_matches(random: &mut Random, len: usize) -> Vec<u8> {
    let mut src = random.bytes(len);
    for _ in 0..1 + random.below(4) {
        let n = 3 + random.below(24);
        let (from, to) = (random.below(len - n), random.below(len - n));
        src.copy_within(from..from + n, to);
        if random.below(3) == 0 {
            src[to..to + n].fill(0);
        }
    }
    src
}

#[test]
fn noise_with_few_matches_is_about_as_short_as_libzstds() {
    let mut random = Random::new(6);
    let (mut state, mut places) = (State::default(), Places::default());
    let [mut written, mut stored, mut sum, mut of_library] = [0; 4];
    for turn in 0..6000 {
        let len = 64 + random.below(ALL_LITERALS + 1 - 64);
        let src = noise_with_matches(&mut random, len);
        let room = len - 8;
        if Fits::of(&mut places, &src, room) != Fits::ByMatches {
            continue;
        }
        let [mut stream, mut expected] = [(); 2].map(|()| vec![0; room]);
        let Some(here_len) = write_few(&src, &mut stream) else { continue };
        let library_len = state.search(9, None, &src, &mut expected).unwrap();
        if here_len == 0 {
            stored += 1;
        } else {
            written += 1;
            stream.truncate(here_len);
            assert!(by_library(&stream, len).as_ref() == Some(&src), "{turn}: {src:?}");
            assert!(here(&stream, len).is_none_or(|read| read == src), "{turn}: {src:?}");
        }
        // What is stored is as long as it is, and some bytes that tell so.
        let taken = |stream: usize| if stream == 0 { len } else { stream };
        sum += taken(here_len);
        of_library += taken(library_len);
    }
    assert!(written > 500 && stored > 100, "{written} {stored}");
    assert!(sum <= of_library, "{sum}, not {of_library}");
}

#[test]
fn literals_that_codes_make_shorter_are_left_to_libzstd() {
    // Three letters, which take less than two bits each, and a match of many bytes.
    let mut random = Random::new(7);
    let letters: Vec<u8> = (0..200).map(|_| b"abc"[random.below(3)]).collect();
    assert_eq!(write_few(&letters, &mut [0; 300]), None);
    // Noise has no such codes, and nothing is written that would be longer.
    assert_eq!(write_few(&random.bytes(200), &mut [0; 300]), Some(0));
    assert_eq!(write_few(&random.bytes(ALL_LITERALS + 1), &mut [0; 300]), None);
}

#[test]
fn what_libzstd_writes_is_read_as_it_does_or_left_to_it() {
    let mut random = Random::new(4);
    let mut state = State::default();
    let mut times = 0;
    for turn in 0..6000 {
        let len = random.below(MOST + 100);
        let src = repetitive(&mut random, len);
        let mut stream = vec![0; 1000];
        let len = state.search([1, 3, 5, 9, 13, 19, 22, -5][turn % 8], None, &src, &mut stream).unwrap();
        stream.truncate(len);
        let read = here(&stream, src.len());
        times += u32::from(read.is_some());
        assert!(read.is_none_or(|read| read == src), "{turn}");
    }
    assert!(times > 1000, "{times}");
}

#[test]
fn what_libzstd_refuses_is_not_read() {
    let mut random = Random::new(5);
    let (mut state, mut times) = (State::default(), 0);
    for turn in 0..60_000 {
        let len = 16 + random.below(120);
        let src = repetitive(&mut random, len);
        let mut stream = vec![0; 400];
        let len = match turn % 2 {
            0 => write(&src, &mut stream).unwrap_or(0),
            _ => state.search(5, None, &src, &mut stream).unwrap(),
        };
        stream.truncate(len);
        mutate(&mut random, &mut stream);
        let Some(read) = here(&stream, MOST) else { continue };
        times += 1;
        assert_eq!(Some(read), by_library(&stream, MOST), "{turn}: {stream:?}");
    }
    assert!(times > 2000, "{times}");
}

#[test]
fn codes_that_mean_too_much_are_not_read() {
    // One match whose distance, length and literals all take the most bits that there are: by symbols that are all the same.
    let bits = [0xff; 30];
    let block = [&[2 << 3, 7, 7, 1, 0x54, 35, 28, 52][..], &bits].concat();
    let header = (LAST_COMPRESSED | block.len() << 3).to_le_bytes();
    let stream = [&MAGIC[..], &[SINGLE_SEGMENT, 100], &header[..BLOCK_HEADER], &block].concat();
    assert_eq!(here(&stream, MOST), None);
    assert_eq!(by_library(&stream, MOST), None);
}

#[test]
fn more_literals_than_there_is_room_for_may_have_codes() {
    // Eight times, by bits.
    let src = [
        0x00, 0x01, 0x01, 0x01, 0x11, 0x11, 0x01, 0x01, 0x10, 0x01, 0x01, 0x11, 0x22, 0x23, 0x23, 0x22, 0x01,
        0x01, 0x00, 0x11, 0x32, 0x23, 0x23, 0x33, 0x32, 0x23, 0x22, 0x23, 0x10, 0x11, 0x01, 0x01, 0x33, 0x23,
        0x32, 0x23, 0x00, 0x10, 0x11, 0x01, 0x00, 0x00, 0x00, 0x10, 0x33, 0x33, 0x33, 0x33, 0x22, 0x22, 0x22,
        0x22, 0x00, 0x00, 0x00, 0x00, 0x33, 0x33, 0x33, 0x33, 0x00, 0x00, 0x00, 0x00,
    ];
    let mut dst = [0; 56];
    assert_eq!(write(&src, &mut dst), None);
    let len = State::default().compress(&at(LEVEL), &src, &mut dst).unwrap();
    assert_eq!(by_library(&dst[..len], src.len()), Some(src.to_vec()));
    // These have none.
    let numbers: Vec<u8> = (0..16u8).flat_map(|i| [i.wrapping_mul(77), 100 + i / 3, 1, 0]).collect();
    for room in 0..=44 {
        assert_eq!(State::default().compress(&at(LEVEL), &numbers, &mut dst[..room]).unwrap(), 0, "{room}");
        assert!((Fits::of(&mut Places::default(), &numbers, room) == Fits::Never), "{room}");
    }
}

#[test]
fn what_codes_tell_in_much_less_is_left_to_libzstd() {
    // Half bytes of a few values, by bits: libzstd finds fewer matches, and has codes for what is left.
    let halves = "2332322223323322110001010010011100011000111100103322332233333233000011100111111132232323222232233232233333233223\
                  1100100100100000332222322322322311000000101111010011111111111101333333333333332322222222222222321111111111111111\
                  22222222222222220000000000000000";
    let src: Vec<u8> =
        halves.as_bytes().chunks(2).map(|two| (two[0] - b'0') << 4 | (two[1] - b'0')).collect();
    assert_eq!((src.len(), write(&src, &mut [0; 300])), (128, None));
    let mut dst = [0; 300];
    let len = State::default().compress(&at(LEVEL), &src, &mut dst).unwrap();
    assert!(len < 80, "{len}");
    assert_eq!(by_library(&dst[..len], src.len()), Some(src));
}
