//! Comparing tags in registers of 16 bytes: part of the x86-64 baseline.
#![allow(unsafe_code)] // loads

use super::PLACES;
use std::arch::x86_64::*;

/// Bytes of a register.
const WIDE: usize = 16;

/// Which tags are equal to one: a bit for each.
#[inline(always)]
pub(super) fn equal_tags(tags: &[u8; PLACES], tag: u8) -> u32 {
    const { assert!(PLACES == 2 * WIDE) };
    // SAFETY: both halves have as many bytes as a register, and every x86-64 has SSE2.
    unsafe {
        let tag = _mm_set1_epi8(tag as i8);
        let of =
            |half: *const u8| _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(half.cast()), tag)) as u32;
        of(tags.as_ptr()) | of(tags[WIDE..].as_ptr()) << WIDE
    }
}
