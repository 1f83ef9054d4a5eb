//! Numbers of eight bytes of which a few are new, and the others stood in some number before: small integers, measurements. In a
//! stream they are one after the other of one shape: as many literals, then a match that brings the rest of the number from the
//! same bytes of any before it.
//!
//! Where one ends is known from the shape, so that nobody waits for what it says to find the next; and each number is written, and
//! read back, at once.

use super::{NEAR, NUMBER};
use crate::codec::copy;

/// Bytes before the literals.
const HEAD: usize = 1;
/// Bytes that tell a match.
const TAIL: usize = 2;
/// What is the same in two tails of one shape: the length of a match, and that it goes back by whole numbers.
const SAME: u64 = 0x07e0;

/// Whether literals and a match are a number as [`follow`] takes them.
#[inline(always)]
pub(super) const fn is_number(literals: usize, distance: usize, len: usize) -> bool {
    (literals + len == NUMBER) & distance.is_multiple_of(NUMBER)
}

/// Takes the numbers that `src` goes on with, as long as they have the shape of `last`, the bytes of one of so many `literals`, the
/// first lowest: appends them to the first `filled` bytes of `dst`, until `enough` are filled. Tells how many bytes of `src` that
/// took, and how many of `dst` are filled then.
///
/// Stops early where `src` nearly ends, and where `dst` has no room for a wide copy. What it writes is all that `src` says.
#[inline(never)]
pub(super) fn follow(
    src: &[u8],
    dst: &mut [u8],
    mut filled: usize,
    enough: usize,
    last: u64,
    literals: usize,
) -> Option<(usize, usize)> {
    let step = HEAD + literals + TAIL;
    if step > size_of_val(&last) {
        return Some((0, filled));
    }
    let tail_at = 8 * (HEAD + literals);
    let same = 0xff | SAME << tail_at;
    let new = (1 << (8 * literals)) - 1;
    let enough = enough.min(copy::roomy(dst));
    let mut at = 0;
    while filled < enough
        && let Some(number) = src.get(at..).and_then(|src| src.first_chunk())
    {
        let told = u64::from_le_bytes(*number);
        let tail = (told >> tail_at) as usize;
        let back = (tail & 31) << 8 | tail >> 8 & 255;
        // Far ones say more; and what begins before the output, but for its literals, is left to who takes one by one.
        if (told ^ last) & same != 0 || back == NEAR || back >= filled {
            break;
        }
        let before = u64::from_le_bytes(*dst[filled - back - 1..].first_chunk()?);
        let number = before & !new | told >> (8 * HEAD) & new;
        dst[filled..filled + NUMBER].copy_from_slice(&number.to_le_bytes());
        at += step;
        filled += NUMBER;
    }
    Some((at, filled))
}
