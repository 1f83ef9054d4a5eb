//! What a super-chunk knows, and how readers and the writer get at it.

use super::checksums::Checked;
use super::{Chunks, SuperChunk};
use crate::base::Result;
use crate::fail;
use crate::frame::disk::Seen;
use crate::frame::{Contents, Data, DiskFrame, Edit, Index, Parts};
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
    /// The chunks whose checksums were found to be right.
    pub checked: Checked,
}

impl State {
    pub fn new(contents: Contents, index: Option<Index>, seen: Option<Seen>) -> Self {
        State { contents, index, seen, tick: 0, bulk: false, checked: Checked::default() }
    }

    /// The index, which [`SuperChunk::indexed`] has loaded.
    pub fn index(&self) -> Result<&Index> {
        match &self.index {
            Some(index) => Ok(index),
            None => fail!(Failure, "the chunk index is not loaded"),
        }
    }

    /// Loads the index, unless it is there.
    fn need_index(&mut self, disk: &DiskFrame) -> Result<()> {
        if self.index.is_none() {
            self.index = Some(disk.load_index(&self.contents)?);
        }
        Ok(())
    }

    /// Forgets a change.
    fn take_back(&mut self, before: Contents) {
        self.contents = before;
        self.index.as_mut().map(Index::roll_back);
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

    /// The lock to read, where the frame has one. Reads that belong together hold it over all of them.
    pub(crate) fn shared(&self) -> Result<Option<SharedGuard<'_>>> {
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
        drop(self.fresh()?);
        self.known()
    }

    /// [`SuperChunk::indexed`] for who has just looked at the disk.
    pub(super) fn known(&self) -> Result<RwLockReadGuard<'_, State>> {
        let state = self.state();
        let Chunks::Disk(disk) = &self.chunks else {
            return Ok(state);
        };
        if state.index.is_some() {
            return Ok(state);
        }
        drop(state);
        let mut state = self.state_exclusive();
        state.need_index(disk)?;
        drop(state);
        Ok(self.state())
    }

    /// Reads again what somebody else has changed. When that cannot be read, and no lock keeps them out, they are in the
    /// middle of writing it: what was known stays, and the next look tries again. So it does when a change of our own
    /// failed and left the frame unreadable.
    fn renew(&self, disk: &DiskFrame) -> Result<()> {
        let (opened, seen) = match disk.load() {
            Ok(loaded) => loaded,
            Err(_) if disk.lock().is_none() || self.state().seen.as_ref().is_some_and(Seen::is_unsure) => {
                return Ok(());
            }
            Err(e) => return Err(e),
        };
        let mut state = self.state_exclusive();
        state.contents = opened.contents;
        state.index = opened.index;
        state.seen = Some(seen);
        state.checked = Checked::default();
        state.tick += 1;
        Ok(())
    }

    /// Looks at the disk, as a read of a chunk does. True when what is known has changed.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// # let path = std::env::temp_dir().join(format!("doc-refresh-{}.b2frame", std::process::id()));
    /// let io = Storage::default().io;
    /// let mut writer = SuperChunk::new(Storage { contiguous: true, urlpath: Some(path.clone()), ..Storage::default() })?;
    /// let reader = SuperChunk::open(&path, 0, io)?;
    /// writer.append_buffer(b"one")?;
    /// assert!(reader.refresh()?);
    /// assert_eq!(reader.nchunks(), 1);
    /// # std::fs::remove_file(path).unwrap();
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    pub fn refresh(&self) -> Result<bool> {
        let before = self.state().tick;
        Ok(self.fresh()?.tick != before)
    }

    /// Keeps other handles and processes out until as many [`SuperChunk::unlock`] follow. Without locking, does nothing.
    ///
    /// ```
    /// use blosc2::{Storage, SuperChunk};
    ///
    /// let mut schunk = SuperChunk::new(Storage::default())?;
    /// schunk.lock()?;
    /// schunk.append_buffer(b"one")?;
    /// schunk.append_buffer(b"two")?;
    /// schunk.unlock()?;
    /// # Ok::<(), blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Lock`](crate::base::ErrorKind::Lock) when the lock cannot be had.
    pub fn lock(&mut self) -> Result<()> {
        self.disk().and_then(DiskFrame::lock).map_or(Ok(()), SidecarLock::lock)
    }

    /// Lets others in again. See [`SuperChunk::lock`].
    ///
    /// # Errors
    /// [`ErrorKind::Lock`](crate::base::ErrorKind::Lock) when the system refuses.
    pub fn unlock(&mut self) -> Result<()> {
        self.disk().and_then(DiskFrame::lock).map_or(Ok(()), SidecarLock::unlock)
    }

    /// Runs changes that belong together with others kept out from the first to the last.
    pub(crate) fn locked<R>(&mut self, change: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.lock()?;
        let done = change(self);
        self.unlock().and(done)
    }

    /// Runs a change with others kept out, on what is known to be true.
    pub(super) fn exclusively<R>(&mut self, change: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.locked(|schunk| {
            schunk.begin()?;
            change(schunk)
        })
    }

    /// Before a change of chunks, which began with a look at the disk.
    pub(super) fn load_index(&mut self) -> Result<()> {
        let Chunks::Disk(disk) = &self.chunks else {
            return Ok(());
        };
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).need_index(disk)
    }

    fn begin(&mut self) -> Result<()> {
        if self.disk().is_some() {
            drop(self.fresh()?);
        }
        let Self { cparams, dparams, state, .. } = self;
        let state = state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.contents.set_params(cparams, dparams);
        self.resume_checksums()
    }

    /// Runs a change of contents and index, and commits what it says about the chunks. When anything of that fails,
    /// what was known before is known again, and as far as possible is on disk again.
    pub(super) fn change<'a>(
        &mut self,
        change: impl FnOnce(&mut State) -> Result<(Data<'a>, What)>,
    ) -> Result<()> {
        let before = self.state_mut().contents.clone();
        let changed = match change(self.state_mut()) {
            Ok((data, what)) => {
                let moves = matches!(data, Data::Splice { .. });
                self.commit(data, what).map_err(|e| (e, moves))
            }
            Err(e) => {
                self.state_mut().take_back(before);
                return Err(e);
            }
        };
        match changed {
            Ok(()) => {
                self.state_mut().index.as_mut().map(Index::keep);
                Ok(())
            }
            Err((e, moves)) => {
                self.state_mut().take_back(before);
                // Chunks that have moved cannot be moved back by what is known.
                if !moves {
                    self.restore();
                }
                Err(e)
            }
        }
    }

    /// After a change that failed half-way: writes index, trailer and header again where they were. That takes no room
    /// on a disk that is full.
    fn restore(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (Chunks::Disk(disk), Some(seen)) = (&mut self.chunks, &mut state.seen) else {
            return;
        };
        if !seen.is_unsure() || state.bulk {
            return;
        }
        let parts = match &mut state.index {
            Some(index) => Parts::All(index),
            None => Parts::Trailer,
        };
        // What fails now is made good by the next change.
        let _ = Edit::new(&mut state.contents, Data::Same, parts).and_then(|edit| disk.commit(&edit, seen));
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
                match &mut state.seen {
                    Some(seen) => disk.commit(&edit, seen),
                    None => fail!(Failure, "the frame was never looked at"),
                }
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
}

/// What is written beside the chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Header,
    Trailer,
    All,
}
