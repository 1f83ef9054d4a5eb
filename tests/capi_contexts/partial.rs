//! Parts of chunks: some blocks, some items, some bytes.

use super::contexts::{Context, cctx, cparams, data, dctx};
use super::function;
use super::pair::{Lib, Pair};
use blosc2::capi::types::blosc2_context;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

type SetMaskout = unsafe extern "C" fn(*mut blosc2_context, *mut bool, c_int) -> c_int;
type GetBytes =
    unsafe extern "C" fn(*mut blosc2_context, *const c_void, i32, i32, i32, *mut c_void, i32) -> c_int;

const FILTERS: [[u8; 6]; 5] =
    [[0; 6], [0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 3, 1], [0, 0, 0, 0, 0, 3]];

/// A chunk of `data` in blocks of 4000 bytes.
fn chunk(lib: &Lib<'_>, data: &[u8], filters: [u8; 6], (codec, clevel): (u8, u8)) -> Vec<u8> {
    let params = cparams(|p| {
        (p.typesize, p.blocksize, p.filters, p.compcode, p.clevel) = (4, 4000, filters, codec, clevel);
    });
    let mut chunk = vec![0; data.len() + 32];
    let len = cctx(lib, params).compress(data, &mut chunk);
    assert!(len > 0);
    chunk.truncate(len as usize);
    chunk
}

fn set_maskout(lib: &Lib<'_>, context: &Context<'_>, mask: &mut [bool]) -> c_int {
    let set = function!(lib, blosc2_set_maskout: SetMaskout);
    // SAFETY: a context, and as many items as it says.
    unsafe { set(context.ptr, mask.as_mut_ptr(), mask.len() as c_int) }
}

#[test]
fn a_mask_leaves_blocks_out_once() {
    let pair = Pair::load();
    let data = data(34_000); // nine blocks, the last one shorter
    let masks: [fn(usize) -> bool; 5] = [|_| false, |_| true, |n| n == 0, |n| n % 2 == 1, |n| n >= 7];
    for (filters, clevel) in FILTERS.iter().flat_map(|f| [(f, 0), (f, 5)]) {
        for masked in masks {
            for nthreads in [1, 3] {
                let ask = |lib: &Lib<'_>| {
                    let chunk = chunk(lib, &data, *filters, (1, clevel));
                    let context = dctx(lib, nthreads);
                    let mut mask: Vec<bool> = (0..9).map(masked).collect();
                    let mut codes = vec![set_maskout(lib, &context, &mut mask)];
                    // The context has its own copy.
                    mask.fill(true);
                    let mut dest = vec![0xee; data.len()];
                    codes.push(context.decompress(&chunk, &mut dest));
                    for (n, (got, block)) in dest.chunks(4000).zip(data.chunks(4000)).enumerate() {
                        let good =
                            if masked(n) { got.iter().all(|&byte| byte == 0xee) } else { got == block };
                        assert!(good, "block {n}, {filters:?}, level {clevel}, {nthreads} threads");
                    }
                    // The next time, all blocks are there again.
                    codes.push(context.decompress(&chunk, &mut dest));
                    assert!(dest == data);
                    codes
                };
                // The C library's delta wants block 0, masked or not.
                if filters.contains(&3) && masked(0) {
                    assert_eq!(pair.ours(ask), [0, 34_000, 34_000]);
                } else {
                    pair.agree("codes", ask);
                }
            }
        }
    }
}

#[test]
fn a_mask_of_another_length_is_refused_and_gone() {
    let pair = Pair::load();
    let data = data(34_000);
    for len in [1, 8, 10] {
        pair.agree("codes", |lib| {
            let chunk = chunk(lib, &data, FILTERS[1], (1, 5));
            let context = dctx(lib, 1);
            let mut dest = vec![0; data.len()];
            [
                set_maskout(lib, &context, &mut vec![true; len]),
                context.decompress(&chunk, &mut dest),
                context.decompress(&chunk, &mut dest),
            ]
        });
    }
    // A second mask takes the first one's place.
    pair.agree("codes", |lib| {
        let chunk = chunk(lib, &data, FILTERS[1], (1, 5));
        let context = dctx(lib, 1);
        let mut dest = vec![0; data.len()];
        let codes = [
            set_maskout(lib, &context, &mut [true; 3]),
            set_maskout(lib, &context, &mut [false; 9]),
            context.decompress(&chunk, &mut dest),
        ];
        assert!(dest == data);
        codes
    });
}

