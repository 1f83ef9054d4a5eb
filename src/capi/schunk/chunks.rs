//! The chunks of a super-chunk.

use super::handle::Schunk;
use crate::base::{CBuf, Result};
use crate::capi::chunks::chunk_bytes;
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, bytes, bytes_mut, null, values};
use crate::capi::types::blosc2_schunk;
use crate::chunk::Special;
use crate::fail;
use crate::frame::ChunkBytes;
use crate::schunk::SuperChunk;
use crate::schunk::rules::Position;
use libc::{c_int, c_void};
use std::mem::ManuallyDrop;

/// Compresses a buffer and adds it as the last chunk.
///
/// @param schunk The super-chunk.
/// @param src The data.
/// @param nbytes Bytes of data, at most #BLOSC2_MAX_BUFFERSIZE.
/// @return How many chunks there are now; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_CHUNK_APPEND when the super-chunk
///   does not take such a chunk; #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written; and the codes of
///   `blosc2_compress_ctx`. On error, the super-chunk is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_append_buffer(
    schunk: *mut blosc2_schunk,
    src: *const c_void,
    nbytes: i32,
) -> i64 {
    guard("blosc2_schunk_append_buffer", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, and nbytes bytes, or NULL.
        let (schunk, src) = unsafe { (Schunk::of(schunk)?, bytes("src", src, nbytes)?) };
        let chunk = schunk.compress_next(src)?;
        schunk.changing(|engine| engine.append_compressed(chunk))
    })
}

/// Adds a chunk as the last one.
///
/// @param schunk The super-chunk.
/// @param chunk The chunk, as `blosc2_compress_ctx` makes it.
/// @param copy Whether the chunk is copied. If not, it has to come from malloc(), and belongs to the super-chunk from
///   now on; on error it stays the caller's.
/// @return How many chunks there are now; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_CHUNK_APPEND when the super-chunk
///   does not take such a chunk; #BLOSC2_ERROR_INVALID_HEADER and others when it is none; #BLOSC2_ERROR_FILE_WRITE
///   and others when the file cannot be written. On error, the super-chunk is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_append_chunk(
    schunk: *mut blosc2_schunk,
    chunk: *mut u8,
    copy: bool,
) -> i64 {
    guard("blosc2_schunk_append_chunk", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, and a chunk, or NULL.
        unsafe { put(schunk, chunk, copy, Position::End) }
    })
}

/// Adds a chunk between others.
///
/// @param schunk The super-chunk.
/// @param nchunk The index that the chunk will have; those from there on move by one.
/// @param chunk The chunk, as `blosc2_compress_ctx` makes it.
/// @param copy Whether the chunk is copied. If not, it has to come from malloc(), and belongs to the super-chunk from
///   now on; on error it stays the caller's.
/// @return How many chunks there are now; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such
///   place; #BLOSC2_ERROR_CHUNK_INSERT when the super-chunk does not take such a chunk; otherwise as
///   `blosc2_schunk_append_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_insert_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut u8,
    copy: bool,
) -> i64 {
    guard("blosc2_schunk_insert_chunk", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, and a chunk, or NULL.
        unsafe { put(schunk, chunk, copy, Position::Before(nchunk)) }
    })
}

/// Puts a chunk in the place of another.
///
/// @param schunk The super-chunk.
/// @param nchunk The index of the chunk that goes.
/// @param chunk The chunk, as `blosc2_compress_ctx` makes it.
/// @param copy Whether the chunk is copied. If not, it has to come from malloc(), and belongs to the super-chunk from
///   now on; on error it stays the caller's.
/// @return How many chunks there are; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such
///   chunk; #BLOSC2_ERROR_CHUNK_UPDATE when the super-chunk does not take such a chunk; otherwise as
///   `blosc2_schunk_append_chunk`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_update_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut u8,
    copy: bool,
) -> i64 {
    guard("blosc2_schunk_update_chunk", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, and a chunk, or NULL.
        unsafe { put(schunk, chunk, copy, Position::At(nchunk)) }
    })
}

/// Takes a chunk out.
///
/// @param schunk The super-chunk.
/// @param nchunk The chunk's index; those after it move by one.
/// @return How many chunks there are now; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such
///   chunk; #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_delete_chunk(schunk: *mut blosc2_schunk, nchunk: i64) -> i64 {
    guard("blosc2_schunk_delete_chunk", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, or NULL.
        unsafe { Schunk::of(schunk) }?.changing(|engine| engine.delete_chunk(nchunk))
    })
}

/// Puts the chunks into another order.
///
/// @param schunk The super-chunk.
/// @param offsets_order As many indices as there are chunks: what was chunk `offsets_order[i]` becomes chunk `i`.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_DATA when not every chunk is named once;
///   #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_reorder_offsets(
    schunk: *mut blosc2_schunk,
    offsets_order: *mut i64,
) -> c_int {
    guard("blosc2_schunk_reorder_offsets", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, and an index per chunk, or NULL.
        unsafe {
            let schunk = Schunk::of(schunk)?;
            if offsets_order.is_null() {
                return Err(null("offsets_order"));
            }
            schunk.changing(|engine| {
                engine.reorder(values("offsets_order", offsets_order.cast_const(), engine.nchunks())?)
            })?;
        }
        Ok(0)
    })
}

