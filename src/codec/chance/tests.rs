use super::*;
use crate::base::random::Random;

const LEN: usize = 1 << 16;

fn made(seed: u64, mut byte: impl FnMut(&mut Random) -> u8) -> Vec<u8> {
    let mut random = Random::new(seed);
    (0..LEN).map(|_| byte(&mut random)).collect()
}

#[test]
fn digits_are_by_chance_and_say_what_digits_say() {
    for (seed, sorts) in [(1, 2), (2, 6), (3, 10), (4, 26), (5, 60), (6, 100)] {
        let src = made(seed, |random| random.below(sorts) as u8);
        let Some(seen) = look(&src, 0) else { panic!("{sorts} sorts") };
        let bits = (sorts as f64).log2();
        assert!((seen.entropy - bits).abs() < 0.05, "{sorts} sorts: {seen:?}");
        assert!((bits - 0.05..bits + 0.1).contains(&seen.code), "{sorts} sorts: {seen:?}");
        assert!(look(&src, 4).is_some(), "{sorts} sorts, in items of letters");
    }
    // Some more frequent than others: the sum of two dice.
    let src = made(7, |random| (random.below(20) + random.below(20)) as u8);
    let seen = look(&src, 0).unwrap();
    assert!((4.5..5.1).contains(&seen.entropy) && seen.entropy <= seen.code, "{seen:?}");
}

#[test]
fn bytes_with_places_of_their_own_in_items_are_soon_seen() {
    for (item, sorts) in [(4, 10), (8, 5), (2, 50)] {
        let mut at = 0;
        let src = made(item as u64, |random| {
            at += 1;
            if at % item == 1 { 1 + random.below(sorts) as u8 } else { 0 }
        });
        assert!(goes_by_items(&src[..LONGER_GLANCE], item), "{item} bytes");
        assert!(look(&src, item).is_none() && look(&src, 0).is_none(), "{item} bytes");
        assert!(!goes_by_items(&src, 1) && !goes_by_items(&src, 0) && !goes_by_items(&src[..1], item));
    }
    for sorts in [2, 6, 26, 100] {
        let src = made(sorts as u64, |random| random.below(sorts) as u8);
        assert!((2..=16).all(|item| !goes_by_items(&src[..LONGER_GLANCE], item)), "{sorts} sorts");
    }
}

#[test]
fn codes_are_as_long_as_huffman_makes_them() {
    let bits = |counts: &[u16]| code_of(counts.iter().copied());
    assert_eq!((bits(&[]), bits(&[5]), bits(&[0, 5, 0, 3])), (0, 0, 8));
    // One, two, three and three bits.
    assert_eq!(bits(&[1, 8, 2, 4]), 8 + 2 * 4 + 3 * 3);
    assert_eq!(bits(&[3; 8]), 3 * 24);
}

#[test]
fn noise_and_what_is_nearly_all_the_same_are_something_else() {
    for (seed, sorts) in [(1, 1), (2, 200), (3, 240), (4, 256)] {
        let src = made(seed, |random| random.below(sorts) as u8);
        assert!(look(&src, 0).is_none(), "{sorts} sorts");
    }
    assert!(look(&made(5, |random| u8::from(random.below(10) == 0)), 0).is_none());
}

#[test]
fn bytes_that_say_something_of_the_next_are_not_by_chance() {
    let mut at = 0u8;
    let walk = made(1, |random| {
        at = at.wrapping_add(random.below(9) as u8);
        at
    });
    let mut turn = 0;
    let two_kinds = made(2, |random| {
        turn += 1;
        random.below([10, 200][turn % 2]) as u8
    });
    let counted: Vec<u8> = (0..LEN).map(|i| (i / 7 % 100) as u8).collect();
    // Each of a few words of random letters stands often.
    let words = made(3, |random| b'a' + random.below(20) as u8);
    let mut random = Random::new(4);
    let text: Vec<u8> = (0..LEN / 8).flat_map(|_| words[8 * random.below(40)..][..8].to_vec()).collect();
    for (name, src) in [("walk", walk), ("in turns", two_kinds), ("counted", counted), ("text", text)] {
        assert!(look(&src, 0).is_none(), "{name}");
    }
}

#[test]
fn short_streams_are_not_looked_at() {
    let src = made(1, |random| random.below(10) as u8);
    assert!(look(&src[..SHORT - 1], 0).is_none() && look(&[], 0).is_none());
    assert!(look(&src[..SHORT], 0).is_some());
}

#[test]
fn logarithms_are_the_libraries() {
    for n in 1..5000 {
        for of in [1.0, 7.0, 4096.0, 1e9] {
            let x = f64::from(n) / of;
            assert!((log2(x) - x.log2()).abs() < 1e-8, "{x}: {} and {}", log2(x), x.log2());
        }
    }
}
