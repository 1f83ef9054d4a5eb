//! Bytes in, a chunk out.

use super::block::{self, Packing};
use super::copying::copy_shared;
use super::cost;
use super::dict;
use super::header::{Special, flag2};
use super::input::{Gather, Input};
use super::keep::{Kept, Patch};
use super::landing::{Jobs, Landed};
use super::plan::Plan;
use super::scratch::{self, SMALL};
use super::special;
use super::stream::Layout;
use crate::base::consts::{MAX_DICT_LEN, MAX_OVERHEAD};
use crate::base::params::CParams;
use crate::base::scatter::Blocks;
use crate::base::{CBuf, Error, ErrorKind, Result, env};
use crate::codec::{self, Dict, StreamParams};
use crate::exec::cost::Crew;
use crate::{exec, fail, filter};
use std::time::Instant;

/// Compresses `src` into `dst` and tells how many bytes the chunk has; 0 when it does not fit, which cannot be where
/// `dst` is [`MAX_OVERHEAD`] bytes longer than `src`.
///
/// # Errors
/// As [`Plan::new`]; [`ErrorKind::MaxBufsizeExceeded`] when `dst` has no room for a header; what codec, filters and hooks
/// report.
pub fn compress(params: &CParams, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    tuned(
        params,
        src.len(),
        |len| *len,
        |params| {
            check_room(dst)?;
            let plan = planned(params, src.len(), 0)?;
            Compression { params, plan: &plan, input: Input::Slice(src), kept: None, recognises: true }
                .run(dst)
        },
    )
}

/// Compresses `src` into a chunk of its own; what does not shrink is stored.
///
/// # Errors
/// As [`compress`].
pub fn compress_to_cbuf(params: &CParams, src: &[u8]) -> Result<CBuf> {
    cut(compress_uncut(params, src)?)
}

/// [`compress_to_cbuf`], and the chunk's length: it stands at the front of more memory. For those who copy it, or cut it, later:
/// malloc keeps what it had in one piece, where a block that was cut before goes back to the system each time.
///
/// # Errors
/// As [`compress`].
pub(crate) fn compress_uncut(params: &CParams, src: &[u8]) -> Result<(CBuf, usize)> {
    tuned(
        params,
        src.len(),
        |(_, len): &(CBuf, usize)| *len,
        |params| {
            let plan = planned(params, src.len(), 0)?;
            Compression { params, plan: &plan, input: Input::Slice(src), kept: None, recognises: true }
                .run_in(CBuf::empty())
        },
    )
}

/// Compresses `nbytes` bytes that need not lie in one piece: `gather` is asked for a block, in the worker that
/// compresses it, and fills the buffer it is given. It may be asked for a block more than once. A block size other than
/// 0 is kept, whatever a tuner says.
///
/// # Errors
/// As [`compress`], and what `gather` reports.
pub fn compress_gather(params: &CParams, nbytes: usize, gather: Gather<'_>) -> Result<CBuf> {
    cut(made_of(params, nbytes, Input::Gather(gather), None, CBuf::empty())?)
}

/// [`compress_gather`], for a chunk that takes the place of another: blocks that the patch does not touch are taken over
/// compressed as they are, where the parameters are those of the old chunk and nobody wants to see every block. `gather`
/// must know all blocks all the same.
///
/// # Errors
/// As [`compress_gather`], and what is wrong with how the old chunk's blocks are laid out.
pub fn compress_patch(
    params: &CParams,
    nbytes: usize,
    gather: Gather<'_>,
    patch: &Patch<'_>,
) -> Result<CBuf> {
    cut(made_of(params, nbytes, Input::Gather(gather), Some(patch), CBuf::empty())?)
}

/// [`compress_gather`], or with a patch [`compress_patch`], in memory that an earlier chunk may have had, where there is enough
/// of it. Behind the chunk may be bytes that are none of its.
///
/// # Errors
/// As those.
pub(crate) fn compress_in(
    room: CBuf,
    params: &CParams,
    nbytes: usize,
    gather: Gather<'_>,
    patch: Option<&Patch<'_>>,
) -> Result<CBuf> {
    made_of(params, nbytes, Input::Gather(gather), patch, room).map(|(chunk, _)| chunk)
}

