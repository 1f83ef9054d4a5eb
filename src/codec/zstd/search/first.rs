//! What a stream is searched with at zstd's first level.
//!
//! In streams of more than 16 KiB, up to 256, it takes the last place with the same six bytes; in longer ones, with the same
//! seven. In numbers of two bytes that nothing filtered, of which six bytes are three, to pass those matches over, where they
//! are few, and to have a quarter of the places spares up to a quarter of the time, and streams mostly come to no more than
//! 1.001 of the size.

use crate::codec::pieces::count_twice;
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

/// Parameters for a stream; `None` leaves it to what the level has.
pub(super) fn parameters(p: &StreamParams, src: &[u8]) -> Option<c::ZSTD_parameters> {
    let short = p.made_of == MadeOf::Numbers && p.typesize == SHORT;
    // Where one place in four has a match, two or three pieces are there twice.
    if !(short && SIX.contains(&src.len()) && count_twice(src, 6, 1, |_| true) == 0) {
        return None;
    }
    let mut parameters = parameters_of(LEVEL, NonZero::new(src.len())?);
    parameters.cParams.minMatch = SEVEN;
    parameters.cParams.hashLog -= FEWER;
    Some(parameters)
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
