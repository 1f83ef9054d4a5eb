//! Making, opening and freeing arrays.

use super::context::blueprint;
use super::handle::Array;
use crate::base::{Error, ErrorKind, Result};
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, bytes, null, reference, text};
use crate::capi::schunk::create::{self, from_buffer};
use crate::capi::schunk::handle::Schunk;
use crate::capi::types::{b2nd_array_t, b2nd_context_t, blosc2_schunk};
use crate::ndarray::{Blueprint, Layout, open};
use crate::schunk::SuperChunk;
use libc::{c_char, c_int, c_void};
use std::ptr::{NonNull, null_mut};

/// Makes an array that was never written. Until it is, it reads as anything (as zeros, now).
///
/// @param ctx How to make it.
/// @param array Set to the array, for `b2nd_free`.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for shapes or a typesize that cannot be;
///   #BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED when a chunk would be too large; #BLOSC2_ERROR_FAILURE when there is something
///   at the path already, or nothing can be made there, or a metalayer is refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_uninit(ctx: *mut b2nd_context_t, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: the caller gives a description and a place for a pointer, or NULL.
    guard("b2nd_uninit", || unsafe { make(ctx, array, Blueprint::uninit) })
}

/// Makes an array to be written. Until it is, it reads as zeros.
///
/// @param ctx How to make it.
/// @param array Set to the array, for `b2nd_free`.
/// @return As `b2nd_uninit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_empty(ctx: *mut b2nd_context_t, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: the caller gives a description and a place for a pointer, or NULL.
    guard("b2nd_empty", || unsafe { make(ctx, array, Blueprint::zeros) })
}

/// Makes an array of zeros, which take no room.
///
/// @param ctx How to make it.
/// @param array Set to the array, for `b2nd_free`.
/// @return As `b2nd_uninit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_zeros(ctx: *mut b2nd_context_t, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: the caller gives a description and a place for a pointer, or NULL.
    guard("b2nd_zeros", || unsafe { make(ctx, array, Blueprint::zeros) })
}

/// Makes an array of NaN, which take no room.
///
/// @param ctx How to make it; items of 4 bytes are floats, of 8 bytes doubles.
/// @param array Set to the array, for `b2nd_free`.
/// @return #BLOSC2_ERROR_DATA for items of another size; otherwise as `b2nd_uninit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_nans(ctx: *mut b2nd_context_t, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: the caller gives a description and a place for a pointer, or NULL.
    guard("b2nd_nans", || unsafe { make(ctx, array, Blueprint::nans) })
}

/// Makes an array of one value, which takes next to no room.
///
/// @param ctx How to make it.
/// @param array Set to the array, for `b2nd_free`.
/// @param fill_value The value, one item.
/// @return As `b2nd_uninit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_full(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    fill_value: *const c_void,
) -> c_int {
    guard("b2nd_full", || {
        // SAFETY: the caller gives a description, a place for a pointer and an item, or NULL.
        unsafe {
            make(ctx, array, |blueprint| {
                let value = bytes("fill_value", fill_value, blueprint.storage.cparams.typesize)?;
                blueprint.full(value)
            })
        }
    })
}

/// Makes an array of the items in a buffer.
///
/// @param ctx How to make it.
/// @param array Set to the array, for `b2nd_free`.
/// @param buffer The items, in C order.
/// @param buffersize Bytes at `buffer`; at least as many as the array has.
/// @return #BLOSC2_ERROR_INVALID_PARAM also when the buffer is too small; the codes of `blosc2_compress_ctx`;
///   otherwise as `b2nd_uninit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_from_cbuffer(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    buffer: *const c_void,
    buffersize: i64,
) -> c_int {
    guard("b2nd_from_cbuffer", || {
        if buffer.is_null() {
            return Err(null("buffer"));
        }
        // SAFETY: the caller gives a description, a place for a pointer and buffersize bytes, or NULL.
        unsafe {
            let buffer = bytes("buffer", buffer, buffersize)?;
            make(ctx, array, |blueprint| blueprint.from_buffer(buffer))
        }
    })
}

