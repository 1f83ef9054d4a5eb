//! Writing: every worker gathers its block from the caller's buffer and compresses it. A chunk all of whose items are
//! written is never read; of another, each worker decodes the block that it is about to patch, and blocks with no new item
//! are taken over as they are.
//!
//! With many chunks to write, a worker makes whole chunks, several at a time; with few, they share the blocks of one. The
//! chunks are the same either way, and arrive in the super-chunk in order.

use super::geometry::{BlockPart, ChunkPart, Chunks};
use super::layout::Layout;
use super::sweep::{self, Blocks};
use crate::base::params::CParams;
use crate::base::strided::{BoxCopy, Place};
use crate::base::{CBuf, Error, ErrorKind, Result};
use crate::chunk::{self, ChunkReader, Patch, Plan};
use crate::exec;
use crate::schunk::SuperChunk;
use crate::schunk::rules::Position;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Chunks that get new items.
pub(crate) trait Changes: Sync {
    /// The new items of one chunk.
    type Overlay<'a>: Overlay
    where
        Self: 'a;

    /// How many chunks there are.
    fn nparts(&self) -> usize;

    /// The number of the `n`th of them in the super-chunk.
    fn nchunk(&self, n: usize) -> i64;

    /// The new items of the `n`th, got on `nthreads` threads where they have to be got.
    fn overlay(&self, n: usize, nthreads: usize) -> Result<Self::Overlay<'_>>;
}

/// New items for the blocks of one chunk.
pub(crate) trait Overlay: Sync {
    /// Whether every item that the chunk has of the array is new.
    fn is_whole(&self) -> bool;

    /// Whether any item of block `n` is new.
    fn touches(&self, n: usize) -> bool;

    /// Whether every item of block `n`, padding included, is new.
    fn covers(&self, n: usize) -> bool;

    /// The chunk's bytes, block after block and padding included, where they are in one piece somewhere.
    fn in_one_piece(&self) -> Option<&[u8]> {
        None
    }

    /// Writes the new items of block `n` over what `dst`, of a block's length, holds.
    fn write(&self, n: usize, dst: &mut [u8]) -> Result<()>;
}

/// What becomes of the chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// They replace those that are there.
    Update,
    /// They are the first chunks of a new array, all of them, in order.
    Append,
}

/// The bytes of chunks, uncompressed, that may be on their way at a time.
const IN_FLIGHT: usize = 256 * 1024 * 1024;

/// So many bytes of chunks are made in one go even where fewer chunks would do for all threads.
const BATCH: usize = 1024 * 1024;

/// Memory of chunks that are stored elsewhere by now, for the next ones: the system takes longer to bring new memory than
/// a fast codec takes to fill it.
#[derive(Default)]
struct Spares(Mutex<Vec<CBuf>>);

impl Spares {
    /// Some that is left, or none.
    fn take(&self) -> CBuf {
        self.all().pop().unwrap_or(CBuf::empty())
    }

    /// Keeps what a super-chunk has left.
    fn give(&self, left: Option<CBuf>) {
        self.all().extend(left);
    }

