//! Chunks with every filter and with long pipelines, to and from the reference library.
#![allow(unsafe_code)] // calling the reference

mod common;

use blosc2::base::params::{CParams, DParams, FilterSlot, FilterSlots, NdShape};
use blosc2::chunk::{self, ChunkReader, ChunkSource};
use blosc2::filter::*;
use common::b2nd::{B2nd, RefArray, Spec};
use common::cctx::{Chunks, RefCParams};
use common::{Reference, Rng};
use std::ffi::c_int;
use std::ptr::null_mut;
use std::sync::Arc;

/// Filters and their parameters, in the last slots.
type Pipeline = [(u8, u8)];

const fn minus(bits: u8) -> u8 {
    bits.wrapping_neg()
}

fn ours(typesize: i32, blocksize: i32, filters: &Pipeline) -> CParams {
    let mut slots = FilterSlots::default();
    for (slot, &(id, meta)) in slots.iter_mut().rev().zip(filters.iter().rev()) {
        *slot = FilterSlot { id, meta };
    }
    CParams { typesize, blocksize, filters: slots, ..CParams::default() }
}

fn theirs(typesize: i32, blocksize: i32, filters: &Pipeline) -> RefCParams {
    let mut params = RefCParams { typesize, blocksize, filters: [0; 6], ..RefCParams::default() };
    for (i, &(id, meta)) in filters.iter().rev().enumerate() {
        (params.filters[5 - i], params.filters_meta[5 - i]) = (id, meta);
    }
    params
}

/// What the reference makes of a copy of `src`: the third filter of a pipeline writes its result over what it was given.
fn compressed(chunks: &Chunks, params: &RefCParams, src: &[u8]) -> Result<Vec<u8>, i32> {
    let copy = src.to_vec();
    chunks.compress(params, &copy, src.len() + 32)
}

/// Whether a chunk holds its bytes as they came, no filter having been of use.
fn stored(chunk: &[u8]) -> bool {
    chunk[2] & 2 != 0
}

fn pack(params: &CParams, src: &[u8]) -> Result<Vec<u8>, i32> {
    let mut dst = vec![0; src.len() + 32];
    let len = chunk::compress(params, src, &mut dst).map_err(|e| e.code())?;
    dst.truncate(len);
    Ok(dst)
}

fn unpack(chunk: &[u8], params: &DParams) -> Result<Vec<u8>, i32> {
    let reader = ChunkReader::new(ChunkSource::Bytes(chunk), params).map_err(|e| e.code())?;
    let mut dst = vec![0; reader.header().nbytes()];
    reader.decompress(1, &mut dst).map_err(|e| e.code())?;
    Ok(dst)
}

/// Smooth values with a little noise: filters have something to do, streams are of every sort, and blocks compress.
fn data(rng: &mut Rng, len: usize, typesize: usize) -> Vec<u8> {
    let noise = rng.bytes(len);
    (0..len)
        .map(|i| match i % typesize {
            0 if i % 5 == 0 => noise[i],
            j => ((i / typesize) >> (4 * j).min(60)) as u8 ^ 0x40,
        })
        .collect()
}

