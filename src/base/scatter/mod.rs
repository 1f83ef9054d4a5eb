//! One output buffer, written by many workers.
//!
//! Safe code cannot hand `&mut` parts of a slice to threads that pick their part at run time. The types here can,
//! because every part may be claimed once only and no two parts overlap: [`Blocks`] cuts a buffer into equal lengths,
//! [`Grid`] cuts an n-dimensional one into boxes, [`Mosaic`] deals out its places in any order.
#![allow(unsafe_code)] // disjoint `&mut` parts of one buffer

mod grid;
mod picks;

pub use grid::{Cell, Cuts, Grid, Row};
pub use picks::{Block, Mosaic, Pick, Picks, Tile, for_each_run};

use crate::base::{Error, ErrorKind, Result};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A buffer that is borrowed mutably, to be handed out part by part.
pub(super) struct Exclusive<'a> {
    ptr: *mut u8,
    len: usize,
    buffer: PhantomData<&'a mut [u8]>,
}

// SAFETY: bytes are reached through `part` alone, whose callers promise that no two live parts overlap.
unsafe impl Sync for Exclusive<'_> {}
// SAFETY: Exclusive stands for a `&mut [u8]`, which is Send.
unsafe impl Send for Exclusive<'_> {}

impl<'a> Exclusive<'a> {
    fn new(buffer: &'a mut [u8]) -> Self {
        Exclusive { ptr: buffer.as_mut_ptr(), len: buffer.len(), buffer: PhantomData }
    }

    /// The bytes of `range`.
    ///
    /// # Safety
    /// As long as the part lives, no other part overlaps it.
    ///
    /// # Panics
    /// When the range is not inside the buffer.
    #[allow(clippy::mut_from_ref)] // what `# Safety` is about
    unsafe fn part(&self, range: Range<usize>) -> &'a mut [u8] {
        assert!(range.start <= range.end && range.end <= self.len);
        // SAFETY: the range lies inside the buffer, which is borrowed for 'a; the caller promises that this is the only
        // live reference to it.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.add(range.start), range.end - range.start) }
    }
}

/// A buffer cut into blocks of equal length, the last one perhaps shorter. Each block can be claimed once.
pub struct Blocks<'a> {
    buffer: Exclusive<'a>,
    blocksize: usize,
    claimed: Claims,
}

impl<'a> Blocks<'a> {
    /// Cuts `buffer` into blocks of `blocksize` bytes.
    ///
    /// # Panics
    /// When `blocksize` is 0.
    pub fn new(buffer: &'a mut [u8], blocksize: usize) -> Self {
        assert!(blocksize > 0, "a block has at least one byte");
        let nblocks = buffer.len().div_ceil(blocksize);
        Blocks { buffer: Exclusive::new(buffer), blocksize, claimed: Claims::new(nblocks) }
    }

    /// Block `n`, to the first who asks; `None` to everybody after, and when there is no such block.
    pub fn claim(&self, n: usize) -> Option<&'a mut [u8]> {
        let start = n.checked_mul(self.blocksize).filter(|&start| start < self.buffer.len)?;
        if !self.claimed.first(n) {
            return None;
        }
        let len = self.blocksize.min(self.buffer.len - start);
        // SAFETY: blocks do not overlap, and the claim bit makes this the only reference to block n.
        Some(unsafe { self.buffer.part(start..start + len) })
    }

    /// [`Blocks::claim`] for a run's job, which is the only one of its number.
    ///
    /// # Errors
    /// `Failure` for what cannot be: a second job of that number.
    pub fn take(&self, n: usize) -> Result<&'a mut [u8]> {
        self.claim(n).ok_or_else(|| Error::new(ErrorKind::Failure, "a block was claimed twice"))
    }
}

/// One bit per part: taken or not. Up to 64 parts need no allocation.
struct Claims {
    n: usize,
    first: AtomicU64,
    rest: Vec<AtomicU64>,
}

impl Claims {
    fn new(n: usize) -> Self {
        let words = n.div_ceil(64).saturating_sub(1);
        Claims { n, first: AtomicU64::new(0), rest: (0..words).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Whether this is the first claim of part `n`.
    fn first(&self, n: usize) -> bool {
        let word = match n / 64 {
            0 => Some(&self.first),
            word => self.rest.get(word - 1),
        };
        let bit = 1u64 << (n % 64);
        n < self.n && word.is_some_and(|word| word.fetch_or(bit, Ordering::AcqRel) & bit == 0)
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
