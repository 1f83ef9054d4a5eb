//! Views: axes of length 1 that come and go.

use crate::function;
use crate::pair::{Lib, Pair, Scratch};
use crate::plan::*;
use blosc2::capi::types::*;
use std::ffi::c_int;
use std::ptr::null_mut;

type Squeeze = unsafe extern "C" fn(Handle, *mut Handle) -> c_int;
type SqueezeIndex = unsafe extern "C" fn(Handle, *mut Handle, *const bool) -> c_int;
type ExpandDims = unsafe extern "C" fn(*const b2nd_array_t, *mut Handle, *const bool, u8) -> c_int;
type Resize = unsafe extern "C" fn(Handle, *const i64, *const i64) -> c_int;

impl<'a> Array<'a> {
    pub fn squeeze(&self) -> Result<Array<'a>, c_int> {
        let mut ptr = null_mut();
        // SAFETY: a live array and a place for a pointer.
        let code = unsafe { function!(self.lib, b2nd_squeeze: Squeeze)(self.ptr, &mut ptr) };
        if code == 0 { Ok(Array { lib: self.lib, ptr }) } else { Err(code) }
    }

    fn squeeze_index(&self, axes: &[bool]) -> Result<Array<'a>, c_int> {
        let mut ptr = null_mut();
        // SAFETY: a live array, a place for a pointer, and a flag for each dimension.
        let code = unsafe {
            function!(self.lib, b2nd_squeeze_index: SqueezeIndex)(self.ptr, &mut ptr, axes.as_ptr())
        };
        if code == 0 { Ok(Array { lib: self.lib, ptr }) } else { Err(code) }
    }

    pub fn expand_dims(&self, axes: &[bool]) -> Result<Array<'a>, c_int> {
        let call = function!(self.lib, b2nd_expand_dims: ExpandDims);
        let mut ptr = null_mut();
        // SAFETY: a live array, a place for a pointer, and the flags.
        let code = unsafe { call(self.ptr, &mut ptr, axes.as_ptr(), axes.len() as u8) };
        if code == 0 { Ok(Array { lib: self.lib, ptr }) } else { Err(code) }
    }

    pub fn resize(&self, shape: &[i64]) -> c_int {
        // SAFETY: a live array and numbers for each dimension.
        unsafe { function!(self.lib, b2nd_resize: Resize)(self.ptr, shape.as_ptr(), std::ptr::null()) }
    }
}

/// An array without the metalayer that plans have: views are of arrays with none of their own.
fn bare<'a>(lib: &'a Lib<'a>, plan: &Plan) -> Array<'a> {
    Plan { metalayer: false, ..plan.clone() }.filled(lib)
}

fn tall() -> Plan {
    Plan::new(&[1, 20, 1, 30], &[1, 10, 1, 10], &[1, 5, 1, 5])
}

/// What a view says of itself. The C library counts in its super-chunk what it threw away when it made the view.
fn seen(view: &Array<'_>) -> String {
    let n = view.ndim as usize;
    let shapes = (&view.shape[..n], &view.chunkshape[..n], &view.blockshape[..n], view.nitems);
    // SAFETY: an array has a super-chunk.
    let sc = unsafe { &*view.sc };
    format!("{:?}", (n, shapes, sc.nchunks, sc.chunksize, sc.typesize, sc.view, sc.nmetalayers, view.all()))
}

#[test]
fn views_are_the_same_items() {
    let pair = Pair::load();
    for (contiguous, on_disk) in [(false, false), (true, false), (false, true), (true, true)] {
        pair.agree("views", |lib| {
            let path = Scratch::new("views");
            let path = on_disk.then(|| path.text());
            let array = bare(lib, &Plan { contiguous, path, ..tall() });
            let flat = array.squeeze().unwrap();
            let part = array.squeeze_index(&[false, false, true, false]).unwrap();
            let high = flat.expand_dims(&[true, false, true, true, false]).unwrap();
            [seen(&flat), seen(&part), seen(&high)]
        });
    }
}

