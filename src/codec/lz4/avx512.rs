//! Taking sequences in the registers of AVX-512.
#![allow(unsafe_code)] // the loop's

use super::decode::{Job, Place, Taken};
use super::sse2::sequences;
use crate::base::cpu::{self, Simd};
use crate::codec::copy::avx512::Avx512;

/// As the plain loop.
///
/// # Panics
/// On a machine without AVX-512.
pub(super) fn fast<const NEAR: bool, const ITEMS: bool, const EVENLY: bool>(
    job: &mut Job<'_>,
    place: Place,
) -> Option<Taken> {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has AVX-512.
    unsafe { sequences_of::<NEAR, ITEMS, EVENLY>(job, place) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn sequences_of<const NEAR: bool, const ITEMS: bool, const EVENLY: bool>(
    job: &mut Job<'_>,
    place: Place,
) -> Option<Taken> {
    // SAFETY: the machine has what this function says.
    unsafe { sequences::<Avx512, NEAR, ITEMS, EVENLY>(job, place) }
}
