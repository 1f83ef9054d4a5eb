//! Frames with any byte changed, and cut at any length: an error or a result, and no memory beyond reason.

mod common;

use blosc2::base::params::CParams;
use blosc2::base::{CBuf, ErrorKind};
use blosc2::chunk::{self, ChunkHeader, Special};
use blosc2::io::{Backend, Memory};
use blosc2::schunk::{Storage, SuperChunk};
use common::Rng;
use std::path::Path;
use std::sync::Arc;

/// Small frames of every sort.
fn frames() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(3);
    let mut frames = Vec::new();
    for sort in 0..5 {
        let cparams = CParams { typesize: 4, ..CParams::default() };
        let mut schunk =
            SuperChunk::new(Storage { contiguous: true, cparams, ..Storage::default() }).unwrap();
        schunk.meta_add("b2nd", &rng.bytes(12)).unwrap();
        match sort {
            0 => {}
            1 => drop(schunk.fill_special(100, Special::Nans, 80).unwrap()),
            2 => {
                for i in 0..4 {
                    schunk.append_buffer(&[i; 64]).unwrap();
                }
            }
            3 => {
                for i in 0..4 {
                    schunk.append_buffer(&rng.bytes(8 + 40 * i)).unwrap();
                }
            }
            _ => {
                schunk.append_buffer(&(0..100u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>()).unwrap();
                schunk.vlmeta_add("vl", &rng.bytes(20), None).unwrap();
                schunk.vlmeta_add("other", &[5; 200], None).unwrap();
            }
        }
        frames.push(schunk.to_cframe().unwrap().to_vec());
    }
    frames
}

/// Reads everything there is, then changes it in every way. Memory is bounded by what the test can allocate: a chunk
/// that claims more than a few MB is not decompressed.
fn use_it(mut schunk: SuperChunk) {
    let mut buffer = vec![0; 1 << 16];
    for n in 0..schunk.nchunks().min(20) {
        let _ = schunk.chunk(n);
        let _ = schunk.reader(n);
        let _ = schunk.decompress_chunk(n, &mut buffer);
    }
    for meta in schunk.vlmetas().unwrap_or_default().iter() {
        // A few bytes may honestly say that they stand for 2 GB of the same; there is no need to see them.
        if ChunkHeader::parse(meta.content()).is_ok_and(|header| header.nbytes() < 1 << 20) {
            let _ = schunk.vlmeta_get(meta.name());
        }
    }
    if schunk.nchunks() > 1000 {
        return;
    }
    let _ = schunk.append_buffer(&[1; 64]);
    let _ = schunk.update_chunk(0, CBuf::copy_of(&schunk_chunk()).unwrap());
    let _ = schunk.delete_chunk(0);
    let _ = schunk.insert_chunk(0, CBuf::copy_of(&schunk_chunk()).unwrap());
    let _ = schunk.vlmeta_add("new", b"content", None);
    let _ = schunk.to_cframe();
}

fn schunk_chunk() -> Vec<u8> {
    blosc2::chunk::compress_to_cbuf(&CParams::default(), &[3; 300]).unwrap().to_vec()
}

fn open_in_every_way(bytes: &[u8]) {
    if let Ok(schunk) = SuperChunk::from_cframe(CBuf::copy_of(bytes).unwrap(), true) {
        use_it(schunk);
    }
    if let Ok(schunk) = SuperChunk::from_cframe_copy(bytes) {
        use_it(schunk);
    }
    let memory = Memory::new();
    memory.put(Path::new("frame"), bytes);
    if let Ok(schunk) = SuperChunk::open(Path::new("frame"), 0, Arc::new(memory)) {
        use_it(schunk);
    }
}

#[test]
fn every_byte_changed() {
    for frame in frames() {
        for at in 0..frame.len() {
            for change in [1, 0x10, 0x80, 0xff, 0x7f] {
                let mut bytes = frame.clone();
                bytes[at] ^= change;
                open_in_every_way(&bytes);
            }
        }
    }
}

