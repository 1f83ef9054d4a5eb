//! Super-chunks against a plain model, over all stores.

use super::rules::Position;
use super::*;
use crate::base::random::Random;
use crate::base::{CBuf, ErrorKind};
use crate::chunk::{self, Special};
use crate::io::Memory;
use std::path::Path;

/// Files in memory, of which no handle is kept, and whose paths cannot be looked at: what a user's I/O may be.
#[derive(Debug)]
struct Foreign(Memory);

impl Backend for Foreign {
    fn open(&self, path: &Path, mode: crate::io::Mode) -> crate::base::Result<Box<dyn crate::io::File>> {
        self.0.open(path, mode)
    }

    fn stamp(&self, _: &Path) -> crate::base::Result<Option<crate::io::Stamp>> {
        Ok(None)
    }
}

/// The places that chunks can be in, files in memory.
fn stores(io: &Memory) -> Vec<Storage> {
    let io: Arc<dyn Backend> = Arc::new(io.clone());
    let cparams = CParams { typesize: 4, ..CParams::default() };
    let storage = Storage { cparams, io, ..Storage::default() };
    vec![
        storage.clone(),
        Storage { contiguous: true, ..storage.clone() },
        Storage { contiguous: true, urlpath: Some("frame".into()), ..storage.clone() },
        Storage { contiguous: false, urlpath: Some("dir".into()), ..storage.clone() },
        Storage {
            contiguous: true,
            urlpath: Some("foreign".into()),
            io: Arc::new(Foreign(Memory::new())),
            ..storage
        },
    ]
}

/// Bytes of a chunk: now and then all zeros, now and then of another size.
fn chunk_bytes(rng: &mut Random, usual: usize) -> Vec<u8> {
    let len = if rng.below(40) == 0 { usual + 4 * rng.below(20) } else { usual };
    match rng.below(4) {
        0 => vec![0; len],
        1 => rng.bytes(len),
        _ => (0..len).map(|i| (i / 16 + rng.below(2)) as u8).collect(),
    }
}

#[derive(Clone, Default)]
struct Model {
    chunks: Vec<Vec<u8>>,
    vlmeta: Vec<(String, Vec<u8>)>,
}

fn compress(schunk: &SuperChunk, data: &[u8]) -> CBuf {
    chunk::compress_to_cbuf(schunk.cparams(), data).unwrap()
}

fn check(schunk: &SuperChunk, model: &Model) {
    assert_eq!(schunk.nchunks() as usize, model.chunks.len());
    assert_eq!(schunk.nbytes() as usize, model.chunks.iter().map(Vec::len).sum::<usize>());
    for (n, expected) in model.chunks.iter().enumerate() {
        let mut data = vec![0xee; expected.len()];
        assert_eq!(schunk.decompress_chunk(n as i64, &mut data).unwrap(), expected.len());
        assert_eq!(&data, expected, "chunk {n}");
    }
    assert_eq!(
        schunk.decompress_chunk(model.chunks.len() as i64, &mut []).unwrap_err().kind(),
        ErrorKind::InvalidParam
    );
    assert_eq!(schunk.vlmetas().unwrap().len(), model.vlmeta.len());
    for (name, content) in &model.vlmeta {
        assert_eq!(&*schunk.vlmeta_get(name).unwrap(), content);
    }
    assert_eq!(&*schunk.meta_get("fixed").unwrap(), b"metalayer");
}

/// Whether no first chunk can be so long: the chunk size stays when all chunks are deleted.
fn is_too_long(schunk: &SuperChunk, data: &[u8]) -> bool {
    schunk.nchunks() == 0 && schunk.chunksize() > 0 && data.len() > schunk.chunksize() as usize
}

