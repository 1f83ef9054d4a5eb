//! Writing BloscLZ streams.
//!
//! One pass with one candidate per hash slot. A run of one byte is told apart from a match, as one match of distance 1
//! says all of it.

use super::sink::Sink;
use super::table::{Entry, Slots, Table, bits_of, common, exchange, word};
use super::{MAX_DISTANCE, NEAR, probe};

/// What a thread keeps for compressing.
#[derive(Default)]
pub struct Tables {
    /// For streams whose positions fit 16 bits: half the memory, so that it stays in the first cache.
    short: Table<u16>,
    long: Table<u32>,
}

/// Fewest bytes of a near match.
const MIN_NEAR: usize = 7;
/// Fewest bytes of a far match.
const MIN_FAR: usize = 10;
/// No match begins in that many last bytes, so that whole words can be read where one begins.
const TAIL: usize = 12;
/// The shortest stream worth a try.
const MIN_STREAM: usize = 16;

/// Compresses `src` into `dst` and tells how many bytes that took; 0 when they do not fit or would not be fewer, or
/// when a look at part of `src` says that it is not worth the time to decompress at this level.
pub fn compress(tables: &mut Tables, clevel: u8, src: &[u8], dst: &mut [u8]) -> usize {
    if src.len() < MIN_STREAM || !probe::promising(&mut tables.short, clevel, src) {
        return 0;
    }
    let room = dst.len().min(src.len() - 1);
    let mut sink = Sink::new(&mut dst[..room]);
    let bits = bits_of(clevel).min(src.len().ilog2() + 1);
    let done = if src.len() <= 1 << 16 {
        encode(tables.short.open(bits), bits, src, &mut sink)
    } else {
        encode(tables.long.open(bits), bits, src, &mut sink)
    };
    done.map_or(0, |()| sink.finish())
}

/// A match: `len` bytes at `at` are those at `from`.
struct Match {
    at: usize,
    from: usize,
    len: usize,
}

fn encode<E: Entry>(slots: &mut Slots<E>, bits: u32, src: &[u8], sink: &mut Sink) -> Option<()> {
    let mut anchor = 0;
    // A stream begins with literals.
    let mut at = 1;
    while let Some(found) = find(slots, bits, src, anchor, at) {
        sink.literals(&src[anchor..found.at])?;
        sink.matched(found.at - found.from, found.len)?;
        at = found.at + found.len;
        anchor = at;
        if at + 8 <= src.len() {
            exchange(slots, hash(word(src, at - 2), bits), at - 2);
        }
    }
    sink.literals(&src[anchor..])
}

/// The slot for the first [`MIN_NEAR`] bytes of a word.
#[inline(always)]
fn hash(word: u64, bits: u32) -> usize {
    const PRIME: u64 = 0x9e37_79b1_85eb_ca87;
    ((word << (64 - 8 * MIN_NEAR)).wrapping_mul(PRIME) >> (64 - bits)) as usize
}

/// The first match worth taking that begins at `at` or later.
#[inline(always)]
fn find<E: Entry>(
    slots: &mut Slots<E>,
    bits: u32,
    src: &[u8],
    anchor: usize,
    mut at: usize,
) -> Option<Match> {
    let end = src.len().saturating_sub(TAIL);
    while at < end {
        let here = word(src, at);
        let from = exchange(slots, hash(here, bits), at);
        let differ = word(src, from) ^ here;
        if differ << (64 - 8 * MIN_NEAR) != 0 || at - from > MAX_DISTANCE {
            at += 1;
            continue;
        }
        let len = common(src, from, at);
        if len < MIN_FAR && at - from > NEAR {
            at += 1;
            continue;
        }
        let mut found = Match { at, from, len };
        if here << 8 >> 8 == here >> 8 {
            prefer_run(src, &mut found);
        }
        while found.at > anchor.max(1) && found.from > 0 && src[found.at - 1] == src[found.from - 1] {
            found.at -= 1;
            found.from -= 1;
            found.len += 1;
        }
        return Some(found);
    }
    None
}

/// Where a match begins in a run of one byte that reaches as far, the run is as good and cheaper to copy.
fn prefer_run(src: &[u8], found: &mut Match) {
    let start = if src[found.at - 1] == src[found.at] { found.at } else { found.at + 1 };
    let len = common(src, start - 1, start);
    if start + len >= found.at + found.len {
        *found = Match { at: start, from: start - 1, len };
    }
}
