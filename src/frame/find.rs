//! Finding frames: a file may hold several, one after the other or among other things.

use super::header::{FIXED_LEN, FrameHeader, MAGIC};
use crate::base::Result;
use crate::io::{Backend, File, Mode, urlpath};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// How much of a file is looked at at once.
const WINDOW: usize = 1 << 20;

/// The bytes of each frame in a file, in order. A frame counts that begins like one and of which all bytes are there; what
/// is inside of it is not looked at.
///
/// # Errors
/// [`ErrorKind::FileOpen`](crate::base::ErrorKind::FileOpen) when there is no file; what reading reports.
pub fn frames_in(io: &Arc<dyn Backend>, path: &Path) -> Result<Vec<Range<u64>>> {
    let file = io.open(urlpath::local(path), Mode::Read)?;
    let size = file.size()?;
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(start) = next_magic(&*file, at, size)? {
        match frame_len(&*file, start, size)? {
            Some(len) => {
                found.push(start..start + len);
                at = start + len;
            }
            None => at = start + 1,
        }
    }
    Ok(found)
}

/// Where the next frame seems to begin, from byte `at` on and before byte `size`.
pub(super) fn next_magic(file: &dyn File, mut at: u64, size: u64) -> Result<Option<u64>> {
    let mut window = Vec::new();
    while at.saturating_add(MAGIC.len() as u64) <= size {
        window.resize(WINDOW.min((size - at) as usize), 0);
        file.read_at(at, &mut window)?;
        if let Some(here) = window.windows(MAGIC.len()).position(|bytes| bytes == MAGIC) {
            return Ok(Some(at + here as u64));
        }
        // The next window takes in what may have been cut.
        at += (window.len() - (MAGIC.len() - 1)) as u64;
    }
    Ok(None)
}

/// The length of the frame at `start`, if it can be one.
fn frame_len(file: &dyn File, start: u64, size: u64) -> Result<Option<u64>> {
    let mut fixed = [0; FIXED_LEN];
    if size - start < FIXED_LEN as u64 {
        return Ok(None);
    }
    file.read_at(start, &mut fixed)?;
    let header = FrameHeader::parse(&fixed).ok();
    Ok(header.map(|header| header.frame_len).filter(|len| *len <= size - start))
}
