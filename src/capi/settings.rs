//! Settings of the process, for functions that take no context.

use super::guard::guard;
use super::library::{self, codec_name};
use super::pointers::text;
use crate::base::Result;
use crate::codec::{self, names};
use crate::fail;
use libc::{c_char, c_int};
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicI32, Ordering::Relaxed};

/// How functions without a context compress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The codec's id; none after a name that is none was set.
    pub codec: Option<u8>,
    /// Threads per call.
    pub nthreads: i16,
    /// Bytes per block; 0 is automatic.
    pub blocksize: i32,
    /// The split mode's number.
    pub splitmode: i32,
    /// Whether the delta filter is put before the shuffle.
    pub delta: bool,
}

// Each by itself, without a lock: one that another thread holds while the process forks is never given back in the child.
static CODEC: AtomicI16 = AtomicI16::new(codec::BLOSCLZ as i16);
static NTHREADS: AtomicI16 = AtomicI16::new(1);
static BLOCKSIZE: AtomicI32 = AtomicI32::new(0);
static SPLITMODE: AtomicI32 = AtomicI32::new(4);
static DELTA: AtomicBool = AtomicBool::new(false);

/// [`CODEC`] where there is none.
const NO_CODEC: i16 = -1;

/// The settings as they are now.
pub(crate) fn settings() -> Settings {
    library::start();
    Settings {
        codec: u8::try_from(CODEC.load(Relaxed)).ok(),
        nthreads: NTHREADS.load(Relaxed),
        blocksize: BLOCKSIZE.load(Relaxed),
        splitmode: SPLITMODE.load(Relaxed),
        delta: DELTA.load(Relaxed),
    }
}

/// Changes some of the settings; gives what `change` does. Of two threads that change the same one, either comes last.
pub(crate) fn change<R>(change: impl FnOnce(&mut Settings) -> R) -> R {
    let before = settings();
    let mut after = before;
    let given = change(&mut after);
    // What is as it was may be another's to change meanwhile.
    if after.codec != before.codec {
        CODEC.store(after.codec.map_or(NO_CODEC, i16::from), Relaxed);
    }
    if after.nthreads != before.nthreads {
        NTHREADS.store(after.nthreads, Relaxed);
    }
    if after.blocksize != before.blocksize {
        BLOCKSIZE.store(after.blocksize, Relaxed);
    }
    if after.splitmode != before.splitmode {
        SPLITMODE.store(after.splitmode, Relaxed);
    }
    if after.delta != before.delta {
        DELTA.store(after.delta, Relaxed);
    }
    given
}

impl Settings {
    /// Sets the number of threads; gives the one before.
    ///
    /// # Errors
    /// `InvalidParam` for less than one.
    pub(crate) fn set_nthreads(&mut self, nthreads: i16) -> Result<i16> {
        if nthreads < 1 {
            fail!(InvalidParam, "{nthreads} threads");
        }
        Ok(std::mem::replace(&mut self.nthreads, nthreads))
    }

    /// Sets the codec by its name; gives its id. A name that is none is -1, and from then on nothing can be compressed.
    ///
    /// # Errors
    /// `CodecSupport` for a registered codec.
    pub(crate) fn set_codec(&mut self, name: &str) -> Result<c_int> {
        match names::id_of(name) {
            Some(id) if id >= codec::FIRST_REGISTERED => fail!(CodecSupport, "{name} is a registered codec"),
            known => {
                self.codec = known;
                Ok(known.map_or(-1, c_int::from))
            }
        }
    }
}

/// How many threads functions without a context use.
///
/// @return Threads, the calling one included. 1 unless set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_get_nthreads() -> i16 {
    guard("blosc2_get_nthreads", || Ok(settings().nthreads))
}

/// Sets how many threads functions without a context use.
///
/// @param nthreads Threads, the calling one included; at least 1.
/// @return How many it were before; #BLOSC2_ERROR_INVALID_PARAM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_set_nthreads(nthreads: i16) -> i16 {
    guard("blosc2_set_nthreads", || change(|settings| settings.set_nthreads(nthreads)))
}

/// The codec that functions without a context compress with.
///
/// @return Its name, neither to be changed nor freed. "blosclz" unless set; NULL after a name that is none was set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_get_compressor() -> *const c_char {
    guard("blosc1_get_compressor", || {
        let name = settings().codec.and_then(codec_name);
        Ok(name.map_or(std::ptr::null(), |name| name.as_ptr()))
    })
}

/// Sets the codec that functions without a context compress with.
///
/// @param compname Its name: "blosclz", "lz4", "lz4hc", "zlib" or "zstd".
/// @return Its id; -1 when there is no such codec, and then nothing can be compressed until one is set;
///   #BLOSC2_ERROR_CODEC_SUPPORT, and nothing changes, for codecs that are not part of the format;
///   #BLOSC2_ERROR_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_set_compressor(compname: *const c_char) -> c_int {
    guard("blosc1_set_compressor", || {
        // SAFETY: the caller gives a C string, or NULL.
        let compname = unsafe { text("compname", compname) }?;
        change(|settings| settings.set_codec(compname.to_str().unwrap_or("")))
    })
}

/// Sets whether functions without a context use the delta filter.
///
/// @param dodelta 0 for no, anything else for yes. 0 unless set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_set_delta(dodelta: c_int) {
    guard("blosc2_set_delta", || {
        change(|settings| settings.delta = dodelta != 0);
        Ok(())
    });
}

/// The block size that functions without a context use.
///
/// @return Bytes; 0, unless set, when it is chosen by the data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_get_blocksize() -> c_int {
    guard("blosc1_get_blocksize", || Ok(settings().blocksize))
}

/// Sets the block size that functions without a context use.
///
/// @param blocksize Bytes; 0 to have it chosen by the data. Is cut to #BLOSC2_MAXBLOCKSIZE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_set_blocksize(blocksize: usize) {
    guard("blosc1_set_blocksize", || {
        let most = crate::base::consts::MAX_BLOCKSIZE;
        change(|settings| settings.blocksize = i32::try_from(blocksize).unwrap_or(most).min(most));
        Ok(())
    });
}

/// Sets the split mode that functions without a context use.
///
/// @param splitmode `BLOSC_ALWAYS_SPLIT`, `BLOSC_NEVER_SPLIT`, `BLOSC_AUTO_SPLIT` or `BLOSC_FORWARD_COMPAT_SPLIT`
///   (unless set, and for any other number).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc1_set_splitmode(splitmode: c_int) {
    guard("blosc1_set_splitmode", || {
        change(|settings| settings.splitmode = splitmode);
        Ok(())
    });
}
