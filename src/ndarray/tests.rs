//! Reading and writing boxes of chunks that lie in a vector, against a plain row-major array.

use super::geometry::{Chunks, Region};
use super::layout::Layout;
use super::sweep::Sweep;
use super::write::{BoxChanges, Changes, Overlay};
use super::{read, write};
use crate::base::hooks::{Postfilter, Postfiltering};
use crate::base::params::{CParams, DParams, FilterSlot};
use crate::base::random::Random;
use crate::base::{CBuf, ErrorKind, Result};
use crate::chunk::{ChunkReader, ChunkSource, Special, special_chunk};

mod rows;

/// A plain row-major array.
#[derive(Clone)]
pub(super) struct Plain {
    pub(super) shape: Vec<i64>,
    pub(super) itemsize: usize,
    pub(super) bytes: Vec<u8>,
}

impl Plain {
    pub(super) fn new(shape: &[i64], itemsize: usize, mut byte: impl FnMut() -> u8) -> Self {
        let n = shape.iter().product::<i64>() as usize * itemsize;
        Plain { shape: shape.to_vec(), itemsize, bytes: (0..n).map(|_| byte()).collect() }
    }

    /// Where the item at `at` is, or `None` when it is outside.
    pub(super) fn item(&self, at: &[i64]) -> Option<std::ops::Range<usize>> {
        let inside = at.iter().zip(&self.shape).all(|(i, n)| (0..*n).contains(i));
        let n = at.iter().zip(&self.shape).fold(0, |sum, (i, n)| sum * n + i) as usize;
        inside.then(|| n * self.itemsize..(n + 1) * self.itemsize)
    }
}

/// Every item of a box, in row-major order.
pub(super) fn items(shape: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for &n in shape {
        all = all.iter().flat_map(|at| (0..n).map(|i| [&at[..], &[i]].concat())).collect();
    }
    all
}

pub(super) fn sum(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

struct Array {
    layout: Layout,
    chunks: Vec<CBuf>,
    cparams: CParams,
    dparams: DParams,
}

impl Array {
    fn new(layout: Layout, cparams: CParams, special: Special, value: &[u8]) -> Self {
        let nbytes = layout.chunk_nbytes();
        let chunks =
            (0..layout.nchunks()).map(|_| special_chunk(&cparams, special, value, nbytes).unwrap()).collect();
        let dparams =
            DParams { nthreads: cparams.nthreads, typesize: layout.typesize(), ..DParams::default() };
        Array { layout, chunks, cparams, dparams }
    }

    fn open(&self, nchunk: i64) -> Result<ChunkReader<'_>> {
        ChunkReader::new(ChunkSource::Bytes(&self.chunks[nchunk as usize]), &self.dparams)
    }

    fn read(&self, region: &Region, buffer: &mut [u8], shape: &[i64]) -> Result<()> {
        let open = |nchunk| self.open(nchunk);
        let sweep = Sweep { layout: &self.layout, open: &open, nthreads: self.dparams.nthreads as usize };
        read::region(&sweep, region, buffer, shape)
    }

    fn write(&mut self, region: &Region, bytes: &[u8], shape: &[i64]) -> Result<()> {
        let layout = self.layout.clone();
        let changes = BoxChanges { layout: &layout, chunks: Chunks::new(&layout, region), bytes, shape };
        for n in 0..changes.nparts() {
            let (overlay, nchunk) = (changes.overlay(n, 1)?, changes.nchunk(n));
            let old = if overlay.is_whole() { None } else { Some(self.open(nchunk)?) };
            let chunk = write::compress(CBuf::empty(), &layout, old.as_ref(), &overlay, &self.cparams)?;
            drop(old);
            self.chunks[nchunk as usize] = chunk;
        }
        Ok(())
    }
}

fn random_layout(rng: &mut Random) -> Layout {
    let ndim = rng.below(5);
    let largest = [1, 60, 25, 12, 6][ndim];
    let shape: Vec<i64> = (0..ndim).map(|_| 1 + rng.below_i64(largest)).collect();
    let chunk: Vec<i32> = (0..ndim).map(|_| 1 + rng.below_i64(largest + 2) as i32).collect();
    let block: Vec<i32> = chunk.iter().map(|&c| 1 + rng.below_i64(i64::from(c) + 1) as i32).collect();
    let typesize = [1, 2, 3, 4, 8, 16, 17, 300][rng.below(8)];
    Layout::new(&shape, &chunk, &block, typesize).unwrap()
}

