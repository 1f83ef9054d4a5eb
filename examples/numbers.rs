//! Chunks, super-chunks and arrays of numbers from Rust: `cargo run --example numbers`.

use blosc2::{Blueprint, CParams, Context, DParams, NdArray, Storage, SuperChunk};

/// Zstandard, by its number in the format.
const ZSTD: u8 = 5;

fn main() -> blosc2::Result<()> {
    chunk()?;
    super_chunk()?;
    array()
}

/// One chunk: all of it at once, or some items.
fn chunk() -> blosc2::Result<()> {
    let numbers: Vec<f32> = (0..1_000_000).map(|i| (i / 10) as f32).collect();
    let cparams = CParams { codec: ZSTD, nthreads: 4, ..CParams::of_items(4) };
    let context = Context::new(cparams, DParams { nthreads: 4, ..DParams::default() });

    let chunk = context.compress_items(&numbers)?;
    println!("{} bytes became a chunk of {}", 4 * numbers.len(), chunk.len());
    println!("items 499998 to 500001: {:?}", context.get_items::<f32>(&chunk, 499_998..500_002)?);
    assert_eq!(context.decompress_items::<f32>(&chunk)?, numbers);
    Ok(())
}

/// Many chunks in a file, with a note beside them.
fn super_chunk() -> blosc2::Result<()> {
    let path = std::env::temp_dir().join(format!("numbers-{}.b2frame", std::process::id()));
    let cparams = CParams::of_items(8);
    let storage = Storage { contiguous: true, urlpath: Some(path.clone()), cparams, ..Storage::default() };

    let mut schunk = SuperChunk::new(storage)?;
    for n in 0..10i64 {
        schunk.append(&(10_000 * n..10_000 * (n + 1)).collect::<Vec<_>>())?;
    }
    schunk.vlmeta_add("unit", b"steps", None)?;

    let mut opened = SuperChunk::open(&path, 0, Storage::default().io)?;
    opened.set(19_999, &[-1i64, -2])?;
    println!("{} chunks; across two: {:?}", opened.nchunks(), opened.get::<i64>(19_998, 20_002)?);
    println!("the unit: {}", String::from_utf8_lossy(&opened.vlmeta_get("unit")?));
    drop((schunk, opened));
    // What is left behind in a folder for temporary files does no harm.
    let _ = std::fs::remove_file(path);
    Ok(())
}

/// An array of three dimensions that grows.
fn array() -> blosc2::Result<()> {
    let mut array = NdArray::zeros(&Blueprint::new(2, &[4, 100, 100], &[2, 50, 100], &[1, 10, 100]))?;
    array.set(&[1, 49, 98], &[3, 51, 100], &[1i16, 2, 3, 4, 5, 6, 7, 8])?;
    println!("a corner: {:?}", array.get::<i16>(&[1, 49, 97], &[2, 51, 100])?);

    array.resize(&[6, 100, 100], None)?;
    println!("{:?} items in {} bytes", array.shape(), array.schunk().cbytes());
    Ok(())
}
