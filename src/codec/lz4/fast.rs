//! Which streams of the fast mode are written here, and in which way. As liblz4 writes the same bytes, that is a matter of time only.

use super::SHORT;
#[cfg(target_arch = "x86_64")]
use super::avx512;
use super::encode::encode;
use super::look::{Counted, Matches, SAMPLE};
use super::reach::{ByWords, Foreseen};
use super::table::{Long, Short, Slots, Tables, Tiny};
use crate::base::cpu::{self, Simd};
use crate::codec::{MadeOf, StreamParams};

/// Streams of so many bytes have positions that do not fit 16 bits, but for those where no match may begin.
const LONG: usize = (64 << 10) + 11;
/// So many times the bytes that were looked at are taken to be like those: looks take less than a hundredth of the time.
const ALIKE: usize = 128;
/// Planes of smaller items are as soon written by liblz4, mostly.
const PLANES: i32 = 4;

/// Fewer bytes of numbers are as soon written by liblz4.
const NUMBERS: usize = 256;

/// A table is worth emptying for that many bytes, for each from one place that is looked at to the next; and for a few more.
const WORTH_EMPTYING: usize = 512;

/// Whether a stream is better written with a table that it shares with others than with one that is emptied for it: the more places are
/// looked at, the more often nobody foresees whether a slot tells of another stream.
fn is_tiny(acceleration: usize, len: usize) -> bool {
    len < (acceleration + 3) * WORTH_EMPTYING
}

/// Whether a stream is a plane that is mostly sooner written here.
fn is_plane(p: &StreamParams) -> bool {
    p.made_of == MadeOf::Planes && p.typesize >= PLANES
}

/// What a thread keeps.
#[derive(Default)]
pub(super) struct Writer {
    tables: Tables,
    /// What the matches of the numbers were like that were looked at last.
    matches: Matches,
    /// For how many bytes more that is believed.
    believed: usize,
}

impl Writer {
    /// Compresses `src`, and tells how long the stream is, 0 when it does not fit; `None` where liblz4 is as fast, or faster.
    pub(super) fn compress(
        &mut self,
        p: &StreamParams,
        acceleration: usize,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let len = src.len();
        let written = match p.made_of {
            MadeOf::Numbers | MadeOf::Items if len >= NUMBERS => {
                match self.matches_of(acceleration, src, dst) {
                    Matches::Regular => self.foresee(acceleration, src, dst),
                    Matches::Rare | Matches::Apart => self.expect_literals(acceleration, src, dst),
                    Matches::Others => return None,
                }
            }
            MadeOf::Planes if is_plane(p) => self.share_or_compare(acceleration, src, dst),
            MadeOf::Bits if len >= SHORT => self.compare_registers(acceleration, src, dst),
            _ => return None,
        };
        Some(written.unwrap_or(0))
    }

    /// What the matches of the numbers `src` are like, or those were that were looked at last. `dst` holds anything afterwards.
    fn matches_of(&mut self, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Matches {
        if self.believed == 0 {
            self.matches = self.look(acceleration, src, dst);
            self.believed = ALIKE * src.len().min(SAMPLE);
        }
        self.believed = self.believed.saturating_sub(src.len());
        self.matches
    }

    #[inline(never)]
    fn look(&mut self, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Matches {
        let sample = &src[..src.len().min(SAMPLE)];
        let (tables, mut counted) = (&mut self.tables, Counted::of(sample.len()));
        // That it does not fit is no matter: by then, there were enough matches, or too few.
        let _ = if src.len() < LONG {
            encode(Slots::<Short>::new(tables, sample.len()), acceleration, sample, dst, &mut counted)
        } else {
            encode(Slots::<Long>::new(tables, sample.len()), acceleration, sample, dst, &mut counted)
        };
        counted.matches(sample.len())
    }

    /// For matches with literals between them, as far as was seen: in numbers of many sorts, matches begin late.
    fn expect_literals(&mut self, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let written = self.share_or_compare(acceleration, src, dst);
        if written.is_some_and(|len| len < src.len() / 2) {
            self.matches = Matches::Others;
        }
        written
    }

    /// Foresees where matches end.
    fn foresee(&mut self, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        if is_tiny(acceleration, src.len()) {
            return tiny_foreseen(Slots::new(&mut self.tables, src.len()), acceleration, src, dst);
        }
        self.encode(short_foreseen, long_foreseen, acceleration, src, dst)
    }

    /// For matches that may be short or long.
    fn compare_words(&mut self, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        self.encode(short_by_words, long_by_words, acceleration, src, dst)
    }

    /// The same, with the table that suits the length.
    fn share_or_compare(&mut self, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        if is_tiny(acceleration, src.len()) {
            self.share(acceleration, src, dst)
        } else {
            self.compare_words(acceleration, src, dst)
        }
    }

    /// For those that are tiny, whose matches may be short or long.
    fn share(&mut self, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        tiny_by_words(Slots::new(&mut self.tables, src.len()), acceleration, src, dst)
    }

    /// For streams of which many matches are long.
    fn compare_registers(&mut self, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        match cpu::simd() {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => {
                self.encode(avx512::short_in_registers, avx512::long_in_registers, acceleration, src, dst)
            }
            _ => self.compare_words(acceleration, src, dst),
        }
    }

    /// With positions as short as the stream allows.
    #[inline(always)]
    fn encode(
        &mut self,
        short: impl FnOnce(Slots<'_, Short>, usize, &[u8], &mut [u8]) -> Option<usize>,
        long: impl FnOnce(Slots<'_, Long>, usize, &[u8], &mut [u8]) -> Option<usize>,
        acceleration: usize,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        if src.len() < LONG {
            short(Slots::new(&mut self.tables, src.len()), acceleration, src, dst)
        } else {
            long(Slots::new(&mut self.tables, src.len()), acceleration, src, dst)
        }
    }
}

// Functions of their own, so that each can stand where it is fastest (`everyday.ld`).

#[inline(never)]
fn short_foreseen(slots: Slots<'_, Short>, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    encode(slots, acceleration, src, dst, &mut Foreseen::default())
}

#[inline(never)]
fn tiny_foreseen(slots: Slots<'_, Tiny>, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    encode(slots, acceleration, src, dst, &mut Foreseen::default())
}

#[inline(never)]
fn long_foreseen(slots: Slots<'_, Long>, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    encode(slots, acceleration, src, dst, &mut Foreseen::default())
}

#[inline(never)]
fn tiny_by_words(slots: Slots<'_, Tiny>, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    encode(slots, acceleration, src, dst, &mut ByWords)
}

#[inline(never)]
fn short_by_words(slots: Slots<'_, Short>, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    encode(slots, acceleration, src, dst, &mut ByWords)
}

#[inline(never)]
fn long_by_words(slots: Slots<'_, Long>, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    encode(slots, acceleration, src, dst, &mut ByWords)
}

#[cfg(test)]
mod tests;