/// [`compress_in`], of blocks that stand one behind the other in `src`. It makes the same chunk.
///
/// # Errors
/// As [`compress_in`].
pub(crate) fn compress_blocks_in(room: CBuf, params: &CParams, src: &[u8]) -> Result<CBuf> {
    made_of(params, src.len(), Input::Slice(src), None, room).map(|(chunk, _)| chunk)
}

/// Makes memory as long as the chunk at its front.
fn cut((mut chunk, len): (CBuf, usize)) -> Result<CBuf> {
    chunk.resize(len)?;
    Ok(chunk)
}

/// A chunk at the front of some memory, and its length.
fn made_of(
    params: &CParams,
    nbytes: usize,
    input: Input<'_>,
    patch: Option<&Patch<'_>>,
    room: CBuf,
) -> Result<(CBuf, usize)> {
    let blocksize = params.blocksize;
    tuned(
        params,
        nbytes,
        |(_, len): &(CBuf, usize)| *len,
        |params| {
            let plan = planned(params, nbytes, blocksize)?;
            let kept = patch.and_then(|patch| Kept::new(params, &plan, patch));
            Compression { params, plan: &plan, input, kept, recognises: false }.run_in(room)
        },
    )
}

/// [`compress_gather`] into memory that is there already; 0 when the chunk does not fit.
///
/// # Errors
/// As [`compress`], and what `gather` reports.
pub fn compress_gather_into(
    params: &CParams,
    nbytes: usize,
    gather: Gather<'_>,
    dst: &mut [u8],
) -> Result<usize> {
    let blocksize = params.blocksize;
    tuned(
        params,
        nbytes,
        |len| *len,
        |params| {
            check_room(dst)?;
            let plan = planned(params, nbytes, blocksize)?;
            Compression { params, plan: &plan, input: Input::Gather(gather), kept: None, recognises: false }
                .run(dst)
        },
    )
}

/// Does `work`, which makes a chunk of `nbytes` bytes, with the parameters that a tuner chooses, and tells it the outcome.
pub(super) fn tuned<R>(
    params: &CParams,
    nbytes: usize,
    cbytes: impl FnOnce(&R) -> usize,
    work: impl FnOnce(&CParams) -> Result<R>,
) -> Result<R> {
    let Some(tuner) = &params.tuner else { return work(params) };
    let failed = |e: Error| Error::new(ErrorKind::Tuner, format!("the tuner failed: {}", e.what()));
    let mut chosen = params.clone();
    tuner.tune(nbytes, &mut chosen).map_err(failed)?;
    let start = Instant::now();
    let made = work(&chosen)?;
    tuner.learn(nbytes, cbytes(&made), start.elapsed()).map_err(failed)?;
    Ok(made)
}

/// The plan for a chunk, with blocks of `blocksize` bytes unless that is 0; says so where somebody wants to know.
#[inline]
fn planned(params: &CParams, nbytes: usize, blocksize: i32) -> Result<Plan> {
    let plan = Plan::of_blocks(params, nbytes, blocksize)?;
    if env::informs() && params.tuner.is_none() {
        plan.tell(params);
    }
    Ok(plan)
}

/// Checks that `dst` has room for a header.
///
/// # Errors
/// `MaxBufsizeExceeded`.
pub(super) fn check_room(dst: &[u8]) -> Result<()> {
    if dst.len() < MAX_OVERHEAD {
        fail!(MaxBufsizeExceeded, "{} bytes of output have no room for a header", dst.len());
    }
    Ok(())
}

/// One chunk to be made.
pub(super) struct Compression<'a> {
    pub(super) params: &'a CParams,
    pub(super) plan: &'a Plan,
    pub(super) input: Input<'a>,
    /// Blocks that need not be made.
    pub(super) kept: Option<Kept<'a>>,
    /// Whether data of one value becomes a special chunk. That of arrays does not, as with the C library, unless it is zeros.
    pub(super) recognises: bool,
}

