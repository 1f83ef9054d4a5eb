//! Any bytes, written as frames of Zstandard at all levels, in short ones mostly: what comes out is read as what went in, by libzstd and
//! by what we read ourselves, also where there is too little room for more.
#![no_main]

use blosc2::codec::{self, MadeOf, State, StreamParams, ZSTD};
use libfuzzer_sys::fuzz_target;
use oxiblosc2_fuzz::{Draw, by_libzstd, long};
use std::cell::RefCell;

thread_local! {
    /// What looks have told goes from one stream to the next, and must not spoil any.
    static STATE: RefCell<State> = RefCell::default();
}

fuzz_target!(|input: (u8, u8, u16, u16, u64, &[u8])| {
    let (how, typesize, len, less, seed, data) = input;
    // Three of four are no longer than what is written here.
    let most = if how >> 6 == 3 { 20_000 } else { 2_100 };
    let src = long(data, usize::from(len) % most, &mut Draw(seed));
    let made_of = MadeOf::ALL[usize::from(how >> 3) % MadeOf::ALL.len()];
    let clevel = 1 + (how & 7) % 6;
    let p = StreamParams {
        codec: ZSTD,
        clevel,
        typesize: 1 + i32::from(typesize % 16),
        made_of,
        ..StreamParams::default()
    };
    let mut room = src.len() + 100;
    for _ in 0..2 {
        let mut stream = vec![0; room];
        let written = STATE.with_borrow_mut(|state| codec::compress(&p, state, &src, &mut stream));
        let written = written.expect("libzstd takes all");
        assert!(written <= room);
        if written > 0 {
            stream.truncate(written);
            assert!(by_libzstd(&stream, src.len()).as_ref() == Some(&src), "as libzstd reads it");
            let mut back = vec![1; src.len()];
            let read = STATE.with_borrow_mut(|state| codec::decompress(&p, state, &stream, &mut back));
            assert!(matches!(read, Ok(len) if len == src.len()) && back == src);
        }
        room = if written > 0 { written } else { src.len() }.saturating_sub(usize::from(less % 8));
    }
});
