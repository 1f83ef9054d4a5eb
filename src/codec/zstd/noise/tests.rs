use super::*;
use crate::base::random::Random;
use crate::codec::zstd::{State, level_of, search, tests::at, tiny};

const LENGTHS: [usize; 16] = [0, 1, 13, 20, 32, 48, 63, 64, 72, 100, 128, 255, 300, 700, 1500, SHORT];

/// Streams of several sorts, from noise to what every codec shrinks.
fn stream(rng: &mut Random, len: usize) -> Vec<u8> {
    let (sort, few) = (rng.below(7), 1 + rng.below(256));
    let step = rng.below(40);
    let mut walk = 0;
    let mut src: Vec<u8> = (0..len)
        .map(|i| match sort {
            // Noise, of all bytes or a few, or what comes near it.
            0 | 1 => rng.below(256) as u8,
            2 => rng.below(few) as u8,
            3 => (rng.below(few) * (256 / few)) as u8,
            4 => (0..4).map(|_| rng.below(few)).sum::<usize>() as u8,
            5 => (i * step + rng.below(1 + few / 32)) as u8,
            _ => {
                walk += rng.below(1 + few / 4);
                walk as u8
            }
        })
        .collect();
    // And a repetition, which takes little or much of it.
    let repeated = rng.below(20);
    if sort == 1 && 2 * repeated < len {
        let from = rng.below(len - 2 * repeated);
        src.copy_within(from..from + repeated, len - repeated);
    }
    src
}

