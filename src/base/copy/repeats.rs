//! Copying by the instruction that repeats itself, `rep movsb`.
//!
//! It need not read the lines that it overwrites: of what no cache near by holds, it copies as much in less time, up to a
//! third. But where the destination lies a little behind the source, modulo a page, each of its reads seems to want what it
//! has just written; there, and on some processors nearly anywhere, it takes ten times as long.
#![allow(unsafe_code)] // the instruction

use crate::base::cpu::{self, Moves};
use std::arch::asm;

/// Fewer bytes are sooner copied in registers.
const LEAST: usize = 16 << 10;
const PAGE: usize = 4096;
/// What writes of whole lines begin at.
const LINE: usize = 64;

/// Whether this processor copies `src` to `dst` fast.
pub(super) fn suit(src: &[u8], dst: &[u8]) -> bool {
    let Moves::FastFrom(far) = cpu::repeated_moves() else { return false };
    src.len() > LEAST && !is_near(src.as_ptr() as usize, dst.as_ptr() as usize, far)
}

/// Whether the destination lies behind the source, but less than `far`, modulo [`PAGE`].
fn is_near(src: usize, dst: usize, far: usize) -> bool {
    (1..far).contains(&(dst.wrapping_sub(src) % PAGE))
}

/// Copies `src` to `dst`.
///
/// # Panics
/// When the lengths differ or are less than a line.
pub(super) fn copy(src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len());
    // The first line apart: the rest then begins with one.
    dst[..LINE].copy_from_slice(&src[..LINE]);
    let skip = LINE - dst.as_ptr() as usize % LINE;
    let (src, dst) = (&src[skip..], &mut dst[skip..]);
    // SAFETY: both have `src.len()` bytes and, one being borrowed mutably, do not overlap; the ABI has the direction flag clear.
    unsafe {
        asm!(
            "rep movsb",
            inout("rcx") src.len() => _,
            inout("rsi") src.as_ptr() => _,
            inout("rdi") dst.as_mut_ptr() => _,
            options(nostack, preserves_flags),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_destination_a_little_behind_the_source_is_too_near() {
        for far in [64, 512] {
            assert!(
                !is_near(0x1000, 0x5000, far) && is_near(0x1000, 0x5001, far) && is_near(0x1fff, 0x5000, far)
            );
            assert!(is_near(0x1000, 0x5000 + far - 1, far) && !is_near(0x1000, 0x5000 + far, far));
            assert!(!is_near(0x1001, 0x5000, far));
        }
    }

    #[test]
    fn copies_from_any_line_to_any_line_are_whole() {
        let src: Vec<u8> = (0..1000u32).map(|i| (i % 251) as u8).collect();
        for from in 0..LINE {
            for len in [LINE, LINE + 1, 800] {
                let mut dst = vec![7; 1000];
                copy(&src[from..][..len], &mut dst[2 * LINE - from..][..len]);
                assert!(dst[2 * LINE - from..][..len] == src[from..][..len]);
                assert_eq!((dst[2 * LINE - from - 1], dst[2 * LINE - from + len]), (7, 7));
            }
        }
    }
}
