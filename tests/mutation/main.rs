//! Every value of every header byte, and several changes of every other byte, of small files of every sort: a result or
//! an error, in bounded memory. What is random in other tests is exhaustive here.
#![allow(unsafe_code)] // setrlimit

#[path = "../common/mod.rs"]
mod common;
mod samples;
mod seeds;

use blosc2::base::params::CParams;
use blosc2::base::{CBuf, Error};
use blosc2::chunk::ChunkHeader;
use blosc2::frame::check::verify::verify;
use blosc2::io::{Backend, Memory};
use blosc2::ndarray::NdArray;
use blosc2::ndarray::open::decoding;
use blosc2::schunk::{Storage, SuperChunk};
use samples::{cparams, samples, sparse};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Once};

/// What a test may be asked to decompress; honest input can promise more.
const MOST: usize = 1 << 18;
/// Address space that all of them may use together.
const ROOM: u64 = 2 << 30;

/// Values that mean something: counts, limits, markers of msgpack.
const LIKELY: &[u8] = &[0, 1, 2, 4, 7, 0x0f, 0x20, 0x7f, 0x80, 0x90, 0xc2, 0xd3, 0xde, 0xff];

/// From now on memory that nobody needs is not to be had: a large allocation aborts, or is an error that is found.
fn bound_memory() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let used = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages: u64 = used.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        let limit = libc::rlimit { rlim_cur: pages * 4096 + ROOM, rlim_max: libc::RLIM_INFINITY };
        // SAFETY: only this process's limit is lowered.
        unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) };
    });
}

fn no_surprise<T>(result: Result<T, Error>) -> Option<T> {
    result.map_err(|e| assert!(!e.what().contains("panicked"), "{e}")).ok()
}

fn read(schunk: &SuperChunk) {
    let mut buffer = vec![0; MOST];
    for n in 0..schunk.nchunks().min(8) {
        no_surprise(schunk.decompress_chunk(n, &mut buffer));
        if let Some(lazy) = no_surprise(schunk.lazy_chunk(n)) {
            no_surprise(schunk.lazy_source(&lazy).map(drop));
        }
    }
    for meta in no_surprise(schunk.vlmetas()).unwrap_or_default().iter() {
        if ChunkHeader::parse(meta.content()).is_ok_and(|header| header.nbytes() < MOST) {
            no_surprise(schunk.vlmeta_get(meta.name()));
        }
    }
}

fn read_array(bytes: &[u8]) {
    let Some(array) = no_surprise(NdArray::from_cframe(CBuf::copy_of(bytes).unwrap())) else { return };
    let layout = array.layout();
    if layout.chunk_nbytes() <= MOST as _ && layout.nbytes() <= MOST as _ {
        no_surprise(array.to_buffer(&mut vec![0; layout.nbytes() as usize]));
    }
}

fn in_every_way(bytes: &[u8]) {
    let memory = Memory::new();
    memory.put(Path::new("frame"), bytes);
    let io: Arc<dyn Backend> = Arc::new(memory);
    if let Some(schunk) = no_surprise(SuperChunk::open(Path::new("frame"), 0, io.clone())) {
        read(&schunk);
        if schunk.chunksize() as usize <= MOST && schunk.nchunks() < 100 {
            no_surprise(verify(&io, Path::new("frame"), 0, &decoding, &mut |_| ControlFlow::Continue(())));
        }
    }
    read_array(bytes);
}

#[test]
fn every_value_of_every_byte_of_headers_and_trailers() {
    bound_memory();
    for sample in samples() {
        // Where nothing else is to be told from the sample, the values around limits and markers do.
        let all: Vec<u8> = (0..=255).collect();
        let values = if ["metalayers", "array"].contains(&sample.name) { &all } else { LIKELY };
        for at in sample.headers.iter().cloned().flatten() {
            for &value in values {
                let mut bytes = sample.bytes.clone();
                bytes[at] = value;
                in_every_way(&bytes);
            }
        }
    }
}

#[test]
fn every_other_byte_and_every_length() {
    bound_memory();
    for sample in samples() {
        for at in 0..sample.bytes.len() {
            for change in [1, 4, 0x10, 0x80, 0xff] {
                let mut bytes = sample.bytes.clone();
                bytes[at] ^= change;
                in_every_way(&bytes);
            }
            in_every_way(&sample.bytes[..at]);
        }
        in_every_way(&sample.bytes);
        assert!(SuperChunk::from_cframe_copy(&sample.bytes).is_ok(), "{}", sample.name);
    }
    if let Some(folder) = std::env::var_os("FUZZ_SEEDS") {
        seeds::write(Path::new(&folder));
    }
}

/// Lazy chunks are carried around by C callers, who may hand in anything.
#[test]
fn every_value_of_every_byte_of_lazy_chunks() {
    bound_memory();
    let memory = Memory::new();
    let storage = Storage {
        contiguous: true,
        urlpath: Some("frame".into()),
        cparams: CParams { blocksize: 64, ..cparams(1, [0, 1], 4) },
        io: Arc::new(memory),
        ..Storage::default()
    };
    let mut schunk = SuperChunk::new(storage).unwrap();
    for n in 1..4u32 {
        schunk.append_buffer(&(0..80).flat_map(|i| (i * n).to_le_bytes()).collect::<Vec<_>>()).unwrap();
    }
    let good = schunk.lazy_chunk(1).unwrap().into_owned().unwrap().to_vec();
    let dparams = schunk.dparams().clone();
    for at in 0..good.len() {
        for value in 0..=255 {
            let mut bytes = good.clone();
            bytes[at] = value;
            let Some(source) = no_surprise(schunk.lazy_source(&bytes)) else { continue };
            let Some(reader) = no_surprise(blosc2::chunk::ChunkReader::new(source, &dparams)) else {
                continue;
            };
            let nbytes = reader.header().nbytes();
            if nbytes <= MOST {
                no_surprise(reader.decompress(1, &mut vec![0; nbytes]));
            }
        }
    }
}

/// Sparse frames: every byte of the index file and of a chunk's file.
#[test]
fn every_byte_of_a_sparse_frames_files() {
    bound_memory();
    let memory = Memory::new();
    let io: Arc<dyn Backend> = Arc::new(memory.clone());
    drop(sparse(&memory));
    for (name, all) in [("dir/chunks.b2frame", 0..130), ("dir/00000001.chunk", 0..40)] {
        let good = memory.bytes(Path::new(name)).unwrap();
        for at in 0..good.len() {
            let values = if all.contains(&at) { 256 } else { 9 };
            for i in 0..values {
                let mut bytes = good.clone();
                bytes[at] =
                    if values == 256 { i as u8 } else { bytes[at] ^ [1, 2, 4, 8, 16, 32, 64, 128, 255][i] };
                memory.put(Path::new(name), &bytes);
                if let Some(schunk) = no_surprise(SuperChunk::open(Path::new("dir"), 0, io.clone())) {
                    read(&schunk);
                }
            }
        }
        memory.put(Path::new(name), &good);
    }
}
