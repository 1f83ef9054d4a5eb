//! What operations on arrays cost, in bytes read and written, and in blocks compressed.

use blosc2::base::Result;
use blosc2::base::hooks::{Postfilter, Postfiltering, Prefilter, Prefiltering};
use blosc2::base::params::{CParams, DParams};
use blosc2::io::probe::Probe;
use blosc2::io::{Backend, Memory};
use blosc2::ndarray::{Blueprint, NdArray};
use blosc2::schunk::Storage;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const NBYTES: usize = 40 * 40 * 4;

/// Adds one to every byte on the way in, and counts.
#[derive(Default)]
struct Up(AtomicUsize);

impl Prefilter for Up {
    fn apply(&self, block: Prefiltering<'_>) -> Result<()> {
        self.0.fetch_add(1, Relaxed);
        block.output.iter_mut().zip(block.input).for_each(|(to, from)| *to = from.wrapping_add(1));
        Ok(())
    }
}

/// Takes it away on the way out.
#[derive(Default)]
struct Down(AtomicUsize);

impl Postfilter for Down {
    fn apply(&self, block: Postfiltering<'_>) -> Result<()> {
        self.0.fetch_add(1, Relaxed);
        block.output.iter_mut().zip(block.input).for_each(|(to, from)| *to = from.wrapping_sub(1));
        Ok(())
    }
}

fn blueprint(contiguous: bool) -> Blueprint {
    Blueprint {
        storage: Storage {
            contiguous,
            cparams: CParams { typesize: 4, clevel: 0, ..CParams::default() },
            ..Storage::default()
        },
        shape: vec![40, 40],
        chunkshape: vec![20, 20],
        blockshape: vec![10, 20],
        ..Blueprint::default()
    }
}

fn items() -> Vec<u8> {
    (0..NBYTES / 4).flat_map(|i| (i as u32).to_le_bytes()).collect()
}

fn watched(contiguous: bool) -> (Probe, Blueprint) {
    let probe = Probe::new(Arc::new(Memory::new()));
    let io: Arc<dyn Backend> = Arc::new(probe.clone());
    let mut blueprint = blueprint(contiguous);
    (blueprint.storage.urlpath, blueprint.storage.io) = (Some("array".into()), io);
    (probe, blueprint)
}

#[test]
fn a_chunk_that_is_wholly_new_is_not_read() {
    for contiguous in [false, true] {
        let (probe, blueprint) = watched(contiguous);
        let mut array = NdArray::from_buffer(&blueprint, &items()).unwrap();
        probe.take();
        array.set_slice(&[7; 1600], &[20, 20], &[20, 0], &[40, 20]).unwrap();
        let whole = probe.take();
        array.set_slice(&[7; 1596], &[20, 20], &[20, 0], &[40, 20]).unwrap_err();
        probe.take();
        array.set_slice(&[7; 4], &[1, 1], &[20, 0], &[21, 1]).unwrap();
        let part = probe.take();
        assert!(whole.read_bytes < 200, "{whole:?}");
        assert!(part.read_bytes >= 800, "{part:?}");
    }
}

#[test]
fn growing_by_whole_chunks_writes_no_data() {
    for contiguous in [false, true] {
        let (probe, blueprint) = watched(contiguous);
        let mut array = NdArray::from_buffer(&blueprint, &items()).unwrap();
        probe.take();
        array.resize(&[400, 40], None).unwrap();
        let counts = probe.take();
        // Where chunks begin, header and trailer.
        assert!(counts.write_bytes < 2000 && counts.read_bytes < 200, "{counts:?}");
        let mut old = vec![0; NBYTES];
        array.get_slice(&[0, 0], &[40, 40], &mut old, &[40, 40]).unwrap();
        assert_eq!(old, items());
    }
}

/// What all items of an array can be.
const UNIFORM: [&str; 4] = ["zeros", "nothing written", "NaN", "one value"];

fn uniform(kind: &str, blueprint: &Blueprint) -> (NdArray, [u8; 4]) {
    let (made, item) = match kind {
        "zeros" => (NdArray::zeros(blueprint), [0; 4]),
        "nothing written" => (NdArray::uninit(blueprint), [0; 4]),
        "NaN" => (NdArray::nans(blueprint), f32::NAN.to_le_bytes()),
        _ => (NdArray::full(blueprint, &[1, 2, 3, 4]), [1, 2, 3, 4]),
    };
    (made.unwrap(), item)
}

