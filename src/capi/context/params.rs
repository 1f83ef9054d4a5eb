//! From the parameters in C structs to the engine's, and back.

use super::look;
use crate::base::params::{CParams, DParams, FilterSlot, FilterSlots, NdShape, SplitMode};
use crate::base::{Error, ErrorKind, Result};
use crate::capi::callbacks::{CPostfilter, CPrefilter, CTuner};
use crate::capi::pointers::{null, text, values};
use crate::capi::tuners;
use crate::capi::types::limits::BLOSC2_MAX_METALAYERS;
use crate::capi::types::private::blosc2_context_s;
use crate::capi::types::{blosc2_cparams, blosc2_dparams, blosc2_metalayer, blosc2_schunk};
use crate::codec::FIRST_REGISTERED;
use crate::fail;
use crate::filter;
use crate::ndarray::{self, NdMeta};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, AtomicI32, Ordering::Relaxed};

/// Bits of `filter_flags` and of a chunk's flags.
const SHUFFLED: u8 = 0x1;
const BITSHUFFLED: u8 = 0x4;
const DELTAED: u8 = 0x8;
/// The bit of `blosc2_flags` that asks for measurements in place of data.
pub(crate) const INSTRUMENTED: u8 = 0x80;

/// The filter pipeline of two C arrays.
pub(crate) fn slots(ids: &[u8; 6], metas: &[u8; 6]) -> FilterSlots {
    std::array::from_fn(|i| FilterSlot { id: ids[i], meta: metas[i] })
}

/// The filters as Blosc1 flags.
pub(crate) fn filter_flags(ids: &[u8; 6]) -> u8 {
    ids.iter().fold(0, |flags, id| {
        flags
            | match id {
                1 => SHUFFLED,
                2 => BITSHUFFLED,
                3 => DELTAED,
                _ => 0,
            }
    })
}

/// A split mode as C gives it. Numbers that are none stand for the default, as in the C library.
pub(crate) fn split(code: i32) -> SplitMode {
    SplitMode::from_code(code).unwrap_or_default()
}

/// Refuses ids that belong to the format or the public registry and that nobody has.
///
/// # Errors
/// `FilterPipeline`.
pub(crate) fn check_filters(ids: &[u8; 6]) -> Result<()> {
    match ids.iter().find(|id| matches!(id, 5..=31 | 37..=159)) {
        Some(id) => fail!(FilterPipeline, "filter {id} is not defined"),
        None => Ok(()),
    }
}

/// The codec's id, from a field that can hold more.
fn codec(code: i32) -> Result<u8> {
    u8::try_from(code).map_err(|_| Error::new(ErrorKind::CodecSupport, format!("there is no codec {code}")))
}

/// Takes over those fields of a compression context that say how to compress.
///
/// # Errors
/// `CodecSupport` for an id that cannot be.
///
/// # Safety
/// `context` is alive, and nobody writes it meanwhile.
pub(crate) unsafe fn absorb(context: NonNull<blosc2_context_s>, params: &mut CParams) -> Result<()> {
    // SAFETY: the caller vouches for the context.
    let mirror = unsafe { context.as_ref() };
    params.codec = codec(mirror.compcode)?;
    params.codec_meta = mirror.compcode_meta;
    params.clevel = u8::try_from(mirror.clevel).unwrap_or(u8::MAX);
    params.use_dict = mirror.use_dict != 0;
    params.typesize = mirror.typesize;
    params.nthreads = mirror.new_nthreads;
    params.blocksize = mirror.blocksize;
    params.split = split(mirror.splitmode);
    params.filters = slots(&mirror.filters, &mirror.filters_meta);
    params.instr_codec = mirror.blosc2_flags & INSTRUMENTED != 0;
    Ok(())
}

