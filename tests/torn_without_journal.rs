//! Without a journal a change that is cut short anywhere leaves all chunks that it does not touch where recovery finds
//! them, and in order.
//!
//! What a change writes is written down once; then every cut of it is laid out and recovered. The same for a frame that
//! opens: it takes further changes.

mod common;

use blosc2::base::params::CParams;
use blosc2::base::{CBuf, Result};
use blosc2::chunk::{self, Special};
use blosc2::frame::FrameKind;
use blosc2::frame::check::recover::recover;
use blosc2::io::{Backend, Memory};
use blosc2::ndarray::open::decoding;
use blosc2::schunk::{Storage, SuperChunk};
use common::Rng;
use common::crash::{Recorder, World};
use std::path::Path;
use std::sync::Arc;

const PATH: &str = "frame";
const LEN: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Case {
    kind: FrameKind,
    foreign: bool,
    offset: u64,
    /// Items of 8 bytes, whose chunks look like indexes.
    typesize: i32,
    /// The change is made through the handle that made the frame.
    same_handle: bool,
    checksums: bool,
    /// Which cuts are looked at.
    every: usize,
}

const PLAIN: Case = Case {
    kind: FrameKind::Contiguous,
    foreign: false,
    offset: 0,
    typesize: 4,
    same_handle: false,
    checksums: false,
    every: 3,
};

const CASES: [Case; 7] = [
    Case { every: 1, ..PLAIN },
    Case { foreign: true, ..PLAIN },
    Case { offset: 37, ..PLAIN },
    Case { typesize: 8, every: 1, ..PLAIN },
    Case { same_handle: true, ..PLAIN },
    Case { kind: FrameKind::Sparse, ..PLAIN },
    Case { checksums: true, ..PLAIN },
];

