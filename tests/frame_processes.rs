//! One frame, two processes: this library in one and the reference in the other change it at once, under the sidecar lock.
//!
//! Every change is written to a log inside the same bracket, so that each process, and in the end the test, knows what the
//! frame must hold.
#![allow(unsafe_code)] // calling the reference

mod common;
#[path = "common/schunk.rs"]
#[allow(dead_code)] // some calls are for others
mod schunk;

use blosc2::base::CBuf;
use blosc2::base::params::CParams;
use blosc2::chunk;
use blosc2::io::LockingDisk;
use blosc2::schunk::{Storage, SuperChunk};
use common::{Reference, Rng};
use schunk::RefSchunk;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

const ITEMS: usize = 300;
const LEN: usize = ITEMS * 4;
/// Tells the second process what to work on.
const ROLE: &str = "FRAME_PROCESSES_DIRECTORY";

/// The chunk that a number stands for.
fn data(number: u32) -> Vec<u8> {
    let step = number % 5;
    (0..ITEMS as u32).flat_map(|i| number.wrapping_add(i * step).to_le_bytes()).collect()
}

fn packed(number: u32) -> CBuf {
    chunk::compress_to_cbuf(&CParams { typesize: 4, in_schunk: true, ..CParams::default() }, &data(number))
        .unwrap()
}

/// A handle of either library.
enum Handle<'l> {
    Ours(Box<SuperChunk>),
    Theirs(RefSchunk<'l>),
}

impl Handle<'_> {
    fn lock(&mut self) {
        match self {
            Handle::Ours(ours) => ours.lock().unwrap(),
            Handle::Theirs(theirs) => drop(theirs.lock().unwrap()),
        }
    }

    fn unlock(&mut self) {
        match self {
            Handle::Ours(ours) => ours.unlock().unwrap(),
            Handle::Theirs(theirs) => drop(theirs.unlock().unwrap()),
        }
    }

    /// How many chunks there are, after a look at the disk.
    fn nchunks(&mut self) -> usize {
        match self {
            Handle::Ours(ours) => {
                ours.refresh().unwrap();
                ours.nchunks() as usize
            }
            Handle::Theirs(theirs) => {
                theirs.refresh().unwrap();
                theirs.numbers().nchunks as usize
            }
        }
    }

    fn read(&self, n: usize) -> Vec<u8> {
        match self {
            Handle::Ours(ours) => {
                let mut out = vec![0; LEN];
                assert_eq!(ours.decompress_chunk(n as i64, &mut out).unwrap(), LEN);
                out
            }
            Handle::Theirs(theirs) => theirs.decompress_chunk(n as i64, LEN).unwrap(),
        }
    }

    fn apply(&mut self, change: Change) {
        match (self, change) {
            (Handle::Ours(ours), Change::Insert(at, number)) if at as i64 == ours.nchunks() => {
                ours.append_chunk(packed(number)).unwrap();
            }
            (Handle::Ours(ours), Change::Insert(at, number)) => {
                ours.insert_chunk(at as i64, packed(number)).unwrap();
            }
            (Handle::Ours(ours), Change::Update(at, number)) => {
                ours.update_chunk(at as i64, packed(number)).unwrap();
            }
            (Handle::Ours(ours), Change::Delete(at)) => drop(ours.delete_chunk(at as i64).unwrap()),
            (Handle::Theirs(theirs), Change::Insert(at, number)) if at as i64 == theirs.numbers().nchunks => {
                theirs.append_chunk(&packed(number)).unwrap();
            }
            (Handle::Theirs(theirs), Change::Insert(at, number)) => {
                theirs.insert_chunk(at as i64, &packed(number)).unwrap();
            }
            (Handle::Theirs(theirs), Change::Update(at, number)) => {
                theirs.update_chunk(at as i64, &packed(number)).unwrap();
            }
            (Handle::Theirs(theirs), Change::Delete(at)) => drop(theirs.delete_chunk(at as i64).unwrap()),
        }
    }
}

#[derive(Clone, Copy)]
enum Change {
    Insert(usize, u32),
    Update(usize, u32),
    Delete(usize),
}

impl Change {
    fn random(rng: &mut Rng, len: usize) -> Change {
        let number = rng.next() as u32;
        match rng.below(8) {
            0..=2 if len < 60 => Change::Insert(len, number),
            3 if len < 60 => Change::Insert(rng.below(len + 1), number),
            4 | 5 if len > 4 => Change::Delete(rng.below(len)),
            _ => Change::Update(rng.below(len), number),
        }
    }

