//! A frame in a file, or in a directory of files.

use super::commit::commit;
use super::contents::Contents;
use super::edit::Edit;
use super::file_chunk::{FileChunk, cbytes_of, read_into};
use super::file_store::{Failed, FileStore, is_left_over};
use super::head_cache::HeadCache;
use super::header::{self, FIXED_LEN, FrameKind};
use super::index::Index;
use super::journal::paths::Paths;
use super::journal::{self, Journal};
use super::open::{self, Opened, Span};
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::{Result, glance};
use crate::chunk::Deferred;
use crate::fail;
use crate::io::handles::{Files, Reader};
use crate::io::lock::SidecarLock;
use crate::io::{Backend, File, Handles, Keep, Mode, Stamp, urlpath};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The file of a sparse frame that holds everything but the chunks.
const INDEX_FILE: &str = "chunks.b2frame";
/// How much of a chunk is read at first when what follows it in order does not follow it in the file.
const FIRST_LOOK: u64 = 4096;
/// How much of a chunk is read at first when nothing says how long it may be.
const UNKNOWN_CHUNK: u64 = 1 << 16;

/// Where a frame is on disk, and its open handles.
#[derive(Debug)]
pub struct DiskFrame {
    handles: Handles,
    /// Where the frame's files are.
    paths: Paths,
    /// Where the frame starts in its file.
    offset: u64,
    /// Held while the frame is read and changed, where the backend says so.
    lock: Option<SidecarLock>,
    /// What a change that goes on has overwritten so far.
    journal: Option<Journal>,
    heads: HeadCache,
    /// A sparse frame's chunk files.
    files: Files,
    /// The stamp of the open file, from when it was opened until somebody looks.
    opened: Mutex<Option<Stamp>>,
}

/// Whether the frame that was opened last is sparse. Programs open many of a kind: what is likely is tried first.
static SPARSE_LATELY: AtomicBool = AtomicBool::new(false);

/// What a look at the file said, to be compared with the next one.
#[derive(Clone, Debug)]
pub struct Seen {
    stamp: Option<Stamp>,
    fixed: [u8; FIXED_LEN],
    /// Where the file ends, counted from the frame's start; `None` when that is not known.
    extent: Option<u64>,
    /// How long the frame may become, where something follows it in the file.
    room: Option<u64>,
    /// Where the index begins.
    index_at: Option<u64>,
    /// Whether a change was cut short.
    cut_short: bool,
}

impl Seen {
    /// The format version that the header says.
    pub fn version(&self) -> u8 {
        header::version(&self.fixed)
    }

    /// Whether a change failed half-way, and nothing was written since.
    pub fn is_unsure(&self) -> bool {
        self.extent.is_none()
    }

    /// Whether what the last change left behind the frame tells that it was cut short.
    pub fn was_cut_short(&self) -> bool {
        self.cut_short
    }

    /// Whether something follows the frame in its file, so that it cannot grow.
    pub fn is_walled(&self) -> bool {
        self.room.is_some()
    }
}

impl DiskFrame {
    /// A frame that is to be made at `path`, where nothing may be yet.
    pub fn create(io: Arc<dyn Backend>, path: &Path, kind: FrameKind) -> Result<Self> {
        let path = urlpath::local(path);
        let directory = match kind {
            FrameKind::Contiguous if io.stamp(path)?.is_some() => {
                fail!(FileOpen, "{}: there is something already; remove it first", path.display());
            }
            FrameKind::Contiguous => None,
            FrameKind::Sparse => {
                check_sparse(&*io, path)?;
                let directory = urlpath::directory(path);
                io.create_dir(directory)?;
                Some(directory.to_owned())
            }
        };
        let frame = DiskFrame::at(io, path, directory, 0);
        journal::discard(frame.io(), &frame.paths)?;
        Ok(frame)
    }

