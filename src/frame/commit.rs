//! The one place where a frame's bytes change.

use super::edit::{Edit, Shift};
use crate::base::Result;

/// A place that holds a frame's bytes. Positions count from the frame's first byte.
pub trait Store {
    /// Makes sure that what `edit` overwrites can be put back, where that is asked for.
    fn prepare(&mut self, _edit: &Edit<'_>) -> Result<()> {
        Ok(())
    }

    /// Writes the index that is to come aside, where nothing else is, if the one that is there is going to be
    /// overwritten: then who looks for the chunks of a frame that was cut short finds one of the two. As far as there is
    /// room; a store that nobody can cut short does nothing.
    fn set_aside(&mut self, _edit: &Edit<'_>) {}

    /// Before the header is written: what follows the frame's new end is nobody's.
    fn mark_end(&mut self, _edit: &Edit<'_>) {}

    /// Writes `bytes` at `at`; the frame grows as needed.
    fn write(&mut self, at: u64, bytes: &[u8]) -> Result<()>;

    /// Moves bytes inside the frame; source and destination may overlap.
    fn shift(&mut self, shift: Shift) -> Result<()>;

    /// Makes the frame end at `len`, where it does not already.
    fn set_len(&mut self, len: u64) -> Result<()>;

    /// Writes the chunk file of that number, in place of any that is there.
    fn put_chunk(&mut self, number: u64, bytes: &[u8]) -> Result<()>;

    /// All is written: what was kept of `edit` is not needed any more.
    fn settle(&mut self, _edit: &Edit<'_>) -> Result<()> {
        Ok(())
    }

    /// Removes the chunk file of that number.
    fn drop_chunk(&mut self, number: u64) -> Result<()>;
}

/// Applies `edit` to `store`.
///
/// The order is the one in which a reader, or a power failure, sees the most of the frame: chunks before the index
/// that points to them, the header, which says how long the frame is, after both; and files go only when no index
/// mentions them. A frame that is cut short anywhere has all chunks that the edit does not touch, and an index that tells
/// of them, or else chunks that follow each other as the index had them.
pub fn commit(store: &mut dyn Store, edit: &Edit<'_>) -> Result<()> {
    store.prepare(edit)?;
    store.set_aside(edit);
    for shift in &edit.shifts {
        store.shift(*shift)?;
    }
    for (number, bytes) in &edit.put {
        store.put_chunk(*number, bytes)?;
    }
    for (at, bytes) in &edit.writes {
        if *at == 0 {
            store.mark_end(edit);
        }
        if !bytes.is_empty() {
            store.write(*at, bytes)?;
        }
    }
    store.set_len(edit.len)?;
    store.settle(edit)?;
    match edit.drop {
        Some(number) => store.drop_chunk(number),
        None => Ok(()),
    }
}
