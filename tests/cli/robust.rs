//! No command panics, whatever it is pointed at.

use crate::common::Rng;
use crate::run::{Dir, arg, b2};
use blosc2::ndarray::Dtype;
use blosc2::{Blueprint, CParams, NdArray, Storage, SuperChunk};
use std::path::Path;

/// Runs every command that reads a frame.
fn everything(path: &Path, out: &Path, seen: &mut [usize; 3]) {
    let (path, out) = (arg(path), arg(out));
    for args in [
        &["info", path][..],
        &["info", "--json", path],
        &["meta", path],
        &["chunks", "--map", path],
        &["chunks", "--json", path],
        &["cat", path, "--slice", "::-1"],
        &["cat", path, "--json"],
        &["unpack", "--force", path, out],
        &["convert", "--force", path, out],
        &["convert", "--force", "--codec", "lz4", path, out],
        &["verify", path],
        &["recover", "--force", path, out],
        &["pack", "--force", path, out],
        &["bench", path, "--time", "0", "--codec", "lz4", "--clevel", "1"],
    ] {
        let ran = b2(args);
        assert!(
            (0..=2).contains(&ran.code) && !ran.err.contains("panicked"),
            "{args:?}: {} {}",
            ran.code,
            ran.err
        );
        seen[ran.code as usize] += 1;
        let _ = std::fs::remove_file(out);
        let _ = std::fs::remove_dir_all(out);
    }
}

fn small_array(path: &Path) -> Vec<u8> {
    let mut blueprint = Blueprint::new(4, &[5, 6], &[3, 4], &[2, 2]);
    blueprint.dtype = Some(Dtype::new("[('a', '<i2'), ('b', '<u2')]", 0).unwrap());
    blueprint.storage.contiguous = true;
    blueprint.storage.checksums = false;
    blueprint.storage.urlpath = Some(path.into());
    let items: Vec<u8> = (0..120).collect();
    let mut array = NdArray::from_buffer(&blueprint, &items).unwrap();
    array.schunk_mut().vlmeta_add("notes", b"\x93\x01\x02\x03", None).unwrap();
    drop(array);
    std::fs::read(path).unwrap()
}

fn small_chunks(path: &Path) -> Vec<u8> {
    let cparams = CParams { codec: 1, ..CParams::of_items(2) };
    let storage = Storage { contiguous: true, urlpath: Some(path.into()), cparams, ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    for n in 0..4u16 {
        schunk.append(&(0..64).map(|i| i / 7 * n).collect::<Vec<u16>>()).unwrap();
    }
    schunk.delete_chunk(1).unwrap();
    drop(schunk);
    std::fs::read(path).unwrap()
}

#[test]
fn mutated_frames() {
    let dir = Dir::new();
    let (path, out) = (dir.path("mutated"), dir.path("out"));
    let mut rng = Rng::new(11);
    let mut seen = [0; 3];
    for sound in [small_array(&dir.path("a")), small_chunks(&dir.path("b"))] {
        for n in 0..14 {
            let mut bytes = sound.clone();
            for _ in 0..=rng.below(3) {
                // Half of the time in the header, where most is said.
                let within = if n % 2 == 0 { bytes.len().min(180) } else { bytes.len() };
                let at = rng.below(within);
                bytes[at] = rng.next() as u8;
            }
            if n % 5 == 4 {
                bytes.truncate(rng.below(bytes.len()));
            }
            std::fs::write(&path, bytes).unwrap();
            everything(&path, &out, &mut seen);
        }
    }
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}

#[test]
fn things_that_are_no_frames() {
    let dir = Dir::new();
    let out = dir.path("out");
    let mut seen = [0; 3];
    let mut files: Vec<Vec<u8>> =
        vec![Vec::new(), b"text".to_vec(), vec![0; 5000], b"\x9e\xa8b2frame\0".to_vec()];
    files.push(b"\x93NUMPY\x01\x00\xff\xff{".to_vec());
    files.push([b"\x93NUMPY\x02\x00\xff\xff\xff\xff".as_slice(), &[b'['; 4000]].concat());
    files.push([b"\x93NUMPY\x01\x00\xa0\x0f".as_slice(), &[b'['; 4000]].concat());
    let huge = b"{'descr': '<f8', 'fortran_order': True, 'shape': (99999999999, 99999999999), }";
    files.push([b"\x93NUMPY\x01\x00", &[huge.len() as u8, 0][..], huge].concat());
    for bytes in files {
        let path = dir.path("file");
        std::fs::write(&path, bytes).unwrap();
        everything(&path, &out, &mut seen);
    }
    std::fs::create_dir(dir.path("directory")).unwrap();
    everything(&dir.path("directory"), &out, &mut seen);
    everything(&dir.path("nothing"), &out, &mut seen);
    everything(Path::new("/dev/null"), &out, &mut seen);
    assert!(seen[1] > 60, "{seen:?}");
}

#[test]
fn arrays_that_say_nonsense_of_themselves() {
    let dir = Dir::new();
    let out = dir.path("out");
    let mut seen = [0; 3];
    for (n, dtype) in
        [&b"\xff\xfe"[..], b"<i8", b"|O", b"", &[b'('; 9000], b"[('a\n\x1b[31m', '<i4')]", b"<M8[s]"]
            .into_iter()
            .enumerate()
    {
        let path = dir.path(&format!("{n}.b2nd"));
        let mut blueprint = Blueprint::new(4, &[5], &[3], &[2]);
        blueprint.dtype = Some(Dtype::new(dtype, 0).unwrap());
        blueprint.storage.contiguous = true;
        blueprint.storage.urlpath = Some(path.clone());
        drop(NdArray::from_buffer(&blueprint, &[1; 20]).unwrap());
        everything(&path, &out, &mut seen);
        // Nobody's terminal is moved.
        assert!(!b2(&["info", arg(&path)]).shown().contains('\x1b'));
        // Bytes are there whatever they are said to be.
        assert_eq!(b2(&["cat", arg(&path), "--format", "raw"]).out, [1; 20]);
    }
    assert!(seen[0] > 20, "{seen:?}");
}
