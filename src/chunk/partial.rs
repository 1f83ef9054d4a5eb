//! Some of a chunk's bytes.

use super::header::Special;
use super::reader::ChunkReader;
use crate::base::Result;
use crate::base::copy::copy;
use crate::{exec, fail};
use std::ops::Range;

impl ChunkReader<'_> {
    /// Writes the uncompressed bytes `range` of the chunk to the front of `dst`, and tells how many those are. Only the
    /// blocks that they are in are decoded, and of raw and special chunks only the bytes are touched.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when `range` is not inside the chunk, and for
    /// chunks of VL blocks; [`ErrorKind::WriteBuffer`](crate::base::ErrorKind::WriteBuffer) when `dst` is too short;
    /// otherwise as [`ChunkReader::decode_block`].
    pub fn get_bytes(&self, range: Range<usize>, dst: &mut [u8]) -> Result<usize> {
        // In this order, as the C library has it.
        let have = dst.len();
        if range.len() > have {
            fail!(WriteBuffer, "{} bytes do not fit in {have}", range.len());
        }
        if range.start > range.end || range.end > self.header().nbytes() {
            fail!(InvalidParam, "bytes {range:?} of a chunk of {}", self.header().nbytes());
        }
        if self.header().is_vl() {
            fail!(InvalidParam, "bytes across VL blocks");
        }
        let dst = &mut dst[..range.len()];
        if range.is_empty() {
            return Ok(0);
        }
        if !self.header().has_starts() && self.params().postfilter.is_none() {
            self.copy_plain(range.start, dst)?;
        } else {
            self.get_from_blocks(range.clone(), dst)?;
        }
        Ok(range.len())
    }

    /// The bytes `range`, which are not none, from the blocks that they are in: the middle ones straight into `dst`.
    fn get_from_blocks(&self, range: Range<usize>, dst: &mut [u8]) -> Result<()> {
        let blocksize = self.header().blocksize();
        let (first, last) = (range.start / blocksize, (range.end - 1) / blocksize);
        let mut rest = dst;
        let mut next = first;
        if range.start > self.block_range(first).start || range.end < self.block_range(first).end {
            rest = self.get_from_block(first, &range, rest)?;
            next += 1;
        }
        let whole_to = if range.end == self.block_range(last).end { last + 1 } else { last };
        if next < whole_to {
            let len = self.block_range(whole_to - 1).end - self.block_range(next).start;
            let (middle, after) = rest.split_at_mut(len);
            rest = after;
            let nthreads = usize::try_from(self.params().nthreads).unwrap_or(1);
            let reference =
                if self.needs_block0() && (next > 0 || whole_to > 1) { Some(self.block0()?) } else { None };
            self.decode_blocks(nthreads, next, None, reference, middle)?;
            next = whole_to;
        }
        if next <= last {
            self.get_from_block(last, &range, rest)?;
        }
        Ok(())
    }

    /// Copies what of `range` is in block `n` to the front of `dst`; gives the rest of `dst`.
    fn get_from_block<'d>(&self, n: usize, range: &Range<usize>, dst: &'d mut [u8]) -> Result<&'d mut [u8]> {
        let block = self.block_range(n);
        let (start, end) = (range.start.max(block.start), range.end.min(block.end));
        let (here, rest) = dst.split_at_mut(end - start);
        let want = start - block.start..end - block.start;
        if self.special() == Some(Special::Uninit) && self.params().postfilter.is_none() {
            return Ok(rest);
        }
        exec::alone(|| self.with_block(n, want.clone(), |bytes| copy(&bytes[want.clone()], here)))?;
        Ok(rest)
    }
}
