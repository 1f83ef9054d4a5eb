use super::*;

/// Lengths around every boundary that a kernel may have, for one typesize.
pub(crate) fn lengths(typesize: usize) -> Vec<usize> {
    let mut lengths: Vec<usize> = (0..3 * typesize + 3).collect();
    for items in [7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 600] {
        let whole = items * typesize;
        lengths.extend([whole, whole + 1, whole + typesize - 1]);
    }
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// Typesizes that have kernels of their own, and enough of the others.
pub(crate) fn typesizes() -> impl Iterator<Item = usize> {
    (1..=40).chain([48, 63, 64, 65, 100, 128, 255, 256])
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
