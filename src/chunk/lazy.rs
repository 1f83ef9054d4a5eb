//! Lazy chunks: what C callers get of a chunk that stays in its file.
//!
//! `header | block starts | int32 nchunk | int64 offset | int32 size of each block`, with the lazy flag set in the header.
//! The trailer stands after the block starts' place even where there are none, as in a memcpyed chunk. A chunk of VL
//! blocks or with a dictionary looks the same; special chunks are small and never lazy.

use super::header::{ChunkHeader, flag2};
use super::source::{ChunkSource, Deferred, ReadAt};
use crate::base::bytes::{self, Reader};
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::{CBuf, Result};
use crate::fail;
use std::borrow::Cow;

/// Bytes of the trailer before the blocks' sizes.
const TRAILER_LEN: usize = 4 + 8;

/// A lazy chunk that says where its blocks are.
#[derive(Clone, Debug)]
pub struct LazyChunk<'a> {
    header: ChunkHeader,
    /// Header and block starts.
    head: &'a [u8],
    /// The chunk's number; in a sparse frame, its file's number.
    pub nchunk: i32,
    /// Where the chunk is, in bytes from the start of its frame.
    pub offset: i64,
}

impl<'a> LazyChunk<'a> {
    /// Reads a lazy chunk.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when the chunk is not lazy;
    /// [`ErrorKind::ReadBuffer`](crate::base::ErrorKind::ReadBuffer) when its trailer is cut off;
    /// [`ErrorKind::InvalidHeader`](crate::base::ErrorKind::InvalidHeader) when it contradicts the rest; otherwise as
    /// [`ChunkHeader::parse`].
    pub fn parse(chunk: &'a [u8]) -> Result<Self> {
        let header = ChunkHeader::parse(chunk)?;
        if !header.is_lazy() || header.special().is_some() {
            fail!(InvalidParam, "the chunk is not lazy");
        }
        let trailer_at = EXTENDED_HEADER_LEN + 4 * header.nblocks();
        let mut trailer = Reader::new(chunk.get(trailer_at..).unwrap_or(&[]));
        let (nchunk, offset) = (trailer.i32_le()?, trailer.i64_le()?);
        let sizes = trailer.take(4 * header.nblocks())?;
        if offset < 0 {
            fail!(InvalidHeader, "a lazy chunk at {offset} of its frame");
        }
        let head = &chunk[..header.starts_end()];
        // What blocks are read by follows from their starts.
        let wanted = block_sizes(&header, head)?;
        if wanted.iter().zip(sizes.chunks_exact(4)).any(|(size, field)| size.to_le_bytes() != *field) {
            fail!(InvalidHeader, "a lazy chunk whose blocks have other sizes than their starts say");
        }
        Ok(LazyChunk { head, header, nchunk, offset })
    }

    /// The header.
    pub fn header(&self) -> &ChunkHeader {
        &self.header
    }

