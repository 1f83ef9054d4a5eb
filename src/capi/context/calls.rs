//! Compressing and decompressing with a context.

use super::params::{cparams_of, dparams_of, filter_flags};
use crate::base::params::{CParams, NdShape};
use crate::base::{CBuf, Result};
use crate::capi::chunks::{chunk_bytes, destination, items, open};
use crate::capi::guard::guard;
use crate::capi::pointers::{bytes, bytes_mut, null};
use crate::capi::types::blosc2_context;
use crate::capi::types::private::blosc2_context_s;
use crate::chunk::{self, plan};
use crate::fail;
use libc::{c_int, c_void};
use std::ptr::NonNull;
use std::sync::Arc;

/// Compresses a buffer into a chunk.
///
/// @param context A context from `blosc2_create_cctx`, used by one thread at a time.
/// @param src The data.
/// @param srcsize Bytes of data, at most #BLOSC2_MAX_BUFFERSIZE.
/// @param dest Where the chunk goes; may not overlap `src`.
/// @param destsize Bytes at `dest`, at least #BLOSC2_MAX_OVERHEAD. With `srcsize + BLOSC2_MAX_OVERHEAD` the chunk
///   always fits.
/// @return Bytes of the chunk; 0 when it does not fit, and what is at `dest` then means nothing;
///   #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the context is not for compressing, or the typesize or
///   block size cannot be; #BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED for a size that cannot be; #BLOSC2_ERROR_CODEC_PARAM for a
///   level above 9 or a dictionary with a codec that has none; #BLOSC2_ERROR_CODEC_SUPPORT for an unknown codec;
///   #BLOSC2_ERROR_FILTER_PIPELINE when a filter or the prefilter failed; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_compress_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    guard("blosc2_compress_ctx", || {
        let context = NonNull::new(context).ok_or_else(|| null("context"))?;
        // SAFETY: the caller gives a context that no other thread uses, and buffers that do not overlap.
        unsafe {
            check_direction(context, true)?;
            let src = bytes("src", src, srcsize)?;
            let dest = bytes_mut("dest", dest, destsize)?;
            compress(context, src, dest)
        }
    })
}

/// Decompresses a chunk.
///
/// @param context A context from `blosc2_create_dctx`. Several threads may use it at the same time unless it has a
///   postfilter.
/// @param src The chunk.
/// @param srcsize Bytes at `src`.
/// @param dest Where the data goes; may not overlap `src`.
/// @param destsize Bytes at `dest`.
/// @return Bytes of data; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the context is not for
///   decompressing; #BLOSC2_ERROR_WRITE_BUFFER when the data does not fit; #BLOSC2_ERROR_READ_BUFFER,
///   #BLOSC2_ERROR_INVALID_HEADER, #BLOSC2_ERROR_VERSION_SUPPORT, #BLOSC2_ERROR_CODEC_SUPPORT,
///   #BLOSC2_ERROR_DATA and others when the chunk is damaged or not one that this library knows;
///   #BLOSC2_ERROR_POSTFILTER when the postfilter failed; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_decompress_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    guard("blosc2_decompress_ctx", || {
        let context = NonNull::new(context).ok_or_else(|| null("context"))?;
        // SAFETY: the caller gives a live context, a chunk, and a destination that does not overlap it.
        unsafe {
            check_direction(context, false)?;
            let params = dparams_of(context)?;
            let reader = open(chunk_bytes("src", src, srcsize)?, &params)?;
            let dest = destination(dest, destsize, reader.header().nbytes())?;
            let nthreads = usize::try_from(params.nthreads).unwrap_or(1);
            Ok(reader.decompress(nthreads, dest)? as c_int)
        }
    })
}

/// Decompresses some items of a chunk, and no more of its blocks than those that hold them.
///
/// An item has the typesize that the chunk says, which is 1 when the data was compressed with a typesize above
/// `BLOSC_MAX_TYPESIZE`: then, items are bytes. `blosc2_getitem_bytes_ctx` counts in bytes always.
///
/// @param context A context from `blosc2_create_dctx`.
/// @param src The chunk.
/// @param srcsize Bytes at `src`.
/// @param start The first item, from 0.
/// @param nitems How many items.
/// @param dest Where the items go.
/// @param destsize Bytes at `dest`.
/// @return Bytes written; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the chunk does not have these
///   items; #BLOSC2_ERROR_WRITE_BUFFER when they do not fit; otherwise as `blosc2_decompress_ctx`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_getitem_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    start: c_int,
    nitems: c_int,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    guard("blosc2_getitem_ctx", || {
        let context = NonNull::new(context).ok_or_else(|| null("context"))?;
        // SAFETY: the caller gives a live context, a chunk, and a destination that does not overlap it.
        unsafe {
            let params = dparams_of(context)?;
            let reader = open(chunk_bytes("src", src, srcsize)?, &params)?;
            let range = items(reader.header(), start, nitems, destsize)?;
            Ok(reader.get_bytes(range.clone(), destination(dest, destsize, range.len())?)? as c_int)
        }
    })
}

