//! Some bytes of one block, without decoding all of it.
//!
//! Where the filters only spread the items over streams of bytes or bits, a range of items is a range of each stream:
//! the codec can stop behind it, and the filter has only the range to undo.

use super::block::Unpacking;
use super::scratch::Scratch;
use super::stream::{self, Met, Stream};
use crate::base::Result;
use crate::codec::{State, StreamParams};
use crate::filter::{BlockCtx, Spread, bitshuffle, shuffle};
use std::ops::Range;

/// Where the bytes that are wanted stand in a filtered block: the same range of each of `planes` equal parts.
#[derive(Clone, Debug)]
struct Planes {
    planes: usize,
    /// Bytes from one plane to the next.
    len: usize,
    /// The bytes of a plane that are wanted; at least one.
    range: Range<usize>,
    /// The bytes of the block that a byte of every plane make.
    step: usize,
}

impl Planes {
    /// The planes for bytes `want` of a block of `len` bytes; `None` when only all of it will do.
    fn of(spread: Spread, ctx: &BlockCtx<'_>, len: usize, want: &Range<usize>) -> Option<Self> {
        let (planes, plane_len) = match spread {
            Spread::Nowhere => (1, len),
            Spread::Streams(n) => (n, len / n),
            // Items after the last eight are not shuffled; Blosc1 then shuffled none.
            Spread::Bits if ctx.blosc1 && !(len / ctx.typesize).is_multiple_of(8) => return None,
            Spread::Bits => (8 * ctx.typesize, len / ctx.typesize / 8),
            Spread::Everywhere => return None,
        };
        let step = if spread == Spread::Nowhere { 1 } else { planes };
        let range = want.start / step..want.end.div_ceil(step);
        (range.end <= plane_len && !range.is_empty()).then_some(Planes {
            planes,
            len: plane_len,
            range,
            step,
        })
    }

    /// What is wanted of the bytes from `start` up to `end` of the filtered block: from the first to the last such
    /// byte, counted from `start`.
    fn wanted(&self, start: usize, end: usize) -> Range<usize> {
        // The last plane whose wanted bytes begin before `end`, and the first whose end after `start`.
        let last = match (end - 1).checked_sub(self.range.start) {
            Some(distance) => (distance / self.len).min(self.planes - 1),
            None => return 0..0,
        };
        let first = (start + 1).saturating_sub(self.range.end).div_ceil(self.len);
        let from = (first * self.len + self.range.start).max(start);
        let to = (last * self.len + self.range.end).min(end);
        if from < to { from - start..to - start } else { 0..0 }
    }
}

/// Whether bytes `want` of a block of `len` are so few that not to decode the others is worth it.
pub(super) fn pays(want: &Range<usize>, len: usize) -> bool {
    want.len() <= len / 4 * 3
}

/// Decodes bytes `want` of a block into the same bytes of `dst`, which has the block's length, or tells that it is no
/// better than to decode all of it, by `false`.
pub(super) fn unpack(
    unpacking: &Unpacking<'_>,
    ctx: &BlockCtx<'_>,
    nstreams: usize,
    mut src: &[u8],
    scratch: &mut Scratch,
    want: Range<usize>,
    dst: &mut [u8],
) -> Result<bool> {
    let len = dst.len();
    if !pays(&want, len) || nstreams == 0 || !len.is_multiple_of(nstreams) {
        return Ok(false);
    }
    let spread = unpacking.spread;
    let Some(planes) = Planes::of(spread, ctx, len, &want) else { return Ok(false) };
    let Scratch { codec, filter, stream: gathered, .. } = scratch;
    let stream_len = len / nstreams;
    if spread == Spread::Nowhere {
        decode(&unpacking.stream, codec, &planes, &mut src, stream_len, dst)?;
        return Ok(true);
    }
    let decoded = match single_raw(src, nstreams, len)? {
        Some(raw) => raw,
        None => {
            let decoded = filter.filtered.sized(len);
            decode(&unpacking.stream, codec, &planes, &mut src, stream_len, decoded)?;
            decoded
        }
    };
    // The range as a small filtered block of its own.
    let Planes { range, step, .. } = &planes;
    let small = gathered.sized(planes.planes * range.len());
    for (n, small) in small.chunks_exact_mut(range.len()).enumerate() {
        small.copy_from_slice(&decoded[n * planes.len..][range.clone()]);
    }
    let dst = &mut dst[range.start * step..range.end * step];
    match spread {
        Spread::Bits => bitshuffle::bitunshuffle(ctx.typesize, small, dst),
        _ => shuffle::unshuffle(planes.planes, small, dst),
    }
    Ok(true)
}

/// Decodes of each stream what `planes` want.
fn decode(
    params: &StreamParams<'_>,
    state: &mut State,
    planes: &Planes,
    src: &mut &[u8],
    stream_len: usize,
    dst: &mut [u8],
) -> Result<()> {
    let mut met = Met::new(params);
    // Then the same bytes of each are wanted.
    let are_planes = planes.len == stream_len;
    for start in (0..dst.len()).step_by(stream_len) {
        let wanted = planes.wanted(start, start + stream_len);
        let stream = stream::parse(src, stream_len)?;
        if wanted.is_empty() {
            continue;
        }
        if are_planes
            && let Stream::Coded(coded) = stream
            && let Some(first) = met.before(coded, start)
        {
            dst.copy_within(first + wanted.start..first + wanted.end, start + wanted.start);
            continue;
        }
        stream.unpack_range(params, state, wanted, &mut dst[start..start + stream_len])?;
    }
    Ok(())
}

/// The filtered block where it stands, if it is one stream stored raw.
fn single_raw(src: &[u8], nstreams: usize, len: usize) -> Result<Option<&[u8]>> {
    if nstreams != 1 {
        return Ok(None);
    }
    let mut src = src;
    Ok(match stream::parse(&mut src, len)? {
        Stream::Raw(raw) => Some(raw),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All bytes that are wanted, by the definition.
    fn wanted_bytes(planes: &Planes) -> Vec<usize> {
        (0..planes.planes).flat_map(|p| planes.range.clone().map(move |i| p * planes.len + i)).collect()
    }

    #[test]
    fn wanted_spans_are_tight_and_cover_all() {
        for (planes, len) in [(1, 24), (4, 6), (3, 8), (24, 1), (8, 3)] {
            for start in 0..len {
                for end in start + 1..=len {
                    let planes = Planes { planes, len, range: start..end, step: planes };
                    let all = wanted_bytes(&planes);
                    for stream_len in [1, 2, 3, 4, 6, 8, 12, 24] {
                        for from in (0..24).step_by(stream_len) {
                            let inside: Vec<usize> = all
                                .iter()
                                .copied()
                                .filter(|at| (from..from + stream_len).contains(at))
                                .collect();
                            let expected = match (inside.first(), inside.last()) {
                                (Some(first), Some(last)) => first - from..last + 1 - from,
                                _ => 0..0,
                            };
                            assert_eq!(
                                planes.wanted(from, from + stream_len),
                                expected,
                                "{planes:?} {from} {stream_len}"
                            );
                        }
                    }
                }
            }
        }
    }
}
