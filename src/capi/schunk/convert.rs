//! Super-chunks as frames in memory and in files.

use super::handle::Schunk;
use super::storage::path;
use crate::base::Result;
use crate::capi::guard::guard;
use crate::capi::io::backend;
use crate::capi::pointers::{Out, text};
use crate::capi::types::blosc2_schunk;
use crate::io::{Backend, Disk};
use libc::{c_char, c_int};
use std::sync::Arc;

/// A super-chunk as the bytes of a contiguous frame.
///
/// @param schunk The super-chunk.
/// @param cframe Set to the frame.
/// @param needs_free Set to whether the caller frees the frame. If not, it is where the super-chunk has it, and valid
///   until that changes.
/// @return Bytes of the frame; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FILE_READ and others when a chunk cannot be
///   read; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_to_buffer(
    schunk: *mut blosc2_schunk,
    cframe: *mut *mut u8,
    needs_free: *mut bool,
) -> i64 {
    guard("blosc2_schunk_to_buffer", || {
        // SAFETY: the caller gives a live super-chunk and places for the results, or NULL.
        let (schunk, cframe, needs_free) = unsafe {
            (Schunk::of(schunk)?, Out::new("cframe", cframe)?, Out::new("needs_free", needs_free)?)
        };
        cframe.set(std::ptr::null_mut());
        needs_free.set(false);
        let (ptr, len, owned) = to_buffer(schunk)?;
        cframe.set(ptr);
        needs_free.set(owned);
        Ok(len)
    })
}

/// The frame, its length, and whether it is a copy.
pub(crate) fn to_buffer(schunk: &Schunk) -> Result<(*mut u8, i64, bool)> {
    if schunk.view().is_none() {
        let own = schunk.changing(|engine| {
            Ok(engine.frame_bytes()?.map(|frame| (frame.as_ptr().cast_mut(), frame.len() as i64)))
        })?;
        if let Some((ptr, len)) = own {
            return Ok((ptr, len, false));
        }
    }
    let frame = schunk.exporting(|engine| engine.to_cframe())?;
    let len = frame.len() as i64;
    Ok((frame.into_raw(), len, true))
}

/// Writes a super-chunk to a file, as a contiguous frame.
///
/// @param schunk The super-chunk.
/// @param urlpath The file. Only a super-chunk that is a contiguous frame in memory replaces one that is there.
/// @return Bytes of the frame; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FILE_OPEN when the file cannot be made or is
///   there; #BLOSC2_ERROR_FILE_WRITE; #BLOSC2_ERROR_FILE_READ and others when a chunk cannot be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_to_file(schunk: *mut blosc2_schunk, urlpath: *const c_char) -> i64 {
    guard("blosc2_schunk_to_file", || {
        // SAFETY: the caller gives a live super-chunk and a C string, or NULL.
        let (schunk, urlpath) = unsafe { (Schunk::of(schunk)?, text("urlpath", urlpath)?) };
        // SAFETY: the super-chunk is alive.
        let io = unsafe { written_through(schunk) }?;
        schunk.exporting(|engine| engine.to_file(path(urlpath), &io))
    })
}

/// Adds a super-chunk to the end of a file, as a contiguous frame. `blosc2_schunk_open_offset` opens it there.
///
/// @param schunk The super-chunk.
/// @param urlpath The file; made when it is not there.
/// @return Where the frame starts, in bytes from the start of the file; #BLOSC2_ERROR_NULL_POINTER;
///   #BLOSC2_ERROR_FILE_OPEN; #BLOSC2_ERROR_FILE_WRITE; #BLOSC2_ERROR_FILE_READ and others when a chunk cannot be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_append_file(
    schunk: *mut blosc2_schunk,
    urlpath: *const c_char,
) -> i64 {
    guard("blosc2_schunk_append_file", || {
        // SAFETY: the caller gives a live super-chunk and a C string, or NULL.
        let (schunk, urlpath) = unsafe { (Schunk::of(schunk)?, text("urlpath", urlpath)?) };
        // SAFETY: the super-chunk is alive.
        let io = unsafe { written_through(schunk) }?;
        schunk.exporting(|engine| engine.append_file(path(urlpath), &io))
    })
}

/// The length of a super-chunk's frame.
///
/// @param schunk The super-chunk.
/// @return Bytes of the frame; where chunks are kept each for itself, about as many as a frame would have;
///   #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_frame_len(schunk: *mut blosc2_schunk) -> i64 {
    guard("blosc2_schunk_frame_len", || {
        // SAFETY: the caller gives a live super-chunk, or NULL.
        unsafe { Schunk::of(schunk) }?.reading(|engine| Ok(engine.frame_len()))
    })
}

/// Looks whether somebody else has changed a super-chunk on disk, and brings its fields up to date. Reading chunks does
/// that too.
///
/// @param schunk The super-chunk.
/// @return 1 when something had changed; 0 when not, and for super-chunks in memory; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_refresh(schunk: *mut blosc2_schunk) -> c_int {
    guard("blosc2_schunk_refresh", || {
        // SAFETY: the caller gives a live super-chunk, or NULL.
        unsafe { Schunk::of(schunk) }?.reading(|engine| engine.refresh().map(c_int::from))
    })
}

/// How a super-chunk is written to another file: one that is a frame in memory by the backend that its storage names, which
/// is for nothing else there.
///
/// # Safety
/// The super-chunk is alive, and its storage the one that it was made with.
unsafe fn written_through(schunk: &Schunk) -> Result<Arc<dyn Backend>> {
    let in_memory = schunk.reading(|engine| Ok(engine.disk().is_none() && engine.has_frame()))?;
    if !in_memory {
        return Ok(Arc::new(Disk));
    }
    // SAFETY: the caller vouches for it.
    unsafe { backend::backend(&schunk.io()) }
}
