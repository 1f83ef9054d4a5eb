//! How to compress and decompress, and where to keep the result.

use super::{blosc2_context, blosc2_io, limits::BLOSC2_MAX_FILTERS};
use libc::{c_char, c_int, c_void};

/// What an instrumented codec measures: one of these per block, in place of the compressed data, when
/// `blosc2_cparams.instr_codec` is set.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct blosc2_instr {
    /// Compression ratio of the block.
    pub cratio: f32,
    /// Speed of the codec, in bytes per second.
    pub cspeed: f32,
    /// Speed of the filters, in bytes per second.
    pub filter_speed: f32,
    /// The first says whether the block is a run of one value.
    pub flags: [u8; 4],
}

/// What a prefilter is called with, once per block, before the filters.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_prefilter_params {
    /// What the caller put into `blosc2_cparams.preparams`.
    pub user_data: *mut c_void,
    /// The block's data, from the buffer that is being compressed.
    pub input: *const u8,
    /// Where the prefilter writes the block's data.
    pub output: *mut u8,
    /// Bytes of the block.
    pub output_size: i32,
    /// Bytes per item.
    pub output_typesize: i32,
    /// Where the block starts, in bytes from the start of the chunk's data.
    pub output_offset: i32,
    /// The chunk's index in its super-chunk; -1 when it has none.
    pub nchunk: i64,
    /// The block's index in the chunk.
    pub nblock: i32,
    /// Which worker runs this, from 0.
    pub tid: i32,
    /// Scratch of the worker's own.
    pub ttmp: *mut u8,
    /// Bytes at `ttmp`.
    pub ttmp_nbytes: usize,
    /// The context that compresses.
    pub ctx: *mut blosc2_context,
    /// Whether what is written to `output` will not be used.
    pub output_is_disposable: bool,
}

/// What a postfilter is called with, once per block, after the filters are undone.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_postfilter_params {
    /// What the caller put into `blosc2_dparams.postparams`.
    pub user_data: *mut c_void,
    /// The block's data, decompressed.
    pub input: *const u8,
    /// Where the postfilter writes what the caller of the library gets.
    pub output: *mut u8,
    /// Bytes of the block.
    pub size: i32,
    /// Bytes per item.
    pub typesize: i32,
    /// Where the block starts, in bytes from the start of the chunk's data.
    pub offset: i32,
    /// The chunk's index in its super-chunk; -1 when it has none.
    pub nchunk: i64,
    /// The block's index in the chunk.
    pub nblock: i32,
    /// Which worker runs this, from 0.
    pub tid: i32,
    /// Scratch of the worker's own.
    pub ttmp: *mut u8,
    /// Bytes at `ttmp`.
    pub ttmp_nbytes: usize,
    /// The context that decompresses.
    pub ctx: *mut blosc2_context,
}

/// A function that makes a block's data before it is compressed. Blocks are worked on from several threads at once.
/// Returns 0, or anything else to give up on the chunk.
pub type blosc2_prefilter_fn = Option<unsafe extern "C" fn(params: *mut blosc2_prefilter_params) -> c_int>;

/// A function that sees, and may change, a block's data after it was decompressed. Blocks are worked on from several
/// threads at once. Returns 0, or anything else to give up on the chunk.
pub type blosc2_postfilter_fn = Option<unsafe extern "C" fn(params: *mut blosc2_postfilter_params) -> c_int>;

/// How to compress. Start from #BLOSC2_CPARAMS_DEFAULTS and change what should differ.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_cparams {
    /// The codec: `BLOSC_BLOSCLZ` (default), `BLOSC_LZ4`, ... or a registered id.
    pub compcode: u8,
    /// A parameter for the codec; what it means is the codec's business.
    pub compcode_meta: u8,
    /// The compression level, from 0 (store) to 9 (smallest). Default 5.
    pub clevel: u8,
    /// Not 0: train a dictionary per chunk. For `BLOSC_ZSTD`, `BLOSC_LZ4` and `BLOSC_LZ4HC` only.
    pub use_dict: c_int,
    /// Bytes per item. Default 8.
    pub typesize: i32,
    /// How many threads may work on a chunk, the calling one included. Default 1.
    pub nthreads: i16,
    /// Bytes per block; 0 (default) lets the tuner choose.
    pub blocksize: i32,
    /// Whether a block is compressed as one stream or as one per byte of an item: `BLOSC_ALWAYS_SPLIT`,
    /// `BLOSC_NEVER_SPLIT`, `BLOSC_AUTO_SPLIT` or `BLOSC_FORWARD_COMPAT_SPLIT` (default).
    pub splitmode: i32,
    /// The super-chunk (`blosc2_schunk *`) that the data belongs to, or NULL. Codecs and filters that know about
    /// dimensions look there for the shape.
    pub schunk: *mut c_void,
    /// The filters, in the order in which they are applied; 0 is none. Default: `BLOSC_SHUFFLE` in the last place.
    pub filters: [u8; BLOSC2_MAX_FILTERS],
    /// A parameter for each filter.
    pub filters_meta: [u8; BLOSC2_MAX_FILTERS],
    /// A function that makes each block's data, or NULL.
    pub prefilter: blosc2_prefilter_fn,
    /// What the prefilter gets; copied when the context is made.
    pub preparams: *mut blosc2_prefilter_params,
    /// What the tuner gets; its meaning is the tuner's business.
    pub tuner_params: *mut c_void,
    /// The tuner's id.
    pub tuner_id: c_int,
    /// Measure the codec and store the measurements (#blosc2_instr) in place of data.
    pub instr_codec: bool,
    /// Parameters for a registered codec; passed through.
    pub codec_params: *mut c_void,
    /// Parameters for registered filters; passed through.
    pub filter_params: [*mut c_void; BLOSC2_MAX_FILTERS],
}

/// How to decompress. Start from #BLOSC2_DPARAMS_DEFAULTS and change what should differ.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_dparams {
    /// How many threads may work on a chunk, the calling one included. Default 1.
    pub nthreads: i16,
    /// The super-chunk (`blosc2_schunk *`) that the data belongs to, or NULL.
    pub schunk: *mut c_void,
    /// A function that sees each block's data, or NULL.
    pub postfilter: blosc2_postfilter_fn,
    /// What the postfilter gets; copied when the context is made.
    pub postparams: *mut blosc2_postfilter_params,
    /// Bytes per item. Default 8; a chunk's own header wins where it says otherwise.
    pub typesize: i32,
}

/// Where a super-chunk is kept, and how. Start from #BLOSC2_STORAGE_DEFAULTS. What it points to is copied when a
/// super-chunk is made from it, so it need not live on.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct blosc2_storage {
    /// Whether chunks are kept in one piece (a frame) or each for itself.
    pub contiguous: bool,
    /// The file or directory to keep it in; NULL keeps it in memory.
    pub urlpath: *mut c_char,
    /// How to compress; NULL for #BLOSC2_CPARAMS_DEFAULTS.
    pub cparams: *mut blosc2_cparams,
    /// How to decompress; NULL for #BLOSC2_DPARAMS_DEFAULTS.
    pub dparams: *mut blosc2_dparams,
    /// The I/O backend; NULL for #BLOSC2_IO_DEFAULTS.
    pub io: *mut blosc2_io,
}
