//! Any data, any parameters: what is compressed comes back.
#![no_main]

use blosc2::base::params::{CParams, SplitMode};
use libfuzzer_sys::fuzz_target;
use oxiblosc2_fuzz::{Draw, MOST};

fuzz_target!(|input: ((u8, u8, u8, u8), (u16, u8, u8, bool), &[u8])| {
    let ((codec, clevel, typesize, split), (blocksize, first, last, use_dict), data) = input;
    let mut cparams = CParams {
        codec: [0, 1, 2, 4, 5][usize::from(codec) % 5],
        clevel: clevel % 10,
        typesize: i32::from(typesize.max(1)),
        blocksize: i32::from(blocksize),
        split: [SplitMode::Always, SplitMode::Never, SplitMode::Auto, SplitMode::ForwardCompat]
            [usize::from(split) % 4],
        use_dict,
        nthreads: 1 + i16::from(split & 1),
        ..CParams::default()
    };
    // Those that keep every bit: none, shuffle, bitshuffle, delta.
    cparams.filters[4].id = [0, 3][usize::from(first) % 2];
    cparams.filters[5].id = [0, 1, 2][usize::from(last) % 3];
    if split & 4 == 0 || data.is_empty() {
        return oxiblosc2_fuzz::comes_back(&cparams, data);
    }
    // Much of a few bytes: in turn, and as they are drawn.
    let mut draw = Draw(u64::from(blocksize));
    let long: Vec<u8> = (0..2 * MOST)
        .map(|i| if i % MOST < 1 << (first % 16) { i } else { draw.below(data.len() as i64) as usize })
        .map(|i| data[i % data.len()])
        .collect();
    cparams.blocksize = 0;
    oxiblosc2_fuzz::comes_back(&cparams, &long);
});
