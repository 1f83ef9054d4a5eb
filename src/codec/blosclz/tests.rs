//! BloscLZ against a slow decoder that is plainly right, on honest and on hostile streams.

use super::*;
use crate::base::random::Random;
use crate::codec::MadeOf;

/// The definition of the format, an operation and a byte at a time. `None` for a stream that makes no sense or holds more
/// than `room` bytes.
fn slow(src: &[u8], room: usize) -> Option<Vec<u8>> {
    let mut out: Vec<u8> = Vec::new();
    let mut bytes = src.iter().copied();
    let mut op = match bytes.next() {
        Some(first) => first % 32,
        None => return Some(out),
    };
    loop {
        if op < 32 {
            for _ in 0..op + 1 {
                out.push(bytes.next()?);
            }
        } else {
            let mut len = usize::from(op / 32) + 2;
            if op / 32 == 7 {
                let mut more = 255;
                while more == 255 {
                    more = bytes.next()?;
                    len += usize::from(more);
                }
            }
            let mut back = usize::from(op % 32) * 256 + usize::from(bytes.next()?);
            if back == 8191 {
                back += usize::from(bytes.next()?) * 256;
                back += usize::from(bytes.next()?);
            }
            for _ in 0..len {
                out.push(*out.get(out.len().checked_sub(back + 1)?)?);
                if out.len() > room {
                    return None;
                }
            }
        }
        if out.len() > room {
            return None;
        }
        match bytes.next() {
            Some(next) => op = next,
            None => return Some(out),
        }
    }
}

/// What is behind a place that a stream goes to.
const BEHIND: [u8; 128] = [0x5a; 128];

/// Ours and the slow one agree on `src`, also on whether it is a stream at all, for the front of it too; and nothing is
/// written behind the room that was given.
fn agree(src: &[u8], room: usize) {
    MadeOf::ALL.into_iter().for_each(|made_of| agree_reading(src, room, made_of));
}

fn agree_reading(src: &[u8], room: usize, made_of: MadeOf) {
    let mut dst = vec![0x5a; room + BEHIND.len()];
    let stream = Stream::whole(src, made_of);
    let ours = decompress(stream, &mut dst[..room]).ok();
    assert_eq!(dst[room..], BEHIND);
    // Bytes that are lent behind either end change nothing.
    for lent in [[0, 0], [70, 0], [0, 100], [70, 100]] {
        let bytes = [src, &vec![0xff; lent[0]]].concat();
        let mut more = vec![0x5a; room + lent[1]];
        let done = decompress_lent(Stream { bytes: &bytes, ..stream }, room, &mut more).ok();
        assert_eq!(done, ours, "{src:?} {lent:?}");
        assert!(more[..done.unwrap_or(0)] == dst[..done.unwrap_or(0)]);
    }
    match slow(src, room) {
        Some(want) => {
            assert_eq!(ours, Some(want.len()), "{src:?}");
            assert!(dst[..want.len()] == want, "{src:?}");
            for part in [0, 1, room / 3, room.saturating_sub(1), room] {
                let mut dst = vec![0x5a; room + BEHIND.len()];
                let done = decompress_front(stream, &mut dst[..room], part).unwrap();
                assert!(done >= part.min(want.len()) && done <= want.len());
                assert!(dst[..done] == want[..done]);
                assert_eq!(dst[room..], BEHIND);
            }
        }
        None => assert_eq!(ours, None, "{src:?}"),
    }
}

/// Items of a few bytes that differ in the first ones, appended to a stream; tells how many bytes they hold.
fn random_items(random: &mut Random, src: &mut Vec<u8>) -> usize {
    let distance = 5 + random.below(14);
    let literals = 1 + random.below(distance - 3);
    let (n, len) = (1 + random.below(20), distance - literals);
    for _ in 0..n {
        src.push(literals as u8 - 1);
        src.extend(random.bytes(literals));
        match len {
            ..9 => src.push(((len - 2) << 5) as u8),
            _ => src.extend([7 << 5, (len - 9) as u8]),
        }
        src.push(distance as u8 - 1);
    }
    n * distance
}

