//! Items of a super-chunk by number.

use super::handle::Schunk;
use crate::base::{Error, ErrorKind, Result};
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, bytes, bytes_mut, malloc_values, null, values};
use crate::capi::types::blosc2_schunk;
use crate::ndarray::{geometry, open};
use crate::schunk::SuperChunk;
use crate::schunk::slice::Slice;
use libc::{c_int, c_void};
use std::ptr::null_mut;

/// Copies items of a super-chunk into a buffer. Of chunks that are only partly asked for, only the blocks that are needed
/// are decompressed.
///
/// @param schunk The super-chunk; all its chunks have one size.
/// @param start The first item.
/// @param stop The item after the last one.
/// @param buffer Where the items go; has to have room for all of them.
/// @return 0, also for no items; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when there are no such items, or chunks vary
///   in size; otherwise the codes of `blosc2_schunk_decompress_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_slice_buffer(
    schunk: *mut blosc2_schunk,
    start: i64,
    stop: i64,
    buffer: *mut c_void,
) -> c_int {
    guard("blosc2_schunk_get_slice_buffer", || {
        // SAFETY: the caller gives a live super-chunk, or NULL.
        let schunk = unsafe { Schunk::of(schunk) }?;
        if stop <= start {
            return Ok(0);
        }
        schunk.reading(|engine| {
            let slice = slice(engine, start, stop)?;
            // SAFETY: the caller gives room for the items, or NULL.
            engine.read_slice(&slice, unsafe { bytes_mut("buffer", buffer, slice.nbytes()) }?)
        })?;
        Ok(0)
    })
}

/// Puts items in the place of others. Chunks that are covered whole are not decompressed first.
///
/// @param schunk The super-chunk; all its chunks have one size.
/// @param start The first item that is replaced.
/// @param stop The item after the last one.
/// @param buffer The new items.
/// @return 0, also for no items; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when there are no such items, or chunks vary
///   in size; otherwise the codes of `blosc2_schunk_update_chunk`. On error, chunks at the front may have been replaced.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_set_slice_buffer(
    schunk: *mut blosc2_schunk,
    start: i64,
    stop: i64,
    buffer: *mut c_void,
) -> c_int {
    guard("blosc2_schunk_set_slice_buffer", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, or NULL.
        let schunk = unsafe { Schunk::of(schunk) }?;
        if stop <= start {
            return Ok(0);
        }
        schunk.changing(|engine| {
            let len = slice(engine, start, stop)?.nbytes();
            // SAFETY: the caller gives the items, or NULL.
            engine.set_slice(start, stop, unsafe { bytes("buffer", buffer, len) }?)
        })?;
        Ok(0)
    })
}

/// Copies scattered items of a super-chunk into a buffer. Each block that has some of them is decompressed once.
///
/// @param schunk The super-chunk; all its chunks have one size.
/// @param ncoords How many items.
/// @param coords The items' numbers, in any order; they may repeat.
/// @param buffer Where the items go, in the order of their numbers.
/// @return 0; #BLOSC2_ERROR_INVALID_PARAM when there is no such item, chunks or blocks vary in size, or a pointer is NULL;
///   otherwise the codes of `blosc2_schunk_decompress_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_sparse_buffer(
    schunk: *mut blosc2_schunk,
    ncoords: i64,
    coords: *const i64,
    buffer: *mut c_void,
) -> c_int {
    guard("blosc2_schunk_get_sparse_buffer", || {
        // SAFETY: the caller gives a live super-chunk, ncoords numbers and room for as many items, or NULL.
        let done = unsafe {
            Schunk::of(schunk).and_then(|schunk| {
                let coords = values("coords", coords, ncoords)?;
                schunk.reading(|engine| {
                    let len = ncoords.saturating_mul(engine.typesize().into());
                    engine.get_sparse(coords, bytes_mut("buffer", buffer, len)?)
                })
            })
        };
        done.map(|()| 0).map_err(as_param)
    })
}

/// Which chunks a slice is in.
///
/// @param schunk The super-chunk, with an n-dimensional array in it or not.
/// @param start The first item; with an array, the first index along each dimension.
/// @param stop The item after the last one; with an array, the index after the last one along each dimension.
/// @param chunks_idx Set to the chunks' indices, ascending, which the caller frees; to NULL when there are no chunks.
/// @return How many chunks; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for a slice that makes no sense, or when
///   chunks vary in size; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_slice_nchunks(
    schunk: *mut blosc2_schunk,
    start: *mut i64,
    stop: *mut i64,
    chunks_idx: *mut *mut i64,
) -> i64 {
    guard("blosc2_get_slice_nchunks", || {
        // SAFETY: the caller gives a live super-chunk and a place for a pointer, or NULL.
        let (schunk, chunks_idx) = unsafe { (Schunk::of(schunk)?, Out::new("chunks_idx", chunks_idx)?) };
        // SAFETY: the caller gives coordinates of the array, or one number each, or NULL.
        let chunks = schunk.reading(|engine| unsafe { chunks_of(engine, start, stop) })?;
        chunks_idx.set(if chunks.is_empty() { null_mut() } else { malloc_values(&chunks)? });
        Ok(chunks.len() as i64)
    })
}

/// # Safety
/// `start` and `stop` are NULL or have as many numbers as the super-chunk's array has dimensions; one, when it holds none.
unsafe fn chunks_of(engine: &SuperChunk, start: *const i64, stop: *const i64) -> Result<Vec<i64>> {
    // SAFETY: the caller vouches for the numbers.
    let numbers = |ndim: usize| unsafe { Ok((at("start", start, ndim)?, at("stop", stop, ndim)?)) };
    let layout = match open::read_meta(engine) {
        Ok(meta) => meta.layout(engine.typesize())?,
        Err(e) if e.kind() == ErrorKind::MetalayerNotFound => {
            let (start, stop) = numbers(1)?;
            return Ok(engine.slice_chunks(start[0], stop[0])?.collect());
        }
        Err(e) => return Err(e),
    };
    let (start, stop) = numbers(layout.ndim())?;
    if layout.nitems() == 0 {
        return Ok(Vec::new());
    }
    geometry::chunks_touched(&layout, start, stop)
}

/// The slice of these items. The C library reports nothing finer when there is none.
fn slice(engine: &SuperChunk, start: i64, stop: i64) -> Result<Slice> {
    engine.slice(start, stop).map_err(|e| e.as_kind(ErrorKind::Failure))
}

/// # Safety
/// `ptr` is NULL or has `n` numbers.
unsafe fn at<'a>(name: &str, ptr: *const i64, n: usize) -> Result<&'a [i64]> {
    if ptr.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller vouches for it.
    unsafe { values(name, ptr, n as i64) }
}

/// NULL as a parameter that cannot be.
fn as_param(error: Error) -> Error {
    match error.kind() {
        ErrorKind::NullPointer => error.as_kind(ErrorKind::InvalidParam),
        _ => error,
    }
}
