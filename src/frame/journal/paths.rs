//! Where a frame's files are.

use crate::base::Result;
use crate::fail;
use crate::io::{JOURNAL_SUFFIX, urlpath};
use std::path::{Path, PathBuf};

/// A frame's file, and the directory of a sparse one.
#[derive(Clone, Debug)]
pub struct Paths {
    /// The file that has header, index and trailer.
    pub main: PathBuf,
    /// A sparse frame's directory.
    pub directory: Option<PathBuf>,
}

/// What a part of a journal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The frame's file.
    Main,
    /// The chunk file of that number.
    Chunk(u64),
    /// There was no chunk file of that number.
    NoChunk(u64),
}

impl Paths {
    /// The journal: beside a file, or in a sparse frame's directory.
    pub fn journal(&self) -> PathBuf {
        match &self.directory {
            Some(directory) => directory.join(JOURNAL_SUFFIX),
            None => urlpath::with_suffix(&self.main, JOURNAL_SUFFIX),
        }
    }

    /// The chunk file of that number.
    ///
    /// # Errors
    /// [`ErrorKind::FrameType`](crate::base::ErrorKind::FrameType) in a contiguous frame.
    pub fn chunk(&self, number: u64) -> Result<PathBuf> {
        match &self.directory {
            Some(directory) => Ok(directory.join(format!("{number:08X}.chunk"))),
            None => fail!(FrameType, "a contiguous frame has no chunk files"),
        }
    }

    /// The folder that the files are in.
    pub fn folder(&self) -> &Path {
        match &self.directory {
            Some(directory) => directory,
            None => self.main.parent().unwrap_or(Path::new("")),
        }
    }
}
