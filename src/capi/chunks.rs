//! Chunks and destinations as C passes them, and questions about chunks.

use super::guard::guard;
use super::library;
use super::pointers::{Out, bytes, bytes_mut, null, set_if_wanted};
use crate::base::Result;
use crate::base::consts::{MAX_BUFFERSIZE, MIN_HEADER_LEN};
use crate::base::params::DParams;
use crate::chunk::{ChunkHeader, ChunkReader, ChunkSource, PlainChunk, lazy};
use crate::fail;
use libc::{c_char, c_int, c_void};
use std::ops::Range;

/// The bytes of a chunk. A caller who does not know how many there are says `i32::MAX`; the chunk's header then says it.
///
/// # Safety
/// Unless null, `ptr` points to `len` bytes, or, with `i32::MAX`, to a chunk.
#[inline]
pub(crate) unsafe fn chunk_bytes<'a>(name: &str, ptr: *const c_void, len: i32) -> Result<&'a [u8]> {
    // SAFETY: the caller vouches for the pointer; a chunk has at least the bytes of its header, and those it says.
    unsafe {
        match len {
            i32::MAX if !ptr.is_null() => {
                let header = peek(ptr)?;
                let lazy = header.is_lazy() && header.special().is_none();
                let len = if lazy { lazy::len(&header) } else { header.cbytes() };
                bytes(name, ptr, len as i64)
            }
            // Too short to have a header, which the engine says better.
            len if len < 0 => bytes(name, ptr, 0),
            len => bytes(name, ptr, len),
        }
    }
}

/// Opens a chunk in memory.
pub(crate) fn open<'a>(chunk: &'a [u8], params: &'a DParams) -> Result<ChunkReader<'a>> {
    ChunkReader::new(ChunkSource::Bytes(chunk), params)
}

/// The `needed` bytes at `dest` that are written, of the `destsize` that there are.
///
/// # Safety
/// Unless null, `dest` points to `destsize` bytes that nobody else uses.
pub(crate) unsafe fn destination<'a>(
    dest: *mut c_void,
    destsize: i32,
    needed: usize,
) -> Result<&'a mut [u8]> {
    if needed > 0 && i64::from(destsize) < needed as i64 {
        fail!(WriteBuffer, "{needed} bytes do not fit in {destsize}");
    }
    // SAFETY: the caller vouches for the pointer.
    unsafe { bytes_mut("dest", dest, needed as i64) }
}

/// The bytes of a chunk that `nitems` items from `start` on are, when they are in it and fit in `destsize` bytes.
#[inline(always)]
pub(crate) fn items(
    header: &ChunkHeader,
    start: c_int,
    nitems: c_int,
    destsize: i32,
) -> Result<Range<usize>> {
    if nitems == 0 {
        return Ok(0..0);
    }
    let typesize = header.typesize() as i64;
    let Ok(len) = usize::try_from(i64::from(nitems) * typesize) else {
        fail!(InvalidParam, "{nitems} items");
    };
    if len as i64 > i64::from(destsize) {
        fail!(WriteBuffer, "{len} bytes do not fit in {destsize}");
    }
    let Ok(start) = usize::try_from(i64::from(start) * typesize) else {
        fail!(InvalidParam, "items from {start} on");
    };
    // Both are products of 31 and 8 bits.
    if start + len > header.nbytes() {
        fail!(InvalidParam, "bytes {start} to {} of a chunk of {}", start + len, header.nbytes());
    }
    Ok(start..start + len)
}

/// Decompresses a plain chunk; nothing, and anything at `dest`, where that cannot be.
///
/// # Safety
/// As [`destination`].
#[inline(always)]
pub(crate) unsafe fn decompress_plain(
    chunk: Option<PlainChunk<'_>>,
    dest: *mut c_void,
    destsize: i32,
) -> Result<Option<c_int>> {
    let Some(chunk) = chunk else { return Ok(None) };
    let nbytes = chunk.header().nbytes();
    // SAFETY: the caller vouches for the pointer.
    let dest = unsafe { destination(dest, destsize, nbytes) }?;
    Ok(chunk.decompress(dest).map(|()| nbytes as c_int))
}

