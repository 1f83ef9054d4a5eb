//! What liblz4 writes is read as liblz4 reads it, by every kernel.

use super::decode::{Job, Place, decompress_at, decompress_from, length};
use super::items::is_item;
use super::pairs::Pairs;
use super::parts::way_of;
use super::ways::Way;
use super::{decompress, decompress_by_library};
use crate::base::cpu::{self, Simd};
use crate::base::random::Random;
use crate::codec::items::are_item;
use crate::codec::tests::{items_of, kinds, packed};
use crate::codec::{Dict, LZ4, LZ4HC, MadeOf, State, StreamParams};

/// Runs of a few bytes, again and again, of all lengths; some of these begin again at once.
fn runs_of(rng: &mut Random, n: usize) -> Vec<u8> {
    let mut data = Vec::new();
    while data.len() < n {
        let period: Vec<u8> = (0..1 + rng.below(3) * rng.below(9)).map(|_| rng.below(3) as u8).collect();
        let bits = 2 + rng.below(13);
        let len = rng.below(1 << bits);
        data.extend(period.iter().cycle().take(len));
    }
    data.truncate(n);
    data
}

/// Records of which all but one or two bytes are those of one of many kinds: matches of 15 to 18 bytes, from far back.
fn records_of(rng: &mut Random, n: usize) -> Vec<u8> {
    let kinds: Vec<Vec<u8>> =
        (0..500).map(|_| (0..15 + rng.below(4)).map(|_| rng.below(256) as u8).collect()).collect();
    let mut data = Vec::new();
    while data.len() < n {
        data.extend(&kinds[rng.below(kinds.len())]);
        data.extend((0..1 + rng.below(2)).map(|_| rng.below(256) as u8));
    }
    data.truncate(n);
    data
}

#[test]
fn it_is_seen_how_sequences_want_to_be_taken() {
    let (mut st, mut rng) = (State::default(), Random::new(34));
    let mut ways = |data: &[u8]| {
        let stream = packed(&variants()[0], &mut st, data).unwrap();
        let begun = stream.len() / 2;
        // From the beginning of some sequence on, as near the middle as it comes.
        let at = sequences(&stream).find(|&at| at > begun).unwrap();
        [MadeOf::Items, MadeOf::Numbers, MadeOf::Bytes].map(|made_of| way_of(&stream[at..], made_of))
    };
    let far = records_of(&mut rng, 60_000);
    assert_eq!(ways(&far), [Way::Far; 3]);
    let items = items_of(&mut rng, 10_000, 8);
    assert_eq!(ways(&items), [Way::Items, Way::Bytes, Way::Planes]);
    // Items of shapes that differ from one to the next.
    let mut shapes = vec![0; 8];
    while shapes.len() < 60_000 {
        let (changed, last) = (1 + rng.below(4), shapes.len() - 8);
        shapes.extend(rng.bytes(changed));
        shapes.extend_from_within(last + changed..last + 8);
    }
    assert_eq!(ways(&shapes)[0], Way::Bytes);
    let labels: Vec<u8> = (0..60_000).map(|_| rng.below(2) as u8 * rng.below(3) as u8).collect();
    assert_eq!(ways(&labels), [Way::Bytes, Way::Bytes, Way::Planes]);
    let near = runs_of(&mut rng, 60_000);
    assert_eq!(ways(&near), [Way::Bytes; 3]);
    // Small numbers: each is one of a few that stood just before.
    let small: Vec<u8> = (0..8_000).flat_map(|_| (1 + rng.below(5) as u64).to_le_bytes()).collect();
    assert_eq!(ways(&small), [Way::Planes; 3]);
}

/// Where the sequences of a stream begin.
fn sequences(stream: &[u8]) -> impl Iterator<Item = usize> {
    let mut rest = stream;
    std::iter::from_fn(move || {
        let at = stream.len() - rest.len();
        let token = usize::from(*rest.split_off_first()?);
        let literals = length(&mut rest, token >> 4)?;
        rest.split_off(..literals)?;
        if !rest.is_empty() {
            rest.split_off(..2)?;
            length(&mut rest, token & 15)?;
        }
        Some(at)
    })
}

