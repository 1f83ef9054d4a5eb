//! Zlib's first level: for each place one that may match, and codes that are fixed; what does not shrink by that is stored.
//!
//! `zlib-rs` takes longer for it, and a third of a megabyte. To look for sections beforehand, as
//! at other levels, would take as long as to write them.

use super::WINDOW;
use super::bits::{Bits, Reached};
use super::block::{FIXED_CODES, HEAD_BITS, MOST_STORED, STORED, lengths};
use super::codes::{Code, FIXED};
use super::symbols::{LONGEST, SHORTEST};
use crate::codec::words::{equal, spread, word};
use std::ops::Range;

/// As a power of two, the most slots; short blocks have fewer, which are sooner emptied.
const MOST_BITS: u32 = 15;
const SLOTS: usize = 1 << MOST_BITS;
/// Bytes that are looked at together.
const WORD: usize = 8;
/// After so many places in vain, as a power of two, one byte more is passed over from each to the next.
const PATIENCE: u32 = 7;
/// As many are passed over at most.
const MOST_PASSED: usize = 3;
/// So many bits leave room for a place's.
const FULL: u32 = 24;
/// So many bytes are written before it is asked whether they shrink.
const PIECE: usize = 4096;
/// From so many of its bytes, a piece has to save one.
const LITTLE: usize = 256;

/// By a hash of the bytes that stand there, the last places modulo 2^16. An empty slot stands for the first: what is found is
/// compared.
type Slots = [u16; SLOTS];

/// What a thread keeps for it.
#[derive(Default)]
pub(super) struct Quick {
    slots: Option<Box<Slots>>,
}

impl Quick {
    /// Writes all of `src` as blocks of deflate, and tells how many bytes that took; `None` when it does not fit.
    pub fn write(&mut self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let mut search = self.search(src.len());
        let mut blocks = Blocks { bits: Bits::new(dst), header: 0, open: Open::Nothing };
        let mut begin = 0;
        while begin < src.len() {
            begin = blocks.piece(&mut search, src, begin)?;
        }
        blocks.end()
    }

    /// A search that knows nothing yet, for `len` bytes.
    fn search(&mut self, len: usize) -> Search<'_> {
        let bits = MOST_BITS.min(len.max(2).ilog2() + 1);
        let slots = match &mut self.slots {
            Some(slots) => {
                slots[..1 << bits].fill(0);
                slots
            }
            none => none.insert(Box::new([0; SLOTS])),
        };
        Search { slots, shift: u32::BITS - bits, missed: 0 }
    }
}

/// What of the last block is written.
#[derive(Clone, Copy)]
enum Open {
    Nothing,
    /// All but the end of fixed codes.
    Fixed,
    /// Stored bytes: where their lengths stand, and how many they are.
    Stored {
        at: usize,
        len: usize,
    },
}

/// Blocks, one behind the other.
struct Blocks<'a> {
    bits: Bits<'a>,
    /// The bit where the last one begins.
    header: usize,
    open: Open,
}

impl Blocks<'_> {
    /// Writes a piece of `src` from `begin` on, and tells where the next one begins.
    fn piece(&mut self, search: &mut Search, src: &[u8], begin: usize) -> Option<usize> {
        let before = self.bits.reached();
        let goal = src.len().min(begin + PIECE);
        let mut bits = self.bits.lend();
        if !matches!(self.open, Open::Fixed) {
            bits.put(FIXED_CODES, HEAD_BITS);
        }
        if let Some((end, after)) = search.write(src, begin..goal, bits)
            && after.bits() - before.bits() < 8 * ((end - begin) - (end - begin) / LITTLE)
        {
            if !matches!(self.open, Open::Fixed) {
                (self.header, self.open) = (before.bits(), Open::Fixed);
            }
            self.bits.go_on(after);
            return Some(end);
        }
        self.store(&src[begin..goal])?;
        Some(goal)
    }

    /// Adds bytes as they stand.
    fn store(&mut self, bytes: &[u8]) -> Option<()> {
        self.open = match self.open {
            Open::Stored { at, len } if len + bytes.len() <= MOST_STORED => {
                let len = len + bytes.len();
                self.bits.replace(at, &lengths(len as u16));
                Open::Stored { at, len }
            }
            open => {
                if matches!(open, Open::Fixed) {
                    put(&mut self.bits, FIXED.end);
                }
                self.header = self.bits.reached().bits();
                self.bits.put(STORED, HEAD_BITS);
                let at = self.bits.align()?;
                self.bits.bytes(&lengths(bytes.len() as u16))?;
                Open::Stored { at, len: bytes.len() }
            }
        };
        self.bits.bytes(bytes)
    }

    /// Ends the last block, which is the stream's, and tells how many bytes all take.
    fn end(mut self) -> Option<usize> {
        if matches!(self.open, Open::Nothing) {
            self.bits.put(FIXED_CODES, HEAD_BITS);
        }
        if !matches!(self.open, Open::Stored { .. }) {
            put(&mut self.bits, FIXED.end);
        }
        self.bits.set(self.header);
        self.bits.align()
    }
}

