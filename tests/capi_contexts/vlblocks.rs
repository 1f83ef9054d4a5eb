//! Chunks whose blocks have lengths of their own.

use super::contexts::{Context, cctx, cparams, data, dctx};
use super::function;
use super::pair::{Lib, Pair};
use blosc2::capi::types::blosc2_context;
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

type Compress = unsafe extern "C" fn(
    *mut blosc2_context,
    *const *const c_void,
    *const i32,
    i32,
    *mut c_void,
    i32,
) -> c_int;
type Decompress =
    unsafe extern "C" fn(*mut blosc2_context, *const c_void, i32, *mut *mut c_void, *mut i32, i32) -> c_int;
type Block =
    unsafe extern "C" fn(*mut blosc2_context, *const c_void, i32, i32, *mut *mut u8, *mut i32) -> c_int;
type Count = unsafe extern "C" fn(*const c_void, i32, *mut i32) -> c_int;

fn compress(lib: &Lib<'_>, context: &Context<'_>, blocks: &[&[u8]], room: usize) -> (c_int, Vec<u8>) {
    let call = function!(lib, blosc2_vlcompress_ctx: Compress);
    let srcs: Vec<_> = blocks.iter().map(|b| if b.is_empty() { null() } else { b.as_ptr().cast() }).collect();
    let sizes: Vec<_> = blocks.iter().map(|b| b.len() as i32).collect();
    let mut chunk = vec![0; room];
    // SAFETY: arrays and room of these lengths.
    let code = unsafe {
        let n = blocks.len() as i32;
        call(context.ptr, srcs.as_ptr(), sizes.as_ptr(), n, chunk.as_mut_ptr().cast(), room as i32)
    };
    chunk.truncate(code.max(0) as usize);
    (code, chunk)
}

/// `len` bytes from `malloc`, which are freed.
fn taken(ptr: *mut u8, len: i32) -> Vec<u8> {
    // SAFETY: the libraries give blocks of these lengths from malloc.
    unsafe {
        let bytes = std::slice::from_raw_parts(ptr, len as usize).to_vec();
        libc::free(ptr.cast());
        bytes
    }
}

fn decompress(lib: &Lib<'_>, context: &Context<'_>, chunk: &[u8], most: i32) -> (c_int, Vec<Vec<u8>>) {
    let call = function!(lib, blosc2_vldecompress_ctx: Decompress);
    let (mut dests, mut sizes) = (vec![null_mut(); 200], vec![0; 200]);
    let (src, len) = (chunk.as_ptr().cast(), chunk.len() as i32);
    // SAFETY: a chunk's bytes, and room for `most` blocks.
    let code = unsafe { call(context.ptr, src, len, dests.as_mut_ptr(), sizes.as_mut_ptr(), most) };
    let blocks = (0..code.max(0) as usize).map(|n| taken(dests[n].cast(), sizes[n])).collect();
    (code, blocks)
}

fn block(lib: &Lib<'_>, context: &Context<'_>, chunk: &[u8], n: i32) -> (c_int, Vec<u8>) {
    let call = function!(lib, blosc2_vldecompress_block_ctx: Block);
    let (mut dest, mut size) = (null_mut(), 0);
    // SAFETY: a chunk's bytes, and places for the result.
    let code =
        unsafe { call(context.ptr, chunk.as_ptr().cast(), chunk.len() as i32, n, &mut dest, &mut size) };
    (code, if code < 0 { Vec::new() } else { taken(dest, size) })
}

fn count(lib: &Lib<'_>, chunk: &[u8]) -> (c_int, i32) {
    let call = function!(lib, blosc2_vlchunk_get_nblocks: Count);
    let mut n = -7;
    // SAFETY: a chunk's bytes, and a place for a number.
    (unsafe { call(chunk.as_ptr().cast(), chunk.len() as i32, &mut n) }, n)
}

#[test]
fn what_one_library_makes_of_blocks_the_other_takes_apart() {
    let data = data(60_000);
    let blocks: Vec<&[u8]> = (0..40).map(|i| &data[i * 37..i * 37 + 1 + i * i * 17]).collect();
    Pair::load().both_ways(|from, to| {
        for (codec, use_dict) in [(0, 0), (1, 0), (1, 1), (2, 1), (4, 0), (5, 0), (5, 1)] {
            for nthreads in [1, 3] {
                let c = cctx(
                    from,
                    cparams(|p| {
                        (p.compcode, p.use_dict, p.nthreads, p.typesize) = (codec, use_dict, nthreads, 4);
                    }),
                );
                let (len, chunk) = compress(from, &c, &blocks, 500_000);
                assert!(len > 0, "codec {codec}: {len}");
                assert_eq!(count(to, &chunk), (0, 40));
                let d = dctx(to, nthreads);
                let (n, back) = decompress(to, &d, &chunk, 40);
                assert_eq!(n, 40);
                assert_eq!(back, blocks);
                for n in [0, 1, 39] {
                    let (len, bytes) = block(to, &d, &chunk, n);
                    assert_eq!((len as usize, &*bytes), (blocks[n as usize].len(), blocks[n as usize]));
                }
            }
        }
    });
}

