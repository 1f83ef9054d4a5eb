//! Prefilters, postfilters and tuners: what they are told, and what becomes of what they do.

use blosc2::base::hooks::{Postfilter, Postfiltering, Prefilter, Prefiltering, Tuner};
use blosc2::base::params::{CParams, DParams, FilterSlots};
use blosc2::base::{Error, ErrorKind, Result};
use blosc2::chunk::{self, ChunkHeader, ChunkReader, ChunkSource, Special};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn failure() -> Error {
    Error::new(ErrorKind::Data, "on purpose")
}

fn params() -> CParams {
    let mut filters = FilterSlots::default();
    (filters[4].id, filters[5].id) = (3, 1);
    CParams { codec: 1, typesize: 4, blocksize: 1024, filters, ..CParams::default() }
}

fn source() -> Vec<u8> {
    (0..2500u32).flat_map(|i| (i / 3).to_le_bytes()).collect()
}

fn unpack(chunk: &[u8], params: &DParams) -> Result<Vec<u8>> {
    let reader = ChunkReader::new(ChunkSource::Bytes(chunk), params)?.for_chunk(9);
    let mut dst = vec![0; reader.header().nbytes()];
    reader.decompress(params.nthreads as usize, &mut dst)?;
    Ok(dst)
}

/// Adds one to every byte; uses the library meanwhile; notes what it is told.
#[derive(Default)]
struct AddOne {
    told: Mutex<Vec<(usize, usize, i64, usize)>>,
    fail_at: Option<usize>,
    disposable: bool,
}

impl AddOne {
    fn note(&self, nblock: usize, offset: usize, nchunk: i64, tid: usize) {
        // Scratch and pool are not this callback's alone, and may be used all the same.
        let inner = chunk::compress_to_cbuf(&CParams { nthreads: 3, ..params() }, &source()).unwrap();
        assert!(unpack(&inner, &DParams { nthreads: 2, ..DParams::default() }).unwrap() == source());
        self.told.lock().unwrap().push((nblock, offset, nchunk, tid));
    }

    fn blocks(&self) -> Vec<usize> {
        let mut blocks: Vec<usize> =
            std::mem::take(&mut *self.told.lock().unwrap()).iter().map(|t| t.0).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }
}

impl Prefilter for AddOne {
    fn apply(&self, block: Prefiltering<'_>) -> Result<()> {
        assert!(block.output.iter().all(|&byte| byte == 0) || self.disposable);
        assert!(block.scratch.len() >= 2 * block.input.len());
        assert_eq!(block.typesize, 4);
        block.scratch.fill(0xaa);
        self.note(block.nblock, block.offset, block.nchunk, block.tid);
        if self.fail_at == Some(block.nblock) {
            return Err(failure());
        }
        for (out, byte) in block.output.iter_mut().zip(block.input) {
            *out = byte.wrapping_add(1);
        }
        Ok(())
    }

    fn output_is_disposable(&self) -> bool {
        self.disposable
    }
}

impl Postfilter for AddOne {
    fn apply(&self, block: Postfiltering<'_>) -> Result<()> {
        assert!(block.scratch.len() >= 2 * block.input.len());
        assert_eq!(block.input.len(), block.output.len());
        block.scratch.fill(0xaa);
        self.note(block.nblock, block.offset, block.nchunk, block.tid);
        if self.fail_at == Some(block.nblock) {
            return Err(failure());
        }
        for (out, byte) in block.output.iter_mut().zip(block.input) {
            *out = byte.wrapping_add(1);
        }
        Ok(())
    }
}

fn plus_one(src: &[u8]) -> Vec<u8> {
    src.iter().map(|byte| byte.wrapping_add(1)).collect()
}

