//! Super-chunks and frames to and from the reference library, and their books beside its.
#![allow(unsafe_code)] // calling the reference

mod common;
#[path = "common/schunk.rs"]
#[allow(dead_code)] // some calls are for others
mod schunk;

use blosc2::base::params::CParams;
use blosc2::chunk::{self, Special};
use blosc2::io::{Backend, Disk};
use blosc2::schunk::{Storage, SuperChunk};
use common::cctx::RefCParams;
use common::{Reference, Rng};
use schunk::{Numbers, RefSchunk};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory that goes when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("oxiblosc2-frames-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir(&dir).unwrap();
        Scratch(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn disk() -> Arc<dyn Backend> {
    Arc::new(Disk)
}

fn cparams() -> CParams {
    CParams { typesize: 4, codec: 5, clevel: 3, nthreads: 2, ..CParams::default() }
}

fn ref_cparams() -> RefCParams {
    RefCParams { typesize: 4, compcode: 5, clevel: 3, nthreads: 2, ..RefCParams::default() }
}

/// Where chunks can be: contiguous or not, in memory or on disk.
const STORES: [(bool, bool); 4] = [(false, false), (true, false), (true, true), (false, true)];

struct Pair<'l> {
    ours: SuperChunk,
    theirs: RefSchunk<'l>,
}

impl<'l> Pair<'l> {
    fn new(lib: &'l Reference, contiguous: bool, paths: Option<(&Path, &Path)>) -> Self {
        let urlpath = paths.map(|(ours, _)| ours.to_owned());
        let storage = Storage { contiguous, urlpath, cparams: cparams(), ..Storage::default() };
        let ours = SuperChunk::new(storage).unwrap();
        let theirs = RefSchunk::create(lib, contiguous, paths.map(|(_, path)| path), ref_cparams()).unwrap();
        Pair { ours, theirs }
    }

    /// In a file of ours chunks that are replaced leave holes, up to a quarter of what all take.
    fn check_numbers(&self, when: &str) {
        let (mut ours, theirs) = (numbers(&self.ours), self.theirs.numbers());
        if self.ours.disk().is_some() && self.ours.is_contiguous() {
            assert!(
                ours.cbytes <= theirs.cbytes + (theirs.cbytes / 4).max(4096),
                "{when}: {ours:?} {theirs:?}"
            );
            ours.cbytes = theirs.cbytes;
        }
        assert_eq!(ours, theirs, "{when}");
    }
}

fn numbers(s: &SuperChunk) -> Numbers {
    Numbers {
        nchunks: s.nchunks(),
        nbytes: s.nbytes(),
        cbytes: s.cbytes(),
        chunksize: s.chunksize(),
        blocksize: s.blocksize(),
        typesize: s.typesize(),
    }
}

fn data(rng: &mut Rng, len: usize) -> Vec<u8> {
    match rng.below(4) {
        0 => vec![0; len],
        1 => rng.bytes(len),
        _ => (0..len).map(|i| (i / 9) as u8 ^ rng.below(3) as u8).collect(),
    }
}

/// The contents of a super-chunk of each library are the same.
fn same(ours: &SuperChunk, theirs: &RefSchunk<'_>) {
    assert_eq!(ours.nchunks(), theirs.numbers().nchunks);
    for n in 0..ours.nchunks() {
        let len = ours.chunk_header(n).unwrap().nbytes();
        let mut data = vec![0xaa; len];
        ours.decompress_chunk(n, &mut data).unwrap();
        assert!(theirs.decompress_chunk(n, len).unwrap() == data, "chunk {n}");
    }
    let metas: Vec<_> = ours.metas().iter().map(|m| (name_of(m.name()), m.content().to_vec())).collect();
    assert_eq!(metas, theirs.metas());
    let vlmetas = ours.vlmetas().unwrap();
    assert_eq!(vlmetas.len(), theirs.nvlmetas());
    for meta in vlmetas.iter() {
        let content = ours.vlmeta_get(meta.name()).unwrap();
        assert_eq!(*content, *theirs.vlmeta_get(&name_of(meta.name())).unwrap());
    }
}

fn name_of(name: &[u8]) -> String {
    String::from_utf8(name.to_vec()).unwrap()
}

/// The two do the same; the chunks are compressed by us, so that the books can be equal to the byte.
fn random_step(pair: &mut Pair<'_>, rng: &mut Rng, sizes_vary: bool) -> String {
    let Pair { ours, theirs } = pair;
    let n = ours.nchunks();
    let len = if sizes_vary && rng.below(9) == 0 { 4 + 4 * rng.below(300) } else { 1000 };
    let mut chunk = chunk::compress_to_cbuf(ours.cparams(), &data(rng, len)).unwrap();
    // In a frame whose chunks vary, the reference cannot read special chunks.
    while sizes_vary && blosc2::chunk::ChunkHeader::parse(&chunk).unwrap().special().is_some() {
        chunk = chunk::compress_to_cbuf(ours.cparams(), &data(rng, len)).unwrap();
    }
    let copy = blosc2::base::CBuf::copy_of(&chunk).unwrap();
    match rng.below(8) {
        0 | 1 => {
            assert_eq!(ours.append_chunk(copy).unwrap(), theirs.append_chunk(&chunk).unwrap());
            format!("append {len}")
        }
        2 => {
            let at = rng.below(n as usize + 1) as i64;
            assert_eq!(ours.insert_chunk(at, copy).unwrap(), theirs.insert_chunk(at, &chunk).unwrap());
            format!("insert {len} at {at}")
        }
        3 | 4 if n > 0 => {
            let at = rng.below(n as usize) as i64;
            assert_eq!(ours.update_chunk(at, copy).unwrap(), theirs.update_chunk(at, &chunk).unwrap());
            format!("update {at} to {len}")
        }
        5 if n > 1 => {
            let at = rng.below(n as usize) as i64;
            assert_eq!(ours.delete_chunk(at).unwrap(), theirs.delete_chunk(at).unwrap());
            format!("delete {at}")
        }
        6 if n > 1 && !sizes_vary => {
            let by = rng.below(n as usize) as i64;
            let order: Vec<i64> = (0..n).map(|i| (i + by) % n).collect();
            ours.reorder(&order).unwrap();
            theirs.reorder(&order).unwrap();
            format!("rotate by {by}")
        }
        _ => vlmeta_step(ours, theirs, rng),
    }
}

fn vlmeta_step(ours: &mut SuperChunk, theirs: &mut RefSchunk<'_>, rng: &mut Rng) -> String {
    let (name, len) = (format!("vl{}", rng.below(5)), rng.below(200));
    let content = data(rng, len);
    if ours.vlmeta_exists(&name).is_err() {
        let added = ours.vlmeta_add(&name, &content, None).unwrap();
        assert_eq!(added as i64, theirs.vlmeta_add(&name, &content).unwrap());
    } else if rng.below(3) == 0 {
        assert_eq!(ours.vlmeta_delete(&name).unwrap() as i64, theirs.vlmeta_delete(&name).unwrap());
    } else {
        ours.vlmeta_update(&name, &content, None).unwrap();
        theirs.vlmeta_update(&name, &content).unwrap();
    }
    format!("vlmeta {name}")
}

#[test]
fn the_books_are_the_references() {
    let Some(lib) = Reference::load() else { return };
    for (i, (contiguous, on_disk)) in STORES.into_iter().enumerate() {
        for sizes_vary in [false, true] {
            let scratch = Scratch::new(&format!("books{i}{sizes_vary}"));
            let (a, b) = (scratch.path("ours"), scratch.path("theirs"));
            let mut pair = Pair::new(&lib, contiguous, on_disk.then_some((&a, &b)));
            pair.check_numbers("new");
            pair.ours.meta_add("one", b"content").unwrap();
            pair.theirs.meta_add("one", b"content").unwrap();
            let mut rng = Rng::new(17 + i as u64);
            for _ in 0..150 {
                let what = random_step(&mut pair, &mut rng, sizes_vary);
                pair.check_numbers(&format!("contiguous {contiguous}, on disk {on_disk}: {what}"));
            }
            same(&pair.ours, &pair.theirs);
            if on_disk {
                same(&SuperChunk::open(&b, 0, disk()).unwrap(), &RefSchunk::open(&lib, &a, 0).unwrap());
            } else {
                let ours = pair.ours.to_cframe().unwrap();
                let theirs = pair.theirs.to_buffer().unwrap();
                same(
                    &SuperChunk::from_cframe_copy(&theirs).unwrap(),
                    &RefSchunk::from_buffer(&lib, &ours).unwrap(),
                );
            }
        }
    }
}

/// A frame cut in its parts, lengths that depend on how the index compresses left out.
fn parts(frame: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let header_len = u32::from_be_bytes(frame[11..15].try_into().unwrap()) as usize;
    let at = frame.len() - 22;
    let trailer_len = u32::from_be_bytes(frame[at..at + 4].try_into().unwrap()) as usize;
    let mut header = frame[..header_len].to_vec();
    header[16..24].fill(0);
    (header, frame[frame.len() - trailer_len..].to_vec())
}

fn same_parts(ours: &[u8], theirs: &[u8], when: &str) {
    let ((our_header, our_trailer), (header, trailer)) = (parts(ours), parts(theirs));
    assert_eq!(our_header, header, "header, {when}");
    assert_eq!(our_trailer, trailer, "trailer, {when}");
}

#[test]
fn headers_and_trailers_are_the_references_to_the_byte() {
    let Some(lib) = Reference::load() else { return };
    for (i, (contiguous, on_disk)) in STORES.into_iter().enumerate() {
        if !contiguous && !on_disk {
            continue;
        }
        let scratch = Scratch::new(&format!("parts{i}"));
        let (a, b) = (scratch.path("ours"), scratch.path("theirs"));
        let mut pair = Pair::new(&lib, contiguous, on_disk.then_some((&a, &b)));
        let check = |pair: &mut Pair<'_>, when: &str| {
            let file = |path: &Path| {
                std::fs::read(if contiguous { path.into() } else { path.join("chunks.b2frame") })
            };
            let (ours, theirs) = if on_disk {
                (file(&a).unwrap(), file(&b).unwrap())
            } else {
                (pair.ours.frame_bytes().unwrap().unwrap().to_vec(), pair.theirs.to_buffer().unwrap())
            };
            same_parts(&ours, &theirs, when);
        };
        check(&mut pair, "new");
        for (name, content) in
            [("b2nd", &[1u8; 40][..]), ("", b""), ("a name of thirty-one characters", b"x")]
        {
            pair.ours.meta_add(name, content).unwrap();
            pair.theirs.meta_add(name, content).unwrap();
            check(&mut pair, "metalayer added");
        }
        // Stored as it is, so that both compress it to the same.
        pair.ours.vlmeta_add("vl", b"short", None).unwrap();
        pair.theirs.vlmeta_add("vl", b"short").unwrap();
        check(&mut pair, "variable-length metalayer added");
        for n in 0..5 {
            let chunk =
                chunk::compress_to_cbuf(pair.ours.cparams(), &vec![n / 2 + 1; 4000 - 4 * (n as usize / 4)])
                    .unwrap();
            pair.theirs.append_chunk(&chunk).unwrap();
            pair.ours.append_chunk(chunk).unwrap();
            check(&mut pair, "chunk appended");
        }
        pair.ours.meta_update("b2nd", b"other").unwrap();
        pair.theirs.meta_update("b2nd", b"other").unwrap();
        check(&mut pair, "metalayer updated");
        let chunk = chunk::compress_to_cbuf(pair.ours.cparams(), &[9; 40]).unwrap();
        pair.theirs.append_chunk(&chunk).unwrap();
        pair.ours.append_chunk(chunk).unwrap();
        check(&mut pair, "chunks of varying size");
        pair.ours.vlmeta_delete("vl").unwrap();
        pair.theirs.vlmeta_delete("vl").unwrap();
        check(&mut pair, "variable-length metalayer deleted");
    }
}

