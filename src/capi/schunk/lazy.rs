//! Chunks, and blocks of them, without reading all of a chunk.

use super::chunks::hand_over;
use super::handle::Schunk;
use crate::base::{Error, ErrorKind, Result};
use crate::capi::guard::guard;
use crate::capi::pointers::Out;
use crate::capi::types::blosc2_schunk;
use crate::fail;
use libc::c_int;

/// A chunk whose data stays on disk until it is decompressed: with a context of the super-chunk's (`schunk->dctx`), only
/// the blocks that are needed are read. A chunk in memory, or one whose items are all the same, comes whole.
///
/// @param schunk The super-chunk.
/// @param nchunk The chunk's index.
/// @param chunk Set to the chunk. A lazy chunk is good until the super-chunk changes.
/// @param needs_free Set to whether the caller frees the chunk. If not, it is where the super-chunk has it, and valid
///   until that changes.
/// @return Bytes at `chunk`, which of a lazy chunk are not those that its header tells; #BLOSC2_ERROR_NULL_POINTER;
///   #BLOSC2_ERROR_INVALID_PARAM when there is no such chunk; #BLOSC2_ERROR_FILE_READ and others when the file cannot be
///   read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_lazychunk(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    chunk: *mut *mut u8,
    needs_free: *mut bool,
) -> c_int {
    guard("blosc2_schunk_get_lazychunk", || {
        // SAFETY: the caller gives a live super-chunk and places for the results, or NULL.
        let (schunk, chunk, needs_free) =
            unsafe { (Schunk::of(schunk)?, Out::new("chunk", chunk)?, Out::new("needs_free", needs_free)?) };
        hand_over(schunk, nchunk, |engine| engine.lazy_chunk(nchunk), &chunk, &needs_free)
    })
}

/// Decompresses one block of a chunk whose blocks have lengths of their own, as `blosc2_vlcompress_ctx` makes them. No other
/// block is read.
///
/// @param schunk The super-chunk.
/// @param nchunk The chunk's index.
/// @param nblock The block, from 0.
/// @param dest Set to the block's data, which the caller frees.
/// @param destsize Set to its bytes.
/// @return Bytes of the block; #BLOSC2_ERROR_INVALID_PARAM when there is no such chunk or block, the chunk is not one of
///   these, or a pointer is NULL; #BLOSC2_ERROR_FILE_READ and others when the file cannot be read; and the codes of
///   `blosc2_decompress_ctx`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_vlblock(
    schunk: *mut blosc2_schunk,
    nchunk: i64,
    nblock: i32,
    dest: *mut *mut u8,
    destsize: *mut i32,
) -> c_int {
    guard("blosc2_schunk_get_vlblock", || {
        // SAFETY: the caller gives a live super-chunk and places for the results, or NULL.
        let (schunk, dest, destsize) = unsafe {
            let places =
                || Ok((Schunk::of(schunk)?, Out::new("dest", dest)?, Out::new("destsize", destsize)?));
            places().map_err(|e: Error| e.as_kind(ErrorKind::InvalidParam))?
        };
        let Ok(nblock) = usize::try_from(nblock) else {
            fail!(InvalidParam, "there is no block {nblock}");
        };
        let block = schunk.reading(|engine| -> Result<_> { engine.vl_block(nchunk, nblock) })?;
        let len = block.len() as i32;
        dest.set(block.into_raw());
        destsize.set(len);
        Ok(len)
    })
}
