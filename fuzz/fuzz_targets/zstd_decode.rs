//! Any bytes as a frame of Zstandard: read as libzstd reads them, and refused where it refuses.
#![no_main]

use blosc2::codec::{self, State, StreamParams, ZSTD};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

thread_local! {
    /// What is kept from one frame to the next must not show in any.
    static STATE: RefCell<State> = RefCell::default();
}

/// What a frame begins with.
const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();
/// What a reader may change behind a frame's place.
const LENT: usize = 64;

/// What a frame holds: no more than `room`.
fn by_library(src: &[u8], room: usize) -> Option<Vec<u8>> {
    let mut dst = vec![0; room];
    // SAFETY: as many bytes as are told, to be written and to be read.
    let code =
        unsafe { zstd_sys::ZSTD_decompress(dst.as_mut_ptr().cast(), room, src.as_ptr().cast(), src.len()) };
    // SAFETY: no preconditions.
    if unsafe { zstd_sys::ZSTD_isError(code) } != 0 {
        return None;
    }
    dst.truncate(code);
    Some(dst)
}

fuzz_target!(|input: (u16, &[u8])| {
    let (room, behind) = (usize::from(input.0 & 0x3fff) >> (2 * (input.0 >> 14)), input.1);
    let src = [&MAGIC[..], behind].concat();
    let theirs = by_library(&src, room);
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
