//! Arrays that grow and shrink.

use crate::function;
use crate::pair::{Pair, Scratch};
use crate::plan::*;
use std::ffi::{c_int, c_void};
use std::ptr::null;

type Resize = unsafe extern "C" fn(Handle, *const i64, *const i64) -> c_int;
type Insert = unsafe extern "C" fn(Handle, *const c_void, i64, i8, i64) -> c_int;
type Append = unsafe extern "C" fn(Handle, *const c_void, i64, i8) -> c_int;
type Delete = unsafe extern "C" fn(Handle, i8, i64, i64) -> c_int;

/// One change of an array's shape.
#[derive(Clone, Debug)]
enum Edit {
    Resize(Vec<i64>, Option<Vec<i64>>),
    /// Items along the axis, the axis, before which.
    Insert(i64, i8, i64),
    Append(i64, i8),
    Delete(i8, i64, i64),
}

impl Array<'_> {
    fn edit(&self, edit: &Edit) -> c_int {
        let items = |n: i64, axis: i8| {
            let others = (0..self.ndim).filter(|&dim| dim != axis).map(|dim| self.shape[dim as usize]);
            (0..n * others.product::<i64>() * 4).map(|i| (i % 249) as u8).collect::<Vec<u8>>()
        };
        // SAFETY: a live array, numbers for each dimension, and buffers with their lengths.
        unsafe {
            match edit {
                Edit::Resize(shape, start) => {
                    let start = start.as_ref().map_or(null(), |start| start.as_ptr());
                    function!(self.lib, b2nd_resize: Resize)(self.ptr, shape.as_ptr(), start)
                }
                Edit::Insert(n, axis, at) => {
                    let items = items(*n, *axis);
                    let call = function!(self.lib, b2nd_insert: Insert);
                    call(self.ptr, items.as_ptr().cast(), items.len() as i64, *axis, *at)
                }
                Edit::Append(n, axis) => {
                    let items = items(*n, *axis);
                    let call = function!(self.lib, b2nd_append: Append);
                    call(self.ptr, items.as_ptr().cast(), items.len() as i64, *axis)
                }
                Edit::Delete(axis, at, len) => {
                    function!(self.lib, b2nd_delete: Delete)(self.ptr, *axis, *at, *len)
                }
            }
        }
    }
}

fn edits() -> Vec<Vec<Edit>> {
    use Edit::*;
    vec![
        vec![Append(3, 0), Append(10, 0), Append(10, 1), Append(1, 1), Append(7, 0)],
        vec![Insert(10, 0, 0), Insert(20, 1, 10), Insert(5, 1, 50), Delete(0, 0, 10)],
        vec![Delete(0, 15, 5), Delete(1, 10, 10), Delete(1, 0, 10), Delete(1, 3, 7)],
        vec![Resize(vec![25, 35], None), Resize(vec![5, 50], None), Resize(vec![20, 30], None)],
        vec![Resize(vec![30, 10], Some(vec![10, 0])), Resize(vec![10, 10], Some(vec![0, 0]))],
        // To nothing and back.
        vec![Delete(0, 0, 20), Append(4, 0), Resize(vec![0, 0], None), Resize(vec![3, 3], None)],
        // What cannot be: not on the border of a chunk, no such axis, past the end.
        vec![Insert(10, 0, 5), Insert(3, 0, 10), Append(1, 2), Delete(0, 5, 10), Delete(2, 0, 1)],
        vec![Resize(vec![30, 30], Some(vec![21, 0])), Resize(vec![-1, 30], None), Delete(0, 0, 21)],
    ]
}

#[test]
fn shapes_change_alike() {
    let pair = Pair::load();
    for edits in edits() {
        for (contiguous, on_disk) in [(false, false), (true, false), (false, true), (true, true)] {
            pair.agree(&format!("{edits:?}"), |lib| {
                let path = Scratch::new("edits");
                let path = on_disk.then(|| path.text());
                let array = Plan { contiguous, path, ..Plan::new(&[20, 30], &[10, 10], &[5, 5]) }.filled(lib);
                edits.iter().map(|edit| (array.edit(edit), array.fields(), array.all())).collect::<Vec<_>>()
            });
        }
    }
}

#[test]
fn edits_of_other_geometries() {
    use Edit::*;
    let pair = Pair::load();
    let plan = Plan::new(&[13, 17, 5], &[7, 6, 5], &[3, 4, 2]);
    let edits = [
        Append(2, 2),
        Append(7, 0),
        Insert(6, 1, 6),
        Delete(2, 3, 4),
        Delete(0, 7, 7),
        Append(1, 0),
        Delete(1, 5, 18),
    ];
    pair.agree("three dimensions", |lib| {
        let array = plan.filled(lib);
        edits.iter().map(|edit| (array.edit(edit), array.fields(), array.all())).collect::<Vec<_>>()
    });
    // A whole chunk whose items lie in it as in the buffer: the C library's short cut.
    let plan = Plan::new(&[8, 6], &[4, 6], &[2, 6]);
    pair.agree("chunk by chunk", |lib| {
        let array = plan.filled(lib);
        (array.edit(&Append(4, 0)), array.edit(&Append(8, 0)), array.fields(), array.all())
    });
}

#[test]
fn a_buffer_that_is_no_multiple_is_refused() {
    let pair = Pair::load();
    let plan = Plan::new(&[20, 30], &[10, 10], &[5, 5]);
    pair.agree("sizes", |lib| {
        let array = plan.filled(lib);
        let append = function!(lib, b2nd_append: Append);
        let items = [1u8; 130];
        let mut codes = Vec::new();
        for len in [0, 1, 119, 121, 130, 120] {
            // SAFETY: a live array and a buffer.
            codes.push((unsafe { append(array.ptr, items.as_ptr().cast(), len, 0) }, array.fields()));
        }
        codes
    });
}
