//! What is written here is what liblz4 writes, byte for byte, in each of the ways.

use super::super::State;
use super::*;
use crate::base::random::Random;
use crate::codec::lz4::tests::data;
use crate::codec::tests::items_of;

/// A way to write a stream.
type Way = fn(&mut Writer, usize, &[u8], &mut [u8]) -> Option<usize>;

fn ways() -> Vec<(&'static str, Way)> {
    let mut ways: Vec<(&str, Way)> = vec![
        ("by words", Writer::compare_words),
        ("in registers", Writer::compare_registers),
        ("foreseen", Writer::foresee),
        ("foreseen, with a table of its own", |writer, acceleration, src, dst| {
            writer.encode(short_foreseen, long_foreseen, acceleration, src, dst)
        }),
        ("with a shared table", |writer, acceleration, src, dst| match src.len() {
            ..LONG => writer.share(acceleration, src, dst),
            _ => writer.compare_words(acceleration, src, dst),
        }),
    ];
    ways.push(("counted", |writer, acceleration, src, dst| {
        let (tables, counted) = (&mut writer.tables, &mut Counted::default());
        if src.len() < LONG {
            encode(Slots::<Short>::new(tables, src.len()), acceleration, src, dst, counted)
        } else {
            encode(Slots::<Long>::new(tables, src.len()), acceleration, src, dst, counted)
        }
    }));
    ways
}

/// The stream that liblz4 makes of `src`, if it fits `room` bytes.
fn by_library(clevel: u8, src: &[u8], room: usize) -> Option<Vec<u8>> {
    let mut dst = vec![0; room];
    let len = State::default().compress_into(clevel, None, src, &mut dst).unwrap();
    dst.truncate(len);
    (len > 0).then_some(dst)
}

/// Writes `src` into `room` bytes, in each way, and compares.
fn assert_same(writer: &mut Writer, clevel: u8, src: &[u8], room: usize) {
    let told = by_library(clevel, src, room);
    for (name, way) in ways() {
        let mut dst = vec![0xc5; room];
        let len = way(writer, usize::from(10 - clevel), src, &mut dst);
        let same = len.map(|len| &dst[..len]) == told.as_deref();
        let told = told.as_ref().map(Vec::len);
        assert!(same, "{name}: {} bytes, level {clevel}, room for {room}: {len:?}, not {told:?}", src.len());
    }
}

#[test]
fn planes_and_numbers_are_written_here_be_they_ever_so_short() {
    let (counter, mut dst) = (numbers_of(SHORT as u64 / 8, |i| i), vec![0; SHORT]);
    let mut is_ours = |made_of, len: usize| {
        let src = &counter[..len];
        Writer::default().compress(&of(made_of, 4), ACCELERATION, src, &mut dst[..len]).is_some()
    };
    assert!([1, 13, SHORT - 1, SHORT].into_iter().all(|len| is_ours(MadeOf::Planes, len)));
    assert!(is_ours(MadeOf::Bits, SHORT) && !is_ours(MadeOf::Bits, SHORT - 1));
    assert!(is_ours(MadeOf::Numbers, NUMBERS) && !is_ours(MadeOf::Numbers, NUMBERS - 1));
}

/// Streams that share a table are written as if each had one, on until its positions are used up, and behind one that had it alone.
#[test]
fn what_a_table_tells_of_other_streams_makes_no_difference() {
    let (mut rng, mut writer) = (Random::new(14), Writer::default());
    let (mut dst, mut emptied) = (vec![0; SHORT], 0);
    for turn in 0..600 {
        let (clevel, len) = ([1, 5, 9][turn % 3], 13 + rng.below(SHORT - 13));
        let src: Vec<u8> = (0..len).map(|_| rng.below(1 + turn % 40) as u8).collect();
        let (acceleration, used) = (usize::from(10 - clevel), writer.tables.used());
        let written = match rng.below(20) {
            0 => writer.compare_words(acceleration, &src, &mut dst),
            _ => writer.share(acceleration, &src, &mut dst),
        };
        emptied += usize::from(writer.tables.used() < used + len);
        assert!(written.map(|len| &dst[..len]) == by_library(clevel, &src, SHORT).as_deref(), "{turn}");
    }
    assert!((20..100).contains(&emptied), "{emptied}");
}

