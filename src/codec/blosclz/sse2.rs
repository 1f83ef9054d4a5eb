//! Taking operations by pointers: of each it is asked whether it is far from the ends, and whether its match begins in the output,
//! and nothing more.
#![allow(unsafe_code)] // loads and stores

use super::decode::Place;
use super::quick::{AHEAD, LONG, Told, endless};
use super::shaped::{One, Patience, follow, is_one};
use super::ways::Way;
use super::{MAX_LITERALS, NUMBER};
use crate::codec::copy::{ROOM, repeat, roomy, sse2::copy};
use crate::codec::items::{Shape, are_item};
use std::arch::x86_64::*;
use std::hint::cold_path;
use std::slice;

/// Most matches have no more bytes than that, which are copied by themselves.
const FEW: usize = 32;
/// From so far back, two copies bring those where they reach into what they repeat.
const HALF: usize = FEW / 2;

/// What is left to others.
enum Stop {
    /// A match that has many length bytes.
    Endless,
    /// A number or an item, which others may follow.
    One(One),
}

/// As [`scalar`](super::quick::scalar).
#[inline(always)]
pub(super) fn take<W: Way>(
    (src, end): (&[u8], usize),
    dst: &mut [u8],
    mut place: Place,
    enough: usize,
) -> Option<Place> {
    let mut patience = Patience::default();
    loop {
        let mut stop = take_most::<W, false>((src, end), dst, &mut place, enough, &patience)?;
        if stop.is_none() {
            stop = take_most::<W, true>((src, end), dst, &mut place, enough, &patience)?;
        }
        match stop {
            None => return Some(place),
            Some(Stop::Endless) => place = endless(&src[..end], dst, place)?,
            Some(Stop::One(one)) => place = follow(&src[..end], dst, place, enough, &one, &mut patience)?,
        }
    }
}

/// Takes operations from `place` on, and moves it behind them; up to what is left to others, if there is room for wide copies still.
/// Where `ENDS` are near, it is asked behind literals whether that is so; else there is enough behind any of them.
#[inline(always)]
fn take_most<W: Way, const ENDS: bool>(
    (src, end): (&[u8], usize),
    dst: &mut [u8],
    place: &mut Place,
    enough: usize,
    patience: &Patience,
) -> Option<Option<Stop>> {
    let (left, spare) = if ENDS { (1, 0) } else { (1 + MAX_LITERALS + 1, MAX_LITERALS) };
    let full = enough.min(roomy(dst).saturating_sub(spare));
    let (Some(readable), Some(last)) = (src.len().checked_sub(AHEAD), end.checked_sub(left)) else {
        return Some(None);
    };
    let last = last.min(readable);
    if place.at > last || place.filled >= full {
        return Some(None);
    }
    let (begin, start, room) = (src.as_ptr(), dst.as_mut_ptr(), dst.len());
    let (mut at, mut to) = (begin.wrapping_add(place.at), start.wrapping_add(place.filled));
    let (last, over) = (begin.wrapping_add(last), begin.wrapping_add(end));
    let full = start.wrapping_add(full).cast_const();
    let again = start.wrapping_add(patience.again()).cast_const();
    let mut stop = None;
    while at <= last && to.cast_const() < full {
        // SAFETY: `AHEAD` bytes are there to read.
        let (head, first) = unsafe { (*at, word_at(at)) };
        let (mut told, mut literals) = (first, 0);
        if usize::from(head) < MAX_LITERALS {
            literals = usize::from(head) + 1;
            // SAFETY: `AHEAD` are a byte, any literals, and a word. There is `ROOM` to write.
            unsafe {
                copy::<MAX_LITERALS>(at.add(1), to);
                at = at.add(1 + literals);
                to = to.add(literals);
                told = word_at(at);
            }
            // Mostly, a match follows.
            if told as usize & 255 < MAX_LITERALS || ENDS && (at >= over || to.cast_const() >= full) {
                continue;
            }
        }
        let is_short = W::FORESEEN && (told as usize & 255) < LONG;
        if !is_short && Told::is_endless(told) {
            cold_path();
            stop = Some(Stop::Endless);
            break;
        }
        let Told { distance, len, taken } = if is_short { Told::short(told) } else { Told::any(told) };
        at = at.wrapping_add(taken);
        let filled = to.addr() - start.addr();
        if distance > filled {
            return None;
        }
        // SAFETY: so far back there are bytes. Behind `to` there is `ROOM`: it is in front of where that is so for the last time, if
        // not for the ends, then for any literals that were before it.
        unsafe {
            if is_short && distance >= NUMBER {
                // Only that is read, which was written at once.
                copy::<NUMBER>(to.sub(distance), to);
            } else if len <= FEW && !W::NEAR && distance >= len {
                copy::<FEW>(to.sub(distance), to);
            } else if len <= FEW && W::NEAR && distance >= HALF {
                copy::<FEW>(to.sub(distance), to);
                if len > distance {
                    copy::<FEW>(to.sub(distance), to.add(distance));
                }
            } else if len <= FEW && W::NEAR && distance == 1 {
                to.cast::<[u8; FEW]>().write([*to.sub(1); FEW]);
            } else if distance <= NUMBER && distance.is_power_of_two() && filled + len + ROOM <= room {
                run(to, distance, len);
            } else {
                repeat(slice::from_raw_parts_mut(start, room), filled, distance, len)?;
            }
            to = to.add(len);
        }
        let may_be_one = if is_short {
            literals > 0 && to.cast_const() >= again && is_one(literals, distance, len)
        } else {
            W::ITEMS && are_item(literals, distance, len)
        };
        // SAFETY: a word is where the match stands, and more than tells it; maybe not all of this stream.
        if may_be_one && unsafe { *at } == head {
            cold_path();
            let shape = Shape { head, literals, tail: told as u32, tail_len: taken, distance };
            stop = Some(Stop::One(One { first, shape, len }));
            break;
        }
    }
    *place = Place { at: at.addr() - begin.addr(), filled: to.addr() - start.addr() };
    Some(stop)
}

