//! Chunks whose blocks have lengths of their own.

use super::calls::{check_direction, with_reader};
use super::params::cparams_of;
use crate::base::{CBuf, Error, ErrorKind, Result};
use crate::capi::chunks::chunk_bytes;
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, bytes, null, output, values};
use crate::capi::types::blosc2_context;
use crate::chunk::{ChunkHeader, vlblocks};
use crate::fail;
use libc::{c_int, c_void};
use std::ptr::{NonNull, null_mut};

/// Compresses buffers into one chunk, each of them a block that can be decompressed for itself.
///
/// @param context A context from `blosc2_create_cctx`, used by one thread at a time. Its block size and split mode do not
///   matter.
/// @param srcs Where the blocks' data is.
/// @param srcsizes Bytes of each block; at least 1, and in all at most #BLOSC2_MAX_BUFFERSIZE.
/// @param nblocks How many blocks; at least 1.
/// @param dest Where the chunk goes; may not overlap the data.
/// @param destsize Bytes at `dest`, at least #BLOSC2_MAX_OVERHEAD. The chunk always fits in 32 bytes, 8 for each block,
///   and the data; with a dictionary, #BLOSC2_MAXDICTSIZE and 4 more.
/// @return Bytes of the chunk; 0 when it does not fit; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the
///   context is not for compressing, or a block is empty or not there; otherwise as `blosc2_compress_ctx`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlcompress_ctx(
    context: *mut blosc2_context,
    srcs: *const *const c_void,
    srcsizes: *const i32,
    nblocks: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    guard("blosc2_vlcompress_ctx", || {
        let context = NonNull::new(context).ok_or_else(|| null("context"))?;
        // SAFETY: the caller gives a context that no other thread uses, and buffers that do not overlap.
        unsafe {
            check_direction(context, true)?;
            let blocks = blocks(srcs, srcsizes, nblocks)?;
            let dest = output("dest", dest, destsize)?;
            let params = cparams_of(context)?;
            Ok(vlblocks::vl_compress(&params, &blocks, dest)? as c_int)
        }
    })
}

/// Decompresses all blocks of a chunk, each into memory of its own.
///
/// @param context A context from `blosc2_create_dctx`.
/// @param src The chunk, made by `blosc2_vlcompress_ctx`.
/// @param srcsize Bytes at `src`.
/// @param dests Set to the blocks' data, each of which the caller frees.
/// @param destsizes Set to the bytes of each block.
/// @param maxblocks Entries at `dests` and at `destsizes`.
/// @return How many blocks there are; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the context is not for
///   decompressing, there are more blocks than `maxblocks`, or the chunk is not one of these; otherwise as
///   `blosc2_decompress_ctx`. On an error, nothing has to be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vldecompress_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    dests: *mut *mut c_void,
    destsizes: *mut i32,
    maxblocks: i32,
) -> c_int {
    guard("blosc2_vldecompress_ctx", || {
        let context = NonNull::new(context).ok_or_else(|| null("context"))?;
        // SAFETY: the caller gives a live context, a chunk, and two arrays of maxblocks entries.
        unsafe {
            check_direction(context, false)?;
            if dests.is_null() || destsizes.is_null() || maxblocks <= 0 {
                fail!(InvalidParam, "there is no place for {maxblocks} blocks");
            }
            let blocks = with_reader(context, (src, srcsize), (null_mut(), 0), |reader| {
                check_vl(reader.header())?;
                if reader.nblocks() > maxblocks as usize {
                    fail!(InvalidParam, "{} blocks where there is room for {maxblocks}", reader.nblocks());
                }
                reader.vl_blocks(usize::try_from(reader.params().nthreads).unwrap_or(1))
            })?;
            let nblocks = blocks.len();
            for (n, block) in blocks.into_iter().enumerate() {
                destsizes.add(n).write(block.len() as i32);
                dests.add(n).write(block.into_raw().cast());
            }
            Ok(nblocks as c_int)
        }
    })
}

