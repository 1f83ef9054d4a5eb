//! A change that is cut short anywhere, by a kill or a power loss, leaves the frame as it was or as it was to be.
//!
//! What a change does to the disk is written down once; then every cut of it is laid out, opened and read. `SOAK` set to a
//! number looks at so many times the power losses.

mod common;

use blosc2::base::params::CParams;
use blosc2::base::{CBuf, ErrorKind, Result};
use blosc2::chunk::{self, Special};
use blosc2::frame::FrameKind;
use blosc2::io::{Backend, File, Journaled, Memory, Mode, Stamp};
use blosc2::schunk::{Storage, SuperChunk};
use common::Rng;
use common::crash::{Op, Recorder, World};
use std::path::Path;
use std::sync::Arc;

/// All that a reader can see.
#[derive(Debug, PartialEq)]
struct Sight {
    chunks: Vec<Vec<u8>>,
    meta: Vec<u8>,
    vlmeta: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Sight {
    fn of(schunk: &SuperChunk) -> Sight {
        let chunks = (0..schunk.nchunks())
            .map(|n| {
                let mut data = vec![0; schunk.chunk_header(n).unwrap().nbytes()];
                schunk.decompress_chunk(n, &mut data).unwrap();
                data
            })
            .collect();
        let names: Vec<Vec<u8>> = schunk.vlmetas().unwrap().iter().map(|m| m.name().to_vec()).collect();
        let vlmeta =
            names.into_iter().map(|n| (n.clone(), schunk.vlmeta_get(&n).unwrap().to_vec())).collect();
        Sight { chunks, meta: schunk.meta_get("fixed").unwrap().to_vec(), vlmeta }
    }
}

/// Where a frame is, and through what.
#[derive(Clone, Copy, Debug)]
struct Case {
    kind: FrameKind,
    /// A user's I/O, which tells little.
    foreign: bool,
    /// Something stands before the frame in its file.
    offset: u64,
}

const CASES: [Case; 4] = [
    Case { kind: FrameKind::Contiguous, foreign: false, offset: 0 },
    Case { kind: FrameKind::Contiguous, foreign: true, offset: 0 },
    Case { kind: FrameKind::Contiguous, foreign: false, offset: 37 },
    Case { kind: FrameKind::Sparse, foreign: false, offset: 0 },
];

const PATH: &str = "home/frame";

type Change = (&'static str, fn(&mut SuperChunk, &mut Rng) -> Result<()>);

const CHANGES: [Change; 14] = [
    ("append", |s, r| s.append_buffer(&r.bytes(60)).map(drop)),
    ("append a special chunk", |s, _| s.append_buffer(&[0; 60]).map(drop)),
    ("append a shorter one, and sizes vary", |s, r| {
        s.append_buffer(&r.bytes(20))?;
        s.append_buffer(&r.bytes(24)).map(drop)
    }),
    ("insert", |s, r| s.insert_chunk(1, chunk(&r.bytes(60))).map(drop)),
    ("update, longer", |s, r| s.update_chunk(1, chunk(&r.bytes(60))).map(drop)),
    ("update, shorter", |s, _| s.update_chunk(0, chunk(&[b'a'; 60])).map(drop)),
    ("update, special", |s, _| {
        let zeros = chunk::special_chunk(s.cparams(), Special::Zeros, &[], 60)?;
        s.update_chunk(2, zeros).map(drop)
    }),
    ("delete", |s, _| s.delete_chunk(1).map(drop)),
    ("delete all", |s, _| {
        while s.delete_chunk(0)? > 0 {}
        Ok(())
    }),
    ("reorder", |s, _| s.reorder(&[2, 0, 3, 1])),
    ("metalayer", |s, r| s.meta_update("fixed", &r.bytes(9)).map(drop)),
    ("vlmetalayer, another", |s, r| s.vlmeta_add("new", &r.bytes(40), None).map(drop)),
    ("vlmetalayer, longer", |s, r| s.vlmeta_update("vl", &r.bytes(200), None).map(drop)),
    ("vlmetalayer, gone", |s, _| s.vlmeta_delete("vl").map(drop)),
];

fn chunk(data: &[u8]) -> CBuf {
    chunk::compress_to_cbuf(&CParams { typesize: 4, ..CParams::default() }, data).unwrap()
}

/// A frame of four chunks and two metalayers, and all that was done to make it.
fn start(case: Case, rng: &mut Rng) -> (Recorder, Vec<Op>) {
    let memory = Memory::new();
    memory.create_dir(Path::new("home")).unwrap();
    let recorder = Recorder::new(memory.clone(), case.foreign);
    let io: Arc<dyn Backend> = Arc::new(recorder.clone());
    let cparams = CParams { typesize: 4, ..CParams::default() };
    let sparse = case.kind == FrameKind::Sparse;
    let urlpath = (case.offset == 0).then(|| PATH.into());
    let storage = Storage { contiguous: !sparse, urlpath, cparams, io: io.clone(), ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    schunk.meta_add("fixed", b"something").unwrap();
    for n in 0..4 {
        let data = if n == 3 { vec![0; 60] } else { [rng.bytes(20 * n), vec![7; 60 - 20 * n]].concat() };
        schunk.append_buffer(&data).unwrap();
    }
    schunk.vlmeta_add("vl", b"some more, of any length", None).unwrap();
    if case.offset > 0 {
        let mut file = io.open(Path::new(PATH), Mode::Create).unwrap();
        file.write_at(0, &vec![b'x'; case.offset as usize]).unwrap();
        assert_eq!(schunk.append_file(Path::new(PATH), &io).unwrap() as u64, case.offset);
    }
    let ops = recorder.take();
    (recorder, ops)
}

fn open(memory: Memory, case: Case) -> SuperChunk {
    let io: Arc<dyn Backend> = Arc::new(Recorder::new(memory, case.foreign));
    SuperChunk::open(Path::new(PATH), case.offset, io).unwrap()
}

/// The states between which a change moves: one per journal, as one call may be several changes.
fn steps(base: &World, ops: &[Op], case: Case) -> Vec<Sight> {
    let mut states = vec![Sight::of(&open(base.killed(), case))];
    let mut world = base.clone();
    for op in ops {
        world.apply(op);
        let now = Sight::of(&open(world.killed(), case));
        if states.last() != Some(&now) {
            states.push(now);
        }
    }
    states
}

struct Cuts {
    killed: usize,
    lost: usize,
}

fn soak() -> usize {
    std::env::var("SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

fn cut_everywhere(case: Case, (name, change): Change, cuts: &mut Cuts) {
    let mut rng = Rng::new(name.len() as u64);
    let (recorder, made) = start(case, &mut rng);
    let base = World::of(&made);
    let io: Arc<dyn Backend> = Arc::new(recorder.clone());
    let mut schunk = SuperChunk::open(Path::new(PATH), case.offset, io).unwrap();
    assert_eq!(recorder.take(), []);
    change(&mut schunk, &mut rng).unwrap();
    let (ops, new) = (recorder.take(), Sight::of(&schunk));
    let states = steps(&base, &ops, case);
    assert_eq!(states.last(), Some(&new), "{name}");
    let calls = if name.contains("vary") || name.contains("all") { 4 } else { 1 };
    assert!((2..=1 + calls).contains(&states.len()), "{name}: {} states", states.len());

    let (mut world, mut reached) = (base, 0);
    for op in &ops {
        for bytes in 0..op.cuts() {
            let mut cut = world.clone();
            cut.apply_part(op, bytes);
            let seen = Sight::of(&open(cut.killed(), case));
            let state = states.iter().position(|state| *state == seen);
            let state = state.unwrap_or_else(|| panic!("{case:?} {name}: {op:?} cut after {bytes} bytes"));
            assert!(state >= reached, "{case:?} {name}: what was done is undone");
            reached = state;
            cuts.killed += 1;
            if bytes % 16 == 0 {
                lose_power(&cut, case, &states, &mut rng, cuts, name);
            }
        }
        world.apply(op);
    }
    // When the call has come back, its change lasts.
    for _ in 0..soak() {
        assert_eq!(Sight::of(&open(world.power_lost(&mut rng), case)), new, "{case:?} {name}");
        cuts.lost += 1;
    }
}

fn lose_power(world: &World, case: Case, states: &[Sight], rng: &mut Rng, cuts: &mut Cuts, name: &str) {
    for _ in 0..2 * soak() {
        let seen = Sight::of(&open(world.power_lost(rng), case));
        assert!(states.contains(&seen), "{case:?} {name}: after a power loss");
        cuts.lost += 1;
    }
}

#[test]
fn every_cut_of_every_change_leaves_old_or_new() {
    let mut cuts = Cuts { killed: 0, lost: 0 };
    for case in CASES {
        for change in CHANGES {
            cut_everywhere(case, change, &mut cuts);
        }
    }
    println!("CUTS: {} kills, {} power losses", cuts.killed, cuts.lost);
    assert!(cuts.killed > 20_000 && cuts.lost > 2000, "{} {}", cuts.killed, cuts.lost);
}

/// Taking a change back can be cut short as well.
#[test]
fn every_cut_of_a_recovery_is_recovered_from() {
    for case in CASES {
        let mut rng = Rng::new(5);
        let (recorder, made) = start(case, &mut rng);
        let base = World::of(&made);
        let io: Arc<dyn Backend> = Arc::new(recorder.clone());
        let mut schunk = SuperChunk::open(Path::new(PATH), case.offset, io).unwrap();
        let old = Sight::of(&schunk);
        schunk.update_chunk(0, chunk(&rng.bytes(60))).unwrap();
        let ops = recorder.take();
        let in_frame =
            |op: &&Op| matches!(op, Op::Write(path, ..) if !path.to_string_lossy().contains("b2journal"));
        let last = ops.iter().rposition(|op| in_frame(&op)).unwrap();
        let mut torn = base;
        ops[..last].iter().for_each(|op| torn.apply(op));

        let again = Recorder::new(torn.killed(), case.foreign);
        let first = SuperChunk::open(Path::new(PATH), case.offset, Arc::new(again.clone())).unwrap();
        assert_eq!(Sight::of(&first), old);
        let recovery = again.take();
        assert!(recovery.len() > 3, "{recovery:?}");
        let mut world = torn;
        for op in &recovery {
            for bytes in 0..op.cuts() {
                let mut cut = world.clone();
                cut.apply_part(op, bytes);
                assert_eq!(Sight::of(&open(cut.killed(), case)), old, "{op:?} cut after {bytes} bytes");
                assert_eq!(Sight::of(&open(cut.power_lost(&mut rng), case)), old);
            }
            world.apply(op);
        }
        let left: Vec<_> = world.killed().bytes(Path::new("home/frame.b2journal")).into_iter().collect();
        assert!(left.iter().all(Vec::is_empty), "the journal is still there");
    }
}

/// Many chunks added as one change: none or all.
#[test]
fn a_copy_that_is_cut_short_is_an_empty_frame() {
    let mut list = SuperChunk::new(Storage::default()).unwrap();
    list.meta_add("fixed", b"something").unwrap();
    for n in 0..3 {
        list.append_buffer(&[n; 50]).unwrap();
    }
    let case = CASES[0];
    let memory = Memory::new();
    memory.create_dir(Path::new("home")).unwrap();
    let recorder = Recorder::new(memory, false);
    let io: Arc<dyn Backend> = Arc::new(recorder.clone());
    let storage = Storage { contiguous: true, urlpath: Some(PATH.into()), io, ..Storage::default() };
    let copy = list.copy(storage).unwrap();
    let (ops, new) = (recorder.take(), Sight::of(&copy));
    // The first write makes the file.
    let made = ops
        .iter()
        .position(|op| matches!(op, Op::Create(path) if path.ends_with("frame.b2journal")))
        .unwrap();
    let mut world = World::of(&ops[..made]);
    let mut finished = false;
    for op in &ops[made..] {
        for bytes in 0..op.cuts() {
            let mut cut = world.clone();
            cut.apply_part(op, bytes);
            let schunk = open(cut.killed(), case);
            assert!(!finished || schunk.nchunks() == 3);
            match schunk.nchunks() {
                0 => {}
                _ => assert_eq!(Sight::of(&schunk), new),
            }
            finished = schunk.nchunks() == 3;
        }
        world.apply(op);
    }
    assert_eq!(Sight::of(&open(world.killed(), case)), new);
}

/// A change that fails in a process that lives on is taken back at once.
#[test]
fn a_full_disk_takes_nothing_away() {
    use blosc2::io::probe::Probe;
    let mut rng = Rng::new(9);
    for (name, change) in [CHANGES[0], CHANGES[3], CHANGES[4], CHANGES[7], CHANGES[12]] {
        for room in (0..3000).step_by(41) {
            let (recorder, made) = start(CASES[0], &mut rng);
            drop(recorder);
            let memory = World::of(&made).killed();
            let probe = Probe::new(Arc::new(memory.clone()));
            let io: Arc<dyn Backend> = Arc::new(Journaled(Arc::new(probe.clone())));
            let mut schunk = SuperChunk::open(Path::new(PATH), 0, io).unwrap();
            let old = Sight::of(&schunk);
            probe.fill_up_at(Some(room));
            let failed = change(&mut schunk, &mut Rng::new(1)).is_err();
            probe.fill_up_at(None);
            let reopened = Sight::of(&open(memory, CASES[0]));
            assert_eq!(Sight::of(&schunk), reopened, "{name} with room for {room}");
            assert_eq!(failed, reopened == old, "{name} with room for {room}");
        }
    }
}

/// Files that may be read only.
#[derive(Debug)]
struct ReadOnly(Memory);

impl Backend for ReadOnly {
    fn open(&self, path: &Path, mode: Mode) -> Result<Box<dyn File>> {
        match mode {
            Mode::Read => self.0.open(path, mode),
            _ => Err(blosc2::Error::new(ErrorKind::FileOpen, format!("{}: only to be read", path.display()))),
        }
    }

    fn stamp(&self, path: &Path) -> Result<Option<Stamp>> {
        self.0.stamp(path)
    }
}

/// Who may not write cannot take a change back, and is told so; where the change had not begun, nobody needs to.
#[test]
fn who_may_not_write_is_told_of_a_change_that_was_cut_short() {
    let (recorder, made) = start(CASES[0], &mut Rng::new(3));
    let io: Arc<dyn Backend> = Arc::new(recorder.clone());
    let mut schunk = SuperChunk::open(Path::new(PATH), 0, io).unwrap();
    let old = Sight::of(&schunk);
    schunk.delete_chunk(1).unwrap();
    let mut world = World::of(&made);
    let (mut told, mut read) = (0, 0);
    for op in recorder.take() {
        match SuperChunk::open(Path::new(PATH), 0, Arc::new(ReadOnly(world.killed()))) {
            Ok(schunk) => {
                read += 1;
                assert!(told > 0 || Sight::of(&schunk) == old);
            }
            Err(e) => {
                told += 1;
                assert_eq!(e.kind(), ErrorKind::FileOpen);
                assert!(e.what().contains("home/frame") && e.what().contains("cut short"), "{e}");
            }
        }
        world.apply(&op);
    }
    assert!(read >= 2 && told >= 2, "{read} {told}");
}
