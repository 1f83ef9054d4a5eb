//! Arrays as frames in memory and in files, and following other handles.

use super::handle::Array;
use crate::base::ErrorKind;
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, text};
use crate::capi::schunk::convert::to_buffer;
use crate::capi::schunk::storage::path;
use crate::capi::types::b2nd_array_t;
use crate::io::{Backend, Disk};
use crate::schunk::Storage;
use libc::{c_char, c_int};
use std::sync::Arc;

/// An array as the bytes of a contiguous frame.
///
/// @param array The array.
/// @param cframe Set to the frame.
/// @param cframe_len Set to its bytes.
/// @param needs_free Set to whether the caller frees the frame. If not, it is where the array has it, and valid until
///   that changes.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when a chunk cannot be read, or memory is short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_to_cframe(
    array: *const b2nd_array_t,
    cframe: *mut *mut u8,
    cframe_len: *mut i64,
    needs_free: *mut bool,
) -> c_int {
    guard("b2nd_to_cframe", || {
        // SAFETY: the caller gives a live array and places for the results, or NULL.
        let (array, cframe, cframe_len, needs_free) = unsafe {
            (
                Array::of(array)?,
                Out::new("cframe", cframe)?,
                Out::new("cframe_len", cframe_len)?,
                Out::new("needs_free", needs_free)?,
            )
        };
        let (ptr, len, owned) =
            array.to_export().and_then(to_buffer).map_err(|e| e.as_kind(ErrorKind::Failure))?;
        cframe.set(ptr);
        cframe_len.set(len);
        needs_free.set(owned);
        Ok(0)
    })
}

/// Writes a copy of an array to disk: as a file where its super-chunk is contiguous, as a directory where not.
///
/// @param array The array.
/// @param urlpath Where to write; there may be nothing yet.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when there is something already, nothing can be made
///   there, or a chunk cannot be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_save(array: *const b2nd_array_t, urlpath: *mut c_char) -> c_int {
    guard("b2nd_save", || {
        // SAFETY: the caller gives a live array and a C string, or NULL.
        let (array, urlpath) = unsafe { (Array::of(array)?, text("urlpath", urlpath)?) };
        let saved = array.exporting(|engine, _| {
            engine.copy(Storage {
                contiguous: engine.is_contiguous(),
                urlpath: Some(path(urlpath).to_owned()),
                cparams: engine.cparams().clone(),
                dparams: engine.dparams().clone(),
                ..Storage::default()
            })
        });
        saved.map(|_| 0).map_err(|e| e.as_kind(ErrorKind::Failure))
    })
}

/// Adds an array to the end of a file, as a contiguous frame. `b2nd_open_offset` opens it there.
///
/// @param array The array.
/// @param urlpath The file; made when it is not there.
/// @return Where the frame starts, in bytes from the start of the file; and as `blosc2_schunk_append_file`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_save_append(array: *const b2nd_array_t, urlpath: *const c_char) -> i64 {
    guard("b2nd_save_append", || {
        // SAFETY: the caller gives a live array and a C string, or NULL.
        let (array, urlpath) = unsafe { (Array::of(array)?, text("urlpath", urlpath)?) };
        let disk: Arc<dyn Backend> = Arc::new(Disk);
        array.to_export()?.exporting(|engine| engine.append_file(path(urlpath), &disk))
    })
}

/// Looks whether another handle has changed the shape of an array on disk, and brings the array's fields up to date.
/// Reading and writing slices does that too.
///
/// @param array The array.
/// @return 1 when the shape had changed; 0 when not, and for arrays in memory; #BLOSC2_ERROR_NULL_POINTER;
///   #BLOSC2_ERROR_DATA when the array has another number of dimensions, or other chunks or blocks, than before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_refresh(array: *mut b2nd_array_t) -> c_int {
    guard("b2nd_refresh", || {
        // SAFETY: the caller gives a live array, or NULL.
        let array = unsafe { Array::of(array) }?;
        array.schunk()?.reading(|engine| array.follow(engine).map(c_int::from))
    })
}
