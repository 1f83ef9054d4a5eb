//! Memory for both sides at the same place in a page: some distances modulo a page make copies slow, and chance is no merit.

use std::ops::{Deref, DerefMut, Range};

const PAGE: usize = 4096;
/// Where large blocks from `malloc` begin in a page.
const AT: usize = 16;

/// Bytes that begin where `malloc` puts large blocks.
pub struct Placed {
    memory: Vec<u8>,
    place: Range<usize>,
}

impl Placed {
    /// Zeros, which the system has not yet given.
    pub fn zeroed(len: usize) -> Placed {
        let memory = vec![0u8; len + 2 * PAGE];
        let start = (PAGE + AT - memory.as_ptr() as usize % PAGE) % PAGE;
        Placed { memory, place: start..start + len }
    }

    /// Leaves only the first `len` bytes.
    pub fn truncate(&mut self, len: usize) {
        self.place.end = self.place.start + len;
    }
}

impl Deref for Placed {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[self.place.clone()]
    }
}

impl DerefMut for Placed {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.place.clone()]
    }
}
