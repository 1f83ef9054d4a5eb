//! One frame, several handles: ours and the reference's take turns, and work at once under the sidecar lock.
#![allow(unsafe_code)] // calling the reference

mod common;
#[path = "common/schunk.rs"]
#[allow(dead_code)] // some calls are for others
mod schunk;

use blosc2::base::params::CParams;
use blosc2::io::{Backend, Disk, LockingDisk, MapMode, Memory, Mmap};
use blosc2::schunk::{Storage, SuperChunk};
use common::{Reference, Rng};
use schunk::RefSchunk;
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("oxiblosc2-fleet-{}-{name}", std::process::id()));
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

fn create(path: &Path, contiguous: bool, io: Arc<dyn Backend>) -> SuperChunk {
    let cparams = CParams { typesize: 4, ..CParams::default() };
    SuperChunk::new(Storage { contiguous, urlpath: Some(path.to_owned()), cparams, io, ..Storage::default() })
        .unwrap()
}

const LEN: usize = 2000;

fn data(rng: &mut Rng) -> Vec<u8> {
    let (start, step) = (rng.next() as u32, rng.below(4) as u32);
    (0..LEN as u32 / 4).flat_map(|i| start.wrapping_add(i * step).to_le_bytes()).collect()
}

fn read(schunk: &SuperChunk, n: usize) -> Vec<u8> {
    let mut out = vec![0; LEN];
    assert_eq!(schunk.decompress_chunk(n as i64, &mut out).unwrap(), LEN);
    out
}

/// Two of our handles and one of the reference's change one frame in turn, all of them open all the time.
#[test]
fn handles_take_turns() {
    let Some(lib) = Reference::load() else { return };
    for contiguous in [true, false] {
        let scratch = Scratch::new(&format!("turns{contiguous}"));
        let path = scratch.path("frame");
        let mut ours = [create(&path, contiguous, Arc::new(LockingDisk)), reopen(&path)];
        let mut rng = Rng::new(41);
        let mut model = vec![data(&mut rng)];
        // The reference, opened on a frame without chunks, never learns their size, and writes that it is none.
        ours[0].append_buffer(&model[0]).unwrap();
        let mut theirs = RefSchunk::open_locking(&lib, &path).unwrap();
        let mut vl: Option<Vec<u8>> = None;
        for _ in 0..400 {
            let (who, n) = (rng.below(3), model.len());
            let (at, new) = (rng.below(n), data(&mut rng));
            let packed = |s: &SuperChunk| blosc2::chunk::compress_to_cbuf(s.cparams(), &new).unwrap();
            let chunk = packed(&ours[0]);
            match rng.below(6) {
                0 | 1 => {
                    model.push(new.clone());
                    match ours.get_mut(who) {
                        Some(ours) => assert_eq!(ours.append_chunk(chunk).unwrap() as usize, n + 1),
                        None => assert_eq!(theirs.append_chunk(&chunk).unwrap() as usize, n + 1),
                    }
                }
                2 if n > 0 => {
                    model[at] = new.clone();
                    match ours.get_mut(who) {
                        Some(ours) => drop(ours.update_chunk(at as i64, chunk).unwrap()),
                        None => {
                            // The reference looks at what is there only after counting its own books.
                            theirs.refresh().unwrap();
                            theirs.update_chunk(at as i64, &chunk).unwrap();
                        }
                    }
                }
                3 if n > 8 => {
                    model.remove(at);
                    match ours.get_mut(who) {
                        Some(ours) => drop(ours.delete_chunk(at as i64).unwrap()),
                        None => {
                            theirs.refresh().unwrap();
                            theirs.delete_chunk(at as i64).unwrap();
                        }
                    }
                }
                4 => {
                    match (ours.get_mut(who), vl.is_some()) {
                        (Some(ours), false) => drop(ours.vlmeta_add("vl", &new, None).unwrap()),
                        (Some(ours), true) => drop(ours.vlmeta_update("vl", &new, None).unwrap()),
                        (None, false) => drop(theirs.vlmeta_add("vl", &new).unwrap()),
                        (None, true) => drop(theirs.vlmeta_update("vl", &new).unwrap()),
                    }
                    vl = Some(new.clone());
                }
                _ if n > 0 => match ours.get(who) {
                    Some(ours) => assert!(read(ours, at) == model[at]),
                    None => {
                        theirs.refresh().unwrap();
                        assert!(theirs.decompress_chunk(at as i64, LEN).unwrap() == model[at]);
                    }
                },
                _ => {}
            }
        }
        for (n, expected) in model.iter().enumerate() {
            assert!(&read(&ours[1], n) == expected);
            assert!(&theirs.decompress_chunk(n as i64, LEN).unwrap() == expected);
        }
        if let Some(vl) = vl {
            assert_eq!(*ours[0].vlmeta_get("vl").unwrap(), *vl);
            assert_eq!(theirs.vlmeta_get("vl").unwrap(), vl);
        }
    }
}

