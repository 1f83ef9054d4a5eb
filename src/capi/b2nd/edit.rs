//! Arrays that grow and shrink.

use super::handle::Array;
use super::slices::coordinates;
use crate::base::Result;
use crate::capi::guard::guard;
use crate::capi::pointers::{bytes, null};
use crate::capi::types::b2nd_array_t;
use crate::fail;
use crate::ndarray::resize;
use libc::{c_int, c_void};

/// Gives an array another shape. Chunks are added or removed; none is compressed or decompressed.
///
/// What an axis loses stays in the chunks that it shares with what stays: when the axis grows again without anything
/// having been written there, it is back. Otherwise new items are 0.
///
/// @param array The array; not a view.
/// @param new_shape Items along each dimension.
/// @param start Along each dimension, where items come in or go. It has to be a multiple of the chunk's length, as the
///   number of items that come or go, unless it is at the end. NULL for the end along all dimensions.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when it cannot be done at `start`, for a shape that
///   cannot be, and for a view; #BLOSC2_ERROR_FAILURE for too many chunks; #BLOSC2_ERROR_FILE_WRITE and others when the
///   file cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_resize(
    array: *mut b2nd_array_t,
    new_shape: *const i64,
    start: *const i64,
) -> c_int {
    guard("b2nd_resize", || {
        // SAFETY: the caller gives a live array that it has for itself, and as many numbers as it has dimensions, or
        // NULL.
        unsafe {
            let array = Array::of(array)?;
            let new_shape = coordinates("new_shape", new_shape, array.ndim())?;
            let start = match start.is_null() {
                true => None,
                false => Some(coordinates("start", start, array.ndim())?),
            };
            array.reshaping(|schunk, layout| resize::resize(schunk, layout, new_shape, start))?;
        }
        Ok(0)
    })
}

/// Puts the items of a buffer into an array, which grows by them along one axis.
///
/// @param array The array; not a view.
/// @param buffer The items, in C order. Along the other axes they have the array's length.
/// @param buffersize Bytes at `buffer`: a multiple of what the array has per item along `axis`.
/// @param axis The axis.
/// @param insert_start Before which item of the axis they come. Unless it is the axis's end, it has to be a multiple of
///   the chunk's length, as the number of items.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such axis, or the buffer does not
///   fit; otherwise as `b2nd_resize` and `b2nd_set_slice_cbuffer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_insert(
    array: *mut b2nd_array_t,
    buffer: *const c_void,
    buffersize: i64,
    axis: i8,
    insert_start: i64,
) -> c_int {
    guard("b2nd_insert", || {
        // SAFETY: the caller gives a live array that it has for itself, and buffersize bytes, or NULL.
        let (array, buffer) = unsafe { (Array::of(array)?, items(buffer, buffersize)?) };
        let axis = number(axis)?;
        array.reshaping(|schunk, layout| resize::insert(schunk, layout, buffer, axis, insert_start))?;
        Ok(0)
    })
}

/// Adds the items of a buffer at the end of an axis of an array. Where the array ends with whole chunks there, old chunks
/// are not touched.
///
/// @param array The array; not a view.
/// @param buffer The items, in C order. Along the other axes they have the array's length.
/// @param buffersize Bytes at `buffer`: a multiple of what the array has per item along `axis`.
/// @param axis The axis.
/// @return As `b2nd_insert`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_append(
    array: *mut b2nd_array_t,
    buffer: *const c_void,
    buffersize: i64,
    axis: i8,
) -> c_int {
    guard("b2nd_append", || {
        // SAFETY: the caller gives a live array that it has for itself, and buffersize bytes, or NULL.
        let (array, buffer) = unsafe { (Array::of(array)?, items(buffer, buffersize)?) };
        let axis = number(axis)?;
        array.reshaping(|schunk, layout| resize::append(schunk, layout, buffer, axis))?;
        Ok(0)
    })
}

/// Removes items along an axis of an array, which shrinks by them.
///
/// @param array The array; not a view.
/// @param axis The axis.
/// @param delete_start The first item that goes. Unless what goes is the axis's end, it has to be a multiple of the
///   chunk's length, as the number of items.
/// @param delete_len How many items go.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such axis, or not as many items;
///   otherwise as `b2nd_resize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_delete(
    array: *mut b2nd_array_t,
    axis: i8,
    delete_start: i64,
    delete_len: i64,
) -> c_int {
    guard("b2nd_delete", || {
        // SAFETY: the caller gives a live array that it has for itself, or NULL.
        let array = unsafe { Array::of(array) }?;
        let axis = number(axis)?;
        array.reshaping(|schunk, layout| resize::delete(schunk, layout, axis, delete_start, delete_len))?;
        Ok(0)
    })
}

/// An axis's number. Whether the array has it is seen later.
pub(super) fn number(axis: i8) -> Result<usize> {
    match usize::try_from(axis) {
        Ok(axis) => Ok(axis),
        Err(_) => fail!(InvalidParam, "axis {axis}"),
    }
}

/// A buffer to read. NULL is an error also where there are no bytes.
///
/// # Safety
/// `buffer` is NULL or points to `buffersize` bytes.
pub(super) unsafe fn items<'a>(buffer: *const c_void, buffersize: i64) -> Result<&'a [u8]> {
    if buffer.is_null() {
        return Err(null("buffer"));
    }
    // SAFETY: the caller vouches for it.
    unsafe { bytes("buffer", buffer, buffersize) }
}
