//! Writing BloscLZ streams.
//!
//! One pass with one candidate per hash slot. Only matches that spare the decoder work are taken: short ones would
//! shrink the stream a little and slow it down a lot.

use super::bytes::{TELLING, common_any, common_before, common_run, hash_of_seven, reach, tells, uniform};
use super::numbers::{self, Numbers};
use super::sink::Sink;
use super::table::{MOST_BITS, Slots, Tables, bits_of, exchange};
use super::{MAX_DISTANCE, NEAR, probe};
use crate::codec::entry::Entry;
use crate::codec::words::{WORD, word};

/// Fewest bytes of a far match.
const MIN_FAR: usize = 10;
/// No match begins in that many last bytes, so that whole words can be read where one begins.
pub(super) const TAIL: usize = 12;
/// So many items are taken without a look into the table.
const ITEMS: usize = 31;
/// Bytes that unfiltered items have at most, mostly.
const ITEM: usize = 32;
/// The shortest stream worth a try, here and in the C library: less is sooner copied than decoded.
const MIN_STREAM: usize = 66;

/// Compresses `src`, whole items of `item` bytes or none of a known size (0), into `dst`, and tells how many bytes that took; 0
/// when they do not fit or would not be fewer, or when a look at part of `src` says that it is not worth the time to
/// decompress at this level.
pub fn compress(tables: &mut Tables, clevel: u8, item: usize, src: &[u8], dst: &mut [u8]) -> usize {
    if src.len() < MIN_STREAM || !probe::promising(tables, clevel, src) {
        return 0;
    }
    let room = dst.len().min(src.len() - 1);
    let mut sink = Sink::new(&mut dst[..room]);
    let bits = bits_of(clevel).min(src.len().ilog2() + 1);
    let done = if src.len() <= 1 << 16 {
        encode(tables.short.open(bits), (1 << bits) - 1, item, src, &mut sink)
    } else {
        encode(tables.long.open(bits), (1 << bits) - 1, item, src, &mut sink)
    };
    done.map_or(0, |()| sink.finish())
}

/// Writes all of `src`.
fn encode<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    item: usize,
    src: &[u8],
    sink: &mut Sink,
) -> Option<()> {
    let written = numbers::encode(Numbers::of(item), slots, mask, src, sink)?;
    sink.literals(&src[written.end..])
}

/// A match: the bytes from `at` to `end` are those `distance` before. Not its length: where it ends does not wait for where it
/// begins.
pub(super) struct Match {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) distance: usize,
}

impl Match {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.end - self.at
    }

    /// Whether it is a run of one byte.
    #[inline(always)]
    pub(super) fn is_run(&self) -> bool {
        self.distance == 1
    }
}

/// What is written: where it ends, and what would have to follow for both to be items.
#[derive(Clone, Copy)]
pub(super) struct Written {
    pub(super) end: usize,
    /// The bytes of the item that it ends with; if it ends with none, more than any has.
    item: usize,
}

impl Written {
    pub(super) const NOTHING: Written = Written::behind(0);

    /// What ends there, and with no item.
    pub(super) const fn behind(end: usize) -> Self {
        Written { end, item: usize::MAX }
    }
}

/// Writes the match, and if it is an item like the last, others that are.
#[inline(always)]
pub(super) fn put<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    written: Written,
    mut found: Match,
) -> Option<Written> {
    let Match { at, distance, .. } = found;
    let literals = at - written.end;
    sink.sequence(src, written.end, at, distance, found.len())?;
    // With its literals, it is all of an item; 0 is none.
    let is_item = found.end - written.end == distance && (2..ITEM).contains(&distance);
    // One branch, which is foreseen: whether one alone is an item is not.
    if written.item == if is_item { distance } else { 0 } {
        found = items(slots, mask, src, sink, literals, found)?;
    }
    Some(Written { end: found.end, item: if is_item { distance } else { usize::MAX } })
}

/// Takes the matches behind `last`, [`ITEMS`] at most, that have as many literals before them and go as far back, as the one
/// before it did, and gives the last of them: items of which the same bytes differ. The table hears of them, but is not looked
/// into, which takes longer than all the rest; what it may know better is only put off.
#[inline(never)]
fn items<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    literals: usize,
    mut last: Match,
) -> Option<Match> {
    let distance = last.distance;
    for _ in 0..ITEMS {
        let anchor = last.end;
        let at = anchor + literals;
        if at + TAIL > src.len() {
            break;
        }
        let from = at - distance;
        let differ = word(src, from) ^ word(src, at);
        // Unless none begins there, or does one byte before.
        if !tells(differ) || src[at - 1] == src[from - 1] {
            break;
        }
        exchange(slots, hash(word(src, anchor), mask), anchor);
        let len = reach(src, from, at, differ);
        sink.sequence(src, anchor, at, distance, len)?;
        last = Match { at, end: at + len, distance };
        if len + literals != distance {
            break;
        }
    }
    Some(last)
}

