//! `struct blosc2_context_s`.

use crate::capi::types::limits::{BLOSC2_MAX_FILTERS, BLOSC2_MAX_UDFILTERS};
use crate::capi::types::{
    blosc2_filter, blosc2_postfilter_fn, blosc2_postfilter_params, blosc2_prefilter_fn,
    blosc2_prefilter_params, blosc2_schunk,
};
use libc::{c_int, c_void, pthread_cond_t, pthread_mutex_t};

/// What compresses or decompresses. Live fields are described; the others hold their place.
#[repr(C)]
pub struct blosc2_context_s {
    /// The data (compressing) or the chunk (decompressing) of the current call.
    pub src: *const u8,
    /// Where the current call writes.
    pub dest: *mut u8,
    /// The chunk's flags byte.
    pub header_flags: u8,
    /// The chunk's Blosc2 flags byte.
    pub blosc2_flags: u8,
    /// The chunk's second Blosc2 flags byte.
    pub blosc2_flags2: u8,
    /// Bytes of data of the current chunk.
    pub sourcesize: i32,
    /// Held.
    pub header_overhead: i32,
    /// Blocks of the current chunk.
    pub nblocks: i32,
    /// Bytes of the last block when it is shorter.
    pub leftover: i32,
    /// Bytes per block; 0 lets the tuner choose.
    pub blocksize: i32,
    /// Held.
    pub header_blocksize: i32,
    /// The split mode.
    pub splitmode: i32,
    /// Bytes written by the last call.
    pub output_bytes: i32,
    /// Bytes at `src`.
    pub srcsize: i32,
    /// Bytes at `dest`.
    pub destsize: i32,
    /// Bytes per item.
    pub typesize: i32,
    /// Held.
    pub bstarts: *mut i32,
    /// Held.
    pub blocknbytes: *mut i32,
    /// Held.
    pub blockoffsets: *mut i32,
    /// Held.
    pub blockcbytes: *mut i32,
    /// Held.
    pub vlblock_sources: *mut *const u8,
    /// Held.
    pub vlblock_dests: *mut *mut u8,
    /// Held.
    pub special_type: i32,
    /// The codec.
    pub compcode: c_int,
    /// The codec's parameter.
    pub compcode_meta: u8,
    /// The compression level.
    pub clevel: c_int,
    /// Whether a dictionary is trained; when decompressing, whether the last chunk had one.
    pub use_dict: c_int,
    /// Held.
    pub dict_buffer: *mut c_void,
    /// Held.
    pub dict_size: i32,
    /// Held.
    pub dict_cdict: *mut c_void,
    /// Held.
    pub dict_ddict: *mut c_void,
    /// The filters as Blosc1 flags.
    pub filter_flags: u8,
    /// The filters.
    pub filters: [u8; BLOSC2_MAX_FILTERS],
    /// The filters' parameters.
    pub filters_meta: [u8; BLOSC2_MAX_FILTERS],
    /// Held.
    pub urfilters: [blosc2_filter; BLOSC2_MAX_UDFILTERS],
    /// The prefilter.
    pub prefilter: blosc2_prefilter_fn,
    /// The postfilter.
    pub postfilter: blosc2_postfilter_fn,
    /// The prefilter's parameters, a copy.
    pub preparams: *mut blosc2_prefilter_params,
    /// The postfilter's parameters, a copy.
    pub postparams: *mut blosc2_postfilter_params,
    /// Blocks to leave out of the next decompression.
    pub block_maskout: *mut bool,
    /// Entries at `block_maskout`.
    pub block_maskout_nitems: c_int,
    /// The super-chunk that the context belongs to.
    pub schunk: *mut blosc2_schunk,
    /// Held.
    pub serial_context: *mut c_void,
    /// Whether the context compresses.
    pub do_compress: c_int,
    /// The tuner's own state.
    pub tuner_params: *mut c_void,
    /// The tuner's id.
    pub tuner_id: c_int,
    /// The codec's own parameters.
    pub codec_params: *mut c_void,
    /// The filters' own parameters.
    pub filter_params: [*mut c_void; BLOSC2_MAX_FILTERS],
    /// Threads that work on a chunk.
    pub nthreads: i16,
    /// Threads that are to work on the next one.
    pub new_nthreads: i16,
    /// Held.
    pub thread_backend: i16,
    /// Held.
    pub threads_started: i16,
    /// Held.
    pub thread_contexts: *mut c_void,
    /// Not NULL when threads of a pool work for this context; equal where two contexts share the pool.
    pub thread_pool: *mut c_void,
    /// Held.
    pub pool_epoch: i32,
    /// Held.
    pub job: *mut c_void,
    /// Held.
    pub count_mutex: pthread_mutex_t,
    /// Held.
    pub nchunk_mutex: pthread_mutex_t,
    /// Held.
    pub thread_giveup_code: c_int,
    /// Held.
    pub dref_not_init: c_int,
    /// Held.
    pub delta_mutex: pthread_mutex_t,
    /// Held.
    pub delta_cv: pthread_cond_t,
    /// Held.
    pub dict_buffer_owned: bool,
    /// Held.
    pub end_threads: i16,
    /// Held.
    pub job_seq: u32,
    /// Held.
    pub active_workers: i16,
    /// Held.
    pub thread_nblock: i32,
    /// Held.
    pub threads: *mut c_void,
    /// Held.
    pub jobs_mutex: pthread_mutex_t,
    /// Held.
    pub jobs_ready: pthread_cond_t,
    /// Held.
    pub jobs_done: pthread_cond_t,
}
