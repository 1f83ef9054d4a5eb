//! Lengths of codes beside those of a plain tree.

use super::*;
use crate::base::random::Random;

/// How many bits symbols take that occur so often, by a tree without limits.
fn least(counts: &[u32]) -> u64 {
    let mut weights =
        counts.iter().filter(|times| **times > 0).map(|times| u64::from(*times)).collect::<Vec<_>>();
    let mut bits = 0;
    while weights.len() > 1 {
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let both = weights.pop().unwrap() + weights.pop().unwrap();
        bits += both;
        weights.push(both);
    }
    bits
}

/// The lengths, which are those of a code that is whole, and how many bits they make.
fn lengths_of(counts: &[u32], most: usize) -> (Vec<u8>, u64) {
    let mut lengths = vec![77; counts.len()];
    super::lengths(counts, most, &mut lengths);
    let used = || lengths.iter().filter(|len| **len > 0);
    assert!(used().all(|len| usize::from(*len) <= most), "{lengths:?}");
    assert_eq!(used().map(|len| 1 << (most - usize::from(*len))).sum::<u32>(), 1 << most, "{lengths:?}");
    let bits = counts.iter().zip(&lengths).map(|(times, len)| u64::from(*times) * u64::from(*len)).sum();
    (lengths, bits)
}

#[test]
fn they_are_shortest() {
    let mut random = Random::new(1);
    for turn in 0..300 {
        let symbols = 2 + random.below(SYMBOLS - 2);
        let rare = random.below(3);
        // None so rare that the limit matters.
        let mut times = || if random.below(3) < rare { 0 } else { 30 + random.below(1000) as u32 };
        let counts = (0..symbols).map(|_| times()).collect::<Vec<_>>();
        if counts.iter().filter(|times| **times > 0).count() > 1 {
            let (_, bits) = lengths_of(&counts, LONGEST_CODE);
            assert_eq!(bits, least(&counts), "turn {turn}: {counts:?}");
        }
    }
    assert_eq!(lengths_of(&[MOST_TIMES, MOST_TIMES - 1, 1], 15).0, [1, 2, 2]);
}

#[test]
fn they_have_a_limit() {
    let (mut a, mut b) = (1, 1);
    let fibonacci = std::array::from_fn::<u32, 30, _>(|_| {
        (a, b) = (b, a + b);
        a
    });
    for (symbols, most) in [(19, 7), (30, 15), (8, 7), (30, 5), (17, 15)] {
        let counts = &fibonacci[..symbols];
        let (lengths, bits) = lengths_of(counts, most);
        // What is more frequent is never longer, and a flat code is worse.
        assert!(lengths.is_sorted_by(|a, b| a >= b), "{lengths:?}");
        assert!(least(counts) <= bits);
        assert!(
            bits <= u64::from(symbols.next_power_of_two().ilog2())
                * counts.iter().map(|times| u64::from(*times)).sum::<u64>()
        );
    }
    assert_eq!(lengths_of(&[1; 128], 7).0, [7; 128]);
}

#[test]
fn there_are_two_at_least() {
    assert_eq!(lengths_of(&[0; 30], 15).0[..3], [1, 1, 0]);
    assert_eq!(lengths_of(&[5, 0, 0], 7).0, [1, 1, 0]);
    assert_eq!(lengths_of(&[0, 5, 0], 7).0, [1, 1, 0]);
    assert_eq!(lengths_of(&[0, 0, 5], 7).0, [1, 0, 1]);
    assert_eq!(lengths_of(&[0, 9, 5], 7).0, [0, 1, 1]);
}
