//! Making, opening and freeing super-chunks.

use super::draft::Draft;
use super::handle::Schunk;
use super::params::cparams_from;
use super::storage::{Asked, path};
use crate::base::{CBuf, Result, env};
use crate::capi::defaults::{DPARAMS, IO};
use crate::capi::guard::guard;
use crate::capi::io::backend;
use crate::capi::pointers::{null, reference, text};
use crate::capi::settings::settings;
use crate::capi::tuners::BTUNE_ID;
use crate::capi::types::{blosc2_dparams, blosc2_io, blosc2_schunk, blosc2_storage};
use crate::fail;
use crate::schunk::{Storage, SuperChunk};
use libc::{c_char, c_int};
use std::ffi::CStr;
use std::ptr::NonNull;

/// Makes an empty super-chunk.
///
/// What the environment says about compression (see `blosc2_create_cctx`) goes before `storage->cparams`. Where
/// BTUNE_TRADEOFF is set, the tuner is BTUNE (#BLOSC_BTUNE), which has to be installed.
///
/// @param storage Where and how to keep it; copied, with all it points to. Without a path the super-chunk is in memory.
///   With one, it is a file (contiguous) or a directory (not contiguous) that may not exist yet.
/// @return The super-chunk, for `blosc2_schunk_free`; NULL when there is something at the path already or nothing can be
///   made there, when parameters make no sense, or memory is short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_new(storage: *mut blosc2_storage) -> *mut blosc2_schunk {
    guard("blosc2_schunk_new", || {
        // SAFETY: the caller gives a storage whose pointers are valid, or NULL.
        let asked = unsafe { Asked::of(reference("storage", storage)?) };
        // SAFETY: as above.
        unsafe { create(asked, SuperChunk::new) }.map(NonNull::as_ptr)
    })
}

/// Copies a super-chunk, with its metalayers, into another storage.
///
/// @param schunk The super-chunk.
/// @param storage Where and how to keep the copy; as for `blosc2_schunk_new`. Where `cparams` is NULL or describes the
///   compression that there is already, chunks are copied as they are; otherwise they are compressed anew.
/// @return The copy, for `blosc2_schunk_free`; NULL on error, as `blosc2_schunk_new`, and when a chunk cannot be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_copy(
    schunk: *mut blosc2_schunk,
    storage: *mut blosc2_storage,
) -> *mut blosc2_schunk {
    guard("blosc2_schunk_copy", || {
        // SAFETY: the caller gives a live super-chunk and a storage whose pointers are valid, or NULL.
        unsafe {
            let (schunk, storage) = (Schunk::of(schunk)?, reference("storage", storage)?);
            let mut asked = Asked::of(storage);
            if storage.cparams.is_null() {
                asked.cparams = cparams_from(schunk.read()?.schunk.cparams());
            }
            if schunk.view().is_some() {
                return create(asked, |storage| schunk.exporting(|engine| engine.copy(storage)))
                    .map(NonNull::as_ptr);
            }
            create(asked, |storage| schunk.read()?.schunk.copy(storage)).map(NonNull::as_ptr)
        }
    })
}

/// Opens a super-chunk on disk. Chunks stay there until they are read. As many threads compress and decompress as
/// `blosc2_get_nthreads` says.
///
/// @param urlpath The file, or the directory of a sparse frame.
/// @return The super-chunk, for `blosc2_schunk_free`; NULL when there is none or it cannot be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_open(urlpath: *const c_char) -> *mut blosc2_schunk {
    // SAFETY: the caller gives a C string, or NULL.
    guard("blosc2_schunk_open", || unsafe { open(urlpath, 0, &IO) })
}

/// Opens a super-chunk that is inside of a file, as `blosc2_schunk_append_file` puts it there.
///
/// @param urlpath The file.
/// @param offset Where the frame starts, in bytes from the start of the file.
/// @return The super-chunk, for `blosc2_schunk_free`; NULL when there is none or it cannot be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_open_offset(
    urlpath: *const c_char,
    offset: i64,
) -> *mut blosc2_schunk {
    // SAFETY: the caller gives a C string, or NULL.
    guard("blosc2_schunk_open_offset", || unsafe { open(urlpath, offset, &IO) })
}

