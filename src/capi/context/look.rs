//! What tuners, hooks, codecs and filters see of a context while a call runs.
//!
//! A compression context is used by one thread at a time, and its fields are simply written. Several threads may
//! decompress with one context: the fields are then stored one by one, each whole, and only where somebody can look.

use super::params::{filter_flags, to_cparams, to_dparams};
use crate::base::params::CParams;
use crate::capi::defaults::{CPARAMS, DPARAMS};
use crate::capi::types::private::blosc2_context_s;
use crate::capi::types::{blosc2_cparams, blosc2_dparams};
use crate::chunk::{ChunkHeader, Plan};
use crate::{codec, exec, filter};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicI16, AtomicI32, AtomicPtr, AtomicU8, Ordering::Relaxed};

/// The word by which the engine names a context.
pub(crate) fn token(context: NonNull<blosc2_context_s>) -> usize {
    context.as_ptr().expose_provenance()
}

/// The context that a word names; none for calls without a context.
fn context_of(token: usize) -> Option<NonNull<blosc2_context_s>> {
    NonNull::new(ptr::with_exposed_provenance_mut(token))
}

/// What a codec or filter gets to see of the parameters when compressing.
///
/// # Safety
/// `token` is 0 or that of a context that is compressing.
pub(crate) unsafe fn cparams_of_call(token: usize) -> blosc2_cparams {
    // SAFETY: the caller vouches for the context, which nobody writes while blocks are worked on.
    context_of(token).map_or(CPARAMS, |context| to_cparams(unsafe { context.as_ref() }))
}

/// What a codec or filter gets to see of the parameters when decompressing a chunk of `typesize`.
///
/// # Safety
/// `token` is 0 or that of a context that is decompressing.
pub(crate) unsafe fn dparams_of_call(token: usize, typesize: i32) -> blosc2_dparams {
    // SAFETY: the caller vouches for the context.
    let dparams = context_of(token).map_or(DPARAMS, |context| unsafe { to_dparams(context.as_ptr()) });
    blosc2_dparams { typesize, ..dparams }
}

/// A chunk is being compressed: the context tells what goes on until this is dropped.
pub(crate) struct Compressing {
    context: NonNull<blosc2_context_s>,
    /// The block size that the caller asked for.
    asked: i32,
}

impl Compressing {
    /// `nbytes` bytes at `src` are going to be compressed into `room` bytes at `dest`.
    ///
    /// # Safety
    /// `context` is a compression context that nobody else uses for as long as the value lives.
    pub(crate) unsafe fn begin(
        context: NonNull<blosc2_context_s>,
        params: &CParams,
        (src, nbytes): (*const u8, usize),
        (dest, room): (*mut u8, usize),
    ) -> Self {
        let mirror = context.as_ptr();
        // SAFETY: the caller vouches for the context. Sizes of chunks have 31 bits; of a larger room only so much counts.
        unsafe {
            (*mirror).src = src;
            (*mirror).dest = dest;
            (*mirror).destsize = i32::try_from(room).unwrap_or(i32::MAX);
            employ(mirror);
            show_size(context, nbytes);
            if params.tuner.is_none() && (params.prefilter.is_some() || is_foreign(params)) {
                show_blocks(context, params, nbytes);
            }
            Compressing { context, asked: params.blocksize }
        }
    }

    /// The chunk has `cbytes` bytes.
    pub(crate) fn done(&self, cbytes: usize) {
        // SAFETY: `begin`'s caller vouched for the context.
        unsafe { (*self.context.as_ptr()).output_bytes = cbytes as i32 };
    }
}

impl Drop for Compressing {
    fn drop(&mut self) {
        let mirror = self.context.as_ptr();
        // What the next call goes by is what was asked for, not what came of it; unless a tuner asks.
        // SAFETY: `begin`'s caller vouched for the context.
        unsafe {
            if (*mirror).tuner_id == 0 {
                (*mirror).blocksize = self.asked;
            }
        }
    }
}

/// Whether the codec or a filter is a program's or a plugin's.
fn is_foreign(params: &CParams) -> bool {
    params.codec >= codec::FIRST_REGISTERED || params.filters.iter().any(|slot| slot.id >= filter::USER_START)
}

/// `nbytes` bytes are going to be compressed.
///
/// # Safety
/// `context` is a compression context that nobody else uses.
pub(crate) unsafe fn show_size(context: NonNull<blosc2_context_s>, nbytes: usize) {
    let mirror = context.as_ptr();
    // SAFETY: the caller vouches for the context.
    unsafe {
        (*mirror).srcsize = nbytes as i32;
        (*mirror).sourcesize = nbytes as i32;
        (*mirror).output_bytes = 0;
        (*mirror).filter_flags = filter_flags(&(*mirror).filters);
    }
}

/// The blocks that `nbytes` bytes are going to be compressed in.
///
/// # Safety
/// As [`show_size`].
pub(crate) unsafe fn show_blocks(context: NonNull<blosc2_context_s>, params: &CParams, nbytes: usize) {
    // What cannot be planned fails elsewhere.
    let Ok(plan) = Plan::new(params, nbytes) else { return };
    let mirror = context.as_ptr();
    // SAFETY: the caller vouches for the context.
    unsafe {
        // A tuner's block size is the tuner's, even where the data is shorter.
        if params.tuner.is_none() || (*mirror).blocksize == 0 {
            (*mirror).blocksize = plan.blocksize as i32;
        }
        (*mirror).nblocks = plan.nblocks as i32;
        (*mirror).leftover = (nbytes % plan.blocksize) as i32;
        (*mirror).header_flags = plan.flags();
        (*mirror).filter_flags = filter_flags(&(*mirror).filters);
    }
}

