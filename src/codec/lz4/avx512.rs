//! Taking sequences in the registers of AVX-512, and telling how far matches reach.
#![allow(unsafe_code)] // the loop's, and loads

use super::decode::{Job, Place, Taken};
use super::encode::{Reach, encode};
use super::reach::far;
use super::sse2::sequences;
use super::table::{Entry, Slots};
use crate::base::cpu::{self, Simd};
use crate::codec::copy::avx512::Avx512;
use std::arch::x86_64::*;

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

/// Bytes of a register.
const WIDE: usize = 64;

/// Matches of any length: most are told apart in one register.
struct Evenly;

impl Reach for Evenly {
    const EVENLY: bool = true;

    #[inline(always)]
    fn reach(&mut self, src: &[u8], from: usize, at: usize) -> usize {
        let [a, b] = [from, at].map(|at| src.get(at..).and_then(|src| src.first_chunk::<WIDE>()));
        let (Some(a), Some(b)) = (a, b) else { return far(src, from, at) };
        // SAFETY: whole registers are there, and only functions for machines with AVX-512 use this.
        let differ = unsafe {
            let [a, b] = [a, b].map(|bytes| _mm512_loadu_epi8(bytes.as_ptr().cast()));
            _mm512_cmpneq_epi8_mask(a, b)
        };
        if differ == 0 { WIDE + far(src, from + WIDE, at + WIDE) } else { differ.trailing_zeros() as usize }
    }
}

/// Compresses `src` as the plain writer does; for matches of any length.
///
/// # Panics
/// On a machine without AVX-512.
pub(super) fn encode_evenly<E: Entry>(
    slots: Slots<'_, E>,
    acceleration: usize,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has AVX-512.
    unsafe { encode_in_registers(slots, acceleration, src, dst) }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn encode_in_registers<E: Entry>(
    slots: Slots<'_, E>,
    acceleration: usize,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    encode(slots, acceleration, src, dst, &mut Evenly)
}
