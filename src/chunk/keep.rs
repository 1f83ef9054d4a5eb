//! Blocks that a new chunk takes over from an old one as they stand: neither decoded nor compressed again.

use super::block::{self, PackedBlock};
use super::header::Special;
use super::plan::Plan;
use super::reader::ChunkReader;
use crate::base::Result;
use crate::base::buffer::Buffer;
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::copy::copy;
use crate::base::params::CParams;
use crate::filter;

/// A chunk of which some blocks change.
#[derive(Clone, Copy)]
pub struct Patch<'a> {
    /// The chunk as it is.
    pub old: &'a ChunkReader<'a>,
    /// Whether a block changes, by number.
    pub touches: &'a (dyn Fn(usize) -> bool + Sync),
}

/// Where the blocks that stay come from.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// From a chunk with the very header that the new one gets: its blocks are what compressing them again would give,
    /// or what another compressor made of them.
    Chunk(&'a ChunkReader<'a>),
    /// All bytes are zero.
    Zeros,
}

/// The blocks that stay.
#[derive(Clone, Copy)]
pub(super) struct Kept<'a> {
    source: Source<'a>,
    touches: &'a (dyn Fn(usize) -> bool + Sync),
}

impl<'a> Kept<'a> {
    /// What of `patch` can stay in a chunk made by `plan`; `None` where blocks hang together, or somebody wants to see
    /// them all.
    pub(super) fn new(params: &CParams, plan: &Plan, patch: &Patch<'a>) -> Option<Self> {
        let old = patch.old;
        let watched = params.prefilter.is_some() || old.params().postfilter.is_some();
        let together = plan.use_dict || plan.vl || filter::uses_reference(&plan.filters);
        let plain = !plan.instrumented && !plan.stored && plan.header_len == EXTENDED_HEADER_LEN;
        if watched || together || !plain || old.header().nbytes() != plan.nbytes {
            return None;
        }
        let source = match old.special() {
            Some(Special::Zeros | Special::Uninit) if plan.filters_are_ours() => Source::Zeros,
            None if says_the_same(old, plan) => Source::Chunk(old),
            _ => return None,
        };
        Some(Kept { source, touches: patch.touches })
    }

    /// How many of the plan's blocks change.
    pub(super) fn touched(&self, plan: &Plan) -> usize {
        (0..plan.nblocks).filter(|&n| (self.touches)(n)).count()
    }

    /// Whether block `n` stays.
    pub(super) fn has(&self, n: usize) -> bool {
        !(self.touches)(n)
    }

    /// Copies block `n`, of `nstreams` streams, to the front of `out`; `None` when it does not fit.
    pub(super) fn put(
        &self,
        n: usize,
        nstreams: usize,
        buffer: &mut Buffer,
        out: &mut [u8],
    ) -> Result<Option<PackedBlock>> {
        let Source::Chunk(old) = self.source else {
            return Ok(block::pack_zeros(nstreams, out));
        };
        let packed = old.packed_block(n, buffer)?;
        let block = block::measure(packed, nstreams, old.block_range(n).len())?;
        let Some(place) = out.get_mut(..block.len) else { return Ok(None) };
        copy(&packed[..block.len], place);
        Ok(Some(block))
    }
}

/// Whether the chunk has the header that the plan's chunk is going to have, but for how long it is.
fn says_the_same(old: &ChunkReader<'_>, plan: &Plan) -> bool {
    let mut header = plan.header();
    header.cbytes = old.header().cbytes() as u32;
    let mut bytes = [0; EXTENDED_HEADER_LEN];
    header.write(&mut bytes);
    old.head().get(..EXTENDED_HEADER_LEN) == Some(&bytes)
}

#[cfg(test)]
mod tests {
    use crate::base::params::{CParams, DParams, FilterSlot, SplitMode};
    use crate::base::random::Random;
    use crate::base::{CBuf, Result};
    use crate::chunk::{self, ChunkReader, ChunkSource, Patch, Special};
    use crate::{codec, filter};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    const BLOCK: usize = 1024;
    /// The last block is short.
    const NBYTES: usize = 9 * BLOCK + 300;

    /// Data of which block 3 is zeros, and block 5 noise.
    fn data() -> Vec<u8> {
        let mut random = Random::new(7);
        let item = |i: usize| match i / BLOCK {
            3 => 0,
            5 => random.below(256) as u8,
            _ => (i / 7) as u8 & 0x3f,
        };
        (0..NBYTES).map(item).collect()
    }

