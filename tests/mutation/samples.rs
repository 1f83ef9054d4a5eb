//! Small files of every sort.

use crate::common::Rng;
use blosc2::base::params::{CParams, FilterSlots};
use blosc2::io::Memory;
use blosc2::ndarray::{Blueprint, NdArray};
use blosc2::schunk::{Storage, SuperChunk};
use std::ops::Range;
use std::sync::Arc;

/// The file of a frame, and which of its bytes are tried in all values.
pub struct Sample {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    pub headers: Vec<Range<usize>>,
}

/// Parameters with two filters.
pub fn cparams(codec: u8, filters: [u8; 2], typesize: i32) -> CParams {
    let mut slots = FilterSlots::default();
    (slots[4].id, slots[5].id) = (filters[0], filters[1]);
    CParams { codec, typesize, filters: slots, ..CParams::default() }
}

/// A frame of every sort.
pub fn samples() -> Vec<Sample> {
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

/// A sparse frame in `memory`'s folder "dir".
pub fn sparse(memory: &Memory) -> SuperChunk {
    let storage = Storage {
        urlpath: Some("dir".into()),
        cparams: cparams(1, [0, 1], 4),
        io: Arc::new(memory.clone()),
        ..Storage::default()
    };
    let mut schunk = SuperChunk::new(storage).unwrap();
    for n in 0..3u32 {
        schunk.append_buffer(&(0..40).flat_map(|i| (i * n).to_le_bytes()).collect::<Vec<_>>()).unwrap();
    }
    schunk.vlmeta_add("vl", b"content", None).unwrap();
    schunk
}
