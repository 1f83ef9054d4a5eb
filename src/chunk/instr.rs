//! Instrumented chunks: in place of each stream, what the codec made of it and how fast.
//!
//! A record is `blosc2_instr`: compression ratio, bytes per second of the codec and of the filters as three `f32`, and
//! four flag bytes, the first of which is 1 for a run. Records take the place of streams stored raw, so that an
//! instrumented chunk decompresses to them.

use super::block::{PackedBlock, Packing};
use super::plan::Plan;
use super::stream::{Out, run_of};
use crate::base::Result;
use crate::base::buffer::Buffer;
use crate::codec::{self, State};
use crate::filter::{self, BlockCtx};
use std::time::Instant;

/// Bytes of a record.
pub(super) const RECORD_LEN: usize = 16;

/// Measures the block `raw` and writes its records into `out`; `None` when they do not fit.
pub(super) fn pack(
    packing: &Packing<'_>,
    ctx: &BlockCtx<'_>,
    nstreams: usize,
    raw: &[u8],
    scratch: (&mut State, &mut filter::Scratch, &mut Buffer),
    mut out: Out<'_>,
) -> Result<Option<PackedBlock>> {
    let (state, filter_scratch, spare) = scratch;
    let start = Instant::now();
    let filtered = filter::forward(packing.filters, ctx, raw, filter_scratch)?;
    let filtering = start.elapsed().as_secs_f32();
    for src in filtered.chunks_exact((filtered.len() / nstreams).max(1)) {
        let start = Instant::now();
        let run = run_of(src);
        let csize = match run {
            Some(0) => 4,
            Some(_) => 5,
            None => {
                let room = spare.sized(src.len());
                match codec::compress(&packing.stream, state, src, room)? {
                    0 => 4 + src.len(),
                    len => 4 + len,
                }
            }
        };
        let coding = start.elapsed().as_secs_f32();
        let len = src.len() as f32;
        let figures = [len / csize as f32, len / coding, len / filtering];
        if put_record(figures, run.is_some(), &mut out).is_none() {
            return Ok(None);
        }
    }
    Ok(Some(PackedBlock { len: out.len(), zeros: false, left: false }))
}

fn put_record(figures: [f32; 3], run: bool, out: &mut Out<'_>) -> Option<()> {
    out.put_i32(RECORD_LEN as i32)?;
    for figure in figures {
        out.put(&figure.to_le_bytes())?;
    }
    out.put(&[u8::from(run), 0, 0, 0])
}

/// The sizes that the header of an instrumented chunk says: all records, and those of a block.
pub(super) fn sizes(plan: &Plan) -> (usize, usize) {
    let per_block = plan.nstreams(plan.blocksize);
    let nstreams: usize = (0..plan.nblocks).map(|n| plan.nstreams(plan.block_range(n).len())).sum();
    (nstreams * RECORD_LEN, per_block * RECORD_LEN)
}
