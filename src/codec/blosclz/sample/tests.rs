use super::*;
use crate::base::random::Random;

/// Random bytes, of no more than `kinds` values.
fn bytes(seed: u64, kinds: usize, len: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    (0..len).map(|_| random.below(kinds) as u8).collect()
}

#[test]
fn hashes_are_the_same_in_registers_of_any_width() {
    for (seed, kinds) in (1..200).zip([1, 2, 3, 256].into_iter().cycle()) {
        let group = bytes(seed, kinds, GROUP_AND_BEYOND);
        let group = group.first_chunk().unwrap();
        let told = least_scalar(group);
        assert!(told.iter().all(|least| least >> 4 != u32::MAX >> 4));
        #[cfg(target_arch = "x86_64")]
        {
            assert!(cpu::detected() < Simd::Avx2 || avx2::least(group) == told);
            assert!(cpu::detected() < Simd::Avx512 || avx512::least(group) == told);
        }
    }
}

#[test]
fn every_place_of_a_group_is_in_one_lane_and_row() {
    let mut places: Vec<usize> =
        (0..LANES).flat_map(|lane| (0..ROWS).map(move |row| start_of(row) + lane * LANE)).collect();
    places.sort_unstable();
    assert!(places.into_iter().eq(0..GROUP));
}

#[test]
fn the_least_hash_is_of_seven_bytes() {
    let group = bytes(5, 256, GROUP_AND_BEYOND);
    let told = least_scalar(group.first_chunk().unwrap());
    for (lane, least) in told.into_iter().enumerate() {
        let at = start_of(least as usize % ROWS) + lane * LANE;
        for near in at.saturating_sub(1)..at + 8 {
            let mut changed = group.clone();
            changed[near] ^= 0x55;
            let now = least_scalar(changed.first_chunk().unwrap())[lane];
            // What stands beside them matters only if another place of the lane now has less.
            assert!(near < at || near == at + 7 || now != least, "{near} of {at}");
        }
    }
}

#[test]
fn noise_saves_nothing_and_repetitions_are_seen_in_it() {
    let mut drawn = Drawn::default();
    for len in [3000, 8000, 16384] {
        let mut noisy = 0;
        for seed in 1..40 {
            let noise = bytes(seed, 256, len);
            noisy += u32::from(saves_less(&mut drawn, &noise, len / 10));
            // The second half again, what stands now and then, and records that all begin alike, in a tenth of the bytes.
            let mut half = noise.clone();
            half.copy_within(..len / 2, len / 2);
            let words = bytes(seed + 100, 256, 5 * 16);
            let mut worded = noise.clone();
            for (n, at) in (0..len - 16).step_by(48).enumerate() {
                worded[at..at + 16].copy_from_slice(&words[n * 7 % 5 * 16..][..16]);
            }
            let mut records = noise.clone();
            records.chunks_exact_mut(80).for_each(|record| record[..11].copy_from_slice(&words[..11]));
            let cases = [("half", half), ("words", worded), ("records", records), ("zeros", vec![0; len])];
            for (name, data) in cases {
                assert!(!saves_less(&mut drawn, &data, len / 10), "{name} {seed} {len}");
            }
        }
        // Hashes that are equal by chance do no harm: then the window is looked at.
        assert!(noisy > 36, "{len}: {noisy}");
    }
}