    fn all(&self) -> MutexGuard<'_, Vec<CBuf>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the chunks and puts them into the super-chunk.
///
/// # Errors
/// What reading old chunks, compressing and storing report. Chunks before the one that failed have changed.
pub(crate) fn apply(
    schunk: &mut SuperChunk,
    layout: &Layout,
    changes: &impl Changes,
    arrival: Arrival,
) -> Result<()> {
    layout.check_chunk()?;
    let nthreads = usize::try_from(schunk.cparams().nthreads).unwrap_or(1).max(1);
    let spares = Spares::default();
    let mut next = 0;
    while next < changes.nparts() {
        let left = changes.nparts() - next;
        let at_once = if nthreads > 1 && left >= 2 * nthreads {
            let chunk_nbytes = layout.chunk_nbytes().max(1);
            (BATCH / chunk_nbytes).clamp(nthreads, 4 * nthreads).min(IN_FLIGHT / chunk_nbytes).max(1)
        } else {
            1
        };
        let batch = next..next + at_once.min(left);
        for (n, chunk) in batch.clone().zip(make(schunk, layout, changes, batch.clone(), nthreads, &spares)?)
        {
            let position = match arrival {
                Arrival::Update => Position::At(changes.nchunk(n)),
                Arrival::Append => Position::End,
            };
            let mut offered = Some(chunk);
            schunk.take_from(&mut offered, position)?;
            spares.give(offered);
        }
        next = batch.end;
    }
    Ok(())
}

/// The new chunks of a batch.
fn make<C: Changes>(
    schunk: &SuperChunk,
    layout: &Layout,
    changes: &C,
    batch: Range<usize>,
    nthreads: usize,
    spares: &Spares,
) -> Result<Vec<CBuf>> {
    let first = batch.start;
    if batch.len() == 1 {
        return Ok(vec![make_one(schunk, layout, changes, first, nthreads, spares)?]);
    }
    let made: Vec<OnceLock<CBuf>> = batch.map(|_| OnceLock::new()).collect();
    exec::run(nthreads, made.len(), &|i, _| {
        let chunk = make_one(schunk, layout, changes, first + i, 1, spares)?;
        made[i].set(chunk).map_err(|_| Error::new(ErrorKind::Failure, "a chunk was made twice"))
    })?;
    let made = made.into_iter().map(OnceLock::into_inner);
    made.collect::<Option<_>>().ok_or_else(|| Error::new(ErrorKind::Failure, "a chunk was not made"))
}

fn make_one(
    schunk: &SuperChunk,
    layout: &Layout,
    changes: &impl Changes,
    n: usize,
    nthreads: usize,
    spares: &Spares,
) -> Result<CBuf> {
    let nchunk = changes.nchunk(n);
    let cparams = CParams {
        blocksize: layout.block_nbytes() as i32,
        nthreads: nthreads as i16,
        nchunk,
        ..schunk.cparams().clone()
    };
    let make = || {
        let overlay = changes.overlay(n, nthreads)?;
        let old = if overlay.is_whole() { None } else { Some(schunk.whole_reader(nchunk)?) };
        compress(spares.take(), layout, old.as_ref(), &overlay, &cparams)
    };
    make().map_err(|e: Error| e.at(format_args!("chunk {nchunk}")))
}

/// Makes a chunk of the array: `overlay` over the chunk that is there, or over zeros where all its items are replaced. In
/// `room`, where that is enough, and with bytes behind it that are none of the chunk's.
///
/// # Errors
/// `Data` when the old chunk is none of such an array; what decoding it, the overlay and compressing report.
pub(crate) fn compress(
    room: CBuf,
    layout: &Layout,
    old: Option<&ChunkReader<'_>>,
    overlay: &impl Overlay,
    cparams: &CParams,
) -> Result<CBuf> {
    if let Some(old) = old {
        sweep::check(layout, old)?;
    }
    let gather = |n: usize, dst: &mut [u8]| {
        if !overlay.covers(n) {
            match old {
                Some(reader) => Blocks { layout, reader, tid: 0 }.decode(n, dst)?,
                None => dst.fill(0),
            }
        }
        overlay.write(n, dst)
    };
    let nbytes = layout.chunk_nbytes();
    if Plan::new(cparams, nbytes)?.blocksize == layout.block_nbytes() {
        if let Some(bytes) = overlay.in_one_piece() {
            return chunk::compress_blocks_in(room, cparams, bytes);
        }
        let touches = |n: usize| overlay.touches(n);
        let patch = old.map(|old| Patch { old, touches: &touches });
        return chunk::compress_in(room, cparams, nbytes, &gather, patch.as_ref());
    }
    // The parameters want other blocks than the array has.
    let mut whole = CBuf::of_any(nbytes)?;
    for (n, block) in whole.chunks_exact_mut(layout.block_nbytes()).enumerate() {
        exec::alone(|| gather(n, block))?;
    }
    chunk::compress_to_cbuf(cparams, &whole)
}

/// A box of the array, in the first items along each dimension of a caller's buffer.
pub(crate) struct BoxChanges<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) chunks: Chunks<'a>,
    pub(crate) bytes: &'a [u8],
    pub(crate) shape: &'a [i64],
}

impl Changes for BoxChanges<'_> {
    type Overlay<'s>
        = BoxOverlay<'s>
    where
        Self: 's;

    fn nparts(&self) -> usize {
        self.chunks.len()
    }

    fn nchunk(&self, n: usize) -> i64 {
        self.chunks.get(n).nchunk()
    }

    fn overlay(&self, n: usize, _nthreads: usize) -> Result<BoxOverlay<'_>> {
        let part = self.chunks.get(n);
        Ok(BoxOverlay { layout: self.layout, part, bytes: self.bytes.into(), shape: self.shape.into() })
    }
}

/// What of a box lies in one chunk, and a buffer that holds the box.
pub(crate) struct BoxOverlay<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) part: ChunkPart<'a>,
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Items of the buffer along each dimension.
    pub(crate) shape: Cow<'a, [i64]>,
}

impl Overlay for BoxOverlay<'_> {
    fn is_whole(&self) -> bool {
        self.part.is_whole()
    }

    fn touches(&self, n: usize) -> bool {
        self.part.block(n).is_some()
    }

    fn covers(&self, n: usize) -> bool {
        self.part.block(n).is_some_and(|block| block.is_whole())
    }

    fn in_one_piece(&self) -> Option<&[u8]> {
        let nblocks = self.layout.chunk_nbytes() / self.layout.block_nbytes().max(1);
        let mut piece: Option<Range<usize>> = None;
        for n in 0..nblocks {
            let block = self.part.block(n).filter(BlockPart::is_whole)?;
            let copy = self.copy_of(&block).ok().filter(BoxCopy::is_one_run)?;
            let Range { start, end } = copy.src_span();
            let first = piece.map_or(Some(start), |piece| (piece.end == start).then_some(piece.start))?;
            piece = Some(first..end);
        }
        self.bytes.get(piece?)
    }

    fn write(&self, n: usize, dst: &mut [u8]) -> Result<()> {
        match self.part.block(n) {
            Some(block) => self.copy_of(&block)?.copy(&self.bytes, dst),
            None => Ok(()),
        }
    }
}

impl BoxOverlay<'_> {
    /// How to copy the items of a block.
    fn copy_of(&self, block: &BlockPart) -> Result<BoxCopy> {
        let blockshape = self.layout.blockshape_coords();
        let src = Place { shape: &self.shape, start: block.in_region() };
        let to = Place { shape: &blockshape[..self.layout.ndim()], start: block.in_block() };
        BoxCopy::new(self.layout.itemsize(), block.shape(), src, to)
    }
}
