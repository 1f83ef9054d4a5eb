//! Any bytes as a chunk: some of its bytes, and all but some of its blocks, are what a whole read gives.
#![no_main]

use blosc2::base::params::DParams;
use blosc2::chunk::{ChunkReader, ChunkSource};
use libfuzzer_sys::fuzz_target;

const MOST: usize = 1 << 20;

fuzz_target!(|input: (u32, u16, Vec<bool>, &[u8])| {
    let (start, len, mut mask, bytes) = input;
    let dparams = DParams::default();
    let Ok(reader) = ChunkReader::new(ChunkSource::Bytes(bytes), &dparams) else { return };
    let nbytes = reader.header().nbytes();
    if nbytes > MOST || nbytes == 0 || reader.header().is_vl() {
        return;
    }
    let mut all = vec![0; nbytes];
    let whole = reader.decompress(1, &mut all);
    let start = start as usize % nbytes;
    let end = (start + usize::from(len)).min(nbytes);
    let mut some = vec![0; end - start];
    if reader.get_bytes(start..end, &mut some).is_ok() && whole.is_ok() {
        assert!(some == all[start..end]);
    }
    mask.resize(reader.nblocks(), false);
    let mut masked = vec![0xee; nbytes];
    if reader.decompress_masked(1, Some(&mask), &mut masked).is_ok() && whole.is_ok() {
        for (n, left_out) in mask.iter().enumerate() {
            let range = reader.block_range(n);
            assert!(*left_out || masked[range.clone()] == all[range]);
        }
    }
});
