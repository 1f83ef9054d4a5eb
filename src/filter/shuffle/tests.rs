use super::*;
use crate::base::random::Random;

/// Lengths around every boundary that a kernel may have, for one typesize.
pub(crate) fn lengths(typesize: usize) -> Vec<usize> {
    let mut lengths: Vec<usize> = (0..3 * typesize + 3).step_by(typesize.div_ceil(8)).collect();
    for items in [8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 200, 256, 513, 1024, 1100] {
        let whole = items * typesize;
        lengths.extend([whole, whole + 1, whole + typesize - 1]);
    }
    // What four registers of the widest kernel hold, and less than a tile of it: there are kernels for those.
    lengths.extend((0..=260).step_by(if typesize <= 16 { 1 } else { 7 }));
    if matches!(typesize, 4 | 8) {
        lengths.extend((1..64).map(|items| items * typesize));
    }
    if matches!(typesize, 16 | 32) {
        // So far apart, streams push each other out of the cache.
        lengths.push(4096 * typesize);
    }
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// Typesizes that have kernels of their own, and enough of the others.
pub(crate) fn typesizes() -> impl Iterator<Item = usize> {
    (1..=40).chain([48, 63, 64, 65, 100, 128, 255, 256])
}

/// Bytes without a pattern.
pub(crate) fn noise(len: usize) -> Vec<u8> {
    Random::new(1).bytes(len)
}

/// Runs a kernel over every typesize and length, from and to odd addresses, and says whether it is `definition`. Bytes
/// around the output must stay as they are.
pub(crate) fn check(kernel: impl Fn(usize, &[u8], &mut [u8]), definition: impl Fn(usize, &[u8], &mut [u8])) {
    for typesize in typesizes() {
        for (round, len) in lengths(typesize).into_iter().enumerate() {
            let (from, to) = (round % 67, (round * 7 + 3) % 71);
            let src = noise(len + 67);
            let src = &src[from..from + len];
            let mut expected = vec![0; len];
            definition(typesize, src, &mut expected);
            let mut out = vec![0xa5; len + 200];
            kernel(typesize, src, &mut out[to..to + len]);
            assert!(out[to..to + len] == expected, "typesize {typesize}, {len} bytes");
            assert!(
                out[..to].iter().chain(&out[to + len..]).all(|&b| b == 0xa5),
                "{typesize}, {len}: around"
            );
        }
    }
}

#[test]
fn a_matrix_is_transposed_and_its_tail_kept() {
    let mut out = [0; 8];
    shuffle(3, &[1, 2, 3, 4, 5, 6, 7, 8], &mut out);
    assert_eq!(out, [1, 4, 2, 5, 3, 6, 7, 8]);
    let mut back = [0; 8];
    unshuffle(3, &out, &mut back);
    assert_eq!(back, [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn the_scalar_kernels_are_each_others_inverse() {
    let unshuffled_shuffled = |typesize, src: &[u8], dst: &mut [u8]| {
        let mut there = vec![0; src.len()];
        shuffle_at(Simd::Scalar, typesize, src, &mut there);
        unshuffle_at(Simd::Scalar, typesize, &there, dst);
    };
    check(unshuffled_shuffled, |_, src, dst| dst.copy_from_slice(src));
}

#[test]
fn every_level_is_the_definition() {
    for level in Simd::ALL {
        check(
            |t, src, dst| shuffle_at(level, t, src, dst),
            |t, src, dst| shuffle_at(Simd::Scalar, t, src, dst),
        );
        check(
            |t, src, dst| unshuffle_at(level, t, src, dst),
            |t, src, dst| unshuffle_at(Simd::Scalar, t, src, dst),
        );
    }
}

#[test]
fn streams_that_lie_apart_are_unshuffled_as_those_that_do_not() {
    let apart = |level, typesize: usize, src: &[u8], dst: &mut [u8]| {
        let n = src.len() / typesize;
        if n == 0 {
            return dst.copy_from_slice(src);
        }
        // In reverse order, at all sorts of addresses.
        let mut memory = Vec::new();
        let mut begin = vec![0; typesize];
        for j in (0..typesize).rev() {
            memory.resize(memory.len() + j % 5, 0xa5);
            begin[j] = memory.len();
            memory.extend_from_slice(&src[j * n..(j + 1) * n]);
        }
        let streams: Vec<&[u8]> = begin.iter().map(|&at| &memory[at..at + n]).collect();
        unshuffle_apart_at(level, &streams, &mut dst[..n * typesize]);
        dst[n * typesize..].copy_from_slice(&src[n * typesize..]);
    };
    for level in Simd::ALL {
        check(|t, src, dst| apart(level, t, src, dst), |t, src, dst| unshuffle_at(Simd::Scalar, t, src, dst));
    }
}

#[test]
#[should_panic(expected = "equally long")]
fn streams_that_lie_apart_are_equally_long() {
    let bytes = [0; 64];
    // The last of five: four are looked at together.
    let streams = [&bytes[..12], &bytes[..12], &bytes[..12], &bytes[..12], &bytes[..13]];
    unshuffle_apart_at(Simd::Scalar, &streams, &mut [0; 60]);
}

#[test]
fn rows_are_what_they_would_be_of_the_whole_block() {
    for level in Simd::ALL {
        for typesize in [1, 2, 3, 4, 8, 12, 16, 32] {
            let n = 700;
            let src = noise(n * typesize);
            let mut whole = vec![0; src.len()];
            unshuffle_at(Simd::Scalar, typesize, &src, &mut whole);
            let streams: Vec<&[u8]> = src.chunks_exact(n).collect();
            for items in [1, 15, 63, 64, 65, 127, 128, 129, 200] {
                // From all over the block, to rows with something between them.
                let firsts = [0, 1, 64, 333, n - items];
                let mut out = vec![0xa5; firsts.len() * (items * typesize + 3)];
                let mut rows: Vec<Row<'_>> = out
                    .chunks_exact_mut(items * typesize + 3)
                    .zip(firsts)
                    .map(|(to, first)| Row { at: first * typesize, bytes: &mut to[1..][..items * typesize] })
                    .collect();
                unshuffle_rows_at(level, &streams, &mut rows);
                for (row, first) in out.chunks_exact(items * typesize + 3).zip(firsts) {
                    let expected = &whole[first * typesize..][..items * typesize];
                    assert!(row[1..][..expected.len()] == *expected, "{level:?}, {typesize}, {items}");
                    assert_eq!((row[0], &row[expected.len() + 1..]), (0xa5, &[0xa5; 2][..]));
                }
            }
        }
    }
}

#[test]
fn rows_outside_the_block_or_of_parts_of_items_are_refused() {
    let src = noise(400);
    let streams: Vec<&[u8]> = src.chunks_exact(100).collect();
    for level in Simd::ALL {
        for (at, len) in
            [(0, 404), (148, 256), (2, 256), (0, 258), (400, 256), (404, 4), (usize::MAX - 3, 256)]
        {
            let row = |bytes: &mut [u8]| unshuffle_rows_at(level, &streams, &mut [Row { at, bytes }]);
            let refused = std::panic::catch_unwind(|| row(&mut vec![0; len]));
            assert!(refused.is_err(), "{level:?}, {len} bytes at {at}");
        }
    }
}
