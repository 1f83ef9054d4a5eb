//! The n-dimensional array, as C sees it.

use super::blosc2_schunk;
use libc::c_char;

/// Version of the `b2nd` metalayer's format, at most 127.
pub const B2ND_METALAYER_VERSION: i32 = 0;
/// Most dimensions of an array.
pub const B2ND_MAX_DIM: usize = 16;
/// Metalayers that an array can have beside its own.
pub const B2ND_MAX_METALAYERS: usize = 15;
/// The dtype is written as NumPy writes it.
pub const DTYPE_NUMPY_FORMAT: i32 = 0;
/// The format of a dtype when none is given.
pub const B2ND_DEFAULT_DTYPE_FORMAT: i32 = 0;

/// A place for one decompressed chunk. The library does not use it: threads that read an array share no state.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct chunk_cache_s {
    /// The chunk's data, or NULL.
    pub data: *mut u8,
    /// Which chunk it is; -1 for none.
    pub nchunk: i64,
}

/// An n-dimensional array in a super-chunk. Chunks and blocks are boxes of items; at the array's edges they are padded
/// with zeros to their full shape. Strides count items, in C order: the last dimension is the densest. Fields from
/// `ndim` on are 1, or 0 for strides. The fields are the library's to write and everybody's to read.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct b2nd_array_t {
    /// The super-chunk that holds the array; freed with it.
    pub sc: *mut blosc2_schunk,
    /// Items along each dimension.
    pub shape: [i64; B2ND_MAX_DIM],
    /// Items of a chunk along each dimension.
    pub chunkshape: [i32; B2ND_MAX_DIM],
    /// The shape, padded to whole chunks.
    pub extshape: [i64; B2ND_MAX_DIM],
    /// Items of a block along each dimension.
    pub blockshape: [i32; B2ND_MAX_DIM],
    /// The shape of a chunk, padded to whole blocks.
    pub extchunkshape: [i64; B2ND_MAX_DIM],
    /// Items of the array.
    pub nitems: i64,
    /// Items of a chunk.
    pub chunknitems: i32,
    /// Items of the array, padded to whole chunks.
    pub extnitems: i64,
    /// Items of a block.
    pub blocknitems: i32,
    /// Items of a chunk, padded to whole blocks.
    pub extchunknitems: i64,
    /// How many dimensions, from 0 to #B2ND_MAX_DIM.
    pub ndim: i8,
    /// Not used.
    pub chunk_cache: chunk_cache_s,
    /// Items from one index of a dimension to the next, in the array.
    pub item_array_strides: [i64; B2ND_MAX_DIM],
    /// Items from one index of a dimension to the next, in a chunk.
    pub item_chunk_strides: [i64; B2ND_MAX_DIM],
    /// Items from one index of a dimension to the next, in a chunk padded to whole blocks.
    pub item_extchunk_strides: [i64; B2ND_MAX_DIM],
    /// Items from one index of a dimension to the next, in a block.
    pub item_block_strides: [i64; B2ND_MAX_DIM],
    /// Blocks from one block of a dimension to the next, in a chunk.
    pub block_chunk_strides: [i64; B2ND_MAX_DIM],
    /// Chunks from one chunk of a dimension to the next, in the array.
    pub chunk_array_strides: [i64; B2ND_MAX_DIM],
    /// What an item is, in words that `dtype_format` defines; not NULL.
    pub dtype: *mut c_char,
    /// How `dtype` is written: #DTYPE_NUMPY_FORMAT, or a program's own number up to 127.
    pub dtype_format: i8,
    /// The super-chunk's `change_tick` that these fields belong to.
    pub last_tick: i64,
}
