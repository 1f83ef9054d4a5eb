//! What is compressed: five kinds of data, some more that programs have, and the parameters that say how.

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

fn data(name: &'static str, typesize: usize, bytes: Vec<u8>) -> Data {
    Data { name, typesize, bytes: Rc::new(bytes) }
}

/// The five kinds, 8 MB each.
pub fn sets() -> Vec<Data> {
    vec![
        data("smooth f64", 8, smooth(NBYTES / 8)),
        data("walk i32", 4, walk(NBYTES / 4)),
        data("arange i64", 8, (0..NBYTES as i64 / 8).flat_map(i64::to_le_bytes).collect()),
        data("random bytes", 1, random(NBYTES)),
        data("elevation i16", 2, elevation(NBYTES)),
    ]
}

/// Columns of tables, 2 MB each.
pub fn columns() -> Vec<Data> {
    let n = NBYTES / 4 / 8;
    let (mut next, mut day) = (generator(11), 18_262i64);
    let mut below = move |n: u64| next() % n;
    // About normal: the sum of six dice.
    let mut normal = {
        let mut next = generator(12);
        move || (0..6).map(|_| (next() >> 11) as f64 / (1u64 << 53) as f64).sum::<f64>() - 3.0
    };
    let names: Vec<[u8; 16]> = (0..1000)
        .map(|_| {
            let mut name = [0; 16];
            let len = 3 + below(9) as usize;
            name[..len].fill_with(|| b'a' + below(26) as u8);
            name
        })
        .collect();
    vec![
        data("digits i32", 4, (0..2 * n).flat_map(|_| (below(10) as i32).to_le_bytes()).collect()),
        data("ratings i64", 8, (0..n).flat_map(|_| (1 + below(5) as i64).to_le_bytes()).collect()),
        data(
            "temperatures f64",
            8,
            (0..n).flat_map(|_| ((normal() * 200.0).round() / 10.0).to_le_bytes()).collect(),
        ),
        data("measurements f32", 4, (0..2 * n).flat_map(|_| (normal() as f32).to_le_bytes()).collect()),
        data(
            "dates i64",
            8,
            (0..n)
                .flat_map(|_| {
                    day += below(3) as i64;
                    (day * 86_400_000_000_000).to_le_bytes()
                })
                .collect(),
        ),
        data("names S16", 16, (0..n / 2).flat_map(|_| names[below(1000) as usize]).collect()),
        data("mask", 1, (0..8 * n).map(|_| u8::from(below(50) == 0)).collect()),
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