/// Makes an array of the super-chunk that holds it.
///
/// @param schunk The super-chunk. It belongs to the array from now on and is freed with it; on error it stays the
///   caller's.
/// @param array Set to the array, for `b2nd_free`.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_METALAYER_NOT_FOUND when there is no array in it;
///   #BLOSC2_ERROR_FAILURE or #BLOSC2_ERROR_INVALID_PARAM when its metalayer makes no sense.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_from_schunk(
    schunk: *mut blosc2_schunk,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    guard("b2nd_from_schunk", || {
        let schunk = NonNull::new(schunk).ok_or_else(|| null("schunk"))?;
        // SAFETY: the caller gives a live super-chunk and a place for a pointer, or NULL.
        unsafe {
            let array = place(array)?;
            array.set(attach(schunk)?.as_ptr());
        }
        Ok(0)
    })
}

/// Makes an array of the bytes of a contiguous frame, as `b2nd_to_cframe` gives them.
///
/// @param cframe The frame.
/// @param cframe_len Its bytes.
/// @param copy Whether the chunks are copied. If not, the array lives in the bytes given. They stay the caller's, who
///   frees them after the array, unless `blosc2_schunk_avoid_cframe_free` passes them on to its super-chunk.
/// @param array Set to the array, for `b2nd_free`.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when the bytes are no such frame; otherwise as
///   `b2nd_from_schunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_from_cframe(
    cframe: *mut u8,
    cframe_len: i64,
    copy: bool,
    array: *mut *mut b2nd_array_t,
) -> c_int {
    guard("b2nd_from_cframe", || {
        if cframe.is_null() {
            return Err(null("cframe"));
        }
        // SAFETY: the caller gives cframe_len bytes, that stay without copy, and a place for a pointer, or NULL.
        unsafe {
            let array = place(array)?;
            let schunk = from_buffer(cframe, cframe_len, copy).map_err(|e| e.as_kind(ErrorKind::Failure))?;
            array.set(attach_or_free(schunk)?.as_ptr());
        }
        Ok(0)
    })
}

/// Opens an array on disk. Chunks stay there until they are read.
///
/// @param urlpath The file, or the directory of a sparse frame.
/// @param array Set to the array, for `b2nd_free`.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER also when there is no super-chunk or it cannot be read; otherwise as
///   `b2nd_from_schunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_open(urlpath: *const c_char, array: *mut *mut b2nd_array_t) -> c_int {
    // SAFETY: the caller gives a C string and a place for a pointer, or NULL.
    guard("b2nd_open", || unsafe { open_at(urlpath, 0, array) })
}

/// Opens an array that is inside of a file, as `b2nd_save_append` puts it there.
///
/// @param urlpath The file.
/// @param array Set to the array, for `b2nd_free`.
/// @param offset Where the frame starts, in bytes from the start of the file.
/// @return As `b2nd_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_open_offset(
    urlpath: *const c_char,
    array: *mut *mut b2nd_array_t,
    offset: i64,
) -> c_int {
    // SAFETY: the caller gives a C string and a place for a pointer, or NULL.
    guard("b2nd_open_offset", || unsafe { open_at(urlpath, offset, array) })
}

/// Frees an array and its super-chunk. What is on disk stays.
///
/// @param array The array.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_free(array: *mut b2nd_array_t) -> c_int {
    guard("b2nd_free", || {
        let array = NonNull::new(array).ok_or_else(|| null("array"))?;
        // SAFETY: the caller gives up a live array.
        unsafe { Array::free(array) };
        Ok(0)
    })
}

/// The place for a new array, set to NULL as long as there is none.
///
/// # Safety
/// `array` is NULL or a place for a pointer.
unsafe fn place(array: *mut *mut b2nd_array_t) -> Result<Out<*mut b2nd_array_t>> {
    // SAFETY: the caller vouches for it.
    let array = unsafe { Out::new("array", array) }?;
    array.set(null_mut());
    Ok(array)
}

