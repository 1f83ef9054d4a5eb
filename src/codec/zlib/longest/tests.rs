//! Rows beside a plain search.

use super::super::finder::tests as plain;
use super::*;
use crate::base::random::Random;
use crate::codec::rows::PLACES;

/// Looks at all that a row has.
const ALL: Effort = Effort { places: PLACES as u32, enough: usize::MAX, covered: 32 };

/// The longest match there is, and of several the nearest.
fn longest(src: &[u8], at: usize) -> Option<Match> {
    plain::all(src, at).max_by_key(|found| (found.len, WINDOW - found.back))
}

#[test]
fn what_is_found_where_a_row_has_all_places_is_the_longest() {
    let mut random = Random::new(2);
    for turn in 0..200 {
        // So few that none of a row's places is forgotten.
        let kinds = 2 + random.below(40);
        let src = (0..PLACES + 8).map(|_| random.below(kinds) as u8).collect::<Vec<_>>();
        let mut rows = Rows::default();
        let mut finder = Longest::new(&mut rows, src.len(), ALL);
        for at in 0..src.len() {
            assert_eq!(finder.find(&src, at), longest(&src, at), "{turn}: {at}");
        }
    }
}

#[test]
fn what_is_found_stands_there() {
    let mut random = Random::new(3);
    let mut rows = Rows::default();
    for kinds in [1, 2, 3, 17] {
        let src = (0..80_000).map(|_| random.below(kinds) as u8).collect::<Vec<_>>();
        for effort in [ALL, Effort { places: 3, enough: 9, covered: 5 }] {
            plain::what_is_found_stands_there(Longest::new(&mut rows, src.len(), effort), &src);
        }
    }
}

#[test]
fn places_that_were_passed_over_are_remembered() {
    let mut rows = Rows::default();
    for (src, found) in plain::noise_again() {
        plain::what_is_remembered_is_found(Longest::new(&mut rows, src.len(), ALL), &src, found);
    }
    plain::the_end_is_passed_over(Longest::new(&mut rows, 20, ALL));
}

#[test]
fn of_what_a_match_covers_the_last_places_are_remembered() {
    let src = Random::new(5).bytes(4 * ALL.covered);
    let again = [&src[..], &src[..]].concat();
    let mut rows = Rows::default();
    let mut finder = Longest::new(&mut rows, again.len(), ALL);
    finder.cover(&again, 0..src.len(), 1);
    let first = src.len() - ALL.covered;
    let mut found = |at: usize| finder.find(&again, src.len() + at);
    assert_eq!(found(first - 1), None);
    assert_eq!(found(first), Some(Match { len: ALL.covered, back: src.len() }));
}
