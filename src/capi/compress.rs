//! Compressing and decompressing without a context, by the settings of the process and its environment.

use super::chunks::{chunk_bytes, decompress_plain, destination, items, open, plain_items};
use super::context::lifecycle::override_filters;
use super::context::params::{slots, split};
use super::environment::{Asker, Overrides, strict_threads};
use super::guard::guard;
use super::pointers::{bytes, bytes_mut, output};
use super::settings::{Settings, change, settings};
use crate::base::consts::{MAX_BUFFERSIZE, MAX_OVERHEAD};
use crate::base::params::{CParams, DParams};
use crate::base::{Result, env};
use crate::chunk::{self, PlainChunk};
use crate::fail;
use libc::{c_int, c_void};

/// Compresses a buffer into a chunk, by the settings of the process.
///
/// The environment takes the place of parameters and settings, and the settings keep it: BLOSC_CLEVEL, BLOSC_SHUFFLE
/// (NOSHUFFLE, SHUFFLE or BITSHUFFLE), BLOSC_DELTA (0 or 1), BLOSC_TYPESIZE, BLOSC_COMPRESSOR, BLOSC_BLOCKSIZE,
/// BLOSC_NTHREADS and BLOSC_SPLITMODE (ALWAYS, NEVER, AUTO or FORWARD_COMPAT). With BLOSC_BLOSC1_COMPAT, the chunk is
/// one that Blosc1 reads, unless BLOSC_NOLOCK is set, which does nothing else: threads that compress do not wait for
/// each other in any case.
///
/// @param clevel The level, from 0 (store) to 9 (smallest).
/// @param doshuffle `BLOSC_NOFILTER`, `BLOSC_SHUFFLE` or `BLOSC_BITSHUFFLE`.
/// @param typesize Bytes per item.
/// @param src The data.
/// @param srcsize Bytes of data, at most #BLOSC2_MAX_BUFFERSIZE.
/// @param dest Where the chunk goes; may not overlap `src`.
/// @param destsize Bytes at `dest`, at least #BLOSC2_MAX_OVERHEAD. With `srcsize + BLOSC2_MAX_OVERHEAD` the chunk
///   always fits.
/// @return Bytes of the chunk; 0 when it does not fit, and what is at `dest` then means nothing;
///   #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for a typesize that cannot be;
///   #BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED for a size that cannot be; #BLOSC2_ERROR_CODEC_PARAM for a level that cannot be;
///   #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_compress(
    clevel: c_int,
    doshuffle: c_int,
    typesize: i32,
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    guard("blosc2_compress", || {
        // SAFETY: the caller gives buffers that do not overlap.
        let (src, dest) = unsafe { (bytes("src", src, srcsize)?, output("dest", dest, destsize)?) };
        compress(clevel, doshuffle, typesize, src, dest)
    })
}

/// Compresses a buffer into a chunk, for programs written for Blosc1. As `blosc2_compress`, environment included.
///
/// @param clevel The level, from 0 (store) to 9 (smallest).
/// @param doshuffle `BLOSC_NOFILTER`, `BLOSC_SHUFFLE` or `BLOSC_BITSHUFFLE`.
/// @param typesize Bytes per item.
/// @param nbytes Bytes of data, at most #BLOSC2_MAX_BUFFERSIZE.
/// @param src The data.
/// @param dest Where the chunk goes; may not overlap `src`.
/// @param destsize Bytes at `dest`.
/// @return As `blosc2_compress`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_compress(
    clevel: c_int,
    doshuffle: c_int,
    typesize: usize,
    nbytes: usize,
    src: *const c_void,
    dest: *mut c_void,
    destsize: usize,
) -> c_int {
    guard("blosc1_compress", || {
        if nbytes > MAX_BUFFERSIZE as usize {
            fail!(MaxBufsizeExceeded, "{nbytes} bytes are more than a chunk holds");
        }
        // No chunk is longer than this, and a caller's destsize may be larger than anything there is.
        let destsize = destsize.min(nbytes + MAX_OVERHEAD) as i64;
        // SAFETY: the caller gives buffers that do not overlap.
        let (src, dest) = unsafe { (bytes("src", src, nbytes as i64)?, bytes_mut("dest", dest, destsize)?) };
        compress(clevel, doshuffle, i32::try_from(typesize).unwrap_or(0), src, dest)
    })
}

/// Decompresses a chunk. BLOSC_NTHREADS in the environment sets the number of threads for the process.
///
/// @param src The chunk.
/// @param srcsize Bytes at `src`; `INT32_MAX` when the chunk's header is to be believed.
/// @param dest Where the data goes; may not overlap `src`.
/// @param destsize Bytes at `dest`.
/// @return Bytes of data; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_WRITE_BUFFER when they do not fit;
///   #BLOSC2_ERROR_READ_BUFFER, #BLOSC2_ERROR_INVALID_HEADER, #BLOSC2_ERROR_VERSION_SUPPORT,
///   #BLOSC2_ERROR_CODEC_SUPPORT, #BLOSC2_ERROR_DATA and others when the chunk is damaged or not one that this library
///   knows; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_decompress(
    src: *const c_void,
    srcsize: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    // SAFETY: the caller vouches for the buffers.
    guard("blosc2_decompress", || unsafe { decompress(src, srcsize, dest, destsize) })
}

