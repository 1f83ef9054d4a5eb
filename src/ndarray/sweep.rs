//! Going through the blocks of many chunks, on many threads, each chunk opened once.
//!
//! Stretches of blocks, of all chunks, are the jobs of one run, so that no thread waits at the end of a chunk for another.
//! Chunks come in batches, which bounds what is known of open chunks at any time.

use super::layout::Layout;
use crate::base::{Error, ErrorKind, Result};
use crate::chunk::{self, ChunkReader, Special};
use crate::exec;
use std::ops::Range;
use std::sync::OnceLock;

/// What is wanted of one chunk.
pub(crate) trait Part: Send + Sync {
    /// The chunk's number.
    fn nchunk(&self) -> i64;
    /// How many of its blocks are wanted.
    fn nblocks(&self) -> usize;
}

/// What is done with the blocks.
pub(crate) trait Visit: Sync {
    /// What is wanted of one chunk.
    type Part: Part;

    /// How many chunks there are.
    fn nparts(&self) -> usize;

    /// The `n`th chunk.
    fn part(&self, n: usize) -> Self::Part;

    /// The number of the `n`th wanted block of a chunk, and the bytes that are wanted of it, from the first to the last.
    fn wanted(&self, part: &Self::Part, n: usize) -> (usize, Range<usize>);

    /// Sees to the `n`th wanted block of a chunk, as the thread in seat `tid`.
    fn visit(&self, block: &Blocks<'_, '_>, part: &Self::Part, n: usize) -> Result<()>;
}

/// Opens a chunk.
pub(crate) type Open<'a> = &'a (dyn Fn(i64) -> Result<ChunkReader<'a>> + Sync);

/// How many chunks and blocks, per thread, are worked on before more chunks are looked at: enough that nobody waits
/// long for the last one, few enough that what is known of open chunks stays small.
const BATCH_CHUNKS: usize = 64;
const BATCH_BLOCKS: usize = 512;

/// Bytes of blocks that a thread takes on at a time, where there are enough of them for all: what stands together is read
/// together.
const STRETCH: usize = 128 * 1024;

/// How many blocks are looked at to tell what all of them take.
const SAMPLES: usize = 13;

/// The chunks of an array, as blocks of its layout.
pub(crate) struct Sweep<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) open: Open<'a>,
    pub(crate) nthreads: usize,
}

impl<'a> Sweep<'a> {
    /// Visits every wanted block.
    pub(crate) fn run<V: Visit>(&self, visit: &V) -> Result<()> {
        let nparts = visit.nparts();
        if self.nthreads <= 1 || nparts == 1 {
            return (0..nparts).try_for_each(|n| self.chunk(visit, &visit.part(n)));
        }
        let mut next = 0;
        while next < nparts {
            let batch = Batch::collect(visit, &mut next, self.nthreads);
            self.batch(visit, &batch)?;
        }
        Ok(())
    }

    /// The blocks of one chunk.
    fn chunk<V: Visit>(&self, visit: &V, part: &V::Part) -> Result<()> {
        let (reader, nblocks) = (self.reader(part)?, part.nblocks());
        let nthreads = self.threads(&reader, nblocks, |n| visit.wanted(part, n).1);
        self.stretches(nthreads, nblocks, &|stretch, tid| self.blocks(visit, &reader, part, stretch, tid))
    }

