//! Where a chunk's bytes are.

use super::header::ChunkHeader;
use crate::base::consts::MAX_DICT_LEN;
use crate::base::{CBuf, Result, bytes};
use crate::fail;
use std::borrow::Cow;

/// Reads a chunk that is somewhere else: in a file, say.
pub trait ReadAt: Sync {
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
    /// A chunk whose head is known: header, block starts, dictionary or value, as [`head_len`] counts.
    pub fn new(head: impl Into<Cow<'a, [u8]>>, reader: Box<dyn ReadAt + 'a>) -> Self {
        Deferred { head: head.into(), reader }
    }

    /// A chunk of `len` bytes, of which the head is read now: two positioned reads, three with a dictionary.
    ///
    /// # Errors
    /// As [`ChunkHeader::parse`], and what the reader reports.
    pub fn open(reader: Box<dyn ReadAt + 'a>, len: u64) -> Result<Self> {
        let mut first = [0; crate::base::consts::EXTENDED_HEADER_LEN];
        let first = &mut first[..usize::try_from(len).unwrap_or(usize::MAX).min(32)];
        reader.read_at(0, first)?;
        let header = ChunkHeader::parse(first)?;
        if header.cbytes() as u64 > len {
            fail!(InvalidHeader, "chunk of {} bytes where {len} are stored", header.cbytes());
        }
        let mut head = Vec::new();
        for wanted in [HeadPart::Starts, HeadPart::All] {
            let wanted = head_len(&header, &head, wanted)?;
            let have = head.len();
            if wanted > have {
                // Bounded: head_len checked it against cbytes, and cbytes against what is stored.
                head.resize(wanted, 0);
                reader.read_at(have as u64, &mut head[have..])?;
            }
        }
        Ok(Deferred { head: Cow::Owned(head), reader })
    }

    pub(super) fn head(&self) -> &[u8] {
        &self.head
    }

    pub(super) fn reader(&self) -> &dyn ReadAt {
        &*self.reader
    }
}

/// How much of a chunk's head.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeadPart {
    /// Up to the end of the block starts, or the value, and the dictionary's size.
    Starts,
    /// All.
    All,
}

/// Bytes before a chunk's blocks: header and block starts, then a dictionary if there is one; or header and value.
/// Counting a dictionary needs the block starts in `head`; without them its size field is counted only.
fn head_len(header: &ChunkHeader, head: &[u8], part: HeadPart) -> Result<usize> {
    let mut len = header.starts_end() + header.value_len();
    if header.uses_dict() {
        len += 4;
        if part == HeadPart::All {
            len += dict_len(head, header.starts_end())?;
        }
    }
    if len > header.cbytes() {
        fail!(ReadBuffer, "chunk of {} bytes has {len} bytes before its blocks", header.cbytes());
    }
    Ok(len)
}

/// The length of the dictionary whose size field stands at `at`.
pub(super) fn dict_len(chunk: &[u8], at: usize) -> Result<usize> {
    match bytes::i32_le_at(chunk, at) {
        Some(len) if len > 0 && len as usize <= MAX_DICT_LEN => Ok(len as usize),
        Some(len) => fail!(CodecDict, "a dictionary of {len} bytes is not in 1..={MAX_DICT_LEN}"),
        None => fail!(ReadBuffer, "the chunk ends where its dictionary's size should be"),
    }
}