impl Compression<'_> {
    /// The chunk in memory of its own.
    pub(super) fn run_to_cbuf(&self) -> Result<CBuf> {
        cut(self.run_in(CBuf::empty())?)
    }

    /// The chunk at the front of memory, of this one where it is enough, and its length.
    fn run_in(&self, mut chunk: CBuf) -> Result<(CBuf, usize)> {
        let plan = self.plan;
        let room = if plan.vl {
            // Not to be stored whole: room for every block's raw bytes.
            let dict = if plan.use_dict { 4 + MAX_DICT_LEN } else { 0 };
            plan.starts_end() + dict + plan.nbytes + 4 * plan.nblocks
        } else {
            plan.nbytes + MAX_OVERHEAD
        };
        if room <= SMALL {
            // Copied to where it stays: less work than cutting memory to size that had to be zeroed.
            return scratch::with_small(|dst| {
                let len = self.run_to_fit(&mut dst[..room])?;
                Ok((CBuf::copy_of(&dst[..len])?, len))
            });
        }
        if chunk.len() < room {
            chunk = CBuf::of_any(room)?;
        }
        let len = self.run_to_fit(&mut chunk[..room])?;
        Ok((chunk, len))
    }

    /// Writes the chunk to `dst`, which has room for it.
    fn run_to_fit(&self, dst: &mut [u8]) -> Result<usize> {
        match self.run(dst)? {
            0 => fail!(Failure, "a chunk of {} bytes does not fit in {}", self.plan.nbytes, dst.len()),
            len => Ok(len),
        }
    }

    /// Writes the chunk to the front of `dst`, which has room for a header; 0 when it does not fit.
    pub(super) fn run(&self, dst: &mut [u8]) -> Result<usize> {
        let plan = self.plan;
        if let (true, Input::Slice(src), None) = (self.recognises, &self.input, &self.params.prefilter)
            && let Some((special, value)) = special::recognise(plan, src)
        {
            return Ok(self.write_special(special, value, dst));
        }
        let room = dst.len().min(plan.most());
        let worth_trying = plan.vl || (!plan.stored && plan.starts_end() <= room);
        if worth_trying {
            if let Some(len) = self.pack(&mut dst[..room])? {
                return Ok(len);
            }
            if plan.vl {
                return Ok(0);
            }
        }
        self.store(worth_trying, dst)
    }

    /// A special chunk; 0 when it does not fit.
    fn write_special(&self, special: Special, value: &[u8], dst: &mut [u8]) -> usize {
        let mut header = self.plan.header();
        header.blosc2_flags |= special.code() << flag2::SPECIAL_SHIFT;
        let header_len = header.len();
        let len = header_len + value.len();
        header.cbytes = len as u32;
        let Some(dst) = dst.get_mut(..len) else { return 0 };
        header.write(dst);
        dst[header_len..].copy_from_slice(value);
        len
    }

    /// The chunk with its blocks compressed; `None` when it does not fit.
    fn pack(&self, dst: &mut [u8]) -> Result<Option<usize>> {
        let plan = self.plan;
        let mut header = plan.header();
        let packed = match self.pack_blocks(dst)? {
            Some(Landed { zeros: true, .. }) if self.zeros_say_it_all() => {
                return Ok(Some(self.write_special(Special::Zeros, &[], dst)).filter(|&len| len > 0));
            }
            Some(landed) => landed,
            None => return Ok(None),
        };
        header.cbytes = packed.end as u32;
        if packed.dict {
            header.blosc2_flags |= flag2::DICT;
        }
        header.write(dst);
        Ok(Some(packed.end))
    }

    /// Whether a chunk whose filtered bytes are all zero has only zeros in it.
    fn zeros_say_it_all(&self) -> bool {
        let plan = self.plan;
        !plan.vl && !plan.instrumented && plan.filters_are_ours()
    }

    /// Block starts and blocks, after the place for the header.
    fn pack_blocks(&self, dst: &mut [u8]) -> Result<Option<Landed>> {
        let plan = self.plan;
        // A registered codec sees what was decided.
        let decided = (plan.codec >= codec::FIRST_REGISTERED).then(|| CParams {
            blocksize: plan.blocksize as i32,
            typesize: plan.typesize as i32,
            ..self.params.clone()
        });
        let call = codec::user::Call {
            cparams: Some(decided.as_ref().unwrap_or(self.params)),
            dparams: None,
            chunk: self.input.whole(),
            token: self.params.token,
        };
        let packing = Packing {
            filters: &plan.filters,
            stream: StreamParams {
                codec: plan.codec,
                meta: plan.codec_meta,
                clevel: plan.clevel,
                typesize: plan.typesize as i32,
                split: plan.split,
                made_of: block::made_of(
                    filter::spread(&plan.filters, plan.typesize),
                    plan.typesize,
                    plan.split,
                ),
                nd: self.params.nd.as_deref(),
                call: Some(&call),
                ..StreamParams::default()
            },
            layout: match plan {
                Plan { vl: true, .. } => Layout::Vl,
                Plan { header_len: MAX_OVERHEAD, .. } => Layout::Runs,
                _ => Layout::NoRuns,
            },
        };
        let dict: Option<Dict>;
        let mut jobs = Jobs::new(self, packing)?;
        let mut first = plan.starts_end();
        if plan.use_dict && !self.disposable() {
            dict = exec::alone(|| dict::make(&jobs, &self.input, plan))?;
            if let Some(dict) = &dict {
                let Some(end) = put_dict(dict.bytes(), first, dst) else { return Ok(None) };
                first = end;
                jobs.use_dict(Some(dict));
            }
        }
        let landed = jobs.run(self.crew(), first, dst)?;
        Ok(landed.map(|landed| Landed { dict: first > plan.starts_end(), ..landed }))
    }

    /// Nanoseconds that one thread takes to make the blocks.
    fn cost(&self) -> u64 {
        let all = cost::compressing(self.plan);
        match &self.kept {
            Some(kept) => all / self.plan.nblocks.max(1) as u64 * kept.touched(self.plan) as u64,
            None => all,
        }
    }

    /// The data, where every block of it is one stream as it stands.
    pub(super) fn verbatim(&self) -> Option<&[u8]> {
        let plan = self.plan;
        let as_it_is = self.params.prefilter.is_none()
            && self.kept.is_none()
            && !plan.instrumented
            && filter::is_identity(&plan.filters, plan.typesize)
            && plan.nstreams(plan.blocksize) == 1;
        match self.input {
            Input::Slice(src) if as_it_is => Some(src),
            _ => None,
        }
    }

    /// Whether nobody wants what is compressed.
    pub(super) fn disposable(&self) -> bool {
        self.params.prefilter.as_ref().is_some_and(|prefilter| prefilter.output_is_disposable())
    }

    /// The threads that make the blocks.
    fn crew(&self) -> Crew {
        if self.params.nthreads <= 1 || self.plan.nblocks <= 1 {
            return Crew::ALONE;
        }
        if self.kept.is_some() {
            return Crew::fixed(self.threads(self.cost()));
        }
        Crew::new(self.nthreads(), self.plan.nblocks, self.with_hook(self.cost()))
    }

    /// How many threads are worth it for what takes one thread `nanos`.
    fn threads(&self, nanos: u64) -> usize {
        exec::cost::threads(self.nthreads(), self.plan.nblocks, self.with_hook(nanos))
    }

    fn nthreads(&self) -> usize {
        usize::try_from(self.params.nthreads).unwrap_or(1)
    }

    /// What takes `nanos`, and perhaps a hook. What that takes, nobody knows.
    fn with_hook(&self, nanos: u64) -> u64 {
        if self.params.prefilter.is_some() { u64::MAX } else { nanos }
    }

    /// The chunk with its data stored; `tried` says whether compressing was tried.
    fn store(&self, tried: bool, dst: &mut [u8]) -> Result<usize> {
        let plan = self.plan;
        let header = plan.stored_header(tried);
        let len = header.cbytes as usize;
        let Some(dst) = dst.get_mut(..len) else { return Ok(0) };
        let (head, data) = dst.split_at_mut(plan.header_len);
        header.write(head);
        if let (Input::Slice(src), None) = (&self.input, &self.params.prefilter) {
            copy_shared(self.threads(cost::copying(src.len())), src, data)?;
            return Ok(len);
        }
        let blocks = Blocks::new(data, plan.blocksize);
        exec::run(self.threads(cost::copying(plan.nbytes)), plan.nblocks, &|n, tid| {
            self.input.store_block(self.params, plan, n, tid, blocks.take(n)?)
        })?;
        Ok(len)
    }
}

/// Writes a dictionary and its length at `at`; gives where they end, `None` when they do not fit.
fn put_dict(bytes: &[u8], at: usize, dst: &mut [u8]) -> Option<usize> {
    let end = at + 4 + bytes.len();
    let place = dst.get_mut(at..end)?;
    place[..4].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    place[4..].copy_from_slice(bytes);
    Some(end)
}
