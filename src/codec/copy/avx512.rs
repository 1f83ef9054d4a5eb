//! Copies in registers of up to 64 bytes, in which one permutation repeats what is shorter.
#![allow(unsafe_code)] // loads and stores

use super::Mostly;
use super::sse2::{Registers, Row, Sse2, copy, few_by_eight, once, origins};
use std::arch::x86_64::*;
use std::hint::cold_path;

/// [`origins`].
static FROM: [Row<WIDTH>; WIDTH + 1] = origins();

const WIDTH: usize = 64;

/// Of a register's bytes, those in whole periods, by the period. Dividing takes long.
static WHOLE: [u8; 16] = {
    let mut whole = [WIDTH as u8; 16];
    let mut period = 1;
    while period < whole.len() {
        whole[period] = (WIDTH - WIDTH % period) as u8;
        period += 1;
    }
    whole
};

/// Registers of AVX-512, with permutations of bytes.
pub(in crate::codec) struct Avx512;

impl Registers for Avx512 {
    #[inline(always)]
    unsafe fn few(mostly: Mostly, to: *mut u8, distance: usize, len: usize) {
        // SAFETY: the caller's. What is read of the output is there, be it written or not: it is what stood there before.
        unsafe {
            if mostly == Mostly::Near && distance >= 8 {
                return few_by_eight(to, distance);
            }
            let from = to.sub(distance);
            if mostly == Mostly::Far && distance >= 32 {
                return copy::<32>(from, to);
            }
            let row = FROM[distance.min(WIDTH)].0.as_ptr();
            if mostly == Mostly::Near {
                let bytes = _mm256_castsi128_si256(_mm_cvtsi64_si128(once(from, distance) as i64));
                let row = _mm256_load_si256(row.cast());
                return _mm256_storeu_si256(to.cast(), _mm256_permutexvar_epi8(row, bytes));
            }
            if len > 16 {
                cold_path();
                return Sse2::few(mostly, to, distance, len);
            }
            // Fewer bytes are less often in two stores of a moment ago, for which a processor waits. Some processors do this permutation
            // of sixteen faster than AVX-512's own.
            let row = _mm_load_si128(row.cast());
            _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(_mm_loadu_si128(from.cast()), row));
        }
    }

    #[inline(always)]
    unsafe fn many(to: *mut u8, distance: usize, len: usize) {
        // SAFETY: steps begin before `len`, and write up to 64 bytes.
        unsafe {
            let from = to.sub(distance);
            if distance == 1 {
                // Most of them, where numbers are small.
                return fill(to, _mm512_set1_epi8((*from).cast_signed()), WIDTH, len);
            }
            let mut done = 0;
            if distance >= WIDTH {
                while done < len {
                    copy::<WIDTH>(from.add(done), to.add(done));
                    done += WIDTH;
                }
            } else if distance >= 16 {
                while done < len {
                    copy::<16>(from.add(done), to.add(done));
                    done += 16;
                }
            } else {
                let once = if distance < 8 {
                    _mm_cvtsi64_si128(once(from, distance) as i64)
                } else {
                    _mm_loadu_si128(from.cast())
                };
                let row = _mm512_load_si512(FROM[distance].0.as_ptr().cast());
                let wide = _mm512_permutexvar_epi8(row, _mm512_castsi128_si512(once));
                fill(to, wide, usize::from(WHOLE[distance % WHOLE.len()]), len);
            }
        }
    }
}

/// Writes a register every `step` bytes, and once at least.
///
/// # Safety
/// At `to`, `len` bytes and [`WIDTH`] more can be written. The machine has AVX-512.
#[inline(always)]
unsafe fn fill(to: *mut u8, wide: __m512i, step: usize, len: usize) {
    let mut done = 0;
    loop {
        // SAFETY: the caller's: less than `len` bytes are done.
        unsafe { _mm512_storeu_si512(to.add(done).cast(), wide) };
        done += step;
        if done >= len {
            break;
        }
    }
}