#[test]
fn uniform_chunks_are_filled_without_a_look_at_data() {
    for (kind, contiguous) in UNIFORM.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let (probe, blueprint) = watched(contiguous);
        let (array, item) = uniform(kind, &blueprint);
        let mut all = vec![1; NBYTES];
        array.to_buffer(&mut all).unwrap();
        probe.take();
        array.to_buffer(&mut all).unwrap();
        assert_eq!(all, item.repeat(NBYTES / 4), "{kind}");
        // A value stands in the chunk, after its header.
        let most = if kind == "one value" { 4 * 36 + 200 } else { 200 };
        let counts = probe.take();
        assert!(counts.read_bytes < most, "{kind}: {counts:?}");
    }
}

#[test]
fn a_part_of_a_uniform_chunk_is_written_without_reading_the_rest() {
    for (kind, contiguous) in UNIFORM.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
        let (probe, blueprint) = watched(contiguous);
        let (mut array, item) = uniform(kind, &blueprint);
        probe.take();
        // Across all four chunks, and no block of them wholly.
        array.set_slice(&[7; 4 * 24 * 20], &[24, 20], &[8, 15], &[32, 35]).unwrap();
        let counts = probe.take();
        // In a file the last one is looked at when others have been put behind it: how long it is, its header tells.
        let behind = if contiguous { NBYTES as u64 / 4 + 32 } else { 0 };
        assert!(counts.read_bytes < 4 * 36 + 400 + behind, "{kind}: {counts:?}");
        assert!(counts.write_bytes < NBYTES as u64 + 2000, "{kind}: {counts:?}");
        let mut all = vec![1; NBYTES];
        array.to_buffer(&mut all).unwrap();
        for (i, got) in all.chunks_exact(4).enumerate() {
            let inside = (8..32).contains(&(i / 40)) && (15..35).contains(&(i % 40));
            assert_eq!(got, if inside { [7; 4] } else { item }, "{kind}: item {i}");
        }
    }
}

#[test]
fn an_append_compresses_what_is_new() {
    let up = Arc::new(Up::default());
    let mut blueprint = blueprint(false);
    blueprint.storage.cparams.prefilter = Some(up.clone());
    blueprint.storage.dparams = DParams { postfilter: Some(Arc::new(Down::default())), ..DParams::default() };
    let mut array = NdArray::from_buffer(&blueprint, &items()).unwrap();
    assert_eq!(up.0.swap(0, Relaxed), 8);
    // Two chunks of two blocks each, whole.
    array.append(&items()[..20 * 40 * 4], 0).unwrap();
    assert_eq!(up.0.swap(0, Relaxed), 4);
    // The edge of two chunks, and then their other half.
    array.append(&items()[..5 * 40 * 4], 0).unwrap();
    array.append(&items()[..5 * 40 * 4], 0).unwrap();
    assert_eq!(up.0.swap(0, Relaxed), 8);
    let mut all = vec![0; 70 * 40 * 4];
    array.to_buffer(&mut all).unwrap();
    let new = [&items()[..20 * 160], &items()[..5 * 160], &items()[..5 * 160]].concat();
    assert_eq!(all, [items(), new].concat());
}

#[test]
fn filters_of_the_callers_see_every_block_that_is_touched() {
    for contiguous in [false, true] {
        let (up, down) = (Arc::new(Up::default()), Arc::new(Down::default()));
        let mut blueprint = blueprint(contiguous);
        blueprint.storage.cparams.prefilter = Some(up.clone());
        blueprint.storage.dparams = DParams { postfilter: Some(down.clone()), ..DParams::default() };
        let mut array = NdArray::from_buffer(&blueprint, &items()).unwrap();
        let mut slice = [0; 4 * 40];
        array.get_slice(&[5, 0], &[6, 40], &mut slice, &[1, 40]).unwrap();
        assert_eq!(slice, items()[5 * 160..6 * 160]);
        assert_eq!(down.0.swap(0, Relaxed), 2, "one block of each chunk");
        up.0.store(0, Relaxed);
        array.set_slice(&[9; 160], &[1, 40], &[5, 0], &[6, 40]).unwrap();
        assert_eq!(up.0.load(Relaxed), 4, "the chunks are compressed whole");
        array.get_slice(&[5, 0], &[6, 40], &mut slice, &[1, 40]).unwrap();
        assert_eq!(slice, [9; 160]);
    }
}
