//! Arrays made, stored and read back.

use crate::function;
use crate::pair::{Pair, Scratch};
use crate::plan::*;
use blosc2::capi::defaults::*;
use blosc2::capi::types::*;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

#[test]
fn what_one_library_stores_the_other_reads() {
    Pair::load().both_ways(|from, to| {
        for plan in plans() {
            for contiguous in [false, true] {
                let plan = Plan { contiguous, ..plan.clone() };
                let (frame, needs_free) = plan.filled(from).to_cframe();
                assert_eq!(needs_free, !contiguous);
                for copy in [false, true] {
                    assert_eq!(from_cframe(to, &frame, copy).unwrap().all().unwrap(), plan.data());
                }
                let path = Scratch::new("array");
                let stored = Plan { path: Some(path.text()), ..plan.clone() }.filled(from);
                assert_eq!(stored.all().unwrap(), plan.data());
                drop(stored);
                let opened = open(to, &path.text()).unwrap();
                assert_eq!(opened.all().unwrap(), plan.data());
                if plan.nitems() > 0 && !plan.shape.is_empty() {
                    let (zeros, ones) = (vec![0; plan.shape.len()], vec![1; plan.shape.len()]);
                    assert_eq!(opened.set(&[9, 9, 9, 9], &ones, &zeros, &ones), 0);
                    drop(opened);
                    assert_eq!(open(from, &path.text()).unwrap().all().unwrap()[..4], [9, 9, 9, 9]);
                }
            }
        }
    });
}

#[test]
fn the_fields_say_the_same() {
    let pair = Pair::load();
    for plan in plans() {
        for call in ["b2nd_zeros", "b2nd_uninit", "b2nd_empty", "b2nd_nans"] {
            pair.agree(call, |lib| plan.make(lib, call).map(|array| array.fields()));
        }
        for dtype in [None, Some(c"<f4".into())] {
            let plan = Plan { dtype, ..plan.clone() };
            pair.agree("from a buffer", |lib| plan.filled(lib).fields());
            pair.agree("from a frame", |lib| {
                from_cframe(lib, &plan.filled(lib).to_cframe().0, true).unwrap().fields()
            });
        }
    }
}

#[test]
fn special_arrays_read_as_what_they_are() {
    let pair = Pair::load();
    for plan in plans() {
        for call in ["b2nd_zeros", "b2nd_nans"] {
            pair.agree(call, |lib| plan.make(lib, call).unwrap().all());
        }
        pair.agree("b2nd_full", |lib| {
            type Full = unsafe extern "C" fn(*mut b2nd_context_t, *mut Handle, *const c_void) -> c_int;
            let full = function!(lib, b2nd_full: Full);
            plan.context(lib, |context| {
                let mut ptr = null_mut();
                let item = [4u8, 3, 2, 1];
                // SAFETY: a context, a place for a pointer, and an item.
                assert_eq!(unsafe { full(context, &mut ptr, item.as_ptr().cast()) }, 0);
                Array { lib, ptr }.all()
            })
        });
    }
    pair.agree("NaN of 3 bytes", |lib| {
        let plan = Plan { typesize: 3, ..Plan::new(&[10], &[5], &[5]) };
        plan.make(lib, "b2nd_nans").err()
    });
}

#[test]
fn slices_agree() {
    let pair = Pair::load();
    let plan = Plan::new(&[13, 17, 5], &[7, 6, 5], &[3, 4, 2]);
    let boxes: [([i64; 3], [i64; 3], [i64; 3]); 6] = [
        ([0, 0, 0], [13, 17, 5], [13, 17, 5]),
        ([3, 5, 1], [9, 11, 4], [6, 6, 3]),
        ([3, 5, 1], [9, 11, 4], [7, 8, 4]),
        ([6, 0, 0], [7, 17, 1], [1, 17, 1]),
        ([12, 16, 4], [13, 17, 5], [1, 1, 1]),
        ([4, 4, 2], [4, 8, 3], [1, 4, 1]),
    ];
    for (start, stop, shape) in boxes {
        let len = shape.iter().product::<i64>() as usize * 4;
        pair.agree("get", |lib| plan.filled(lib).get(&start, &stop, &shape, len));
        pair.agree("set", |lib| {
            let array = plan.filled(lib);
            let data: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            (array.set(&data, &shape, &start, &stop), array.all())
        });
    }
}

