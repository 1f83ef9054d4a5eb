//! Blocks are compressed by whoever is free and land in the output in block order.
//!
//! One thread writes block after block straight into the output. When more join it, each compresses into its scratch; the block
//! whose turn it is lands, and those that came too early wait parked: in the output itself, about where they are going to
//! stand if the blocks before them take as much as they do. What comes to need their place moves them on. The bytes are the
//! same in every case.

use super::block::{self, PackedBlock, Packing};
use super::compress::Compression;
use super::input::{Buffers, Input};
use super::instr;
use super::scratch::{self, Scratch};
use super::stream::Out;
use crate::base::copy::copy;
use crate::base::{Error, ErrorKind, Result};
use crate::codec::Dict;
use crate::exec;
use crate::exec::cost::{Crew, Pace};
use crate::filter::{self, BlockCtx};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

#[cfg(test)]
mod tests;

/// All blocks of one chunk, to be compressed.
pub(super) struct Jobs<'a> {
    compression: &'a Compression<'a>,
    packing: Packing<'a>,
    /// For delta: what block 0 will decode to.
    reference: Option<Cow<'a, [u8]>>,
    /// The chunk's data, where the streams are its blocks as they are.
    verbatim: Option<&'a [u8]>,
}

/// How one thread got on.
enum Alone {
    /// All blocks have landed.
    Done,
    /// The next one does not fit.
    Full,
    /// For the rest, so many threads are worth it.
    Company(usize),
}

/// Where the blocks ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landed {
    /// The end of the last block, in bytes from the start of the chunk.
    pub(super) end: usize,
    /// Whether all streams of all blocks are runs of zeros.
    pub(super) zeros: bool,
    /// Whether a dictionary stands before the blocks.
    pub(super) dict: bool,
}

impl<'a> Jobs<'a> {
    pub(super) fn new(compression: &'a Compression<'a>, packing: Packing<'a>) -> Result<Self> {
        let verbatim = compression.verbatim();
        let mut jobs = Jobs { compression, packing, reference: None, verbatim };
        let plan = compression.plan;
        if filter::uses_reference(&plan.filters) && !plan.vl && plan.nblocks > 1 {
            jobs.reference = Some(jobs.delta_reference()?);
        }
        Ok(jobs)
    }

