//! Items by number, across chunks.

use super::SuperChunk;
use crate::base::Result;
use crate::base::params::CParams;
use crate::base::scatter::Blocks;
use crate::chunk::{self, ChunkReader};
use crate::{exec, fail};
use std::ops::Range;

/// How many chunks are open at once when scattered items are read.
const OPEN_CHUNKS: usize = 256;

impl SuperChunk {
    /// Writes items `start..stop` to the front of `dst`. Of a chunk that is only partly asked for, only the blocks that
    /// are needed are read and decoded.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[1i32, 2])?;
    /// schunk.append(&[3i32, 4])?;
    /// let mut bytes = [0; 8];
    /// schunk.get_slice(1, 3, &mut bytes)?;
    /// assert_eq!(bytes[..4], 2i32.to_ne_bytes());
    /// assert_eq!(bytes[4..], 3i32.to_ne_bytes());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when there are no such items, `dst` is too
    /// short, or sizes vary; otherwise as [`SuperChunk::reader`].
    pub fn get_slice(&self, start: i64, stop: i64, dst: &mut [u8]) -> Result<()> {
        let slice = self.slice(start, stop)?;
        slice.check_room(dst.len())?;
        self.read_slice(&slice, dst)
    }

    /// [`SuperChunk::get_slice`] of a slice that was looked up just before: it takes no second look at the disk.
    ///
    /// # Errors
    /// As [`SuperChunk::reader`].
    ///
    /// # Panics
    /// When `dst` is shorter than the slice.
    pub fn read_slice(&self, slice: &Slice, dst: &mut [u8]) -> Result<()> {
        let mut rest = dst;
        for part in slice.parts() {
            let (here, after) = rest.split_at_mut(part.bytes.len());
            if part.is_whole {
                self.decompress_chunk(part.nchunk, here)?;
            } else {
                let got = self.known_reader(part.nchunk)?.get_bytes(part.bytes, here);
                got.map_err(|e| e.at(format_args!("chunk {}", part.nchunk)))?;
            }
            rest = after;
        }
        Ok(())
    }

    /// Puts the items at the front of `src` in place of items `start..stop`. A chunk that is only partly covered is
    /// decompressed first.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[1i32, 2])?;
    /// schunk.append(&[3i32, 4])?;
    /// schunk.set_slice(1, 3, &[0; 8])?;
    /// assert_eq!(schunk.get::<i32>(0, 4)?, [1, 0, 0, 4]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::get_slice`], and as [`SuperChunk::update_chunk`].
    pub fn set_slice(&mut self, start: i64, stop: i64, src: &[u8]) -> Result<()> {
        let slice = self.slice(start, stop)?;
        slice.check_room(src.len())?;
        let mut rest = src;
        let mut whole = Vec::new();
        for part in slice.parts() {
            let (here, after) = rest.split_at(part.bytes.len());
            let params = CParams { nchunk: part.nchunk, ..self.cparams.clone() };
            let chunk = if part.is_whole {
                chunk::compress_to_cbuf(&params, here)?
            } else {
                whole.resize(slice.geometry.nbytes_of(part.nchunk), 0);
                self.decompress_chunk(part.nchunk, &mut whole)?;
                whole[part.bytes].copy_from_slice(here);
                chunk::compress_to_cbuf(&params, &whole)?
            };
            self.update_chunk(part.nchunk, chunk)?;
            rest = after;
        }
        Ok(())
    }

    /// The chunks that items `start..stop` are in.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// for _ in 0..4 {
    ///     schunk.append(&[0i32; 10])?;
    /// }
    /// assert_eq!(schunk.slice_chunks(15, 21)?, 1..3);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when the slice makes no sense, or sizes vary.
    pub fn slice_chunks(&self, start: i64, stop: i64) -> Result<Range<i64>> {
        if self.nchunks() == 0 {
            return Ok(0..0);
        }
        let (chunksize, typesize) = (i64::from(self.chunksize()), i64::from(self.typesize()));
        let bytes = start.checked_mul(typesize).zip(stop.checked_mul(typesize));
        let Some((start, stop)) = bytes.filter(|&(start, stop)| chunksize > 0 && 0 <= start && start <= stop)
        else {
            fail!(InvalidParam, "items {start}..{stop} of chunks of {chunksize} bytes");
        };
        Ok(start / chunksize..stop / chunksize + i64::from(stop % chunksize != 0))
    }

