//! Selections that are no boxes.

use super::edit::items;
use super::handle::Array;
use super::slices::{coordinates, destination};
use crate::base::Result;
use crate::capi::guard::guard;
use crate::capi::pointers::{null, values};
use crate::capi::types::b2nd_array_t;
use crate::fail;
use crate::ndarray::{Layout, select};
use libc::{c_int, c_void};

/// Copies the items whose indices along each dimension are all in that dimension's list.
///
/// @param array The array.
/// @param selection For each dimension a list of indices, in any order, also several times the same.
/// @param selection_size How many indices each list has.
/// @param buffer Where the items go, in C order: to the buffer's first indices along each dimension, in the order of the
///   lists. What is beside them stays.
/// @param buffershape Items of the buffer along each dimension; at least as many as the lists have.
/// @param buffersize Bytes at `buffer`: those of the items selected, no more.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_INDEX for an index that is not there;
///   #BLOSC2_ERROR_INVALID_PARAM for a buffer of another size; the codes of `blosc2_schunk_decompress_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_get_orthogonal_selection(
    array: *const b2nd_array_t,
    selection: *mut *mut i64,
    selection_size: *mut i64,
    buffer: *mut c_void,
    buffershape: *mut i64,
    buffersize: i64,
) -> c_int {
    guard("b2nd_get_orthogonal_selection", || {
        // SAFETY: the caller gives a live array, for each of its dimensions a list, its length and a number, and
        // buffersize bytes, or NULL.
        unsafe {
            let array = Array::of(array)?;
            let lists = lists(selection, selection_size, array.ndim())?;
            let buffershape = coordinates("buffershape", buffershape, array.ndim())?;
            let buffer = destination(buffer, buffersize)?;
            array.reading(|schunk, layout| {
                check(layout, &lists, buffer.len())?;
                select::get_orthogonal(schunk, layout, &lists, buffer, buffershape)
            })?;
        }
        Ok(0)
    })
}

/// Copies items from a buffer to where `b2nd_get_orthogonal_selection` would have got them from.
///
/// @param array The array.
/// @param selection For each dimension a list of indices. When one is there several times, its last item stays.
/// @param selection_size How many indices each list has.
/// @param buffer The items, in C order: the buffer's first indices along each dimension.
/// @param buffershape Items of the buffer along each dimension; at least as many as the lists have.
/// @param buffersize Bytes at `buffer`: those of the items selected, no more.
/// @return As `b2nd_get_orthogonal_selection`, and the codes of `blosc2_compress_ctx` and `blosc2_schunk_update_chunk`.
///   On error, some chunks may have changed, each of them wholly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_set_orthogonal_selection(
    array: *mut b2nd_array_t,
    selection: *mut *mut i64,
    selection_size: *mut i64,
    buffer: *const c_void,
    buffershape: *mut i64,
    buffersize: i64,
) -> c_int {
    guard("b2nd_set_orthogonal_selection", || {
        // SAFETY: the caller gives a live array that it has for itself, for each of its dimensions a list, its length
        // and a number, and buffersize bytes, or NULL.
        unsafe {
            let array = Array::of(array)?;
            let lists = lists(selection, selection_size, array.ndim())?;
            let buffershape = coordinates("buffershape", buffershape, array.ndim())?;
            let buffer = items(buffer, buffersize)?;
            array.changing(|schunk, layout| {
                check(layout, &lists, buffer.len())?;
                select::set_orthogonal(schunk, layout, &lists, buffer, buffershape)
            })?;
        }
        Ok(0)
    })
}

/// Copies single items of an array, in the order asked for. Every block is decompressed once.
///
/// @param array The array, of one dimension or more.
/// @param ncoords How many items.
/// @param coords Their numbers in C order, from 0, in any order, also several times the same. May be NULL for no items.
/// @param buffer Where they go, one after another. May be NULL for no items.
/// @param buffersize Bytes at `buffer`; at least `ncoords` items.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for an array of no dimensions, an item that is not
///   there, and a buffer that is too small; the codes of `blosc2_schunk_decompress_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_get_sparse_cbuffer(
    array: *const b2nd_array_t,
    ncoords: i64,
    coords: *const i64,
    buffer: *mut c_void,
    buffersize: i64,
) -> c_int {
    guard("b2nd_get_sparse_cbuffer", || {
        // SAFETY: the caller gives a live array, ncoords numbers and buffersize bytes, or NULL.
        unsafe {
            let array = Array::of(array)?;
            let coords = values("coords", coords, ncoords)?;
            if coords.is_empty() {
                return Ok(0);
            }
            let buffer = destination(buffer, buffersize)?;
            array.reading(|schunk, layout| select::get_sparse(schunk, layout, coords, buffer))?;
        }
        Ok(0)
    })
}

/// A list for each dimension.
///
/// # Safety
/// `selection` and `sizes` are NULL or have `ndim` entries, and each list has as many numbers as its size says.
unsafe fn lists<'a>(selection: *mut *mut i64, sizes: *mut i64, ndim: usize) -> Result<Vec<&'a [i64]>> {
    if selection.is_null() {
        return Err(null("selection"));
    }
    // SAFETY: the caller vouches for both, and for the lists.
    unsafe {
        let sizes = coordinates("selection_size", sizes, ndim)?;
        let lists = values("selection", selection.cast_const(), ndim as i64)?;
        let list = |(&list, &size): (&*mut i64, &i64)| {
            if list.is_null() {
                return Err(null("selection"));
            }
            values("selection", list.cast_const(), size)
        };
        lists.iter().zip(sizes).map(list).collect()
    }
}

/// The C library refuses a buffer that is larger than the selection.
fn check(layout: &Layout, lists: &[&[i64]], len: usize) -> Result<()> {
    let nbytes = lists.iter().try_fold(layout.typesize() as usize, |n, list| n.checked_mul(list.len()));
    if nbytes.is_some_and(|nbytes| nbytes < len) {
        fail!(InvalidParam, "a buffer of {len} bytes for a selection of {nbytes:?}");
    }
    Ok(())
}
