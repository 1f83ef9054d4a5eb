//! Frames with checksums: damage is found wherever it is, and what is not damaged is read, also after the C library has
//! changed it.
#![allow(unsafe_code)] // calling the reference

mod common;
#[path = "common/schunk.rs"]
#[allow(dead_code)] // some calls are for others
mod schunk;

use blosc2::base::params::CParams;
use blosc2::base::{ErrorKind, Result};
use blosc2::chunk::{self, ChunkSource, Special};
use blosc2::frame::check::verify::verify;
use blosc2::frame::checksums;
use blosc2::io::{Backend, Disk, Memory};
use blosc2::ndarray::open::decoding;
use blosc2::ndarray::{Blueprint, NdArray};
use blosc2::schunk::{Storage, SuperChunk};
use common::{Reference, Rng};
use schunk::RefSchunk;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const ITEMS: usize = 40;
const LEN: usize = ITEMS * 4;

fn cparams() -> CParams {
    CParams { typesize: 4, ..CParams::default() }
}

fn data(number: u32) -> Vec<u8> {
    (0..ITEMS as u32).flat_map(|i| (number * 1000 + i * i * 77).to_le_bytes()).collect()
}

fn packed(number: u32) -> Vec<u8> {
    chunk::compress_to_cbuf(&CParams { in_schunk: true, ..cparams() }, &data(number)).unwrap().to_vec()
}

fn create(io: &Arc<dyn Backend>, path: Option<&Path>, contiguous: bool, checksums: bool) -> SuperChunk {
    let urlpath = path.map(Path::to_owned);
    let io = io.clone();
    SuperChunk::new(Storage { contiguous, urlpath, cparams: cparams(), io, checksums, ..Storage::default() })
        .unwrap()
}

/// A frame with chunks of two kinds, and metalayers of both.
fn fill(schunk: &mut SuperChunk) {
    schunk.meta_add("meta", b"of fixed size").unwrap();
    for number in 0..3 {
        schunk.append_buffer(&data(number)).unwrap();
    }
    schunk.append_chunk(chunk::special_chunk(&cparams(), Special::Zeros, &[], LEN).unwrap()).unwrap();
    schunk.vlmeta_add("vlmeta", b"of any size", None).unwrap();
}

/// All of a frame, read whole and in parts.
fn read(schunk: &SuperChunk) -> Result<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    for n in 0..schunk.nchunks() {
        let mut out = vec![0; LEN];
        schunk.reader(n)?.decompress(1, &mut out)?;
        schunk.decompress_chunk(n, &mut out)?;
        all.push(out);
    }
    for meta in schunk.vlmetas()?.iter() {
        schunk.vlmeta_get(meta.name())?;
    }
    Ok(all)
}

fn open(io: &Arc<dyn Backend>, path: &Path) -> Result<SuperChunk> {
    SuperChunk::open(path, 0, io.clone())
}

fn findings(io: &Arc<dyn Backend>, path: &Path) -> u64 {
    verify(io, path, 0, &decoding, &mut |_| ControlFlow::Continue(())).map_or(1, |verdict| verdict.findings)
}

#[test]
fn every_flipped_bit_is_found() {
    for (contiguous, files) in [
        (true, vec!["frame"]),
        (false, vec!["frame/chunks.b2frame", "frame/00000000.chunk", "frame/00000002.chunk"]),
    ] {
        let memory = Memory::new();
        let io: Arc<dyn Backend> = Arc::new(memory.clone());
        let path = Path::new("frame");
        fill(&mut create(&io, Some(path), contiguous, true));
        let whole = read(&open(&io, path).unwrap()).unwrap();
        assert_eq!((whole.len(), &whole[1], findings(&io, path)), (4, &data(1), 0));
        for file in files.into_iter().map(Path::new) {
            let good = memory.bytes(file).unwrap();
            for bit in 0..good.len() * 8 {
                let mut bad = good.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                memory.put(file, &bad);
                let found = open(&io, path).and_then(|schunk| read(&schunk)).is_err();
                assert!(found, "{}: bit {bit} of {} bytes", file.display(), good.len());
                assert!(findings(&io, path) > 0, "{}: bit {bit} is not verified", file.display());
            }
            memory.put(file, &good);
        }
        assert_eq!(findings(&io, path), 0);
    }
}

#[test]
fn bytes_in_memory_are_checked_as_files_are() {
    let io: Arc<dyn Backend> = Arc::new(Disk);
    let mut schunk = create(&io, None, true, true);
    fill(&mut schunk);
    let good = schunk.to_cframe().unwrap().to_vec();
    let open = |bytes: &[u8]| SuperChunk::from_cframe(blosc2::base::CBuf::copy_of(bytes)?, true);
    read(&open(&good).unwrap()).unwrap();
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert!(open(&bad).and_then(|schunk| read(&schunk)).is_err(), "bit {bit}");
    }
}