/// Decompresses one block of a chunk.
///
/// @param context A context from `blosc2_create_dctx`.
/// @param src The chunk, made by `blosc2_vlcompress_ctx`.
/// @param srcsize Bytes at `src`.
/// @param nblock The block, from 0.
/// @param dest Set to the block's data, which the caller frees.
/// @param destsize Set to its bytes.
/// @return Bytes of the block; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the context is not for
///   decompressing, or there is no such block; otherwise as `blosc2_decompress_ctx`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vldecompress_block_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    nblock: i32,
    dest: *mut *mut u8,
    destsize: *mut i32,
) -> c_int {
    guard("blosc2_vldecompress_block_ctx", || {
        let context = NonNull::new(context).ok_or_else(|| null("context"))?;
        // SAFETY: the caller gives a live context, a chunk, and places for a pointer and a number.
        unsafe {
            check_direction(context, false)?;
            let (dest, destsize) = (place("dest", dest)?, place("destsize", destsize)?);
            let Ok(nblock) = usize::try_from(nblock) else {
                fail!(InvalidParam, "there is no block {nblock}");
            };
            let block: CBuf = with_reader(context, (src, srcsize), (null_mut(), 0), |reader| {
                check_vl(reader.header())?;
                reader.vl_block(nblock)
            })?;
            let len = block.len() as i32;
            destsize.set(len);
            dest.set(block.into_raw());
            Ok(len)
        }
    })
}

/// How many blocks a chunk has that was made by `blosc2_vlcompress_ctx`.
///
/// @param src The chunk; its header is enough.
/// @param srcsize Bytes at `src`.
/// @param nblocks Set to how many blocks there are.
/// @return 0; #BLOSC2_ERROR_INVALID_PARAM when the chunk is not one of these, or a pointer is NULL;
///   #BLOSC2_ERROR_READ_BUFFER, #BLOSC2_ERROR_INVALID_HEADER and others when it is not a chunk.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlchunk_get_nblocks(
    src: *const c_void,
    srcsize: i32,
    nblocks: *mut i32,
) -> c_int {
    guard("blosc2_vlchunk_get_nblocks", || {
        // SAFETY: the caller gives the start of a chunk and a place for a number, or NULL.
        let (src, nblocks) = unsafe {
            if src.is_null() {
                fail!(InvalidParam, "src is NULL");
            }
            (chunk_bytes("src", src, srcsize)?, place("nblocks", nblocks)?)
        };
        let header = ChunkHeader::parse(src)?;
        check_vl(&header)?;
        nblocks.set(header.nblocks() as i32);
        Ok(0)
    })
}

/// The blocks at `srcs`.
///
/// # Safety
/// Unless null, `srcs` and `srcsizes` have `nblocks` entries, and each block has its bytes.
unsafe fn blocks<'a>(
    srcs: *const *const c_void,
    srcsizes: *const i32,
    nblocks: i32,
) -> Result<Vec<&'a [u8]>> {
    if srcs.is_null() || srcsizes.is_null() || nblocks <= 0 {
        fail!(InvalidParam, "{nblocks} VL blocks");
    }
    // SAFETY: the caller vouches for the arrays and for what they point to.
    unsafe {
        let (srcs, srcsizes) = (values("srcs", srcs, nblocks)?, values("srcsizes", srcsizes, nblocks)?);
        srcs.iter()
            .zip(srcsizes)
            .enumerate()
            .map(|(n, (&src, &size))| {
                if src.is_null() || size <= 0 {
                    fail!(InvalidParam, "VL block {n} has {size} bytes");
                }
                bytes("srcs", src, size)
            })
            .collect()
    }
}

fn check_vl(header: &ChunkHeader) -> Result<()> {
    if !header.is_vl() {
        fail!(InvalidParam, "a chunk without VL blocks");
    }
    Ok(())
}

/// The place at `ptr`; none is a parameter that cannot be.
///
/// # Safety
/// As [`Out::new`].
unsafe fn place<T>(name: &str, ptr: *mut T) -> Result<Out<T>> {
    // SAFETY: the caller vouches for it.
    unsafe { Out::new(name, ptr) }.map_err(|error: Error| error.as_kind(ErrorKind::InvalidParam))
}
