//! Making and opening super-chunks.

use super::checksums::empty_index;
use super::convert::list_of;
use super::list::List;
use super::state::State;
use super::{Chunks, Storage, SuperChunk};
use crate::base::params::{CParams, DParams};
use crate::base::{CBuf, Result, env};
use crate::fail;
use crate::frame::open::{self, Opened, Span};
use crate::frame::{Contents, Data, DiskFrame, Edit, FrameKind, Index, MemoryFrame, Parts};
use crate::io::Backend;
use std::path::Path;
use std::sync::{Arc, RwLock};

impl SuperChunk {
    /// An empty super-chunk.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// // In memory, a buffer for each chunk.
    /// let list = SuperChunk::new(Storage::default())?;
    /// assert!(!list.has_frame());
    /// // In one file, for numbers of four bytes.
    /// # let path = std::env::temp_dir().join(format!("doc-new-{}.b2frame", std::process::id()));
    /// let cparams = CParams::of_items(4);
    /// let storage = Storage { contiguous: true, urlpath: Some(path.clone()), cparams, ..Storage::default() };
    /// let mut schunk = SuperChunk::new(storage)?;
    /// schunk.append(&[1i32, 2, 3])?;
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::FileOpen`](crate::base::ErrorKind::FileOpen) when there is something at the path already, or it
    /// cannot be made; [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) for a typesize less than 1;
    /// what storage reports.
    pub fn new(storage: Storage) -> Result<SuperChunk> {
        env::look_for_info();
        let Storage { contiguous, urlpath, cparams, dparams, io, witness, checksums } = storage;
        if cparams.typesize < 1 {
            fail!(InvalidParam, "typesize {}", cparams.typesize);
        }
        let kind = if contiguous || urlpath.is_none() { FrameKind::Contiguous } else { FrameKind::Sparse };
        let mut contents = Contents::new(&cparams, &dparams, kind);
        contents.header.checksums = checksums;
        let mut index = empty_index(checksums);
        let (chunks, seen) = match (urlpath, contiguous) {
            (None, false) => {
                contents.header.checksums = false;
                let list = Chunks::List(List::new(Vec::new()));
                let schunk = SuperChunk::assemble(cparams, dparams, list, contents, None);
                return Ok(SuperChunk { witness, ..schunk });
            }
            (None, true) => (Chunks::Memory(MemoryFrame::new()), None),
            (Some(path), _) => {
                let mut disk = DiskFrame::create(io, &path, kind)?;
                let edit = Edit::new(&mut contents, Data::Same, Parts::All(&mut index))?;
                let seen = disk.commit_new(&edit)?;
                (Chunks::Disk(Box::new(disk)), Some(seen))
            }
        };
        let mut schunk = SuperChunk::assemble(cparams, dparams, chunks, contents, Some(index));
        schunk.state_mut().seen = seen;
        schunk.witness = witness;
        Ok(schunk)
    }

    /// The super-chunk is made: nobody needs to be told any more.
    pub fn dismiss_witness(&mut self) {
        self.witness = None;
    }

    pub(super) fn assemble(
        cparams: CParams,
        dparams: DParams,
        chunks: Chunks,
        contents: Contents,
        index: Option<Index>,
    ) -> SuperChunk {
        let cparams = CParams { in_schunk: true, ..cparams };
        let state = RwLock::new(State::new(contents, index, None));
        SuperChunk { cparams, dparams, chunks, state, witness: None, compressed: false }
    }

    /// Opens the frame at `path`, which is a sparse frame's directory, or a file in which the frame starts at byte
    /// `offset`. One thread compresses and decompresses until told otherwise.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// # let path = std::env::temp_dir().join(format!("doc-open-{}.b2frame", std::process::id()));
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.append_buffer(b"kept for later")?;
    /// schunk.to_file(&path, &Storage::default().io)?;
    ///
    /// let opened = SuperChunk::open(&path, 0, Storage::default().io)?;
    /// assert_eq!((opened.nchunks(), opened.nbytes()), (1, 14));
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// What storage reports, and what is wrong with the frame.
    pub fn open(path: &Path, offset: u64, io: Arc<dyn Backend>) -> Result<SuperChunk> {
        let disk = DiskFrame::open(io, path, offset)?;
        // Where there is no frame, a lock would leave a file.
        let (opened, seen) = match disk.lock().filter(|_| disk.exists()) {
            Some(lock) => {
                let _shared = lock.shared()?;
                disk.load()?
            }
            None => disk.load()?,
        };
        let mut schunk = SuperChunk::opened(Chunks::Disk(Box::new(disk)), opened.contents, opened.index);
        schunk.state_mut().seen = Some(seen);
        Ok(schunk)
    }

    /// A super-chunk that lives in the bytes of a contiguous frame. With `owned` they are freed with it, and changed in
    /// place; otherwise they are only lent: the super-chunk works on a copy from its first change on, and never frees
    /// them.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[1i32, 2, 3])?;
    /// let copy = SuperChunk::from_cframe(schunk.to_cframe()?, true)?;
    /// assert_eq!(copy.get::<i32>(0, 3)?, [1, 2, 3]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the frame.
    pub fn from_cframe(frame: CBuf, owned: bool) -> Result<SuperChunk> {
        let opened = match open_bytes(&frame) {
            Ok(opened) => opened,
            Err(e) => {
                // Frees the bytes, unless they are only lent.
                drop(MemoryFrame::from_bytes(frame, owned));
                return Err(e);
            }
        };
        Ok(SuperChunk::opened(
            Chunks::Memory(MemoryFrame::from_bytes(frame, owned)),
            opened.contents,
            opened.index,
        ))
    }

    /// A list in memory with copies of the chunks of a contiguous frame.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[1i32, 2, 3])?;
    /// let copy = SuperChunk::from_cframe_copy(&schunk.to_cframe()?)?;
    /// assert!(!copy.has_frame());
    /// assert_eq!(copy.get::<i32>(0, 3)?, [1, 2, 3]);
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the frame.
    pub fn from_cframe_copy(frame: &[u8]) -> Result<SuperChunk> {
        list_of(open_bytes(frame)?, frame)
    }

    /// What was opened, to be used by one thread until told otherwise.
    pub(super) fn opened(chunks: Chunks, contents: Contents, index: Option<Index>) -> SuperChunk {
        let cparams = CParams { nthreads: 1, ..contents.header.cparams() };
        let dparams = DParams { typesize: cparams.typesize, in_schunk: true, ..DParams::default() };
        SuperChunk::assemble(cparams, dparams, chunks, contents, index)
    }
}

/// Reads a contiguous frame that fills `frame`, index and all.
fn open_bytes(frame: &[u8]) -> Result<Opened> {
    let span = Span::bytes(frame);
    let mut opened = open::open(span)?;
    let header = &opened.contents.header;
    if header.frame_len != frame.len() as u64 {
        fail!(InvalidHeader, "a frame of {} bytes in {}", header.frame_len, frame.len());
    }
    if header.kind != FrameKind::Contiguous {
        fail!(FrameType, "the chunks of a sparse frame are not in its bytes");
    }
    if opened.index.is_none() {
        opened.index = Some(open::open_index(span, &opened.contents)?);
    }
    Ok(opened)
}
