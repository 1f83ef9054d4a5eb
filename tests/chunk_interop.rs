//! Chunks to and from the reference library, and their headers beside its.
#![allow(unsafe_code)] // calling the reference

mod common;

use blosc2::base::params::{CParams, DParams, FilterSlots, SplitMode};
use blosc2::chunk::{self, ChunkHeader, ChunkReader, ChunkSource, Special, vlblocks};
use common::cctx::{Chunks, RefCParams};
use common::{Reference, Rng};

const CODECS: [u8; 5] = [0, 1, 2, 4, 5];
const TYPESIZES: [i32; 10] = [1, 2, 3, 4, 7, 8, 16, 17, 255, 256];
const PIPELINES: [[u8; 6]; 7] = [
    [0; 6],
    [0, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 2],
    [0, 0, 0, 0, 3, 0],
    [0, 0, 0, 0, 3, 1],
    [0, 0, 0, 0, 3, 2],
    [4, 0, 0, 0, 0, 1],
];

fn ours(params: &RefCParams) -> CParams {
    let mut filters = FilterSlots::default();
    for (i, slot) in filters.iter_mut().enumerate() {
        (slot.id, slot.meta) = (params.filters[i], params.filters_meta[i]);
    }
    CParams {
        codec: params.compcode,
        clevel: params.clevel,
        typesize: params.typesize,
        nthreads: params.nthreads,
        blocksize: params.blocksize,
        split: SplitMode::from_code(params.splitmode).unwrap(),
        use_dict: params.use_dict != 0,
        filters,
        ..CParams::default()
    }
}

fn unpack(chunk: &[u8], nthreads: usize) -> Result<Vec<u8>, i32> {
    let params = DParams::default();
    let reader = ChunkReader::new(ChunkSource::Bytes(chunk), &params).map_err(|e| e.code())?;
    let mut dst = vec![0; reader.header().nbytes()];
    reader.decompress(nthreads, &mut dst).map_err(|e| e.code())?;
    Ok(dst)
}

fn data(rng: &mut Rng, sort: usize, len: usize, typesize: usize) -> Vec<u8> {
    match sort {
        0 => (0..len).map(|i| ((i / typesize / 5) >> (8 * (i % typesize).min(3))) as u8).collect(),
        1 => rng.bytes(len),
        // Runs beside noise: streams of every sort.
        _ => {
            let noise = rng.bytes(len);
            (0..len)
                .map(|i| if i % typesize < typesize / 2 || i % 4096 < 900 { 42 } else { noise[i] })
                .collect()
        }
    }
}

/// Every combination of codec, filters, split mode, typesize and length.
fn for_each_case(mut visit: impl FnMut(&RefCParams, usize)) {
    for compcode in CODECS {
        for filters in PIPELINES {
            for splitmode in 1..=4 {
                for typesize in TYPESIZES {
                    if filters[0] == 4 && !matches!(typesize, 4 | 8) {
                        continue;
                    }
                    let blocksize = 4 * 17 * typesize;
                    let block = blocksize as usize;
                    for len in [0, 1, 31, 32, 33, block - 1, 3 * block + 5 * typesize as usize + 1] {
                        let mut params = RefCParams {
                            compcode,
                            filters,
                            splitmode,
                            typesize,
                            blocksize,
                            ..RefCParams::default()
                        };
                        params.filters_meta[0] = if filters[0] == 4 { 20 } else { 0 };
                        visit(&params, len);
                    }
                }
            }
        }
    }
}

#[test]
fn what_we_write_the_reference_reads_and_the_reverse() {
    let Some(reference) = Reference::load() else { return };
    let theirs = Chunks::of(&reference);
    let mut rng = Rng::new(1);
    let mut n = 0;
    for_each_case(|params, len| {
        n += 1;
        let src = data(&mut rng, n % 3, len, params.typesize as usize);
        let mut dst = vec![0; len + 32];
        let cbytes = chunk::compress(&ours(params), &src, &mut dst).unwrap();
        let our_chunk = &dst[..cbytes];
        let their_chunk = theirs.compress(params, &src, len + 32).unwrap();
        let case = format!(
            "codec {} filters {:?} split {} typesize {} length {len} data {}",
            params.compcode,
            params.filters,
            params.splitmode,
            params.typesize,
            n % 3
        );

        let ragged = !len.is_multiple_of(params.typesize as usize);
        let lossless = params.filters[0] != 4;
        let expected = if lossless { src.clone() } else { theirs.decompress(our_chunk, len).unwrap() };
        assert!(theirs.decompress(our_chunk, len) == Ok(expected.clone()), "they read ours: {case}");
        for nthreads in [1, 2] {
            assert!(unpack(our_chunk, nthreads) == Ok(expected.clone()), "we read ours: {case}");
            let expected = theirs.decompress(&their_chunk, len);
            if ragged && (len < params.blocksize as usize || params.filters[4] == 3) {
                // Here the reference's chunk may be one that it cannot read itself: it cut the block size to whole items
                // but says in the header what was asked for; delta left out the bytes after the last whole item.
                continue;
            }
            assert!(!lossless || expected.as_ref() == Ok(&src), "they read theirs: {case}");
            let read = unpack(&their_chunk, nthreads);
            assert!(read == expected, "we read theirs: {case} {:?}", read.err());
        }
        if !ragged || (len > params.blocksize as usize && lossless) {
            check_header(our_chunk, &their_chunk, &case);
        }
    });
}

