//! Writing streams of numbers of eight bytes, most of which stood before: small integers, ratings, steps of a measure.
//!
//! Such a number is a match that begins and ends with it, two bytes of a stream. So only whole numbers are looked for, one after the
//! other, as long as they are found.

use super::bytes::common;
use super::encode::{TAIL, Written, find, hash};
use super::numbers::{Next, SAMPLE, one};
use super::sink::Sink;
use super::table::{Slots, exchange};
use super::{MAX_DISTANCE, NUMBER};
use crate::codec::entry::Entry;
use crate::codec::words::word;

/// If that many of [`SAMPLE`] matches are whole numbers, these are looked for.
pub(super) const MANY: usize = 36;
/// So many bytes take that many others at least.
const OTHERS: usize = 2 * NUMBER * SAMPLE;

/// Writes matches that are whole numbers, which begin at byte `place` of each, and between them others, as long as most are whole.
#[inline(never)]
pub(super) fn encode<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    mut written: Written,
    place: usize,
) -> Option<(Written, Next)> {
    loop {
        let start = written.end;
        for _ in 0..SAMPLE {
            let mut at = written.end;
            if at % NUMBER == place {
                let end = numbers(slots, mask, src, sink, at)?;
                if end > at {
                    written = Written::behind(end);
                }
                // The table has heard of that one.
                at = end + 1;
            }
            let Some(found) = find(slots, mask, src, written.end, at) else {
                return Some((written, Next::Nothing));
            };
            written = one(slots, mask, src, sink, written, found)?;
        }
        if written.end - start < OTHERS {
            return Some((written, Next::Sample));
        }
    }
}

/// Writes the numbers from `at` on that stood before, and gives the place of the first that did not, or is too near to the end
/// of `src`.
#[inline(always)]
fn numbers<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    mut at: usize,
) -> Option<usize> {
    let end = src.len().saturating_sub(NUMBER + TAIL);
    while at < end {
        let here = word(src, at);
        let from = exchange(slots, hash(here, mask), at);
        let back = at - from;
        debug_assert!(back > 0, "each place is told once");
        if word(src, from) != here || back > MAX_DISTANCE {
            break;
        }
        if word(src, from + NUMBER) == word(src, at + NUMBER) {
            let len = NUMBER + common(src, from + NUMBER, at + NUMBER) / NUMBER * NUMBER;
            sink.sequence(src, at, at, back, len)?;
            at += len;
            continue;
        }
        sink.eight(back)?;
        at += NUMBER;
    }
    Some(at)
}
