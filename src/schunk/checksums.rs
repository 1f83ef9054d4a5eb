//! Checksums of chunks: turned on and off, and looked at when chunks are read.
//!
//! A chunk that is read whole from disk is checked each time: its bytes are at hand. For a part of one, and for one in
//! memory, it is read and checked whole the first time only. Sums of every block would find damage as well without that
//! first read, but the blocks' heads, dictionaries and tables lie between them, and a block is often a few hundred bytes.

use super::state::{State, What};
use super::{Chunks, SuperChunk};
use crate::base::{Result, glance};
use crate::frame::checksums::{self, Sums};
use crate::frame::{Data, Index, Metalayers, Place};
use std::collections::HashSet;
use std::sync::Mutex;

/// How many chunks are remembered as right. When there are more, all are looked at once again.
const MOST: usize = 1 << 16;

/// The chunks whose bytes were found to be right: where they are, and their sums.
#[derive(Debug, Default)]
pub(super) struct Checked(Mutex<HashSet<(u64, u64)>>);

impl Checked {
    fn has(&self, key: (u64, u64)) -> bool {
        glance(&self.0).is_some_and(|checked| checked.contains(&key))
    }

    fn add(&self, key: (u64, u64)) {
        let Some(mut checked) = glance(&self.0) else { return };
        if checked.len() >= MOST {
            checked.clear();
        }
        checked.insert(key);
    }
}

/// What the bytes of a chunk are to be compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    offset: u64,
    sum: u64,
}

impl State {
    /// The sum of chunk `n`, stored at `offset`, where the frame keeps checksums.
    pub fn sum(&self, n: usize, offset: u64) -> Option<Sum> {
        let sum = self.index.as_ref()?.sum(n)?;
        Some(Sum { offset, sum })
    }

    /// The same, unless the chunk was looked at before.
    pub fn sum_due(&self, n: usize, offset: u64) -> Option<Sum> {
        self.sum(n, offset).filter(|sum| !self.checked.has((sum.offset, sum.sum)))
    }

    /// Compares the bytes of chunk `n`, stored at `offset`, with their sum, where there is one.
    pub fn check(&self, n: usize, offset: u64, bytes: &[u8]) -> Result<()> {
        self.sum(n, offset).map_or(Ok(()), |sum| checksums::check(bytes, sum.sum))
    }
}

impl SuperChunk {
    /// Whether the frame keeps checksums of its chunks and metadata, and whoever changed it last kept them.
    pub fn has_checksums(&self) -> bool {
        self.has_frame() && self.state().contents.header.checksums
    }

    /// Makes a frame keep checksums from now on. Reads all chunks.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) when there is no frame; what storage reports.
    pub fn start_checksums(&mut self) -> Result<()> {
        if !self.has_frame() {
            crate::fail!(InvalidParam, "a list of chunks keeps no checksums");
        }
        self.exclusively(|schunk| if schunk.has_checksums() { Ok(()) } else { schunk.make_sums() })
    }

    /// Before a change: makes sums again for a frame that asks for them, and that somebody changed who knows nothing of
    /// them.
    pub(super) fn resume_checksums(&mut self) -> Result<()> {
        let framed = self.has_frame();
        let State { contents, bulk, .. } = self.state_mut();
        let foreign =
            framed && !contents.header.checksums && contents.vlmeta.position(checksums::NAME).is_some();
        if foreign && !*bulk { self.make_sums() } else { Ok(()) }
    }

    fn make_sums(&mut self) -> Result<()> {
        self.load_index()?;
        let sums = (0..self.nchunks()).map(|n| self.sum_of(n)).collect::<Result<Sums>>()?;
        self.change(|state| {
            state.contents.header.checksums = true;
            let index = state.index_mut()?;
            *index = std::mem::take(index).with_sums(Some(sums));
            Ok((Data::Same, What::All))
        })?;
        self.state_mut().tick += 1;
        Ok(())
    }

    fn sum_of(&self, n: i64) -> Result<u64> {
        let place = self.state().index()?.place(n as usize)?;
        Ok(match place {
            Place::Special(_) => 0,
            // One that is damaged already stays so, and keeps nobody from changing others.
            Place::Stored(_) => {
                self.chunk(n).map_or(checksums::UNREADABLE, |bytes| checksums::of_chunk(&bytes))
            }
        })
    }

    /// After the frame has been told to keep none: forgets them.
    pub(super) fn forget_checksums(&mut self) {
        if let Some(index) = &mut self.state_mut().index {
            *index = std::mem::take(index).with_sums(None);
        }
    }

    /// Compares a chunk's bytes with its sum, and remembers that they are right.
    pub(super) fn check(&self, bytes: &[u8], sum: Option<Sum>) -> Result<()> {
        let Some(sum) = sum else {
            return Ok(());
        };
        checksums::check(bytes, sum.sum)?;
        self.state().checked.add((sum.offset, sum.sum));
        Ok(())
    }

    /// Whether a metalayer of that name is the frame's own table of checksums.
    pub(super) fn is_table(&self, name: &[u8]) -> bool {
        name == checksums::NAME && !matches!(self.chunks, Chunks::List(_))
    }
}

/// The metalayers without a table of checksums, which is about other chunks.
pub(super) fn without_table(mut vlmeta: Metalayers) -> Metalayers {
    if let Some(at) = vlmeta.position(checksums::NAME) {
        vlmeta.remove(at);
    }
    vlmeta
}

/// The index of a frame without chunks.
pub(super) fn empty_index(with_sums: bool) -> Index {
    Index::default().with_sums(with_sums.then(Sums::default))
}

#[cfg(test)]
mod tests {
    use super::{Checked, MOST};

    #[test]
    fn what_is_remembered_is_bounded() {
        let checked = Checked::default();
        for at in 0..3 * MOST as u64 {
            checked.add((at, 1));
            assert!(checked.has((at, 1)));
        }
        assert!(checked.0.into_inner().unwrap().len() <= MOST);
    }
}