/// Numbers whose low bytes are noise, and in long stretches all of their bytes, or none.
fn measured(rng: &mut Rng, items: usize) -> Vec<u8> {
    let mut at = 0.0;
    let item = |i: usize| {
        at += f64::from(rng.bytes(1)[0]) - 127.3;
        match i / 20_000 % 4 {
            0 | 1 => at.to_le_bytes(),
            2 => rng.bytes(8).try_into().unwrap(),
            _ => (i as u64).to_le_bytes(),
        }
    };
    (0..items).flat_map(item).collect()
}

/// Zstd's streams of bytes that follow each other by chance are made of codes, or by its lowest level.
#[test]
fn the_reference_reads_streams_of_chance() {
    let Some(reference) = Reference::load() else { return };
    let theirs = Chunks::of(&reference);
    let mut rng = Rng::new(6);
    for sorts in [3, 10, 100] {
        let src: Vec<u8> = (0..100_000).flat_map(|_| (rng.below(sorts) as u32 * 257).to_le_bytes()).collect();
        for (clevel, filter) in (2..=9).flat_map(|clevel| [(clevel, 0), (clevel, 1)]) {
            for typesize in [1, 4] {
                let filters = [0, 0, 0, 0, 0, filter];
                let params = RefCParams { compcode: 5, clevel, filters, typesize, ..RefCParams::default() };
                let chunk = chunk::compress_to_cbuf(&ours(&params), &src).unwrap();
                let case = format!("{sorts} sorts, level {clevel}, filter {filter}, typesize {typesize}");
                assert!(theirs.decompress(&chunk, src.len()).as_ref() == Ok(&src), "{case}");
                assert!(unpack(&chunk, 2).as_ref() == Ok(&src), "{case}");
                let their_len = theirs.compress(&params, &src, src.len() + 32).unwrap().len();
                assert!(chunk.len() <= their_len + their_len / 200, "{case}: {} of {their_len}", chunk.len());
            }
        }
    }
}

/// Streams of Zlib and LZ4HC have sections, some of them without matches, where there would be none.
#[test]
fn the_reference_reads_streams_of_sections() {
    let Some(reference) = Reference::load() else { return };
    let theirs = Chunks::of(&reference);
    let src = measured(&mut Rng::new(4), 100_000);
    for (compcode, clevel) in (1..=9).map(|level| (4, level)).chain((2..=9).map(|level| (2, level))) {
        for filter in [0, 1, 2] {
            for blocksize in [0, 1 << 15, 100_000] {
                let filters = [0, 0, 0, 0, 0, filter];
                let params =
                    RefCParams { compcode, clevel, filters, typesize: 8, blocksize, ..RefCParams::default() };
                let mut dst = vec![0; src.len() + 32];
                let cbytes = chunk::compress(&ours(&params), &src, &mut dst).unwrap();
                let chunk = &dst[..cbytes];
                let case =
                    format!("codec {compcode}, level {clevel}, filter {filter}, blocks of {blocksize}");
                let their_size = theirs.compress(&params, &src, src.len() + 32).unwrap().len();
                assert!(cbytes <= their_size + their_size / 200, "{case}: {cbytes}, not {their_size}");
                assert!(theirs.decompress(chunk, src.len()).as_ref() == Ok(&src), "they read ours: {case}");
                assert!(unpack(chunk, 2).as_ref() == Ok(&src), "we read ours: {case}");
                for start in [0, 19_999, 77_777] {
                    let items = src[8 * start as usize..][..8 * 50].to_vec();
                    assert!(theirs.getitem(chunk, start, 50, 8) == Ok(items), "{case}, from {start}");
                }
            }
        }
    }
}

