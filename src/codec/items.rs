//! Items of which only the first bytes change from one to the next: numbers that count, coordinates, records. In a stream
//! they are one sequence after the other, all of one shape: some literals, then a match that brings the rest of the item
//! from the one before.
//!
//! What is read back of the output was written just before, in parts; a processor waits long for that, and how long is a
//! matter of luck. Here the item stays in a register, and nothing is read back.

use super::copy;
use std::ops::RangeInclusive;

/// How far back such matches begin: an item.
pub(super) const ITEM: RangeInclusive<usize> = 8..=WIDTH;
/// Bytes of the largest item.
const WIDTH: usize = 16;
/// Bytes that follow an item's literals, at most.
const TAIL: usize = 4;

/// What items of one shape have in common in a stream.
pub(super) struct Shape {
    /// The byte before the literals.
    pub(super) head: u8,
    /// How many literals there are.
    pub(super) literals: usize,
    /// The bytes behind them, which tell the match; the first is lowest.
    pub(super) tail: u32,
    /// How many these are.
    pub(super) tail_len: usize,
    /// How far back the match begins, in bytes: it and the literals are as long.
    pub(super) distance: usize,
}

/// The bytes of the input that are looked at together, which are more than an item takes there: behind it are as many as end
/// a stream of LZ4.
const AHEAD: usize = 1 + WIDTH + 2 * TAIL;

/// Whether literals and a match are an item as [`follow`] takes them. Before that is called it is looked whether the next may
/// be another: most are alone, where data have no items.
#[inline(always)]
pub(super) const fn are_item(literals: usize, distance: usize, len: usize) -> bool {
    literals + len == distance && distance >= *ITEM.start() && distance <= *ITEM.end() && literals > 0
}

/// Takes the items of `shape` that `src` goes on with: appends them to the first `filled` bytes of `dst`, which end in such
/// an item, until `enough` are filled. Tells how many bytes of `src` that took, and how many of `dst` are filled then.
///
/// Stops early where `src` nearly ends, and where `dst` has no room for a wide copy. What it writes is all that `src` says.
#[inline(never)]
pub(super) fn follow(
    src: &[u8],
    dst: &mut [u8],
    mut filled: usize,
    enough: usize,
    shape: &Shape,
) -> Option<(usize, usize)> {
    let &Shape { head, literals, tail, tail_len, distance } = shape;
    let last = dst.get(filled.checked_sub(distance)?..)?.first_chunk::<WIDTH>()?;
    let mut item = u128::from_le_bytes(*last);
    let changes = (1 << (8 * (literals & (WIDTH - 1)))) - 1;
    let tails = u32::MAX >> (8 * (TAIL - tail_len));
    let enough = enough.min(copy::roomy(dst));
    let step = 1 + literals + tail_len;
    let mut at = 0;
    while filled < enough
        && let Some([op, ahead @ ..]) = src.get(at..).and_then(|src| src.first_chunk::<AHEAD>())
    {
        let behind = &ahead[literals & (WIDTH - 1)..][..TAIL];
        let told = u32::from_le_bytes(*behind.first_chunk()?);
        if *op != head || (told ^ tail) & tails != 0 {
            break;
        }
        item = item & !changes | u128::from_le_bytes(*ahead.first_chunk()?) & changes;
        dst[filled..filled + WIDTH].copy_from_slice(&item.to_le_bytes());
        at += step;
        filled += distance;
    }
    Some((at, filled))
}
