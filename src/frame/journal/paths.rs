//! Where a frame's files are.

use crate::base::Result;
use crate::base::digits::digits;
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
            Some(directory) => Ok(directory.join(chunk_name(number))),
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

/// What the file of a chunk is called: its number in eight hexadecimal digits, or as many as it has.
pub fn chunk_name(number: u64) -> String {
    digits(number, 16, 8) + CHUNK_SUFFIX
}

/// The number of the chunk whose file is called so, if one is.
pub fn chunk_number(name: &str) -> Option<u64> {
    let number = u64::from_str_radix(name.strip_suffix(CHUNK_SUFFIX)?, 16).ok()?;
    (name == chunk_name(number)).then_some(number)
}

/// What names of chunk files end in.
const CHUNK_SUFFIX: &str = ".chunk";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunk_files_have_numbers_of_eight_digits_at_least() {
        for number in [0, 1, 0xab, 0x0123_4567, 0x89ab_cdef, 0xffff_ffff, 0x1_0000_0000, u64::MAX] {
            let name = chunk_name(number);
            assert_eq!(name, format!("{number:08X}.chunk"));
            assert_eq!(chunk_number(&name), Some(number));
        }
        for name in [
            "",
            ".chunk",
            "1.chunk",
            "0000000a.chunk",
            "+000000A.chunk",
            "000000001.chunk",
            "0000000A",
            "chunks.b2frame",
        ] {
            assert_eq!(chunk_number(name), None, "{name}");
        }
    }
}
