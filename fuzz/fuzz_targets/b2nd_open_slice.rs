//! Any bytes as an array: opened, and sliced.
#![no_main]

use blosc2::base::CBuf;
use blosc2::ndarray::NdArray;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u64, &[u8])| {
    let (mut pick, bytes) = input;
    let Ok(frame) = CBuf::copy_of(bytes) else { return };
    let Ok(array) = NdArray::from_cframe(frame) else { return };
    let layout = array.layout();
    if layout.chunk_nbytes() > 1 << 20 {
        return;
    }
    let mut draw = |n: i64| {
        pick = pick.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (pick >> 33) as i64 % n.max(1)
    };
    let start: Vec<i64> = layout.shape().iter().map(|&n| draw(n)).collect();
    let shape: Vec<i64> =
        layout.shape().iter().zip(&start).map(|(&n, &at)| 1 + draw((n - at).min(8))).collect();
    let stop: Vec<i64> = start.iter().zip(&shape).map(|(at, n)| at + n).collect();
    let nitems = shape.iter().try_fold(1usize, |all, &n| all.checked_mul(n as usize));
    let Some(nbytes) = nitems.and_then(|n| n.checked_mul(layout.typesize() as usize)) else { return };
    if nbytes <= 1 << 20 {
        let _ = array.get_slice(&start, &stop, &mut vec![0; nbytes], &shape);
    }
});
