//! Taking sequences in registers of 16 bytes, and the loops that the wider kernels share: [`lanes`], and one that goes to the ends.
#![allow(unsafe_code)] // loads and stores

pub(super) mod lanes;
pub(super) mod short;

use super::decode::{self, AHEAD, Job, LITERALS, MORE, OFTEN, Place, Reached, SHORTEST, Taken, WORD};
use super::pairs::Stopped;
use super::ways::Manner;
use crate::codec::copy::sse2::{Registers, SETTLED, STEP, Sse2, copy};
use crate::codec::copy::{Mostly, ROOM};
use std::arch::asm;
use std::hint::cold_path;

/// Bytes that a distance takes.
const DISTANCE: usize = 2;

/// Takes sequences as long as both sides have room for wide copies, as the plain loop does: by a [lane](lanes::ahead) up to the ends.
///
/// # Safety
/// The machine has what `R` needs.
#[inline(always)]
pub(super) unsafe fn all_sequences<R: Registers, W: Manner>(
    job: &mut Job<'_>,
    mut place: Place,
) -> Option<Taken> {
    // SAFETY: the caller's.
    unsafe {
        if lanes::is_far(job, place) {
            place = lanes::ahead::<R, W>(job, place)?;
        }
        sequences::<R>(job, place)
    }
}

/// Takes sequences as long as both sides have room for wide copies.
///
/// # Safety
/// The machine has what `R` needs.
#[inline(always)]
unsafe fn sequences<R: Registers>(job: &mut Job<'_>, place: Place) -> Option<Taken> {
    let &mut Job { src, end, ref mut dst, len, enough } = job;
    let Place { mut at, mut filled, mut matched } = place;
    let (Some(last_at), Some(last_filled)) = (src.len().checked_sub(AHEAD), dst.len().checked_sub(ROOM))
    else {
        return Some(Taken::near(place));
    };
    let (stop, enough) = (end.min(last_at + 1), enough.min(last_filled + 1));
    while at < stop && filled < enough {
        let begins = Place { at, filled, matched };
        // SAFETY: `AHEAD` bytes are left, of which a token and its literals take half.
        let head = unsafe { *src.get_unchecked(at) };
        let (mut literals, mut repeated) = (usize::from(head >> 4), usize::from(head) & MORE);
        at += 1;
        if literals < MORE {
            // SAFETY: as above; `ROOM` bytes can be written.
            unsafe { copy::<LITERALS>(src.as_ptr().add(at), dst.as_mut_ptr().add(filled)) };
            at = apart(at + DISTANCE) + literals;
        } else {
            cold_path();
            let Some(told) = more(src, &mut at, src.len() - 1) else { return Some(Taken::near(begins)) };
            literals += told;
            if at + literals == end {
                // Most streams end so. These are copied as they are: mostly no bytes are behind them.
                let ends = decode::end(len, matched, filled, literals)?;
                dst.get_mut(filled..ends)?.copy_from_slice(src.get(at..end)?);
                return Some(Taken::UpTo(Reached::End(ends)));
            }
            if at + literals > last_at || at + ROOM > src.len() || filled + literals > last_filled {
                return Some(Taken::near(begins));
            }
            const { assert!(STEP <= AHEAD) };
            // SAFETY: just checked: of the stream, `AHEAD` bytes follow them.
            unsafe { R::literals(src.as_ptr().add(at), dst.as_mut_ptr().add(filled), literals) };
            at += literals + DISTANCE;
        }
        filled += literals;
        if at >= end + DISTANCE {
            cold_path();
            let ends = (at == end + DISTANCE).then(|| decode::end(len, matched, begins.filled, literals))?;
            return ends.map(|len| Taken::UpTo(Reached::End(len)));
        }
        // SAFETY: of `AHEAD` bytes, a token and 14 literals are taken; or as many are left behind any number of them.
        let distance =
            usize::from(unsafe { src.as_ptr().add(at - DISTANCE).cast::<u16>().read_unaligned() }.to_le());
        if distance.wrapping_sub(1) >= filled {
            cold_path();
            return None;
        }
        if repeated < MORE {
            repeated += SHORTEST;
            // SAFETY: `distance` was checked; of `ROOM` bytes, 14 literals are taken; no match is shorter than `SHORTEST`.
            unsafe { R::few(Mostly::Near, dst.as_mut_ptr().add(filled), distance, repeated) };
        } else {
            cold_path();
            let Some(told) = more(src, &mut at, last_at) else { return Some(Taken::near(begins)) };
            repeated += SHORTEST + told;
            if filled + repeated > last_filled {
                return Some(Taken::near(begins));
            }
            if repeated > OFTEN {
                cold_path();
                if (WORD..SETTLED).contains(&distance) && repeated > 2 * distance {
                    let place = Place { at, filled: filled + repeated, matched: filled };
                    return Some(Taken::Repeat { distance, len: repeated, place });
                }
            }
            // SAFETY: just checked.
            unsafe { R::many(dst.as_mut_ptr().add(filled), distance, repeated) };
        }
        matched = filled;
        filled += repeated;
    }
    Some(Taken::near(Place { at, filled, matched }))
}

/// A sum that stays one, and is made while what is added next is on its way: the compiler would add that first, and all of a short
/// sequence waits for where the next one begins.
#[inline(always)]
fn apart(mut sum: usize) -> usize {
    // SAFETY: no instruction; what it says of the register is true.
    unsafe { asm!("/* {0} */", inout(reg) sum, options(pure, nomem, nostack, preserves_flags)) };
    sum
}

/// [`apart`], of a place and what was added to it.
#[expect(clippy::pointers_in_nomem_asm_block, reason = "there is no instruction that could read or write")]
#[inline(always)]
fn place_apart(mut at: *const u8) -> *const u8 {
    // SAFETY: as above.
    unsafe { asm!("/* {0} */", inout(reg) at, options(pure, nomem, nostack, preserves_flags)) };
    at
}

/// What length bytes add up to; `None` when the last of them is behind `last_at`.
#[inline(always)]
fn more(src: &[u8], at: &mut usize, last_at: usize) -> Option<usize> {
    let mut len = 0;
    while *at <= last_at {
        let byte = src[*at];
        *at += 1;
        len += usize::from(byte);
        if byte != 255 {
            return Some(len);
        }
    }
    None
}

/// As the plain loop.
#[inline(never)]
pub(super) fn fast<W: Manner>(job: &mut Job<'_>, place: Place) -> Option<Taken> {
    // SAFETY: SSE2 is part of the baseline.
    unsafe { all_sequences::<Sse2, W>(job, place) }
}

/// Takes sequences of two streams in turn, as far as [`lanes::in_turn`] goes.
#[inline(never)]
pub(super) fn in_turn(jobs: [&mut Job<'_>; 2], places: &mut [Place; 2]) -> Stopped {
    // SAFETY: SSE2 is part of the baseline.
    unsafe { lanes::in_turn::<Sse2>(jobs, places) }
}
