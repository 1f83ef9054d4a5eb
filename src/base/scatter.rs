//! One output buffer, written by many workers.
//!
//! Safe code cannot hand `&mut` parts of a slice to threads that pick their part at run time. The types here can,
//! because every part may be claimed once only and no two parts overlap.
#![allow(unsafe_code)] // disjoint `&mut` parts of one buffer

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

/// A buffer cut into blocks of equal length, the last one perhaps shorter. Each block can be claimed once.
pub struct Blocks<'a> {
    ptr: *mut u8,
    len: usize,
    blocksize: usize,
    claimed: Claims,
    buffer: PhantomData<&'a mut [u8]>,
}

// SAFETY: `claim` gives each byte to one claimer only, so sharing Blocks shares no `&mut`.
unsafe impl Sync for Blocks<'_> {}
// SAFETY: Blocks stands for a `&mut [u8]`, which is Send.
unsafe impl Send for Blocks<'_> {}

impl<'a> Blocks<'a> {
    /// Cuts `buffer` into blocks of `blocksize` bytes.
    ///
    /// # Panics
    /// When `blocksize` is 0.
    pub fn new(buffer: &'a mut [u8], blocksize: usize) -> Self {
        assert!(blocksize > 0, "a block has at least one byte");
        let nblocks = buffer.len().div_ceil(blocksize);
        Blocks {
            ptr: buffer.as_mut_ptr(),
            len: buffer.len(),
            blocksize,
            claimed: Claims::new(nblocks),
            buffer: PhantomData,
        }
    }

    /// Block `n`, to the first who asks; `None` to everybody after, and when there is no such block.
    pub fn claim(&self, n: usize) -> Option<&'a mut [u8]> {
        let start = n.checked_mul(self.blocksize).filter(|&start| start < self.len)?;
        if !self.claimed.first(n) {
            return None;
        }
        let len = self.blocksize.min(self.len - start);
        // SAFETY: start + len lies inside the buffer, which is borrowed for 'a; blocks do not overlap, and the claim
        // bit makes this the only reference to block n.
        Some(unsafe { std::slice::from_raw_parts_mut(self.ptr.add(start), len) })
    }
}

/// One bit per part: taken or not.
pub(crate) struct Claims {
    bits: Vec<AtomicU64>,
}

impl Claims {
    pub(crate) fn new(n: usize) -> Self {
        Claims { bits: (0..n.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Whether this is the first claim of part `n`.
    pub(crate) fn first(&self, n: usize) -> bool {
        let bit = 1u64 << (n % 64);
        self.bits.get(n / 64).is_some_and(|word| word.fetch_or(bit, Ordering::AcqRel) & bit == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_claimed_once_and_cover_the_buffer() {
        let mut buffer = vec![0u8; 10];
        let blocks = Blocks::new(&mut buffer, 4);
        std::thread::scope(|s| {
            for n in 0..3 {
                let blocks = &blocks;
                s.spawn(move || blocks.claim(n).unwrap().fill(n as u8 + 1));
            }
        });
        assert!(blocks.claim(1).is_none());
        assert!(blocks.claim(3).is_none());
        assert!(blocks.claim(usize::MAX).is_none());
        assert_eq!(buffer, [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
    }
}