#[test]
fn tokens_of_items_are_known() {
    for token in 0..=u8::MAX {
        let (literals, len) = (usize::from(token >> 4), usize::from(token & 15) + 4);
        for distance in 1..40 {
            // Where length bytes follow, the token does not tell.
            let told = token >> 4 < 15 && token & 15 < 15 && are_item(literals, distance, len);
            assert_eq!(is_item(token, distance), told, "{token:#x}, {distance}");
        }
    }
}

/// Parameters that choose between the variants of a kernel.
pub(super) fn variants() -> [StreamParams<'static>; 5] {
    let p = StreamParams { codec: LZ4, clevel: 5, typesize: 8, ..StreamParams::default() };
    MadeOf::ALL.map(|made_of| StreamParams { made_of, ..p })
}

pub(super) fn levels() -> impl Iterator<Item = Simd> {
    Simd::ALL.into_iter().filter(|&simd| simd <= cpu::detected())
}

/// What is written behind what a stream and its place lend.
const CANARY: [u8; 100] = [0xc5; 100];

/// Reads `src` into `len` bytes, by a kernel that both sides lend `lent` bytes.
fn read(simd: Simd, p: &StreamParams, src: &[u8], len: usize, enough: usize, lent: usize) -> Option<Vec<u8>> {
    let behind: Vec<u8> = (0..lent as u32).map(|i| (i * 37) as u8).collect();
    let src_and_lent = [src, &behind].concat();
    let mut dst = vec![0xaa; len + lent];
    dst.extend(CANARY);
    let (place, canary) = dst.split_at_mut(len + lent);
    let job = Job { src: &src_and_lent, end: src.len(), dst: place, len, enough };
    let written = decompress_from(simd, p, job, Place::default());
    assert!(canary == CANARY, "{simd:?} writes behind what it was lent");
    dst.truncate(written?);
    Some(dst)
}

fn read_by_library(src: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut dst = vec![0; len];
    let written = decompress_by_library(src, &mut dst)?;
    dst.truncate(written);
    Some(dst)
}

/// Data of all kinds that have something to do with matches, near and far, short and long.
pub(super) fn data(rng: &mut Random, n: usize) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = kinds(n).into_iter().map(|(_, data)| data).collect();
    all.push(runs_of(rng, n));
    all.push(items_of(rng, n / 8, 8));
    // Pieces of what was there before, from anywhere, between literals.
    let mut pieces = rng.bytes(20);
    while pieces.len() < n {
        let farthest = pieces.len().min(1 + rng.below(70_000));
        let from = pieces.len() - 1 - rng.below(farthest);
        let bits = 2 + rng.below(9);
        (from..from + rng.below(1 << bits)).for_each(|at| pieces.push(pieces[at]));
        let fresh = rng.below(40) * rng.below(4) / 3;
        pieces.extend(rng.bytes(fresh));
    }
    pieces.truncate(n);
    all.push(pieces);
    all
}

#[test]
fn streams_are_read_as_they_were_written() {
    let (mut st, mut rng) = (State::default(), Random::new(29));
    let lengths = (0..40).map(|n| 13 + 7 * n).chain([600, 1024, 4096, 10_000, 65_536, 200_000]);
    let mut streams = 0;
    for n in lengths {
        for data in data(&mut rng, n) {
            for codec in [LZ4, LZ4HC] {
                let Some(stream) = packed(&StreamParams { codec, ..variants()[0] }, &mut st, &data) else {
                    continue;
                };
                streams += 1;
                let (enough, short) = (rng.below(data.len() + 1), rng.below(data.len()));
                for (simd, p, lent) in levels()
                    .flat_map(|simd| variants().map(|p| (simd, p)))
                    .flat_map(|(simd, p)| [0, 20, 64, 200].map(|lent| (simd, p, lent)))
                {
                    let whole = read(simd, &p, &stream, data.len(), usize::MAX, lent);
                    assert!(whole.as_ref() == Some(&data), "{simd:?}, {} bytes, {lent} lent", data.len());
                    let front = read(simd, &p, &stream, data.len(), enough, lent).unwrap();
                    assert!(front.len() >= enough && front == data[..front.len()], "{simd:?}, {enough}");
                    let cut = read(simd, &p, &stream, short, usize::MAX, lent);
                    assert!(cut.is_none(), "{simd:?}, room for {short}, {lent} lent");
                    let roomy = read(simd, &p, &stream, data.len() + 100, usize::MAX, lent);
                    assert!(roomy.as_ref() == Some(&data), "{simd:?}, room for more");
                }
            }
        }
    }
    assert!(streams > 500, "{streams}");
}

