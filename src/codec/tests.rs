//! Every codec: round trips, sizes, dictionaries, hostile streams.

use super::*;
use crate::base::random::Random;

const BUILT_IN: [u8; 5] = [BLOSCLZ, LZ4, LZ4HC, ZLIB, ZSTD];

/// Several kinds of data, `n` bytes each.
pub(super) fn kinds(n: usize) -> Vec<(&'static str, Vec<u8>)> {
    let mut rng = Random::new(n as u64);
    let words = ["block ", "chunk ", "frame, ", "codec. ", "a ", "filter "];
    let mut text = Vec::new();
    while text.len() < n {
        text.extend_from_slice(words[rng.below(words.len())].as_bytes());
    }
    text.truncate(n);
    let shuffled: Vec<u8> = (0..n)
        .map(|i| {
            let item = (i % (n / 8).max(1)) as u64 * 1000;
            item.to_le_bytes()[(i / (n / 8).max(1)).min(7)]
        })
        .collect();
    let mut walk = 0u32;
    let mut steps = Vec::new();
    while steps.len() < n {
        walk = walk.wrapping_add(rng.below(5) as u32).wrapping_sub(2);
        steps.extend_from_slice(&walk.to_le_bytes());
    }
    steps.truncate(n);
    vec![
        ("zeros", vec![0; n]),
        ("random", rng.bytes(n)),
        ("bits", (0..n).map(|_| rng.below(2) as u8).collect()),
        ("text", text),
        ("shuffled counter", shuffled),
        ("random walk", steps),
    ]
}

fn lengths() -> Vec<usize> {
    (0..=70).chain(255..=260).chain(4095..=4097).chain([65536, 1 << 20]).collect()
}

#[test]
fn streams_come_back() {
    let mut st = State::default();
    for n in lengths() {
        for (kind, data) in kinds(n) {
            for codec in BUILT_IN {
                let levels: &[u8] = if n > 5000 { &[1, 5] } else { &[1, 5, 9] };
                for &clevel in levels {
                    let p = StreamParams { codec, clevel, ..Default::default() };
                    let mut packed = vec![0; n];
                    let written = compress(&p, &mut st, &data, &mut packed).unwrap();
                    assert!(written <= n);
                    if written == 0 {
                        assert!(n < 300 || kind != "zeros", "{n} zeros, codec {codec} level {clevel}");
                        assert!(
                            n < 60_000 || kind != "text" || codec == BLOSCLZ,
                            "{n} of text, codec {codec}"
                        );
                        continue;
                    }
                    let mut back = vec![0xaa; n];
                    let read = decompress(&p, &mut st, &packed[..written], &mut back).unwrap();
                    assert_eq!(read, n, "{kind} {n} codec {codec} level {clevel}");
                    assert!(back == data, "{kind} {n} codec {codec} level {clevel}");
                }
            }
        }
    }
}

/// The stream of `data`, or nothing where it would not shrink.
pub(super) fn packed(p: &StreamParams, st: &mut State, data: &[u8]) -> Option<Vec<u8>> {
    let mut dst = vec![0; data.len()];
    let len = compress(p, st, data, &mut dst).unwrap();
    dst.truncate(len);
    (len > 0).then_some(dst)
}

#[test]
fn what_came_before_does_not_show() {
    // Contexts and tables are kept between streams; the bytes are those of a fresh thread all the same.
    let mut warm = State::default();
    let mut rng = Random::new(7);
    let long = kinds(150_000);
    let short = kinds(2000);
    for round in 0..300 {
        let n = [40, 700, 2000, 5000, 70_000, 150_000][rng.below(if round % 10 == 0 { 6 } else { 4 })];
        let (kind, data) = &if n <= 2000 { &short } else { &long }[rng.below(6)];
        let codec = BUILT_IN[rng.below(5)];
        let clevel = 1 + rng.below(if n > 5000 { 6 } else { 9 }) as u8;
        let p = StreamParams { codec, clevel, ..Default::default() };
        let from = rng.below(data.len() - n + 1);
        let data = &data[from..from + n];
        let fresh = packed(&p, &mut State::default(), data);
        assert!(packed(&p, &mut warm, data) == fresh, "{kind} {n} codec {codec} level {clevel}");
        // Also after a stream that did not fit.
        let _ = compress(&p, &mut warm, data, &mut vec![0; n / 9]).unwrap();
    }
}

