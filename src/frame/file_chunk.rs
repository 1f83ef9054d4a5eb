//! A stored chunk's bytes.

use crate::base::buffer::Buffer;
use crate::base::consts::MIN_HEADER_LEN;
use crate::base::{CBuf, Result, bytes};
use crate::chunk::scratch::MOST_WHOLE;
use crate::chunk::{ChunkSource, ReadAt};
use crate::fail;
use crate::io::File;
use crate::io::handles::Reader;
use std::ops::Deref;
use std::sync::OnceLock;

/// Reads a chunk's bytes out of a frame's file, or out of its own.
pub struct FileChunk<'a> {
    reader: Reader<'a>,
    start: u64,
    /// The bytes that can belong to the chunk, once somebody asked its file.
    len: OnceLock<u64>,
    /// The bytes that probably do.
    likely: u64,
}

impl<'a> FileChunk<'a> {
    /// The chunk at byte `start`, which has at most `len` bytes.
    pub fn new(reader: Reader<'a>, start: u64, len: u64) -> Self {
        FileChunk { reader, start, len: OnceLock::from(len), likely: len }
    }

    /// The chunk that has a file to itself.
    pub fn of_file(reader: Reader<'a>) -> Self {
        FileChunk { reader, start: 0, len: OnceLock::new(), likely: u64::MAX }
    }

    /// The chunk, which probably has no more than `likely` bytes.
    #[must_use]
    pub fn likely(mut self, likely: u64) -> Self {
        self.likely = likely;
        self
    }

    /// The chunk, which has `cbytes` bytes, as its header says.
    #[must_use]
    pub fn known(mut self, cbytes: u64) -> Self {
        self.len = OnceLock::from(cbytes);
        self
    }

    /// All of the chunk: one read, unless chunks are not where one expects them.
    pub fn bytes(self) -> Result<ChunkBytes<'a>> {
        if let Some(view) = self.view() {
            return view.map(ChunkBytes::Borrowed);
        }
        let mut chunk = CBuf::zeroed(self.first_read()?)?;
        self.read_at(0, &mut chunk)?;
        let cbytes = self.cbytes(&chunk)?;
        self.complete(chunk, cbytes)
    }

    /// The same, in memory of the caller's where the chunk is no longer than [`MOST_WHOLE`].
    pub fn bytes_in(self, buffer: &'a mut Buffer) -> Result<ChunkBytes<'a>> {
        if let Some(view) = self.view() {
            return view.map(ChunkBytes::Borrowed);
        }
        if let Some(cbytes) = self.read_in(buffer) {
            return Ok(ChunkBytes::Borrowed(&buffer.sized(cbytes)[..cbytes]));
        }
        let first = self.first_read()?;
        if first > MOST_WHOLE {
            return self.bytes();
        }
        let chunk = buffer.sized(first);
        self.read_at(0, chunk)?;
        let cbytes = self.cbytes(chunk)?;
        if cbytes > chunk.len() {
            return self.complete(CBuf::copy_of(chunk)?, cbytes);
        }
        Ok(ChunkBytes::Borrowed(&chunk[..cbytes]))
    }

    /// Reads a chunk that has a file to itself, and nobody has asked how long that is, to the front of `buffer`: the read
    /// ends where the file does. How many bytes the chunk has, if they are there then; whoever finds out why not asks.
    fn read_in(&self, buffer: &mut Buffer) -> Option<usize> {
        if self.len.get().is_some() || self.likely > MOST_WHOLE as u64 {
            return None;
        }
        let room = buffer.sized(self.likely as usize);
        let read = self.reader.file().read_some(self.start, room)?;
        let read = &room[..read];
        cbytes_of(read).filter(|cbytes| (MIN_HEADER_LEN..=read.len()).contains(cbytes))
    }

    /// The chunk where its file has it in memory for good.
    fn view(&self) -> Option<Result<&'a [u8]>> {
        let Reader::Fixed(file) = self.reader else {
            return None;
        };
        let head = file.view(self.start, MIN_HEADER_LEN)?;
        Some(head.and_then(|head| match file.view(self.start, self.cbytes(head)?) {
            Some(view) => view,
            None => fail!(FileRead, "a view of a file is gone"),
        }))
    }

    /// How many bytes to read before the chunk says how many it has.
    fn first_read(&self) -> Result<usize> {
        Ok(self.likely.max(MIN_HEADER_LEN as u64).min(self.most()?) as usize)
    }

    /// The chunk of `cbytes` bytes that begins with those in `chunk`, the rest being read.
    fn complete(self, mut chunk: CBuf, cbytes: usize) -> Result<ChunkBytes<'a>> {
        let have = chunk.len();
        if cbytes > have {
            chunk.resize(cbytes)?;
            self.read_at(have as u64, &mut chunk[have..])?;
        }
        chunk.resize(cbytes)?;
        Ok(ChunkBytes::Owned(chunk))
    }

    fn cbytes(&self, head: &[u8]) -> Result<usize> {
        let len = self.most()?;
        match cbytes_of(head) {
            Some(cbytes) if cbytes >= MIN_HEADER_LEN && cbytes as u64 <= len => Ok(cbytes),
            cbytes => fail!(InvalidHeader, "a chunk of {cbytes:?} bytes where {len} are stored"),
        }
    }

    /// The chunk's first bytes, to read its header from: up to `len`, fewer when the chunk cannot be longer.
    pub fn head(&self, len: usize) -> Result<Vec<u8>> {
        let mut head = vec![0; len.min(self.most()? as usize)];
        self.read_at(0, &mut head)?;
        Ok(head)
    }

    /// Where in its file the chunk begins.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The bytes that the chunk says it has, when they can all be there.
    pub fn cbytes_told(&self) -> Result<u64> {
        self.cbytes(&self.head(MIN_HEADER_LEN)?).map(|cbytes| cbytes as u64)
    }

    /// How many bytes can belong to the chunk.
    ///
    /// # Errors
    /// [`ErrorKind::FileRead`](crate::base::ErrorKind::FileRead) when a chunk's own file is too short for one.
    pub fn most(&self) -> Result<u64> {
        if let Some(len) = self.len.get() {
            return Ok(*len);
        }
        let len = self.reader.file().size()?;
        if len < MIN_HEADER_LEN as u64 {
            fail!(FileRead, "{len} bytes in the file of a chunk");
        }
        Ok(*self.len.get_or_init(|| len))
    }

    /// How many bytes it probably has.
    pub fn likely_len(&self) -> Result<u64> {
        Ok(self.likely.min(self.most()?))
    }
}

