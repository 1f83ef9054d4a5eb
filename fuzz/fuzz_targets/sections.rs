//! Blocks made of noise, uneven bytes, runs and copies, for the codecs that write them in sections: what is compressed comes
//! back.
#![no_main]

use blosc2::base::params::CParams;
use libfuzzer_sys::fuzz_target;

/// The most bytes of a block: more than two windows of LZ4.
const MOST: usize = 150_000;

fuzz_target!(|input: (bool, u8, Vec<(u8, u16, u16)>)| {
    let (deflate, clevel, parts) = input;
    let mut state = 1u64;
    let mut random = || {
        // Steele and Vigna's SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) >> 33
    };
    let mut data = Vec::new();
    for (sort, len, at) in parts {
        let len = usize::from(len).min(MOST - data.len());
        match sort % 5 {
            0 => data.extend((0..len).map(|_| random() as u8)),
            1 => data.extend((0..len).map(|_| ((random() % 256) * (random() % 256) / 256) as u8)),
            2 => data.extend((0..len).map(|i| (i >> (at % 12)) as u8)),
            3 => data.resize(data.len() + len, at as u8),
            _ => {
                let from = usize::from(at) * 2 % data.len().max(1);
                data.extend_from_within(from..data.len().min(from + len));
            }
        }
    }
    let cparams = CParams {
        codec: if deflate { 4 } else { 2 },
        clevel: 1 + clevel % 9,
        typesize: 1,
        blocksize: data.len() as i32,
        ..CParams::default()
    };
    oxiblosc2_fuzz::comes_back(&cparams, &data);
});
