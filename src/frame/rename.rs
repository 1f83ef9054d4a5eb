//! Giving a frame another name.

use super::{DiskFrame, journal};
use crate::base::{ErrorKind, Result};
use crate::io::{Disk, remove};
use std::path::Path;
use std::sync::Arc;

/// Renames a frame. A change of it that was cut short is taken back first: its journal bears the old name. So is one of
/// a frame that gives way, whose journal would be taken for the new one's.
///
/// # Errors
/// [`ErrorKind::Failure`] when that is not possible.
pub fn rename(old: &Path, new: &Path) -> Result<()> {
    for path in [old, new] {
        let frame = DiskFrame::open(Arc::new(Disk), path, 0);
        let settled = frame.and_then(|frame| journal::recover(frame.io(), frame.paths()));
        settled.map_err(|e| e.as_kind(ErrorKind::Failure))?;
    }
    remove::rename_urlpath(old, new)
}
