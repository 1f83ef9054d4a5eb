//! What operations on frames cost, in calls and bytes.

mod common;

use blosc2::base::ErrorKind;
use blosc2::base::params::CParams;
use blosc2::io::probe::{Counts, Probe};
use blosc2::io::{Backend, Disk, Memory};
use blosc2::schunk::{Storage, SuperChunk};
use common::Rng;
use std::path::Path;
use std::sync::Arc;

fn watched(path: &str, contiguous: bool) -> (Probe, Memory, SuperChunk) {
    let memory = Memory::new();
    let probe = Probe::new(Arc::new(memory.clone()));
    let cparams = CParams { typesize: 4, clevel: 0, ..CParams::default() };
    let io: Arc<dyn Backend> = Arc::new(probe.clone());
    let storage = Storage { contiguous, urlpath: Some(path.into()), cparams, io, ..Storage::default() };
    let schunk = SuperChunk::new(storage).unwrap();
    (probe, memory, schunk)
}

fn append(probe: &Probe, schunk: &mut SuperChunk) -> Counts {
    probe.take();
    schunk.append_buffer(&[7; 100]).unwrap();
    probe.take()
}

/// A frame of `n` chunks, its handle warm.
fn frame_of(n: usize) -> (Probe, SuperChunk) {
    let cparams = CParams { typesize: 4, clevel: 0, ..CParams::default() };
    let mut list = SuperChunk::new(Storage { cparams, ..Storage::default() }).unwrap();
    for _ in 0..n - 1 {
        list.append_buffer(&[7; 100]).unwrap();
    }
    let probe = Probe::new(Arc::new(Memory::new()));
    let io: Arc<dyn Backend> = Arc::new(probe.clone());
    list.to_file(Path::new("frame"), &io).unwrap();
    let mut schunk = SuperChunk::open(Path::new("frame"), 0, io).unwrap();
    append(&probe, &mut schunk);
    (probe, schunk)
}

#[test]
fn an_append_costs_the_same_at_10_and_at_100_000_chunks() {
    let costs = [10, 100, 100_000].map(|n| {
        let (probe, mut schunk) = frame_of(n);
        let counts = append(&probe, &mut schunk);
        // The index chunk stands after the chunks, and so is written anew; the rest is chunk, header and trailer.
        (
            counts.opens,
            counts.reads,
            counts.writes,
            counts.truncates,
            counts.write_bytes as i64 - index_len(&schunk),
        )
    });
    assert_eq!(costs[0], costs[1]);
    assert_eq!(costs[0], costs[2]);
    let (opens, reads, writes, truncates, _) = costs[0];
    assert_eq!((opens, truncates), (0, 0));
    assert!(reads <= 1 && writes <= 3, "{reads} reads, {writes} writes");
}

/// Bytes of the index: all but header (87 + 10), chunks of 132 bytes, and trailer (35).
fn index_len(schunk: &SuperChunk) -> i64 {
    schunk.frame_len() - 97 - schunk.nchunks() * 132 - 35
}

#[test]
fn a_sparse_frame_adds_one_file_per_chunk() {
    let (probe, _, mut schunk) = watched("dir", false);
    let mut costs = Vec::new();
    for _ in 0..300 {
        costs.push(append(&probe, &mut schunk));
    }
    for counts in &costs[1..] {
        // It is cut only where the index got smaller, and then its new end is marked first.
        assert_eq!((counts.opens, counts.writes, counts.reads), (1, 3 + counts.truncates, 0));
        assert!(counts.truncates <= 1);
    }
}

