//! Items on their way from array to array, and from buffer to buffer.

use crate::function;
use crate::pair::{Lib, Pair, Scratch};
use crate::plan::*;
use blosc2::capi::types::*;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

type Slice = unsafe extern "C" fn(
    *mut b2nd_context_t,
    *mut Handle,
    *const b2nd_array_t,
    *const i64,
    *const i64,
) -> c_int;
type Copy = unsafe extern "C" fn(*mut b2nd_context_t, *const b2nd_array_t, *mut Handle) -> c_int;
type Concatenate = unsafe extern "C" fn(
    *mut b2nd_context_t,
    *const b2nd_array_t,
    *const b2nd_array_t,
    i8,
    bool,
    *mut Handle,
) -> c_int;

/// The new array, or the code.
fn made<'a>(lib: &'a Lib<'a>, code: c_int, ptr: Handle) -> Result<Array<'a>, c_int> {
    if code == 0 { Ok(Array { lib, ptr }) } else { Err(code) }
}

fn slice<'a>(from: &Array<'a>, plan: &Plan, start: &[i64], stop: &[i64]) -> Result<Array<'a>, c_int> {
    let call = function!(from.lib, b2nd_get_slice: Slice);
    plan.context(from.lib, |context| {
        let mut ptr = null_mut();
        // SAFETY: a context, a place for a pointer, a live array, and numbers for each dimension.
        let code = unsafe { call(context, &mut ptr, from.ptr, start.as_ptr(), stop.as_ptr()) };
        made(from.lib, code, ptr)
    })
}

fn copy<'a>(from: &Array<'a>, plan: &Plan) -> Result<Array<'a>, c_int> {
    let call = function!(from.lib, b2nd_copy: Copy);
    plan.context(from.lib, |context| {
        let mut ptr = null_mut();
        // SAFETY: a context, a live array, and a place for a pointer.
        let code = unsafe { call(context, from.ptr, &mut ptr) };
        made(from.lib, code, ptr)
    })
}

fn concatenate<'a>(a: &Array<'a>, b: &Array<'a>, plan: &Plan, axis: i8) -> Result<Array<'a>, c_int> {
    let call = function!(a.lib, b2nd_concatenate: Concatenate);
    plan.context(a.lib, |context| {
        let mut ptr = null_mut();
        // SAFETY: a context, two live arrays, and a place for a pointer.
        let code = unsafe { call(context, a.ptr, b.ptr, axis, true, &mut ptr) };
        made(a.lib, code, ptr)
    })
}

/// Adds `b` to `a` itself.
fn extend(a: &Array<'_>, b: &Array<'_>, axis: i8) -> c_int {
    let call = function!(a.lib, b2nd_concatenate: Concatenate);
    let mut ptr = null_mut();
    // SAFETY: two live arrays, and a place for a pointer; without a copy the context is not looked at.
    let code = unsafe { call(null_mut(), a.ptr, b.ptr, axis, false, &mut ptr) };
    assert!(code < 0 || ptr == a.ptr);
    code
}

/// Chunks like the source's, others, and ones larger than the array.
fn targets() -> [Plan; 4] {
    [
        Plan::new(&[13, 17, 5], &[7, 6, 5], &[3, 4, 2]),
        Plan::new(&[13, 17, 5], &[4, 17, 2], &[4, 5, 2]),
        Plan { contiguous: true, ..Plan::new(&[13, 17, 5], &[20, 20, 20], &[7, 7, 7]) },
        Plan { filters: ([0; 6], [0; 6]), ..Plan::new(&[13, 17, 5], &[7, 6, 5], &[3, 4, 2]) },
    ]
}

#[test]
fn slices_become_arrays() {
    let pair = Pair::load();
    let plan = Plan::new(&[13, 17, 5], &[7, 6, 5], &[3, 4, 2]);
    let boxes = [
        ([0, 0, 0], [13, 17, 5]),
        ([3, 5, 1], [9, 11, 4]),
        ([6, 0, 0], [7, 17, 1]),
        // Empty, and past the end, but not past the last chunk's: the C library looks for a chunk there.
        ([4, 4, 2], [4, 8, 3]),
        ([10, 15, 0], [14, 18, 5]),
    ];
    for (start, stop) in boxes {
        for target in targets() {
            pair.agree("b2nd_get_slice", |lib| {
                let new = slice(&plan.filled(lib), &target, &start, &stop);
                new.map(|new| (new.fields(), new.all()))
            });
        }
    }
    pair.agree("a stop before the start", |lib| {
        slice(&plan.filled(lib), &plan, &[3, 0, 0], &[2, 1, 1]).err()
    });
    // A context that is made for the slice alone: the array that it describes itself could not be.
    pair.agree("chunks of nothing", |lib| {
        let empty = Plan::new(&[13, 17, 5], &[0, 1, 1], &[0, 1, 1]);
        let new = slice(&plan.filled(lib), &empty, &[2, 3, 0], &[2, 9, 5])?;
        Ok::<_, c_int>((new.fields(), new.all()))
    });
    for chunks in [[1, 0, 1], [0, 1, 1], [-1, 1, 1]] {
        for blocks in [[1, 0, 1], [0, 1, 1], [1, 1, 1]] {
            pair.agree("contexts of nothing", |lib| {
                Plan::new(&[13, 17, 5], &chunks, &blocks).context(lib, |context| context.is_null())
            });
        }
    }
}