#[test]
fn every_length_but_its_own() {
    for frame in frames() {
        for len in 0..frame.len() {
            assert!(SuperChunk::from_cframe_copy(&frame[..len]).is_err(), "{len} of {}", frame.len());
            open_in_every_way(&frame[..len]);
        }
        let mut longer = frame.clone();
        longer.push(0);
        assert!(SuperChunk::from_cframe_copy(&longer).is_err());
        open_in_every_way(&longer);
    }
}

#[test]
fn headers_of_random_numbers() {
    let mut rng = Rng::new(77);
    let frames = frames();
    for _ in 0..3000 {
        let mut bytes = frames[rng.below(frames.len())].clone();
        for _ in 0..1 + rng.below(4) {
            let at = 11 + rng.below(76);
            bytes[at] = rng.next() as u8;
        }
        open_in_every_way(&bytes);
    }
}

#[test]
fn sparse_frames_whose_files_are_damaged_or_gone() {
    let memory = Memory::new();
    let io: Arc<dyn Backend> = Arc::new(memory.clone());
    let storage = Storage { urlpath: Some("dir".into()), io: io.clone(), ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    let mut rng = Rng::new(8);
    for _ in 0..3 {
        schunk.append_buffer(&rng.bytes(400)).unwrap();
    }
    let names = ["chunks.b2frame", "00000000.chunk", "00000002.chunk"];
    for name in names {
        let path = Path::new("dir").join(name);
        let good = memory.bytes(&path).unwrap();
        for at in 0..good.len().min(200) {
            let mut bytes = good.clone();
            bytes[at] ^= 0xff;
            for damaged in [&bytes[..], &good[..at]] {
                memory.put(&path, damaged);
                if let Ok(schunk) = SuperChunk::open(Path::new("dir"), 0, io.clone()) {
                    for n in 0..3 {
                        let _ = schunk.decompress_chunk(n, &mut [0; 400]);
                    }
                }
            }
        }
        io.remove_file(&path).unwrap();
        let opened = SuperChunk::open(Path::new("dir"), 0, io.clone());
        let read = opened.and_then(|schunk| {
            schunk.decompress_chunk(0, &mut [0; 400]).and(schunk.decompress_chunk(2, &mut [0; 400]))
        });
        assert!(read.is_err());
        memory.put(&path, &good);
    }
}

/// A few bytes can tell of as many chunks as an index can hold. They are not counted out where the frame has no room for
/// them, nor bytes that they could stand for.
#[test]
fn an_index_of_more_chunks_than_can_be() {
    let mut schunk = SuperChunk::new(Storage { contiguous: true, ..Storage::default() }).unwrap();
    for len in [10, 30, 20] {
        schunk.append_buffer(&[7; 40][..len]).unwrap();
    }
    let (index_at, trailer_at) = {
        let header_len =
            u32::from_be_bytes(schunk.frame_bytes().unwrap().unwrap()[11..15].try_into().unwrap());
        (
            header_len as usize + schunk.cbytes() as usize,
            (schunk.frame_len() as u64 - schunk.trailer_len()) as usize,
        )
    };
    let good = schunk.frame_bytes().unwrap().unwrap().to_vec();
    assert_eq!(ChunkHeader::parse(&good[index_at..]).unwrap().nbytes(), 24);
    let items = CParams { typesize: 8, ..CParams::default() };
    for special in [Special::Uninit, Special::Nans] {
        let index = chunk::special_chunk(&items, special, &[], 1 << 30).unwrap();
        let mut bytes = [&good[..index_at], &index, &good[trailer_at..]].concat();
        let len = bytes.len() as u64;
        bytes[16..24].copy_from_slice(&len.to_be_bytes());
        let refused = SuperChunk::from_cframe_copy(&bytes).map(drop).expect_err("there is no room for them");
        assert_eq!(refused.kind(), ErrorKind::InvalidHeader);
        assert!(refused.to_string().contains("an index of 134217728 chunks"), "{refused}");
    }
}
