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
        ("by words", |w, acceleration, src, dst| w.encode(acceleration, src, dst, &mut ByWords)),
        ("foreseen", |w, acceleration, src, dst| w.encode(acceleration, src, dst, &mut Foreseen::default())),
        ("counted", |w, acceleration, src, dst| w.encode(acceleration, src, dst, &mut Counted::default())),
    ];
    #[cfg(target_arch = "x86_64")]
    if cpu::detected() >= Simd::Avx512 {
        ways.push(("in registers", |w, acceleration, src, dst| {
            if src.len() < LONG {
                avx512::encode_evenly(Slots::<u16>::empty(&mut w.tables), acceleration, src, dst)
            } else {
                avx512::encode_evenly(Slots::<u32>::empty(&mut w.tables), acceleration, src, dst)
            }
        }));
    }
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

#[test]
fn streams_are_as_liblz4_writes_them() {
    let (mut rng, mut writer) = (Random::new(41), Writer::default());
    let lengths = (0..40).chain([100, 255, 256, 600, 4096, 10_000, LONG - 1, LONG, LONG + 1, 200_000]);
    for n in lengths {
        let mut all = data(&mut rng, n);
        all.extend(numbers(&mut rng, n));
        all.push(items_of(&mut rng, n / 8, 8));
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

/// Whether `src` is written by guessing lengths.
fn is_foreseen(src: &[u8], clevel: u8) -> bool {
    let mut dst = vec![0; src.len()];
    let len = Writer::default().compress(MadeOf::Numbers, usize::from(10 - clevel), src, &mut dst);
    if let Some(len) = len {
        assert!(Some(&dst[..len]) == by_library(clevel, src, src.len()).as_deref());
    }
    len.is_some()
}

#[test]
fn regular_numbers_are_foreseen_and_others_left_to_liblz4() {
    let n = 100_000;
    let mut rng = Random::new(47);
    let counter: Vec<u8> = (0..n / 8u64).flat_map(|x| x.to_le_bytes()).collect();
    let small: Vec<u8> = (0..n / 8).flat_map(|_| (rng.below(100) as u64).to_le_bytes()).collect();
    let noise = rng.bytes(n as usize);
    let runs: Vec<u8> = (0..n / 200).flat_map(|_| vec![rng.below(4) as u8; 200 + rng.below(300)]).collect();
    for clevel in [1, 5, 9] {
        assert!(is_foreseen(&counter, clevel) && is_foreseen(&small, clevel), "level {clevel}");
        assert!(!is_foreseen(&noise, clevel) && !is_foreseen(&runs, clevel), "level {clevel}");
    }
}

/// A look is believed for a while, and then taken again.
#[test]
fn what_numbers_are_is_looked_at_again() {
    let mut rng = Random::new(53);
    let counter: Vec<u8> = (0..16_384u64).flat_map(|x| x.to_le_bytes()).collect();
    let (noise, mut dst) = (rng.bytes(counter.len()), vec![0; counter.len()]);
    let mut writer = Writer::default();
    let mut is_foreseen = |src: &[u8]| writer.compress(MadeOf::Numbers, 5, src, &mut dst).is_some();
    assert!(is_foreseen(&counter));
    let believed = (0..100).take_while(|_| is_foreseen(&noise)).count();
    assert_eq!(believed, ALIKE / counter.len() - 1);
    let believed = (0..100).take_while(|_| !is_foreseen(&counter)).count();
    assert_eq!(believed, ALIKE / counter.len() - 1);
}

#[test]
fn planes_and_bytes_are_left_to_liblz4_and_bits_are_not() {
    let (src, mut dst) = (vec![7; 5000], vec![0; 5000]);
    let mut writer = Writer::default();
    for made_of in MadeOf::ALL {
        let ours = writer.compress(made_of, 5, &src, &mut dst);
        assert_eq!(ours.is_some(), made_of == MadeOf::Bits, "{made_of:?}");
    }
}