#[test]
fn bytes_are_items_counted_in_bytes() {
    let pair = Pair::load();
    let data = data(34_000);
    let bytes =
        |lib: &Lib<'_>, context: &Context<'_>, chunk: &[u8], (start, n): (i32, i32), dest: &mut [u8]| {
            let get = function!(lib, blosc2_getitem_bytes_ctx: GetBytes);
            let (src, to) =
                ((chunk.as_ptr().cast(), chunk.len() as i32), (dest.as_mut_ptr().cast(), dest.len() as i32));
            // SAFETY: a context, and buffers of these lengths.
            unsafe { get(context.ptr, src.0, src.1, start, n, to.0, to.1) }
        };
    for clevel in [0, 5] {
        pair.agree("codes", |lib| {
            let chunk = chunk(lib, &data, FILTERS[1], (1, clevel));
            let context = dctx(lib, 1);
            let mut dest = vec![0; 10_000];
            let mut codes = Vec::new();
            for (start, n) in [(0, 4), (4, 0), (8000, 4000), (7996, 8), (33_996, 4), (20_000, 10_000)] {
                let code = bytes(lib, &context, &chunk, (start, n), &mut dest);
                assert!(dest[..n as usize] == data[start as usize..(start + n) as usize]);
                codes.push(code);
            }
            for (start, n) in [
                (1, 4),
                (4, 3),
                (-4, 4),
                (0, -4),
                (34_000, 4),
                (33_996, 8),
                (0, 10_004),
                (i32::MAX, 4),
                (0, i32::MAX),
            ] {
                codes.push(bytes(lib, &context, &chunk, (start, n), &mut dest));
            }
            codes
        });
    }
    // Items wider than a header can say are bytes to a chunk, and this the way to count them.
    pair.agree("wide items", |lib| {
        let mut chunk = vec![0; data.len() + 32];
        let len = cctx(lib, cparams(|p| p.typesize = 1000)).compress(&data, &mut chunk);
        chunk.truncate(len as usize);
        let mut dest = vec![0; 3000];
        let code = bytes(lib, &dctx(lib, 1), &chunk, (12_001, 2_999), &mut dest);
        assert!(dest[..2_999] == data[12_001..15_000]);
        code
    });
}

#[test]
fn delta_does_not_need_to_be_asked_for_block_0() {
    // The C library decodes the other blocks without it, or waits for it for ever.
    Pair::load().ours(|lib| {
        let data = data(340_000);
        for codec in [0, 1, 4, 5] {
            for filters in [FILTERS[3], FILTERS[4], [0, 0, 0, 1, 3, 2]] {
                let chunk = chunk(lib, &data, filters, (codec, 5));
                for nthreads in [1, 2, 3, 8] {
                    let context = dctx(lib, nthreads);
                    for (start, nitems) in
                        [(1000, 1), (999, 2), (4321, 60_000), (84_999, 1), (0, 85_000), (1000, 84_000)]
                    {
                        let mut dest = vec![0; 4 * nitems];
                        let code = context.getitem(&chunk, start as c_int, nitems as c_int, &mut dest);
                        assert_eq!(code, 4 * nitems as c_int);
                        assert!(
                            dest == data[4 * start..][..4 * nitems],
                            "{codec} {filters:?} {nthreads} {start}"
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn null_pointers_are_errors() {
    Pair::load().ours(|lib| {
        let set = function!(lib, blosc2_set_maskout: SetMaskout);
        let get = function!(lib, blosc2_getitem_bytes_ctx: GetBytes);
        let (context, mut byte) = (dctx(lib, 1), [0u8; 64]);
        // SAFETY: NULL is what is tested.
        unsafe {
            assert_eq!(set(null_mut(), null_mut(), 1), -32);
            assert_eq!(set(context.ptr, null_mut(), 1), -32);
            assert_eq!(get(null_mut(), byte.as_ptr().cast(), 64, 0, 1, byte.as_mut_ptr().cast(), 1), -32);
            assert_eq!(get(context.ptr, null_mut(), 64, 0, 1, byte.as_mut_ptr().cast(), 1), -32);
        }
    });
}
