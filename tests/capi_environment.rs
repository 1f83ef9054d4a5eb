//! Environment variables that take the place of parameters, in our shared library and in the C library.
//!
//! A program of its own, whose tests take turns: the environment belongs to the process.
#![allow(unsafe_code)] // calls into shared libraries, and the environment

#[path = "common/pair.rs"]
mod pair;

use blosc2::capi::defaults::*;
use blosc2::capi::types::*;
use pair::{Lib, Pair};
use std::ffi::{c_int, c_void};
use std::process::Command;
use std::sync::Mutex;

static TURN: Mutex<()> = Mutex::new(());

type Create = unsafe extern "C" fn(blosc2_cparams) -> *mut blosc2_context;
type Call = unsafe extern "C" fn(*mut blosc2_context, *const c_void, i32, *mut c_void, i32) -> c_int;
type Free = unsafe extern "C" fn(*mut blosc2_context);
type Decompress = unsafe extern "C" fn(*const c_void, i32, *mut c_void, i32) -> c_int;
type GetThreads = unsafe extern "C" fn() -> i16;
type Compress1 = unsafe extern "C" fn(c_int, c_int, usize, usize, *const c_void, *mut c_void, usize) -> c_int;

/// What a header says of how its chunk was made: versions, flags, typesize, block size and filters.
fn described(chunk: &[u8]) -> Vec<u8> {
    [&chunk[..4], &chunk[8..12], &chunk[16..30]].concat()
}

fn by_context(lib: &Lib<'_>, data: &[u8]) -> Result<Vec<u8>, c_int> {
    made_by_context(lib, data).map(|chunk| described(&chunk))
}

fn made_by_context(lib: &Lib<'_>, data: &[u8]) -> Result<Vec<u8>, c_int> {
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
        if code < 0 {
            return Err(code);
        }
        chunk.truncate(code as usize);
        Ok(chunk)
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
    let _turn = TURN.lock();
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
        // SAFETY: nobody else reads the environment now: tests take turns.
        case.iter().for_each(|(name, value)| unsafe { std::env::set_var(name, value) });
        pair.agree(&format!("{case:?} with a context"), |lib| by_context(lib, &data));
        pair.agree(&format!("{case:?} without one"), |lib| without(lib, &data));
        // SAFETY: as above.
        case.iter().for_each(|(name, _)| unsafe { std::env::remove_var(name) });
        reset(&pair);
    }
}

/// What `strtol` makes sense of, and what it does not.
const NUMBERS: [&str; 16] = [
    "",
    "abc",
    "0",
    "1",
    " 7",
    "\t4",
    "\x0b6",
    "+3",
    "-3",
    "5",
    "12abc",
    "0x10",
    "300",
    "65537",
    "4294967297",
    "-99999999999999999999",
];

#[test]
fn numbers_are_read_as_strtol_reads_them() {
    let _turn = TURN.lock();
    let pair = Pair::load();
    let data: Vec<u8> = (0..50_000u32).flat_map(|i| (i / 3).to_le_bytes()).collect();
    let chunk = pair.ours(|lib| made_by_context(lib, &data).unwrap());
    for name in ["BLOSC_CLEVEL", "BLOSC_TYPESIZE", "BLOSC_BLOCKSIZE", "BLOSC_NTHREADS"] {
        for number in NUMBERS {
            // The C library writes chunks that cannot be read, where blocks are not whole items.
            if name == "BLOSC_BLOCKSIZE"
                && !matches!(number, "" | "abc" | "0" | "-3" | "12abc" | "300" | "-99999999999999999999")
            {
                continue;
            }
            // SAFETY: nobody else reads the environment now.
            unsafe { std::env::set_var(name, number) };
            let case = format!("{name}={number:?}");
            pair.agree(&format!("{case} with a context"), |lib| by_context(lib, &data));
            pair.agree(&format!("{case} without one"), |lib| without(lib, &data));
            pair.agree(&format!("{case} decompressing"), |lib| {
                let mut back = vec![0u8; data.len()];
                let (src, dest) = (chunk.as_ptr().cast(), back.as_mut_ptr().cast());
                let (srcsize, destsize) = (chunk.len() as i32, back.len() as i32);
                // SAFETY: buffers of these lengths.
                let code =
                    unsafe { function!(lib, blosc2_decompress: Decompress)(src, srcsize, dest, destsize) };
                // SAFETY: takes nothing.
                (code, code < 0 || back == data, unsafe { function!(lib, blosc2_get_nthreads: GetThreads)() })
            });
            // SAFETY: as above.
            unsafe { std::env::remove_var(name) };
            reset(&pair);
        }
    }
}

/// What a library says on stderr while it compresses, in a process of its own.
fn said(which: &str, variable: &str) -> Vec<String> {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["libraries_say_what_they_do_when_asked", "--exact", "--nocapture"])
        .env("ENVIRONMENT_CHILD", which)
        .env(variable, "1")
        .output()
        .unwrap();
    assert!(child.status.success());
    let words = String::from_utf8_lossy(&child.stderr).into_owned();
    words.lines().filter(|line| line.starts_with('[')).map(str::to_owned).collect()
}

#[test]
fn libraries_say_what_they_do_when_asked() {
    let _turn = TURN.lock();
    let pair = Pair::load();
    if let Some(which) = std::env::var_os("ENVIRONMENT_CHILD") {
        let data: Vec<u8> = (0..50_000u32).flat_map(|i| (i / 3).to_le_bytes()).collect();
        let act = |lib: &Lib<'_>| {
            by_context(lib, &data).unwrap();
            by_context(lib, &data[..1000]).unwrap();
            by_context(lib, &data[..3]).unwrap();
            without(lib, &data).unwrap();
            // SAFETY: a chunk that is none is refused.
            let code = unsafe {
                let (src, dest) = (data.as_ptr().cast(), [0u8; 10].as_mut_ptr().cast());
                function!(lib, blosc2_decompress: Decompress)(src, 10, dest, 10)
            };
            assert!(code < 0);
        };
        if which == "ours" {
            pair.ours(act)
        } else {
            pair.theirs(act)
        }
        return;
    }
    let ours = said("ours", "BLOSC_INFO");
    assert_eq!(ours.len(), 3, "{ours:?}");
    assert_eq!(ours[0], "[INFO] - compcode: 0, clevel: 5, blocksize: 200000, splitmode: 1, typesize: 4");
    assert!(said("ours", "BLOSC_NOTHING").is_empty());
    let errors = said("ours", "BLOSC_TRACE");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("[error] - blosc2_decompress: "), "{errors:?}");
    if pair.has_theirs() {
        assert_eq!(said("theirs", "BLOSC_INFO"), ours);
        assert!(said("theirs", "BLOSC_TRACE")[0].starts_with("[error] - "));
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
