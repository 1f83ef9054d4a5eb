//! What lies where in a frame's files, frames in files of several, and locks looked at from outside.

mod common;

use blosc2::chunk::Special;
use blosc2::frame::Place;
use blosc2::frame::find::frames_in;
use blosc2::frame::map::{FileMap, Part};
use blosc2::io::lock::{self, Holder};
use blosc2::io::{Backend, LockingDisk, Memory};
use blosc2::schunk::{Storage, SuperChunk};
use common::Rng;
use std::path::Path;
use std::sync::Arc;

/// Checks that every byte of every file belongs to one piece, and that the chunks are where the map says.
fn check(memory: &Memory, schunk: &SuperChunk) -> Vec<FileMap> {
    let maps = schunk.map().unwrap();
    let mut found = Vec::new();
    for map in &maps {
        let bytes = memory.bytes(&map.path).unwrap();
        let mut end = 0;
        for piece in &map.pieces {
            assert_eq!(piece.start, end);
            assert!(piece.len > 0);
            end += piece.len;
            if let Part::Chunk(n) = piece.part {
                let chunk = schunk.chunk(n).unwrap();
                assert_eq!(&bytes[piece.start as usize..end as usize], &chunk[..], "chunk {n}");
                let info = schunk.chunk_info(n).unwrap();
                assert_eq!((info.cbytes() as u64, info.nbytes()), (piece.len, info.header.nbytes()));
                if schunk.is_contiguous() {
                    assert_eq!(info.offset, Some(piece.start));
                }
                found.push(n);
            }
        }
        assert_eq!((end, map.len()), (bytes.len() as u64, end));
    }
    found.sort_unstable();
    let stored = (0..schunk.nchunks())
        .filter(|&n| matches!(schunk.chunk_info(n).unwrap().place, Some(Place::Stored(_))));
    assert_eq!(found, stored.collect::<Vec<_>>());
    maps
}

#[test]
fn every_byte_is_something_after_any_changes() {
    for contiguous in [true, false] {
        let memory = Memory::new();
        let storage = Storage {
            contiguous,
            urlpath: Some("frame".into()),
            io: Arc::new(memory.clone()),
            checksums: contiguous,
            ..Storage::default()
        };
        let mut schunk = SuperChunk::new(storage).unwrap();
        let mut rng = Rng::new(5);
        check(&memory, &schunk);
        for step in 0..60 {
            let n = rng.below(schunk.nchunks() as usize + 1) as i64;
            let special = rng.below(4) == 0;
            let data = if special { vec![0; 800] } else { rng.bytes(800) };
            match rng.below(5) {
                0 if n < schunk.nchunks() => schunk.delete_chunk(n).unwrap(),
                1 if n < schunk.nchunks() => {
                    let chunk = blosc2::chunk::compress_to_cbuf(schunk.cparams(), &data).unwrap();
                    schunk.update_chunk(n, chunk).unwrap()
                }
                2 => schunk.vlmeta_add(format!("m{step}"), &data[..step], None).unwrap() as i64,
                _ => schunk.append_buffer(&data).unwrap(),
            };
            check(&memory, &schunk);
        }
        while schunk.nchunks() > 0 {
            schunk.delete_chunk(0).unwrap();
        }
        let maps = check(&memory, &schunk);
        let parts = |part| maps[0].pieces.iter().any(|piece| piece.part == part);
        assert!(parts(Part::Header) && parts(Part::Trailer) && !parts(Part::Index));
    }
}

#[test]
fn chunks_that_are_not_stored_have_no_place() {
    let storage = Storage { contiguous: true, ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    schunk.fill_special(1000, Special::Zeros, 800).unwrap();
    let info = schunk.chunk_info(3).unwrap();
    assert_eq!((info.nbytes(), info.cbytes(), info.offset), (800, 0, None));
    assert_eq!(info.place, Some(Place::Special(Special::Zeros)));
    assert!(schunk.chunk_info(10).is_err() && schunk.chunk_info(-1).is_err());
    assert!(schunk.map().is_err());
    let mut list = SuperChunk::new(Storage::default()).unwrap();
    list.append_buffer(&[1; 80]).unwrap();
    assert!(list.chunk_info(0).unwrap().place.is_none());
}

#[test]
fn files_that_no_index_names_are_holes() {
    let memory = Memory::new();
    let io: Arc<dyn Backend> = Arc::new(memory.clone());
    let storage = Storage { urlpath: Some("frame".into()), io, ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    schunk.append_buffer(&[7; 400]).unwrap();
    memory.put(Path::new("frame/0000000A.chunk"), &[1; 50]);
    memory.put(Path::new("frame/notes.txt"), &[1; 50]);
    memory.put(Path::new("frame/000000a.chunk"), &[1; 50]);
    let maps = check(&memory, &schunk);
    assert_eq!(maps.len(), 3);
    assert_eq!(maps[2].bytes_of(Part::Hole), 50);
}

#[test]
fn frames_are_found_among_other_things() {
    let memory = Memory::new();
    let io: Arc<dyn Backend> = Arc::new(memory.clone());
    let mut schunk = SuperChunk::new(Storage { contiguous: true, ..Storage::default() }).unwrap();
    schunk.append_buffer(&[3; 4000]).unwrap();
    let frame = schunk.to_cframe().unwrap().to_vec();
    // One inside of another is the other's.
    let mut outer = SuperChunk::new(Storage { contiguous: true, ..Storage::default() }).unwrap();
    outer.set_cparams(blosc2::CParams { clevel: 0, ..outer.cparams().clone() });
    outer.append_buffer(&frame).unwrap();
    let outer = outer.to_cframe().unwrap().to_vec();
    let junk = vec![0x9e; (1 << 20) + 5];
    let torn = &frame[..frame.len() - 1];
    let path = Path::new("file");
    memory.put(path, &[&frame[..], b"\x9e\xa8b2frame\0", &outer, &junk, &frame, &frame, torn].concat());
    let lens = frames_in(&io, path).unwrap();
    let (f, o, j) = (frame.len() as u64, outer.len() as u64, junk.len() as u64);
    let (second, third) = (f + 10, f + 10 + o + j);
    assert_eq!(lens, [0..f, second..second + o, third..third + f, third + f..third + 2 * f]);
    memory.put(path, b"");
    assert_eq!(frames_in(&io, path).unwrap(), []);
    assert!(frames_in(&io, Path::new("nothing")).is_err());
}

#[test]
fn locks_are_looked_at_without_being_taken() {
    let path = std::env::temp_dir().join(format!("oxiblosc2-look-{}.b2frame", std::process::id()));
    assert_eq!(lock::look(&path, false).unwrap(), None);
    let io: Arc<dyn Backend> = Arc::new(LockingDisk);
    let storage = Storage { contiguous: true, urlpath: Some(path.clone()), io, ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    schunk.append_buffer(b"one").unwrap();
    let look = || lock::look(&path, false).unwrap().unwrap();
    let before = look();
    assert_eq!((before.holder, before.generation > 0), (Holder::Nobody, true));
    schunk.lock().unwrap();
    assert_eq!((look().holder, look().generation), (Holder::Writer, before.generation + 1));
    schunk.unlock().unwrap();
    let other = blosc2::io::lock::SidecarLock::new(&path, false);
    let shared = other.shared().unwrap();
    assert_eq!(look().holder, Holder::Readers);
    drop(shared);
    assert_eq!(look().holder, Holder::Nobody);
    blosc2::io::remove::remove_urlpath(&path).unwrap();
}