    /// The blocks of several chunks. Each chunk is opened by the first who needs it.
    fn batch<V: Visit>(&self, visit: &V, batch: &Batch<V::Part>) -> Result<()> {
        let readers: Vec<OnceLock<Result<ChunkReader<'a>>>> =
            batch.parts.iter().map(|_| OnceLock::new()).collect();
        let reader = |n: usize| match readers[n].get_or_init(|| self.reader(&batch.parts[n])) {
            Ok(reader) => Ok(reader),
            Err(error) => Err(error.clone()),
        };
        // One chunk stands for all: the first that takes time.
        let is_slow = |n: &usize| !reader(*n).is_ok_and(|reader| !reader.header().has_starts());
        let sample = (0..batch.parts.len()).take(4).find(is_slow).unwrap_or(0);
        let nthreads = self.threads(reader(sample)?, batch.nblocks, |n| {
            let (chunk, block) = batch.block(n);
            visit.wanted(&batch.parts[chunk], block).1
        });
        self.stretches(nthreads, batch.nblocks, &|mut stretch, tid| {
            while !stretch.is_empty() {
                let (n, first) = batch.block(stretch.start);
                let last = batch.parts[n].nblocks().min(first + stretch.len());
                self.blocks(visit, reader(n)?, &batch.parts[n], first..last, tid)?;
                stretch.start += last - first;
            }
            Ok(())
        })
    }

    /// Shares out `nblocks` blocks to `nthreads` threads.
    fn stretches(
        &self,
        nthreads: usize,
        nblocks: usize,
        work: &(dyn Fn(Range<usize>, usize) -> Result<()> + Sync),
    ) -> Result<()> {
        let len = match nthreads {
            0 | 1 => nblocks,
            _ => (STRETCH / self.layout.block_nbytes().max(1)).min(nblocks / (4 * nthreads)),
        }
        .max(1);
        exec::run(nthreads, nblocks.div_ceil(len), &|n, tid| work(n * len..nblocks.min((n + 1) * len), tid))
    }

    /// How many threads are worth it for the blocks of chunks like that of `reader`, when `span` of each is wanted.
    pub(super) fn threads(
        &self,
        reader: &ChunkReader<'_>,
        nblocks: usize,
        span: impl Fn(usize) -> Range<usize>,
    ) -> usize {
        let most = reader.threads(self.nthreads, nblocks, nblocks.saturating_mul(self.layout.block_nbytes()));
        if most <= 1 {
            return 1;
        }
        // Some blocks stand for all.
        let samples = nblocks.min(SAMPLES);
        let sampled = (0..samples).map(|i| reader.effort(&span((2 * i + 1) * nblocks / (2 * samples))));
        let nanos = sampled.fold(0, u64::saturating_add).saturating_mul(nblocks as u64) / samples as u64;
        most.min(exec::cost::threads(self.nthreads, nblocks, nanos))
    }

    fn reader(&self, part: &impl Part) -> Result<ChunkReader<'a>> {
        let open = || {
            let reader = (self.open)(part.nchunk())?;
            check(self.layout, &reader)?;
            Ok(reader)
        };
        open().map_err(|e: Error| e.at(format_args!("chunk {}", part.nchunk())))
    }

    fn blocks<V: Visit>(
        &self,
        visit: &V,
        reader: &ChunkReader<'_>,
        part: &V::Part,
        stretch: Range<usize>,
        tid: usize,
    ) -> Result<()> {
        let visit_one = |reader: &ChunkReader<'_>, n: usize| {
            visit.visit(&Blocks { layout: self.layout, reader, tid }, part, n)
        };
        let all = Blocks { layout: self.layout, reader, tid };
        let done = if all.agree() {
            reader.read_ahead(stretch, |n| visit.wanted(part, n).0, visit_one)
        } else {
            stretch.into_iter().try_for_each(|n| visit_one(reader, n))
        };
        done.map_err(|e| e.at(format_args!("chunk {}", part.nchunk())))
    }
}

/// Some of the chunks, their blocks counted through.
struct Batch<P> {
    parts: Vec<P>,
    /// How many blocks stand before those of each.
    first: Vec<usize>,
    nblocks: usize,
}

