//! Compressing and decompressing with a context.

use super::look::{self, Compressing};
use super::params::{cparams_of, nchunk_of, with_dparams};
use super::parts::Mask;
use crate::base::params::{CParams, NdShape};
use crate::base::{CBuf, Result};
use crate::capi::chunks::{chunk_bytes, decompress_plain, destination};
use crate::capi::guard::guard;
use crate::capi::pointers::{bytes, null, output};
use crate::capi::schunk::handle::Schunk;
use crate::capi::types::blosc2_context;
use crate::capi::types::private::blosc2_context_s;
use crate::chunk::{self, ChunkHeader, ChunkReader, ChunkSource, PlainChunk};
use crate::fail;
use libc::{c_int, c_void};
use std::ptr::{NonNull, null_mut};
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
            let dest = output("dest", dest, destsize)?;
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
            if let Some(done) = decompress_plain(plain(context, (src, srcsize)), dest, destsize)? {
                return Ok(done);
            }
            let mask = Mask::take(context);
            with_reader(context, (src, srcsize), (dest, destsize), |reader| {
                let dest = destination(dest, destsize, reader.header().nbytes())?;
                let nthreads = usize::try_from(reader.params().nthreads).unwrap_or(1);
                Ok(reader.decompress_masked(nthreads, mask.items(), dest)? as c_int)
            })
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
    // SAFETY: the caller vouches for the context; nobody holds a reference to it.
    let (params, call) = unsafe {
        let params = cparams_of(context)?;
        let (from, to) = ((src.as_ptr(), src.len()), (dest.as_mut_ptr(), dest.len()));
        let call = Compressing::begin(context, &params, from, to);
        (params, call)
    };
    let cbytes = chunk::compress(&params, src, dest)?;
    call.done(cbytes);
    Ok(cbytes as c_int)
}

/// Compresses to the front of new memory, for a super-chunk, whose array may have a shape.
///
/// # Safety
/// As [`compress`].
pub(crate) unsafe fn compress_uncut(
    context: NonNull<blosc2_context_s>,
    nd: Option<Arc<NdShape>>,
    src: &[u8],
) -> Result<CBuf> {
    // SAFETY: the caller vouches for the context; nobody holds a reference to it.
    let (params, call) = unsafe {
        let params = CParams { nd, ..cparams_of(context)? };
        let call = Compressing::begin(context, &params, (src.as_ptr(), src.len()), (null_mut(), 0));
        (params, call)
    };
    let (chunk, len) = chunk::compress_uncut(&params, src)?;
    call.done(len);
    Ok(chunk)
}

/// Opens the chunk at `src`, shows it in the context to those who may look, and runs `work` on it. The blocks of a lazy chunk
/// come from the context's super-chunk.
///
/// # Safety
/// `context` is alive, and its super-chunk, if any. Unless null, `src` points to `srcsize` bytes, or, with `i32::MAX`, to a
/// chunk.
pub(super) unsafe fn with_reader<R>(
    context: NonNull<blosc2_context_s>,
    (src, srcsize): (*const c_void, i32),
    (dest, destsize): (*mut c_void, i32),
    work: impl FnOnce(&ChunkReader<'_>) -> Result<R>,
) -> Result<R> {
    // SAFETY: the caller vouches for all of it.
    unsafe {
        let run = |reader: &ChunkReader<'_>| {
            let hooked = reader.params().postfilter.is_some();
            let (from, to) = ((src.cast(), srcsize), (dest.cast(), destsize));
            look::decompressing(context, hooked, from, reader.header(), to);
            work(reader)
        };
        with_dparams(context, |params| {
            let chunk = chunk_bytes("src", src, srcsize)?;
            let schunk = (*context.as_ptr()).schunk;
            let nchunk = nchunk_of(context);
            if !schunk.is_null() && is_lazy(chunk) {
                let engine = Schunk::of(schunk)?.read()?;
                return ChunkReader::with(engine.schunk.lazy_source(chunk)?, params, nchunk, run);
            }
            ChunkReader::with(ChunkSource::Bytes(chunk), params, nchunk, run)
        })
    }
}

/// The chunk at `src`, where it is plain and neither a postfilter nor a mask has a say: a small one is decompressed in less
/// time than [`with_reader`] takes. What is wrong with a chunk, that tells.
///
/// # Safety
/// As [`with_reader`].
#[inline(always)]
pub(super) unsafe fn plain<'a>(
    context: NonNull<blosc2_context_s>,
    (src, srcsize): (*const c_void, i32),
) -> Option<PlainChunk<'a>> {
    // SAFETY: the caller vouches for all of it.
    unsafe {
        let mirror = context.as_ptr();
        if (*mirror).postfilter.is_some() || !(*mirror).block_maskout.is_null() {
            return None;
        }
        let chunk = PlainChunk::of(chunk_bytes("src", src, srcsize).ok()?)?;
        look::decompressing_plain(context);
        Some(chunk)
    }
}

/// Whether the chunk's blocks are elsewhere. What is no chunk is not.
fn is_lazy(chunk: &[u8]) -> bool {
    ChunkHeader::parse(chunk).is_ok_and(|header| header.is_lazy() && header.special().is_none())
}
