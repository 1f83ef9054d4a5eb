//! Taking sequences of one stream, or of two in turn, as long as the ends are far away.
//!
//! So little is kept of a stream that the registers have room for that of two: what else there is to know about a place is asked where
//! that can matter, near the ends. Where a sequence begins is told by the one before it, and short ones are done before that is known:
//! while a processor waits for it in one stream, it has the other one to work on.

use super::{DISTANCE, place_apart};
use crate::codec::copy::ROOM;
use crate::codec::copy::sse2::{Registers, SETTLED, STEP, copy, few_of_item};
use crate::codec::items::{self, Shape};
use crate::codec::lz4::decode::{AHEAD, Job, LAST_MATCH, LITERALS, MORE, OFTEN, Place, SHORTEST, WORD};
use crate::codec::lz4::items::is_item;
use crate::codec::lz4::pairs::Stopped;
use crate::codec::lz4::ways::{Manner, Planes};
use std::hint::cold_path;

/// So many bytes before the end of a stream are left to others.
const END: usize = AHEAD;
/// Length bytes end before so many, and all sequences do: as many as make no difference to whether the last match begins far enough
/// from the end, be it by [`SHORTEST`] or by more bytes.
const LAST: usize = 12;
const _: () = assert!(LAST > 1 + LAST_MATCH - SHORTEST, "behind a token");
/// So much of a stream in front of its end is worth a loop of its own.
const WORTH: usize = 64;

/// Whether a stream has so much more than its end at `place` that it is worth going [`ahead`].
#[inline(always)]
pub(in crate::codec::lz4) fn is_far(job: &Job<'_>, place: Place) -> bool {
    place.at + END + WORTH < job.end && place.filled + ROOM < job.len.min(job.enough)
}

/// Takes sequences from `place` on, and nothing that is lent, until the end is near or there is one that is left to the plain loop.
///
/// # Safety
/// The machine has what `R` needs.
#[inline(always)]
pub(in crate::codec::lz4) unsafe fn ahead<R: Registers, W: Manner>(
    job: &mut Job<'_>,
    mut place: Place,
) -> Option<Place> {
    let mut lane = Lane::of(job, place);
    while lane.goes_on() {
        // SAFETY: just asked; the machine is the caller's.
        let Some(Taken { head, distance }) = (unsafe { lane.sequence::<R, W>() }) else { break };
        if W::ITEMS && is_item(head, distance) {
            // Seldom, and asked before the next token is looked at, which nobody foresees.
            cold_path();
            place = items_behind(job, lane.place(job, place), head, distance)?;
            lane = Lane::of(job, place);
        }
    }
    Some(lane.place(job, place))
}

/// Takes the items that may follow the one which ends at `place`.
#[inline(always)]
pub(super) fn items_behind(job: &mut Job<'_>, place: Place, head: u8, distance: usize) -> Option<Place> {
    let Place { at, filled, .. } = place;
    let rest = job.src.get(at..job.end)?;
    if rest.first() != Some(&head) {
        return Some(place);
    }
    let literals = usize::from(head >> 4);
    let shape = Shape { head, literals, tail: distance as u32, tail_len: DISTANCE, distance };
    let (taken, now) = items::follow(rest, &mut job.dst[..job.len], filled, job.enough, &shape)?;
    Some(Place { at: at + taken, filled: now, matched: now - (distance - literals) })
}

