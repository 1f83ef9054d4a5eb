//! Bytedelta: in each stream of a shuffled block, every byte becomes its difference to the one before.
//!
//! A block of `n` items has one stream of `n` bytes per byte of the type; bytes after the last whole item belong to no
//! stream and stay as they are. The first release ([`BYTEDELTA_OLD`](super::BYTEDELTA_OLD)) took each stream's
//! remainder of 16 bytes for a stream of its own.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use super::scan;
use crate::base::cpu::{self, Simd};

/// Which of the two filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    /// As it is now.
    Current,
    /// As first released: the last `n % 16` bytes of a stream start anew.
    Old,
}

/// Takes the differences of `src` into `dst`.
///
/// # Panics
/// When `nstreams` is 0 or the two lengths differ.
pub fn forward(flavor: Flavor, nstreams: usize, src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len(), "a block keeps its length");
    let mut at = 0;
    for len in runs(flavor, nstreams, src.len()) {
        differences(&src[at..][..len], &mut dst[at..][..len]);
        at += len;
    }
    dst[at..].copy_from_slice(&src[at..]);
}

/// Undoes [`forward`].
///
/// # Panics
/// As [`forward`].
pub fn backward(flavor: Flavor, nstreams: usize, src: &[u8], dst: &mut [u8]) {
    dst.copy_from_slice(src);
    backward_in_place(flavor, nstreams, dst);
}

/// Undoes [`forward`] in place.
///
/// # Panics
/// When `nstreams` is 0.
pub fn backward_in_place(flavor: Flavor, nstreams: usize, buf: &mut [u8]) {
    backward_in_place_at(cpu::simd(), flavor, nstreams, buf);
}

/// [`backward_in_place`] with the kernel of a level, or a lower one where the machine lacks it.
///
/// # Panics
/// When `nstreams` is 0.
pub fn backward_in_place_at(level: Simd, flavor: Flavor, nstreams: usize, buf: &mut [u8]) {
    let mut rest = buf;
    for len in runs(flavor, nstreams, rest.len()) {
        let (run, after) = rest.split_at_mut(len);
        running_sum(level, run);
        rest = after;
    }
}

/// The lengths of the pieces of a block in which differences are taken, in order, none of them empty.
fn runs(flavor: Flavor, nstreams: usize, nbytes: usize) -> impl Iterator<Item = usize> {
    let stream = nbytes / nstreams;
    let restart = match flavor {
        Flavor::Current => 0,
        Flavor::Old => stream % 16,
    };
    // A header may say that there are billions of streams, in a block that has no byte for any of them.
    let nstreams = if stream == 0 { 0 } else { nstreams };
    (0..nstreams).flat_map(move |_| [stream - restart, restart]).filter(|&len| len > 0)
}

/// Takes the differences in one piece, which is not empty.
fn differences(src: &[u8], dst: &mut [u8]) {
    dst[0] = src[0];
    for ((out, now), before) in dst[1..].iter_mut().zip(&src[1..]).zip(src) {
        *out = now.wrapping_sub(*before);
    }
}

fn running_sum(level: Simd, run: &mut [u8]) {
    match level.min(cpu::detected()) {
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2 => avx2::running_sum(run),
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512 => avx512::running_sum(run),
        _ => scan::running_sum(run),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_start_anew_and_the_tail_stays() {
        let mut out = [0; 8];
        forward(Flavor::Current, 2, &[1, 3, 6, 5, 5, 4], &mut out[..6]);
        assert_eq!(out[..6], [1, 2, 3, 5, 0, 255]);
        forward(Flavor::Current, 3, &[1, 3, 6, 5, 5, 4, 8, 9], &mut out);
        assert_eq!(out, [1, 2, 6, 255, 5, 255, 8, 9]);
    }

    #[test]
    fn streams_without_bytes_take_no_time() {
        for flavor in [Flavor::Current, Flavor::Old] {
            let mut out = [0; 3];
            forward(flavor, usize::MAX, &[1, 3, 6], &mut out);
            backward_in_place(flavor, usize::MAX, &mut out);
            assert_eq!(out, [1, 3, 6]);
        }
    }

    #[test]
    fn the_old_filter_starts_anew_in_the_remainder() {
        let src: Vec<u8> = (10..28).collect();
        let mut out = [0; 18];
        forward(Flavor::Old, 1, &src, &mut out);
        assert_eq!(out, [10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 26, 1]);
    }

    #[test]
    fn comes_back_for_every_length() {
        for flavor in [Flavor::Current, Flavor::Old] {
            for nstreams in [1, 2, 3, 4, 8, 12, 255] {
                for len in (0..80).chain([255, 256, 1000]) {
                    let src: Vec<u8> = (0..len).map(|i| (i * i * 7 + i / 3) as u8).collect();
                    let mut there = vec![0; len];
                    forward(flavor, nstreams, &src, &mut there);
                    for level in Simd::ALL {
                        let mut back = there.clone();
                        backward_in_place_at(level, flavor, nstreams, &mut back);
                        assert_eq!(back, src, "{level:?} {flavor:?} {nstreams} {len}");
                    }
                }
            }
        }
    }
}
