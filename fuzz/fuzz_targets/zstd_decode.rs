//! Any bytes as a frame of Zstandard: read as libzstd reads them, and refused where it refuses.
#![no_main]

use blosc2::codec::{self, State, StreamParams, ZSTD};
use libfuzzer_sys::fuzz_target;
use oxiblosc2_fuzz::by_libzstd;
use std::cell::RefCell;

thread_local! {
    /// What is kept from one frame to the next must not show in any.
    static STATE: RefCell<State> = RefCell::default();
}

/// What a frame begins with.
const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();
/// What a reader may change behind a frame's place.
const LENT: usize = 64;

fuzz_target!(|input: (u16, &[u8])| {
    let (room, behind) = (usize::from(input.0 & 0x3fff) >> (2 * (input.0 >> 14)), input.1);
    let src = [&MAGIC[..], behind].concat();
    let theirs = by_libzstd(&src, room);
    let p = StreamParams { codec: ZSTD, ..StreamParams::default() };
    let mut dst = vec![0xee; room + LENT];
    STATE.with_borrow_mut(|state| {
        let ours = codec::decompress(&p, state, &src, &mut dst[..room]).ok();
        assert_eq!(ours, theirs.as_ref().map(Vec::len));
        assert!(theirs.as_ref().is_none_or(|theirs| dst.starts_with(theirs)));
        assert!(dst[room..].iter().all(|byte| *byte == 0xee));
        let lent = codec::decompress_lent(&p, state, (&src, src.len()), (&mut dst, room)).ok();
        assert_eq!(lent, ours);
        assert!(theirs.as_ref().is_none_or(|theirs| dst.starts_with(theirs)));
    });
});
