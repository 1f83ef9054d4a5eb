//! Rows beside a plain search.

use super::*;
use crate::base::random::Random;

/// Looks at all that a row has.
const ALL: Effort = Effort { places: PLACES as u32, enough: usize::MAX, covered: 32 };

fn rows(len: usize) -> Rows {
    let mut rows = Rows::default();
    rows.forget(len);
    rows
}

/// How many bytes at both places are equal.
fn common(src: &[u8], from: usize, at: usize) -> usize {
    src[from..].iter().zip(&src[at..]).take_while(|(a, b)| a == b).count()
}

/// The longest match there is, and of several the nearest.
fn longest(src: &[u8], at: usize) -> Option<Match> {
    let all = (1..=at.min(WINDOW)).map(|back| Match { len: common(src, at - back, at), back });
    all.filter(|found| found.len >= SHORTEST).max_by_key(|found| (found.len, WINDOW - found.back))
}

#[test]
fn the_kernel_is_the_definition() {
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let tags = std::array::from_fn(|_| random.below(4) as u8);
        for tag in 0..4 {
            assert_eq!(equal_tags(&tags, tag), equal_tags_scalar(&tags, tag));
        }
    }
    assert_eq!(equal_tags(&std::array::from_fn(|place| (place % 9) as u8 + 0xf0), 0xf1), 0x1008_0402);
}

#[test]
fn what_is_found_where_a_row_has_all_places_is_the_longest() {
    let mut random = Random::new(2);
    for turn in 0..200 {
        // So few that none of a row's places is forgotten.
        let kinds = 2 + random.below(40);
        let src = (0..PLACES + 8).map(|_| random.below(kinds) as u8).collect::<Vec<_>>();
        let mut rows = rows(src.len());
        for at in 0..src.len() {
            let found = rows.find(&src, at, ALL);
            let plain = if at + WORD > src.len() { None } else { longest(&src, at) };
            assert_eq!(found, plain, "{turn}: {at}");
        }
    }
}

#[test]
fn what_is_found_stands_there() {
    let mut random = Random::new(3);
    for kinds in [1, 2, 3, 17, 256] {
        let src = (0..80_000).map(|_| random.below(kinds) as u8).collect::<Vec<_>>();
        let mut rows = rows(src.len());
        for effort in [ALL, Effort { places: 3, enough: 9, covered: 5 }] {
            rows.forget(src.len());
            let (mut at, mut tried) = (0, 0);
            while at < src.len() && tried < 3000 {
                tried += 1;
                let Some(found) = rows.find(&src, at, effort) else {
                    at += 1;
                    continue;
                };
                let Match { len, back } = found;
                assert!(len >= SHORTEST && (1..=WINDOW.min(at)).contains(&back), "{found:?} at {at}");
                assert_eq!(src[at - back..][..len], src[at..][..len], "{found:?} at {at}");
                let end = at + len.min(100);
                rows.cover(&src, at + 1..end, effort);
                at = end;
            }
        }
    }
}

#[test]
fn places_that_were_passed_over_are_remembered() {
    let src = Random::new(4).bytes(2 * WINDOW);
    for begin in [0, 1, 5, WINDOW - 100, WINDOW] {
        let again = [&src[..], &src[begin..][..100]].concat();
        let mut rows = rows(again.len());
        rows.remember(&again, 0..src.len());
        let reached = src.len() - begin <= WINDOW;
        let plain = Match { len: 100, back: src.len() - begin };
        assert_eq!(rows.find(&again, src.len(), ALL), reached.then_some(plain), "{begin}");
    }
    // At the end there is no word any more.
    let mut rows = rows(20);
    rows.remember(&src[..20], 3..20);
    rows.remember(&src[..20], 19..20);
    rows.cover(&src[..20], 20..20, ALL);
    assert_eq!(rows.find(&src[..20], 13, ALL), None);
}

#[test]
fn of_what_a_match_covers_the_last_places_are_remembered() {
    let src = Random::new(5).bytes(4 * ALL.covered);
    let again = [&src[..], &src[..]].concat();
    let mut rows = rows(again.len());
    rows.cover(&again, 0..src.len(), ALL);
    let first = src.len() - ALL.covered;
    let mut found = |at: usize| rows.find(&again, src.len() + at, ALL);
    assert_eq!(found(first - 1), None);
    assert_eq!(found(first), Some(Match { len: ALL.covered, back: src.len() }));
}
