//! The story that is told in every language here: write an array to a file, with two metalayers; open it again; cut a slice;
//! check it. `cargo run --example story`

use blosc2::ndarray::Dtype;
use blosc2::{Blueprint, CParams, NdArray, Storage};
use std::path::Path;

/// Zstandard, by its number in the format.
const ZSTD: u8 = 5;

fn main() -> blosc2::Result<()> {
    let path = std::env::temp_dir().join(format!("story-rust-{}.b2nd", std::process::id()));
    let told = write(&path).and_then(|()| read(&path));
    // What is left behind in a folder for temporary files does no harm.
    let _ = std::fs::remove_file(&path);
    told
}

fn write(path: &Path) -> blosc2::Result<()> {
    let items: Vec<f64> = (0..300).flat_map(|i| (0..200).map(move |j| f64::from(1000 * i + j))).collect();
    let mut blueprint = Blueprint::new(8, &[300, 200], &[100, 100], &[20, 50]);
    let cparams = CParams { codec: ZSTD, ..CParams::of_items(8) };
    blueprint.storage =
        Storage { contiguous: true, urlpath: Some(path.into()), cparams, ..Storage::default() };
    blueprint.dtype = Some(Dtype::new("<f8", 0)?);
    blueprint.metalayers = vec![(b"level".to_vec(), vec![42])];

    let mut array = NdArray::zeros(&blueprint)?;
    array.set(&[0, 0], &[300, 200], &items)?;
    array.schunk_mut().vlmeta_add("note", b"written by Rust", None)?;
    Ok(())
}

fn read(path: &Path) -> blosc2::Result<()> {
    let array = NdArray::open(path)?;
    let note = array.schunk().vlmeta_get("note")?;
    assert_eq!(array.schunk().meta_get("level")?[..], [42]);
    assert_eq!(note[..], *b"written by Rust");

    let slice = array.get::<f64>(&[99, 98], &[102, 103])?;
    let expected = (99..102).flat_map(|i| (98..103).map(move |j| f64::from(1000 * i + j)));
    assert!(slice.into_iter().eq(expected));
    let (nbytes, cbytes) = (array.schunk().nbytes(), array.schunk().cbytes());
    println!(
        "ok story.rs: {:?}, {:?}, {nbytes} bytes in {cbytes}",
        array.shape(),
        String::from_utf8_lossy(&note)
    );
    Ok(())
}