/// What the reference makes of a list when it is asked for a frame.
#[test]
fn frames_made_of_lists_have_the_references_headers() {
    let Some(lib) = Reference::load() else { return };
    let mut pair = Pair::new(&lib, false, None);
    for n in 0..4u8 {
        let chunk = chunk::compress_to_cbuf(pair.ours.cparams(), &vec![n; 4000]).unwrap();
        pair.theirs.append_chunk(&chunk).unwrap();
        pair.ours.append_chunk(chunk).unwrap();
        let (ours, theirs) = (pair.ours.to_cframe().unwrap(), pair.theirs.to_buffer().unwrap());
        same_parts(&ours, &theirs, &format!("{} chunks", n + 1));
    }
}

#[test]
fn fills_are_the_references() {
    let Some(lib) = Reference::load() else { return };
    for (i, (contiguous, on_disk)) in STORES.into_iter().enumerate() {
        for special in [Special::Zeros, Special::Nans, Special::Uninit] {
            let scratch = Scratch::new(&format!("fill{i}{special:?}"));
            let (a, b) = (scratch.path("ours"), scratch.path("theirs"));
            let mut pair = Pair::new(&lib, contiguous, on_disk.then_some((&a, &b)));
            let filled = pair.ours.fill_special(10_001, special, 4000).unwrap();
            assert_eq!(filled, pair.theirs.fill_special(10_001, special.code(), 4000).unwrap());
            pair.check_numbers("filled");
            for n in [0, 5, 10] {
                assert_eq!(
                    *pair.ours.chunk(n).unwrap(),
                    *pair.theirs.chunk(n).unwrap(),
                    "{special:?} chunk {n}"
                );
            }
            let chunk = chunk::compress_to_cbuf(pair.ours.cparams(), &Rng::new(1).bytes(4000)).unwrap();
            pair.theirs.update_chunk(3, &chunk).unwrap();
            pair.ours.update_chunk(3, chunk).unwrap();
            pair.check_numbers("one chunk updated");
            if on_disk {
                let (ours, theirs) =
                    (RefSchunk::open(&lib, &a, 0).unwrap(), SuperChunk::open(&b, 0, disk()).unwrap());
                assert_eq!(numbers(&theirs), ours.numbers());
                assert_eq!(*theirs.chunk(3).unwrap(), *ours.chunk(3).unwrap());
            }
        }
    }
}

