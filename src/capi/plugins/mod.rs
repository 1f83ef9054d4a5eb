//! Codecs, filters and tuners in shared libraries of their own, loaded when they are first needed.
//!
//! A plugin `name` is the library `libblosc2_<name>.so`, whose symbol `info` points to the names of its functions. Which
//! plugins there can be is decided by the program: the reserved names of the registry, and what it registers without
//! functions. Where they are is decided by whoever set the machine up: [`places`] says where that is, and the current
//! directory is not among it. Each is looked for once in the life of the process. `BLOSC_PLUGINS=0` in the environment
//! turns all of it off.

mod library;
mod places;

use super::tuners::{Functions, Init, Step, Update};
use super::types::plugins::{
    blosc2_codec_decoder_cb, blosc2_codec_encoder_cb, blosc2_filter_backward_cb, blosc2_filter_forward_cb,
};
use crate::base::{Error, ErrorKind, Result, env};
use crate::fail;
use library::{Function, Library};
use std::collections::BTreeMap;
use std::mem::transmute;
use std::sync::{Mutex, PoisonError};

/// The plugins that were looked for, and what came of it.
static LOADED: Mutex<BTreeMap<String, Result<Library>>> = Mutex::new(BTreeMap::new());

/// The functions of the codec plugin `name`, neither of which is missing.
///
/// # Errors
/// `CodecSupport` when there is no such plugin, or it is not what it should be.
pub(crate) fn codec(name: &str) -> Result<(blosc2_codec_encoder_cb, blosc2_codec_decoder_cb)> {
    let [encoder, decoder] = functions(name).map_err(|e| e.as_kind(ErrorKind::CodecSupport))?;
    // SAFETY: a plugin that says so has functions of these types; an Option of a function is a pointer.
    Ok(unsafe {
        (
            transmute::<Function, blosc2_codec_encoder_cb>(encoder),
            transmute::<Function, blosc2_codec_decoder_cb>(decoder),
        )
    })
}

/// The functions of the filter plugin `name`, neither of which is missing.
///
/// # Errors
/// `FilterPipeline` when there is no such plugin, or it is not what it should be.
pub(crate) fn filter(name: &str) -> Result<(blosc2_filter_forward_cb, blosc2_filter_backward_cb)> {
    let [forward, backward] = functions(name).map_err(|e| e.as_kind(ErrorKind::FilterPipeline))?;
    // SAFETY: as in `codec`.
    Ok(unsafe {
        (
            transmute::<Function, blosc2_filter_forward_cb>(forward),
            transmute::<Function, blosc2_filter_backward_cb>(backward),
        )
    })
}

/// The functions of the tuner plugin `name`, none of which is missing.
///
/// # Errors
/// `Failure` when there is no such plugin, or it is not what it should be.
pub(crate) fn tuner(name: &str) -> Result<Functions> {
    let [init, next_blocksize, next_cparams, update, free] = functions(name)?;
    // SAFETY: as in `codec`.
    Ok(unsafe {
        Functions {
            init: Some(transmute::<Function, Init>(init)),
            next_blocksize: Some(transmute::<Function, Step>(next_blocksize)),
            next_cparams: Some(transmute::<Function, Step>(next_cparams)),
            update: Some(transmute::<Function, Update>(update)),
            free: Some(transmute::<Function, Step>(free)),
        }
    })
}

/// The `N` functions that the plugin `name` tells of.
fn functions<const N: usize>(name: &str) -> Result<[Function; N]> {
    if env::text("BLOSC_PLUGINS").as_deref() == Some("0") {
        fail!(Failure, "plugins are turned off, {name} among them");
    }
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if !loaded.contains_key(name) {
        let library = load(name);
        loaded.insert(name.to_owned(), library);
    }
    match &loaded[name] {
        Ok(library) => library.functions(),
        Err(error) => Err(error.clone()),
    }
}

/// Loads the plugin `name` from the first place that has one.
fn load(name: &str) -> Result<Library> {
    // A name is part of a file's.
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        fail!(Failure, "{name:?} is not the name of a plugin");
    }
    let file = format!("libblosc2_{name}.so");
    library::make_ourselves_visible();
    let mut refusals = String::new();
    for place in places::all(name, &file) {
        match Library::open(&place) {
            Ok(library) => return Ok(library),
            Err(words) => refusals = format!("{refusals}; {words}"),
        }
    }
    Err(Error::new(ErrorKind::Failure, format!("there is no plugin {name}{refusals}")))
}