#[test]
fn misuse_has_the_same_codes() {
    let pair = Pair::load();
    let plan = Plan::new(&[20, 30], &[10, 10], &[5, 5]);
    pair.agree("slices", |lib| {
        let array = plan.filled(lib);
        [
            array.get(&[0, 0], &[10, 10], &[9, 10], 400).err(),
            array.get(&[0, 0], &[10, 10], &[10, 10], 399).err(),
            array.get(&[-1, 0], &[10, 10], &[20, 10], 800).err(),
            array.get(&[0, 0], &[0, 0], &[1, 1], 4).err(),
            Some(array.set(&[0; 400], &[9, 10], &[0, 0], &[10, 10])),
            Some(array.set(&[0; 396], &[10, 10], &[0, 0], &[10, 10])),
        ]
    });
    pair.agree("opening", |lib| {
        let there = Scratch::new("no-array");
        std::fs::write(&there.0, b"not a frame at all, but long enough to look for one in here").unwrap();
        let none = Scratch::new("nothing");
        let frame = plan.filled(lib).to_cframe().0;
        let plan = Plan { path: Some(there.text()), contiguous: true, ..plan.clone() };
        [
            open(lib, &none.text()).err(),
            open(lib, &there.text()).err(),
            from_cframe(lib, &frame[..frame.len() - 1], true).err(),
            from_cframe(lib, b"not a frame", true).err(),
            plan.make(lib, "b2nd_zeros").err(),
        ]
    });
    pair.agree("impossible descriptions", |lib| {
        let context = |plan: &Plan| plan.context(lib, |context| context.is_null());
        [
            context(&Plan::new(&[-1], &[1], &[1])),
            context(&Plan::new(&[10], &[-1], &[1])),
            context(&Plan::new(&[10], &[5], &[0])),
            context(&Plan::new(&[1; 17], &[1; 17], &[1; 17])),
            context(&Plan::new(&[1 << 40; 2], &[1 << 20; 2], &[1 << 20; 2])),
            context(&Plan::new(&[0], &[0], &[0])),
            context(&Plan::new(&[10], &[20], &[20])),
        ]
    });
    pair.agree("a super-chunk without an array", |lib| {
        type FromSchunk = unsafe extern "C" fn(*mut blosc2_schunk, *mut Handle) -> c_int;
        let new = function!(lib, blosc2_schunk_new: unsafe extern "C" fn(*mut blosc2_storage) -> *mut blosc2_schunk);
        let free = function!(lib, blosc2_schunk_free: unsafe extern "C" fn(*mut blosc2_schunk) -> c_int);
        let from = function!(lib, b2nd_from_schunk: FromSchunk);
        let mut array = null_mut();
        // SAFETY: a storage, a live super-chunk that stays ours, and a place for a pointer.
        unsafe {
            let schunk = new(&mut blosc2_get_blosc2_storage_defaults());
            let code = from(schunk, &mut array);
            assert_eq!(free(schunk), 0);
            code
        }
    });
}

#[test]
fn an_array_may_be_made_of_an_opened_super_chunk() {
    Pair::load().both_ways(|from, to| {
        let plan = Plan { contiguous: true, ..Plan::new(&[20, 30], &[10, 10], &[5, 5]) };
        let path = Scratch::new("from-schunk");
        drop(Plan { path: Some(path.text()), ..plan.clone() }.filled(from));
        let open =
            function!(to, blosc2_schunk_open: unsafe extern "C" fn(*const c_char) -> *mut blosc2_schunk);
        type FromSchunk = unsafe extern "C" fn(*mut blosc2_schunk, *mut Handle) -> c_int;
        let from_schunk = function!(to, b2nd_from_schunk: FromSchunk);
        let mut ptr = null_mut();
        // SAFETY: a C string, the super-chunk that is there, and a place for a pointer.
        unsafe { assert_eq!(from_schunk(open(path.text().as_ptr()), &mut ptr), 0) };
        assert_eq!(Array { lib: to, ptr }.all().unwrap(), plan.data());
    });
}