#[test]
fn damage_is_told_in_words_and_at_every_kind_of_read() {
    let memory = Memory::new();
    let io: Arc<dyn Backend> = Arc::new(memory.clone());
    let path = Path::new("frame");
    fill(&mut create(&io, Some(path), true, true));
    let mut bad = memory.bytes(path).unwrap();
    let chunk = packed(2);
    let at = bad.windows(chunk.len()).position(|window| window == chunk).unwrap();
    bad[at + chunk.len() - 3] ^= 4;
    memory.put(path, &bad);
    let schunk = open(&io, path).unwrap();
    let error = schunk.chunk(2).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    assert!(error.to_string().contains("chunk 2") && error.to_string().contains("checksum"), "{error}");
    assert!(schunk.source(2).is_err() && schunk.lazy_chunk(2).is_err() && schunk.chunk_header(2).is_err());
    assert!(schunk.chunk(1).is_ok());
}

#[test]
fn random_changes_keep_the_sums() {
    let mut rng = Rng::new(11);
    for (contiguous, on_disk) in [(true, true), (false, true), (true, false)] {
        let io: Arc<dyn Backend> = Arc::new(Memory::new());
        let path = Path::new("frame");
        let mut schunk = create(&io, on_disk.then_some(path), contiguous, true);
        let mut model: Vec<Vec<u8>> = Vec::new();
        for step in 0..300u32 {
            let n = rng.below(model.len() + 1);
            let mut bytes = chunk::compress_to_cbuf(&cparams(), &data(step)).unwrap();
            let mut raw = data(step);
            if rng.below(4) == 0 {
                bytes = chunk::special_chunk(&cparams(), Special::Zeros, &[], LEN).unwrap();
                raw = vec![0; LEN];
            }
            match rng.below(6) {
                0 | 1 => {
                    schunk.insert_chunk(n as i64, bytes).unwrap();
                    model.insert(n, raw);
                }
                2 if n < model.len() => {
                    schunk.update_chunk(n as i64, bytes).unwrap();
                    model[n] = raw;
                }
                3 if n < model.len() => {
                    schunk.delete_chunk(n as i64).unwrap();
                    model.remove(n);
                }
                4 => {
                    let order: Vec<i64> = (0..model.len() as i64).rev().collect();
                    schunk.reorder(&order).unwrap();
                    model.reverse();
                }
                _ => {
                    let name = format!("vl{}", step % 3);
                    if schunk.vlmeta_add(&name, &raw, None).is_err() {
                        schunk.vlmeta_delete(&name).unwrap();
                    }
                }
            }
            assert_eq!(read(&schunk).unwrap(), model);
            if on_disk && step % 10 == 0 {
                schunk = open(&io, path).unwrap();
                assert!(schunk.has_checksums());
                assert_eq!((read(&schunk).unwrap(), findings(&io, path)), (model.clone(), 0));
            }
        }
        let copy = SuperChunk::from_cframe(schunk.to_cframe().unwrap(), true).unwrap();
        assert_eq!((copy.has_checksums(), read(&copy).unwrap()), (true, model));
    }
}

#[test]
fn they_are_asked_for_and_given_up_by_their_metalayer() {
    let io: Arc<dyn Backend> = Arc::new(Memory::new());
    let path = Path::new("frame");
    let mut schunk = create(&io, Some(path), true, false);
    fill(&mut schunk);
    assert!(!schunk.has_checksums() && !open(&io, path).unwrap().has_checksums());
    let place = schunk.vlmeta_add(checksums::NAME, b"anything", None).unwrap();
    assert_eq!((place, schunk.has_checksums(), open(&io, path).unwrap().has_checksums()), (1, true, true));
    let error = schunk.vlmeta_add(checksums::NAME, b"anything", None).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidParam);
    schunk.vlmeta_update(checksums::NAME, b"nothing", None).unwrap();
    assert_eq!((read(&open(&io, path).unwrap()).unwrap().len(), findings(&io, path)), (4, 0));
    assert_eq!(schunk.vlmeta_delete(checksums::NAME).unwrap(), 1);
    schunk.append_buffer(&data(9)).unwrap();
    let reopened = open(&io, path).unwrap();
    assert_eq!((reopened.has_checksums(), read(&reopened).unwrap().len()), (false, 5));

    let list = schunk.copy(Storage { cparams: cparams(), ..Storage::default() }).unwrap();
    assert!(!list.has_checksums());
    let mut list = list;
    assert_eq!(list.start_checksums().unwrap_err().kind(), ErrorKind::InvalidParam);
}

struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A change that the C library makes, and how many chunks there are then.
type Change = (&'static str, fn(&mut RefSchunk<'_>), i64);