/// Numbers of eight bytes of which the first differ, and the others stood in any number before, appended to a stream that holds
/// `held` bytes; tells how many bytes they hold.
fn random_numbers(random: &mut Random, src: &mut Vec<u8>, held: usize) -> usize {
    let literals = 1 + random.below(5);
    let n = 1 + random.below(40);
    for i in 0..n {
        src.push(literals as u8 - 1);
        src.extend(random.bytes(literals));
        // As far as the very beginning.
        let most = ((held + 8 * i + literals) / 8).min(NEAR.div_ceil(8));
        let back = if random.below(20) == 0 { 8 * most } else { 8 * (1 + random.below(most)) } - 1;
        src.extend([((6 - literals) << 5 | back >> 8) as u8, back as u8]);
        if back == NEAR {
            src.extend([0, 0]);
        }
    }
    8 * n
}

/// A stream of `n` random operations that makes sense, and how many bytes it holds.
fn random_stream(random: &mut Random, n: usize) -> (Vec<u8>, usize) {
    let mut src = Vec::new();
    let mut held = 0usize;
    for i in 0..n {
        if held > 16 && random.below(8) == 0 {
            held += random_items(random, &mut src);
            continue;
        }
        if held > 8 && random.below(8) == 0 {
            held += random_numbers(random, &mut src, held);
            continue;
        }
        if i == 0 || random.below(3) == 0 {
            let len = random.below(32) + 1;
            let mark = if i == 0 { random.below(8) as u8 * 32 } else { 0 };
            src.push((len as u8 - 1) | mark);
            src.extend(random.bytes(len));
            held += len;
            continue;
        }
        let reach = match random.below(4) {
            0 => 1,
            1 => 40,
            2 => 9000,
            _ => 80_000,
        };
        let back = random.below(reach.min(held).min(MAX_DISTANCE));
        let len = match random.below(8) {
            0 => 9 + random.below(1500),
            1 => 9 + 255 * random.below(3),
            2 => 9 + random.below(60),
            _ => 3 + random.below(6),
        };
        let mut op = (back.min(NEAR) >> 8) as u8;
        let mut more = Vec::new();
        if len < 9 {
            op |= (len as u8 - 2) << 5;
        } else {
            op |= 7 << 5;
            more.resize((len - 9) / 255, 255);
            more.push(((len - 9) % 255) as u8);
        }
        src.push(op);
        src.extend(more);
        src.push(back.min(NEAR) as u8);
        if back >= NEAR {
            src.extend(((back - NEAR) as u16).to_be_bytes());
        }
        held += len;
    }
    (src, held)
}

#[test]
fn reads_every_form_of_every_operation() {
    let mut random = Random::new(1);
    for n in (1..40).chain([200, 1000, 4000]) {
        for _ in 0..if n < 40 { 20 } else { 3 } {
            let (src, held) = random_stream(&mut random, n);
            assert_eq!(slow(&src, held).map(|out| out.len()), Some(held));
            agree(&src, held);
            agree(&src, held + 100);
            agree(&src, held - 1);
        }
    }
}

#[test]
fn hostile_streams_give_an_error_or_bytes() {
    let mut random = Random::new(2);
    for round in 0..60 {
        let (src, held) = random_stream(&mut random, 3 + round % 20);
        for at in 0..src.len() {
            agree(&src[..at], held);
            for change in [1 << random.below(8), 255, random.below(256) as u8] {
                let mut bad = src.clone();
                bad[at] ^= change;
                agree(&bad, held);
            }
        }
    }
    for _ in 0..20_000 {
        let len = random.below(60);
        let src = random.bytes(len);
        agree(&src, random.below(300));
    }
}

