//! What a command writes: nothing is overwritten by accident, and no half-written file stays.

use crate::failure::{At, Failure};
use blosc2::io::remove::{remove_urlpath, rename_urlpath};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A file, or a sparse frame's directory, that is made under another name first.
pub struct Target {
    path: PathBuf,
    draft: PathBuf,
    done: bool,
}

impl Target {
    /// Something that is to be at `path`, where nothing may be yet unless `force`.
    pub fn new(path: &Path, force: bool) -> Result<Target, Failure> {
        let there = std::fs::symlink_metadata(path).ok();
        if there.is_some() && !force {
            return Err(Failure::new(format!("{}: there already; --force overwrites it", path.display())));
        }
        // What is a directory is only taken for a sparse frame when it looks like one.
        if there.is_some_and(|meta| meta.is_dir()) && !path.join("chunks.b2frame").exists() {
            return Err(Failure::new(format!("{}: a directory that is no frame", path.display())));
        }
        let Some(name) = path.file_name() else {
            return Err(Failure::usage(format!("{}: no name for a file", path.display())));
        };
        let mut draft = OsString::from(".");
        draft.push(name);
        draft.push(format!(".{}.part", std::process::id()));
        let draft = path.with_file_name(draft);
        remove_urlpath(&draft)?;
        Ok(Target { path: path.to_owned(), draft, done: false })
    }

    /// Where to write.
    pub fn draft(&self) -> &Path {
        &self.draft
    }

    /// Puts what was written in its place, and in that of what was there.
    pub fn finish(mut self) -> Result<(), Failure> {
        if self.path.is_dir() || self.draft.is_dir() {
            remove_urlpath(&self.path).at(&self.path)?;
        }
        rename_urlpath(&self.draft, &self.path).at(&self.path)?;
        self.done = true;
        Ok(())
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if !self.done {
            // Nobody asked for it.
            let _ = remove_urlpath(&self.draft);
        }
    }
}
