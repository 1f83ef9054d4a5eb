//! A look at part of a stream that tells whether compressing it is worth while.
//!
//! Which streams are stored raw decides sizes and speeds more than anything else here, so the verdict is the C
//! library's, stream for stream: a level looks at a window of the stream, estimates how many bytes that window would
//! take, and asks for a certain ratio. The estimate only grows, and how much it can still grow is known at any point,
//! so the look ends as soon as the verdict stands. A window that does not begin to shrink is judged by a sample first: where
//! that has next to no repetitions, there is nothing to look at.

use super::NEAR;
use super::bytes::{reach, tells};
use super::sample::{self, Drawn};
use super::table::{Slots, Tables, bits_of, exchange};
use crate::codec::words::{half, spread, word};

/// Per level, a hundred times the ratio that is asked for.
const WANTED: [usize; 10] = [0, 200, 150, 120, 120, 120, 120, 115, 110, 100];
/// No match begins in that many last bytes of the window.
const TAIL: usize = 12;
/// After that many positions without a match, the estimate is looked at.
const STRIDE: usize = 64;
/// The literals that one byte in the stream can announce.
const RUN: usize = 32;

/// The longest window whose table lasts.
const SHORT: usize = 2048;
/// Before a sample is drawn, such a part of a window is looked at.
const BEGINNING: usize = 16;

/// Whether `src` seems to shrink as much as the level asks for.
#[inline(never)]
pub(super) fn promising(tables: &mut Tables, clevel: u8, src: &[u8]) -> bool {
    let (window, bits, wanted) = task(clevel, src);
    if window.len() <= SHORT {
        let (slots, first) = tables.lasting.open(window.len());
        Look::<true>::at_all(window, bits, first).verdict(slots, &mut tables.drawn, wanted)
    } else {
        let slots = tables.short.open(bits);
        Look::<false>::at_all(window, bits, 0).verdict(slots, &mut tables.drawn, wanted)
    }
}

/// What is looked at, with so many slots as a power of two, and a hundred times the ratio that it should shrink by.
fn task(clevel: u8, src: &[u8]) -> (&[u8], u32, usize) {
    let bits = bits_of(clevel);
    let part = match clevel {
        0 | 1 => src.len() / 8,
        2 | 3 => src.len() / 4,
        4..=6 => src.len() / 2,
        _ => src.len(),
    };
    let start = src.len() - part;
    (&src[start..start + part.min(1 << bits)], bits, WANTED[usize::from(clevel.min(9))])
}

/// An estimate in the making. The window's bytes may have numbers in the table that do not begin with 0.
struct Look<'a, const NUMBERED: bool> {
    window: &'a [u8],
    bits: u32,
    /// The number of the window's first byte.
    first: usize,
    /// The position that comes next.
    at: usize,
    /// The bytes that the window takes up to there.
    out: usize,
    /// The literals since the last match or full run of literals.
    literals: usize,
}

impl<'a, const NUMBERED: bool> Look<'a, NUMBERED> {
    fn at_all(window: &'a [u8], bits: u32, first: usize) -> Self {
        Look { window, bits, first, at: 0, out: 5, literals: 4 }
    }

    /// Whether the window shrinks by `wanted` hundredths.
    fn verdict(mut self, slots: &mut Slots<u16>, drawn: &mut Drawn, wanted: usize) -> bool {
        let len = self.window.len();
        self.begin(slots, len / BEGINNING);
        // What matches have to save, if all else are literals.
        let saved = (len + len / RUN).saturating_sub(len * 100 / wanted.max(1));
        let hopeless = self.out >= self.at && sample::saves_less(drawn, self.window, saved);
        !hopeless && self.go_on(slots, wanted)
    }

    /// Looks at the positions before `end`.
    fn begin(&mut self, slots: &mut Slots<u16>, end: usize) {
        while self.at < end {
            if let Some(from) = self.next(slots, end) {
                self.matched(slots, from);
            }
        }
    }

    /// Looks at the rest, until it is known whether the window shrinks by `wanted` hundredths.
    fn go_on(mut self, slots: &mut Slots<u16>, wanted: usize) -> bool {
        let end = self.window.len().saturating_sub(TAIL);
        // Once `out` is past this, not even one match of all the rest would do.
        let hopeless = self.window.len() * 100 / wanted.max(1);
        while self.at < end {
            if self.out > hopeless {
                return false;
            }
            if let Some(from) = self.next(slots, end.min(self.at + STRIDE)) {
                self.matched(slots, from);
                let left = end.saturating_sub(self.at);
                // Even if all the rest were literals.
                if end * 100 >= wanted * (self.out + left + left / 32 + 8) {
                    return true;
                }
            }
        }
        self.at * 100 >= wanted * self.out
    }

    /// Goes to the next position before `end` where a match begins that counts, and tells where its bytes stood before; to `end`
    /// if there is none. It counts if, ending three bytes early, it still has four.
    #[inline(always)]
    fn next(&mut self, slots: &mut Slots<u16>, end: usize) -> Option<usize> {
        let (at, from) = self.find(slots, self.at, end);
        self.literals_to(at);
        (at < end).then_some(from)
    }

    /// [`Look::next`] from `at` on, by itself: a function of its own, whose few values all have registers, and which answers in
    /// registers.
    #[inline(never)]
    fn find(&self, slots: &mut Slots<u16>, mut at: usize, end: usize) -> (usize, usize) {
        let Look { window, bits, first, .. } = *self;
        while at < end {
            let here = word(window, at);
            let from =
                Self::position(first, exchange(slots, hash(here as u32, bits), Self::number(first, at)));
            if tells(word(window, from) ^ here) && from < at {
                return (at, from);
            }
            at += 1;
        }
        (end, end)
    }

    /// Takes the match.
    #[inline(always)]
    fn matched(&mut self, slots: &mut Slots<u16>, from: usize) {
        let differ = word(self.window, from) ^ word(self.window, self.at);
        let len = reach(self.window, from, self.at, differ);
        let counted = (len + 1).min(self.window.len() - 1 - self.at) - 4;
        // The count of a run of literals that has none is taken back.
        self.out -= usize::from(self.literals == 0);
        self.literals = 0;
        self.out += if self.at - from <= NEAR { 2 } else { 4 };
        if counted >= 7 {
            self.out += (counted - 7) / 255 + 1;
        }
        self.at += counted;
        exchange(slots, hash(half(self.window, self.at), self.bits), Self::number(self.first, self.at));
        self.at += 2;
        self.out += 1;
    }

    /// Takes the bytes up to `at` as literals.
    #[inline(always)]
    fn literals_to(&mut self, at: usize) {
        let n = at - self.at;
        self.at = at;
        self.literals += n;
        self.out += n + self.literals / RUN;
        self.literals %= RUN;
    }

    /// A position's number in the table.
    #[inline(always)]
    fn number(first: usize, at: usize) -> usize {
        if NUMBERED { first + at } else { at }
    }

    /// The position that a number of the table stands for; 0, as an empty slot, for those of earlier windows.
    #[inline(always)]
    fn position(first: usize, number: usize) -> usize {
        if NUMBERED { number.saturating_sub(first) } else { number }
    }
}

#[inline(always)]
fn hash(four: u32, bits: u32) -> usize {
    (spread(four) >> (32 - bits)) as usize
}

#[cfg(test)]
mod tests;
