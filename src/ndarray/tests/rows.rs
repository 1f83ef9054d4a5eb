//! Rows that are long enough to be unshuffled to their places.

use super::*;
use crate::base::cpu;
use crate::base::params::SplitMode;
use crate::chunk::{Deferred, ReadAt};
use std::ops::Range;

/// Four blocks of 9 rows of 130 items in a chunk; both are cut at the array's ends.
const SHAPE: [i64; 2] = [40, 300];
const CHUNK: [i32; 2] = [18, 260];
const BLOCK: [i32; 2] = [9, 130];

/// A filled array, and what it is filled with: bytes that make streams of every kind, but for `step` 0 runs alone.
fn filled(typesize: i32, meta: u8, codec: u8, split: SplitMode, step: usize) -> (Array, Plain) {
    let layout = Layout::new(&SHAPE, &CHUNK, &BLOCK, typesize).unwrap();
    let mut cparams = CParams {
        codec,
        typesize,
        split,
        nthreads: 2,
        blocksize: layout.block_nbytes() as i32,
        ..CParams::default()
    };
    cparams.filters[5] = FilterSlot { id: 1, meta };
    let (mut rng, mut n, typesize) = (Random::new(5), 0, typesize as usize);
    let plain = Plain::new(&SHAPE, typesize, || {
        n += 1;
        match n % typesize {
            0 => (n / typesize / 100 * step) as u8,
            1 => (rng.below(256) * step.min(1)) as u8,
            place => (n / typesize * (place % 3) * step) as u8,
        }
    });
    let mut array = Array::new(layout, cparams, Special::Zeros, &[]);
    array.write(&Region::all_of(&array.layout.clone()), &plain.bytes, &SHAPE).unwrap();
    (array, plain)
}

/// A chunk in storage.
struct Stored<'a>(&'a [u8]);

impl ReadAt for Stored<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        buf.copy_from_slice(&self.0[offset as usize..][..buf.len()]);
        Ok(())
    }
}

/// [`Array::read`] from storage.
fn read_stored(array: &Array, region: &Region, buffer: &mut [u8], shape: &[i64]) -> Result<()> {
    let open = |nchunk: i64| {
        let chunk = own_bytes(&array.chunks[nchunk as usize]);
        let deferred = Deferred::open(Box::new(Stored(chunk)), chunk.len() as u64)?;
        ChunkReader::new(ChunkSource::Deferred(deferred), &array.dparams)
    };
    let sweep = Sweep { layout: &array.layout, open: &open, nthreads: 1 };
    read::region(&sweep, region, buffer, shape)
}

/// Reads a box to the front of a larger buffer, whose other bytes must stay, from memory and from storage, and compares it with
/// that of `plain`.
fn check(array: &Array, plain: &Plain, region: &Region) {
    let (lines, len, itemsize) = (region.len(0), region.len(1), plain.itemsize);
    let shape = [lines + 1, len + 3];
    let mut got = vec![0xee; (shape[0] * shape[1]) as usize * itemsize];
    let mut stored = got.clone();
    array.read(region, &mut got, &shape).unwrap();
    read_stored(array, region, &mut stored, &shape).unwrap();
    assert!(stored == got, "{region:?} from storage");
    let row = shape[1] as usize * itemsize;
    for (n, line) in got.chunks_exact(row).enumerate() {
        let (bytes, around) = line.split_at(len as usize * itemsize);
        assert!(around.iter().all(|&byte| byte == 0xee), "around row {n}");
        let at = plain.item(&[region.start()[0] + n as i64, region.start()[1]]);
        let Some(from) = at.filter(|_| (n as i64) < lines).map(|item| item.start) else { continue };
        assert!(*bytes == plain.bytes[from..from + bytes.len()], "row {n} of {region:?}");
    }
}

#[test]
fn boxes_of_long_rows_are_those_of_a_plain_array() {
    let mut rng = Random::new(11);
    for typesize in [1, 2, 3, 4, 8, 12, 16, 17] {
        for meta in [0, 2, 4, 8] {
            for (codec, split) in
                [(0, SplitMode::Always), (1, SplitMode::Never), (1, SplitMode::Always), (5, SplitMode::Never)]
            {
                let (array, plain) = filled(typesize, meta, codec, split, 1);
                check(&array, &plain, &Region::all_of(&array.layout));
                for _ in 0..12 {
                    check(&array, &plain, &random_region(&mut rng, &SHAPE, false));
                }
                let (array, plain) = filled(typesize, meta, codec, split, 0);
                check(&array, &plain, &Region::all_of(&array.layout));
            }
        }
    }
}

#[test]
fn rows_are_unshuffled_to_their_places_where_that_is_all_there_is_to_do() {
    let suits = |typesize: i32, meta, len: usize, want: Range<usize>| {
        let (array, _) = filled(typesize, meta, 1, SplitMode::Always, 1);
        let itemsize = typesize as usize;
        array.open(0).unwrap().suits_rows(
            itemsize,
            &(want.start * itemsize..want.end * itemsize),
            len * itemsize,
        )
    };
    let (all, can) = (0..9 * 130, cpu::simd() == cpu::Simd::Avx512);
    for typesize in [2, 4, 8, 16] {
        assert_eq!(suits(typesize, 0, 130, all.clone()), can, "{typesize} bytes");
        assert_eq!(suits(typesize, 0, 130, 5 * 130..9 * 130), can, "what takes the whole block to decode");
        assert!(!suits(typesize, 0, 63, all.clone()), "short rows");
        assert!(!suits(typesize, 0, 130, 0..5 * 130), "the first half of a block");
        assert!(!suits(typesize, 0, 130, 8 * 130..9 * 130), "a row");
    }
    assert!(!suits(4, 8, 130, all.clone()), "other streams than those of items");
    assert!(!suits(17, 0, 130, all), "items of more bytes than there are kernels for");
}

#[test]
fn damaged_blocks_are_refused_as_if_they_were_decoded_in_one_piece() {
    let mut rng = Random::new(12);
    for (codec, split) in [(0, SplitMode::Always), (1, SplitMode::Always), (1, SplitMode::Never)] {
        let (mut array, _) = filled(4, 0, codec, split, 1);
        let region = Region::new(&[0, 0], &[18, 260]).unwrap();
        let whole = array.chunks[0].to_vec();
        for round in 0..400 {
            let mut damaged = whole.clone();
            for _ in 0..1 + rng.below(3) {
                let at = rng.below(own_bytes(&whole).len() - 32) + 32;
                damaged[at] =
                    if round % 2 == 0 { rng.below(256) as u8 } else { damaged[at] ^ 1 << rng.below(8) };
            }
            array.chunks[0] = CBuf::copy_of(&damaged).unwrap();
            let mut blocks = vec![0; array.layout.chunk_nbytes()];
            let decoded = array.open(0).and_then(|reader| reader.decompress(1, &mut blocks));
            let mut rows = vec![0; 18 * 260 * 4];
            let read = array.read(&region, &mut rows, &[18, 260]);
            assert_eq!(read.is_ok(), decoded.is_ok(), "round {round}");
            if read.is_ok() {
                for (n, block) in blocks.chunks_exact(array.layout.block_nbytes()).enumerate() {
                    for (i, row) in block.chunks_exact(130 * 4).enumerate() {
                        let at = ((n / 2 * 9 + i) * 260 + n % 2 * 130) * 4;
                        assert!(rows[at..][..row.len()] == *row, "row {i} of block {n} in round {round}");
                    }
                }
            }
        }
    }
}
