//! Streams and blocks, and the places that they go to, end where a page begins that nobody may touch: kernels read and write
//! no byte too many, be the streams damaged or not.
#![cfg(unix)]
#![allow(unsafe_code)] // memory maps

mod common;

use blosc2::base::cpu::Simd;
use blosc2::codec::{self, BLOSCLZ, LZ4, MadeOf, State, StreamParams};
use blosc2::filter::shuffle::{shuffle_at, unshuffle_at};
use common::Rng;
use std::ops::{Deref, DerefMut};
use std::ptr::{NonNull, null_mut};

const PAGE: usize = 4096;
const MOST: usize = 64 * PAGE;

/// [`MOST`] bytes, with a page behind and one before them that end the process when they are touched.
struct Guarded(NonNull<u8>);

impl Guarded {
    fn new() -> Guarded {
        // SAFETY: a new mapping, of which the inner pages are made accessible.
        unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let start = libc::mmap(null_mut(), MOST + 2 * PAGE, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(start, libc::MAP_FAILED);
            let inner = start.cast::<u8>().add(PAGE);
            assert_eq!(libc::mprotect(inner.cast(), MOST, libc::PROT_READ | libc::PROT_WRITE), 0);
            Guarded(NonNull::new(inner).unwrap())
        }
    }

    /// The last `len` bytes.
    fn last(&mut self, len: usize) -> &mut [u8] {
        &mut self[MOST - len..]
    }
}

impl Deref for Guarded {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: so many bytes are there, and belong to this.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr(), MOST) }
    }
}

impl DerefMut for Guarded {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_ptr(), MOST) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`, once.
        unsafe { libc::munmap(self.0.as_ptr().sub(PAGE).cast(), MOST + 2 * PAGE) };
    }
}

/// Bytes that repeat what was before, from near and far, between fresh ones; or, with a long period, hardly anything else.
fn data(rng: &mut Rng, n: usize) -> Vec<u8> {
    let begins = 1 + rng.below(40);
    let mut data = rng.bytes(begins.min(n));
    let (far, long) = (1 + rng.below(n), 2 + rng.below(10));
    while data.len() < n {
        let farthest = data.len().min(far);
        let from = data.len() - 1 - rng.below(farthest);
        let len = 4 + rng.below(1 << long);
        (from..from + len).for_each(|at| data.push(data[at]));
        let fresh = rng.below(3) * rng.below(30);
        data.extend(rng.bytes(fresh));
    }
    data.truncate(n);
    data
}

fn damage(rng: &mut Rng, stream: &mut Vec<u8>) {
    let at = rng.below(stream.len());
    match rng.below(4) {
        0 => stream.truncate(1 + at),
        1 => stream[at] = 255,
        _ => stream[at] = rng.next() as u8,
    }
}

#[test]
fn streams_are_read_within_their_bounds() {
    let (mut st, mut rng) = (State::default(), Rng::new(41));
    let (mut source, mut place) = (Guarded::new(), Guarded::new());
    let mut read = 0;
    for round in 0..3000 {
        let n = if round % 10 == 0 { 1 + rng.below(MOST / 2) } else { 1 + rng.below(600) };
        let data = data(&mut rng, n);
        for codec in [BLOSCLZ, LZ4] {
            let p = StreamParams { codec, clevel: 5, typesize: 8, ..StreamParams::default() };
            let mut packed = vec![0; n];
            let len = codec::compress(&p, &mut st, &data, &mut packed).unwrap();
            if len == 0 {
                continue;
            }
            packed.truncate(len);
            for p in MadeOf::ALL.map(|made_of| StreamParams { made_of, ..p }) {
                let mut stream = packed.clone();
                for damaged in 0..4 {
                    let src = source.last(stream.len());
                    src.copy_from_slice(&stream);
                    let told = codec::decompress(&p, &mut st, src, place.last(n));
                    assert!(damaged > 0 || told.is_ok() && *place.last(n) == data[..]);
                    read += usize::from(told.is_ok());
                    let enough = rng.below(n + 1);
                    let _ = codec::decompress_front(&p, &mut st, src, place.last(n), enough);
                    // Lent as much as there may be behind.
                    for lent in [1, 31, 32, 64, 100] {
                        let (src, dst) = (source.last(stream.len() + lent), place.last(n + lent));
                        src[..stream.len()].copy_from_slice(&stream);
                        let told = codec::decompress_lent(&p, &mut st, (src, stream.len()), (dst, n));
                        assert!(damaged > 0 || told.is_ok() && dst[..n] == data[..]);
                    }
                    damage(&mut rng, &mut stream);
                }
            }
        }
    }
    assert!(read > 1000, "{read}");
}

#[test]
fn blocks_are_shuffled_within_their_bounds() {
    let (mut source, mut place, mut back) = (Guarded::new(), Guarded::new(), Guarded::new());
    let mut rng = Rng::new(42);
    for level in Simd::ALL {
        for typesize in [2, 3, 4, 7, 8, 12, 16, 24, 33] {
            for items in (1..70).chain([127, 128, 129, 500]) {
                let n = items * typesize;
                let data = rng.bytes(n);
                source.last(n).copy_from_slice(&data);
                shuffle_at(level, typesize, source.last(n), place.last(n));
                unshuffle_at(level, typesize, place.last(n), back.last(n));
                assert!(*back.last(n) == data[..], "{level:?}, {items} items of {typesize} bytes");
                // And what is before the first byte.
                let (from, to) = (&mut source[..n], &mut place[..n]);
                from.copy_from_slice(&data);
                shuffle_at(level, typesize, from, to);
                unshuffle_at(level, typesize, to, &mut back[..n]);
                assert!(back[..n] == data[..], "{level:?}, {items} items of {typesize} bytes");
            }
        }
    }
}
