//! Contexts come and go.

use super::look;
use super::params::{INSTRUMENTED, check_filters, cparams_of, filter_flags, to_cparams, to_dparams};
use crate::base::params::CParams;
use crate::base::{Error, ErrorKind, Result, env};
use crate::capi::environment::{self, Asker, Overrides};
use crate::capi::guard::guard;
use crate::capi::library;
use crate::capi::pointers::{Out, malloc_value, null, reference};
use crate::capi::tuners;
use crate::capi::types::private::blosc2_context_s;
use crate::capi::types::{blosc2_context, blosc2_cparams, blosc2_dparams};
use crate::chunk;
use crate::codec::names;
use crate::filter;
use libc::c_int;
use std::ptr::NonNull;

/// Makes a context that compresses.
///
/// The environment takes the place of parameters: BLOSC_CLEVEL, BLOSC_SHUFFLE (NOSHUFFLE, SHUFFLE or BITSHUFFLE),
/// BLOSC_DELTA (0 or 1), BLOSC_TYPESIZE, BLOSC_COMPRESSOR, BLOSC_BLOCKSIZE, BLOSC_NTHREADS and BLOSC_SPLITMODE (ALWAYS,
/// NEVER, AUTO or FORWARD_COMPAT).
///
/// @param cparams How to compress. What `preparams` points to is copied; `schunk`, `codec_params` and
///   `filter_params` are kept as they are and have to outlive the context; `tuner_params` is passed to the tuner.
/// @return The context, for `blosc2_free_ctx`; NULL when a filter or the tuner is unknown, or memory is short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_create_cctx(cparams: blosc2_cparams) -> *mut blosc2_context {
    guard("blosc2_create_cctx", || {
        // SAFETY: the caller vouches for what cparams points to.
        unsafe { new_cctx(&cparams, &Overrides::read(Asker::Context)) }.map(NonNull::as_ptr)
    })
}

/// Makes a context that decompresses. BLOSC_NTHREADS in the environment takes the place of `nthreads`.
///
/// @param dparams How to decompress. What `postparams` points to is copied; `schunk` is kept as it is and has to
///   outlive the context.
/// @return The context, for `blosc2_free_ctx`; NULL when memory is short.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_create_dctx(dparams: blosc2_dparams) -> *mut blosc2_context {
    guard("blosc2_create_dctx", || {
        // SAFETY: the caller vouches for what dparams points to.
        unsafe { new_dctx(&dparams) }.map(NonNull::as_ptr)
    })
}

/// Frees a context and what it owns, and memory that threads keep for contexts and are not using, where it is much. The
/// super-chunk that the context may belong to stays.
///
/// @param context A context; with NULL, nothing happens.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_free_ctx(context: *mut blosc2_context) {
    guard("blosc2_free_ctx", || {
        let context = NonNull::new(context).ok_or_else(|| null("context"))?;
        // SAFETY: the caller gives up a context that blosc2_create_*ctx made.
        unsafe { free(context) };
        chunk::give_back_scratch();
        Ok(())
    });
}

/// The parameters of a compression context.
///
/// @param ctx The context.
/// @param cparams Set to its parameters. `preparams` stays the context's.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_ctx_get_cparams(
    ctx: *mut blosc2_context,
    cparams: *mut blosc2_cparams,
) -> c_int {
    guard("blosc2_ctx_get_cparams", || {
        // SAFETY: the caller gives a context and a place for parameters, or NULL.
        let (ctx, cparams) = unsafe { (reference("ctx", ctx)?, Out::new("cparams", cparams)?) };
        cparams.set(to_cparams(ctx));
        Ok(0)
    })
}

/// The parameters of a decompression context.
///
/// @param ctx The context.
/// @param dparams Set to its parameters. `postparams` stays the context's.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_ctx_get_dparams(
    ctx: *mut blosc2_context,
    dparams: *mut blosc2_dparams,
) -> c_int {
    guard("blosc2_ctx_get_dparams", || {
        // SAFETY: the caller gives a context and a place for parameters, or NULL.
        let dparams = unsafe { Out::new("dparams", dparams) }?;
        let ctx = NonNull::new(ctx).ok_or_else(|| null("ctx"))?;
        // SAFETY: as above.
        dparams.set(unsafe { to_dparams(ctx.as_ptr()) });
        Ok(0)
    })
}

