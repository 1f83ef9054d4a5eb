use super::*;
use crate::filter::shuffle::tests::check;

#[test]
fn bits_are_transposed_and_the_tail_kept() {
    let mut src = vec![0u8; 19];
    src[0] = 0b0000_0001; // item 0, byte 0, bit 0
    src[5] = 0b1000_0000; // item 2, byte 1, bit 7
    src[16..].copy_from_slice(&[7, 8, 9]);
    let mut out = vec![0; 19];
    bitshuffle(2, &src, &mut out);
    let mut expected = vec![0; 19];
    expected[0] = 1 << 0;
    expected[15] = 1 << 2;
    expected[16..].copy_from_slice(&[7, 8, 9]);
    assert_eq!(out, expected);
    let mut back = vec![0; 19];
    bitunshuffle(2, &out, &mut back);
    assert_eq!(back, src);
}

#[test]
fn blosc1_left_odd_blocks_alone() {
    let src: Vec<u8> = (0..36).collect();
    let mut out = vec![0; 36];
    bitunshuffle_blosc1(4, &src, &mut out);
    assert_eq!(out, src);
    bitunshuffle_blosc1(4, &src[..34], &mut out[..34]);
    let mut new = vec![0; 34];
    bitunshuffle(4, &src[..34], &mut new);
    assert_eq!(out[..34], new);
}

#[test]
fn the_definitions_are_each_others_inverse() {
    let there_and_back = |typesize, src: &[u8], dst: &mut [u8]| {
        let mut there = vec![0; src.len()];
        defined(scalar::bitshuffle)(typesize, src, &mut there);
        defined(scalar::bitunshuffle)(typesize, &there, dst);
    };
    check(there_and_back, |_, src, dst| dst.copy_from_slice(src));
}

#[test]
fn every_level_is_the_definition() {
    for level in Simd::ALL {
        check(|t, src, dst| bitshuffle_at(level, t, src, dst), defined(scalar::bitshuffle));
        check(|t, src, dst| bitunshuffle_at(level, t, src, dst), defined(scalar::bitunshuffle));
    }
}

/// A definition, which takes groups of eight items, with the tail copied.
fn defined(definition: fn(usize, &[u8], &mut [u8])) -> impl Fn(usize, &[u8], &mut [u8]) {
    move |typesize, src, dst| {
        let whole = copy_tail(typesize, src, dst);
        definition(typesize, &src[..whole], &mut dst[..whole]);
    }
}