#[test]
fn a_chunk_in_a_file_of_its_own_is_opened_and_read() {
    let directory = std::env::temp_dir().join(format!("frame-costs-{}.b2frame", std::process::id()));
    let probe = Probe::new(Arc::new(Disk));
    let io: Arc<dyn Backend> = Arc::new(probe.clone());
    let cparams = CParams { typesize: 4, clevel: 0, blocksize: 16_384, ..CParams::default() };
    let storage = Storage { urlpath: Some(directory.clone()), cparams, io, ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    for n in 0..40u8 {
        schunk.append_buffer(&[n + 1; 100_000]).unwrap();
    }
    probe.take();
    let mut data = vec![0; 100_000];
    for n in [30u8, 2, 17] {
        schunk.decompress_chunk(n.into(), &mut data).unwrap();
        assert_eq!(data, [n + 1; 100_000]);
        let counts = probe.take();
        assert_eq!((counts.opens, counts.reads), (1, 1));
        assert_eq!(counts.looks, 1, "whether somebody has changed the frame");
    }
    schunk.get_slice(25_000, 25_100, &mut data[..400]).unwrap();
    probe.take();
    schunk.get_slice(26_000, 26_100, &mut data[..400]).unwrap();
    let counts = probe.take();
    assert_eq!(
        (counts.opens, counts.reads, counts.looks),
        (0, 1, 1),
        "what stands before the blocks is known"
    );
    // A file that is too short, and one that is not as long as its chunk says.
    for (len, kind) in [(50_000, ErrorKind::InvalidHeader), (3, ErrorKind::FileRead)] {
        std::fs::OpenOptions::new()
            .write(true)
            .open(directory.join("00000005.chunk"))
            .unwrap()
            .set_len(len)
            .unwrap();
        assert_eq!(schunk.decompress_chunk(5, &mut data).unwrap_err().kind(), kind);
    }
    drop(schunk);
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn opening_reads_each_end_once_and_the_index_when_it_is_needed() {
    let (_, memory, mut schunk) = watched("frame", true);
    for i in 0..10_000u32 {
        schunk.append_buffer(&i.to_le_bytes().repeat(1 + i as usize % 40)).unwrap();
    }
    let probe = Probe::new(Arc::new(memory));
    let opened = SuperChunk::open(Path::new("frame"), 0, Arc::new(probe.clone())).unwrap();
    let counts = probe.take();
    // Sizes vary, and so the index tells how many chunks there are: a third read.
    assert_eq!((counts.opens, counts.reads), (1, 3));
    opened.decompress_chunk(5000, &mut [0; 160]).unwrap();
    let counts = probe.take();
    assert_eq!((counts.opens, counts.reads), (0, 1), "one read for a whole chunk");
    assert_eq!(counts.looks, 1, "whether somebody has changed the frame");
}

#[test]
fn metalayers_rewrite_the_trailer_and_leave_the_index() {
    let (probe, _, mut schunk) = watched("frame", true);
    for _ in 0..5000 {
        schunk.append_buffer(&[1; 100]).unwrap();
    }
    probe.take();
    schunk.vlmeta_add("name", b"content", None).unwrap();
    let counts = probe.take();
    assert_eq!((counts.opens, counts.reads, counts.writes), (0, 0, 2));
    assert!(counts.write_bytes < 400, "{}", counts.write_bytes);
    schunk.vlmeta_update("name", b"another", None).unwrap();
    let counts = probe.take();
    assert_eq!((counts.opens, counts.reads, counts.writes), (0, 0, 2));
    // The frame before the change and after it, and whether there is a journal.
    assert_eq!(counts.looks, 3);
}

#[test]
fn scattered_items_cost_one_read_per_block() {
    let memory = Memory::new();
    let probe = Probe::new(Arc::new(memory.clone()));
    let io: Arc<dyn Backend> = Arc::new(probe.clone());
    let cparams = CParams { typesize: 4, blocksize: 16_384, ..CParams::default() };
    let storage =
        Storage { contiguous: true, urlpath: Some("frame".into()), cparams, io, ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    let mut rng = Rng::new(1);
    let noise: Vec<u8> = (0..400_000).map(|_| rng.below(64) as u8).collect();
    for _ in 0..3 {
        schunk.append_buffer(&noise).unwrap();
    }
    let item = |n: i64| noise[n as usize * 4 % noise.len()..][..4].to_vec();
    let mut got = vec![0; 8];
    schunk.get_sparse(&[150_000, 40_000], &mut got).unwrap();
    assert_eq!(got, [item(150_000), item(40_000)].concat());
    probe.take();
    schunk.get_sparse(&[151_000, 80_000], &mut got).unwrap();
    assert_eq!(got, [item(151_000), item(80_000)].concat());
    let counts = probe.take();
    assert_eq!((counts.opens, counts.reads), (0, 2), "what stands before the blocks is known");
    assert!(counts.read_bytes <= 2 * 16_400, "{}", counts.read_bytes);
    schunk.get_slice(150_000, 150_100, &mut vec![0; 400]).unwrap();
    assert_eq!(probe.take().reads, 1);
}
