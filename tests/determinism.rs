//! The same data and parameters give the same bytes: on any number of threads, and at any level of SIMD.

mod common;

use blosc2::base::Result;
use blosc2::base::cpu::Simd;
use blosc2::base::hooks::{Prefilter, Prefiltering};
use blosc2::base::params::{CParams, FilterSlots, SplitMode};
use blosc2::chunk::{self, vlblocks};
use blosc2::{codec, filter};
use common::Rng;
use std::process::Command;
use std::sync::Arc;

/// Copies, and has the library believe that this may take long, so that it employs all threads there are.
struct Copy;

impl Prefilter for Copy {
    fn apply(&self, block: Prefiltering<'_>) -> Result<()> {
        block.output.copy_from_slice(block.input);
        Ok(())
    }
}

/// Pipelines of filter ids and their parameters.
const PIPELINES: [&[(u8, u8)]; 9] = [
    &[],
    &[(filter::SHUFFLE, 0)],
    &[(filter::BITSHUFFLE, 0)],
    &[(filter::DELTA, 0)],
    &[(filter::DELTA, 0), (filter::BITSHUFFLE, 0)],
    &[(filter::TRUNC_PREC, 10), (filter::SHUFFLE, 0)],
    &[(filter::SHUFFLE, 0), (filter::BYTEDELTA, 0)],
    &[(filter::INT_TRUNC, 10), (filter::BITSHUFFLE, 0)],
    &[(filter::BITSHUFFLE, 0), (filter::SHUFFLE, 0), (filter::DELTA, 0)],
];

const LEN: usize = 60_007;

fn data(typesize: usize) -> Vec<u8> {
    let noise = Rng::new(typesize as u64).bytes(LEN);
    let byte = |i: usize| match i * 3 / LEN {
        0 => (i / typesize / 7) as u8,
        1 => b"some words and some others "[i % 27],
        _ => noise[i] & 0x1f,
    };
    (0..LEN).map(byte).collect()
}

/// Every codec with every pipeline, for several typesizes.
fn for_each_case(mut visit: impl FnMut(&CParams, &[u8])) {
    for typesize in [1, 2, 4, 8, 17] {
        let data = data(typesize as usize);
        for codec in [codec::BLOSCLZ, codec::LZ4, codec::LZ4HC, codec::ZLIB, codec::ZSTD] {
            for pipeline in PIPELINES {
                let mut filters = FilterSlots::default();
                for (slot, &(id, meta)) in filters.iter_mut().zip(pipeline) {
                    (slot.id, slot.meta) = (id, meta);
                }
                let split = if pipeline.len() == 1 { SplitMode::Always } else { SplitMode::Auto };
                let use_dict = pipeline.len() == 2 && codec::dict::supported(codec);
                let blocksize = 4096 / typesize * typesize;
                let params = CParams {
                    codec,
                    clevel: 4,
                    typesize,
                    blocksize,
                    filters,
                    split,
                    use_dict,
                    ..CParams::default()
                };
                visit(&CParams { in_schunk: true, ..params }, &data);
            }
        }
    }
}

/// What the case becomes; `None` for filters that do not take items of this size.
fn packed(params: &CParams, data: &[u8]) -> Option<Vec<u8>> {
    chunk::compress_to_cbuf(params, data).ok().map(|chunk| chunk.to_vec())
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let mut made = 0;
    for_each_case(|params, data| {
        let alone = packed(params, data);
        made += usize::from(alone.is_some());
        for nthreads in [1, 2, 3, 8] {
            let shared = CParams { nthreads, prefilter: Some(Arc::new(Copy)), ..params.clone() };
            assert!(packed(&shared, data) == alone, "{nthreads} threads: {params:?}");
        }
    });
    assert!(made > 150, "{made}");
    // Without the hook, of a size that pays, and blocks of lengths of their own.
    let large: Vec<u8> = data(4).repeat(40);
    let blocks: Vec<&[u8]> = large.chunks(50_001).collect();
    for codec in [codec::LZ4, codec::ZSTD] {
        let params = CParams { codec, typesize: 4, clevel: 3, ..CParams::default() };
        let alone = packed(&params, &large).unwrap();
        let vl = vlblocks::vl_compress_to_cbuf(&params, &blocks).unwrap();
        for nthreads in [2, 3, 8] {
            let shared = CParams { nthreads, ..params.clone() };
            assert!(packed(&shared, &large).unwrap() == alone);
            assert!(*vlblocks::vl_compress_to_cbuf(&shared, &blocks).unwrap() == *vl);
        }
    }
}

/// A number that all bytes of all cases make (FNV-1a).
fn digest() -> u64 {
    let mut digest = 0xcbf2_9ce4_8422_2325u64;
    for_each_case(|params, data| {
        for byte in packed(params, data).unwrap_or_default() {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    });
    digest
}

#[test]
fn any_level_of_simd_writes_the_same_bytes() {
    const CHILD: &str = "DETERMINISM_CHILD";
    if std::env::var_os(CHILD).is_some() {
        println!("digest {:016x}", digest());
        return;
    }
    // The level is chosen once per process.
    let digests = Simd::ALL.map(|level| {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["any_level_of_simd_writes_the_same_bytes", "--exact", "--nocapture"])
            .envs([(CHILD, "1"), ("BLOSC_SIMD", level.name())])
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&child.stdout).into_owned();
        let at = words.find("digest ").unwrap_or_else(|| panic!("{level:?}: {words}"));
        words[at..at + 23].to_owned()
    });
    assert!(digests.iter().all(|digest| *digest == digests[0]), "{digests:?}");
}
