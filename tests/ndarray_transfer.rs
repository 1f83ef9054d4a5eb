//! Items from array to array, against the reference library: slices, copies, concatenation, files of several arrays,
//! and several handles on one.

mod common;

use blosc2::base::CBuf;
use blosc2::base::params::CParams;
use blosc2::ndarray::{Blueprint, NdArray, meta};
use blosc2::schunk::{Storage, SuperChunk};
use common::Rng;
use common::b2nd::{B2nd, Spec};
use std::path::PathBuf;

fn blueprint(spec: &Spec) -> Blueprint {
    let cparams =
        CParams { codec: spec.cparams.compcode, typesize: spec.cparams.typesize, ..CParams::default() };
    Blueprint {
        storage: Storage {
            contiguous: spec.contiguous,
            urlpath: spec.urlpath.as_ref().map(Into::into),
            cparams,
            ..Storage::default()
        },
        shape: spec.shape.clone(),
        chunkshape: spec.chunkshape.clone(),
        blockshape: spec.blockshape.clone(),
        dtype: None,
        metalayers: spec.metalayers.iter().map(|(n, c)| (n.clone().into_bytes(), c.clone())).collect(),
    }
}

fn random_spec(rng: &mut Rng, shape: &[i64], typesize: i32) -> Spec {
    let chunk: Vec<i32> = shape.iter().map(|&n| 1 + rng.below(n as usize + 2) as i32).collect();
    let block: Vec<i32> = chunk.iter().map(|&c| 1 + rng.below(c as usize) as i32).collect();
    let mut spec = Spec::new(shape, &chunk, &block, typesize);
    spec.cparams.compcode = [0, 1, 5][rng.below(3)];
    spec.contiguous = rng.below(2) == 0;
    spec
}

fn to_vec(array: &NdArray) -> Vec<u8> {
    let mut out = vec![0xaa; array.layout().nbytes() as usize];
    array.to_buffer(&mut out).unwrap();
    out
}

fn nbytes(shape: &[i64], typesize: i32) -> usize {
    shape.iter().product::<i64>() as usize * typesize as usize
}

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("blosc2-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn slices_and_copies_are_alike() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(8);
    for _ in 0..80 {
        let ndim = rng.below(5);
        let shape: Vec<i64> = (0..ndim).map(|_| 1 + rng.below([1, 90, 20, 9, 6][ndim]) as i64).collect();
        let typesize = [1, 3, 8][rng.below(3)];
        let mut spec = random_spec(&mut rng, &shape, typesize);
        spec.metalayers = vec![("extra".into(), vec![7; 5])];
        let data = rng.bytes(nbytes(&shape, typesize));
        let theirs = b2nd.from_cbuffer(&spec, &data).unwrap();
        let mut ours = NdArray::from_buffer(&blueprint(&spec), &data).unwrap();
        ours.schunk_mut().vlmeta_add("long", b"variable length", None).unwrap();

        // With other chunks and blocks, or the same.
        let mut target = random_spec(&mut rng, &shape, typesize);
        if rng.below(3) == 0 {
            (target.chunkshape, target.blockshape) = (spec.chunkshape.clone(), spec.blockshape.clone());
        }
        let copy = ours.copy(&blueprint(&target)).unwrap();
        assert_eq!(to_vec(&copy), data);
        assert_eq!(copy.layout().chunkshape(), target.chunkshape);
        assert_eq!(&*copy.schunk().meta_get("extra").unwrap(), [7; 5]);
        assert_eq!(&*copy.schunk().vlmeta_get("long").unwrap(), b"variable length");
        assert_eq!(b2nd.copy(&target, &theirs).unwrap().to_cbuffer(data.len()).unwrap(), data);

        let stop: Vec<i64> = shape.iter().map(|&n| rng.below(n as usize + 1) as i64).collect();
        let start: Vec<i64> = stop.iter().map(|&n| rng.below(n as usize + 1) as i64).collect();
        let slice = ours.slice(&start, &stop, &blueprint(&target)).unwrap();
        let reference = b2nd.slice(&target, &theirs, &start, &stop).unwrap();
        assert_eq!(slice.shape(), reference.shape());
        assert_eq!(to_vec(&slice), reference.to_cbuffer(slice.layout().nbytes() as usize).unwrap());
        let back = b2nd.from_cframe(&slice.to_cframe().unwrap()).unwrap();
        assert_eq!(back.shape(), slice.shape());
    }
}