fn step(schunk: &mut SuperChunk, model: &mut Model, rng: &mut Random) {
    let n = model.chunks.len();
    match rng.below(10) {
        0..=3 => {
            let data = chunk_bytes(rng, 256);
            if is_too_long(schunk, &data) {
                assert_eq!(schunk.append_buffer(&data).unwrap_err().kind(), ErrorKind::ChunkAppend);
                return;
            }
            assert_eq!(schunk.append_buffer(&data).unwrap() as usize, n + 1);
            model.chunks.push(data);
        }
        4 => {
            let (at, data) = (rng.below(n + 1), chunk_bytes(rng, 256));
            let chunk = compress(schunk, &data);
            if is_too_long(schunk, &data) {
                let error = schunk.insert_chunk(at as i64, chunk).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::ChunkInsert);
                return;
            }
            assert_eq!(schunk.insert_chunk(at as i64, chunk).unwrap() as usize, n + 1);
            model.chunks.insert(at, data);
        }
        5 | 6 if n > 0 => {
            let (at, data) = (rng.below(n), chunk_bytes(rng, 256));
            let chunk = compress(schunk, &data);
            assert_eq!(schunk.update_chunk(at as i64, chunk).unwrap() as usize, n);
            model.chunks[at] = data;
        }
        7 if n > 0 => {
            let at = rng.below(n);
            assert_eq!(schunk.delete_chunk(at as i64).unwrap() as usize, n - 1);
            model.chunks.remove(at);
        }
        8 if n > 1 => {
            let by = rng.below(n);
            let order: Vec<i64> = (0..n).map(|i| ((i + by) % n) as i64).collect();
            schunk.reorder(&order).unwrap();
            model.chunks.rotate_left(by);
        }
        _ => vlmeta_step(schunk, model, rng),
    }
}

fn vlmeta_step(schunk: &mut SuperChunk, model: &mut Model, rng: &mut Random) {
    let (name, content) = (format!("vl{}", rng.below(6)), chunk_bytes(rng, 64));
    let at = model.vlmeta.iter().position(|(other, _)| *other == name);
    match at {
        None => {
            assert_eq!(schunk.vlmeta_add(&name, &content, None).unwrap(), model.vlmeta.len());
            model.vlmeta.push((name, content));
        }
        Some(at) if rng.below(3) == 0 => {
            schunk.vlmeta_delete(&name).unwrap();
            model.vlmeta.remove(at);
        }
        Some(at) => {
            schunk.vlmeta_update(&name, &content, None).unwrap();
            model.vlmeta[at].1 = content;
        }
    }
}

fn reopen(schunk: SuperChunk, storage: &Storage, rng: &mut Random) -> SuperChunk {
    let reopened = match (&storage.urlpath, storage.contiguous) {
        (Some(path), _) => SuperChunk::open(path, 0, storage.io.clone()).unwrap(),
        (None, false) => SuperChunk::from_cframe_copy(&schunk.to_cframe().unwrap()).unwrap(),
        (None, true) => SuperChunk::from_cframe(schunk.to_cframe().unwrap(), rng.below(2) == 0).unwrap(),
    };
    let numbers = |s: &SuperChunk| (s.nbytes(), s.nchunks(), s.chunksize(), s.typesize(), s.has_vl_blocks());
    assert_eq!(numbers(&reopened), numbers(&schunk));
    if storage.urlpath.is_some() {
        assert_eq!(reopened.cbytes(), schunk.cbytes());
    }
    reopened
}