#[test]
fn frames_stand_anywhere_in_a_file() {
    let Some(lib) = Reference::load() else { return };
    let scratch = Scratch::new("offset");
    let path = scratch.path("many");
    std::fs::write(&path, b"something else").unwrap();
    let mut rng = Rng::new(5);
    let mut offsets = Vec::new();
    for i in 0..4 {
        let mut pair = Pair::new(&lib, i % 2 == 0, None);
        for _ in 0..5 {
            let data = data(&mut rng, 3000);
            pair.ours.append_buffer(&data).unwrap();
            pair.theirs.append_buffer(&data).unwrap();
        }
        let mine = pair.ours.append_file(&path, &disk()).unwrap();
        offsets.push((mine, pair.theirs.append_file(&path).unwrap(), pair));
    }
    for (mine, other, pair) in &offsets {
        same(&SuperChunk::open(&path, *other as u64, disk()).unwrap(), &pair.theirs);
        same(&pair.ours, &RefSchunk::open(&lib, &path, *mine).unwrap());
    }
    let before = std::fs::read(&path).unwrap();
    let mut inner = SuperChunk::open(&path, offsets[1].0 as u64, disk()).unwrap();
    assert!(inner.append_buffer(&rng.bytes(3000)).is_err(), "it would grow over the next frame");
    assert!(std::fs::read(&path).unwrap() == before);
    assert_eq!(inner.nchunks(), 5);
    let mut last = SuperChunk::open(&path, offsets[3].1 as u64, disk()).unwrap();
    last.append_buffer(&rng.bytes(3000)).unwrap();
    assert_eq!(RefSchunk::open(&lib, &path, offsets[3].1).unwrap().numbers().nchunks, 6);
    let kept = ..offsets[3].1 as usize;
    assert!(std::fs::read(&path).unwrap()[kept] == before[kept]);
}

