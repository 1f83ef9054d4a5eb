//! What the fuzzers share.
//!
//! Executions are what counts, so limits are low: an input that declares more than [`MOST`] bytes is passed over, and
//! buffers of that size are made once. `tests/mutation/` writes the first inputs; where a target draws from a number what
//! it does, the input begins with the number's eight bytes.

use blosc2::base::params::{CParams, DParams};
use blosc2::chunk::{self, ChunkReader, ChunkSource};
use std::cell::RefCell;

/// Decompressed bytes that a fuzzer asks for; a header can promise more.
pub const MOST: usize = 1 << 14;

thread_local! {
    static BUFFERS: RefCell<[Vec<u8>; 2]> = RefCell::new([vec![0; MOST], vec![0; MOST]]);
}

/// Two buffers of [`MOST`] bytes, with anything in them.
pub fn with_buffers<R>(work: impl FnOnce(&mut [u8], &mut [u8]) -> R) -> R {
    BUFFERS.with_borrow_mut(|[one, two]| work(one, two))
}

/// Numbers that an input's first bytes decide.
pub struct Draw(pub u64);

impl Draw {
    /// A number in `0..n`; 0 when there is none.
    pub fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as i64 % n.max(1)
    }

    /// One of `n` times.
    pub fn one_in(&mut self, n: i64) -> bool {
        self.below(n) == 0
    }
}

/// Bytes of which there are enough: some of `data` in a row, again and again, and now and then a number that counts.
pub fn long(data: &[u8], len: usize, draw: &mut Draw) -> Vec<u8> {
    let mut long = Vec::with_capacity(len);
    while long.len() < len && !data.is_empty() {
        let begin = draw.below(data.len() as i64) as usize;
        let piece = &data[begin..];
        let count = 1 + draw.below(piece.len().min(300) as i64) as usize;
        long.extend_from_slice(&piece[..count.min(piece.len())]);
        if draw.one_in(3) {
            long.extend_from_slice(&(long.len() as u32 / 64).to_le_bytes());
        }
    }
    long.truncate(len);
    long
}

/// What a frame of Zstandard holds, as libzstd reads it: no more than `room`.
pub fn by_libzstd(src: &[u8], room: usize) -> Option<Vec<u8>> {
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

/// Compresses `data`, where that is possible, and panics unless it comes back.
pub fn comes_back(cparams: &CParams, data: &[u8]) {
    let Ok(packed) = chunk::compress_to_cbuf(cparams, data) else { return };
    assert!(packed.len() <= data.len() + 32);
    let dparams = DParams::default();
    let mut back = vec![0; data.len()];
    let reader = ChunkReader::new(ChunkSource::Bytes(&packed), &dparams).expect("our own chunk opens");
    reader.decompress(1, &mut back).expect("our own chunk is read");
    assert!(back == data);
}
