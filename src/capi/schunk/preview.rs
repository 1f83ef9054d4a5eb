//! What a codec or filter of the program's own sees of a super-chunk that is still being made.

use super::metas::MetaMirror;
use crate::capi::types::blosc2_schunk;
use crate::frame::Metalayers;
use crate::schunk::Witness;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Writes metalayers into a mirror that has no engine yet. They live as long as the preview.
pub(crate) struct Preview {
    mirror: *mut blosc2_schunk,
    metas: Mutex<MetaMirror>,
}

// SAFETY: the mirror is written under the lock, before the chunks are made whose codecs look at it.
unsafe impl Send for Preview {}
// SAFETY: as above.
unsafe impl Sync for Preview {}

impl Preview {
    /// The preview of what will be at `mirror`.
    ///
    /// # Safety
    /// `mirror` is good for writing for as long as super-chunks have this as their witness.
    pub(crate) unsafe fn new(mirror: *mut blosc2_schunk) -> Self {
        Preview { mirror, metas: Mutex::default() }
    }
}

impl Witness for Preview {
    fn metalayers(&self, metas: &Metalayers, typesize: i32, chunksize: i32) {
        let mut mirrored = self.metas.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody has looked yet: what is replaced can go.
        drop(mirrored.update(metas));
        // SAFETY: whoever made the preview vouches for the mirror.
        unsafe {
            (*self.mirror).nmetalayers = mirrored.write(&raw mut (*self.mirror).metalayers) as u16; // at most 16
            (*self.mirror).typesize = typesize;
            (*self.mirror).chunksize = chunksize;
        }
    }
}

impl fmt::Debug for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Preview({:p})", self.mirror)
    }
}
