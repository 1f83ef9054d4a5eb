//! What the look says of blocks whose sections are known.

use super::*;
use crate::base::random::Random;
use crate::codec::{lz4, zlib};

/// Bytes by chance, but some more often than others.
pub(in crate::codec) fn uneven(random: &mut Random, len: usize) -> Vec<u8> {
    (0..len).map(|_| (random.below(256) * random.below(256) / 256) as u8).collect()
}

/// Words out of a few.
pub(in crate::codec) fn text(random: &mut Random, len: usize) -> Vec<u8> {
    let words = random.bytes(3000);
    let mut text = Vec::new();
    while text.len() < len {
        text.extend_from_slice(&words[random.below(words.len() - 30)..][..9 + random.below(20)]);
    }
    text.truncate(len);
    text
}

/// Noise that stands there again and again, each time with one other byte that is changed: what goes on behind that is in the middle of
/// what was repeated before.
pub(in crate::codec) fn versions(random: &mut Random, len: usize, times: usize) -> Vec<u8> {
    let noise = random.bytes(len);
    let version = |_| {
        let mut version = noise.clone();
        version[random.below(len)] ^= 1;
        version
    };
    (0..times).flat_map(version).collect()
}

/// Blocks of noise, uneven bytes, text, and copies of what stood before.
pub(in crate::codec) fn mixtures(seed: u64) -> impl Iterator<Item = Vec<u8>> {
    let mut random = Random::new(seed);
    (0..60).map(move |turn| {
        let mut src = Vec::new();
        for _ in 0..1 + random.below(6) {
            let len = random.below(if turn % 10 == 0 { 150_000 } else { 30_000 });
            match random.below(4) {
                0 => src.extend(random.bytes(len)),
                1 => src.extend(uneven(&mut random, len)),
                2 => src.extend(text(&mut random, len)),
                _ => {
                    let from = random.below(src.len());
                    src.extend_from_within(from..(from + len).min(src.len()));
                }
            }
        }
        src
    })
}

fn abilities() -> [Ability; 4] {
    [zlib::ability(1), zlib::ability(5), zlib::ability(9), lz4::ABILITY]
}

fn sections(codec: Ability, src: &[u8]) -> Vec<Section> {
    Sections::default().of(codec, src).to_vec()
}

fn kinds(codec: Ability, src: &[u8]) -> Vec<Kind> {
    sections(codec, src).into_iter().map(|section| section.kind).collect()
}

#[test]
fn sections_are_told_by_what_stands_in_them() {
    let mut random = Random::new(3);
    let (noise, uneven, text) =
        (random.bytes(20_480), uneven(&mut random, 20_480), text(&mut random, 20_480));
    for codec in abilities() {
        assert_eq!(kinds(codec, &noise), [Kind::Stored]);
        assert_eq!(kinds(codec, &uneven), [codec.uneven]);
        assert_eq!(kinds(codec, &text), [Kind::Matches]);
        let all = [&text[..], &noise, &text, &uneven, &text[..100]].concat();
        let begin = Section { kind: Kind::Matches, end: 20_480 };
        let stored = Section { kind: Kind::Stored, end: 40_960 };
        let found = sections(codec, &all);
        assert_eq!(found[..2], [begin, stored]);
        assert_eq!(found.last().map(|section| section.end), Some(all.len()));
        // Too few to be worth a section.
        let few = [&text[..], &uneven[..4096], &text[..8192]].concat();
        assert_eq!(kinds(codec, &few), [Kind::Matches]);
    }
    assert_eq!(kinds(abilities()[1], &[&noise[..], &uneven].concat()), [Kind::Stored, Kind::Codes]);
}

#[test]
fn repetitions_are_no_noise() {
    let mut random = Random::new(4);
    for codec in abilities() {
        let (noise, text) = (random.bytes(codec.window), text(&mut random, 20_480));
        // As far back as a match reaches, and further.
        let near = [&noise[..], &noise[..8192]].concat();
        assert_eq!(kinds(codec, &near), [Kind::Stored, Kind::Continued]);
        let far = [&noise[..], &text, &noise].concat();
        assert_eq!(kinds(codec, &far), [Kind::Stored, Kind::Matches, Kind::Stored]);
        // Of what was not looked at closely when it came by.
        let later = [&[7; 4096], &noise[..16_384], &[7; 4096], &noise[1001..17_385]].concat();
        assert_eq!(kinds(codec, &later).last(), Some(&Kind::Continued));
    }
}

#[test]
fn what_goes_on_repeating_is_one_section_up_to_what_is_new() {
    let mut random = Random::new(7);
    let (tile, noise) = (random.bytes(20_000), random.bytes(6 * PIECE));
    let tiles = tile.iter().copied().cycle().take(12 * PIECE).collect::<Vec<_>>();
    for codec in abilities() {
        // Pieces that begin so, and go on otherwise, do not keep the next ones from being looked at.
        let begun = &tiles[tiles.len() % tile.len()..][..100];
        for behind in [&noise[..], &[begun, &noise[100..]].concat()] {
            let found = sections(codec, &[&tiles[..], behind].concat());
            let kinds = found.iter().map(|section| section.kind).collect::<Vec<_>>();
            assert_eq!(kinds, [Kind::Stored, Kind::Continued, Kind::Stored]);
            assert_eq!(found[0].end, 4 * PIECE);
            assert!((tiles.len()..=tiles.len() + PIECE).contains(&found[1].end), "{found:?}");
        }
    }
}

#[test]
fn what_is_repeated_across_noise_is_told() {
    let mut random = Random::new(5);
    for codec in abilities() {
        let (noise, text) = (random.bytes(codec.window + 8192), text(&mut random, 8192));
        let again = [&text[..], &noise[..16_384], &text].concat();
        assert_eq!(kinds(codec, &again), [Kind::Matches, Kind::Stored, Kind::Continued]);
        let too_far = [&text[..], &noise, &text].concat();
        assert_eq!(kinds(codec, &too_far), [Kind::Matches, Kind::Stored, Kind::Matches]);
    }
}

#[test]
fn what_cannot_be_stored_for_long_is_not_looked_at() {
    let mut random = Random::new(9);
    let shortest = lz4::ABILITY.shortest;
    for new in [3 * PIECE, shortest - PROMISING, shortest + 1, shortest + 2 * PIECE] {
        let uneven = uneven(&mut random, new);
        let all = [&uneven[..], &vec![0; 2 * shortest], &uneven].concat();
        let found = sections(lz4::ABILITY, &all);
        let stored = new / PIECE * PIECE;
        if stored < shortest {
            assert_eq!(found, [Section { kind: Kind::Matches, end: all.len() }], "{new}");
        } else {
            assert_eq!(found[0], Section { kind: Kind::Stored, end: stored }, "{new}");
        }
    }
}

#[test]
fn a_few_bytes_repeat_themselves_in_more_places_than_enough_or_do_not() {
    let mut random = Random::new(10);
    let few = random.bytes(PROMISING);
    let (runs, again) = (vec![9; PROMISING], [&few[..200], &few[..200]].concat());
    assert!(repeats_itself(&runs, 12) && repeats_itself(&again, 12));
    assert!(!repeats_itself(&few, 12) && !repeats_itself(&again, 200) && !repeats_itself(&few[..3], 0));
}

#[test]
fn short_blocks_are_one_section() {
    let noise = Random::new(6).bytes(2 * PIECE);
    for codec in abilities() {
        for len in [0, 1, PIECE, 2 * PIECE - 1] {
            assert_eq!(sections(codec, &noise[..len]), [Section { kind: Kind::Matches, end: len }]);
        }
    }
}
