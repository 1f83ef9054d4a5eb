//! Layouts and metalayers against the reference library: what its structures say, what it writes, what it reads.

mod common;

use blosc2::ndarray::layout::Layout;
use blosc2::ndarray::meta::{Dtype, NdMeta};
use common::Rng;
use common::b2nd::{B2nd, Spec};

/// Shapes of all sorts: empty axes, blocks that do not divide chunks or are larger, chunks larger than the array.
fn random_shapes(rng: &mut Rng, ndim: usize) -> (Vec<i64>, Vec<i32>, Vec<i32>) {
    let shape: Vec<i64> =
        (0..ndim).map(|_| if rng.below(9) == 0 { 0 } else { rng.below(20) as i64 }).collect();
    let chunk: Vec<i32> = (shape.iter())
        .map(|&n| if n == 0 && rng.below(2) == 0 { 0 } else { 1 + rng.below(25) as i32 })
        .collect();
    let block = (chunk.iter())
        .map(|&c| if c == 0 { rng.below(3) as i32 } else { 1 + rng.below(c as usize + 3) as i32 })
        .collect();
    (shape, chunk, block)
}

#[test]
fn layouts_are_what_the_c_structure_says() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(11);
    for round in 0..400 {
        let ndim = if round % 50 == 0 { 16 } else { rng.below(6) };
        let (shape, chunk, block) = match ndim {
            16 => (vec![2; 16], vec![2; 16], vec![1; 16]),
            _ => random_shapes(&mut rng, ndim),
        };
        let typesize = [1, 2, 8, 13][rng.below(4)];
        let spec = Spec::new(&shape, &chunk, &block, typesize);
        let Ok(array) = b2nd.create("zeros", &spec) else {
            assert!(Layout::new(&shape, &chunk, &block, typesize).is_err());
            continue;
        };
        let (c, l) = (array.c(), Layout::new(&shape, &chunk, &block, typesize).unwrap());
        let n = ndim;
        assert_eq!(l.shape(), &c.shape[..n]);
        assert_eq!(l.chunkshape(), &c.chunkshape[..n]);
        assert_eq!(l.blockshape(), &c.blockshape[..n]);
        assert_eq!(l.extshape(), &c.extshape[..n], "{shape:?} {chunk:?}");
        assert_eq!(l.extchunkshape(), &c.extchunkshape[..n]);
        assert_eq!((l.nitems(), l.chunknitems(), l.extnitems()), (c.nitems, c.chunknitems, c.extnitems));
        assert_eq!((l.blocknitems(), l.extchunknitems()), (c.blocknitems, c.extchunknitems));
        let s = l.strides();
        for (ours, theirs) in [
            (s.item_array, c.item_array_strides),
            (s.item_chunk, c.item_chunk_strides),
            (s.item_extchunk, c.item_extchunk_strides),
            (s.item_block, c.item_block_strides),
            (s.block_chunk, c.block_chunk_strides),
            (s.chunk_array, c.chunk_array_strides),
        ] {
            assert_eq!(ours[..n], theirs[..n], "{shape:?} {chunk:?} {block:?}");
        }
    }
}

#[test]
fn refusals_have_the_reference_codes() {
    let Some(b2nd) = B2nd::load() else { return };
    // Code 0 stands for a context that is refused, where the C interface has no code.
    let big = i64::MAX;
    type Shapes<'a> = (&'a [i64], &'a [i32], &'a [i32], i32);
    let cases: [Shapes; 12] = [
        (&[-1], &[1], &[1], 1),
        (&[1], &[-1], &[1], 1),
        (&[1], &[1], &[-1], 1),
        (&[1], &[1], &[0], 1),
        (&[1 << 32, 1 << 32], &[1, 1], &[1, 1], 1),
        (&[big], &[2], &[2], 1),
        (&[1, 1], &[1 << 16, 1 << 16], &[1, 1], 1),
        (&[1, 1], &[1, 1], &[1 << 16, 1 << 16], 1),
        (&[1], &[1], &[1 << 30], 4),
        (&[1], &[i32::MAX], &[1], 1),
        (&[1], &[1 << 28], &[1], 8),
        (&[1], &[1 << 28], &[1 << 27], 8),
    ];
    for (shape, chunk, block, typesize) in cases {
        let ours = Layout::new(shape, chunk, block, typesize).and_then(|layout| layout.check_chunk());
        let ours = ours.unwrap_err().code();
        let theirs = b2nd.create("zeros", &Spec::new(shape, chunk, block, typesize)).err();
        assert!(theirs == Some(0) || theirs == Some(ours), "{shape:?} {chunk:?}: {theirs:?}, ours {ours}");
    }
}

