//! The C library's Python package, where it is at hand: its files are read, ours are read by it.

use crate::run::{Dir, arg, b2};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes files of every kind.
const WRITE: &str = "
import sys, os, blosc2, numpy as np
os.chdir(sys.argv[1])
rng = np.random.default_rng(1)
dt = np.dtype([('id', '<i4'), ('pos', '<f8', (2,)), ('name', 'S6')])
table = np.zeros(10, dt); table['id'] = range(10); table['pos'] = rng.normal(size=(10, 2)); table['name'] = b'ab'
arrays = {
    'cube': np.arange(60, dtype='<i4').reshape(3, 4, 5),
    'columns': np.asfortranarray(np.arange(60, dtype='>i2').reshape(3, 4, 5)),
    'table': table,
    'aligned': np.zeros(4, np.dtype([('a', '<i4'), ('b', '<f8')], align=True)),
    'nothing': np.array(7.5),
    'empty': np.zeros((3, 0), 'f4'),
    'times': np.array(['2024-02-29', 'NaT'], 'M8[ns]'),
    'words': np.array(['h\\xe9\\xe9', 'x'], 'U5'),
    'half': np.array([1.5, -0.1, np.inf], 'f2'),
}
for name, array in arrays.items():
    np.save(name + '.npy', array)
    blosc2.asarray(array, urlpath=name + '.b2nd', mode='w', contiguous=name != 'cube')
s = blosc2.SChunk(chunksize=4000, urlpath='chunks.b2frame', mode='w', contiguous=True, cparams={'typesize': 4})
for i in range(5):
    s.append_data(np.full(1000, i, 'i4') if i % 2 else rng.integers(0, 9, 1000).astype('i4'))
s.vlmeta['who'] = {'name': 'x', 'n': [1, 2.5, None]}
s.delete_chunk(2)
";

/// Compares every array with the one it was made of.
const READ: &str = "
import sys, os, glob, blosc2, numpy as np
os.chdir(sys.argv[1])
for path in sorted(glob.glob('*.npy')):
    if path.startswith('back-'): continue
    name = path[:-4]
    want = np.load(path)
    packed = blosc2.open('ours-' + name + '.b2nd', mode='r')
    assert packed.dtype == want.dtype, (name, packed.dtype, want.dtype)
    assert packed.shape == want.shape, name
    if want.size: np.testing.assert_array_equal(packed[...], want)
    for back in ('back-ours-' + name + '.npy', 'back-' + name + '.npy'):
        got = np.load(back)
        assert (got.dtype.itemsize, got.shape) == (want.dtype.itemsize, want.shape), back
        # Padding may have a name of its own.
        for field in want.dtype.names or [...]:
            np.testing.assert_array_equal(got[field], want[field])
s = blosc2.open('chunks.b2frame', mode='r')
assert s.vlmeta['ours'] == {'list': [1, 'two']}, s.vlmeta['ours']
print('compared')
";

fn python() -> Option<PathBuf> {
    let Some(library) = std::env::var_os("BLOSC2_REFERENCE").map(PathBuf::from) else {
        eprintln!("SKIPPED: BLOSC2_REFERENCE does not name the C library's libblosc2.so");
        return None;
    };
    let found = library.ancestors().map(|folder| folder.join("bin/python")).find(|python| python.exists());
    if found.is_none() {
        eprintln!("SKIPPED: no Python has the library of BLOSC2_REFERENCE");
    }
    found
}

fn run(python: &Path, script: &str, dir: &Dir) {
    let ran = Command::new(python).args(["-c", script, arg(&dir.path(""))]).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn files_go_there_and_back() {
    let Some(python) = python() else { return };
    let dir = Dir::new();
    run(&python, WRITE, &dir);
    let names = ["cube", "columns", "table", "aligned", "nothing", "empty", "times", "words", "half"];
    for name in names {
        let file = |prefix: &str, suffix: &str| dir.path(&format!("{prefix}{name}{suffix}"));
        let (ours, theirs) = (file("ours-", ".b2nd"), file("", ".b2nd"));
        b2(&["pack", arg(&file("", ".npy")), arg(&ours)]).text();
        b2(&["unpack", arg(&ours), arg(&file("back-ours-", ".npy"))]).text();
        b2(&["unpack", arg(&theirs), arg(&file("back-", ".npy"))]).text();
        for path in [&ours, &theirs] {
            b2(&["info", arg(path)]).text();
            b2(&["verify", arg(path)]).text();
            b2(&["chunks", "--map", arg(path)]).text();
        }
    }
    let chunks = dir.path("chunks.b2frame");
    assert_eq!(
        b2(&["meta", arg(&chunks)]).json()["vlmeta"]["who"],
        json!({ "name": "x", "n": [1, 2.5, null] })
    );
    b2(&["meta", arg(&chunks), "ours", "--set", "{\"list\": [1, \"two\"]}"]).text();
    assert!(b2(&["info", "--json", arg(&chunks)]).json()[0]["holes"].as_u64().unwrap() > 0);
    assert_eq!(b2(&["cat", arg(&dir.path("times.b2nd"))]).text(), "2024-02-29T00:00:00.000000000\nNaT\n");
    assert_eq!(b2(&["cat", arg(&dir.path("words.b2nd"))]).text(), "h\u{e9}\u{e9}\nx\n");
    assert_eq!(b2(&["cat", arg(&dir.path("half.b2nd"))]).text(), "1.5\n-0.099975586\ninf\n");
    run(&python, READ, &dir);
}
