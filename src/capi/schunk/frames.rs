//! The frame that a super-chunk is in.

use super::handle::Schunk;
use crate::capi::guard::guard;
use crate::capi::pointers::malloc_values;
use crate::capi::types::blosc2_schunk;
use crate::fail;

/// Where the chunks of a super-chunk's frame are.
///
/// @param schunk The super-chunk.
/// @return As many numbers as there are chunks, which the caller frees: bytes from the end of the frame's header; in a sparse
///   frame, the number of the chunk's file; negative for a chunk that is not stored because all its items are the same.
///   NULL when there is no frame, or its index cannot be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn blosc2_frame_get_offsets(schunk: *mut blosc2_schunk) -> *mut i64 {
    guard("blosc2_frame_get_offsets", || {
        // SAFETY: the caller gives a live super-chunk, or NULL.
        match unsafe { Schunk::of(schunk) }?.reading(|engine| engine.offsets())? {
            Some(offsets) => malloc_values(&offsets),
            None => fail!(FrameType, "the super-chunk is in no frame"),
        }
    })
}
