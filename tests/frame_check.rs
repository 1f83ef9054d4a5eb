//! Verifying frames, and recovering what is left of damaged ones.

mod common;

use blosc2::base::Result;
use blosc2::base::params::{CParams, FilterSlots};
use blosc2::frame::check::recover::{Recovered, recover};
use blosc2::frame::check::verify::verify;
use blosc2::frame::check::{Finding, Part};
use blosc2::io::{Backend, Memory};
use blosc2::ndarray::open::decoding;
use blosc2::ndarray::{Blueprint, NdArray};
use blosc2::schunk::{Storage, SuperChunk};
use common::Rng;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

const CHUNK: usize = 400;

struct Place {
    memory: Memory,
    io: Arc<dyn Backend>,
}

impl Place {
    fn new() -> Self {
        let memory = Memory::new();
        Place { io: Arc::new(memory.clone()), memory }
    }

    fn verify(&self, path: &str) -> Result<Vec<Finding>> {
        let mut found = Vec::new();
        let mut report = |finding: &Finding| {
            found.push(finding.clone());
            ControlFlow::Continue(())
        };
        verify(&self.io, Path::new(path), 0, &decoding, &mut report)?;
        Ok(found)
    }

    fn recover(&self, path: &str, to: &str) -> (Recovered, Vec<Finding>) {
        let mut found = Vec::new();
        let mut report = |finding: &Finding| found.push(finding.clone());
        let done = recover(&self.io, Path::new(path), 0, Path::new(to), &decoding, &mut report).unwrap();
        assert_eq!(self.verify(to).unwrap().len(), 0, "the new frame is not whole");
        (done, found)
    }

    fn open(&self, path: &str) -> SuperChunk {
        SuperChunk::open(Path::new(path), 0, self.io.clone()).unwrap()
    }

    fn change(&self, path: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = self.memory.bytes(Path::new(path)).unwrap();
        change(&mut bytes);
        self.memory.put(Path::new(path), &bytes);
    }
}

/// A frame whose chunk `n` holds `data(n)`, with metalayers of both sorts.
fn frame(place: &Place, path: &str, contiguous: bool, n: usize) {
    let cparams = CParams { typesize: 4, ..CParams::default() };
    let storage = Storage {
        contiguous,
        urlpath: Some(path.into()),
        cparams,
        io: place.io.clone(),
        ..Storage::default()
    };
    let mut schunk = SuperChunk::new(storage).unwrap();
    schunk.meta_add("fixed", b"meta").unwrap();
    for n in 0..n {
        schunk.append_buffer(&data(n)).unwrap();
    }
    schunk.vlmeta_add("vl", b"some more", None).unwrap();
}

/// Incompressible, compressible, or nothing but zeros.
fn data(n: usize) -> Vec<u8> {
    match n % 4 {
        0 => Rng::new(n as u64).bytes(CHUNK),
        3 => vec![0; CHUNK],
        _ => (0..CHUNK / 4).flat_map(|i| ((i * n / 7) as u32).to_le_bytes()).collect(),
    }
}

fn chunk_of(schunk: &SuperChunk, n: i64) -> Vec<u8> {
    let mut out = vec![9; CHUNK];
    schunk.decompress_chunk(n, &mut out).unwrap();
    out
}

#[test]
fn whole_frames_have_no_findings_and_survive_recovery() {
    for (path, contiguous) in [("frame", true), ("dir", false)] {
        let place = Place::new();
        frame(&place, path, contiguous, 9);
        place.open(path).update_chunk(1, place.open(path).chunk(4).unwrap().into_owned().unwrap()).unwrap();
        place.open(path).reorder(&[8, 7, 6, 5, 4, 3, 2, 1, 0]).unwrap();
        assert_eq!(place.verify(path).unwrap().len(), 0);
        let (done, found) = place.recover(path, "new");
        assert_eq!((done, found.len()), (Recovered { nchunks: 9, kept: 9, lost: 0, in_order: true }, 0));
        let (old, new) = (place.open(path), place.open("new"));
        for n in 0..9 {
            assert_eq!(chunk_of(&old, n), chunk_of(&new, n));
        }
        assert_eq!(&*new.meta_get("fixed").unwrap(), b"meta");
        assert_eq!(&*new.vlmeta_get("vl").unwrap(), b"some more");
    }
}

