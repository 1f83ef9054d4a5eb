//! The rollback journal: what a change is about to overwrite, kept beside the frame until the change is done.
//!
//! A [`Journal`] is begun before a change touches the frame, made to survive a power loss, and removed after the change
//! has been made to survive one. Who opens the frame and finds a journal whose writer is gone puts the old bytes back
//! ([`recover`]). The C library never looks at it. [`record`] is its format; [`paths`] says where files are.
//!
//! Writer and recoverer claim the journal while they use it, so that nobody takes back what is still being written, and
//! only one puts bytes back. Putting them back twice does no harm.

pub mod paths;
pub mod record;

use crate::base::{Error, Result};
use crate::fail;
use crate::frame::file_chunk::read_into;
use crate::io::{Backend, File, Mode};
use paths::{Paths, Target};
use record::{Header, Record, Records};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long to wait for a writer that is alive.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often to look whether it is done.
const PAUSE: Duration = Duration::from_millis(1);
/// How much is copied at once.
const PIECE: u64 = 1 << 20;

/// The journal of a change that is under way.
#[derive(Debug)]
pub struct Journal {
    io: Arc<dyn Backend>,
    paths: Paths,
    file: Claimed,
    header: Header,
    /// Bytes of the journal.
    len: u64,
    /// Whether all of it would survive a power loss.
    synced: bool,
}

struct Claimed(Box<dyn File>);

impl std::fmt::Debug for Claimed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Claimed")
    }
}

impl Journal {
    /// Begins the journal of a change to a frame whose file is open as `main`. When one is left by a change that was
    /// cut short, that one is taken back first.
    ///
    /// # Errors
    /// [`ErrorKind::Lock`](crate::base::ErrorKind::Lock) when somebody else is changing the frame; what storage reports.
    pub fn begin(io: &Arc<dyn Backend>, paths: &Paths, main: &mut dyn File) -> Result<Journal> {
        let path = paths.journal();
        let claimed = claim(io, paths, |beside| {
            drop(beside.open(&path, Mode::Touch)?);
            beside.open(&path, Mode::Edit).map(Some)
        })?;
        let Some(file) = claimed else {
            fail!(Lock, "{}: the journal went away", path.display());
        };
        let header = Header { nonce: record::nonce(), main_len: 0 };
        let mut journal =
            Journal { io: io.clone(), paths: paths.clone(), file, header, len: 0, synced: false };
        if journal.put_back(main)? {
            main.sync()?;
        }
        journal.header.main_len = main.size()?;
        journal.file.0.truncate(0)?;
        let header = journal.header.write();
        journal.append(&header)?;
        Ok(journal)
    }

    /// Keeps these bytes of the frame's file, as far as it had them when the journal was begun.
    pub fn keep(&mut self, main: &dyn File, ranges: impl IntoIterator<Item = Range<u64>>) -> Result<()> {
        for range in ranges {
            let end = range.end.min(self.header.main_len);
            if range.start < end {
                self.copy(main, Target::Main, range.start..end)?;
            }
        }
        Ok(())
    }

    /// Keeps a whole chunk file, or that there is none.
    pub fn keep_chunk(&mut self, number: u64) -> Result<()> {
        match self.io.open(&self.paths.chunk(number)?, Mode::Read) {
            Ok(file) => {
                let len = file.size()?;
                self.copy(&*file, Target::Chunk(number), 0..len)
            }
            Err(_) => self.copy_absence(number),
        }
    }

    fn copy_absence(&mut self, number: u64) -> Result<()> {
        let record = Record { target: Target::NoChunk(number), at: 0, len: 0 };
        let mut sum = self.header.sum();
        self.add(&mut sum, &record.write())?;
        self.append(&sum.value().to_le_bytes())
    }

