use super::*;
use crate::base::hooks::{Prefilter, Prefiltering};
use crate::base::params::{CParams, DParams, FilterSlots, SplitMode};
use crate::base::random::Random;
use crate::base::{CBuf, ErrorKind, Result};
use crate::{codec, filter};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

mod streams;

const CODECS: [u8; 5] = [codec::BLOSCLZ, codec::LZ4, codec::LZ4HC, codec::ZLIB, codec::ZSTD];

fn pipeline(ids: &[u8]) -> FilterSlots {
    let mut slots = FilterSlots::default();
    for (slot, &id) in slots[6 - ids.len()..].iter_mut().zip(ids) {
        slot.id = id;
    }
    slots
}

/// Bytes that compress: counters of the given size, with some noise.
fn counters(len: usize, typesize: usize) -> Vec<u8> {
    let mut random = Random::new(2);
    (0..len)
        .map(|i| {
            let item = (i / typesize) as u64 / 3 + u64::from(random.below(8) == 0);
            (item >> (8 * (i % typesize).min(7))) as u8
        })
        .collect()
}

fn noise(len: usize) -> Vec<u8> {
    Random::new(1).bytes(len)
}

fn unpack(chunk: &[u8], nthreads: usize) -> Result<Vec<u8>> {
    let params = DParams::default();
    let reader = ChunkReader::new(ChunkSource::Bytes(chunk), &params)?;
    let mut dst = vec![0xee; reader.header().nbytes()];
    let done = reader.decompress(nthreads, &mut dst);
    assert_eq!(reader.check_blocks(nthreads).is_ok(), done.is_ok());
    done.map(|_| dst)
}

fn params(codec: u8, typesize: i32, filters: &[u8]) -> CParams {
    CParams { codec, typesize, filters: pipeline(filters), ..CParams::default() }
}

const PIPELINES: [&[u8]; 6] = [
    &[],
    &[filter::SHUFFLE],
    &[filter::BITSHUFFLE],
    &[filter::DELTA],
    &[filter::DELTA, filter::SHUFFLE],
    &[filter::SHUFFLE, filter::DELTA],
];

#[test]
fn a_few_bytes_saved_are_not_worth_the_codec() {
    // Four counters, shuffled: libzstd could say it in 60 bytes, header and all, and wants 8 more to work in.
    let counters: Vec<u8> = (0..4u64).flat_map(u64::to_le_bytes).collect();
    let stored = compress_to_cbuf(&params(codec::ZSTD, 8, &[filter::SHUFFLE]), &counters).unwrap();
    assert_eq!(stored.len(), 64, "as the C library has it");
    // More of them save more, and the room for the chunk does not change what is in it.
    let counters: Vec<u8> = (0..64u64).flat_map(u64::to_le_bytes).collect();
    for codec in CODECS {
        let params = params(codec, 8, &[filter::SHUFFLE]);
        let chunk = compress_to_cbuf(&params, &counters).unwrap();
        assert!(chunk.len() < 256, "codec {codec}: {}", chunk.len());
        for room in chunk.len()..chunk.len() + 40 {
            let mut dst = vec![0; room];
            assert_eq!(compress(&params, &counters, &mut dst).unwrap(), chunk.len());
            assert_eq!(dst[..chunk.len()], chunk[..], "codec {codec} with room for {room}");
        }
    }
}

