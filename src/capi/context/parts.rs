//! Some items or blocks of a chunk.

use super::calls::{plain, with_reader};
use crate::capi::chunks::{destination, items, plain_items};
use crate::capi::guard::guard;
use crate::capi::pointers::{malloc_bytes, null, values};
use crate::capi::types::blosc2_context;
use crate::fail;
use libc::{c_int, c_void};
use std::ptr::{NonNull, null_mut};

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
            let plain = plain(context, (src, srcsize));
            if let Some(done) = plain_items(plain, (start, nitems), dest, destsize)? {
                return Ok(done);
            }
            with_reader(context, (src, srcsize), (dest, destsize), |reader| {
                let range = items(reader.header(), start, nitems, destsize)?;
                Ok(reader.get_bytes(range.clone(), destination(dest, destsize, range.len())?)? as c_int)
            })
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
            with_reader(context, (src, srcsize), (dest, destsize), |reader| {
                let typesize = reader.header().typesize() as i32;
                if start < 0 || nbytes < 0 || start % typesize != 0 || nbytes % typesize != 0 {
                    fail!(
                        InvalidParam,
                        "{nbytes} bytes from {start} on are not whole items of {typesize} bytes"
                    );
                }
                let range = items(reader.header(), start / typesize, nbytes / typesize, destsize)?;
                Ok(reader.get_bytes(range.clone(), destination(dest, destsize, range.len())?)? as c_int)
            })
        }
    })
}

/// Leaves blocks out of the next decompression with a context: their bytes of the destination stay as they are.
///
/// @param ctx A context from `blosc2_create_dctx`, which until then no other thread uses.
/// @param maskout For each block whether it is left out; copied.
/// @param nblocks Entries at `maskout`. The next chunk that is decompressed must have as many blocks:
///   `blosc2_decompress_ctx` otherwise returns #BLOSC2_ERROR_DATA.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for a negative number;
///   #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_set_maskout(
    ctx: *mut blosc2_context,
    maskout: *mut bool,
    nblocks: c_int,
) -> c_int {
    guard("blosc2_set_maskout", || {
        let ctx = NonNull::new(ctx).ok_or_else(|| null("ctx"))?;
        NonNull::new(maskout).ok_or_else(|| null("maskout"))?;
        // SAFETY: the caller gives a context that nobody else uses, and an entry for each block.
        unsafe {
            // Looked at as bytes: nobody promised that they are 0 or 1.
            let mask = malloc_bytes(values::<u8>("maskout", maskout.cast(), nblocks)?)?;
            libc::free((*ctx.as_ptr()).block_maskout.cast());
            (*ctx.as_ptr()).block_maskout = mask.cast();
            (*ctx.as_ptr()).block_maskout_nitems = nblocks;
        }
        Ok(0)
    })
}

/// The mask of a context, which counts once.
pub(super) struct Mask(Option<Box<[bool]>>);

impl Mask {
    /// Takes the mask from the context.
    ///
    /// # Safety
    /// `context` is alive; when it has a mask, nobody else uses it.
    pub(super) unsafe fn take(context: NonNull<blosc2_context>) -> Self {
        let mirror = context.as_ptr();
        // SAFETY: the caller vouches for the context; a mask has as many bytes as the context says.
        unsafe {
            let mask = (*mirror).block_maskout.cast::<u8>();
            if mask.is_null() {
                return Mask(None);
            }
            let len = usize::try_from((*mirror).block_maskout_nitems).unwrap_or(0);
            let items = std::slice::from_raw_parts(mask, len).iter().map(|&byte| byte != 0).collect();
            libc::free(mask.cast());
            (*mirror).block_maskout = null_mut();
            (*mirror).block_maskout_nitems = 0;
            Mask(Some(items))
        }
    }

    /// For each block whether it is left out.
    pub(super) fn items(&self) -> Option<&[bool]> {
        self.0.as_deref()
    }
}
