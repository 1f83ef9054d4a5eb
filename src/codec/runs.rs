//! LZ4 streams on which liblz4 is slow. Those of long runs, which shuffled numbers are full of: it writes a run eight bytes
//! at a time, and the one in which it is told to stop byte by byte. And those of items of eight bytes or so, of which only
//! the first differs from the last item's: it reads bytes back of which some were written just now, and others before.
//!
//! A stream is a sequence of: a token; literals, as many as its upper four bits say; two bytes, how far back a match begins;
//! the match, as long as the lower four bits say, and four more. Where four bits are all ones, length bytes follow them, up
//! to one that is not 255. The last sequence ends with its literals, five or more where there was a match; no match begins
//! in the last twelve bytes.

use super::items::{self, ITEM, Shape};
use super::{StreamParams, copy};
use std::ops::Range;

/// Streams that get this many times longer have few sequences for their length: then they are for this decoder.
const LONG: usize = 16;
/// Shorter streams are not worth a look at what they consist of.
const WORTH_A_LOOK: usize = 4096;
/// What is looked at: a few sequences, after some in which the compressor may not have found the last item yet.
const LOOKED_AT: Range<usize> = 4..12;
/// So many bytes at the end are literals.
const LAST_LITERALS: usize = 5;
/// So many bytes are at the end behind where the last match begins.
const LAST_MATCH: usize = 12;

/// Whether [`decompress`] and [`decompress_front`] are the ones for the stream `src`, which becomes `len` bytes long.
#[inline(always)]
pub(super) fn pays(p: &StreamParams, src: &[u8], len: usize) -> bool {
    let of_items = p.has_items() && src.len() >= WORTH_A_LOOK;
    len / LONG >= src.len() || of_items && are_items(src).is_some()
}

/// Whether a stream begins with one item after the other.
#[cold]
#[inline(never)]
fn are_items(mut src: &[u8]) -> Option<()> {
    for n in 0..LOOKED_AT.end {
        let token = usize::from(*src.split_off_first()?);
        let len = length(&mut src, token >> 4)?;
        src.split_off(..len)?;
        let distance = usize::from(u16::from_le_bytes(*src.split_off(..2)?.as_array()?));
        let len = length(&mut src, token & 15)? + 4;
        if n >= LOOKED_AT.start && (!ITEM.contains(&distance) || len >= *ITEM.end()) {
            return None;
        }
    }
    Some(())
}

/// Decompresses `src` into `dst` and tells how many bytes were written; `None` when `src` is not a stream, or holds more
/// than `dst`.
pub(super) fn decompress(src: &[u8], dst: &mut [u8]) -> Option<usize> {
    decompress_front(src, dst, usize::MAX)
}

/// Decompresses at least the first `enough` bytes of a stream that `dst` has room for all of, or the whole stream where it
/// holds less.
pub(super) fn decompress_front(mut src: &[u8], dst: &mut [u8], enough: usize) -> Option<usize> {
    let mut filled = 0;
    let roomy = copy::roomy(dst);
    while filled < enough {
        let head = *src.split_off_first()?;
        let token = usize::from(head);
        let literals = length(&mut src, token >> 4)?;
        match src.first_chunk() {
            Some(bytes) if literals <= bytes.len() && filled < roomy => copy::literals(dst, filled, bytes),
            _ => dst.get_mut(filled..)?.get_mut(..literals)?.copy_from_slice(src.get(..literals)?),
        }
        src.split_off(..literals)?;
        filled += literals;
        if src.is_empty() {
            break;
        }
        let distance = usize::from(u16::from_le_bytes(*src.split_off(..2)?.as_array()?));
        let len = length(&mut src, token & 15)? + 4;
        let room = dst.len() - filled;
        if distance == 0 || room < LAST_MATCH || room < len + LAST_LITERALS || src.len() <= LAST_LITERALS {
            return None;
        }
        if filled < roomy {
            copy::repeat(dst, filled, distance, len)?;
        } else {
            copy::repeat_exactly(dst, filled, distance, len)?;
        }
        filled += len;
        if items::are_item(literals, distance, len) {
            let shape = Shape { head, literals, tail: distance as u32, tail_len: 2, distance };
            let (taken, now) = items::follow(src, dst, filled, enough, &shape)?;
            src.split_off(..taken)?;
            filled = now;
        }
    }
    Some(filled)
}

/// A length whose four bits of the token are `bits`.
fn length(src: &mut &[u8], bits: usize) -> Option<usize> {
    let mut len = bits;
    if bits == 15 {
        loop {
            let more = usize::from(*src.split_off_first()?);
            len += more;
            if more != 255 {
                break;
            }
        }
    }
    Some(len)
}