#[test]
fn short_streams_shrink_or_say_that_they_do_not() {
    for codec in [LZ4, ZSTD] {
        let p = StreamParams { codec, clevel: 5, typesize: 1, ..StreamParams::default() };
        let mut st = State::default();
        for n in (2..=80).chain(4090..=4100) {
            for (kind, data) in kinds(n) {
                let mut dst = vec![0xee; n - 1];
                let len = compress(&p, &mut st, &data, &mut dst).unwrap();
                assert!(len < n, "{kind} {n}");
                let fresh = compress(&p, &mut State::default(), &data, &mut vec![0; n - 1]).unwrap();
                assert_eq!(len, fresh, "{kind} {n}");
                if len > 0 {
                    let mut back = vec![0; n];
                    assert_eq!(decompress(&p, &mut st, &dst[..len], &mut back).unwrap(), n);
                    assert_eq!(back, data, "{kind} {n}");
                }
            }
        }
        // The shortest are not tried without room for more than they are; tried, they do not shrink.
        for n in 1..=12 {
            for (kind, data) in kinds(n) {
                let len = compress(&p, &mut st, &data, &mut [0; 64]).unwrap();
                assert!(len >= n, "{kind} {n}");
            }
        }
    }
}

#[test]
fn the_front_of_a_stream_comes_alone() {
    let mut st = State::default();
    for (kind, data) in kinds(20_000) {
        for codec in BUILT_IN {
            let p = StreamParams { codec, clevel: 5, ..Default::default() };
            let Some(stream) = packed(&p, &mut st, &data) else { continue };
            for enough in [0, 1, 63, 10_000, 19_990, 20_000] {
                let mut dst = vec![0; data.len()];
                decompress_front(&p, &mut st, &stream, &mut dst, enough).unwrap();
                assert!(dst[..enough] == data[..enough], "{kind} codec {codec}");
            }
            let mut dst = vec![0; data.len() + 10];
            assert!(
                decompress_front(&p, &mut st, &stream, &mut dst, data.len() + 1).is_err(),
                "{kind} {codec}"
            );
        }
    }
}

#[test]
fn hostile_streams_give_an_error_or_bytes() {
    let mut st = State::default();
    let mut rng = Random::new(11);
    for (_, data) in kinds(700) {
        for codec in BUILT_IN {
            let p = StreamParams { codec, clevel: 5, ..Default::default() };
            let Some(stream) = packed(&p, &mut st, &data) else { continue };
            let mut dst = vec![0x5a; data.len() + 32];
            let mut try_one = |bytes: &[u8]| {
                if let Ok(n) = decompress(&p, &mut st, bytes, &mut dst[..data.len()]) {
                    assert!(n <= data.len());
                }
                let _ = decompress_front(&p, &mut st, bytes, &mut dst[..data.len()], 100);
                assert_eq!(dst[data.len()..], [0x5a; 32]);
            };
            for at in 0..stream.len() {
                try_one(&stream[..at]);
                for change in [1 << rng.below(8), 1 << rng.below(8), 0xff] {
                    let mut bad = stream.clone();
                    bad[at] ^= change;
                    try_one(&bad);
                }
            }
            for len in 0..200 {
                try_one(&rng.bytes(len));
            }
            // A little too small for what the stream holds: never more than fits.
            let mut small = vec![0; data.len() - 1];
            assert!(decompress(&p, &mut st, &stream, &mut small).is_err(), "codec {codec}");
        }
    }
}

