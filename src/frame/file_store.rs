//! A frame's open file, as changes are applied to it.

use super::commit::Store;
use super::edit::{Edit, Shift};
use super::file_chunk::read_into;
use super::find::next_magic;
use super::journal::Journal;
use super::journal::paths::Paths;
use crate::base::{Error, Result};
use crate::io::{Backend, File, Keep, Mode};
use std::sync::Arc;

/// How much of a frame's bytes is moved at once.
const MOVE: usize = 1 << 20;
/// What stands behind a frame when a change of it was cut short, and nothing else follows it. Eight bytes after it tell
/// how long what is left there can be.
const LEFT_OVER: &[u8; 16] = b"b2x left over:\r\n";
/// Bytes of the mark with the length.
const MARK_LEN: usize = LEFT_OVER.len() + 8;

/// The mark of so many bytes that are left over, itself included.
fn mark(len: u64) -> [u8; MARK_LEN] {
    let mut mark = [0; MARK_LEN];
    mark[..LEFT_OVER.len()].copy_from_slice(LEFT_OVER);
    mark[LEFT_OVER.len()..].copy_from_slice(&len.to_le_bytes());
    mark
}

/// Whether what is at byte `at` of a file of `size`, behind a frame, was left there by a change that was cut short, and
/// is nobody's: nothing was added to the file since.
pub(super) fn is_left_over(file: &dyn File, at: u64, size: u64) -> Result<bool> {
    let mut bytes = [0; MARK_LEN];
    let len = size.saturating_sub(at);
    let there = &mut bytes[..len.min(MARK_LEN as u64) as usize];
    read_into(file, at, there)?;
    let Some((_, longest)) = there.split_at_checked(LEFT_OVER.len()) else {
        // Not even all of the mark came to be.
        return Ok(LEFT_OVER.starts_with(there));
    };
    let longest = longest.try_into().map_or(u64::MAX, u64::from_le_bytes);
    if !there.starts_with(LEFT_OVER) || len > longest {
        return Ok(false);
    }
    Ok(next_magic(file, at, size)?.is_none())
}

/// A commit that failed.
pub(super) struct Failed {
    pub error: Error,
    /// Whether the frame is again what it was before.
    pub taken_back: bool,
}

/// A frame's open file, and its directory.
pub(super) struct FileStore<'a> {
    pub file: &'a mut dyn File,
    /// Where in the file the frame starts.
    pub offset: u64,
    /// Where the file ends, counted from the frame's start, when that is known.
    pub extent: Option<u64>,
    /// Where the index begins, when that is known.
    pub index_at: Option<u64>,
    /// Whether something follows the frame in its file.
    pub walled: bool,
    pub paths: &'a Paths,
    pub io: &'a Arc<dyn Backend>,
    /// Whether what is overwritten is kept.
    pub journaled: bool,
    pub journal: &'a mut Option<Journal>,
    /// Where the index was written aside.
    pub aside: Option<u64>,
}

impl FileStore<'_> {
    /// After a commit that failed: puts back what was overwritten. What a change that goes on has written so far stays;
    /// no index mentions it.
    pub fn take_back(&mut self, edit: &Edit<'_>, error: Error) -> std::result::Result<(), Failed> {
        let mut taken_back = false;
        if !edit.partial
            && let Some(journal) = self.journal.take()
        {
            let rolled = journal.roll_back(self.file).and_then(|()| self.file.size());
            // What cannot be put back now is put back by the next one to open the frame.
            if let Ok(size) = rolled {
                self.extent = size.checked_sub(self.offset);
                taken_back = true;
            }
        }
        Err(Failed { error, taken_back })
    }

    /// Writes the index that is to come behind everything, where `edit` overwrites the one that is there before the
    /// frame is whole again.
    fn write_aside(&mut self, edit: &Edit<'_>, extent: u64, index_at: u64) -> Result<()> {
        let Some((_, index)) = edit.index.and_then(|i| edit.writes.get(i)) else {
            return Ok(());
        };
        let end = edit.end();
        if !edit.touches(index_at..extent) {
            return if end > extent {
                self.write(extent, &mark((end - extent).max(MARK_LEN as u64)))
            } else {
                Ok(())
            };
        }
        let at = if end > extent { end.max(extent + MARK_LEN as u64) } else { extent };
        let len = (MARK_LEN + index.len()) as u64;
        if at > extent {
            self.write(extent, &mark(at + len - extent))?;
        }
        self.aside = Some(at);
        self.write(at, &[&mark(len), &**index].concat())
    }
}

