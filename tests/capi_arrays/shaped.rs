//! Codecs and filters that go by the shape of a block, on arrays that are seen with other axes.

use crate::pair::{Lib, Pair, Scratch};
use crate::plan::*;
use blosc2::capi::types::*;
use std::ffi::{CStr, c_char, c_int};
use std::ptr::null_mut;

const NDLZ: u8 = 32;
const ZFP_ACCURACY: u8 = 33;
const ZFP_RATE: u8 = 35;
const NDCELL: u8 = 32;
const NDMEAN: u8 = 33;

/// Arrays by what they are compressed with.
fn pipelines() -> Vec<(&'static str, Plan)> {
    let plan = |codec, filter: (u8, u8), shape: &[i64], chunks: &[i32], blocks: &[i32]| Plan {
        codec,
        filters: ([0, 0, 0, 0, 0, filter.0], [0, 0, 0, 0, 0, filter.1]),
        dtype: Some(c"<f4".into()),
        metalayer: false,
        ..Plan::new(shape, chunks, blocks)
    };
    let tall = |codec, filter| plan(codec, filter, &[1, 40, 1, 60], &[1, 20, 1, 30], &[1, 10, 1, 15]);
    let mut all = vec![
        ("ndlz", Plan { typesize: 1, ..plan((NDLZ, 4), (0, 0), &[40, 60], &[20, 60], &[20, 30]) }),
        ("ndcell", tall((0, 0), (NDCELL, 3))),
        ("ndmean", tall((0, 0), (NDMEAN, 3))),
        ("ndcell in a frame", Plan { contiguous: true, ..tall((0, 0), (NDCELL, 3)) }),
    ];
    if cfg!(feature = "zfp") {
        // Blocks of one item along any axis are none for ZFP: views with more axes are stored uncompressed.
        let flat = |codec| plan(codec, (0, 0), &[40, 60], &[20, 30], &[10, 15]);
        all.push(("zfp accuracy", flat((ZFP_ACCURACY, -2i8 as u8))));
        all.push(("zfp rate", flat((ZFP_RATE, 50))));
    }
    all
}

/// A smooth surface, so that lossy codecs have something to go by.
fn data(plan: &Plan) -> Vec<u8> {
    if plan.typesize == 1 {
        return (0..plan.nitems()).map(|i| (i / 60 + i % 60 / 10) as u8).collect();
    }
    let n = *plan.shape.last().unwrap() as usize;
    let at = |i: usize| ((i / n) as f32 * 0.3).sin() + (i % n) as f32 * 0.01;
    (0..plan.nitems()).flat_map(|i| at(i).to_le_bytes()).collect()
}

type CopyArray = unsafe extern "C" fn(*mut b2nd_context_t, *const b2nd_array_t, *mut Handle) -> c_int;
type Save = unsafe extern "C" fn(*const b2nd_array_t, *mut c_char) -> c_int;
type SaveAppend = unsafe extern "C" fn(*const b2nd_array_t, *const c_char) -> i64;

fn copy<'a>(lib: &'a Lib<'a>, array: &Array<'_>, plan: &Plan) -> Array<'a> {
    plan.context(lib, |context| {
        let mut ptr = null_mut();
        // SAFETY: a context, a live array and a place for a pointer.
        assert_eq!(unsafe { crate::function!(lib, b2nd_copy: CopyArray)(context, array.ptr, &mut ptr) }, 0);
        Array { lib, ptr }
    })
}

fn save(lib: &Lib<'_>, array: &Array<'_>, path: &CStr) {
    let call = crate::function!(lib, b2nd_save: Save);
    // SAFETY: a live array and a C string.
    assert_eq!(unsafe { call(array.ptr, path.as_ptr().cast_mut()) }, 0);
}

fn save_append(lib: &Lib<'_>, array: &Array<'_>, path: &CStr) {
    let call = crate::function!(lib, b2nd_save_append: SaveAppend);
    // SAFETY: a live array and a C string.
    assert_eq!(unsafe { call(array.ptr, path.as_ptr()) }, 0);
}

/// The views of an array: without its axes of length 1, and with one more.
fn views<'a>(array: &Array<'a>) -> [Array<'a>; 2] {
    let mut places = vec![false; array.ndim as usize];
    places.insert(0, true);
    [array.squeeze().unwrap(), array.expand_dims(&places).unwrap()]
}

#[test]
fn what_is_made_of_a_view_can_be_read() {
    Pair::load().ours_to_each(|ours, reader| {
        for (name, plan) in pipelines() {
            let array = plan.filled_with(ours, &data(&plan));
            let shown = array.all().unwrap();
            for view in views(&array) {
                let n = view.ndim as usize;
                let same = |what: &str, made: &Array<'_>| {
                    assert_eq!(made.shape[..n], view.shape[..n], "{name}: {what}");
                    assert!(made.all().unwrap() == shown, "{name}: {what} of {n} dimensions");
                };
                let (frame, _) = view.to_cframe();
                same("frame", &from_cframe(reader, &frame, true).unwrap());
                for saving in [save, save_append] {
                    let path = Scratch::new("shaped");
                    saving(ours, &view, &path.text());
                    same("file", &open(reader, &path.text()).unwrap());
                }
                let like_it = Plan {
                    shape: view.shape[..n].to_vec(),
                    chunks: view.chunkshape[..n].to_vec(),
                    blocks: view.blockshape[..n].to_vec(),
                    ..plan.clone()
                };
                // What the pipeline can be made for.
                if plan.codec.0 < NDLZ || n == 2 {
                    same("copy", &copy(ours, &view, &like_it));
                }
                same(
                    "copy, compressed by another",
                    &copy(ours, &view, &Plan { codec: (5, 0), filters: ([0; 6], [0; 6]), ..like_it }),
                );
            }
        }
    });
}

#[test]
fn a_view_of_an_array_that_has_grown_is_stored_as_it_is_now() {
    Pair::load().ours(|lib| {
        let (_, plan) = pipelines().swap_remove(1);
        let array = plan.filled_with(lib, &data(&plan));
        let view = array.squeeze().unwrap();
        assert_eq!(array.resize(&[1, 60, 1, 60]), 0);
        let (frame, _) = view.to_cframe();
        let stored = from_cframe(lib, &frame, true).unwrap();
        assert_eq!(stored.shape[..2], [60, 60]);
        assert_eq!(stored.all(), array.all());
    });
}

#[test]
fn zfp_after_a_shuffle_is_a_programs_own_business() {
    // The C library has a refusal that is not compiled into it.
    Pair::load().agree("zfp and shuffle", |lib| {
        let made = (ZFP_ACCURACY..=ZFP_RATE).flat_map(|codec| {
            [1, 2].map(|filter| {
                let filters = ([0, 0, 0, 0, 0, filter], [0; 6]);
                Plan { codec: (codec, 10), filters, ..Plan::new(&[20, 20], &[10, 10], &[5, 5]) }
            })
        });
        made.map(|plan| plan.make(lib, "b2nd_zeros").is_ok()).collect::<Vec<_>>()
    });
}