#[test]
fn concatenations_are_alike() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(9);
    for round in 0..60 {
        let ndim = 1 + rng.below(3);
        let axis = rng.below(ndim);
        let mut shape: Vec<i64> = (0..ndim).map(|_| 1 + rng.below(12) as i64).collect();
        let typesize = [1, 4][rng.below(2)];
        let mut first = random_spec(&mut rng, &shape, typesize);
        if round % 2 == 0 {
            // No chunk is cut: chunks can be taken over.
            shape[axis] = i64::from(first.chunkshape[axis]) * (1 + rng.below(2) as i64);
            first.shape.clone_from(&shape);
        }
        shape[axis] = 1 + rng.below(12) as i64;
        let mut second = random_spec(&mut rng, &shape, typesize);
        if round % 2 == 0 {
            (second.chunkshape, second.blockshape) = (first.chunkshape.clone(), first.blockshape.clone());
        }
        let a = rng.bytes(nbytes(&first.shape, typesize));
        let b = rng.bytes(nbytes(&second.shape, typesize));
        let theirs = [b2nd.from_cbuffer(&first, &a).unwrap(), b2nd.from_cbuffer(&second, &b).unwrap()];
        let joined = b2nd.concatenate(&first, &theirs[0], &theirs[1], axis as i8).unwrap();
        let mut ours = NdArray::from_buffer(&blueprint(&first), &a).unwrap();
        ours.extend(axis, &NdArray::from_buffer(&blueprint(&second), &b).unwrap()).unwrap();
        assert_eq!(ours.shape(), joined.shape());
        assert_eq!(to_vec(&ours), joined.to_cbuffer(a.len() + b.len()).unwrap());
    }
}

#[test]
fn arrays_that_do_not_fit_together_are_refused() {
    let make = |shape: &[i64], typesize| {
        let ones = vec![1; shape.len()];
        NdArray::zeros(&blueprint(&Spec::new(shape, &ones, &ones, typesize))).unwrap()
    };
    let mut array = make(&[2, 3], 4);
    for (axis, other) in [(2, &[2, 3][..]), (0, &[2, 4]), (1, &[3, 3]), (0, &[2]), (0, &[2, 3, 1])] {
        assert_eq!(array.extend(axis, &make(other, 4)).unwrap_err().code(), -12, "{axis} {other:?}");
    }
    assert_eq!(array.extend(0, &make(&[2, 3], 8)).unwrap_err().code(), -12);
    assert_eq!(make(&[], 4).extend(0, &make(&[], 4)).unwrap_err().code(), -12);
    assert_eq!(array.shape(), [2, 3]);
}

#[test]
fn a_file_holds_several_arrays() {
    let Some(b2nd) = B2nd::load() else { return };
    let folder = Folder::new("ndarray-files");
    let path = folder.file("several.b2nd");
    let (one, two) = (Spec::new(&[30], &[7], &[3], 2), Spec::new(&[4, 5], &[2, 2], &[1, 2], 1));
    let (a, b): (Vec<u8>, Vec<u8>) = ((0..60).collect(), (0..20).collect());
    NdArray::from_buffer(&blueprint(&one), &a).unwrap().save(&path).unwrap();
    let mut second = NdArray::from_buffer(&blueprint(&two), &b).unwrap();
    let at = second.save_append(&path).unwrap();
    assert_eq!(to_vec(&NdArray::open(&path).unwrap()), a);
    assert_eq!(to_vec(&NdArray::open_offset(&path, at).unwrap()), b);
    let theirs = b2nd.open_offset(&path, at as i64).unwrap();
    assert_eq!((theirs.shape(), theirs.to_cbuffer(20).unwrap()), (vec![4, 5], b.clone()));
    // And one that the reference appended.
    let at = b2nd.from_cbuffer(&two, &b).unwrap().save_append(&path).unwrap();
    assert_eq!(to_vec(&NdArray::open_offset(&path, at as u64).unwrap()), b);
    let save = second.save(&path);
    assert!(save.is_err(), "nothing is overwritten");
}