    /// The frame that starts at byte `offset` of the file at `path`, or that is the directory there.
    pub fn open(io: Arc<dyn Backend>, path: &Path, offset: u64) -> Result<Self> {
        let path = urlpath::local(path);
        let keep = io.keep() == Keep::Bounded;
        if keep && SPARSE_LATELY.load(Ordering::Relaxed) && io.has_sparse_frames() {
            let directory = urlpath::directory(path);
            if let Ok(file) = io.open(&directory.join(INDEX_FILE), Mode::Read) {
                let stamp = file.stamp();
                return Ok(DiskFrame::at(io, path, Some(directory.to_owned()), offset).holding(file, stamp));
            }
        }
        // The handle that tells that a frame is a file is the one that is kept.
        let file = if keep { io.open(path, Mode::Read).ok() } else { None };
        let stamp = match file.as_ref().and_then(|file| file.stamp()) {
            Some(stamp) => Some(stamp),
            None => io.stamp(path)?,
        };
        let is_sparse = stamp.is_some_and(|stamp| stamp.is_dir);
        SPARSE_LATELY.store(is_sparse, Ordering::Relaxed);
        if !is_sparse {
            let frame = DiskFrame::at(io, path, None, offset);
            return Ok(match file {
                Some(file) => frame.holding(file, stamp),
                None => frame,
            });
        }
        check_sparse(&*io, path)?;
        let directory = urlpath::directory(path).to_owned();
        Ok(DiskFrame::at(io, path, Some(directory), offset))
    }

    /// The frame, whose file is open already.
    fn holding(mut self, file: Box<dyn File>, stamp: Option<Stamp>) -> Self {
        self.handles.hold(file);
        *self.opened.get_mut().unwrap_or_else(PoisonError::into_inner) = stamp;
        self
    }

    fn at(io: Arc<dyn Backend>, path: &Path, directory: Option<PathBuf>, offset: u64) -> Self {
        let lock =
            io.locks().then(|| SidecarLock::new(directory.as_deref().unwrap_or(path), directory.is_some()));
        let file = directory.as_ref().map_or(path.to_owned(), |directory| directory.join(INDEX_FILE));
        let (heads, files) = (HeadCache::default(), Files::default());
        let paths = Paths { main: file.clone(), directory };
        let (handles, opened) = (Handles::new(io, file), Mutex::new(None));
        DiskFrame { handles, paths, offset, lock, journal: None, heads, files, opened }
    }

    /// Whether there is something at the frame's path.
    pub fn exists(&self) -> bool {
        self.handles.stamp().is_ok_and(|stamp| stamp.is_some())
    }

    /// The frame's lock, if it has one.
    pub fn lock(&self) -> Option<&SidecarLock> {
        self.lock.as_ref()
    }

    /// Whether chunks lie in the frame's file or beside it.
    pub fn kind(&self) -> FrameKind {
        if self.paths.directory.is_some() { FrameKind::Sparse } else { FrameKind::Contiguous }
    }

    /// The frame's file, or its directory.
    pub fn path(&self) -> &Path {
        self.paths.directory.as_deref().unwrap_or(&self.paths.main)
    }

    /// The file that has header, index and trailer.
    pub fn main_path(&self) -> &Path {
        &self.paths.main
    }

    /// Where all its files are.
    pub(super) fn paths(&self) -> &Paths {
        &self.paths
    }

    /// Bytes of the file that has header, index and trailer.
    pub fn main_size(&self) -> Result<u64> {
        self.handles.reader()?.file().size()
    }

    /// Whether a change of the frame is under way, or was cut short: there is a [`journal`].
    pub fn has_journal(&self) -> bool {
        journal::is_there(self.io(), &self.paths)
    }

    /// Where the frame starts in its file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Where its files are.
    pub fn io(&self) -> &Arc<dyn Backend> {
        self.handles.backend()
    }

    /// Reads header and trailer, and what tells this state of the file from others. A change that was cut short is
    /// taken back first, where there is a journal of it.
    pub fn load(&self) -> Result<(Opened, Seen)> {
        let mut opened = glance(&self.opened).and_then(|mut opened| opened.take());
        if self.journal.is_none()
            && journal::recover(self.io(), &self.paths).map_err(|e| e.at(self.path().display()))?
        {
            opened = None;
        }
        // When that does not fit what is read, somebody has changed the frame since.
        let first = opened.and_then(|stamp| self.look(Some(stamp)).ok());
        first.map_or_else(|| self.look(None), Ok).map_err(|e| e.at(self.path().display()))
    }

