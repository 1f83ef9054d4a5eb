//! Any bytes as a chunk: some of its bytes, and all but some of its blocks, are what a whole read gives.
#![no_main]

use blosc2::base::params::DParams;
use blosc2::chunk::{ChunkReader, ChunkSource, PlainChunk, Special};
use libfuzzer_sys::fuzz_target;
use oxiblosc2_fuzz::{Draw, MOST, with_buffers};

fuzz_target!(|input: (u64, &[u8])| {
    let (mut draw, bytes) = (Draw(input.0), input.1);
    let dparams = DParams::default();
    let Ok(reader) = ChunkReader::new(ChunkSource::Bytes(bytes), &dparams) else { return };
    let nbytes = reader.header().nbytes();
    if nbytes > MOST || nbytes == 0 || reader.header().is_vl() {
        return;
    }
    with_buffers(|all, other| {
        let (all, other) = (&mut all[..nbytes], &mut other[..nbytes]);
        all.fill(0);
        let comparable = reader.decompress(1, all).is_ok() && reader.special() != Some(Special::Uninit);
        let start = draw.below(nbytes as i64) as usize;
        let end = start + draw.below((nbytes - start).min(1 << 12) as i64 + 1) as usize;
        let some = &mut other[..end - start];
        if reader.get_bytes(start..end, some).is_ok() && comparable {
            assert!(*some == all[start..end]);
        }
        some.fill(0);
        if let Some(plain) = PlainChunk::of(bytes)
            && plain.get(start..end, some).is_some()
            && comparable
        {
            assert!(*some == all[start..end]);
        }
        let one_in = 1 + draw.below(4);
        let mask: Vec<bool> = (0..reader.nblocks()).map(|_| draw.one_in(one_in)).collect();
        other.fill(0xee);
        if reader.decompress_masked(1, Some(&mask), other).is_ok() && comparable {
            for (n, left_out) in mask.iter().enumerate() {
                let range = reader.block_range(n);
                if *left_out {
                    assert!(other[range].iter().all(|byte| *byte == 0xee));
                } else {
                    assert!(other[range.clone()] == all[range]);
                }
            }
        }
    });
});
