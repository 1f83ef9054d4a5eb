//! Turning super-chunks into frames, files, and super-chunks kept elsewhere.

use super::access::{checked, made};
use super::checksums::without_table;
use super::list::List;
use super::state::State;
use super::{Chunks, Storage, SuperChunk};
use crate::base::params::CParams;
use crate::base::{CBuf, Result};
use crate::chunk::ChunkHeader;
use crate::fail;
use crate::frame::memory::chunk_in;
use crate::frame::open::Opened;
use crate::frame::{Metalayers, Place};
use crate::io::{Backend, Mode, urlpath};
use std::path::Path;
use std::sync::{Arc, PoisonError};

/// For frames that nobody asked any threads for: the C library writes 0 into their headers.
fn unthreaded() -> CParams {
    CParams { nthreads: 0, ..CParams::default() }
}

impl SuperChunk {
    /// The bytes of a contiguous frame in memory, with index and trailer; valid until the next change. `None` when the
    /// chunks are kept in another way.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { contiguous: true, ..Storage::default() })?;
    /// schunk.append_buffer(b"one")?;
    /// let bytes = schunk.frame_bytes()?.expect("it is a frame in memory");
    /// assert_eq!(&bytes[2..9], b"b2frame");
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// What writing index and trailer reports.
    pub fn frame_bytes(&mut self) -> Result<Option<&[u8]>> {
        let (cparams, dparams) = (self.cparams.clone(), self.dparams.clone());
        let Chunks::Memory(frame) = &mut self.chunks else {
            return Ok(None);
        };
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if frame.as_sealed().is_none() {
            state.contents.set_params(&cparams, &dparams);
        }
        frame.sealed(&mut state.contents, state.index.get_or_insert_default()).map(Some)
    }

    /// Where the bytes of a contiguous frame in memory are.
    pub fn frame_address(&self) -> Option<*const u8> {
        match &self.chunks {
            Chunks::Memory(frame) => Some(frame.address()),
            _ => None,
        }
    }

    /// Says whether the bytes of a contiguous frame in memory are freed with the super-chunk.
    pub fn set_frame_owned(&mut self, owned: bool) {
        if let Chunks::Memory(frame) = &mut self.chunks {
            frame.set_owned(owned);
        }
    }

    /// A contiguous frame with the same chunks and metalayers, in bytes of its own.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_buffer(b"one")?;
    /// let frame = schunk.to_cframe()?;
    /// assert_eq!(&frame[2..9], b"b2frame");
    /// assert_eq!(SuperChunk::from_cframe(frame, true)?.nbytes(), 3);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// What reading the chunks reports.
    pub fn to_cframe(&self) -> Result<CBuf> {
        if let Chunks::Memory(frame) = &self.chunks
            && let Some(bytes) = frame.as_sealed()
        {
            return CBuf::copy_of(bytes);
        }
        let storage = Storage { contiguous: true, cparams: unthreaded(), ..self.same_storage() };
        self.copy_chunks(storage)?.into_cframe()
    }

    /// For the same frame in another place: it keeps checksums where this one does.
    fn same_storage(&self) -> Storage {
        let storage = Storage::default();
        Storage { checksums: storage.checksums || self.has_checksums(), ..storage }
    }

    fn into_cframe(mut self) -> Result<CBuf> {
        self.frame_bytes()?;
        match self.chunks {
            Chunks::Memory(frame) => Ok(frame.into_bytes()),
            _ => fail!(FrameType, "no contiguous frame in memory"),
        }
    }

