//! `blosc2_storage`: what C callers say about it, and the copy that a super-chunk keeps.

use crate::capi::defaults::{CPARAMS, DPARAMS, IO};
use crate::capi::types::{blosc2_cparams, blosc2_dparams, blosc2_io, blosc2_storage};
use std::ffi::{CStr, CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;

/// What a caller's storage says, with defaults where it says nothing.
#[derive(Clone)]
pub(crate) struct Asked {
    /// Whether chunks are in one piece.
    pub contiguous: bool,
    /// The file or directory.
    pub urlpath: Option<CString>,
    /// How to compress.
    pub cparams: blosc2_cparams,
    /// How to decompress.
    pub dparams: blosc2_dparams,
    /// The I/O backend.
    pub io: blosc2_io,
}

impl Asked {
    /// Reads a caller's storage.
    ///
    /// # Safety
    /// What `storage` points to is valid.
    pub(crate) unsafe fn of(storage: &blosc2_storage) -> Self {
        // SAFETY: the caller vouches for the pointers.
        unsafe {
            Asked {
                contiguous: storage.contiguous,
                urlpath: NonNull::new(storage.urlpath).map(|path| CStr::from_ptr(path.as_ptr()).to_owned()),
                cparams: storage.cparams.as_ref().copied().unwrap_or(CPARAMS),
                dparams: storage.dparams.as_ref().copied().unwrap_or(DPARAMS),
                io: storage.io.as_ref().copied().unwrap_or(IO),
            }
        }
    }
}

/// A C string as a path.
pub(crate) fn path(urlpath: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(urlpath.to_bytes()))
}

/// The storage that a super-chunk's mirror points to. Lives at one address, because it points to itself.
pub(crate) struct StorageCopy {
    storage: blosc2_storage,
    cparams: blosc2_cparams,
    dparams: blosc2_dparams,
    io: blosc2_io,
    // Only held: the storage points to it.
    _urlpath: Option<CString>,
}

impl StorageCopy {
    /// A copy of what was asked for, at an address of its own; for [`StorageCopy::free`].
    pub(crate) fn make(asked: Asked) -> NonNull<StorageCopy> {
        let storage = blosc2_storage { contiguous: asked.contiguous, ..crate::capi::defaults::STORAGE };
        let copy = Box::new(StorageCopy {
            storage,
            cparams: asked.cparams,
            dparams: asked.dparams,
            io: asked.io,
            _urlpath: asked.urlpath,
        });
        let copy = NonNull::from(Box::leak(copy));
        let this = copy.as_ptr();
        // SAFETY: `this` is a live allocation that nobody else knows of yet.
        unsafe {
            (*this).storage.cparams = &raw mut (*this).cparams;
            (*this).storage.dparams = &raw mut (*this).dparams;
            (*this).storage.io = &raw mut (*this).io;
            if let Some(urlpath) = &(*this)._urlpath {
                (*this).storage.urlpath = urlpath.as_ptr().cast_mut();
            }
        }
        copy
    }

    /// The public struct.
    pub(crate) fn storage(this: NonNull<StorageCopy>) -> *mut blosc2_storage {
        // SAFETY: only computes an address inside a live allocation.
        unsafe { &raw mut (*this.as_ptr()).storage }
    }

    /// # Safety
    /// `this` came from [`StorageCopy::make`] and nobody uses it any more.
    pub(crate) unsafe fn free(this: NonNull<StorageCopy>) {
        // SAFETY: the caller vouches for it.
        drop(unsafe { Box::from_raw(this.as_ptr()) });
    }
}
