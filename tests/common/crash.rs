//! A file system that writes down what is done to it, and can be looked at as a crash at any point would leave it.

use super::Rng;
use blosc2::base::{Error, ErrorKind, Result};
use blosc2::io::{Backend, File, Keep, Memory, Mode, Stamp};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// One thing that was done.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// A file was made, or emptied.
    Create(PathBuf),
    Write(PathBuf, u64, Vec<u8>),
    Truncate(PathBuf, u64),
    Remove(PathBuf),
    /// A file's bytes were made to last.
    Sync(PathBuf),
    /// The names in a directory were.
    SyncDir,
}

impl Op {
    /// In how many ways it can be cut short: before it, and after every byte but the last.
    pub fn cuts(&self) -> usize {
        match self {
            Op::Write(_, _, data) => data.len(),
            _ => 1,
        }
    }
}

/// Files in memory, watched.
#[derive(Clone, Debug)]
pub struct Recorder {
    memory: Memory,
    log: Arc<Mutex<Vec<Op>>>,
    /// Whether paths cannot be looked at nor files removed nor handles kept: what a user's I/O may be.
    foreign: bool,
    journals: bool,
}

impl Recorder {
    pub fn new(memory: Memory, foreign: bool) -> Self {
        Recorder { memory, log: Arc::default(), foreign, journals: true }
    }

    /// The same, and nothing is kept in journals.
    pub fn without_journals(memory: Memory, foreign: bool) -> Self {
        Recorder { journals: false, ..Recorder::new(memory, foreign) }
    }

    /// What was done since the last call.
    pub fn take(&self) -> Vec<Op> {
        std::mem::take(&mut self.log.lock().unwrap())
    }

    fn note(&self, op: Op) {
        self.log.lock().unwrap().push(op);
    }
}

impl Backend for Recorder {
    fn open(&self, path: &Path, mode: Mode) -> Result<Box<dyn File>> {
        let there = Backend::stamp(&self.memory, path)?.is_some();
        let file = self.memory.open(path, mode)?;
        if mode == Mode::Create || (mode == Mode::Touch && !there) {
            self.note(Op::Create(path.to_owned()));
        }
        Ok(Box::new(Recorded { file, path: path.to_owned(), recorder: self.clone() }))
    }

    fn keep(&self) -> Keep {
        if self.foreign { Keep::No } else { self.memory.keep() }
    }

    fn stamp(&self, path: &Path) -> Result<Option<Stamp>> {
        if self.foreign { Ok(None) } else { self.memory.stamp(path) }
    }

    fn create_dir(&self, path: &Path) -> Result<()> {
        self.memory.create_dir(path)
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        if self.foreign {
            return Err(Error::new(ErrorKind::FileRemove, "nobody removes files here"));
        }
        self.memory.remove_file(path)?;
        self.note(Op::Remove(path.to_owned()));
        Ok(())
    }

    fn journals(&self) -> bool {
        self.journals
    }

    fn sync_dir(&self, _: &Path) -> Result<()> {
        self.note(Op::SyncDir);
        Ok(())
    }
}

struct Recorded {
    file: Box<dyn File>,
    path: PathBuf,
    recorder: Recorder,
}

impl File for Recorded {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        self.file.read_at(offset, buf)
    }

    fn write_at(&mut self, offset: u64, data: &[u8]) -> Result<()> {
        self.recorder.note(Op::Write(self.path.clone(), offset, data.to_vec()));
        self.file.write_at(offset, data)
    }

    fn size(&self) -> Result<u64> {
        self.file.size()
    }

    fn truncate(&mut self, len: u64) -> Result<()> {
        self.recorder.note(Op::Truncate(self.path.clone(), len));
        self.file.truncate(len)
    }

    fn sync(&mut self) -> Result<()> {
        self.recorder.note(Op::Sync(self.path.clone()));
        self.file.sync()
    }

    fn stamp(&self) -> Option<Stamp> {
        if self.recorder.foreign { None } else { self.file.stamp() }
    }

    fn try_claim(&self) -> Result<bool> {
        self.file.try_claim()
    }
}

