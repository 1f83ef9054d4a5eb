//! Taking sequences in the registers of AVX-512, and telling how far matches reach.
#![allow(unsafe_code)] // the loop's, and loads

use super::decode::{Job, Place, Taken};
use super::encode::{Reach, Reached, encode};
use super::pairs::Stopped;
use super::reach::{far, within};
use super::sse2::{all_sequences, lanes};
use super::table::{Long, Short, Slots};
use super::ways::Manner;
use crate::base::cpu::{self, Simd};
use crate::codec::copy::avx512::Avx512;
use crate::codec::words::word;
use std::arch::x86_64::*;

/// As the plain loop.
///
/// # Panics
/// On a machine without AVX-512.
pub(super) fn fast<W: Manner>(job: &mut Job<'_>, place: Place) -> Option<Taken> {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has AVX-512.
    unsafe { sequences_of::<W>(job, place) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn sequences_of<W: Manner>(job: &mut Job<'_>, place: Place) -> Option<Taken> {
    // SAFETY: the machine has what this function says.
    unsafe { all_sequences::<Avx512, W>(job, place) }
}

/// Takes sequences of two streams in turn, as far as [`lanes::in_turn`] goes.
///
/// # Panics
/// On a machine without AVX-512, and where a place is behind its stream.
pub(super) fn in_turn(jobs: [&mut Job<'_>; 2], places: &mut [Place; 2]) -> Stopped {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has AVX-512.
    unsafe { in_turn_of(jobs, places) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn in_turn_of(jobs: [&mut Job<'_>; 2], places: &mut [Place; 2]) -> Stopped {
    // SAFETY: the machine has what this function says.
    unsafe { lanes::in_turn::<Avx512>(jobs, places) }
}

/// Bytes of a register.
const WIDE: usize = 64;

/// Matches of any length: those that one word does not tell apart, a register mostly does.
struct InRegisters;

impl Reach for InRegisters {
    const EVENLY: bool = true;

    #[inline(always)]
    fn reach(&mut self, src: &[u8], from: usize, at: usize) -> Reached {
        let [a, b] = [from, at].map(|at| src.get(at..).and_then(|src| src.first_chunk::<WIDE>()));
        let (Some(a), Some(b)) = (a, b) else { return Reached::to(far(src, from, at)) };
        let differ = word(a, 0) ^ word(b, 0);
        if differ != 0 {
            let len = (differ.trailing_zeros() / 8) as usize;
            return Reached { len, behind: Some(within(b, len)) };
        }
        // SAFETY: whole registers are there, and only functions for machines with AVX-512 use this.
        let differ = unsafe {
            let [a, b] = [a, b].map(|bytes| _mm512_loadu_epi8(bytes.as_ptr().cast()));
            _mm512_cmpneq_epi8_mask(a, b)
        };
        let len = if differ == 0 {
            WIDE + far(src, from + WIDE, at + WIDE)
        } else {
            differ.trailing_zeros() as usize
        };
        Reached::to(len)
    }
}

/// Compresses a stream with short positions as the plain writer does; for streams of which many matches are long.
///
/// # Panics
/// On a machine without AVX-512.
pub(super) fn short_in_registers(
    slots: Slots<'_, Short>,
    acceleration: usize,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has AVX-512.
    unsafe { short_encoded(slots, acceleration, src, dst) }
}

/// The same, for long positions.
///
/// # Panics
/// On a machine without AVX-512.
pub(super) fn long_in_registers(
    slots: Slots<'_, Long>,
    acceleration: usize,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has AVX-512.
    unsafe { long_encoded(slots, acceleration, src, dst) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn short_encoded(slots: Slots<'_, Short>, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    encode(slots, acceleration, src, dst, &mut InRegisters)
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn long_encoded(slots: Slots<'_, Long>, acceleration: usize, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    encode(slots, acceleration, src, dst, &mut InRegisters)
}
