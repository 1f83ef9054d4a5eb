//! Any bytes as a contiguous frame: opened, verified, read, changed.
#![no_main]

use blosc2::base::CBuf;
use blosc2::chunk::ChunkHeader;
use blosc2::schunk::SuperChunk;
use libfuzzer_sys::fuzz_target;

const MOST: usize = 1 << 20;

fuzz_target!(|bytes: &[u8]| {
    let Ok(frame) = CBuf::copy_of(bytes) else { return };
    let Ok(mut schunk) = SuperChunk::from_cframe(frame, true) else { return };
    let mut buffer = vec![0; MOST];
    for n in 0..schunk.nchunks().min(16) {
        let _ = schunk.decompress_chunk(n, &mut buffer);
        let _ = schunk.lazy_chunk(n);
    }
    for meta in schunk.vlmetas().unwrap_or_default().iter() {
        if ChunkHeader::parse(meta.content()).is_ok_and(|header| header.nbytes() < MOST) {
            let _ = schunk.vlmeta_get(meta.name());
        }
    }
    if schunk.nchunks() < 1000 {
        let _ = schunk.append_buffer(&[1; 64]);
        let _ = schunk.delete_chunk(0);
        let _ = schunk.vlmeta_add("new", b"content", None);
        let _ = schunk.to_cframe();
    }
});