/// What is on the disk, and what only seems to be.
#[derive(Clone, Default)]
pub struct World {
    names: BTreeMap<PathBuf, usize>,
    lasting_names: BTreeMap<PathBuf, usize>,
    files: Vec<Content>,
}

#[derive(Clone, Default)]
struct Content {
    bytes: Vec<u8>,
    lasting: Vec<u8>,
    /// Since they were made to last.
    changes: Vec<Op>,
}

impl World {
    /// Everything that was done, done to an empty disk, and made to last.
    pub fn of(ops: &[Op]) -> World {
        let mut world = World::default();
        ops.iter().for_each(|op| world.apply(op));
        for file in &mut world.files {
            file.lasting.clone_from(&file.bytes);
            file.changes.clear();
        }
        world.lasting_names.clone_from(&world.names);
        world
    }

    pub fn apply(&mut self, op: &Op) {
        match op {
            Op::Create(path) => match self.names.get(path) {
                Some(&file) => self.files[file].change(&Op::Truncate(path.clone(), 0)),
                None => {
                    self.names.insert(path.clone(), self.files.len());
                    self.files.push(Content::default());
                }
            },
            Op::Write(path, ..) | Op::Truncate(path, _) => {
                let file = self.names[path];
                self.files[file].change(op);
            }
            Op::Remove(path) => drop(self.names.remove(path)),
            Op::Sync(path) => {
                if let Some(&file) = self.names.get(path) {
                    let file = &mut self.files[file];
                    file.lasting.clone_from(&file.bytes);
                    file.changes.clear();
                }
            }
            Op::SyncDir => self.lasting_names.clone_from(&self.names),
        }
    }

    /// The beginning of an operation that is cut short.
    pub fn apply_part(&mut self, op: &Op, bytes: usize) {
        if let (Op::Write(path, at, data), 1..) = (op, bytes) {
            self.apply(&Op::Write(path.clone(), *at, data[..bytes].to_vec()));
        }
    }

    /// What the next process finds when this one is killed.
    pub fn killed(&self) -> Memory {
        let memory = Memory::new();
        for (path, &file) in &self.names {
            put(&memory, path, &self.files[file].bytes);
        }
        memory
    }

    /// What is found after a power loss: of what was not made to last, anything.
    pub fn power_lost(&self, rng: &mut Rng) -> Memory {
        let memory = Memory::new();
        let paths: std::collections::BTreeSet<_> =
            self.names.keys().chain(self.lasting_names.keys()).collect();
        for path in paths {
            let (now, lasting) = (self.names.get(path), self.lasting_names.get(path));
            let Some(&file) = (if rng.below(2) == 0 { now } else { lasting }) else { continue };
            let mut content = Content { bytes: self.files[file].lasting.clone(), ..Content::default() };
            for change in &self.files[file].changes {
                match (rng.below(4), change) {
                    (0, Op::Write(path, at, data)) if !data.is_empty() => {
                        let part = data[..rng.below(data.len())].to_vec();
                        content.change(&Op::Write(path.clone(), *at, part));
                    }
                    (1 | 2, _) => content.change(change),
                    _ => {}
                }
            }
            put(&memory, path, &content.bytes);
        }
        memory
    }
}

impl Content {
    fn change(&mut self, op: &Op) {
        match op {
            Op::Write(_, at, data) => {
                let (start, end) = (*at as usize, *at as usize + data.len());
                if self.bytes.len() < end {
                    self.bytes.resize(end, 0);
                }
                self.bytes[start..end].copy_from_slice(data);
            }
            Op::Truncate(_, len) => self.bytes.resize(*len as usize, 0),
            _ => unreachable!("only bytes change in files"),
        }
        self.changes.push(op.clone());
    }
}

fn put(memory: &Memory, path: &Path, bytes: &[u8]) {
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        // There already, after the first.
        let _ = memory.create_dir(parent);
    }
    memory.put(path, bytes);
}
