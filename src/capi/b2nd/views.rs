//! Views: the same items with fewer or more axes of length 1.

use super::handle::Array;
use crate::base::Result;
use crate::base::consts::MAX_METALAYERS;
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, values};
use crate::capi::schunk::handle::Schunk;
use crate::capi::schunk::view;
use crate::capi::types::b2nd_array_t;
use crate::fail;
use crate::frame::Metalayers;
use crate::ndarray::{Dtype, Layout, NdMeta, View, meta, open};
use libc::c_int;
use std::ptr::{NonNull, null_mut};

/// Makes a view of an array without some of its axes of length 1.
///
/// A view shares the array's chunks: what is written through one is seen through the other. Either may be freed first.
/// A view cannot be resized; when the array is, its views follow. Copies of a view, and frames and files made of it, have
/// the view's shape. Where the codec or a filter goes by the shape of blocks, their chunks are compressed again, and stored
/// uncompressed where that shape is none for the codec.
///
/// @param array The array, which has no fixed metalayer but its own.
/// @param view Set to the view, for `b2nd_free`.
/// @param index For each axis, whether it goes.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_INDEX when an axis that goes is not of length 1;
///   #BLOSC2_ERROR_INVALID_PARAM when the array has other fixed metalayers, or its chunks are longer than 1 along an axis
///   that goes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_squeeze_index(
    array: *mut b2nd_array_t,
    view: *mut *mut b2nd_array_t,
    index: *const bool,
) -> c_int {
    guard("b2nd_squeeze_index", || {
        // SAFETY: the caller gives a live array, a place for a pointer, and as many bytes as it has dimensions, or NULL.
        unsafe {
            let (array, view) = (Array::of(array)?, Out::new("view", view)?);
            let axes = flags("index", index, array.ndim())?;
            make(array, &view, |layout| View::squeeze(layout, &axes))
        }
    })
}

/// Makes a view of an array without its axes of length 1, as `b2nd_squeeze_index`.
///
/// @param array The array, which has no fixed metalayer but its own.
/// @param view Set to the view, for `b2nd_free`.
/// @return As `b2nd_squeeze_index`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_squeeze(array: *mut b2nd_array_t, view: *mut *mut b2nd_array_t) -> c_int {
    guard("b2nd_squeeze", || {
        // SAFETY: the caller gives a live array and a place for a pointer, or NULL.
        let (array, view) = unsafe { (Array::of(array)?, Out::new("view", view)?) };
        make(array, &view, |layout| Ok(View::squeeze_all(layout)))
    })
}

/// Makes a view of an array with more axes, of length 1; what holds for `b2nd_squeeze_index` holds for it.
///
/// @param array The array, which has no fixed metalayer but its own.
/// @param view Set to the view, for `b2nd_free`.
/// @param axis For each axis of the view, whether it is a new one. The others are the array's, in order.
/// @param final_dims How many axes the view has, at most #B2ND_MAX_DIM.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the axes that are not new are not as many as
///   the array's, when the view has too many, or the array has other fixed metalayers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_expand_dims(
    array: *const b2nd_array_t,
    view: *mut *mut b2nd_array_t,
    axis: *const bool,
    final_dims: u8,
) -> c_int {
    guard("b2nd_expand_dims", || {
        // SAFETY: the caller gives a live array, a place for a pointer, and final_dims bytes, or NULL.
        unsafe {
            let (array, view) = (Array::of(array)?, Out::new("view", view)?);
            let places = flags("axis", axis, final_dims.into())?;
            make(array, &view, |layout| View::expand_dims(layout, &places))
        }
    })
}

/// A flag for each axis. NULL is an error also where there are none.
///
/// # Safety
/// `ptr` is NULL or points to `n` bytes.
unsafe fn flags(name: &str, ptr: *const bool, n: usize) -> Result<Vec<bool>> {
    if ptr.is_null() {
        return Err(crate::capi::pointers::null(name));
    }
    // SAFETY: the caller vouches for it. As bytes, because C may have any number in a bool.
    let bytes = unsafe { values(name, ptr.cast::<u8>(), n as i64) }?;
    Ok(bytes.iter().map(|&byte| byte != 0).collect())
}

fn make(
    array: &Array,
    out: &Out<*mut b2nd_array_t>,
    view: impl FnOnce(&Layout) -> Result<View>,
) -> Result<c_int> {
    out.set(null_mut());
    let schunk = array.schunk()?;
    let dtype = schunk.reading(|engine| {
        array.follow(engine)?;
        if engine.metas().iter().any(|meta| meta.name() != meta::NAME.as_bytes()) {
            fail!(InvalidParam, "a view of an array with other metalayers than its own");
        }
        Ok(open::read_meta(engine)?.dtype().cloned())
    })?;
    let (view, of) = array.viewed(view)?;
    let metas = describe(&view.layout(&of)?, dtype.as_ref())?;
    let sc = view::make(schunk, metas)?;
    let made = Array::make_view(sc, of, view, dtype.as_ref()).map(NonNull::as_ptr);
    // SAFETY: on error nobody has seen the super-chunk.
    out.set(made.inspect_err(|_| unsafe { Schunk::discard(sc) })?);
    Ok(0)
}

/// The metalayer of a view.
pub(super) fn describe(layout: &Layout, dtype: Option<&Dtype>) -> Result<Metalayers> {
    let dtype = dtype.cloned().unwrap_or_else(|| Dtype::of_bytes(layout.typesize()));
    let bytes = NdMeta::of(layout, Some(&dtype)).serialize()?;
    let mut metas = Metalayers::default();
    metas.add(meta::NAME, (&*bytes).into(), MAX_METALAYERS)?;
    Ok(metas)
}
