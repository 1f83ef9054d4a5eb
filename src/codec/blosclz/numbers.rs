//! Writing streams of numbers that stand as they are. Mostly the same bytes of each change, so that matches begin at the same
//! byte of each.
//!
//! To search at every byte is slow there, less for the looks into the table than because it cannot be foreseen at which of
//! two or three bytes the next match is found. So where that has been hard to tell, only the byte of a number where most began
//! is looked at. What that passes over makes streams of such numbers up to a fifth longer, mostly still shorter than the C
//! library's, and the search a third to a half faster.
//!
//! Others, of which less is known, go the same way but for that: in these, too, it is counted whether most matches are [`whole`] numbers.

use super::anywhere::{self, UpTo, Watch};
use super::bytes::{TELLING, common, tells, uniform};
use super::encode::{Match, TAIL, Written, behind_run, extended, find, hash, put, run};
use super::sink::Sink;
use super::table::{Slots, exchange};
use super::{MAX_DISTANCE, NEAR, NUMBER, whole};
use crate::codec::entry::Entry;
use crate::codec::words::word;

/// So many numbers are written before matches are counted: as long as little is known, they begin late.
const BEGINNING: usize = 1024;
/// So many before it is looked whether most are whole matches, which is soon known.
const SOON: usize = 256;
/// So many matches are counted before it is decided how to go on.
pub(super) const SAMPLE: usize = 64;
/// If more of them than this have literals before them and begin at the same byte of a number, that is where they are looked for.
/// A match of whole numbers of 8 bytes, which is missed there, saves most.
const fn hard(size: usize) -> usize {
    if size < 8 { 26 } else { 40 }
}

/// Bytes of the largest numbers that are told apart.
const MAX_SIZE: usize = 16;

/// For so many bytes, matches may begin anywhere until they are counted again; and for so many where only whole ones are counted.
const STRETCH: usize = 16 * 1024;
const LONG_STRETCH: usize = 128 * 1024;
/// So many numbers are looked at in one place before all their bytes are.
const NUMBERS: usize = 8;

/// Bytes of a long match. Where many are long, these are what counts, wherever they begin, and the table hears where they end.
const LONG: usize = 16;
/// More of those that are counted are many.
const MANY: usize = 8;
/// More than one in so many bytes are many, after the first of them.
const RARE: usize = 256;
const FIRST: usize = 2048;

/// What a stream is made of.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    /// Bytes of each: a power of two, [`MAX_SIZE`] at most.
    size: usize,
    /// Whether one byte of each may be where most matches begin.
    have_place: bool,
}

impl Numbers {
    /// What items of so many bytes are. Those of other sizes than numbers have are records, of which any byte may be the first that is
    /// alike; so is what has no items, and of both, eight bytes may often be what stood before.
    pub(super) fn of(item: usize) -> Self {
        match item {
            4 | NUMBER => Numbers { size: item, have_place: true },
            MAX_SIZE => Numbers { size: item, have_place: false },
            _ => Numbers { size: NUMBER, have_place: false },
        }
    }

    /// Which byte of its number that is.
    #[inline(always)]
    fn byte_of(self, at: usize) -> usize {
        // As a remainder, it would be a division.
        at & (self.size - 1)
    }
}

/// How to go on.
#[derive(Clone, Copy)]
pub(super) enum Next {
    Sample,
    /// With matches that begin anywhere, up to that byte.
    Anywhere(usize),
    /// The same, where many are long.
    AnywhereLong(usize),
    /// With matches that begin at this byte of a number.
    At(usize),
    /// With matches that are whole numbers, from this byte of each.
    Whole(usize),
    /// There are no more.
    Nothing,
}

/// Writes `src`, which is made of such numbers.
pub(super) fn encode<E: Entry>(
    numbers: Numbers,
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
) -> Option<Written> {
    let beginning = if numbers.size >= NUMBER { SOON } else { BEGINNING };
    let (mut written, mut next) = (Written::NOTHING, Next::AnywhereLong(beginning * numbers.size));
    loop {
        (written, next) = match next {
            Next::Sample => sample(numbers, slots, mask, src, sink, written)?,
            Next::Anywhere(end) => up_to::<E, false>(slots, mask, src, sink, written, end)?,
            Next::AnywhereLong(end) => up_to::<E, true>(slots, mask, src, sink, written, end)?,
            Next::At(place) => at_place(numbers, slots, mask, src, sink, written, place)?,
            Next::Whole(place) if numbers.size == NUMBER => {
                whole::encode::<E, NUMBER>(slots, mask, src, sink, written, place)?
            }
            Next::Whole(place) => whole::encode::<E, MAX_SIZE>(slots, mask, src, sink, written, place)?,
            Next::Nothing => return Some(written),
        }
    }
}

/// Writes some matches that may begin anywhere, to see whether that is hard to tell.
fn sample<E: Entry>(
    numbers: Numbers,
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    written: Written,
) -> Option<(Written, Next)> {
    let mut counted = Counted::nothing(numbers);
    let (written, more) = anywhere::encode::<E, _, true>(slots, mask, src, sink, written, &mut counted)?;
    let next = if more { counted.next(written.end) } else { Next::Nothing };
    Some((written, next))
}

