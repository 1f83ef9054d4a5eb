//! Copies in registers of 16 bytes, in which one permutation repeats what is shorter (SSSE3, which AVX2 includes).
#![allow(unsafe_code)] // loads and stores

use super::Mostly;
use super::sse2::{Registers, Row, Sse2, WHOLE, copy, few_by_eight, once, origins};
use crate::base::cpu::{self, Simd};
use std::arch::x86_64::*;

/// [`origins`].
static FROM: [Row<WIDTH>; WIDTH + 1] = origins();

const WIDTH: usize = 16;

/// Bytes of a whole register.
const WIDE: usize = 32;

/// Fills `dst` with `word` over and over, on a machine that has AVX2; `None`, and nothing, where it is less than a register.
pub fn fill(dst: &mut [u8], word: [u8; 8]) -> Option<()> {
    assert!(cpu::detected() >= Simd::Avx2);
    // SAFETY: the machine has the instructions.
    unsafe { fill_wide(dst, u64::from_le_bytes(word)) }
}

/// [`fill`].
#[inline(never)]
#[target_feature(enable = "avx2")]
fn fill_wide(dst: &mut [u8], word: u64) -> Option<()> {
    let store = |to: &mut [u8; WIDE], word: u64| {
        // SAFETY: as many bytes can be written.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm256_set1_epi64x(word as i64)) };
    };
    // The last one begins where it ends with `dst`, and so perhaps in the middle of a word.
    let past_word = dst.len() % 8;
    store(dst.last_chunk_mut()?, word.rotate_right(8 * past_word as u32));
    dst.as_chunks_mut().0.iter_mut().for_each(|to| store(to, word));
    Some(())
}

/// Registers of AVX2.
pub(in crate::codec) struct Avx2;

impl Registers for Avx2 {
    #[inline(always)]
    unsafe fn few(mostly: Mostly, to: *mut u8, distance: usize, len: usize) {
        // SAFETY: the caller's. What is read of the output is there, be it written or not: it is what stood there before.
        unsafe {
            if mostly == Mostly::Far && distance >= 2 * WIDTH {
                return copy::<{ 2 * WIDTH }>(to.sub(distance), to);
            }
            if mostly != Mostly::Near && len <= WIDTH {
                let row = _mm_load_si128(FROM[distance.min(WIDTH)].0.as_ptr().cast());
                let bytes = _mm_loadu_si128(to.sub(distance).cast());
                return _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(bytes, row));
            }
            if distance >= 8 {
                return few_by_eight(to, distance);
            }
            let row = _mm_load_si128(FROM[distance].0.as_ptr().cast());
            let once = _mm_cvtsi64_si128(once(to.sub(distance), distance) as i64);
            let wide = _mm_shuffle_epi8(once, row);
            _mm_storeu_si128(to.cast(), wide);
            _mm_storeu_si128(to.add(WHOLE[distance & 7]).cast(), wide);
        }
    }

    #[inline(always)]
    unsafe fn many(to: *mut u8, distance: usize, len: usize) {
        // SAFETY: the caller's; steps begin before `len`.
        unsafe {
            if distance > 1 {
                return Sse2::many(to, distance, len);
            }
            let wide = _mm256_set1_epi8((*to.sub(1)).cast_signed());
            let mut done = 0;
            while done < len {
                _mm256_storeu_si256(to.add(done).cast(), wide);
                done += WIDE;
            }
        }
    }
}
