//! `b2nd_context_t`: how to make an array.

use crate::base::Result;
use crate::base::consts::MAX_DIM;
use crate::capi::defaults::STORAGE;
use crate::capi::guard::guard;
use crate::capi::pointers::{malloc_text, null, text, values};
use crate::capi::schunk::storage::{Asked, StorageCopy};
use crate::capi::types::array::B2ND_MAX_METALAYERS;
use crate::capi::types::private::b2nd_context_s;
use crate::capi::types::{b2nd_context_t, blosc2_metalayer, blosc2_storage};
use crate::fail;
use crate::ndarray::{Blueprint, Dtype, layout};
use libc::{c_char, c_int};
use std::ffi::CStr;
use std::ptr::NonNull;

/// A context: the mirror first, then the storage that it points to.
#[repr(C)]
struct Context {
    mirror: b2nd_context_s,
    storage: NonNull<StorageCopy>,
    dtype: *mut c_char,
}

/// Describes an array that is to be made.
///
/// @param b2_storage Where and how to keep its super-chunk; copied, with all it points to. The items' size is
///   `cparams->typesize`; `cparams->blocksize` follows from the block shape. NULL for #BLOSC2_STORAGE_DEFAULTS.
/// @param ndim How many dimensions, from 0 to #B2ND_MAX_DIM.
/// @param shape Items along each dimension; `ndim` numbers, 0 or more.
/// @param chunkshape Items of a chunk along each dimension.
/// @param blockshape Items of a block along each dimension.
/// @param dtype What an item is; copied. NULL for bytes without a meaning: "|S8" for items of 8 bytes.
/// @param dtype_format How the dtype is written: #DTYPE_NUMPY_FORMAT, or a program's own number up to 127.
/// @param metalayers Metalayers that the array is to have; `nmetalayers` of them. What they point to is not copied, and
///   has to live as long as the context is used.
/// @param nmetalayers How many metalayers, at most #B2ND_MAX_METALAYERS.
/// @return The description, for `b2nd_free_ctx`; NULL when something of it cannot be, or memory is short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_create_ctx(
    b2_storage: *const blosc2_storage,
    ndim: i8,
    shape: *const i64,
    chunkshape: *const i32,
    blockshape: *const i32,
    dtype: *const c_char,
    dtype_format: i8,
    metalayers: *const blosc2_metalayer,
    nmetalayers: i32,
) -> *mut b2nd_context_t {
    guard("b2nd_create_ctx", || {
        if !(0..=MAX_DIM as i8).contains(&ndim) {
            fail!(InvalidParam, "{ndim} dimensions");
        }
        if !(0..=B2ND_MAX_METALAYERS as i32).contains(&nmetalayers) {
            fail!(InvalidParam, "{nmetalayers} metalayers");
        }
        // SAFETY: the caller gives a storage whose pointers are valid, ndim numbers of each kind, a C string and
        // nmetalayers metalayers, or NULL.
        unsafe {
            let asked = Asked::of(b2_storage.as_ref().unwrap_or(&STORAGE));
            let shapes = Shapes {
                shape: values("shape", shape, ndim)?,
                chunkshape: values("chunkshape", chunkshape, ndim)?,
                blockshape: values("blockshape", blockshape, ndim)?,
            };
            let metalayers = values("metalayers", metalayers, nmetalayers)?;
            let dtype = if dtype.is_null() { None } else { Some(text("dtype", dtype)?) };
            new(asked, shapes, dtype, dtype_format, metalayers).map(NonNull::as_ptr)
        }
    })
}

/// Frees the description of an array. Arrays made from it stay.
///
/// @param ctx The description.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_free_ctx(ctx: *mut b2nd_context_t) -> c_int {
    guard("b2nd_free_ctx", || {
        let ctx = NonNull::new(ctx).ok_or_else(|| null("ctx"))?;
        // SAFETY: the caller gives up a context that b2nd_create_ctx made. What it owns is noted behind the mirror,
        // whatever has become of the mirror's pointers.
        unsafe {
            let context = Box::from_raw(ctx.as_ptr().cast::<Context>());
            StorageCopy::free(context.storage);
            libc::free(context.dtype.cast());
        }
        Ok(0)
    })
}

