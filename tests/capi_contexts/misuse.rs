//! What callers get wrong, and the codes that both libraries answer with.

use super::contexts::{Context, cctx, cparams, data, dctx};
use super::function;
use super::pair::{Lib, Pair};
use super::random::Random;
use blosc2::capi::types::{blosc2_context, blosc2_cparams};
use std::ffi::{c_int, c_void};

type Call = unsafe extern "C" fn(*mut blosc2_context, *const c_void, i32, *mut c_void, i32) -> c_int;
type Compress = unsafe extern "C" fn(c_int, c_int, i32, *const c_void, i32, *mut c_void, i32) -> c_int;
type Decompress = unsafe extern "C" fn(*const c_void, i32, *mut c_void, i32) -> c_int;

/// Bytes that no codec makes smaller, so that codes which are lengths do not depend on the codec.
fn noise(n: usize) -> Vec<u8> {
    Random::new(1).bytes(n)
}

/// Compresses `src` with lengths as given, true or not, into a large enough buffer.
fn compress(lib: &Lib<'_>, context: &Context<'_>, src: &[u8], lens: (i32, i32)) -> c_int {
    let call = function!(lib, blosc2_compress_ctx: Call);
    let mut dest = vec![0u8; src.len() + 64];
    // SAFETY: a context; lengths are negative, or at most those of the buffers.
    unsafe { call(context.ptr, src.as_ptr().cast(), lens.0, dest.as_mut_ptr().cast(), lens.1) }
}

fn made(lib: &Lib<'_>, params: blosc2_cparams, src: &[u8]) -> c_int {
    let context = cctx(lib, params);
    // A context that was refused.
    if context.ptr.is_null() {
        1 << 30
    } else {
        compress(lib, &context, src, (src.len() as i32, src.len() as i32 + 32))
    }
}

#[test]
fn parameters_that_make_no_sense() {
    let (pair, noise) = (Pair::load(), noise(20_000));
    for clevel in [10, 11, 255] {
        pair.agree("level", |lib| made(lib, cparams(|p| p.clevel = clevel), &noise));
    }
    for codec in [3, 6, 31, 41, 159, 160, 255] {
        pair.agree("unknown codec", |lib| {
            let with =
                |clevel, src: &[u8]| made(lib, cparams(|p| (p.compcode, p.clevel) = (codec, clevel)), src);
            // It is not asked for where nothing is compressed.
            (with(5, &noise), with(0, &noise), with(5, &noise[..20]), with(5, &[0; 5000]))
        });
    }
    for filter in 0..=255 {
        // Those that there are have tests of their own.
        if !matches!(filter, 4 | 32..=36) {
            pair.agree("filter", |lib| made(lib, cparams(|p| p.filters = [0, filter, 0, 0, 0, 0]), &noise));
            pair.agree("filter", |lib| {
                made(lib, cparams(|p| p.filters = [0, 0, 0, 0, 0, filter]), &[0; 5000])
            });
        }
    }
    for typesize in [256, 1000, 20_000] {
        pair.agree("typesize", |lib| made(lib, cparams(|p| p.typesize = typesize), &noise));
    }
    for blocksize in [1, 31, 536_866_816, 536_866_817, i32::MAX] {
        pair.agree("block size", |lib| made(lib, cparams(|p| p.blocksize = blocksize), &noise));
    }
    for splitmode in [-1, 0, 5, 100] {
        pair.agree("split mode", |lib| {
            made(lib, cparams(|p| (p.splitmode, p.typesize) = (splitmode, 4)), &noise)
        });
    }
    for codec in [0, 4] {
        pair.agree("dictionary", |lib| made(lib, cparams(|p| (p.compcode, p.use_dict) = (codec, 1)), &noise));
    }
    for tuner in [-1, 1, 31, 33, 159, 160] {
        pair.agree("tuner", |lib| made(lib, cparams(|p| p.tuner_id = tuner), &noise));
    }
    // The C library makes chunks of these that say so themselves, or divides by them.
    pair.ours(|lib| {
        for params in
            [cparams(|p| p.typesize = -1), cparams(|p| p.typesize = 0), cparams(|p| p.blocksize = -1)]
        {
            assert_eq!(made(lib, params, &noise), -12);
        }
    });
}

#[test]
fn sizes_that_make_no_sense() {
    let (pair, noise) = (Pair::load(), noise(20_000));
    for clevel in [0, 5, 10] {
        for room in [-1, i32::MIN, 0, 1, 16, 31, 32, 33, 47, 64, 100, 20_000, 20_031, 20_032] {
            pair.agree("room", |lib| {
                compress(
                    lib,
                    &cctx(lib, cparams(|p| (p.clevel, p.compcode) = (clevel, 1))),
                    &noise,
                    (20_000, room),
                )
            });
        }
    }
    pair.agree("no data", |lib| compress(lib, &cctx(lib, cparams(|_| ())), &noise, (0, 32)));
    // The C library makes a chunk of less than no bytes.
    for srcsize in [-1, i32::MIN] {
        assert_eq!(pair.ours(|lib| compress(lib, &cctx(lib, cparams(|_| ())), &noise, (srcsize, 64))), -12);
    }
}

