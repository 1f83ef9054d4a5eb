//! Items of n-dimensional arrays by one number and by coordinates.

use crate::base::Result;
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, null, values};
use crate::ndarray::geometry;

/// The coordinates of the item with a number.
///
/// @param ndim Dimensions, at most #B2ND_MAX_DIM; of none, nothing is written.
/// @param shape Items along each dimension.
/// @param i The item's number, in C order.
/// @param index Where its `ndim` coordinates go.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_unidim_to_multidim(ndim: u8, shape: *mut i64, i: i64, index: *mut i64) {
    guard("blosc2_unidim_to_multidim", || {
        // SAFETY: the caller gives ndim lengths and room for as many coordinates, or NULL.
        unsafe {
            let shape = numbers("shape", shape, ndim.into())?;
            Out::new("index", index)?;
            let coords = geometry::unravel(i, shape);
            std::ptr::copy_nonoverlapping(coords.as_ptr(), index, shape.len());
        }
        Ok(())
    });
}

/// The number of the item with coordinates.
///
/// @param index Its coordinates.
/// @param ndim How many.
/// @param strides Along each dimension, how many items further the next one is.
/// @param i Set to the number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_multidim_to_unidim(
    index: *const i64,
    ndim: i8,
    strides: *const i64,
    i: *mut i64,
) {
    guard("blosc2_multidim_to_unidim", || {
        // SAFETY: the caller gives ndim coordinates and strides, and a place for a number, or NULL.
        unsafe {
            let i = Out::new("i", i)?;
            let ndim = ndim.max(0).into();
            i.set(geometry::ravel(numbers("index", index, ndim)?, numbers("strides", strides, ndim)?));
        }
        Ok(())
    });
}

/// # Safety
/// `ptr` is NULL or has `ndim` numbers.
unsafe fn numbers<'a>(name: &str, ptr: *const i64, ndim: i32) -> Result<&'a [i64]> {
    if ptr.is_null() && ndim > 0 {
        return Err(null(name));
    }
    if usize::try_from(ndim).is_ok_and(|ndim| ndim > crate::base::consts::MAX_DIM) {
        crate::fail!(InvalidParam, "{ndim} dimensions");
    }
    // SAFETY: the caller vouches for them.
    unsafe { values(name, ptr, ndim) }
}
