//! Chunks that say only what all their items are.

use super::context::lifecycle::{free, new_cctx};
use super::context::params::cparams_of;
use super::environment::{Asker, Overrides};
use super::guard::guard;
use super::pointers::{bytes, bytes_mut};
use super::types::blosc2_cparams;
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::{ErrorKind, Result};
use crate::chunk::{Special, write_special};
use crate::fail;
use libc::{c_int, c_void};

/// Makes a chunk whose data is all zero.
///
/// @param cparams How to compress: the typesize and what decides the block size matter. The environment takes the place
///   of parameters as in `blosc2_create_cctx`.
/// @param nbytes Bytes of data, a multiple of the typesize.
/// @param dest Where the chunk goes.
/// @param destsize Bytes at `dest`, at least #BLOSC_EXTENDED_HEADER_LENGTH.
/// @return Bytes of the chunk; #BLOSC2_ERROR_DATA when `dest` is too small or `nbytes` no multiple;
///   #BLOSC2_ERROR_NULL_POINTER when `dest` is NULL or `cparams` make no context; #BLOSC2_ERROR_INVALID_PARAM for a size
///   that cannot be; otherwise as `blosc2_compress_ctx`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_chunk_zeros(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    guard("blosc2_chunk_zeros", || {
        // SAFETY: the caller gives destsize bytes.
        let dest = unsafe { bytes_mut("dest", dest, destsize) }?;
        write(&cparams, Special::Zeros, &[], nbytes, dest)
    })
}

/// Makes a chunk whose items are all NaN, of 4 or 8 bytes.
///
/// @param cparams How to compress: the typesize and what decides the block size matter.
/// @param nbytes Bytes of data, a multiple of the typesize.
/// @param dest Where the chunk goes.
/// @param destsize Bytes at `dest`, at least #BLOSC_EXTENDED_HEADER_LENGTH.
/// @return As `blosc2_chunk_zeros`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_chunk_nans(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    guard("blosc2_chunk_nans", || {
        // SAFETY: the caller gives destsize bytes.
        let dest = unsafe { bytes_mut("dest", dest, destsize) }?;
        write(&cparams, Special::Nans, &[], nbytes, dest)
    })
}

/// Makes a chunk whose items are all the same.
///
/// @param cparams How to compress: the typesize and what decides the block size matter.
/// @param nbytes Bytes of data, a multiple of the typesize.
/// @param dest Where the chunk goes.
/// @param destsize Bytes at `dest`, at least #BLOSC_EXTENDED_HEADER_LENGTH and the typesize.
/// @param repeatval The item, of as many bytes as `cparams.typesize` says.
/// @return As `blosc2_chunk_zeros`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_chunk_repeatval(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
    repeatval: *const c_void,
) -> c_int {
    guard("blosc2_chunk_repeatval", || {
        // SAFETY: the caller gives destsize bytes and an item.
        let (dest, item) =
            unsafe { (bytes_mut("dest", dest, destsize)?, bytes("repeatval", repeatval, cparams.typesize)?) };
        write(&cparams, Special::Value, item, nbytes, dest)
    })
}

/// Makes a chunk whose data was never set: decompressing it leaves the destination as it is.
///
/// @param cparams How to compress: the typesize and what decides the block size matter.
/// @param nbytes Bytes of data, a multiple of the typesize.
/// @param dest Where the chunk goes.
/// @param destsize Bytes at `dest`, at least #BLOSC_EXTENDED_HEADER_LENGTH.
/// @return As `blosc2_chunk_zeros`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_chunk_uninit(
    cparams: blosc2_cparams,
    nbytes: i32,
    dest: *mut c_void,
    destsize: i32,
) -> c_int {
    guard("blosc2_chunk_uninit", || {
        // SAFETY: the caller gives destsize bytes.
        let dest = unsafe { bytes_mut("dest", dest, destsize) }?;
        write(&cparams, Special::Uninit, &[], nbytes, dest)
    })
}

fn write(
    cparams: &blosc2_cparams,
    special: Special,
    item: &[u8],
    nbytes: i32,
    dest: &mut [u8],
) -> Result<c_int> {
    if dest.len() < EXTENDED_HEADER_LEN + item.len() {
        fail!(Data, "{} bytes have no room for a special chunk", dest.len());
    }
    let Ok(size) = usize::try_from(nbytes) else {
        fail!(InvalidParam, "{nbytes} bytes");
    };
    if cparams.typesize > 0 && nbytes % cparams.typesize != 0 {
        fail!(Data, "{nbytes} bytes are not a whole number of {}-byte items", cparams.typesize);
    }
    // A context reads the environment.
    // SAFETY: the caller of the exported function vouched for what cparams points to.
    let context = unsafe { new_cctx(cparams, &Overrides::read(Asker::Context)) };
    let context = context.map_err(|error| error.as_kind(ErrorKind::NullPointer))?;
    // SAFETY: the context was made just now, and nobody else has it.
    let params = unsafe { cparams_of(context) };
    let len = params.and_then(|params| write_special(&params, special, item, size, dest));
    // SAFETY: as above; the parameters are gone.
    unsafe { free(context) };
    Ok(len? as c_int)
}
