//! The functions of the backend #BLOSC2_IO_FILESYSTEM_MMAP, for backends that are built on them, and the engine's backend
//! for its parameters. The library's own frames do not pass through the functions: each maps its file for itself.

use super::backend::FILESYSTEM_MMAP;
use super::stdio::{extent, items_moved};
use crate::base::Result;
use crate::capi::guard::guard;
use crate::capi::pointers::{bytes, malloc_text, null, text};
use crate::capi::types::blosc2_io_cb;
use crate::capi::types::stdio::blosc2_stdio_mmap;
use crate::fail;
use crate::io::mmap::MappedFile;
use crate::io::{Backend, File, MapMode, Mmap};
use libc::{c_char, c_int, c_void};
use std::collections::HashMap;
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null_mut;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// All of them.
pub(super) const FUNCTIONS: blosc2_io_cb = blosc2_io_cb {
    id: FILESYSTEM_MMAP,
    name: c"filesystem_mmap".as_ptr().cast_mut(),
    is_allocation_necessary: false,
    open: Some(blosc2_stdio_mmap_open),
    close: Some(blosc2_stdio_mmap_close),
    size: Some(blosc2_stdio_mmap_size),
    write: Some(blosc2_stdio_mmap_write),
    read: Some(blosc2_stdio_mmap_read),
    truncate: Some(blosc2_stdio_mmap_truncate),
    destroy: Some(blosc2_stdio_mmap_destroy),
};

/// The engine's backend for a caller's parameters. They need their mode no longer than this: it may be a string that goes.
///
/// # Safety
/// `params` is NULL or valid parameters, with a mode that is NULL or a C string.
pub(super) unsafe fn backend(params: *mut blosc2_stdio_mmap) -> Result<Arc<dyn Backend>> {
    // SAFETY: the caller vouches for them.
    let params = unsafe { params.as_mut() }.ok_or_else(|| null("io->params"))?;
    // SAFETY: as above.
    let mode = unsafe { mode_of(params.mode) }?;
    params.mode = name_of(mode).as_ptr();
    Ok(Arc::new(Mmap::new(mode, params.initial_mapping_size)))
}

/// Frees parameters whose super-chunk is gone, where that is the library's to do.
///
/// # Safety
/// `params` is NULL or valid parameters, from malloc when they are to be freed.
pub(super) unsafe fn release(params: *mut blosc2_stdio_mmap) -> c_int {
    // SAFETY: the caller vouches for them.
    unsafe {
        match params.as_ref() {
            None => -1,
            Some(open) if !open.addr.is_null() => blosc2_stdio_mmap_destroy(params.cast()),
            Some(closed) => {
                if closed.needs_free {
                    libc::free(params.cast());
                }
                0
            }
        }
    }
}

/// Opens a file. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_mmap_open(
    urlpath: *const c_char,
    _mode: *const c_char,
    params: *mut c_void,
) -> *mut c_void {
    guard("blosc2_stdio_mmap_open", || {
        // SAFETY: the caller gives a C string and parameters, or NULL.
        unsafe {
            let urlpath = text("urlpath", urlpath)?;
            let map = params.cast::<blosc2_stdio_mmap>().as_mut().ok_or_else(|| null("params"))?;
            if !map.addr.is_null() {
                // A file is mapped once.
                if text("params->urlpath", map.urlpath)? != urlpath {
                    fail!(FileOpen, "{urlpath:?}: {:?} is mapped already", text("urlpath", map.urlpath)?);
                }
                return Ok(params);
            }
            let mode = mode_of(map.mode)?;
            let path = Path::new(OsStr::from_bytes(urlpath.to_bytes()));
            let file = MappedFile::open(path, mode, map.initial_mapping_size)?;
            map.urlpath = malloc_text(urlpath.to_bytes())?;
            map.is_memory_only = mode == MapMode::Copy;
            (map.access_flags, map.map_flags) = flags(mode);
            map.fd = file.descriptor();
            map.mode = null_mut();
            show(map, &file);
            maps().insert(params.addr(), file);
            Ok(params)
        }
    })
}

/// Closes a stream. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_mmap_close(_stream: *mut c_void) -> c_int {
    // The mapping stays until it is destroyed.
    0
}

/// Gives the size of a file. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_mmap_size(stream: *mut c_void) -> i64 {
    guard("blosc2_stdio_mmap_size", || {
        // SAFETY: the caller gives an open mapping, or NULL.
        unsafe { with_map(stream, |map, _| Ok(map.file_size as i64)) }.map_err(|e| e.as_kind(FAILURE))
    })
}

/// Writes items. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_mmap_write(
    ptr: *const c_void,
    size: i64,
    nitems: i64,
    position: i64,
    stream: *mut c_void,
) -> i64 {
    items_moved("blosc2_stdio_mmap_write", || {
        let (len, position) = extent(size, nitems, position)?;
        if ptr.is_null() {
            return Err(null("ptr"));
        }
        if len == 0 {
            return Ok(0);
        }
        // SAFETY: the caller gives a mapping and so many bytes, or NULL.
        unsafe {
            let data = bytes("ptr", ptr, len)?;
            with_map(stream, |map, file| match file {
                Some(file) => {
                    let done = file.write_at(position, data);
                    show(map, file);
                    done.map(|()| nitems)
                }
                None => {
                    let to = inside(map, position, data.len())?;
                    std::ptr::copy_nonoverlapping(data.as_ptr(), to, data.len());
                    Ok(nitems)
                }
            })
        }
    })
}

