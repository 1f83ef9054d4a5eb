//! Writing BloscLZ streams.
//!
//! One pass with one candidate per hash slot. Only matches that spare the decoder work are taken: short ones would
//! shrink the stream a little and slow it down a lot.

use super::bytes::{TELLING, common, common_before, hash_of_seven, reach, tells, uniform, word};
use super::sink::Sink;
use super::table::{Entry, MOST_BITS, Slots, Tables, bits_of, exchange};
use super::{MAX_DISTANCE, NEAR, probe};

/// Fewest bytes of a far match.
const MIN_FAR: usize = 10;
/// No match begins in that many last bytes, so that whole words can be read where one begins.
const TAIL: usize = 12;
/// So many items are taken without a look into the table.
const ITEMS: usize = 31;
/// Bytes that unfiltered items have at most, mostly.
const ITEM: usize = 32;
/// The shortest stream worth a try, here and in the C library: less is sooner copied than decoded.
const MIN_STREAM: usize = 66;

/// Compresses `src` into `dst` and tells how many bytes that took; 0 when they do not fit or would not be fewer, or
/// when a look at part of `src` says that it is not worth the time to decompress at this level.
pub fn compress(tables: &mut Tables, clevel: u8, src: &[u8], dst: &mut [u8]) -> usize {
    if src.len() < MIN_STREAM || !probe::promising(tables, clevel, src) {
        return 0;
    }
    let room = dst.len().min(src.len() - 1);
    let mut sink = Sink::new(&mut dst[..room]);
    let bits = bits_of(clevel).min(src.len().ilog2() + 1);
    let done = if src.len() <= 1 << 16 {
        encode(tables.short.open(bits), (1 << bits) - 1, src, &mut sink)
    } else {
        encode(tables.long.open(bits), (1 << bits) - 1, src, &mut sink)
    };
    done.map_or(0, |()| sink.finish())
}

/// A match: `len` bytes at `at` are those at `from`.
struct Match {
    at: usize,
    from: usize,
    len: usize,
}

impl Match {
    /// Whether it is all of an item, like the one before it, but for the literals in front.
    #[inline(always)]
    fn is_item(&self, Shape { literals, distance }: Shape) -> bool {
        self.len + literals == distance
    }

    /// Whether it is a run of one byte.
    fn is_run(&self) -> bool {
        self.at - self.from == 1
    }
}

#[inline(never)]
fn encode<E: Entry>(slots: &mut Slots<E>, mask: usize, src: &[u8], sink: &mut Sink) -> Option<()> {
    let (mut anchor, mut item) = (0, Shape::default());
    // A stream begins with literals.
    let mut next = find(slots, mask, src, anchor, 1);
    while let Some(mut found) = next {
        let shape = Shape { literals: found.at - anchor, distance: found.at - found.from };
        sink.sequence(src, anchor, found.at, shape.distance, found.len)?;
        next = if shape.distance < ITEM && !found.is_run() {
            // One item like the last: the table knows them.
            if shape == item && found.is_item(shape) {
                found = items(slots, mask, src, sink, shape, found)?;
            }
            item = shape;
            None
        } else {
            follow(slots, mask, src, &found)
        };
        anchor = found.at + found.len;
        next = next.or_else(|| find(slots, mask, src, anchor, anchor));
    }
    sink.literals(&src[anchor..])
}

/// How many literals stand before a match, and how far back it begins.
#[derive(Clone, Copy, Default, PartialEq)]
struct Shape {
    literals: usize,
    distance: usize,
}

/// Takes the matches behind `last`, [`ITEMS`] at most, that have its shape, as the one before it had, and gives the last of them:
/// items of which the same bytes differ. The table hears of them, but is not looked into, which takes longer than all the
/// rest; what it may know better is only put off.
#[inline(never)]
fn items<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    shape: Shape,
    mut last: Match,
) -> Option<Match> {
    let Shape { literals, distance } = shape;
    for _ in 0..ITEMS {
        let anchor = last.at + last.len;
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
        last = Match { at, from, len };
        if !last.is_item(shape) {
            break;
        }
    }
    Some(last)
}

/// The slot for the first seven bytes of a word.
#[inline(always)]
fn hash(word: u64, mask: usize) -> usize {
    (hash_of_seven(word) >> (64 - MOST_BITS)) as usize & mask
}

/// The first match worth taking that begins at `at` or later.
#[inline(always)]
fn find<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    anchor: usize,
    mut at: usize,
) -> Option<Match> {
    loop {
        let (here, from);
        (at, from) = candidate(slots, mask, src, at)?;
        here = word(src, at);
        // Within a run, or at its first byte. How long that is needs no look at `from`; what else begins here is mostly little
        // longer, and found again where the run ends.
        if uniform(here) {
            return Some(run(src, at));
        }
        let back = at - from;
        if back > MAX_DISTANCE {
            // Before its length is looked for: one that is out of reach is so at its every byte.
            at += 1;
            continue;
        }
        let differ = word(src, from) ^ here;
        let len = reach(src, from, at, differ);
        if len < MIN_FAR && back > NEAR {
            at += 1;
            continue;
        }
        let found = Match { at, from, len };
        return Some(extended(src, found, anchor.max(1)));
    }
}

/// The first place from `at` on whose bytes stand somewhere before, seven of them, and where that is.
#[inline(always)]
fn candidate<E: Entry>(slots: &mut Slots<E>, mask: usize, src: &[u8], at: usize) -> Option<(usize, usize)> {
    let end = src.len().saturating_sub(TAIL);
    for (at, here) in (at..end).zip(src.get(at..)?.windows(8)) {
        let here = word(here, 0);
        let from = exchange(slots, hash(here, mask), at);
        if tells(word(src, from) ^ here) {
            return Some((at, from));
        }
    }
    None
}

/// The match, begun up to eight bytes earlier, but not before `anchor`.
#[inline(always)]
fn extended(src: &[u8], found: Match, anchor: usize) -> Match {
    let Match { at, from, len } = found;
    if at <= anchor {
        return found;
    }
    let more = common_before(src, from, at).min(at - anchor);
    Match { at: at - more, from: from - more, len: len + more }
}

/// The run of one byte that `at` begins or belongs to.
fn run(src: &[u8], at: usize) -> Match {
    let at = at + usize::from(src[at - 1] != src[at]);
    Match { at, from: at - 1, len: common(src, at - 1, at) }
}

/// The match that goes on where a run ended, found by the run's last two bytes and what comes behind them: that tells
/// more than what the run is made of. Behind other matches, only the table learns.
#[inline(always)]
fn follow<E: Entry>(slots: &mut Slots<E>, mask: usize, src: &[u8], before: &Match) -> Option<Match> {
    let at = before.at + before.len;
    if at + TAIL > src.len() {
        return None;
    }
    let here = word(src, at - 2);
    let from = exchange(slots, hash(here, mask), at - 2);
    if !before.is_run() || word(src, from) != here {
        return None;
    }
    let (from, back) = (from + 2, at - (from + 2));
    let len = common(src, from, at);
    let worth = back <= NEAR && len >= TELLING || len >= MIN_FAR && back <= MAX_DISTANCE;
    worth.then_some(Match { at, from, len })
}