fn reopen(path: &Path) -> SuperChunk {
    SuperChunk::open(path, 0, Arc::new(LockingDisk)).unwrap()
}

/// Several threads, each with a handle of its own of either library, append at once; nothing is lost.
#[test]
fn writers_at_once_lose_nothing() {
    let Some(lib) = Reference::load() else { return };
    const EACH: u32 = 60;
    for contiguous in [true, false] {
        let scratch = Scratch::new(&format!("once{contiguous}"));
        let path = scratch.path("frame");
        drop(create(&path, contiguous, Arc::new(LockingDisk)));
        std::thread::scope(|s| {
            for writer in 0..3u32 {
                let path = &path;
                s.spawn(move || {
                    let mut schunk = reopen(path);
                    for i in 0..EACH {
                        schunk.append_buffer(&(writer << 16 | i).to_le_bytes().repeat(50)).unwrap();
                    }
                });
            }
            s.spawn(|| {
                let reader = reopen(&path);
                for _ in 0..100 {
                    reader.refresh().unwrap();
                    let n = reader.nchunks();
                    if n > 0 {
                        let mut out = vec![0; 200];
                        reader.decompress_chunk(n - 1, &mut out).unwrap();
                        assert!(out.chunks(4).all(|item| item == &out[..4]));
                    }
                }
            });
        });
        let all = reopen(&path);
        let mut seen: Vec<u32> = (0..all.nchunks())
            .map(|n| {
                let mut out = vec![0; 200];
                all.decompress_chunk(n, &mut out).unwrap();
                u32::from_le_bytes(out[..4].try_into().unwrap())
            })
            .collect();
        seen.sort_unstable();
        let expected: Vec<u32> = (0..3).flat_map(|w| (0..EACH).map(move |i| w << 16 | i)).collect();
        assert_eq!(seen, expected);
        assert_eq!(RefSchunk::open(&lib, &path, 0).unwrap().numbers().nchunks, i64::from(3 * EACH));
    }
}

/// Without a lock, a reader follows a writer's growth, and notices another file in the place of the one it has open.
#[test]
fn readers_follow() {
    for io in [Arc::new(Disk) as Arc<dyn Backend>, Arc::new(Memory::new())] {
        let scratch = Scratch::new("follow");
        let path = scratch.path("frame");
        let mut writer = create(&path, true, io.clone());
        let reader = SuperChunk::open(&path, 0, io.clone()).unwrap();
        for n in 0..50u8 {
            writer.append_buffer(&[n; LEN]).unwrap();
            assert_eq!(read(&reader, usize::from(n)), [n; LEN]);
            assert_eq!(reader.nchunks(), i64::from(n) + 1);
        }
        writer.vlmeta_add("vl", b"content", None).unwrap();
        assert_eq!(*reader.vlmeta_get("vl").unwrap(), *b"content");
        io.remove_file(&path).unwrap();
        assert_eq!(read(&reader, 3), [3; LEN], "the open file is still there");
        let mut other = create(&path, true, io.clone());
        other.append_buffer(&[77; LEN]).unwrap();
        assert_eq!(read(&reader, 0), [77; LEN]);
        assert_eq!(reader.nchunks(), 1);
        assert!(reader.refresh().is_ok_and(|changed| !changed));
    }
}

