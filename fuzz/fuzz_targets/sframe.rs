//! Any bytes as the files of a sparse frame. An input is the files, each after its length in two bytes.
#![no_main]

use blosc2::io::{Backend, Memory};
use blosc2::schunk::SuperChunk;
use libfuzzer_sys::fuzz_target;
use oxiblosc2_fuzz::{MOST, with_buffers};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fuzz_target!(|bytes: &[u8]| {
    let memory = Memory::new();
    let Ok(()) = memory.create_dir(Path::new("dir")) else { return };
    let mut rest = bytes;
    for n in 0..6 {
        let Some((len, more)) = rest.split_first_chunk() else { break };
        let (file, others) = more.split_at(more.len().min(u16::from_le_bytes(*len).into()));
        let path = match n {
            0 => PathBuf::from("dir/chunks.b2frame"),
            n => PathBuf::from(format!("dir/{:08X}.chunk", n - 1)),
        };
        memory.put(&path, file);
        rest = others;
    }
    let Ok(mut schunk) = SuperChunk::open(Path::new("dir"), 0, Arc::new(memory)) else { return };
    for n in 0..schunk.nchunks().min(8) {
        with_buffers(|all, _| drop(schunk.decompress_chunk(n, all)));
        let _ = schunk.lazy_chunk(n);
    }
    if schunk.nchunks() < 1000 && schunk.chunksize() as usize <= MOST {
        let _ = schunk.append_buffer(&[1; 64]);
        let _ = schunk.delete_chunk(0);
    }
});
