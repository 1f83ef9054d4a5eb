//! The C library's Python package opens arrays that were changed here.

use blosc2::ndarray::{Blueprint, Dtype, NdArray};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Opens every array of the arguments, and compares it with the raw items beside it.
const SCRIPT: &str = "
import sys, blosc2, numpy as np
for path in sys.argv[1:]:
    array = blosc2.open(path, mode='r')
    want = np.fromfile(path + '.raw', dtype=array.dtype).reshape(array.shape)
    np.testing.assert_array_equal(array[...], want)
    inner = tuple(slice(n // 3, n - n // 4) for n in array.shape)
    np.testing.assert_array_equal(array[inner], want[inner])
print('read', len(sys.argv) - 1)
";

/// The Python that has the package whose library `BLOSC2_REFERENCE` is.
fn python() -> Option<PathBuf> {
    let library = PathBuf::from(std::env::var_os("BLOSC2_REFERENCE")?);
    library.ancestors().map(|folder| folder.join("bin/python")).find(|python| python.exists())
}

fn items(n: usize, first: i32) -> Vec<u8> {
    (0..n as i32).flat_map(|i| (first + i).to_le_bytes()).collect()
}

/// Makes an array, and everything that changes its shape happens to it.
fn changed(path: &Path, contiguous: bool, shape: &[i64], chunks: &[i32], blocks: &[i32]) {
    let mut blueprint = Blueprint::new(4, shape, chunks, blocks);
    blueprint.dtype = Some(Dtype::new("<i4", 0).unwrap());
    (blueprint.storage.contiguous, blueprint.storage.urlpath) = (contiguous, Some(path.into()));
    let nitems = shape.iter().product::<i64>() as usize;
    let mut array = NdArray::from_buffer(&blueprint, &items(nitems, 0)).unwrap();
    let row = nitems / shape[0] as usize;
    let chunk = chunks[0] as usize;
    array.append(&items(row, -1000), 0).unwrap();
    array.resize(&[&[4 * i64::from(chunks[0])], &shape[1..]].concat(), None).unwrap();
    array.insert(&items(chunk * row, 5000), 0, i64::from(chunks[0])).unwrap();
    array.delete(0, 0, i64::from(chunks[0])).unwrap();
    let last = shape.len() - 1;
    let column = array.shape().iter().product::<i64>() / array.shape()[last] * i64::from(chunks[last]);
    array.append(&items(column as usize, 9000), last).unwrap();
    let stop: Vec<i64> = array.shape().iter().map(|n| n - n / 2).collect();
    let few = stop.iter().product::<i64>() as usize;
    array.set_slice(&items(few, 70_000), &stop, &vec![0; stop.len()], &stop).unwrap();
    let mut all = vec![0; array.shape().iter().product::<i64>() as usize * 4];
    array.to_buffer(&mut all).unwrap();
    std::fs::write(raw(path), all).unwrap();
}

fn raw(path: &Path) -> PathBuf {
    let mut raw = path.as_os_str().to_owned();
    raw.push(".raw");
    raw.into()
}

#[test]
fn the_python_package_opens_arrays_that_were_changed() {
    let Some(python) = python() else {
        eprintln!("SKIPPED: there is no bin/python above BLOSC2_REFERENCE");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("wheel-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut paths = Vec::new();
    for contiguous in [true, false] {
        let path = |name: &str| folder.join(format!("{name}-{contiguous}.b2nd"));
        changed(&path("one"), contiguous, &[100], &[30], &[7]);
        changed(&path("two"), contiguous, &[20, 30], &[10, 10], &[5, 4]);
        changed(&path("three"), contiguous, &[9, 8, 7], &[4, 5, 3], &[2, 2, 3]);
        paths.extend(["one", "two", "three"].map(path));
    }
    let read = Command::new(python).arg("-c").arg(SCRIPT).args(&paths).output().unwrap();
    let said = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success(), "{said}");
    assert_eq!(String::from_utf8_lossy(&read.stdout).trim(), format!("read {}", paths.len()), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}
