//! Searches beside a plain one.

use super::*;
use crate::base::random::Random;
use crate::codec::rows::APART;

/// More than a row has.
const ALL: Tries = Tries { most: 32, in_run: 32 };

/// The longest match that has the bytes at `at`, begins at `low` at the earliest and ends at `end` at the latest, of all there
/// are; of several, the nearest.
fn plain(src: &[u8], low: usize, at: usize, end: usize) -> Option<Match> {
    let all = (1..=at).filter_map(|back| {
        let behind = (at..end).take_while(|&i| src[i] == src[i - back]).count();
        let ahead = (low.max(back)..at).rev().take_while(|&i| src[i] == src[i - back]).count();
        (behind >= LEAST).then_some(Match { at: at - ahead, len: ahead + behind, back })
    });
    all.max_by_key(|found| (found.len, usize::MAX - found.back))
}

/// So few bytes that no place is forgotten, of few kinds, and pieces of them that overlap.
fn few(random: &mut Random) -> Vec<u8> {
    let (kinds, len) = (2 + random.below(30), 20 + random.below(10));
    let mut src: Vec<u8> = (0..len).map(|_| random.below(kinds) as u8).collect();
    while src.len() < 60 {
        let from = random.below(src.len() - 12);
        src.extend_from_within(from..from + 3 + random.below(9));
    }
    src
}

#[test]
fn what_is_longest_is_found() {
    let mut random = Random::new(1);
    let mut rows = Rows::default();
    for turn in 0..500 {
        let src = few(&mut random);
        let mut search = Search::new(&mut rows, ALL, &src);
        search.go_on(0, src.len());
        for at in 0..=src.len() - WORD {
            assert_eq!(search.longest(at), plain(&src, at, at, src.len()), "{turn}: {at}");
        }
        assert!(!search.is_place(src.len() - WORD + 1));
    }
}

#[test]
fn in_a_run_fewer_places_are_tried() {
    // The first run is as long as the last one, and what stands behind it is the same; that between them is nearer.
    let zeros = [0; 20];
    let src = [&zeros[..], b"behind", &zeros[..9], b"else", &zeros, b"behind it"].concat();
    let at = src.len() - 9 - 20 + 1;
    let found = |in_run| {
        let (mut rows, tries) = (Rows::default(), Tries { most: 32, in_run });
        let mut search = Search::new(&mut rows, tries, &src);
        search.go_on(0, src.len());
        search.remember(at);
        search.longest(at).map(|found| (found.len, found.back))
    };
    assert_eq!([found(0), found(1), found(6)], [None, Some((19, 1)), Some((19, 1))]);
    assert_eq!(found(32), Some((19 + 6, 20 + 6 + 9 + 4)));
}

#[test]
fn what_is_longer_is_found() {
    let mut random = Random::new(2);
    let mut rows = Rows::default();
    let mut times = 0;
    for turn in 0..3000 {
        let src = few(&mut random);
        let end = src.len() - random.below(5);
        let mut search = Search::new(&mut rows, ALL, &src);
        search.go_on(0, end);
        let begin = 4 + random.below(src.len() / 2);
        search.cover(begin);
        let Some(held) = (begin..end - WORD).find_map(|at| search.longest(at)) else { continue };
        let last = 1 + random.below(3);
        let told = search.is_place(held.end()).then(|| plain(&src, held.at, held.end() - last, end));
        let told = told.flatten().filter(|told| told.len > held.len);
        times += u32::from(told.is_some());
        assert_eq!(search.longer(held, last), told, "{turn}: {held:?} {src:?}");
    }
    assert!(times > 100);
}

#[test]
fn of_what_was_covered_the_last_places_are_remembered_and_some_before() {
    let noise = Random::new(3).bytes(1000);
    let src = [&noise[..], &noise[..]].concat();
    let mut rows = Rows::default();
    let begin = 1000 - COVERED;
    let apart = begin / APART * APART;
    // What repeats itself within the last places is remembered there.
    for back in [COVERED, COVERED + 1] {
        let some = back > COVERED;
        for (at, known) in [
            (0, false),
            (APART, some),
            (apart - 1, false),
            (apart, some),
            (begin - 1, false),
            (begin, true),
            (1000 - WORD, true),
        ] {
            let mut search = Search::new(&mut rows, ALL, &src);
            search.go_on(0, src.len());
            search.back = back;
            search.cover(1000);
            let found = search.longest(1000 + at);
            assert_eq!(found.map(|found| found.back), known.then_some(1000), "{at}, {back} back");
        }
    }
}

#[test]
fn long_matches_are_told_to_their_ends() {
    let noise = Random::new(4).bytes(3000);
    for (before, len) in [(0, 8), (1, 20), (7, 9), (8, 8), (9, 100), (40, 1000), (300, 17)] {
        // What stands before both and behind is not the same.
        let repeated = &noise[100..100 + before + len];
        let src = [&noise[..2000], &[!noise[99]], repeated, &[!noise[100 + before + len]], &[0; 9]].concat();
        let mut rows = Rows::default();
        let mut search = Search::new(&mut rows, ALL, &src);
        search.go_on(90, src.len());
        search.remember(100 + before + 1);
        let at = 2001 + before;
        for low in [1900, 2001, at] {
            let ahead = if low < at { before } else { 0 };
            let told = Match { at: at - ahead, len: ahead + len, back: 1901 };
            for held in [3, ahead + len - 1] {
                assert_eq!(search.wider(low, at, held), Some(told), "{before} and {len}, {held}");
            }
            assert_eq!(search.wider(low, at, ahead + len), None);
        }
    }
}
