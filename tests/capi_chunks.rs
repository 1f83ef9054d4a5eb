//! Contexts and the functions without one, as C programs call them, in our shared library and in the C library.
#![allow(unsafe_code)] // calls into shared libraries

#[path = "common/contexts.rs"]
mod contexts;
#[path = "common/pair.rs"]
mod pair;

use blosc2::capi::types::{blosc2_context, blosc2_cparams};
use contexts::{Call, Create, GetItem, cctx, cparams, data, dctx};
use pair::Pair;
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

#[test]
fn what_one_library_compresses_the_other_decompresses() {
    let pair = Pair::load();
    let data = data(300_000);
    pair.both_ways(|from, to| {
        for codec in [0, 1, 2, 4, 5] {
            for nthreads in [1, 3] {
                let cctx =
                    cctx(from, cparams(|p| (p.compcode, p.typesize, p.nthreads) = (codec, 4, nthreads)));
                let mut chunk = vec![0; data.len() + 32];
                let len = cctx.compress(&data, &mut chunk);
                assert!(len > 0 && len < 100_000, "codec {codec}: {len}");
                chunk.truncate(len as usize);
                let dctx = dctx(to, nthreads);
                let mut back = vec![0; data.len()];
                assert_eq!(dctx.decompress(&chunk, &mut back), data.len() as c_int);
                assert_eq!(back, data);
                let mut some = vec![0; 400];
                assert_eq!(dctx.getitem(&chunk, 70_000, 100, &mut some), 400);
                assert_eq!(some, &data[280_000..280_400]);
            }
        }
    });
}

#[test]
fn contexts_refuse_what_makes_no_sense_with_the_same_codes() {
    let pair = Pair::load();
    let data = data(10_000);
    pair.agree("compressing", |lib| {
        let mut dest = vec![0; 20_000];
        let mut codes = Vec::new();
        let level = cctx(lib, cparams(|p| p.clevel = 10));
        codes.push(level.compress(&data, &mut dest));
        let dict = cctx(lib, cparams(|p| p.use_dict = 1));
        codes.push(dict.compress(&data, &mut dest));
        let good = cctx(lib, cparams(|p| p.typesize = 4));
        codes.push(good.compress(&data, &mut dest[..31]));
        codes.push(good.compress(&data, &mut dest[..0]));
        codes.push(good.compress(&data, &mut dest[..40]));
        codes.push(good.decompress(&data, &mut dest));
        codes.push(dctx(lib, 1).compress(&data, &mut dest));
        codes
    });
    pair.agree("unknown filters, codecs and tuners", |lib| {
        let mut made = Vec::new();
        for filter in [4, 5, 31, 36, 37, 159, 160] {
            let create = function!(lib, blosc2_create_cctx: Create<blosc2_cparams>);
            // SAFETY: plain parameters; the few contexts are not missed.
            made.push(unsafe { create(cparams(|p| p.filters[0] = filter)) }.is_null());
        }
        made
    });
    pair.agree("unknown codec", |lib| {
        cctx(lib, cparams(|p| p.compcode = 200)).compress(&data, &mut vec![0; 20_000]) < 0
    });
    pair.agree("decompressing", |lib| {
        let mut chunk = vec![0; 20_000];
        let len = cctx(lib, cparams(|p| p.typesize = 4)).compress(&data, &mut chunk);
        chunk.truncate(len as usize);
        let d = dctx(lib, 1);
        let mut dest = vec![0; 10_000];
        let mut codes = vec![
            d.decompress(&chunk, &mut dest[..9_999]),
            d.decompress(&chunk[..15], &mut dest),
            d.decompress(&chunk[..31], &mut dest),
            d.decompress(&chunk[..40], &mut dest),
            d.decompress(&[], &mut dest),
            d.getitem(&chunk, 0, 0, &mut dest),
            d.getitem(&chunk, 0, -1, &mut dest),
            d.getitem(&chunk, -1, 1, &mut dest),
            d.getitem(&chunk, 2_500, 1, &mut dest),
            d.getitem(&chunk, 2_400, 101, &mut dest),
            d.getitem(&chunk, 0, 2_500, &mut dest[..9_996]),
            d.getitem(&chunk, i32::MAX, i32::MAX, &mut dest),
        ];
        for at in [3, 8, 12] {
            let mut bad = chunk.clone();
            bad[at..at + if at == 3 { 1 } else { 4 }].fill(0);
            codes.push(d.decompress(&bad, &mut dest));
        }
        codes
    });
}