/// `literals`, a match of `len` bytes `distance` back, and five literals as the end.
fn stream_of(literals: &[u8], distance: usize, len: usize) -> Vec<u8> {
    let (mut stream, mut told) = (vec![0xff], Vec::new());
    for (mut rest, bytes) in [(literals.len() - 15, &mut stream), (len - 19, &mut told)] {
        while rest >= 255 {
            bytes.push(255);
            rest -= 255;
        }
        bytes.push(rest as u8);
    }
    stream.extend_from_slice(literals);
    stream.extend((distance as u16).to_le_bytes());
    stream.extend(told);
    stream.extend([0x50, 1, 2, 3, 4, 5]);
    stream
}

#[test]
fn what_stood_in_the_place_of_a_stream_is_never_told() {
    let literals = Random::new(41).bytes(60);
    let dict = Dict::for_decompression(LZ4, &literals).unwrap();
    for len in [19, 30, 64, 300] {
        let stream = stream_of(&literals, 0, len);
        let all = literals.len() + len + 5;
        for (simd, p) in levels().flat_map(|simd| variants().map(|p| (simd, p))) {
            for dict in [None, Some(&dict)] {
                let p = StreamParams { dict, ..p };
                let told = [0xaa, 0x55].map(|before| {
                    let mut dst = vec![before; all];
                    let job =
                        Job { src: &stream, end: stream.len(), dst: &mut dst, len: all, enough: usize::MAX };
                    match dict {
                        None => decompress_at(simd, &p, job).is_some(),
                        Some(_) => decompress(&p, job).is_ok(),
                    }
                    .then_some(dst)
                });
                assert!(told[0] == told[1], "{simd:?}, {:?}, {len} bytes", p.made_of);
            }
        }
    }
}

#[test]
fn matches_repeat_from_any_distance_over_any_length() {
    let literals = Random::new(37).bytes(1300);
    for distance in (1..150).chain([255, 256, 257, 300, 511, 512, 513, 600, 1023, 1024, 1300]) {
        for len in (19..30).chain([63, 64, 65, 66, 127, 128, 129, 200, 300, 512, 700, 1500, 5000]) {
            let mut data = literals.clone();
            (0..len).for_each(|n| data.push(data[literals.len() - distance + n % distance]));
            data.extend([1, 2, 3, 4, 5]);
            let stream = stream_of(&literals, distance, len);
            assert!(read_by_library(&stream, data.len()).as_ref() == Some(&data));
            for (simd, p) in levels().flat_map(|simd| variants().map(|p| (simd, p))) {
                let whole = read(simd, &p, &stream, data.len(), usize::MAX, 64);
                assert!(whole.as_ref() == Some(&data), "{simd:?}, {len} bytes from {distance} back");
            }
        }
    }
}