#[test]
fn both_libraries_refuse_the_same() {
    let data = data(10_000);
    Pair::load().agree("VL blocks", |lib| {
        let (c, d) = (cctx(lib, cparams(|_| ())), dctx(lib, 1));
        let (len, chunk) = compress(lib, &c, &[&data[..5000], &data[5000..]], 11_000);
        assert!(len > 0);
        let mut plain = vec![0; 11_000];
        let plain_len = c.compress(&data, &mut plain);
        plain.truncate(plain_len as usize);
        [
            compress(lib, &c, &[], 11_000).0,
            compress(lib, &c, &[&data, &[]], 11_000).0,
            compress(lib, &d, &[&data], 11_000).0,
            compress(lib, &c, &[&data], 31).0,
            compress(lib, &c, &[&data], 33).0,
            compress(lib, &c, &[&data], 60).0,
            decompress(lib, &c, &chunk, 2).0,
            decompress(lib, &d, &chunk, 1).0,
            decompress(lib, &d, &chunk, 0).0,
            decompress(lib, &d, &chunk, -1).0,
            decompress(lib, &d, &plain, 2).0,
            decompress(lib, &d, &chunk[..31], 2).0,
            decompress(lib, &d, &chunk[..39], 2).0,
            decompress(lib, &d, &chunk[..60], 2).0,
            block(lib, &c, &chunk, 0).0,
            block(lib, &d, &chunk, 2).0,
            block(lib, &d, &chunk, -1).0,
            block(lib, &d, &plain, 0).0,
            block(lib, &d, &chunk[..10], 0).0,
            count(lib, &plain).0,
            count(lib, &chunk[..10]).0,
            count(lib, &chunk[..32]).0,
            d.getitem(&chunk, 0, 1, &mut [0; 100]),
            d.decompress(&chunk, &mut vec![0; 10_000]),
        ]
    });
}

#[test]
fn null_pointers_are_errors() {
    let data = data(1000);
    Pair::load().ours(|lib| {
        let (c, d) = (cctx(lib, cparams(|_| ())), dctx(lib, 1));
        let (_, chunk) = compress(lib, &c, &[&data], 2000);
        let (src, len) = (chunk.as_ptr().cast(), chunk.len() as i32);
        let (mut dest, mut size, mut bytes) = (null_mut(), 0, null_mut());
        let ptr = data.as_ptr().cast();
        let compress = function!(lib, blosc2_vlcompress_ctx: Compress);
        let decompress = function!(lib, blosc2_vldecompress_ctx: Decompress);
        let block = function!(lib, blosc2_vldecompress_block_ctx: Block);
        let count = function!(lib, blosc2_vlchunk_get_nblocks: Count);
        // SAFETY: NULL is what is tested, everything else is what it says.
        unsafe {
            assert_eq!(compress(null_mut(), &ptr, &1000, 1, dest, 0), -32);
            assert_eq!(compress(c.ptr, null(), &1000, 1, dest, 0), -12);
            assert_eq!(compress(c.ptr, &ptr, null(), 1, dest, 0), -12);
            assert_eq!(compress(c.ptr, &ptr, &1000, 1, null_mut(), 1000), -32);
            assert_eq!(decompress(null_mut(), src, len, &mut dest, &mut size, 1), -32);
            assert_eq!(decompress(d.ptr, null(), len, &mut dest, &mut size, 1), -32);
            assert_eq!(decompress(d.ptr, src, len, null_mut(), &mut size, 1), -12);
            assert_eq!(decompress(d.ptr, src, len, &mut dest, null_mut(), 1), -12);
            assert_eq!(block(null_mut(), src, len, 0, &mut bytes, &mut size), -32);
            assert_eq!(block(d.ptr, null(), len, 0, &mut bytes, &mut size), -32);
            assert_eq!(block(d.ptr, src, len, 0, null_mut(), &mut size), -12);
            assert_eq!(block(d.ptr, src, len, 0, &mut bytes, null_mut()), -12);
            assert_eq!(count(null(), len, &mut size), -12);
            assert_eq!(count(src, len, null_mut()), -12);
        }
    });
}