#[test]
fn a_prefilter_makes_the_blocks() {
    for clevel in [0, 5] {
        for nthreads in [1, 3] {
            let hook = Arc::new(AddOne::default());
            let params = CParams { clevel, nthreads, nchunk: 4, prefilter: Some(hook.clone()), ..params() };
            let chunk = chunk::compress_to_cbuf(&params, &source()).unwrap();
            assert!(unpack(&chunk, &DParams::default()).unwrap() == plus_one(&source()));
            let told = hook.told.lock().unwrap().clone();
            assert!(told.iter().all(|&(n, offset, nchunk, tid)| {
                offset == n * 1024 && nchunk == 4 && tid < nthreads as usize
            }));
            assert_eq!(hook.blocks(), (0..10).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_prefilter_that_fails_fails_the_chunk() {
    for nthreads in [1, 3] {
        let hook = Arc::new(AddOne { fail_at: Some(6), ..AddOne::default() });
        let params = CParams { nthreads, prefilter: Some(hook), ..params() };
        let error = chunk::compress_to_cbuf(&params, &source()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FilterPipeline);
    }
}

#[test]
fn output_that_nobody_wants_is_zeros() {
    for nthreads in [1, 3] {
        let hook = Arc::new(AddOne { fail_at: Some(6), disposable: true, ..AddOne::default() });
        let params = CParams { nthreads, prefilter: Some(hook.clone()), ..params() };
        let chunk = chunk::compress_to_cbuf(&params, &source()).unwrap();
        assert_eq!(ChunkHeader::parse(&chunk).unwrap().special(), Some(Special::Zeros));
        assert_eq!(hook.blocks(), (0..10).collect::<Vec<_>>());
    }
}

#[test]
fn a_postfilter_changes_what_is_read() {
    let zeros = vec![0; 10_000];
    let noise: Vec<u8> = (0..10_000u32).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect();
    for src in [source(), zeros, noise] {
        let chunk = chunk::compress_to_cbuf(&params(), &src).unwrap();
        for nthreads in [1, 3] {
            let hook = Arc::new(AddOne::default());
            let dparams = DParams { nthreads, postfilter: Some(hook.clone()), ..DParams::default() };
            assert!(unpack(&chunk, &dparams).unwrap() == plus_one(&src));
            let told = hook.told.lock().unwrap().clone();
            assert!(told.iter().all(|&(n, offset, nchunk, tid)| {
                offset == n * 1024 && nchunk == 9 && tid < nthreads as usize
            }));
            assert_eq!(hook.blocks(), (0..10).collect::<Vec<_>>());

            // Parts: only the blocks they are in, each once.
            let reader = ChunkReader::new(ChunkSource::Bytes(&chunk), &dparams).unwrap();
            for (start, end) in [(1500, 1600), (2000, 6000), (9990, 10_000)] {
                let mut dst = vec![0; end - start];
                reader.get_bytes(start..end, &mut dst).unwrap();
                assert!(dst == plus_one(&src[start..end]));
                assert_eq!(hook.blocks(), (start / 1024..=(end - 1) / 1024).collect::<Vec<_>>());
            }
            reader.with_block(3, 0..10, |block| assert_eq!(block[..10], plus_one(&src[3072..3082]))).unwrap();

            let hook = Arc::new(AddOne { fail_at: Some(7), ..AddOne::default() });
            let dparams = DParams { nthreads, postfilter: Some(hook), ..DParams::default() };
            assert_eq!(unpack(&chunk, &dparams).unwrap_err().kind(), ErrorKind::Postfilter);
        }
    }
}

/// Chooses zstd and another block size; remembers what it learns.
#[derive(Default)]
struct Choice(Mutex<Vec<(usize, usize)>>);

impl Tuner for Choice {
    fn tune(&self, nbytes: usize, params: &mut CParams) -> Result<()> {
        if nbytes == 13 {
            return Err(failure());
        }
        (params.codec, params.blocksize, params.clevel) = (5, 2000, 3);
        params.filters[5].id = 2;
        Ok(())
    }

    fn learn(&self, nbytes: usize, cbytes: usize, _elapsed: Duration) -> Result<()> {
        self.0.lock().unwrap().push((nbytes, cbytes));
        Ok(())
    }
}

#[test]
fn a_tuner_chooses_and_learns() {
    let tuner = Arc::new(Choice::default());
    let params = CParams { tuner: Some(tuner.clone()), ..params() };
    let chunk = chunk::compress_to_cbuf(&params, &source()).unwrap();
    let header = ChunkHeader::parse(&chunk).unwrap();
    assert_eq!((header.codec().unwrap(), header.blocksize(), header.filters()[5].id), (5, 2000, 2));
    assert!(unpack(&chunk, &DParams::default()).unwrap() == source());
    // Whoever gathers blocks knows how large they are.
    let src = source();
    let gathered = chunk::compress_gather(&params, src.len(), &|n, block| {
        block.copy_from_slice(&src[n * 1024..][..block.len()]);
        Ok(())
    })
    .unwrap();
    assert!(unpack(&gathered, &DParams::default()).unwrap() == src);
    assert_eq!(*tuner.0.lock().unwrap(), [(10_000, chunk.len()), (10_000, gathered.len())]);
    assert_eq!(chunk::compress_to_cbuf(&params, &[1; 13]).unwrap_err().kind(), ErrorKind::Tuner);
}
