use super::*;
use crate::base::params::NdShape;
use crate::base::random::Random;

fn shape(height: i32, width: i32) -> NdShape {
    let extents = vec![height, width];
    NdShape { shape: vec![height.into(), width.into()], chunkshape: extents.clone(), blockshape: extents }
}

/// A picture: tiles out of a few, noise in some places.
fn picture(random: &mut Random, height: usize, width: usize) -> Vec<u8> {
    let tiles: Vec<Vec<u8>> = (0..6).map(|_| random.bytes(64)).collect();
    let mut data: Vec<u8> = (0..height * width)
        .map(|i| {
            let (y, x) = (i / width, i % width);
            tiles[(y / 8 * 7 + x / 8 * 3) % 6][y % 8 * 8 + x % 8]
        })
        .collect();
    for _ in 0..data.len() / 60 {
        let at = random.below(data.len());
        data[at] = random.below(256) as u8;
    }
    data
}

#[test]
fn forms_are_told_apart_by_their_tokens() {
    for (side, forms) in [(4, FORMS_4), (8, FORMS_8)] {
        for (i, form) in forms.iter().enumerate() {
            assert!(forms[..i].iter().all(|other| other.token != form.token));
            assert!(![LITERAL, CONSTANT, SAME].contains(&form.token));
            let named: usize = form.groups.iter().map(|group| group.len()).sum();
            assert_eq!(named + form.others(side).count(), side);
            assert!(form.groups.len() <= 2 && form.groups.iter().all(|group| group.is_sorted()));
        }
    }
}

#[test]
fn blocks_come_back_whatever_their_edges() {
    let mut tables = Tables::default();
    let mut random = Random::new(1);
    let mut shrunk = 0;
    for meta in [4, 8] {
        for (height, width) in
            [(1, 64), (64, 1), (8, 8), (9, 8), (8, 11), (13, 17), (40, 40), (64, 100), (127, 65)]
        {
            let kinds = [
                picture(&mut random, height, width),
                vec![9; height * width],
                random.bytes(height * width),
                (0..height * width).map(|i| (i / width) as u8).collect(),
            ];
            for data in kinds {
                let nd = shape(height as i32, width as i32);
                let mut packed = vec![0xee; data.len() + 4];
                let n = data.len();
                let len = compress(&mut tables, meta, Some(&nd), &data, &mut packed[..n]).unwrap();
                assert_eq!(packed[n..], [0xee; 4]);
                assert!(len < n);
                if len == 0 {
                    continue;
                }
                shrunk += 1;
                let mut back = vec![0; n];
                assert_eq!(decompress(meta, &packed[..len], &mut back).unwrap(), n);
                assert!(back == data, "{height} by {width}, cells of {meta}");
                let mut tight = vec![0; len];
                assert_eq!(compress(&mut tables, meta, Some(&nd), &data, &mut tight).unwrap(), len);
                assert_eq!(compress(&mut tables, meta, Some(&nd), &data, &mut tight[1..]).unwrap(), 0);
            }
        }
    }
    assert!(shrunk > 20);
}

#[test]
fn repeated_tiles_take_a_few_bytes_each() {
    let mut random = Random::new(2);
    let tile = random.bytes(64);
    let data: Vec<u8> = (0..64 * 64).map(|i| tile[i / 64 % 8 * 8 + i % 8]).collect();
    let mut packed = vec![0; data.len()];
    let nd = shape(64, 64);
    let len = compress(&mut Tables::default(), 8, Some(&nd), &data, &mut packed).unwrap();
    assert_eq!(len, HEADER_LEN + 65 + 63 * 3);
}

#[test]
fn hostile_streams_give_an_error_or_bytes() {
    let mut random = Random::new(3);
    let mut tables = Tables::default();
    for meta in [4, 8] {
        let nd = shape(21, 30);
        let data = picture(&mut random, 21, 30);
        let mut packed = vec![0; data.len()];
        let len = compress(&mut tables, meta, Some(&nd), &data, &mut packed).unwrap();
        assert!(len > 0);
        let mut dst = vec![0; data.len()];
        for at in 0..len {
            assert!(decompress(meta, &packed[..at], &mut dst).is_err());
            for value in 0..=255 {
                let mut bad = packed[..len].to_vec();
                bad[at] = value;
                let _ = decompress(meta, &bad, &mut dst);
                let _ = decompress(12 - meta, &bad, &mut dst);
            }
        }
        assert!(decompress(meta, &packed[..len], &mut dst[1..]).is_err());
        assert!(decompress(5, &packed[..len], &mut dst).is_err());
    }
    let huge = [&[2u8][..], &i32::MAX.to_le_bytes(), &i32::MAX.to_le_bytes(), &[0x40, 1]].concat();
    assert!(decompress(4, &huge, &mut [0; 100]).is_err());
    let none = [&[2u8][..], &0i32.to_le_bytes(), &i32::MAX.to_le_bytes()].concat();
    assert_eq!(decompress(4, &none, &mut []).unwrap(), 0);
}

#[test]
fn what_is_no_plane_is_refused() {
    let mut tables = Tables::default();
    let kind = |result: crate::base::Result<usize>| result.unwrap_err().kind();
    let mut dst = [0; 100];
    assert_eq!(kind(compress(&mut tables, 4, None, &[0; 64], &mut dst)), ErrorKind::Data);
    let solid = NdShape { shape: vec![4; 3], chunkshape: vec![4; 3], blockshape: vec![4; 3] };
    assert_eq!(kind(compress(&mut tables, 4, Some(&solid), &[0; 64], &mut dst)), ErrorKind::Data);
    assert_eq!(kind(compress(&mut tables, 4, Some(&shape(8, 9)), &[0; 64], &mut dst)), ErrorKind::Data);
    assert_eq!(kind(compress(&mut tables, 7, Some(&shape(8, 8)), &[0; 64], &mut dst)), ErrorKind::Data);
}
