//! AVX-512 registers: loading, storing, and transposing several of them as a matrix of equal parts.
#![allow(unsafe_code)] // loads and stores

use std::arch::x86_64::*;

/// Transposes `N` registers of `G` parts. Where `N` is `G`, part `j` of register `r` becomes part `r` of register `j`.
/// Where `N` is half of `G`, registers hold every other stream of twice as many runs, and the like happens.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub fn transpose<const N: usize, const G: usize>(mut x: [__m512i; N]) -> [__m512i; N] {
    // As one row of N * G parts, each pass moves the even ones before the odd ones: the lowest bit of a part's place
    // becomes the highest. After as many passes as a register's number has bits, those bits have changed places.
    let mut passes = N;
    while passes > 1 {
        let mut y = x;
        for r in 0..N / 2 {
            (y[r], y[r + N / 2]) = evens_and_odds::<G>(x[2 * r], x[2 * r + 1]);
        }
        x = y;
        passes /= 2;
    }
    x
}

/// The even parts of two registers of `G` parts each, and the odd ones.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub fn evens_and_odds<const G: usize>(x: __m512i, y: __m512i) -> (__m512i, __m512i) {
    match G {
        2 => (_mm512_shuffle_i64x2::<0b01_00_01_00>(x, y), _mm512_shuffle_i64x2::<0b11_10_11_10>(x, y)),
        4 => (_mm512_shuffle_i64x2::<0b10_00_10_00>(x, y), _mm512_shuffle_i64x2::<0b11_01_11_01>(x, y)),
        8 => {
            let evens = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
            let odds = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
            (_mm512_permutex2var_epi64(x, evens, y), _mm512_permutex2var_epi64(x, odds, y))
        }
        _ => (_mm512_permutex2var_epi32(x, evens_32(), y), _mm512_permutex2var_epi32(x, odds_32(), y)),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub fn evens_32() -> __m512i {
    _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub fn odds_32() -> __m512i {
    _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub fn table(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 bytes are there.
    unsafe { load(bytes.as_ptr()) }
}

/// The first `n` bytes of a register, as a mask; all, where there are more than it has.
#[inline]
pub fn first(n: usize) -> __mmask64 {
    if n < 64 { (1 << n) - 1 } else { !0 }
}

/// # Safety
/// 64 bytes can be read.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub unsafe fn load(ptr: *const u8) -> __m512i {
    // SAFETY: the caller's.
    unsafe { _mm512_loadu_si512(ptr.cast()) }
}

/// # Safety
/// 64 bytes can be written.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
pub unsafe fn store(ptr: *mut u8, x: __m512i) {
    // SAFETY: the caller's.
    unsafe { _mm512_storeu_si512(ptr.cast(), x) }
}