    /// `new` put together from an old chunk and the blocks that are touched, and how many blocks were asked for.
    fn patch(params: &CParams, old: &[u8], new: &[u8], touched: &[usize]) -> Result<(CBuf, usize)> {
        let dparams = DParams::default();
        let old = ChunkReader::new(ChunkSource::Bytes(old), &dparams)?;
        let asked = AtomicUsize::new(0);
        let gather = |n: usize, dst: &mut [u8]| {
            asked.fetch_add(1, Relaxed);
            dst.copy_from_slice(&new[n * BLOCK..][..dst.len()]);
            Ok(())
        };
        let touches = |n: usize| touched.contains(&n);
        let patch = Patch { old: &old, touches: &touches };
        let chunk = chunk::compress_patch(params, new.len(), &gather, &patch)?;
        Ok((chunk, asked.into_inner()))
    }

    fn params(codec: u8, id: u8) -> CParams {
        let mut params = CParams { codec, typesize: 4, blocksize: BLOCK as i32, ..CParams::default() };
        params.filters[5] = FilterSlot { id, meta: 0 };
        params
    }

    #[test]
    fn a_patched_chunk_is_the_chunk_compressed_anew() {
        let old = data();
        for codec in [codec::BLOSCLZ, codec::LZ4, codec::LZ4HC, codec::ZLIB, codec::ZSTD] {
            for id in [filter::NOFILTER, filter::SHUFFLE, filter::BITSHUFFLE, filter::DELTA] {
                for (split, nthreads) in [(SplitMode::Always, 1), (SplitMode::Never, 3)] {
                    let params = CParams { split, nthreads, ..params(codec, id) };
                    let packed = chunk::compress_to_cbuf(&params, &old).unwrap();
                    for touched in [&[][..], &[0], &[3, 4], &[9], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
                        let mut new = old.clone();
                        touched.iter().for_each(|n| new[n * BLOCK + 11] ^= 0x55);
                        let (chunk, asked) = patch(&params, &packed, &new, touched).unwrap();
                        assert_eq!(*chunk, *chunk::compress_to_cbuf(&params, &new).unwrap());
                        // With delta, all blocks hang on the first, which is asked for twice.
                        assert_eq!(asked, if id == filter::DELTA { 11 } else { touched.len() });
                    }
                }
            }
        }
    }

    #[test]
    fn blocks_of_a_chunk_of_zeros_need_not_be_made() {
        let params = params(codec::LZ4, filter::SHUFFLE);
        let zeros = chunk::special_chunk(&params, Special::Zeros, &[], NBYTES).unwrap();
        let mut new = vec![0; NBYTES];
        let (chunk, asked) = patch(&params, &zeros, &new, &[]).unwrap();
        assert_eq!((&*chunk, asked), (&*chunk::compress_to_cbuf(&params, &new).unwrap(), 0));
        new[BLOCK + 5] = 1;
        let (chunk, asked) = patch(&params, &zeros, &new, &[1]).unwrap();
        assert_eq!((&*chunk, asked), (&*chunk::compress_to_cbuf(&params, &new).unwrap(), 1));
    }

    #[test]
    fn a_chunk_made_otherwise_is_made_anew() {
        let old = data();
        let packed = chunk::compress_to_cbuf(&params(codec::LZ4, filter::SHUFFLE), &old).unwrap();
        let others = [
            params(codec::ZSTD, filter::SHUFFLE),
            params(codec::LZ4, filter::BITSHUFFLE),
            CParams { split: SplitMode::Never, ..params(codec::LZ4, filter::SHUFFLE) },
            CParams { typesize: 8, ..params(codec::LZ4, filter::SHUFFLE) },
            CParams { clevel: 0, ..params(codec::LZ4, filter::SHUFFLE) },
        ];
        for params in others {
            let (chunk, asked) = patch(&params, &packed, &old, &[2]).unwrap();
            assert_eq!((&*chunk, asked), (&*chunk::compress_to_cbuf(&params, &old).unwrap(), 10));
        }
    }

    #[test]
    fn blocks_that_end_early_are_told() {
        let params = params(codec::LZ4, filter::SHUFFLE);
        let old = data();
        let mut packed = chunk::compress_to_cbuf(&params, &old).unwrap().to_vec();
        for n in 0..10 {
            let at = 32 + 4 * n;
            let start = i32::from_le_bytes(packed[at..at + 4].try_into().unwrap()) as usize;
            let size: [u8; 4] = packed[start..start + 4].try_into().unwrap();
            packed[start..start + 4].copy_from_slice(&i32::MAX.to_le_bytes());
            assert!(patch(&params, &packed, &old, &[(n + 1) % 10]).is_err(), "block {n}");
            packed[start..start + 4].copy_from_slice(&size);
        }
    }
}
