//! Copies in registers of 16 bytes: part of the x86-64 baseline.
#![allow(unsafe_code)] // loads and stores

use super::{Mostly, ROOM};
use std::arch::x86_64::*;

/// Literals behind the first [`ROOM`] are copied so many at a time.
pub(in crate::codec) const STEP: usize = 32;

/// How a kernel that reads streams copies. All of it may write up to [`ROOM`] bytes more than is meant.
pub(in crate::codec) trait Registers {
    /// Copies `len` literals.
    ///
    /// # Safety
    /// At `from`, `len` bytes and as many as one step takes can be read, and as many written at `to`, somewhere else; in any case
    /// [`ROOM`].
    #[inline(always)]
    unsafe fn literals(from: *const u8, to: *mut u8, len: usize) {
        // SAFETY: the caller's.
        unsafe {
            copy::<ROOM>(from, to);
            // Seldom many: one question costs more than it takes that these stores are not aligned.
            let mut done = ROOM;
            while done < len {
                copy::<STEP>(from.add(done), to.add(done));
                done += STEP;
            }
        }
    }

    /// Repeats `len` bytes, 18 at most: as many as a token of LZ4 tells. From where they [mostly](Mostly) come says how that is
    /// soonest done.
    ///
    /// # Safety
    /// At `to`, 32 bytes can be written; before it, `distance` bytes can be read, which is not 0.
    unsafe fn few(mostly: Mostly, to: *mut u8, distance: usize, len: usize);

    /// Repeats `len` bytes.
    ///
    /// # Safety
    /// At `to`, `len` bytes and [`ROOM`] more can be written; before it, `distance` bytes can be read, which is not 0.
    unsafe fn many(to: *mut u8, distance: usize, len: usize);
}

/// # Safety
/// `N` bytes can be read at `from` and written at `to`.
#[inline(always)]
pub(in crate::codec) unsafe fn copy<const N: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's. All are read before any is written.
    unsafe { to.cast::<[u8; N]>().write(from.cast::<[u8; N]>().read()) };
}

/// Up to 18 bytes from 8 or more before: in parts as small as most that were written a moment ago, since a processor waits
/// long for what lies in two of those.
///
/// # Safety
/// As [`Registers::few`], with 8 bytes or more before `to`.
#[inline(always)]
pub(in crate::codec) unsafe fn few_by_eight(to: *mut u8, distance: usize) {
    // SAFETY: the caller's.
    unsafe {
        let from = to.sub(distance);
        copy::<8>(from, to);
        copy::<8>(from.add(8), to.add(8));
        copy::<2>(from.add(16), to.add(16));
    }
}

/// 4 to 18 bytes from 8 or more before. Where they fit a word, none is read but those: what stands behind them in an item was
/// written in another part.
///
/// # Safety
/// As [`few_by_eight`]; `len` is 4 or more.
#[inline(always)]
pub(in crate::codec) unsafe fn few_of_item(to: *mut u8, distance: usize, len: usize) {
    // SAFETY: the caller's.
    unsafe {
        if len <= 8 {
            to.cast::<u64>().write_unaligned(once(to.sub(distance), len).to_le());
        } else {
            few_by_eight(to, distance);
        }
    }
}

/// The `period` bytes at `from`, 1 to 8. They are read in parts as [`few_by_eight`] reads them.
///
/// # Safety
/// They can be read.
#[inline(always)]
pub(super) unsafe fn once(from: *const u8, period: usize) -> u64 {
    // SAFETY: all are among the `period` bytes.
    unsafe {
        let four = |at| u64::from(from.add(at).cast::<u32>().read_unaligned().to_le());
        let byte = |at| u64::from(*from.add(at));
        if period < 4 {
            let bytes =
                byte(0) | byte(usize::from(period > 1)) << 8 | byte(2 * usize::from(period > 2)) << 16;
            bytes & ((1 << (8 * period)) - 1)
        } else {
            four(0) | four(period - 4) << (8 * (period - 4))
        }
    }
}

