//! What is compressed: five kinds of data, and the parameters that say how.

use blosc2::capi::types::{blosc2_cparams, blosc2_dparams};
use blosc2::ndarray::NdArray;
use std::rc::Rc;

/// Bytes of a data set.
pub const NBYTES: usize = 8 << 20;

/// Items with a name and a size.
#[derive(Clone)]
pub struct Data {
    pub name: &'static str,
    pub typesize: usize,
    pub bytes: Rc<Vec<u8>>,
}

/// The five kinds, 8 MB each.
pub fn sets() -> Vec<Data> {
    let data = |name, typesize, bytes| Data { name, typesize, bytes: Rc::new(bytes) };
    vec![
        data("smooth f64", 8, smooth(NBYTES / 8)),
        data("walk i32", 4, walk(NBYTES / 4)),
        data("arange i64", 8, (0..NBYTES as i64 / 8).flat_map(i64::to_le_bytes).collect()),
        data("random bytes", 1, random(NBYTES)),
        data("elevation i16", 2, elevation(NBYTES)),
    ]
}

fn smooth(n: usize) -> Vec<u8> {
    (0..n).flat_map(|k| ((k as f64 * 1e-4).sin() * 100.0 + k as f64 * 1e-3).to_le_bytes()).collect()
}

/// A random walk: each step at most 8 away from the last.
pub fn walk(n: usize) -> Vec<u8> {
    let (mut at, mut next) = (0i32, generator(7));
    (0..n)
        .flat_map(|_| {
            at += (next() >> 60) as i32 - 8;
            at.to_le_bytes()
        })
        .collect()
}

fn random(n: usize) -> Vec<u8> {
    let mut next = generator(3);
    (0..n / 8).flat_map(|_| next().to_le_bytes()).collect()
}

/// Heights of real ground (examples/data), again and again.
fn elevation(n: usize) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/jacksboro.b2nd");
    let array = NdArray::open(path).expect("the example's data");
    let mut heights = vec![0; 2 * array.shape().iter().product::<i64>() as usize];
    array.to_buffer(&mut heights).expect("readable");
    heights.iter().copied().cycle().take(n).collect()
}

/// Reproducible random numbers (xorshift64*).
pub fn generator(seed: u64) -> impl FnMut() -> u64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        x.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

pub const CODECS: [&str; 6] = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"];

/// The library's defaults but for what is given.
pub fn cparams(codec: &str, clevel: u8, filter: u8, typesize: usize, nthreads: i16) -> blosc2_cparams {
    let compcode = CODECS.iter().position(|name| *name == codec).expect("a codec's name") as u8;
    blosc2_cparams {
        compcode,
        compcode_meta: 0,
        clevel,
        use_dict: 0,
        typesize: typesize as i32,
        nthreads,
        blocksize: 0,
        splitmode: 4, // forward compatible
        schunk: std::ptr::null_mut(),
        filters: [0, 0, 0, 0, 0, filter],
        filters_meta: [0; 6],
        prefilter: None,
        preparams: std::ptr::null_mut(),
        tuner_params: std::ptr::null_mut(),
        tuner_id: 0,
        instr_codec: false,
        codec_params: std::ptr::null_mut(),
        filter_params: [std::ptr::null_mut(); 6],
    }
}

pub fn dparams(nthreads: i16, typesize: usize) -> blosc2_dparams {
    blosc2_dparams {
        nthreads,
        schunk: std::ptr::null_mut(),
        postfilter: None,
        postparams: std::ptr::null_mut(),
        typesize: typesize as i32,
    }
}