/// Decompresses a chunk whose header is believed, for programs written for Blosc1. As `blosc2_decompress`, environment
/// included.
///
/// @param src The chunk.
/// @param dest Where the data goes; may not overlap `src`.
/// @param destsize Bytes at `dest`.
/// @return As `blosc2_decompress`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_decompress(src: *const c_void, dest: *mut c_void, destsize: usize) -> c_int {
    let destsize = i32::try_from(destsize).unwrap_or(i32::MAX);
    // SAFETY: the caller vouches for the buffers.
    guard("blosc1_decompress", || unsafe { decompress(src, i32::MAX, dest, destsize) })
}

/// Decompresses some items of a chunk, and no more of its blocks than those that hold them.
///
/// @param src The chunk.
/// @param srcsize Bytes at `src`; `INT32_MAX` when the chunk's header is to be believed.
/// @param start The first item, from 0. Items have the typesize that the chunk says.
/// @param nitems How many items.
/// @param dest Where the items go.
/// @param destsize Bytes at `dest`.
/// @return Bytes written; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the chunk does not have these
///   items; #BLOSC2_ERROR_WRITE_BUFFER when they do not fit; otherwise as `blosc2_decompress`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_getitem(
    src: *const c_void,
    srcsize: i32,
    start: c_int,
    nitems: c_int,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    // SAFETY: the caller vouches for the buffers.
    guard("blosc2_getitem", || unsafe { getitem(src, srcsize, start, nitems, dest, destsize) })
}

/// Decompresses some items of a chunk whose header is believed, for programs written for Blosc1.
///
/// @param src The chunk.
/// @param start The first item, from 0. Items have the typesize that the chunk says.
/// @param nitems How many items.
/// @param dest Where the items go; has to have room for them.
/// @return As `blosc2_getitem`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_getitem(
    src: *const c_void,
    start: c_int,
    nitems: c_int,
    dest: *mut c_void,
) -> c_int {
    // SAFETY: the caller vouches for the buffers.
    guard("blosc1_getitem", || unsafe { getitem(src, i32::MAX, start, nitems, dest, i32::MAX) })
}

fn compress(clevel: c_int, doshuffle: c_int, typesize: i32, src: &[u8], dest: &mut [u8]) -> Result<c_int> {
    let asked = Overrides::read(Asker::Plain);
    let settings = settings_with(&asked);
    let typesize = asked.typesize.unwrap_or(typesize);
    let shuffle = asked.shuffle.or(u8::try_from(doshuffle).ok().filter(|id| *id <= 2));
    let mut filters = [0; 6];
    override_filters(&mut filters, typesize, shuffle, Some(settings.delta));
    let params = CParams {
        // Without a codec, one that nobody has.
        codec: settings.codec.unwrap_or(u8::MAX),
        clevel: u8::try_from(asked.clevel.unwrap_or(clevel)).unwrap_or(u8::MAX),
        typesize,
        nthreads: settings.nthreads,
        blocksize: settings.blocksize,
        split: split(settings.splitmode),
        filters: slots(&filters, &[0; 6]),
        blosc1_header: env::is_set("BLOSC_BLOSC1_COMPAT") && !env::is_set("BLOSC_NOLOCK"),
        ..CParams::default()
    };
    Ok(chunk::compress(&params, src, dest)? as c_int)
}

/// The settings, after those that the environment asks for have been set.
fn settings_with(asked: &Overrides) -> Settings {
    change(|settings| {
        if let Some(delta) = asked.delta {
            settings.delta = delta;
        }
        if let Some(name) = &asked.compressor {
            // That of a registered codec is passed over.
            let _ = settings.set_codec(name);
        }
        if let Some(blocksize) = asked.blocksize {
            settings.blocksize = blocksize;
        }
        if let Some(nthreads) = asked.nthreads {
            // What is left of a number that was cut may be none.
            let _ = settings.set_nthreads(nthreads);
        }
        if let Some(split) = asked.split {
            settings.splitmode = split.code();
        }
        *settings
    })
}

/// # Safety
/// As `blosc2_decompress` says of its buffers.
unsafe fn decompress(src: *const c_void, srcsize: i32, dest: *mut c_void, destsize: i32) -> Result<c_int> {
    if let Some(nthreads) = strict_threads()? {
        change(|settings| settings.set_nthreads(nthreads))?;
    }
    let nthreads = settings().nthreads;
    // SAFETY: the caller vouches for the buffers.
    let chunk = unsafe { chunk_bytes("src", src, srcsize) }?;
    // SAFETY: as above.
    if let Some(done) = unsafe { decompress_plain(PlainChunk::of(chunk), dest, destsize) }? {
        return Ok(done);
    }
    let params = DParams { nthreads, ..DParams::default() };
    let reader = open(chunk, &params)?;
    // SAFETY: as above.
    let dest = unsafe { destination(dest, destsize, reader.header().nbytes()) }?;
    Ok(reader.decompress(usize::try_from(nthreads).unwrap_or(1), dest)? as c_int)
}

/// # Safety
/// As `blosc2_getitem` says of its buffers.
unsafe fn getitem(
    src: *const c_void,
    srcsize: i32,
    start: c_int,
    nitems: c_int,
    dest: *mut c_void,
    destsize: i32,
) -> Result<c_int> {
    // SAFETY: the caller vouches for the buffers.
    let chunk = unsafe { chunk_bytes("src", src, srcsize) }?;
    // SAFETY: as above.
    if let Some(done) = unsafe { plain_items(PlainChunk::of(chunk), (start, nitems), dest, destsize) }? {
        return Ok(done);
    }
    let params = DParams::default();
    let reader = open(chunk, &params)?;
    let range = items(reader.header(), start, nitems, destsize)?;
    // SAFETY: as above.
    let dest = unsafe { destination(dest, destsize, range.len()) }?;
    Ok(reader.get_bytes(range, dest)? as c_int)
}