/// Makes the array that a description describes.
///
/// # Safety
/// `ctx` is NULL or a description whose pointers are valid, `array` NULL or a place for a pointer.
pub(super) unsafe fn make(
    ctx: *mut b2nd_context_t,
    array: *mut *mut b2nd_array_t,
    build: impl FnOnce(&Blueprint) -> Result<(SuperChunk, Layout)>,
) -> Result<c_int> {
    // SAFETY: the caller vouches for both.
    let (ctx, array) = unsafe { (reference("ctx", ctx.cast_const())?, place(array)?) };
    // SAFETY: as above.
    let (mut blueprint, mut asked) = unsafe { blueprint(ctx) }?;
    let dtype = blueprint.dtype();
    asked.cparams.blocksize = blueprint.layout()?.block_nbytes() as i32;
    let mut layout = None;
    let build = |storage| {
        blueprint.storage = storage;
        let (schunk, made) = build(&blueprint).map_err(refused)?;
        layout = Some(made);
        Ok(schunk)
    };
    // SAFETY: as above.
    let schunk = unsafe { create::create(asked, build) }?;
    let made = layout.ok_or_else(|| Error::new(ErrorKind::Failure, "no layout was made"))?;
    match Array::make(schunk, made, Some(&dtype)) {
        Ok(handle) => array.set(handle.as_ptr()),
        Err(e) => {
            // SAFETY: nobody else has seen the super-chunk.
            unsafe { Schunk::free(schunk) };
            return Err(e);
        }
    }
    Ok(0)
}

/// Where the C library only says that making the super-chunk failed.
fn refused(error: Error) -> Error {
    match error.kind() {
        ErrorKind::FileOpen | ErrorKind::FileWrite | ErrorKind::PluginIo => error.as_kind(ErrorKind::Failure),
        _ => error,
    }
}

/// An array of a super-chunk that is there.
///
/// # Safety
/// `schunk` is alive.
unsafe fn attach(schunk: NonNull<blosc2_schunk>) -> Result<NonNull<b2nd_array_t>> {
    // SAFETY: the caller vouches for it.
    let (layout, dtype) = unsafe { Schunk::of(schunk.as_ptr()) }?.changing(open::attach)?;
    Array::make(schunk, layout, dtype.as_ref())
}

/// [`attach`] for a super-chunk that nobody else knows of: freed when there is no array in it.
///
/// # Safety
/// `schunk` is alive and nobody else knows of it. A frame that it lives in stays when it is freed.
unsafe fn attach_or_free(schunk: NonNull<blosc2_schunk>) -> Result<NonNull<b2nd_array_t>> {
    // SAFETY: the caller vouches for it.
    unsafe {
        attach(schunk).inspect_err(|_| {
            if let Ok(handle) = Schunk::of(schunk.as_ptr()) {
                let _ = handle.changing(|engine| {
                    engine.set_frame_owned(false);
                    Ok(())
                });
            }
            Schunk::free(schunk);
        })
    }
}

/// # Safety
/// `urlpath` is NULL or a C string, `array` NULL or a place for a pointer.
unsafe fn open_at(urlpath: *const c_char, offset: i64, array: *mut *mut b2nd_array_t) -> Result<c_int> {
    // SAFETY: the caller vouches for both.
    unsafe {
        text("urlpath", urlpath)?;
        let array = place(array)?;
        // The C library goes on with no super-chunk, and says so.
        let schunk = create::open(urlpath, offset, &crate::capi::defaults::IO)
            .map_err(|e| e.as_kind(ErrorKind::NullPointer))?;
        let schunk = NonNull::new(schunk).ok_or_else(|| null("schunk"))?;
        array.set(attach_or_free(schunk)?.as_ptr());
    }
    Ok(0)
}
