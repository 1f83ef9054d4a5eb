//! Numbers of eight bytes of which a few are new, and the others stood in some number before: small integers, measurements. In a
//! stream they are one sequence after the other, all of one shape: as many literals, then a match that brings the rest of the
//! number from the same bytes of any before it.
//!
//! Where a sequence ends is known from the shape, so that nobody waits for what one says to find the next; and each number is
//! written, and read back, at once.

use super::copy;

/// Bytes of a number.
const NUMBER: usize = 8;
/// Bytes before the literals.
const HEAD: usize = 1;
/// Bytes that tell a match.
const TAIL: usize = 2;
/// Bytes of a stream that are looked at, and left behind what is taken: more than end one of LZ4.
const AHEAD: usize = 16;

/// What sequences of one shape have in common in a stream.
pub(super) struct Shape {
    /// The bytes of one, the first lowest, where `same` has bits.
    sequence: u64,
    same: u64,
    literals: usize,
}

impl Shape {
    /// The shape of what `sequence` begins with, the first byte lowest: a head, `literals`, and a tail, of which the bits of
    /// `same_tail` are the same in all. `None` when that is more than is looked at together.
    #[inline(always)]
    pub(super) fn of(sequence: u64, literals: usize, same_tail: u16) -> Option<Self> {
        let tail_at = HEAD + literals;
        if tail_at + TAIL > size_of_val(&sequence) {
            return None;
        }
        let same = 0xff | u64::from(same_tail) << (8 * tail_at);
        Some(Shape { sequence: sequence & same, same, literals })
    }
}

/// Whether literals and a match are a number as [`follow`] takes them.
#[inline(always)]
pub(super) const fn is_number(literals: usize, distance: usize, len: usize) -> bool {
    (literals + len == NUMBER) & distance.is_multiple_of(NUMBER)
}

/// Takes the sequences of `shape` that `src` goes on with, whose matches begin as far back as `distance` makes of their tails (0: no
/// such sequence): appends them to the first `filled` bytes of `dst`, until `enough` are filled. Tells how many bytes of `src`
/// that took, and how many of `dst` are filled then.
///
/// Stops early where `src` nearly ends, and where `dst` has no room for a wide copy. What it writes is all that `src` says.
#[inline(always)]
pub(super) fn follow(
    src: &[u8],
    dst: &mut [u8],
    mut filled: usize,
    enough: usize,
    shape: &Shape,
    distance: impl Fn(u16) -> usize,
) -> Option<(usize, usize)> {
    let &Shape { sequence, same, literals } = shape;
    let enough = enough.min(copy::roomy(dst));
    let new = (1 << (8 * (literals % NUMBER))) - 1;
    let tail_at = 8 * (HEAD + literals) % 64;
    let step = HEAD + literals + TAIL;
    let mut at = 0;
    while filled < enough
        && let Some(ahead) = src.get(at..).and_then(|src| src.first_chunk::<AHEAD>())
    {
        let told = u64::from_le_bytes(*ahead.first_chunk()?);
        let distance = distance((told >> tail_at) as u16);
        // What begins before the output, but for its literals, is left to who takes one after the other.
        if told & same != sequence || distance == 0 || distance > filled {
            break;
        }
        let before = dst[filled - distance..].first_chunk::<NUMBER>()?;
        let number = u64::from_le_bytes(*before) & !new | told >> (8 * HEAD) & new;
        dst[filled..filled + NUMBER].copy_from_slice(&number.to_le_bytes());
        at += step;
        filled += NUMBER;
    }
    Some((at, filled))
}
