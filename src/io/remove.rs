//! Removing and renaming what a `urlpath` names, whatever kind of frame it is.

use super::disk::failed;
use super::{Disk, JOURNAL_SUFFIX, LOCK_SUFFIX, urlpath};
use crate::base::{ErrorKind, Result};
use crate::fail;
use crate::io::Backend;
use std::fs;
use std::path::Path;

/// Removes a frame: a file with its sidecar lock and journal, or a directory with the files in it. Nothing there is no
/// error.
///
/// # Errors
/// [`ErrorKind::Failure`] when the path cannot be looked at; [`ErrorKind::FileRemove`] when the file cannot be removed;
/// as [`remove_dir`].
pub fn remove_urlpath(path: &Path) -> Result<()> {
    match Disk.stamp(path).map_err(|e| e.as_kind(ErrorKind::Failure))? {
        None => Ok(()),
        Some(stamp) if stamp.is_dir => remove_dir(path),
        Some(_) => {
            Disk.remove_file(path)?;
            for suffix in [JOURNAL_SUFFIX, LOCK_SUFFIX] {
                // There may be none.
                let _ = fs::remove_file(urlpath::with_suffix(path, suffix));
            }
            Ok(())
        }
    }
}

/// Removes a directory and the files in it. Directories in it are not entered.
///
/// # Errors
/// [`ErrorKind::InvalidParam`] for no path; [`ErrorKind::NotFound`] when there is no such directory;
/// [`ErrorKind::Failure`] when something in it cannot be removed.
pub fn remove_dir(path: &Path) -> Result<()> {
    if path.as_os_str().is_empty() {
        fail!(InvalidParam, "no directory is named");
    }
    let entries = fs::read_dir(path)
        .map_err(|e| failed(ErrorKind::NotFound, path, format_args!("no directory to remove"), &e))?;
    for entry in entries {
        let removed = entry.and_then(|entry| fs::remove_file(entry.path()));
        removed.map_err(|e| {
            failed(ErrorKind::Failure, path, format_args!("a file in it cannot be removed"), &e)
        })?;
    }
    fs::remove_dir(path).map_err(|e| failed(ErrorKind::Failure, path, format_args!("cannot be removed"), &e))
}

/// Renames a frame.
///
/// # Errors
/// [`ErrorKind::Failure`] when that is not possible.
pub fn rename_urlpath(old: &Path, new: &Path) -> Result<()> {
    let what = format_args!("cannot be renamed to {}", new.display());
    fs::rename(old, new).map_err(|e| failed(ErrorKind::Failure, old, what, &e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_every_kind_go() {
        let base = std::env::temp_dir().join(format!("oxiblosc2-remove-{}", std::process::id()));
        fs::create_dir(&base).unwrap();
        let (file, other, dir) = (base.join("a.b2frame"), base.join("b.b2frame"), base.join("dir"));
        fs::write(&file, b"frame").unwrap();
        rename_urlpath(&file, &other).unwrap();
        assert_eq!(rename_urlpath(&file, &other).unwrap_err().kind(), ErrorKind::Failure);
        fs::write(urlpath::with_suffix(&other, LOCK_SUFFIX), b"").unwrap();
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join("00000000.chunk"), b"chunk").unwrap();
        remove_urlpath(&other).unwrap();
        remove_urlpath(&other).unwrap();
        remove_urlpath(&dir).unwrap();
        assert_eq!(remove_dir(&dir).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(remove_dir(Path::new("")).unwrap_err().kind(), ErrorKind::InvalidParam);
        // Frame, sidecar and directory are gone.
        fs::remove_dir(&base).unwrap();
    }
}
