//! Any bytes, written as LZ4 streams in each of our ways. What comes out of the fast mode is what liblz4 writes, also where there is
//! too little room; what comes out of the high compression mode is read as what went in (by liblz4, with `BLOSC_SIMD=scalar`).
#![no_main]

use blosc2::codec::{self, LZ4, LZ4HC, MadeOf, State, StreamParams};
use libfuzzer_sys::fuzz_target;
use oxiblosc2_fuzz::{Draw, long};
use std::cell::RefCell;

thread_local! {
    /// What looks have told goes from one stream to the next, and must not show in any.
    static STATE: RefCell<State> = RefCell::default();
}

/// Shorter streams are liblz4's.
const SHORTEST: u64 = 4096;

/// The stream, in no more than `room` bytes.
fn written(p: &StreamParams, src: &[u8], room: usize) -> Option<Vec<u8>> {
    let mut dst = vec![0; room];
    let len =
        STATE.with_borrow_mut(|state| codec::compress(p, state, src, &mut dst)).expect("liblz4 takes all");
    dst.truncate(len);
    (len > 0).then_some(dst)
}

/// Whether what is written is read as what it was.
fn comes_back(p: &StreamParams, src: &[u8], room: usize) {
    let Some(stream) = written(p, src, room) else { return };
    let mut back = vec![1; src.len()];
    let read = STATE.with_borrow_mut(|state| codec::decompress(p, state, &stream, &mut back));
    assert!(
        matches!(read, Ok(len) if len == src.len()) && back == src,
        "{:?}, level {}",
        p.made_of,
        p.clevel
    );
}

fuzz_target!(|input: (u8, u8, u32, u16, u64, &[u8])| {
    let (clevel, typesize, len, less, seed, data) = input;
    let src = long(data, (SHORTEST + u64::from(len) % 150_000) as usize, &mut Draw(seed));
    let p = StreamParams {
        codec: LZ4,
        clevel: 1 + clevel % 9,
        typesize: 1 + i32::from(typesize % 16),
        ..StreamParams::default()
    };
    // Of bytes it is not known what they are made of: they are liblz4's.
    let whole = written(&p, &src, src.len() + src.len() / 255 + 16);
    let least = whole.as_ref().map_or(src.len(), Vec::len);
    for room in [src.len(), (least + 20).saturating_sub(usize::from(less % 60))] {
        let told = written(&p, &src, room);
        for made_of in MadeOf::ALL {
            assert!(
                written(&StreamParams { made_of, ..p }, &src, room) == told,
                "{made_of:?}, room for {room}"
            );
        }
        for made_of in [MadeOf::Bytes, MadeOf::Planes] {
            comes_back(&StreamParams { codec: LZ4HC, made_of, ..p }, &src, room);
        }
    }
});