/// # Safety
/// A word can be read there.
#[inline(always)]
unsafe fn word_at(at: *const u8) -> u64 {
    // SAFETY: the caller's.
    unsafe { at.cast::<u64>().read_unaligned().to_le() }
}

/// Repeats `len` bytes from `distance` before, which is 1, 2, 4 or 8.
///
/// # Safety
/// At `to`, `len` bytes and [`ROOM`] more can be written; before it, `distance` bytes can be read.
#[inline(always)]
unsafe fn run(to: *mut u8, distance: usize, len: usize) {
    // SAFETY: the caller's. Each step begins before `len`.
    unsafe {
        let from = to.sub(distance);
        let word = match distance {
            1 => u64::from(*from) * (u64::MAX / 0xff),
            2 => u64::from(from.cast::<u16>().read_unaligned()) * (u64::MAX / 0xffff),
            4 => u64::from(from.cast::<u32>().read_unaligned()) * (u64::MAX / 0xffff_ffff),
            _ => from.cast::<u64>().read_unaligned(),
        };
        let mut done = 0;
        while done < len {
            to.add(done).cast::<[u64; FEW / NUMBER]>().write_unaligned([word; FEW / NUMBER]);
            done += FEW;
        }
    }
}

/// Bytes that [`agree`] compares.
pub(super) const LANES: usize = 64;

/// How many of the first bytes are the same in both.
#[inline(always)]
pub(super) fn agree(a: &[u8; LANES], b: &[u8; LANES]) -> usize {
    // SAFETY: SSE2 is part of the baseline; each load is of 16 of the bytes.
    let equal = |at: usize| unsafe {
        let [a, b] = [a, b].map(|bytes| _mm_loadu_si128(bytes[at..at + 16].as_ptr().cast()));
        _mm_movemask_epi8(_mm_cmpeq_epi8(a, b)) as u64
    };
    (equal(0) | equal(16) << 16 | equal(32) << 32 | equal(48) << 48).trailing_ones() as usize
}
