//! Items out of blocks that ZFP compressed: the same as those of the whole block, in every mode.
#![cfg(feature = "zfp")]

mod common;

use blosc2::base::params::{CParams, DParams, FilterSlots, NdShape};
use blosc2::chunk::{self, ChunkReader, ChunkSource};
use blosc2::codec;
use common::Rng;
use std::sync::Arc;

fn field(typesize: usize, n: usize) -> Vec<u8> {
    let value = |i: usize| (i as f64 / 17.0).sin() * 100.0 + (i % 7) as f64;
    match typesize {
        4 => (0..n).flat_map(|i| (value(i) as f32).to_le_bytes()).collect(),
        _ => (0..n).flat_map(|i| value(i).to_le_bytes()).collect(),
    }
}

#[test]
fn parts_are_those_of_the_whole() {
    let mut rng = Rng::new(35);
    // To a tenth, ten bits, three tenths of the size.
    for (codec, codec_meta) in
        [(codec::ZFP_FIXED_ACCURACY, 255), (codec::ZFP_FIXED_PRECISION, 10), (codec::ZFP_FIXED_RATE, 30)]
    {
        for typesize in [4usize, 8] {
            for blockshape in [vec![50], vec![9, 14], vec![5, 6, 7], vec![4, 5, 4, 6]] {
                // Three blocks in a row along the first dimension.
                let mut chunkshape = blockshape.clone();
                chunkshape[0] *= 3;
                let items: i32 = blockshape.iter().product();
                let nd = Arc::new(NdShape {
                    shape: chunkshape.iter().map(|&n| i64::from(n)).collect(),
                    chunkshape,
                    blockshape,
                });
                let (size, n) = (typesize as i32, 3 * items as usize);
                let params = CParams {
                    codec,
                    codec_meta,
                    typesize: size,
                    blocksize: items * size,
                    filters: FilterSlots::default(),
                    nd: Some(nd.clone()),
                    in_schunk: true,
                    ..CParams::default()
                };
                let chunk = chunk::compress_to_cbuf(&params, &field(typesize, n)).unwrap();
                assert!(chunk.len() < n * typesize, "{codec} {nd:?}");
                let dparams =
                    DParams { nd: Some(nd.clone()), typesize: size, in_schunk: true, ..DParams::default() };
                let reader = ChunkReader::new(ChunkSource::Bytes(&chunk), &dparams).unwrap();
                let mut whole = vec![0; n * typesize];
                reader.decompress(1, &mut whole).unwrap();
                for round in 0..200 {
                    // Items mostly, and bytes that are none.
                    let unit = if round % 4 == 0 { 1 } else { typesize };
                    let start = rng.below(n * typesize / unit) * unit;
                    let end = (start + (1 + rng.below(if round % 2 == 0 { 8 } else { 90 })) * unit)
                        .min(whole.len());
                    let mut part = vec![0; end - start];
                    reader.get_bytes(start..end, &mut part).unwrap();
                    assert!(part == whole[start..end], "{codec} {nd:?} {start}..{end}");
                }
            }
        }
    }
}