#[test]
fn round_trips() {
    for codec in CODECS {
        for filters in PIPELINES {
            for (typesize, blocksize) in
                [(1, 0), (2, 64), (3, 300), (4, 4096), (8, 0), (16, 1024), (255, 2550), (300, 0)]
            {
                for split in [SplitMode::Always, SplitMode::Never, SplitMode::Auto] {
                    for len in [0, 1, 31, 32, 33, 1023, 5000] {
                        let params = CParams { blocksize, split, ..params(codec, typesize, filters) };
                        for src in [counters(len, typesize as usize), noise(len), vec![0; len], vec![9; len]]
                        {
                            let mut dst = vec![0; len + 32];
                            let cbytes = compress(&params, &src, &mut dst).unwrap();
                            assert!((16..=len + 32).contains(&cbytes), "{params:?} {len}: {cbytes}");
                            assert!(unpack(&dst[..cbytes], 1).unwrap() == src, "{params:?} {len}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn bytes_do_not_depend_on_threads() {
    for codec in CODECS {
        for filters in PIPELINES {
            for src in [counters(1 << 20, 8), noise(1 << 18)] {
                let one = CParams { blocksize: 16384, ..params(codec, 8, filters) };
                let alone = compress_to_cbuf(&one, &src).unwrap();
                for nthreads in [2, 3, 8] {
                    let many = CParams { nthreads, ..one.clone() };
                    assert!(*compress_to_cbuf(&many, &src).unwrap() == *alone);
                    let plan = Plan::new(&many, src.len()).unwrap();
                    let gather = |n: usize, block: &mut [u8]| {
                        block.copy_from_slice(&src[plan.block_range(n)]);
                        Ok(())
                    };
                    assert!(*compress_gather(&many, src.len(), &gather).unwrap() == *alone);
                    // Nor on what the memory held, be there more than enough of it or too little.
                    for room in [2 * src.len(), 100] {
                        let room = CBuf::copy_of(&vec![0xa5; room]).unwrap();
                        let chunk = compress_in(room, &many, src.len(), &gather, None).unwrap();
                        assert!(chunk[..alone.len()] == *alone);
                        let room = CBuf::copy_of(&vec![0x5a; chunk.len()]).unwrap();
                        assert!(compress_blocks_in(room, &many, &src).unwrap()[..alone.len()] == *alone);
                    }
                    assert!(unpack(&alone, nthreads as usize).unwrap() == src);
                }
            }
        }
    }
}

/// Sizes about which threads come at once, later, or not at all, by what blocks turn out to take.
#[test]
fn bytes_do_not_depend_on_when_threads_come() {
    let words: Vec<u8> =
        noise(1 << 18).iter().flat_map(|n| [b"of ", b"the", b"in "][usize::from(n % 3)]).copied().collect();
    for codec in CODECS {
        for filters in [&[][..], &[filter::SHUFFLE], &[filter::DELTA]] {
            for len in [9_000, 40_000, 130_001, 600_000] {
                let src = &words[..len];
                let one = CParams { blocksize: 4096, clevel: 3, ..params(codec, 1, filters) };
                let alone = compress_to_cbuf(&one, src).unwrap();
                for nthreads in [2, 5] {
                    let many = CParams { nthreads, ..one.clone() };
                    assert!(*compress_to_cbuf(&many, src).unwrap() == *alone, "{codec} {filters:?} {len}");
                    assert!(unpack(&alone, nthreads as usize).unwrap() == src, "{codec} {filters:?} {len}");
                }
            }
        }
    }
}

#[test]
fn blocks_that_are_stored_stand_beside_others() {
    const BLOCK: usize = 1 << 15;
    let sorts = [noise(20 * BLOCK), counters(20 * BLOCK, 8)];
    for codec in [codec::BLOSCLZ, codec::LZ4] {
        for pattern in 0..32 {
            let sort = |n: usize| &sorts[pattern >> (n % 5) & 1];
            let blocks = (0..20).map(|n| &sort(n)[n * BLOCK..][..BLOCK - n / 19 * 100]);
            let src = blocks.collect::<Vec<_>>().concat();
            let one = CParams { blocksize: BLOCK as i32, clevel: 9, ..params(codec, 1, &[]) };
            let alone = compress_to_cbuf(&one, &src).unwrap();
            assert_eq!(alone.len() < src.len(), pattern != 0);
            assert!(unpack(&alone, 1).unwrap() == src);
            for nthreads in [1, 3] {
                let many = CParams { nthreads, ..one.clone() };
                assert!(*compress_to_cbuf(&many, &src).unwrap() == *alone);
                let gathered = compress_gather(&many, src.len(), &|n, block| {
                    block.copy_from_slice(&src[n * BLOCK..][..block.len()]);
                    Ok(())
                });
                assert!(*gathered.unwrap() == *alone);
            }
        }
    }
}

#[test]
fn fitting_does_not_depend_on_threads() {
    let src = counters(100_000, 4);
    let one = CParams { blocksize: 2048, clevel: 1, ..params(codec::LZ4, 4, &[filter::SHUFFLE]) };
    let exact = compress_to_cbuf(&one, &src).unwrap().len();
    for room in [exact - 2000, exact - 40, exact - 1, exact, exact + 1, exact + 40] {
        let mut dst = vec![0; room];
        let expected = compress(&one, &src, &mut dst).unwrap();
        assert_eq!(expected > 0, room >= exact);
        for nthreads in [2, 8] {
            let mut shared = vec![0; room];
            assert_eq!(compress(&CParams { nthreads, ..one.clone() }, &src, &mut shared).unwrap(), expected);
            assert!(expected == 0 || shared == dst);
        }
    }
}

#[test]
fn special_data_becomes_a_special_chunk() {
    let zeros = compress_to_cbuf(&params(codec::ZSTD, 4, &[filter::SHUFFLE]), &[0; 10_000]).unwrap();
    assert_eq!(zeros.len(), 32);
    let header = ChunkHeader::parse(&zeros).unwrap();
    assert_eq!((header.special(), header.nbytes()), (Some(Special::Zeros), 10_000));

    let value = compress_to_cbuf(&params(codec::LZ4, 3, &[]), &b"abc".repeat(1000)).unwrap();
    assert_eq!(value.len(), 35);
    assert_eq!(ChunkHeader::parse(&value).unwrap().special(), Some(Special::Value));
    assert_eq!(unpack(&value, 1).unwrap(), b"abc".repeat(1000));

    let nans: Vec<u8> = [f64::NAN.to_le_bytes(); 500].concat();
    let chunk = compress_to_cbuf(&params(codec::LZ4, 8, &[]), &nans).unwrap();
    assert_eq!(ChunkHeader::parse(&chunk).unwrap().special(), Some(Special::Nans));
    assert_eq!(unpack(&chunk, 1).unwrap(), nans);
}

#[test]
fn chunks_for_blosc1_have_its_header_and_no_runs() {
    let src = [counters(4000, 4), vec![0; 4000]].concat();
    let params = CParams { blosc1_header: true, ..params(codec::LZ4, 4, &[filter::SHUFFLE]) };
    let chunk = compress_to_cbuf(&params, &src).unwrap();
    let header = ChunkHeader::parse(&chunk).unwrap();
    assert_eq!((header.header_len(), header.is_extended()), (16, false));
    assert_eq!(unpack(&chunk, 2).unwrap(), src);
    let stored = compress_to_cbuf(&params, &noise(500)).unwrap();
    assert_eq!(stored.len(), 516);
    assert_eq!(unpack(&stored, 1).unwrap(), noise(500));
}

#[test]
fn bytes_of_a_chunk_are_read_from_its_blocks() {
    let src = counters(10_000, 4);
    for filters in PIPELINES {
        for clevel in [0, 5] {
            let params = CParams { blocksize: 512, clevel, ..params(codec::LZ4, 4, filters) };
            let chunk = compress_to_cbuf(&params, &src).unwrap();
            for nthreads in [1, 4] {
                let dparams = DParams { nthreads, ..DParams::default() };
                for (start, end) in [
                    (0, 0),
                    (0, 1),
                    (5, 700),
                    (512, 1024),
                    (511, 2049),
                    (1024, 9999),
                    (0, 10_000),
                    (9990, 10_000),
                    (10_000, 10_000),
                ] {
                    // Afresh: what a reader has already decoded must not matter.
                    let reader = ChunkReader::new(ChunkSource::Bytes(&chunk), &dparams).unwrap();
                    let mut dst = vec![0xee; end - start + 3];
                    assert_eq!(reader.get_bytes(start..end, &mut dst).unwrap(), end - start);
                    assert_eq!(dst[..end - start], src[start..end]);
                    assert_eq!(dst[end - start..], [0xee; 3]);
                }
                let reader = ChunkReader::new(ChunkSource::Bytes(&chunk), &dparams).unwrap();
                for n in (0..reader.nblocks()).rev() {
                    let range = reader.block_range(n);
                    let same = reader.with_block(n, 0..range.len(), |block| *block == src[range]).unwrap();
                    assert!(same);
                }
                let kind = |range, len| reader.get_bytes(range, &mut vec![0; len]).unwrap_err().kind();
                assert_eq!(kind(0..10_001, 20_000), ErrorKind::InvalidParam);
                assert_eq!(kind(0..100, 99), ErrorKind::WriteBuffer);
            }
        }
    }
}

#[test]
fn masked_blocks_are_left_alone() {
    let src = counters(10_000, 4);
    for filters in PIPELINES {
        let params = CParams { blocksize: 1000, ..params(codec::LZ4, 4, filters) };
        let chunk = compress_to_cbuf(&params, &src).unwrap();
        let dparams = DParams::default();
        let reader = ChunkReader::new(ChunkSource::Bytes(&chunk), &dparams).unwrap();
        let mask: Vec<bool> = (0..10).map(|n| n % 3 == 0).collect();
        for nthreads in [1, 3] {
            let mut dst = vec![0xee; 10_000];
            assert_eq!(reader.decompress_masked(nthreads, Some(&mask), &mut dst).unwrap(), 10_000);
            for (n, masked) in mask.iter().enumerate() {
                let range = reader.block_range(n);
                let expected = if *masked { vec![0xee; range.len()] } else { src[range.clone()].to_vec() };
                assert!(dst[range] == expected);
            }
        }
        let error = reader.decompress_masked(1, Some(&mask[1..]), &mut vec![0; 10_000]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data);
    }
}

/// A chunk in storage that notes what is read.
struct Stored<'a>(&'a [u8], std::sync::Mutex<Vec<(u64, usize)>>);

impl ReadAt for &Stored<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        self.1.lock().unwrap().push((offset, buf.len()));
        match self.0.get(offset as usize..offset as usize + buf.len()) {
            Some(bytes) => buf.copy_from_slice(bytes),
            None => crate::fail!(ReadBuffer, "the end"),
        }
        Ok(())
    }
}

#[test]
fn a_deferred_chunk_reads_only_the_blocks_it_needs() {
    let src = counters(10_000, 4);
    for clevel in [0, 5] {
        let params = CParams { blocksize: 1000, clevel, ..params(codec::LZ4, 4, &[filter::SHUFFLE]) };
        let chunk = compress_to_cbuf(&params, &src).unwrap();
        let stored = Stored(&chunk, Default::default());
        let deferred = Deferred::open(Box::new(&stored), chunk.len() as u64).unwrap();
        let dparams = DParams::default();
        let reader = ChunkReader::new(ChunkSource::Deferred(deferred), &dparams).unwrap();
        stored.1.lock().unwrap().clear();
        let mut dst = vec![0; 1500];
        reader.get_bytes(2100..3600, &mut dst).unwrap();
        assert_eq!(dst, src[2100..3600]);
        let reads = std::mem::take(&mut *stored.1.lock().unwrap());
        assert_eq!(reads.len(), if clevel == 0 { 1 } else { 2 });
        assert!(reads.iter().map(|(_, len)| len).sum::<usize>() <= 2 * 1016);
        let mut dst = vec![0; 10_000];
        reader.decompress(3, &mut dst).unwrap();
        assert_eq!(dst, src);
    }
}

#[test]
fn vl_blocks_round_trip() {
    let data = noise(3000);
    let blocks: Vec<&[u8]> =
        vec![&data[..1], &[7; 500], &data[..1000], b"hello hello hello hello hello", &[0; 3000]];
    for codec in CODECS {
        for filters in PIPELINES {
            let all = blocks.concat();
            let mut first: Option<Vec<u8>> = None;
            for (nthreads, clevel) in [(1, 5), (4, 5), (2, 0)] {
                if clevel == 0 {
                    first = None;
                }
                let params = CParams { nthreads, clevel, ..params(codec, 4, filters) };
                let chunk = vl_compress(&params, &blocks);
                assert!(first.as_ref().is_none_or(|first| *first == *chunk));
                let dparams = DParams::default();
                let reader = ChunkReader::new(ChunkSource::Bytes(&chunk), &dparams).unwrap();
                assert_eq!(reader.nblocks(), 5);
                for (n, block) in blocks.iter().enumerate() {
                    assert_eq!(&*reader.vl_block(n).unwrap(), *block);
                }
                let each: Vec<Vec<u8>> =
                    reader.vl_blocks(4).unwrap().iter().map(|block| block.to_vec()).collect();
                assert_eq!(each.concat(), all);
                assert_eq!(unpack(&chunk, nthreads as usize).unwrap(), all);
                assert_eq!(reader.vl_block(5).unwrap_err().kind(), ErrorKind::InvalidParam);
                first = Some(chunk.to_vec());
            }
        }
    }
    fn vl_compress(params: &CParams, blocks: &[&[u8]]) -> CBuf {
        vlblocks::vl_compress_to_cbuf(params, blocks).unwrap()
    }
}

#[test]
fn an_instrumented_chunk_tells_of_its_streams() {
    let src = [counters(4096, 4), vec![0; 1024], noise(100)].concat();
    for nthreads in [1, 3] {
        let params = CParams {
            instr_codec: true,
            nthreads,
            blocksize: 1024,
            ..params(codec::LZ4, 4, &[filter::SHUFFLE])
        };
        let chunk = compress_to_cbuf(&params, &src).unwrap();
        let header = ChunkHeader::parse(&chunk).unwrap();
        assert!(header.is_instrumented());
        let records = unpack(&chunk, nthreads as usize).unwrap();
        // Five blocks of four streams, and a shorter one.
        assert_eq!(records.len(), 21 * 16);
        let records: Vec<(f32, u8)> =
            records.chunks(16).map(|r| (f32::from_le_bytes([r[0], r[1], r[2], r[3]]), r[12])).collect();
        assert_eq!(records[16..20], [(64.0, 1); 4]);
        assert_eq!(records[20], (100.0 / 104.0, 0));
        assert!(records[1].0 > 1.5);
    }
}

#[test]
fn any_bytes_of_a_block_are_the_bytes_of_the_block() {
    let mut random = Random::new(7);
    for codec in CODECS {
        for filters in
            [&[][..], &[filter::SHUFFLE], &[filter::BITSHUFFLE], &[filter::BYTEDELTA, filter::SHUFFLE]]
        {
            for split in [SplitMode::Always, SplitMode::Never] {
                for (typesize, shuffle_meta, block) in
                    [(1, 0, 1000), (4, 0, 4096), (8, 0, 4104), (8, 4, 4104), (3, 0, 999)]
                {
                    let mut params = CParams { blocksize: block, split, ..params(codec, typesize, filters) };
                    if filters.contains(&filter::SHUFFLE) {
                        params.filters[5].meta = shuffle_meta;
                    }
                    if filters.contains(&filter::BYTEDELTA) {
                        params.filters[4].meta = typesize as u8;
                    }
                    let len = 2 * block as usize + 501;
                    // Runs, raw and coded streams beside each other.
                    let src: Vec<u8> = counters(len, typesize as usize)
                        .into_iter()
                        .zip(noise(len))
                        .enumerate()
                        .map(|(i, (a, b))| if typesize == 8 && i % 8 == 3 { b } else { a })
                        .collect();
                    let chunk = compress_to_cbuf(&params, &src).unwrap();
                    let dparams = DParams::default();
                    let reader = ChunkReader::new(ChunkSource::Bytes(&chunk), &dparams).unwrap();
                    for _ in 0..60 {
                        let start = random.below(len);
                        let most = [4, 100, 9000][random.below(3)];
                        let end = start + 1 + random.below((len - start).min(most));
                        let mut dst = vec![0; end - start];
                        reader.get_bytes(start..end, &mut dst).unwrap();
                        assert!(dst == src[start..end], "{params:?} {start}..{end}");
                    }
                }
            }
        }
    }
}

/// The first block is not ready before all others have been seen.
struct LastFirst {
    seen: AtomicUsize,
    nblocks: usize,
}

impl Prefilter for LastFirst {
    fn apply(&self, block: Prefiltering<'_>) -> Result<()> {
        if block.nblock == 0 {
            while self.seen.load(Ordering::Acquire) < self.nblocks - 1 {
                std::thread::yield_now();
            }
        } else {
            self.seen.fetch_add(1, Ordering::AcqRel);
        }
        block.output.copy_from_slice(block.input);
        Ok(())
    }
}

#[test]
fn a_block_may_depend_on_those_behind_it() {
    // Half of each block is noise.
    let (blocksize, nblocks) = (1 << 20, 12);
    let data: Vec<u8> = noise(blocksize * nblocks - 4).iter().map(|byte| byte & 15).collect();
    let params = |nthreads| CParams {
        blocksize: blocksize as i32,
        nthreads,
        prefilter: Some(Arc::new(LastFirst { seen: AtomicUsize::new(0), nblocks })),
        ..params(codec::LZ4, 1, &[filter::BITSHUFFLE])
    };
    let mut dst = vec![0; data.len()];
    let len = compress(&params(2), &data, &mut dst).unwrap();
    assert!((data.len() / 2..data.len() * 3 / 4).contains(&len));
    // Where the output has no place for blocks that wait.
    let mut exact = vec![0; len];
    assert_eq!(compress(&params(2), &data, &mut exact).unwrap(), len);
    assert!(exact == dst[..len]);
    assert_eq!(compress(&params(3), &data, &mut exact[..len - 1]).unwrap(), 0);
    assert!(unpack(&dst[..len], 2).unwrap() == data);
}
