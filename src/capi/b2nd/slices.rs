//! Slices of arrays to and from buffers.

use super::handle::Array;
use crate::base::Result;
use crate::capi::guard::guard;
use crate::capi::pointers::{bytes, bytes_mut, null, values};
use crate::capi::types::b2nd_array_t;
use crate::ndarray::slice;
use libc::{c_int, c_void};

/// Copies all items of an array into a buffer.
///
/// @param array The array.
/// @param buffer Where they go, in C order.
/// @param buffersize Bytes at `buffer`; at least as many as the array has.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the buffer is too small; the codes of
///   `blosc2_schunk_decompress_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_to_cbuffer(
    array: *const b2nd_array_t,
    buffer: *mut c_void,
    buffersize: i64,
) -> c_int {
    guard("b2nd_to_cbuffer", || {
        // SAFETY: the caller gives a live array and buffersize bytes, or NULL.
        let (array, buffer) = unsafe { (Array::of(array)?, destination(buffer, buffersize)?) };
        array.reading(|schunk, layout| slice::to_buffer(schunk, layout, buffer))?;
        Ok(0)
    })
}

/// Copies a box of items out of an array into a buffer. Only blocks that have some of them are decompressed.
///
/// @param array The array.
/// @param start The first index of the box along each dimension.
/// @param stop The index after the last one along each dimension. Where it is past the array's end, the box goes on with
///   zeros.
/// @param buffer Where the items go, in C order: to the buffer's first indices along each dimension. The rest of the
///   buffer becomes 0.
/// @param buffershape Items of the buffer along each dimension; at least those of the box.
/// @param buffersize Bytes at `buffer`.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the buffer is too small for the box;
///   #BLOSC2_ERROR_FAILURE for a negative start; the codes of `blosc2_schunk_decompress_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_get_slice_cbuffer(
    array: *const b2nd_array_t,
    start: *const i64,
    stop: *const i64,
    buffer: *mut c_void,
    buffershape: *const i64,
    buffersize: i64,
) -> c_int {
    guard("b2nd_get_slice_cbuffer", || {
        // SAFETY: the caller gives a live array, as many numbers as it has dimensions, and buffersize bytes, or NULL.
        unsafe {
            let array = Array::of(array)?;
            let ndim = array.ndim();
            let (start, stop) = (coordinates("start", start, ndim)?, coordinates("stop", stop, ndim)?);
            let buffershape = coordinates("buffershape", buffershape, ndim)?;
            let buffer = destination(buffer, buffersize)?;
            array.reading(|schunk, layout| {
                slice::get_slice(schunk, layout, start, stop, buffer, buffershape)
            })?;
        }
        Ok(0)
    })
}

/// Copies items from a buffer into a box of an array. Chunks that the box covers in part are read first.
///
/// @param buffer The items, in C order: the buffer's first indices along each dimension.
/// @param buffershape Items of the buffer along each dimension; at least those of the box.
/// @param buffersize Bytes at `buffer`.
/// @param start The first index of the box along each dimension.
/// @param stop The index after the last one along each dimension. What is past the array's end goes nowhere.
/// @param array The array.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the buffer is too small for the box;
///   #BLOSC2_ERROR_FAILURE for a negative start; the codes of `blosc2_compress_ctx`, `blosc2_schunk_update_chunk` and
///   `blosc2_schunk_decompress_chunk`. On error, some chunks may have changed, each of them wholly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_set_slice_cbuffer(
    buffer: *const c_void,
    buffershape: *const i64,
    buffersize: i64,
    start: *const i64,
    stop: *const i64,
    array: *mut b2nd_array_t,
) -> c_int {
    guard("b2nd_set_slice_cbuffer", || {
        // SAFETY: the caller gives a live array that it has for itself, as many numbers as it has dimensions, and
        // buffersize bytes, or NULL.
        unsafe {
            let array = Array::of(array)?;
            let ndim = array.ndim();
            let (start, stop) = (coordinates("start", start, ndim)?, coordinates("stop", stop, ndim)?);
            let buffershape = coordinates("buffershape", buffershape, ndim)?;
            if buffer.is_null() {
                return Err(null("buffer"));
            }
            let buffer = bytes("buffer", buffer, buffersize)?;
            array.changing(|schunk, layout| {
                slice::set_slice(schunk, layout, buffer, buffershape, start, stop)
            })?;
        }
        Ok(0)
    })
}

/// A number for each dimension. NULL is an error also where there are no dimensions.
///
/// # Safety
/// `ptr` is NULL or points to `ndim` numbers.
pub(super) unsafe fn coordinates<'a>(name: &str, ptr: *const i64, ndim: usize) -> Result<&'a [i64]> {
    if ptr.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller vouches for it.
    unsafe { values(name, ptr, ndim as i64) }
}

/// A buffer to write. NULL is an error also where there are no bytes.
///
/// # Safety
/// `buffer` is NULL or points to `buffersize` bytes that nobody else uses.
pub(super) unsafe fn destination<'a>(buffer: *mut c_void, buffersize: i64) -> Result<&'a mut [u8]> {
    if buffer.is_null() {
        return Err(null("buffer"));
    }
    // SAFETY: the caller vouches for it.
    unsafe { bytes_mut("buffer", buffer, buffersize) }
}