#[test]
fn lossless_pipelines_go_both_ways() {
    let Some(reference) = Reference::load() else { return };
    let chunks = Chunks::of(&reference);
    let mut rng = Rng::new(3);
    let pipelines: &[&Pipeline] = &[
        &[(SHUFFLE, 1)],
        &[(SHUFFLE, 2)],
        &[(SHUFFLE, 3)],
        &[(SHUFFLE, 16)],
        &[(SHUFFLE, 100)],
        &[(SHUFFLE, 255)],
        &[(BYTEDELTA, 1)],
        &[(BYTEDELTA, 3)],
        &[(BYTEDELTA, 8)],
        &[(BYTEDELTA, 255)],
        &[(BYTEDELTA_OLD, 1)],
        &[(BYTEDELTA_OLD, 4)],
        &[(SHUFFLE, 0), (BYTEDELTA, 4)],
        &[(SHUFFLE, 8), (BYTEDELTA, 8)],
        &[(BITSHUFFLE, 0), (BYTEDELTA, 2)],
        &[(SHUFFLE, 0), (BITSHUFFLE, 0)],
        &[(BITSHUFFLE, 0), (SHUFFLE, 0), (BYTEDELTA, 5), (SHUFFLE, 7), (BITSHUFFLE, 0), (BYTEDELTA, 1)],
        &[(DELTA, 0), (SHUFFLE, 0), (BYTEDELTA, 4)],
        &[(SHUFFLE, 0), (DELTA, 0)],
        &[(SHUFFLE, 0), (DELTA, 0), (BITSHUFFLE, 0)],
        &[(DELTA, 0), (DELTA, 0)],
    ];
    for &pipeline in pipelines {
        for typesize in [1, 2, 3, 4, 8, 12, 16, 24] {
            let blocksize = 1008;
            let size = typesize as usize;
            // Whole items: what follows them the reference's delta and old bytedelta lose.
            for len in [40 * size, 1008, 3 * 1008 + 7 * size] {
                let case = format!("{pipeline:?}, typesize {typesize}, {len} bytes");
                let src = data(&mut rng, len, size);
                let loses_tails = pipeline.iter().any(|&(id, _)| id == BYTEDELTA_OLD);
                if loses_tails && len % usize::from(pipeline[0].1) != 0 {
                    continue;
                }
                let chunk = pack(&ours(typesize, blocksize, pipeline), &src).unwrap();
                assert!(chunks.decompress(&chunk, len).as_ref() == Ok(&src), "they read ours: {case}");
                if pipeline.len() > 2 && pipeline.iter().any(|&(id, _)| id == DELTA) {
                    // It has written over block 0 before it compares other blocks with it.
                    continue;
                }
                let chunk = compressed(&chunks, &theirs(typesize, blocksize, pipeline), &src).unwrap();
                if pipeline.len() > 2 && stored(&chunk) {
                    // What it stored is what it had written over.
                    continue;
                }
                assert!(unpack(&chunk, &DParams::default()).as_ref() == Ok(&src), "we read theirs: {case}");
            }
        }
    }
}

#[test]
fn lossy_pipelines_lose_the_same() {
    let Some(reference) = Reference::load() else { return };
    let chunks = Chunks::of(&reference);
    let mut rng = Rng::new(4);
    let pipelines: &[(&Pipeline, &[i32])] = &[
        (&[(TRUNC_PREC, 1)], &[4, 8]),
        (&[(TRUNC_PREC, 21), (SHUFFLE, 0)], &[4, 8]),
        (&[(TRUNC_PREC, minus(22)), (SHUFFLE, 0)], &[4, 8]),
        (&[(TRUNC_PREC, 10), (BITSHUFFLE, 0)], &[4, 8]),
        (&[(TRUNC_PREC, 10), (SHUFFLE, 0), (BYTEDELTA, 8)], &[4, 8]),
        (&[(SHUFFLE, 0), (TRUNC_PREC, 10)], &[4, 8]),
        (&[(INT_TRUNC, 1)], &[1, 2, 4, 8]),
        (&[(INT_TRUNC, 7), (SHUFFLE, 0)], &[1, 2, 4, 8]),
        (&[(INT_TRUNC, minus(7))], &[1, 2, 4, 8]),
        (&[(INT_TRUNC, minus(3)), (BITSHUFFLE, 0), (BYTEDELTA, 3)], &[1, 2, 4, 8]),
    ];
    let mut compared = 0;
    for &(pipeline, typesizes) in pipelines {
        for &typesize in typesizes {
            for nitems in [41, 300] {
                let case = format!("{pipeline:?}, typesize {typesize}, {nitems} items");
                let src = data(&mut rng, nitems * typesize as usize, typesize as usize);
                let our_chunk = pack(&ours(typesize, 320, pipeline), &src).unwrap();
                let their_chunk =
                    chunks.compress(&theirs(typesize, 320, pipeline), &src, src.len() + 32).unwrap();
                let lossy = chunks.decompress(&their_chunk, src.len()).unwrap();
                if stored(&our_chunk) || stored(&their_chunk) {
                    continue;
                }
                compared += 1;
                assert!(lossy != src, "{case}");
                assert!(
                    chunks.decompress(&our_chunk, src.len()).as_ref() == Ok(&lossy),
                    "they read ours: {case}"
                );
                for chunk in [&our_chunk, &their_chunk] {
                    assert!(unpack(chunk, &DParams::default()).as_ref() == Ok(&lossy), "we read: {case}");
                }
            }
        }
    }
    assert!(compared > 40, "most compress: {compared}");
}

