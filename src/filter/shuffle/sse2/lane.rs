//! Items to and from a lane of 16 bytes, with what every x86-64 has.
#![allow(unsafe_code)] // loads and stores

use crate::filter::shuffle::tiles::Items;
use std::arch::x86_64::*;

/// The first `W` columns of `16 / W` items, from `item` on. `DENSE` says that these are 16 bytes in a row.
///
/// # Safety
/// 16 bytes can be read from the first item if they are dense; otherwise `W`, 4 or 8, from each.
#[inline(always)]
pub unsafe fn load<const W: usize, const DENSE: bool>(src: Items<*const u8>, item: usize) -> __m128i {
    // SAFETY: the caller's.
    unsafe {
        if DENSE {
            return _mm_loadu_si128(src.at(item).cast());
        }
        if W == 8 {
            let two = |i: usize| _mm_loadl_epi64(src.at(item + i).cast());
            return _mm_unpacklo_epi64(two(0), two(1));
        }
        let four = |i: usize| _mm_cvtsi32_si128(src.at(item + i).cast::<i32>().read_unaligned());
        _mm_unpacklo_epi64(_mm_unpacklo_epi32(four(0), four(1)), _mm_unpacklo_epi32(four(2), four(3)))
    }
}

/// Undoes [`load`], item after item: of a type narrower than `W`, the next item is written over what was too much.
///
/// # Safety
/// As [`load`], for writing.
#[inline(always)]
pub unsafe fn store<const W: usize, const DENSE: bool>(dst: Items<*mut u8>, item: usize, x: __m128i) {
    // SAFETY: the caller's.
    unsafe {
        if DENSE {
            return _mm_storeu_si128(dst.at(item).cast(), x);
        }
        if W == 8 {
            _mm_storel_epi64(dst.at(item).cast(), x);
            return _mm_storel_epi64(dst.at(item + 1).cast(), _mm_unpackhi_epi64(x, x));
        }
        dst.at(item).cast::<i32>().write_unaligned(_mm_cvtsi128_si32(x));
        dst.at(item + 1).cast::<i32>().write_unaligned(_mm_cvtsi128_si32(_mm_srli_si128::<4>(x)));
        dst.at(item + 2).cast::<i32>().write_unaligned(_mm_cvtsi128_si32(_mm_srli_si128::<8>(x)));
        dst.at(item + 3).cast::<i32>().write_unaligned(_mm_cvtsi128_si32(_mm_srli_si128::<12>(x)));
    }
}