/// # Safety
/// `cparams.preparams` is NULL or points to parameters.
pub(crate) unsafe fn new_cctx(
    cparams: &blosc2_cparams,
    asked: &Overrides,
) -> Result<NonNull<blosc2_context_s>> {
    library::prepare();
    env::look_for_info();
    check_filters(&cparams.filters)?;
    let mut mirror = zeroed();
    mirror.do_compress = 1;
    mirror.use_dict = cparams.use_dict;
    mirror.blosc2_flags = if cparams.instr_codec { INSTRUMENTED } else { 0 };
    mirror.typesize = asked.typesize.unwrap_or(cparams.typesize);
    mirror.filters = cparams.filters;
    mirror.filters_meta = cparams.filters_meta;
    override_filters(&mut mirror.filters, mirror.typesize, asked.shuffle, asked.delta);
    mirror.filter_flags = filter_flags(&mirror.filters);
    mirror.clevel = asked.clevel.unwrap_or(cparams.clevel.into());
    mirror.compcode = match &asked.compressor {
        Some(name) => override_codec(name)?,
        None => cparams.compcode.into(),
    };
    mirror.compcode_meta = cparams.compcode_meta;
    mirror.blocksize = asked.blocksize.unwrap_or(cparams.blocksize);
    mirror.new_nthreads = asked.nthreads.unwrap_or(cparams.nthreads);
    mirror.splitmode = asked.split.map_or(cparams.splitmode, |split| split.code());
    mirror.schunk = cparams.schunk.cast();
    if cparams.prefilter.is_some() {
        // SAFETY: the caller vouches for preparams.
        mirror.preparams = malloc_value(unsafe { reference("preparams", cparams.preparams) }?)?;
        mirror.prefilter = cparams.prefilter;
    }
    let context = NonNull::from(Box::leak(mirror));
    // SAFETY: nobody else has the context yet. The tuner gets it while it is not complete, as in the C library.
    unsafe {
        look::employ(context.as_ptr());
        if let Err(error) = tuners::start(cparams, context) {
            free_parts(context);
            return Err(error);
        }
        (*context.as_ptr()).codec_params = cparams.codec_params;
        (*context.as_ptr()).filter_params = cparams.filter_params;
    }
    Ok(context)
}

/// # Safety
/// `dparams.postparams` is NULL or points to parameters.
pub(crate) unsafe fn new_dctx(dparams: &blosc2_dparams) -> Result<NonNull<blosc2_context_s>> {
    library::prepare();
    let mut mirror = zeroed();
    mirror.new_nthreads = environment::decompression_threads().unwrap_or(dparams.nthreads);
    mirror.schunk = dparams.schunk.cast();
    if dparams.postfilter.is_some() {
        // SAFETY: the caller vouches for postparams.
        mirror.postparams = malloc_value(unsafe { reference("postparams", dparams.postparams) }?)?;
        mirror.postfilter = dparams.postfilter;
    }
    let context = NonNull::from(Box::leak(mirror));
    // SAFETY: nobody else has the context yet.
    unsafe { look::employ(context.as_ptr()) };
    Ok(context)
}

/// # Safety
/// `context` came from [`new_cctx`] or [`new_dctx`] and nobody uses it any more.
pub(crate) unsafe fn free(context: NonNull<blosc2_context_s>) {
    // SAFETY: the caller gives the context up.
    unsafe {
        if let Err(error) = tuners::stop(context) {
            env::trace(&error);
        }
        free_parts(context);
    }
}

/// [`free`] without a word to the tuner.
///
/// # Safety
/// As [`free`].
unsafe fn free_parts(context: NonNull<blosc2_context_s>) {
    // SAFETY: both makers leak a box; what hangs in it came from malloc.
    unsafe {
        let mirror = Box::from_raw(context.as_ptr());
        libc::free(mirror.preparams.cast());
        libc::free(mirror.postparams.cast());
        libc::free(mirror.block_maskout.cast());
    }
}

/// A context for the length of a call.
pub(crate) struct Temporary(NonNull<blosc2_context_s>);

impl Temporary {
    /// As [`new_cctx`], with what the environment asks for.
    ///
    /// # Safety
    /// As [`new_cctx`].
    pub(crate) unsafe fn cctx(cparams: &blosc2_cparams) -> Result<Self> {
        // SAFETY: the caller vouches for it.
        unsafe { new_cctx(cparams, &Overrides::read(Asker::Context)) }.map(Temporary)
    }

    /// What it asks for; hooks in it see the context, so it has to live until they are done.
    pub(crate) fn cparams(&self) -> Result<CParams> {
        // SAFETY: the context is alive, and whoever made it vouched for its pointers.
        unsafe { cparams_of(self.0) }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // SAFETY: the context is ours.
        unsafe { free(self.0) };
    }
}

fn zeroed() -> Box<blosc2_context_s> {
    // SAFETY: all fields are integers, pointers, optional functions and pthread objects, for which zero is valid.
    unsafe { Box::<blosc2_context_s>::new_zeroed().assume_init() }
}

/// The environment's shuffle goes into the last place of the pipeline, its delta into the one before.
pub(crate) fn override_filters(
    filters: &mut [u8; 6],
    typesize: i32,
    shuffle: Option<u8>,
    delta: Option<bool>,
) {
    match shuffle {
        // Nothing to shuffle.
        Some(filter::SHUFFLE) if typesize <= 1 => {}
        Some(shuffle) => filters[5] = shuffle,
        None => {}
    }
    if delta == Some(true) {
        filters[4] = filter::DELTA;
    }
}

/// The codec that the environment names. An unknown name is an error only when something is compressed.
fn override_codec(name: &str) -> Result<i32> {
    match names::id_of(name) {
        Some(id) if id >= crate::codec::FIRST_REGISTERED => Err(Error::new(
            ErrorKind::CodecSupport,
            format!("BLOSC_COMPRESSOR names {name}, a registered codec"),
        )),
        id => Ok(id.map_or(-1, i32::from)),
    }
}
