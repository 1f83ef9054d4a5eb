use super::*;
use crate::base::ErrorKind;
use crate::base::buffer::Buffer;
use crate::base::random::Random;
use crate::codec::user::{self, Call, Entry, UserCodec};
use crate::codec::{FIRST_REGISTERED, MadeOf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn runs_are_seen_only_where_all_bytes_are_equal() {
    assert_eq!(run_of(&[]), None);
    assert_eq!(run_of(&[7]), Some(7));
    for len in 2..70 {
        let mut src = vec![3; len];
        assert_eq!(run_of(&src), Some(3));
        for at in 0..len {
            src[at] = 4;
            assert_eq!(run_of(&src), None, "byte {at} of {len}");
            src[at] = 3;
        }
    }
}

#[test]
fn streams_of_every_sort_parse() {
    let mut bytes = Vec::new();
    bytes.extend(0i32.to_le_bytes());
    bytes.extend((-200i32).to_le_bytes());
    bytes.push(1);
    bytes.extend([3, 0, 0, 0, b'r', b'a', b'w', 1, 0, 0, 0, b'c']);
    let mut src = &bytes[..];
    assert_eq!(parse(&mut src, 3).unwrap(), Stream::Run(0));
    assert_eq!(parse(&mut src, 3).unwrap(), Stream::Run(200));
    assert_eq!(parse(&mut src, 3).unwrap(), Stream::Raw(b"raw"));
    assert_eq!(parse(&mut src, 3).unwrap(), Stream::Coded(b"c"));
    assert_eq!(parse(&mut src, 3).unwrap_err().kind(), ErrorKind::ReadBuffer);
}

#[test]
fn streams_that_make_no_sense_are_refused() {
    let kind = |bytes: &[u8]| parse(&mut &*bytes, 3).unwrap_err().kind();
    assert_eq!(kind(&[1, 0, 0]), ErrorKind::ReadBuffer);
    assert_eq!(kind(&[2, 0, 0, 0, 9]), ErrorKind::ReadBuffer);
    assert_eq!(kind(&[255, 255, 255, 127, 9]), ErrorKind::ReadBuffer);
    assert_eq!(kind(&[255, 255, 255, 255]), ErrorKind::ReadBuffer);
    assert_eq!(kind(&[255, 255, 255, 255, 2]), ErrorKind::RunLength);
    assert_eq!(kind(&[0, 255, 255, 255, 1]), ErrorKind::RunLength);
    assert_eq!(kind(&[0, 0, 0, 128, 1]), ErrorKind::RunLength);
}

#[test]
fn a_stream_is_written_whole_or_not_at_all() {
    let src: Vec<u8> = (0..100u32).map(|i| (i * 7 % 101) as u8).collect();
    let params = StreamParams { codec: codec::LZ4, clevel: 5, typesize: 1, ..StreamParams::default() };
    for room in 0..=104 {
        let mut buf = vec![0; room];
        let mut out = Out::new(&mut buf);
        let (mut state, mut spare) = (State::default(), Buffer::default());
        let packed = Writer::new(&params, Layout::Runs).pack(&mut state, &mut spare, &src, &mut out).unwrap();
        assert_eq!(packed.is_some(), room == 104);
        assert_eq!(out.len(), if room == 104 { 104 } else { 0 });
    }
}

/// Streams of a block of which some come again: at once, behind a run, and stored raw.
fn some_again(len: usize) -> Vec<Vec<u8>> {
    let mut random = Random::new(3);
    let mut sign = 0;
    let mut signs = || {
        let next = |_| {
            sign ^= if random.below(32) == 0 { 255 } else { 0 };
            sign
        };
        (0..len).map(next).collect::<Vec<u8>>()
    };
    let (one, other, noise) = (signs(), signs(), Random::new(4).bytes(len));
    let zeros = vec![0; len];
    [&one, &one, &zeros, &one, &other, &other, &one, &noise, &noise].map(Vec::clone).to_vec()
}

/// Writes `streams` to a buffer of `room` bytes: by one writer, or each by one of its own.
fn written(params: &StreamParams<'_>, streams: &[Vec<u8>], room: usize, at_once: bool) -> Option<Vec<u8>> {
    let mut buf = vec![0xee; room];
    let mut out = Out::new(&mut buf);
    let (mut state, mut spare) = (State::default(), Buffer::default());
    let mut writer = Writer::new(params, Layout::Runs);
    for src in streams {
        if !at_once {
            writer = Writer::new(params, Layout::Runs);
        }
        writer.pack(&mut state, &mut spare, src, &mut out).unwrap()?;
    }
    let len = out.len();
    buf.truncate(len);
    Some(buf)
}

#[test]
fn streams_that_come_again_are_written_as_the_codec_would() {
    for codec in [codec::BLOSCLZ, codec::LZ4, codec::LZ4HC, codec::ZLIB, codec::ZSTD] {
        for (clevel, len) in [(1, 100), (5, 100), (5, 1000), (9, 5000)] {
            let params = StreamParams {
                codec,
                clevel,
                typesize: 9,
                split: true,
                made_of: MadeOf::Planes,
                ..StreamParams::default()
            };
            let streams = some_again(len);
            let one_by_one = written(&params, &streams, 10 * len, false).unwrap();
            assert!(one_by_one.len() < 8 * len, "codec {codec}: something is compressed");
            assert!(
                written(&params, &streams, 10 * len, true).unwrap() == one_by_one,
                "codec {codec}, {len}"
            );
            for room in (0..one_by_one.len()).step_by(len / 20).chain([one_by_one.len() - 1]) {
                assert_eq!(written(&params, &streams, room, true), None, "codec {codec}, {room}");
            }
            assert!(written(&params, &streams, one_by_one.len(), true).unwrap() == one_by_one);
        }
    }
}

/// A registered codec that stores, but for the first byte, which tells how many streams there were before.
#[derive(Default)]
struct Counting(AtomicUsize);

impl UserCodec for Counting {
    fn encode(&self, _: u8, _: &Call, src: &[u8], dst: &mut [u8]) -> Result<usize> {
        dst[0] = self.0.fetch_add(1, Ordering::Relaxed) as u8;
        dst[1..src.len() - 1].copy_from_slice(&src[2..]);
        Ok(src.len() - 1)
    }

    fn decode(&self, _: u8, _: &Call, _: &[u8], _: &mut [u8]) -> Result<usize> {
        unreachable!("nothing is read")
    }
}

#[test]
fn a_registered_codec_hears_of_every_stream() {
    let entry = |codec| Entry { id: 210, name: "counting".into(), library: 210, version: 1, codec };
    user::register(entry(Some(Arc::new(Counting::default())))).unwrap();
    let call = Call::default();
    let params = StreamParams { codec: 210, clevel: 5, call: Some(&call), ..StreamParams::default() };
    let streams = vec![some_again(100).remove(0); 5];
    let buf = written(&params, &streams, 1000, true).unwrap();
    let counts: Vec<u8> = buf.chunks(4 + 99).map(|stream| stream[4]).collect();
    assert_eq!(counts, [0, 1, 2, 3, 4]);
}

#[test]
fn a_stream_is_met_before_where_all_its_bytes_are_those_of_the_last() {
    let of = |codec| Met::new(&StreamParams { codec, ..StreamParams::default() });
    let mut met = of(codec::LZ4);
    let numbers: [(&[u8], _); 6] = [
        (b"abc", None),
        (b"abc", Some(0)),
        (b"abc", Some(0)),
        (b"abd", None),
        (b"ab", None),
        (b"ab", Some(4)),
    ];
    for (n, (coded, before)) in numbers.into_iter().enumerate() {
        assert_eq!(met.before(coded, n), before);
    }
    // Runs are met apart from those.
    for (n, (byte, before)) in [(7, None), (7, Some(0)), (0, None), (7, None)].into_iter().enumerate() {
        assert_eq!(met.before_run(byte, n), before);
        assert_eq!(met.before(b"ab", n), Some(4));
    }
    let mut met = of(FIRST_REGISTERED);
    assert_eq!((met.before(b"abc", 0), met.before(b"abc", 1)), (None, None));
}
