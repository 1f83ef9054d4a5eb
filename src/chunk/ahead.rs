//! Blocks that stand near each other in a chunk are read from storage together, as far as they are wanted.

use super::reader::ChunkReader;
use super::scratch::with_whole;
use super::source::{ChunkSource, Deferred, ReadAt};
use crate::base::Result;
use std::ops::Range;

/// Most bytes that are read together: they are decoded while they are still in the cache.
const MOST: usize = 256 * 1024;
/// Bytes that are sooner read than left out at the price of one read more.
const GAP: usize = 8 * 1024;

/// Bytes of a chunk that have been read, and the way to the others.
struct Ahead<'a> {
    start: u64,
    bytes: &'a [u8],
    beyond: &'a dyn ReadAt,
}

impl ReadAt for Ahead<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        self.beyond.read_at(offset, buf)
    }

    fn borrow_at(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let at = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        self.bytes.get(at..at.checked_add(len)?)
    }
}

impl ChunkReader<'_> {
    /// Visits each of `which`, in order, with a reader of this chunk that reads the block that `block` says it is about.
    /// Where the chunk is in storage, several blocks come with one read.
    ///
    /// # Errors
    /// What `visit` returns, which is not called again then.
    pub fn read_ahead(
        &self,
        which: Range<usize>,
        block: impl Fn(usize) -> usize,
        visit: impl Fn(&ChunkReader<'_>, usize) -> Result<()>,
    ) -> Result<()> {
        let mut next = which.start;
        while let Some(storage) = self.storage()
            && next + 1 < which.end
        {
            let (span, end) = self.run(next..which.end, &block);
            if end == next + 1 {
                visit(self, next)?;
            } else {
                self.with_span(storage, span, |reader| (next..end).try_for_each(|n| visit(reader, n)))?;
            }
            next = end;
        }
        (next..which.end).try_for_each(|n| visit(self, n))
    }

    /// Where blocks have to be read from one by one.
    fn storage(&self) -> Option<&dyn ReadAt> {
        let ChunkSource::Deferred(deferred) = self.source() else { return None };
        // Such chunks have something that a second reader would have to make anew.
        let simple = self.header().has_starts() && self.more.is_none() && !self.needs_block0();
        let in_memory = || deferred.reader().borrow_at(self.blocks_start() as u64, 1).is_some();
        (simple && !in_memory()).then(|| deferred.reader())
    }

    /// How far the blocks of `which` are to be read with the first of them: the bytes of the chunk, and who is left.
    fn run(&self, which: Range<usize>, block: impl Fn(usize) -> usize) -> (Range<usize>, usize) {
        let place =
            |n| Some(block(n)).filter(|&n| n < self.nblocks()).and_then(|n| self.packed_range(n).ok());
        let mut end = which.start + 1;
        let Some(mut span) = place(which.start) else { return (0..0, end) };
        while end < which.end
            && let Some(next) = place(end)
            && (span.start..=span.end + GAP).contains(&next.start)
            && next.end - span.start <= MOST
        {
            span.end = span.end.max(next.end);
            end += 1;
        }
        (span, end)
    }

    /// Reads the bytes `span`, and calls `work` with a reader that has them. Where they cannot be read, it finds that out
    /// block by block.
    fn with_span<R>(
        &self,
        storage: &dyn ReadAt,
        span: Range<usize>,
        work: impl FnOnce(&ChunkReader<'_>) -> R,
    ) -> R {
        with_whole(|buffer| {
            let bytes = buffer.sized(span.len());
            let start = span.start as u64;
            match storage.read_at(start, bytes) {
                Ok(()) => {
                    let ahead = Box::new(Ahead { start, bytes, beyond: storage });
                    work(&self.of_source(ChunkSource::Deferred(Deferred::new(self.head(), ahead))))
                }
                Err(_) => work(self),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::params::{CParams, DParams};
    use crate::base::random::Random;
    use crate::chunk;
    use crate::fail;
    use crate::filter;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    const BLOCK: usize = 16 * 1024;
    const NBLOCKS: usize = 40;

    /// A chunk in storage that gives no more than so many bytes at a time, and counts how often it is asked.
    struct Stored<'a> {
        chunk: &'a [u8],
        most: usize,
        asked: AtomicUsize,
    }

    impl ReadAt for &Stored<'_> {
        fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
            self.asked.fetch_add(1, Relaxed);
            if buf.len() > self.most {
                fail!(FileRead, "{} bytes are too many", buf.len());
            }
            buf.copy_from_slice(&self.chunk[offset as usize..][..buf.len()]);
            Ok(())
        }
    }

    /// Reads these blocks of a chunk of `data`, and tells how often storage was asked for them.
    fn reads(params: &CParams, data: &[u8], blocks: &[usize], most: usize) -> usize {
        let chunk = chunk::compress_to_cbuf(params, data).unwrap();
        let stored = Stored { chunk: &chunk, most, asked: AtomicUsize::new(0) };
        let dparams = DParams::default();
        let deferred = Deferred::open(Box::new(&stored), chunk.len() as u64).unwrap();
        let reader = ChunkReader::new(ChunkSource::Deferred(deferred), &dparams).unwrap();
        let before = stored.asked.load(Relaxed);
        let seen = AtomicUsize::new(0);
        let visit = |reader: &ChunkReader<'_>, n: usize| {
            assert_eq!(seen.fetch_add(1, Relaxed), n, "in order");
            let range = reader.block_range(blocks[n]);
            let want = 0..range.len();
            reader.with_block(blocks[n], want, |block| assert!(*block == data[range], "{n}"))
        };
        reader.read_ahead(0..blocks.len(), |n| blocks[n], visit).unwrap();
        assert_eq!(seen.into_inner(), blocks.len());
        stored.asked.load(Relaxed) - before
    }

    fn params(filter: u8) -> CParams {
        let mut params = CParams { codec: 1, typesize: 4, blocksize: BLOCK as i32, ..CParams::default() };
        params.filters[5].id = filter;
        params
    }

    /// A last block that is short, and blocks that come to about `packed` bytes each.
    fn data(packed: usize) -> Vec<u8> {
        let mut random = Random::new(7);
        let item = |i: usize| if i % BLOCK < packed { random.below(256) as u8 } else { 0 };
        (0..BLOCK * NBLOCKS - 100).map(item).collect()
    }

    #[test]
    fn neighbours_come_with_one_read() {
        let params = params(filter::NOFILTER);
        let all: Vec<usize> = (0..NBLOCKS).collect();
        let every_other: Vec<usize> = all.iter().copied().step_by(2).collect();
        let (small, large) = (data(2000), data(12_000));
        assert_eq!(reads(&params, &small, &all, usize::MAX), 1);
        assert_eq!(reads(&params, &small, &every_other, usize::MAX), 1);
        assert_eq!(reads(&params, &small, &[3], usize::MAX), 1);
        assert_eq!(reads(&params, &small, &[3, 30, 31], usize::MAX), 2);
        assert_eq!(reads(&params, &small, &[31, 30, 3], usize::MAX), 3);
        assert_eq!(reads(&params, &large, &every_other, usize::MAX), every_other.len());
        assert_eq!(reads(&params, &large, &all, usize::MAX), (NBLOCKS * 12_000).div_ceil(MOST));
    }

    #[test]
    fn what_cannot_be_read_together_is_read_block_by_block() {
        let blocks = [0, 1, 2, 17, 18];
        assert_eq!(reads(&params(filter::NOFILTER), &data(2000), &blocks, 4096), 2 + blocks.len());
        // All blocks hang on the first, which is read once for them and once for itself.
        assert_eq!(reads(&params(filter::DELTA), &data(2000), &blocks, usize::MAX), blocks.len() + 1);
    }
}
