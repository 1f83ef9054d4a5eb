//! The blocks of a chunk that is being compressed: where their bytes come from.

use super::plan::Plan;
use super::scratch::{self, Scratch};
use crate::base::buffer::Buffer;
use crate::base::hooks::{Prefilter, Prefiltering};
use crate::base::params::CParams;
use crate::base::{Error, ErrorKind, Result};

/// Fills a buffer with the bytes of a block, by number.
pub type Gather<'a> = &'a (dyn Fn(usize, &mut [u8]) -> Result<()> + Sync);

/// Where the bytes of a chunk are.
pub(super) enum Input<'a> {
    /// In one piece.
    Slice(&'a [u8]),
    /// Somebody knows.
    Gather(Gather<'a>),
    /// One piece per block.
    Vl(&'a [&'a [u8]]),
}

impl Input<'_> {
    /// All of the chunk's bytes, where they are in one piece.
    pub(super) fn whole(&self) -> &[u8] {
        match self {
            Input::Slice(src) => src,
            Input::Gather(_) | Input::Vl(_) => &[],
        }
    }

    /// The length of block `n`, in bytes.
    pub(super) fn block_len(&self, plan: &Plan, n: usize) -> usize {
        match self {
            Input::Vl(blocks) => blocks.get(n).map_or(0, |block| block.len()),
            _ => plan.block_range(n).len(),
        }
    }

    /// The bytes of block `n` as the caller gave them: where they are, or in `buffer`.
    fn given<'b>(&'b self, plan: &Plan, n: usize, buffer: &'b mut Buffer) -> Result<&'b [u8]> {
        match self {
            Input::Slice(src) => Ok(&src[plan.block_range(n)]),
            Input::Vl(blocks) => Ok(blocks[n]),
            Input::Gather(gather) => {
                let block = buffer.sized(plan.block_range(n).len());
                gather(n, block)?;
                Ok(block)
            }
        }
    }

    /// The bytes of block `n` as they are to be compressed, the prefilter applied.
    pub(super) fn block<'b>(
        &'b self,
        params: &CParams,
        plan: &Plan,
        n: usize,
        tid: usize,
        buffers: Buffers<'b>,
    ) -> Result<&'b [u8]> {
        let given = self.given(plan, n, buffers.raw)?;
        let Some(prefilter) = &params.prefilter else { return Ok(given) };
        let output = buffers.hooked.sized(given.len());
        prefilter_block(&**prefilter, params, plan, (n, tid), given, output, buffers.hook)?;
        Ok(output)
    }

    /// Writes block `n`, as it would be compressed, to `dst`.
    pub(super) fn store_block(
        &self,
        params: &CParams,
        plan: &Plan,
        n: usize,
        tid: usize,
        dst: &mut [u8],
    ) -> Result<()> {
        match (self, &params.prefilter) {
            (Input::Gather(gather), None) => gather(n, dst),
            (_, None) => scratch::with(plan.scratch_len(), |s| {
                dst.copy_from_slice(self.given(plan, n, &mut s.raw)?);
                Ok(())
            }),
            (_, Some(prefilter)) => scratch::with(plan.scratch_len(), |s| {
                let Scratch { raw, hook, .. } = s;
                let given = self.given(plan, n, raw)?;
                prefilter_block(&**prefilter, params, plan, (n, tid), given, dst, hook)
            }),
        }
    }
}

/// The parts of a scratch that a block on its way in may need.
pub(super) struct Buffers<'a> {
    pub(super) raw: &'a mut Buffer,
    pub(super) hooked: &'a mut Buffer,
    pub(super) hook: &'a mut Buffer,
}

fn prefilter_block(
    prefilter: &dyn Prefilter,
    params: &CParams,
    plan: &Plan,
    (nblock, tid): (usize, usize),
    input: &[u8],
    output: &mut [u8],
    hook: &mut Buffer,
) -> Result<()> {
    let disposable = prefilter.output_is_disposable();
    if !disposable {
        output.fill(0);
    }
    let offset = if plan.vl { 0 } else { plan.block_range(nblock).start };
    let scratch = hook.sized(hook_scratch_len(plan.blocksize, plan.typesize));
    let typesize = plan.typesize;
    let nchunk = params.nchunk;
    let done =
        prefilter.apply(Prefiltering { input, output, typesize, offset, nchunk, nblock, tid, scratch });
    match done {
        // Of an output that nobody wants, nobody wants to know.
        Err(_) if disposable => Ok(()),
        Err(error) => {
            Err(Error::new(ErrorKind::FilterPipeline, format!("the prefilter failed: {}", error.what())))
        }
        Ok(()) => Ok(()),
    }
}

/// How many bytes a hook gets to write on: four blocks' worth.
pub(super) fn hook_scratch_len(blocksize: usize, typesize: usize) -> usize {
    4 * (blocksize + 4 * typesize)
}
