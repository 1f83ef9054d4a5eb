//! Writing the operations of a stream.

use super::{MAX_LITERALS, NEAR};

/// Where a stream is written. Nothing is written past the end; what does not fit is `None`.
pub(super) struct Sink<'a> {
    dst: &'a mut [u8],
    at: usize,
}

impl<'a> Sink<'a> {
    pub(super) fn new(dst: &'a mut [u8]) -> Self {
        Sink { dst, at: 0 }
    }

    /// Marks the stream's beginning and gives its length.
    pub(super) fn finish(self) -> usize {
        if let Some(first) = self.dst.first_mut() {
            *first |= 32;
        }
        self.at
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Option<()> {
        self.dst.get_mut(self.at..self.at + N)?.copy_from_slice(&bytes);
        self.at += N;
        Some(())
    }

    /// Literals, any number of them.
    #[inline(always)]
    pub(super) fn literals(&mut self, bytes: &[u8]) -> Option<()> {
        for run in bytes.chunks(MAX_LITERALS) {
            self.put([run.len() as u8 - 1])?;
            self.dst.get_mut(self.at..self.at + run.len())?.copy_from_slice(run);
            self.at += run.len();
        }
        Some(())
    }

    /// A match of at least three bytes.
    #[inline(always)]
    pub(super) fn matched(&mut self, distance: usize, len: usize) -> Option<()> {
        let back = distance - 1;
        let high = (back >> 8).min(31);
        if len < 9 {
            self.put([((len - 2) << 5 | high) as u8])?;
        } else {
            self.put([(7 << 5 | high) as u8])?;
            let mut more = len - 9;
            while more >= 255 {
                self.put([255])?;
                more -= 255;
            }
            self.put([more as u8])?;
        }
        if back < NEAR {
            self.put([back as u8])
        } else {
            let far = (back - NEAR) as u16;
            self.put([255])?;
            self.put(far.to_be_bytes())
        }
    }
}
