//! Any bytes as a chunk, decompressed by one thread and by two.
#![no_main]

use blosc2::base::params::DParams;
use blosc2::chunk::{ChunkReader, ChunkSource};
use libfuzzer_sys::fuzz_target;

/// More than a fuzzer should be asked for; a header can promise it.
const MOST: usize = 1 << 22;

fuzz_target!(|bytes: &[u8]| {
    let dparams = DParams::default();
    let Ok(reader) = ChunkReader::new(ChunkSource::Bytes(bytes), &dparams) else { return };
    let nbytes = reader.header().nbytes();
    if nbytes > MOST {
        return;
    }
    let (mut one, mut two) = (vec![0; nbytes], vec![0; nbytes]);
    let (first, second) = (reader.decompress(1, &mut one), reader.decompress(2, &mut two));
    assert_eq!(first.is_ok(), second.is_ok());
    if first.is_ok() {
        assert!(one == two || reader.header().special().is_some());
    }
});
