//! Thousands of random operations on arrays that have to stay equal: ours from Rust and through the C interface, the
//! reference library's, and a plain row-major one.

#[path = "../common/mod.rs"]
mod common;
mod fleet;
mod plain;

use blosc2::base::CBuf;
use blosc2::ndarray::NdArray;
use common::Rng;
use common::b2nd::B2nd;
use fleet::Fleet;

fn libraries() -> Vec<B2nd> {
    [Some(B2nd::ours()), B2nd::load()].into_iter().flatten().collect()
}

/// A seed in `BLOSC2_SEED` goes on from there.
fn rounds(first: u64, n: u64) -> impl Iterator<Item = u64> {
    let first = std::env::var("BLOSC2_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(first);
    first..first + n
}

fn in_memory(first: u64) {
    let libraries = libraries();
    for seed in rounds(first, 15) {
        eprintln!("seed {seed}");
        let mut rng = Rng::new(seed);
        let mut fleet = Fleet::new(&libraries, &mut rng, None);
        for _ in 0..40 {
            fleet.step(&mut rng);
        }
        // What came of it is read by the others.
        let mut read = vec![0; fleet.plain.bytes.len()];
        let frame = fleet.ours.to_cframe().unwrap();
        for (library, array) in &fleet.others {
            // The C library writes a typesize of 1 into the frame of a list of larger items, and cannot read it either.
            if fleet.plain.itemsize < 256 {
                let theirs = CBuf::copy_of(&array.to_cframe().unwrap()).unwrap();
                NdArray::from_cframe(theirs).unwrap().to_buffer(&mut read).unwrap();
                assert_eq!(read, fleet.plain.bytes);
            }
            let back = library.from_cframe(&frame).unwrap();
            assert_eq!(back.to_cbuffer(read.len()).unwrap(), fleet.plain.bytes);
        }
    }
}

#[test]
fn arrays_stay_equal_in_memory() {
    in_memory(1000);
}

#[test]
fn other_arrays_stay_equal_in_memory() {
    in_memory(2000);
}

#[test]
fn arrays_stay_equal_on_disk() {
    let libraries = libraries();
    let dir = std::env::temp_dir().join(format!("blosc2-ndarray-model-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for seed in rounds(3000, 15) {
        eprintln!("seed {seed}");
        let mut rng = Rng::new(seed);
        let path = dir.join(format!("{seed}")).to_str().unwrap().to_owned();
        let mut fleet = Fleet::new(&libraries, &mut rng, Some(&path));
        for _ in 0..30 {
            fleet.step(&mut rng);
        }
        let Fleet { plain, ours, others, .. } = fleet;
        drop((ours, others));
        let mut read = vec![0; plain.bytes.len()];
        for (n, library) in libraries.iter().enumerate() {
            NdArray::open(format!("{path}-{n}")).unwrap().to_buffer(&mut read).unwrap();
            assert_eq!(read, plain.bytes);
            let back = library.open(&format!("{path}-ours")).unwrap();
            assert_eq!(back.to_cbuffer(read.len()).unwrap(), read);
        }
    }
    std::fs::remove_dir_all(&dir).unwrap();
}