fn random_cparams(rng: &mut Random, layout: &Layout) -> CParams {
    let mut cparams = CParams {
        codec: [0, 1, 5][rng.below(3)],
        clevel: [0, 1, 5, 9][rng.below(4)],
        typesize: layout.typesize(),
        nthreads: 1 + rng.below(3) as i16,
        blocksize: layout.block_nbytes() as i32,
        ..CParams::default()
    };
    // None, shuffle, bitshuffle, delta with shuffle.
    cparams.filters[5] = FilterSlot { id: rng.below(3) as u8, meta: 0 };
    if rng.below(4) == 0 {
        cparams.filters[4].id = 3;
    }
    if rng.below(8) == 0 {
        // Blocks that are not the array's.
        cparams.blocksize = 0;
    }
    cparams
}

fn random_region(rng: &mut Random, shape: &[i64], past_the_end: bool) -> Region {
    let extra = if past_the_end { 4 } else { 1 };
    let stop: Vec<i64> = shape
        .iter()
        .map(|&n| if rng.below(3) == 0 { n + extra - 1 } else { rng.below_i64(n + extra) })
        .collect();
    let start: Vec<i64> =
        stop.iter().map(|&n| if rng.below(3) == 0 { 0 } else { rng.below_i64(n + 1) }).collect();
    Region::new(&start, &stop).unwrap()
}

#[test]
fn boxes_are_those_of_a_plain_array() {
    let mut rng = Random::new(3);
    for _ in 0..150 {
        let layout = random_layout(&mut rng);
        let cparams = random_cparams(&mut rng, &layout);
        let (ndim, itemsize) = (layout.ndim(), layout.typesize() as usize);
        let value = rng.bytes(itemsize);
        let (special, item) = match rng.below(3) {
            0 => (Special::Zeros, vec![0; itemsize]),
            1 => (Special::Value, value),
            _ => (Special::Uninit, vec![0; itemsize]),
        };
        let mut array = Array::new(layout.clone(), cparams, special, &item);
        let mut n = 0;
        let mut model = Plain::new(layout.shape(), itemsize, || {
            n += 1;
            item[(n - 1) % itemsize]
        });
        for _ in 0..6 {
            // A buffer that may be larger than the box, of data that is easy or hard to compress.
            let region = random_region(&mut rng, layout.shape(), true);
            let shape: Vec<i64> = (0..ndim).map(|d| region.len(d) + rng.below_i64(3)).collect();
            let hard = rng.below(2) == 0;
            let new = Plain::new(&shape, itemsize, || if hard { rng.below(256) as u8 } else { 7 });
            array.write(&region, &new.bytes, &shape).unwrap();
            for at in items(&region.shape()[..ndim]) {
                if let Some(to) = model.item(&sum(&at, region.start())) {
                    model.bytes[to].copy_from_slice(&new.bytes[new.item(&at).unwrap()]);
                }
            }
            // Read another box.
            let region = random_region(&mut rng, layout.shape(), true);
            let shape: Vec<i64> = (0..ndim).map(|d| region.len(d) + rng.below_i64(3)).collect();
            let mut got = Plain::new(&shape, itemsize, || 0xee);
            let mut want = got.clone();
            array.read(&region, &mut got.bytes, &shape).unwrap();
            for at in items(&region.shape()[..ndim]) {
                let to = want.item(&at).unwrap();
                if let Some(from) = model.item(&sum(&at, region.start())) {
                    want.bytes[to].copy_from_slice(&model.bytes[from]);
                }
            }
            assert_eq!(got.bytes, want.bytes, "{region:?} of {layout:?}");
        }
        let mut all = vec![0xee; model.bytes.len()];
        array.read(&Region::all_of(&layout), &mut all, layout.shape()).unwrap();
        assert_eq!(all, model.bytes);
    }
}

