//! Reading chunks.

use super::{Chunks, SuperChunk};
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::params::CParams;
use crate::base::{CBuf, Result};
use crate::chunk::scratch::with_whole;
use crate::chunk::{self, ChunkHeader, ChunkReader, ChunkSource, LazyChunk, Special};
use crate::fail;
use crate::frame::file_chunk::FileChunk;
use crate::frame::{ChunkBytes, Contents, FrameKind, Place};
use std::ops::Range;

/// Chunks up to this many bytes are read whole, however little of them is wanted.
const WHOLE: u64 = 16 * 1024;

impl SuperChunk {
    /// Chunk `n`'s bytes: where they are in memory, read from disk, or made for a chunk that is not stored.
    ///
    /// ```
    /// use blosc2::{CParams, Context, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[10i32, 20, 30])?;
    /// let chunk = schunk.chunk(0)?;
    /// assert_eq!(Context::default().decompress_items::<i32>(&chunk)?, [10, 20, 30]);
    /// assert!(schunk.chunk(1).is_err());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when there is no such chunk; what storage
    /// reports; [`ErrorKind::InvalidHeader`](crate::base::ErrorKind::InvalidHeader) when the chunk cannot be where the
    /// frame says.
    pub fn chunk(&self, n: i64) -> Result<ChunkBytes<'_>> {
        self.chunk_at(n).map_err(|e| e.at(format_args!("chunk {n}")))
    }

    fn chunk_at(&self, n: i64) -> Result<ChunkBytes<'_>> {
        self.chunk_by(n, FileChunk::bytes)
    }

    /// Chunk `n`'s bytes, which `read` gets where they are in a file.
    fn chunk_by<'a>(
        &'a self,
        n: i64,
        read: impl FnOnce(FileChunk<'a>) -> Result<ChunkBytes<'a>>,
    ) -> Result<ChunkBytes<'a>> {
        if let Chunks::List(list) = &self.chunks {
            return listed(list, n).map(ChunkBytes::Borrowed);
        }
        let _lock = self.shared()?;
        let state = self.indexed()?;
        let at = checked(n, state.contents.nchunks)?;
        match (state.index()?.place(at)?, &self.chunks) {
            (Place::Special(special), _) => made(&state.contents, special, n).map(ChunkBytes::Owned),
            (Place::Stored(offset), Chunks::Memory(frame)) => {
                let bytes = frame.chunk(&state.contents, offset)?;
                let sum = state.sum_due(at, offset);
                drop(state);
                self.check(bytes, sum)?;
                Ok(ChunkBytes::Borrowed(bytes))
            }
            (Place::Stored(offset), Chunks::Disk(disk)) => {
                let file = disk.chunk(&state.contents, state.index()?, at, offset)?;
                let sum = state.sum(at, offset);
                drop(state);
                let bytes = read(file)?;
                self.check(&bytes, sum)?;
                Ok(bytes)
            }
            (Place::Stored(_), Chunks::List(_)) => fail!(Failure, "a list has no index"),
        }
    }

    /// The way to chunk `n`'s bytes: from disk, only what stands before its blocks is read now, and blocks as they are
    /// needed.
    ///
    /// ```
    /// use blosc2::chunk::ChunkReader;
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[10i32; 1000])?;
    /// let reader = ChunkReader::new(schunk.source(0)?, schunk.dparams())?;
    /// assert_eq!(reader.header().nbytes(), 4000);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::chunk`].
    pub fn source(&self, n: i64) -> Result<ChunkSource<'_>> {
        self.source_at(n).map_err(|e| e.at(format_args!("chunk {n}")))
    }

    fn source_at(&self, n: i64) -> Result<ChunkSource<'_>> {
        if matches!(&self.chunks, Chunks::Disk(disk) if disk.lock().is_none()) {
            drop(self.fresh()?);
        }
        self.known_source_at(n)
    }

    /// [`SuperChunk::source`], for who has just looked at the disk.
    fn known_source_at(&self, n: i64) -> Result<ChunkSource<'_>> {
        let Chunks::Disk(disk) = &self.chunks else {
            return Ok(self.chunk_at(n)?.into_source());
        };
        if disk.lock().is_some() {
            // The lock ends with this call: what is read later could be something else.
            return Ok(self.chunk_at(n)?.into_source());
        }
        let state = self.known()?;
        let at = checked(n, state.contents.nchunks)?;
        let offset = match state.index()?.place(at)? {
            Place::Stored(offset) => offset,
            Place::Special(special) => return Ok(ChunkSource::Owned(made(&state.contents, special, n)?)),
        };
        let file = disk.chunk(&state.contents, state.index()?, at, offset)?;
        let sum = state.sum_due(at, offset);
        drop(state);
        // Heads are known of long chunks.
        if sum.is_some() || (!disk.knows_head(offset) && file.likely_len()? <= WHOLE) {
            let bytes = file.bytes()?;
            self.check(&bytes, sum)?;
            return Ok(bytes.into_source());
        }
        Ok(ChunkSource::Deferred(disk.deferred(file, offset)?))
    }

    /// Chunk `n` as C callers get it lazily: from disk, what stands before its blocks, and where those are. Chunks in
    /// memory, and those that are small or say only what their items are, come whole.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[10i32; 1000])?;
    /// // In memory, the chunk itself.
    /// assert_eq!(schunk.lazy_chunk(0)?[..], schunk.chunk(0)?[..]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::chunk`].
    pub fn lazy_chunk(&self, n: i64) -> Result<ChunkBytes<'_>> {
        self.lazy_chunk_at(n).map_err(|e| e.at(format_args!("chunk {n}")))
    }

    fn lazy_chunk_at(&self, n: i64) -> Result<ChunkBytes<'_>> {
        let Chunks::Disk(disk) = &self.chunks else {
            return self.chunk_at(n);
        };
        let _lock = self.shared()?;
        let state = self.indexed()?;
        let at = checked(n, state.contents.nchunks)?;
        let Place::Stored(offset) = state.index()?.place(at)? else {
            return self.chunk_at(n);
        };
        let file = disk.chunk(&state.contents, state.index()?, at, offset)?;
        let (nchunk, place) = match state.contents.header.kind {
            FrameKind::Contiguous => (n as i32, i64::from(state.contents.header.header_len) + offset as i64),
            FrameKind::Sparse => (offset as i32, offset as i64),
        };
        let due = state.sum_due(at, offset).is_some();
        drop(state);
        if due {
            drop(self.chunk_at(n)?);
        }
        let header = ChunkHeader::parse(&file.head(EXTENDED_HEADER_LEN)?)?;
        if header.special().is_some() || !header.is_extended() {
            return file.bytes();
        }
        let head = file.head(header.starts_end())?;
        chunk::lazy::make(&head, nchunk, place).map(ChunkBytes::Owned)
    }

    /// The way to the bytes of a chunk that [`SuperChunk::lazy_chunk`] gave.
    ///
    /// ```
    /// use blosc2::chunk::ChunkReader;
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// # let path = std::env::temp_dir().join(format!("doc-lazy-{}.b2frame", std::process::id()));
    /// # let cparams = CParams::of_items(4);
    /// # let storage = Storage { contiguous: true, urlpath: Some(path.clone()), cparams, ..Storage::default() };
    /// let mut schunk = SuperChunk::new(storage)?;
    /// schunk.append(&(0..100_000).collect::<Vec<i32>>())?;
    /// let lazy = schunk.lazy_chunk(0)?;
    /// assert!(lazy.len() < schunk.chunk(0)?.len());
    /// let reader = ChunkReader::new(schunk.lazy_source(&lazy)?, schunk.dparams())?;
    /// let mut bytes = [0; 4];
    /// reader.get_bytes(80_000..80_004, &mut bytes)?;
    /// assert_eq!(i32::from_ne_bytes(bytes), 20_000);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when there is no frame on disk, or no such
    /// place in it; as [`SuperChunk::source`].
    pub fn lazy_source<'a>(&'a self, lazy: &'a [u8]) -> Result<ChunkSource<'a>> {
        let lazy = LazyChunk::parse(lazy)?;
        let Chunks::Disk(disk) = &self.chunks else {
            fail!(InvalidParam, "a lazy chunk of a frame that is not on disk");
        };
        let state = self.state();
        let offset = match state.contents.header.kind {
            FrameKind::Contiguous => lazy.offset - i64::from(state.contents.header.header_len),
            FrameKind::Sparse => lazy.offset,
        };
        let Ok(offset) = u64::try_from(offset) else {
            fail!(InvalidParam, "a lazy chunk at byte {offset} of the chunks");
        };
        let file = disk.chunk_at(&state.contents, offset)?;
        drop(state);
        lazy.source(Box::new(file))
    }

    /// Block `nblock` of chunk `n`, whose blocks have sizes of their own.
    ///
    /// # Errors
    /// As [`SuperChunk::reader`], and as [`ChunkReader::vl_block`].
    pub fn vl_block(&self, n: i64, nblock: usize) -> Result<CBuf> {
        self.reader(n)?.vl_block(nblock).map_err(|e| e.at(format_args!("chunk {n}")))
    }

    /// Opens chunk `n` for reading blocks of it.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[10i32; 1000])?;
    /// let reader = schunk.reader(0)?;
    /// let mut bytes = [0; 4];
    /// reader.get_bytes(396..400, &mut bytes)?;
    /// assert_eq!(i32::from_ne_bytes(bytes), 10);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::chunk`], and as [`ChunkReader::new`].
    pub fn reader(&self, n: i64) -> Result<ChunkReader<'_>> {
        self.reader_of(n, self.source_at(n))
    }

    /// [`SuperChunk::reader`], for who has just looked at the disk.
    ///
    /// # Errors
    /// As [`SuperChunk::reader`].
    pub(super) fn known_reader(&self, n: i64) -> Result<ChunkReader<'_>> {
        self.reader_of(n, self.known_source_at(n))
    }

    fn reader_of<'a>(&'a self, n: i64, source: Result<ChunkSource<'a>>) -> Result<ChunkReader<'a>> {
        let reader = source.and_then(|source| ChunkReader::new(source, &self.dparams));
        Ok(reader.map_err(|e| e.at(format_args!("chunk {n}")))?.for_chunk(n))
    }

    /// [`SuperChunk::reader`] for who needs most of the chunk: its bytes are read at once.
    ///
    /// # Errors
    /// As [`SuperChunk::reader`].
    pub fn whole_reader(&self, n: i64) -> Result<ChunkReader<'_>> {
        self.reader_of(n, self.chunk_at(n).map(ChunkBytes::into_source))
    }

    /// Chunk `n`'s header.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[10i32; 1000])?;
    /// let header = schunk.chunk_header(0)?;
    /// assert_eq!((header.nbytes(), header.typesize()), (4000, 4));
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::chunk`].
    pub fn chunk_header(&self, n: i64) -> Result<ChunkHeader> {
        if let Chunks::List(list) = &self.chunks {
            return ChunkHeader::parse(listed(list, n)?);
        }
        let _lock = self.shared()?;
        let state = self.indexed()?;
        let at = checked(n, state.contents.nchunks)?;
        if let Chunks::Disk(disk) = &self.chunks
            && let Place::Stored(offset) = state.index()?.place(at)?
        {
            if state.sum_due(at, offset).is_some() {
                drop(state);
                return ChunkHeader::parse(&self.chunk(n)?);
            }
            let head = disk.chunk(&state.contents, state.index()?, at, offset)?.head(EXTENDED_HEADER_LEN)?;
            return ChunkHeader::parse(&head);
        }
        drop(state);
        ChunkHeader::parse(&self.chunk(n)?)
    }

    /// Where the chunks of a frame are, as the index has it: bytes after the header, or file numbers; negative for a
    /// chunk that is not stored. `None` when there is no frame.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { contiguous: true, ..Storage::default() })?;
    /// schunk.append_buffer(b"one")?;
    /// schunk.append_buffer(b"two")?;
    /// assert_eq!(schunk.offsets()?.expect("it is a frame")[0], 0);
    /// assert!(SuperChunk::new(Storage::default())?.offsets()?.is_none());
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// What reading the index reports.
    pub fn offsets(&self) -> Result<Option<Vec<i64>>> {
        if !self.has_frame() {
            return Ok(None);
        }
        Ok(Some(self.indexed()?.index()?.codes().collect()))
    }

    /// Whether chunks are listed in memory, each in its own buffer, and those buffers.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_buffer(b"one")?;
    /// assert_eq!(schunk.listed_chunks().map(<[_]>::len), Some(1));
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn listed_chunks(&self) -> Option<&[CBuf]> {
        match &self.chunks {
            Chunks::List(list) => Some(list),
            _ => None,
        }
    }

    /// [`listed_chunks`](Self::listed_chunks), and which of them may be others than when this was asked last: for who keeps something
    /// about each of them.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_buffer(b"one")?;
    /// schunk.append_buffer(b"two")?;
    /// assert_eq!(schunk.listed_changes().unwrap().1, 0..2);
    /// schunk.append_buffer(b"six")?;
    /// assert_eq!(schunk.listed_changes().unwrap().1, 2..3);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn listed_changes(&mut self) -> Option<(&[CBuf], Range<usize>)> {
        let Chunks::List(list) = &mut self.chunks else { return None };
        let changed = list.take_changed();
        Some((list, changed))
    }

    /// Decompresses chunk `n` into the front of `dst` and tells how many bytes that is.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_buffer(b"one")?;
    /// let mut data = [0; 3];
    /// assert_eq!(schunk.decompress_chunk(0, &mut data)?, 3);
    /// assert_eq!(&data, b"one");
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::chunk`]; [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when `dst` is too
    /// short, or [`ErrorKind::WriteBuffer`](crate::base::ErrorKind::WriteBuffer) when there is a frame; what is wrong
    /// with the chunk.
    pub fn decompress_chunk(&self, n: i64, dst: &mut [u8]) -> Result<usize> {
        let decompressed = match &self.chunks {
            Chunks::Disk(_) => with_whole(|buffer| {
                let bytes = self.chunk_by(n, |file| file.bytes_in(buffer))?;
                self.decompress_bytes(n, bytes, dst)
            }),
            _ => self.chunk_at(n).and_then(|bytes| self.decompress_bytes(n, bytes, dst)),
        };
        decompressed.map_err(|e| e.at(format_args!("chunk {n}")))
    }

    fn decompress_bytes(&self, n: i64, bytes: ChunkBytes<'_>, dst: &mut [u8]) -> Result<usize> {
        let reader = ChunkReader::new(bytes.into_source(), &self.dparams)?.for_chunk(n);
        let nbytes = reader.header().nbytes();
        if nbytes > dst.len() {
            match self.chunks {
                Chunks::List(_) => fail!(InvalidParam, "{nbytes} bytes do not fit in {}", dst.len()),
                _ => fail!(WriteBuffer, "{nbytes} bytes do not fit in {}", dst.len()),
            }
        }
        let nthreads = usize::try_from(self.dparams.nthreads).unwrap_or(1).max(1);
        reader.decompress(nthreads, &mut dst[..nbytes])
    }
}

/// `n` as a place among `nchunks`.
pub(super) fn checked(n: i64, nchunks: i64) -> Result<usize> {
    match usize::try_from(n) {
        Ok(at) if n < nchunks => Ok(at),
        _ => fail!(InvalidParam, "there are {nchunks} chunks"),
    }
}

/// Chunk `n` of a list.
pub(super) fn listed(list: &[CBuf], n: i64) -> Result<&[u8]> {
    Ok(&list[checked(n, list.len() as i64)?])
}

/// A chunk of which the index says all there is.
pub(super) fn made(contents: &Contents, special: Special, n: i64) -> Result<CBuf> {
    let Some(nbytes) = contents.chunk_nbytes(n) else {
        fail!(InvalidHeader, "nothing says how long the chunk is");
    };
    let header = &contents.header;
    // Zeros need no whole items, and other kinds are not made of less.
    let whole = nbytes % header.typesize == 0 || special != Special::Zeros;
    let typesize = if whole { header.typesize } else { 1 };
    let params = CParams { typesize, blocksize: header.blocksize, ..CParams::default() };
    chunk::special_chunk(&params, special, &[], nbytes as usize)
}
