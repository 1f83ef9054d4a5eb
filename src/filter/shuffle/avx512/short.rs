//! Blocks that four registers hold, with AVX-512: each byte goes from where it stands to where it belongs at once.
#![allow(unsafe_code)] // masked loads and stores

use super::registers::{first, table};
use crate::base::cpu::{self, Simd};
use crate::filter::shuffle::tiles::SHORT;
use std::arch::x86_64::*;

/// Bytes of a register.
const WIDTH: usize = 64;
/// Registers that hold a block.
const MOST: usize = 4;
const _: () = assert!(SHORT == MOST * WIDTH);

/// The numbers from 0 on, divided by one of them.
#[repr(align(64))]
struct Divided {
    quotients: [[u8; WIDTH]; MOST],
    remainders: [[u8; WIDTH]; MOST],
}

/// By divisor, as far as there are tables.
static BY: [Divided; WIDTH + 1] = {
    let mut by =
        [const { Divided { quotients: [[0; WIDTH]; MOST], remainders: [[0; WIDTH]; MOST] } }; WIDTH + 1];
    let mut divisor = 1;
    while divisor < by.len() {
        let mut i = 0;
        while i < MOST * WIDTH {
            by[divisor].quotients[i / WIDTH][i % WIDTH] = (i / divisor) as u8;
            by[divisor].remainders[i / WIDTH][i % WIDTH] = (i % divisor) as u8;
            i += 1;
        }
        divisor += 1;
    }
    by
};

/// Transposes a matrix of bytes, of two columns at least, on a machine that has what it takes.
///
/// # Panics
/// When `src` and `dst` are not `rows * columns` bytes, or more than four registers.
#[inline]
pub fn transpose(rows: usize, columns: usize, src: &[u8], dst: &mut [u8]) {
    assert!(cpu::detected() >= Simd::Avx512);
    // SAFETY: the machine has the instructions.
    unsafe {
        match src.len().div_ceil(WIDTH) {
            0..=1 => permute::<1>(rows, columns, src, dst),
            2 => permute::<2>(rows, columns, src, dst),
            _ => permute::<MOST>(rows, columns, src, dst),
        }
    }
}

/// Where the bytes of register `r` stand that a matrix is transposed to.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub(in crate::filter) fn places(rows: usize, columns: usize, r: usize) -> __m512i {
    // Byte i comes from row i % rows, column i / rows. No product is more than a byte, so that two of them can be made as a
    // word.
    let (quotients, remainders) = divided(rows, r);
    let before = _mm512_mullo_epi16(remainders, _mm512_set1_epi16(columns as i16));
    _mm512_add_epi8(before, quotients)
}

/// The numbers of register `r`, divided by one of up to half of those in [`MOST`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn divided(divisor: usize, r: usize) -> (__m512i, __m512i) {
    if divisor < BY.len() {
        let Divided { quotients, remainders } = &BY[divisor];
        return (table(&quotients[r]), table(&remainders[r]));
    }
    // It goes at most three times into them.
    let (mut quotients, mut remainders) = (_mm512_setzero_si512(), table(&BY[1].quotients[r]));
    let (one, divisor) = (_mm512_set1_epi8(1), _mm512_set1_epi8(divisor as i8));
    for _ in 0..3 {
        let more = _mm512_cmpge_epu8_mask(remainders, divisor);
        quotients = _mm512_mask_add_epi8(quotients, more, quotients, one);
        remainders = _mm512_mask_sub_epi8(remainders, more, remainders, divisor);
    }
    (quotients, remainders)
}

/// [`transpose`] of what `N` registers hold.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
fn permute<const N: usize>(rows: usize, columns: usize, src: &[u8], dst: &mut [u8]) {
    let len = rows * columns;
    assert!(src.len() == len && dst.len() == len && len <= N * WIDTH && columns >= 2);
    let mask = |r: usize| first(len.saturating_sub(r * WIDTH));
    let mut x = [_mm512_setzero_si512(); MOST];
    for (r, x) in x[..N].iter_mut().enumerate() {
        // SAFETY: the mask is of bytes that are there.
        *x = unsafe { _mm512_maskz_loadu_epi8(mask(r), src.as_ptr().wrapping_add(r * WIDTH).cast()) };
    }
    for r in 0..N {
        let places = places(rows, columns, r);
        let bytes = match N {
            1 => _mm512_permutexvar_epi8(places, x[0]),
            2 => _mm512_permutex2var_epi8(x[0], places, x[1]),
            _ => {
                let upper = _mm512_permutex2var_epi8(x[2], places, x[3]);
                let lower = _mm512_permutex2var_epi8(x[0], places, x[1]);
                _mm512_mask_mov_epi8(lower, _mm512_movepi8_mask(places), upper)
            }
        };
        // SAFETY: as above.
        unsafe { _mm512_mask_storeu_epi8(dst.as_mut_ptr().wrapping_add(r * WIDTH).cast(), mask(r), bytes) };
    }
}