/// So far back nothing is on its way to the first cache any more, where bytes are written one after the other.
pub(in crate::codec) const SETTLED: usize = 512;

/// Repeats `len` bytes by [`ROOM`] at a time, which is not more than `distance`. They are read ever farther back, up to a point: a
/// processor waits for what lies in two stores of a moment ago.
///
/// # Safety
/// As [`Registers::many`].
#[inline(always)]
pub(in crate::codec) unsafe fn repeat_settled(to: *mut u8, distance: usize, len: usize) {
    let (mut done, mut back) = (0, distance);
    while done < len {
        // SAFETY: the caller's; `back` is a multiple of `distance`, and not more than there is by then.
        unsafe { copy::<ROOM>(to.add(done).sub(back), to.add(done)) };
        done += ROOM;
        back <<= u32::from(back < SETTLED && done + distance >= 2 * back);
    }
}

/// A one at each of sixteen bytes where a period begins, by the period: 1 to 7.
const STARTS: [u128; 8] = {
    let mut starts = [0; 8];
    let mut period = 1;
    while period < starts.len() {
        let mut at = 0;
        while at < 16 {
            starts[period] |= 1 << (8 * at);
            at += period;
        }
        period += 1;
    }
    starts
};

/// By distance, up to that of a whole register of `N` bytes: from where each byte of a match comes.
pub(super) const fn origins<const N: usize, const ROWS: usize>() -> [Row<N>; ROWS] {
    let mut rows = [const { Row([0; N]) }; ROWS];
    let mut distance = 1;
    while distance < ROWS {
        let mut at = 0;
        while at < N {
            rows[distance].0[at] = (at % distance) as u8;
            at += 1;
        }
        distance += 1;
    }
    rows
}

/// A register's bytes.
#[repr(align(64))]
pub(super) struct Row<const N: usize>(pub(super) [u8; N]);

/// Of sixteen bytes, those in whole periods.
pub(super) const WHOLE: [usize; 8] = [16, 16, 16, 15, 16, 15, 12, 14];

/// Registers of SSE2.
pub(in crate::codec) struct Sse2;

impl Sse2 {
    /// The `period` bytes at `from`, 1 to 7, over and over.
    #[inline(always)]
    unsafe fn cycle(from: *const u8, period: usize) -> __m128i {
        // SAFETY: the caller's; SSE2 is part of the baseline.
        unsafe {
            let wide = u128::from(once(from, period)).wrapping_mul(STARTS[period & 7]);
            _mm_set_epi64x((wide >> 64) as i64, wide as i64)
        }
    }
}

impl Registers for Sse2 {
    #[inline(always)]
    unsafe fn few(_: Mostly, to: *mut u8, distance: usize, _len: usize) {
        // SAFETY: the caller's.
        unsafe {
            if distance >= 8 {
                few_by_eight(to, distance);
            } else {
                let wide = Sse2::cycle(to.sub(distance), distance);
                _mm_storeu_si128(to.cast(), wide);
                _mm_storeu_si128(to.add(WHOLE[distance & 7]).cast(), wide);
            }
        }
    }

    #[inline(always)]
    unsafe fn many(to: *mut u8, distance: usize, len: usize) {
        let mut done = 0;
        // SAFETY: steps begin before `len`, and write up to 32 bytes.
        unsafe {
            let from = to.sub(distance);
            if distance >= 16 {
                while done < len {
                    copy::<16>(from.add(done), to.add(done));
                    copy::<16>(from.add(done + 16), to.add(done + 16));
                    done += 32;
                }
                return;
            }
            let (wide, step) = if distance == 1 {
                // Most of them, where numbers are small.
                (_mm_set1_epi8((*from).cast_signed()), 16)
            } else if distance < 8 {
                (Sse2::cycle(from, distance), WHOLE[distance & 7])
            } else {
                (_mm_loadu_si128(from.cast()), distance)
            };
            while done < len {
                _mm_storeu_si128(to.add(done).cast(), wide);
                done += step;
            }
        }
    }
}