/// Walks of numbers of 4 and 8 bytes by steps of all sizes, and numbers below something.
fn numbers(rng: &mut Random, n: usize) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for bits in [0, 1, 3, 6, 10] {
        let mut at = 0u64;
        let walk: Vec<u64> = (0..n / 4)
            .map(|_| {
                at = at
                    .wrapping_add(1 + rng.below(1 << bits) as u64)
                    .wrapping_sub(rng.below(1 << bits) as u64);
                at
            })
            .collect();
        all.push(walk.iter().flat_map(|x| (*x as u32).to_le_bytes()).collect());
        all.push(walk.iter().take(n / 8).flat_map(|x| x.to_le_bytes()).collect());
        all.push((0..n / 8).flat_map(|_| (rng.below(2 << bits) as u64).to_le_bytes()).collect());
    }
    all
}

/// Literals in all numbers that are written in one way or another, and matches of few bytes, or many.
fn few_matches(rng: &mut Random, n: usize) -> Vec<u8> {
    let mut all: Vec<u8> = Vec::new();
    while all.len() < n {
        let literals =
            [14, 15, 31, 32, 33, 64, 254, 255, 256, 257, 269, 270, 300][rng.below(13)] + rng.below(4);
        all.extend((0..literals).map(|_| rng.below(256) as u8));
        let len = [5, 12, 18, 19, 40, 400][rng.below(6)].min(all.len());
        let from = rng.below(all.len() - len + 1);
        all.extend_from_within(from..from + len);
    }
    all.truncate(n);
    all
}

#[test]
fn streams_are_as_liblz4_writes_them() {
    let (mut rng, mut writer) = (Random::new(41), Writer::default());
    let lengths = (0..40).chain([100, 255, 256, 600, 4096, 10_000, LONG - 1, LONG, LONG + 1, 200_000]);
    for n in lengths {
        let mut all = data(&mut rng, n);
        all.extend(numbers(&mut rng, n));
        all.push(items_of(&mut rng, n / 8, 8));
        all.push(few_matches(&mut rng, n));
        for src in all {
            for clevel in [1, 5, 9] {
                assert_same(&mut writer, clevel, &src, src.len() + src.len() / 255 + 16);
                assert_same(&mut writer, clevel, &src, src.len());
            }
        }
    }
}

/// liblz4 gives up a bit before all room is taken; where, decides what is stored.
#[test]
fn what_does_not_fit_is_what_liblz4_says_does_not() {
    let (mut rng, mut writer) = (Random::new(43), Writer::default());
    for n in [20, 100, 1000, 5000] {
        let mut all = data(&mut rng, n);
        all.extend(numbers(&mut rng, n));
        all.push(few_matches(&mut rng, n));
        for src in all {
            let len = by_library(9, &src, src.len() + src.len() / 255 + 16).unwrap().len();
            for room in (len.saturating_sub(300)..len.saturating_sub(40))
                .step_by(37)
                .chain(len.saturating_sub(40)..len + 12)
            {
                assert_same(&mut writer, 9, &src, room);
            }
        }
    }
}

/// The level 5's.
const ACCELERATION: usize = 5;

fn of(made_of: MadeOf, typesize: i32) -> StreamParams<'static> {
    StreamParams { made_of, typesize, ..StreamParams::default() }
}

fn numbers_of(n: u64, mut number: impl FnMut(u64) -> u64) -> Vec<u8> {
    (0..n).flat_map(|i| number(i).to_le_bytes()).collect()
}

