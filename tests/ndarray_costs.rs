//! What operations on arrays cost, in bytes read and written, and in blocks compressed.

use blosc2::base::Result;
use blosc2::base::hooks::{Postfilter, Postfiltering, Prefilter, Prefiltering};
use blosc2::base::params::{CParams, DParams, FilterSlot};
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

#[test]
fn zeros_are_read_without_a_look_at_the_disk_and_written_once() {
    let (probe, blueprint) = watched(true);
    let mut array = NdArray::zeros(&blueprint).unwrap();
    let mut all = vec![1; NBYTES];
    array.to_buffer(&mut all).unwrap();
    probe.take();
    array.to_buffer(&mut all).unwrap();
    assert_eq!(all, vec![0; NBYTES]);
    assert!(probe.take().read_bytes < 200);
    array.set_slice(&[7; 1600], &[20, 20], &[0, 0], &[20, 20]).unwrap();
    assert!(probe.take().write_bytes < 3000);
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

#[test]
fn codecs_and_filters_that_know_cells_work_on_every_store() {
    let floats: Vec<u8> = (0..NBYTES / 4).flat_map(|i| (i as f32 / 8.0).to_le_bytes()).collect();
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cells-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let ndlz = (32, 4, 1, FilterSlot::default());
    let zfp_rate = (35, 50, 4, FilterSlot::default());
    let ndcell = (1, 0, 4, FilterSlot { id: 32, meta: 4 });
    for (name, (codec, codec_meta, typesize, filter)) in
        [("ndlz", ndlz), ("zfp", zfp_rate), ("ndcell", ndcell)]
    {
        if name == "zfp" && !cfg!(feature = "zfp") {
            continue;
        }
        let mut seen = Vec::new();
        for (n, (contiguous, on_disk)) in
            [(false, false), (true, false), (false, true), (true, true)].into_iter().enumerate()
        {
            let mut blueprint = blueprint(contiguous);
            blueprint.shape = vec![40, 160 / i64::from(typesize)];
            let mut cparams = CParams { codec, codec_meta, typesize, ..CParams::default() };
            cparams.filters = Default::default();
            cparams.filters[0] = filter;
            blueprint.storage.cparams = cparams;
            blueprint.storage.urlpath = on_disk.then(|| dir.join(format!("{name}{n}")));
            let mut array = NdArray::from_buffer(&blueprint, &floats).unwrap();
            let row = vec![0; 160];
            array.set_slice(&row, &[1, blueprint.shape[1]], &[3, 0], &[4, blueprint.shape[1]]).unwrap();
            if let Some(path) = &blueprint.storage.urlpath {
                drop(array);
                array = NdArray::open(path).unwrap();
            }
            let mut all = vec![0; NBYTES];
            array.to_buffer(&mut all).unwrap();
            let mut want = floats.clone();
            want[3 * 160..4 * 160].fill(0);
            if name == "zfp" {
                let off = all.chunks(4).zip(want.chunks(4)).map(|(a, b)| {
                    let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                    (float(a) - float(b)).abs()
                });
                assert!(off.fold(0.0, f32::max) < 2.0);
            } else {
                assert_eq!(all, want, "{name}");
            }
            seen.push(all);
        }
        assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{name}: the same on every store");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}
