//! Any bytes as a stream of deflate: read as `zlib-rs` reads them, and refused where it refuses.
#![no_main]

use blosc2::codec::{self, State, StreamParams, ZLIB};
use libfuzzer_sys::fuzz_target;
use zlib_rs::{Inflate, InflateFlush, Status};

/// What a wrapper begins with.
const HEADER: [u8; 2] = [0x78, 0x9c];

/// How many bytes of `src` are a stream, and what it holds: no more than `room`.
fn by_library(src: &[u8], room: usize) -> Option<(usize, Vec<u8>)> {
    let (mut inflate, mut dst) = (Inflate::new(false, 15), vec![0; room]);
    let status = inflate.decompress(src, &mut dst, InflateFlush::Finish).ok()?;
    dst.truncate(inflate.total_out() as usize);
    (status == Status::StreamEnd).then(|| (inflate.total_in() as usize, dst))
}

fuzz_target!(|input: (u16, &[u8])| {
    let (room, src) = (usize::from(input.0 & 0x3fff) >> (2 * (input.0 >> 14)), input.1);
    let (mut st, mut dst) = (State::default(), vec![0; room]);
    let p = StreamParams { codec: ZLIB, ..StreamParams::default() };
    let begun = [&HEADER[..], src].concat();
    match by_library(src, room) {
        Some((end, theirs)) => {
            let sum = zlib_rs::adler32::adler32(1, &theirs).to_be_bytes();
            let stream = [&begun[..HEADER.len() + end], &sum].concat();
            assert_eq!(codec::decompress(&p, &mut st, &stream, &mut dst).ok(), Some(theirs.len()));
            assert!(dst.starts_with(&theirs));
            for enough in [0, theirs.len() / 3, theirs.len() * 2 / 3, theirs.len()] {
                dst.fill(0xee);
                codec::decompress_front(&p, &mut st, &begun, &mut dst, enough).expect("has a front");
                assert!(dst[..enough] == theirs[..enough]);
                assert!(
                    dst[enough..].iter().all(|byte| *byte == 0xee),
                    "more than {enough} bytes were written"
                );
            }
        }
        None => {
            // With the right checksum of what is read, as far as that goes. It may be what the stream wanted.
            for len in (0..room).step_by(1 + room / 16) {
                if codec::decompress_front(&p, &mut st, &begun, &mut dst, len).is_err() {
                    break;
                }
                let sum = zlib_rs::adler32::adler32(1, &dst[..len]).to_be_bytes();
                let stream = [&begun[..], &sum].concat();
                if codec::decompress(&p, &mut st, &stream, &mut dst).is_ok() {
                    assert!(by_library(&stream[HEADER.len()..], room).is_some());
                }
            }
        }
    }
});
