//! `struct b2nd_context_s`.

use crate::capi::types::array::{B2ND_MAX_DIM, B2ND_MAX_METALAYERS};
use crate::capi::types::{blosc2_metalayer, blosc2_storage};
use libc::c_char;

/// How to make an array. Every field is live.
#[repr(C)]
pub struct b2nd_context_s {
    /// Dimensions.
    pub ndim: i8,
    /// Items along each dimension.
    pub shape: [i64; B2ND_MAX_DIM],
    /// Items of a chunk along each dimension.
    pub chunkshape: [i32; B2ND_MAX_DIM],
    /// Items of a block along each dimension.
    pub blockshape: [i32; B2ND_MAX_DIM],
    /// The dtype, a copy.
    pub dtype: *mut c_char,
    /// How the dtype is written.
    pub dtype_format: i8,
    /// Where and how the super-chunk is kept, a copy.
    pub b2_storage: *mut blosc2_storage,
    /// Metalayers for the array.
    pub metalayers: [blosc2_metalayer; B2ND_MAX_METALAYERS],
    /// How many metalayers.
    pub nmetalayers: i32,
}