#[test]
fn dictionaries_help_and_are_needed() {
    let mut st = State::default();
    let mut rng = Random::new(3);
    let phrases: Vec<Vec<u8>> = (0..40).map(|_| rng.bytes(20)).collect();
    let mut block = || -> Vec<u8> { (0..20).flat_map(|_| phrases[rng.below(40)].clone()).collect() };
    let samples: Vec<Vec<u8>> = (0..200).map(|_| block()).collect();
    let sizes: Vec<usize> = samples.iter().map(Vec::len).collect();
    let all = samples.concat();
    let data = block();
    for codec in [LZ4, LZ4HC, ZSTD] {
        let bytes = dict::train(codec, &all, &sizes, 8000).unwrap().unwrap();
        assert!(!bytes.is_empty() && bytes.len() <= 8000);
        for clevel in [1, 2, 5, 9] {
            let (writer, reader) = (
                Dict::for_compression(codec, clevel, &bytes).unwrap(),
                Dict::for_decompression(codec, &bytes).unwrap(),
            );
            assert_eq!(reader.bytes(), &bytes[..]);
            let plain = StreamParams { codec, clevel, ..Default::default() };
            let write = StreamParams { dict: Some(&writer), ..plain };
            let read = StreamParams { dict: Some(&reader), ..plain };
            let with = packed(&write, &mut st, &data).unwrap();
            let without = packed(&plain, &mut st, &data).map_or(data.len(), |stream| stream.len());
            assert!(with.len() < without, "codec {codec} level {clevel}: {} {without}", with.len());
            // Plain streams in between leave no trace.
            assert_eq!(packed(&write, &mut st, &data).unwrap(), with);
            let mut back = vec![0; data.len()];
            assert_eq!(decompress(&read, &mut st, &with, &mut back).unwrap(), data.len());
            assert!(back == data);
            let mut front = vec![0; data.len()];
            decompress_front(&read, &mut st, &with, &mut front, 100).unwrap();
            assert!(front[..100] == data[..100]);
            let lost = decompress(&plain, &mut st, &with, &mut back);
            assert!(lost.is_err() || back != data);
            // Made for the wrong direction or codec.
            if codec == ZSTD {
                let error = decompress(&write, &mut st, &with, &mut back).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::CodecDict);
                let error = decompress_front(&write, &mut st, &with, &mut back, 100).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::CodecDict);
            }
            let error = compress(&read, &mut st, &data, &mut back).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::CodecDict);
        }
    }
    assert_eq!(Dict::for_compression(BLOSCLZ, 5, &all).err().unwrap().kind(), ErrorKind::CodecParam);
    assert_eq!(dict::train(ZLIB, &all, &sizes, 8000).unwrap_err().kind(), ErrorKind::CodecParam);
    // Nothing to learn from.
    assert_eq!(dict::train(ZSTD, &all[..4], &[4], 1000).unwrap(), None);
    assert!(dict::train(ZSTD, &all[..4], &[5], 1000).is_err());
    assert!(dict::train(ZSTD, &all, &[usize::MAX, 2], 1000).is_err());
}

#[test]
fn hostile_dictionaries_are_refused_or_harmless() {
    let mut st = State::default();
    let mut rng = Random::new(5);
    let data = kinds(3000).swap_remove(3).1;
    for codec in [LZ4, ZSTD] {
        let p = StreamParams { codec, clevel: 5, ..Default::default() };
        let stream = packed(&p, &mut st, &data).unwrap();
        let mut dst = vec![0; data.len()];
        for len in [0, 1, 4, 7, 8, 300, 5000] {
            for magic in [false, true] {
                let mut bytes = rng.bytes(len);
                if magic && len >= 4 {
                    bytes[..4].copy_from_slice(&0xec30_a437_u32.to_le_bytes());
                }
                let Ok(reader) = Dict::for_decompression(codec, &bytes) else { continue };
                let p = StreamParams { dict: Some(&reader), ..p };
                let _ = decompress(&p, &mut st, &stream, &mut dst);
            }
        }
    }
}

