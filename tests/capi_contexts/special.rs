//! Chunks that say only what all their items are.

use super::contexts::{cctx, cparams, dctx};
use super::function;
use super::pair::{Lib, Pair};
use blosc2::capi::types::blosc2_cparams;
use std::ffi::{c_int, c_void};

type Make = unsafe extern "C" fn(blosc2_cparams, i32, *mut c_void, i32) -> c_int;
type Repeat = unsafe extern "C" fn(blosc2_cparams, i32, *mut c_void, i32, *const c_void) -> c_int;

/// What a call made: its code, and the bytes of the chunk.
type Made = (c_int, Vec<u8>);

fn make(lib: &Lib<'_>, kind: &str, params: blosc2_cparams, nbytes: i32, room: usize) -> Made {
    // SAFETY: all three have this type.
    let call = unsafe { lib.function::<Make>(kind) };
    let mut chunk = vec![0xee; room];
    // SAFETY: room for as many bytes as it says.
    let code = unsafe { call(params, nbytes, chunk.as_mut_ptr().cast(), room as i32) };
    chunk.truncate(code.max(0) as usize);
    (code, chunk)
}

fn repeat(lib: &Lib<'_>, params: blosc2_cparams, nbytes: i32, item: &[u8], room: usize) -> Made {
    let call = function!(lib, blosc2_chunk_repeatval: Repeat);
    let mut chunk = vec![0xee; room];
    // SAFETY: room for as many bytes as it says, and an item of the typesize.
    let code = unsafe { call(params, nbytes, chunk.as_mut_ptr().cast(), room as i32, item.as_ptr().cast()) };
    chunk.truncate(code.max(0) as usize);
    (code, chunk)
}

const KINDS: [&str; 3] = ["blosc2_chunk_zeros", "blosc2_chunk_nans", "blosc2_chunk_uninit"];

#[test]
fn both_libraries_make_the_same_chunks() {
    let pair = Pair::load();
    let item: Vec<u8> = (1..=200).collect();
    for (codec, clevel, typesize, blocksize) in
        [(0, 5, 8, 0), (5, 9, 4, 0), (4, 0, 1, 0), (1, 5, 7, 1000), (2, 1, 200, 64), (1, 3, 8, 3)]
    {
        let params = cparams(|p| {
            (p.compcode, p.clevel, p.typesize, p.blocksize) = (codec, clevel, typesize, blocksize);
        });
        for nitems in [0, 1, 3, 1000, 1_000_000] {
            let nbytes = nitems * typesize;
            for kind in KINDS {
                let (code, _) = pair.agreed(kind, |lib| make(lib, kind, params, nbytes, 40));
                assert_eq!(code, 32);
            }
            let made = pair.agreed("repeatval", |lib| repeat(lib, params, nbytes, &item, 240));
            assert_eq!(made.0, 32 + typesize);
        }
    }
}

#[test]
fn both_libraries_refuse_the_same() {
    let pair = Pair::load();
    let params = cparams(|p| p.typesize = 4);
    for kind in KINDS {
        for (nbytes, room) in [(400, 31), (401, 32), (2, 32), (400, 0), (i32::MAX - 3, 32)] {
            pair.agree(kind, |lib| make(lib, kind, params, nbytes, room).0);
        }
        // There, such a chunk is made.
        assert_eq!(pair.ours(|lib| make(lib, kind, params, -4, 32)).0, -12);
    }
    for (nbytes, room) in [(400, 35), (401, 36), (400, 36)] {
        pair.agree("repeatval", |lib| repeat(lib, params, nbytes, &[1, 2, 3, 4], room));
    }
    let bad = [
        cparams(|p| p.filters[0] = 20),
        cparams(|p| p.clevel = 10),
        cparams(|p| p.tuner_id = 77),
        cparams(|p| p.use_dict = 1),
    ];
    for params in bad {
        pair.agree("parameters", |lib| make(lib, KINDS[0], params, 400, 32));
    }
}

#[test]
fn special_chunks_decompress_to_what_they_say() {
    let pair = Pair::load();
    pair.both_ways(|from, to| {
        let params = cparams(|p| (p.typesize, p.blocksize) = (4, 1000));
        let (_, value) = repeat(from, params, 4000, b"abcd", 100);
        for nthreads in [1, 3] {
            let d = dctx(to, nthreads);
            let mut dest = vec![7; 4000];
            assert_eq!(d.decompress(&make(from, KINDS[0], params, 4000, 32).1, &mut dest), 4000);
            assert!(dest.iter().all(|&byte| byte == 0));
            assert_eq!(d.decompress(&make(from, KINDS[1], params, 4000, 32).1, &mut dest), 4000);
            assert!(dest.chunks(4).all(|item| f32::from_le_bytes(item.try_into().unwrap()).is_nan()));
            dest.fill(9);
            assert_eq!(d.decompress(&make(from, KINDS[2], params, 4000, 32).1, &mut dest), 4000);
            assert!(dest.iter().all(|&byte| byte == 9));
            assert_eq!(d.decompress(&value, &mut dest), 4000);
            assert!(dest == b"abcd".repeat(1000));
            assert_eq!(d.getitem(&value, 333, 3, &mut dest), 12);
            assert_eq!(&dest[..12], b"abcdabcdabcd");
        }
    });
}

#[test]
fn data_that_is_special_is_recognised() {
    let pair = Pair::load();
    let (nans, doubles) = (f32::NAN.to_le_bytes().repeat(1000), f64::NAN.to_le_bytes().repeat(500));
    let words = b"abcdefgh".repeat(500);
    let pack = |lib: &Lib<'_>, src: &[u8], typesize| {
        let mut chunk = vec![0; 5000];
        let len = cctx(lib, cparams(|p| p.typesize = typesize)).compress(src, &mut chunk);
        // The special value, in the header's last byte.
        (len, chunk[31] >> 4)
    };
    for nbytes in [4000, 4001] {
        assert_eq!(pair.agreed("zeros", |lib| pack(lib, &vec![0; nbytes], 4)), (32, 1));
    }
    // The C library compresses these.
    for (src, typesize, made) in [(&nans, 4, (32, 2)), (&doubles, 8, (32, 2)), (&words, 8, (40, 3))] {
        assert_eq!(pair.ours(|lib| pack(lib, src, typesize)), made);
    }
}
