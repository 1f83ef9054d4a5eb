//! The definition of the bit shuffle, which the tests hold the kernels to.

/// Bit-shuffles whole groups of eight items.
///
/// # Panics
/// When the lengths differ or are not a multiple of `8 * typesize`.
#[cfg(test)]
pub fn bitshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len());
    assert_eq!(src.len() % (8 * typesize), 0);
    let row = src.len() / (8 * typesize);
    for (i, group) in src.chunks_exact(8 * typesize).enumerate() {
        for j in 0..typesize {
            let bytes = std::array::from_fn(|k| group[k * typesize + j]);
            for (k, bits) in transpose8(bytes).into_iter().enumerate() {
                dst[(8 * j + k) * row + i] = bits;
            }
        }
    }
}

/// Undoes [`bitshuffle`].
///
/// # Panics
/// When the lengths differ or are not a multiple of `8 * typesize`.
#[cfg(test)]
pub fn bitunshuffle(typesize: usize, src: &[u8], dst: &mut [u8]) {
    assert_eq!(src.len(), dst.len());
    assert_eq!(src.len() % (8 * typesize), 0);
    let row = src.len() / (8 * typesize);
    for (i, group) in dst.chunks_exact_mut(8 * typesize).enumerate() {
        for j in 0..typesize {
            let bits = std::array::from_fn(|k| src[(8 * j + k) * row + i]);
            for (k, byte) in transpose8(bits).into_iter().enumerate() {
                group[k * typesize + j] = byte;
            }
        }
    }
}

/// Transposes 8 by 8 bits: bit `m` of byte `k` becomes bit `k` of byte `m`.
pub fn transpose8(rows: [u8; 8]) -> [u8; 8] {
    // Swap ever larger off-diagonal squares: single bits, 2 by 2, 4 by 4.
    let mut x = u64::from_le_bytes(rows);
    for (shift, mask) in
        [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)]
    {
        let t = (x ^ (x >> shift)) & mask;
        x ^= t ^ (t << shift);
    }
    x.to_le_bytes()
}
