//! Blocks that are shuffled and nothing else, for those whose items do not stay together: they are unshuffled to where
//! they go, and not copied there afterwards.

use super::part;
use super::reader::ChunkReader;
use crate::base::Result;
use crate::base::consts::MAX_STREAMS;
use crate::base::scatter::Row;
use crate::filter::{Spread, shuffle};
use std::ops::Range;

/// A block's bytes, still shuffled.
#[derive(Clone, Copy)]
pub struct Shuffled<'a> {
    streams: &'a [&'a [u8]],
}

impl Shuffled<'_> {
    /// Writes rows of the unshuffled block, each of which is whole items of it.
    ///
    /// # Panics
    /// When a row is not.
    pub fn write(self, rows: &mut [Row<'_>]) {
        shuffle::unshuffle_rows(self.streams, rows);
    }
}

/// Whether it is better not to decode all of a block of `len` bytes, of which `want` are wanted.
fn spares_decoding(want: &Range<usize>, len: usize) -> bool {
    // Streams are decoded from their beginning on. Few rows are sooner gathered than all streams found.
    part::pays(&(0..want.end), len) || want.len() < len / 8
}

impl ChunkReader<'_> {
    /// Whether blocks, of items of `itemsize` bytes, are shuffled and nothing else, and rows of `len` bytes, from the first to
    /// the last byte of `want`, are sooner unshuffled to their places than copied there.
    pub fn suits_rows(&self, itemsize: usize, want: &Range<usize>, len: usize) -> bool {
        let header = self.header();
        let split_so = !header.is_split() || header.typesize() == itemsize;
        itemsize <= MAX_STREAMS as usize
            && self.spread() == Spread::Streams(itemsize)
            && split_so
            && self.params().postfilter.is_none()
            && !header.is_vl()
            && header.nbytes().is_multiple_of(header.blocksize())
            && header.blocksize().is_multiple_of(itemsize)
            && !spares_decoding(want, header.blocksize())
            && shuffle::suits_rows(itemsize, len)
    }

    /// Decodes block `n`, in this thread's own scratch, but for its shuffle, and hands it to `look`, who may not use the
    /// library. For chunks that [suit](ChunkReader::suits_rows).
    ///
    /// # Errors
    /// As [`ChunkReader::decode_block`]; `Failure` for a chunk that does not suit.
    pub fn with_shuffled<R>(&self, n: usize, look: impl FnOnce(Shuffled<'_>) -> R) -> Result<R> {
        self.check_block(n)?;
        self.with_decoder(|decoder| {
            self.with_scratch(|s| decoder.with_streams(n, s, |streams| look(Shuffled { streams })))
        })
    }
}