    /// Reads header and trailer. Whoever knows the stamp of the open file, from a moment ago, spares asking for it.
    fn look(&self, stamp: Option<Stamp>) -> Result<(Opened, Seen)> {
        let reader = self.handles.reader()?;
        let stamp = stamp.or_else(|| reader.file().stamp());
        let size = match stamp {
            Some(stamp) => stamp.len,
            None => reader.file().size()?,
        };
        let opened = open::open(Span::file(reader.file(), self.offset, size)?)?;
        let header = &opened.contents.header;
        if header.kind != self.kind() {
            fail!(FrameType, "a frame of kind {:?}, not {:?}", header.kind, self.kind());
        }
        let extent = size - self.offset;
        let followed = extent > header.frame_len;
        let cut_short = followed && is_left_over(reader.file(), self.offset + header.frame_len, size)?;
        let room = (followed && !cut_short).then_some(header.frame_len);
        let index_at = Some(opened.contents.data_end());
        let seen = Seen { stamp, fixed: opened.fixed, extent: Some(extent), room, index_at, cut_short };
        self.heads.clear();
        self.files.clear();
        if let Some(lock) = &self.lock {
            lock.know();
        }
        Ok((opened, seen))
    }

    /// Reads the index.
    pub fn load_index(&self, contents: &Contents) -> Result<Index> {
        let reader = self.handles.reader()?;
        let size = self.offset.saturating_add(contents.header.frame_len);
        let index = open::open_index(Span::file(reader.file(), self.offset, size)?, contents);
        index.map_err(|e| e.at(self.path().display()))
    }

    /// [`DiskFrame::has_changed`], or the lock says so, or somebody is changing it, or began to.
    pub fn is_stale(&self, seen: &Seen) -> bool {
        self.lock.as_ref().is_some_and(SidecarLock::has_changed)
            || self.has_changed(seen)
            || (self.io().journals() && self.journal.is_none() && journal::is_there(self.io(), &self.paths))
    }

    /// Whether the frame is not what it was when `seen` was: somebody else has changed it, or put another in its place.
    /// A path that names nothing any more is no change; the open file is still there.
    fn has_changed(&self, seen: &Seen) -> bool {
        if self.handles.backend().keep() == Keep::Bounded {
            let now = self.handles.stamp().ok().flatten();
            let same_file = |now: &Stamp| seen.stamp.is_some_and(|then| then.id == now.id);
            if now.is_some_and(|now| !same_file(&now)) {
                self.handles.forget();
            }
            return now.is_some() && now != seen.stamp;
        }
        let mut fixed = [0; FIXED_LEN];
        let read = self.handles.reader().and_then(|reader| read_into(reader.file(), self.offset, &mut fixed));
        read.is_ok() && fixed != seen.fixed
    }

    /// Whether the head of the stored chunk at `offset` is in memory.
    pub fn knows_head(&self, offset: u64) -> bool {
        self.heads.get(offset).is_some()
    }

    /// A way to the blocks of the stored chunk at `offset`, its head in memory.
    pub fn deferred<'a>(&'a self, file: FileChunk<'a>, offset: u64) -> Result<Deferred<'a>> {
        if let Some(head) = self.heads.get(offset) {
            let file = match cbytes_of(&head) {
                Some(cbytes) => file.known(cbytes as u64),
                None => file,
            };
            return Ok(Deferred::new(head.to_vec(), Box::new(file)));
        }
        let len = file.most()?;
        let deferred = Deferred::open(Box::new(file), len)?;
        self.heads.put(offset, deferred.head());
        Ok(deferred)
    }

