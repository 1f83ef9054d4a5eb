//! Keeping other handles and processes out.

use super::handle::Schunk;
use crate::capi::guard::guard;
use crate::capi::types::blosc2_schunk;
use crate::schunk::SuperChunk;
use libc::c_int;

/// Takes a super-chunk's lock, so that several operations are one for everybody else who uses the lock: they wait until
/// `blosc2_schunk_unlock`. The lock can be taken again by the same handle, and is free after as many unlocks. Without
/// locking (see #blosc2_stdio_params), and in memory, nothing happens.
///
/// @param schunk The super-chunk.
/// @return 0; #BLOSC2_ERROR_LOCK when the lock file cannot be made or locked; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_lock(schunk: *mut blosc2_schunk) -> c_int {
    guard("blosc2_schunk_lock", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, or NULL.
        unsafe { Schunk::of(schunk) }?.changing(SuperChunk::lock)?;
        Ok(0)
    })
}

/// Gives back a super-chunk's lock.
///
/// @param schunk The super-chunk.
/// @return 0, also when it was not locked; #BLOSC2_ERROR_LOCK when the system refuses; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_unlock(schunk: *mut blosc2_schunk) -> c_int {
    guard("blosc2_schunk_unlock", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, or NULL.
        unsafe { Schunk::of(schunk) }?.changing(SuperChunk::unlock)?;
        Ok(0)
    })
}