#[test]
fn damaged_streams_are_read_as_liblz4_reads_them() {
    let (mut st, mut rng) = (State::default(), Random::new(31));
    let (mut read_too, mut refused) = (0, 0);
    for n in 0..60 {
        for data in data(&mut rng, 300 + 40 * n) {
            let Some(mut stream) = packed(&variants()[0], &mut st, &data) else { continue };
            for _ in 0..20 {
                match rng.below(4) {
                    0 => stream.truncate(1 + rng.below(stream.len())),
                    1 => stream.insert(rng.below(stream.len()), rng.next() as u8),
                    _ => {
                        let at = rng.below(stream.len());
                        stream[at] = rng.next() as u8;
                    }
                }
                let len = if rng.below(2) == 0 { data.len() } else { 1 + rng.below(2 * data.len()) };
                let lent = 64 * rng.below(3);
                // The plain loop, that looks out for items, too.
                let items = StreamParams { made_of: MadeOf::Items, ..variants()[0] };
                let told = read(Simd::Scalar, &items, &stream, len, usize::MAX, 0);
                match &told {
                    // Refused is more than liblz4 refuses: matches of what is not there yet, ends of four literals.
                    None => refused += 1,
                    Some(_) => {
                        assert!(told == read_by_library(&stream, len), "{stream:?} in {len}");
                        read_too += 1;
                    }
                }
                for (simd, p) in levels().flat_map(|simd| variants().map(|p| (simd, p))) {
                    let ours = read(simd, &p, &stream, len, usize::MAX, lent);
                    assert!(ours == told, "{simd:?}, {stream:?} in {len}, {lent} lent");
                    // No promise of what is there, but that it is no more than that.
                    read(simd, &p, &stream, len, rng.below(len), lent);
                }
            }
        }
    }
    assert!(read_too > 300 && refused > 3000, "{read_too} read, {refused} refused");
}

/// A stream, and how many bytes it is to hold.
type Coded = (Vec<u8>, usize);

/// Reads streams in pairs, each to a place as long as is said, with `lent` bytes behind both; `None` if they are refused.
fn read_in_pairs(simd: Simd, streams: &[Coded], lent: usize) -> Option<Vec<Vec<u8>>> {
    let p = StreamParams { made_of: MadeOf::Planes, ..variants()[0] };
    let srcs: Vec<_> = streams.iter().map(|(stream, _)| [&stream[..], &vec![0x11; lent]].concat()).collect();
    let mut dsts: Vec<_> =
        streams.iter().map(|(_, len)| [&vec![0; len + lent][..], &CANARY].concat()).collect();
    let mut pairs = Pairs::at(simd, &p);
    let mut read = Ok(());
    for (((stream, len), src), dst) in streams.iter().zip(&srcs).zip(&mut dsts) {
        let place = &mut dst[..len + lent];
        read = read.and_then(|()| pairs.add((src, stream.len()), (place, *len)));
    }
    let read = read.and_then(|()| pairs.finish());
    for (dst, (_, len)) in dsts.iter_mut().zip(streams) {
        assert!(dst[len + lent..] == CANARY, "{simd:?} writes behind what it was lent");
        dst.truncate(*len);
    }
    read.ok().map(|()| dsts)
}

/// Some streams of any length and kind, and what they hold.
fn some_streams(st: &mut State, rng: &mut Random) -> (Vec<Coded>, Vec<Vec<u8>>) {
    let (mut streams, mut all) = (Vec::new(), Vec::new());
    let wanted = 1 + rng.below(5);
    while streams.len() < wanted {
        let bits = 4 + rng.below(13);
        let n = 13 + rng.below(1 << bits);
        let mut kinds = data(rng, n);
        let data = kinds.swap_remove(rng.below(kinds.len()));
        let codec = [LZ4, LZ4HC][rng.below(2)];
        if let Some(stream) = packed(&StreamParams { codec, ..variants()[0] }, st, &data) {
            streams.push((stream, data.len()));
            all.push(data);
        }
    }
    (streams, all)
}

#[test]
fn streams_are_read_in_pairs_as_one_after_the_other() {
    let (mut st, mut rng) = (State::default(), Random::new(37));
    for _ in 0..300 {
        let (streams, data) = some_streams(&mut st, &mut rng);
        for (simd, lent) in levels().flat_map(|simd| [0, 20, 64].map(|lent| (simd, lent))) {
            let read = read_in_pairs(simd, &streams, lent);
            assert!(read.as_ref() == Some(&data), "{simd:?}, {} streams, {lent} lent", streams.len());
        }
    }
}

