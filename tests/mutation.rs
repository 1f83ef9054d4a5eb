//! Every value of every header byte, and several changes of every other byte, of small files of every sort: a result or
//! an error, in bounded memory. What is random in other tests is exhaustive here.
#![allow(unsafe_code)] // setrlimit

mod common;

use blosc2::base::params::{CParams, FilterSlots};
use blosc2::base::{CBuf, Error};
use blosc2::chunk::ChunkHeader;
use blosc2::frame::check::verify::verify;
use blosc2::io::{Backend, Memory};
use blosc2::ndarray::open::decoding;
use blosc2::ndarray::{Blueprint, NdArray};
use blosc2::schunk::{Storage, SuperChunk};
use common::Rng;
use std::ops::{ControlFlow, Range};
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

/// The file of a frame, and which of its bytes are tried in all values.
struct Sample {
    name: &'static str,
    bytes: Vec<u8>,
    headers: Vec<Range<usize>>,
}

fn cparams(codec: u8, filters: [u8; 2], typesize: i32) -> CParams {
    let mut slots = FilterSlots::default();
    (slots[4].id, slots[5].id) = (filters[0], filters[1]);
    CParams { codec, typesize, filters: slots, ..CParams::default() }
}

fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut rng = Rng::new(11);
    let plain =
        |cparams| SuperChunk::new(Storage { contiguous: true, cparams, ..Storage::default() }).unwrap();
    let mut add = |name, mut schunk: SuperChunk| {
        let bytes = schunk.frame_bytes().unwrap().unwrap().to_vec();
        let start = u32::from_be_bytes(bytes[11..15].try_into().unwrap()) as usize;
        let tail = bytes.len() - 60.min(bytes.len());
        samples.push(Sample {
            name,
            headers: vec![0..(start + 36).min(bytes.len()), tail..bytes.len()],
            bytes,
        });
    };
    add("empty", plain(CParams::default()));
    for (name, codec, filters) in [
        ("blosclz", 0, [0, 1]),
        ("lz4, delta", 1, [3, 1]),
        ("zlib", 4, [0, 2]),
        ("zstd, bytedelta", 5, [1, 35]),
    ] {
        let mut schunk = plain(cparams(codec, filters, 4));
        for n in 0..3u32 {
            let data: Vec<u8> = (0..40).flat_map(|i| (i * n).to_le_bytes()).collect();
            schunk.append_buffer(&data).unwrap();
        }
        add(name, schunk);
    }
    let mut meta = plain(CParams::default());
    meta.meta_add("first", &rng.bytes(9)).unwrap();
    meta.meta_add("second", b"").unwrap();
    meta.append_buffer(&rng.bytes(30)).unwrap();
    meta.vlmeta_add("vl", &rng.bytes(20), None).unwrap();
    meta.vlmeta_add("other", &[5; 90], None).unwrap();
    add("metalayers", meta);
    let mut varying = plain(CParams::default());
    for n in [10, 30, 20] {
        varying.append_buffer(&rng.bytes(n)).unwrap();
    }
    add("varying sizes", varying);
    let mut dict = plain(CParams { codec: 5, use_dict: true, blocksize: 64, ..CParams::default() });
    dict.append_buffer(&(0..400u32).map(|i| (i / 9 % 7 * i % 5) as u8).collect::<Vec<_>>()).unwrap();
    add("dictionary", dict);
    for (name, shape) in [("array", &[5i64, 6][..]), ("scalar", &[]), ("line", &[30])] {
        let blueprint = Blueprint {
            storage: Storage { contiguous: true, cparams: cparams(1, [0, 1], 2), ..Storage::default() },
            shape: shape.to_vec(),
            chunkshape: shape.iter().map(|&n| n as i32 / 2 + 1).collect(),
            blockshape: shape.iter().map(|_| 2).collect(),
            dtype: None,
            metalayers: vec![(b"more".to_vec(), vec![1; 3])],
        };
        let nbytes = shape.iter().product::<i64>() as usize * 2;
        add(name, NdArray::from_buffer(&blueprint, &rng.bytes(nbytes)).unwrap().into_schunk());
    }
    samples
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
        write_seeds(Path::new(&folder));
    }
}

/// What the fuzzers start from: the frames, and their chunks.
fn write_seeds(folder: &Path) {
    for target in ["decompress", "getitem", "frame_open", "b2nd_open_slice", "sframe"] {
        std::fs::create_dir_all(folder.join(target)).unwrap();
    }
    for (i, sample) in samples().iter().enumerate() {
        for target in ["frame_open", "b2nd_open_slice", "sframe"] {
            std::fs::write(folder.join(target).join(format!("sample-{i}")), &sample.bytes).unwrap();
        }
        let schunk = SuperChunk::from_cframe_copy(&sample.bytes).unwrap();
        for n in 0..schunk.nchunks() {
            let chunk = schunk.chunk(n).unwrap();
            for target in ["decompress", "getitem"] {
                std::fs::write(folder.join(target).join(format!("sample-{i}-{n}")), &*chunk).unwrap();
            }
        }
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
    let storage = Storage {
        urlpath: Some("dir".into()),
        cparams: cparams(1, [0, 1], 4),
        io: io.clone(),
        ..Storage::default()
    };
    let mut schunk = SuperChunk::new(storage).unwrap();
    for n in 0..3u32 {
        schunk.append_buffer(&(0..40).flat_map(|i| (i * n).to_le_bytes()).collect::<Vec<_>>()).unwrap();
    }
    schunk.vlmeta_add("vl", b"content", None).unwrap();
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
