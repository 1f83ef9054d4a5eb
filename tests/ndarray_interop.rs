//! Arrays against the reference library, both ways: in memory and on disk, every way to make one, slices in and out.

mod common;

use blosc2::base::CBuf;
use blosc2::base::params::{CParams, FilterSlot, SplitMode};
use blosc2::ndarray::{Blueprint, Dtype, NdArray};
use blosc2::schunk::Storage;
use common::Rng;
use common::b2nd::{B2nd, RefArray, Spec};

/// The same array for either library.
fn blueprint(spec: &Spec) -> Blueprint {
    let c = &spec.cparams;
    let mut cparams = CParams {
        codec: c.compcode,
        codec_meta: c.compcode_meta,
        clevel: c.clevel,
        typesize: c.typesize,
        nthreads: c.nthreads,
        split: SplitMode::from_code(c.splitmode).unwrap(),
        ..CParams::default()
    };
    for (slot, (&id, &meta)) in cparams.filters.iter_mut().zip(c.filters.iter().zip(&c.filters_meta)) {
        *slot = FilterSlot { id, meta };
    }
    let storage = Storage {
        contiguous: spec.contiguous,
        urlpath: spec.urlpath.as_ref().map(Into::into),
        cparams,
        ..Storage::default()
    };
    Blueprint {
        storage,
        shape: spec.shape.clone(),
        chunkshape: spec.chunkshape.clone(),
        blockshape: spec.blockshape.clone(),
        dtype: spec.dtype.as_ref().map(|text| Dtype::new(text.as_str(), 0).unwrap()),
        metalayers: spec.metalayers.iter().map(|(n, c)| (n.clone().into_bytes(), c.clone())).collect(),
    }
}

fn random_spec(rng: &mut Rng) -> Spec {
    let ndim = rng.below(6);
    let largest = [1, 200, 40, 14, 8, 5][ndim];
    let shape: Vec<i64> =
        (0..ndim).map(|_| if rng.below(25) == 0 { 0 } else { 1 + rng.below(largest) as i64 }).collect();
    let chunk: Vec<i32> = (0..ndim).map(|_| 1 + rng.below(largest + 3) as i32).collect();
    let block: Vec<i32> = chunk.iter().map(|&c| 1 + rng.below(c as usize + 1) as i32).collect();
    let mut spec = Spec::new(&shape, &chunk, &block, [1, 2, 3, 4, 8, 16, 17, 255, 256, 300][rng.below(10)]);
    spec.cparams.compcode = [0, 1, 2, 4, 5][rng.below(5)];
    spec.cparams.clevel = [0, 1, 5, 9][rng.below(4)];
    spec.cparams.nthreads = 1 + rng.below(2) as i16;
    spec.cparams.splitmode = 1 + rng.below(4) as i32;
    spec.cparams.filters[5] = rng.below(3) as u8;
    // The reference forgets a typesize above 255 when it turns a list of chunks into a frame.
    spec.contiguous = rng.below(2) == 0 || spec.cparams.typesize > 255;
    if rng.below(2) == 0 {
        spec.dtype = Some("<i4".into());
    }
    if rng.below(3) == 0 {
        spec.metalayers = vec![("one".into(), vec![1, 2, 3]), ("two".into(), vec![])];
    }
    spec
}

fn sixteen() -> Spec {
    let mut shape = [1i64; 16];
    (shape[0], shape[3], shape[9], shape[15]) = (3, 4, 2, 5);
    let mut chunk = [1i32; 16];
    (chunk[0], chunk[3], chunk[15]) = (2, 3, 5);
    let mut block = [1i32; 16];
    (block[3], block[15]) = (2, 3);
    Spec::new(&shape, &chunk, &block, 4)
}

/// Data that compresses a little.
fn data(rng: &mut Rng, spec: &Spec) -> Vec<u8> {
    let n = spec.shape.iter().product::<i64>() as usize * spec.cparams.typesize as usize;
    let kind = rng.below(3);
    (0..n).map(|i| [rng.next() as u8, (i / 7) as u8, 5][kind]).collect()
}

fn to_vec(array: &NdArray) -> Vec<u8> {
    let mut out = vec![0xaa; array.layout().nbytes() as usize];
    array.to_buffer(&mut out).unwrap();
    out
}

/// Every chunk's bytes, padding included.
fn chunks(array: &NdArray) -> Vec<Vec<u8>> {
    (0..array.schunk().nchunks())
        .map(|n| {
            let mut chunk = vec![0; array.layout().chunk_nbytes()];
            assert_eq!(array.schunk().decompress_chunk(n, &mut chunk).unwrap(), chunk.len());
            chunk
        })
        .collect()
}