    fn copy(&mut self, file: &dyn File, target: Target, range: Range<u64>) -> Result<()> {
        let record = Record { target, at: range.start, len: range.end - range.start };
        let mut sum = self.header.sum();
        self.add(&mut sum, &record.write())?;
        let mut buf = vec![0; PIECE.min(record.len) as usize];
        let mut at = range.start;
        while at < range.end {
            let piece = &mut buf[..PIECE.min(range.end - at) as usize];
            read_into(file, at, piece)?;
            self.add(&mut sum, piece)?;
            at += piece.len() as u64;
        }
        self.append(&sum.value().to_le_bytes())
    }

    fn add(&mut self, sum: &mut crate::base::checksum::Running, bytes: &[u8]) -> Result<()> {
        sum.add(bytes);
        self.append(bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        self.synced = false;
        if !bytes.is_empty() {
            self.file.0.write_at(self.len, bytes)?;
            self.len += bytes.len() as u64;
        }
        Ok(())
    }

    /// Makes what was kept survive a power loss: from here on the frame may change.
    pub fn sync(&mut self) -> Result<()> {
        if !self.synced {
            self.file.0.sync()?;
            self.sync_names()?;
            self.synced = true;
        }
        Ok(())
    }

    /// Makes the names of files beside the frame survive a power loss.
    pub fn sync_names(&self) -> Result<()> {
        beside(&self.io).sync_dir(self.paths.folder())
    }

    /// Ends the journal: the change stays.
    pub fn done(self) -> Result<()> {
        let Journal { io, paths, mut file, .. } = self;
        dispose(&io, &paths, &mut *file.0)
    }

    /// Takes the change back, and ends the journal.
    pub fn roll_back(mut self, main: &mut dyn File) -> Result<()> {
        self.put_back(main)?;
        main.sync()?;
        self.done()
    }

    /// Writes what was kept where it was. False when the journal says nothing.
    fn put_back(&mut self, main: &mut dyn File) -> Result<bool> {
        let Some(records) = Records::read(&*self.file.0)? else {
            return Ok(false);
        };
        // What was kept last was perhaps kept of bytes that had changed already.
        for (record, at) in records.list.iter().rev() {
            self.put_record_back(main, record, *at)?;
        }
        if main.size()? != records.header.main_len {
            main.truncate(records.header.main_len)?;
        }
        self.sync_names()?;
        Ok(true)
    }

    fn put_record_back(&self, main: &mut dyn File, record: &Record, at: u64) -> Result<()> {
        match record.target {
            Target::Main => self.copy_back(main, record, at),
            Target::Chunk(number) => {
                let mut file = self.io.open(&self.paths.chunk(number)?, Mode::Create)?;
                self.copy_back(&mut *file, record, at)?;
                file.sync()
            }
            Target::NoChunk(number) => {
                let path = self.paths.chunk(number)?;
                // It may never have come to be.
                match self.io.open(&path, Mode::Read) {
                    Ok(_) => self.io.remove_file(&path),
                    Err(_) => Ok(()),
                }
            }
        }
    }

    fn copy_back(&self, to: &mut dyn File, record: &Record, from: u64) -> Result<()> {
        let mut buf = vec![0; PIECE.min(record.len) as usize];
        let mut done = 0;
        while done < record.len {
            let piece = &mut buf[..PIECE.min(record.len - done) as usize];
            self.file.0.read_at(from + done, piece)?;
            to.write_at(record.at + done, piece)?;
            done += piece.len() as u64;
        }
        Ok(())
    }
}

/// Whether a change is under way, or was cut short.
pub fn is_there(io: &Arc<dyn Backend>, paths: &Paths) -> bool {
    matches!(find(beside(io), io.journals(), paths), Ok(Some(_)))
}

/// Takes back a change that was cut short, if there is one. Waits for a writer that is alive, for a while.
///
/// # Errors
/// [`ErrorKind::Lock`](crate::base::ErrorKind::Lock) when somebody keeps changing the frame; what storage reports, above
/// all when the frame may not be written.
pub fn recover(io: &Arc<dyn Backend>, paths: &Paths) -> Result<bool> {
    recover_where(io, paths, io.journals())
}

/// [`recover`] for who knows whether journals are written there.
pub fn recover_where(io: &Arc<dyn Backend>, paths: &Paths, journals: bool) -> Result<bool> {
    // The usual case, and no more than a look.
    match find(beside(io), journals, paths) {
        Ok(None) => return Ok(false),
        Ok(Some(_)) => {}
        Err(e) => return look_only(io, paths, e),
    }
    let Some(file) = claim(io, paths, |beside| find(beside, journals, paths))? else {
        return Ok(false);
    };
    let header = Header { nonce: 0, main_len: 0 };
    let journal = Journal { io: io.clone(), paths: paths.clone(), file, header, len: 0, synced: true };
    match beside(io).open(&paths.main, Mode::Edit) {
        Ok(mut main) => journal.roll_back(&mut *main)?,
        // Without its frame a journal says nothing.
        Err(_) if beside(io).open(&paths.main, Mode::Read).is_err() => journal.done()?,
        Err(e) => return Err(e.at("a change was cut short and must be taken back")),
    }
    Ok(true)
}

/// [`recover`] for who cannot write the journal, as `error` says: nothing to be done when it says nothing yet.
fn look_only(io: &Arc<dyn Backend>, paths: &Paths, error: Error) -> Result<bool> {
    let Ok(file) = beside(io).open(&paths.journal(), Mode::Read) else {
        return Err(error);
    };
    if !file.try_claim()? {
        fail!(Lock, "{}: the frame is being changed", paths.main.display());
    }
    match Records::read(&*file)? {
        None => Ok(false),
        Some(_) => Err(error.at("a change was cut short, and only who may write can take it back")),
    }
}

/// Removes what is left of a frame that was at the same place.
pub fn discard(io: &Arc<dyn Backend>, paths: &Paths) -> Result<()> {
    match find(beside(io), io.journals(), paths)? {
        Some(mut file) => dispose(io, paths, &mut *file),
        None => Ok(()),
    }
}

/// The backend that journals are written with.
fn beside(io: &Arc<dyn Backend>) -> &dyn Backend {
    io.beside().unwrap_or(&**io)
}

/// The journal's file. Backends that cannot tell whether a path is there are only asked where journals are written.
fn find(io: &dyn Backend, journals: bool, paths: &Paths) -> Result<Option<Box<dyn File>>> {
    let path = paths.journal();
    if io.stamp(&path)?.is_some() {
        return match io.open(&path, Mode::Edit) {
            Ok(file) => Ok(Some(file)),
            // Gone since.
            Err(_) if io.stamp(&path)?.is_none() => Ok(None),
            Err(e) => Err(e),
        };
    }
    if !journals {
        return Ok(None);
    }
    Ok(io.open(&path, Mode::Edit).ok().filter(|file| file.size().is_ok_and(|size| size > 0)))
}

/// What `open` opens, claimed: while somebody else has it, they are changing the frame.
fn claim(
    io: &Arc<dyn Backend>,
    paths: &Paths,
    open: impl Fn(&dyn Backend) -> Result<Option<Box<dyn File>>>,
) -> Result<Option<Claimed>> {
    let (beside, path) = (beside(io), paths.journal());
    let start = Instant::now();
    loop {
        let Some(file) = open(beside)? else {
            return Ok(None);
        };
        // Whoever had the claim before us may have removed the journal.
        if file.try_claim()? {
            let now = beside.stamp(&path)?;
            if file.stamp().is_none_or(|ours| now.is_some_and(|now| now.id == ours.id)) {
                return Ok(Some(Claimed(file)));
            }
        } else if start.elapsed() > PATIENCE {
            fail!(Lock, "{}: the frame is being changed", paths.main.display());
        } else {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Removes the journal, or empties it where the backend cannot remove files.
fn dispose(io: &Arc<dyn Backend>, paths: &Paths, file: &mut dyn File) -> Result<()> {
    if beside(io).remove_file(&paths.journal()).is_err() {
        file.truncate(0)?;
        file.sync()?;
    }
    beside(io).sync_dir(paths.folder())
}
