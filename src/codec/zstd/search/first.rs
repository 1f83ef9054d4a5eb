//! What a stream is searched with at zstd's first level.
//!
//! In streams of more than 16 KiB, up to 256, it takes the last place with the same six bytes; in longer ones, with the same
//! seven, as short matches are far away then, and save little. In numbers of two bytes that nothing filtered, most matches have
//! six. Where those are few, to pass them over, and to have a quarter of the places, spares up to a fifth of the time, and
//! streams mostly come to no more than 1.001 of the size.

use crate::codec::zstd::{c, parameters_of};
use crate::codec::{MadeOf, StreamParams};
use std::ffi::c_uint;
use std::num::NonZero;
use std::ops::RangeInclusive;

/// The level.
pub(super) const LEVEL: i32 = 1;
/// The lengths of streams for which six bytes are looked up, and seven instead.
const SIX: RangeInclusive<usize> = (16 << 10) + 1..=256 << 10;
const SEVEN: c_uint = 7;
/// So many times fewer places are remembered, as a power of two.
const FEWER: c_uint = 2;
/// Bytes of the numbers.
const SHORT: i32 = 2;
/// Places of a stream that are looked at, and where pieces begin there, which are compared with all others: at both bytes of a number.
const PLACES: usize = 128;
const PIECES: [usize; 4] = [0, 13, 26, 39];
/// Some prime that spreads what it is multiplied by.
const PRIME: u64 = 0x9e37_79b1_85eb_ca87;

/// Parameters for a stream; `None` leaves it to what the level has.
pub(super) fn parameters(p: &StreamParams, src: &[u8]) -> Option<c::ZSTD_parameters> {
    let short = p.made_of == MadeOf::Numbers && p.typesize == SHORT;
    if !(short && SIX.contains(&src.len()) && has_few_matches(src)) {
        return None;
    }
    let mut parameters = parameters_of(LEVEL, NonZero::new(src.len())?);
    parameters.cParams.minMatch = SEVEN;
    parameters.cParams.hashLog -= FEWER;
    Some(parameters)
}

/// Whether no six bytes are there twice, of some pieces of a stream. Where one place in four has a match, two or three are.
fn has_few_matches(src: &[u8]) -> bool {
    const WORD: usize = 8;
    const SEEN: usize = PIECES[PIECES.len() - 1] + WORD;
    /// As many slots as pieces, twice.
    const BITS: u32 = (PLACES * PIECES.len()).ilog2() + 1;
    // No six bytes of a stream are all of eight.
    let mut slots = [u64::MAX; 1 << BITS];
    let mut is_new = |word: &[u8; WORD]| {
        let six = u64::from_le_bytes(*word) >> 16;
        let slot = (six.wrapping_mul(PRIME) >> (u64::BITS - BITS)) as usize;
        std::mem::replace(&mut slots[slot], six) != six
    };
    let mut places = src.array_windows::<SEEN>().step_by(src.len() / PLACES);
    places.all(|seen| PIECES.iter().all(|&at| seen[at..].first_chunk().is_some_and(&mut is_new)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;
    use crate::codec::zstd::{State, tests::at};

    const LEN: usize = 1 << 15;

    /// A walk of numbers of two bytes.
    fn walk(steps: usize) -> Vec<u8> {
        let (mut random, mut at) = (Random::new(steps as u64), 0_u16);
        let step = |random: &mut Random| (random.below(2 * steps + 1) as u16).wrapping_sub(steps as u16);
        (0..LEN / 2)
            .flat_map(|_| {
                at = at.wrapping_add(step(&mut random));
                at.to_le_bytes()
            })
            .collect()
    }

    fn numbers(typesize: i32) -> StreamParams<'static> {
        StreamParams { made_of: MadeOf::Numbers, typesize, ..at(1) }
    }

    #[test]
    fn seven_bytes_do_where_matches_are_few() {
        let src = walk(300);
        assert!(parameters(&numbers(2), &src).is_some());
        let (mut state, mut dst, mut back) = (State::default(), vec![0; 2 * LEN], vec![0; LEN]);
        let n = state.compress(&numbers(2), &src, &mut dst).unwrap();
        assert_eq!(state.decompress(None, &dst[..n], &mut back).unwrap(), LEN);
        assert!(back == src);
        let by_level = state.search(LEVEL, None, &src, &mut dst).unwrap();
        assert!(n <= by_level + by_level / 200, "{n} instead of {by_level}");
    }

    #[test]
    fn others_are_left_to_the_level() {
        let few = walk(300);
        assert!(parameters(&numbers(2), &walk(1)).is_none() && parameters(&numbers(2), &[0; LEN]).is_none());
        assert!(parameters(&numbers(4), &few).is_none());
        assert!(parameters(&StreamParams { made_of: MadeOf::Planes, ..numbers(2) }, &few).is_none());
        assert!(parameters(&numbers(2), &few[..16 << 10]).is_none());
        assert!(parameters(&numbers(2), &[]).is_none());
    }
}
