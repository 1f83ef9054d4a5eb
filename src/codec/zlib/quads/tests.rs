//! Quads beside a plain search.

use super::super::finder::tests as plain;
use super::*;
use crate::base::random::Random;

/// So many bytes are a short match.
const SHORT: usize = 9;

/// What a finder looks for: the nearest that has a word, else the longest, and of those the nearest.
fn nearest(src: &[u8], at: usize) -> Option<Match> {
    let mut all = plain::all(src, at).collect::<Vec<_>>();
    all.sort_by_key(|found| (std::cmp::Reverse(found.len.min(WORD)), found.back));
    all.first().copied()
}

#[test]
fn what_is_found_where_a_quad_has_all_places_is_the_nearest_or_the_longest() {
    let mut random = Random::new(1);
    let mut quads = Quads::default();
    for turn in 0..300 {
        // Noise, of which pieces stand again, but nowhere more than four times.
        let noise = random.bytes(60);
        let mut src = Vec::new();
        for _ in 0..PLACES {
            let (begin, len) = (random.below(40), 5 + random.below(15));
            src.extend(&noise[begin..begin + len]);
        }
        src.extend(&noise[..50]);
        // The hash of a quad has room for that.
        let mut finder = quads.finder::<PLACES>(1 << 15, SHORT);
        for at in 0..src.len() {
            assert_eq!(finder.find(&src, at), nearest(&src, at), "{turn}: {at}");
        }
    }
}

#[test]
fn as_many_places_are_tried_as_are_asked_for() {
    // The same four bytes, and behind them more that are, the farther back.
    let all = (0..PLACES).rev().map(|back| {
        let mut piece = [b'a', b'b', b'c', b'd', b'e', b'f', b'g', 0, 1, 2, 3, back as u8];
        piece[SHORTEST + back..7].fill(b'A' + back as u8);
        piece
    });
    let src = [&all.collect::<Vec<_>>().concat()[..], b"abcdefgh"].concat();
    let mut quads = Quads::default();
    fn found<const TRIED: usize>(quads: &mut Quads, src: &[u8]) -> Option<usize> {
        let mut finder = quads.finder::<TRIED>(1 << 15, SHORT);
        finder.remember(src, 0..src.len() - WORD);
        finder.find(src, src.len() - WORD).map(|found| found.len)
    }
    assert_eq!(found::<1>(&mut quads, &src), Some(SHORTEST));
    assert_eq!(found::<2>(&mut quads, &src), Some(SHORTEST + 1));
    assert_eq!(found::<3>(&mut quads, &src), Some(SHORTEST + 2));
    assert_eq!(found::<4>(&mut quads, &src), Some(SHORTEST + 3));
}

#[test]
fn of_what_a_long_match_covers_the_last_place_is_remembered() {
    let src = Random::new(3).bytes(40);
    let again = [&src[..], &src[..]].concat();
    for len in [SHORT - 1, SHORT, SHORT + 1, 20] {
        let mut quads = Quads::default();
        let mut finder = quads.finder::<PLACES>(1 << 15, SHORT);
        finder.cover(&again, 1..len, 1);
        let mut is_found = |at: usize| finder.find(&again, src.len() + at).is_some();
        assert_eq!((is_found(1), is_found(len - 2)), (len <= SHORT, len <= SHORT), "{len}");
        assert!(is_found(len - 1) && !is_found(len), "{len}");
    }
}

#[test]
fn what_is_found_stands_there() {
    let mut random = Random::new(4);
    let mut quads = Quads::default();
    for kinds in [1, 2, 3, 17] {
        let src = (0..80_000).map(|_| random.below(kinds) as u8).collect::<Vec<_>>();
        plain::what_is_found_stands_there(quads.finder::<3>(src.len(), 5), &src);
        plain::what_is_found_stands_there(quads.finder::<4>(src.len(), 12), &src);
    }
}

#[test]
fn places_that_were_passed_over_are_remembered() {
    let mut quads = Quads::default();
    for (src, found) in plain::noise_again() {
        plain::what_is_remembered_is_found(quads.finder::<4>(src.len(), SHORT), &src, found);
    }
    plain::the_end_is_passed_over(quads.finder::<4>(20, SHORT));
}
