//! What lies where in a frame's files: every byte of them, once.

use super::contents::Contents;
use super::disk::DiskFrame;
use super::header::FrameKind;
use super::index::{Index, Place};
use super::journal::paths::chunk_number;
use crate::base::Result;
use crate::base::consts::MIN_HEADER_LEN;
use std::path::{Path, PathBuf};

/// What some bytes of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What stands before the frame in its file.
    Before,
    /// The header, with the metalayers of fixed size.
    Header,
    /// The chunk of that number.
    Chunk(i64),
    /// The chunk of that number ought to be here, but is none that could be read.
    Unreadable(i64),
    /// Bytes that belong to nothing: a chunk that was deleted or has moved, or a file that the index does not name.
    Hole,
    /// The chunk index.
    Index,
    /// The trailer, with the variable-length metalayers.
    Trailer,
    /// What follows the frame in its file.
    After,
}

/// A run of bytes that are one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where in the file it begins.
    pub start: u64,
    /// Its bytes, at least one.
    pub len: u64,
    /// What it is.
    pub part: Part,
}

/// One file of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMap {
    /// The file.
    pub path: PathBuf,
    /// All its bytes, in order.
    pub pieces: Vec<Piece>,
}

impl FileMap {
    /// Bytes in the file.
    pub fn len(&self) -> u64 {
        self.pieces.last().map_or(0, |piece| piece.start + piece.len)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// How many bytes are `part`, where it is no chunk's.
    pub fn bytes_of(&self, part: Part) -> u64 {
        self.pieces.iter().filter(|piece| piece.part == part).map(|piece| piece.len).sum()
    }

    /// Adds a piece up to byte `end`, if there is anything between.
    fn up_to(&mut self, end: u64, part: Part) {
        let start = self.len();
        if end > start {
            self.pieces.push(Piece { start, len: end - start, part });
        }
    }
}

/// The maps of a frame's files: first of the one that has the header, then of a sparse frame's chunk files.
///
/// # Errors
/// What storage reports. Chunks that cannot be read are no error.
pub fn draw(disk: &DiskFrame, contents: &Contents, index: &Index) -> Result<Vec<FileMap>> {
    let mut main = FileMap { path: disk.main_path().to_owned(), pieces: Vec::new() };
    let header = &contents.header;
    main.up_to(disk.offset(), Part::Before);
    main.up_to(disk.offset() + u64::from(header.header_len), Part::Header);
    if header.kind == FrameKind::Contiguous {
        chunks(disk, contents, index, &mut main);
    }
    let index_end = disk.offset().saturating_add(contents.data_end()).saturating_add(contents.index_len);
    // Without chunks there is no index: what is there has been chunks.
    main.up_to(index_end, if index.is_empty() { Part::Hole } else { Part::Index });
    main.up_to(disk.offset().saturating_add(header.frame_len), Part::Trailer);
    main.up_to(disk.main_size()?, Part::After);
    let mut maps = vec![main];
    if header.kind == FrameKind::Sparse {
        files(disk, index, &mut maps)?;
    }
    Ok(maps)
}

/// The chunks of a contiguous frame, and what is between them.
fn chunks(disk: &DiskFrame, contents: &Contents, index: &Index, map: &mut FileMap) {
    let first = map.len();
    let end = disk.offset().saturating_add(contents.data_end());
    let mut stored: Vec<(u64, i64)> = stored(index).collect();
    stored.sort_unstable();
    for (at, &(offset, n)) in stored.iter().enumerate() {
        let next = stored.get(at + 1).map_or(end, |next| first.saturating_add(next.0)).min(end);
        map.up_to(first.saturating_add(offset).min(end), Part::Hole);
        match disk.chunk_at(contents, offset).and_then(|chunk| chunk.cbytes_told()) {
            Ok(cbytes) => map.up_to(map.len().saturating_add(cbytes).min(next), Part::Chunk(n)),
            Err(_) => map.up_to(next, Part::Unreadable(n)),
        }
    }
    map.up_to(end, Part::Hole);
}

/// The chunks that are stored: their offsets, or the numbers of their files, and their own.
fn stored(index: &Index) -> impl Iterator<Item = (u64, i64)> + '_ {
    let place = |n: usize| match index.place(n) {
        Ok(Place::Stored(offset)) => Some((offset, n as i64)),
        _ => None,
    };
    (0..index.len()).filter_map(place)
}

/// The chunk files of a sparse frame, in the order of their names.
fn files(disk: &DiskFrame, index: &Index, maps: &mut Vec<FileMap>) -> Result<()> {
    let mut numbers: Vec<(u64, i64)> = stored(index).collect();
    numbers.sort_unstable();
    let mut found = disk.io().list(disk.path())?;
    found.sort_unstable();
    for path in found {
        let Some(number) = number_of(&path) else { continue };
        let len = disk.io().stamp(&path)?.map_or(0, |stamp| stamp.len);
        let owner = numbers.binary_search_by_key(&number, |(number, _)| *number).ok();
        let part = match owner.map(|at| numbers[at].1) {
            Some(n) if len < MIN_HEADER_LEN as u64 => Part::Unreadable(n),
            Some(n) => Part::Chunk(n),
            None => Part::Hole,
        };
        let mut map = FileMap { path, pieces: Vec::new() };
        map.up_to(len, part);
        maps.push(map);
    }
    Ok(())
}

/// The number that a chunk file's name says.
fn number_of(path: &Path) -> Option<u64> {
    chunk_number(path.file_name()?.to_str()?)
}
