//! The I/O backends of the process.

use super::backend::{FILESYSTEM, FILESYSTEM_MMAP};
use super::{mmap, stdio};
use crate::base::{Error, ErrorKind, Result};
use crate::capi::guard::guard;
use crate::capi::types::blosc2_io_cb;
use crate::capi::types::ids::blosc2_io_range;
use crate::fail;
use libc::{c_char, c_int};
use std::ffi::CStr;
use std::sync::{OnceLock, PoisonError, RwLock};

/// Adds an I/O backend for the whole process, for `blosc2_io.id`. Registering the same id and name again changes nothing.
///
/// @param io The backend; copied, but for its name, which has to stay.
/// @return 0; #BLOSC2_ERROR_PLUGIN_IO when the id is below #BLOSC2_IO_REGISTERED or has another name already;
///   #BLOSC2_ERROR_INVALID_PARAM for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_register_io_cb(io: *const blosc2_io_cb) -> c_int {
    guard("blosc2_register_io_cb", || {
        // SAFETY: the caller gives a backend, or NULL.
        match unsafe { io.as_ref() } {
            // SAFETY: the caller vouches for the names of what is registered under one id.
            Some(io) => unsafe { register(io) }.map(|()| 0),
            None => Err(Error::new(ErrorKind::InvalidParam, "io is NULL")),
        }
    })
}

/// An I/O backend: one that was registered, or one of those that come with the library.
///
/// @param id Its id.
/// @return The backend, which stays as long as the library; NULL when there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_io_cb(id: u8) -> *mut blosc2_io_cb {
    guard("blosc2_get_io_cb", || {
        let entry = find_entry(id);
        match entry.or_else(|| own(id)) {
            Some(entry) => Ok(entry.0.as_ptr()),
            None => fail!(PluginIo, "there is no I/O backend {id}"),
        }
    })
}

/// A backend's struct, which C may look at for as long as the process lives.
#[derive(Clone, Copy)]
struct Entry(std::ptr::NonNull<blosc2_io_cb>);

// SAFETY: the struct is never freed, and nothing of the library's writes it.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

impl Entry {
    fn new(functions: blosc2_io_cb) -> Self {
        Entry(std::ptr::NonNull::from(Box::leak(Box::new(functions))))
    }

    fn functions(self) -> blosc2_io_cb {
        // SAFETY: the struct is never freed.
        unsafe { self.0.read() }
    }
}

/// Looked into at every open. A process may fork meanwhile: the child looks into it none the less.
static ENTRIES: RwLock<Vec<Entry>> = RwLock::new(Vec::new());

fn find_entry(id: u8) -> Option<Entry> {
    let entries = ENTRIES.read().unwrap_or_else(PoisonError::into_inner);
    entries.iter().find(|entry| entry.functions().id == id).copied()
}

/// The functions that were registered under `id`.
pub(super) fn find(id: u8) -> Option<blosc2_io_cb> {
    find_entry(id).map(Entry::functions)
}

/// # Safety
/// When something is registered under the id already, both names are NULL or C strings.
unsafe fn register(io: &blosc2_io_cb) -> Result<()> {
    if i32::from(io.id) < blosc2_io_range::BLOSC2_IO_REGISTERED as i32 {
        fail!(PluginIo, "the I/O backend {} is not a program's to register", io.id);
    }
    let mut entries = ENTRIES.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = entries.iter().find(|entry| entry.functions().id == io.id) {
        // SAFETY: the caller vouches for the names.
        if unsafe { same_text(known.functions().name, io.name) } {
            return Ok(());
        }
        fail!(PluginIo, "there is another I/O backend {}", io.id);
    }
    entries.push(Entry::new(*io));
    Ok(())
}

/// # Safety
/// Both are NULL or C strings.
unsafe fn same_text(a: *const c_char, b: *const c_char) -> bool {
    // SAFETY: the caller vouches for them.
    a == b || unsafe { !a.is_null() && !b.is_null() && CStr::from_ptr(a) == CStr::from_ptr(b) }
}

/// What comes with the library.
fn own(id: u8) -> Option<Entry> {
    static OWN: OnceLock<[Entry; 2]> = OnceLock::new();
    let [files, maps] = OWN.get_or_init(|| [Entry::new(stdio::FUNCTIONS), Entry::new(mmap::FUNCTIONS)]);
    match id {
        FILESYSTEM => Some(*files),
        FILESYSTEM_MMAP => Some(*maps),
        _ => None,
    }
}