#[test]
fn filters_that_know_cells_see_the_array() {
    type Cctx = unsafe extern "C" fn(blosc2_cparams) -> *mut blosc2_context;
    type Dctx = unsafe extern "C" fn(blosc2_dparams) -> *mut blosc2_context;
    type Call = unsafe extern "C" fn(*mut blosc2_context, *const c_void, i32, *mut c_void, i32) -> c_int;
    type Free = unsafe extern "C" fn(*mut blosc2_context);
    let ndcell = ([32, 0, 0, 0, 0, 1], [4, 0, 0, 0, 0, 0]);
    Pair::load().both_ways(|from, to| {
        let plan = Plan { filters: ndcell, contiguous: true, ..Plan::new(&[20, 30], &[10, 10], &[5, 5]) };
        let (ours, theirs) = (plan.filled(from), plan.filled(to));
        let frame = ours.to_cframe().0;
        assert_eq!(from_cframe(to, &frame, true).unwrap().all().unwrap(), plan.data());
        // Contexts of one's own that only know the super-chunk.
        let data = &plan.data()[..400];
        let (mut chunk, mut back) = (vec![0u8; 432], vec![0u8; 400]);
        // SAFETY: contexts that are freed, live super-chunks, and buffers of these lengths.
        unsafe {
            let mut cparams = blosc2_get_blosc2_cparams_defaults();
            (cparams.typesize, cparams.blocksize, cparams.schunk) = (4, 100, ours.sc.cast());
            (cparams.filters, cparams.filters_meta) = ndcell;
            let cctx = function!(from, blosc2_create_cctx: Cctx)(cparams);
            let compress = function!(from, blosc2_compress_ctx: Call);
            let len = compress(cctx, data.as_ptr().cast(), 400, chunk.as_mut_ptr().cast(), 432);
            function!(from, blosc2_free_ctx: Free)(cctx);
            assert!(len > 32, "{len}");
            let mut dparams = blosc2_get_blosc2_dparams_defaults();
            dparams.schunk = theirs.sc.cast();
            let dctx = function!(to, blosc2_create_dctx: Dctx)(dparams);
            let decompress = function!(to, blosc2_decompress_ctx: Call);
            assert_eq!(decompress(dctx, chunk.as_ptr().cast(), len, back.as_mut_ptr().cast(), 400), 400);
            function!(to, blosc2_free_ctx: Free)(dctx);
        }
        assert_eq!(back, data);
    });
}

#[test]
fn saved_arrays_open() {
    Pair::load().both_ways(|from, to| {
        for contiguous in [false, true] {
            let plan = Plan { contiguous, ..Plan::new(&[20, 30], &[10, 10], &[5, 5]) };
            let array = plan.filled(from);
            let path = Scratch::new("saved");
            let save =
                function!(from, b2nd_save: unsafe extern "C" fn(*const b2nd_array_t, *mut c_char) -> c_int);
            // SAFETY: a live array and a C string.
            unsafe {
                assert_eq!(save(array.ptr, path.text().as_ptr().cast_mut()), 0);
                assert!(save(array.ptr, path.text().as_ptr().cast_mut()) < 0);
            }
            assert_eq!(open(to, &path.text()).unwrap().all().unwrap(), plan.data());
            let file = Scratch::new("appended");
            type Append = unsafe extern "C" fn(*const b2nd_array_t, *const c_char) -> i64;
            let append = function!(from, b2nd_save_append: Append);
            type OpenAt = unsafe extern "C" fn(*const c_char, *mut Handle, i64) -> c_int;
            let open_at = function!(to, b2nd_open_offset: OpenAt);
            let mut ptr = null_mut();
            std::fs::write(&file.0, b"something").unwrap();
            // SAFETY: live arrays, C strings and a place for a pointer.
            unsafe {
                let at = append(array.ptr, file.text().as_ptr());
                assert_eq!(at, 9);
                assert_eq!(open_at(file.text().as_ptr(), &mut ptr, at), 0);
            }
            assert_eq!(Array { lib: to, ptr }.all().unwrap(), plan.data());
        }
    });
}