    fn delta_reference(&self) -> Result<Cow<'a, [u8]>> {
        let Compression { params, plan, input, .. } = self.compression;
        let ctx = self.ctx(0);
        scratch::with(plan.scratch_len(), |s| match (input, &params.prefilter) {
            (Input::Slice(src), None) => {
                filter::delta_reference(&plan.filters, &ctx, &src[plan.block_range(0)], &mut s.filter)
            }
            _ => {
                let Scratch { raw, hooked, hook, filter, .. } = s;
                let block = input.block(params, plan, 0, 0, Buffers { raw, hooked, hook })?;
                Ok(Cow::Owned(filter::delta_reference(&plan.filters, &ctx, block, filter)?.into_owned()))
            }
        })
    }

    fn ctx(&self, n: usize) -> BlockCtx<'_> {
        let Compression { params, plan, .. } = self.compression;
        BlockCtx {
            typesize: plan.typesize,
            offset: if plan.vl { 0 } else { plan.block_range(n).start },
            reference: self.reference.as_deref(),
            nd: params.nd.as_deref(),
            schunk_typesize: params.in_schunk.then(|| usize::try_from(params.typesize).unwrap_or(1)),
            blosc1: false,
            token: params.token,
        }
    }

    /// Compresses with this dictionary from now on.
    pub(super) fn use_dict(&mut self, dict: Option<&'a Dict>) {
        self.packing.stream.dict = dict;
    }

    /// Block `n` as the codec is going to get it.
    pub(super) fn filtered<'s>(&'s self, n: usize, s: &'s mut Scratch) -> Result<&'s [u8]> {
        let Compression { params, plan, input, .. } = self.compression;
        let Scratch { filter, raw, hooked, hook, .. } = s;
        let block = input.block(params, plan, n, 0, Buffers { raw, hooked, hook })?;
        filter::forward(&plan.filters, &self.ctx(n), block, filter)
    }

    /// Compresses block `n` to the front of `out`; `None` when it does not fit.
    fn pack(&self, n: usize, tid: usize, s: &mut Scratch, out: &mut [u8]) -> Result<Option<PackedBlock>> {
        let Compression { params, plan, input, .. } = self.compression;
        let Scratch { codec, filter, raw, hooked, hook, stream, .. } = s;
        let nstreams = plan.nstreams(input.block_len(plan, n));
        if let Some(kept) = self.compression.kept.filter(|kept| kept.has(n)) {
            return kept.put(n, nstreams, raw, out);
        }
        let block = input.block(params, plan, n, tid, Buffers { raw, hooked, hook })?;
        if !plan.vl && self.compression.disposable() {
            return Ok(block::pack_zeros(nstreams, out));
        }
        let pack = if plan.instrumented { instr::pack } else { block::pack };
        let out = Out::new(out).leaving_raw(self.verbatim.is_some()).at_most(plan.most_of_block());
        pack(&self.packing, &self.ctx(n), nstreams, block, (codec, filter, stream), out)
    }

    /// Compresses all blocks on the threads of `crew` into `dst`: their starts up to `first`, then the blocks. `None` when
    /// they do not fit. The bytes before the starts are not touched.
    pub(super) fn run(&self, crew: Crew, first: usize, dst: &mut [u8]) -> Result<Option<Landed>> {
        let starts_at = self.compression.plan.header_len;
        let nblocks = self.compression.plan.nblocks;
        let Some((head, body)) = dst.split_at_mut_checked(first) else { return Ok(None) };
        let mut strip = Strip {
            starts: &mut head[starts_at..starts_at + 4 * nblocks],
            body,
            first,
            landed: 0,
            len: 0,
            zeros: true,
            source: (self.verbatim.unwrap_or(&[]), self.compression.plan.blocksize),
            missing: self.verbatim.map(|_| 0),
        };
        let alone = if crew.begin > 1 {
            Alone::Company(crew.begin)
        } else {
            scratch::with(self.compression.plan.scratch_len(), |s| self.run_alone(crew, s, &mut strip))?
        };
        let fits = match alone {
            Alone::Done => true,
            Alone::Full => false,
            Alone::Company(nthreads) => self.run_shared(nthreads, &mut strip)?,
        };
        if fits {
            strip.complete();
        }
        Ok(fits.then_some(Landed { end: strip.first + strip.len, zeros: strip.zeros, dict: false }))
    }

    fn run_alone(&self, crew: Crew, s: &mut Scratch, strip: &mut Strip<'_>) -> Result<Alone> {
        exec::alone(|| {
            let nblocks = self.compression.plan.nblocks;
            let mut pace = Pace::new(crew);
            for n in 0..nblocks {
                match self.pack(n, 0, s, strip.rest())? {
                    Some(block) => strip.advance(block),
                    None => return Ok(Alone::Full),
                }
                let nthreads = pace.threads(n + 1, nblocks - n - 1);
                if nthreads > 1 {
                    return Ok(Alone::Company(nthreads));
                }
            }
            Ok(Alone::Done)
        })
    }

    /// Compresses the blocks that have not landed; false when they do not fit.
    fn run_shared(&self, nthreads: usize, strip: &mut Strip<'_>) -> Result<bool> {
        let full = AtomicBool::new(false);
        let plan = self.compression.plan;
        let landed = strip.landed;
        let landing = Mutex::new(Landing { strip, parked: VecDeque::new() });
        exec::run_in_turn(nthreads, plan.nblocks - landed, &|job, tid| {
            scratch::with(plan.scratch_len(), |s| {
                if !full.load(Ordering::Relaxed) && !self.pack_apart(landed + job, tid, s, &landing)? {
                    full.store(true, Ordering::Relaxed);
                }
                Ok(())
            })
        })?;
        Ok(!full.into_inner())
    }

    /// Compresses block `n` into the scratch and has it land; false when it, or one that it lets land, does not fit.
    fn pack_apart(
        &self,
        n: usize,
        tid: usize,
        s: &mut Scratch,
        landing: &Mutex<Landing<'_, '_>>,
    ) -> Result<bool> {
        let plan = self.compression.plan;
        let len = plan.max_block_len(self.compression.input.block_len(plan, n));
        // Taken out for the time being: the scratch's other parts are needed beside it.
        let mut packed = std::mem::take(&mut s.packed);
        let out = packed.sized(len);
        let block = self.pack(n, tid, s, out)?.ok_or_else(|| {
            Error::new(ErrorKind::Failure, format!("block {n} does not fit in the most it can take"))
        })?;
        let fits = landing.lock().unwrap_or_else(PoisonError::into_inner).land(n, block, out);
        s.packed = packed;
        Ok(fits)
    }
}

