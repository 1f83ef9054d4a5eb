//! Chunks in memory that take no reader, which would take longer than a small chunk: their data is stored, or coded by
//! codecs that come with the library, with one filter at most that looks at nothing but the block.
//!
//! Nothing here says what is wrong with a chunk: what is not plain, or damaged, is a [`ChunkReader`](super::ChunkReader)'s
//! business.

use super::block::{self, Unpacking};
use super::copying;
use super::header::ChunkHeader;
use super::locate::{only_packed_range, packed_range};
use super::part;
use super::scratch::{self, Scratch};
use super::stream::{self, Stream};
use crate::base::Result;
use crate::base::consts::MAX_FILTERS;
use crate::base::copy::copy;
use crate::base::params::FilterSlot;
use crate::codec::StreamParams;
use crate::filter::{self, BlockCtx, Spread};
use std::ops::Range;

/// A plain chunk, its header checked.
///
/// What is done with stored data is done in registers; only for the rest it is put down in memory, and then by value: what
/// a reference is taken of would be there from the beginning.
#[derive(Clone, Copy)]
pub struct PlainChunk<'a> {
    header: ChunkHeader,
    /// All of it, and no more.
    bytes: &'a [u8],
    /// Where blocks can start.
    first: usize,
    spread: Spread,
}

