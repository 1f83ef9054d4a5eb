//! Two streams, of which sequences are taken in turn.
//!
//! Where a sequence begins is told by the one before it, and short ones are done before that is known. While a processor waits for it
//! in one stream, it has the other one to work on. What is kept of each is as little as the registers have room for.

use super::{DISTANCE, apart};
use crate::codec::copy::ROOM;
use crate::codec::copy::mostly::NEAR;
use crate::codec::copy::sse2::{Registers, STEP, copy};
use crate::codec::lz4::decode::{AHEAD, Job, LITERALS, MORE, OFTEN, Place, SHORTEST, WORD};
use crate::codec::lz4::pairs::Stopped;
use std::hint::cold_path;

/// So many bytes before the end of a stream are left to others: literals and their wide copies end before, and what is behind them.
const END: usize = ROOM + LITERALS;

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
        if unsafe { a.sequence::<R>() }.is_none() {
            break Stopped { which: 0, ends: false };
        }
        if !b.goes_on() {
            break Stopped { which: 1, ends: true };
        }
        // SAFETY: as above.
        if unsafe { b.sequence::<R>() }.is_none() {
            break Stopped { which: 1, ends: false };
        }
    };
    *places = [a.place(first, places[0]), b.place(second, places[1])];
    stopped
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
    fn of(Job { src, end, dst, len, .. }: &mut Job<'_>, place: Place) -> Self {
        assert!((*end).max(place.at) <= src.len() && (*len).max(place.filled) <= dst.len());
        let (src, dst) = (src.as_ptr(), dst.as_mut_ptr());
        Lane {
            at: src.wrapping_add(place.at),
            to: dst.wrapping_add(place.filled),
            start: dst,
            stop: src.wrapping_add(end.saturating_sub(END)),
            full: dst.wrapping_add(len.saturating_sub(ROOM)),
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
    unsafe fn sequence<R: Registers>(&mut self) -> Option<()> {
        const { assert!(END >= ROOM && END >= 1 + MORE + AHEAD && AHEAD >= STEP) };
        // SAFETY: `END` bytes of the stream are left, of which a token and its literals take a part, or length bytes;
        // so are `ROOM` of the output.
        let (mut at, to, mut repeated) = unsafe {
            let head = usize::from(*self.at);
            let literals = head >> 4;
            let at = self.at.add(1);
            if literals < MORE {
                copy::<LITERALS>(at, self.to);
                (at.add(apart(DISTANCE) + literals), self.to.add(literals), head & MORE)
            } else {
                cold_path();
                let (at, literals) = self.literals::<R>(at)?;
                (at.add(DISTANCE), self.to.add(literals), head & MORE)
            }
        };
        // SAFETY: of the stream, more than `AHEAD` bytes are left in front of `at`; `to` is in the output.
        let (distance, filled) = unsafe {
            let distance = at.sub(DISTANCE).cast::<u16>().read_unaligned();
            (usize::from(distance.to_le()), to.offset_from_unsigned(self.start))
        };
        if distance.wrapping_sub(1) >= filled {
            cold_path();
            return None;
        }
        // SAFETY: `distance` was checked. Up to 14 literals stand before `full`, so that half of `ROOM` is left; or `to` is not behind
        // `full`. Longer matches end before it.
        unsafe {
            if repeated < MORE {
                repeated += SHORTEST;
                R::few::<NEAR>(to, distance, repeated);
            } else {
                cold_path();
                let more;
                (at, more) = self.more(at)?;
                repeated += SHORTEST + more;
                let waits = repeated > OFTEN && distance >= WORD && repeated > 2 * distance;
                if waits || to.addr() + repeated > self.full.addr() {
                    return None;
                }
                R::many(to, distance, repeated);
            }
            (self.at, self.to) = (at, to.add(repeated));
        }
        Some(())
    }

    /// Copies the literals that the length byte at `at` tells of; gives the place behind them, and how many there are.
    ///
    /// # Safety
    /// As [`Lane::sequence`]; `at` is behind the token.
    #[inline(always)]
    unsafe fn literals<R: Registers>(&self, at: *const u8) -> Option<(*const u8, usize)> {
        // SAFETY: they end before `stop` and `full`, behind which one step of a copy has room; and so has the first one, of `ROOM` bytes.
        unsafe {
            let (at, more) = self.more(at)?;
            let literals = MORE + more;
            if at.addr() + literals > self.stop.addr() || self.to.addr() + literals > self.full.addr() {
                return None;
            }
            R::literals(at, self.to, literals);
            Some((at.add(literals), literals))
        }
    }

    /// What the length bytes at `at` add up to, and the place behind them.
    ///
    /// # Safety
    /// `at` is in the stream.
    #[inline(always)]
    unsafe fn more(&self, mut at: *const u8) -> Option<(*const u8, usize)> {
        let mut len = 0;
        while at.addr() < self.stop.addr() + (END - AHEAD) {
            // SAFETY: `AHEAD` bytes are left, at least.
            let byte = unsafe { *at };
            // SAFETY: as above.
            at = unsafe { at.add(1) };
            len += usize::from(byte);
            if byte != 255 {
                return Some((at, len));
            }
        }
        None
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
