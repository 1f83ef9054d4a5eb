use super::*;
use crate::base::random::Random;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What the best codes take for bytes that stand so often, in bits: the two rarest are put together, again and again.
fn best(counts: &Counts) -> usize {
    let mut heap: BinaryHeap<_> =
        counts.iter().filter(|&&count| count > 0).map(|&count| Reverse(usize::from(count))).collect();
    let mut bits = 0;
    while let (Some(Reverse(one)), Some(Reverse(other))) = (heap.pop(), heap.pop()) {
        bits += one + other;
        heap.push(Reverse(one + other));
    }
    bits
}

/// Bytes that are drawn from so many kinds, of which some stand more often.
fn drawn(random: &mut Random, kinds: usize, len: usize) -> Vec<u8> {
    let odd = 1 + 2 * random.below(128);
    let mut one = || {
        let few = 1 + random.below(kinds);
        (random.below(few) * odd) as u8
    };
    (0..len).map(|_| one()).collect()
}

#[test]
fn codes_take_as_little_as_they_can() {
    let (mut random, mut coder) = (Random::new(1), Coder::new());
    for turn in 0..3000 {
        let (kinds, len) = (2 + random.below(255), 2 + random.below(MOST - 1));
        let mut bytes = drawn(&mut random, kinds, len);
        (bytes[0], bytes[1]) = (1, 2);
        let counts = count(&bytes);
        let bits = coder.weigh(&counts, len, usize::MAX).unwrap();
        // Those of the longest codes may have been longer.
        let more = if coder.longest < LONGEST { 0 } else { 4 };
        assert!((best(&counts)..=best(&counts) + more).contains(&bits), "{turn}");
        assert!(coder.sorted.takes(&counts, len) <= bits / 8 + 33, "{turn}");
    }
}

#[test]
fn codes_are_told_apart() {
    let (mut random, mut coder) = (Random::new(2), Coder::new());
    for _ in 0..300 {
        let (kinds, len) = (2 + random.below(255), 100 + random.below(1000));
        let mut bytes = drawn(&mut random, kinds, len);
        (bytes[0], bytes[1]) = (0, 255);
        coder.weigh(&count(&bytes), len, usize::MAX).unwrap();
        coder.assign();
        // No code begins another one, and together they are all that there are.
        let mut taken = [false; 1 << LONGEST];
        for &byte in coder.sorted.there() {
            let code = coder.codes[usize::from(byte)];
            let (bits, len) = (code as u16, code >> LEN);
            let cells = 1 << (LONGEST as u32 - len);
            for cell in &mut taken[usize::from(bits) * cells..][..cells] {
                assert!(!std::mem::replace(cell, true));
            }
        }
        assert!(taken.iter().all(|&taken| taken));
    }
}

#[test]
fn codes_that_would_be_too_long_are_shortened() {
    // Each as often as the two before together: codes of all lengths, up to one less than there are kinds.
    let mut counts = [0; SYMBOLS];
    let (mut one, mut other) = (1, 1);
    for count in &mut counts[..15] {
        *count = one;
        (one, other) = (other, one + other);
    }
    let all = counts.iter().map(|&count| usize::from(count)).sum();
    assert!(all <= MOST, "{all}");
    let mut coder = Coder::new();
    let bits = coder.weigh(&counts, all, usize::MAX).unwrap();
    assert!((best(&counts)..best(&counts) + 20).contains(&bits), "{bits}");
    let cells: usize = (1..).zip(&coder.lens[1..]).map(|(len, &n)| usize::from(n) << (LONGEST - len)).sum();
    assert_eq!((cells, coder.longest), (1 << LONGEST, LONGEST));
}

#[test]
fn what_takes_too_much_is_not_weighed() {
    let (bytes, mut coder) = (Random::new(3).bytes(1000), Coder::new());
    let counts = count(&bytes);
    let takes = {
        coder.sorted.seek(&counts);
        coder.sorted.takes(&counts, 1000)
    };
    assert!(takes > 950, "{takes}");
    assert_eq!(coder.weigh(&counts, 1000, takes - 1), None);
    assert!(coder.weigh(&counts, 1000, takes).is_some());
}
