use super::*;
use crate::base::ErrorKind;

fn shape(blockshape: &[i32]) -> NdShape {
    NdShape {
        shape: blockshape.iter().map(|&n| n.into()).collect(),
        chunkshape: blockshape.to_vec(),
        blockshape: blockshape.to_vec(),
    }
}

fn params(codec: u8, meta: u8, typesize: i32, nd: &NdShape) -> StreamParams<'_> {
    StreamParams { codec, meta, clevel: 5, typesize, nd: Some(nd), ..StreamParams::default() }
}

#[test]
fn parameters_mean_what_they_mean_to_the_c_library() {
    let nd = shape(&[8, 9]);
    let task = |codec, meta: u8| Task::of(&params(codec, meta, 4, &nd)).unwrap();
    assert_eq!(task(ZFP_FIXED_ACCURACY, -3i8 as u8).mode, Mode::Accuracy(0.001));
    assert_eq!(task(ZFP_FIXED_PRECISION, 10).mode, Mode::Precision(17));
    assert_eq!(task(ZFP_FIXED_PRECISION, 200).mode, Mode::Precision(64));
    assert_eq!(task(ZFP_FIXED_RATE, 50).mode, Mode::Rate(16.0));
    assert_eq!(task(ZFP_FIXED_RATE, 50).extents, [8, 9, 1, 1]);
}

/// Of a tolerance, ZFP takes the exponent; the C library asks the system's `pow` for it.
#[test]
fn tolerances_have_the_exponents_that_the_c_library_gives_them() {
    let nd = shape(&[8, 9]);
    let exponent = |tolerance: f64| tolerance.to_bits() >> 52;
    for meta in i8::MIN..=i8::MAX {
        let task = Task::of(&params(ZFP_FIXED_ACCURACY, meta as u8, 4, &nd)).unwrap();
        let Mode::Accuracy(tolerance) = task.mode else { panic!("{:?}", task.mode) };
        assert_eq!(exponent(tolerance), exponent(10f64.powf(meta.into())), "10 to the power of {meta}");
    }
}

#[test]
fn items_are_found_in_their_cells() {
    let nd = shape(&[5, 9]);
    let task = Task::of(&params(ZFP_FIXED_RATE, 50, 8, &nd)).unwrap();
    assert_eq!(task.locate(0), (0, 0));
    assert_eq!(task.locate(5), (1, 1));
    assert_eq!(task.locate(8), (2, 0));
    assert_eq!(task.locate(9 + 3), (0, 7));
    assert_eq!(task.locate(4 * 9 + 6), (4, 2));
}

#[test]
fn what_zfp_cannot_do_is_refused() {
    let mut st: State = Default::default();
    let mut dst = [0; 512];
    let mut kind = |p: &StreamParams, src: &[u8]| compress(p, &mut st, src, &mut dst).unwrap_err().kind();
    let (flat, small, deep) = (shape(&[8, 8]), shape(&[8, 3]), shape(&[4; 5]));
    assert_eq!(kind(&params(ZFP_FIXED_RATE, 50, 4, &small), &[0; 96]), ErrorKind::Data);
    assert_eq!(kind(&params(ZFP_FIXED_RATE, 50, 4, &deep), &[0; 4096]), ErrorKind::Data);
    assert_eq!(kind(&params(ZFP_FIXED_RATE, 50, 2, &flat), &[0; 128]), ErrorKind::Data);
    assert_eq!(kind(&StreamParams { nd: None, ..params(33, 50, 4, &flat) }, &[0; 256]), ErrorKind::Data);
    // A part of a block is stored raw.
    assert_eq!(compress(&params(ZFP_FIXED_RATE, 50, 4, &flat), &mut st, &[0; 64], &mut dst).unwrap(), 0);
}

#[cfg(not(feature = "zfp"))]
#[test]
fn without_the_feature_it_says_so() {
    let nd = shape(&[8, 8]);
    let p = params(ZFP_FIXED_RATE, 50, 4, &nd);
    let mut st = State;
    let error = compress(&p, &mut st, &[0; 256], &mut [0; 256]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CodecSupport);
    assert!(error.what().contains("feature"));
    assert_eq!(decompress(&p, &mut st, &[0; 9], &mut [0; 256]).unwrap_err().kind(), ErrorKind::CodecSupport);
}

#[cfg(feature = "zfp")]
mod with_the_library {
    use super::*;
    use crate::base::random::Random;