impl ReadAt for FileChunk<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        let most = self.most()?;
        if offset.checked_add(buf.len() as u64).is_none_or(|end| end > most) {
            fail!(ReadBuffer, "bytes {offset}.. {} long, of a chunk of {most}", buf.len());
        }
        read_into(self.reader.file(), self.start + offset, buf)
    }

    fn borrow_at(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let most = self.most().ok()?;
        offset.checked_add(len as u64).filter(|&end| end <= most)?;
        self.reader.file().view(self.start + offset, len)?.ok()
    }
}

/// A chunk's bytes.
#[derive(Debug)]
pub enum ChunkBytes<'a> {
    /// Where the frame has them.
    Borrowed(&'a [u8]),
    /// Read, or made.
    Owned(CBuf),
}

impl Deref for ChunkBytes<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            ChunkBytes::Borrowed(bytes) => bytes,
            ChunkBytes::Owned(bytes) => bytes,
        }
    }
}

impl<'a> ChunkBytes<'a> {
    /// The bytes, copied where they were not ours.
    pub fn into_owned(self) -> Result<CBuf> {
        match self {
            ChunkBytes::Borrowed(bytes) => CBuf::copy_of(bytes),
            ChunkBytes::Owned(bytes) => Ok(bytes),
        }
    }

    /// A source for a reader.
    pub fn into_source(self) -> ChunkSource<'a> {
        match self {
            ChunkBytes::Borrowed(bytes) => ChunkSource::Bytes(bytes),
            ChunkBytes::Owned(bytes) => ChunkSource::Owned(bytes),
        }
    }
}

/// How many bytes the chunk at the front of `head` says it has.
pub(super) fn cbytes_of(head: &[u8]) -> Option<usize> {
    bytes::i32_le_at(head, 12).and_then(|cbytes| usize::try_from(cbytes).ok())
}

/// Fills `buf` from a file, by a view of it where there is one.
pub fn read_into(file: &dyn File, at: u64, buf: &mut [u8]) -> Result<()> {
    match file.view(at, buf.len()) {
        Some(view) => {
            buf.copy_from_slice(view?);
            Ok(())
        }
        None => file.read_at(at, buf),
    }
}
