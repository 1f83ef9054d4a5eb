//! The content of an array's metalayer.

use crate::base::consts::MAX_DIM;
use crate::base::{ErrorKind, Result};
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, bytes, malloc_text, null, text, values};
use crate::fail;
use crate::ndarray::{Dtype, NdMeta};
use libc::{c_char, c_int};
use std::ptr::null_mut;

/// Makes the content of a `b2nd` metalayer.
///
/// @param ndim How many dimensions, from 0 to #B2ND_MAX_DIM.
/// @param shape Items along each dimension.
/// @param chunkshape Items of a chunk along each dimension.
/// @param blockshape Items of a block along each dimension.
/// @param dtype What an item is; NULL for #B2ND_DEFAULT_DTYPE.
/// @param dtype_format How the dtype is written; 0 or more.
/// @param smeta Set to the content, which the caller frees.
/// @return Bytes of the content; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for too many dimensions;
///   #BLOSC2_ERROR_FAILURE for a negative format; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_serialize_meta(
    ndim: i8,
    shape: *const i64,
    chunkshape: *const i32,
    blockshape: *const i32,
    dtype: *const c_char,
    dtype_format: i8,
    smeta: *mut *mut u8,
) -> c_int {
    guard("b2nd_serialize_meta", || {
        // SAFETY: the caller gives ndim numbers of each kind, a C string and a place for a pointer, or NULL.
        let (meta, smeta) = unsafe {
            let smeta = Out::new("smeta", smeta)?;
            let dtype = if dtype.is_null() { c"|u1" } else { text("dtype", dtype)? };
            let meta = NdMeta::new(
                values("shape", shape, ndim)?,
                values("chunkshape", chunkshape, ndim)?,
                values("blockshape", blockshape, ndim)?,
                Some(Dtype::new(dtype.to_bytes(), dtype_format)?),
            )?;
            (meta.serialize()?, smeta)
        };
        let len = meta.len() as c_int;
        smeta.set(meta.into_raw());
        Ok(len)
    })
}

/// Reads the content of a `b2nd` or `caterva` metalayer. `b2nd_deserialize_meta_inline` does the same without the
/// library.
///
/// @param smeta The content.
/// @param smeta_len Its bytes.
/// @param ndim Set to the number of dimensions, from 0 to #B2ND_MAX_DIM.
/// @param shape Room for #B2ND_MAX_DIM numbers; the first `ndim` are set to the array's shape.
/// @param chunkshape Likewise, to the shape of a chunk.
/// @param blockshape Likewise, to the shape of a block.
/// @param dtype Set to the dtype, which the caller frees; to NULL when there is none. May be NULL.
/// @param dtype_format Set to how the dtype is written. May be NULL; then, too, the dtype is not read.
/// @return How many bytes were read; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when the content is not what it
///   should be; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_deserialize_meta(
    smeta: *const u8,
    smeta_len: i32,
    ndim: *mut i8,
    shape: *mut i64,
    chunkshape: *mut i32,
    blockshape: *mut i32,
    dtype: *mut *mut c_char,
    dtype_format: *mut i8,
) -> c_int {
    guard("b2nd_deserialize_meta", || {
        // SAFETY: the caller gives smeta_len bytes and places for the results, the shapes' with room for MAX_DIM
        // numbers, or NULL.
        unsafe {
            if smeta.is_null() {
                return Err(null("smeta"));
            }
            let ndim = Out::new("ndim", ndim)?;
            for (name, is_null) in [
                ("shape", shape.is_null()),
                ("chunkshape", chunkshape.is_null()),
                ("blockshape", blockshape.is_null()),
            ] {
                if is_null {
                    return Err(null(name));
                }
            }
            let wants_dtype = !dtype.is_null() && !dtype_format.is_null();
            crate::capi::pointers::set_if_wanted(dtype, null_mut());
            crate::capi::pointers::set_if_wanted(dtype_format, 0);
            let content = content(smeta, smeta_len)?;
            let (meta, read) = parse(content, wants_dtype)?;
            ndim.set(meta.shape().len() as i8); // at most 16
            fill(shape, meta.shape());
            fill(chunkshape, meta.chunkshape());
            fill(blockshape, meta.blockshape());
            if let Some(found) = meta.dtype().filter(|_| wants_dtype) {
                dtype.write(malloc_text(found.text())?);
                dtype_format.write(found.format());
            }
            Ok(read as c_int)
        }
    })
}

/// # Safety
/// `smeta` points to `smeta_len` bytes.
unsafe fn content<'a>(smeta: *const u8, smeta_len: i32) -> Result<&'a [u8]> {
    if smeta_len <= 0 {
        fail!(Failure, "a metalayer of {smeta_len} bytes");
    }
    // SAFETY: the caller vouches for it.
    unsafe { bytes("smeta", smeta.cast(), smeta_len) }
}

/// The metalayer, and how many bytes of it the caller wants to have read.
fn parse(content: &[u8], wants_dtype: bool) -> Result<(NdMeta, usize)> {
    if !wants_dtype {
        // What comes after the shapes need not even make sense.
        let shapes = content.get(2).map_or(0, |&ndim| 6 + 19 * usize::from(ndim).min(MAX_DIM));
        if let Ok(read) = NdMeta::parse_counted(content.get(..shapes).unwrap_or(content)) {
            return Ok(read);
        }
    }
    NdMeta::parse_counted(content).map_err(|e| e.as_kind(ErrorKind::Failure))
}

/// # Safety
/// `place` has room for the values.
unsafe fn fill<T: Copy>(place: *mut T, values: &[T]) {
    // SAFETY: the caller vouches for it; the values are ours, so they do not overlap the place.
    unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), place, values.len()) }
}