#[test]
fn what_is_written_through_a_view_is_written() {
    let write = |lib: &Lib<'_>, contiguous: bool| {
        let array = bare(lib, &Plan { contiguous, ..tall() });
        let view = array.squeeze().unwrap();
        assert_eq!(view.set(&[7; 400], &[10, 10], &[5, 5], &[15, 15]), 0);
        let first = array.all();
        assert_eq!(array.set(&[9; 400], &[1, 10, 1, 10], &[0, 0, 0, 0], &[1, 10, 1, 10]), 0);
        assert_eq!(array.all(), view.all());
        (first, view.all())
    };
    let pair = Pair::load();
    let written = pair.agreed("writing", |lib| write(lib, false));
    // In a frame, the C library is at odds with itself about the metalayers.
    pair.ours(|lib| assert_eq!(write(lib, true), written));
}

#[test]
fn a_view_is_stored_as_what_it_shows() {
    Pair::load().both_ways(|from, to| {
        for contiguous in [false, true] {
            let plan = Plan { contiguous, ..tall() };
            let array = bare(from, &plan);
            let view = array.squeeze().unwrap();
            let (frame, needs_free) = view.to_cframe();
            assert!(needs_free);
            let stored = from_cframe(to, &frame, true).unwrap();
            assert_eq!((stored.ndim, &stored.shape[..2]), (2, &[20, 30][..]));
            assert_eq!(stored.all().unwrap(), plan.data());
        }
    });
}

#[test]
fn views_that_cannot_be() {
    let pair = Pair::load();
    pair.agree("refused", |lib| {
        let with_metalayer = tall().filled(lib);
        let array = bare(lib, &tall());
        [
            with_metalayer.squeeze().err(),
            with_metalayer.expand_dims(&[true, false, false, false, false]).err(),
            array.squeeze_index(&[false, true, false, false]).err(),
            array.expand_dims(&[false; 5]).err(),
        ]
    });
    pair.ours(|lib| {
        let array = bare(lib, &tall());
        // Too few places, and too many: the C library makes something of the first and writes past its own arrays.
        assert_eq!(array.expand_dims(&[false; 3]).err(), Some(-12));
        assert_eq!(array.expand_dims(&[&[true; 13][..], &[false; 4]].concat()).err(), Some(-12));
        // A chunk that is longer than its only item.
        let long = bare(lib, &Plan::new(&[1, 20], &[2, 10], &[1, 5]));
        assert_eq!(long.squeeze().err(), Some(-12));
    });
}

#[test]
fn a_view_outlives_its_array_and_follows_it() {
    // The C library reads freed memory here.
    Pair::load().ours(|lib| {
        for (contiguous, on_disk) in [(false, false), (true, false), (true, true)] {
            let path = Scratch::new("outlived");
            let path = on_disk.then(|| path.text());
            let array = bare(lib, &Plan { contiguous, path, ..tall() });
            let (flat, old) = (array.squeeze().unwrap(), array.all().unwrap());
            let high = flat.expand_dims(&[true, false, false]).unwrap();
            assert_eq!(flat.resize(&[10, 10]), -12, "a view has no shape of its own");
            assert_eq!(array.resize(&[1, 40, 1, 30]), 0);
            let grown = [&old[..], &vec![0; 20 * 30 * 4]].concat();
            assert_eq!(flat.get(&[0, 0], &[40, 30], &[40, 30], grown.len()).unwrap(), grown);
            assert_eq!(flat.shape[..2], [40, 30]);
            drop(array);
            assert_eq!(flat.get(&[0, 0], &[40, 30], &[40, 30], grown.len()).unwrap(), grown);
            drop(flat);
            let all = high.get(&[0, 0, 0], &[1, 40, 30], &[1, 40, 30], grown.len()).unwrap();
            assert_eq!(all, grown);
            assert_eq!(high.set(&[1; 4], &[1, 1, 1], &[0, 0, 0], &[1, 1, 1]), 0);
        }
    });
}
