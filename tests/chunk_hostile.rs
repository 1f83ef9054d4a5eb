//! Damaged chunks give bytes or an error: every header byte in every value, bits flipped everywhere, cut anywhere.

mod common;

use blosc2::base::params::{CParams, DParams, FilterSlots, SplitMode};
use blosc2::base::{Error, Result};
use blosc2::chunk::{
    self, ChunkHeader, ChunkReader, ChunkSource, Deferred, PlainChunk, ReadAt, Special, vlblocks,
};
use common::Rng;

/// What a reader may be asked to allocate here; a header can promise more, and does.
const MOST: usize = 1 << 20;

fn params(codec: u8, typesize: i32, ids: [u8; 2]) -> CParams {
    let mut filters = FilterSlots::default();
    (filters[4].id, filters[5].id) = (ids[0], ids[1]);
    CParams { codec, typesize, filters, blocksize: 256, split: SplitMode::Auto, ..CParams::default() }
}

/// A chunk of every sort.
fn chunks() -> Vec<Vec<u8>> {
    let src: Vec<u8> = (0..300u32).flat_map(|i| (i / 7 * 1001).to_le_bytes()).collect();
    let noise = Rng::new(5).bytes(1200);
    let mixed: Vec<u8> = src.iter().zip(&noise).map(|(a, b)| if a & 3 == 0 { *a } else { *b }).collect();
    let mut chunks = Vec::new();
    for codec in [0, 1, 4, 5] {
        for ids in [[0, 0], [0, 1], [0, 2], [3, 2]] {
            chunks.push(chunk::compress_to_cbuf(&params(codec, 4, ids), &src).unwrap().to_vec());
            chunks.push(chunk::compress_to_cbuf(&params(codec, 4, ids), &src[..256]).unwrap().to_vec());
        }
    }
    chunks.push(chunk::compress_to_cbuf(&params(1, 4, [3, 1]), &mixed).unwrap().to_vec());
    chunks.push(chunk::compress_to_cbuf(&params(1, 4, [0, 1]), &noise).unwrap().to_vec());
    let blosc1 = CParams { blosc1_header: true, ..params(1, 4, [0, 1]) };
    chunks.push(chunk::compress_to_cbuf(&blosc1, &src).unwrap().to_vec());
    let blocks = [&src[..500], &noise[..40], &src[..7]];
    chunks.push(vlblocks::vl_compress_to_cbuf(&params(1, 4, [0, 1]), &blocks).unwrap().to_vec());
    for special in [Special::Zeros, Special::Nans, Special::Value, Special::Uninit] {
        chunks.push(chunk::special_chunk(&params(1, 4, [0, 1]), special, b"item", 1200).unwrap().to_vec());
    }
    chunks
}

struct Stored<'a>(&'a [u8]);

impl ReadAt for Stored<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let bytes = usize::try_from(offset).ok().and_then(|at| self.0.get(at..)?.get(..buf.len()));
        let Some(bytes) = bytes else {
            return Err(Error::new(blosc2::base::ErrorKind::FileRead, "past the end"));
        };
        buf.copy_from_slice(bytes);
        Ok(())
    }
}

/// A panic in a job is an error; here it is a finding.
fn no_panic<T>(result: Result<T>) -> Option<T> {
    result.map_err(|e| assert!(!e.what().contains("panicked"), "{e}")).ok()
}

/// Reads everything there is to read of a chunk, in every way.
fn read(source: ChunkSource<'_>) {
    let params = DParams::default();
    let Some(reader) = no_panic(ChunkReader::new(source, &params)) else { return };
    let nbytes = reader.header().nbytes();
    if nbytes <= MOST {
        let mut dst = vec![0; nbytes];
        for nthreads in [1, 2] {
            if let Some(len) = no_panic(reader.decompress(nthreads, &mut dst)) {
                assert_eq!(len, nbytes);
            }
        }
    }
    let mut some = [0; 100];
    for start in [0, nbytes / 2, nbytes.saturating_sub(100)] {
        if reader.header().blocksize() <= MOST {
            no_panic(reader.get_bytes(start..(start + 100).min(nbytes.max(start)), &mut some));
        }
    }
    if reader.header().is_vl() && nbytes <= MOST {
        for n in [0, 1, reader.nblocks() - 1, reader.nblocks()] {
            no_panic(reader.vl_block(n));
        }
    }
}

/// What is had without a reader is what a reader gives.
fn read_without(bytes: &[u8]) {
    let Some(plain) = PlainChunk::of(bytes) else { return };
    let params = DParams::default();
    let reader = ChunkReader::new(ChunkSource::Bytes(bytes), &params).expect("a plain chunk opens");
    let nbytes = reader.header().nbytes();
    if nbytes > MOST || reader.header().blocksize() > MOST {
        return;
    }
    let mut dst = vec![0; nbytes];
    if plain.decompress(&mut dst).is_some() {
        let mut expected = vec![1; nbytes];
        reader.decompress(1, &mut expected).expect("a reader does as well");
        assert_eq!(dst, expected);
    }
    for start in [0, nbytes / 2, nbytes.saturating_sub(20)] {
        let range = start..(start + 20).min(nbytes);
        let (mut some, mut expected) = (vec![0; range.len()], vec![1; range.len()]);
        if plain.get(range.clone(), &mut some).is_some() {
            reader.get_bytes(range, &mut expected).expect("a reader does as well");
            assert_eq!(some, expected);
        }
    }
}

fn read_all_ways(bytes: &[u8]) {
    no_panic(ChunkHeader::parse(bytes));
    read_without(bytes);
    read(ChunkSource::Bytes(bytes));
    if let Some(deferred) = no_panic(Deferred::open(Box::new(Stored(bytes)), bytes.len() as u64)) {
        read(ChunkSource::Deferred(deferred));
    }
}

#[test]
fn every_value_of_every_header_byte() {
    for chunk in chunks() {
        for at in 0..chunk.len().min(32) {
            for value in 0..=255 {
                let mut bytes = chunk.clone();
                bytes[at] = value;
                read_all_ways(&bytes);
            }
        }
    }
}

#[test]
fn every_byte_damaged() {
    for chunk in chunks() {
        for at in 0..chunk.len() {
            for change in [1, 0x80, 0xff] {
                let mut bytes = chunk.clone();
                bytes[at] ^= change;
                read_all_ways(&bytes);
            }
        }
    }
}

#[test]
fn cut_anywhere() {
    for chunk in chunks() {
        for len in 0..chunk.len() {
            read_all_ways(&chunk[..len]);
            // And with a header that agrees.
            if len >= 32 {
                let mut bytes = chunk[..len].to_vec();
                bytes[12..16].copy_from_slice(&(len as u32).to_le_bytes());
                read_all_ways(&bytes);
            }
        }
    }
}

#[test]
fn damaged_at_random() {
    let mut rng = Rng::new(6);
    let chunks = chunks();
    for _ in 0..4000 {
        let mut bytes = chunks[rng.below(chunks.len())].clone();
        for _ in 0..1 + rng.below(6) {
            let at = rng.below(bytes.len());
            // Starts and sizes like to be near their limits.
            bytes[at] = [0, 1, 0x7f, 0x80, 0xff, rng.next() as u8][rng.below(6)];
        }
        read_all_ways(&bytes);
    }
}
