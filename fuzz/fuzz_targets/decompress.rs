//! Any bytes as a chunk, decompressed by one thread, by two, and without a reader: the same, and nothing left out.
#![no_main]

use blosc2::base::params::DParams;
use blosc2::chunk::{ChunkReader, ChunkSource, PlainChunk, Special};
use libfuzzer_sys::fuzz_target;
use oxiblosc2_fuzz::{MOST, with_buffers};

fuzz_target!(|bytes: &[u8]| {
    let dparams = DParams::default();
    let Ok(reader) = ChunkReader::new(ChunkSource::Bytes(bytes), &dparams) else { return };
    let nbytes = reader.header().nbytes();
    if nbytes > MOST {
        return;
    }
    with_buffers(|one, two| {
        let (one, two) = (&mut one[..nbytes], &mut two[..nbytes]);
        // What is not written stays different.
        one.fill(0x55);
        two.fill(0xaa);
        let (first, second) = (reader.decompress(1, one), reader.decompress(2, two));
        assert_eq!(first.is_ok(), second.is_ok());
        if first.is_ok() && reader.special() != Some(Special::Uninit) {
            assert!(one == two);
        }
        two.fill(0x33);
        if let Some(plain) = PlainChunk::of(bytes)
            && plain.decompress(two).is_some()
        {
            assert!(first.is_ok() && one == two);
        }
    });
});
