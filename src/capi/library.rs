//! The library itself: starting, stopping, what it is and what it calls things.

use super::callbacks::CCodec;
use super::guard::guard;
use super::pointers::{Out, malloc_text, text};
use super::tuners;
use crate::base::ErrorKind;
use crate::codec::{self, names};
use crate::{chunk, exec, fail, filter};
use libc::{c_char, c_int};
use std::ffi::{CStr, CString};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// Nobody has started the library yet.
const NEW: u8 = 0;
/// It was started: by `blosc2_init`, or by a global function being used.
const STARTED: u8 = 1;
/// It was stopped.
const STOPPED: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(NEW);

/// Notes that a global function was used. What was registered before a stop is gone with the next start.
pub(crate) fn start() {
    prepare();
    if STATE.load(Ordering::Relaxed) != STARTED && STATE.swap(STARTED, Ordering::AcqRel) == STOPPED {
        codec::user::forget_all();
        filter::registry::forget_all();
        tuners::forget_all();
    }
}

/// Tells the engine where to look for what is not in it.
pub(crate) fn prepare() {
    codec::user::set_finder(CCodec::plugin);
}

/// Starts the library. Nothing needs it; programs call it because they always did. After `blosc2_destroy`, it forgets
/// the codecs, filters and tuners that were registered before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_init() {
    start();
}

/// Stops the library: lets its threads go, and the memory that they and the calling thread keep for their next call.
/// Everything may be used again afterwards, and contexts, super-chunks and arrays stay as they are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_destroy() {
    guard("blosc2_destroy", || {
        release();
        let _ = STATE.compare_exchange(STARTED, STOPPED, Ordering::AcqRel, Ordering::Relaxed);
        Ok(())
    });
}

/// Lets threads go, and the memory that they and the calling thread keep for their next call: for a program that will
/// not need the library for a while.
///
/// @return 0; #BLOSC2_ERROR_FAILURE when the library was not started, or was stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_free_resources() -> c_int {
    guard("blosc2_free_resources", || {
        if STATE.load(Ordering::Relaxed) != STARTED {
            fail!(Failure, "the library was not started");
        }
        release();
        Ok(0)
    })
}

fn release() {
    exec::shutdown();
    chunk::release_scratch();
}

/// The version of the interface, as text: what `BLOSC2_VERSION_STRING` is for a library that is loaded at run time.
///
/// @return Text that is neither to be changed nor freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_version_string() -> *const c_char {
    c"3.3.5".as_ptr()
}

/// Puts an error code into words.
///
/// @param error_code A code of #blosc2_error.
/// @return A short text that is neither to be changed nor freed; "Unknown error" for any other number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_error_string(error_code: c_int) -> *const c_char {
    error_text(error_code).as_ptr()
}

/// The engine's texts, each with a NUL at its end.
fn error_text(code: c_int) -> &'static CStr {
    static TEXTS: OnceLock<Vec<CString>> = OnceLock::new();
    let texts = TEXTS.get_or_init(|| {
        ErrorKind::ALL.iter().map(|kind| CString::new(kind.text()).unwrap_or_default()).collect()
    });
    if code == 0 {
        return c"Success";
    }
    // Codes are dense, from -1 down.
    let index = usize::try_from(-i64::from(code) - 1).unwrap_or(usize::MAX);
    texts.get(index).map_or(c"Unknown error", |text| text)
}

/// The names of the codecs that are part of the format, in the order of their ids.
///
/// @return Names separated by commas; neither to be changed nor freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_list_compressors() -> *const c_char {
    static LIST: OnceLock<CString> = OnceLock::new();
    LIST.get_or_init(|| CString::new(names::BUILT_IN).unwrap_or_default()).as_ptr()
}

/// The name of a codec.
///
/// @param compcode The codec's id, `BLOSC_BLOSCLZ` for example.
/// @param compname Set to its name, which is neither to be changed nor freed; to NULL when there is no such codec.
/// @return The id; -1 when there is no such codec; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_compcode_to_compname(compcode: c_int, compname: *mut *const c_char) -> c_int {
    guard("blosc2_compcode_to_compname", || {
        // SAFETY: the caller gives a place for a pointer, or NULL.
        let compname = unsafe { Out::new("compname", compname) }?;
        let name = u8::try_from(compcode).ok().and_then(codec_name);
        compname.set(name.map_or(std::ptr::null(), CStr::as_ptr));
        Ok(name.map_or(-1, |_| compcode))
    })
}

