//! A look at a stream that tells noise, before a slow codec chews on it.
//!
//! Noise is what has neither bytes that are more frequent than others nor repetitions. Of the first, the sum of the
//! squares of how often each byte occurs tells: whatever code a codec makes, it cannot save more than that gives away. Of
//! the second, a fast codec tells, which finds them where there are any to speak of.

use super::{LZ4, StreamParams, lz4};
use crate::base::Result;

/// Shorter streams are compressed before they are looked at.
const SHORT: usize = 4096;
/// By which part of itself the sum of squares may exceed that of bytes that are all as frequent: chance alone comes up to
/// that, and nothing can be saved by it.
const CHANCE: u64 = 128;
/// A few bytes of a stream, and how many sorts of them there are in noise.
const FEW: usize = 32;
const SORTS: u32 = 24;
/// Bytes of the items that it may be made of.
const ITEM: usize = 8;
/// A few pieces of a stream are looked at first: most streams are uneven enough to show it there.
const PIECES: usize = 16;
const PIECE: usize = 64;
/// Bytes after which it is looked how even they are so far.
const STRIDE: usize = 32;
/// As [`CHANCE`], for as few bytes as those: more than five times what chance usually comes up to.
const CHANCE_OF_PIECES: u64 = 8;

/// Whether no codec is going to shrink `src`. `room` holds anything afterwards, and is one byte shorter than `src`, or less.
///
/// # Errors
/// As the fast codec.
pub(super) fn is_noise(fast: &mut lz4::State, src: &[u8], room: &mut [u8]) -> Result<bool> {
    if src.len() < SHORT || !is_varied(src) || !is_even_in_pieces(src) {
        return Ok(false);
    }
    let p = StreamParams { codec: LZ4, clevel: 9, ..StreamParams::default() };
    // Repetitions that are everywhere are at the beginning, too.
    let front = &src[..SHORT.max(src.len() / 8)];
    if src.len() >= 4 * SHORT && (1..front.len() / 2).contains(&fast.compress(&p, front, room)?) {
        return Ok(false);
    }
    Ok(is_even(src, CHANCE) && fast.compress(&p, src, room)? == 0)
}

/// Whether a few bytes of a stream of some length are of as many sorts as they would be by chance.
pub(super) fn is_varied(src: &[u8]) -> bool {
    let mut sorts = [0u64; 4];
    for (i, part) in src.chunks_exact(src.len() / FEW).take(FEW).enumerate() {
        // Each byte of an item in turn.
        let byte = part[i % ITEM];
        sorts[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }
    sorts.into_iter().map(u64::count_ones).sum::<u32>() >= SORTS
}

/// [`is_even`], by a few pieces of the stream: one that is uneven in them is no noise, be it even on the whole.
fn is_even_in_pieces(src: &[u8]) -> bool {
    let mut counts = Counts::default();
    src.chunks(src.len() / PIECES).take(PIECES).for_each(|part| counts.add(&part[..PIECE]));
    counts.is_even(CHANCE_OF_PIECES)
}

/// Whether all bytes are as frequent as they would be by chance, but for one part in `chance` of the sum of their squares.
pub(super) fn is_even(src: &[u8], chance: u64) -> bool {
    let mut counts = Counts::default();
    counts.add(src);
    counts.is_even(chance)
}

/// [`is_even`], for a few thousand bytes at most, with so many pairs to spare: soon done where many bytes are the same.
pub(super) fn is_even_on_the_way(src: &[u8], spare: usize) -> bool {
    let most = |len: usize| len * (len - 1) / 256 + spare;
    // Of a short stream of numbers, the last byte is one that most items have: to count that one alone takes a few steps.
    if let (1..=255, Some(last)) = (src.len(), src.last()) {
        let n = usize::from(src.iter().map(|byte| u8::from(byte == last)).sum::<u8>());
        if n * (n - 1) > most(src.len()) {
            return false;
        }
    }
    let (mut counts, mut pairs, mut len) = ([0u16; 256], 0, 0);
    for part in src.chunks(STRIDE) {
        for &byte in part {
            let count = &mut counts[usize::from(byte)];
            pairs += 2 * usize::from(*count);
            *count += 1;
        }
        len += part.len();
        if pairs > most(len) {
            return false;
        }
    }
    true
}

/// How often each byte occurs.
struct Counts {
    /// Several tables: a byte may come twice in a row.
    tables: [[u32; 256]; 4],
}

impl Default for Counts {
    fn default() -> Self {
        Counts { tables: [[0; 256]; 4] }
    }
}

impl Counts {
    fn add(&mut self, src: &[u8]) {
        let (parts, rest) = src.as_chunks::<4>();
        for part in parts {
            for (table, &byte) in self.tables.iter_mut().zip(part) {
                table[usize::from(byte)] += 1;
            }
        }
        for &byte in rest {
            self.tables[0][usize::from(byte)] += 1;
        }
    }

    /// Whether the bytes are as frequent as by chance, but for one part in `chance`.
    fn is_even(&self, chance: u64) -> bool {
        let count = |byte: usize| self.tables.iter().map(|table| u64::from(table[byte])).sum::<u64>();
        let (mut len, mut pairs) = (0, 0);
        for count in (0..256).map(count) {
            len += count;
            // Pairs of places with the same byte, which chance gives one of 256.
            pairs += count * count.saturating_sub(1);
        }
        let all = len * len.saturating_sub(1) / 256;
        pairs <= all + all / chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    fn noise(len: usize) -> Vec<u8> {
        Random::new(7).bytes(len)
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