/// What matches are like, by the byte of a number where they begin.
struct Counted {
    numbers: Numbers,
    seen: usize,
    long: usize,
    /// Those with literals before them.
    late: [usize; MAX_SIZE],
    whole: [usize; MAX_SIZE],
}

impl Counted {
    fn nothing(numbers: Numbers) -> Self {
        Counted { numbers, seen: 0, long: 0, late: [0; MAX_SIZE], whole: [0; MAX_SIZE] }
    }

    /// How to go on from `at`.
    fn next(&self, at: usize) -> Next {
        let Numbers { size, have_place } = self.numbers;
        let end = at + if have_place { STRETCH } else { LONG_STRETCH };
        let whole = self.whole.iter().position(|&whole| whole > whole::MANY && size >= NUMBER);
        match self.late.iter().position(|&late| late > hard(size)) {
            _ if let Some(place) = whole => Next::Whole(place),
            _ if at < BEGINNING * size => Next::AnywhereLong(BEGINNING * size),
            _ if self.long > MANY || !have_place => Next::AnywhereLong(end),
            Some(place) => Next::At(place),
            None => Next::Anywhere(end),
        }
    }
}

impl Watch for Counted {
    #[inline(always)]
    fn has_enough(&self, _: usize) -> bool {
        self.seen == SAMPLE
    }

    #[inline(always)]
    fn see(&mut self, anchor: usize, found: &Match) {
        self.seen += 1;
        // No number is longer, which the compiler cannot know.
        let byte = self.numbers.byte_of(found.at) % MAX_SIZE;
        let is_item = found.end - anchor == found.distance;
        if found.at == anchor && self.numbers.byte_of(found.len()) == 0 && found.distance <= NEAR {
            self.whole[byte] += 1;
        }
        if found.len() >= LONG {
            self.long += 1;
        } else if found.at > anchor && !is_item {
            self.late[byte] += 1;
        }
    }
}

/// Writes matches that may begin anywhere, up to `end`.
fn up_to<E: Entry, const LONG: bool>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    written: Written,
    end: usize,
) -> Option<(Written, Next)> {
    let (written, more) = anywhere::encode::<E, _, LONG>(slots, mask, src, sink, written, &mut UpTo(end))?;
    Some((written, if more { Next::Sample } else { Next::Nothing }))
}

/// Writes matches that begin at byte `place` of a number, until others are found.
#[inline(never)]
fn at_place<E: Entry>(
    numbers: Numbers,
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    mut written: Written,
    place: usize,
) -> Option<(Written, Next)> {
    let limit = src.len().saturating_sub(TAIL);
    let (start, mut long) = (written.end, 0);
    loop {
        let mut at = written.end + numbers.byte_of(place.wrapping_sub(written.end));
        let before = (at + NUMBERS * numbers.size).min(limit);
        let found = loop {
            if at >= before {
                break None;
            }
            if let Some(found) = candidate(slots, mask, src, at) {
                break Some(found);
            }
            at += numbers.size;
        };
        if let Some(found) = found {
            let is_long = found.len() >= LONG;
            written = one(slots, mask, src, sink, written, extended(src, found, written.end))?;
            if is_long {
                long += 1;
                if long * RARE > written.end - start + FIRST {
                    return Some((written, Next::AnywhereLong(written.end + STRETCH)));
                }
            }
            continue;
        }
        // Behind what the table has heard of.
        let Some(found) = find(slots, mask, src, written.end, at) else {
            return Some((written, Next::Nothing));
        };
        let elsewhere = found.len() == TELLING && numbers.byte_of(found.at) != place;
        written = one(slots, mask, src, sink, written, found)?;
        if elsewhere {
            return Some((written, Next::Anywhere(written.end + STRETCH)));
        }
    }
}

/// Writes the match, and if it is a run, those that follow from it.
#[inline(always)]
pub(super) fn one<E: Entry>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    mut written: Written,
    found: Match,
) -> Option<Written> {
    let mut next = Some(found);
    while let Some(found) = next {
        let is_run = found.is_run();
        written = put(slots, mask, src, sink, written, found)?;
        next = if is_run { behind_run(slots, mask, src, written.end) } else { None };
    }
    Some(written)
}

/// The match that begins at `at`, if there is one.
#[inline(always)]
fn candidate<E: Entry>(slots: &mut Slots<E>, mask: usize, src: &[u8], at: usize) -> Option<Match> {
    let here = word(src, at);
    let from = exchange(slots, hash(here, mask), at);
    let differ = word(src, from) ^ here;
    if !tells(differ) {
        return None;
    }
    let back = at - from;
    debug_assert!(back > 0, "each place is told once");
    if back > NEAR && (differ != 0 || back > MAX_DISTANCE) {
        return None;
    }
    // Mostly no more than what tells: so where it ends is foreseen, and what comes next does not wait for it.
    let end = if differ != 0 {
        at + TELLING
    } else if uniform(here) {
        return Some(run(src, at));
    } else {
        at + 8 + common(src, from + 8, at + 8)
    };
    Some(Match { at, end, distance: back })
}
