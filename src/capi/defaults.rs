//! Parameters to start from, for languages that cannot read the static ones in the headers.

use super::types::stdio::blosc2_stdio_mmap;
use super::types::{blosc2_cparams, blosc2_dparams, blosc2_io, blosc2_storage};
use std::ptr::{null, null_mut};

/// How to compress unless told otherwise.
pub(crate) const CPARAMS: blosc2_cparams = blosc2_cparams {
    compcode: 0,
    compcode_meta: 0,
    clevel: 5,
    use_dict: 0,
    typesize: 8,
    nthreads: 1,
    blocksize: 0,
    splitmode: 4,
    schunk: null_mut(),
    filters: [0, 0, 0, 0, 0, 1],
    filters_meta: [0; 6],
    prefilter: None,
    preparams: null_mut(),
    tuner_params: null_mut(),
    tuner_id: 0,
    instr_codec: false,
    codec_params: null_mut(),
    filter_params: [null_mut(); 6],
};

/// How to decompress unless told otherwise.
pub(crate) const DPARAMS: blosc2_dparams =
    blosc2_dparams { nthreads: 1, schunk: null_mut(), postfilter: None, postparams: null_mut(), typesize: 8 };

/// Where to keep a super-chunk unless told otherwise.
pub(crate) const STORAGE: blosc2_storage = blosc2_storage {
    contiguous: false,
    urlpath: null_mut(),
    cparams: null_mut(),
    dparams: null_mut(),
    io: null_mut(),
};

/// The I/O backend unless told otherwise.
pub(crate) const IO: blosc2_io = blosc2_io { id: 0, name: c"filesystem".as_ptr(), params: null_mut() };

/// The mapping unless told otherwise.
pub(crate) const MMAP: blosc2_stdio_mmap = blosc2_stdio_mmap {
    mode: c"r".as_ptr(),
    initial_mapping_size: 1 << 30,
    needs_free: false,
    addr: null_mut(),
    urlpath: null_mut(),
    file_size: 0,
    mapping_size: 0,
    is_memory_only: false,
    file: null::<libc::FILE>().cast_mut(),
    fd: -1,
    access_flags: -1,
    map_flags: -1,
};

/// The defaults of #blosc2_cparams, as #BLOSC2_CPARAMS_DEFAULTS.
///
/// @return A copy of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_blosc2_cparams_defaults() -> blosc2_cparams {
    CPARAMS
}

/// The defaults of #blosc2_dparams, as #BLOSC2_DPARAMS_DEFAULTS.
///
/// @return A copy of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_blosc2_dparams_defaults() -> blosc2_dparams {
    DPARAMS
}

/// The defaults of #blosc2_storage, as #BLOSC2_STORAGE_DEFAULTS.
///
/// @return A copy of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_blosc2_storage_defaults() -> blosc2_storage {
    STORAGE
}

/// The defaults of #blosc2_io, as #BLOSC2_IO_DEFAULTS.
///
/// @return A copy of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_blosc2_io_defaults() -> blosc2_io {
    IO
}

/// The defaults of #blosc2_stdio_mmap, as #BLOSC2_STDIO_MMAP_DEFAULTS.
///
/// @return A copy of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_blosc2_stdio_mmap_defaults() -> blosc2_stdio_mmap {
    MMAP
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::params::{CParams, DParams};

    #[test]
    fn the_engine_has_the_same_defaults() {
        let engine = CParams::default();
        assert_eq!(
            (CPARAMS.compcode, CPARAMS.clevel, CPARAMS.typesize),
            (engine.codec, engine.clevel, engine.typesize)
        );
        assert_eq!((CPARAMS.nthreads, CPARAMS.blocksize), (engine.nthreads, engine.blocksize));
        assert_eq!(CPARAMS.splitmode, engine.split.code());
        assert_eq!(CPARAMS.filters, engine.filters.map(|slot| slot.id));
        assert_eq!(DPARAMS.nthreads, DParams::default().nthreads);
    }
}