/// Takes sequences of two streams in turn until one of them [`Stopped`]; `places` are moved on to there.
///
/// # Safety
/// The machine has what `R` needs.
#[inline(always)]
pub(in crate::codec::lz4) unsafe fn in_turn<R: Registers>(
    [first, second]: [&mut Job<'_>; 2],
    places: &mut [Place; 2],
) -> Stopped {
    let [mut a, mut b] = [Lane::of(first, places[0]), Lane::of(second, places[1])];
    let stopped = loop {
        if !a.goes_on() {
            break Stopped { which: 0, ends: true };
        }
        // SAFETY: just asked; the machine is the caller's.
        if unsafe { a.sequence::<R, Planes>() }.is_none() {
            break Stopped { which: 0, ends: false };
        }
        if !b.goes_on() {
            break Stopped { which: 1, ends: true };
        }
        // SAFETY: as above.
        if unsafe { b.sequence::<R, Planes>() }.is_none() {
            break Stopped { which: 1, ends: false };
        }
    };
    *places = [a.place(first, places[0]), b.place(second, places[1])];
    stopped
}

/// A sequence that was taken.
struct Taken {
    head: u8,
    distance: usize,
}

/// Where a stream is read, and written to.
struct Lane {
    at: *const u8,
    to: *mut u8,
    /// Where its output begins.
    start: *const u8,
    /// From where on it is left to others: [`END`] bytes of the stream, [`ROOM`] of the output.
    stop: *const u8,
    full: *const u8,
}

impl Lane {
    /// # Panics
    /// When `job` has fewer bytes than it says, or `place` is behind all of them, be they lent.
    #[inline(always)]
    fn of(&mut Job { src, end, ref mut dst, len, enough }: &mut Job<'_>, place: Place) -> Self {
        assert!(end.max(place.at) <= src.len() && len.max(place.filled) <= dst.len());
        let (src, dst) = (src.as_ptr(), dst.as_mut_ptr());
        Lane {
            at: src.wrapping_add(place.at),
            to: dst.wrapping_add(place.filled),
            start: dst,
            stop: src.wrapping_add(end.saturating_sub(END)),
            full: dst.wrapping_add(len.min(enough).saturating_sub(ROOM)),
        }
    }

    #[inline(always)]
    fn goes_on(&self) -> bool {
        self.at < self.stop && self.to.cast_const() < self.full
    }

    /// Takes a sequence, or nothing: `None`.
    ///
    /// # Safety
    /// It [goes on](Lane::goes_on). The machine has what `R` needs.
    #[inline(always)]
    unsafe fn sequence<R: Registers, W: Manner>(&mut self) -> Option<Taken> {
        const { assert!(END >= 1 + LITERALS + LAST && END >= STEP && ROOM >= STEP) };
        // SAFETY: more than `END` bytes of the stream are left, of which a token and its literals take a part, or length bytes;
        // so are `ROOM` of the output.
        let (head, mut at, to) = unsafe {
            let head = *self.at;
            let literals = usize::from(head >> 4);
            if literals < MORE {
                copy::<LITERALS>(self.at.add(1), self.to);
                (head, place_apart(self.at.add(1 + DISTANCE)).add(literals), self.to.add(literals))
            } else {
                cold_path();
                let (at, literals) = self.literals::<R>(self.at.add(1))?;
                (head, at.add(DISTANCE), self.to.add(literals))
            }
        };
        // SAFETY: `at` is behind a token and a distance.
        let distance = unsafe { at.sub(DISTANCE).cast::<u16>().read_unaligned() };
        let distance = usize::from(distance.to_le());
        if to.wrapping_sub(distance).cast_const() < self.start || distance == 0 {
            cold_path();
            return None;
        }
        let mut repeated = usize::from(head) & MORE;
        // SAFETY: `distance` was checked. Up to 14 literals stand before `full`, so that half of `ROOM` is left; or `to` is not behind
        // `full`. Longer matches end before it.
        unsafe {
            if repeated < MORE {
                repeated += SHORTEST;
                if W::EVENLY && distance >= 8 {
                    few_of_item(to, distance, repeated);
                } else {
                    R::few(W::FROM, to, distance, repeated);
                }
            } else {
                cold_path();
                let more;
                (at, more) = self.more(at)?;
                repeated += SHORTEST + more;
                if to.addr() + repeated > self.full.addr() {
                    return None;
                }
                if repeated > OFTEN {
                    cold_path();
                    if (WORD..SETTLED).contains(&distance) && repeated > 2 * distance {
                        return None;
                    }
                }
                R::many(to, distance, repeated);
            }
            (self.at, self.to) = (at, to.add(repeated));
        }
        Some(Taken { head, distance })
    }

    /// Copies the literals that the length byte at `at` tells of; gives the place behind them, and how many there are.
    ///
    /// # Safety
    /// As [`Lane::sequence`]; `at` is behind the token.
    #[inline(always)]
    unsafe fn literals<R: Registers>(&self, at: *const u8) -> Option<(*const u8, usize)> {
        // SAFETY: they end `END` bytes before the end of the stream and before `full`, behind which one step of a copy has room; and so has
        // the first one, of `ROOM` bytes.
        unsafe {
            let (at, more) = self.more(at)?;
            let literals = MORE + more;
            let end = at.addr() + literals.max(ROOM - END);
            if end > self.stop.addr() || self.to.addr() + literals > self.full.addr() {
                return None;
            }
            R::literals(at, self.to, literals);
            Some((at.add(literals), literals))
        }
    }

    /// What the length bytes at `at` add up to, and the place behind them.
    ///
    /// # Safety
    /// More than [`LAST`] bytes of the stream are left at `at`.
    #[inline(always)]
    unsafe fn more(&self, mut at: *const u8) -> Option<(*const u8, usize)> {
        let mut len = 0;
        loop {
            // SAFETY: more than `LAST` bytes are left: behind a token, and what its literals take, or one more of these.
            let byte = unsafe { *at };
            // SAFETY: as above.
            at = unsafe { at.add(1) };
            len += usize::from(byte);
            if byte != 255 {
                return Some((at, len));
            }
            if at.addr() >= self.stop.addr() + (END - LAST) {
                return None;
            }
        }
    }

    /// How far the stream is read; `before` is where it was.
    fn place(&self, job: &Job<'_>, before: Place) -> Place {
        let at = self.at.addr() - job.src.as_ptr().addr();
        let filled = self.to.addr() - self.start.addr();
        // The last match began there, or sooner: what is asked of that holds for either, so long before the end.
        let matched = if at == before.at { before.matched } else { filled - SHORTEST };
        Place { at, filled, matched }
    }
}
