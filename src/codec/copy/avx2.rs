//! Copies in registers of 16 bytes, in which one permutation repeats what is shorter (SSSE3, which AVX2 includes).
#![allow(unsafe_code)] // loads and stores

use super::mostly::{FAR, NEAR};
use super::sse2::{Registers, Row, Sse2, copy, origins};
use std::arch::x86_64::*;

/// [`origins`].
static FROM: [Row<WIDTH>; WIDTH + 1] = origins();

const WIDTH: usize = 16;

/// Registers of AVX2.
pub(in crate::codec) struct Avx2;

impl Registers for Avx2 {
    #[inline(always)]
    unsafe fn few<const MOSTLY: u8>(to: *mut u8, distance: usize, len: usize) {
        // SAFETY: the caller's. What is read of the output is there, be it written or not: it is what stood there before.
        unsafe {
            if MOSTLY == FAR && distance >= 2 * WIDTH {
                return copy::<{ 2 * WIDTH }>(to.sub(distance), to);
            }
            if MOSTLY == NEAR || len > WIDTH {
                return Sse2::few::<MOSTLY>(to, distance, len);
            }
            let row = _mm_load_si128(FROM[distance.min(WIDTH)].0.as_ptr().cast());
            let bytes = _mm_loadu_si128(to.sub(distance).cast());
            _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(bytes, row));
        }
    }

    #[inline(always)]
    unsafe fn many(to: *mut u8, distance: usize, len: usize) {
        // SAFETY: the caller's.
        unsafe { Sse2::many(to, distance, len) }
    }
}