/// Decompresses items of a plain chunk, so many from `start` on; nothing, and anything at `dest`, where that cannot be.
///
/// # Safety
/// As [`destination`].
#[inline(always)]
pub(crate) unsafe fn plain_items(
    chunk: Option<PlainChunk<'_>>,
    (start, nitems): (c_int, c_int),
    dest: *mut c_void,
    destsize: i32,
) -> Result<Option<c_int>> {
    let Some(chunk) = chunk else { return Ok(None) };
    let range = items(chunk.header(), start, nitems, destsize)?;
    let len = range.len();
    // SAFETY: the caller vouches for the pointer.
    let dest = unsafe { destination(dest, destsize, len) }?;
    Ok(chunk.get(range, dest).map(|()| len as c_int))
}

/// What the first bytes of a chunk say.
///
/// # Safety
/// Unless null, `cbuffer` points to `MIN_HEADER_LEN` bytes.
unsafe fn peek(cbuffer: *const c_void) -> Result<ChunkHeader> {
    if cbuffer.is_null() {
        return Err(null("cbuffer"));
    }
    // SAFETY: the caller vouches for the pointer; bytes need no alignment.
    ChunkHeader::peek(unsafe { &*cbuffer.cast::<[u8; MIN_HEADER_LEN]>() })
}

/// The sizes in a chunk's header.
///
/// @param cbuffer The chunk; the first `BLOSC_MIN_HEADER_LENGTH` bytes are enough.
/// @param nbytes Set to the bytes of data; 0 on error. May be NULL.
/// @param cbytes Set to the bytes of the chunk; 0 on error. May be NULL.
/// @param blocksize Set to the bytes per block; 0 on error. May be NULL.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER when `cbuffer` is; #BLOSC2_ERROR_INVALID_HEADER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_cbuffer_sizes(
    cbuffer: *const c_void,
    nbytes: *mut i32,
    cbytes: *mut i32,
    blocksize: *mut i32,
) -> c_int {
    guard("blosc2_cbuffer_sizes", || {
        // SAFETY: the caller gives the start of a chunk and places for numbers, or NULL.
        unsafe {
            let header = peek(cbuffer);
            let sizes = header.as_ref().map_or((0, 0, 0), |h| (h.nbytes(), h.cbytes(), h.blocksize()));
            set_if_wanted(nbytes, sizes.0 as i32);
            set_if_wanted(cbytes, sizes.1 as i32);
            set_if_wanted(blocksize, sizes.2 as i32);
            header.map(|_| 0)
        }
    })
}

/// The sizes in a chunk's header, for programs written for Blosc1.
///
/// @param cbuffer The chunk; the first `BLOSC_MIN_HEADER_LENGTH` bytes are enough.
/// @param nbytes Set to the bytes of data; 0 on error. May be NULL.
/// @param cbytes Set to the bytes of the chunk; 0 on error. May be NULL.
/// @param blocksize Set to the bytes per block; 0 on error. May be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_cbuffer_sizes(
    cbuffer: *const c_void,
    nbytes: *mut usize,
    cbytes: *mut usize,
    blocksize: *mut usize,
) {
    guard("blosc1_cbuffer_sizes", || {
        // SAFETY: the caller gives the start of a chunk and places for numbers, or NULL.
        unsafe {
            let header = peek(cbuffer);
            let sizes = header.as_ref().map_or((0, 0, 0), |h| (h.nbytes(), h.cbytes(), h.blocksize()));
            set_if_wanted(nbytes, sizes.0);
            set_if_wanted(cbytes, sizes.1);
            set_if_wanted(blocksize, sizes.2);
            header.map(|_| ())
        }
    });
}