fn ours_of(theirs: &RefArray<'_>) -> NdArray {
    NdArray::from_cframe(CBuf::copy_of(&theirs.to_cframe().unwrap()).unwrap()).unwrap()
}

fn theirs_of<'r>(b2nd: &'r B2nd, ours: &NdArray) -> RefArray<'r> {
    b2nd.from_cframe(&ours.to_cframe().unwrap()).unwrap()
}

fn same(spec: &Spec, ours: &NdArray, theirs: &RefArray<'_>) {
    assert_eq!(ours.shape(), theirs.shape());
    assert_eq!(ours.dtype().map(|d| d.text().to_vec()), theirs.dtype());
    assert_eq!(
        (ours.layout().chunkshape(), ours.layout().blockshape()),
        (&*spec.chunkshape, &*spec.blockshape)
    );
}

#[test]
fn each_reads_what_the_other_wrote() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(1);
    for round in 0..120 {
        let spec = if round % 40 == 0 { sixteen() } else { random_spec(&mut rng) };
        let data = data(&mut rng, &spec);
        let theirs = b2nd.from_cbuffer(&spec, &data).unwrap();
        let read = ours_of(&theirs);
        same(&spec, &read, &theirs);
        assert_eq!(to_vec(&read), data, "{:?}", spec.shape);
        let ours = NdArray::from_buffer(&blueprint(&spec), &data).unwrap();
        assert_eq!(to_vec(&ours), data);
        assert_eq!(chunks(&ours), chunks(&read), "padding and all");
        let back = theirs_of(&b2nd, &ours);
        same(&spec, &ours, &back);
        assert_eq!(back.to_cbuffer(data.len()).unwrap(), data);
        for (name, content) in &spec.metalayers {
            assert_eq!(&*ours.schunk().meta_get(name).unwrap(), &**content);
            assert_eq!(&*read.schunk().meta_get(name).unwrap(), &**content);
        }
    }
}

#[test]
fn each_opens_what_the_other_stored() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(2);
    let dir = std::env::temp_dir().join(format!("blosc2-ndarray-interop-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for round in 0..40 {
        let mut spec = random_spec(&mut rng);
        let path = |who: &str| dir.join(format!("{who}{round}.b2nd")).to_str().unwrap().to_owned();
        let data = data(&mut rng, &spec);
        spec.urlpath = Some(path("theirs"));
        drop(b2nd.from_cbuffer(&spec, &data).unwrap());
        let read = NdArray::open(path("theirs")).unwrap();
        assert_eq!(to_vec(&read), data);
        spec.urlpath = Some(path("ours"));
        drop(NdArray::from_buffer(&blueprint(&spec), &data).unwrap());
        let back = b2nd.open(&path("ours")).unwrap();
        same(&spec, &read, &back);
        assert_eq!(back.to_cbuffer(data.len()).unwrap(), data);
        assert_eq!(chunks(&NdArray::open(path("ours")).unwrap()), chunks(&read));
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn special_arrays_are_alike() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(3);
    for round in 0..60 {
        let mut spec = random_spec(&mut rng);
        let how = ["zeros", "nans", "uninit", "empty", "full"][round % 5];
        if how == "nans" && rng.below(4) > 0 {
            spec.cparams.typesize = [4, 8][rng.below(2)];
        }
        let value = rng.bytes(spec.cparams.typesize as usize);
        let theirs = match how {
            "full" => b2nd.full(&spec, &value),
            how => b2nd.create(how, &spec),
        };
        let blueprint = blueprint(&spec);
        let ours = match how {
            "zeros" | "empty" => NdArray::zeros(&blueprint),
            "nans" => NdArray::nans(&blueprint),
            "uninit" => NdArray::uninit(&blueprint),
            _ => NdArray::full(&blueprint, &value),
        };
        let (ours, theirs) = match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => (ours, theirs),
            (Err(ours), Err(theirs)) => {
                assert_eq!((ours.code(), how), (theirs, "nans"));
                continue;
            }
            (ours, theirs) => panic!("{how}: {ours:?}, {:?}", theirs.err()),
        };
        same(&spec, &ours, &theirs);
        let nbytes = ours.layout().nbytes() as usize;
        if how == "uninit" {
            assert_eq!(to_vec(&ours), vec![0; nbytes]);
            assert_eq!(theirs_of(&b2nd, &ours).shape(), ours.shape());
            continue;
        }
        let data = theirs.to_cbuffer(nbytes).unwrap();
        assert_eq!(to_vec(&ours), data);
        assert_eq!(to_vec(&ours_of(&theirs)), data);
        assert_eq!(theirs_of(&b2nd, &ours).to_cbuffer(nbytes).unwrap(), data);
    }
}