#[test]
fn a_number_like_the_last_may_begin_before_the_output_with_what_is_new_of_it() {
    let number = |value: u8, back: u8| [0, value, 5 << 5, back - 1];
    let mut src = vec![32 | 14];
    src.extend(1..=15);
    src.extend(number(100, 16));
    src.extend(number(101, 16));
    // Of 31 bytes, the first, behind one that is new.
    src.extend(number(102, 32));
    src.extend(number(103, 40));
    src.extend(number(104, 24));
    src.extend([31; 33]);
    src.extend([31; 33]);
    let want = slow(&src, 200).unwrap();
    assert_eq!(want[31..47], [102, 1, 2, 3, 4, 5, 6, 7, 103, 1, 2, 3, 4, 5, 6, 7]);
    agree(&src, 200);
}

/// The operations of a stream, as (literals, match length), for looking at how it was written.
fn operations(src: &[u8]) -> Vec<(usize, usize)> {
    let mut ops = Vec::new();
    let mut at = 0;
    while at < src.len() {
        let op = if at == 0 { src[0] % 32 } else { src[at] };
        at += 1;
        if op < 32 {
            ops.push((usize::from(op) + 1, 0));
            at += usize::from(op) + 1;
            continue;
        }
        let mut len = usize::from(op / 32) + 2;
        let mut more = if op / 32 == 7 { 255 } else { 0 };
        while more == 255 {
            more = src[at];
            len += usize::from(more);
            at += 1;
        }
        at += if op % 32 == 31 && src[at] == 255 { 3 } else { 1 };
        ops.push((0, len));
    }
    ops
}

#[test]
fn writes_what_the_format_asks_for() {
    let mut random = Random::new(3);
    let mut tables = Tables::default();
    for round in 0..400 {
        // Pieces of earlier bytes, runs and noise, over every length near the edges.
        let want = 16 + round * round % 3000 + if round % 50 == 0 { 140_000 } else { 0 };
        let mut data: Vec<u8> = vec![7; 3];
        while data.len() < want {
            let len = 1 + random.below(80);
            match random.below(3) {
                0 => {
                    let from = random.below(data.len());
                    (0..len).for_each(|i| data.push(data[from + i]));
                }
                1 => data.extend(std::iter::repeat_n(random.below(256) as u8, len)),
                _ => data.extend(random.bytes(len / 8)),
            }
        }
        data.truncate(want);
        for clevel in 1..=9 {
            let mut packed = vec![0xee; want + 8];
            let len = compress(&mut tables, clevel, 0, &data, &mut packed[..want]);
            assert!(len < want);
            assert_eq!(packed[want..], [0xee; 8]);
            if len == 0 {
                continue;
            }
            let packed = &packed[..len];
            assert!(slow(packed, want).as_ref() == Some(&data), "round {round} level {clevel}");
            agree(packed, want);
            let ops = operations(packed);
            // The C library's decoder refuses a stream that ends in a match.
            assert_eq!(ops.last().unwrap().1, 0);
            assert_eq!(packed[0] >> 5, 1);
            // No more room than it takes is needed, and less gives 0.
            let mut exact = vec![0; len];
            assert_eq!(compress(&mut tables, clevel, 0, &data, &mut exact), len);
            assert_eq!(exact, packed);
            assert_eq!(compress(&mut tables, clevel, 0, &data, &mut exact[..len - 1]), 0);
            assert_eq!(compress(&mut tables, clevel, 0, &data, &mut exact[..len / 2]), 0);
        }
    }
}

#[test]
fn what_came_before_does_not_show() {
    let mut random = Random::new(4);
    let mut tables = Tables::default();
    let data: Vec<u8> =
        (0..70_000u32).map(|i| (i / 300) as u8 ^ (random.below(2) * (random.below(40) / 39)) as u8).collect();
    let mut first = vec![0; data.len()];
    let len = compress(&mut Tables::default(), 5, 0, &data, &mut first);
    assert!(len > 0);
    for part in [100, 5000, 65_536, 70_000] {
        let mut scratch = vec![0; part];
        compress(&mut tables, 9, 0, &data[..part], &mut scratch);
        let mut again = vec![0; data.len()];
        assert_eq!(compress(&mut tables, 5, 0, &data, &mut again), len);
        assert!(again == first);
    }
}