/// Decompresses some bytes of a chunk, and no more of its blocks than those that hold them.
///
/// @param context A context from `blosc2_create_dctx`.
/// @param src The chunk.
/// @param srcsize Bytes at `src`.
/// @param start The first byte of the data, from 0; a multiple of the typesize that the chunk says.
/// @param nbytes How many bytes; a multiple of that typesize.
/// @param dest Where the bytes go.
/// @param destsize Bytes at `dest`.
/// @return Bytes written; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the chunk does not have these
///   bytes or they are no multiples; #BLOSC2_ERROR_WRITE_BUFFER when they do not fit; otherwise as
///   `blosc2_decompress_ctx`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_getitem_bytes_ctx(
    context: *mut blosc2_context,
    src: *const c_void,
    srcsize: i32,
    start: i32,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    guard("blosc2_getitem_bytes_ctx", || {
        let context = NonNull::new(context).ok_or_else(|| null("context"))?;
        // SAFETY: the caller gives a live context, a chunk, and a destination that does not overlap it.
        unsafe {
            let params = dparams_of(context)?;
            let reader = open(chunk_bytes("src", src, srcsize)?, &params)?;
            let typesize = reader.header().typesize() as i32;
            if start < 0 || nbytes < 0 || start % typesize != 0 || nbytes % typesize != 0 {
                fail!(InvalidParam, "{nbytes} bytes from {start} on are not whole items of {typesize} bytes");
            }
            let range = items(reader.header(), start / typesize, nbytes / typesize, destsize)?;
            Ok(reader.get_bytes(range.clone(), destination(dest, destsize, range.len())?)? as c_int)
        }
    })
}

/// # Safety
/// `context` is alive.
pub(super) unsafe fn check_direction(context: NonNull<blosc2_context_s>, compress: bool) -> Result<()> {
    // SAFETY: the caller vouches for the context.
    let does = unsafe { (*context.as_ptr()).do_compress };
    if (does == 1) != compress || (does == 0) == compress {
        fail!(
            InvalidParam,
            "the context is not meant for {}",
            if compress { "compression" } else { "decompression" }
        );
    }
    Ok(())
}

/// # Safety
/// `context` is a compression context that no other thread uses, with a prefilter, if any, that may be called.
pub(crate) unsafe fn compress(
    context: NonNull<blosc2_context_s>,
    src: &[u8],
    dest: &mut [u8],
) -> Result<c_int> {
    // SAFETY: the caller vouches for the context.
    let params = unsafe { cparams_of(context) }?;
    let asked = params.blocksize;
    // SAFETY: the caller vouches for the context; nobody holds a reference to it.
    unsafe { begin(context.as_ptr(), &params, src, dest) };
    let done = chunk::compress(&params, src, dest);
    // SAFETY: as above. What the next call goes by is what was asked for, not what came out of it.
    unsafe {
        (*context.as_ptr()).blocksize = asked;
        (*context.as_ptr()).output_bytes = *done.as_ref().unwrap_or(&0) as i32;
    }
    Ok(done? as c_int)
}

/// Compresses into memory of the chunk's own, for a super-chunk, whose array may have a shape.
///
/// # Safety
/// As [`compress`].
pub(crate) unsafe fn compress_to_cbuf(
    context: NonNull<blosc2_context_s>,
    nd: Option<Arc<NdShape>>,
    src: &[u8],
) -> Result<CBuf> {
    // SAFETY: the caller vouches for the context.
    let params = CParams { nd, ..unsafe { cparams_of(context) }? };
    if params.prefilter.is_none() {
        return chunk::compress_to_cbuf(&params, src);
    }
    let asked = params.blocksize;
    // SAFETY: the caller vouches for the context; nobody holds a reference to it.
    unsafe { begin(context.as_ptr(), &params, src, &mut []) };
    let done = chunk::compress_to_cbuf(&params, src);
    // SAFETY: as above.
    unsafe { (*context.as_ptr()).blocksize = asked };
    done
}

/// Fills in what a prefilter may look up while the call runs.
///
/// # Safety
/// `mirror` is a compression context that nobody else uses.
unsafe fn begin(mirror: *mut blosc2_context_s, params: &CParams, src: &[u8], dest: &mut [u8]) {
    let blocksize = plan::blocksize(params, src.len()).unwrap_or(1).max(1);
    // SAFETY: the caller vouches for the context. Sizes of chunks have 31 bits.
    unsafe {
        (*mirror).src = src.as_ptr();
        (*mirror).srcsize = src.len() as i32;
        (*mirror).sourcesize = src.len() as i32;
        (*mirror).dest = dest.as_mut_ptr();
        (*mirror).destsize = dest.len() as i32;
        (*mirror).output_bytes = 0;
        (*mirror).blocksize = blocksize as i32;
        (*mirror).nblocks = src.len().div_ceil(blocksize) as i32;
        (*mirror).leftover = (src.len() % blocksize) as i32;
        (*mirror).filter_flags = filter_flags(&(*mirror).filters);
        (*mirror).nthreads = (*mirror).new_nthreads;
    }
}
