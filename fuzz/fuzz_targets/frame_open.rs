//! Any bytes as a contiguous frame, in memory or in a file: opened, verified, recovered, read, changed.
#![no_main]

use blosc2::base::CBuf;
use blosc2::chunk::{ChunkHeader, ChunkReader};
use blosc2::frame::check::{recover::recover, verify::verify};
use blosc2::io::{Backend, Memory};
use blosc2::ndarray::open::decoding;
use blosc2::schunk::SuperChunk;
use libfuzzer_sys::fuzz_target;
use oxiblosc2_fuzz::{Draw, MOST, with_buffers};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Chunks that are looked at.
const FEW: i64 = 8;

fn read(schunk: &SuperChunk) {
    for n in 0..schunk.nchunks().min(FEW) {
        with_buffers(|all, _| drop(schunk.decompress_chunk(n, all)));
        let Ok(lazy) = schunk.lazy_chunk(n) else { continue };
        if let Ok(source) = schunk.lazy_source(&lazy)
            && let Ok(reader) = ChunkReader::new(source, schunk.dparams())
            && reader.header().blocksize() <= MOST
        {
            let _ = reader.get_bytes(0..reader.header().nbytes().min(9), &mut [0; 9]);
        }
    }
    for meta in schunk.vlmetas().unwrap_or_default().iter() {
        if ChunkHeader::parse(meta.content()).is_ok_and(|header| header.nbytes() < MOST) {
            let _ = schunk.vlmeta_get(meta.name());
        }
    }
}

fn change(schunk: &mut SuperChunk, draw: &mut Draw) {
    if schunk.nchunks() >= 1000 || schunk.chunksize() as usize > MOST {
        return;
    }
    for _ in 0..2 {
        let _ = match draw.below(5) {
            0 => schunk.append_buffer(&[1; 64]),
            1 => schunk.delete_chunk(0),
            2 => schunk.vlmeta_add("new", b"content", None).map(|n| n as i64),
            3 => schunk.reorder(&(0..schunk.nchunks()).rev().collect::<Vec<_>>()).map(|()| 0),
            _ => schunk.to_cframe().map(|_| 0),
        };
    }
    read(schunk);
}

/// Whether nothing in `bytes` that looks like a chunk says that it has much: what is checked is decoded, whatever it says.
fn is_small(bytes: &[u8]) -> bool {
    let mut headers = (0..bytes.len()).filter_map(|at| ChunkHeader::parse(&bytes[at..]).ok());
    headers.all(|header| header.nbytes() <= MOST)
}

fn check(io: &Arc<dyn Backend>, bytes: &[u8]) {
    let path = Path::new("frame");
    let small = SuperChunk::open(path, 0, io.clone())
        .is_ok_and(|schunk| schunk.nchunks() <= FEW && schunk.chunksize() as usize <= MOST);
    if small && is_small(bytes) {
        let _ = verify(io, path, 0, &decoding, &mut |_| ControlFlow::Continue(()));
        let _ = recover(io, path, 0, Path::new("new"), &decoding, &mut |_| ());
    }
}

fuzz_target!(|input: (u64, &[u8])| {
    let (mut draw, bytes) = (Draw(input.0), input.1);
    if draw.one_in(2) {
        let Ok(frame) = CBuf::copy_of(bytes) else { return };
        let Ok(mut schunk) = SuperChunk::from_cframe(frame, true) else { return };
        read(&schunk);
        change(&mut schunk, &mut draw);
        return;
    }
    let memory = Memory::new();
    memory.put(Path::new("frame"), bytes);
    let io: Arc<dyn Backend> = Arc::new(memory);
    if draw.one_in(3) {
        check(&io, bytes);
    }
    let Ok(mut schunk) = SuperChunk::open(Path::new("frame"), 0, io.clone()) else { return };
    read(&schunk);
    change(&mut schunk, &mut draw);
});