#[test]
fn slices_are_alike() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(4);
    for round in 0..80 {
        let spec = if round % 40 == 0 { sixteen() } else { random_spec(&mut rng) };
        let typesize = spec.cparams.typesize as usize;
        let first = data(&mut rng, &spec);
        let theirs = b2nd.from_cbuffer(&spec, &first).unwrap();
        let mut ours = NdArray::from_buffer(&blueprint(&spec), &first).unwrap();
        for _ in 0..8 {
            let stop: Vec<i64> = spec
                .shape
                .iter()
                .map(|&n| if rng.below(2) == 0 { n } else { rng.below(n as usize + 1) as i64 })
                .collect();
            let start: Vec<i64> = stop
                .iter()
                .map(|&n| if rng.below(2) == 0 { 0 } else { rng.below(n as usize + 1) as i64 })
                .collect();
            let buffershape: Vec<i64> =
                start.iter().zip(&stop).map(|(a, b)| b - a + rng.below(3) as i64).collect();
            let nbytes = buffershape.iter().product::<i64>() as usize * typesize;
            if rng.below(2) == 0 {
                let new = rng.bytes(nbytes);
                theirs.set_slice(&new, &buffershape, &start, &stop).unwrap();
                ours.set_slice(&new, &buffershape, &start, &stop).unwrap();
            }
            let (mut a, mut b) = (vec![1; nbytes], vec![2; nbytes]);
            theirs.get_slice(&start, &stop, &buffershape, &mut a).unwrap();
            ours.get_slice(&start, &stop, &mut b, &buffershape).unwrap();
            assert_eq!(a, b, "{start:?} {stop:?} of {:?}", spec.shape);
        }
        assert_eq!(chunks(&ours), chunks(&ours_of(&theirs)), "padding and all");
    }
}

/// What the C library does with coordinates that are not of the array, wherever it does so in a defined way.
#[test]
fn odd_requests_are_answered_alike() {
    let Some(b2nd) = B2nd::load() else { return };
    let line = Spec::new(&[10], &[4], &[2], 1);
    let square = Spec::new(&[5, 5], &[3, 3], &[2, 2], 1);
    let none = Spec::new(&[0, 5], &[3, 3], &[2, 2], 1);
    type Case<'a> = (&'a Spec, &'a [i64], &'a [i64], &'a [i64], usize);
    let cases: [Case<'_>; 17] = [
        (&line, &[8], &[12], &[4], 4),  // into the padding
        (&line, &[10], &[10], &[6], 6), // at the end
        (&line, &[13], &[15], &[6], 6), // past the end
        (&line, &[-1], &[3], &[6], 6),  // before the start
        (&line, &[-3], &[-1], &[6], 6),
        (&line, &[5], &[2], &[6], 6),  // backwards
        (&line, &[5], &[5], &[6], 6),  // nothing
        (&line, &[2], &[6], &[4], 3),  // a buffer too small
        (&line, &[2], &[6], &[3], 10), // a shape too small
        (&line, &[2], &[4], &[6], 6),  // a shape with room
        (&line, &[2], &[4], &[3], 9),  // a buffer with room
        (&square, &[3, 3], &[6, 6], &[3, 3], 9),
        (&square, &[-1, 0], &[2, 2], &[3, 2], 6),
        (&square, &[3, 0], &[1, 2], &[3, 3], 9),
        (&square, &[3, 0], &[3, 2], &[3, 3], 9),
        (&none, &[0, 0], &[2, 2], &[2, 2], 4),
        (&none, &[-1, 0], &[2, 2], &[2, 2], 4),
    ];
    for (spec, start, stop, buffershape, len) in cases {
        let first: Vec<u8> = (1..=spec.shape.iter().product::<i64>() as u8).collect();
        let theirs = b2nd.from_cbuffer(spec, &first).unwrap();
        let mut ours = NdArray::from_buffer(&blueprint(spec), &first).unwrap();
        let (mut a, mut b) = (vec![0xee; len], vec![0xee; len]);
        let got = theirs.get_slice(start, stop, buffershape, &mut a);
        assert_eq!(
            ours.get_slice(start, stop, &mut b, buffershape).map_err(|e| e.code()),
            got,
            "{start:?} {stop:?}"
        );
        if got.is_ok() {
            assert_eq!(a, b, "{start:?} {stop:?}");
        }
        let set = theirs.set_slice(&vec![0xdd; len], buffershape, start, stop);
        let our_set = ours.set_slice(&vec![0xdd; len], buffershape, start, stop);
        assert_eq!(our_set.map_err(|e| e.code()), set, "{start:?} {stop:?}");
        assert_eq!(to_vec(&ours), theirs.to_cbuffer(first.len()).unwrap(), "{start:?} {stop:?}");
    }
}