#[test]
fn metalayers_are_the_same_bytes_and_read_alike() {
    type Serialize = unsafe extern "C" fn(
        i8,
        *const i64,
        *const i32,
        *const i32,
        *const c_char,
        i8,
        *mut *mut u8,
    ) -> c_int;
    type Deserialize = unsafe extern "C" fn(
        *const u8,
        i32,
        *mut i8,
        *mut i64,
        *mut i32,
        *mut i32,
        *mut *mut c_char,
        *mut i8,
    ) -> c_int;
    let pair = Pair::load();
    for plan in plans() {
        for dtype in [null(), c"<f8".as_ptr()] {
            let bytes = pair.agreed("serialize", |lib| {
                let f = function!(lib, b2nd_serialize_meta: Serialize);
                let mut smeta = null_mut();
                let (shape, chunks, blocks) =
                    (plan.shape.as_ptr(), plan.chunks.as_ptr(), plan.blocks.as_ptr());
                // SAFETY: numbers for each dimension, a C string or NULL, and a place for a pointer.
                unsafe {
                    let len = f(plan.shape.len() as i8, shape, chunks, blocks, dtype, 0, &mut smeta);
                    let bytes = std::slice::from_raw_parts(smeta, len as usize).to_vec();
                    libc::free(smeta.cast());
                    bytes
                }
            });
            for wants_dtype in [false, true] {
                for len in (0..=bytes.len()).rev() {
                    pair.agree("deserialize", |lib| {
                        let f = function!(lib, b2nd_deserialize_meta: Deserialize);
                        let (mut ndim, mut format, mut dtype) = (-1, -1, null_mut());
                        let (mut shape, mut chunks, mut blocks) = ([0i64; 16], [0i32; 16], [0i32; 16]);
                        let places = if wants_dtype {
                            (&raw mut dtype, &raw mut format)
                        } else {
                            (null_mut(), null_mut())
                        };
                        // SAFETY: bytes, and places for all results; the dtype is a C string and is freed.
                        unsafe {
                            let (s, c, b) = (shape.as_mut_ptr(), chunks.as_mut_ptr(), blocks.as_mut_ptr());
                            let code = f(bytes.as_ptr(), len as i32, &mut ndim, s, c, b, places.0, places.1);
                            let text =
                                if dtype.is_null() { None } else { Some(CStr::from_ptr(dtype).to_owned()) };
                            libc::free(dtype.cast());
                            let n = if code < 0 { 0 } else { ndim as usize };
                            let shapes = (shape[..n].to_vec(), chunks[..n].to_vec(), blocks[..n].to_vec());
                            (code, shapes, (code >= 0).then_some((text, ndim)))
                        }
                    });
                }
            }
        }
    }
}

#[test]
fn null_pointers_are_errors() {
    Pair::load().ours(|lib| {
        let plan = Plan::new(&[20, 30], &[10, 10], &[5, 5]);
        let array = plan.filled(lib);
        let get = function!(lib, b2nd_get_slice_cbuffer: GetSlice);
        let set = function!(lib, b2nd_set_slice_cbuffer: SetSlice);
        let zeros = function!(lib, b2nd_zeros: Make);
        let mut buffer = [0u8; 16];
        let (b, at, to) = (buffer.as_mut_ptr().cast::<c_void>(), [0i64, 0], [2i64, 2]);
        let (a, s, e, none) = (array.ptr, at.as_ptr(), to.as_ptr(), null());
        let mut place = null_mut();
        // SAFETY: NULL is what is tested; everything else is what it should be.
        unsafe {
            assert_eq!(get(null(), s, e, b, e, 16), -32);
            assert_eq!(get(a, none, e, b, e, 16), -32);
            assert_eq!(get(a, s, none, b, e, 16), -32);
            assert_eq!(get(a, s, e, null_mut(), e, 16), -32);
            assert_eq!(get(a, s, e, b, none, 16), -32);
            assert_eq!(get(a, s, e, b, e, 16), 0);
            assert_eq!(set(null(), e, 16, s, e, a), -32);
            assert_eq!(set(b, none, 16, s, e, a), -32);
            assert_eq!(set(b, e, 16, none, e, a), -32);
            assert_eq!(set(b, e, 16, s, none, a), -32);
            assert_eq!(set(b, e, 16, s, e, null_mut()), -32);
            assert_eq!(zeros(null_mut(), &mut place), -32);
            plan.context(lib, |context| assert_eq!(zeros(context, null_mut()), -32));
        }
    });
}
