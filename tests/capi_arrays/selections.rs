//! Selections that are no boxes.

use crate::function;
use crate::pair::Pair;
use crate::plan::*;
use blosc2::capi::types::*;
use std::ffi::{c_int, c_void};

type Orthogonal =
    unsafe extern "C" fn(*const b2nd_array_t, *mut *mut i64, *mut i64, *mut c_void, *mut i64, i64) -> c_int;
type Sparse = unsafe extern "C" fn(*const b2nd_array_t, i64, *const i64, *mut c_void, i64) -> c_int;

impl Array<'_> {
    fn orthogonal(&self, name: &str, lists: &[Vec<i64>], shape: &[i64], buffer: &mut [u8]) -> c_int {
        let (mut lists, mut shape) = (lists.to_vec(), shape.to_vec());
        let mut sizes: Vec<i64> = lists.iter().map(|list| list.len() as i64).collect();
        let mut pointers: Vec<*mut i64> = lists.iter_mut().map(|list| list.as_mut_ptr()).collect();
        let (pointers, sizes, shape) = (pointers.as_mut_ptr(), sizes.as_mut_ptr(), shape.as_mut_ptr());
        // SAFETY: a live array, a list, its length and a number for each dimension, and a buffer.
        unsafe {
            let call = self.lib.function::<Orthogonal>(name);
            call(self.ptr, pointers, sizes, buffer.as_mut_ptr().cast(), shape, buffer.len() as i64)
        }
    }

    fn sparse(&self, items: &[i64], len: usize) -> (c_int, Vec<u8>) {
        let call = function!(self.lib, b2nd_get_sparse_cbuffer: Sparse);
        let mut buffer = vec![0xaau8; len];
        let (n, items, to) = (items.len() as i64, items.as_ptr(), buffer.as_mut_ptr().cast());
        // SAFETY: a live array, numbers, and a buffer.
        (unsafe { call(self.ptr, n, items, to, len as i64) }, buffer)
    }
}

#[test]
fn lists_along_each_axis() {
    let pair = Pair::load();
    let plan = Plan::new(&[13, 17, 5], &[7, 6, 5], &[3, 4, 2]);
    let selections = [
        vec![vec![0], vec![0], vec![0]],
        vec![vec![12, 3, 3, 7], vec![16, 0, 5, 6, 11], vec![4, 0]],
        vec![(0..13).collect(), (0..17).rev().collect(), (0..5).collect()],
        vec![vec![8, 9], vec![], vec![1]],
    ];
    for lists in selections {
        let shape: Vec<i64> = lists.iter().map(|list| list.len() as i64).collect();
        let len = shape.iter().product::<i64>() as usize * 4;
        pair.agree("read", |lib| {
            let mut buffer = vec![0xaa; len];
            let code =
                plan.filled(lib).orthogonal("b2nd_get_orthogonal_selection", &lists, &shape, &mut buffer);
            (code, buffer)
        });
        // Of several items for one place, the C library takes the one that its sort leaves last.
        let unique: Vec<Vec<i64>> = (lists.iter())
            .map(|list| {
                let mut list = list.clone();
                list.sort();
                list.dedup();
                list.reverse();
                list
            })
            .collect();
        let shape: Vec<i64> = unique.iter().map(|list| list.len() as i64).collect();
        pair.agree("write", |lib| {
            let array = plan.filled(lib);
            let len = shape.iter().product::<i64>() as usize * 4;
            let mut buffer: Vec<u8> = (0..len).map(|i| (i % 239) as u8).collect();
            let code = array.orthogonal("b2nd_set_orthogonal_selection", &unique, &shape, &mut buffer);
            (code, array.all())
        });
    }
}

#[test]
fn what_is_no_selection_is_refused() {
    let pair = Pair::load();
    let plan = Plan::new(&[20, 30], &[10, 10], &[5, 5]);
    pair.agree("refused", |lib| {
        let array = plan.filled(lib);
        let ask = |lists: &[Vec<i64>], len: usize| {
            let mut buffer = vec![0; len];
            array.orthogonal("b2nd_get_orthogonal_selection", lists, &[2, 1], &mut buffer)
        };
        (ask(&[vec![0, 21], vec![3]], 8), ask(&[vec![0, 2], vec![3]], 9), ask(&[vec![0, 2], vec![3]], 8))
    });
    // The C library lets these by, and reads what is not there.
    pair.ours(|lib| {
        let array = plan.filled(lib);
        let ask = |lists: &[Vec<i64>], len: usize| {
            let mut buffer = vec![0; len];
            array.orthogonal("b2nd_get_orthogonal_selection", lists, &[2, 1], &mut buffer)
        };
        assert_eq!(ask(&[vec![0, 20], vec![3]], 8), -33);
        assert_eq!(ask(&[vec![0, -1], vec![3]], 8), -33);
        assert_eq!(ask(&[vec![0, 2], vec![3]], 7), -12);
    });
}

#[test]
fn single_items() {
    let pair = Pair::load();
    for plan in plans() {
        let n = plan.nitems() as i64;
        for items in
            [vec![], vec![0], (0..n).rev().collect(), vec![n - 1, 0, n / 2, n / 2], vec![n], vec![-1]]
        {
            for len in [items.len() * 4, items.len() * 4 + 3, (items.len() * 4).saturating_sub(1)] {
                pair.agree("b2nd_get_sparse_cbuffer", |lib| plan.filled(lib).sparse(&items, len));
            }
        }
    }
}