/// What the look says of numbers, and that the stream is the same whatever it says.
fn matches_of(clevel: u8, src: &[u8]) -> Matches {
    let (mut writer, mut dst) = (Writer::default(), vec![0; src.len()]);
    let acceleration = usize::from(10 - clevel);
    if let Some(len) = writer.compress(&of(MadeOf::Numbers, 8), acceleration, src, &mut dst) {
        assert!((len > 0).then_some(&dst[..len]) == by_library(clevel, src, src.len()).as_deref());
    } else {
        assert!(writer.matches == Matches::Others);
    }
    writer.matches
}

#[test]
fn what_matches_of_numbers_are_like_is_seen() {
    let mut rng = Random::new(47);
    let counter = numbers_of(12_000, |i| i);
    let small = numbers_of(12_000, |_| rng.below(100) as u64);
    let noise = numbers_of(12_000, |_| rng.next());
    // A match of six bytes in about fifty.
    let rare = numbers_of(12_000, |i| if i % 6 == 0 { rng.next() << 48 } else { rng.next() });
    // Of two numbers behind each other, one stood before.
    let apart = numbers_of(12_000, |i| if i % 4 < 2 { rng.below(100) as u64 } else { rng.next() });
    // One in each number, and three literals.
    let spaced = numbers_of(12_000, |i| 77 << 24 | rng.next() >> 40 | i << 60);
    let runs: Vec<u8> =
        (0..500).flat_map(|_| [rng.below(4) as u8; 400].into_iter().take(100 + rng.below(300))).collect();
    for clevel in [1, 5, 9] {
        for regular in [&counter, &small] {
            assert_eq!(matches_of(clevel, regular), Matches::Regular, "level {clevel}");
        }
        for rare in [&noise, &rare] {
            assert_eq!(matches_of(clevel, rare), Matches::Rare, "level {clevel}");
        }
        assert_eq!(matches_of(clevel, &apart), Matches::Apart, "level {clevel}");
        for other in [&runs, &spaced] {
            assert_eq!(matches_of(clevel, other), Matches::Others, "level {clevel}");
        }
    }
}

/// A look is believed for a while, and then taken again.
#[test]
fn what_numbers_are_like_is_looked_at_again() {
    let mut rng = Random::new(53);
    let counter = numbers_of(16_384, |i| i);
    let noise = rng.bytes(counter.len());
    let (mut writer, mut dst) = (Writer::default(), vec![0; counter.len()]);
    let mut look = |src: &[u8]| writer.matches_of(ACCELERATION, src, &mut dst);
    assert_eq!(look(&counter), Matches::Regular);
    for (src, then) in [(&noise, Matches::Rare), (&counter, Matches::Regular)] {
        let believed = (0..100).take_while(|_| look(src) != then).count();
        assert_eq!(believed, ALIKE * SAMPLE / counter.len() - 1);
    }
}

/// Where matches begin only when much is known, they are not rare, and that is seen in the next stream.
#[test]
fn matches_that_begin_late_are_not_rare() {
    let mut rng = Random::new(59);
    let noise: Vec<u64> = (0..4000).map(|_| rng.next()).collect();
    let src: Vec<u8> = noise.iter().cycle().take(16_000).flat_map(|x| x.to_le_bytes()).collect();
    let (mut writer, mut dst) = (Writer::default(), vec![0; src.len()]);
    let mut is_ours = || writer.compress(&of(MadeOf::Numbers, 8), ACCELERATION, &src, &mut dst).is_some();
    assert_eq!([is_ours(), is_ours()], [true, false]);
}

#[test]
fn what_is_as_soon_written_by_liblz4_is_left_to_it() {
    let (src, mut dst) = (vec![7; 5000], vec![0; 5000]);
    let mut writer = Writer::default();
    let mut is_ours =
        |made_of, typesize| writer.compress(&of(made_of, typesize), ACCELERATION, &src, &mut dst).is_some();
    assert!(is_ours(MadeOf::Bits, 2) && is_ours(MadeOf::Planes, 4) && is_ours(MadeOf::Planes, 8));
    assert!(!is_ours(MadeOf::Planes, 2) && !is_ours(MadeOf::Bytes, 1));
}