#[test]
fn noise_and_the_very_short_are_left_alone() {
    let mut random = Random::new(5);
    let mut tables = Tables::default();
    let noise = random.bytes(100_000);
    let mut dst = vec![0; noise.len()];
    for clevel in 1..=9 {
        assert_eq!(compress(&mut tables, clevel, 0, &noise, &mut dst), 0);
        for len in 0..16 {
            assert_eq!(compress(&mut tables, clevel, 0, &vec![0; len], &mut dst), 0);
        }
        assert_eq!(compress(&mut tables, clevel, 0, &vec![0; 1000], &mut []), 0);
    }
}

#[test]
fn a_table_that_lasts_does_not_show() {
    let mut kept = Tables::default();
    let mut random = Random::new(7);
    for n in 0..600 {
        let len = 16 + random.below(3000);
        let period = 1 + random.below(700);
        let src: Vec<u8> = (0..len).map(|i| ((i % period) * 37 + n % 5 * (i / 50)) as u8).collect();
        let clevel = 1 + (n % 9) as u8;
        let (mut dst, mut expected) = (vec![0; len], vec![0; len]);
        let size = compress(&mut kept, clevel, 0, &src, &mut dst);
        assert_eq!(size, compress(&mut Tables::default(), clevel, 0, &src, &mut expected), "stream {n}");
        assert!(dst[..size] == expected[..size], "stream {n}");
    }
}

#[test]
fn items_are_taken_as_they_come_and_repetitions_are_still_found() {
    let mut random = Random::new(11);
    let packed_len = |src: &[u8]| {
        let mut packed = vec![0; src.len()];
        let len = compress(&mut Tables::default(), 5, 0, src, &mut packed);
        assert!(slow(&packed[..len], src.len()).is_some_and(|got| got == src));
        agree(&packed[..len], src.len());
        len
    };
    let items = |n: usize, width: usize, value: &mut dyn FnMut(usize) -> u64| -> Vec<u8> {
        (0..n).flat_map(|i| [&value(i).to_le_bytes()[..], &vec![9; width - 8]].concat()).collect()
    };
    for width in [8, 12, 16, 24] {
        let src = items(10_000, width, &mut |i| i as u64);
        // A literal and a match: two bytes each, and one for a length from 9 on.
        let expected = 10_000 * if width == 8 { 4 } else { 5 };
        assert!(packed_len(&src).abs_diff(expected) < expected / 50, "{width}");
        // The same hundred again and again, which only the table knows.
        let src = items(10_000, width, &mut |i| i as u64 % 100);
        assert!(packed_len(&src) < src.len() / 50, "{width}");
        // One of a hundred, any: most matches are whole items.
        let src = items(10_000, width, &mut |_| random.below(100) as u64);
        assert!(packed_len(&src) < 34_000, "{width}");
    }
}

#[test]
fn runs_that_follow_each_other_do_not_hide_longer_matches() {
    // The bits of a counter, one after the other.
    let src: Vec<u8> =
        (0..8 * 2048).map(|i| if (i % 2048) >> (i / 2048) & 1 == 0 { 0 } else { 255 }).collect();
    let mut packed = vec![0; src.len()];
    let len = compress(&mut Tables::default(), 5, 0, &src, &mut packed);
    assert!((1..200).contains(&len), "{len}");
    assert!(slow(&packed[..len], src.len()) == Some(src));
}

/// Numbers of `size` bytes that go up and down by up to `step`.
fn walk(random: &mut Random, size: usize, step: u64, n: usize) -> Vec<u8> {
    let mut at = 1_000_000u64;
    (0..n)
        .flat_map(|_| {
            at = at + random.below(2 * step as usize + 1) as u64 - step;
            at.to_le_bytes()[..size].to_vec()
        })
        .collect()
}