/// The slot for the first seven bytes of a word.
#[inline(always)]
pub(super) fn hash(word: u64, mask: usize) -> usize {
    (hash_of_seven(word) >> (64 - MOST_BITS)) as usize & mask
}

/// The first match worth taking that is found at `at` or later, begun earlier if that may be, but not before `anchor`.
#[inline(always)]
pub(super) fn find<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    anchor: usize,
    at: usize,
) -> Option<Match> {
    // A stream begins with literals.
    let mut at = at.max(1);
    loop {
        let candidate = candidate(slots, mask, src, at)?;
        if let Some(found) = measured::<false>(src, &candidate, anchor) {
            return Some(found);
        }
        at = candidate.at + 1;
    }
}

/// Where a match may begin.
pub(super) struct Candidate {
    pub(super) at: usize,
    /// Where the same bytes stand before.
    pub(super) from: usize,
    /// The word at `at`.
    pub(super) here: u64,
}

/// The first place from `at` on whose bytes stand somewhere before, seven of them.
#[inline(always)]
pub(super) fn candidate<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    mut at: usize,
) -> Option<Candidate> {
    let end = src.len().saturating_sub(TAIL);
    while at < end
        && let Some(bytes) = src.get(at..).and_then(|src| src.first_chunk::<WORD>())
    {
        let here = word(bytes, 0);
        let from = exchange(slots, hash(here, mask), at);
        if stands_at(src, from, at, here) {
            return Some(Candidate { at, from, here });
        }
        at += 1;
    }
    None
}

/// Whether the bytes that tell of `here`, the word at `at`, stand at `from`, too.
#[inline(always)]
pub(super) fn stands_at(src: &[u8], from: usize, at: usize, here: u64) -> bool {
    // No slot tells of a place further on. The compiler, which cannot know, now leaves out to ask whether `from` is in `src`.
    from <= at && tells(word(src, from) ^ here)
}

/// The match, if it is worth taking, begun earlier if that may be, but not before `anchor`. Most have no more bytes than tell that
/// there is one, so that its end is foreseen; unless `LONG`, where nobody knows.
#[inline(always)]
pub(super) fn measured<const LONG: bool>(
    src: &[u8],
    &Candidate { at, from, here }: &Candidate,
    anchor: usize,
) -> Option<Match> {
    // Within a run, or at its first byte. How long that is needs no look at `from`; what else begins here is mostly little
    // longer, and found again where the run ends.
    if uniform(here) {
        return Some(run(src, at));
    }
    let back = at - from;
    debug_assert!(back > 0, "each place is told once");
    if is_out_of_reach(back) {
        return None;
    }
    let len = if LONG { common_any(src, from, at) } else { reach(src, from, at, word(src, from) ^ here) };
    is_worth(back, len).then(|| extended(src, Match { at, end: at + len, distance: back }, anchor))
}

/// Whether a match cannot go so far back: asked before its length is looked for, as one of many bytes is so at its every byte.
#[inline(always)]
fn is_out_of_reach(back: usize) -> bool {
    back > MAX_DISTANCE
}

/// Whether a match of so many bytes takes fewer.
#[inline(always)]
fn is_worth(back: usize, len: usize) -> bool {
    len >= MIN_FAR || back <= NEAR && len >= TELLING
}

/// The match, begun up to eight bytes earlier, but not before `anchor` or the second byte.
#[inline(always)]
pub(super) fn extended(src: &[u8], found: Match, anchor: usize) -> Match {
    let at = found.at;
    let anchor = anchor.max(1);
    if at <= anchor {
        return found;
    }
    let more = common_before(src, at - found.distance, at).min(at - anchor);
    Match { at: at - more, ..found }
}

/// The run of one byte that `at` begins or belongs to.
#[inline(always)]
pub(super) fn run(src: &[u8], at: usize) -> Match {
    let at = at + usize::from(src[at - 1] != src[at]);
    Match { at, end: at + common_run(src, at), distance: 1 }
}

/// The match that goes on at `at`, where a run ended, found by the run's last two bytes and what comes behind them: that tells
/// more than what the run is made of. Behind other matches, only the table learns.
#[inline(always)]
pub(super) fn behind_run<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    at: usize,
) -> Option<Match> {
    if is_tail(src, at) {
        return None;
    }
    let from = tell_end(slots, mask, src, at);
    if word(src, from) != word(src, at - 2) {
        return None;
    }
    let (from, back) = (from + 2, at - (from + 2));
    if is_out_of_reach(back) {
        return None;
    }
    let len = common_any(src, from, at);
    is_worth(back, len).then_some(Match { at, end: at + len, distance: back })
}

/// Whether no match begins at `at`, or later.
#[inline(always)]
pub(super) fn is_tail(src: &[u8], at: usize) -> bool {
    at + TAIL > src.len()
}

/// Tells the table of a match's last two bytes and what follows them, and gives where such stood before.
#[inline(always)]
pub(super) fn tell_end<E: Entry>(slots: &mut Slots<E>, mask: usize, src: &[u8], end: usize) -> usize {
    exchange(slots, hash(word(src, end - 2), mask), end - 2)
}