/// Many threads read one super-chunk of every sort; those on disk grow meanwhile, through another handle.
#[test]
fn crowds_read_while_the_frame_grows() {
    let scratch = Scratch::new("crowd");
    let io: Arc<dyn Backend> = Arc::new(Disk);
    for (contiguous, on_disk) in [(false, false), (true, false), (true, true), (false, true)] {
        let path = scratch.path(&format!("frame{contiguous}"));
        let cparams = CParams { typesize: 4, ..CParams::default() };
        let urlpath = on_disk.then(|| path.clone());
        let mut writer =
            SuperChunk::new(Storage { contiguous, urlpath, cparams, ..Storage::default() }).unwrap();
        for n in 0..20 {
            writer.append_buffer(&[n; 40_000]).unwrap();
        }
        let opened = on_disk.then(|| SuperChunk::open(&path, 0, io.clone()).unwrap());
        std::thread::scope(|s| {
            let readers: Vec<_> = (0..4)
                .map(|seed| {
                    let shared = opened.as_ref().unwrap_or(&writer);
                    s.spawn(move || {
                        let mut rng = Rng::new(seed);
                        for _ in 0..200 {
                            let n = rng.below(20);
                            let mut out = vec![0; 40_000];
                            shared.decompress_chunk(n as i64, &mut out).unwrap();
                            assert!(out == [n as u8; 40_000]);
                            let start = rng.below(200_000 - 10) as i64;
                            shared.get_slice(start, start + 10, &mut out).unwrap();
                            assert_eq!(out[..4], [(start / 10_000) as u8; 4]);
                        }
                    })
                })
                .collect();
            if let Some(opened) = &opened {
                let mut other = SuperChunk::open(&path, 0, io.clone()).unwrap();
                for n in 20..60 {
                    other.append_buffer(&[n; 40_000]).unwrap();
                }
                readers.into_iter().for_each(|reader| reader.join().unwrap());
                opened.refresh().unwrap();
                assert_eq!(opened.nchunks(), 60);
            }
        });
    }
}

/// The bracket keeps others out, and may be nested.
#[test]
fn a_bracket_is_one_change_to_others() {
    let scratch = Scratch::new("bracket");
    let path = scratch.path("frame");
    let mut a = create(&path, true, Arc::new(LockingDisk));
    a.append_buffer(&[1; LEN]).unwrap();
    a.lock().unwrap();
    a.lock().unwrap();
    a.append_buffer(&[2; LEN]).unwrap();
    a.unlock().unwrap();
    std::thread::scope(|s| {
        let reading = s.spawn(|| {
            let b = reopen(&path);
            b.nchunks()
        });
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(!reading.is_finished());
        a.append_buffer(&[3; LEN]).unwrap();
        assert_eq!(read(&a, 2), [3; LEN]);
        a.unlock().unwrap();
        assert_eq!(reading.join().unwrap(), 3);
    });
    a.unlock().unwrap();
}

/// Frames in mapped files, in all four modes.
#[test]
fn frames_can_be_mapped() {
    let scratch = Scratch::new("mapped");
    let path = scratch.path("frame");
    let mapped = |mode, room| Arc::new(Mmap::new(mode, room)) as Arc<dyn Backend>;
    let mut rng = Rng::new(6);
    let mut model: Vec<Vec<u8>> = (0..40).map(|_| data(&mut rng)).collect();
    let mut schunk = create(&path, true, mapped(MapMode::Create, 100));
    for chunk in &model {
        schunk.append_buffer(chunk).unwrap();
    }
    assert!(matches!(schunk.chunk(7).unwrap(), blosc2::frame::ChunkBytes::Borrowed(_)), "no copy");
    drop(schunk);
    let check = |schunk: &SuperChunk, model: &[Vec<u8>]| {
        assert_eq!(schunk.nchunks() as usize, model.len());
        for (n, expected) in model.iter().enumerate() {
            assert!(&read(schunk, n) == expected);
            assert_eq!(schunk.reader(n as i64).unwrap().get_bytes(4..8, &mut [0; 4]).unwrap(), 4);
        }
    };
    let mut reader = SuperChunk::open(&path, 0, mapped(MapMode::Read, 0)).unwrap();
    check(&reader, &model);
    assert!(reader.append_buffer(&model[0]).is_err());
    let mut copy = SuperChunk::open(&path, 0, mapped(MapMode::Copy, 1000)).unwrap();
    let mut changed = model.clone();
    for _ in 0..60 {
        changed.push(data(&mut rng));
        copy.append_buffer(changed.last().unwrap()).unwrap();
    }
    copy.delete_chunk(5).unwrap();
    changed.remove(5);
    check(&copy, &changed);
    check(&SuperChunk::open(&path, 0, Arc::new(Disk)).unwrap(), &model);
    let mut editor = SuperChunk::open(&path, 0, mapped(MapMode::Edit, 1)).unwrap();
    model.push(data(&mut rng));
    editor.append_buffer(model.last().unwrap()).unwrap();
    let update = blosc2::chunk::compress_to_cbuf(editor.cparams(), &model[0]).unwrap();
    editor.update_chunk(3, update).unwrap();
    model[3] = model[0].clone();
    editor.vlmeta_add("vl", b"mapped", None).unwrap();
    check(&editor, &model);
    check(&SuperChunk::open(&path, 0, Arc::new(Disk)).unwrap(), &model);
    if let Some(lib) = Reference::load() {
        let theirs = RefSchunk::open(&lib, &path, 0).unwrap();
        assert_eq!(theirs.decompress_chunk(40, LEN).unwrap(), model[40]);
    }
}