#[test]
fn slices_of_all_and_of_nothing() {
    let pair = Pair::load();
    for plan in plans() {
        let (start, stop) = (vec![0; plan.shape.len().max(1)], plan.shape.clone());
        pair.agree("all", |lib| {
            let new = slice(&plan.filled(lib), &plan, &start, &[&stop[..], &[0]].concat());
            new.map(|new| (new.fields(), new.all()))
        });
    }
}

#[test]
fn copies_are_equal_however_they_are_kept() {
    let pair = Pair::load();
    for plan in plans() {
        pair.agree("a copy of the same kind", |lib| {
            copy(&plan.filled(lib), &plan).map(|new| (new.fields(), new.all()))
        });
    }
    let plan = Plan::new(&[13, 17, 5], &[7, 6, 5], &[3, 4, 2]);
    for target in targets() {
        for on_disk in [false, true] {
            pair.agree("a copy of another kind", |lib| {
                let path = Scratch::new("copy");
                let target = Plan { path: on_disk.then(|| path.text()), ..target.clone() };
                let from = plan.filled(lib);
                let new = copy(&from, &target)?;
                let again = copy(&from, &target).err();
                assert!(on_disk || again.is_none());
                Ok::<_, c_int>((new.fields(), new.all(), again))
            });
        }
    }
}

#[test]
fn arrays_are_put_together() {
    let pair = Pair::load();
    let plan = Plan::new(&[14, 12, 5], &[7, 6, 5], &[3, 4, 2]);
    for (axis, other) in
        [(0, [3, 12, 5]), (1, [14, 7, 5]), (2, [14, 12, 9]), (0, [14, 12, 5]), (1, [14, 0, 5])]
    {
        for chunks in [[7, 6, 5], [5, 5, 5]] {
            let other = Plan::new(&other, &chunks, &[3, 4, 2]);
            pair.agree("to a new array", |lib| {
                let new = concatenate(&plan.filled(lib), &other.filled(lib), &plan, axis);
                new.map(|new| (new.fields(), new.all()))
            });
            pair.agree("to the first", |lib| {
                let (a, b) = (plan.filled(lib), other.filled(lib));
                (extend(&a, &b, axis), a.fields(), a.all())
            });
        }
    }
    pair.agree("arrays that do not fit", |lib| {
        let none = Plan::new(&[], &[], &[]);
        let other = Plan::new(&[14, 12, 6], &[7, 6, 5], &[3, 4, 2]);
        let flat = Plan::new(&[14, 12], &[7, 6], &[3, 4]);
        let wide = Plan { typesize: 2, ..plan.clone() };
        let a = plan.filled(lib);
        let with = |other: &Plan, axis| concatenate(&a, &other.filled(lib), &plan, axis).err();
        (
            (with(&other, 0), with(&flat, 0), with(&none, 0), with(&wide, 0)),
            (with(&plan, 3), with(&plan, -1), extend(&a, &other.filled(lib), 0)),
            (a.fields(), a.all()),
        )
    });
}

#[test]
fn an_array_is_added_to_itself() {
    // The C library reads what it is writing, and repeats more than there was.
    Pair::load().ours(|lib| {
        let plan = Plan::new(&[5, 4], &[3, 4], &[2, 2]);
        for axis in [0, 1] {
            let array = plan.filled(lib);
            assert_eq!(extend(&array, &array, axis), 0);
            let twice = Plan::new(&[5, 4], &[3, 4], &[2, 2]).filled(lib).all().unwrap();
            let row = 4 * 4;
            let want: Vec<u8> = match axis {
                0 => twice.repeat(2),
                _ => twice.chunks(row).flat_map(|row| row.repeat(2)).collect(),
            };
            assert_eq!(array.all().unwrap(), want);
        }
    });
}

#[test]
fn boxes_are_copied_between_buffers() {
    type CopyBuffer = unsafe extern "C" fn(
        i8,
        i32,
        *const c_void,
        *const i64,
        *const i64,
        *const i64,
        *mut c_void,
        *const i64,
        *const i64,
    ) -> c_int;
    let pair = Pair::load();
    for ndim in 1..=16usize {
        for itemsize in [1, 3, 8, 300] {
            pair.agree("b2nd_copy_buffer2", |lib| {
                let call = function!(lib, b2nd_copy_buffer2: CopyBuffer);
                let from: Vec<i64> =
                    (0..ndim).map(|dim| if dim < 4 { 4 } else { 1 + dim as i64 % 2 }).collect();
                let to: Vec<i64> = from.iter().map(|n| n + 1 - n % 2).collect();
                let start = vec![0; ndim];
                let stop: Vec<i64> = from.iter().map(|n| n - n / 3).collect();
                let at: Vec<i64> = to.iter().zip(&stop).map(|(n, len)| n - len).collect();
                let len = |shape: &[i64]| shape.iter().product::<i64>() as usize * itemsize;
                let src: Vec<u8> = (0..len(&from)).map(|i| (i * 7 % 251) as u8).collect();
                let mut dst = vec![0xaau8; len(&to)];
                // SAFETY: buffers of these shapes, and numbers for each dimension.
                let code = unsafe {
                    call(
                        ndim as i8,
                        itemsize as i32,
                        src.as_ptr().cast(),
                        from.as_ptr(),
                        start.as_ptr(),
                        stop.as_ptr(),
                        dst.as_mut_ptr().cast(),
                        to.as_ptr(),
                        at.as_ptr(),
                    )
                };
                (code, dst)
            });
        }
    }
}
