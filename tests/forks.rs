//! A child forked at any time compresses, decompresses and reads: whatever its parent's pool, contexts, global settings
//! and open frames were doing. `SOAK` set to a number forks so many times as often.
#![allow(unsafe_code)] // fork, and the C functions

use blosc2::base::params::{CParams, DParams};
use blosc2::capi::compress::{blosc2_compress, blosc2_decompress};
use blosc2::capi::library::{blosc2_destroy, blosc2_init};
use blosc2::capi::settings::blosc2_set_nthreads;
use blosc2::chunk::{self, ChunkReader, ChunkSource};
use blosc2::schunk::{Storage, SuperChunk};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static TURN: Mutex<()> = Mutex::new(());
static FORKS: AtomicUsize = AtomicUsize::new(0);

const SIZE: usize = 1 << 18;

fn rounds(n: usize) -> usize {
    n * std::env::var("SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

fn data() -> Vec<u8> {
    (0..SIZE as u32 / 4).flat_map(|i| (i / 3).to_le_bytes()).collect()
}

/// Contexts with threads of their own. What large blocks take is shared with whoever gives it back.
fn by_contexts() -> bool {
    let done = [1 << 13, 1 << 17].into_iter().all(by_blocks_of);
    chunk::give_back_scratch();
    done
}

fn by_blocks_of(blocksize: i32) -> bool {
    let cparams = CParams { nthreads: 4, typesize: 4, blocksize, ..CParams::default() };
    let (data, dparams) = (data(), DParams::default());
    let Ok(packed) = chunk::compress_to_cbuf(&cparams, &data) else { return false };
    let mut back = vec![0; SIZE];
    let reader = ChunkReader::new(ChunkSource::Bytes(&packed), &dparams);
    reader.is_ok_and(|reader| reader.decompress(4, &mut back).is_ok()) && back == data
}

/// The functions that share one context among all threads of the process.
fn by_globals() -> bool {
    let (data, mut packed, mut back) = (data(), vec![0u8; SIZE + 32], vec![0u8; SIZE]);
    // SAFETY: buffers of the lengths that are told.
    unsafe {
        blosc2_set_nthreads(3);
        let (src, dst) = (data.as_ptr().cast(), packed.as_mut_ptr().cast());
        let n = blosc2_compress(5, 1, 4, src, SIZE as i32, dst, packed.len() as i32);
        let m = blosc2_decompress(packed.as_ptr().cast(), n, back.as_mut_ptr().cast(), SIZE as i32);
        n > 0 && m == SIZE as i32 && back == data
    }
}

fn by_frame(schunk: &SuperChunk) -> bool {
    let mut back = vec![0; SIZE];
    (0..schunk.nchunks()).all(|n| schunk.decompress_chunk(n, &mut back).is_ok() && back == data())
}

fn in_a_child(what: &str, child: impl FnOnce() -> bool) {
    FORKS.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the child only runs code that must work after a fork (that is what is tested) and leaves by _exit.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0);
    if pid == 0 {
        let code = if child() { 0 } else { 1 };
        // SAFETY: ends the child without running the test harness's exit handlers.
        unsafe { libc::_exit(code) };
    }
    let (mut status, start) = (-1, Instant::now());
    // SAFETY: pid is our child, status a valid place.
    while unsafe { libc::waitpid(pid, &mut status, libc::WNOHANG) } != pid {
        if start.elapsed() > Duration::from_secs(20) {
            // SAFETY: pid is our child and still there.
            unsafe { libc::kill(pid, libc::SIGKILL) };
            panic!("{what}: the child hangs");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(status, 0, "{what}: the child failed");
}

struct Frames {
    folder: PathBuf,
    open: Vec<SuperChunk>,
}

impl Frames {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("oxiblosc2-forks-{}-{name}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let mut open = Vec::new();
        for (contiguous, path) in [(true, Some("frame")), (false, Some("dir")), (true, None), (false, None)] {
            let cparams = CParams { nthreads: 2, typesize: 4, ..CParams::default() };
            let dparams = DParams { nthreads: 3, ..DParams::default() };
            let urlpath = path.map(|path| folder.join(path));
            let mut schunk =
                SuperChunk::new(Storage { contiguous, urlpath, cparams, dparams, ..Storage::default() })
                    .unwrap();
            for _ in 0..2 {
                schunk.append_buffer(&data()).unwrap();
            }
            open.push(schunk);
        }
        Frames { folder, open }
    }

    fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.path());
    }
}

fn everything(frames: &Frames) -> bool {
    by_contexts() && by_globals() && frames.open.iter().all(by_frame) && by_contexts()
}

#[test]
fn forked_while_all_is_quiet() {
    let _turn = TURN.lock();
    let frames = Frames::new("quiet");
    // A pool that was never used, one that was, and one that was taken down.
    in_a_child("fresh", || everything(&frames));
    assert!(everything(&frames));
    in_a_child("idle", || everything(&frames));
    // SAFETY: nobody else uses the library meanwhile.
    unsafe {
        blosc2_init();
        blosc2_destroy();
    }
    in_a_child("destroyed", || everything(&frames));
    in_a_child("a child's child", || {
        in_a_child("grandchild", || everything(&frames));
        everything(&frames)
    });
    in_a_child("destroyed in the child", || {
        // SAFETY: the child has one thread.
        unsafe { blosc2_destroy() };
        everything(&frames)
    });
    assert!(everything(&frames));
}

#[test]
fn forked_while_others_are_at_work() {
    let _turn = TURN.lock();
    let frames = Frames::new("busy");
    let stop = AtomicBool::new(false);
    let works: [(&str, &(dyn Fn() -> bool + Sync)); 3] = [
        ("contexts", &by_contexts),
        ("globals", &by_globals),
        ("frames", &|| frames.open.iter().all(by_frame)),
    ];
    /// Sends the others home, also when a child failed.
    struct Stop<'a>(&'a AtomicBool);
    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    for (name, work) in works {
        stop.store(false, Ordering::Relaxed);
        std::thread::scope(|s| {
            let _stop = Stop(&stop);
            for _ in 0..2 {
                s.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        assert!(work());
                    }
                });
            }
            for _ in 0..rounds(6) {
                in_a_child(name, || everything(&frames));
            }
        });
        assert!(everything(&frames));
    }
    println!("FORKS: {}", FORKS.load(Ordering::Relaxed));
}
