//! Where a chunk's bytes are.

use super::header::ChunkHeader;
use crate::base::consts::{EXTENDED_HEADER_LEN, MAX_DICT_LEN};
use crate::base::{CBuf, Result, bytes};
use crate::fail;
use std::borrow::Cow;

/// How far to read on before looking whether it was there.
const MAX_STEP: usize = 1 << 20;

/// Reads a chunk that is somewhere else: in a file, say.
pub trait ReadAt: Send + Sync {
    /// Fills `buf` from byte `offset` of the chunk on.
    ///
    /// # Errors
    /// What storage reports; [`ErrorKind::ReadBuffer`](crate::base::ErrorKind::ReadBuffer) when it ends early.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()>;

    /// The `len` bytes from byte `offset` on without a copy, where storage has them in memory.
    fn borrow_at(&self, _offset: u64, _len: usize) -> Option<&[u8]> {
        None
    }
}

/// A chunk's bytes, or the way to them.
pub enum ChunkSource<'a> {
    /// All of the chunk, borrowed.
    Bytes(&'a [u8]),
    /// All of the chunk.
    Owned(CBuf),
    /// What stands before the blocks, and a reader for those.
    Deferred(Deferred<'a>),
}

/// A chunk of which only the part before the blocks is in memory.
pub struct Deferred<'a> {
    head: Cow<'a, [u8]>,
    reader: Box<dyn ReadAt + 'a>,
}

impl<'a> Deferred<'a> {
    /// A chunk whose head is known: header, block starts and dictionary, or header and value.
    pub fn new(head: impl Into<Cow<'a, [u8]>>, reader: Box<dyn ReadAt + 'a>) -> Self {
        Deferred { head: head.into(), reader }
    }

    /// A chunk of `len` bytes, of which the head is read now: two positioned reads, three with a dictionary.
    ///
    /// # Errors
    /// As [`ChunkHeader::parse`], and what the reader reports.
    pub fn open(reader: Box<dyn ReadAt + 'a>, len: u64) -> Result<Self> {
        let mut head = vec![0; usize::try_from(len).unwrap_or(usize::MAX).min(EXTENDED_HEADER_LEN)];
        reader.read_at(0, &mut head)?;
        let header = ChunkHeader::parse(&head)?;
        if header.cbytes() as u64 > len {
            fail!(InvalidHeader, "chunk of {} bytes where {len} are stored", header.cbytes());
        }
        Self::resume(head.into(), reader)
    }

    /// A chunk of which the front is known, the header at least; what is missing of the head is read now.
    ///
    /// # Errors
    /// As [`ChunkHeader::parse`]; [`ErrorKind::ReadBuffer`](crate::base::ErrorKind::ReadBuffer) when the chunk ends
    /// before its blocks begin; what the reader reports.
    pub fn resume(mut head: Cow<'a, [u8]>, reader: Box<dyn ReadAt + 'a>) -> Result<Self> {
        let header = ChunkHeader::parse(&head)?;
        let mut len = header.starts_end() + header.value_len();
        if header.uses_dict() {
            complete(&mut head, len + 4, &header, &*reader)?;
            len += 4 + dict_len(&head, len)?;
        }
        complete(&mut head, len, &header, &*reader)?;
        Ok(Deferred { head, reader })
    }

    /// What stands before the blocks.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    pub(super) fn reader(&self) -> &dyn ReadAt {
        &*self.reader
    }
}

/// Reads on until `head` has `len` bytes.
fn complete(head: &mut Cow<'_, [u8]>, len: usize, header: &ChunkHeader, reader: &dyn ReadAt) -> Result<()> {
    if len > header.cbytes() {
        fail!(ReadBuffer, "chunk of {} bytes has {len} bytes before its blocks", header.cbytes());
    }
    let have = head.len();
    if len > have {
        // Grown in step with what is really there, however much the header promises.
        let head = head.to_mut();
        for start in (have..len).step_by(MAX_STEP) {
            let end = len.min(start + MAX_STEP);
            head.resize(end, 0);
            reader.read_at(start as u64, &mut head[start..])?;
        }
    }
    Ok(())
}

/// The length of the dictionary whose size field stands at `at`.
pub(super) fn dict_len(chunk: &[u8], at: usize) -> Result<usize> {
    match bytes::i32_le_at(chunk, at) {
        Some(len) if len > 0 && len as usize <= MAX_DICT_LEN => Ok(len as usize),
        Some(len) => fail!(CodecDict, "a dictionary of {len} bytes is not in 1..={MAX_DICT_LEN}"),
        None => fail!(ReadBuffer, "the chunk ends where its dictionary's size should be"),
    }
}