#[test]
fn damaged_pairs_are_read_as_each_of_them_alone() {
    let (mut st, mut rng) = (State::default(), Random::new(41));
    let (mut read_too, mut refused) = (0, 0);
    for _ in 0..2000 {
        let (mut streams, _) = some_streams(&mut st, &mut rng);
        let damaged = rng.below(streams.len());
        let (stream, len) = &mut streams[damaged];
        let at = rng.below(stream.len());
        match rng.below(4) {
            0 => stream.truncate(1 + at),
            1 => *len = 1 + rng.below(2 * *len),
            _ => stream[at] ^= 1 << rng.below(8),
        }
        // The plain loop: liblz4 takes some that it refuses.
        let p = StreamParams { made_of: MadeOf::Items, ..variants()[0] };
        let alone = |(stream, len): &Coded| {
            read(Simd::Scalar, &p, stream, *len, usize::MAX, 0).filter(|held| held.len() == *len)
        };
        let told: Option<Vec<_>> = streams.iter().map(alone).collect();
        *(if told.is_some() { &mut read_too } else { &mut refused }) += 1;
        for (simd, lent) in levels().skip(1).flat_map(|simd| [0, 64].map(|lent| (simd, lent))) {
            let read = read_in_pairs(simd, &streams, lent);
            assert!(read == told, "{simd:?}, {damaged} of {}, {lent} lent", streams.len());
        }
    }
    assert!(read_too > 200 && refused > 500, "{read_too} read, {refused} refused");
}

#[test]
fn long_streams_are_read_as_is_best_for_each_part() {
    let (mut st, mut rng) = (State::default(), Random::new(33));
    for round in 0..10 {
        let mut data = Vec::new();
        while data.len() < 400_000 {
            let n = 3000 + rng.below(120_000);
            match rng.below(4) {
                3 => data.extend(records_of(&mut rng, n)),
                0 => data.extend(items_of(&mut rng, n / 8, 8)),
                1 => data.extend(runs_of(&mut rng, n)),
                _ => data.extend((0..n / 8).flat_map(|_| (rng.below(5000) as u64).to_le_bytes())),
            }
        }
        let made_of = if round % 2 == 0 { MadeOf::Items } else { MadeOf::Bytes };
        let p = StreamParams { made_of, ..variants()[0] };
        let stream = packed(&p, &mut st, &data).unwrap();
        let mut damaged = stream.clone();
        damaged[rng.below(stream.len())] ^= 1 << (round % 8);
        let told = read_by_library(&damaged, data.len());
        for simd in levels() {
            let whole = read(simd, &p, &stream, data.len(), usize::MAX, 64);
            assert!(whole.as_ref() == Some(&data), "{simd:?}");
            let enough = rng.below(data.len());
            let front = read(simd, &p, &stream, data.len(), enough, 64).unwrap();
            assert!(front.len() >= enough && front[..enough] == data[..enough], "{simd:?}, {enough}");
            let ours = read(simd, &p, &damaged, data.len(), usize::MAX, 64);
            assert!(ours.is_none() || ours == told, "{simd:?}");
        }
    }
}

/// Found by a fuzzer: what has to be behind a match was not looked at where the plain loop only had the end.
#[test]
fn ends_are_looked_at_wherever_they_are_read() {
    let stream = [31, 1, 1, 0, 255, 25, 31, 2, 33, 0, 255, 255, 1, 87, 2, 1, 1, 1, 47, 1, 1, 1];
    for len in 840..960 {
        for (simd, p) in levels().flat_map(|simd| variants().map(|p| (simd, p))) {
            let lent = [0, 64].map(|lent| read(simd, &p, &stream, len, usize::MAX, lent));
            assert_eq!(lent, [None, None], "{simd:?}, {len}");
        }
    }
}

#[test]
fn streams_that_end_in_a_match_are_refused() {
    for simd in levels() {
        for p in variants() {
            // A literal, and a match of four bytes one byte back.
            for lent in [0, 100] {
                assert_eq!(read(simd, &p, &[0x10, 7, 1, 0], 100, usize::MAX, lent), None);
                assert_eq!(read(simd, &p, &[], 100, usize::MAX, lent), None);
                assert_eq!(read(simd, &p, &[0], 100, usize::MAX, lent), Some(vec![]));
            }
        }
    }
}