/// What a compression context asks for.
///
/// # Errors
/// `CodecSupport` for an id that cannot be; `NullPointer` for a prefilter without parameters; `InvalidParam` for a tuner
/// that is not there any more.
///
/// # Safety
/// `context` is a compression context whose prefilter, if any, may be called, and whose super-chunk, if any, is alive.
pub(crate) unsafe fn cparams_of(context: NonNull<blosc2_context_s>) -> Result<CParams> {
    let mut params = CParams { token: look::token(context), ..CParams::default() };
    // SAFETY: the caller vouches for the context.
    let mirror = unsafe {
        absorb(context, &mut params)?;
        context.as_ref()
    };
    if mirror.tuner_id > 0 {
        let tuner = tuners::find(mirror.tuner_id)?;
        // SAFETY: the caller vouches for the context; a registered tuner's functions may be called.
        params.tuner = Some(Arc::new(unsafe { CTuner::new(tuner, context) }));
    }
    if let Some(function) = mirror.prefilter {
        let preparams = NonNull::new(mirror.preparams).ok_or_else(|| null("preparams"))?;
        // SAFETY: a context owns a copy of the parameters; the caller vouches for the function.
        params.prefilter =
            Some(Arc::new(unsafe { CPrefilter::new(function, preparams.read(), context.as_ptr()) }));
    }
    if let Some(schunk) = NonNull::new(mirror.schunk) {
        params.in_schunk = true;
        // SAFETY: the caller vouches for the super-chunk.
        params.nchunk = unsafe { (*schunk.as_ptr()).current_nchunk };
        let knows_cells =
            params.codec >= FIRST_REGISTERED || mirror.filters.iter().any(|&id| id >= filter::GLOBAL_START);
        if knows_cells {
            // SAFETY: as above.
            params.nd = unsafe { array_in(schunk) };
        }
    }
    Ok(params)
}

/// What a decompression context asks for.
///
/// # Errors
/// `NullPointer` for a postfilter without parameters.
///
/// # Safety
/// `context` is a context whose postfilter, if any, may be called, and whose super-chunk, if any, is alive.
pub(crate) unsafe fn dparams_of(context: NonNull<blosc2_context_s>) -> Result<DParams> {
    // SAFETY: the caller vouches for the context.
    unsafe {
        let mut params = plain_dparams_of(context);
        surround(context, &mut params)?;
        Ok(params)
    }
}

/// Runs `work` with [`dparams_of`]. They stay where they are made: moving them takes longer than opening a small chunk.
///
/// # Errors
/// As [`dparams_of`], and what `work` returns.
///
/// # Safety
/// As [`dparams_of`].
#[inline(always)]
pub(crate) unsafe fn with_dparams<R>(
    context: NonNull<blosc2_context_s>,
    work: impl FnOnce(&DParams) -> Result<R>,
) -> Result<R> {
    // SAFETY: the caller vouches for the context.
    let params = &mut unsafe { plain_dparams_of(context) };
    // SAFETY: as above.
    unsafe { surround(context, params)? };
    work(params)
}

/// What every decompression context asks for.
///
/// # Safety
/// `context` is alive.
#[inline(always)]
unsafe fn plain_dparams_of(context: NonNull<blosc2_context_s>) -> DParams {
    // SAFETY: the caller vouches for the context; no call changes the field while others may read it.
    let nthreads = unsafe { (*context.as_ptr()).new_nthreads };
    DParams { nthreads, token: look::token(context), ..DParams::default() }
}

/// Adds what a context has besides, if anything.
///
/// # Safety
/// As [`dparams_of`].
#[inline(always)]
unsafe fn surround(context: NonNull<blosc2_context_s>, params: &mut DParams) -> Result<()> {
    let mirror = context.as_ptr();
    // SAFETY: the caller vouches for the context; no call changes these fields while others may read them.
    unsafe {
        if (*mirror).postfilter.is_some() || !(*mirror).schunk.is_null() {
            add_surroundings(context, params)?;
        }
    }
    Ok(())
}