#[test]
fn what_is_taken_for_noise_does_not_shrink() {
    let (mut rng, mut state) = (Random::new(11), State::default());
    let mut seen = 0;
    for round in 0..40 {
        for len in LENGTHS {
            let src = stream(&mut rng, len);
            if !is_noise(&mut Places::default(), 9, &src) {
                continue;
            }
            seen += 1;
            let mut room = vec![0; len.saturating_sub(1)];
            for clevel in [1, 5, 7, 9] {
                assert_eq!(
                    state.search(level_of(clevel), None, &src, &mut room).unwrap(),
                    0,
                    "{round} {len}"
                );
            }
        }
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn what_cannot_fit_does_not() {
    let (mut rng, mut state) = (Random::new(12), State::default());
    let (mut seen, mut uneven) = (0, 0);
    for round in 0..3000 {
        for room in [1, 8, 20] {
            let len = room + 1 + rng.below(codes::MOST - room);
            let src = stream(&mut rng, if round % 2 == 0 { 64 } else { len });
            let mut room = vec![0; src.len() - room];
            if Fits::of(&mut Places::default(), &src, room.len()) != Fits::Never {
                continue;
            }
            seen += 1;
            uneven += usize::from(!is_even(&src));
            assert_eq!(state.search(level_of(5), None, &src, &mut room).unwrap(), 0, "{round}: {src:?}");
        }
    }
    assert!(seen > 1000 && uneven > 300, "{seen} {uneven}");
}

#[test]
fn what_cannot_fit_is_mostly_seen() {
    let (mut rng, mut state) = (Random::new(14), State::default());
    for len in [64, 96, 128, 256] {
        let (mut seen, mut stored) = (0, 0);
        for _ in 0..200 {
            // Numbers of eight bytes whose upper ones tell little, and something of which a few are like others.
            let src: Vec<u8> = (0..len)
                .map(|i| match i % 8 {
                    0..6 => rng.below(200) as u8,
                    6 => rng.below(4) as u8,
                    _ => 64,
                })
                .collect();
            let mut room = vec![0; len - 8];
            if state.search(level_of(5), None, &src, &mut room).unwrap() == 0 {
                stored += 1;
                seen += usize::from(Fits::of(&mut Places::default(), &src, room.len()) == Fits::Never);
            }
        }
        assert!(stored > 150 && 10 * seen > 9 * stored, "{len}: {seen} of {stored}");
    }
}

#[test]
fn items_with_equal_bytes_in_each_may_fit() {
    // Times in nanoseconds, a minute apart: matches that are all the same, and told by next to nothing.
    let times = |first: u64| (0..12).flat_map(move |i| (first + i * 60_000_000_000).to_le_bytes());
    for first in [0x1797_f565_59a2_e000, 0x1797_fc29_9c31_8000] {
        let src: Vec<u8> = times(first).collect();
        let mut room = vec![0; src.len() - 8];
        let fits = State::default().search(level_of(5), None, &src, &mut room).unwrap() > 0;
        assert!(fits && (Fits::of(&mut Places::default(), &src, room.len()) != Fits::Never));
    }
}

#[test]
fn runs_are_not_weighed() {
    let noise = Random::new(6).bytes(256);
    let src = |run: usize| [&noise[..256 - run], &vec![7; run][..]].concat();
    // In so little room, none of them fits; with a run, libzstd says so soon enough.
    for (run, weighed) in [(1, true), (ALIKE - 2, true), (ALIKE + 1, false), (200, false)] {
        assert_eq!((Fits::of(&mut Places::default(), &src(run), 40) == Fits::Never), weighed, "{run}");
    }
}

#[test]
fn noise_is_mostly_seen() {
    let mut rng = Random::new(3);
    let mut places = Places::default();
    for len in LENGTHS {
        let seen = (0..100).filter(|_| is_noise(&mut places, 5, &rng.bytes(len))).count();
        assert!(seen > 85, "{len}: {seen}");
    }
}

#[test]
fn what_may_shrink_is_no_noise() {
    let mut places = Places::default();
    let mut seen = |src: &[u8]| is_noise(&mut places, 5, src);
    let noise = Random::new(5).bytes(2000);
    for len in [32, 100, 1000] {
        let noise = &noise[..len];
        assert!(seen(noise));
        assert!(!seen(&[noise, &noise[..9 + len / 96]].concat()));
        assert!(!seen(&[noise, &vec![7; 20][..]].concat()));
    }
    assert!(!seen(&noise.iter().map(|byte| byte & 15).collect::<Vec<_>>()));
    assert!(!seen(&(0..=255).cycle().take(300).collect::<Vec<u8>>()));
}

#[test]
fn streams_are_the_same_with_and_without_the_look() {
    let (mut rng, mut state) = (Random::new(17), State::default());
    for _ in 0..20 {
        for len in LENGTHS {
            let src = stream(&mut rng, len);
            let [mut out, mut expected] = [(); 2].map(|()| vec![0; len.saturating_sub(1)]);
            let made = state.compress(&at(5), &src, &mut out).unwrap();
            let wanted = match tiny::write(&src, &mut expected) {
                Some(len) => len,
                None => {
                    let parameters = search::parameters(level_of(5), &at(5), &src);
                    state.search(level_of(5), parameters, &src, &mut expected).unwrap()
                }
            };
            assert_eq!(out[..made], expected[..wanted]);
        }
    }
}

#[test]
fn the_lowest_levels_look_at_less() {
    let noise = Random::new(9).bytes(1000);
    let seen = |clevel, len| is_noise(&mut Places::default(), clevel, &noise[..len]);
    assert_eq!([1, 2, 3].map(|clevel| seen(clevel, 256)), [true; 3]);
    assert_eq!([1, 2, 3].map(|clevel| seen(clevel, 257)), [false, false, true]);
}

#[test]
fn few_kinds_are_seen_where_a_stream_is_long_enough_for_their_codes() {
    let of = |kinds: usize, len: usize| (0..len).map(|i| (i * 7 % kinds) as u8).collect::<Vec<_>>();
    for (kinds, len, few) in
        [(5, 128, true), (24, 256, true), (25, 256, false), (5, 127, false), (1, 63, false), (60, 200, false)]
    {
        assert_eq!(has_few_kinds(&of(kinds, len)), few, "{kinds} in {len}");
    }
    assert!(!has_few_kinds(&Random::new(4).bytes(256)));
}

#[test]
fn what_is_too_short_for_codes_fits_by_matches_or_never() {
    let mut places = Places::default();
    let mut fits = |src: &[u8]| Fits::of(&mut places, src, src.len() - 1);
    // Of few kinds, so that codes would do.
    let src: Vec<u8> = Random::new(4).bytes(tiny::LITERALS).iter().map(|byte| byte % 16).collect();
    assert_eq!(fits(&src), Fits::Never);
    let repeated = src[..20].repeat(3);
    assert_eq!(fits(&repeated), Fits::ByMatches);
}