#[test]
fn nothing_to_look_at_is_an_error() {
    let place = Place::new();
    assert!(place.verify("nothing").is_err());
    place.memory.put(Path::new("junk"), &[7; 300]);
    assert_eq!(place.verify("junk").unwrap()[0].part, Part::Structure);
    let mut ignore = |_: &Finding| {};
    assert!(recover(&place.io, Path::new("junk"), 0, Path::new("new"), &decoding, &mut ignore).is_err());
}

#[test]
fn a_damaged_chunk_is_named_and_zeros_stand_for_it() {
    let place = Place::new();
    frame(&place, "frame", true, 9);
    // Chunk 1's bytes: blocks of LZ data that no longer fit together.
    let at = place.open("frame").offsets().unwrap().unwrap()[1] as usize;
    let start = 87
        + blosc2::frame::Metalayers::parse(&place.memory.bytes(Path::new("frame")).unwrap(), 87, 16)
            .unwrap()
            .encoded_len();
    place.change("frame", |bytes| bytes[start + at + 36..start + at + 44].fill(0xff));
    let found = place.verify("frame").unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0].part, found[0].offset), (&Part::Chunk(1), Some((start + at) as u64)));
    let (done, found) = place.recover("frame", "new");
    assert_eq!(done, Recovered { nchunks: 9, kept: 8, lost: 1, in_order: true });
    assert_eq!(found[0].part, Part::Chunk(1));
    let new = place.open("new");
    for n in 0..9 {
        let expected = if n == 1 { vec![0; CHUNK] } else { data(n as usize) };
        assert_eq!(chunk_of(&new, n), expected, "chunk {n}");
    }
}

#[test]
fn sparse_frames_say_which_file_is_gone() {
    let place = Place::new();
    frame(&place, "dir", false, 6);
    place.io.remove_file(Path::new("dir/00000002.chunk")).unwrap();
    place.change("dir/00000001.chunk", |bytes| bytes.push(0));
    let found = place.verify("dir").unwrap();
    let parts: Vec<_> = found.iter().map(|finding| finding.part.clone()).collect();
    assert_eq!(parts, [Part::Chunk(1), Part::Chunk(2)]);
    let (done, _) = place.recover("dir", "new");
    assert_eq!((done.kept, done.lost, done.in_order), (5, 1, true));
    // Without the index, the files are there all the same.
    place.change("dir/chunks.b2frame", |bytes| {
        let len = bytes.len();
        bytes[120..len - 40].fill(0xee);
    });
    let (done, _) = place.recover("dir", "again");
    assert_eq!((done.kept, done.in_order), (4, false));
}

/// Whatever is overwritten, every chunk that is still whole comes back.
#[test]
fn chunks_are_found_when_header_index_or_trailer_are_gone() {
    let place = Place::new();
    frame(&place, "frame", true, 9);
    let good = place.memory.bytes(Path::new("frame")).unwrap();
    let schunk = place.open("frame");
    let offsets = schunk.offsets().unwrap().unwrap();
    let stored: Vec<Vec<u8>> =
        (0..9).filter(|&n| offsets[n] >= 0).map(|n| chunk_of(&schunk, n as i64)).collect();
    let header_len = schunk.frame_len() as usize - good.len() + 87;
    assert_eq!(header_len, 87);
    let last = *offsets.iter().max().unwrap() as usize;
    let damages: [(&str, std::ops::Range<usize>); 5] = [
        ("header", 0..60),
        ("trailer", good.len() - 30..good.len()),
        ("metalayers", 87..110),
        ("index and trailer", last + 600..good.len()),
        ("end of the index", good.len() - 130..good.len() - 90),
    ];
    for (i, (name, range)) in damages.into_iter().enumerate() {
        place.memory.put(Path::new("frame"), &good);
        place.change("frame", |bytes| bytes[range].fill(0xa5));
        assert!(!place.verify("frame").unwrap().is_empty(), "{name}");
        let to = format!("new{i}");
        let (done, found) = place.recover("frame", &to);
        assert!(!found.is_empty(), "{name}");
        let new = place.open(&to);
        let chunks: Vec<Vec<u8>> = (0..new.nchunks()).map(|n| chunk_of(&new, n)).collect();
        for chunk in &stored {
            assert!(chunks.contains(chunk), "{name}: a chunk is lost ({done:?})");
        }
        if done.in_order {
            assert_eq!(chunks, (0..9).map(data).collect::<Vec<_>>(), "{name}");
        }
    }
}

