//! Writing a frame of one block: literals and matches.

use super::super::sequences::{Sequence, write::write};
use super::{BLOCK_HEADER, LAST_COMPRESSED, LESS, MAGIC, SINGLE_SEGMENT, TWO_BYTES};

/// The fewest literals that are worth to be said to be all the same.
const SAME: usize = 3;

/// Bytes of room that libzstd has to have behind a frame. Chunks that it stores for want of them are stored here, too: they save next
/// to nothing, and are copied.
pub(in super::super) const SPARE: usize = 8;

/// A frame in the making, of which parts that fit into `N` bytes are written.
pub(in super::super) struct Frame<const N: usize> {
    bytes: [u8; N],
    len: usize,
    /// Where the block begins.
    block: usize,
}

impl<const N: usize> Frame<N> {
    pub const fn new() -> Self {
        Frame { bytes: [0; N], len: 0, block: 0 }
    }

    /// Begins one for a stream of so many bytes.
    pub fn begin(&mut self, len: usize) {
        self.len = 0;
        self.put(&MAGIC);
        match u8::try_from(len) {
            Ok(len) => self.put(&[SINGLE_SEGMENT, len]),
            Err(_) => {
                self.put(&[SINGLE_SEGMENT | TWO_BYTES]);
                self.put(&((len - LESS) as u16).to_le_bytes());
            }
        }
        self.block = self.len;
        self.len += BLOCK_HEADER;
    }

    /// All of it.
    pub fn end(&mut self) -> &[u8] {
        let len = self.len - self.block - BLOCK_HEADER;
        self.bytes[self.block..][..BLOCK_HEADER]
            .copy_from_slice(&(LAST_COMPRESSED | len << 3).to_le_bytes()[..BLOCK_HEADER]);
        &self.bytes[..self.len]
    }

    /// Adds bytes.
    ///
    /// # Panics
    /// When there is no room for them.
    pub fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Changes bytes that stand there.
    ///
    /// # Panics
    /// When these are not all there.
    pub fn put_at(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[..self.len][at..][..bytes.len()].copy_from_slice(bytes);
    }

    /// Adds what writes itself into the room that there is, and tells how much that was; `None` when it does not.
    pub fn put_by(&mut self, write: impl FnOnce(&mut [u8]) -> Option<usize>) -> Option<usize> {
        let len = write(&mut self.bytes[self.len..])?;
        self.len += len;
        Some(len)
    }

    /// Adds literals as they stand, or one for all: fewer than 4096.
    pub fn literals(&mut self, literals: &[u8]) {
        let count = literals.len();
        let (same, bytes) = match literals {
            [first, rest @ ..] if count >= SAME && rest.iter().all(|byte| byte == first) => {
                (1, &literals[..1])
            }
            _ => (0, literals),
        };
        match count {
            ..32 => self.put(&[same | (count << 3) as u8]),
            _ => self.put(&(u16::from(same) | 1 << 2 | (count << 4) as u16).to_le_bytes()),
        }
        self.put(bytes);
    }

    /// Adds matches, 127 at most; `None` when there is no room for them.
    pub fn sequences(&mut self, sequences: &[Sequence]) -> Option<usize> {
        self.put_by(|bytes| write(sequences, bytes))
    }
}
