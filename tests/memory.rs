//! How much memory things take: what threads keep for large blocks is gone with the context that it was made for, as it is in
//! the C library, where each context has memory of its own; and what a chunk says of its length is not had to check it.
#![allow(unsafe_code)] // an allocator is, and the C functions

use blosc2::base::params::{CParams, DParams};
use blosc2::capi::context::calls::{blosc2_compress_ctx, blosc2_decompress_ctx};
use blosc2::capi::context::lifecycle::{blosc2_create_cctx, blosc2_create_dctx, blosc2_free_ctx};
use blosc2::capi::defaults::{blosc2_get_blosc2_cparams_defaults, blosc2_get_blosc2_dparams_defaults};
use blosc2::capi::types::{blosc2_context, blosc2_cparams, blosc2_dparams};
use blosc2::chunk::{self, ChunkReader, ChunkSource};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, which counts the bytes that are in use, and knows how many were at most.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
/// The allocator counts for all threads.
static TURN: Mutex<()> = Mutex::new(());

// SAFETY: everything is the system allocator's; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let before = IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        MOST.fetch_max(before + layout.size(), Ordering::Relaxed);
        // SAFETY: the caller vouches for the layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller vouches for both.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SIZE: usize = 16 << 20;
const BLOCK: usize = 1 << 20;
/// Threads, tables for small streams, and what a test takes.
const LITTLE: usize = 512 << 10;

fn in_use() -> usize {
    IN_USE.load(Ordering::Relaxed)
}

/// Frees the context; what it kept until then, and what is left, is told beyond `before`.
fn around_free(context: *mut blosc2_context, before: usize) -> [usize; 2] {
    let kept = in_use() - before;
    // SAFETY: the context is alive, and nobody uses it any more.
    unsafe { blosc2_free_ctx(context) };
    [kept, in_use() - before]
}

#[test]
fn large_scratch_goes_with_its_context() {
    let _turn = TURN.lock();
    let data: Vec<u8> = (0..SIZE as u32 / 4).flat_map(|i| (i * 7 + i % 5).to_le_bytes()).collect();
    let (mut chunk, mut back) = (vec![0u8; SIZE + 32], vec![0u8; SIZE]);
    for nthreads in [1, 4] {
        let before = in_use();
        // SAFETY: buffers of the lengths that are told; contexts are alive until they are freed.
        let (compressing, decompressing) = unsafe {
            let blocksize = BLOCK as i32;
            let cctx = blosc2_create_cctx(blosc2_cparams {
                nthreads,
                blocksize,
                typesize: 4,
                ..blosc2_get_blosc2_cparams_defaults()
            });
            let (src, dst) = (data.as_ptr().cast(), chunk.as_mut_ptr().cast());
            let n = blosc2_compress_ctx(cctx, src, SIZE as i32, dst, chunk.len() as i32);
            assert!(n > 0 && (n as usize) < SIZE);
            let compressing = around_free(cctx, before);
            let dctx =
                blosc2_create_dctx(blosc2_dparams { nthreads, ..blosc2_get_blosc2_dparams_defaults() });
            let dst = back.as_mut_ptr().cast();
            assert_eq!(blosc2_decompress_ctx(dctx, chunk.as_ptr().cast(), n, dst, SIZE as i32), SIZE as i32);
            (compressing, around_free(dctx, before))
        };
        assert!(back == data);
        for [kept, left] in [compressing, decompressing] {
            assert!(kept >= BLOCK, "kept {kept} bytes between calls with {nthreads} threads");
            assert!(left <= LITTLE, "left {left} of {kept} bytes with {nthreads} threads");
        }
    }
}

#[test]
fn a_chunk_is_checked_in_the_memory_of_a_block() {
    let _turn = TURN.lock();
    let nearly_zeros: Vec<u8> = (0..4 * SIZE).map(|i| u8::from(i % BLOCK == 7)).collect();
    let cparams = CParams { blocksize: BLOCK as i32, ..CParams::of_items(8) };
    let chunk = chunk::compress_to_cbuf(&cparams, &nearly_zeros).unwrap();
    assert!(chunk.len() < SIZE / 64);
    let dparams = DParams::default();
    let reader = ChunkReader::new(ChunkSource::Bytes(&chunk), &dparams).unwrap();
    chunk::give_back_scratch();
    let before = in_use();
    MOST.store(before, Ordering::Relaxed);
    reader.check_blocks(1).unwrap();
    let more = MOST.load(Ordering::Relaxed) - before;
    assert!(more < 4 * BLOCK, "{more} bytes for blocks of {BLOCK}");
}