    /// Writes the items of these numbers, in that order, to the front of `dst`. Numbers may repeat. Each block that is
    /// needed is decoded once.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[10i32, 20])?;
    /// schunk.append(&[30i32, 40])?;
    /// let mut bytes = [0; 8];
    /// schunk.get_sparse(&[3, 0], &mut bytes)?;
    /// assert_eq!(bytes[..4], 40i32.to_ne_bytes());
    /// assert_eq!(bytes[4..], 10i32.to_ne_bytes());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when there is no such item, `dst` is too short,
    /// or sizes vary; otherwise as [`SuperChunk::reader`].
    pub fn get_sparse(&self, items: &[i64], dst: &mut [u8]) -> Result<()> {
        let geometry = self.geometry()?;
        if items.is_empty() {
            return Ok(());
        }
        let have = dst.len();
        let Some(dst) = items.len().checked_mul(geometry.typesize).and_then(|len| dst.get_mut(..len)) else {
            fail!(InvalidParam, "{} items do not fit in {have} bytes", items.len());
        };
        let mut wanted = Vec::with_capacity(items.len());
        for (to, &item) in items.iter().enumerate() {
            wanted.push((geometry.byte_of(item)?, to));
        }
        wanted.sort_unstable();
        let out = Blocks::new(dst, geometry.typesize);
        let mut rest = &wanted[..];
        while !rest.is_empty() {
            let (here, after) = rest.split_at(geometry.first_chunks(rest));
            self.gather(&geometry, here, &out)?;
            rest = after;
        }
        Ok(())
    }

    /// Reads the items at these bytes, sorted, of chunks that are not too many.
    fn gather(&self, geometry: &Geometry, wanted: &[(i64, usize)], out: &Blocks<'_>) -> Result<()> {
        let mut readers: Vec<ChunkReader<'_>> = Vec::new();
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for in_chunk in wanted.chunk_by(|a, b| geometry.chunk_of(a.0) == geometry.chunk_of(b.0)) {
            let nchunk = geometry.chunk_of(in_chunk[0].0);
            let reader = self.reader(nchunk)?;
            if reader.header().is_vl() {
                fail!(InvalidParam, "items across VL blocks");
            }
            let start = nchunk * geometry.chunksize;
            let blocksize = reader.header().blocksize() as i64;
            for items in in_chunk.chunk_by(|a, b| (a.0 - start) / blocksize == (b.0 - start) / blocksize) {
                let nblock = (items[0].0 - start) / blocksize;
                jobs.push(Job { reader: readers.len(), nblock: nblock as usize, start, items });
            }
            readers.push(reader);
        }
        let nthreads = usize::try_from(self.dparams.nthreads).unwrap_or(1);
        let nbytes = jobs.len() * readers.first().map_or(0, |reader| reader.header().blocksize());
        let nthreads = readers.first().map_or(1, |reader| reader.threads(nthreads, jobs.len(), nbytes));
        exec::run(nthreads, jobs.len(), &|n, _| jobs[n].run(&readers[jobs[n].reader], geometry.typesize, out))
    }

    /// How many bytes items `start..stop` are.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[10i32, 20, 30])?;
    /// assert_eq!(schunk.slice_nbytes(1, 3)?, 8);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when there are no such items, or sizes vary.
    pub fn slice_nbytes(&self, start: i64, stop: i64) -> Result<i64> {
        Ok(self.slice(start, stop)?.nbytes())
    }

    /// Checks a slice of items, and tells which bytes of all data it is.
    ///
    /// # Errors
    /// As [`SuperChunk::slice_nbytes`].
    pub fn slice(&self, start: i64, stop: i64) -> Result<Slice> {
        let geometry = self.geometry()?;
        let typesize = geometry.typesize as i64;
        if start < 0 || stop < start || stop > geometry.nbytes / typesize {
            fail!(InvalidParam, "items {start}..{stop} of {}", geometry.nbytes / typesize);
        }
        Ok(Slice { geometry, bytes: start * typesize..stop * typesize })
    }