/// A chunk without what stands behind it in its buffer, which may be anything.
fn own_bytes(chunk: &[u8]) -> &[u8] {
    let cbytes = chunk[12..16].first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    &chunk[..cbytes.unwrap() as usize]
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut rng = Random::new(9);
    let layout = Layout::new(&[300, 300], &[70, 90], &[32, 20], 4).unwrap();
    let data = Plain::new(layout.shape(), 4, || rng.below(5) as u8);
    let mut chunks = Vec::new();
    for nthreads in [1, 4] {
        let cparams =
            CParams { typesize: 4, nthreads, blocksize: layout.block_nbytes() as i32, ..CParams::default() };
        let mut array = Array::new(layout.clone(), cparams, Special::Zeros, &[]);
        array.write(&Region::all_of(&layout), &data.bytes, layout.shape()).unwrap();
        let mut all = vec![0; data.bytes.len()];
        array.read(&Region::all_of(&layout), &mut all, layout.shape()).unwrap();
        assert_eq!(all, data.bytes);
        chunks.push(array.chunks.iter().map(|chunk| own_bytes(chunk).to_vec()).collect::<Vec<_>>());
    }
    assert!(chunks[0] == chunks[1]);
}

#[test]
fn a_chunk_does_not_depend_on_how_its_items_lie_in_the_buffer() {
    // Chunks whose blocks stand one behind the other in a buffer of their own width, and do not in a wider one.
    let (shape, wider, chunkshape) = ([60, 40], [60, 41], [30, 40]);
    for (blockshape, in_one_piece) in [([10, 40], true), ([1, 40], true), ([7, 40], false), ([10, 20], false)]
    {
        let narrow = Layout::new(&shape, &chunkshape, &blockshape, 4).unwrap();
        let region = Region::all_of(&narrow);
        for value in [Some(0), Some(7), None] {
            let mut rng = Random::new(3);
            let data = Plain::new(&shape, 4, || value.unwrap_or_else(|| rng.below(5) as u8));
            let mut wide = Plain::new(&wider, 4, || 99);
            for at in items(&shape) {
                let (from, to) = (data.item(&at).unwrap(), wide.item(&at).unwrap());
                wide.bytes[to].copy_from_slice(&data.bytes[from]);
            }
            for (codec, clevel) in [(0, 5), (1, 5), (1, 0), (5, 1)] {
                let blocksize = narrow.block_nbytes() as i32;
                let cparams = CParams { codec, clevel, typesize: 4, blocksize, ..CParams::default() };
                let pieces = |bytes, shape| {
                    let changes =
                        BoxChanges { layout: &narrow, chunks: Chunks::new(&narrow, &region), bytes, shape };
                    let overlay = changes.overlay(1, 1).unwrap();
                    let chunk = write::compress(CBuf::empty(), &narrow, None, &overlay, &cparams).unwrap();
                    (overlay.in_one_piece().map(<[u8]>::to_vec), chunk)
                };
                let (piece, chunk) = pieces(&data.bytes, &shape);
                assert_eq!(
                    piece.as_deref(),
                    in_one_piece.then(|| &data.bytes[4 * 30 * 40..]),
                    "{blockshape:?}"
                );
                let (piece, same) = pieces(&wide.bytes, &wider);
                assert_eq!(piece, None);
                let end = ChunkReader::new(ChunkSource::Bytes(&chunk), &DParams::default())
                    .unwrap()
                    .header()
                    .cbytes();
                assert!(chunk[..end] == same[..end], "{blockshape:?} {value:?} {codec} {clevel}");
            }
        }
    }
}

#[test]
fn padding_is_zero() {
    let layout = Layout::new(&[5, 5], &[3, 4], &[2, 3], 1).unwrap();
    let cparams = CParams { typesize: 1, blocksize: 6, ..CParams::default() };
    let mut array = Array::new(layout.clone(), cparams, Special::Value, &[9]);
    array.write(&Region::all_of(&layout), &[1; 25], &[5, 5]).unwrap();
    let mut chunk = [7; 24];
    array.open(3).unwrap().decompress(1, &mut chunk).unwrap();
    // Items (3..5, 4..5) of the array, in block 0 of the last chunk.
    let mut want = [0; 24];
    (want[0], want[3]) = (1, 1);
    assert_eq!(chunk, want);
}

#[test]
fn chunks_of_another_size_are_refused() {
    let layout = Layout::new(&[8], &[4], &[2], 1).unwrap();
    let mut array =
        Array::new(layout.clone(), CParams { typesize: 1, ..CParams::default() }, Special::Zeros, &[]);
    for nbytes in [3, 5] {
        array.chunks[1] = special_chunk(&array.cparams, Special::Zeros, &[], nbytes).unwrap();
        let mut buffer = [0; 8];
        let all = Region::all_of(&layout);
        assert_eq!(array.read(&all, &mut buffer, &[8]).unwrap_err().kind(), ErrorKind::Data);
        let some = Region::new(&[3], &[5]).unwrap();
        assert_eq!(array.write(&some, &[1, 2], &[2]).unwrap_err().kind(), ErrorKind::Data);
        array.read(&Region::new(&[0], &[4]).unwrap(), &mut buffer, &[8]).unwrap();
    }
}