type Change = (&'static str, fn(&mut SuperChunk) -> Result<()>);

const CHANGES: [Change; 13] = [
    ("append", |s| s.append_chunk(noise(s, 90, LEN)).map(drop)),
    ("append a special chunk", |s| s.append_buffer(&[0; LEN]).map(drop)),
    ("insert", |s| s.insert_chunk(1, noise(s, 91, LEN)).map(drop)),
    ("insert a special chunk", |s| {
        s.insert_chunk(2, chunk::special_chunk(s.cparams(), Special::Zeros, &[], LEN)?).map(drop)
    }),
    ("update, longer", |s| s.update_chunk(1, noise(s, 92, LEN)).map(drop)),
    ("update, shorter", |s| s.update_chunk(0, packed(s, &[3; LEN])).map(drop)),
    ("update, as long", |s| s.update_chunk(0, noise(s, 93, LEN)).map(drop)),
    ("update the last, longer", |s| s.update_chunk(5, noise(s, 94, LEN)).map(drop)),
    ("update, special", |s| {
        let zeros = chunk::special_chunk(s.cparams(), Special::Zeros, &[], LEN)?;
        s.update_chunk(2, zeros).map(drop)
    }),
    ("update, no longer special", |s| s.update_chunk(3, noise(s, 95, LEN)).map(drop)),
    ("delete", |s| s.delete_chunk(1).map(drop)),
    ("reorder", |s| s.reorder(&[2, 0, 5, 1, 4, 3])),
    ("vlmetalayer", |s| s.vlmeta_update("vl", &[7; 100], None).map(drop)),
];

fn packed(schunk: &SuperChunk, data: &[u8]) -> CBuf {
    chunk::compress_to_cbuf(schunk.cparams(), data).unwrap()
}

fn noise(schunk: &SuperChunk, seed: u64, len: usize) -> CBuf {
    packed(schunk, &Rng::new(seed).bytes(len))
}

/// Chunk `n` of the frame that is changed: noise, runs of one byte, zeros.
fn data(n: usize) -> Vec<u8> {
    match n {
        0 | 2 => Rng::new(n as u64).bytes(LEN),
        3 => vec![0; LEN],
        _ => vec![n as u8 + 1; LEN],
    }
}

fn start(case: Case) -> (Recorder, World, SuperChunk) {
    let memory = Memory::new();
    let recorder = Recorder::without_journals(memory, case.foreign);
    let io: Arc<dyn Backend> = Arc::new(recorder.clone());
    let contiguous = case.kind == FrameKind::Contiguous;
    let urlpath = (case.offset == 0).then(|| PATH.into());
    let cparams = CParams { typesize: case.typesize, ..CParams::default() };
    let checksums = case.checksums;
    let storage = Storage { contiguous, urlpath, cparams, io: io.clone(), checksums, ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    schunk.meta_add("fixed", b"something").unwrap();
    for n in 0..6 {
        schunk.append_buffer(&data(n)).unwrap();
    }
    schunk.vlmeta_add("vl", b"some more", None).unwrap();
    if case.offset > 0 {
        let mut file = io.open(Path::new(PATH), blosc2::io::Mode::Create).unwrap();
        file.write_at(0, &vec![b'x'; case.offset as usize]).unwrap();
        schunk.append_file(Path::new(PATH), &io).unwrap();
    }
    if !case.same_handle {
        schunk = SuperChunk::open(Path::new(PATH), case.offset, io).unwrap();
    }
    let world = World::of(&recorder.take());
    (recorder, world, schunk)
}

fn chunks(schunk: &SuperChunk) -> Vec<Vec<u8>> {
    let chunk = |n| {
        let mut data = vec![0; schunk.chunk_header(n)?.nbytes()];
        schunk.decompress_chunk(n, &mut data)?;
        Ok(data)
    };
    (0..schunk.nchunks()).map(|n| chunk(n).unwrap_or_else(|_: blosc2::Error| b"lost".to_vec())).collect()
}

/// What recovery makes of a crash.
fn recovered(memory: &Memory, case: Case) -> (Vec<Vec<u8>>, bool) {
    let io: Arc<dyn Backend> = Arc::new(Recorder::without_journals(memory.clone(), false));
    let to = Path::new("new");
    let done = recover(&io, Path::new(PATH), case.offset, to, &decoding, &mut |_| {}).unwrap();
    (chunks(&SuperChunk::open(to, 0, io).unwrap()), done.in_order)
}

/// Those of `all` that are in `some`, in order.
fn only(all: &[Vec<u8>], some: &[Vec<u8>]) -> Vec<Vec<u8>> {
    all.iter().filter(|chunk| some.contains(chunk)).cloned().collect()
}

/// Without zeros, which stand for a chunk that is lost as well.
fn without_zeros(all: &[Vec<u8>]) -> Vec<Vec<u8>> {
    all.iter().filter(|chunk| chunk.iter().any(|byte| *byte != 0)).cloned().collect()
}

fn look(memory: &Memory, case: Case, old: &[Vec<u8>], new: &[Vec<u8>], what: &str) {
    let (found, in_order) = recovered(memory, case);
    let untouched = only(old, new);
    for chunk in &untouched {
        assert!(found.contains(chunk), "{case:?} {what}: a chunk is lost: {chunk:?}\n{found:?}");
    }
    let (untouched_found, keep) = (without_zeros(&only(&found, &untouched)), without_zeros(&untouched));
    let right = [&only(old, &keep), &only(new, &keep)].contains(&&untouched_found);
    assert!(right && in_order, "{case:?} {what}: chunks are in another order ({in_order}): {found:?}");
}

/// A frame that opens after a crash can be changed: nothing that was left behind it is in the way.
fn go_on(memory: Memory, case: Case, what: &str) -> bool {
    let io: Arc<dyn Backend> = Arc::new(Recorder::without_journals(memory, case.foreign));
    let Ok(mut schunk) = SuperChunk::open(Path::new(PATH), case.offset, io.clone()) else {
        return false;
    };
    let before = chunks(&schunk);
    if before.contains(&b"lost".to_vec()) {
        return false;
    }
    schunk.append_buffer(&[77; LEN]).unwrap_or_else(|e| panic!("{case:?} {what}: {e}"));
    let reopened = SuperChunk::open(Path::new(PATH), case.offset, io).unwrap();
    assert_eq!(chunks(&reopened), [&before[..], &[vec![77; LEN]]].concat(), "{case:?} {what}");
    true
}

#[test]
fn every_cut_of_every_change_leaves_the_other_chunks() {
    let (mut cuts, mut opened) = (0, 0);
    for case in CASES {
        for (name, change) in CHANGES {
            let (recorder, mut world, mut schunk) = start(case);
            let old = chunks(&schunk);
            change(&mut schunk).unwrap();
            let (ops, new) = (recorder.take(), chunks(&schunk));
            for op in &ops {
                for bytes in (0..op.cuts()).step_by(case.every) {
                    let mut cut = world.clone();
                    cut.apply_part(op, bytes);
                    let what = format!("{name}, {op:?} cut after {bytes} bytes");
                    look(&cut.killed(), case, &old, &new, &what);
                    opened += usize::from(go_on(cut.killed(), case, &what));
                    cuts += 1;
                }
                world.apply(op);
            }
            look(&world.killed(), case, &new, &new, name);
            assert!(go_on(world.killed(), case, name));
        }
    }
    println!("CUTS: {cuts} without a journal, {opened} of them opened as they are");
    assert!(cuts > 8000, "{cuts}");
}

/// Nothing is written twice to append to chunks that only follow each other: where they are tells their order.
#[test]
fn every_cut_of_an_append_leaves_chunks_in_their_order() {
    let memory = Memory::new();
    let recorder = Recorder::without_journals(memory, false);
    let io: Arc<dyn Backend> = Arc::new(recorder.clone());
    let urlpath = Some(PATH.into());
    let storage = Storage { contiguous: true, urlpath, io: io.clone(), ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    for n in [1, 4, 0, 5, 2] {
        schunk.append_buffer(&data(n)).unwrap();
    }
    let mut world = World::of(&recorder.take());
    for mut schunk in [schunk, SuperChunk::open(Path::new(PATH), 0, io).unwrap()] {
        let old = chunks(&schunk);
        schunk.append_chunk(noise(&schunk, 99, LEN)).unwrap();
        let ops = recorder.take();
        assert_eq!(ops.len(), 3, "chunk, index with trailer, header");
        for op in &ops {
            for bytes in 0..op.cuts() {
                let mut cut = world.clone();
                cut.apply_part(op, bytes);
                let (found, _) = recovered(&cut.killed(), PLAIN);
                assert_eq!(found[..old.len()], old, "{op:?} cut after {bytes} bytes");
            }
            world.apply(op);
        }
    }
}

/// What is left behind a frame is nobody's; a frame that is put behind it is somebody's.
#[test]
fn a_frame_that_is_added_after_a_crash_is_kept() {
    let (recorder, mut world, mut schunk) = start(PLAIN);
    schunk.delete_chunk(1).unwrap();
    let mut added = SuperChunk::new(Storage { contiguous: true, ..Storage::default() }).unwrap();
    added.append_buffer(&[5; LEN]).unwrap();
    let mut kept = 0;
    for op in recorder.take() {
        for bytes in 0..op.cuts() {
            let mut cut = world.clone();
            cut.apply_part(&op, bytes);
            let io: Arc<dyn Backend> = Arc::new(cut.killed());
            let at = added.append_file(Path::new(PATH), &io).unwrap();
            if let Ok(mut first) = SuperChunk::open(Path::new(PATH), 0, io.clone()) {
                kept += usize::from(first.append_chunk(noise(&first, 8, LEN)).is_err());
                let _ = first.delete_chunk(0);
            }
            let second = SuperChunk::open(Path::new(PATH), at as u64, io).unwrap();
            assert_eq!(chunks(&second), [[5; LEN]], "{op:?} cut after {bytes} bytes");
        }
        world.apply(&op);
    }
    assert!(kept > 100, "{kept}");
}
