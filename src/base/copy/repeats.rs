//! Copying by the instruction that repeats itself, `rep movsb`.
//!
//! It need not read the lines that it overwrites: of what no cache near by holds, it copies as much in less time, up to a
//! third. But where the destination lies a little behind the source, modulo a page, each of its reads seems to want what it
//! has just written; there, and on some processors nearly anywhere, it takes ten times as long.
#![allow(unsafe_code)] // the instruction

use std::arch::asm;
use std::arch::x86_64::{__cpuid, __cpuid_count};
use std::sync::OnceLock;

/// Fewer bytes are sooner copied in registers.
const LEAST: usize = 16 << 10;
/// How far behind the source, modulo [`PAGE`], the destination is too near.
const NEAR: usize = 512;
const PAGE: usize = 4096;
/// What writes of whole lines begin at.
const LINE: usize = 64;

/// Whether this processor copies `src` to `dst` fast.
pub(super) fn suit(src: &[u8], dst: &[u8]) -> bool {
    src.len() > LEAST && !is_near(src.as_ptr() as usize, dst.as_ptr() as usize) && are_fast()
}

fn is_near(src: usize, dst: usize) -> bool {
    (1..NEAR).contains(&(dst.wrapping_sub(src) % PAGE))
}

/// Whether the processor says that it repeats moves fast, short ones too (those that say so are fast with all), and does.
fn are_fast() -> bool {
    static FAST: OnceLock<bool> = OnceLock::new();
    *FAST.get_or_init(|| {
        let (most, features) = (__cpuid(0), || __cpuid_count(7, 0));
        let says_so = most.eax >= 7 && features().edx & 1 << 4 != 0;
        says_so && !(is_amd([most.ebx, most.edx, most.ecx]) && family(__cpuid(1).eax) == UNTRUE)
    })
}

/// The family of processors that say so and are slow: Zen 3 and 4 (bug 30994 of glibc, which leaves the instruction alone on
/// them, too).
const UNTRUE: u32 = 0x19;

fn is_amd(vendor: [u32; 3]) -> bool {
    vendor.map(u32::to_le_bytes).as_flattened() == b"AuthenticAMD"
}

/// The family that a processor's signature tells.
fn family(signature: u32) -> u32 {
    let (family, more) = (signature >> 8 & 0xf, signature >> 20 & 0xff);
    if family == 0xf { family + more } else { family }
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
        assert!(!is_near(0x1000, 0x5000) && is_near(0x1000, 0x5001) && is_near(0x1fff, 0x5000));
        assert!(is_near(0x1000, 0x51ff) && !is_near(0x1000, 0x5200) && !is_near(0x1001, 0x5000));
    }

    #[test]
    fn processors_are_told_by_their_signature() {
        // Zen 4, Zen 5, and one that is not AMD's.
        assert_eq!([0x00a1_0f11, 0x00b0_0f21, 0x0008_06f8].map(family), [0x19, 0x1a, 6]);
        assert!(
            is_amd([0x6874_7541, 0x6974_6e65, 0x444d_4163])
                && !is_amd([0x756e_6547, 0x4965_6e69, 0x6c65_746e])
        );
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