/// The three shapes that a caller gives.
struct Shapes<'a> {
    shape: &'a [i64],
    chunkshape: &'a [i32],
    blockshape: &'a [i32],
}

fn new(
    mut asked: Asked,
    shapes: Shapes<'_>,
    dtype: Option<&CStr>,
    dtype_format: i8,
    metalayers: &[blosc2_metalayer],
) -> Result<NonNull<b2nd_context_t>> {
    let typesize = asked.cparams.typesize;
    asked.cparams.blocksize =
        layout::check_draft(shapes.shape, shapes.chunkshape, shapes.blockshape, typesize)?;
    let dtype = match dtype {
        Some(dtype) => malloc_text(dtype.to_bytes())?,
        None => malloc_text(Dtype::of_bytes(typesize).text())?,
    };
    // SAFETY: all fields are integers and pointers, for which zero is valid.
    let mut mirror: b2nd_context_s = unsafe { std::mem::zeroed() };
    let ndim = shapes.shape.len();
    mirror.ndim = ndim as i8; // at most 16
    mirror.shape[..ndim].copy_from_slice(shapes.shape);
    mirror.chunkshape[..ndim].copy_from_slice(shapes.chunkshape);
    mirror.blockshape[..ndim].copy_from_slice(shapes.blockshape);
    mirror.dtype = dtype;
    mirror.dtype_format = dtype_format;
    mirror.metalayers[..metalayers.len()].copy_from_slice(metalayers);
    mirror.nmetalayers = metalayers.len() as i32; // at most 15
    let storage = StorageCopy::make(asked);
    mirror.b2_storage = StorageCopy::storage(storage);
    let context = Box::new(Context { mirror, storage, dtype });
    Ok(NonNull::from(Box::leak(context)).cast())
}

/// What a description says, with the super-chunk's storage still to be filled in.
///
/// # Safety
/// `ctx` points to a description whose pointers are valid.
pub(crate) unsafe fn blueprint(ctx: &b2nd_context_s) -> Result<(Blueprint, Asked)> {
    let Some(ndim) = usize::try_from(ctx.ndim).ok().filter(|&ndim| ndim <= MAX_DIM) else {
        fail!(InvalidParam, "{} dimensions", ctx.ndim);
    };
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        let asked = Asked::of(ctx.b2_storage.as_ref().unwrap_or(&STORAGE));
        let dtype = if ctx.dtype.is_null() { None } else { Some(text("dtype", ctx.dtype)?) };
        let mut blueprint = Blueprint {
            shape: ctx.shape[..ndim].to_vec(),
            chunkshape: ctx.chunkshape[..ndim].to_vec(),
            blockshape: ctx.blockshape[..ndim].to_vec(),
            dtype: dtype.map(|dtype| Dtype::new(dtype.to_bytes(), ctx.dtype_format)).transpose()?,
            metalayers: metalayers(ctx)?,
            ..Blueprint::default()
        };
        blueprint.storage.cparams.typesize = asked.cparams.typesize;
        Ok((blueprint, asked))
    }
}

/// # Safety
/// `ctx`'s metalayers are valid.
unsafe fn metalayers(ctx: &b2nd_context_s) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
    let n = usize::try_from(ctx.nmetalayers).unwrap_or(0);
    let metalayers = ctx.metalayers.get(..n).unwrap_or(&ctx.metalayers);
    metalayers
        .iter()
        .map(|meta| {
            // SAFETY: the caller vouches for them.
            unsafe {
                let name = text("metalayer name", meta.name)?;
                let content = values("metalayer content", meta.content, meta.content_len)?;
                Ok((name.to_bytes().to_vec(), content.to_vec()))
            }
        })
        .collect()
}
