//! Any bytes as the files of a sparse frame.
#![no_main]

use blosc2::io::Backend;
use blosc2::io::Memory;
use blosc2::schunk::SuperChunk;
use libfuzzer_sys::fuzz_target;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fuzz_target!(|files: Vec<Vec<u8>>| {
    let memory = Memory::new();
    let Ok(()) = memory.create_dir(Path::new("dir")) else { return };
    for (n, bytes) in files.iter().enumerate() {
        let path = match n {
            0 => PathBuf::from("dir/chunks.b2frame"),
            n => PathBuf::from(format!("dir/{:08X}.chunk", n - 1)),
        };
        memory.put(&path, bytes);
    }
    let Ok(mut schunk) = SuperChunk::open(Path::new("dir"), 0, Arc::new(memory)) else { return };
    let mut buffer = vec![0; 1 << 20];
    for n in 0..schunk.nchunks().min(16) {
        let _ = schunk.decompress_chunk(n, &mut buffer);
    }
    if schunk.nchunks() < 1000 {
        let _ = schunk.append_buffer(&[1; 64]);
        let _ = schunk.delete_chunk(0);
    }
});
