//! Journals on a real disk, among processes: writers that are killed, readers that come in the middle.
#![allow(unsafe_code)] // fork, kill

mod common;

use blosc2::base::params::CParams;
use blosc2::io::{Backend, Disk, Journaled, LockingDisk, MapMode, Mmap};
use blosc2::schunk::{Storage, SuperChunk};
use common::Rng;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("oxiblosc2-journal-{}-{name}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn journaled(io: impl Backend + 'static) -> Arc<dyn Backend> {
    Arc::new(Journaled(Arc::new(io)))
}

/// A frame of `n` chunks: chunk `i` is 40 times its version, which starts at 0.
fn create(path: &Path, contiguous: bool, n: usize) {
    let storage =
        Storage { contiguous, urlpath: Some(path.to_owned()), io: journaled(Disk), ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    for _ in 0..n {
        schunk.append_buffer(&[0; 40]).unwrap();
    }
}

/// What a writer does until it is killed: whole rounds of updates, each chunk a version further.
fn write_forever(path: &Path, io: Arc<dyn Backend>, seed: u64) -> ! {
    let mut rng = Rng::new(seed);
    let mut schunk = SuperChunk::open(path, 0, io).unwrap();
    loop {
        let n = rng.below(schunk.nchunks() as usize) as i64;
        // Chunks of many lengths, so that those that follow have to move.
        let data: Vec<u8> = rng.bytes(20).into_iter().chain([n as u8; 20]).collect();
        let data = if rng.below(3) == 0 { vec![n as u8; 40] } else { data };
        let chunk = blosc2::chunk::compress_to_cbuf(&CParams::default(), &data).unwrap();
        schunk.update_chunk(n, chunk).unwrap();
        if rng.below(20) == 0 {
            schunk.append_buffer(&[0; 40]).unwrap();
        }
    }
}

fn forked(child: impl FnOnce()) -> libc::pid_t {
    // SAFETY: the child uses the library, which is made for that, and leaves by _exit.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0);
    if pid == 0 {
        child();
        // SAFETY: ends the child without running the test harness's exit handlers.
        unsafe { libc::_exit(0) };
    }
    pid
}

fn kill(pid: libc::pid_t) {
    // SAFETY: pid is our child.
    unsafe {
        libc::kill(pid, libc::SIGKILL);
        libc::waitpid(pid, std::ptr::null_mut(), 0);
    }
}

fn check(path: &Path, io: Arc<dyn Backend>) -> SuperChunk {
    let schunk = SuperChunk::open(path, 0, io).unwrap();
    assert!(schunk.nchunks() >= 5);
    for n in 0..schunk.nchunks() {
        let mut data = [9; 40];
        schunk.decompress_chunk(n, &mut data).unwrap();
        assert!(data[20..] == [n as u8; 20] || data == [0; 40], "chunk {n}: {data:?}");
    }
    schunk
}

#[test]
fn killed_writers_leave_whole_frames() {
    let folder = Folder::new("killed");
    let rounds = std::env::var("SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1) * 12;
    for (name, contiguous) in [("frame", true), ("dir", false)] {
        let path = folder.0.join(name);
        create(&path, contiguous, 5);
        let mut left = 0;
        for round in 0..rounds {
            let writer = forked(|| write_forever(&path, journaled(Disk), round));
            std::thread::sleep(Duration::from_micros(2000 + 1711 * (round % 17)));
            kill(writer);
            left += usize::from(journal_of(&path).exists());
            // Who does not journal applies a journal nevertheless.
            check(&path, Arc::new(Disk));
            assert!(!journal_of(&path).exists());
        }
        println!("KILLS: {rounds} of {name}, {left} in the middle of a change");
    }
}

#[test]
fn a_frame_is_whole_under_another_name() {
    let folder = Folder::new("renamed");
    for (name, contiguous) in [("frame", true), ("dir", false)] {
        let (path, to) = (folder.0.join(name), folder.0.join(format!("{name}-renamed")));
        create(&path, contiguous, 5);
        let cut_short = (0..200).any(|round| {
            let writer = forked(|| write_forever(&path, journaled(Disk), round));
            std::thread::sleep(Duration::from_micros(2000 + 1711 * (round % 17)));
            kill(writer);
            journal_of(&path).exists()
        });
        assert!(cut_short, "no writer was killed in the middle of a change");
        blosc2::frame::rename::rename(&path, &to).unwrap();
        assert!(!path.exists() && !journal_of(&path).exists() && !journal_of(&to).exists());
        check(&to, Arc::new(Disk));
    }
}

fn journal_of(path: &Path) -> PathBuf {
    match path.is_dir() {
        true => path.join(".b2journal"),
        false => blosc2::io::urlpath::with_suffix(path, ".b2journal"),
    }
}

/// One writer, readers in other processes and threads, under the lock or kept apart by the journal.
#[test]
fn readers_of_a_frame_that_changes_see_whole_chunks() {
    let folder = Folder::new("racing");
    for (name, contiguous) in [("frame", true), ("dir", false)] {
        let path = folder.0.join(name);
        create(&path, contiguous, 5);
        let writer = forked(|| write_forever(&path, journaled(LockingDisk), 1));
        let reader = forked(|| {
            for _ in 0..20 {
                check(&path, journaled(LockingDisk));
            }
        });
        std::thread::scope(|s| {
            for _ in 0..2 {
                s.spawn(|| {
                    for _ in 0..10 {
                        check(&path, journaled(LockingDisk));
                    }
                });
            }
        });
        let mut status = -1;
        // SAFETY: reader is our child, status a valid place.
        unsafe { libc::waitpid(reader, &mut status, 0) };
        assert_eq!(status, 0);
        kill(writer);
        check(&path, Arc::new(LockingDisk));
    }
}

#[test]
fn a_living_writer_is_waited_for_and_a_journal_without_its_frame_forgotten() {
    let folder = Folder::new("living");
    let path = folder.0.join("frame");
    create(&path, true, 5);
    let journal = journal_of(&path);
    std::fs::write(&journal, b"something").unwrap();
    let held = std::fs::File::open(&journal).unwrap();
    held.lock().unwrap();
    std::thread::scope(|s| {
        let opened = s.spawn(|| SuperChunk::open(&path, 0, Arc::new(Disk)));
        std::thread::sleep(Duration::from_millis(20));
        assert!(!opened.is_finished());
        held.unlock().unwrap();
        opened.join().unwrap().unwrap();
    });
    assert!(!journal.exists());
    held.lock().unwrap();
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&journal, b"something").unwrap();
    // Nothing there to open, and no journal for what is made in its place.
    assert!(SuperChunk::open(&path, 0, Arc::new(Disk)).is_err());
    std::fs::write(&journal, b"something").unwrap();
    create(&path, true, 1);
    assert!(!journal.exists());
}

#[test]
fn mapped_files_journal_too() {
    let folder = Folder::new("mapped");
    let path = folder.0.join("frame");
    create(&path, true, 5);
    let writer = forked(|| write_forever(&path, journaled(Mmap::new(MapMode::Edit, 1 << 20)), 3));
    std::thread::sleep(Duration::from_millis(30));
    kill(writer);
    let mapped = check(&path, Arc::new(Mmap::new(MapMode::Read, 0)));
    assert!(!journal_of(&path).exists());
    drop(mapped);
    check(&path, Arc::new(Disk));
}
