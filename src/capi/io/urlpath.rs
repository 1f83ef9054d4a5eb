//! What paths name, removed and renamed.

use crate::base::{Error, ErrorKind, Result};
use crate::capi::guard::guard;
use crate::capi::schunk::storage::path;
use crate::frame::rename;
use crate::io::remove;
use libc::{c_char, c_int};
use std::ffi::CStr;
use std::ptr::NonNull;

/// Removes a directory and the files in it. Directories in it are not entered.
///
/// @param path The directory.
/// @return 0; #BLOSC2_ERROR_INVALID_PARAM for NULL and for an empty path; #BLOSC2_ERROR_NOT_FOUND when there is no such
///   directory; #BLOSC2_ERROR_FAILURE when something in it cannot be removed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_remove_dir(path: *const c_char) -> c_int {
    guard("blosc2_remove_dir", || {
        // SAFETY: the caller gives a C string, or NULL.
        let Some(dir) = (unsafe { named(path) }) else {
            return Err(Error::new(ErrorKind::InvalidParam, "path is NULL"));
        };
        done(remove::remove_dir(self::path(dir)))
    })
}

/// Removes a frame: a file and the lock file beside it, or a directory with the files in it.
///
/// @param path The file or directory. When it is NULL or names nothing, nothing happens.
/// @return 0; #BLOSC2_ERROR_FILE_REMOVE when the file cannot be removed; #BLOSC2_ERROR_FAILURE when the path cannot be
///   looked at, or something in the directory cannot be removed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_remove_urlpath(path: *const c_char) -> c_int {
    guard("blosc2_remove_urlpath", || {
        // SAFETY: the caller gives a C string, or NULL.
        match unsafe { named(path) } {
            Some(urlpath) => done(remove::remove_urlpath(self::path(urlpath))),
            None => Ok(0),
        }
    })
}

/// Renames a frame. A change of it that was cut short with a journal is taken back first.
///
/// @param old_urlpath The file or directory. When it is NULL, nothing happens.
/// @param new_path Its new path, on the same file system; what is there already is replaced as rename() does it. When it
///   is NULL, nothing happens.
/// @return 0; #BLOSC2_ERROR_FAILURE when there is no such file or directory, or it cannot be renamed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_rename_urlpath(old_urlpath: *mut c_char, new_path: *mut c_char) -> c_int {
    guard("blosc2_rename_urlpath", || {
        // SAFETY: the caller gives C strings, or NULL.
        match unsafe { (named(old_urlpath), named(new_path)) } {
            (Some(old), Some(new)) => done(rename::rename(path(old), path(new))),
            _ => Ok(0),
        }
    })
}

/// # Safety
/// `text` is NULL or a C string that outlives `'a`.
unsafe fn named<'a>(text: *const c_char) -> Option<&'a CStr> {
    // SAFETY: the caller vouches for it.
    NonNull::new(text.cast_mut()).map(|text| unsafe { CStr::from_ptr(text.as_ptr()) })
}

fn done(result: Result<()>) -> Result<c_int> {
    result.map(|()| 0)
}
