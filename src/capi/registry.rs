//! Codecs, filters and tuners of the program's own.

use super::callbacks::{CCodec, CFilter};
use super::guard::guard;
use super::pointers::{reference, text, text_if_any};
use super::tuners::{self, Functions, Tuner};
use super::types::{blosc2_codec, blosc2_filter, blosc2_tuner};
use crate::base::{Error, ErrorKind, Result};
use crate::codec::user::{self, Entry};
use crate::filter;
use libc::{c_char, c_int};
use std::sync::Arc;

/// Adds a codec for the whole process. Registering the same id and name again changes nothing.
///
/// @param codec The codec. Its name is copied. Where one of its functions is NULL, both are looked for in the library
///   `libblosc2_<name>.so` when they are first needed.
/// @return 0; #BLOSC2_ERROR_CODEC_PARAM when the id is below #BLOSC2_USER_REGISTERED_CODECS_START or has another name
///   already; #BLOSC2_ERROR_CODEC_SUPPORT when there are too many; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_register_codec(codec: *mut blosc2_codec) -> c_int {
    guard("blosc2_register_codec", || {
        // SAFETY: the caller gives a codec with a name, or NULL, and vouches for its functions.
        let (codec, name) = unsafe {
            let codec = reference("codec", codec)?;
            (codec, name("compname", codec.compname)?)
        };
        // SAFETY: as above.
        let functions = unsafe { CCodec::new(&name, codec.encoder, codec.decoder) };
        user::register(Entry {
            id: codec.compcode,
            name,
            library: codec.complib,
            version: codec.version,
            codec: Some(Arc::new(functions)),
        })?;
        Ok(0)
    })
}

/// Adds a filter for the whole process. Registering the same id and name again changes nothing.
///
/// @param filter The filter. Its name is copied. Where one of its functions is NULL, both are looked for in the library
///   `libblosc2_<name>.so` when they are first needed. Where neither is, it needs no name.
/// @return 0; #BLOSC2_ERROR_FAILURE when the id is below #BLOSC2_USER_REGISTERED_FILTERS_START or has another name
///   already; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_register_filter(filter: *mut blosc2_filter) -> c_int {
    guard("blosc2_register_filter", || {
        // SAFETY: the caller gives a filter, or NULL.
        let filter = unsafe { reference("filter", filter) }?;
        let name = match filter {
            // The C library does not look at this name, and Python's bindings leave it uninitialised.
            blosc2_filter { forward: Some(_), backward: Some(_), name, .. } => text_if_any(*name),
            // SAFETY: the caller gives a name, or NULL.
            _ => Some(unsafe { name("name", filter.name) }?),
        };
        let shown = name.clone().unwrap_or_else(|| filter.id.to_string());
        // SAFETY: the caller vouches for the functions.
        let functions = unsafe { CFilter::new(&shown, filter.forward, filter.backward) };
        filter::register(filter.id, name.as_deref(), Arc::new(functions))?;
        Ok(0)
    })
}

/// Adds a tuner for the whole process. Registering the same id and name again changes nothing.
///
/// @param tuner The tuner. Its name is copied. Where a function is NULL, all are looked for in the library
///   `libblosc2_<name>.so` when it is first needed.
/// @return 0; #BLOSC2_ERROR_FAILURE when the id is below #BLOSC2_USER_REGISTERED_TUNER_START or has another name
///   already; #BLOSC2_ERROR_CODEC_SUPPORT when there are too many; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_register_tuner(tuner: *mut blosc2_tuner) -> c_int {
    guard("blosc2_register_tuner", || {
        // SAFETY: the caller gives a tuner with a name, or NULL.
        let (tuner, name) = unsafe {
            let tuner = reference("tuner", tuner)?;
            (tuner, name("name", tuner.name)?)
        };
        let &blosc2_tuner { init, next_blocksize, next_cparams, update, free, id, .. } = tuner;
        let functions = Functions { init, next_blocksize, next_cparams, update, free };
        tuners::register(Tuner { id, name, functions })?;
        Ok(0)
    })
}

/// A copy of the name at `ptr`.
///
/// # Safety
/// Unless null, `ptr` points to a C string.
unsafe fn name(what: &str, ptr: *const c_char) -> Result<String> {
    // SAFETY: the caller vouches for it.
    let name = unsafe { text(what, ptr) }?.to_str();
    let name = name.map_err(|_| Error::new(ErrorKind::InvalidParam, format!("{what} is not UTF-8")))?;
    Ok(name.to_owned())
}
