//! A contiguous frame in one buffer.

use super::commit::{Store, commit};
use super::contents::Contents;
use super::edit::{Data, Edit, Parts, Shift};
use super::file_chunk::cbytes_of;
use super::index::Index;
use crate::base::consts::MIN_HEADER_LEN;
use crate::base::{CBuf, Result};
use crate::fail;

/// A frame's bytes in memory. Chunks are always where they belong; header, index and trailer are written when somebody
/// asks for the bytes, so that appending costs the chunk only.
#[derive(Debug)]
pub struct MemoryFrame {
    bytes: CBuf,
    /// Whether the buffer is ours to change and to free. One that is only lent is left as it is: the first change
    /// makes a copy.
    owned: bool,
    /// Whether header, index and trailer are up to date.
    sealed: bool,
}

impl MemoryFrame {
    /// A frame that has no bytes yet.
    pub fn new() -> Self {
        MemoryFrame { bytes: CBuf::empty(), owned: true, sealed: false }
    }

    /// A frame that is there already.
    pub fn from_bytes(bytes: CBuf, owned: bool) -> Self {
        MemoryFrame { bytes, owned, sealed: true }
    }

    /// Applies what changes in the chunks.
    pub fn change(&mut self, contents: &mut Contents, data: Data<'_>) -> Result<()> {
        self.make_ours()?;
        let edit = Edit::new(contents, data, Parts::Later)?;
        self.sealed = false;
        commit(self, &edit)
    }

    /// The whole frame, with header, index and trailer written.
    pub fn sealed(&mut self, contents: &mut Contents, index: &mut Index) -> Result<&[u8]> {
        if !self.sealed {
            self.make_ours()?;
            let edit = Edit::new(contents, Data::Same, Parts::All(index))?;
            commit(self, &edit)?;
            self.sealed = true;
        }
        Ok(&self.bytes)
    }

    /// The whole frame, where header, index and trailer are written.
    pub fn as_sealed(&self) -> Option<&[u8]> {
        self.sealed.then_some(&*self.bytes)
    }

    /// The chunk that is stored `offset` bytes after the header.
    pub fn chunk(&self, contents: &Contents, offset: u64) -> Result<&[u8]> {
        chunk_in(&self.bytes, contents, offset)
    }

    /// Says whether the buffer is freed with the frame.
    pub fn set_owned(&mut self, owned: bool) {
        self.owned = owned;
    }

    /// Where the bytes are; valid until the next change.
    pub fn address(&self) -> *const u8 {
        self.bytes.as_ptr()
    }

    /// The bytes, which must be sealed to be a frame.
    pub fn into_bytes(mut self) -> CBuf {
        std::mem::replace(&mut self.bytes, CBuf::empty())
    }

    fn make_ours(&mut self) -> Result<()> {
        if !self.owned {
            let copy = CBuf::copy_of(&self.bytes)?;
            self.give_back();
            self.bytes = copy;
            self.owned = true;
        }
        Ok(())
    }

    /// Leaves a buffer that is not ours to whom it belongs.
    fn give_back(&mut self) {
        std::mem::replace(&mut self.bytes, CBuf::empty()).into_raw();
    }
}

/// The chunk that is stored `offset` bytes after the header of the frame that `bytes` are.
pub fn chunk_in<'a>(bytes: &'a [u8], contents: &Contents, offset: u64) -> Result<&'a [u8]> {
    let end = contents.data_end() as usize;
    let start = offset.saturating_add(u64::from(contents.header.header_len));
    let rest = usize::try_from(start).ok().and_then(|start| bytes.get(start..end));
    let Some(rest) = rest.filter(|rest| rest.len() >= MIN_HEADER_LEN) else {
        fail!(InvalidHeader, "a chunk at byte {offset} outside the frame");
    };
    match cbytes_of(rest).and_then(|cbytes| rest.get(..cbytes)) {
        Some(chunk) if chunk.len() >= MIN_HEADER_LEN => Ok(chunk),
        _ => fail!(InvalidHeader, "the chunk at byte {offset} is longer than the frame"),
    }
}

impl Default for MemoryFrame {
    fn default() -> Self {
        MemoryFrame::new()
    }
}

impl Drop for MemoryFrame {
    fn drop(&mut self) {
        if !self.owned {
            self.give_back();
        }
    }
}

impl Store for MemoryFrame {
    fn write(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        let Ok(start) = usize::try_from(at) else {
            fail!(MemoryAlloc, "byte {at} of a frame in memory");
        };
        if start > self.bytes.len() {
            self.bytes.reserve(start - self.bytes.len())?;
            self.bytes.resize(start)?;
        }
        // What is added is written once: a chunk that takes the place of a trailer is mostly longer.
        let old = &mut self.bytes[start..];
        let (over, beyond) = bytes.split_at(bytes.len().min(old.len()));
        old[..over.len()].copy_from_slice(over);
        self.bytes.extend_from_slice(beyond)
    }

    fn shift(&mut self, shift: Shift) -> Result<()> {
        let [from, to, len] = [shift.from as usize, shift.to as usize, shift.len as usize];
        let end = from.max(to).saturating_add(len);
        if end > self.bytes.len() {
            self.bytes.reserve(end - self.bytes.len())?;
            self.bytes.resize(end)?;
        }
        self.bytes.copy_within(from..from + len, to);
        Ok(())
    }

    fn set_len(&mut self, len: u64) -> Result<()> {
        self.bytes.truncate(usize::try_from(len).unwrap_or(usize::MAX));
        Ok(())
    }

    fn put_chunk(&mut self, _: u64, _: &[u8]) -> Result<()> {
        fail!(FrameType, "a frame in memory has no chunk files")
    }

    fn drop_chunk(&mut self, _: u64) -> Result<()> {
        fail!(FrameType, "a frame in memory has no chunk files")
    }
}