#[test]
fn contexts_for_something_else() {
    let (pair, data) = (Pair::load(), data(20_000));
    pair.agree("directions", |lib| {
        let mut chunk = vec![0; 20_032];
        let len = cctx(lib, cparams(|p| p.typesize = 4)).compress(&data, &mut chunk);
        let mut dest = vec![0; 20_000];
        (
            dctx(lib, 1).compress(&data, &mut dest),
            cctx(lib, cparams(|_| ())).decompress(&chunk[..len as usize], &mut dest),
        )
    });
}

#[test]
fn functions_without_a_context() {
    let (pair, noise) = (Pair::load(), noise(20_000));
    let mut dest = vec![0u8; 20_064];
    let at = dest.as_mut_ptr() as usize;
    for clevel in [-1, 0, 5, 10] {
        for shuffle in [-1, 0, 1, 2, 3, 100] {
            for typesize in [1, 4, 255, 256] {
                for room in [-1, 0, 31, 32, 20_031, 20_032] {
                    pair.agree(
                        &format!("level {clevel} shuffle {shuffle} typesize {typesize} room {room}"),
                        |lib| {
                            let call = function!(lib, blosc2_compress: Compress);
                            let (src, dest) = (noise.as_ptr().cast(), at as *mut c_void);
                            // SAFETY: buffers of at least these lengths.
                            unsafe { call(clevel, shuffle, typesize, src, 20_000, dest, room) }
                        },
                    );
                }
            }
        }
    }
    // What a name that is none leaves behind.
    pair.agree("codec by name", |lib| {
        type Set = unsafe extern "C" fn(*const std::ffi::c_char) -> c_int;
        type Get = unsafe extern "C" fn() -> *const std::ffi::c_char;
        let (set, get) =
            (function!(lib, blosc1_set_compressor: Set), function!(lib, blosc1_get_compressor: Get));
        let call = function!(lib, blosc2_compress: Compress);
        let (src, dest) = (noise.as_ptr().cast::<c_void>(), at as *mut c_void);
        // SAFETY: C strings, and buffers of at least these lengths.
        unsafe {
            let none =
                (set(c"none such".as_ptr()), get().is_null(), call(5, 1, 4, src, 20_000, dest, 20_032));
            let registered =
                (set(c"ndlz".as_ptr()), get().is_null(), call(0, 1, 4, src, 20_000, dest, 20_032));
            (
                none,
                registered,
                set(c"blosclz".as_ptr()),
                get().is_null(),
                call(5, 1, 4, src, 20_000, dest, 20_032),
            )
        }
    });
}

#[test]
fn chunks_cut_short_and_newer_than_the_library() {
    let (pair, data) = (Pair::load(), data(20_000));
    let mut dest = vec![0u8; 20_000];
    let at = dest.as_mut_ptr() as usize;
    for (codec, clevel, filters) in [(0, 5, [0, 0, 0, 0, 0, 1]), (1, 0, [0; 6]), (5, 5, [0, 0, 0, 0, 3, 2])] {
        let chunk = pair.ours(|lib| {
            let params = cparams(|p| {
                (p.typesize, p.compcode, p.clevel, p.filters, p.blocksize) =
                    (4, codec, clevel, filters, 4000);
            });
            let mut chunk = vec![0; 20_032];
            let len = cctx(lib, params).compress(&data, &mut chunk);
            chunk.truncate(len as usize);
            chunk
        });
        let ask = |lib: &Lib<'_>, chunk: &[u8], srcsize: i32, destsize: i32| {
            let call = function!(lib, blosc2_decompress: Decompress);
            // SAFETY: a chunk that says how long it is, and at least this much room.
            let plain = unsafe { call(chunk.as_ptr().cast(), srcsize, at as *mut c_void, destsize) };
            let call = function!(lib, blosc2_decompress_ctx: Call);
            let context = dctx(lib, 1);
            // SAFETY: as above.
            (plain, unsafe { call(context.ptr, chunk.as_ptr().cast(), srcsize, at as *mut c_void, destsize) })
        };
        let whole = chunk.len() as i32;
        for srcsize in [-1, i32::MIN, 0, 1, 15, 16, 17, 31, 32, 33, whole - 1, whole, i32::MAX] {
            pair.agree("source", |lib| ask(lib, &chunk, srcsize, 20_000));
        }
        for destsize in [-1, i32::MIN, 0, 1, 19_999, 20_000] {
            pair.agree("destination", |lib| ask(lib, &chunk, whole, destsize));
        }
        // A newer version is read as long as it says nothing that is not known.
        for version in [0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 255] {
            for news in [0, 2, 4, 0x80] {
                let mut newer = chunk.clone();
                (newer[0], newer[30]) = (version, news);
                let asked = pair
                    .agreed(&format!("version {version} news {news}"), |lib| ask(lib, &newer, whole, 20_000));
                if version > 6 {
                    assert_eq!(asked.0, if news == 0 { 20_000 } else { -10 });
                }
            }
        }
    }
}