#[test]
fn metalayers_are_byte_identical() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(5);
    for ndim in 0..=16 {
        for dtype in [None, Some("<i4"), Some("[('a', '<f8'), ('b', '|S12')]"), Some("")] {
            let shape: Vec<i64> = (0..ndim).map(|_| rng.next() as i64).collect();
            let chunk: Vec<i32> = (0..ndim).map(|_| rng.next() as i32).collect();
            let block: Vec<i32> = (0..ndim).map(|_| rng.next() as i32).collect();
            let theirs =
                b2nd.serialize_meta(&shape, &chunk, &block, dtype, 3 * i8::from(dtype.is_some())).unwrap();
            let own = dtype.map(|text| Dtype::new(text, 3).unwrap());
            let meta = NdMeta::new(&shape, &chunk, &block, own).unwrap();
            assert_eq!(*meta.serialize().unwrap(), *theirs);
            let (parsed, len) = NdMeta::parse_counted(&theirs).unwrap();
            assert_eq!((parsed.shape(), parsed.chunkshape(), len), (&*shape, &*chunk, theirs.len()));
        }
    }
    assert_eq!(
        b2nd.serialize_meta(&[], &[], &[], Some("x"), -1),
        Err(Dtype::new("x", -1).unwrap_err().code())
    );
}

#[test]
fn mutated_metalayers_are_refused_or_read_alike() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(23);
    let (mut refused_by_both, mut read_by_both) = (0, 0);
    for round in 0..6000 {
        let ndim = [1, 2, 3, 16][rng.below(4)];
        let (shape, chunk, block) = random_shapes(&mut rng, ndim);
        let mut bytes = b2nd.serialize_meta(&shape, &chunk, &block, Some("<i4"), 0).unwrap();
        if round % 3 == 0 {
            bytes.truncate(rng.below(bytes.len() + 1));
        }
        for _ in 0..rng.below(3) {
            let at = rng.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.next() as u8;
            }
        }
        match (b2nd.deserialize_meta(&bytes), NdMeta::parse_counted(&bytes)) {
            (Err(theirs), Err(ours)) => {
                assert_eq!(theirs, ours.code());
                refused_by_both += 1;
            }
            (Ok(theirs), Ok((ours, len))) => {
                // Where the markers are the usual ones, the values are the same. (The reference never looks at them.)
                let usual = ours.serialize().unwrap()[..].len() == len;
                if usual && theirs.0 == len {
                    assert_eq!((&*theirs.1, &*theirs.2), (ours.shape(), ours.chunkshape()));
                    assert_eq!(&*theirs.3, ours.blockshape());
                }
                read_by_both += 1;
            }
            // A marker that is none of msgpack's for such a value: the reference skips it unseen, we do not.
            (Ok(_), Err(ours)) => assert_eq!(ours.code(), -1),
            (Err(_), Ok((ours, _))) => {
                // A legal encoding that is shorter than the fixed one it knows.
                assert!(
                    ours.serialize().unwrap().len() != bytes.len()
                        || bytes[..] != ours.serialize().unwrap()[..]
                );
            }
        }
    }
    assert!(refused_by_both > 500 && read_by_both > 500, "{refused_by_both} {read_by_both}");
}