#[test]
fn the_c_library_reads_them_and_changes_them() {
    let Some(lib) = Reference::load() else { return };
    let scratch = Scratch(std::env::temp_dir().join(format!("oxiblosc2-checksums-{}", std::process::id())));
    std::fs::create_dir(&scratch.0).unwrap();
    let io: Arc<dyn Backend> = Arc::new(Disk);
    let changes: [Change; 8] = [
        ("append", |theirs| assert!(theirs.append_chunk(&packed(7)).unwrap() >= 0), 5),
        ("insert", |theirs| assert!(theirs.insert_chunk(1, &packed(7)).unwrap() >= 0), 5),
        ("update", |theirs| assert!(theirs.update_chunk(1, &packed(7)).unwrap() >= 0), 4),
        ("delete", |theirs| assert!(theirs.delete_chunk(0).unwrap() >= 0), 3),
        ("reorder", |theirs| assert!(theirs.reorder(&[3, 2, 1, 0]).unwrap() >= 0), 4),
        ("metalayer", |theirs| assert!(theirs.meta_update("meta", b"of other text").unwrap() >= 0), 4),
        ("vlmetalayer", |theirs| assert!(theirs.vlmeta_add("theirs", b"one more").unwrap() >= 0), 4),
        ("no vlmetalayer", |theirs| assert!(theirs.vlmeta_delete("vlmeta").unwrap() >= 0), 4),
    ];
    for contiguous in [true, false] {
        for (what, change, nchunks) in changes {
            let path = scratch.0.join(format!("{what}-{contiguous}"));
            fill(&mut create(&io, Some(&path), contiguous, true));
            let mut theirs = RefSchunk::open(&lib, &path, 0).unwrap();
            assert_eq!(theirs.decompress_chunk(1, LEN).unwrap(), data(1));
            assert_eq!(
                (theirs.nvlmetas(), theirs.vlmeta_get("vlmeta").unwrap()),
                (2, b"of any size".to_vec())
            );
            change(&mut theirs);
            drop(theirs);

            let mut ours = open(&io, &path).unwrap();
            let all = read(&ours).unwrap();
            assert_eq!((all.len() as i64, ours.has_checksums()), (nchunks, false), "{what}");
            assert_eq!(findings(&io, &path), 0, "{what}");
            // Our next change makes the sums again.
            ours.append_buffer(&data(8)).unwrap();
            assert!(ours.has_checksums(), "{what}");
            let ours = open(&io, &path).unwrap();
            assert!(ours.has_checksums(), "{what}");
            let again = read(&ours).unwrap();
            assert_eq!((&again[..all.len()], &again[all.len()]), (&all[..], &data(8)), "{what}");
            assert_eq!(findings(&io, &path), 0, "{what}");
            let theirs = RefSchunk::open(&lib, &path, 0).unwrap();
            assert_eq!(theirs.decompress_chunk(nchunks, LEN).unwrap(), data(8), "{what}");
        }
    }
}

#[test]
fn arrays_are_copied_with_checksums_or_without() {
    for (from, to) in [(false, true), (true, true), (true, false)] {
        let blueprint = |checksums, chunk| {
            let storage = Storage { contiguous: true, cparams: cparams(), checksums, ..Storage::default() };
            Blueprint { storage, ..Blueprint::new(4, &[ITEMS as i64], &[chunk], &[chunk]) }
        };
        let mut array = NdArray::from_buffer(&blueprint(from, 10), &data(1)).unwrap();
        array.schunk_mut().vlmeta_add("vlmeta", b"text", None).unwrap();
        // Other chunks, and the same ones.
        for chunk in [8, 10] {
            let copy = array.copy(&blueprint(to, chunk)).unwrap();
            let mut items = vec![0; LEN];
            copy.to_buffer(&mut items).unwrap();
            assert_eq!((copy.schunk().has_checksums(), items), (to, data(1)));
        }
    }
}

#[test]
fn a_part_of_a_long_chunk_is_checked() {
    let memory = Memory::new();
    let io: Arc<dyn Backend> = Arc::new(memory.clone());
    let path = Path::new("frame");
    let noise = Rng::new(5).bytes(1 << 18);
    let mut schunk = create(&io, Some(path), true, true);
    schunk.append_buffer(&noise).unwrap();
    assert!(matches!(schunk.source(0).unwrap(), ChunkSource::Owned(_)), "the first look reads all");
    assert!(matches!(schunk.source(0).unwrap(), ChunkSource::Deferred(_)), "later ones need not");
    let mut bad = memory.bytes(path).unwrap();
    bad[1 << 17] ^= 1;
    memory.put(path, &bad);
    let schunk = open(&io, path).unwrap();
    assert_eq!(schunk.reader(0).err().map(|e| e.kind()), Some(ErrorKind::Data));
}
