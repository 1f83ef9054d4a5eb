//! Arrays made of arrays.

use super::create::make;
use super::edit::number;
use super::handle::Array;
use super::slices::coordinates;
use crate::base::Result;
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, null};
use crate::capi::types::{b2nd_array_t, b2nd_context_t};
use crate::ndarray::{Blueprint, Layout, transfer};
use crate::schunk::SuperChunk;
use libc::c_int;
use std::ptr::NonNull;

/// Makes an array of a box of items of another. Only what is in the box is decompressed, chunk by chunk.
///
/// @param ctx How to make it. Its dimensions and shape are set to those of the box.
/// @param array Set to the new array, for `b2nd_free`.
/// @param src The array that the items are of; with as many bytes per item.
/// @param start The first index of the box along each dimension.
/// @param stop The index after the last one along each dimension. Where it is past the array's end, the box goes on with
///   zeros.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when `stop` is before `start`, or items have
///   different sizes; #BLOSC2_ERROR_FAILURE for a negative start; the codes of `b2nd_from_cbuffer` and
///   `b2nd_get_slice_cbuffer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_get_slice(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    src: *const b2nd_array_t,
    start: *const i64,
    stop: *const i64,
) -> c_int {
    guard("b2nd_get_slice", || {
        // SAFETY: the caller gives a description, a place for a pointer, a live array, and as many numbers as it has
        // dimensions, or NULL.
        unsafe {
            let src = Array::of(src)?;
            let ndim = src.ndim();
            let (start, stop) = (coordinates("start", start, ndim)?, coordinates("stop", stop, ndim)?);
            let shape: Vec<i64> = start.iter().zip(stop).map(|(a, b)| b.saturating_sub(*a)).collect();
            set_shape(ctx, &shape)?;
            make(ctx, array, |blueprint| {
                src.reading(|schunk, layout| transfer::get_slice(schunk, layout, start, stop, blueprint))
            })
        }
    })
}

/// Makes a copy of an array, with its metalayers. Where chunks and blocks have the same shapes and the parameters would
/// give the same result, chunks are copied as they are; otherwise they are compressed anew.
///
/// @param ctx How to make it. Its dimensions and shape are set to those of the array; its metalayers are not used.
/// @param src The array.
/// @param array Set to the copy, for `b2nd_free`.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when there is something at the path already, nothing can
///   be made there, or a chunk cannot be read; otherwise as `b2nd_get_slice`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_copy(
    ctx: *mut b2nd_context_t,
    src: *const b2nd_array_t,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    guard("b2nd_copy", || {
        // SAFETY: the caller gives a description, a live array and a place for a pointer, or NULL.
        unsafe { copy(ctx, Array::of(src)?, array) }
    })
}

/// Adds the items of one array to those of another, at the end of an axis.
///
/// Where both are cut into the same chunks and blocks, and the first ends with a whole chunk, the chunks of the second are
/// taken over as they are.
///
/// @param ctx How to make the new array, as for `b2nd_copy`. Not used without `copy`.
/// @param src1 The first array.
/// @param src2 The second array; with as many bytes per item, and the same shape but for the axis.
/// @param axis The axis.
/// @param copy Whether to make a new array. If not, the first one grows.
/// @param array Set to the new array, for `b2nd_free`; without `copy`, to the first one.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such axis, or the arrays do not
///   fit together; otherwise as `b2nd_copy`, `b2nd_resize` and `b2nd_set_slice_cbuffer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_concatenate(
    ctx: *mut b2nd_context_t,
    src1: *const b2nd_array_t,
    src2: *const b2nd_array_t,
    axis: i8,
    copy: bool,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    guard("b2nd_concatenate", || {
        // SAFETY: the caller gives a description, two live arrays, of which it has the first for itself without a copy,
        // and a place for a pointer, or NULL.
        unsafe {
            let (first, second) = (Array::of(src1)?, Array::of(src2)?);
            let out = Out::new("array", array)?;
            let axis = number(axis)?;
            if !copy {
                extend(first, second, axis)?;
                out.set(src1.cast_mut());
                return Ok(0);
            }
            check(first, second, axis)?;
            set_shape(ctx, &first.reading(|_, layout| Ok(layout.shape().to_vec()))?)?;
            make(ctx, array, |blueprint| {
                let (mut schunk, mut layout) = copied(first, blueprint)?;
                second.reading(|other, other_layout| {
                    transfer::extend(&mut schunk, &mut layout, axis, other, other_layout)
                })?;
                Ok((schunk, layout))
            })
        }
    })
}

/// Makes sure that nothing is made when the arrays do not fit together.
fn check(first: &Array, second: &Array, axis: usize) -> Result<()> {
    let layout = first.reading(|_, layout| Ok(layout.clone()))?;
    second.reading(|_, other| transfer::check_extend(&layout, axis, other).map(drop))
}

/// Adds the items of `second` to `first`.
fn extend(first: &Array, second: &Array, axis: usize) -> Result<()> {
    if !shared(first, second)? {
        return second.reading(|other, other_layout| {
            first.reshaping(|schunk, layout| transfer::extend(schunk, layout, axis, other, other_layout))
        });
    }
    // What is read must not change meanwhile.
    let (copy, copy_layout) =
        second.reading(|schunk, layout| Ok((schunk.with_metas(schunk.metas())?, layout.clone())))?;
    first.reshaping(|schunk, layout| transfer::extend(schunk, layout, axis, &copy, &copy_layout))
}

/// Whether two arrays have the same chunks.
fn shared(first: &Array, second: &Array) -> Result<bool> {
    if std::ptr::eq(first.schunk()?.base(), second.schunk()?.base()) {
        return Ok(true);
    }
    let (first, second) = (first.schunk()?.read()?, second.schunk()?.read()?);
    Ok(transfer::same_lock(&first.schunk, &second.schunk))
}

/// # Safety
/// `ctx` is NULL or a description whose pointers are valid, `array` NULL or a place for a pointer.
unsafe fn copy(ctx: *mut b2nd_context_t, src: &Array, array: *mut *mut b2nd_array_t) -> Result<c_int> {
    let shape = src.reading(|_, layout| Ok(layout.shape().to_vec()))?;
    // SAFETY: the caller vouches for both.
    unsafe {
        set_shape(ctx, &shape)?;
        make(ctx, array, |blueprint| copied(src, blueprint))
    }
}

fn copied(src: &Array, blueprint: &Blueprint) -> Result<(SuperChunk, Layout)> {
    src.exporting(|schunk, layout| transfer::copy(schunk, layout, blueprint))
}

/// Sets the shape that a description says.
///
/// # Safety
/// `ctx` is NULL or a description.
unsafe fn set_shape(ctx: *mut b2nd_context_t, shape: &[i64]) -> Result<()> {
    let mut ctx = NonNull::new(ctx).ok_or_else(|| null("ctx"))?;
    // SAFETY: the caller vouches for it; nobody else uses it during a call.
    let ctx = unsafe { ctx.as_mut() };
    ctx.ndim = shape.len() as i8; // at most 16
    ctx.shape[..shape.len()].copy_from_slice(shape);
    Ok(())
}
