//! What a super-chunk knows, and how readers and the writer get at it.

use super::{Chunks, SuperChunk};
use crate::base::Result;
use crate::base::params::{CParams, DParams};
use crate::fail;
use crate::frame::disk::Seen;
use crate::frame::{Contents, Data, DiskFrame, Edit, FrameKind, Index, Parts};
use crate::io::lock::{SharedGuard, SidecarLock};
use std::sync::{PoisonError, RwLockReadGuard, RwLockWriteGuard};

/// The part of a super-chunk that a look at the disk may renew.
#[derive(Debug)]
pub(super) struct State {
    pub contents: Contents,
    /// Where the chunks are in a frame; `None` until somebody needs it. Not used for a list.
    pub index: Option<Index>,
    /// What the frame on disk looked like when it was last read or written.
    pub seen: Option<Seen>,
    /// How often metadata has changed.
    pub tick: u64,
    /// Header, index and trailer on disk are left for later: many chunks are being added.
    pub bulk: bool,
}

impl State {
    pub fn new(contents: Contents, index: Option<Index>, seen: Option<Seen>) -> Self {
        State { contents, index, seen, tick: 0, bulk: false }
    }

    /// The index, which [`SuperChunk::indexed`] has loaded.
    pub fn index(&self) -> Result<&Index> {
        match &self.index {
            Some(index) => Ok(index),
            None => fail!(Failure, "the chunk index is not loaded"),
        }
    }

    /// The same, to be changed.
    pub fn index_mut(&mut self) -> Result<&mut Index> {
        match &mut self.index {
            Some(index) => Ok(index),
            None => fail!(Failure, "the chunk index is not loaded"),
        }
    }
}

impl SuperChunk {
    /// What is known, as it was last seen.
    pub(super) fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn state_mut(&mut self) -> &mut State {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_exclusive(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock to read, where the frame has one.
    pub(super) fn shared(&self) -> Result<Option<SharedGuard<'_>>> {
        self.disk().and_then(DiskFrame::lock).map(SidecarLock::shared).transpose()
    }

    /// What is known, after a look at the disk.
    pub(super) fn fresh(&self) -> Result<RwLockReadGuard<'_, State>> {
        if let Chunks::Disk(disk) = &self.chunks {
            let _lock = self.shared()?;
            let stale = self.state().seen.as_ref().is_some_and(|seen| disk.is_stale(seen));
            if stale {
                self.renew(disk)?;
            }
        }
        Ok(self.state())
    }