/// Without a journal: however much of an append came to pass, all that was there before is found.
#[test]
fn a_torn_append_loses_no_chunk() {
    use blosc2::io::probe::Probe;
    let place = Place::new();
    frame(&place, "start", true, 7);
    let good = place.memory.bytes(Path::new("start")).unwrap();
    let mut cuts = 0;
    for bytes in (0..900).step_by(7) {
        place.memory.put(Path::new("frame"), &good);
        let probe = Probe::new(Arc::new(place.memory.clone()));
        let mut schunk = SuperChunk::open(Path::new("frame"), 0, Arc::new(probe.clone())).unwrap();
        probe.fail_after(Some(bytes));
        if schunk.append_buffer(&data(8)).is_ok() {
            break;
        }
        let to = format!("new{bytes}");
        let (done, _) = place.recover("frame", &to);
        let new = place.open(&to);
        cuts += 1;
        assert!(done.in_order, "after {bytes} bytes");
        let chunks: Vec<Vec<u8>> = (0..new.nchunks()).map(|n| chunk_of(&new, n)).collect();
        for n in [0, 1, 2, 4, 5, 6] {
            assert!(chunks.contains(&data(n)), "after {bytes} bytes: chunk {n}");
        }
    }
    assert!(cuts > 20, "{cuts}");
}

/// Every byte of a frame changed: verifying finds it, or what is read is the same, or only a checksum could tell.
#[test]
fn verification_and_recovery_take_any_bytes() {
    let place = Place::new();
    let cparams = CParams { typesize: 2, ..CParams::default() };
    let mut filters = FilterSlots::default();
    filters[4].id = 34;
    filters[4].meta = 4;
    let storage = Storage { cparams: CParams { filters, ..cparams }, ..Storage::default() };
    let blueprint = Blueprint {
        storage: Storage { contiguous: true, urlpath: Some("array".into()), io: place.io.clone(), ..storage },
        shape: vec![8, 8],
        chunkshape: vec![4, 8],
        blockshape: vec![4, 4],
        dtype: None,
        metalayers: Vec::new(),
    };
    let bytes: Vec<u8> = (0..128).collect();
    NdArray::from_buffer(&blueprint, &bytes).unwrap();
    assert_eq!(place.verify("array").unwrap().len(), 0);
    let good = place.memory.bytes(Path::new("array")).unwrap();
    let mut found = 0;
    for at in 0..good.len() {
        for change in [1, 0x80, 0xff] {
            place.memory.put(Path::new("array"), &good);
            place.change("array", |bytes| bytes[at] ^= change);
            found += usize::from(place.verify("array").map_or(true, |found| !found.is_empty()));
            let fresh = Place::new();
            fresh.memory.put(Path::new("array"), &place.memory.bytes(Path::new("array")).unwrap());
            let _ = recover(&fresh.io, Path::new("array"), 0, Path::new("new"), &decoding, &mut |_| {});
        }
    }
    assert!(found > good.len() / 2, "{found} of {}", 3 * good.len());
}