impl<P: Part> Batch<P> {
    /// The chunks from `next` on, as many as make a batch.
    fn collect<V: Visit<Part = P>>(visit: &V, next: &mut usize, nthreads: usize) -> Self {
        let mut batch = Batch { parts: Vec::new(), first: Vec::new(), nblocks: 0 };
        while *next < visit.nparts()
            && batch.parts.len() < BATCH_CHUNKS.saturating_mul(nthreads)
            && batch.nblocks < BATCH_BLOCKS.saturating_mul(nthreads)
        {
            let part = visit.part(*next);
            *next += 1;
            batch.first.push(batch.nblocks);
            batch.nblocks += part.nblocks();
            batch.parts.push(part);
        }
        batch
    }

    /// Which chunk block `n` is of, and which of its blocks it is.
    fn block(&self, n: usize) -> (usize, usize) {
        let chunk = self.first.partition_point(|&first| first <= n) - 1;
        (chunk, n - self.first[chunk])
    }
}

/// Checks that a chunk can be one of the array.
pub(crate) fn check(layout: &Layout, reader: &ChunkReader<'_>) -> Result<()> {
    let (nbytes, want) = (reader.header().nbytes(), layout.chunk_nbytes());
    if nbytes != want || reader.header().is_vl() {
        crate::fail!(Data, "{nbytes} bytes where the array has chunks of {want}");
    }
    Ok(())
}

/// What every item of a chunk is, where that is known without decoding.
pub(crate) enum Uniform<'r> {
    /// All bytes are zero.
    Zeros,
    /// One item.
    Item(&'r [u8]),
}

/// An open chunk as blocks of the array. A chunk that says that it is cut into other blocks is read like any other, only
/// slower. Memory that was never written reads as zeros.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a, 'r> {
    pub(crate) layout: &'a Layout,
    pub(crate) reader: &'a ChunkReader<'r>,
    /// The seat of the thread, which a postfilter wants to know.
    pub(crate) tid: usize,
}

impl<'a> Blocks<'a, '_> {
    /// What every item of the chunk is, where the chunk says it.
    pub(crate) fn uniform(&self) -> Option<Uniform<'a>> {
        if self.reader.params().postfilter.is_some() {
            return None;
        }
        let item = match self.reader.special()? {
            Special::Zeros | Special::Uninit => return Some(Uniform::Zeros),
            Special::Nans => match self.reader.header().typesize() {
                4 => &chunk::NAN4[..],
                8 => &chunk::NAN8[..],
                _ => return None,
            },
            Special::Value => self.reader.special_value(),
        };
        (item.len() == self.layout.itemsize()).then_some(Uniform::Item(item))
    }

    fn agree(&self) -> bool {
        self.reader.header().blocksize() == self.layout.block_nbytes()
    }

    /// Whether rows of `len` bytes, from the first to the last byte of `want` in a block, are sooner unshuffled to their places
    /// than copied there.
    pub(crate) fn suit_rows(&self, want: &Range<usize>, len: usize) -> bool {
        self.agree() && self.reader.suits_rows(self.layout.itemsize(), want, len)
    }

    /// Decodes block `n` into `dst`, which has its length.
    pub(crate) fn decode(&self, n: usize, dst: &mut [u8]) -> Result<()> {
        if self.reader.special() == Some(Special::Uninit) {
            dst.fill(0);
        }
        if self.agree() {
            return self.reader.decode_block_on(n, self.tid, dst);
        }
        let start = n * self.layout.block_nbytes();
        let got = self.reader.get_bytes(start..start + self.layout.block_nbytes(), dst)?;
        if got != dst.len() {
            return Err(Error::new(ErrorKind::Data, format!("{got} bytes of block {n}")));
        }
        Ok(())
    }

    /// Hands block `n` to `look`; the bytes of `want` are valid.
    pub(crate) fn with<R>(
        &self,
        n: usize,
        want: Range<usize>,
        look: impl FnOnce(&[u8]) -> Result<R>,
    ) -> Result<R> {
        if self.agree() {
            return self.reader.with_block_on(n, self.tid, want, look)?;
        }
        let mut block = vec![0; self.layout.block_nbytes()];
        self.decode(n, &mut block)?;
        look(&block)
    }
}