/// The part of the output that blocks go to.
struct Strip<'a> {
    starts: &'a mut [u8],
    body: &'a mut [u8],
    /// Where `body` starts in the chunk.
    first: usize,
    /// How many blocks there are.
    landed: usize,
    /// How many bytes they have.
    len: usize,
    zeros: bool,
    /// What blocks that were left out are copied from, and their size.
    source: (&'a [u8], usize),
    /// Of how many blocks those that were left out are missing, as long as all together save nothing: if that is how it goes
    /// on, the chunk is stored whole in the end, and they need not have been copied.
    missing: Option<usize>,
}

impl Strip<'_> {
    fn rest(&mut self) -> &mut [u8] {
        &mut self.body[self.len..]
    }

    /// The next block has been written to the front of `rest`.
    fn advance(&mut self, block: PackedBlock) {
        let start = (self.first + self.len) as u32;
        self.starts[4 * self.landed..][..4].copy_from_slice(&start.to_le_bytes());
        self.landed += 1;
        self.len += block.len;
        self.zeros &= block.zeros;
        match self.missing {
            Some(_) if block.left || !self.saves() => self.missing = Some(self.landed),
            Some(_) => self.complete(),
            None if block.left => self.bring(self.landed - 1),
            None => {}
        }
    }

    /// Whether the blocks with their starts have fewer bytes than what they were made of.
    fn saves(&self) -> bool {
        let (_, blocksize) = self.source;
        self.starts.len() + self.len < self.landed * blocksize
    }

    /// Copies what is missing.
    fn complete(&mut self) {
        for n in 0..self.missing.take().unwrap_or(0) {
            self.bring(n);
        }
    }

    /// Copies the bytes of block `n` behind its size, if that says that it is stored.
    fn bring(&mut self, n: usize) {
        let (data, blocksize) = self.source;
        let block = &data[n * blocksize..];
        let block = &block[..block.len().min(blocksize)];
        let (starts, _) = self.starts.as_chunks();
        let at = u32::from_le_bytes(starts[n]) as usize - self.first;
        let (size, bytes) = self.body[at..].split_at_mut(4);
        if size == (block.len() as u32).to_le_bytes() {
            copy(block, &mut bytes[..block.len()]);
        }
    }

    /// Copies the next block in; false when it does not fit.
    fn append(&mut self, block: PackedBlock, bytes: &[u8]) -> bool {
        let Some(place) = self.rest().get_mut(..block.len) else { return false };
        let len = written(block);
        copy(&bytes[..len], &mut place[..len]);
        self.advance(block);
        true
    }

    /// Moves the next block up, which stands at `at`; false when it does not fit.
    fn move_up(&mut self, block: PackedBlock, at: usize) -> bool {
        if self.rest().len() < block.len {
            return false;
        }
        self.body.copy_within(at..at + written(block), self.len);
        self.advance(block);
        true
    }
}

