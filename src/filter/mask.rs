//! Zeroing the low bits of every item: what the lossy filters do.

/// How many of `width` bits go: a positive parameter says how many stay, a negative one how many go. `None` when not a
/// single bit would stay, or more than there are.
pub(super) fn zeroed_bits(width: u32, parameter: i8) -> Option<u32> {
    let bits = u32::from(parameter.unsigned_abs());
    let zeroed = if parameter >= 0 { width.checked_sub(bits)? } else { bits };
    (zeroed < width).then_some(zeroed)
}

/// Items whose lowest bits are to be cleared.
pub(super) struct LowBits {
    typesize: usize,
    /// Eight bytes of items with only the other bits set.
    mask: [u8; 8],
}

impl LowBits {
    /// The lowest `zeroed` bits of little-endian integers of `typesize` bytes: 1, 2, 4 or 8. There are more than that.
    pub fn new(typesize: usize, zeroed: u32) -> Self {
        let item = (u64::MAX << zeroed).to_le_bytes();
        LowBits { typesize, mask: std::array::from_fn(|i| item[i % typesize]) }
    }

    /// Copies `src` to `dst`, which is as long, with the bits cleared. Bytes after the last whole item are only copied.
    pub fn clear(&self, src: &[u8], dst: &mut [u8]) {
        let (from, from_rest) = src.as_chunks::<8>();
        let (to, to_rest) = dst.as_chunks_mut::<8>();
        for (to, from) in to.iter_mut().zip(from) {
            *to = and(from, &self.mask);
        }
        to_rest.copy_from_slice(from_rest);
        self.clear_rest(to_rest);
    }

    /// Clears the bits in place.
    pub fn clear_in_place(&self, buf: &mut [u8]) {
        let (words, rest) = buf.as_chunks_mut::<8>();
        for word in words {
            *word = and(word, &self.mask);
        }
        self.clear_rest(rest);
    }

    /// Clears the bits of the whole items in fewer than 8 bytes.
    fn clear_rest(&self, rest: &mut [u8]) {
        let whole = rest.len() - rest.len() % self.typesize;
        rest[..whole].iter_mut().zip(self.mask).for_each(|(byte, mask)| *byte &= mask);
    }
}

fn and(x: &[u8; 8], y: &[u8; 8]) -> [u8; 8] {
    (u64::from_ne_bytes(*x) & u64::from_ne_bytes(*y)).to_ne_bytes()
}
