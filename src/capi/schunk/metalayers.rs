//! The metalayers of a super-chunk.

use super::handle::Schunk;
use crate::base::Result;
use crate::capi::context::lifecycle::Temporary;
use crate::capi::defaults::CPARAMS;
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, bytes, null, text};
use crate::capi::types::{blosc2_cparams, blosc2_metalayer, blosc2_schunk};
use libc::{c_char, c_int};

/// Adds a fixed metalayer. A frame takes fixed metalayers only as long as it has no chunks, because they come first.
///
/// @param schunk The super-chunk.
/// @param name The metalayer's name, of at most #BLOSC2_METALAYER_NAME_MAXLEN bytes.
/// @param content Its content; copied.
/// @param content_len Bytes of the content.
/// @return The metalayer's index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is one of
///   that name, or #BLOSC2_MAX_METALAYERS, when the name is too long, the frame has chunks, or it is a view;
///   #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_meta_add(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
) -> c_int {
    guard("blosc2_meta_add", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, a C string and a content, or NULL.
        let (schunk, name, content) = unsafe { arguments(schunk, name, content, content_len) }?;
        not_a_view(schunk)?;
        Ok(schunk.changing(|engine| engine.meta_add(name, content))? as c_int)
    })
}

/// Overwrites the content of a fixed metalayer.
///
/// @param schunk The super-chunk.
/// @param name The metalayer's name.
/// @param content The new content; copied.
/// @param content_len Its bytes: no more than there are now. When it is less, the rest stays as it is.
/// @return The metalayer's index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_NOT_FOUND when there is none of that
///   name; #BLOSC2_ERROR_INVALID_PARAM when the content is too long or it is a view; #BLOSC2_ERROR_FILE_WRITE and others when the file
///   cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_meta_update(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
) -> c_int {
    guard("blosc2_meta_update", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, a C string and a content, or NULL.
        let (schunk, name, content) = unsafe { arguments(schunk, name, content, content_len) }?;
        not_a_view(schunk)?;
        Ok(schunk.changing(|engine| engine.meta_update(name, content))? as c_int)
    })
}

/// Finds a variable-length metalayer.
///
/// @param schunk The super-chunk.
/// @param name The metalayer's name.
/// @return Its index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_NOT_FOUND when there is none of that name;
///   #BLOSC2_ERROR_INVALID_PARAM when the name is too long.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_exists(schunk: *mut blosc2_schunk, name: *const c_char) -> c_int {
    guard("blosc2_vlmeta_exists", || {
        // SAFETY: the caller gives a live super-chunk and a C string, or NULL.
        let (schunk, name) = unsafe { (Schunk::of(schunk)?, text("name", name)?) };
        Ok(schunk.reading(|engine| engine.vlmeta_exists(name.to_bytes()))? as c_int)
    })
}

/// Adds a variable-length metalayer: one whose content may change its length, at any time.
///
/// @param schunk The super-chunk.
/// @param name The metalayer's name, of at most #BLOSC2_VLMETALAYERS_NAME_MAXLEN bytes.
/// @param content Its content; copied and compressed.
/// @param content_len Bytes of the content.
/// @param cparams How to compress it; NULL for #BLOSC2_CPARAMS_DEFAULTS.
/// @return The metalayer's index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is one of
///   that name, or #BLOSC2_MAX_VLMETALAYERS, or the name is too long; the codes of `blosc2_compress_ctx`;
///   #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_add(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
    cparams: *mut blosc2_cparams,
) -> c_int {
    guard("blosc2_vlmeta_add", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, a C string, a content and parameters whose
        // pointers are valid, or NULL.
        let ((schunk, name, content), cparams) =
            unsafe { (arguments(schunk, name, content, content_len)?, asked(cparams)?) };
        Ok(schunk.changing(|engine| engine.vlmeta_add(name, content, Some(&cparams.cparams()?)))? as c_int)
    })
}

/// Replaces the content of a variable-length metalayer.
///
/// @param schunk The super-chunk.
/// @param name The metalayer's name.
/// @param content The new content; copied and compressed.
/// @param content_len Bytes of the content.
/// @param cparams How to compress it; NULL for #BLOSC2_CPARAMS_DEFAULTS.
/// @return The metalayer's index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_NOT_FOUND when there is none of that
///   name; the codes of `blosc2_compress_ctx`; #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_update(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
    cparams: *mut blosc2_cparams,
) -> c_int {
    guard("blosc2_vlmeta_update", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, a C string, a content and parameters whose
        // pointers are valid, or NULL.
        let ((schunk, name, content), cparams) =
            unsafe { (arguments(schunk, name, content, content_len)?, asked(cparams)?) };
        Ok(schunk.changing(|engine| engine.vlmeta_update(name, content, Some(&cparams.cparams()?)))? as c_int)
    })
}

