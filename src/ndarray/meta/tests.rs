use super::*;

fn meta(shape: &[i64], chunk: &[i32], block: &[i32], dtype: Option<&str>) -> NdMeta {
    let dtype = dtype.map(|text| Dtype::new(text, 0).unwrap());
    NdMeta::new(shape, chunk, block, dtype).unwrap()
}

/// The numbers as the C library writes them, for one dimension.
fn one_dimension() -> Vec<u8> {
    let mut want = vec![0x97, 0, 1, 0x91, 0xd3, 0, 0, 0, 0, 0, 0, 1, 44];
    want.extend([0x91, 0xd2, 0, 0, 0, 100, 0x91, 0xd2, 0, 0, 0, 10]);
    want.extend([0, 0xdb, 0, 0, 0, 3, b'<', b'i', b'4']);
    want
}

#[test]
fn bytes_are_those_of_the_c_library() {
    let one = meta(&[300], &[100], &[10], Some("<i4"));
    assert_eq!(&*one.serialize().unwrap(), one_dimension());
    let none = meta(&[], &[], &[], None);
    assert_eq!(
        &*none.serialize().unwrap(),
        [0x97, 0, 0, 0x90, 0x90, 0x90, 0, 0xdb, 0, 0, 0, 3, b'|', b'u', b'1']
    );
}

#[test]
fn what_is_written_is_read() {
    for ndim in 0..=MAX_DIM {
        let shape: Vec<i64> = (0..ndim as i64).map(|i| i * 1_000_000_007).collect();
        let chunk: Vec<i32> = (0..ndim as i32).map(|i| i * 1_000_007).collect();
        let block: Vec<i32> = (0..ndim as i32).collect();
        let meta = meta(&shape, &chunk, &block, Some("[('a', '<f4'), ('b', '|S3')]"));
        let mut bytes = meta.serialize().unwrap().to_vec();
        let len = bytes.len();
        bytes.extend(b"more");
        assert_eq!(NdMeta::parse_counted(&bytes).unwrap(), (meta.clone(), len));
        assert_eq!((meta.shape(), meta.chunkshape(), meta.blockshape()), (&*shape, &*chunk, &*block));
    }
}

#[test]
fn any_legal_encoding_is_read() {
    // array16, uint8 and fixint numbers, array32, a negative one that a layout refuses, str8.
    let bytes = [
        0xdc, 0, 7, 0xcc, 0, 0xd0, 2, 0xdc, 0, 2, 5, 0xcd, 1, 0, 0xdd, 0, 0, 0, 2, 3, 0xcc, 200, 0x92, 1,
        0xff, 0xcc, 0, 0xd9, 2, b'u', b'1',
    ];
    let meta = NdMeta::parse(&bytes).unwrap();
    assert_eq!(
        (meta.shape(), meta.chunkshape(), meta.blockshape()),
        (&[5, 256][..], &[3, 200][..], &[1, -1][..])
    );
    assert_eq!(meta.dtype(), Some(&Dtype::new("u1", 0).unwrap()));
    assert_eq!(meta.layout(1).unwrap_err().kind(), ErrorKind::InvalidParam);
    // 16 dimensions said legally.
    let mut bytes = vec![0x97, 0, 16];
    for _ in 0..3 {
        bytes.extend([0xdc, 0, 16]);
        bytes.extend([1; 16]);
    }
    assert_eq!(NdMeta::parse(&bytes).unwrap().shape(), [1; 16]);
}

#[test]
fn caterva_has_no_dtype() {
    let mut bytes = one_dimension();
    bytes.truncate(bytes.len() - 9);
    bytes[0] = 0x95;
    let meta = NdMeta::parse(&bytes).unwrap();
    assert_eq!((meta.shape(), meta.dtype()), (&[300][..], None));
    // Written again it is the `b2nd` metalayer with the default dtype.
    let dtype = NdMeta::parse(&meta.serialize().unwrap()).unwrap().dtype.unwrap();
    assert_eq!(dtype.text(), DEFAULT_DTYPE);
}

#[test]
fn malformed_metalayers_are_refused() {
    let good = one_dimension();
    let refused = |bytes: &[u8]| NdMeta::parse(bytes).is_err_and(|e| e.kind() == ErrorKind::Failure);
    // Cut anywhere, except where the dtype begins.
    for len in 0..good.len() {
        assert_eq!(NdMeta::parse(&good[..len]).is_err(), len != good.len() - 9, "cut to {len}");
    }
    // Markers of another type, wrong counts, ndim 17 and -1, dtype lengths that lie.
    for (at, byte) in [
        (0, 0x94),
        (0, 0xa7),
        (2, 17),
        (2, 0xff),
        (2, 2),
        (3, 0x92),
        (3, 0xa0),
        (4, 0xc0),
        (14, 0xca),
        (25, 0x80),
    ] {
        let mut bytes = good.clone();
        bytes[at] = byte;
        assert!(refused(&bytes), "{byte:#x} at {at}");
    }
    let at = good.len() - 9;
    for (i, byte) in [(0, 0xff), (1, 0xc4), (2, 0x80), (5, 4)] {
        let mut bytes = good.clone();
        bytes[at + i] = byte;
        assert!(refused(&bytes), "{byte:#x} in the dtype");
    }
    // A chunk shape that is no int32.
    let mut bytes = vec![0x97, 0, 1, 0x91, 5, 0x91, 0xd3, 0, 0, 0, 1, 0, 0, 0, 0, 0x91, 1];
    assert!(refused(&bytes));
    bytes[10] = 0;
    assert!(!refused(&bytes));
}

#[test]
fn no_mutation_panics() {
    let good = meta(&[5; 16], &[2; 16], &[1; 16], Some("<f8")).serialize().unwrap();
    for at in 0..good.len() {
        for byte in 0..=255 {
            let mut bytes = good.to_vec();
            bytes[at] = byte;
            if let Ok(meta) = NdMeta::parse(&bytes) {
                let _ = meta.layout(8);
            }
        }
    }
}
