//! Numbers of eight bytes of which a few are new, and the others stood in some number before: small integers, measurements. In a
//! stream they are one after the other of one shape: as many literals, then a match that brings the rest of the number from the
//! same bytes of any before it.
//!
//! Where one ends is known from the shape, so that nobody waits for what it says to find the next; and each number is written, and
//! read back, at once.

use super::decode::Place;
use super::{NEAR, NUMBER};
use crate::codec::copy;
use crate::codec::items::{self, Shape, are_item};

/// Bytes before the literals.
const HEAD: usize = 1;
/// Bytes that tell a match.
const TAIL: usize = 2;
/// What is the same in two tails of one shape: the length of a match, and that it goes back by whole numbers.
const SAME: u64 = 0x07e0;

/// A number or an item, which others may follow.
pub(super) struct One {
    /// The bytes that it begins with.
    pub(super) first: u64,
    pub(super) shape: Shape,
    pub(super) len: usize,
}

/// Whether literals and a match are a number, or an item, which others may follow.
#[inline(always)]
pub(super) fn is_one(literals: usize, distance: usize, len: usize) -> bool {
    is_number(literals, distance, len) | are_item(literals, distance, len)
}

/// From where on it is looked for numbers of one shape: at once, but where that was in vain, later and later.
#[derive(Default)]
pub(super) struct Patience {
    wait: usize,
    again: usize,
}

impl Patience {
    /// So many bytes of them are worth it.
    const WORTH: usize = 8 * NUMBER;
    /// So many bytes are waited for at first, and at most.
    const FIRST: usize = 128;
    const MOST: usize = 1 << 16;

    /// How many bytes are filled when it is looked for them again.
    #[inline(always)]
    pub(super) fn again(&self) -> usize {
        self.again
    }

    /// Learns that they went from `before` to `now`.
    #[inline(always)]
    pub(super) fn learn(&mut self, before: usize, now: usize) {
        let in_vain = now - before < Self::WORTH;
        self.wait = if in_vain { (2 * self.wait).clamp(Self::FIRST, Self::MOST) } else { 0 };
        self.again = now + self.wait;
    }
}

/// Takes those that follow one, as long as they have its shape.
#[inline(never)]
pub(super) fn follow(
    src: &[u8],
    dst: &mut [u8],
    Place { at, filled }: Place,
    enough: usize,
    One { first, shape, len }: &One,
    patience: &mut Patience,
) -> Option<Place> {
    let rest = &src[at.min(src.len())..];
    let (taken, now) = if are_item(shape.literals, shape.distance, *len) {
        items::follow(rest, dst, filled, enough, shape)?
    } else {
        numbers(rest, dst, filled, enough, *first, shape.literals)?
    };
    if *len <= NUMBER {
        patience.learn(filled, now);
    }
    Some(Place { at: at + taken, filled: now })
}

/// Whether literals and a match are a number as [`numbers`] takes them.
#[inline(always)]
const fn is_number(literals: usize, distance: usize, len: usize) -> bool {
    (literals + len == NUMBER) & distance.is_multiple_of(NUMBER)
}

/// Takes the numbers that `src` goes on with, as long as they have the shape of `last`, the bytes of one of so many `literals`, the
/// first lowest: appends them to the first `filled` bytes of `dst`, until `enough` are filled. Tells how many bytes of `src` that
/// took, and how many of `dst` are filled then.
///
/// Stops early where `src` nearly ends, and where `dst` has no room for a wide copy. What it writes is all that `src` says.
#[inline(never)]
fn numbers(
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
