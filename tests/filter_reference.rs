//! The reorderings give the bytes that the C library's exported ones give, for every typesize and tail.
#![allow(unsafe_code)] // calling the reference

mod common;

use blosc2::filter::{bitshuffle, shuffle};
use common::{Reference, Rng};

/// `blosc2_shuffle` and its like: typesize, bytes, from, to.
type Reorder = unsafe extern "C" fn(i32, i32, *const u8, *mut u8) -> i32;

fn typesizes() -> impl Iterator<Item = usize> {
    (1..=40).chain([48, 64, 100, 128, 255, 256])
}

/// Lengths with every kind of tail: of bytes after the last item, of items after the last group or register.
fn lengths(typesize: usize, rng: &mut Rng) -> Vec<usize> {
    let mut lengths = vec![0, 1, typesize - 1, typesize, typesize + 1];
    for items in [7, 8, 9, 15, 16, 31, 33, 64, 71, 128, 200, 513, 1031] {
        lengths.push(items * typesize + rng.below(typesize));
    }
    lengths
}

fn compare(name: &str, ours: fn(usize, &[u8], &mut [u8])) {
    let Some(reference) = Reference::load() else { return };
    // SAFETY: the four functions have this type.
    let theirs = unsafe { reference.function::<Reorder>(name) };
    let mut rng = Rng::new(7);
    for typesize in typesizes() {
        for len in lengths(typesize, &mut rng) {
            let src = rng.bytes(len);
            let mut expected = vec![0; len];
            // SAFETY: both buffers have `len` bytes.
            let done = unsafe { theirs(typesize as i32, len as i32, src.as_ptr(), expected.as_mut_ptr()) };
            assert_eq!(done, len as i32);
            let mut out = vec![0; len];
            ours(typesize, &src, &mut out);
            assert!(out == expected, "{name}, typesize {typesize}, {len} bytes");
        }
    }
}

#[test]
fn shuffle_gives_the_references_bytes() {
    compare("blosc2_shuffle", shuffle::shuffle);
}

#[test]
fn unshuffle_gives_the_references_bytes() {
    compare("blosc2_unshuffle", shuffle::unshuffle);
}

#[test]
fn bitshuffle_gives_the_references_bytes() {
    compare("blosc2_bitshuffle", bitshuffle::bitshuffle);
}

#[test]
fn bitunshuffle_gives_the_references_bytes() {
    compare("blosc2_bitunshuffle", bitshuffle::bitunshuffle);
}
