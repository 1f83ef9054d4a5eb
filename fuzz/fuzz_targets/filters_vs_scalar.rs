//! Every kernel gives what the scalar one gives, and back.
#![no_main]

use blosc2::base::cpu::{self, Simd};
use blosc2::filter::bytedelta::{self, Flavor};
use blosc2::filter::{bitshuffle, shuffle};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (typesize, data) = input;
    let typesize = usize::from(typesize.max(1));
    let mut expected = [vec![0; data.len()], vec![0; data.len()]];
    shuffle::shuffle_at(Simd::Scalar, typesize, data, &mut expected[0]);
    bitshuffle::bitshuffle_at(Simd::Scalar, typesize, data, &mut expected[1]);
    let mut summed = data.to_vec();
    bytedelta::backward_in_place_at(Simd::Scalar, Flavor::Current, typesize, &mut summed);
    for level in [Simd::Sse2, Simd::Avx2, Simd::Avx512] {
        if level > cpu::detected() {
            continue;
        }
        let (mut out, mut back) = (vec![0; data.len()], vec![0; data.len()]);
        shuffle::shuffle_at(level, typesize, data, &mut out);
        assert!(out == expected[0]);
        shuffle::unshuffle_at(level, typesize, &out, &mut back);
        assert!(back == data);
        bitshuffle::bitshuffle_at(level, typesize, data, &mut out);
        assert!(out == expected[1]);
        bitshuffle::bitunshuffle_at(level, typesize, &out, &mut back);
        assert!(back == data);
        out.copy_from_slice(data);
        bytedelta::backward_in_place_at(level, Flavor::Current, typesize, &mut out);
        assert!(out == summed);
    }
});
