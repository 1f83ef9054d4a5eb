//! Any bytes as an array: opened, and slices read and written.
#![no_main]

use blosc2::base::CBuf;
use blosc2::base::params::CParams;
use blosc2::ndarray::NdArray;
use blosc2::schunk::SuperChunk;
use libfuzzer_sys::fuzz_target;
use oxiblosc2_fuzz::{Draw, MOST, with_buffers};

fuzz_target!(|input: (u64, &[u8])| {
    let (mut draw, bytes) = (Draw(input.0), input.1);
    let Ok(frame) = CBuf::copy_of(bytes) else { return };
    let Ok(mut array) = NdArray::from_cframe(frame) else { return };
    let layout = array.layout();
    // Each change looks through the list of chunks, of which an index of a few bytes may tell of millions.
    if layout.chunk_nbytes() > MOST || layout.nchunks() > 1000 || array.schunk().nchunks() > 10_000 {
        return;
    }
    let start: Vec<i64> = layout.shape().iter().map(|&n| draw.below(n)).collect();
    let shape: Vec<i64> =
        layout.shape().iter().zip(&start).map(|(&n, &at)| 1 + draw.below((n - at).min(8))).collect();
    let stop: Vec<i64> = start.iter().zip(&shape).map(|(at, n)| at + n).collect();
    let nitems = shape.iter().try_fold(1usize, |all, &n| all.checked_mul(n as usize));
    let nbytes = nitems.and_then(|n| n.checked_mul(layout.typesize() as usize));
    let Some(nbytes) = nbytes.filter(|n| *n <= MOST) else { return };
    with_buffers(|first, again| {
        let whole = array.layout().nbytes() as usize;
        if let Some(all) = first.get_mut(..whole) {
            let _ = array.to_buffer(all);
        }
        let (first, again) = (&mut first[..nbytes], &mut again[..nbytes]);
        let _ = array.get_slice(&start, &stop, first, &shape);
        if draw.one_in(2) {
            first.fill(7);
            let inside = stop.iter().zip(array.shape()).all(|(stop, n)| stop <= n);
            let comparable = inside && is_lossless(array.schunk().cparams()) && apart(array.schunk());
            if array.set_slice(first, &shape, &start, &stop).is_ok()
                && array.get_slice(&start, &stop, again, &shape).is_ok()
                && comparable
            {
                assert!(first == again);
            }
        }
    });
});

/// Whether codec and filters are among those that keep every bit.
fn is_lossless(cparams: &CParams) -> bool {
    cparams.codec <= 5 && cparams.filters.iter().all(|filter| filter.id <= 3)
}

/// Whether no two chunks share bytes, as they may in a frame that somebody made so: a change of one is one of the other.
fn apart(schunk: &SuperChunk) -> bool {
    let Ok(Some(offsets)) = schunk.offsets() else { return true };
    let stored = (0..).zip(offsets).filter(|(_, offset)| *offset >= 0);
    let extent = |(n, start)| Some((start, start + schunk.chunk_header(n).ok()?.cbytes() as i64));
    let Some(mut extents) = stored.map(extent).collect::<Option<Vec<_>>>() else { return false };
    extents.sort_unstable();
    extents.windows(2).all(|pair| pair[0].1 <= pair[1].0)
}
