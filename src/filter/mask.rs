//! Zeroing the low bits of every item: what the lossy filters do.

/// How many of `width` bits go: a positive parameter says how many stay, a negative one how many go. `None` when not a
/// single bit would stay, or more than there are.
pub(super) fn zeroed_bits(width: u32, parameter: i8) -> Option<u32> {
    let bits = u32::from(parameter.unsigned_abs());
    let zeroed = if parameter >= 0 { width.checked_sub(bits)? } else { bits };
    (zeroed < width).then_some(zeroed)
}

/// Copies `src` to `dst` with the lowest `zeroed` bits of every item cleared. Items are little-endian integers of
/// `typesize` bytes (1, 2, 4 or 8), `zeroed` is less than their bits; bytes after the last whole item are copied.
pub(super) fn clear_low_bits(typesize: usize, zeroed: u32, src: &[u8], dst: &mut [u8]) {
    match typesize {
        1 => copy_masked::<1>(low_mask(zeroed), src, dst),
        2 => copy_masked::<2>(low_mask(zeroed), src, dst),
        4 => copy_masked::<4>(low_mask(zeroed), src, dst),
        _ => copy_masked::<8>(low_mask(zeroed), src, dst),
    }
}

/// [`clear_low_bits`] without a second buffer.
pub(super) fn clear_low_bits_in_place(typesize: usize, zeroed: u32, buf: &mut [u8]) {
    match typesize {
        1 => mask::<1>(low_mask(zeroed), buf),
        2 => mask::<2>(low_mask(zeroed), buf),
        4 => mask::<4>(low_mask(zeroed), buf),
        _ => mask::<8>(low_mask(zeroed), buf),
    }
}

/// The bytes of an item with all but the lowest `zeroed` bits set.
fn low_mask<const T: usize>(zeroed: u32) -> [u8; T] {
    let bytes = (u64::MAX << zeroed).to_le_bytes();
    std::array::from_fn(|i| bytes[i])
}

fn copy_masked<const T: usize>(mask: [u8; T], src: &[u8], dst: &mut [u8]) {
    let (from, from_tail) = src.as_chunks::<T>();
    let (to, to_tail) = dst.as_chunks_mut::<T>();
    for (to, from) in to.iter_mut().zip(from) {
        *to = std::array::from_fn(|i| from[i] & mask[i]);
    }
    to_tail.copy_from_slice(from_tail);
}

fn mask<const T: usize>(mask: [u8; T], buf: &mut [u8]) {
    for item in buf.as_chunks_mut::<T>().0 {
        *item = std::array::from_fn(|i| item[i] & mask[i]);
    }
}