/// The headers' bytes are equal, but for what depends on how well a codec did.
fn check_header(our_chunk: &[u8], their_chunk: &[u8], case: &str) {
    let (ours, theirs) = (ChunkHeader::parse(our_chunk).unwrap(), ChunkHeader::parse(their_chunk).unwrap());
    if ours.is_memcpyed() == theirs.is_memcpyed() {
        assert_eq!(our_chunk[..12], their_chunk[..12], "{case}");
    }
    assert_eq!(our_chunk[16..31], their_chunk[16..31], "{case}");
    if theirs.special().is_some() || ours.special().is_none() {
        assert_eq!(our_chunk[31], their_chunk[31], "{case}");
    }
    if ours.is_memcpyed() && theirs.is_memcpyed() {
        assert!(our_chunk == their_chunk, "{case}");
    }
}

#[test]
fn default_block_sizes_are_the_references() {
    let Some(reference) = Reference::load() else { return };
    let theirs = Chunks::of(&reference);
    for compcode in CODECS {
        for clevel in 0..=9 {
            for splitmode in 1..=4 {
                for filters in [PIPELINES[0], PIPELINES[1], PIPELINES[2], PIPELINES[4]] {
                    for typesize in TYPESIZES.into_iter().chain([32, 1000, 40_000]) {
                        for (len, blocksize) in [
                            (0, 0),
                            (10, 0),
                            (32_000, 0),
                            (32_768, 0),
                            (33_000, 0),
                            (70_000, 0),
                            (1 << 20, 0),
                            (20 << 20, 0),
                            (70_000, 5000),
                        ] {
                            let nbytes = len / typesize as usize * typesize as usize;
                            let params = RefCParams {
                                compcode,
                                clevel,
                                splitmode,
                                filters,
                                typesize,
                                blocksize,
                                ..RefCParams::default()
                            };
                            let expected = theirs.zeros(&params, nbytes).unwrap();
                            let made =
                                chunk::special_chunk(&ours(&params), Special::Zeros, &[], nbytes).unwrap();
                            // The C library's header says what was asked for even where blocks are whole items.
                            if blocksize % typesize == 0 {
                                assert_eq!(
                                    *made, *expected,
                                    "{compcode} {clevel} {splitmode} {filters:?} {typesize} {nbytes}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn whole_headers_are_the_references() {
    let Some(reference) = Reference::load() else { return };
    let theirs = Chunks::of(&reference);
    let src: Vec<u8> = (0..150_000u32).flat_map(|i| (i / 7).to_le_bytes()).collect();
    for compcode in CODECS {
        for clevel in [0, 1, 2, 3, 5, 6, 8, 9] {
            for splitmode in 1..=4 {
                // The slowest say nothing new.
                if clevel == 9 && matches!(compcode, 2 | 4 | 5) {
                    continue;
                }
                let params = RefCParams { compcode, clevel, splitmode, typesize: 4, ..RefCParams::default() };
                let expected = theirs.compress(&params, &src, src.len() + 32).unwrap();
                let made = chunk::compress_to_cbuf(&ours(&params), &src).unwrap();
                check_header(&made, &expected, &format!("{compcode} {clevel} {splitmode}"));
            }
        }
    }
}

#[test]
fn special_chunks_are_the_references() {
    let Some(reference) = Reference::load() else { return };
    let theirs = Chunks::of(&reference);
    let mut rng = Rng::new(2);
    for typesize in TYPESIZES.into_iter().chain([1000]) {
        let params = RefCParams { typesize, compcode: 5, ..RefCParams::default() };
        let value = rng.bytes(typesize as usize);
        let nbytes = 1500 * typesize as usize;
        let expected = theirs.repeatval(&params, nbytes, &value).unwrap();
        let made = chunk::special_chunk(&ours(&params), Special::Value, &value, nbytes).unwrap();
        assert_eq!(*made, *expected);
        assert!(unpack(&expected, 2).unwrap() == value.repeat(1500));
        // What compressing recognises, they read.
        let recognised = chunk::compress_to_cbuf(&ours(&params), &value.repeat(1500)).unwrap();
        assert!(theirs.decompress(&recognised, nbytes).unwrap() == value.repeat(1500));
        if typesize <= 255 {
            assert_eq!(ChunkHeader::parse(&recognised).unwrap().special(), Some(Special::Value));
            let typesize = typesize as usize;
            assert_eq!(theirs.getitem(&recognised, 700, 9, typesize).unwrap(), value.repeat(9));
        }
    }
}

#[test]
fn vl_chunks_go_both_ways() {
    let Some(reference) = Reference::load() else { return };
    let theirs = Chunks::of(&reference);
    let mut rng = Rng::new(3);
    for compcode in CODECS {
        for filters in &PIPELINES[..6] {
            let text = data(&mut rng, 0, 4000, 4);
            let noise = rng.bytes(900);
            // Whole items: after the last one, the reference's delta leaves out bytes.
            let blocks = [&text[..], &noise, &text[..4], &text[100..1236], &[0; 700]];
            let params = RefCParams { compcode, filters: *filters, typesize: 4, ..RefCParams::default() };
            let their_chunk = theirs.vl_compress(&params, &blocks).unwrap();
            let our_chunk = vlblocks::vl_compress_to_cbuf(&ours(&params), &blocks).unwrap();
            assert_eq!(our_chunk[..12], their_chunk[..12]);
            assert_eq!(our_chunk[16..32], their_chunk[16..32]);
            if filters[4] != 3 {
                // With delta, the reference cannot read its own chunks in one go.
                assert!(theirs.decompress(&our_chunk, 10_000).unwrap() == blocks.concat());
            }
            assert!(unpack(&their_chunk, 2).as_ref() == Ok(&blocks.concat()), "{compcode} {filters:?}");
        }
    }
}

/// Text that a dictionary is good for: words from a small list.
fn words(rng: &mut Rng, len: usize) -> Vec<u8> {
    let list: Vec<Vec<u8>> = (0..300)
        .map(|_| {
            let len = 2 + rng.below(8);
            rng.bytes(len)
        })
        .collect();
    let mut text = Vec::new();
    while text.len() < len {
        text.extend_from_slice(&list[rng.below(list.len()).min(rng.below(list.len()))]);
    }
    text.truncate(len);
    text
}

#[test]
fn dictionaries_go_both_ways() {
    let Some(reference) = Reference::load() else { return };
    let theirs = Chunks::of(&reference);
    let mut rng = Rng::new(4);
    let (mut our_total, mut their_total) = (0, 0);
    for compcode in [1, 2, 5] {
        for (len, blocksize, typesize, shuffle) in [
            (200_000, 4096, 1, 0),
            (200_000, 1024, 1, 0),
            (200_000, 8192, 4, 1),
            (100_000, 0, 1, 1),
            (6000, 1000, 1, 0),
            (3000, 1000, 1, 0),
            (120_000, 500, 4, 2),
        ] {
            for splitmode in [1, 2, 4] {
                let src = words(&mut rng, len);
                let params = RefCParams {
                    compcode,
                    blocksize,
                    typesize,
                    splitmode,
                    use_dict: 1,
                    filters: [0, 0, 0, 0, 0, shuffle],
                    ..RefCParams::default()
                };
                let case = format!(
                    "codec {compcode} length {len} block {blocksize} typesize {typesize} split {splitmode}"
                );
                let their_chunk = theirs.compress(&params, &src, len + 32).unwrap();
                let made: Vec<_> = [1, 4]
                    .map(|nthreads| {
                        chunk::compress_to_cbuf(&CParams { nthreads, ..ours(&params) }, &src).unwrap()
                    })
                    .into();
                assert!(*made[0] == *made[1], "{case}");
                // Theirs says that it has a dictionary when it is stored, too, and cannot be read.
                let stored = ChunkHeader::parse(&their_chunk).unwrap().is_memcpyed();
                assert_eq!(ChunkHeader::parse(&made[0]).unwrap().is_memcpyed(), stored, "{case}");
                if !stored {
                    assert_eq!(made[0][31], their_chunk[31], "{case}");
                    assert_eq!(made[0][..12], their_chunk[..12], "{case}");
                }
                our_total += made[0].len();
                their_total += their_chunk.len();
                assert!(theirs.decompress(&made[0], len).unwrap() == src, "{case}");
                assert!(unpack(&their_chunk, 2).unwrap() == src, "{case}");
                assert!(unpack(&made[0], 2).unwrap() == src, "{case}");
            }
        }
        // What cannot be compressed has no dictionary, and does not say so.
        let noise = rng.bytes(100_000);
        let params =
            RefCParams { compcode, use_dict: 1, typesize: 1, blocksize: 4096, ..RefCParams::default() };
        let made = chunk::compress_to_cbuf(&ours(&params), &noise).unwrap();
        assert_eq!((made.len(), made[31]), (100_032, 0));
        assert!(theirs.decompress(&made, noise.len()).unwrap() == noise);
        // VL blocks.
        let text = words(&mut rng, 40_000);
        let blocks: Vec<&[u8]> = text.chunks(1500).collect();
        let their_chunk = theirs.vl_compress(&params, &blocks).unwrap();
        let our_chunk = vlblocks::vl_compress_to_cbuf(&ours(&params), &blocks).unwrap();
        assert_eq!(our_chunk[16..32], their_chunk[16..32]);
        assert!(theirs.decompress(&our_chunk, text.len()).unwrap() == text);
        assert!(unpack(&their_chunk, 2).unwrap() == text);
        our_total += our_chunk.len();
        their_total += their_chunk.len();
    }
    assert!(our_total * 100 <= their_total * 101, "{our_total} bytes, theirs {their_total}");
}