#[test]
fn null_pointers_are_errors() {
    Pair::load().ours(|lib| {
        let compress = function!(lib, blosc2_compress_ctx: Call);
        let decompress = function!(lib, blosc2_decompress_ctx: Call);
        let getitem = function!(lib, blosc2_getitem_ctx: GetItem);
        let free = function!(lib, blosc2_free_ctx: unsafe extern "C" fn(*mut blosc2_context));
        let (c, d) = (cctx(lib, cparams(|_| ())), dctx(lib, 1));
        let mut buffer = [1u8; 100];
        let (there, none, nowhere) = (buffer.as_mut_ptr().cast::<c_void>(), null(), null_mut());
        // SAFETY: NULL is what is tested; everything else has 100 bytes.
        unsafe {
            free(null_mut());
            assert_eq!(compress(null_mut(), there, 100, there, 100), -32);
            assert_eq!(compress(c.ptr, none, 100, there, 100), -32);
            assert_eq!(compress(c.ptr, there, 100, nowhere, 100), -32);
            assert_eq!(decompress(null_mut(), there, 100, there, 100), -32);
            assert_eq!(decompress(d.ptr, none, 100, there, 100), -32);
            assert_eq!(decompress(d.ptr, none, i32::MAX, there, 100), -32);
            assert_eq!(getitem(d.ptr, none, 100, 0, 1, there, 100), -32);
        }
    });
}

#[test]
fn contexts_give_back_their_parameters() {
    Pair::load().agree("parameters", |lib| {
        let asked = cparams(|p| {
            (p.compcode, p.clevel, p.typesize, p.nthreads, p.blocksize, p.splitmode) = (5, 7, 2, 3, 4096, 1);
            (p.filters, p.filters_meta) = ([0, 0, 0, 3, 4, 2], [1, 2, 3, 4, 5, 6]);
        });
        let context = cctx(lib, asked);
        type Get = unsafe extern "C" fn(*mut blosc2_context, *mut blosc2_cparams) -> c_int;
        let get = function!(lib, blosc2_ctx_get_cparams: Get);
        let mut p = cparams(|_| ());
        // SAFETY: a context, and a place for parameters.
        let code = unsafe { get(context.ptr, &mut p) };
        (
            code,
            p.compcode,
            p.clevel,
            p.typesize,
            p.nthreads,
            p.blocksize,
            p.splitmode,
            p.filters,
            p.filters_meta,
        )
    });
}