    fn geometry(&self) -> Result<Geometry> {
        let state = self.fresh()?;
        let header = &state.contents.header;
        let typesize = usize::try_from(self.typesize()).unwrap_or(1).max(1);
        if header.chunksize == 0 || header.vl_blocks {
            fail!(InvalidParam, "items across chunks or blocks of varying size");
        }
        Ok(Geometry { nbytes: header.nbytes, chunksize: i64::from(header.chunksize).max(1), typesize })
    }
}

/// A slice of items that there are.
pub struct Slice {
    geometry: Geometry,
    /// Bytes of all data.
    bytes: Range<i64>,
}

impl Slice {
    /// How many bytes it is.
    pub fn nbytes(&self) -> i64 {
        self.bytes.end - self.bytes.start
    }

    fn check_room(&self, have: usize) -> Result<()> {
        if i64::try_from(have).is_ok_and(|have| self.nbytes() > have) {
            let nitems = self.nbytes() / self.geometry.typesize as i64;
            fail!(InvalidParam, "{nitems} items do not fit in {have} bytes");
        }
        Ok(())
    }

    fn parts(&self) -> impl Iterator<Item = Part> {
        self.geometry.parts(self.bytes.clone())
    }
}

/// How the data is cut into chunks of one size.
struct Geometry {
    nbytes: i64,
    chunksize: i64,
    typesize: usize,
}

/// What of a slice is in one chunk.
struct Part {
    nchunk: i64,
    /// Bytes of the chunk.
    bytes: Range<usize>,
    is_whole: bool,
}

impl Geometry {
    fn nbytes_of(&self, nchunk: i64) -> usize {
        (self.nbytes - nchunk * self.chunksize).clamp(0, self.chunksize) as usize
    }

    fn parts(&self, bytes: Range<i64>) -> impl Iterator<Item = Part> {
        let chunks = if bytes.is_empty() {
            0..0
        } else {
            bytes.start / self.chunksize..(bytes.end - 1) / self.chunksize + 1
        };
        chunks.map(move |nchunk| {
            let at = nchunk * self.chunksize;
            let (start, end) =
                ((bytes.start - at).max(0) as usize, (bytes.end - at).min(self.chunksize) as usize);
            Part { nchunk, bytes: start..end, is_whole: start == 0 && end == self.nbytes_of(nchunk) }
        })
    }

    fn chunk_of(&self, byte: i64) -> i64 {
        byte / self.chunksize
    }

    /// The first byte of an item.
    fn byte_of(&self, item: i64) -> Result<i64> {
        let nitems = self.nbytes / self.typesize as i64;
        if !(0..nitems).contains(&item) {
            fail!(InvalidParam, "item {item} of {nitems}");
        }
        Ok(item * self.typesize as i64)
    }

    /// How many of these items are in the first few chunks.
    fn first_chunks(&self, wanted: &[(i64, usize)]) -> usize {
        let in_chunks = wanted.chunk_by(|a, b| self.chunk_of(a.0) == self.chunk_of(b.0));
        in_chunks.take(OPEN_CHUNKS).map(<[_]>::len).sum()
    }
}

/// The items wanted of one block.
struct Job<'w> {
    reader: usize,
    nblock: usize,
    /// Where the chunk starts in all data.
    start: i64,
    /// Where each item starts in all data, and its number in the output.
    items: &'w [(i64, usize)],
}

impl Job<'_> {
    fn run(&self, reader: &ChunkReader<'_>, typesize: usize, out: &Blocks<'_>) -> Result<()> {
        let block = reader.block_range(self.nblock);
        let at = |byte: i64| (byte - self.start) as usize - block.start;
        let (first, last) = (at(self.items[0].0), at(self.items[self.items.len() - 1].0));
        if last + typesize > block.len() {
            return self.run_across_blocks(reader, typesize, out);
        }
        reader.with_block(self.nblock, first..last + typesize, |bytes| {
            for &(byte, to) in self.items {
                if let Some(to) = out.claim(to) {
                    to.copy_from_slice(&bytes[at(byte)..at(byte) + typesize]);
                }
            }
        })
    }

    /// Where blocks are no whole number of items, some lie in two.
    fn run_across_blocks(&self, reader: &ChunkReader<'_>, typesize: usize, out: &Blocks<'_>) -> Result<()> {
        for &(byte, to) in self.items {
            let at = (byte - self.start) as usize;
            if let Some(to) = out.claim(to) {
                reader.get_bytes(at..at + typesize, to)?;
            }
        }
        Ok(())
    }
}
