//! Writing LZ4 streams: byte for byte what liblz4's fast mode writes, sooner.
//!
//! liblz4's way is kept: one candidate per hash slot, steps that grow where nothing is found, and behind a match first a look at
//! what follows it at once. What differs is what a processor has to wait for. Behind a match, one word gives the hashes of all
//! that is looked up next; and how far a match reaches is told in the way that suits the stream ([`Reach`]).

use super::sink::Sink;
use super::table::{Slots, Streams};
use crate::codec::words::{WORD, half, word};
use std::hint::black_box;

/// No match begins in so many last bytes.
const TAIL: usize = 12;
/// So many last bytes are literals.
pub(super) const LAST: usize = 5;
/// The fewest bytes of a match.
pub(super) const LEAST: usize = 4;
/// So many looks in vain, until the steps between them grow by one.
const PATIENCE: usize = 64;
/// A place is searched as long as so many bytes follow the next one.
const AHEAD: usize = TAIL - 1;

/// How it is found out how far a match reaches.
pub(super) trait Reach {
    /// Whether a match may as well be long as short, so that no branch should tell them apart.
    const EVENLY: bool;

    /// How many bytes at `from` and at `at` are equal; `from` is less.
    fn reach(&mut self, src: &[u8], from: usize, at: usize) -> Reached;
}

/// How far two places are alike.
pub(super) struct Reached {
    pub len: usize,
    /// The word behind, where it is at hand: who needs it then does not wait for being told where it stands.
    pub behind: Option<u64>,
}

impl Reached {
    /// Only how far.
    #[inline(always)]
    pub fn to(len: usize) -> Self {
        Reached { len, behind: None }
    }
}

/// Where a match ends, and the word there, if it is at hand.
struct End {
    at: usize,
    behind: Option<u64>,
}

/// Compresses `src`; `None` when the stream does not fit.
#[inline(always)]
pub(super) fn encode<S: Streams>(
    mut slots: Slots<'_, S>,
    acceleration: usize,
    src: &[u8],
    dst: &mut [u8],
    reach: &mut impl Reach,
) -> Option<usize> {
    let mut sink = Sink::new(src.len(), dst);
    let mut anchor = 0;
    if let Some(first) = src.first_chunk::<{ TAIL + 1 }>() {
        slots.exchange(word(first, 0), 0);
        anchor = matches(&mut slots, acceleration, src, &mut sink, reach)?;
    }
    sink.finish(&src[anchor..])
}

/// Writes all matches, and tells where the last one ends.
#[inline(always)]
fn matches<S: Streams>(
    slots: &mut Slots<'_, S>,
    acceleration: usize,
    src: &[u8],
    sink: &mut Sink<'_>,
    reach: &mut impl Reach,
) -> Option<usize> {
    let alike = &src[..src.len() - LAST];
    let (mut anchor, mut probe) = (0, Probe::first(acceleration));
    while let Some((at, from)) = search(slots, src, probe) {
        let begin = at - before(src, from, at, anchor);
        // What comes next does not wait for where the match begins.
        let Reached { len, behind } = reach.reach(alike, from + LEAST, at + LEAST);
        let end = End { at: at + LEAST + len, behind };
        sink.sequence(src, anchor, begin, at - from, end.at - begin)?;
        match near(slots, src, alike, sink, end, reach)? {
            Near::End(end) => return Some(end),
            Near::Search(behind) => anchor = behind,
        }
        probe = Probe::behind(anchor, acceleration);
    }
    Some(anchor)
}

/// What is behind matches that are near to each other, whose last one ends there.
enum Near {
    /// Bytes among which the next match has to be searched.
    Search(usize),
    /// Too few bytes for a match.
    End(usize),
}

