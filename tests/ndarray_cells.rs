//! Codecs and filters that know cells, on every store: written, written again in part, reopened, read.

use blosc2::base::params::FilterSlot;
use blosc2::ndarray::{Blueprint, NdArray};
use std::path::PathBuf;

/// Items along a side of the array, of a block, and of a cell.
const SIDE: usize = 40;
const BLOCK: (usize, usize) = (10, 20);
const CELL: u8 = 4;

/// The row that is written once more, in the middle of a block.
const ROW: usize = 3;

fn items() -> Vec<f32> {
    (0..SIDE * SIDE).map(|i| i as f32 / 8.0).collect()
}

/// What becomes of an item.
#[derive(Clone, Copy, PartialEq)]
enum Fidelity {
    /// It is no farther from what it was.
    Within(f32),
    /// It is the mean of its cell.
    Mean,
}

/// What is left of items after ndmean: the mean of each cell, those at the edge of a block cut off.
fn means(items: &[f32]) -> Vec<f32> {
    let cell_of = |i: usize| {
        let (row, column) = (i / SIDE, i % SIDE);
        let cell = |at: usize, block: usize| (at / block, at % block / usize::from(CELL));
        (cell(row, BLOCK.0), cell(column, BLOCK.1))
    };
    let mean = |i: usize| {
        let same = (0..items.len()).filter(|&j| cell_of(j) == cell_of(i));
        let (sum, n) = same.fold((0.0, 0), |(sum, n), j| (sum + items[j], n + 1));
        sum / n as f32
    };
    (0..items.len()).map(mean).collect()
}

/// Stores: contiguous or not, in memory or on disk.
fn stores(name: &str) -> impl Iterator<Item = (bool, Option<PathBuf>)> {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = path.join(format!("cells-{}-{}", name.replace(' ', "-"), std::process::id()));
    [(false, false), (true, false), (false, true), (true, true)].into_iter().map(
        move |(contiguous, on_disk)| {
            let _ = std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path));
            (contiguous, on_disk.then(|| path.clone()))
        },
    )
}

fn round(name: &str, codec: (u8, u8), filter: FilterSlot, fidelity: Fidelity) {
    let mut first: Option<Vec<f32>> = None;
    for (contiguous, path) in stores(name) {
        let (bs0, bs1) = (BLOCK.0 as i32, BLOCK.1 as i32);
        let mut blueprint = Blueprint::new(4, &[SIDE as i64; 2], &[20, 20], &[bs0, bs1]);
        let cparams = &mut blueprint.storage.cparams;
        (cparams.codec, cparams.codec_meta) = codec;
        cparams.filters = Default::default();
        cparams.filters[0] = filter;
        (blueprint.storage.contiguous, blueprint.storage.urlpath) = (contiguous, path.clone());
        let mut array = NdArray::zeros(&blueprint).unwrap();
        let (start, stop) = ([ROW as i64, 0], [ROW as i64 + 1, SIDE as i64]);
        array.set(&[0, 0], &[SIDE as i64; 2], &items()).unwrap();
        array.set(&start, &stop, &[0.0f32; SIDE]).unwrap();
        if let Some(path) = &path {
            array = NdArray::open(path).unwrap();
        }
        let all = array.get::<f32>(&[0, 0], &[SIDE as i64; 2]).unwrap();
        let (mut want, within) = match fidelity {
            Fidelity::Within(within) => (items(), within),
            Fidelity::Mean => (means(&items()), 1e-3),
        };
        want[ROW * SIDE..(ROW + 1) * SIDE].fill(0.0);
        if fidelity == Fidelity::Mean {
            want = means(&want);
        }
        for (i, (got, want)) in all.iter().zip(&want).enumerate() {
            assert!((got - want).abs() <= within, "{name}: item {i} is {got}, not {want}");
        }
        let alone = array.get::<f32>(&[17, 23], &[18, 24]).unwrap();
        assert!((alone[0] - all[17 * SIDE + 23]).abs() <= within, "{name}: one item");
        assert_eq!(*first.get_or_insert_with(|| all.clone()), all, "{name}: the same on every store");
        if let Some(path) = path {
            drop(array);
            std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path)).unwrap();
        }
    }
}

#[test]
fn ndlz_loses_nothing() {
    let bytes: Vec<u8> = (0..SIDE * SIDE).map(|i| (i / 300 + i % SIDE / 10) as u8).collect();
    for (contiguous, path) in stores("ndlz") {
        let mut blueprint = Blueprint::new(1, &[SIDE as i64; 2], &[20, 20], &[10, 20]);
        (blueprint.storage.cparams.codec, blueprint.storage.cparams.codec_meta) = (32, 4);
        blueprint.storage.cparams.filters = Default::default();
        (blueprint.storage.contiguous, blueprint.storage.urlpath) = (contiguous, path.clone());
        let mut array = NdArray::from_buffer(&blueprint, &bytes).unwrap();
        array.set(&[3, 0], &[4, SIDE as i64], &[9u8; SIDE]).unwrap();
        if let Some(path) = &path {
            array = NdArray::open(path).unwrap();
        }
        let mut want = bytes.clone();
        want[3 * SIDE..4 * SIDE].fill(9);
        assert!(array.schunk().cbytes() < (SIDE * SIDE) as i64);
        assert_eq!(array.get::<u8>(&[0, 0], &[SIDE as i64; 2]).unwrap(), want);
        if let Some(path) = path {
            drop(array);
            std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path)).unwrap();
        }
    }
}

#[test]
fn cells_are_put_back() {
    round("ndcell", (1, 0), FilterSlot { id: 32, meta: CELL }, Fidelity::Within(0.0));
}

#[test]
fn means_are_those_of_the_cells() {
    round("ndmean", (1, 0), FilterSlot { id: 33, meta: CELL }, Fidelity::Mean);
}

#[test]
#[cfg(feature = "zfp")]
fn zfp_keeps_to_its_accuracy() {
    for power in [-4i8, -2, 0] {
        // The block of the row goes through it twice.
        round(
            "accuracy",
            (33, power as u8),
            FilterSlot::default(),
            Fidelity::Within(2.0 * 10f32.powi(power.into())),
        );
    }
}

#[test]
#[cfg(feature = "zfp")]
fn zfp_keeps_to_its_precision() {
    // Bits of the largest item of a cell: below 256 here, so that 16 of them leave 2 to the power of -8.
    for bits in [12u8, 16, 20] {
        let within = 2.0 * 2f32.powi(8 - i32::from(bits));
        round("precision", (34, bits), FilterSlot::default(), Fidelity::Within(within));
    }
}

#[test]
#[cfg(feature = "zfp")]
fn zfp_keeps_to_its_rate() {
    round("rate", (35, 50), FilterSlot::default(), Fidelity::Within(2.0));
}