/// How many bytes of a block have been written.
fn written(block: PackedBlock) -> usize {
    // Of a stream that was left out, its size.
    if block.left { 4 } else { block.len }
}

/// The output, and the blocks that came before their turn.
struct Landing<'a, 'b> {
    strip: &'a mut Strip<'b>,
    /// In their order. Those in the output stand in this order there, too, behind what has landed, and do not overlap.
    parked: VecDeque<Parked>,
}

/// A block that waits.
struct Parked {
    n: usize,
    block: PackedBlock,
    place: Place,
}

/// Where a block waits.
enum Place {
    /// In the output, at so many bytes from where the blocks begin.
    There(usize),
    /// Apart from it, as it would reach past the end there.
    Apart(Box<[u8]>),
}

impl Landing<'_, '_> {
    /// Takes block `n`, whose bytes stand at the front of `bytes`, and lets land what can; false when that does not fit.
    fn land(&mut self, n: usize, block: PackedBlock, bytes: &[u8]) -> bool {
        if n != self.strip.landed {
            self.park(n, block, &bytes[..written(block)]);
            return true;
        }
        let mut fits = self.append(block, bytes);
        while fits && let Some(Parked { block, place, .. }) = self.next() {
            fits = match place {
                Place::There(at) => self.strip.move_up(block, at),
                Place::Apart(bytes) => self.append(block, &bytes),
            };
        }
        fits
    }

    /// The first that waits, if it is its turn.
    fn next(&mut self) -> Option<Parked> {
        if self.parked.front()?.n != self.strip.landed {
            return None;
        }
        self.parked.pop_front()
    }

    /// [`Strip::append`], where something may be waiting.
    fn append(&mut self, block: PackedBlock, bytes: &[u8]) -> bool {
        self.make_way(0, self.strip.len + block.len);
        self.strip.append(block, bytes)
    }

    fn park(&mut self, n: usize, block: PackedBlock, bytes: &[u8]) {
        let before = self.parked.partition_point(|parked| parked.n < n);
        let at = self.place(before, n, block.len);
        let place = match at.filter(|at| at + block.len <= self.strip.body.len()) {
            Some(at) => {
                self.make_way(before, at + block.len);
                copy(bytes, &mut self.strip.body[at..][..bytes.len()]);
                Place::There(at)
            }
            None => Place::Apart(bytes.into()),
        };
        self.parked.insert(before, Parked { n, block, place });
    }

    /// Where block `n`, of `len` bytes, waits in the output, when so many wait that come before it: as far on as it will stand
    /// if the blocks that are missing before it take as many bytes, and a little more, as moving it again costs more than a
    /// few bytes of memory.
    fn place(&self, before: usize, n: usize, len: usize) -> Option<usize> {
        let each = len + len / 32;
        match before.checked_sub(1).map(|last| &self.parked[last]) {
            None => Some(self.strip.len + (n - self.strip.landed) * each),
            Some(Parked { n: m, block, place: Place::There(at) }) => {
                Some(at + block.len + (n - m - 1) * each)
            }
            // There is no place behind one that had none.
            Some(Parked { place: Place::Apart(_), .. }) => None,
        }
    }

    /// Moves what waits, but the first `before`, to `end` and behind it, where it stands before that.
    fn make_way(&mut self, before: usize, mut end: usize) {
        let mut behind = before;
        while let Some(Parked { block, place, .. }) = self.parked.get(behind) {
            match place {
                Place::There(at) if *at < end => end += block.len,
                Place::There(_) => break,
                Place::Apart(_) => {}
            }
            behind += 1;
        }
        // From the last one on, so that none moves onto another.
        for Parked { block, place, .. } in self.parked.range_mut(before..behind).rev() {
            let Place::There(at) = *place else { continue };
            let from = at..at + written(*block);
            let whole = end <= self.strip.body.len();
            end -= block.len;
            if whole {
                self.strip.body.copy_within(from, end);
                *place = Place::There(end);
            } else {
                *place = Place::Apart(self.strip.body[from].into());
            }
        }
    }
}