    /// A smooth field of `n` items.
    fn field(n: usize, typesize: i32) -> Vec<u8> {
        let value = |i: usize| (i as f64 * 0.013).sin() * 50.0 + (i as f64 * 0.0007).cos();
        match typesize {
            4 => (0..n).flat_map(|i| (value(i) as f32).to_ne_bytes()).collect(),
            _ => (0..n).flat_map(|i| value(i).to_ne_bytes()).collect(),
        }
    }

    fn values(bytes: &[u8], typesize: i32) -> Vec<f64> {
        match typesize {
            4 => bytes.chunks(4).map(|b| f32::from_ne_bytes(b.try_into().unwrap()).into()).collect(),
            _ => bytes.chunks(8).map(|b| f64::from_ne_bytes(b.try_into().unwrap())).collect(),
        }
    }

    const SHAPES: &[&[i32]] = &[&[100], &[17, 33], &[4, 4], &[6, 7, 9], &[5, 4, 6, 7]];

    fn each_case(mut visit: impl FnMut(&StreamParams, &[u8])) {
        for blockshape in SHAPES {
            let nd = shape(blockshape);
            let n: i32 = blockshape.iter().product();
            for typesize in [4, 8] {
                for (codec, meta) in [(33, -2i8 as u8), (33, 0), (34, 12), (34, 30), (35, 40), (35, 75)] {
                    visit(&params(codec, meta, typesize, &nd), &field(n as usize, typesize));
                }
            }
        }
    }

    #[test]
    fn blocks_come_back_nearly() {
        let mut st = State::default();
        let mut shrunk = 0;
        each_case(|p, data| {
            // One byte off, so that nothing is aligned.
            let mut packed = vec![0; data.len() + 1];
            let len = compress(p, &mut st, data, &mut packed[1..]).unwrap();
            if len == 0 {
                return;
            }
            shrunk += 1;
            assert!(len < data.len());
            let mut back = vec![0; data.len() + 1];
            assert_eq!(decompress(p, &mut st, &packed[1..=len], &mut back[1..]).unwrap(), data.len());
            let most = if p.codec == 33 { 10f64.powi((p.meta as i8).into()) } else { 20.0 };
            for (a, b) in values(data, p.typesize).iter().zip(values(&back[1..], p.typesize)) {
                assert!((a - b).abs() <= most, "{a} {b} codec {} meta {}", p.codec, p.meta);
            }
            assert_eq!(compress(p, &mut st, data, &mut packed[..len - 1]).unwrap(), 0);
        });
        assert!(shrunk > 40);
    }

    #[test]
    fn a_few_items_are_those_of_the_whole_block() {
        let mut st = State::default();
        each_case(|p, data| {
            let mut packed = vec![0; data.len()];
            let len = compress(p, &mut st, data, &mut packed).unwrap();
            let size = p.typesize as usize;
            let n = data.len() / size;
            let mut whole = vec![0; data.len()];
            if len > 0 {
                decompress(p, &mut st, &packed[..len], &mut whole).unwrap();
            }
            for items in [0..1, 3..9, n / 2..n / 2 + 7, n - 1..n, 0..0] {
                let mut dst = vec![0; items.len() * size];
                let done = decompress_items(p, &mut st, &packed[..len], items.clone(), &mut dst);
                if p.codec != ZFP_FIXED_RATE {
                    assert!(!done.unwrap());
                } else if len > 0 {
                    assert!(done.unwrap());
                    assert_eq!(dst, whole[items.start * size..items.end * size]);
                }
            }
            if p.codec == ZFP_FIXED_RATE {
                let past = decompress_items(p, &mut st, &packed[..len], n..n + 1, &mut vec![0; size]);
                assert_eq!(past.unwrap_err().kind(), ErrorKind::Data);
                let short = decompress_items(p, &mut st, &packed[..len / 2], n - 1..n, &mut vec![0; size]);
                assert_eq!(short.unwrap_err().kind(), ErrorKind::Data);
            }
        });
    }

    #[test]
    fn hostile_streams_give_an_error_or_numbers() {
        let mut st = State::default();
        let mut random = Random::new(1);
        each_case(|p, data| {
            let mut dst = vec![0; data.len()];
            for len in [0, 1, 7, 8, 100, data.len()] {
                for src in [random.bytes(len), vec![0; len], vec![255; len]] {
                    let _ = decompress(p, &mut st, &src, &mut dst);
                }
            }
            assert!(decompress(p, &mut st, &[1; 64], &mut dst[1..]).is_err());
        });
    }
}