/// Writes the matches that follow the one that ends at `at`, and each other, at once or with a byte between them.
#[inline(always)]
fn near<S: Streams>(
    slots: &mut Slots<'_, S>,
    src: &[u8],
    alike: &[u8],
    sink: &mut Sink<'_>,
    End { mut at, mut behind }: End,
    reach: &mut impl Reach,
) -> Option<Near> {
    let end = src.len() - AHEAD;
    while at < end
        && let Some(before) = at.checked_sub(2)
        && let Some(bytes) = src.get(before..).and_then(|src| src.first_chunk::<{ 2 + WORD }>())
    {
        slots.exchange(word(bytes, 0), before);
        let here = behind.unwrap_or_else(|| word(bytes, 2));
        let from = slots.exchange(here, at);
        if is_same::<S>(src, from, at, here as u32) {
            End { at, behind } = matched(alike, sink, from, at, reach)?;
            continue;
        }
        if at + 2 > end {
            break;
        }
        let next = here >> 8;
        let from = slots.exchange(next, at + 1);
        if !is_same::<S>(src, from, at + 1, next as u32) {
            return Some(Near::Search(at));
        }
        let literal = here as u8;
        End { at, behind } = if from > 0 && src[from - 1] == literal {
            matched(alike, sink, from - 1, at, reach)?
        } else {
            let Reached { len, behind } = reach.reach(alike, from + LEAST, at + 1 + LEAST);
            sink.one(literal, at + 1 - from, LEAST + len)?;
            End { at: at + 1 + LEAST + len, behind }
        };
    }
    Some(Near::End(at))
}

/// Writes the match without literals that begins at `at`, and tells where it ends.
#[inline(always)]
fn matched<R: Reach>(
    alike: &[u8],
    sink: &mut Sink<'_>,
    from: usize,
    at: usize,
    reach: &mut R,
) -> Option<End> {
    let Reached { len, behind } = reach.reach(alike, from + LEAST, at + LEAST);
    let len = LEAST + len;
    if R::EVENLY { sink.matched_evenly(at - from, len) } else { sink.matched(at - from, len) }?;
    Some(End { at: at + len, behind })
}

/// Places where a match is looked for: the first of them, how many there are with the same step to the next one, and the step of those
/// behind them.
struct Probe {
    at: usize,
    places: usize,
    step: usize,
    then: usize,
}

impl Probe {
    /// From the stream's second byte, since a stream begins with literals.
    fn first(acceleration: usize) -> Self {
        Probe { at: 1, places: 1, step: 1, then: acceleration }
    }

    /// Behind a match, where its end and the byte behind that were looked at.
    #[inline(always)]
    fn behind(anchor: usize, acceleration: usize) -> Self {
        Probe { at: anchor + 2, places: PATIENCE, step: acceleration, then: acceleration + 1 }
    }
}

/// The next match, and where the same bytes stand.
#[inline(always)]
fn search<S: Streams>(slots: &mut Slots<'_, S>, src: &[u8], probe: Probe) -> Option<(usize, usize)> {
    let Probe { mut at, mut places, mut step, mut then } = probe;
    let last = src.len().checked_sub(AHEAD)?;
    const { assert!(AHEAD > WORD) };
    while at + step <= last {
        // Where the place behind is not searched, this one is not, either. A step is one byte at least, which the compiler does not know:
        // from `last` it knows that words are there.
        let end = (at + places * step).min(last + 1 - step).min(last);
        while at < end {
            let bytes = src.get(at..).and_then(|src| src.first_chunk::<WORD>())?;
            let here = word(bytes, 0);
            let from = slots.exchange(here, at);
            if is_same::<S>(src, from, at, here as u32) {
                // Else the compiler keeps with every step what a match asks for, which is rare.
                return Some((black_box(at), from));
            }
            at += step;
        }
        (places, step, then) = (PATIENCE, then, then + 1);
    }
    None
}

/// Whether `four`, which stands at `at`, is what stands at `from`, too, near enough for a match.
#[inline(always)]
fn is_same<S: Streams>(src: &[u8], from: usize, at: usize, four: u32) -> bool {
    // No slot tells of a place further on. The compiler, which cannot know, now leaves out to ask whether `from` is in `src`.
    from <= at && half(src, from) == four && S::reaches(at - from)
}

/// How many bytes before both places are equal, and not yet written.
#[inline(always)]
fn before(src: &[u8], from: usize, at: usize, anchor: usize) -> usize {
    let most = (at - anchor).min(from);
    let last_word = |end: usize| src.get(..end)?.last_chunk().map(|word| u64::from_le_bytes(*word));
    if let (Some(a), Some(b)) = (last_word(from), last_word(at))
        && let equal @ ..WORD = ((a ^ b).leading_zeros() / 8) as usize
    {
        return equal.min(most);
    }
    long_before(src, from, at, most)
}

/// [`before`] for more than a word, or where there is none.
#[inline(never)]
fn long_before(src: &[u8], from: usize, at: usize, most: usize) -> usize {
    let (a, b) = (&src[at - most..at], &src[from - most..from]);
    a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count()
}