/// The name of codec `id` as text that lives as long as the process.
pub(crate) fn codec_name(id: u8) -> Option<&'static CStr> {
    static NAMES: [OnceLock<CString>; 256] = [const { OnceLock::new() }; 256];
    let place = &NAMES[usize::from(id)];
    if place.get().is_none() {
        // A codec's name never changes once it is registered.
        let name = CString::new(names::name_of(id)?).ok()?;
        let _ = place.set(name);
    }
    place.get().map(CString::as_c_str)
}

/// The name of the library whose streams have a format code.
pub(crate) fn format_name(format: u8) -> Option<&'static CStr> {
    Some(match format {
        0 => c"BloscLZ",
        1 => c"LZ4",
        3 => c"Zlib",
        4 => c"Zstd",
        _ => return None,
    })
}

/// The id of a codec.
///
/// @param compname The codec's name, "zstd" for example.
/// @return Its id; -1 when there is no such codec; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_compname_to_compcode(compname: *const c_char) -> c_int {
    guard("blosc2_compname_to_compcode", || {
        // SAFETY: the caller gives a C string, or NULL.
        let compname = unsafe { text("compname", compname) }?;
        Ok(compname.to_str().ok().and_then(names::id_of).map_or(-1, c_int::from))
    })
}

/// The library that a codec comes from.
///
/// @param compname The codec's name, "lz4hc" for example.
/// @param complib Set to the library's name, "LZ4" for example, which the caller frees; to NULL when there is no such
///   codec.
/// @param version Set to the library's version, "1.10.0" for example, or to "unknown", which the caller frees; to
///   NULL when there is no such codec.
/// @return The library's code, `BLOSC_LZ4_LIB` for example; -1 when there is no such codec;
///   #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_complib_info(
    compname: *const c_char,
    complib: *mut *mut c_char,
    version: *mut *mut c_char,
) -> c_int {
    guard("blosc2_get_complib_info", || {
        // SAFETY: the caller gives a C string and places for two pointers, or NULL.
        let (compname, complib, version) = unsafe {
            (text("compname", compname)?, Out::new("complib", complib)?, Out::new("version", version)?)
        };
        complib.set(std::ptr::null_mut());
        version.set(std::ptr::null_mut());
        let Some(library) = compname.to_str().ok().and_then(names::library_of) else {
            return Ok(-1);
        };
        let name = malloc_text(library.name.as_bytes())?;
        complib.set(name);
        version.set(malloc_text(library.version.as_bytes())?);
        Ok(library.code.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::null_mut;

    fn text_of(ptr: *const c_char) -> &'static str {
        // SAFETY: the tests pass what the functions gave, none of it NULL.
        unsafe { CStr::from_ptr(ptr) }.to_str().unwrap()
    }

    #[test]
    fn errors_have_words() {
        // SAFETY: takes any number.
        let words = |code| text_of(unsafe { blosc2_error_string(code) });
        assert_eq!(words(0), "Success");
        assert_eq!(words(-1), ErrorKind::Failure.text());
        assert_eq!(words(-37), ErrorKind::Lock.text());
        for code in [1, -38, i32::MIN, i32::MAX] {
            assert_eq!(words(code), "Unknown error");
        }
    }

    #[test]
    fn codecs_have_names() {
        let mut name = std::ptr::null();
        // SAFETY: name is a place for a pointer; the strings are C strings.
        unsafe {
            assert_eq!(blosc2_compcode_to_compname(5, &mut name), 5);
            assert_eq!(text_of(name), "zstd");
            for unknown in [3, -1, 256, 250] {
                assert_eq!(blosc2_compcode_to_compname(unknown, &mut name), -1);
                assert!(name.is_null());
            }
            assert_eq!(blosc2_compname_to_compcode(c"lz4hc".as_ptr()), 2);
            assert_eq!(blosc2_compname_to_compcode(c"LZ4".as_ptr()), -1);
            assert_eq!(text_of(blosc2_list_compressors()), "blosclz,lz4,lz4hc,zlib,zstd");
        }
    }

    #[test]
    fn libraries_are_copied_for_the_caller() {
        let (mut library, mut version) = (null_mut(), null_mut());
        // SAFETY: places for pointers and C strings; what comes back is freed once.
        unsafe {
            assert_eq!(blosc2_get_complib_info(c"lz4hc".as_ptr(), &mut library, &mut version), 1);
            assert_eq!(text_of(library), "LZ4");
            libc::free(library.cast());
            libc::free(version.cast());
            assert_eq!(blosc2_get_complib_info(c"none".as_ptr(), &mut library, &mut version), -1);
            assert!(library.is_null() && version.is_null());
        }
    }
}
