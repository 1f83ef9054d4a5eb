//! Offsets as the blocks of an index chunk.

use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::params::{CParams, SplitMode};
use crate::base::{CBuf, Error, ErrorKind, Result, bytes};
use crate::chunk::{self, ChunkHeader};

/// Offsets in a block of the index chunk.
pub(super) const PAGE: usize = 2048;
/// Bytes of an offset.
pub(super) const ITEM: usize = 8;

/// How index chunks are compressed, whatever the data's parameters are.
pub(super) fn cparams() -> CParams {
    CParams { split: SplitMode::Never, blocksize: (PAGE * ITEM) as i32, ..CParams::default() }
}

pub(super) fn code_at(bytes: &[u8], at: usize) -> Option<i64> {
    bytes.get(at..at + ITEM)?.try_into().ok().map(i64::from_le_bytes)
}

pub(super) fn le_bytes(list: &[i64]) -> Vec<u8> {
    list.iter().flat_map(|code| code.to_le_bytes()).collect()
}

/// An index chunk of several blocks. `streams` holds those of the first pages and gets all of the full ones.
pub(super) fn encode(list: &[i64], streams: &mut Vec<Box<[u8]>>) -> Result<CBuf> {
    let pages = list.chunks(PAGE);
    let nblocks = pages.len();
    let mut last = None;
    for page in pages.skip(streams.len()) {
        let stream = page_stream(page)?;
        if page.len() == PAGE { streams.push(stream) } else { last = Some(stream) }
    }
    let blocks = streams.iter().chain(&last);
    let total = EXTENDED_HEADER_LEN + 4 * nblocks + blocks.clone().map(|b| b.len()).sum::<usize>();
    let mut out = CBuf::empty();
    out.reserve_exact(total)?;
    out.extend_from_slice(&multi_block_header(list.len() * ITEM, total))?;
    let mut start = EXTENDED_HEADER_LEN + 4 * nblocks;
    for block in blocks.clone() {
        out.extend_from_slice(&(start as i32).to_le_bytes())?;
        start += block.len();
    }
    for block in blocks {
        out.extend_from_slice(block)?;
    }
    Ok(out)
}

/// The header of an index chunk that has block starts.
fn multi_block_header(nbytes: usize, cbytes: usize) -> [u8; EXTENDED_HEADER_LEN] {
    let mut header = [0; EXTENDED_HEADER_LEN];
    // Version 5, blosclz streams of version 1, extended header, blocks not split, items of eight bytes.
    header[..4].copy_from_slice(&[5, 1, 0x15, ITEM as u8]);
    header[4..8].copy_from_slice(&(nbytes as i32).to_le_bytes());
    header[8..12].copy_from_slice(&((PAGE * ITEM) as i32).to_le_bytes());
    header[12..16].copy_from_slice(&(cbytes as i32).to_le_bytes());
    // The last slot of the pipeline is a byte shuffle.
    header[0x15] = 1;
    header
}

/// The compressed block of one page: taken out of a chunk that ends with it.
fn page_stream(page: &[i64]) -> Result<Box<[u8]>> {
    let raw = le_bytes(page);
    let mut packed = chunk::compress_to_cbuf(&cparams(), &raw)?;
    let mut header = ChunkHeader::parse(&packed)?;
    if header.special().is_some() {
        // All offsets are the same, and so the chunk has no streams: it gets them when another block differs.
        let mut two_pages: Vec<u8> = (0..PAGE).flat_map(|i| (i as u64).to_le_bytes()).collect();
        two_pages.extend(&raw);
        packed = chunk::compress_to_cbuf(&cparams(), &two_pages)?;
        header = ChunkHeader::parse(&packed)?;
    }
    if !header.has_starts() || !header.is_extended() {
        // It does not get smaller. A stream as long as its data is stored as it is, filtered.
        let mut stream = (raw.len() as i32).to_le_bytes().to_vec();
        stream.extend(shuffled(&raw));
        return Ok(stream.into());
    }
    let last = header.header_len() + 4 * (header.nblocks() - 1);
    let start = bytes::i32_le_at(&packed, last).and_then(|start| usize::try_from(start).ok());
    let stream = start.and_then(|start| packed.get(start..header.cbytes()));
    stream.map(Into::into).ok_or_else(|| Error::new(ErrorKind::Failure, "no stream in an index page"))
}

/// A page's bytes, those of equal significance side by side.
fn shuffled(raw: &[u8]) -> Vec<u8> {
    (0..ITEM).flat_map(|byte| raw.iter().skip(byte).step_by(ITEM).copied()).collect()
}
