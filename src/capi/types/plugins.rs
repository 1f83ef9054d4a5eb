//! What a program can add: codecs, filters, tuners, a pool of threads.

use super::{blosc2_context, blosc2_cparams, blosc2_dparams};
use libc::{c_char, c_int, c_void};

/// Compresses `input_len` bytes at `input` into at most `output_len` bytes at `output`. `meta` is the codec's
/// parameter byte, `chunk` the data of the chunk that the stream belongs to. Returns how many bytes were written, 0
/// when they do not fit, or a negative error code.
pub type blosc2_codec_encoder_cb = Option<
    unsafe extern "C" fn(
        input: *const u8,
        input_len: i32,
        output: *mut u8,
        output_len: i32,
        meta: u8,
        cparams: *mut blosc2_cparams,
        chunk: *const c_void,
    ) -> c_int,
>;
/// Decompresses `input_len` bytes at `input` into `output_len` bytes at `output`. `meta` is the codec's parameter
/// byte, `chunk` the compressed chunk. Returns how many bytes were written, or a negative error code.
pub type blosc2_codec_decoder_cb = Option<
    unsafe extern "C" fn(
        input: *const u8,
        input_len: i32,
        output: *mut u8,
        output_len: i32,
        meta: u8,
        dparams: *mut blosc2_dparams,
        chunk: *const c_void,
    ) -> c_int,
>;

/// A codec. Its functions are called from several threads at once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_codec {
    /// Its id; a program's own from #BLOSC2_USER_REGISTERED_CODECS_START on.
    pub compcode: u8,
    /// Its name.
    pub compname: *mut c_char,
    /// The id of the format it writes.
    pub complib: u8,
    /// The version of that format.
    pub version: u8,
    /// Compresses.
    pub encoder: blosc2_codec_encoder_cb,
    /// Decompresses.
    pub decoder: blosc2_codec_decoder_cb,
}

/// Transforms `length` bytes from `input` to `output` before they are compressed. `meta` is the filter's parameter
/// byte, `id` its id. Returns 0, or a negative error code.
pub type blosc2_filter_forward_cb = Option<
    unsafe extern "C" fn(
        input: *const u8,
        output: *mut u8,
        length: i32,
        meta: u8,
        cparams: *mut blosc2_cparams,
        id: u8,
    ) -> c_int,
>;
/// Undoes what the forward function did.
pub type blosc2_filter_backward_cb = Option<
    unsafe extern "C" fn(
        input: *const u8,
        output: *mut u8,
        length: i32,
        meta: u8,
        dparams: *mut blosc2_dparams,
        id: u8,
    ) -> c_int,
>;

/// A filter. Its functions are called from several threads at once.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_filter {
    /// Its id; a program's own from #BLOSC2_USER_REGISTERED_FILTERS_START on.
    pub id: u8,
    /// Its name.
    pub name: *mut c_char,
    /// Its version.
    pub version: u8,
    /// Applied when compressing.
    pub forward: blosc2_filter_forward_cb,
    /// Applied when decompressing.
    pub backward: blosc2_filter_backward_cb,
}

/// A tuner: chooses compression parameters chunk by chunk. Every function returns 0, or a negative error code.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_tuner {
    /// Called when a context is made. Whatever it wants to keep of `config` it copies. `dctx` may be NULL.
    pub init: Option<
        unsafe extern "C" fn(
            config: *mut c_void,
            cctx: *mut blosc2_context,
            dctx: *mut blosc2_context,
        ) -> c_int,
    >,
    /// Chooses the block size of the next chunk, and nothing else.
    pub next_blocksize: Option<unsafe extern "C" fn(context: *mut blosc2_context) -> c_int>,
    /// Chooses all parameters of the next chunk.
    pub next_cparams: Option<unsafe extern "C" fn(context: *mut blosc2_context) -> c_int>,
    /// Called after each chunk with the time that compressing it took, in seconds.
    pub update: Option<unsafe extern "C" fn(context: *mut blosc2_context, ctime: f64) -> c_int>,
    /// Called when the context is freed.
    pub free: Option<unsafe extern "C" fn(context: *mut blosc2_context) -> c_int>,
    /// Its id; a program's own from #BLOSC2_USER_REGISTERED_TUNER_START on.
    pub id: c_int,
    /// Its name.
    pub name: *mut c_char,
}

/// A program's own pool of threads: calls `dojob(jobdata + i * jobdata_elsize)` once for each `i` below `numjobs`,
/// at the same time or one after the other, and returns when all calls have returned. `callback_data` is what was
/// given when the function was set.
pub type blosc_threads_callback = Option<
    unsafe extern "C" fn(
        callback_data: *mut c_void,
        dojob: Option<unsafe extern "C" fn(arg1: *mut c_void)>,
        numjobs: c_int,
        jobdata_elsize: usize,
        jobdata: *mut c_void,
    ),
>;
