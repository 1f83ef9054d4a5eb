//! `verify` and `recover`.

use crate::run::{Dir, arg, b2, jacksboro};
use blosc2::frame::Place;
use blosc2::{NdArray, Storage, SuperChunk};
use serde_json::json;
use std::path::Path;

/// A frame of ten chunks with checksums.
fn checked(path: &Path) -> SuperChunk {
    let storage =
        Storage { contiguous: true, urlpath: Some(path.into()), checksums: true, ..Storage::default() };
    let mut schunk = SuperChunk::new(storage).unwrap();
    for n in 0..10u64 {
        schunk.append(&(0..500).map(|i| i * (n + 1)).collect::<Vec<u64>>()).unwrap();
    }
    schunk
}

#[test]
fn a_flipped_bit_is_found() {
    let dir = Dir::new();
    let path = dir.path("a.b2frame");
    let schunk = checked(&path);
    let offset = schunk.chunk_info(4).unwrap().offset.unwrap();
    let place = schunk.chunk_info(4).unwrap().place;
    assert!(matches!(place, Some(Place::Stored(_))));
    drop(schunk);
    assert!(b2(&["verify", arg(&path)]).text().contains("checksums right"));
    let sound = std::fs::read(&path).unwrap();
    for at in [offset as usize + 33, offset as usize + 60] {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        std::fs::write(&path, bytes).unwrap();
        let told = b2(&["verify", "--json", arg(&path)]);
        assert_eq!(told.code, 1);
        let told = &told.json()[0];
        assert_eq!((&told["sound"], &told["good"], &told["nchunks"]), (&json!(false), &json!(9), &json!(10)));
        let finding = &told["findings"][0];
        assert_eq!(
            (&finding["part"], &finding["chunk"], &finding["offset"]),
            (&json!("chunk"), &json!(4), &json!(offset))
        );
        let text = b2(&["verify", arg(&path)]);
        assert!(text.code == 1 && text.shown().contains("chunk 4 at byte"), "{}", text.shown());
    }
    // One that is damaged among others that are not: all are told.
    let told = b2(&["verify", "--json", arg(&jacksboro()), arg(&path), arg(&dir.path("nothing"))]);
    assert_eq!((told.code, told.json().as_array().unwrap().len()), (1, 2));
    assert!(told.err.contains("nothing"));
}

#[test]
fn what_is_left_is_saved() {
    let dir = Dir::new();
    let (path, saved) = (dir.path("a.b2frame"), dir.path("saved.b2frame"));
    drop(checked(&path));
    let sound = std::fs::read(&path).unwrap();
    let offset = |n: i64| {
        let schunk = SuperChunk::open(&path, 0, Storage::default().io).unwrap();
        schunk.chunk_info(n).unwrap().offset.unwrap() as usize
    };
    // Torn: the last chunks, the index and the trailer are gone.
    let torn = offset(7) + 10;
    std::fs::write(&path, &sound[..torn]).unwrap();
    let ran = b2(&["recover", "--json", arg(&path), arg(&saved)]);
    assert_eq!(ran.code, 1);
    let told = ran.json();
    assert_eq!((&told["kept"], &told["in_order"]), (&json!(7), &json!(false)));
    let mine = SuperChunk::open(&saved, 0, Storage::default().io).unwrap();
    let expect: Vec<u64> = (0..500).map(|i| i * 7).collect();
    assert_eq!(mine.get::<u64>(3000, 3500).unwrap(), expect);
    b2(&["verify", arg(&saved)]).text();
    assert_eq!(std::fs::read(&path).unwrap(), sound[..torn]);
    // One chunk damaged: zeros in its place.
    let mut bytes = sound.clone();
    std::fs::write(&path, &sound).unwrap();
    bytes[offset(3) + 40] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let ran = b2(&["recover", "--force", arg(&path), arg(&saved)]);
    assert!(ran.code == 1 && ran.shown().contains("9 chunks saved, 1 lost"), "{}", ran.shown());
    let mine = SuperChunk::open(&saved, 0, Storage::default().io).unwrap();
    assert_eq!(mine.get::<u64>(1500, 2001).unwrap()[499..], [0, 0]);
    // Nothing lost.
    let ran = b2(&["recover", "--force", arg(&jacksboro()), arg(&saved)]).text();
    assert!(ran.contains("12 chunks saved"), "{ran}");
    assert_eq!(NdArray::open(&saved).unwrap().shape(), [344, 403]);
}