    /// Writes a contiguous frame with the same chunks and metalayers to a new file and tells its length. A super-chunk
    /// that is a contiguous frame in memory overwrites a file that is there.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// # let path = std::env::temp_dir().join(format!("doc-to-{}.b2frame", std::process::id()));
    /// schunk.append_buffer(b"one")?;
    /// let len = schunk.to_file(&path, &Storage::default().io)?;
    /// assert_eq!(std::fs::metadata(&path).map(|file| file.len() as i64).ok(), Some(len));
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::FileOpen`](crate::base::ErrorKind::FileOpen) when the file cannot be made or is there already; what
    /// storage reports.
    pub fn to_file(&mut self, path: &Path, io: &Arc<dyn Backend>) -> Result<i64> {
        if let Some(bytes) = self.frame_bytes()? {
            let mut file = io.open(urlpath::local(path), Mode::Create)?;
            file.write_at(0, bytes)?;
            return Ok(bytes.len() as i64);
        }
        let storage = Storage {
            contiguous: true,
            urlpath: Some(path.to_owned()),
            cparams: unthreaded(),
            io: io.clone(),
            ..self.same_storage()
        };
        Ok(self.copy_chunks(storage)?.frame_len())
    }

    /// Adds a contiguous frame with the same chunks and metalayers to the end of a file, which is made when it is not
    /// there, and tells where in it the frame starts.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// # let path = std::env::temp_dir().join(format!("doc-append-{}.b2frame", std::process::id()));
    /// schunk.append_buffer(b"one")?;
    /// let io = Storage::default().io;
    /// schunk.append_file(&path, &io)?;
    /// let second = schunk.append_file(&path, &io)?;
    /// assert_eq!(SuperChunk::open(&path, second as u64, io)?.nbytes(), 3);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::FileOpen`](crate::base::ErrorKind::FileOpen) when the file cannot be opened; what storage reports.
    pub fn append_file(&mut self, path: &Path, io: &Arc<dyn Backend>) -> Result<i64> {
        let copy;
        let bytes = match self.frame_bytes()? {
            Some(bytes) => bytes,
            None => {
                copy = self.to_cframe()?;
                &copy
            }
        };
        let path = urlpath::local(path);
        let mut file = match io.open(path, Mode::Edit) {
            Ok(file) => file,
            Err(_) => {
                drop(io.open(path, Mode::Touch)?);
                io.open(path, Mode::Edit)?
            }
        };
        let at = file.size()?;
        file.write_at(at, bytes)?;
        Ok(at as i64)
    }

    /// A copy of this super-chunk, kept as `storage` says. Chunks are taken over as they are when the parameters are
    /// the same, and compressed again when they are not.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[1i32; 10_000])?;
    /// // As it is, but with LZ4 (1).
    /// let cparams = CParams { codec: 1, ..schunk.cparams().clone() };
    /// let copy = schunk.copy(Storage { cparams, contiguous: true, ..Storage::default() })?;
    /// assert_eq!(copy.get::<i32>(9_999, 10_000)?, [1]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::new`]; what reading and writing chunks reports.
    pub fn copy(&self, storage: Storage) -> Result<SuperChunk> {
        if self.has_vl_blocks() || self.same_results(&storage.cparams) {
            return self.copy_chunks(storage);
        }
        let mut copy = self.empty_copy(storage, self.metas())?;
        let mut buffer = Vec::new();
        for n in 0..self.nchunks() {
            let chunk = self.chunk(n)?;
            let nbytes = ChunkHeader::parse(&chunk)?.nbytes();
            buffer.resize(nbytes, 0);
            self.decompress_chunk(n, &mut buffer)?;
            copy.append_buffer(&buffer)?;
        }
        copy.end_bulk()?;
        Ok(copy)
    }

    /// Whether compressing with `cparams` would give the chunks that are there.
    fn same_results(&self, cparams: &CParams) -> bool {
        let ours = &self.cparams;
        cparams.typesize == ours.typesize
            && cparams.clevel == ours.clevel
            && cparams.codec == ours.codec
            && cparams.use_dict == ours.use_dict
            && (cparams.blocksize == 0 || cparams.blocksize == ours.blocksize)
            && cparams.filters == ours.filters
            && ours.prefilter.is_none()
            && self.dparams.postfilter.is_none()
    }

    /// A copy with the chunks and metalayers as they are; of the parameters, only the threads are `storage`'s.
    fn copy_chunks(&self, storage: Storage) -> Result<SuperChunk> {
        self.copy_chunks_with(storage, self.metas(), |n| self.chunk(n)?.into_owned())
    }

    /// A copy in memory, contiguous, with the chunks as they are and with other fixed metalayers.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    /// use blosc2::frame::Metalayers;
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.meta_add("unit", b"m/s")?;
    /// schunk.append_buffer(b"one")?;
    /// let copy = schunk.with_metas(Metalayers::default())?;
    /// assert!(copy.meta_exists("unit").is_err());
    /// assert_eq!(copy.nchunks(), 1);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::copy`].
    pub fn with_metas(&self, metas: Metalayers) -> Result<SuperChunk> {
        self.copy_chunks_with(self.in_memory(), metas, |n| self.chunk(n)?.into_owned())
    }

    /// As a frame in memory, decompressed in the same way.
    pub(super) fn in_memory(&self) -> Storage {
        let dparams = self.dparams.clone();
        Storage { contiguous: true, cparams: unthreaded(), dparams, ..self.same_storage() }
    }

    /// A copy of other fixed metalayers and with the chunks that `chunk` gives.
    pub(super) fn copy_chunks_with(
        &self,
        storage: Storage,
        metas: Metalayers,
        chunk: impl Fn(i64) -> Result<CBuf>,
    ) -> Result<SuperChunk> {
        let nthreads = storage.cparams.nthreads;
        let storage = Storage { cparams: CParams { nthreads, ..self.cparams.clone() }, ..storage };
        let mut copy = self.empty_copy(storage, metas)?;
        let mut blocksize = None;
        for n in 0..self.nchunks() {
            let chunk = chunk(n)?;
            let header = ChunkHeader::parse(&chunk)?;
            // The last chunk may be too short for such a block.
            if header.nbytes() as i64 == i64::from(self.chunksize()) {
                blocksize = Some(one_for_all(blocksize, &header));
            }
            copy.append_chunk(chunk)?;
        }
        let header = &mut copy.state_mut().contents.header;
        // What blocks turned out to be is said of chunks that were compressed here, as by the C library.
        if self.compressed && header.blocksize == 0 && !header.vl_blocks {
            header.blocksize = blocksize.unwrap_or(0);
        }
        copy.end_bulk()?;
        Ok(copy)
    }

    /// An empty super-chunk with these and our variable-length metalayers, ready to take many chunks.
    fn empty_copy(&self, storage: Storage, metas: Metalayers) -> Result<SuperChunk> {
        let mut copy = SuperChunk::new(storage)?;
        let (chunksize, vl_blocks) = (self.chunksize(), self.has_vl_blocks());
        copy.take_metadata(metas, without_table(self.vlmetas()?));
        let contents = &mut copy.state_mut().contents;
        contents.header.chunksize = chunksize;
        contents.header.vl_blocks = vl_blocks;
        contents.header.header_len = contents.header_bytes_len();
        copy.start_bulk();
        Ok(copy)
    }
}

