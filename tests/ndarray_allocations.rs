//! Reading one item of an array allocates nothing, once a thread has its scratch.
#![allow(unsafe_code)] // an allocator is

use blosc2::base::params::{CParams, DParams};
use blosc2::ndarray::{Blueprint, NdArray};
use blosc2::schunk::Storage;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which counts what each thread asks for.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is the system allocator's; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller vouches for the layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller vouches for both.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

fn array(contiguous: bool, codec: u8, ndim: usize) -> NdArray {
    let cparams = CParams { codec, typesize: 4, ..CParams::default() };
    let dparams = DParams { nthreads: 2, ..DParams::default() };
    let blueprint = Blueprint {
        storage: Storage { contiguous, cparams, dparams, ..Storage::default() },
        shape: vec![[4000, 64, 16][ndim - 1]; ndim],
        chunkshape: vec![[1000, 30, 8][ndim - 1]; ndim],
        blockshape: vec![[100, 10, 4][ndim - 1]; ndim],
        ..Blueprint::default()
    };
    let nitems: i64 = blueprint.shape.iter().product();
    let items: Vec<u8> = (0..nitems as u32).flat_map(|i| (i / 3).to_le_bytes()).collect();
    NdArray::from_buffer(&blueprint, &items).unwrap()
}

#[test]
fn one_item_is_read_without_allocating() {
    for contiguous in [false, true] {
        for codec in [0, 1] {
            for ndim in 1..=3 {
                let array = array(contiguous, codec, ndim);
                let n = array.shape()[0];
                let read = |i: i64| {
                    let (start, stop) = ([i; 3], [i + 1; 3]);
                    let mut item = [0; 4];
                    array.get_slice(&start[..ndim], &stop[..ndim], &mut item, &[1; 3][..ndim]).unwrap();
                    u32::from_le_bytes(item)
                };
                // Scratch of this thread, and of its codecs.
                assert_eq!(read(1), (0..ndim).fold(0, |at, _| at * n as u32 + 1) / 3);
                let counted = allocations(|| {
                    for i in 0..n {
                        read(i);
                    }
                });
                assert_eq!(counted, 0, "contiguous {contiguous}, codec {codec}, {ndim} dimensions");
            }
        }
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1u8; 100]))), 1);
}
