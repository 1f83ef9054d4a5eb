//! A dictionary for one chunk: what the streams of all its blocks have in common, stored once.
//!
//! Whether one is worth it is decided as the C library does, by sizes alone. What it is made of are samples of the
//! filtered blocks, taken evenly over the chunk.

use super::input::Input;
use super::landing::Jobs;
use super::plan::Plan;
use super::scratch;
use crate::base::Result;
use crate::base::consts::MAX_DICT_LEN;
use crate::codec::{Dict, dict};

/// A dictionary smaller than this, in bytes, is not worth having.
const MIN_DICT_LEN: usize = 256;
/// The samples are this part of the data.
const SAMPLED_PART: usize = 16;
/// Fewer samples than these say nothing.
const MIN_SAMPLES: usize = 8;

/// The dictionary for the chunk that `jobs` make; `None` when none is worth it.
pub(super) fn make(jobs: &Jobs<'_>, input: &Input<'_>, plan: &Plan) -> Result<Option<Dict>> {
    // Not more than a twentieth of the data.
    let max_len = MAX_DICT_LEN.min(plan.nbytes / 20);
    let nsamples =
        if plan.vl { plan.nblocks } else { (plan.nblocks * plan.nstreams(plan.blocksize)).max(MIN_SAMPLES) };
    let sample_len = plan.nbytes / nsamples / SAMPLED_PART;
    if max_len < MIN_DICT_LEN || sample_len == 0 || (plan.vl && plan.nblocks < MIN_SAMPLES) {
        return Ok(None);
    }
    let samples = Samples::take(jobs, input, plan)?;
    match dict::train(plan.codec, &samples.bytes, &samples.lens, max_len)? {
        Some(bytes) if !bytes.is_empty() => Dict::for_compression(plan.codec, plan.clevel, &bytes).map(Some),
        _ => Ok(None),
    }
}

/// Pieces of streams, one after another.
#[derive(Default)]
struct Samples {
    bytes: Vec<u8>,
    lens: Vec<usize>,
}

impl Samples {
    /// Takes the streams of blocks spread evenly over the chunk, whole where there are many blocks: what is cut off is
    /// missing where the streams are alike. Of few blocks it takes pieces of each stream. At least [`MIN_SAMPLES`] of
    /// either. Blocks of variable length are samples as they are.
    fn take(jobs: &Jobs<'_>, input: &Input<'_>, plan: &Plan) -> Result<Self> {
        let mut samples = Samples::default();
        let few = plan.vl || plan.nblocks < SAMPLED_PART;
        let nsampled = if few { plan.nblocks } else { plan.nblocks / SAMPLED_PART };
        let per_block = if plan.vl { usize::MAX } else { plan.nbytes / SAMPLED_PART / nsampled };
        for i in 0..nsampled {
            let n = i * plan.nblocks / nsampled;
            let nstreams = plan.nstreams(input.block_len(plan, n));
            let pieces = if plan.vl { 1 } else { MIN_SAMPLES.div_ceil(nsampled * nstreams) };
            scratch::with(plan.scratch_len(), |s| {
                let filtered = jobs.filtered(n, s)?;
                let piece_len = filtered.len() / nstreams / pieces;
                let sample_len = piece_len.min((per_block / nstreams / pieces).max(8)).max(1);
                for piece in filtered.chunks_exact(piece_len.max(1)) {
                    samples.bytes.extend_from_slice(&piece[..sample_len]);
                    samples.lens.push(sample_len);
                }
                Ok(())
            })?;
        }
        Ok(samples)
    }
}