#[test]
fn buffers_that_are_too_small_are_refused() {
    let layout = Layout::new(&[8, 8], &[4, 4], &[2, 2], 2).unwrap();
    let mut array =
        Array::new(layout.clone(), CParams { typesize: 2, ..CParams::default() }, Special::Zeros, &[]);
    let region = Region::new(&[1, 1], &[4, 4]).unwrap();
    for (len, shape) in [(17, [3, 3]), (99, [2, 3]), (99, [3, 2]), (21, [3, 4])] {
        let mut buffer = vec![0; len];
        let read = array.read(&region, &mut buffer, &shape);
        assert_eq!(read.unwrap_err().kind(), ErrorKind::InvalidParam);
        let written = array.write(&region, &buffer, &shape);
        assert_eq!(written.unwrap_err().kind(), ErrorKind::InvalidParam);
    }
    // The last row need not be complete.
    array.read(&region, &mut [0; 22], &[3, 4]).unwrap();
    array.write(&region, &[0; 22], &[3, 4]).unwrap();
}

/// More chunks than are looked at in one go.
#[test]
fn many_small_chunks() {
    let layout = Layout::new(&[5000], &[3], &[2], 1).unwrap();
    let data: Vec<u8> = (0..5000u32).map(|i| ((i * i) >> 3) as u8).collect();
    for nthreads in [1, 2, 5] {
        let cparams = CParams { typesize: 1, nthreads, blocksize: 2, ..CParams::default() };
        let mut array = Array::new(layout.clone(), cparams, Special::Zeros, &[]);
        array.write(&Region::all_of(&layout), &data, &[5000]).unwrap();
        let mut out = vec![0; 4990];
        array.read(&Region::new(&[4], &[4994]).unwrap(), &mut out, &[4990]).unwrap();
        assert_eq!(out, data[4..4994]);
        // A chunk that cannot be read is the one that is named, whoever comes to it.
        array.chunks[1111] = special_chunk(&array.cparams, Special::Zeros, &[], 5).unwrap();
        array.chunks[1400] = special_chunk(&array.cparams, Special::Zeros, &[], 5).unwrap();
        let failed = array.read(&Region::all_of(&layout), &mut vec![0; 5000], &[5000]).unwrap_err();
        assert!(failed.what().starts_with("chunk 1111"), "{failed}");
    }
}

/// Hands out what it gets.
struct Untouched;

impl Postfilter for Untouched {
    fn apply(&self, block: Postfiltering<'_>) -> Result<()> {
        block.output.copy_from_slice(block.input);
        Ok(())
    }
}

/// Some bytes of every block are no reason for a second thread where all of them are.
#[test]
fn threads_are_for_what_is_decoded() {
    let mut rng = Random::new(3);
    let layout = Layout::new(&[512, 512], &[512, 512], &[64, 64], 4).unwrap();
    let data: Vec<u8> = (0..layout.chunk_nbytes()).map(|_| rng.below(2) as u8).collect();
    let cparams = CParams { typesize: 4, blocksize: layout.block_nbytes() as i32, ..CParams::default() };
    let cparams = CParams { codec: 1, ..cparams };
    let mut array = Array::new(layout.clone(), cparams, Special::Zeros, &[]);
    let threads = |array: &Array, nthreads: usize, len: usize| {
        let open = |nchunk: i64| array.open(nchunk);
        let sweep = Sweep { layout: &layout, open: &open, nthreads };
        sweep.threads(&array.open(0).unwrap(), layout.nblocks(), |_| 0..len)
    };
    let block = layout.block_nbytes();
    // Zeros are quick.
    assert_eq!(threads(&array, 2, block), 1);
    array.write(&Region::all_of(&layout), &data, layout.shape()).unwrap();
    assert_eq!(threads(&array, 2, block), 2);
    assert_eq!(threads(&array, 1, block), 1);
    assert_eq!(threads(&array, 2, 4), 1);
    assert_eq!(threads(&array, 2, block / 16), 1);
    array.dparams.postfilter = Some(std::sync::Arc::new(Untouched));
    assert_eq!(threads(&array, 2, 4), 2);
}