    /// A way to the stored chunk at `offset`, which is chunk `n`.
    pub fn chunk(&self, contents: &Contents, index: &Index, n: usize, offset: u64) -> Result<FileChunk<'_>> {
        // Most chunks end where the next one begins, and none is much longer than its data. Codes of a sparse frame are
        // numbers of files, which end where their chunk does.
        let next = match index.code(n + 1).map(u64::try_from) {
            _ if self.paths.directory.is_some() => u64::MAX,
            Some(Ok(next)) if next > offset => next - offset,
            // This one has been put behind others: its header tells.
            Some(Ok(_)) => FIRST_LOOK,
            _ => u64::MAX,
        };
        let nbytes = contents.chunk_nbytes(n as i64);
        let most = nbytes.map_or(UNKNOWN_CHUNK, |nbytes| nbytes as u64 + EXTENDED_HEADER_LEN as u64);
        Ok(self.place(contents, offset)?.likely(next.min(most)))
    }

    /// A way to the stored chunk at `offset`, where there is room for one.
    pub fn chunk_at(&self, contents: &Contents, offset: u64) -> Result<FileChunk<'_>> {
        let chunk = self.place(contents, offset)?;
        chunk.most().map(|_| chunk)
    }

    fn place(&self, contents: &Contents, offset: u64) -> Result<FileChunk<'_>> {
        if self.paths.directory.is_some() {
            let path = self.paths.chunk(offset)?;
            let file = self.files.get(self.io(), offset, || path)?;
            return Ok(FileChunk::of_file(Reader::Shared(file)));
        }
        let Some(len) = (contents.header.cbytes as u64).checked_sub(offset) else {
            fail!(InvalidHeader, "byte {offset} is outside the frame's chunks");
        };
        let start = self.offset + u64::from(contents.header.header_len) + offset;
        Ok(FileChunk::new(self.handles.reader()?, start, len))
    }

    /// Makes the frame's file and commits its first bytes.
    pub fn commit_new(&mut self, edit: &Edit<'_>) -> Result<Seen> {
        let mut seen = Seen {
            stamp: None,
            fixed: [0; FIXED_LEN],
            extent: None,
            room: None,
            index_at: None,
            cut_short: false,
        };
        self.commit_with(Mode::Create, edit, &mut seen)?;
        Ok(seen)
    }

    /// Commits a change to what was last `seen`, and sees it. `FileWrite`, and nothing written, when the frame would
    /// grow over what follows it in its file.
    pub fn commit(&mut self, edit: &Edit<'_>, seen: &mut Seen) -> Result<()> {
        if let Some(room) = seen.room.filter(|&room| edit.end() > room) {
            let path = self.path().display();
            fail!(
                FileWrite,
                "{path}: the frame cannot grow over byte {room} of it, where something else begins"
            );
        }
        self.commit_with(Mode::Edit, edit, seen)
    }

    fn commit_with(&mut self, mode: Mode, edit: &Edit<'_>, seen: &mut Seen) -> Result<()> {
        let Self { handles, paths, offset, lock, heads, files, journal, opened: _ } = self;
        heads.clear();
        files.clear();
        let (offset, walled, io) = (*offset, seen.room.is_some(), handles.backend().clone());
        let journaled = mode == Mode::Edit && io.journals();
        if mode == Mode::Edit && !journaled {
            // One that is left would undo what is written now.
            journal::recover_where(&io, paths, journaled)?;
        }
        let index_at = seen.index_at.take();
        let done = handles.edit(mode, |file| {
            // Until all is written.
            let extent = seen.extent.take();
            let (io, aside) = (&io, None);
            let mut store =
                FileStore { file, offset, extent, index_at, walled, paths, io, journaled, journal, aside };
            let result = commit(&mut store, edit).or_else(|e| store.take_back(edit, e));
            // Where it was taken back, what the file is now is known as well.
            (seen.extent, seen.stamp) = match &result {
                Ok(()) => (store.extent, store.file.stamp()),
                Err(Failed { taken_back: true, .. }) => (store.extent, store.file.stamp()),
                Err(_) => (None, seen.stamp),
            };
            result.map_err(|failed| failed.error)
        });
        done.map_err(|e| e.at(handles.path().display()))?;
        if let Some(lock) = lock {
            lock.know();
        }
        seen.cut_short = false;
        seen.index_at = edit.index.map(|i| edit.writes[i].0).or(index_at);
        if let Some((0, header)) = edit.writes.last() {
            seen.fixed.copy_from_slice(&header[..FIXED_LEN]);
        }
        Ok(())
    }
}

/// Checks that the frame at `path` may be a directory.
fn check_sparse(io: &dyn Backend, path: &Path) -> Result<()> {
    if !io.has_sparse_frames() {
        fail!(FileOpen, "{}: files of a sparse frame cannot be mapped", path.display());
    }
    Ok(())
}
