//! Running sums in plain Rust: every item becomes the combination of itself and all before it.
//!
//! Eight bytes are worked on at once, without regard to what comes before them; only then are they combined with it. So
//! the words do not wait for each other but in one short step.

/// Bytes become their sum with all bytes before them.
pub(super) fn running_sum(buf: &mut [u8]) {
    const EVENS: u64 = 0x00ff_00ff_00ff_00ff;
    const ONES: u64 = 0x0001_0001_0001_0001;
    let (words, rest) = buf.as_chunks_mut::<8>();
    let mut before = 0u8;
    for word in words {
        let x = u64::from_le_bytes(*word);
        // The running sums of the even and of the odd bytes alone, which 16 bits hold, and what is before the word.
        let even = (x & EVENS).wrapping_mul(ONES).wrapping_add(u64::from(before).wrapping_mul(ONES));
        let odd = ((x >> 8) & EVENS).wrapping_mul(ONES);
        let to_odd = even.wrapping_add(odd);
        let to_even = even.wrapping_add(odd << 16);
        *word = ((to_even & EVENS) | (to_odd << 8 & !EVENS)).to_le_bytes();
        before = before.wrapping_add(((x & EVENS).wrapping_mul(ONES).wrapping_add(odd) >> 48) as u8);
    }
    for byte in rest {
        before = before.wrapping_add(*byte);
        *byte = before;
    }
}

/// Items of `S` bytes, 1, 2, 4 or 8, become their exclusive or with all items before them. Bytes after the last whole
/// item stay as they are.
pub(super) fn running_xor<const S: usize>(buf: &mut [u8]) {
    /// Repeats an item over a word.
    const fn ones(size: usize) -> u64 {
        u64::MAX / (u64::MAX >> (64 - 8 * size))
    }
    let (words, rest) = buf.as_chunks_mut::<8>();
    let mut before = 0u64;
    for word in words {
        let mut x = u64::from_le_bytes(*word);
        let mut shift = 8 * S;
        while shift < 64 {
            x ^= x << shift;
            shift *= 2;
        }
        *word = (x ^ before.wrapping_mul(const { ones(S) })).to_le_bytes();
        before ^= x >> (64 - 8 * S);
    }
    for item in rest.as_chunks_mut::<S>().0 {
        let last = before.to_le_bytes();
        *item = std::array::from_fn(|i| item[i] ^ last[i]);
        before = item.iter().rev().fold(0, |x, &byte| x << 8 | u64::from(byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const S: usize>(scan: fn(&mut [u8]), combine: fn(u8, u8) -> u8) {
        for len in (0..100).chain([255, 256, 1000]) {
            let mut expected: Vec<u8> = (0..len).map(|i| (i * i * 7 + i / 3) as u8).collect();
            let mut out = expected.clone();
            scan(&mut out);
            for i in S..(len - len % S).max(S) {
                expected[i] = combine(expected[i - S], expected[i]);
            }
            assert_eq!(out, expected, "{S} {len}");
        }
    }

    #[test]
    fn item_by_item() {
        check::<1>(running_sum, u8::wrapping_add);
        check::<1>(running_xor::<1>, |x, y| x ^ y);
        check::<2>(running_xor::<2>, |x, y| x ^ y);
        check::<4>(running_xor::<4>, |x, y| x ^ y);
        check::<8>(running_xor::<8>, |x, y| x ^ y);
    }
}
