//! What every finder keeps to.

use super::super::WINDOW;
use super::*;
use crate::base::random::Random;
use crate::codec::words::WORD;

/// How many bytes at both places are equal.
pub fn common(src: &[u8], from: usize, at: usize) -> usize {
    src[from..].iter().zip(&src[at..]).take_while(|(a, b)| a == b).count()
}

/// All matches that there are for what stands at `at`, the nearest first.
pub fn all(src: &[u8], at: usize) -> impl Iterator<Item = Match> {
    let all = (1..=at.min(WINDOW)).map(move |back| Match { len: common(src, at - back, at), back });
    all.filter(move |found| found.len >= SHORTEST && at + WORD <= src.len())
}

/// What is found stands there; it is told whatever a match covers.
pub fn what_is_found_stands_there(mut finder: impl Finder, src: &[u8]) {
    let (mut at, mut tried, mut times) = (0, 0, 0);
    while at < src.len() && tried < 3000 {
        tried += 1;
        let Some(found) = finder.find(src, at) else {
            at += 1;
            continue;
        };
        times += 1;
        let Match { len, back } = found;
        assert!(len >= SHORTEST && (1..=WINDOW.min(at)).contains(&back), "{found:?} at {at}");
        assert_eq!(src[at - back..][..len], src[at..][..len], "{found:?} at {at}");
        let end = at + len.min(100);
        finder.cover(src, at + 1..end, back);
        at = end;
    }
    assert!(times > 0);
}

/// Noise of two windows, of which 100 bytes stand behind it again, and whether from so far before it that nothing finds them.
pub fn noise_again() -> impl Iterator<Item = (Vec<u8>, Option<Match>)> {
    let noise = Random::new(4).bytes(2 * WINDOW);
    [0, 1, 5, WINDOW - 100, WINDOW + 10_000, 2 * WINDOW - 1000, 2 * WINDOW - 100].into_iter().map(
        move |begin| {
            let back = noise.len() - begin;
            let found = (back <= WINDOW).then_some(Match { len: 100, back });
            ([&noise[..], &noise[begin..][..100]].concat(), found)
        },
    )
}

/// Of [`noise_again`], the places that were passed over are found.
pub fn what_is_remembered_is_found(mut finder: impl Finder, src: &[u8], found: Option<Match>) {
    finder.remember(src, 0..2 * WINDOW);
    assert_eq!(finder.find(src, 2 * WINDOW), found);
}

/// Where no word stands any more, nothing is found, and nothing remembered. For 20 bytes.
pub fn the_end_is_passed_over(mut finder: impl Finder) {
    let src = Random::new(5).bytes(20);
    finder.remember(&src, 13..20);
    finder.remember(&src, 19..20);
    finder.cover(&src, 14..20, 1);
    finder.cover(&src, 20..20, 1);
    assert_eq!(finder.find(&src, 13), None);
    assert_eq!(finder.find(&src, 12), None);
    assert_eq!(finder.find(&src, 12), None);
}