impl Store for FileStore<'_> {
    fn prepare(&mut self, edit: &Edit<'_>) -> Result<()> {
        if !self.journaled {
            return Ok(());
        }
        if self.journal.is_none() {
            *self.journal = Some(Journal::begin(self.io, self.paths, self.file)?);
        }
        let Some(journal) = self.journal.as_mut() else {
            return Ok(());
        };
        let extent = self.file.size()?.saturating_sub(self.offset);
        let ranges = edit.overwrites(extent, !self.walled);
        let ranges = ranges.iter().map(|range| self.offset + range.start..self.offset + range.end);
        journal.keep(self.file, ranges)?;
        for (number, _) in &edit.put {
            journal.keep_chunk(*number)?;
        }
        journal.sync()
    }

    fn set_aside(&mut self, edit: &Edit<'_>) {
        let (Some(extent), Some(index_at)) = (self.extent, self.index_at) else {
            return;
        };
        if edit.spare && !self.journaled && !self.walled && self.write_aside(edit, extent, index_at).is_err()
        {
            // No room for it is no reason not to try the change.
            let _ = self.set_len(extent);
        }
    }

    fn mark_end(&mut self, edit: &Edit<'_>) {
        if let Some(extent) =
            self.extent.filter(|&extent| extent > edit.len && !self.journaled && !self.walled)
        {
            // At worst the frame cannot grow after a crash.
            let _ = self.write(edit.len, &mark((extent - edit.len).max(MARK_LEN as u64)));
        }
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_at(self.offset + at, bytes)?;
        self.extent = self.extent.map(|extent| extent.max(at + bytes.len() as u64));
        Ok(())
    }

    fn shift(&mut self, shift: Shift) -> Result<()> {
        let mut buf = vec![0; MOVE.min(shift.len as usize)];
        let mut left = shift.len;
        while left > 0 {
            let len = left.min(buf.len() as u64);
            // Bytes that move up are taken from the end, so that none is overwritten before it has moved.
            let done = if shift.to > shift.from { left - len } else { shift.len - left };
            let part = &mut buf[..len as usize];
            read_into(self.file, self.offset + shift.from + done, part)?;
            self.write(shift.to + done, part)?;
            left -= len;
        }
        Ok(())
    }

    fn set_len(&mut self, len: u64) -> Result<()> {
        // A backend that opens anew each time does not tell what others have made of the file: it is cut in any case.
        let known = self.io.keep() != Keep::No && self.extent == Some(len);
        if !self.walled && !known {
            self.file.truncate(self.offset + len)?;
            self.extent = Some(len);
        }
        Ok(())
    }

    fn put_chunk(&mut self, number: u64, bytes: &[u8]) -> Result<()> {
        let mut file = self.io.open(&self.paths.chunk(number)?, Mode::Create)?;
        if !bytes.is_empty() {
            file.write_at(0, bytes)?;
        }
        if self.journaled { file.sync() } else { Ok(()) }
    }

    fn settle(&mut self, edit: &Edit<'_>) -> Result<()> {
        if edit.partial {
            return Ok(());
        }
        let Some(journal) = self.journal.take() else {
            return Ok(());
        };
        let synced = self.file.sync().and_then(|()| match edit.put.is_empty() {
            true => Ok(()),
            false => journal.sync_names(),
        });
        match synced {
            Ok(()) => journal.done(),
            Err(e) => {
                *self.journal = Some(journal);
                Err(e)
            }
        }
    }

    fn drop_chunk(&mut self, number: u64) -> Result<()> {
        self.io.remove_file(&self.paths.chunk(number)?)
    }
}
