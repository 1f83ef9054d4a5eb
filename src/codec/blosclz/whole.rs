//! Writing streams of numbers of eight bytes, or names of sixteen, most of which stood before: small integers, ratings, steps of a
//! measure, labels.
//!
//! Such a number is a match that begins and ends with it, two or three bytes of a stream. So only whole numbers are looked for, one after the
//! other, as long as they are found.

use super::MAX_DISTANCE;
use super::bytes::common;
use super::encode::{TAIL, Written, find, hash};
use super::numbers::{Next, SAMPLE, one};
use super::sink::Sink;
use super::table::{Slots, exchange};
use crate::codec::entry::Entry;
use crate::codec::words::{WORD, word};

/// If that many of [`SAMPLE`] matches are whole numbers, these are looked for.
pub(super) const MANY: usize = 36;

/// Writes matches that are whole numbers of `SIZE` bytes, 8 or 16, which begin at byte `place` of each, and between them others, as
/// long as most are whole.
#[inline(never)]
pub(super) fn encode<E: Entry, const SIZE: usize>(
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
            if at % SIZE == place {
                let end = numbers::<E, SIZE>(slots, mask, src, sink, at)?;
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
        // Whole numbers would have taken that many bytes twice.
        if written.end - start < 2 * SIZE * SAMPLE {
            return Some((written, Next::Sample));
        }
    }
}

/// Writes the numbers from `at` on that stood before, and gives the place of the first that did not, or is too near to the end
/// of `src`.
#[inline(always)]
fn numbers<E: Entry, const SIZE: usize>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    mut at: usize,
) -> Option<usize> {
    let end = src.len().saturating_sub(SIZE + TAIL);
    while at < end {
        let here = word(src, at);
        let from = exchange(slots, hash(here, mask), at);
        let back = at - from;
        debug_assert!(back > 0, "each place is told once");
        if word(src, from) != here || back > MAX_DISTANCE {
            break;
        }
        if SIZE > WORD && word(src, from + WORD) != word(src, at + WORD) {
            break;
        }
        if word(src, from + SIZE) == word(src, at + SIZE) {
            let len = SIZE + common(src, from + SIZE, at + SIZE) / SIZE * SIZE;
            sink.sequence(src, at, at, back, len)?;
            at += len;
            continue;
        }
        sink.whole::<SIZE>(back)?;
        at += SIZE;
    }
    Some(at)
}
