//! The checksum of a zlib wrapper (RFC 1950). It is `zlib-rs`'s; where registers are wider than those that it uses, a kernel.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod tests;

use crate::base::cpu::{self, Simd};

/// Adler-32 of `data`.
pub(super) fn adler32(data: &[u8]) -> u32 {
    match cpu::simd() {
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => avx512::adler32(data),
        _ => zlib_rs::adler32::adler32(1, data),
    }
}
