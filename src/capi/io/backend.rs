//! From `blosc2_io` to the engine's backends.

use super::{mmap, registry};
use crate::base::Result;
use crate::capi::callbacks::CBackend;
use crate::capi::types::blosc2_io;
use crate::capi::types::ids::blosc2_io_id;
use crate::capi::types::stdio::blosc2_stdio_params;
use crate::io::{Backend, Disk, LockingDisk};
use libc::c_int;
use std::sync::Arc;

pub(super) const FILESYSTEM: u8 = blosc2_io_id::BLOSC2_IO_FILESYSTEM as u8;
pub(super) const FILESYSTEM_MMAP: u8 = blosc2_io_id::BLOSC2_IO_FILESYSTEM_MMAP as u8;

/// The engine's backend for a caller's.
///
/// # Errors
/// [`ErrorKind::PluginIo`](crate::base::ErrorKind::PluginIo) for a backend that is not there; as [`mmap::backend`].
///
/// # Safety
/// The parameters are what the backend wants, and live as long as the value.
pub(crate) unsafe fn backend(io: &blosc2_io) -> Result<Arc<dyn Backend>> {
    match io.id {
        FILESYSTEM => {
            // SAFETY: the caller vouches for the parameters, which may be NULL.
            let params = unsafe { io.params.cast::<blosc2_stdio_params>().as_ref() };
            if params.is_some_and(|params| params.locking) {
                Ok(Arc::new(LockingDisk))
            } else {
                Ok(Arc::new(Disk))
            }
        }
        // SAFETY: the caller vouches for the parameters.
        FILESYSTEM_MMAP => unsafe { mmap::backend(io.params.cast()) },
        id => {
            let Some(functions) = registry::find(id) else {
                crate::fail!(PluginIo, "there is no I/O backend {id}");
            };
            // SAFETY: who registered them vouched for the functions, and the caller for the parameters.
            Ok(Arc::new(unsafe { CBackend::new(functions, io.params) }))
        }
    }
}

/// Tells a backend that a super-chunk does not need its parameters any more. Gives what it says to that.
///
/// # Safety
/// As [`backend`]; what was made with the parameters is gone.
pub(crate) unsafe fn destroy(io: &blosc2_io) -> c_int {
    // SAFETY: the caller vouches for the parameters.
    unsafe {
        match io.id {
            FILESYSTEM => 0,
            FILESYSTEM_MMAP => mmap::release(io.params.cast()),
            id => match registry::find(id).and_then(|functions| functions.destroy) {
                Some(destroy) => destroy(io.params),
                None => 0,
            },
        }
    }
}
