//! About how long a chunk takes: enough to know whether a second thread is worth waking.

use super::header::ChunkHeader;
use super::part;
use super::plan::Plan;
use crate::codec;
use crate::filter::Spread;
use std::ops::Range;

/// Nanoseconds that a block takes beside decoding it.
const PER_BLOCK: u64 = 300;

/// Nanoseconds to copy `nbytes` bytes.
pub(super) fn copying(nbytes: usize) -> u64 {
    nbytes as u64 / 10
}

/// Nanoseconds that one thread takes to compress by `plan`: on the low side, data may be easy.
pub(super) fn compressing(plan: &Plan) -> u64 {
    let per_kib = match (plan.codec, plan.clevel) {
        (codec::BLOSCLZ | codec::LZ4, _) => 180,
        (codec::LZ4HC, 0..=2) => 1_500,
        (codec::LZ4HC, _) => 3_000,
        (codec::ZLIB, 0..=3) => 1_000,
        (codec::ZLIB, _) => 3_000,
        (codec::ZSTD, 0..=2) => 1_500,
        (codec::ZSTD, 3..=5) => 2_500,
        (codec::ZSTD, _) => 5_000,
        _ => 2_000,
    };
    plan.nbytes as u64 * per_kib / 1024
}

/// Nanoseconds that one thread takes to decompress `nbytes` bytes of a chunk.
pub(super) fn decompressing(header: &ChunkHeader, nbytes: usize) -> u64 {
    if !header.has_starts() {
        return copying(nbytes);
    }
    let per_kib = match header.codec() {
        Ok(codec::BLOSCLZ | codec::LZ4) => return quickly_decompressing(header, nbytes),
        Ok(codec::ZLIB) => 2_500,
        Ok(codec::ZSTD) => 600,
        _ => 1_000,
    };
    // What is stored raw is only copied.
    let ratio = (header.cbytes() as u64 * 8 / header.nbytes().max(1) as u64).clamp(1, 8);
    copying(nbytes) + nbytes as u64 * per_kib / 1024 * (12 - ratio) / 8
}

/// [`decompressing`], where it makes a difference whether there is next to nothing to read.
fn quickly_decompressing(header: &ChunkHeader, nbytes: usize) -> u64 {
    let packed = header.cbytes() as u64 * 1024 / header.nbytes().max(1) as u64;
    let read = packed.min(1024 - packed.min(1024));
    nbytes as u64 * (50 + 300 * read / 1024) / 1024
}

/// Nanoseconds that one thread takes for bytes `want` of a block of `len`, whose items filters have spread.
pub(super) fn decompressing_part(
    header: &ChunkHeader,
    spread: Spread,
    len: usize,
    want: &Range<usize>,
) -> u64 {
    if !header.has_starts() {
        return PER_BLOCK + copying(want.len());
    }
    let whole = decompressing(header, len);
    let decoded = match (spread, header.codec()) {
        (Spread::Streams(_), Ok(codec)) if header.is_split() => codec::front_len(codec, len, want.end),
        (Spread::Nowhere, Ok(codec)) => codec::front_len(codec, len, want.end),
        _ => len,
    };
    if !part::pays(want, len) || spread == Spread::Everywhere {
        return PER_BLOCK + whole;
    }
    PER_BLOCK + copying(want.len()) + whole.saturating_sub(copying(len)) * decoded as u64 / len.max(1) as u64
}
