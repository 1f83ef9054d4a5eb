//! The streams of a block that was shuffled, wherever they are found.

use super::*;
use crate::codec::{State, StreamParams};

/// Numbers of `typesize` bytes that are small, of either sign: all their upper bytes are equal.
fn signed(len: usize, typesize: usize) -> Vec<u8> {
    let mut random = Random::new(5);
    let mut negative = false;
    let mut numbers = std::iter::repeat_with(|| {
        negative ^= random.below(16) == 0;
        random.below(128) as i64 - if negative { 128 } else { 0 }
    });
    let bytes = numbers.by_ref().take(len / typesize).flat_map(|number| {
        (0..typesize).map(move |byte| (number >> (8 * byte).min(63)) as u8).collect::<Vec<u8>>()
    });
    bytes.collect()
}

/// A shuffled chunk that is one block, by the definition: each stream alone, then each byte from its stream.
fn unpack_by_definition(chunk: &[u8], len: usize, typesize: usize) -> Result<Vec<u8>> {
    let header = ChunkHeader::parse(chunk)?;
    let params = StreamParams {
        codec: header.codec()?,
        split: true,
        made_of: codec::MadeOf::Planes,
        ..StreamParams::default()
    };
    let (mut src, mut state) = (&chunk[header.header_len() + 4..], State::default());
    let mut dst = vec![0; len];
    for byte in 0..typesize {
        let mut plane = vec![0; len / typesize];
        stream::parse(&mut src, plane.len())?.unpack(&params, &mut state, &mut plane)?;
        plane.iter().zip(dst[byte..].iter_mut().step_by(typesize)).for_each(|(from, to)| *to = *from);
    }
    Ok(dst)
}

/// Where the streams of such a chunk are.
fn streams_of(chunk: &[u8], len: usize, typesize: usize) -> Vec<std::ops::Range<usize>> {
    let mut src = &chunk[ChunkHeader::parse(chunk).unwrap().header_len() + 4..];
    let streams = (0..typesize).map(|_| {
        let start = chunk.len() - src.len() + 4;
        stream::parse(&mut src, len).unwrap();
        start..chunk.len() - src.len()
    });
    streams.collect()
}

#[test]
fn equal_streams_of_a_block_are_as_good_as_others() {
    for codec in CODECS {
        for (typesize, items) in [(3, 400), (4, 600), (8, 1000), (8, 3000), (16, 2100), (4, 20_000)] {
            let src = signed(items * typesize, typesize);
            let blocksize = src.len() as i32;
            let params = CParams {
                blocksize,
                split: SplitMode::Always,
                ..params(codec, typesize as i32, &[filter::SHUFFLE])
            };
            let chunk = compress_to_cbuf(&params, &src).unwrap();
            assert!(unpack_by_definition(&chunk, src.len(), typesize).unwrap() == src);
            assert!(unpack(&chunk, 1).unwrap() == src, "codec {codec}, {items} of {typesize}");
            let dparams = DParams::default();
            for start in [0, 1, src.len() / 2, src.len() - 70] {
                let reader = ChunkReader::new(ChunkSource::Bytes(&chunk), &dparams).unwrap();
                let mut dst = [0; 70];
                assert_eq!(reader.get_bytes(start..start + 70, &mut dst).unwrap(), 70);
                assert!(dst == src[start..start + 70], "codec {codec}, {items} of {typesize} from {start}");
            }
            // The same damage to all of the equal streams, which then still are, or to one of them.
            let streams = streams_of(&chunk, items, typesize);
            let equal: Vec<_> =
                streams.iter().filter(|range| chunk[(*range).clone()] == chunk[streams[1].clone()]).collect();
            assert_eq!(equal.len(), typesize - 1, "codec {codec}: all but the lowest bytes'");
            let mut random = Random::new(u64::from(codec));
            for _ in 0..200 {
                let (by, at) = (1 << random.below(8), random.below(streams[1].len()));
                let from = if random.below(2) == 0 { 0 } else { random.below(typesize - 1) };
                let to = if from == 0 { equal.len() } else { from + 1 };
                let mut damaged = chunk.to_vec();
                equal[from..to].iter().for_each(|range| damaged[range.start + at] ^= by);
                let expected = unpack_by_definition(&damaged, src.len(), typesize);
                match unpack(&damaged, 1) {
                    Ok(dst) => assert!(dst == expected.unwrap(), "codec {codec}, {items} of {typesize}"),
                    Err(_) => assert!(expected.is_err(), "codec {codec}, {items} of {typesize}"),
                }
            }
        }
    }
}

#[test]
fn streams_that_are_left_where_they_are_are_as_good_as_others() {
    let short = [(2usize, 255), (2, 300), (3, 171), (4, 127), (4, 130), (8, 63), (8, 64), (8, 100), (8, 500)];
    let longer = [(2, 2000), (2, 2047), (3, 1400), (4, 1024), (5, 820), (8, 511), (8, 2047)];
    for (codec, few_raw) in CODECS.iter().flat_map(|codec| [(*codec, true), (*codec, false)]) {
        for (typesize, items) in short.into_iter().chain(longer) {
            let mut random = Random::new(items as u64);
            // Noise, bytes that are seldom 0, those once more, always the same, and zeros; or all noise but for the last.
            let noisy = if few_raw { 1 } else { typesize - 1 };
            let src: Vec<u8> = std::iter::repeat_with(|| {
                let few = u8::from(random.below(8) > 0);
                let mut item = [0, few, few, 9, 0, 0, 0, 0];
                item[..noisy].fill_with(|| random.below(256) as u8);
                let lower = if few_raw { typesize.div_ceil(2) } else { typesize };
                std::array::from_fn::<u8, 8, _>(|byte| if byte < lower { item[byte] } else { 0 })
            })
            .take(items)
            .flat_map(|item| item.into_iter().take(typesize))
            .collect();
            let params = CParams {
                blocksize: src.len() as i32,
                split: SplitMode::Always,
                ..params(codec, typesize as i32, &[filter::SHUFFLE])
            };
            let chunk = compress_to_cbuf(&params, &src).unwrap();
            assert!(!few_raw || chunk.ends_with(&[0; 4]), "codec {codec}, {items} of {typesize}");
            assert!(unpack_by_definition(&chunk, src.len(), typesize).unwrap() == src);
            assert!(unpack(&chunk, 1).unwrap() == src, "codec {codec}, {items} of {typesize}");
            for _ in 0..200 {
                let mut damaged = chunk.to_vec();
                let streams = ChunkHeader::parse(&chunk).unwrap().header_len() + 4..chunk.len();
                // Mostly what is not noise.
                let last = streams.len().min(random.below(4) * 300 + 60);
                let at = streams.end - 1 - random.below(last);
                damaged[at] ^= 1 << random.below(8);
                let expected = unpack_by_definition(&damaged, src.len(), typesize);
                match unpack(&damaged, 1) {
                    Ok(dst) => assert!(dst == expected.unwrap(), "codec {codec}, {items} of {typesize}"),
                    Err(_) => assert!(expected.is_err(), "codec {codec}, {items} of {typesize}"),
                }
            }
        }
    }
}