#[test]
fn numbers_come_back_whatever_they_are_mixed_with() {
    let mut random = Random::new(12);
    let mut tables = Tables::default();
    for round in 0..150 {
        let size = [4, 8][round % 2];
        let want = 3000 + random.below(if round % 10 == 0 { 300_000 } else { 60_000 });
        let mut data = Vec::new();
        while data.len() < want {
            let n = 10 + random.below(8000);
            match random.below(6) {
                0..=2 => {
                    let step = 1 + random.below(12) as u64;
                    data.extend(walk(&mut random, size, step, n));
                }
                3 => data.extend(vec![random.below(3) as u8; n]),
                // At another place of the numbers, from now on.
                4 if !data.is_empty() => {
                    let from = random.below(data.len());
                    data.extend_from_within(from..(from + n + random.below(4)).min(data.len()));
                }
                _ => data.extend(random.bytes(n / 50)),
            }
        }
        data.truncate(want);
        for item in [size, 12 - size, 16, 0] {
            let mut packed = vec![0xee; want + 8];
            let len = compress(&mut tables, 5 + (round % 5) as u8, item, &data, &mut packed[..want]);
            assert_eq!(packed[want..], [0xee; 8]);
            if len > 0 {
                assert!(slow(&packed[..len], want).as_ref() == Some(&data), "round {round}, items of {item}");
                agree(&packed[..len], want);
                let mut exact = vec![0; len];
                assert_eq!(compress(&mut tables, 5 + (round % 5) as u8, item, &data, &mut exact), len);
                assert_eq!(
                    compress(&mut tables, 5 + (round % 5) as u8, item, &data, &mut exact[..len - 1]),
                    0
                );
            }
        }
    }
}

#[test]
fn numbers_that_stood_before_are_one_match_each() {
    let mut random = Random::new(14);
    let integers: Vec<u64> = (0..16_384).map(|_| random.below(100) as u64).collect();
    let high: Vec<u64> = integers.iter().map(|integer| integer << 40).collect();
    for numbers in [integers, high] {
        let src: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        // Be it said that they are numbers of eight bytes, or not.
        for item in [8, 2, 0] {
            let whole = whole_matches(item, &src, 8);
            assert!(whole > 15_500, "{whole}, items of {item}");
        }
    }
}

/// How many matches have whole items of `size` bytes.
fn whole_matches(item: usize, src: &[u8], size: usize) -> usize {
    let mut packed = vec![0; src.len()];
    let len = compress(&mut Tables::default(), 5, item, src, &mut packed);
    assert!(slow(&packed[..len], src.len()).is_some_and(|got| got == src));
    operations(&packed[..len]).iter().filter(|&&(_, len)| len > 0 && len % size == 0).count()
}

#[test]
fn names_that_stood_before_are_one_match_each() {
    let mut random = Random::new(15);
    let all: Vec<[u8; 16]> = (0..100)
        .map(|_| {
            let len = 3 + random.below(12);
            std::array::from_fn(|i| if i < len { b'a' + random.below(26) as u8 } else { 0 })
        })
        .collect();
    let src: Vec<u8> = (0..8192).flat_map(|_| all[random.below(all.len())]).collect();
    let whole = whole_matches(16, &src, 16);
    assert!(whole > 7700, "{whole}");
}

#[test]
fn numbers_are_searched_in_one_place_where_that_is_all_there_is() {
    let mut random = Random::new(13);
    let len_of = |item: usize, src: &[u8]| {
        let mut packed = vec![0; src.len()];
        let len = compress(&mut Tables::default(), 5, item, src, &mut packed);
        assert!(slow(&packed[..len], src.len()).is_some_and(|got| got == src));
        len
    };
    // Behind the beginning, a literal and a match of seven bytes for two numbers, which is more than could be had.
    let src = walk(&mut random, 4, 4, 32_768);
    let (numbers, bytes) = (len_of(4, &src), len_of(0, &src));
    assert!(bytes < numbers && numbers < src.len() / 2 + 4096, "{numbers} {bytes}");
    // Where numbers differ little, most are found from their first byte on. So they are in what repeats.
    let few = walk(&mut random, 4, 1, 32_768);
    let period = walk(&mut random, 4, 100, 1000);
    let repeated: Vec<u8> = period.iter().copied().cycle().take(131_072).collect();
    for src in [few, repeated] {
        let (numbers, bytes) = (len_of(4, &src), len_of(0, &src));
        assert!(numbers <= bytes + bytes / 50, "{numbers} {bytes}");
    }
}
