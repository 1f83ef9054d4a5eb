//! One shared library, loaded for good.

use crate::base::{Error, ErrorKind, Result};
use libc::{c_char, c_void};
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

/// A function of a plugin.
pub(super) type Function = NonNull<c_void>;

/// A library that stays in memory: its functions may be in use at any time.
pub(super) struct Library {
    handle: NonNull<c_void>,
    path: PathBuf,
}

// SAFETY: a handle is only handed to dlsym, which any thread may call.
unsafe impl Send for Library {}

impl Library {
    /// Loads the library at `path`; a path without a slash is looked for by the loader. Fails with words.
    pub(super) fn open(path: &Path) -> std::result::Result<Self, String> {
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
        // Lazily, as the C library does: plugins refer to functions that they need not come to.
        // SAFETY: name is a C string. Loading runs the library's constructors, which is what it was put there for.
        match NonNull::new(unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) }) {
            Some(handle) => Ok(Library { handle, path: path.to_owned() }),
            None => Err(last_error()),
        }
    }

    /// The functions whose names the library's `info` points to, in its order.
    ///
    /// # Errors
    /// `Failure` when there is no `info`, or one of the functions is not there.
    pub(super) fn functions<const N: usize>(&self) -> Result<[Function; N]> {
        let info = self.symbol(c"info")?.cast::<[*const c_char; N]>();
        // SAFETY: `info` of a plugin of this kind has as many names.
        let names = unsafe { info.read() };
        let mut functions = [info.cast(); N];
        for (function, name) in functions.iter_mut().zip(names) {
            if name.is_null() {
                return Err(self.error("a function without a name"));
            }
            // SAFETY: what is not null is a C string.
            *function = self.symbol(unsafe { CStr::from_ptr(name) })?;
        }
        Ok(functions)
    }

    fn symbol(&self, name: &CStr) -> Result<NonNull<c_void>> {
        // SAFETY: the handle is a loaded library's, name a C string.
        let symbol = NonNull::new(unsafe { libc::dlsym(self.handle.as_ptr(), name.as_ptr()) });
        symbol.ok_or_else(|| self.error(&format!("no symbol {}", name.to_string_lossy())))
    }

    fn error(&self, what: &str) -> Error {
        Error::new(ErrorKind::Failure, format!("{} has {what}", self.path.display()))
    }
}

fn last_error() -> String {
    // SAFETY: dlerror gives NULL or a C string that is good until this thread's next call.
    unsafe {
        let words = libc::dlerror();
        if words.is_null() { String::new() } else { CStr::from_ptr(words).to_string_lossy().into_owned() }
    }
}

/// The library or program that this code is in.
pub(super) fn our_path() -> Option<PathBuf> {
    static HERE: u8 = 0;
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: any address may be asked for; info is a place for the answer, for which zeros are valid. The name belongs
    // to the loader and is copied.
    unsafe {
        let found = libc::dladdr((&raw const HERE).cast(), info.as_mut_ptr()) != 0;
        let name = info.assume_init().dli_fname;
        (found && !name.is_null())
            .then(|| PathBuf::from(std::ffi::OsStr::from_bytes(CStr::from_ptr(name).to_bytes())))
    }
}

/// Lets plugins call our functions, also where a program loaded us for itself alone.
pub(super) fn make_ourselves_visible() {
    let Some(path) =
        our_path().and_then(|path| CString::new(path.into_os_string().into_encoded_bytes()).ok())
    else {
        return;
    };
    // SAFETY: path is a C string. Nothing is loaded that is not there already; the handle is one more reference to it,
    // which is never given back.
    unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_GLOBAL) };
}