/// Reads items. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_mmap_read(
    ptr: *mut *mut c_void,
    size: i64,
    nitems: i64,
    position: i64,
    stream: *mut c_void,
) -> i64 {
    items_moved("blosc2_stdio_mmap_read", || {
        // SAFETY: the caller gives a mapping and a place for a pointer, or NULL.
        unsafe {
            let to = ptr.as_mut().ok_or_else(|| null("ptr"))?;
            *to = null_mut();
            let (len, position) = extent(size, nitems, position)?;
            with_map(stream, |map, _| {
                *to = inside(map, position, len as usize)?.cast();
                Ok(nitems)
            })
        }
    })
}

/// Cuts or extends a file. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_mmap_truncate(stream: *mut c_void, size: i64) -> c_int {
    guard("blosc2_stdio_mmap_truncate", || {
        let Ok(size) = u64::try_from(size) else {
            fail!(Failure, "a file of {size} bytes");
        };
        // SAFETY: the caller gives an open mapping, or NULL.
        let done = unsafe {
            with_map(stream, |map, file| {
                let file = file.ok_or_else(|| null("params->file"))?;
                let done = file.truncate(size);
                show(map, file);
                done
            })
        };
        done.map(|()| 0).map_err(|e| e.as_kind(FAILURE))
    })
}

/// Gives up parameters. The words for C are in `blosc2/blosc2-stdio.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_stdio_mmap_destroy(params: *mut c_void) -> c_int {
    guard("blosc2_stdio_mmap_destroy", || {
        // SAFETY: the caller gives up parameters, or NULL; the path in them is ours, from malloc.
        unsafe {
            let params = params.cast::<blosc2_stdio_mmap>();
            let map = params.as_mut().ok_or_else(|| null("params").as_kind(FAILURE))?;
            let file = if map.addr.is_null() { None } else { maps().remove(&params.addr()) };
            let synced = match file {
                Some(mut file) => file.sync(),
                None => Err(null("params->addr")),
            };
            libc::free(map.urlpath.cast());
            (map.urlpath, map.addr, map.fd) = (null_mut(), null_mut(), -1);
            if map.needs_free {
                libc::free(params.cast());
            }
            synced.map(|()| 0).map_err(|e| e.as_kind(FAILURE))
        }
    })
}

const FAILURE: crate::base::ErrorKind = crate::base::ErrorKind::Failure;

/// The files that these functions have mapped, by the addresses of their parameters, which are their streams.
fn maps() -> MutexGuard<'static, HashMap<usize, MappedFile>> {
    static MAPS: LazyLock<Mutex<HashMap<usize, MappedFile>>> = LazyLock::new(Mutex::default);
    MAPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `f` on a mapping, and on the file behind it, unless a program has described the mapping itself.
///
/// # Safety
/// `stream` is NULL, one of `blosc2_stdio_mmap_open`'s, or describes memory that is there.
unsafe fn with_map<R>(
    stream: *mut c_void,
    f: impl FnOnce(&mut blosc2_stdio_mmap, Option<&mut MappedFile>) -> Result<R>,
) -> Result<R> {
    let mut maps = maps();
    // SAFETY: the caller vouches for the stream, whose struct is written under the lock only.
    let map = unsafe { stream.cast::<blosc2_stdio_mmap>().as_mut() }.ok_or_else(|| null("stream"))?;
    if map.addr.is_null() {
        fail!(FileRead, "nothing is mapped");
    }
    f(map, maps.get_mut(&stream.addr()).filter(|file| file.address().cast() == map.addr.cast_const()))
}

/// Where `len` bytes from `position` on are mapped.
fn inside(map: &blosc2_stdio_mmap, position: u64, len: usize) -> Result<*mut u8> {
    let start = usize::try_from(position).unwrap_or(usize::MAX);
    match start.checked_add(len) {
        Some(end) if end <= map.file_size => Ok(map.addr.cast::<u8>().wrapping_add(start)),
        _ => fail!(FileRead, "{len} bytes at byte {position} of {}", map.file_size),
    }
}

/// Tells C where the mapping is now.
fn show(map: &mut blosc2_stdio_mmap, file: &MappedFile) {
    map.addr = file.address().cast_mut().cast();
    map.file_size = file.len();
    map.mapping_size = file.room();
}

/// # Safety
/// `name` is NULL or a C string.
unsafe fn mode_of(name: *const c_char) -> Result<MapMode> {
    // SAFETY: the caller vouches for it.
    let name = unsafe { text("mode", name) }?;
    match name.to_str().ok().and_then(MapMode::from_name) {
        Some(mode) => Ok(mode),
        None => fail!(InvalidParam, "a file cannot be mapped in mode {name:?}"),
    }
}

fn name_of(mode: MapMode) -> &'static CStr {
    match mode {
        MapMode::Read => c"r",
        MapMode::Edit => c"r+",
        MapMode::Create => c"w+",
        MapMode::Copy => c"c",
    }
}

/// How pages may be accessed, and how the file is mapped.
fn flags(mode: MapMode) -> (i64, i64) {
    let write = if mode == MapMode::Read { 0 } else { libc::PROT_WRITE };
    let kind = if mode == MapMode::Copy { libc::MAP_PRIVATE } else { libc::MAP_SHARED };
    (i64::from(libc::PROT_READ | write), i64::from(kind))
}
