//! What is where in a frame, chunk by chunk and byte by byte.

use super::access::{checked, listed, made};
use super::{Chunks, SuperChunk};
use crate::base::Result;
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::chunk::{ChunkHeader, Special};
use crate::fail;
use crate::frame::disk::Seen;
use crate::frame::map::{self, FileMap};
use crate::frame::{FrameKind, Place};

/// What is known of a chunk without decompressing it.
#[derive(Clone, Debug)]
pub struct ChunkInfo {
    /// Its header; for a chunk that is not stored, as it would be.
    pub header: ChunkHeader,
    /// Where it is; `None` in a list.
    pub place: Option<Place>,
    /// Where in the file it begins; `None` when it is not stored, in a file of its own, or in a list.
    pub offset: Option<u64>,
}

impl ChunkInfo {
    /// Uncompressed bytes.
    pub fn nbytes(&self) -> usize {
        self.header.nbytes()
    }

    /// The bytes that it takes where it is stored.
    pub fn cbytes(&self) -> usize {
        match self.place {
            Some(Place::Special(_)) => 0,
            _ => self.header.cbytes(),
        }
    }

    /// What all its items are, if that is all there is to it.
    pub fn special(&self) -> Option<Special> {
        self.header.special()
    }
}

impl SuperChunk {
    /// The format version that a frame on disk says it has.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// # let path = std::env::temp_dir().join(format!("doc-version-{}.b2frame", std::process::id()));
    /// let storage = Storage { contiguous: true, urlpath: Some(path.clone()), ..Storage::default() };
    /// assert_eq!(SuperChunk::new(storage)?.format_version(), Some(2));
    /// assert_eq!(SuperChunk::new(Storage::default())?.format_version(), None);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn format_version(&self) -> Option<u8> {
        self.state().seen.as_ref().map(Seen::version)
    }

    /// What is known of chunk `n`. Reads its header only, and compares no checksum.
    ///
    /// ```
    /// use blosc2::{CParams, Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage { cparams: CParams::of_items(4), ..Storage::default() })?;
    /// schunk.append(&[1i32; 10_000])?;
    /// let info = schunk.chunk_info(0)?;
    /// assert_eq!((info.nbytes(), info.cbytes() < 100), (40_000, true));
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`SuperChunk::chunk`].
    pub fn chunk_info(&self, n: i64) -> Result<ChunkInfo> {
        self.chunk_info_at(n).map_err(|e| e.at(format_args!("chunk {n}")))
    }

    fn chunk_info_at(&self, n: i64) -> Result<ChunkInfo> {
        if let Chunks::List(list) = &self.chunks {
            let header = ChunkHeader::parse(listed(list, n)?)?;
            return Ok(ChunkInfo { header, place: None, offset: None });
        }
        let _lock = self.shared()?;
        let state = self.indexed()?;
        let at = checked(n, state.contents.nchunks)?;
        let place = state.index()?.place(at)?;
        let (header, offset) = match (place, &self.chunks) {
            (Place::Special(special), _) => (ChunkHeader::parse(&made(&state.contents, special, n)?)?, None),
            (Place::Stored(offset), Chunks::Disk(disk)) => {
                let chunk = disk.chunk(&state.contents, state.index()?, at, offset)?;
                let contiguous = state.contents.header.kind == FrameKind::Contiguous;
                let header = ChunkHeader::parse(&chunk.head(EXTENDED_HEADER_LEN)?)?;
                (header, contiguous.then_some(chunk.start()))
            }
            (Place::Stored(offset), Chunks::Memory(frame)) => {
                let start = u64::from(state.contents.header.header_len) + offset;
                (ChunkHeader::parse(frame.chunk(&state.contents, offset)?)?, Some(start))
            }
            (Place::Stored(_), Chunks::List(_)) => fail!(Failure, "a list has no index"),
        };
        Ok(ChunkInfo { header, place: Some(place), offset })
    }

    /// What lies where in the files of a frame on disk: all bytes of each, in order. See [`frame::map`](crate::frame::map).
    ///
    /// ```
    /// use blosc2::frame::map::Part;
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// # let path = std::env::temp_dir().join(format!("doc-map-{}.b2frame", std::process::id()));
    /// let storage = Storage { contiguous: true, urlpath: Some(path.clone()), ..Storage::default() };
    /// let mut schunk = SuperChunk::new(storage)?;
    /// schunk.append_buffer(b"one")?;
    /// let parts: Vec<Part> = schunk.map()?[0].pieces.iter().map(|piece| piece.part).collect();
    /// assert_eq!(parts, [Part::Header, Part::Chunk(0), Part::Index, Part::Trailer]);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when there is no frame on disk; what storage
    /// reports.
    pub fn map(&self) -> Result<Vec<FileMap>> {
        let Chunks::Disk(disk) = &self.chunks else {
            fail!(InvalidParam, "only a frame on disk has files");
        };
        let _lock = self.shared()?;
        let state = self.indexed()?;
        map::draw(disk, &state.contents, state.index()?)
    }
}
