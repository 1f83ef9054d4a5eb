//! Crowds of threads on one chunk, one super-chunk, one array, in memory and on disk; a writer among readers; contexts in a
//! storm; callbacks that call back. `SOAK` set to a number goes so many times as long.

mod common;

use blosc2::base::params::{CParams, DParams};
use blosc2::chunk::{self, ChunkReader, ChunkSource};
use blosc2::exec;
use blosc2::io::LockingDisk;
use blosc2::ndarray::{Blueprint, NdArray};
use blosc2::schunk::{Storage, SuperChunk};
use common::Rng;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const THREADS: usize = 8;
const SIZE: usize = 1 << 16;

fn rounds(n: usize) -> usize {
    n * std::env::var("SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

fn data(n: usize) -> Vec<u8> {
    (0..SIZE / 4).flat_map(|i| ((i / 5 * (n + 1)) as u32).to_le_bytes()).collect()
}

fn cparams() -> CParams {
    CParams { typesize: 4, nthreads: 3, blocksize: 1 << 12, ..CParams::default() }
}

/// Every thread does `work`, which is told thread and round, so many times.
fn crowd(name: &str, nrounds: usize, work: impl Fn(usize, usize) + Sync) {
    let nrounds = rounds(nrounds);
    std::thread::scope(|s| {
        for thread in 0..THREADS {
            let work = &work;
            s.spawn(move || (0..nrounds).for_each(|round| work(thread, round)));
        }
    });
    told(name, THREADS, THREADS * nrounds);
}

/// For the summary of the soak.
fn told(name: &str, threads: usize, nrounds: usize) {
    println!("CROWD: {threads} threads, {nrounds} rounds of {name}");
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("oxiblosc2-crowds-{}-{name}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn one_chunk() {
    let packed = chunk::compress_to_cbuf(&cparams(), &data(0)).unwrap();
    let (dparams, expected) = (DParams::default(), data(0));
    let reader = ChunkReader::new(ChunkSource::Bytes(&packed), &dparams).unwrap();
    crowd("one chunk", 30, |thread, round| {
        let mut back = vec![0; SIZE];
        reader.decompress(1 + thread % 4, &mut back).unwrap();
        assert!(back == expected);
        let start = Rng::new((thread * 1000 + round) as u64).below(SIZE - 500);
        let mut some = [0; 500];
        reader.get_bytes(start..start + 500, &mut some).unwrap();
        assert_eq!(some, expected[start..start + 500]);
    });
}

#[test]
fn one_super_chunk_of_each_kind() {
    let folder = Folder::new("schunk");
    for (contiguous, path) in [(true, Some("frame")), (false, Some("dir")), (true, None), (false, None)] {
        let urlpath = path.map(|path| folder.0.join(path));
        let dparams = DParams { nthreads: 2, ..DParams::default() };
        let storage = Storage { contiguous, urlpath, cparams: cparams(), dparams, ..Storage::default() };
        let mut schunk = SuperChunk::new(storage).unwrap();
        for n in 0..6 {
            schunk.append_buffer(&data(n)).unwrap();
        }
        schunk.vlmeta_add("vl", b"content", None).unwrap();
        let schunk = &schunk;
        crowd("one super-chunk", 24, |thread, round| {
            let n = (thread + round) % 6;
            let mut back = vec![0; SIZE];
            schunk.decompress_chunk(n as i64, &mut back).unwrap();
            assert!(back == data(n));
            assert_eq!(&*schunk.vlmeta_get("vl").unwrap(), b"content");
            let mut some = [0; 100];
            schunk.reader(n as i64).unwrap().get_bytes(5000..5100, &mut some).unwrap();
            assert_eq!(some, data(n)[5000..5100]);
        });
    }
}

#[test]
fn one_array_in_memory_and_on_disk() {
    let folder = Folder::new("array");
    let all: Vec<u8> = (0..200 * 200u32).flat_map(u32::to_le_bytes).collect();
    for urlpath in [None, Some(folder.0.join("array"))] {
        let blueprint = Blueprint {
            storage: Storage { contiguous: true, urlpath, cparams: cparams(), ..Storage::default() },
            shape: vec![200, 200],
            chunkshape: vec![64, 70],
            blockshape: vec![16, 20],
            dtype: None,
            metalayers: Vec::new(),
        };
        let array = NdArray::from_buffer(&blueprint, &all).unwrap();
        crowd("one array", 40, |thread, round| {
            let mut rng = Rng::new((thread * 1000 + round) as u64);
            let start = [rng.below(150) as i64, rng.below(150) as i64];
            let shape = [1 + rng.below(50) as i64, 1 + rng.below(50) as i64];
            let stop = [start[0] + shape[0], start[1] + shape[1]];
            let mut slice = vec![0; (shape[0] * shape[1] * 4) as usize];
            array.get_slice(&start, &stop, &mut slice, &shape).unwrap();
            for (i, item) in slice.chunks_exact(4).enumerate() {
                let (row, column) = (i as i64 / shape[1], i as i64 % shape[1]);
                let expected = ((start[0] + row) * 200 + start[1] + column) as u32;
                assert_eq!(item, expected.to_le_bytes());
            }
        });
    }
}

/// Every chunk holds one value; a reader under the lock never sees two.
/// Sets a flag when it goes, also when that is for a panic: who waits for the flag does not wait forever.
struct SetAtLast<'a>(&'a AtomicBool);

impl Drop for SetAtLast<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn one_writer_and_many_readers_under_the_lock() {
    let folder = Folder::new("lock");
    for (contiguous, name) in [(true, "frame"), (false, "dir")] {
        let path = folder.0.join(name);
        let storage = Storage {
            contiguous,
            urlpath: Some(path.clone()),
            cparams: cparams(),
            io: Arc::new(LockingDisk),
            ..Storage::default()
        };
        let mut writer = SuperChunk::new(storage).unwrap();
        for _ in 0..4 {
            writer.append_buffer(&[1; 4000]).unwrap();
        }
        let (done, seen) = (AtomicBool::new(false), AtomicUsize::new(0));
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| {
                    let schunk = SuperChunk::open(&path, 0, Arc::new(LockingDisk)).unwrap();
                    let mut back = vec![0; 4000];
                    loop {
                        for n in 0..4 {
                            schunk.decompress_chunk(n, &mut back).unwrap();
                            assert!(back.iter().all(|byte| *byte == back[0]), "a torn chunk");
                            seen.fetch_add(1, Ordering::Relaxed);
                        }
                        if done.load(Ordering::Relaxed) {
                            break;
                        }
                    }
                });
            }
            let _stop = SetAtLast(&done);
            for i in 0..rounds(40) {
                let data = vec![(i % 250) as u8 + 2; 4000];
                let chunk = chunk::compress_to_cbuf(&cparams(), &data).unwrap();
                writer.update_chunk((i % 4) as i64, chunk).unwrap();
                if i % 7 == 0 {
                    writer.append_buffer(&[1; 4000]).unwrap();
                }
            }
        });
        let seen = seen.into_inner();
        assert!(seen > 0);
        told("one writer and its readers", 5, seen + rounds(40));
    }
}

#[test]
fn a_storm_of_contexts_and_nested_calls() {
    crowd("contexts", 20, |thread, round| {
        let cparams = CParams { nthreads: 1 + (round % 4) as i16, ..cparams() };
        let packed = chunk::compress_to_cbuf(&cparams, &data(round)).unwrap();
        let (dparams, mut back) = (DParams::default(), vec![0; SIZE]);
        ChunkReader::new(ChunkSource::Bytes(&packed), &dparams)
            .and_then(|reader| reader.decompress(1 + thread % 3, &mut back))
            .unwrap();
        assert!(back == data(round));
    });
    crowd("nested calls", 1, |_, _| {
        // Jobs whose work is shared out again.
        exec::run(3, 6, &|n, _| {
            let packed = chunk::compress_to_cbuf(&cparams(), &data(n))?;
            let (dparams, mut back) = (DParams::default(), vec![0; SIZE]);
            ChunkReader::new(ChunkSource::Bytes(&packed), &dparams)?.decompress(3, &mut back)?;
            assert!(back == data(n));
            Ok(())
        })
        .unwrap();
    });
}