#[test]
fn other_handles_see_growth() {
    let folder = Folder::new("ndarray-growth");
    for contiguous in [true, false] {
        let mut spec = Spec::new(&[6, 4], &[4, 3], &[2, 2], 1);
        spec.contiguous = contiguous;
        let path = folder.file(&format!("growing-{contiguous}"));
        spec.urlpath = Some(path.clone());
        let mut writer = NdArray::from_buffer(&blueprint(&spec), &[1; 24]).unwrap();
        let mut reader = NdArray::open(&path).unwrap();
        writer.append(&[2; 12], 0).unwrap();
        // A plain read sees it, and so does a refresh.
        let mut rows = [9; 16];
        reader.get_slice(&[5, 0], &[9, 4], &mut rows, &[4, 4]).unwrap();
        assert_eq!(rows, [[1; 4], [2; 4], [2; 4], [2; 4]].concat()[..]);
        assert_eq!(reader.shape(), [6, 4]);
        assert!(reader.refresh().unwrap());
        assert_eq!(reader.shape(), [9, 4]);
        assert!(!reader.refresh().unwrap());
        writer.resize(&[3, 4], None).unwrap();
        assert!(reader.refresh().unwrap());
        assert_eq!(to_vec(&reader), [1; 12]);
        // A handle that is behind writes where the array is now.
        writer.resize(&[5, 4], None).unwrap();
        reader.set_slice(&[7; 4], &[1, 4], &[4, 0], &[5, 4]).unwrap();
        assert_eq!(to_vec(&writer)[16..], [7; 4]);
    }
}

#[test]
fn caterva_frames_are_arrays() {
    let Some(b2nd) = B2nd::load() else { return };
    let spec = Spec::new(&[5, 6], &[3, 4], &[2, 2], 2);
    let data: Vec<u8> = (0..60).collect();
    let array = NdArray::from_buffer(&blueprint(&spec), &data).unwrap();
    // The same super-chunk with the metalayer of old, as Caterva wrote it.
    let bytes = array.schunk().meta_get(meta::NAME).unwrap();
    let len = bytes.len() - 6 - array.dtype().unwrap().text().len();
    let mut caterva = bytes[..len].to_vec();
    caterva[0] = 0x95;
    let cparams = CParams { typesize: 2, blocksize: 8, ..CParams::default() };
    let mut schunk = SuperChunk::new(Storage { contiguous: true, cparams, ..Storage::default() }).unwrap();
    schunk.meta_add(meta::CATERVA_NAME, &caterva).unwrap();
    for n in 0..array.schunk().nchunks() {
        schunk.append_chunk(CBuf::copy_of(&array.schunk().chunk(n).unwrap()).unwrap()).unwrap();
    }
    let frame = schunk.to_cframe().unwrap();
    let old = NdArray::from_cframe(CBuf::copy_of(&frame).unwrap()).unwrap();
    assert_eq!((old.shape(), old.dtype(), to_vec(&old)), (&[5, 6][..], None, data.clone()));
    let theirs = b2nd.from_cframe(&frame).unwrap();
    assert_eq!((theirs.shape(), theirs.dtype(), theirs.to_cbuffer(60).unwrap()), (vec![5, 6], None, data));
    // No metalayer at all.
    let plain = SuperChunk::new(Storage::default()).unwrap();
    assert_eq!(NdArray::from_schunk(plain).unwrap_err().code(), -34);
}
