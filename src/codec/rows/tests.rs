use super::*;
use crate::base::random::Random;

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
fn a_row_has_the_last_places_the_last_one_first() {
    let word = u64::from_le_bytes(*b"the same");
    let mut rows = Rows::<4>::default();
    rows.forget(1000);
    for at in 1..=PLACES + 5 {
        let hash = rows.hash(word);
        rows.put(hash, at * 100);
        let places = rows.places(hash);
        let seen = at.min(PLACES) as u32;
        assert_eq!(places.alike().trailing_ones(), seen);
        assert_eq!(places.alike_behind().trailing_ones(), seen);
        for bit in 0..seen {
            assert_eq!(places.back(bit, at * 100 + 7), 7 + 100 * bit as usize);
        }
    }
    rows.forget(1000);
    assert_eq!(rows.places(rows.hash(word)).alike(), 0);
}

#[test]
fn all_words_of_a_range_are_remembered() {
    let src = Random::new(4).bytes(1000);
    let mut rows = Rows::<64>::default();
    rows.forget(100 * src.len());
    rows.remember(&src, 100..1000);
    for at in 0..src.len() - 7 {
        let places = rows.places(rows.hash(crate::codec::words::word(&src, at)));
        let both = places.alike() & places.alike_behind();
        let known = (0..PLACES as u32).any(|bit| both >> bit & 1 == 1 && places.back(bit, at) == 0);
        assert_eq!(known, at >= 100, "{at}");
    }
}

#[test]
fn runs_are_remembered_as_place_after_place_would_be() {
    let mut random = Random::new(5);
    let mut src = Vec::new();
    while src.len() < 3000 {
        let (byte, len) = (random.below(3) as u8, 1 + random.below(60));
        src.resize(src.len() + len, byte);
    }
    let [mut together, mut apart] = [(); 2].map(|()| Rows::<16>::default());
    together.forget(src.len());
    apart.forget(src.len());
    for begin in (0..src.len()).step_by(50) {
        let range = begin..(begin + random.below(50)).min(src.len());
        together.remember(&src, range.clone());
        for at in range.take_while(|at| at + 8 <= src.len()) {
            let hash = apart.hash(crate::codec::words::word(&src, at));
            apart.put(hash, at);
        }
    }
    assert_eq!(together.last, apart.last);
    for (a, b) in together.rows.iter().zip(apart.rows.iter()) {
        assert_eq!((a.four, a.eight, a.places), (b.four, b.eight, b.places));
    }
}
