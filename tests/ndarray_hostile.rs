//! Small array frames, damaged in every way: an error or an answer, never a panic, a hang or a giant allocation.

mod common;

use blosc2::base::CBuf;
use blosc2::base::params::CParams;
use blosc2::ndarray::{Blueprint, Dtype, NdArray};
use blosc2::schunk::Storage;
use common::Rng;

fn frame(shape: &[i64], chunk: &[i32], block: &[i32], typesize: i32, codec: u8, rng: &mut Rng) -> Vec<u8> {
    let cparams = CParams { codec, typesize, ..CParams::default() };
    let blueprint = Blueprint {
        storage: Storage { contiguous: true, cparams, ..Storage::default() },
        shape: shape.to_vec(),
        chunkshape: chunk.to_vec(),
        blockshape: block.to_vec(),
        dtype: Some(Dtype::new("<i2", 0).unwrap()),
        metalayers: vec![(b"more".to_vec(), vec![1; 3])],
    };
    let n = shape.iter().product::<i64>() as usize * typesize as usize;
    let mut data: Vec<u8> = rng.bytes(n);
    data[n / 2..].fill(3);
    NdArray::from_buffer(&blueprint, &data).unwrap().to_cframe().unwrap().to_vec()
}

/// Opens the bytes as an array and does everything with it that a caller might. Tells whether it opened.
fn try_all(bytes: &[u8]) -> bool {
    let Ok(mut array) = NdArray::from_cframe(CBuf::copy_of(bytes).unwrap()) else { return false };
    let layout = array.layout().clone();
    let (ndim, typesize) = (layout.ndim(), layout.typesize() as usize);
    // What a chunk may honestly unpack to is not of interest here.
    if layout.chunk_nbytes() > 1 << 20 {
        return true;
    }
    let start = vec![0; ndim];
    let one = vec![1; ndim];
    let mut item = vec![0; typesize];
    let _ = array.get_slice(&start, &one, &mut item, &one);
    let _ = array.get_sparse(&[0, layout.nitems() - 1], &mut vec![0; 2 * typesize]);
    let last: Vec<i64> = layout.shape().iter().map(|n| n - 1).collect();
    let lists: Vec<&[i64]> = last.chunks(1).collect();
    let _ = array.get_orthogonal(&lists, &mut item, &one);
    if layout.nbytes() < 1 << 20 {
        let mut all = vec![0; layout.nbytes() as usize];
        let _ = array.to_buffer(&mut all);
        let _ = array.set_slice(&item, &one, &start, &one);
        let _ = array.set_slice(&all, layout.shape(), &start, layout.shape());
        if ndim > 0 {
            let mut shape = layout.shape().to_vec();
            shape[ndim - 1] += 3;
            let _ = array.resize(&shape, None);
            let _ = array.delete(0, 0, 1);
        }
        let _ = array.to_buffer(&mut all);
    }
    true
}

#[test]
fn damaged_frames_are_refused_or_read() {
    let mut rng = Rng::new(77);
    let frames = [
        frame(&[6, 5], &[4, 3], &[2, 2], 2, 1, &mut rng),
        frame(&[40], &[40], &[16], 2, 5, &mut rng),
        frame(&[2, 3, 2], &[1, 2, 2], &[1, 1, 2], 4, 0, &mut rng),
        frame(&[], &[], &[], 2, 1, &mut rng),
    ];
    let (mut opened, mut refused) = (0, 0);
    for frame in &frames {
        assert!(try_all(frame));
        for at in 0..frame.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff, frame[at] ^ 0x10, rng.next() as u8] {
                let mut bytes = frame.clone();
                bytes[at] = byte;
                match try_all(&bytes) {
                    true => opened += 1,
                    false => refused += 1,
                }
            }
        }
        for len in 0..frame.len() {
            assert!(!try_all(&frame[..len]), "cut to {len}");
        }
    }
    assert!(opened > 1000 && refused > 500, "{opened} {refused}");
}

#[test]
fn several_damages_at_once() {
    let mut rng = Rng::new(78);
    let frame = frame(&[6, 5], &[4, 3], &[2, 2], 2, 1, &mut rng);
    // The header with its metalayers is where the shapes are.
    for _ in 0..5000 {
        let mut bytes = frame.clone();
        for _ in 0..1 + rng.below(4) {
            let at = if rng.below(3) > 0 { 87 + rng.below(150) } else { rng.below(bytes.len()) };
            bytes[at] = rng.next() as u8;
        }
        try_all(&bytes);
    }
}

/// Shapes that promise far more than the frame holds.
#[test]
fn shapes_that_lie() {
    let mut rng = Rng::new(79);
    let good = frame(&[6, 5], &[4, 3], &[2, 2], 2, 1, &mut rng);
    let shape = [0xd3, 0, 0, 0, 0, 0, 0, 0, 6];
    let at = good.windows(9).position(|window| window == shape).unwrap() + 1;
    for n in [7, 1000, 1 << 32, 1 << 50, i64::MAX / 16, i64::MAX, -1, i64::MIN] {
        let mut bytes = good.clone();
        bytes[at..at + 8].copy_from_slice(&n.to_be_bytes());
        let Ok(mut array) = NdArray::from_cframe(CBuf::copy_of(&bytes).unwrap()) else {
            assert!(!(0..1 << 60).contains(&n), "{n}");
            continue;
        };
        assert_eq!(array.shape(), [n, 5]);
        let (mut item, one) = ([0; 2], [1, 1]);
        array.get_slice(&[0, 0], &one, &mut item, &one).unwrap();
        if n > 8 {
            // There is no such chunk.
            let there = array.get_slice(&[n - 1, 0], &[n, 1], &mut item, &one);
            assert!(there.is_err(), "{n}");
            assert!(array.resize(&[n + 1, 5], None).is_err());
            assert!(array.to_buffer(&mut [0; 60]).is_err());
            assert!(array.get_sparse(&[n * 5 - 1], &mut item).is_err());
        }
    }
}
