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

/// Reads a chunk's bytes out of a frame's file, or out of its own.
pub struct FileChunk<'a> {
    reader: Reader<'a>,
    start: u64,
    /// The bytes that can belong to the chunk.
    len: u64,
    /// The bytes that probably do.
    likely: u64,
}

impl<'a> FileChunk<'a> {
    /// The chunk at byte `start`, which has at most `len` bytes.
    pub fn new(reader: Reader<'a>, start: u64, len: u64) -> Self {
        FileChunk { reader, start, len, likely: len }
    }

    /// The chunk, which probably has no more than `likely` bytes.
    #[must_use]
    pub fn likely(mut self, likely: u64) -> Self {
        self.likely = likely.min(self.len);
        self
    }

    /// All of the chunk: one read, unless chunks are not where one expects them.
    pub fn bytes(self) -> Result<ChunkBytes<'a>> {
        if let Some(view) = self.view() {
            return view.map(ChunkBytes::Borrowed);
        }
        let mut chunk = CBuf::zeroed(self.first_read())?;
        self.read_at(0, &mut chunk)?;
        let cbytes = self.cbytes(&chunk)?;
        self.complete(chunk, cbytes)
    }

    /// The same, in memory of the caller's where the chunk is no longer than [`MOST_WHOLE`].
    pub fn bytes_in(self, buffer: &'a mut Buffer) -> Result<ChunkBytes<'a>> {
        if let Some(view) = self.view() {
            return view.map(ChunkBytes::Borrowed);
        }
        if self.first_read() > MOST_WHOLE {
            return self.bytes();
        }
        let chunk = buffer.sized(self.first_read());
        self.read_at(0, chunk)?;
        let cbytes = self.cbytes(chunk)?;
        if cbytes > chunk.len() {
            return self.complete(CBuf::copy_of(chunk)?, cbytes);
        }
        Ok(ChunkBytes::Borrowed(&chunk[..cbytes]))
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
    fn first_read(&self) -> usize {
        self.likely.max(MIN_HEADER_LEN as u64).min(self.len) as usize
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
        match cbytes_of(head) {
            Some(cbytes) if cbytes >= MIN_HEADER_LEN && cbytes as u64 <= self.len => Ok(cbytes),
            cbytes => fail!(InvalidHeader, "a chunk of {cbytes:?} bytes where {} are stored", self.len),
        }
    }

    /// The chunk's first bytes, to read its header from: up to `len`, fewer when the chunk cannot be longer.
    pub fn head(&self, len: usize) -> Result<Vec<u8>> {
        let mut head = vec![0; len.min(self.len as usize)];
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
    pub fn len(&self) -> u64 {
        self.len
    }

    /// How many bytes it probably has.
    pub fn likely_len(&self) -> u64 {
        self.likely
    }

    /// Whether there can be no chunk.
    pub fn is_empty(&self) -> bool {
        self.len < MIN_HEADER_LEN as u64
    }
}

impl ReadAt for FileChunk<'_> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        if offset.checked_add(buf.len() as u64).is_none_or(|end| end > self.len) {
            fail!(ReadBuffer, "bytes {offset}.. {} long, of a chunk of {}", buf.len(), self.len);
        }
        read_into(self.reader.file(), self.start + offset, buf)
    }

    fn borrow_at(&self, offset: u64, len: usize) -> Option<&[u8]> {
        offset.checked_add(len as u64).filter(|&end| end <= self.len)?;
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