/// Fills an empty super-chunk with items that are all the same and take next to no room.
///
/// @param schunk The super-chunk.
/// @param nitems How many items.
/// @param special_value What they are: #BLOSC2_SPECIAL_ZERO, #BLOSC2_SPECIAL_NAN or #BLOSC2_SPECIAL_UNINIT.
/// @param chunksize Bytes of data per chunk.
/// @return How many chunks there are now; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for sizes that make no
///   chunk; #BLOSC2_ERROR_FRAME_SPECIAL when the super-chunk is not empty; #BLOSC2_ERROR_SCHUNK_SPECIAL or
///   #BLOSC2_ERROR_FRAME_SPECIAL for another value or too many items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_fill_special(
    schunk: *mut blosc2_schunk,
    nitems: i64,
    special_value: c_int,
    chunksize: i32,
) -> i64 {
    guard("blosc2_schunk_fill_special", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, or NULL.
        let schunk = unsafe { Schunk::of(schunk) }?;
        let Some(special) = u8::try_from(special_value).ok().and_then(Special::from_code) else {
            fail!(SchunkSpecial, "there is no special value {special_value}");
        };
        schunk.changing(|engine| engine.fill_special(nitems, special, chunksize))
    })
}

/// Decompresses a chunk.
///
/// @param schunk The super-chunk.
/// @param nchunk The chunk's index.
/// @param dest Where the data goes.
/// @param nbytes Bytes at `dest`.
/// @return Bytes of data; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such chunk, or, where
///   there is no frame, when the data does not fit; #BLOSC2_ERROR_WRITE_BUFFER when it does not fit and there is a frame;
///   #BLOSC2_ERROR_FILE_READ and others when the file cannot be read; and the codes of `blosc2_decompress_ctx`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_decompress_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    dest: *mut c_void,
    nbytes: i32,
) -> c_int {
    guard("blosc2_schunk_decompress_chunk", || {
        // SAFETY: the caller gives a live super-chunk and nbytes bytes, or NULL.
        let (schunk, dest) = unsafe { (Schunk::of(schunk)?, bytes_mut("dest", dest, nbytes)?) };
        Ok(schunk.reading(|engine| engine.decompress_chunk(nchunk, dest))? as c_int)
    })
}

/// A chunk as it is, compressed.
///
/// @param schunk The super-chunk.
/// @param nchunk The chunk's index.
/// @param chunk Set to the chunk.
/// @param needs_free Set to whether the caller frees the chunk. If not, it is where the super-chunk has it, and valid
///   until that changes.
/// @return Bytes of the chunk; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such chunk;
///   #BLOSC2_ERROR_FILE_READ and others when the file cannot be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_chunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut *mut u8,
    needs_free: *mut bool,
) -> c_int {
    guard("blosc2_schunk_get_chunk", || {
        // SAFETY: the caller gives a live super-chunk and places for the results, or NULL.
        let (schunk, chunk, needs_free) =
            unsafe { (Schunk::of(schunk)?, Out::new("chunk", chunk)?, Out::new("needs_free", needs_free)?) };
        hand_over(schunk, nchunk, |engine| engine.chunk(nchunk), &chunk, &needs_free)
    })
}

/// Gives a chunk of the engine's to the caller.
pub(super) fn hand_over(
    schunk: &Schunk,
    nchunk: i64,
    get: impl FnOnce(&SuperChunk) -> Result<ChunkBytes<'_>>,
    chunk: &Out<*mut u8>,
    needs_free: &Out<bool>,
) -> Result<c_int> {
    let (ptr, len, owned) = schunk.reading(|engine| {
        Ok(match get(engine)? {
            ChunkBytes::Borrowed(bytes) => (bytes.as_ptr().cast_mut(), bytes.len(), false),
            ChunkBytes::Owned(bytes) => {
                let len = bytes.len();
                (bytes.into_raw(), len, true)
            }
        })
    })?;
    schunk.at_work_on(nchunk);
    chunk.set(ptr);
    needs_free.set(owned);
    Ok(len as c_int)
}

/// Gives a chunk of the caller's to the engine.
///
/// # Safety
/// `schunk` is NULL or alive, `chunk` NULL or a chunk; without `copy` it comes from malloc and is given away.
unsafe fn put(schunk: *mut blosc2_schunk, chunk: *mut u8, copy: bool, position: Position) -> Result<i64> {
    // SAFETY: the caller vouches for both.
    let (schunk, bytes) = unsafe { (Schunk::of(schunk)?, chunk_bytes("chunk", chunk.cast(), i32::MAX)?) };
    if copy {
        let mut ours = Some(CBuf::copy_of(bytes)?);
        return schunk.changing(|engine| engine.take_from(&mut ours, position));
    }
    // SAFETY: the caller gives the chunk away; should the engine not take it, or panic, nothing here frees it.
    let mut theirs = ManuallyDrop::new(Some(unsafe { CBuf::from_raw(chunk, bytes.len()) }));
    let nchunks = schunk.changing(|engine| engine.take_from(&mut theirs, position))?;
    // What the engine did not need to keep has been given away all the same.
    drop(ManuallyDrop::into_inner(theirs));
    Ok(nchunks)
}
