//! Arrays on disk that several handles change at once, each of them keeping the others out from the start of a change to
//! its end.

use blosc2::base::params::CParams;
use blosc2::io::LockingDisk;
use blosc2::ndarray::{Blueprint, NdArray};
use blosc2::schunk::{Storage, SuperChunk};
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("locks-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn create(path: &Path, contiguous: bool, shape: &[i64]) {
    let blueprint = Blueprint {
        storage: Storage {
            contiguous,
            urlpath: Some(path.to_owned()),
            cparams: CParams { typesize: 4, ..CParams::default() },
            io: Arc::new(LockingDisk),
            ..Storage::default()
        },
        shape: shape.to_vec(),
        chunkshape: vec![5, 8],
        blockshape: vec![5, 8],
        ..Blueprint::default()
    };
    NdArray::zeros(&blueprint).unwrap();
}

fn open(path: &Path) -> NdArray {
    NdArray::from_schunk(SuperChunk::open(path, 0, Arc::new(LockingDisk)).unwrap()).unwrap()
}

#[test]
fn a_slice_over_many_chunks_is_written_and_read_as_one() {
    for contiguous in [true, false] {
        let scratch = Scratch::new(&format!("slices{contiguous}"));
        let path = scratch.0.join("array");
        create(&path, contiguous, &[20, 16]);
        std::thread::scope(|scope| {
            for writer in 1..=2u8 {
                let path = &path;
                scope.spawn(move || {
                    let mut array = open(path);
                    for i in 0..20 {
                        let items = [writer * 100 + i; 20 * 16 * 4];
                        array.set_slice(&items, &[20, 16], &[0, 0], &[20, 16]).unwrap();
                    }
                });
            }
            let path = &path;
            scope.spawn(move || {
                let array = open(path);
                for _ in 0..40 {
                    let mut items = [0; 20 * 16 * 4];
                    array.to_buffer(&mut items).unwrap();
                    assert!(items.iter().all(|item| *item == items[0]), "half of a slice was seen");
                }
            });
        });
    }
}

#[test]
fn rows_appended_by_many_are_all_there() {
    for contiguous in [true, false] {
        let scratch = Scratch::new(&format!("rows{contiguous}"));
        let path = scratch.0.join("array");
        create(&path, contiguous, &[0, 8]);
        std::thread::scope(|scope| {
            for writer in 0..3u8 {
                let path = &path;
                scope.spawn(move || {
                    let mut array = open(path);
                    for i in 0..15 {
                        array.append(&[writer * 50 + i + 1; 8 * 4], 0).unwrap();
                    }
                });
            }
        });
        let array = open(&path);
        assert_eq!(array.shape(), [45, 8]);
        let mut items = vec![0; 45 * 8 * 4];
        array.to_buffer(&mut items).unwrap();
        let mut rows: Vec<u8> = items.chunks(32).map(|row| row[0]).collect();
        assert!(items.chunks(32).all(|row| row.iter().all(|item| *item == row[0])));
        rows.sort();
        let want: Vec<u8> = (0..3).flat_map(|writer| (1..=15).map(move |i| writer * 50 + i)).collect();
        assert_eq!(rows, want);
    }
}

#[test]
fn an_array_extends_itself_through_another_handle() {
    let scratch = Scratch::new("itself");
    let path = scratch.0.join("array");
    create(&path, true, &[5, 8]);
    let (mut one, two) = (open(&path), open(&path));
    one.set_slice(&[3; 160], &[5, 8], &[0, 0], &[5, 8]).unwrap();
    one.extend(0, &two).unwrap();
    assert_eq!(one.shape(), [10, 8]);
    let mut items = vec![0; 320];
    two.to_buffer(&mut items).unwrap();
    assert_eq!(items, [3; 320]);
}