impl<'a> PlainChunk<'a> {
    /// The chunk at the front of `bytes`, if it is plain and all there.
    #[inline(always)]
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        let mut header = ChunkHeader::NONE;
        header.read_here(bytes).ok()?;
        let bytes = bytes.get(..header.cbytes())?;
        if header.is_memcpyed() {
            let (first, spread) = (header.header_len(), Spread::Nowhere);
            return header.is_unmarked().then_some(PlainChunk { header, bytes, first, spread });
        }
        let first = header.starts_end();
        if !header.is_unmarked() || header.codec_format() > 4 || first > bytes.len() {
            return None;
        }
        match filter::spread_by(header.only_filter()?, header.typesize()) {
            Spread::Everywhere => None,
            spread => Some(PlainChunk { header, bytes, first, spread }),
        }
    }

    /// The header.
    pub fn header(&self) -> &ChunkHeader {
        &self.header
    }

    /// The data, where it is stored.
    #[inline(always)]
    fn stored(self) -> Option<&'a [u8]> {
        if self.header.is_memcpyed() { self.bytes.get(self.first..) } else { None }
    }

    /// Decompresses a chunk of one block, or one that one thread copies, to `dst`, which is as long; nothing, and anything
    /// in `dst`, where that cannot be.
    #[inline(always)]
    pub fn decompress(self, dst: &mut [u8]) -> Option<()> {
        match self.stored() {
            Some(data) if data.len() <= copying::ALONE => copy(data, dst),
            Some(_) => return None,
            None => return self.decompress_coded(dst),
        }
        Some(())
    }

    #[inline(never)]
    fn decompress_coded(self, dst: &mut [u8]) -> Option<()> {
        if self.header.nblocks() != 1 {
            return None;
        }
        let src = self.bytes.get(only_packed_range(&self.header, self.bytes, self.first).ok()?)?;
        scratch::with(self.header.blocksize(), |s| self.decode(src, 0..dst.len(), s, dst)).ok()
    }

    /// Decompresses the bytes `range` of one block to `dst`, which is as long; nothing, and anything in `dst`, where that
    /// cannot be.
    #[inline(always)]
    pub fn get(self, range: Range<usize>, dst: &mut [u8]) -> Option<()> {
        match self.stored() {
            Some(data) => copy(data.get(range)?, dst),
            None => return self.get_coded(range, dst),
        }
        Some(())
    }

    #[inline(never)]
    fn get_coded(self, range: Range<usize>, dst: &mut [u8]) -> Option<()> {
        let n = range.start / self.header.blocksize();
        let block = self.header.block_range(n);
        if range.is_empty() || range.end > block.end {
            return None;
        }
        let want = range.start - block.start..range.end - block.start;
        let span = packed_range(&self.header, self.bytes, self.first, n).ok()?;
        let src = self.bytes.get(span)?;
        if let Some(block) = self.raw(src, block.len()) {
            copy(&block[want], dst);
            return Some(());
        }
        scratch::with(self.header.blocksize(), |s| {
            let mut buffer = std::mem::take(&mut s.block);
            let decoded = buffer.sized(block.len());
            let done = self.decode(src, want.clone(), s, decoded).map(|()| copy(&decoded[want], dst));
            s.block = buffer;
            done.ok()
        })
    }

    /// The block of `len` bytes that is compressed at the front of `src`, where it stands there as it is.
    fn raw(&self, mut src: &'a [u8], len: usize) -> Option<&'a [u8]> {
        if self.spread != Spread::Nowhere || self.nstreams(len) != 1 {
            return None;
        }
        match stream::parse(&mut src, len).ok()? {
            Stream::Raw(raw) => Some(raw),
            _ => None,
        }
    }

    /// How many streams a block of `len` bytes is.
    fn nstreams(&self, len: usize) -> usize {
        let split = self.header.is_split() && len == self.header.blocksize();
        if split { self.header.typesize() } else { 1 }
    }

    /// Decodes the block at the front of `src` so far that the bytes of `want` are valid in `dst`, which has its length.
    fn decode(&self, src: &[u8], want: Range<usize>, s: &mut Scratch, dst: &mut [u8]) -> Result<()> {
        let header = &self.header;
        let unpacking = Unpacking {
            // What there is of them is said by the spread.
            filters: [FilterSlot { id: filter::NOFILTER, meta: 0 }; MAX_FILTERS],
            spread: self.spread,
            stream: StreamParams {
                codec: header.codec()?,
                meta: header.codec_meta(),
                typesize: header.typesize() as i32,
                split: header.is_split(),
                made_of: block::made_of(self.spread, header.typesize(), header.is_split()),
                ..StreamParams::default()
            },
        };
        let ctx = BlockCtx::new(header.typesize());
        let nstreams = self.nstreams(dst.len());
        if want.len() < dst.len() && part::unpack(&unpacking, &ctx, nstreams, src, s, want, dst)? {
            return Ok(());
        }
        block::unpack(&unpacking, &ctx, nstreams, src, s, dst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::params::CParams;
    use crate::base::random::Random;
    use crate::chunk::compress_to_cbuf;
    use crate::codec;

    const BLOCK: usize = 800;

    /// A chunk of these numbers, in blocks, with one filter.
    fn chunk(codec: u8, filter: u8, data: &[u8]) -> Vec<u8> {
        let mut params = CParams { codec, typesize: 4, blocksize: BLOCK as i32, ..CParams::default() };
        params.filters[5].id = filter;
        compress_to_cbuf(&params, data).unwrap().to_vec()
    }

    fn numbers(nbytes: usize) -> Vec<u8> {
        (0..nbytes as u32 / 4).flat_map(|i| (i * i / 7).to_le_bytes()).collect()
    }

    #[test]
    fn what_most_chunks_are_takes_no_reader() {
        let data = numbers(3 * BLOCK);
        for codec in [codec::BLOSCLZ, codec::LZ4, codec::LZ4HC, codec::ZLIB, codec::ZSTD] {
            for filter in [filter::NOFILTER, filter::SHUFFLE, filter::BITSHUFFLE] {
                let one = chunk(codec, filter, &data[..BLOCK]);
                let mut dst = vec![0; BLOCK];
                PlainChunk::of(&one).unwrap().decompress(&mut dst).unwrap();
                assert_eq!(dst, data[..BLOCK], "codec {codec}, filter {filter}");
                let three = chunk(codec, filter, &data);
                let three = PlainChunk::of(&three).unwrap();
                for range in [0..4, 804..1000, 1592..1600, 1600..2400] {
                    let dst = &mut dst[..range.len()];
                    three.get(range.clone(), dst).unwrap();
                    assert_eq!(dst, &data[range], "codec {codec}, filter {filter}");
                }
            }
        }
    }

    #[test]
    fn what_is_stored_has_no_blocks() {
        let data = Random::new(1).bytes(3 * BLOCK);
        let stored = chunk(codec::LZ4, filter::NOFILTER, &data);
        let (stored, mut dst) = (PlainChunk::of(&stored).unwrap(), vec![0; data.len()]);
        stored.decompress(&mut dst).unwrap();
        assert_eq!(dst, data);
        stored.get(700..2000, &mut dst[..1300]).unwrap();
        assert_eq!(dst[..1300], data[700..2000]);
        assert!(stored.get(2300..2401, &mut dst[..101]).is_none());
    }

    #[test]
    fn the_rest_is_left_to_readers() {
        let data = numbers(3 * BLOCK);
        assert!(PlainChunk::of(&chunk(codec::LZ4, filter::DELTA, &data)).is_none());
        assert!(PlainChunk::of(&chunk(codec::LZ4, filter::SHUFFLE, &[0; 100])).is_none());
        let three = chunk(codec::LZ4, filter::SHUFFLE, &data);
        assert!(PlainChunk::of(&three[..three.len() - 1]).is_none());
        let three = PlainChunk::of(&three).unwrap();
        let mut dst = data.clone();
        assert!(three.decompress(&mut dst).is_none());
        assert!(three.get(796..804, &mut dst[..8]).is_none());
        assert!(three.get(4..4, &mut []).is_none());
    }
}