    /// [`SuperChunk::fresh`], with the index at hand.
    pub(super) fn indexed(&self) -> Result<RwLockReadGuard<'_, State>> {
        let _lock = self.shared()?;
        let state = self.fresh()?;
        let Chunks::Disk(disk) = &self.chunks else {
            return Ok(state);
        };
        if state.index.is_some() {
            return Ok(state);
        }
        drop(state);
        let mut state = self.state_exclusive();
        let State { contents, index, .. } = &mut *state;
        if index.is_none() {
            *index = Some(disk.load_index(contents)?);
        }
        drop(state);
        Ok(self.state())
    }

    /// Reads again what somebody else has changed. When that cannot be read, and no lock keeps them out, they are in the
    /// middle of writing it: what was known stays, and the next look tries again.
    fn renew(&self, disk: &DiskFrame) -> Result<()> {
        let (opened, seen) = match disk.load() {
            Ok(loaded) => loaded,
            Err(_) if disk.lock().is_none() => return Ok(()),
            Err(e) => return Err(e),
        };
        let mut state = self.state_exclusive();
        state.contents = opened.contents;
        state.index = opened.index;
        state.seen = Some(seen);
        state.tick += 1;
        Ok(())
    }

    /// Looks at the disk, as a read of a chunk does. True when what is known has changed.
    pub fn refresh(&self) -> Result<bool> {
        let before = self.state().tick;
        Ok(self.fresh()?.tick != before)
    }

    /// Keeps other handles and processes out until as many [`SuperChunk::unlock`] follow. Without locking, does nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Lock`](crate::base::ErrorKind::Lock) when the lock cannot be had.
    pub fn lock(&mut self) -> Result<()> {
        self.disk().and_then(DiskFrame::lock).map_or(Ok(()), SidecarLock::lock)
    }

    /// Lets others in again.
    ///
    /// # Errors
    /// [`ErrorKind::Lock`](crate::base::ErrorKind::Lock) when the system refuses.
    pub fn unlock(&mut self) -> Result<()> {
        self.disk().and_then(DiskFrame::lock).map_or(Ok(()), SidecarLock::unlock)
    }

    /// Runs a change with others kept out, on what is known to be true.
    pub(super) fn exclusively<R>(&mut self, change: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.lock()?;
        let done = self.begin().and_then(|()| change(self));
        self.unlock().and(done)
    }

    /// Before a change of chunks.
    pub(super) fn load_index(&self) -> Result<()> {
        self.indexed().map(drop)
    }

    fn begin(&mut self) -> Result<()> {
        drop(self.fresh()?);
        let Self { cparams, dparams, state, .. } = self;
        let state = state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.contents.set_params(cparams, dparams);
        Ok(())
    }

    /// Runs a change of contents and index, and commits what it says about the chunks. When anything of that fails,
    /// what was known before is known again.
    pub(super) fn change<'a>(
        &mut self,
        change: impl FnOnce(&mut State) -> Result<(Data<'a>, What)>,
    ) -> Result<()> {
        let before = self.state_mut().contents.clone();
        let changed = match change(self.state_mut()) {
            Ok((data, what)) => self.commit(data, what),
            Err(e) => Err(e),
        };
        if changed.is_err() {
            let on_disk = matches!(self.chunks, Chunks::Disk(_));
            let state = self.state_mut();
            state.contents = before;
            if on_disk {
                state.index = None;
                state.seen.as_mut().map(Seen::unsure);
            }
        }
        changed
    }

    fn commit(&mut self, data: Data<'_>, what: What) -> Result<()> {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        match &mut self.chunks {
            Chunks::List(_) => Ok(()),
            Chunks::Memory(frame) => frame.change(&mut state.contents, data),
            Chunks::Disk(disk) => {
                let parts = match what {
                    _ if state.bulk => Parts::Later,
                    What::Header => Parts::Header,
                    What::Trailer => Parts::Trailer,
                    What::All => match &mut state.index {
                        Some(index) => Parts::All(index),
                        None => fail!(Failure, "the chunk index is not loaded"),
                    },
                };
                let edit = Edit::new(&mut state.contents, data, parts)?;
                state.seen = Some(match &state.seen {
                    Some(seen) => disk.commit(&edit, seen)?,
                    None => disk.commit_new(&edit)?,
                });
                Ok(())
            }
        }
    }

    /// From now on changes write chunks only, until [`SuperChunk::end_bulk`].
    pub(crate) fn start_bulk(&mut self) {
        self.state_mut().bulk = true;
    }

    /// Writes what was left for later.
    pub(crate) fn end_bulk(&mut self) -> Result<()> {
        self.state_mut().bulk = false;
        self.change(|_| Ok((Data::Same, What::All)))
    }

    /// How data is compressed.
    pub fn cparams(&self) -> &CParams {
        &self.cparams
    }

    /// How data is decompressed.
    pub fn dparams(&self) -> &DParams {
        &self.dparams
    }

    /// Changes how data is compressed from now on. The frame's header says so from the next change on.
    pub fn set_cparams(&mut self, cparams: CParams) {
        self.cparams = CParams { in_schunk: true, ..cparams };
    }

    /// Changes how data is decompressed from now on.
    pub fn set_dparams(&mut self, dparams: DParams) {
        self.dparams = dparams;
    }

    /// Chunks as last seen; [`SuperChunk::refresh`] looks whether a frame on disk has others now.
    pub fn nchunks(&self) -> i64 {
        self.state().contents.nchunks
    }

    /// Uncompressed bytes.
    pub fn nbytes(&self) -> i64 {
        self.state().contents.header.nbytes
    }

    /// Compressed bytes: of all chunks in a list; of those that are stored in a frame, and of holes between them.
    pub fn cbytes(&self) -> i64 {
        self.state().contents.header.cbytes
    }

    /// Uncompressed bytes per chunk; 0 when chunks vary, -1 when there has been none yet.
    pub fn chunksize(&self) -> i32 {
        self.state().contents.header.chunksize
    }

    /// Says how large chunks will be, before there is one.
    pub fn set_chunksize(&mut self, chunksize: i32) {
        self.state_mut().contents.header.chunksize = chunksize;
    }

    /// Uncompressed bytes per block as asked for; 0 when the codec chooses.
    pub fn blocksize(&self) -> i32 {
        self.state().contents.header.blocksize
    }

    /// Says how large blocks are.
    pub fn set_blocksize(&mut self, blocksize: i32) {
        self.state_mut().contents.header.blocksize = blocksize;
    }

    /// Bytes per item.
    pub fn typesize(&self) -> i32 {
        self.cparams.typesize
    }

    /// Whether chunks are made of VL blocks.
    pub fn has_vl_blocks(&self) -> bool {
        self.state().contents.header.vl_blocks
    }

    /// How often metalayers have changed, here or seen from elsewhere.
    pub fn change_tick(&self) -> u64 {
        self.state().tick
    }

    /// Whether the chunks are in one frame.
    pub fn is_contiguous(&self) -> bool {
        match &self.chunks {
            Chunks::List(_) => false,
            Chunks::Memory(_) => true,
            Chunks::Disk(disk) => disk.kind() == FrameKind::Contiguous,
        }
    }

    /// Whether there is a frame, in memory or on disk.
    pub fn has_frame(&self) -> bool {
        !matches!(self.chunks, Chunks::List(_))
    }

    /// The frame on disk, if that is where the chunks are.
    pub fn disk(&self) -> Option<&DiskFrame> {
        match &self.chunks {
            Chunks::Disk(disk) => Some(disk),
            _ => None,
        }
    }

    /// Bytes of the frame's trailer, as it is or as it would be.
    pub fn trailer_len(&self) -> u64 {
        self.state().contents.trailer_len()
    }

    /// Bytes of the frame. Of a frame in memory whose index and trailer are not written yet, what is written; of a list,
    /// an estimate.
    pub fn frame_len(&self) -> i64 {
        let state = self.state();
        let header = &state.contents.header;
        match &self.chunks {
            Chunks::List(_) => header.cbytes + 8 * state.contents.nchunks,
            Chunks::Memory(frame) => {
                frame.as_sealed().map_or(state.contents.data_end() as i64, |b| b.len() as i64)
            }
            Chunks::Disk(_) => header.frame_len as i64,
        }
    }
}

/// What is written beside the chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Header,
    Trailer,
    All,
}