/// Copies the content of a variable-length metalayer.
///
/// @param schunk The super-chunk.
/// @param name The metalayer's name.
/// @param content Set to a copy that the caller frees; to NULL when the content is empty.
/// @param content_len Set to the bytes of the content.
/// @return The metalayer's index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_NOT_FOUND when there is none of that
///   name; #BLOSC2_ERROR_DATA or #BLOSC2_ERROR_READ_BUFFER when it is damaged; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_get(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut *mut u8,
    content_len: *mut i32,
) -> c_int {
    guard("blosc2_vlmeta_get", || {
        // SAFETY: the caller gives a live super-chunk, a C string and places for the results, or NULL.
        let (schunk, name, content, content_len) = unsafe {
            (
                Schunk::of(schunk)?,
                text("name", name)?.to_bytes(),
                Out::new("content", content)?,
                Out::new("content_len", content_len)?,
            )
        };
        let (at, copy) =
            schunk.reading(|engine| Ok((engine.vlmeta_exists(name)?, engine.vlmeta_get(name)?)))?;
        content_len.set(copy.len() as i32);
        content.set(copy.into_raw());
        Ok(at as c_int)
    })
}

/// Removes a variable-length metalayer.
///
/// @param schunk The super-chunk.
/// @param name The metalayer's name.
/// @return How many variable-length metalayers are left; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_NOT_FOUND when there
///   is none of that name; #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_delete(schunk: *mut blosc2_schunk, name: *const c_char) -> c_int {
    guard("blosc2_vlmeta_delete", || {
        // SAFETY: the caller gives a live super-chunk that it has for itself, and a C string, or NULL.
        let (schunk, name) = unsafe { (Schunk::of(schunk)?, text("name", name)?) };
        Ok(schunk.changing(|engine| engine.vlmeta_delete(name.to_bytes()))? as c_int)
    })
}

/// The names of the variable-length metalayers.
///
/// @param schunk The super-chunk.
/// @param names Room for `schunk->nvlmetalayers` pointers; set to the names, which are the super-chunk's, and valid until
///   its metalayers change.
/// @return How many there are; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_vlmeta_get_names(
    schunk: *mut blosc2_schunk,
    names: *mut *mut c_char,
) -> c_int {
    guard("blosc2_vlmeta_get_names", || {
        // SAFETY: the caller gives a live super-chunk and room for its names, or NULL.
        unsafe {
            Schunk::of(schunk)?;
            if names.is_null() {
                return Err(null("names"));
            }
            let n = (*schunk).nvlmetalayers.max(0) as usize;
            let metas = (&raw const (*schunk).vlmetalayers).cast::<*mut blosc2_metalayer>();
            for i in 0..n {
                names.add(i).write((**metas.add(i)).name);
            }
            Ok(n as c_int)
        }
    })
}

/// A view's fixed metalayers say what it is a view of.
fn not_a_view(schunk: &Schunk) -> Result<()> {
    if schunk.view().is_some() {
        crate::fail!(InvalidParam, "the fixed metalayers of a view");
    }
    Ok(())
}

/// # Safety
/// `schunk` is NULL or alive, `name` NULL or a C string, `content` NULL or has `content_len` bytes.
unsafe fn arguments<'a>(
    schunk: *mut blosc2_schunk,
    name: *const c_char,
    content: *mut u8,
    content_len: i32,
) -> Result<(&'a Schunk, &'a [u8], &'a [u8])> {
    // SAFETY: the caller vouches for it.
    unsafe {
        Ok((
            Schunk::of(schunk)?,
            text("name", name)?.to_bytes(),
            bytes("content", content.cast_const().cast(), content_len)?,
        ))
    }
}

/// How to compress a metalayer: as the caller says, or by default, and by the environment before both.
///
/// # Safety
/// `cparams` is NULL or parameters whose pointers are valid.
unsafe fn asked(cparams: *mut blosc2_cparams) -> Result<Temporary> {
    // SAFETY: the caller vouches for it.
    unsafe { Temporary::cctx(cparams.as_ref().unwrap_or(&CPARAMS)) }
}
