//! A look at a stream that tells noise, before a slow codec chews on it.
//!
//! Noise is what has neither bytes that are more frequent than others nor repetitions. Of the first, the sum of the
//! squares of how often each byte occurs tells: whatever code a codec makes, it cannot save more than that gives away. Of
//! the second, a fast codec tells, which finds them where there are any to speak of.

use super::lz4;
use crate::base::Result;

/// Shorter streams are compressed before they are looked at.
const SHORT: usize = 4096;
/// By which part of itself the sum of squares may exceed that of bytes that are all as frequent: chance alone comes up to
/// that, and nothing can be saved by it.
const CHANCE: u64 = 128;

/// Whether no codec is going to shrink `src`. `room` holds anything afterwards, and is one byte shorter than `src`, or less.
///
/// # Errors
/// As the fast codec.
pub(super) fn is_noise(fast: &mut lz4::State, src: &[u8], room: &mut [u8]) -> Result<bool> {
    Ok(src.len() >= SHORT && is_even(src) && fast.compress(9, None, src, room)? == 0)
}

/// Whether all bytes are as frequent as they would be by chance.
fn is_even(src: &[u8]) -> bool {
    let counts = counts(src);
    let len = src.len() as u64;
    // Pairs of places with the same byte, which chance gives one of 256.
    let pairs: u64 = counts.iter().map(|&count| count * count.saturating_sub(1)).sum();
    let all = len * (len - 1) / 256;
    pairs <= all + all / CHANCE
}

/// How often each byte occurs.
fn counts(src: &[u8]) -> [u64; 256] {
    // Several tables: a byte may come twice in a row.
    let mut tables = [[0u32; 256]; 4];
    let (parts, rest) = src.as_chunks::<4>();
    for part in parts {
        for (table, &byte) in tables.iter_mut().zip(part) {
            table[usize::from(byte)] += 1;
        }
    }
    for &byte in rest {
        tables[0][usize::from(byte)] += 1;
    }
    std::array::from_fn(|byte| tables.iter().map(|table| u64::from(table[byte])).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(len: usize) -> Vec<u8> {
        let mut x = 7u64;
        (0..len)
            .map(|_| {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                (x >> 32) as u8
            })
            .collect()
    }

    fn seen(src: &[u8]) -> bool {
        let mut room = vec![0; src.len() - 1];
        is_noise(&mut lz4::State::default(), src, &mut room).unwrap()
    }

    #[test]
    fn noise_is_seen_and_other_streams_are_not() {
        for len in [SHORT, 10_001, 1 << 17] {
            let mut src = noise(len);
            assert!(seen(&src), "{len}");
            // A little of one byte, a repetition far away, seven bits only, half of it zeros.
            src[..len / 16].fill(3);
            assert!(!seen(&src));
            let src = noise(len);
            let twice = [&src[..], &src[..]].concat();
            assert!(!seen(&twice) || len > 1 << 16);
            assert!(!seen(&src.iter().map(|byte| byte & 127).collect::<Vec<_>>()));
            assert!(!seen(&[&src[..], &vec![0; len]].concat()));
        }
        assert!(!seen(&noise(SHORT - 1)));
        assert!(!seen(&(0..=255).cycle().take(1 << 16).collect::<Vec<u8>>()));
    }
}
