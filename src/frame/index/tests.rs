use super::*;
use crate::base::ErrorKind;
use crate::base::params::{CParams, SplitMode};
use crate::base::random::Random;

fn list(n: usize) -> Vec<i64> {
    (0..n as i64).map(|i| i * 1000 + i % 7).collect()
}

fn index_of(codes: &[i64]) -> Index {
    let mut index = Index::default();
    for (n, &code) in codes.iter().enumerate() {
        index.insert(n, Place::from_code(code).unwrap()).unwrap();
    }
    index
}

fn round_trip(index: &mut Index) -> CBuf {
    let bytes = index.encode().unwrap();
    let decoded = Index::decode(&bytes, index.len() as u64).unwrap();
    assert!(decoded.codes().eq(index.codes()), "{} chunks", index.len());
    bytes
}

#[test]
fn places_have_codes() {
    for special in [Special::Zeros, Special::Nans, Special::Uninit] {
        assert_eq!(Place::from_code(Place::Special(special).code()).unwrap(), Place::Special(special));
    }
    assert_eq!(Place::Special(Special::Zeros).code() as u64, 0x8100_0000_0000_0000);
    assert_eq!(Place::from_code(77).unwrap(), Place::Stored(77));
    assert_eq!(Place::from_code(i64::MIN).unwrap_err().kind(), ErrorKind::Data);
}

#[test]
fn offsets_that_ascend_are_told_from_others() {
    let mut random = Random::new(3);
    let extremes = [i64::MIN, i64::MIN + 1, -1, 0, 1, 2, i64::MAX - 1, i64::MAX];
    for _ in 0..20_000 {
        let mut list: Vec<i64> = (0..random.below(6)).map(|_| extremes[random.below(8)]).collect();
        if random.below(2) == 0 {
            list.sort_unstable();
        }
        let ascend = list.first() == Some(&0) && list.is_sorted_by(|one, next| one < next);
        assert_eq!(ascend_from_zero(&list), ascend, "{list:?}");
    }
    assert!(ascend_from_zero(&list(1000)));
}

#[test]
fn every_length_is_read_back() {
    for n in [1, 2, 3, 4, 5, 100, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 3 * PAGE + 17] {
        round_trip(&mut index_of(&list(n)));
    }
}

#[test]
fn pages_that_do_not_compress_or_are_all_alike_are_read_back() {
    let mut random = Random::new(1);
    let mut codes: Vec<i64> = (0..PAGE).map(|_| (random.next() >> 1) as i64).collect();
    codes.extend(vec![Place::Special(Special::Nans).code(); PAGE]);
    codes.extend(vec![0; PAGE]);
    codes.extend(vec![Place::Special(Special::Zeros).code(); 5]);
    let bytes = round_trip(&mut index_of(&codes));
    assert!(bytes.len() < PAGE * ITEM + 1000, "{}", bytes.len());
}

#[test]
fn a_long_index_encodes_only_its_last_page_again() {
    let mut index = index_of(&list(3 * PAGE + 5));
    round_trip(&mut index);
    assert_eq!(index.streams.len(), 3);
    let kept: Vec<*const u8> = index.streams.iter().map(|s| s.as_ptr()).collect();
    index.insert(index.len(), Place::Stored(1)).unwrap();
    round_trip(&mut index);
    assert_eq!(kept, index.streams.iter().map(|s| s.as_ptr()).collect::<Vec<_>>());
    index.replace(PAGE, Place::Stored(2));
    assert_eq!(index.streams.len(), 1);
    round_trip(&mut index);
    index.remove(0);
    assert_eq!(index.streams.len(), 0);
    round_trip(&mut index);
}

#[test]
fn a_filled_index_is_small_however_long() {
    let mut index = Index::uniform(Special::Uninit, MAX_CHUNKS).unwrap();
    let bytes = index.encode().unwrap();
    assert_eq!(bytes.len(), 40);
    let decoded = Index::decode(&bytes, index.len() as u64).unwrap();
    assert_eq!(
        (decoded.len(), decoded.place(MAX_CHUNKS - 1).unwrap()),
        (MAX_CHUNKS, Place::Special(Special::Uninit))
    );
    assert!(decoded.place(MAX_CHUNKS).is_err());
    let refused = Index::decode(&bytes, MAX_CHUNKS as u64 - 1).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidHeader);
    let mut small = Index::uniform(Special::Zeros, 3).unwrap();
    small.replace(1, Place::Stored(9));
    round_trip(&mut small);
    assert!(Index::uniform(Special::Zeros, MAX_CHUNKS + 1).is_err());
}

#[test]
fn a_few_bytes_do_not_make_a_long_list() {
    let long = CParams { codec: 5, blocksize: 1 << 23, split: SplitMode::Always, ..cparams() };
    for (len, is_fine) in [(1 << 15, true), (1 << 20, false)] {
        let mut list = vec![5; len];
        list[len - 1] = 6;
        let chunk = chunk::compress_to_cbuf(&long, &le_bytes(&list)).unwrap();
        assert!(chunk.len() < 200, "a block of runs, {} bytes", chunk.len());
        assert_eq!(Index::decode(&chunk, u64::MAX).is_ok(), is_fine);
    }
    for (special, value) in [(Special::Nans, &[][..]), (Special::Value, &[1; 24])] {
        let items = CParams { typesize: value.len().max(8) as i32, ..cparams() };
        let chunk = chunk::special_chunk(&items, special, value, 240).unwrap();
        assert_eq!(Index::decode(&chunk, 30).unwrap_err().kind(), ErrorKind::InvalidHeader);
    }
}