    fn line(self) -> String {
        match self {
            Change::Insert(at, number) => format!("insert {at} {number}\n"),
            Change::Update(at, number) => format!("update {at} {number}\n"),
            Change::Delete(at) => format!("delete {at} 0\n"),
        }
    }

    fn parse(line: &str) -> Change {
        let words: Vec<&str> = line.split(' ').collect();
        let (at, number) = (words[1].parse().unwrap(), words[2].parse().unwrap());
        match words[0] {
            "insert" => Change::Insert(at, number),
            "update" => Change::Update(at, number),
            _ => Change::Delete(at),
        }
    }
}

/// What the log says that the frame holds.
struct Model {
    log: File,
    chunks: Vec<u32>,
}

impl Model {
    fn open(directory: &Path) -> Model {
        let log =
            OpenOptions::new().read(true).append(true).create(true).open(directory.join("log")).unwrap();
        Model { log, chunks: vec![0] }
    }

    fn catch_up(&mut self) {
        let mut news = String::new();
        self.log.read_to_string(&mut news).unwrap();
        news.lines().for_each(|line| self.apply(Change::parse(line)));
    }

    /// Writes a change to the log's end, behind what was read.
    fn record(&mut self, change: Change) {
        self.log.write_all(change.line().as_bytes()).unwrap();
        self.apply(change);
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::Insert(at, number) => self.chunks.insert(at, number),
            Change::Update(at, number) => self.chunks[at] = number,
            Change::Delete(at) => drop(self.chunks.remove(at)),
        }
    }
}

/// One process's part: brackets of a look at what the other has done, and a change.
fn work(mut handle: Handle<'_>, directory: &Path, seed: u64, rounds: usize) {
    let (mut rng, mut model) = (Rng::new(seed), Model::open(directory));
    for _ in 0..rounds {
        handle.lock();
        model.catch_up();
        assert_eq!(handle.nchunks(), model.chunks.len());
        let n = rng.below(model.chunks.len());
        assert!(handle.read(n) == data(model.chunks[n]));
        let change = Change::random(&mut rng, model.chunks.len());
        handle.apply(change);
        model.record(change);
        handle.unlock();
    }
}

fn frame(directory: &Path) -> PathBuf {
    directory.join("frame")
}

fn ours(directory: &Path) -> SuperChunk {
    SuperChunk::open(&frame(directory), 0, Arc::new(LockingDisk)).unwrap()
}

fn two_processes(lib: &Reference, test: &str, contiguous: bool, rounds: usize) {
    if let Some(directory) = std::env::var_os(ROLE) {
        let directory = PathBuf::from(directory);
        let theirs = RefSchunk::open_locking(lib, &frame(&directory)).unwrap();
        return work(Handle::Theirs(theirs), &directory, 2, rounds);
    }
    let directory = std::env::temp_dir().join(format!("oxiblosc2-processes-{}-{test}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir(&directory).unwrap();
    let storage = Storage {
        contiguous,
        urlpath: Some(frame(&directory)),
        cparams: CParams { typesize: 4, ..CParams::default() },
        io: Arc::new(LockingDisk),
        ..Storage::default()
    };
    SuperChunk::new(storage).unwrap().append_chunk(packed(0)).unwrap();
    let mut other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(ROLE, &directory)
        // Its verdict is its exit status; its words would run into those of this process.
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    work(Handle::Ours(Box::new(ours(&directory))), &directory, 1, rounds);
    assert!(other.wait().unwrap().success(), "the reference's process failed");

    let mut model = Model::open(&directory);
    model.catch_up();
    let theirs = RefSchunk::open(lib, &frame(&directory), 0).unwrap();
    for mut handle in [Handle::Ours(Box::new(ours(&directory))), Handle::Theirs(theirs)] {
        assert_eq!(handle.nchunks(), model.chunks.len());
        for (n, &number) in model.chunks.iter().enumerate() {
            assert!(handle.read(n) == data(number));
        }
    }
    fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn a_contiguous_frame_is_changed_by_both_at_once() {
    let Some(lib) = Reference::load() else { return };
    two_processes(&lib, "a_contiguous_frame_is_changed_by_both_at_once", true, 1500);
}

#[test]
fn a_sparse_frame_is_changed_by_both_at_once() {
    let Some(lib) = Reference::load() else { return };
    two_processes(&lib, "a_sparse_frame_is_changed_by_both_at_once", false, 1500);
}
