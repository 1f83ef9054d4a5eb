//! What is written here is read by libzstd, and is about as short as what it writes.

use super::super::State;
use super::super::tests::{by_library, mutate};
use super::*;
use crate::base::random::Random;
use crate::codec::zstd::level_of;

fn written_at(clevel: u8, src: &[u8], room: usize) -> Option<Vec<u8>> {
    let mut dst = vec![0xc5; room];
    let len = Writer::default().write(clevel, src, &mut dst)?;
    assert!(len == 0 || len + SPARE <= room && len < src.len());
    dst.truncate(len);
    Some(dst)
}

/// Bytes of several sorts, from noise to runs: drawn from few or many, evenly or not, numbers that count, and what repeats itself.
fn stream(random: &mut Random, len: usize) -> Vec<u8> {
    let (sort, few, size) = (random.below(8), 1 + random.below(256), [1, 2, 4, 8][random.below(4)]);
    let mut walk = random.below(1 << 20);
    let mut src = vec![];
    while src.len() < len {
        match sort {
            0 => src.push(random.below(256) as u8),
            1 => src.push(random.below(few) as u8),
            2 => src.push((random.below(few) * random.below(few) / few) as u8),
            3 => src.extend((0..1 + random.below(30)).map(|_| few as u8)),
            4 | 5 => {
                walk += random.below(1 + few);
                src.extend(&walk.to_le_bytes()[..size]);
            }
            _ if random.below(3) > 0 => src.push(random.below(few) as u8),
            _ => {
                let from = random.below(src.len() + 1);
                (from..from + random.below(40)).for_each(|at| src.extend(src.get(at).copied()));
            }
        }
        // Runs end somewhere.
        src.push(random.below(few) as u8);
    }
    src.truncate(len);
    src
}

#[test]
fn what_is_written_is_read() {
    let mut random = Random::new(1);
    let (mut state, mut times, mut none) = (State::default(), 0, 0);
    for turn in 0..30_000 {
        let len = LEAST + random.below(if turn % 2 == 0 { 300 } else { MOST + 1 - LEAST });
        let src = stream(&mut random, len);
        let stream = written_at(1 + turn as u8 % SOON_DONE, &src, len - random.below(len / 4)).unwrap();
        if stream.is_empty() {
            none += 1;
            continue;
        }
        times += 1;
        assert!(by_library(&stream, len).as_ref() == Some(&src), "{turn}: {src:?}");
        let mut back = vec![0; len];
        assert_eq!(state.decompress(None, &stream, &mut back).unwrap(), len);
        assert!(back == src, "{turn}: {src:?}");
    }
    assert!(times > 15_000 && none > 2000, "{times} {none}");
}

#[test]
fn damaged_streams_are_read_as_libzstd_does() {
    let mut random = Random::new(2);
    let (mut state, mut times) = (State::default(), 0);
    for turn in 0..20_000 {
        let len = 64 + random.below(500);
        let src = stream(&mut random, len);
        let Some(mut stream) = written_at(1, &src, len).filter(|stream| !stream.is_empty()) else { continue };
        mutate(&mut random, &mut stream);
        let mut back = vec![0; len];
        let Ok(read) = state.decompress(None, &stream, &mut back) else { continue };
        times += 1;
        back.truncate(read);
        assert_eq!(Some(back), by_library(&stream, len), "{turn}: {stream:?}");
    }
    assert!(times > 500, "{times}");
}

#[test]
fn streams_are_about_as_short_as_libzstds() {
    let mut random = Random::new(3);
    let mut state = State::default();
    for clevel in 1..=SOON_DONE {
        let [mut sum, mut of_library] = [0; 2];
        for turn in 0..6000 {
            let len = LEAST + random.below(MOST + 1 - LEAST);
            let src = stream(&mut random, len);
            let len = written_at(clevel, &src, len).unwrap().len();
            let mut dst = vec![0; src.len()];
            let library = state.search(level_of(clevel), None, &src, &mut dst).unwrap();
            // What is stored is as long as it is.
            let taken = |len: usize| if len == 0 { src.len() } else { len };
            assert!(taken(len) <= 2 * taken(library) + 8, "{turn}: {len}, not {library}");
            (sum, of_library) = (sum + taken(len), of_library + taken(library));
        }
        assert!(sum <= of_library, "level {clevel}: {sum}, not {of_library}");
    }
}

#[test]
fn what_does_not_fit_is_not_written() {
    let src: Vec<u8> = (0..1000u32).map(|i| b"abcdefgh"[(i * i / 7 % 8) as usize]).collect();
    let all = written_at(1, &src, src.len()).unwrap();
    assert!(!all.is_empty());
    for room in 0..all.len() + SPARE {
        assert_eq!(written_at(1, &src, room), Some(vec![]), "{room}");
    }
    assert_eq!(written_at(1, &src, all.len() + SPARE), Some(all));
    // With more room than the stream takes as it is, what is longer is left to libzstd.
    let noise = Random::new(4).bytes(MOST);
    assert_eq!(written_at(1, &noise, MOST), Some(vec![]));
    assert_eq!(written_at(1, &noise, MOST + 1), None);
}

#[test]
fn other_streams_are_left_to_libzstd() {
    let src = [7; MOST + 1];
    for (clevel, len, is_written) in [
        (1, LEAST - 1, false),
        (1, LEAST, true),
        (2, MOST, true),
        (1, MOST + 1, false),
        (SOON_DONE + 1, 1000, false),
    ] {
        assert_eq!(written_at(clevel, &src[..len], len).is_some(), is_written, "{len} at level {clevel}");
    }
}

#[test]
fn a_writer_forgets_the_stream_before() {
    let mut random = Random::new(5);
    let mut writer = Writer::default();
    for _ in 0..3000 {
        let len = LEAST + random.below(MOST + 1 - LEAST);
        let src = stream(&mut random, len);
        let mut dst = vec![0; len];
        let written = writer.write(2, &src, &mut dst).unwrap();
        assert_eq!(Some(&dst[..written]), written_at(2, &src, len).as_deref());
    }
}

#[test]
fn runs_take_next_to_nothing_each() {
    // Numbers of eight bytes, of which the lowest tells something: it has a code of three bits, the next one of one bit, and the rest is the
    // same each time.
    let mut random = Random::new(6);
    let src: Vec<u8> = (0..200).flat_map(|_| (1 + random.below(4) as u64).to_le_bytes()).collect();
    let len = written_at(1, &src, src.len()).unwrap().len();
    assert!(len < 200 / 2 + 40, "{len}");
}