#[test]
fn offsets_outside_the_frame_are_found() {
    let index = index_of(&[0, 84, Place::Special(Special::Zeros).code()]);
    index.check_offsets(100, 16).unwrap();
    assert_eq!(index.check_offsets(99, 16).unwrap_err().kind(), ErrorKind::InvalidHeader);
    assert!(index.check_offsets(10, 16).is_err());
    assert!(Index::uniform(Special::Zeros, 3).unwrap().check_offsets(0, 16).is_ok());
}

#[test]
fn changes_can_be_taken_back() {
    for mut index in [index_of(&list(2 * PAGE + 3)), Index::uniform(Special::Nans, 2 * PAGE + 3).unwrap()] {
        index.keep();
        let before: Vec<i64> = index.codes().collect();
        let bytes = index.encode().unwrap().to_vec();
        index.insert(5, Place::Stored(1)).unwrap();
        index.remove(PAGE);
        index.shift_after(700, 7);
        index.replace(0, Place::Special(Special::Zeros));
        index.reorder(&(0..2 * PAGE + 3).rev().collect::<Vec<_>>());
        index.encode().unwrap();
        index.roll_back();
        assert!(index.codes().eq(before.iter().copied()));
        assert_eq!(Index::decode(&bytes, index.len() as u64).unwrap().len(), index.len());
        round_trip(&mut index);
    }
}

#[test]
fn numbers_are_not_used_again() {
    let mut index = index_of(&[0, 1, 2]);
    assert_eq!(index.next_number(), 3);
    index.insert(0, Place::Stored(3)).unwrap();
    index.remove(0);
    assert_eq!(index.next_number(), 4);
}

#[test]
fn what_is_stored_around_a_chunk_is_known_however_the_index_came_to_be() {
    let mut random = Random::new(11);
    let (mut in_order, mut asked) = (0, 0);
    for _ in 0..400 {
        let ascends = random.below(3) > 0;
        let mut index = Index::default();
        let mut end = 0;
        for _ in 0..60 {
            let n = random.below(index.len() + 1);
            let special = Place::Special(Special::Zeros);
            match (random.below(10), index.code(n)) {
                (0..4, _) => {
                    let at = if ascends { index.len() } else { n };
                    index.insert(at, Place::Stored(end)).unwrap();
                    end += 10 + random.below(5) as u64;
                }
                (4, _) => index.insert(n, special).unwrap(),
                (5, Some(_)) => index.replace(n, special),
                (6, Some(_)) => index.remove(n),
                (7, Some(at @ 0..)) => {
                    let len = index.clear_run(n, at as u64, 10);
                    index.shift_after(at as u64, 20 - len as i64);
                    end += 40;
                }
                (8, Some(..0)) => {
                    index.replace(n, Place::Stored(end));
                    end += 10;
                }
                (8, Some(_)) if !ascends => {
                    index.replace(n, Place::Stored(random.below(end as usize + 1) as u64))
                }
                (9, _) if !ascends => match random.below(4) {
                    0 => index.reorder(&(0..index.len()).rev().collect::<Vec<_>>()),
                    1 => index.relocate(&[(0, end), (end / 2, 0)]),
                    2 => index.roll_back(),
                    _ => index = Index::decode(&index.encode().unwrap(), 100).unwrap_or_default(),
                },
                _ => {}
            }
            if random.below(4) == 0 {
                index.keep();
            }
            let all = || index.codes().filter_map(|code| u64::try_from(code).ok());
            for n in 0..index.len() {
                let Place::Stored(at) = index.place(n).unwrap() else { continue };
                let here = all().filter(|&other| other == at).count();
                let next = all().filter(|&other| other > at).min();
                assert_eq!(index.neighbours(n, at), (here, next), "{n} of {:?}", index.offsets);
                in_order += usize::from(index.ascending.is_some());
                asked += 1;
            }
        }
    }
    assert!(in_order > asked / 4 && in_order < asked - asked / 4, "{in_order} of {asked}");
}

#[test]
fn neighbours_are_found_among_extremes() {
    let index = index_of(&[i64::MAX, Place::Special(Special::Zeros).code(), 0, i64::MAX - 1, 0]);
    assert!(index.ascending.is_none());
    let max = i64::MAX as u64;
    assert_eq!(index.neighbours(2, 0), (2, Some(max - 1)));
    assert_eq!(index.neighbours(3, max - 1), (1, Some(max)));
    assert_eq!(index.neighbours(0, max), (1, None));
    assert_eq!(index.neighbours(0, 5), (0, Some(max - 1)));
}

#[test]
fn chunks_that_are_filled_in_their_order_ascend() {
    let mut index = Index::uniform(Special::Zeros, 1000).unwrap();
    let mut end = 0;
    for n in (0..1000).filter(|n| n % 3 > 0) {
        index.replace(n, Place::Stored(end));
        end += 10;
        // As often as something is written to it.
        index.shift_after(end - 10, 5);
        assert_eq!(index.neighbours(n, end - 10), (1, None));
    }
    assert_eq!(index.neighbours(1, 0), (1, Some(10)));
    assert!(index.ascending.is_some());
    index.replace(0, Place::Stored(end));
    assert!(index.ascending.is_none());
}