#[test]
fn formats_and_codecs_belong_together() {
    for codec in BUILT_IN {
        let format = format_of(codec).unwrap();
        let read_by = codec_of_format(format, 0).unwrap();
        assert_eq!(read_by, if codec == LZ4HC { LZ4 } else { codec });
        assert_eq!(format_version_of(codec).unwrap(), 1);
    }
    assert_eq!(format_of(200).unwrap(), 6);
    assert_eq!(codec_of_format(6, 200).unwrap(), 200);
    for unknown in [3, 6, 31] {
        assert_eq!(format_of(unknown).unwrap_err().kind(), ErrorKind::CodecSupport);
        let p = StreamParams { codec: unknown, clevel: 5, ..Default::default() };
        let error = compress(&p, &mut State::default(), &[0; 99], &mut [0; 99]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::CodecSupport);
        let error = decompress(&p, &mut State::default(), &[0; 9], &mut [0; 99]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::CodecSupport);
    }
    assert!(
        codec_of_format(2, 0).is_err() && codec_of_format(5, 0).is_err() && codec_of_format(7, 0).is_err()
    );
}

/// Whole numbers of `size` bytes, each a little more than the last.
pub(super) fn items_of(rng: &mut Random, n: usize, size: usize) -> Vec<u8> {
    let mut item = 0x4025_4c75_b13a_9de7_5f06_1122_0000_0000u128;
    (0..n)
        .flat_map(|_| {
            item += 1 + rng.below(3) as u128 / 2;
            item.to_le_bytes().into_iter().take(size)
        })
        .collect()
}

#[test]
fn streams_of_items_are_read_as_they_were_written() {
    let (mut st, mut rng) = (State::default(), Random::new(37));
    for (size, codec, n) in
        (8..=16).flat_map(|size| [(size, LZ4, 1500), (size, LZ4, 8192), (size, BLOSCLZ, 8192)])
    {
        let made_of = MadeOf::items(size);
        let p = StreamParams { codec, clevel: 5, typesize: size as i32, made_of, ..Default::default() };
        let data = items_of(&mut rng, n, size);
        let stream = packed(&p, &mut st, &data).unwrap();
        let mut back = vec![0xaa; data.len()];
        assert_eq!(decompress(&p, &mut st, &stream, &mut back).unwrap(), data.len());
        assert!(back == data);
        let enough = rng.below(data.len());
        back.fill(0xaa);
        decompress_front(&p, &mut st, &stream, &mut back, enough).unwrap();
        assert!(back[..enough] == data[..enough]);
        assert!(decompress(&p, &mut st, &stream[..stream.len() - 1], &mut back).is_err());
        let short = rng.below(data.len());
        assert!(decompress(&p, &mut st, &stream, &mut back[..short]).is_err());
    }
}

#[test]
fn what_saves_a_trifle_is_stored() {
    let mut random = Random::new(21);
    let mut st = State::default();
    let len = 1 << 16;
    for (zeros, worth) in [(len / TRIFLE, false), (len / TRIFLE * 5 / 4, true), (len / 8, true)] {
        let mut src = random.bytes(len);
        src[1000..1000 + zeros].fill(0);
        for codec in [LZ4HC, ZLIB] {
            for clevel in [1, 5, 9] {
                let p = StreamParams { codec, clevel, ..Default::default() };
                let mut dst = vec![0; len];
                let packed = compress(&p, &mut st, &src, &mut dst).unwrap();
                assert!(packed == 0 || worth, "codec {codec}, level {clevel}, {zeros} zeros: {packed}");
                if packed > 0 {
                    assert!(packed + len / TRIFLE < len);
                    let mut back = vec![1; len];
                    assert_eq!(decompress(&p, &mut st, &dst[..packed], &mut back).unwrap(), len);
                    assert!(back == src);
                }
                assert!(packed > 0 || zeros < len / 8, "codec {codec}, level {clevel}");
            }
        }
    }
}