/// A list in memory with copies of the chunks of the frame that `bytes` are, which was `opened` with its index.
pub(super) fn list_of(opened: Opened, bytes: &[u8]) -> Result<SuperChunk> {
    let state = State::new(opened.contents, opened.index, None);
    let mut list = Vec::new();
    let mut cbytes = 0;
    let mut blocksize = None;
    for n in 0..state.contents.nchunks {
        let chunk = copied(&state, bytes, n).map_err(|e| e.at(format_args!("chunk {n}")))?;
        let header = ChunkHeader::parse(&chunk)?;
        cbytes += header.cbytes() as i64;
        blocksize = Some(one_for_all(blocksize, &header));
        list.push(chunk);
    }
    let mut contents = state.contents;
    contents.header.cbytes = cbytes;
    contents.header.checksums = false;
    contents.vlmeta = without_table(contents.vlmeta);
    contents.header.blocksize = blocksize.unwrap_or(contents.header.blocksize);
    Ok(SuperChunk::opened(Chunks::List(List::new(list)), contents, None))
}

/// Chunk `n` of the frame that `bytes` are, in a buffer of its own.
fn copied(state: &State, bytes: &[u8], n: i64) -> Result<CBuf> {
    let at = checked(n, state.contents.nchunks)?;
    match state.index()?.place(at)? {
        Place::Special(special) => made(&state.contents, special, n),
        Place::Stored(offset) => {
            let chunk = chunk_in(bytes, &state.contents, offset)?;
            state.check(at, offset, chunk)?;
            CBuf::copy_of(chunk)
        }
    }
}

/// The block size of all chunks up to one: theirs, if it is the same for all, or 0.
fn one_for_all(before: Option<i32>, chunk: &ChunkHeader) -> i32 {
    let blocksize = chunk.blocksize() as i32;
    if before.is_none_or(|before| before == blocksize) { blocksize } else { 0 }
}