#[test]
fn a_truncated_reference_leaves_truncated_blocks() {
    // Where bits are dropped before delta, the reference compares later blocks with block 0 as it was before, and their
    // dropped bits come back as those of block 0. Ours stay zero, also when the reference reads them.
    let Some(reference) = Reference::load() else { return };
    let chunks = Chunks::of(&reference);
    let src = data(&mut Rng::new(5), 4000, 4);
    let pipeline = &[(TRUNC_PREC, 9), (DELTA, 0), (SHUFFLE, 0)];
    let chunk = pack(&ours(4, 400, pipeline), &src).unwrap();
    let mut truncated = vec![0; src.len()];
    mantissa::forward(4, 9, &src, &mut truncated).unwrap();
    assert!(unpack(&chunk, &DParams::default()).as_ref() == Ok(&truncated));
    assert!(chunks.decompress(&chunk, src.len()) == Ok(truncated));
}

#[test]
fn refusals_have_the_references_codes() {
    let Some(reference) = Reference::load() else { return };
    let chunks = Chunks::of(&reference);
    let src = data(&mut Rng::new(6), 1200, 4);
    let cases: &[(i32, &Pipeline)] = &[
        (4, &[(TRUNC_PREC, 0)]),
        (4, &[(TRUNC_PREC, 24)]),
        (4, &[(TRUNC_PREC, minus(23))]),
        (8, &[(TRUNC_PREC, 53)]),
        (2, &[(TRUNC_PREC, 3)]),
        (4, &[(INT_TRUNC, 0)]),
        (2, &[(INT_TRUNC, 17)]),
        (1, &[(INT_TRUNC, minus(8))]),
        (3, &[(INT_TRUNC, 3)]),
        (4, &[(BYTEDELTA, 0)]),
        (4, &[(NDCELL, 4)]),
        (4, &[(NDMEAN, 4)]),
        (4, &[(200, 4)]),
    ];
    for &(typesize, pipeline) in cases {
        if pipeline[0].0 == NDCELL || pipeline[0].0 == NDMEAN {
            // The reference looks into a super-chunk that is not there.
            assert_eq!(pack(&ours(typesize, 0, pipeline), &src), Err(-18));
            continue;
        }
        let code = compressed(&chunks, &theirs(typesize, 0, pipeline), &src);
        assert_eq!(pack(&ours(typesize, 0, pipeline), &src), code, "{pipeline:?}, typesize {typesize}");
    }

    // The same ids in a chunk that was made without them.
    let made = pack(&ours(4, 0, &[(SHUFFLE, 0)]), &src).unwrap();
    for (id, meta) in [(5, 0), (31, 0), (37, 0), (159, 0), (160, 0), (255, 0), (BYTEDELTA, 0)] {
        let mut chunk = made.clone();
        (chunk[0x15], chunk[0x1d]) = (id, meta);
        let code = chunks.decompress(&chunk, src.len());
        assert!(code.is_err());
        assert_eq!(unpack(&chunk, &DParams::default()), code, "filter {id}");
    }
}

#[test]
fn cells_of_arrays_go_both_ways() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(8);
    let shapes: &[&[i32]] =
        &[&[40], &[12, 9], &[7, 11], &[5, 6, 7], &[2, 3, 4, 5], &[2; 8], &[1, 30], &[30, 1], &[16, 16]];
    for blockshape in shapes {
        let pipelines: &[(&Pipeline, &[i32])] = &[
            (&[(NDCELL, 1)], &[1, 4, 7]),
            (&[(NDCELL, 2), (SHUFFLE, 0)], &[1, 4, 7]),
            (&[(NDCELL, 3)], &[2, 8]),
            (&[(NDCELL, 4), (SHUFFLE, 0)], &[4]),
            (&[(NDMEAN, 1)], &[4, 8]),
            (&[(NDMEAN, 2), (SHUFFLE, 0)], &[4, 8]),
            (&[(NDMEAN, 3)], &[4, 8]),
        ];
        for &(filters, typesizes) in pipelines {
            for &typesize in typesizes {
                cells(&b2nd, &mut rng, blockshape, filters, typesize);
            }
        }
    }
}

