//! A whole chunk into one buffer.

use super::copying::fill_shared;
use super::cost;
use super::decoder::Decoder;
use super::reader::ChunkReader;
use super::scratch::Scratch;
use crate::base::Result;
use crate::base::scatter::Blocks;
use crate::exec::cost::{Crew, Pace};
use crate::{exec, fail};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

impl ChunkReader<'_> {
    /// Decompresses the chunk to the front of `dst` on at most `nthreads` threads; tells how many bytes it has.
    ///
    /// # Errors
    /// `WriteBuffer` when `dst` is too short; otherwise as [`ChunkReader::decode_block`].
    pub fn decompress(&self, nthreads: usize, dst: &mut [u8]) -> Result<usize> {
        self.decompress_masked(nthreads, None, dst)
    }

    /// [`ChunkReader::decompress`] without the blocks whose `mask` is true: their bytes of `dst` stay as they are.
    ///
    /// # Errors
    /// As [`ChunkReader::decompress`]; `Data` when there are not as many `mask` items as blocks.
    pub fn decompress_masked(&self, nthreads: usize, mask: Option<&[bool]>, dst: &mut [u8]) -> Result<usize> {
        let nbytes = self.header().nbytes();
        let Some(dst) = dst.get_mut(..nbytes) else {
            fail!(WriteBuffer, "{nbytes} bytes do not fit in {}", dst.len());
        };
        if let Some(mask) = mask
            && mask.len() != self.nblocks()
        {
            fail!(Data, "a mask of {} items for {} blocks", mask.len(), self.nblocks());
        }
        if mask.is_none() && !self.header().has_starts() && self.params().postfilter.is_none() {
            let nthreads = self.threads(nthreads, self.nblocks(), nbytes);
            fill_shared(nthreads, dst, |start, piece| self.copy_plain(start, piece))?;
            return Ok(nbytes);
        }
        if mask.is_none() && self.nblocks() == 1 && !self.header().is_vl() {
            exec::alone(|| {
                self.with_decoder(|decoder| self.with_scratch(|s| decoder.decode(0, 0, None, s, dst)))
            })?;
            return Ok(nbytes);
        }
        if self.header().is_vl() {
            self.decompress_vl(self.threads(nthreads, self.nblocks(), nbytes), mask, dst)?;
        } else if self.needs_block0() && mask.is_none() && self.params().postfilter.is_none() {
            // Block 0 where it belongs, for all others to look at.
            let (block0, rest) = dst.split_at_mut(self.header().blocksize());
            exec::alone(|| {
                self.with_decoder(|decoder| self.with_scratch(|s| decoder.decode_plain(0, None, s, block0)))
            })?;
            self.decode_blocks(nthreads, 1, mask, Some(block0), rest)?;
        } else {
            let reference = if self.needs_block0() { Some(self.block0()?) } else { None };
            self.decode_blocks(nthreads, 0, mask, reference, dst)?;
        }
        Ok(nbytes)
    }

    /// Decodes all blocks and keeps none of them: however much the chunk says it has, a block per thread is all the memory.
    ///
    /// # Errors
    /// As [`ChunkReader::decompress`].
    pub fn check_blocks(&self, nthreads: usize) -> Result<()> {
        let nthreads = self.threads(nthreads, self.nblocks(), self.header().nbytes());
        exec::run(nthreads, self.nblocks(), &|n, tid| {
            self.with_block_on(n, tid, 0..self.block_range(n).len(), |_| ())
        })
    }

    /// How many of `nthreads` threads are worth it for `nblocks` blocks of `nbytes` bytes.
    pub fn threads(&self, nthreads: usize, nblocks: usize, nbytes: usize) -> usize {
        if nthreads <= 1 || nblocks <= 1 {
            return 1;
        }
        exec::cost::threads(nthreads, nblocks, self.nanos(nbytes))
    }

    /// The threads for blocks that are `nbytes` bytes together, when there may be `nthreads`.
    fn crew(&self, nthreads: usize, nbytes: usize) -> Crew {
        let nblocks = nbytes.div_ceil(self.header().blocksize());
        if nthreads <= 1 || nblocks <= 1 {
            return Crew::ALONE;
        }
        Crew::new(nthreads, nblocks, self.nanos(nbytes))
    }

    /// About how long one thread takes for so many bytes. What a hook takes, nobody knows.
    fn nanos(&self, nbytes: usize) -> u64 {
        let hooked = self.params().postfilter.is_some();
        if hooked { u64::MAX } else { cost::decompressing(self.header(), nbytes) }
    }

    /// About how many nanoseconds [`ChunkReader::with_block`] takes for bytes `want` of a whole block.
    pub fn effort(&self, want: &Range<usize>) -> u64 {
        if self.params().postfilter.is_some() {
            return u64::MAX;
        }
        cost::decompressing_part(self.header(), self.spread(), self.header().blocksize(), want)
    }

    /// Decodes the blocks from `first` on into `dst`, which is as long as they are, on at most `nthreads` threads.
    pub(super) fn decode_blocks(
        &self,
        nthreads: usize,
        first: usize,
        mask: Option<&[bool]>,
        reference: Option<&[u8]>,
        dst: &mut [u8],
    ) -> Result<()> {
        let crew = match mask {
            None => self.crew(nthreads, dst.len()),
            Some(_) => {
                Crew::fixed(self.threads(nthreads, dst.len().div_ceil(self.header().blocksize()), dst.len()))
            }
        };
        self.with_decoder(|decoder| {
            let blocks = Run { decoder, first, mask, reference };
            if crew.begin > 1 {
                return self.decode_shared(crew.begin, blocks, dst);
            }
            let (done, nthreads) = self.decode_alone(crew, blocks, dst)?;
            match dst.get_mut(done * self.header().blocksize()..) {
                Some(rest) if nthreads > 1 => {
                    self.decode_shared(nthreads, Run { first: first + done, ..blocks }, rest)
                }
                _ => Ok(()),
            }
        })
    }

    /// Decodes blocks as long as that is best done by one thread; tells how many, and how many threads are worth it for the rest.
    fn decode_alone(&self, crew: Crew, blocks: Run<'_>, dst: &mut [u8]) -> Result<(usize, usize)> {
        exec::alone(|| {
            self.with_scratch(|s| {
                let mut pace = Pace::new(crew);
                let dst = dst.chunks_mut(self.header().blocksize());
                let njobs = dst.len();
                for (job, block) in dst.enumerate() {
                    blocks.decode(job, 0, s, block)?;
                    let nthreads = pace.threads(job + 1, njobs - job - 1);
                    if nthreads > 1 {
                        return Ok((job + 1, nthreads));
                    }
                }
                Ok((njobs, 1))
            })
        })
    }

    fn decode_shared(&self, nthreads: usize, blocks: Run<'_>, dst: &mut [u8]) -> Result<()> {
        let blocksize = self.header().blocksize();
        let njobs = dst.len().div_ceil(blocksize);
        let places = Blocks::new(dst, blocksize);
        exec::run(nthreads, njobs, &|job, tid| {
            let block = places.take(job)?;
            self.with_scratch(|s| blocks.decode(job, tid, s, block))
        })
    }

    fn decompress_vl(&self, nthreads: usize, mask: Option<&[bool]>, mut dst: &mut [u8]) -> Result<()> {
        let offsets = self.vl_offsets()?;
        let mut blocks = Vec::with_capacity(self.nblocks());
        for (n, pair) in offsets.windows(2).enumerate() {
            let Some((block, rest)) = dst.split_at_mut_checked((pair[1] - pair[0]) as usize) else {
                fail!(WriteBuffer, "VL block {n} does not fit");
            };
            blocks.push(Mutex::new(block));
            dst = rest;
        }
        exec::run(nthreads, blocks.len(), &|n, tid| {
            if mask.is_some_and(|mask| mask[n]) {
                return Ok(());
            }
            let mut block = blocks[n].lock().unwrap_or_else(PoisonError::into_inner);
            self.decode_vl_block(n, tid, &mut block)
        })
    }
}

/// Blocks in a row.
#[derive(Clone, Copy)]
struct Run<'a> {
    decoder: &'a Decoder<'a>,
    first: usize,
    /// Which blocks of the chunk are left out.
    mask: Option<&'a [bool]>,
    /// For delta: what block 0 decodes to.
    reference: Option<&'a [u8]>,
}

impl Run<'_> {
    /// Decodes a block of them, if it is wanted.
    #[inline(always)]
    fn decode(&self, job: usize, tid: usize, s: &mut Scratch, dst: &mut [u8]) -> Result<()> {
        let n = self.first + job;
        if self.mask.is_some_and(|mask| mask[n]) {
            return Ok(());
        }
        self.decoder.decode(n, tid, self.reference.filter(|_| n > 0), s, dst)
    }
}
