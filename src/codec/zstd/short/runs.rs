//! Runs of equal bytes, and nothing else: they are told by the same distance each, which takes no room, and what is between them has
//! short codes mostly.

use super::super::noise::alike;
use super::Found;
use crate::codec::words::equal;

/// A stream is of runs where more than that part of all bytes are like the one before: so many of so many.
const PART: (usize, usize) = (2, 3);
/// Bytes of a match, at least.
const LEAST: usize = 4;

/// Whether so many bytes are like the one before that nothing else needs to be found.
pub(super) fn is_of_runs(src: &[u8]) -> bool {
    alike(src, 1) * PART.1 > src.len() * PART.0
}

/// Finds them; `None` when there are too many.
pub(super) fn find(src: &[u8], found: &mut Found) -> Option<()> {
    let (mut anchor, mut at) = (0, 1);
    while let Some(&[before, here @ ..]) = src[at - 1..].first_chunk::<{ 1 + LEAST }>() {
        if here != [before; LEAST] {
            at += 1;
            continue;
        }
        let rest = &src[at + LEAST..];
        let end = at + LEAST + equal(&src[at + LEAST - 1..][..rest.len()], rest);
        found.add(src, anchor, at..end, 1)?;
        (anchor, at) = (end, end + 1);
    }
    found.add_literals(src, anchor..src.len())
}