#[test]
fn a_hundred_thousand_chunks_are_read_by_the_reference() {
    let Some(lib) = Reference::load() else { return };
    let scratch = Scratch::new("hundred-thousand");
    let path = scratch.path("frame");
    let cparams = CParams { typesize: 4, clevel: 1, ..CParams::default() };
    let mut ours = SuperChunk::new(Storage { contiguous: true, cparams, ..Storage::default() }).unwrap();
    let data = |n: u32| [n, n ^ 0x5555, 7, n.wrapping_mul(0x9e37_79b1)].map(u32::to_le_bytes).concat();
    for n in 0..100_000 {
        ours.append_buffer(&data(n)).unwrap();
    }
    ours.to_file(&path, &disk()).unwrap();
    let mut theirs = RefSchunk::open(&lib, &path, 0).unwrap();
    assert_eq!(theirs.numbers(), numbers(&ours));
    for n in (0..100_000).step_by(211).chain([2047, 2048, 99_999]) {
        assert_eq!(theirs.decompress_chunk(i64::from(n), 16).unwrap(), data(n));
    }
    // And goes on where ours ended.
    theirs.append_buffer(&data(100_000)).unwrap();
    let mut ours = SuperChunk::open(&path, 0, disk()).unwrap();
    ours.append_buffer(&data(100_001)).unwrap();
    for n in [0, 65_536, 99_999, 100_000, 100_001] {
        let mut found = [0; 16];
        ours.decompress_chunk(i64::from(n), &mut found).unwrap();
        assert_eq!(found[..], data(n));
    }
    assert_eq!(
        RefSchunk::open(&lib, &path, 0).unwrap().decompress_chunk(100_001, 16).unwrap(),
        data(100_001)
    );
}