/// Whether a buffer can be a chunk: its header makes sense and says the buffer's length. Decompressing it may still fail,
/// but will not read or write where it must not.
///
/// @param cbuffer The buffer.
/// @param cbytes Bytes of the buffer.
/// @param nbytes Set to the bytes of data; 0 on error.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_WRITE_BUFFER when the buffer is shorter than a header;
///   #BLOSC2_ERROR_INVALID_HEADER; #BLOSC2_ERROR_MEMORY_ALLOC when there is more data than a chunk can have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_cbuffer_validate(
    cbuffer: *const c_void,
    cbytes: usize,
    nbytes: *mut usize,
) -> c_int {
    guard("blosc1_cbuffer_validate", || {
        // SAFETY: the caller gives cbytes bytes and a place for a number, or NULL.
        let nbytes = unsafe { Out::new("nbytes", nbytes) }?;
        nbytes.set(0);
        if cbytes < MIN_HEADER_LEN {
            fail!(WriteBuffer, "{cbytes} bytes are less than a header");
        }
        // SAFETY: there are at least as many bytes as a header has.
        let header = unsafe { peek(cbuffer) }?;
        if header.cbytes() != cbytes {
            fail!(InvalidHeader, "a chunk of {} bytes in {cbytes}", header.cbytes());
        }
        if header.nbytes() > MAX_BUFFERSIZE as usize {
            fail!(MemoryAlloc, "{} bytes of data are more than a chunk can have", header.nbytes());
        }
        nbytes.set(header.nbytes());
        Ok(0)
    })
}

/// The typesize and the flags of a chunk.
///
/// @param cbuffer The chunk; the first `BLOSC_MIN_HEADER_LENGTH` bytes are enough.
/// @param typesize Set to the bytes per item; 0 on error. May be NULL.
/// @param flags Set to the flags: `BLOSC_DOSHUFFLE`, `BLOSC_MEMCPYED`, `BLOSC_DOBITSHUFFLE`, #BLOSC_DODELTA (the first
///   and the third together say that the header is one of Blosc2, and the filters are further back); 0 on error. May
///   be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_cbuffer_metainfo(
    cbuffer: *const c_void,
    typesize: *mut usize,
    flags: *mut c_int,
) {
    guard("blosc1_cbuffer_metainfo", || {
        // SAFETY: the caller gives the start of a chunk and places for numbers, or NULL.
        unsafe {
            let header = peek(cbuffer);
            set_if_wanted(typesize, header.as_ref().map_or(0, ChunkHeader::typesize));
            set_if_wanted(flags, header.as_ref().map_or(0, |h| h.flags().into()));
            header.map(|_| ())
        }
    });
}

/// The format versions of a chunk.
///
/// @param cbuffer The chunk; the first `BLOSC_MIN_HEADER_LENGTH` bytes are enough.
/// @param version Set to the version of the chunk format (#blosc2_chunk_format); 0 on error. May be NULL.
/// @param versionlz Set to the version of the codec's format; 0 on error. May be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_cbuffer_versions(
    cbuffer: *const c_void,
    version: *mut c_int,
    versionlz: *mut c_int,
) {
    guard("blosc2_cbuffer_versions", || {
        // SAFETY: the caller gives the start of a chunk and places for numbers, or NULL.
        unsafe {
            let header = peek(cbuffer);
            set_if_wanted(version, header.as_ref().map_or(0, |h| h.version().into()));
            set_if_wanted(versionlz, header.as_ref().map_or(0, |h| h.versionlz().into()));
            header.map(|_| ())
        }
    });
}

/// The library of the codec that a chunk was compressed with.
///
/// @param cbuffer The chunk; the first `BLOSC_MIN_HEADER_LENGTH` bytes are enough.
/// @return Its name, "Zstd" for example, neither to be changed nor freed; NULL on error and for codecs that are not
///   part of the format.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_cbuffer_complib(cbuffer: *const c_void) -> *const c_char {
    guard("blosc2_cbuffer_complib", || {
        // SAFETY: the caller gives the start of a chunk, or NULL.
        let header = unsafe { peek(cbuffer) }?;
        Ok(library::format_name(header.codec_format()).map_or(std::ptr::null(), |name| name.as_ptr()))
    })
}
