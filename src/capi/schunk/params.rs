//! The parameters of a super-chunk.

use super::handle::Schunk;
use crate::base::params::CParams;
use crate::capi::defaults::{CPARAMS, DPARAMS};
use crate::capi::guard::guard;
use crate::capi::pointers::{Out, malloc_value};
use crate::capi::types::{blosc2_cparams, blosc2_dparams, blosc2_schunk};
use libc::c_int;

/// How a super-chunk compresses what is appended.
///
/// @param schunk The super-chunk.
/// @param cparams Set to the parameters, which the caller frees. Prefilter, tuner and what belongs to them are not in
///   them.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_cparams(
    schunk: *mut blosc2_schunk,
    cparams: *mut *mut blosc2_cparams,
) -> c_int {
    guard("blosc2_schunk_get_cparams", || {
        // SAFETY: the caller gives a live super-chunk and a place for a pointer, or NULL; contexts are NULL or alive.
        let (cparams, asked) = unsafe {
            Schunk::of(schunk)?;
            let nthreads = (*schunk).cctx.as_ref().map_or(1, |cctx| cctx.nthreads);
            let asked = blosc2_cparams {
                compcode: (*schunk).compcode,
                compcode_meta: (*schunk).compcode_meta,
                clevel: (*schunk).clevel,
                use_dict: (*schunk).use_dict.into(),
                typesize: (*schunk).typesize,
                nthreads,
                blocksize: (*schunk).blocksize,
                splitmode: (*schunk).splitmode.into(),
                schunk: schunk.cast(),
                filters: (*schunk).filters,
                filters_meta: (*schunk).filters_meta,
                ..CPARAMS
            };
            (Out::new("cparams", cparams)?, asked)
        };
        cparams.set(malloc_value(&asked)?);
        Ok(0)
    })
}

/// How a super-chunk decompresses what is read.
///
/// @param schunk The super-chunk.
/// @param dparams Set to the parameters, which the caller frees. The postfilter is not in them.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_MEMORY_ALLOC.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_schunk_get_dparams(
    schunk: *mut blosc2_schunk,
    dparams: *mut *mut blosc2_dparams,
) -> c_int {
    guard("blosc2_schunk_get_dparams", || {
        // SAFETY: the caller gives a live super-chunk and a place for a pointer, or NULL; contexts are NULL or alive.
        let (dparams, asked) = unsafe {
            Schunk::of(schunk)?;
            let nthreads = (*schunk).dctx.as_ref().map_or(1, |dctx| dctx.nthreads);
            let asked =
                blosc2_dparams { nthreads, schunk: schunk.cast(), typesize: (*schunk).typesize, ..DPARAMS };
            (Out::new("dparams", dparams)?, asked)
        };
        dparams.set(malloc_value(&asked)?);
        Ok(0)
    })
}

/// The engine's parameters in a C struct.
pub(crate) fn cparams_from(params: &CParams) -> blosc2_cparams {
    blosc2_cparams {
        compcode: params.codec,
        compcode_meta: params.codec_meta,
        clevel: params.clevel,
        use_dict: params.use_dict.into(),
        typesize: params.typesize,
        nthreads: params.nthreads,
        blocksize: params.blocksize,
        splitmode: params.split.code(),
        filters: params.filters.map(|slot| slot.id),
        filters_meta: params.filters.map(|slot| slot.meta),
        ..CPARAMS
    }
}