/// Takes in the number of threads that was asked for last, and with it the pool. Contexts with as many threads share one;
/// callers look only at which.
///
/// # Safety
/// `mirror` is alive.
pub(crate) unsafe fn employ(mirror: *mut blosc2_context_s) {
    // Of a kind that may change: such zeros take no place in the library, and nobody ever reads these.
    static POOLS: [AtomicU8; 1 << 15] = [const { AtomicU8::new(0) }; 1 << 15];
    // SAFETY: the caller vouches for the context; all who write these fields at the same time do it here, atomically.
    unsafe {
        let asked = AtomicI16::from_ptr(&raw mut (*mirror).new_nthreads).load(Relaxed);
        let nthreads = AtomicI16::from_ptr(&raw mut (*mirror).nthreads);
        let thread_pool = AtomicPtr::from_ptr(&raw mut (*mirror).thread_pool);
        let pool = match usize::try_from(asked) {
            Ok(n) if n > 1 && !exec::has_executor() => POOLS.get(n),
            _ => None,
        };
        let pool = pool.map_or(ptr::null_mut(), |pool| ptr::from_ref(pool).cast_mut().cast());
        if nthreads.load(Relaxed) != asked || thread_pool.load(Relaxed) != pool {
            nthreads.store(asked, Relaxed);
            thread_pool.store(pool, Relaxed);
        }
    }
}

/// Stores values into fields of the struct at `$mirror`, each as a whole.
macro_rules! store {
    ($mirror:expr, { $($field:ident: $atomic:ident = $value:expr),+ $(,)? }) => {
        // SAFETY: the caller's context is alive, and its fields are aligned.
        unsafe { $($atomic::from_ptr((&raw mut (*$mirror).$field).cast()).store($value, Relaxed);)+ }
    };
}

/// A chunk is being decompressed to `dest`: tells so where a postfilter, or a codec or filter that is not ours, can look,
/// and whether there is a dictionary in any case.
///
/// # Safety
/// `context` is alive.
pub(crate) unsafe fn decompressing(
    context: NonNull<blosc2_context_s>,
    hooked: bool,
    (src, srcsize): (*const u8, i32),
    header: &ChunkHeader,
    (dest, destsize): (*mut u8, i32),
) {
    // SAFETY: the caller vouches for the context.
    unsafe {
        tell_dict(context, header.uses_dict());
        if hooked || header.is_foreign() {
            show(context, (src, srcsize), header, (dest, destsize));
        }
    }
}

/// [`decompressing`] a chunk in which there is nothing to look at for anybody.
///
/// # Safety
/// As [`decompressing`].
#[inline]
pub(super) unsafe fn decompressing_plain(context: NonNull<blosc2_context_s>) {
    // SAFETY: the caller vouches for the context.
    unsafe { tell_dict(context, false) };
}

/// What is there for all to see of a chunk that is being decompressed: on how many threads, and whether it has a dictionary.
/// Both are rarely news.
///
/// # Safety
/// `context` is alive.
unsafe fn tell_dict(context: NonNull<blosc2_context_s>, uses: bool) {
    // SAFETY: the caller vouches for the context.
    unsafe {
        employ(context.as_ptr());
        let use_dict = AtomicI32::from_ptr(&raw mut (*context.as_ptr()).use_dict);
        if use_dict.load(Relaxed) != i32::from(uses) {
            use_dict.store(uses.into(), Relaxed);
        }
    }
}

/// Tells all about a chunk that is being decompressed to `dest`.
///
/// # Safety
/// `context` is alive.
#[cold]
unsafe fn show(
    context: NonNull<blosc2_context_s>,
    (src, srcsize): (*const u8, i32),
    header: &ChunkHeader,
    (dest, destsize): (*mut u8, i32),
) {
    let mirror = context.as_ptr();
    let blocksize = if header.is_vl() { 0 } else { header.blocksize() };
    let leftover = header.nbytes().checked_rem(blocksize).unwrap_or(0);
    store!(mirror, {
        src: AtomicPtr = src.cast_mut(),
        dest: AtomicPtr = dest,
        srcsize: AtomicI32 = srcsize,
        destsize: AtomicI32 = destsize,
        sourcesize: AtomicI32 = header.nbytes() as i32,
        output_bytes: AtomicI32 = 0,
        typesize: AtomicI32 = header.typesize() as i32,
        blocksize: AtomicI32 = blocksize as i32,
        nblocks: AtomicI32 = header.nblocks() as i32,
        leftover: AtomicI32 = leftover as i32,
        compcode: AtomicI32 = header.codec().unwrap_or(u8::MAX).into(),
        compcode_meta: AtomicU8 = header.codec_meta(),
        header_flags: AtomicU8 = header.flags(),
        blosc2_flags: AtomicU8 = header.blosc2_flags(),
        special_type: AtomicI32 = header.special().map_or(0, |special| special.code().into()),
        filter_flags: AtomicU8 = filter_flags(&header.filters().map(|slot| slot.id)),
    });
    for (i, slot) in header.filters().iter().enumerate() {
        // SAFETY: as above; both arrays have as many places as a header.
        unsafe {
            AtomicU8::from_ptr(&raw mut (*mirror).filters[i]).store(slot.id, Relaxed);
            AtomicU8::from_ptr(&raw mut (*mirror).filters_meta[i]).store(slot.meta, Relaxed);
        }
    }
}
