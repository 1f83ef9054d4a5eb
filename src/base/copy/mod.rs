//! Copying, where the C library's `memcpy` is not trusted with it.
//!
//! For more than two KiB or so, that goes over to an instruction that repeats itself, which is too soon: at 16 KiB, where the
//! first cache holds both places, AVX-512 takes 0.7 of the time. On some processors the instruction is slow besides. And past
//! some megabytes it goes back to registers, where the instruction would have been faster.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod repeats;
#[cfg(target_arch = "x86_64")]
mod sse2;

use crate::base::cpu::{self, Simd};

/// As many bytes `memcpy` copies in registers.
const STEP: usize = 2048;
/// So many bytes, and where they go to, are more than a core's own caches hold: registers of half a line then take some hundredths
/// less time than those of a whole one, which mostly lies in two lines where it is read (Zen 4).
const LARGE: usize = 1 << 20;
/// So many bytes are not in any cache near by, and registers are not better than `memcpy` with them.
const MANY: usize = 16 << 20;

/// Copies `src` to `dst`, which is as long.
///
/// # Panics
/// When the lengths differ.
#[inline]
pub fn copy(src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len(), "copies are as long as what they are of");
    if src.len() <= STEP { dst.copy_from_slice(src) } else { copy_many(src, dst) }
}

/// Copies `src` to `dst`, which is as long: few bytes in two parts that may overlap, which takes less time than a call.
///
/// # Panics
/// When the lengths differ.
#[inline(always)]
pub fn copy_short(src: &[u8], dst: &mut [u8]) {
    fn halves<const N: usize>(src: &[u8], dst: &mut [u8]) -> Option<()> {
        let (first, last) = (src.first_chunk::<N>()?, src.last_chunk::<N>()?);
        *dst.first_chunk_mut()? = *first;
        *dst.last_chunk_mut()? = *last;
        Some(())
    }
    assert_eq!(src.len(), dst.len(), "copies are as long as what they are of");
    let done = match src.len() {
        5..=7 => halves::<4>(src, dst),
        9..=15 => halves::<8>(src, dst),
        17..=31 => halves::<16>(src, dst),
        33..=64 => halves::<32>(src, dst),
        _ => None,
    };
    if done.is_none() {
        dst.copy_from_slice(src);
    }
}

#[inline(never)]
fn copy_many(src: &[u8], dst: &mut [u8]) {
    match cpu::simd() {
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 | Simd::Avx512 if repeats::suit(src, dst) => repeats::copy(src, dst),
        _ if src.len() >= MANY => dst.copy_from_slice(src),
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 if src.len() < LARGE => avx512::copy(src, dst),
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => avx2::copy::<false>(src, dst),
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => avx2::copy::<true>(src, dst),
        _ => copy_in_steps(src, dst),
    }
}

/// Says that `bytes` are going to be read soon, and does not wait for them.
#[inline]
pub fn fetch_ahead(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    sse2::fetch(bytes);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

fn copy_in_steps(src: &[u8], dst: &mut [u8]) {
    for (from, to) in src.chunks(STEP).zip(dst.chunks_mut(STEP)) {
        to.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_any_length_are_whole() {
        let src: Vec<u8> = (0..MANY + 7).map(|i| (i % 251) as u8).collect();
        let limits = [STEP, LARGE, MANY].into_iter().flat_map(|limit| [limit - 1, limit, limit + 1]);
        let lens = limits.chain([0, 1, 2 * STEP, 3 * STEP + 5, src.len()]);
        let copies = [("any", copy as fn(&[u8], &mut [u8])), ("steps", copy_in_steps), ("short", copy_short)];
        for len in lens.chain(STEP + 2..STEP + 300).chain(2..130) {
            for (kind, copy) in copies {
                // What is around the destination stays.
                let mut dst = vec![7; len + 3];
                copy(&src[..len], &mut dst[1..][..len]);
                assert!(dst[1..][..len] == src[..len], "{len} bytes by {kind}");
                assert_eq!((dst[0], &dst[len + 1..]), (7, &[7, 7][..]), "{len} bytes by {kind}");
            }
        }
    }
}