#[test]
fn functions_without_a_context_work_and_are_settable() {
    type Compress1 =
        unsafe extern "C" fn(c_int, c_int, usize, usize, *const c_void, *mut c_void, usize) -> c_int;
    type Decompress1 = unsafe extern "C" fn(*const c_void, *mut c_void, usize) -> c_int;
    type GetItem1 = unsafe extern "C" fn(*const c_void, c_int, c_int, *mut c_void) -> c_int;
    let pair = Pair::load();
    let data = data(40_000);
    pair.both_ways(|from, to| {
        let compress = function!(from, blosc1_compress: Compress1);
        let decompress = function!(to, blosc1_decompress: Decompress1);
        let getitem = function!(to, blosc1_getitem: GetItem1);
        for shuffle in [0, 1, 2] {
            let (mut chunk, mut back) = (vec![0u8; 40_032], vec![0u8; 40_000]);
            let (src, dest) = (data.as_ptr().cast(), chunk.as_mut_ptr().cast());
            // SAFETY: buffers of these lengths; the chunk says its own.
            unsafe {
                let len = compress(5, shuffle, 4, data.len(), src, dest, 40_032);
                assert!(len > 16);
                assert_eq!(decompress(chunk.as_ptr().cast(), back.as_mut_ptr().cast(), 40_000), 40_000);
                assert_eq!(back, data);
                assert_eq!(getitem(chunk.as_ptr().cast(), 10, 3, back.as_mut_ptr().cast()), 12);
                assert_eq!(back[..12], data[40..52]);
            }
        }
    });
    pair.agree("settings", |lib| {
        let set_compressor =
            function!(lib, blosc1_set_compressor: unsafe extern "C" fn(*const std::ffi::c_char) -> c_int);
        let set_nthreads = function!(lib, blosc2_set_nthreads: unsafe extern "C" fn(i16) -> i16);
        let get_nthreads = function!(lib, blosc2_get_nthreads: unsafe extern "C" fn() -> i16);
        let set_blocksize = function!(lib, blosc1_set_blocksize: unsafe extern "C" fn(usize));
        let get_blocksize = function!(lib, blosc1_get_blocksize: unsafe extern "C" fn() -> c_int);
        // SAFETY: C strings and numbers.
        unsafe {
            let codes = [
                set_compressor(c"zstd".as_ptr()),
                set_compressor(c"ndlz".as_ptr()),
                set_compressor(c"blosclz".as_ptr()),
                set_nthreads(2).into(),
                set_nthreads(0).into(),
                set_nthreads(-5).into(),
                get_nthreads().into(),
                set_nthreads(1).into(),
                get_blocksize(),
                {
                    set_blocksize(4096);
                    get_blocksize()
                },
            ];
            set_blocksize(0);
            codes
        }
    });
}

#[test]
fn a_chunk_answers_questions() {
    type Sizes = unsafe extern "C" fn(*const c_void, *mut i32, *mut i32, *mut i32) -> c_int;
    type Validate = unsafe extern "C" fn(*const c_void, usize, *mut usize) -> c_int;
    type Metainfo = unsafe extern "C" fn(*const c_void, *mut usize, *mut c_int);
    type Versions = unsafe extern "C" fn(*const c_void, *mut c_int, *mut c_int);
    type Complib = unsafe extern "C" fn(*const c_void) -> *const std::ffi::c_char;
    let pair = Pair::load();
    let data = data(20_000);
    let chunk = pair.ours(|lib| {
        let mut chunk = vec![0; 20_032];
        let len = cctx(lib, cparams(|p| (p.typesize, p.compcode) = (4, 5))).compress(&data, &mut chunk);
        chunk.truncate(len as usize);
        chunk
    });
    let mut variants = vec![chunk.clone()];
    for at in 0..16 {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bad = chunk.clone();
            bad[at] = value;
            // A negative number of bytes: the C library passes it on, ours calls it an invalid header.
            if (at, value) != (7, 0xff) {
                variants.push(bad);
            }
        }
    }
    pair.agree("questions", |lib| {
        let (sizes, validate) =
            (function!(lib, blosc2_cbuffer_sizes: Sizes), function!(lib, blosc1_cbuffer_validate: Validate));
        let (metainfo, versions, complib) = (
            function!(lib, blosc1_cbuffer_metainfo: Metainfo),
            function!(lib, blosc2_cbuffer_versions: Versions),
            function!(lib, blosc2_cbuffer_complib: Complib),
        );
        let mut answers = Vec::new();
        for chunk in &variants {
            let ptr = chunk.as_ptr().cast();
            let (mut a, mut b, mut c) = (-1, -1, -1);
            let (mut n, mut m, mut size) = (-1, -1, 7usize);
            // SAFETY: a chunk's bytes, places for numbers, and names that the libraries keep.
            unsafe {
                answers.push(sizes(ptr, &mut a, &mut b, &mut c).to_string());
                answers.push(format!("{a} {b} {c}"));
                let code = validate(ptr, chunk.len(), &mut size);
                answers.push(format!("{code} {size} {}", validate(ptr, 15, &mut size)));
                metainfo(ptr, &mut size, &mut n);
                answers.push(format!("{size} {n}"));
                versions(ptr, &mut n, &mut m);
                answers.push(format!("{n} {m}"));
                let name = complib(ptr);
                if !name.is_null() {
                    answers.push(std::ffi::CStr::from_ptr(name).to_string_lossy().into_owned());
                }
            }
        }
        answers
    });
}