/// Opens a super-chunk on disk through an I/O backend.
///
/// @param urlpath The file, or the directory of a sparse frame.
/// @param udio The backend and its parameters; copied, but the parameters have to outlive the super-chunk. Its `destroy`
///   is called with them when the super-chunk is freed, and when it cannot be opened.
/// @return The super-chunk, for `blosc2_schunk_free`; NULL when there is none, it cannot be read, or there is no such
///   backend.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_open_udio(
    urlpath: *const c_char,
    udio: *const blosc2_io,
) -> *mut blosc2_schunk {
    guard("blosc2_schunk_open_udio", || {
        // SAFETY: the caller gives a C string and a backend with its parameters, or NULL.
        unsafe { open(urlpath, 0, reference("udio", udio)?) }
    })
}

/// Opens a super-chunk that is inside of a file through an I/O backend.
///
/// @param urlpath The file.
/// @param offset Where the frame starts, in bytes from the start of the file.
/// @param udio The backend and its parameters, as for `blosc2_schunk_open_udio`.
/// @return The super-chunk, for `blosc2_schunk_free`; NULL when there is none, it cannot be read, or there is no such
///   backend.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_open_offset_udio(
    urlpath: *const c_char,
    offset: i64,
    udio: *const blosc2_io,
) -> *mut blosc2_schunk {
    guard("blosc2_schunk_open_offset_udio", || {
        // SAFETY: the caller gives a C string and a backend with its parameters, or NULL.
        unsafe { open(urlpath, offset, reference("udio", udio)?) }
    })
}

/// Makes a super-chunk of the bytes of a contiguous frame, as `blosc2_schunk_to_buffer` gives them.
///
/// @param cframe The frame.
/// @param len Its bytes.
/// @param copy Whether the chunks are copied. If not, the super-chunk lives in the bytes given. They stay the caller's,
///   who frees them after the super-chunk, unless `blosc2_schunk_avoid_cframe_free` passes them on to it.
/// @return The super-chunk, for `blosc2_schunk_free`; NULL when the bytes are no such frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_from_buffer(
    cframe: *mut u8,
    len: i64,
    copy: bool,
) -> *mut blosc2_schunk {
    guard("blosc2_schunk_from_buffer", || {
        // SAFETY: the caller gives len bytes, or NULL, and with copy false their ownership.
        unsafe { from_buffer(cframe, len, copy) }.map(NonNull::as_ptr)
    })
}

/// Says who frees the bytes of a contiguous frame in memory.
///
/// @param schunk A super-chunk; with one of another kind, or NULL, nothing happens.
/// @param avoid_cframe_free Whether the bytes stay when the super-chunk is freed, and are the caller's to free; if not,
///   they have to come from malloc(), and go with it. As long
///   as they are, the super-chunk does not change them: its first change makes a copy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_avoid_cframe_free(
    schunk: *mut blosc2_schunk,
    avoid_cframe_free: bool,
) {
    guard("blosc2_schunk_avoid_cframe_free", || {
        // SAFETY: the caller gives a live super-chunk, or NULL.
        let schunk = unsafe { Schunk::of(schunk) }?;
        schunk.changing(|engine| {
            engine.set_frame_owned(!avoid_cframe_free);
            Ok(())
        })
    });
}

/// Frees a super-chunk and all that belongs to it: its contexts, metalayers and storage, and what is in memory of its
/// chunks. What is on disk stays.
///
/// @param schunk The super-chunk.
/// @return 0; 1 when the I/O backend reports an error on freeing its parameters; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_free(schunk: *mut blosc2_schunk) -> c_int {
    guard("blosc2_schunk_free", || {
        let schunk = NonNull::new(schunk).ok_or_else(|| null("schunk"))?;
        // SAFETY: the caller gives up a live super-chunk.
        let code = unsafe { Schunk::free(schunk) };
        Ok(c_int::from(code < 0))
    })
}