/// One chunk of two blocks along the first dimension: made and read by either library.
fn cells(b2nd: &B2nd, rng: &mut Rng, blockshape: &[i32], filters: &Pipeline, typesize: i32) {
    let case = format!("{blockshape:?} {filters:?} typesize {typesize}");
    let block: usize = blockshape.iter().map(|&n| n as usize).product();
    let mut chunkshape = blockshape.to_vec();
    chunkshape[0] *= 2;
    let shape: Vec<i64> = chunkshape.iter().map(|&n| n.into()).collect();
    // Blocks along the first dimension are contiguous: what the array holds is what the chunk holds.
    let nbytes = 2 * block * typesize as usize;
    let src: Vec<u8> = match typesize {
        4 => (0..2 * block).flat_map(|_| (rng.below(1000) as f32 / 7.0).to_le_bytes()).collect(),
        8 => (0..2 * block).flat_map(|_| (rng.below(1000) as f64 / 7.0).to_le_bytes()).collect(),
        _ => data(rng, nbytes, typesize as usize),
    };
    let (id, side) = filters[0];
    let mut spec = Spec::new(&shape, &chunkshape, blockshape, typesize);
    (spec.cparams.filters, spec.cparams.filters_meta) = {
        let params = theirs(typesize, 0, filters);
        (params.filters, params.filters_meta)
    };
    let nd = Arc::new(NdShape { shape, chunkshape, blockshape: blockshape.to_vec() });
    let blocksize = (block * typesize as usize) as i32;
    let params = CParams { nd: Some(nd.clone()), in_schunk: true, ..ours(typesize, blocksize, filters) };
    let reading = DParams { nd: Some(nd), in_schunk: true, typesize, ..DParams::default() };

    let our_chunk = pack(&params, &src);
    let array = b2nd.from_cbuffer(&spec, &src);
    let too_large = id == NDCELL && usize::from(side).pow(blockshape.len() as u32) > block;
    if too_large {
        assert_eq!(our_chunk, Err(-18), "{case}");
        assert!(array.is_err(), "{case}");
        return;
    }
    let (our_chunk, array) = (our_chunk.unwrap(), array.unwrap());
    let expected = array.to_cbuffer(nbytes);
    if id == NDMEAN && i32::from(side) > blockshape[0] && blockshape.len() > 1 {
        // The reference puts such cells in the wrong places, and may then refuse to read them.
        assert!(unpack(&our_chunk, &reading).is_ok(), "{case}");
        return;
    }
    let expected = expected.unwrap();
    assert!(id == NDMEAN || expected == src, "{case}");
    assert!(unpack(&our_chunk, &reading).as_ref() == Ok(&expected), "we read ours: {case}");
    assert!(unpack(&chunk_of(b2nd, &array), &reading).as_ref() == Ok(&expected), "we read theirs: {case}");
    replace_chunk(b2nd, &array, &our_chunk);
    assert!(array.to_cbuffer(nbytes).as_ref() == Ok(&expected), "they read ours: {case}");
}

/// The bytes of an array's only chunk.
fn chunk_of(b2nd: &B2nd, array: &RefArray<'_>) -> Vec<u8> {
    type Get = unsafe extern "C" fn(*mut std::ffi::c_void, i64, *mut *mut u8, *mut bool) -> c_int;
    let (mut chunk, mut needs_free) = (null_mut::<u8>(), false);
    // SAFETY: the function's type; the chunk has as many bytes as it says, and is ours to free when it says so.
    unsafe {
        let get = b2nd.reference.function::<Get>("blosc2_schunk_get_chunk");
        let len = get(array.c().sc, 0, &mut chunk, &mut needs_free);
        let bytes = std::slice::from_raw_parts(chunk, usize::try_from(len).unwrap()).to_vec();
        if needs_free {
            libc::free(chunk.cast());
        }
        bytes
    }
}

/// Puts another chunk in place of an array's only one.
fn replace_chunk(b2nd: &B2nd, array: &RefArray<'_>, chunk: &[u8]) {
    type Update = unsafe extern "C" fn(*mut std::ffi::c_void, i64, *const u8, bool) -> i64;
    // SAFETY: the function's type; the chunk is copied.
    let nchunks = unsafe {
        b2nd.reference.function::<Update>("blosc2_schunk_update_chunk")(array.c().sc, 0, chunk.as_ptr(), true)
    };
    assert_eq!(nchunks, 1);
}
