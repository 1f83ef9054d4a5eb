//! What the fuzzers of `fuzz/` start from: the samples, their chunks, their data, each in its target's form.

use crate::common::Rng;
use crate::samples::{samples, sparse};
use blosc2::codec::{self, LZ4, State, StreamParams, ZLIB, ZSTD, blosclz};
use blosc2::io::Memory;
use blosc2::schunk::SuperChunk;
use std::path::Path;

/// Writes a folder of seeds for every target.
pub fn write(folder: &Path) {
    let put = |target: &str, name: &str, parts: &[&[u8]]| {
        let folder = folder.join(target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), parts.concat()).unwrap();
    };
    for (i, sample) in samples().iter().enumerate() {
        // The number that tells those targets what to do.
        for draw in 0..4u64 {
            for target in ["frame_open", "b2nd_open_slice"] {
                put(target, &format!("sample-{i}-{draw}"), &[&draw.to_le_bytes(), &sample.bytes]);
            }
        }
        let schunk = SuperChunk::from_cframe_copy(&sample.bytes).unwrap();
        for n in 0..schunk.nchunks() {
            let (chunk, name) = (schunk.chunk(n).unwrap(), format!("sample-{i}-{n}"));
            put("decompress", &name, &[&chunk]);
            put("getitem", &name, &[&[n as u8; 8], &chunk]);
            let mut data = vec![0; schunk.chunk_header(n).unwrap().nbytes()];
            schunk.decompress_chunk(n, &mut data).unwrap();
            write_data(&put, &name, i as u8 ^ n as u8, &data);
        }
    }
    write_data(&put, "noise", 1, &Rng::new(1).bytes(700));
    write_data(&put, "runs", 2, &[[1; 300], [2; 300], [1; 300]].concat());
    let memory = Memory::new();
    drop(sparse(&memory));
    // The first chunk is all zeros and has no file.
    let files = ["chunks.b2frame", "00000000.chunk", "00000001.chunk"];
    let files = files.map(|name| memory.bytes(&Path::new("dir").join(name)).unwrap());
    let counted = files.map(|file| [&(file.len() as u16).to_le_bytes()[..], &file].concat());
    put("sframe", "sample", &counted.each_ref().map(Vec::as_slice));
}

/// Writes a seed of a target, of this name, that is these parts.
type Put<'a> = &'a dyn Fn(&str, &str, &[&[u8]]);

/// Seeds of the targets that take plain data, and what the codecs make of it.
fn write_data(put: Put<'_>, name: &str, pick: u8, data: &[u8]) {
    for codec in 0..5 {
        let parameters = [codec, pick % 10, 1 + pick % 8, pick / 3, 0, 0, pick / 2, pick % 7, pick & 1];
        put("round_trip", &format!("{name}-{codec}"), &[&parameters, data]);
    }
    put("filters_vs_scalar", name, &[&[1 + pick % 16], data]);
    let mut packed = vec![0; data.len() + 100];
    let len = blosclz::compress(&mut blosclz::Tables::default(), 9, 0, data, &mut packed);
    let room = (data.len() as u16).to_le_bytes();
    put("blosclz_decode", name, &[&room, &packed[..len]]);
    let p = StreamParams { codec: LZ4, clevel: 9, ..StreamParams::default() };
    let len = codec::compress(&p, &mut State::default(), data, &mut packed).unwrap();
    put("lz4_decode", name, &[&room, &packed[..len]]);
    put("lz4_encode", name, &[&[pick; 16], data]);
    for clevel in [1, 2, 9] {
        let p = StreamParams { codec: ZLIB, clevel, ..p };
        let len = codec::compress(&p, &mut State::default(), data, &mut packed).unwrap();
        // Without its wrapper.
        put("zlib_decode", &format!("{name}-{clevel}"), &[&room, &packed[2.min(len)..len]]);
    }
    for clevel in [1, 3] {
        let p = StreamParams { codec: ZSTD, clevel, ..p };
        for len in [30, 100, 300, data.len()].map(|len| len.min(data.len())) {
            let room = (len as u16).to_le_bytes();
            let end = codec::compress(&p, &mut State::default(), &data[..len], &mut packed).unwrap();
            // Without the number that it begins with.
            put("zstd_decode", &format!("{name}-{clevel}-{len}"), &[&room, &packed[4.min(end)..end]]);
        }
        put("zstd_encode", &format!("{name}-{clevel}"), &[&[clevel - 1; 14], data]);
    }
}