#[test]
fn a_chunk_that_is_given_away_is_kept_where_it_is_or_stays_with_its_giver() {
    let chunk = |schunk: &SuperChunk, byte| chunk::compress_to_cbuf(schunk.cparams(), &[byte; 4000]).unwrap();
    for contiguous in [false, true] {
        let mut schunk = SuperChunk::new(Storage { contiguous, ..Storage::default() }).unwrap();
        let mut offered = Some(chunk(&schunk, 1));
        assert_eq!(schunk.take_from(&mut offered, Position::End).unwrap(), 1);
        assert_eq!(offered.is_some(), contiguous, "a frame has its own place for it");
        let mut refused = Some(chunk(&schunk, 2));
        let error = schunk.take_from(&mut refused, Position::At(7)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidParam);
        assert!(refused.is_some());
        assert_eq!(schunk.take_from(&mut None, Position::End).unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(schunk.nchunks(), 1);
    }
}

#[test]
fn all_stores_do_what_a_list_would() {
    for seed in 1..6 {
        let io = Memory::new();
        for storage in stores(&io) {
            let mut rng = Random::new(seed * 7919);
            let mut schunk = SuperChunk::new(storage.clone()).unwrap();
            schunk.meta_add("fixed", b"metalayer").unwrap();
            let mut model = Model::default();
            for i in 0..120 {
                step(&mut schunk, &mut model, &mut rng);
                if i % 9 == 0 {
                    check(&schunk, &model);
                }
                if rng.below(15) == 0 {
                    schunk = reopen(schunk, &storage, &mut rng);
                }
            }
            check(&schunk, &model);
            check(&SuperChunk::from_cframe(schunk.to_cframe().unwrap(), true).unwrap(), &model);
        }
    }
}

#[test]
fn fills_are_not_stored_in_frames_and_survive_changes() {
    for storage in stores(&Memory::new()) {
        let mut schunk = SuperChunk::new(storage.clone()).unwrap();
        assert_eq!(schunk.fill_special(1010, Special::Nans, 400).unwrap(), 11);
        assert_eq!((schunk.nbytes(), schunk.chunksize()), (4040, 400));
        assert_eq!(schunk.cbytes(), if schunk.has_frame() { 0 } else { 11 * 32 });
        schunk.append_buffer(&[1; 400]).unwrap();
        assert_eq!(schunk.chunksize(), 0, "a full chunk after a smaller one makes sizes vary");
        let again = SuperChunk::from_cframe(schunk.to_cframe().unwrap(), true).unwrap();
        for schunk in [&schunk, &again] {
            let mut data = [0; 400];
            assert_eq!(schunk.decompress_chunk(10, &mut data).unwrap(), 40);
            assert_eq!(data[..4], f32::NAN.to_le_bytes());
            assert_eq!(schunk.decompress_chunk(11, &mut data).unwrap(), 400);
            assert_eq!(data, [1; 400]);
        }
        assert_eq!(schunk.fill_special(5, Special::Zeros, 400).unwrap_err().kind(), ErrorKind::FrameSpecial);
    }
}

#[test]
fn chunks_of_other_sizes_are_taken_by_the_rules() {
    for storage in stores(&Memory::new()) {
        let mut schunk = SuperChunk::new(storage).unwrap();
        schunk.set_chunksize(400);
        assert_eq!(schunk.append_buffer(&[1; 404]).unwrap_err().kind(), ErrorKind::ChunkAppend);
        assert_eq!((schunk.nchunks(), schunk.nbytes(), schunk.cbytes()), (0, 0, 0));
        schunk.append_buffer(&[1; 400]).unwrap();
        schunk.append_buffer(&[2; 40]).unwrap();
        assert_eq!(schunk.chunksize(), 400);
        schunk.append_buffer(&[3; 40]).unwrap();
        assert_eq!(schunk.chunksize(), 0);
        assert_eq!(
            schunk.insert_chunk(4, compress(&schunk, &[0; 4])).unwrap_err().kind(),
            ErrorKind::InvalidParam
        );
        assert_eq!(
            schunk.update_chunk(3, compress(&schunk, &[0; 4])).unwrap_err().kind(),
            ErrorKind::InvalidParam
        );
        assert_eq!(schunk.delete_chunk(-1).unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(schunk.reorder(&[0, 1, 1]).unwrap_err().kind(), ErrorKind::Data);
        assert_eq!(schunk.reorder(&[0, 1, 3]).unwrap_err().kind(), ErrorKind::Data);
        schunk.reorder(&[2, 0, 1]).unwrap();
        let mut data = [0; 400];
        assert_eq!((schunk.decompress_chunk(0, &mut data).unwrap(), data[0]), (40, 3));
    }
}

#[test]
fn metalayers_keep_their_size_and_frames_with_chunks_take_no_more() {
    for storage in stores(&Memory::new()) {
        let mut schunk = SuperChunk::new(storage).unwrap();
        let ticks = schunk.change_tick();
        assert_eq!(schunk.meta_add("one", b"12345").unwrap(), 0);
        assert_eq!(schunk.meta_add("one", b"1").unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(schunk.meta_update("one", b"ab").unwrap(), 0);
        assert_eq!(&*schunk.meta_get("one").unwrap(), b"ab345");
        assert_eq!(schunk.meta_update("one", b"123456").unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(schunk.meta_get("two").unwrap_err().kind(), ErrorKind::NotFound);
        schunk.append_buffer(&[1; 100]).unwrap();
        let framed = schunk.has_frame();
        assert_eq!(schunk.meta_add("two", b"").is_err(), framed);
        schunk.vlmeta_add("vl", b"", None).unwrap();
        assert_eq!(schunk.vlmeta_get("vl").unwrap().len(), 0);
        assert_eq!(schunk.change_tick(), ticks + 3 + u64::from(!framed));
    }
}

#[test]
fn many_variable_length_metalayers_fit() {
    let io = Memory::new();
    for storage in stores(&io) {
        let mut schunk = SuperChunk::new(storage).unwrap();
        for i in 0..100 {
            schunk.vlmeta_add(format!("meta {i}"), &[i; 10], None).unwrap();
        }
        let again = SuperChunk::from_cframe(schunk.to_cframe().unwrap(), true).unwrap();
        assert_eq!(&*again.vlmeta_get("meta 77").unwrap(), [77; 10]);
    }
    let again = SuperChunk::open(Path::new("frame"), 0, Arc::new(io)).unwrap();
    assert_eq!(&*again.vlmeta_get("meta 99").unwrap(), [99; 10]);
}

#[test]
fn a_full_disk_leaves_the_frame_as_it_was() {
    for contiguous in [true, false] {
        let (memory, name) = (Memory::new(), "frame");
        let probe = crate::io::probe::Probe::new(Arc::new(memory.clone()));
        let cparams = CParams { typesize: 4, ..CParams::default() };
        let io: Arc<dyn Backend> = Arc::new(probe.clone());
        let storage =
            Storage { contiguous, urlpath: Some(name.into()), cparams, io: io.clone(), ..Storage::default() };
        let mut schunk = SuperChunk::new(storage).unwrap();
        schunk.meta_add("fixed", b"metalayer").unwrap();
        let mut rng = Random::new(1);
        let mut model = Model::default();
        for round in 0..40 {
            let data = rng.bytes(500);
            // Each time there is room for a little less, or more, than is needed.
            probe.fill_up_at(Some(schunk.frame_len() as u64 + rng.below(700) as u64));
            if schunk.append_buffer(&data).is_ok() {
                model.chunks.push(data);
            }
            check(&schunk, &model);
            check(&SuperChunk::open(Path::new(name), 0, io.clone()).unwrap(), &model);
            let data = rng.bytes(500);
            probe.fill_up_at(Some(schunk.frame_len() as u64 + rng.below(600) as u64));
            let vl = (format!("{round}"), data);
            if schunk.vlmeta_add(&vl.0, &vl.1, None).is_ok() {
                model.vlmeta.push(vl);
            }
            check(&schunk, &model);
            check(&SuperChunk::open(Path::new(name), 0, io.clone()).unwrap(), &model);
        }
        assert!(
            model.chunks.len() > 3 && model.vlmeta.len() > 3 && model.chunks.len() + model.vlmeta.len() < 75
        );
    }
}

#[test]
fn a_write_that_fails_anywhere_is_made_good_by_the_next() {
    for cut in 0..400 {
        let probe = crate::io::probe::Probe::new(Arc::new(Memory::new()));
        let io: Arc<dyn Backend> = Arc::new(probe.clone());
        let cparams = CParams { typesize: 4, ..CParams::default() };
        let storage = Storage {
            contiguous: true,
            urlpath: Some("frame".into()),
            cparams,
            io: io.clone(),
            ..Storage::default()
        };
        let mut schunk = SuperChunk::new(storage).unwrap();
        schunk.meta_add("fixed", b"metalayer").unwrap();
        let mut model = Model { chunks: vec![vec![1; 100]; 3], ..Model::default() };
        for chunk in &model.chunks {
            schunk.append_buffer(chunk).unwrap();
        }
        probe.fail_after(Some(cut));
        let more: Vec<u8> = (0..100).collect();
        let done = schunk.append_buffer(&more).is_ok();
        schunk.refresh().unwrap();
        // When only the last step failed, the change is there.
        if done || schunk.nchunks() == 4 {
            model.chunks.push(more.clone());
        }
        check(&schunk, &model);
        probe.fail_after(None);
        schunk.append_buffer(&more).unwrap();
        model.chunks.push(more);
        check(&schunk, &model);
        check(&SuperChunk::open(Path::new("frame"), 0, io).unwrap(), &model);
    }
}