/// A search through one stream.
struct Search<'a> {
    slots: &'a mut Slots,
    /// How far a hash is shifted to be a slot's number.
    shift: u32,
    /// Places where nothing was found since something was.
    missed: usize,
}

impl Search<'_> {
    /// Writes `src` from the start of a range to its end, or farther, where a match goes on; to the end of `src` when little else
    /// is left of it. Tells how far that is.
    fn write(&mut self, src: &[u8], range: Range<usize>, mut bits: Bits<'_>) -> Option<(usize, Reached)> {
        let end = src.len().saturating_sub(WORD);
        let mut at = self.matches(src, range.start, range.end.min(end), &mut bits)?;
        if at >= end {
            for &byte in &src[at..] {
                put(&mut bits, FIXED.byte(byte));
                bits.spill()?;
            }
            at = src.len();
        }
        Some((at, bits.reached()))
    }

    /// Writes what `src` has from `at` to `end`, or a match's length farther, and tells how far.
    #[inline(never)]
    fn matches(&mut self, src: &[u8], mut at: usize, end: usize, out: &mut Bits<'_>) -> Option<usize> {
        // Copies, which stay in registers.
        let (slots, shift, mut missed, mut bits) = (&mut *self.slots, self.shift, self.missed, out.lend());
        bits.spill()?;
        while at < end {
            let here = word(src, at);
            if let Some((back, differ)) = candidate(slots, shift, src, at, here) {
                let len = reach(src, at - back, at, differ);
                repeat(&mut bits, len, back)?;
                at += len;
                missed = 0;
                if at < end {
                    // With its last byte the next one often begins. From two on, what repeats would be found at its end, where it
                    // goes on for least.
                    *slot(slots, shift, word(src, at - 1)) = (at - 1) as u16;
                }
                continue;
            }
            let passed = (missed >> PATIENCE).min(MOST_PASSED);
            missed += 1;
            put(&mut bits, FIXED.byte(here as u8));
            for ahead in 1..=passed {
                // Known, but not looked at.
                let there = here >> (8 * ahead);
                *slot(slots, shift, there) = (at + ahead) as u16;
                put(&mut bits, FIXED.byte(there as u8));
            }
            at += 1 + passed;
            if bits.held() >= FULL {
                bits.spill()?;
            }
        }
        bits.spill()?;
        let reached = bits.reached();
        out.go_on(reached);
        self.missed = missed;
        Some(at)
    }
}

/// How far back there may be what stands at `at`, where the word `here` is, and in what the words of both differ: not in their
/// first four bytes. From now on, the place is known.
#[inline(always)]
fn candidate(slots: &mut Slots, shift: u32, src: &[u8], at: usize, here: u64) -> Option<(usize, u64)> {
    let slot = slot(slots, shift, here);
    let back = usize::from((at as u16).wrapping_sub(*slot));
    *slot = at as u16;
    if back.wrapping_sub(1) >= WINDOW || back > at {
        return None;
    }
    let differ = word(src, at - back) ^ here;
    (differ as u32 == 0).then_some((back, differ))
}

/// The slot for the first bytes of a word.
#[inline(always)]
fn slot(slots: &mut Slots, shift: u32, word: u64) -> &mut u16 {
    &mut slots[(spread(word as u32) >> shift) as usize & (SLOTS - 1)]
}

#[inline(always)]
fn put(bits: &mut Bits, code: Code) {
    bits.put(u64::from(code.bits), code.count);
}

/// How many bytes at `from` and at `at` are equal, whose words differ by `differ`; `from` is less.
#[inline(always)]
fn reach(src: &[u8], from: usize, at: usize, differ: u64) -> usize {
    if differ != 0 {
        return (differ.trailing_zeros() / 8) as usize;
    }
    let behind = &src[at + WORD..];
    WORD + equal(&src[from + WORD..][..behind.len()], behind)
}

/// Writes `len` bytes that stand `back` bytes before: one match, or as many as it takes.
#[inline(always)]
fn repeat(bits: &mut Bits, mut len: usize, back: usize) -> Option<()> {
    debug_assert!(len > SHORTEST);
    let distance = FIXED.distance(back);
    let mut one = |len: usize| {
        put(bits, FIXED.length(len));
        put(bits, distance);
        bits.spill()
    };
    while len > LONGEST {
        // What is left is a match, too.
        let part = LONGEST.min(len - SHORTEST);
        one(part)?;
        len -= part;
    }
    one(len)
}