#[test]
fn long_indexes_are_read_both_ways() {
    let Some(lib) = Reference::load() else { return };
    let scratch = Scratch::new("long");
    let (a, b) = (scratch.path("ours"), scratch.path("theirs"));
    let mut pair = Pair::new(&lib, true, Some((&a, &b)));
    for i in 0..5000u32 {
        let chunk = chunk::compress_to_cbuf(pair.ours.cparams(), &i.to_le_bytes().repeat(3 + i as usize % 5))
            .unwrap();
        pair.ours.append_chunk(chunk).unwrap();
    }
    let reopened = RefSchunk::open(&lib, &a, 0).unwrap();
    assert_eq!(reopened.numbers(), numbers(&pair.ours));
    same(&pair.ours, &reopened);
    for i in 0..2500u32 {
        pair.theirs.append_buffer(&i.to_le_bytes().repeat(20)).unwrap();
    }
    let mut reopened = SuperChunk::open(&b, 0, disk()).unwrap();
    same(&reopened, &pair.theirs);
    reopened.append_buffer(&[1; 80]).unwrap();
    same(&reopened, &RefSchunk::open(&lib, &b, 0).unwrap());
}

#[test]
fn files_made_by_conversion_are_read_both_ways() {
    let Some(lib) = Reference::load() else { return };
    let scratch = Scratch::new("convert");
    let mut rng = Rng::new(11);
    for (i, (contiguous, on_disk)) in STORES.into_iter().enumerate() {
        let path = |name: &str| scratch.path(&format!("{name}{i}"));
        let (a, b) = (path("ours"), path("theirs"));
        let mut pair = Pair::new(&lib, contiguous, on_disk.then_some((&a, &b)));
        for _ in 0..6 {
            let data = data(&mut rng, 2000);
            pair.ours.append_buffer(&data).unwrap();
            pair.theirs.append_buffer(&data).unwrap();
        }
        pair.ours.vlmeta_add("vl", b"variable", None).unwrap();
        pair.theirs.vlmeta_add("vl", b"variable").unwrap();
        let (c, d) = (path("our copy"), path("their copy"));
        assert_eq!(pair.ours.to_file(&c, &disk()).unwrap(), std::fs::metadata(&c).unwrap().len() as i64);
        pair.theirs.to_file(&d).unwrap();
        same(&pair.ours, &RefSchunk::open(&lib, &c, 0).unwrap());
        same(&SuperChunk::open(&d, 0, disk()).unwrap(), &pair.theirs);
    }
}

#[test]
fn slices_are_the_references() {
    let Some(lib) = Reference::load() else { return };
    let mut rng = Rng::new(23);
    for (i, (contiguous, on_disk)) in STORES.into_iter().enumerate() {
        let scratch = Scratch::new(&format!("slices{i}"));
        let (a, b) = (scratch.path("ours"), scratch.path("theirs"));
        let mut pair = Pair::new(&lib, contiguous, on_disk.then_some((&a, &b)));
        for len in [40_000, 40_000, 40_000, 8_004] {
            let data = data(&mut rng, len);
            pair.ours.append_buffer(&data).unwrap();
            pair.theirs.append_buffer(&data).unwrap();
        }
        let nitems = pair.ours.nbytes() as usize / 4;
        for round in 0..60 {
            let start = rng.below(nitems + 1);
            let stop = start + rng.below(nitems - start + 1);
            let (start, stop) = (start as i64, if round == 0 { nitems as i64 } else { stop as i64 });
            let mut got = vec![0; (stop - start) as usize * 4];
            pair.ours.get_slice(start, stop, &mut got).unwrap();
            assert!(got == pair.theirs.get_slice(start, stop, 4).unwrap(), "{start}..{stop}");
            if stop < nitems as i64 && round % 3 == 0 {
                let data = data(&mut rng, got.len());
                pair.ours.set_slice(start, stop, &data).unwrap();
                pair.theirs.set_slice(start, stop, &data).unwrap();
            }
        }
        same(&pair.ours, &pair.theirs);
        let items: Vec<i64> = (0..500).map(|_| rng.below(nitems) as i64).collect();
        let mut got = vec![0; items.len() * 4];
        pair.ours.get_sparse(&items, &mut got).unwrap();
        for (&item, got) in items.iter().zip(got.chunks(4)) {
            assert_eq!(got, pair.theirs.get_slice(item, item + 1, 4).unwrap());
        }
        assert_eq!(pair.ours.slice_chunks(0, 10_001).unwrap(), 0..2);
        assert!(pair.ours.get_sparse(&[nitems as i64], &mut got).is_err());
        assert!(pair.ours.get_slice(5, 4, &mut got).is_err());
        assert!(pair.ours.get_slice(0, nitems as i64 + 1, &mut vec![0; 4 * nitems + 4]).is_err());
    }
}
