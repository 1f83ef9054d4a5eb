//! Boxes copied between plain buffers.

use crate::base::Result;
use crate::base::consts::MAX_DIM;
use crate::capi::guard::guard;
use crate::capi::pointers::{null, values};
use crate::fail;
use crate::ndarray::copy;
use libc::{c_int, c_void};

/// Copies a box of items from one buffer in C order to another.
///
/// @param ndim How many dimensions both buffers have, from 0 to #B2ND_MAX_DIM.
/// @param itemsize Bytes per item.
/// @param src The buffer that the items are in.
/// @param src_pad_shape Items of it along each dimension.
/// @param src_start The first index of the box along each dimension.
/// @param src_stop The index after the last one along each dimension.
/// @param dst The buffer that the items go to. It may be the same; then the boxes should not overlap.
/// @param dst_pad_shape Items of it along each dimension.
/// @param dst_start Where the box goes.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the box is not inside both buffers' shapes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_copy_buffer2(
    ndim: i8,
    itemsize: i32,
    src: *const c_void,
    src_pad_shape: *const i64,
    src_start: *const i64,
    src_stop: *const i64,
    dst: *mut c_void,
    dst_pad_shape: *const i64,
    dst_start: *const i64,
) -> c_int {
    guard("b2nd_copy_buffer2", || {
        // SAFETY: the caller gives ndim numbers of each kind, and buffers of these shapes, or NULL.
        unsafe {
            let shape = |name, ptr| numbers(name, ptr, ndim);
            let from = Corner {
                buffer: src,
                shape: shape("src_pad_shape", src_pad_shape)?,
                start: shape("src_start", src_start)?,
            };
            let stop = shape("src_stop", src_stop)?;
            let to = Corner {
                buffer: dst.cast_const(),
                shape: shape("dst_pad_shape", dst_pad_shape)?,
                start: shape("dst_start", dst_start)?,
            };
            copy_box(itemsize, &from, stop, &to)
        }
    })
}

/// Copies a box of items from one buffer in C order to another. For items of up to 255 bytes; otherwise as
/// `b2nd_copy_buffer2`.
///
/// @param ndim How many dimensions both buffers have, from 0 to #B2ND_MAX_DIM.
/// @param itemsize Bytes per item.
/// @param src The buffer that the items are in.
/// @param src_pad_shape Items of it along each dimension.
/// @param src_start The first index of the box along each dimension.
/// @param src_stop The index after the last one along each dimension.
/// @param dst The buffer that the items go to.
/// @param dst_pad_shape Items of it along each dimension.
/// @param dst_start Where the box goes.
/// @return As `b2nd_copy_buffer2`.
#[deprecated(note = "Use b2nd_copy_buffer2 instead.")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_copy_buffer(
    ndim: i8,
    itemsize: u8,
    src: *const c_void,
    src_pad_shape: *const i64,
    src_start: *const i64,
    src_stop: *const i64,
    dst: *mut c_void,
    dst_pad_shape: *const i64,
    dst_start: *const i64,
) -> c_int {
    let itemsize = itemsize.into();
    // SAFETY: the caller's promises are those of the other function.
    unsafe {
        b2nd_copy_buffer2(
            ndim,
            itemsize,
            src,
            src_pad_shape,
            src_start,
            src_stop,
            dst,
            dst_pad_shape,
            dst_start,
        )
    }
}

/// A buffer, and where in it a box begins.
struct Corner<'a> {
    buffer: *const c_void,
    shape: &'a [i64],
    start: &'a [i64],
}

/// # Safety
/// The buffers are NULL or as large as their shapes say; the second may be written.
unsafe fn copy_box(itemsize: i32, from: &Corner<'_>, stop: &[i64], to: &Corner<'_>) -> Result<c_int> {
    if from.buffer.is_null() || to.buffer.is_null() {
        return Err(null("src or dst"));
    }
    let Some(itemsize) = usize::try_from(itemsize).ok().filter(|&size| size > 0) else {
        fail!(InvalidParam, "items of {itemsize} bytes");
    };
    let plan = copy::plan(itemsize, from.shape, from.start, stop, to.shape, to.start)?;
    let (src, dst) = (from.buffer.cast::<u8>(), to.buffer.cast_mut().cast::<u8>());
    plan.for_each_run(|s, d, len| {
        // SAFETY: the plan's runs are inside the shapes, which the caller vouches for. Buffers may overlap.
        unsafe { std::ptr::copy(src.add(s), dst.add(d), len) }
    });
    Ok(0)
}

/// `ndim` numbers. NULL is an error also where there are no dimensions.
///
/// # Safety
/// `ptr` is NULL or points to `ndim` numbers.
unsafe fn numbers<'a>(name: &str, ptr: *const i64, ndim: i8) -> Result<&'a [i64]> {
    if !(0..=MAX_DIM as i8).contains(&ndim) {
        fail!(InvalidParam, "{ndim} dimensions");
    }
    if ptr.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller vouches for it.
    unsafe { values(name, ptr, ndim) }
}