/// What most decompression contexts have not: a postfilter, a super-chunk.
///
/// # Safety
/// As [`dparams_of`].
#[cold]
unsafe fn add_surroundings(context: NonNull<blosc2_context_s>, params: &mut DParams) -> Result<()> {
    let mirror = context.as_ptr();
    // SAFETY: as in `dparams_of`.
    let (postfilter, postparams, schunk) =
        unsafe { ((*mirror).postfilter, (*mirror).postparams, (*mirror).schunk) };
    if let Some(function) = postfilter {
        let postparams = NonNull::new(postparams).ok_or_else(|| null("postparams"))?;
        // SAFETY: a context owns a copy of the parameters; the caller vouches for the function.
        params.postfilter = Some(Arc::new(unsafe { CPostfilter::new(function, postparams.read(), mirror) }));
    }
    if let Some(schunk) = NonNull::new(schunk) {
        params.in_schunk = true;
        // SAFETY: the caller vouches for the super-chunk. Which filters there are, only a chunk says.
        (params.typesize, params.nd) = unsafe { ((*schunk.as_ptr()).typesize, array_in(schunk)) };
    }
    Ok(())
}

/// The shape of the array in a super-chunk, as codecs and filters look it up: in the public struct's metalayers.
///
/// # Safety
/// `schunk` is alive, and as many of its metalayers as it says.
unsafe fn array_in(schunk: NonNull<blosc2_schunk>) -> Option<Arc<NdShape>> {
    // SAFETY: the caller vouches for it.
    unsafe {
        let metalayers = &raw const (*schunk.as_ptr()).metalayers;
        let n = usize::from((*schunk.as_ptr()).nmetalayers).min(BLOSC2_MAX_METALAYERS);
        for i in 0..n {
            let meta = metalayers.cast::<*mut blosc2_metalayer>().add(i).read().as_ref()?;
            let name = text("metalayer name", meta.name).ok()?.to_bytes();
            if name == ndarray::meta::NAME.as_bytes() || name == ndarray::meta::CATERVA_NAME.as_bytes() {
                let content = values("metalayer content", meta.content, meta.content_len).ok()?;
                let meta = NdMeta::parse(content).ok()?;
                let (shape, chunkshape) = (meta.shape().to_vec(), meta.chunkshape().to_vec());
                return Some(Arc::new(NdShape { shape, chunkshape, blockshape: meta.blockshape().to_vec() }));
            }
        }
    }
    None
}

/// The number of the chunk that the super-chunk of a context is at; -1 without one.
///
/// # Safety
/// `context` is alive, and its super-chunk, if any.
pub(crate) unsafe fn nchunk_of(context: NonNull<blosc2_context_s>) -> i64 {
    // SAFETY: the caller vouches for both.
    unsafe { NonNull::new((*context.as_ptr()).schunk).map_or(-1, |schunk| (*schunk.as_ptr()).current_nchunk) }
}

/// The parameters that a compression context was made with, or has been changed to since.
pub(crate) fn to_cparams(mirror: &blosc2_context_s) -> blosc2_cparams {
    blosc2_cparams {
        compcode: mirror.compcode as u8, // as the C library narrows it
        compcode_meta: mirror.compcode_meta,
        clevel: mirror.clevel as u8,
        use_dict: mirror.use_dict,
        typesize: mirror.typesize,
        nthreads: mirror.nthreads,
        blocksize: mirror.blocksize,
        splitmode: mirror.splitmode,
        schunk: mirror.schunk.cast(),
        filters: mirror.filters,
        filters_meta: mirror.filters_meta,
        prefilter: mirror.prefilter,
        preparams: mirror.preparams,
        tuner_params: mirror.tuner_params,
        tuner_id: mirror.tuner_id,
        instr_codec: mirror.blosc2_flags & INSTRUMENTED != 0,
        codec_params: mirror.codec_params,
        filter_params: mirror.filter_params,
    }
}

/// The parameters that a decompression context was made with, or has been changed to since.
///
/// # Safety
/// `mirror` is alive. Other threads may be decompressing with it.
pub(crate) unsafe fn to_dparams(mirror: *mut blosc2_context_s) -> blosc2_dparams {
    // SAFETY: the caller vouches for the context. What a decompression changes is read as it is written, atomically.
    unsafe {
        blosc2_dparams {
            nthreads: AtomicI16::from_ptr(&raw mut (*mirror).nthreads).load(Relaxed),
            schunk: (*mirror).schunk.cast(),
            postfilter: (*mirror).postfilter,
            postparams: (*mirror).postparams,
            typesize: AtomicI32::from_ptr(&raw mut (*mirror).typesize).load(Relaxed),
        }
    }
}
