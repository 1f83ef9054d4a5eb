//! Writing matches that may begin anywhere.

use super::encode::{
    Candidate, Match, Written, behind_run, candidate, hash, is_tail, measured, put, stands_at, tell_end,
};
use super::sink::Sink;
use super::table::{SLOTS, Slots, exchange};
use crate::codec::entry::Entry;
use crate::codec::words::word;

/// What decides how many matches are written.
pub(super) trait Watch {
    /// Whether no more are wanted behind `at`.
    fn has_enough(&self, at: usize) -> bool;

    /// Hears of a match, which is written behind `anchor`.
    fn see(&mut self, anchor: usize, found: &Match);
}

/// Matches up to some place.
pub(super) struct UpTo(pub(super) usize);

impl Watch for UpTo {
    #[inline(always)]
    fn has_enough(&self, at: usize) -> bool {
        at >= self.0
    }

    #[inline(always)]
    fn see(&mut self, _: usize, _: &Match) {}
}

/// Writes matches behind what is written until `watch` has enough, and tells whether more may follow. If `LONG`, many are: these
/// count most, wherever they begin, and the table hears where they end.
#[inline(always)]
pub(super) fn encode<E: Entry, W: Watch, const LONG: bool>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    written: Written,
    watch: &mut W,
) -> Option<(Written, bool)> {
    match mask {
        ALL => encode_in::<E, W, true, LONG>(slots, mask, src, sink, written, watch),
        _ => encode_in::<E, W, false, LONG>(slots, mask, src, sink, written, watch),
    }
}

/// The mask for a table with all its slots.
const ALL: usize = SLOTS - 1;

/// [`encode`], with `FULL` tables apart: of seventeen instructions for a byte at which no match begins, a known mask spares two.
#[inline(never)]
fn encode_in<E: Entry, W: Watch, const FULL: bool, const LONG: bool>(
    slots: &mut Slots<E>,
    mask: usize,
    src: &[u8],
    sink: &mut Sink,
    mut written: Written,
    watch: &mut W,
) -> Option<(Written, bool)> {
    let mask = if FULL { ALL } else { mask };
    // A stream begins with literals.
    let mut at = written.end.max(1);
    while !watch.has_enough(written.end) {
        let Some(mut candidate) = candidate(slots, mask, src, at) else { return Some((written, false)) };
        // As long as another begins where one ends.
        while let Some(found) = measured::<LONG>(src, &candidate, written.end) {
            watch.see(written.end, &found);
            let mut is_run = found.is_run();
            written = put(slots, mask, src, sink, written, found)?;
            if is_run && let Some(more) = behind_run(slots, mask, src, written.end) {
                written = put(slots, mask, src, sink, written, more)?;
                is_run = false;
            }
            at = written.end;
            if is_tail(src, at) || watch.has_enough(at) {
                return Some((written, true));
            }
            if LONG && !is_run {
                tell_end(slots, mask, src, at);
            }
            let here = word(src, at);
            candidate = Candidate { at, from: exchange(slots, hash(here, mask), at), here };
            if !stands_at(src, candidate.from, at, here) {
                break;
            }
        }
        at = candidate.at + 1;
    }
    Some((written, true))
}
