//! The one place where a frame's bytes change.

use super::edit::{Edit, Shift};
use crate::base::Result;

/// A place that holds a frame's bytes. Positions count from the frame's first byte.
pub trait Store {
    /// Makes sure that what `edit` overwrites can be put back, where that is asked for.
    fn prepare(&mut self, _edit: &Edit<'_>) -> Result<()> {
        Ok(())
    }

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
/// mentions them.
pub fn commit(store: &mut dyn Store, edit: &Edit<'_>) -> Result<()> {
    store.prepare(edit)?;
    if let Some(shift) = edit.shift {
        store.shift(shift)?;
    }
    for (number, bytes) in &edit.put {
        store.put_chunk(*number, bytes)?;
    }
    for (at, bytes) in &edit.writes {
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
