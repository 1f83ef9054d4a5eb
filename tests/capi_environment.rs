//! Environment variables that take the place of parameters, in our shared library and in the C library.
//!
//! One test in a program of its own: the environment belongs to the process.
#![allow(unsafe_code)] // calls into shared libraries, and the environment

#[path = "common/pair.rs"]
mod pair;

use blosc2::capi::defaults::*;
use blosc2::capi::types::*;
use pair::{Lib, Pair};
use std::ffi::{c_int, c_void};

type Create = unsafe extern "C" fn(blosc2_cparams) -> *mut blosc2_context;
type Call = unsafe extern "C" fn(*mut blosc2_context, *const c_void, i32, *mut c_void, i32) -> c_int;
type Free = unsafe extern "C" fn(*mut blosc2_context);
type Compress1 = unsafe extern "C" fn(c_int, c_int, usize, usize, *const c_void, *mut c_void, usize) -> c_int;

/// What a header says of how its chunk was made: versions, flags, typesize, block size and filters.
fn described(chunk: &[u8]) -> Vec<u8> {
    [&chunk[..4], &chunk[8..12], &chunk[16..30]].concat()
}

fn by_context(lib: &Lib<'_>, data: &[u8]) -> Result<Vec<u8>, c_int> {
    let mut chunk = vec![0u8; data.len() + 32];
    // SAFETY: a context that is freed, and buffers of these lengths.
    unsafe {
        let mut params = blosc2_get_blosc2_cparams_defaults();
        params.typesize = 4;
        let context = function!(lib, blosc2_create_cctx: Create)(params);
        if context.is_null() {
            return Err(0);
        }
        let (src, dest) = (data.as_ptr().cast(), chunk.as_mut_ptr().cast());
        let code = function!(lib, blosc2_compress_ctx: Call)(
            context,
            src,
            data.len() as i32,
            dest,
            chunk.len() as i32,
        );
        function!(lib, blosc2_free_ctx: Free)(context);
        if code < 0 { Err(code) } else { Ok(described(&chunk)) }
    }
}

fn without(lib: &Lib<'_>, data: &[u8]) -> Result<Vec<u8>, c_int> {
    let mut chunk = vec![0u8; data.len() + 32];
    // SAFETY: buffers of these lengths.
    let code = unsafe {
        let (src, dest) = (data.as_ptr().cast(), chunk.as_mut_ptr().cast());
        function!(lib, blosc1_compress: Compress1)(5, 1, 4, data.len(), src, dest, chunk.len())
    };
    if code < 0 { Err(code) } else { Ok(described(&chunk)) }
}

#[test]
fn variables_take_the_place_of_parameters() {
    let pair = Pair::load();
    let data: Vec<u8> = (0..50_000u32).flat_map(|i| (i / 3).to_le_bytes()).collect();
    let cases: &[&[(&str, &str)]] = &[
        &[],
        &[("BLOSC_CLEVEL", "0")],
        &[("BLOSC_CLEVEL", "9")],
        &[("BLOSC_CLEVEL", "10")],
        &[("BLOSC_CLEVEL", "-3")],
        &[("BLOSC_SHUFFLE", "NOSHUFFLE")],
        &[("BLOSC_SHUFFLE", "BITSHUFFLE")],
        &[("BLOSC_SHUFFLE", "sideways")],
        &[("BLOSC_DELTA", "1")],
        &[("BLOSC_DELTA", "1"), ("BLOSC_SHUFFLE", "BITSHUFFLE")],
        &[("BLOSC_DELTA", "0")],
        &[("BLOSC_TYPESIZE", "8")],
        &[("BLOSC_TYPESIZE", "0")],
        &[("BLOSC_COMPRESSOR", "zstd")],
        &[("BLOSC_COMPRESSOR", "lz4hc")],
        &[("BLOSC_COMPRESSOR", "ndlz")],
        &[("BLOSC_COMPRESSOR", "blosclz")],
        &[("BLOSC_BLOCKSIZE", "4096")],
        &[("BLOSC_BLOCKSIZE", "4096bytes")],
        &[("BLOSC_SPLITMODE", "ALWAYS")],
        &[("BLOSC_SPLITMODE", "NEVER")],
        &[("BLOSC_SPLITMODE", "AUTO")],
        &[("BLOSC_SPLITMODE", "FORWARD_COMPAT")],
        &[("BLOSC_NTHREADS", "2")],
        &[("BLOSC_NOLOCK", "1"), ("BLOSC_CLEVEL", "3")],
    ];
    for case in cases {
        // SAFETY: nobody else reads the environment now: this is the only test, and no other thread of ours runs.
        case.iter().for_each(|(name, value)| unsafe { std::env::set_var(name, value) });
        pair.agree(&format!("{case:?} with a context"), |lib| by_context(lib, &data));
        pair.agree(&format!("{case:?} without one"), |lib| without(lib, &data));
        // SAFETY: as above.
        case.iter().for_each(|(name, _)| unsafe { std::env::remove_var(name) });
        reset(&pair);
    }
}

/// What functions without a context keep of the environment.
fn reset(pair: &Pair) {
    pair.agree("reset", |lib| {
        // SAFETY: a C string and numbers.
        unsafe {
            function!(lib, blosc2_set_delta: unsafe extern "C" fn(c_int))(0);
            function!(lib, blosc1_set_blocksize: unsafe extern "C" fn(usize))(0);
            function!(lib, blosc1_set_splitmode: unsafe extern "C" fn(c_int))(4);
            function!(lib, blosc2_set_nthreads: unsafe extern "C" fn(i16) -> i16)(1);
            function!(lib, blosc1_set_compressor: unsafe extern "C" fn(*const std::ffi::c_char) -> c_int)(
                c"blosclz".as_ptr(),
            )
        }
    });
}
