//! Taking sequences in the registers of AVX2.
#![allow(unsafe_code)] // the loop's

use super::decode::{Job, Place, Taken};
use super::pairs::Stopped;
use super::sse2::{all_sequences, lanes};
use super::ways::Manner;
use crate::base::cpu::{self, Simd};
use crate::codec::copy::avx2::Avx2;

/// As the plain loop.
///
/// # Panics
/// On a machine without AVX2.
pub(super) fn fast<W: Manner>(job: &mut Job<'_>, place: Place) -> Option<Taken> {
    assert!(cpu::detected() >= Simd::Avx2);
    // SAFETY: the machine has AVX2.
    unsafe { sequences_of::<W>(job, place) }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn sequences_of<W: Manner>(job: &mut Job<'_>, place: Place) -> Option<Taken> {
    // SAFETY: the machine has what this function says.
    unsafe { all_sequences::<Avx2, W>(job, place) }
}

/// Takes sequences of two streams in turn, as far as [`lanes::in_turn`] goes.
///
/// # Panics
/// On a machine without AVX2, and where a place is behind its stream.
pub(super) fn in_turn(jobs: [&mut Job<'_>; 2], places: &mut [Place; 2]) -> Stopped {
    assert!(cpu::detected() >= Simd::Avx2);
    // SAFETY: the machine has AVX2.
    unsafe { in_turn_of(jobs, places) }
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn in_turn_of(jobs: [&mut Job<'_>; 2], places: &mut [Place; 2]) -> Stopped {
    // SAFETY: the machine has what this function says.
    unsafe { lanes::in_turn::<Avx2>(jobs, places) }
}