/// A handle for a super-chunk that `make` makes.
///
/// # Safety
/// What `asked` points to is valid.
pub(crate) unsafe fn create(
    mut asked: Asked,
    make: impl FnOnce(Storage) -> Result<SuperChunk>,
) -> Result<NonNull<blosc2_schunk>> {
    // Whoever says what the tuner is to aim at wants that tuner.
    if env::is_set("BTUNE_TRADEOFF") {
        asked.cparams.tuner_id = BTUNE_ID;
    }
    // It knows nothing of dictionaries.
    if asked.cparams.tuner_id == BTUNE_ID {
        asked.cparams.use_dict = 0;
    }
    // SAFETY: the caller vouches for it.
    let mut draft = unsafe { Draft::new(asked) }?;
    let witness = draft.witness();
    let (cparams, dparams) = draft.params()?;
    let asked = draft.asked();
    let urlpath = asked.urlpath.as_deref().map(|urlpath| path(urlpath).to_owned());
    // SAFETY: the caller vouches for it.
    let io = unsafe { backend::backend(&asked.io) }?;
    let storage = Storage {
        contiguous: asked.contiguous,
        urlpath,
        cparams,
        dparams,
        io,
        witness,
        ..Storage::default()
    };
    let engine = make(storage)?;
    draft.finish(engine)
}

/// A handle for a super-chunk that is there already.
pub(crate) fn adopt(
    engine: SuperChunk,
    urlpath: Option<&CStr>,
    io: &blosc2_io,
) -> Result<NonNull<blosc2_schunk>> {
    let nthreads = settings().nthreads;
    let mut cparams = cparams_from(engine.cparams());
    cparams.nthreads = nthreads;
    let asked = Asked {
        contiguous: engine.is_contiguous(),
        urlpath: urlpath.map(CStr::to_owned),
        cparams,
        dparams: blosc2_dparams { nthreads, typesize: cparams.typesize, ..DPARAMS },
        io: *io,
    };
    // SAFETY: the parameters point to nothing.
    unsafe { Draft::new(asked) }?.finish(engine)
}

/// # Safety
/// `urlpath` is NULL or a C string; the parameters of `io` are what its backend wants, and live as long as the super-chunk.
pub(crate) unsafe fn open(urlpath: *const c_char, offset: i64, io: &blosc2_io) -> Result<*mut blosc2_schunk> {
    // SAFETY: the caller vouches for it.
    let urlpath = unsafe { text("urlpath", urlpath) }?;
    let Ok(offset) = u64::try_from(offset) else {
        fail!(InvalidParam, "offset {offset}");
    };
    // SAFETY: the caller vouches for the backend's parameters.
    let opened = unsafe { backend::backend(io) }
        .and_then(|io| SuperChunk::open(path(urlpath), offset, io))
        .and_then(|engine| adopt(engine, Some(urlpath), io));
    if opened.is_err() {
        // SAFETY: nobody uses the parameters any more.
        unsafe { backend::destroy(io) };
    }
    opened.map(NonNull::as_ptr)
}

/// # Safety
/// `cframe` is NULL or has `len` bytes; without `copy` they stay as long as the super-chunk does, unchanged.
pub(crate) unsafe fn from_buffer(cframe: *mut u8, len: i64, copy: bool) -> Result<NonNull<blosc2_schunk>> {
    // SAFETY: the caller vouches for it.
    let bytes = unsafe { crate::capi::pointers::bytes("cframe", cframe.cast(), len) }?;
    if bytes.is_empty() {
        fail!(InvalidParam, "a frame has more than no bytes");
    }
    if copy {
        return adopt(SuperChunk::from_cframe_copy(bytes)?, None, &IO);
    }
    // SAFETY: the caller vouches for the bytes; len is not 0. They are only lent: nothing frees them, unless
    // blosc2_schunk_avoid_cframe_free passes them on.
    let lent = unsafe { CBuf::from_raw(cframe, bytes.len()) };
    adopt(SuperChunk::from_cframe(lent, false)?, None, &IO)
}