    /// The chunk, to be read through `reader`.
    ///
    /// # Errors
    /// As [`Deferred::resume`].
    pub fn source(&self, reader: Box<dyn ReadAt + 'a>) -> Result<ChunkSource<'a>> {
        Deferred::resume(Cow::Borrowed(self.head), reader).map(ChunkSource::Deferred)
    }
}

/// How many bytes the lazy form of a chunk has.
pub fn len(header: &ChunkHeader) -> usize {
    EXTENDED_HEADER_LEN + 4 * header.nblocks() + TRAILER_LEN + 4 * header.nblocks()
}

/// The lazy form of a chunk: `head` is its header and block starts, or more.
///
/// # Errors
/// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) for a special chunk and for one with a Blosc1
/// header; [`ErrorKind::InvalidHeader`](crate::base::ErrorKind::InvalidHeader) when blocks start outside the chunk; as
/// [`ChunkHeader::parse`].
pub fn make(head: &[u8], nchunk: i32, offset: i64) -> Result<CBuf> {
    let header = ChunkHeader::parse(head)?;
    if header.special().is_some() || !header.is_extended() {
        fail!(InvalidParam, "a special chunk or one of Blosc1 cannot be lazy");
    }
    let Some(known) = head.get(..header.starts_end()) else {
        fail!(ReadBuffer, "{} bytes of a head of {}", head.len(), header.starts_end());
    };
    let sizes = block_sizes(&header, known)?;
    let mut chunk = CBuf::zeroed(len(&header))?;
    chunk[..known.len()].copy_from_slice(known);
    chunk[0x1f] |= flag2::LAZY;
    let trailer_at = EXTENDED_HEADER_LEN + 4 * header.nblocks();
    let trailer = &mut chunk[trailer_at..];
    trailer[..4].copy_from_slice(&nchunk.to_le_bytes());
    trailer[4..TRAILER_LEN].copy_from_slice(&offset.to_le_bytes());
    for (field, size) in trailer[TRAILER_LEN..].chunks_exact_mut(4).zip(sizes) {
        field.copy_from_slice(&size.to_le_bytes());
    }
    Ok(chunk)
}

/// How many bytes each block takes in the chunk. Blocks need not be stored in order.
fn block_sizes(header: &ChunkHeader, head: &[u8]) -> Result<Vec<u32>> {
    if !header.has_starts() {
        return Ok((0..header.nblocks()).map(|n| header.block_range(n).len() as u32).collect());
    }
    let mut starts = Vec::with_capacity(header.nblocks());
    for n in 0..header.nblocks() {
        let start = bytes::i32_le_at(head, header.header_len() + 4 * n);
        match start.and_then(|start| u32::try_from(start).ok()) {
            Some(start) if (start as usize) < header.cbytes() => starts.push((start, n)),
            _ => fail!(InvalidHeader, "block {n} cannot start at {start:?}"),
        }
    }
    starts.sort_unstable();
    let mut sizes = vec![0; starts.len()];
    for (i, &(start, n)) in starts.iter().enumerate() {
        sizes[n] = starts.get(i + 1).map_or(header.cbytes() as u32, |next| next.0) - start;
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;
    use crate::base::params::{CParams, DParams};
    use crate::chunk::{self, ChunkReader, Special, vlblocks};

    struct Stored(Vec<u8>);

    impl ReadAt for &Stored {
        fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
            buf.copy_from_slice(&self.0[offset as usize..][..buf.len()]);
            Ok(())
        }
    }

    #[test]
    fn a_lazy_chunk_reads_as_the_chunk_it_stands_for() {
        let src: Vec<u8> = (0..9000u32).map(|i| (i / 90 * 31) as u8).collect();
        let noise: Vec<u8> = (0..6000u32).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect();
        let params = CParams { codec: 1, typesize: 4, blocksize: 1000, ..CParams::default() };
        let chunks = [
            chunk::compress_to_cbuf(&params, &src).unwrap(),
            chunk::compress_to_cbuf(&params, &noise).unwrap(),
            vlblocks::vl_compress_to_cbuf(&params, &[&src[..10], &noise[..700], &src]).unwrap(),
            chunk::compress_to_cbuf(&CParams { use_dict: true, ..params.clone() }, &src).unwrap(),
        ];
        assert!(ChunkHeader::parse(&chunks[0]).unwrap().has_starts());
        assert!(ChunkHeader::parse(&chunks[3]).unwrap().uses_dict());
        for chunk in chunks {
            let dparams = DParams::default();
            let expected = {
                let reader = ChunkReader::new(ChunkSource::Bytes(&chunk), &dparams).unwrap();
                let mut dst = vec![0; reader.header().nbytes()];
                reader.decompress(1, &mut dst).unwrap();
                dst
            };
            let stored = Stored(chunk.to_vec());
            let lazy = make(&chunk, 7, 12345).unwrap();
            assert_eq!(lazy.len(), len(&ChunkHeader::parse(&chunk).unwrap()));
            // Nobody reads it without knowing where the blocks are.
            let error = ChunkReader::new(ChunkSource::Bytes(&lazy), &dparams).err().unwrap();
            assert_eq!(error.kind(), ErrorKind::InvalidParam);

            let parsed = LazyChunk::parse(&lazy).unwrap();
            assert_eq!((parsed.nchunk, parsed.offset), (7, 12345));
            let reader = ChunkReader::new(parsed.source(Box::new(&stored)).unwrap(), &dparams).unwrap();
            if reader.header().is_vl() {
                assert_eq!(&*reader.vl_block(1).unwrap(), &noise[..700]);
            }
            let mut dst = vec![0; expected.len()];
            reader.decompress(2, &mut dst).unwrap();
            assert_eq!(dst, expected);
            let mut wrong = lazy.to_vec();
            wrong[len(parsed.header()) - 4] ^= 1;
            assert_eq!(LazyChunk::parse(&wrong).unwrap_err().kind(), ErrorKind::InvalidHeader);
            for cut in 0..lazy.len() {
                assert!(LazyChunk::parse(&lazy[..cut]).is_err());
            }
        }
    }

    #[test]
    fn sizes_add_up_whatever_the_order() {
        let params = CParams { codec: 1, typesize: 4, blocksize: 1000, ..CParams::default() };
        let src: Vec<u8> = (0..3000u32).map(|i| (i / 9 * 31) as u8).collect();
        let mut chunk = chunk::compress_to_cbuf(&params, &src).unwrap().to_vec();
        let header = ChunkHeader::parse(&chunk).unwrap();
        let in_order = block_sizes(&header, &chunk).unwrap();
        assert_eq!(in_order.iter().sum::<u32>() as usize, chunk.len() - header.starts_end());
        // Swap the first and the last block's starts.
        let (first, last) = (chunk[32..36].to_vec(), chunk[40..44].to_vec());
        chunk[32..36].copy_from_slice(&last);
        chunk[40..44].copy_from_slice(&first);
        let swapped = block_sizes(&header, &chunk).unwrap();
        assert_eq!([swapped[2], swapped[1], swapped[0]], in_order[..]);
    }

    #[test]
    fn special_chunks_are_not_lazy() {
        let zeros = chunk::special_chunk(&CParams::default(), Special::Zeros, &[], 800).unwrap();
        assert_eq!(make(&zeros, 0, 0).unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(LazyChunk::parse(&zeros).unwrap_err().kind(), ErrorKind::InvalidParam);
    }
}
