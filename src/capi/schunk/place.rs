//! Memory for handles. A handle is 66 KB, nearly all of it the mirror's pointers to variable-length metalayers, of which few
//! are ever used: the last place that was given up is kept, and only what was used of it is zeroed.

use super::handle::Schunk;
use crate::capi::types::blosc2_schunk;
use crate::capi::types::limits::BLOSC2_MAX_VLMETALAYERS;
use std::mem::{MaybeUninit, offset_of};
use std::ptr::NonNull;
use std::sync::Mutex;

/// A place for a handle, all zeros.
pub(super) type Place = Box<MaybeUninit<Schunk>>;

/// A place that nobody uses.
struct Spare(Place);

// SAFETY: it holds zeros, and no handle.
unsafe impl Send for Spare {}

/// The place that was given up last. Who finds it locked does without: a fork may have left it so.
static SPARE: Mutex<Option<Spare>> = Mutex::new(None);

/// A place, all zeros.
pub(super) fn take() -> Place {
    let spare = SPARE.try_lock().ok().and_then(|mut spare| spare.take());
    spare.map_or_else(Box::new_zeroed, |spare| spare.0)
}

/// Gives up the place of a handle, of whose variable-length metalayers no more than the first `nvlmetas` were ever set.
///
/// # Safety
/// The handle was a box; its parts are dropped, and nobody uses it any more.
pub(super) unsafe fn give_up(handle: NonNull<Schunk>, nvlmetas: usize) {
    let at = offset_of!(blosc2_schunk, vlmetalayers);
    // SAFETY: the handle begins with its mirror, whose array is that long; all of the memory is the caller's to give up.
    let place = unsafe {
        let mirror = handle.cast::<blosc2_schunk>().as_ptr();
        let array = &raw mut (*mirror).vlmetalayers;
        let (first, end) = (array.cast::<*mut u8>(), at + BLOSC2_MAX_VLMETALAYERS * size_of::<*mut u8>());
        first.write_bytes(0, nvlmetas.min(BLOSC2_MAX_VLMETALAYERS));
        let bytes = handle.cast::<u8>().as_ptr();
        bytes.write_bytes(0, at);
        bytes.add(end).write_bytes(0, size_of::<Schunk>() - end);
        Spare(Box::from_raw(handle.cast::<MaybeUninit<Schunk>>().as_ptr()))
    };
    let old = SPARE.try_lock().ok().and_then(|mut spare| spare.replace(place));
    drop(old);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_of_a_place_is_zero_when_it_is_used_again() {
        let mut place = take();
        let mirror = place.as_mut_ptr().cast::<blosc2_schunk>();
        // SAFETY: the place is ours and zeroed, which is valid for a mirror; the handle behind it was never put together.
        unsafe {
            (*mirror).nchunks = 7;
            (*mirror).vlmetalayers[0] = NonNull::dangling().as_ptr();
            (*mirror).vlmetalayers[2] = NonNull::dangling().as_ptr();
            (*mirror).change_tick = 7;
            let last = place.as_mut_ptr().cast::<u8>().add(size_of::<Schunk>() - 1);
            last.write(7);
            give_up(NonNull::from(Box::leak(place)).cast(), 3);
        }
        let mut again = take();
        let bytes = again.as_mut_ptr().cast::<u8>();
        // SAFETY: all bytes of a place are initialised.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, size_of::<Schunk>()) };
        assert!(bytes.iter().all(|&byte| byte == 0));
    }
}
