//! Lazy chunks: what C callers get of a chunk on disk. Header and block starts, marked lazy, and after them a trailer
//! that says where the blocks are: `int32` number of the chunk, `int64` where it starts in the frame (in a sparse frame,
//! both are the file's number), `int32` compressed size of each block.

use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::{CBuf, Result, bytes};
use crate::chunk::ChunkHeader;
use crate::fail;

/// Where the Blosc2 flags are, and the bit of them that says lazy.
const FLAGS_AT: usize = 0x1f;
const LAZY: u8 = 0x08;

/// What a lazy chunk says about where its blocks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whereabouts {
    /// The chunk's number; in a sparse frame its file's.
    pub nchunk: i32,
    /// Where the chunk starts in the frame; in a sparse frame its file's number.
    pub offset: i64,
}

/// Where the trailer of a lazy chunk with this header starts. There is room for block starts also when the blocks are
/// stored raw and have none.
fn trailer_at(header: &ChunkHeader) -> usize {
    EXTENDED_HEADER_LEN + 4 * header.nblocks()
}

/// Makes a lazy chunk from the front of a chunk, which holds its block starts.
pub fn write(head: &[u8], whereabouts: Whereabouts) -> Result<CBuf> {
    let header = ChunkHeader::parse(head)?;
    let nblocks = header.nblocks();
    if !header.is_extended() || header.special().is_some() || head.len() < header.starts_end() {
        fail!(InvalidParam, "a chunk of {} bytes cannot be lazy", header.cbytes());
    }
    let at = trailer_at(&header);
    let mut lazy = CBuf::zeroed(at + 12 + 4 * nblocks)?;
    lazy[..header.starts_end()].copy_from_slice(&head[..header.starts_end()]);
    lazy[FLAGS_AT] |= LAZY;
    lazy[at..at + 4].copy_from_slice(&whereabouts.nchunk.to_le_bytes());
    lazy[at + 4..at + 12].copy_from_slice(&whereabouts.offset.to_le_bytes());
    for (size, field) in block_sizes(&header, head).into_iter().zip(lazy[at + 12..].chunks_exact_mut(4)) {
        field.copy_from_slice(&size.to_le_bytes());
    }
    Ok(lazy)
}

/// Where the blocks of a lazy chunk are.
pub fn read(lazy: &[u8]) -> Result<Whereabouts> {
    let header = ChunkHeader::parse(lazy)?;
    let at = trailer_at(&header);
    let fields = lazy.get(at..at + 12).and_then(|f| Some((f.first_chunk::<4>()?, f.last_chunk::<8>()?)));
    match fields {
        Some((nchunk, offset)) if header.is_lazy() => {
            Ok(Whereabouts { nchunk: i32::from_le_bytes(*nchunk), offset: i64::from_le_bytes(*offset) })
        }
        _ => fail!(ReadBuffer, "{} bytes are no lazy chunk of {} blocks", lazy.len(), header.nblocks()),
    }
}

/// The compressed size of each block: up to where the next one in storage begins.
fn block_sizes(header: &ChunkHeader, head: &[u8]) -> Vec<i32> {
    if !header.has_starts() {
        return (0..header.nblocks()).map(|n| header.block_range(n).len() as i32).collect();
    }
    let start = |n: usize| bytes::i32_le_at(head, EXTENDED_HEADER_LEN + 4 * n).unwrap_or(0);
    let mut order: Vec<usize> = (0..header.nblocks()).collect();
    order.sort_by_key(|&n| start(n));
    let mut sizes = vec![0; order.len()];
    let mut end = header.cbytes() as i32;
    for &n in order.iter().rev() {
        sizes[n] = end.saturating_sub(start(n));
        end = start(n);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::params::CParams;
    use crate::chunk;

    #[test]
    fn what_is_written_is_read() {
        let data: Vec<u8> = (0..100_000u32).flat_map(u32::to_le_bytes).collect();
        for clevel in [0, 5] {
            let params = CParams { clevel, blocksize: 50_000, ..CParams::default() };
            let chunk = chunk::compress_to_cbuf(&params, &data).unwrap();
            let header = ChunkHeader::parse(&chunk).unwrap();
            let here = Whereabouts { nchunk: 7, offset: 1 << 40 };
            let lazy = write(&chunk[..header.starts_end()], here).unwrap();
            assert_eq!(read(&lazy).unwrap(), here);
            assert!(ChunkHeader::parse(&lazy).unwrap().is_lazy());
            let sizes: i32 = lazy[lazy.len() - 4 * header.nblocks()..]
                .chunks_exact(4)
                .map(|size| bytes::i32_le_at(size, 0).unwrap())
                .sum();
            assert_eq!(sizes as usize, header.cbytes() - header.starts_end());
            assert!(read(&chunk).is_err() && read(&lazy[..lazy.len() - 4 * header.nblocks() - 1]).is_err());
        }
    }
}
