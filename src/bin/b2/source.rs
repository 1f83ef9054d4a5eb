//! What a command looks at: a path, perhaps a place in it, and the frame there.

use crate::failure::{At, Failure};
use blosc2::io::{Backend, LockingDisk};
use blosc2::ndarray::{Layout, NdMeta, open};
use blosc2::{NdArray, Storage, SuperChunk};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A frame, as the command line names it.
#[derive(clap::Args, Clone, Debug)]
pub struct Place {
    /// A frame: a file, or the directory of a sparse one
    pub path: PathBuf,
    #[command(flatten)]
    pub how: How,
}

/// What a command looks at that takes many.
#[derive(clap::Args)]
pub struct Places {
    /// Frames: files, or the directories of sparse ones
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub how: How,
}

impl Places {
    /// Does the same with each. One that fails is told of, and the others are looked at all the same. Whether none failed.
    pub fn each(&self, mut look: impl FnMut(&Path, &How) -> Result<(), Failure>) -> bool {
        let mut well = true;
        for path in &self.paths {
            if let Err(failure) = look(path, &self.how) {
                failure.tell();
                well = false;
            }
        }
        well
    }
}

/// How frames are opened.
#[derive(clap::Args, Clone, Debug)]
pub struct How {
    /// Where in the file the frame begins, in bytes
    #[arg(long, value_name = "BYTE")]
    pub offset: Option<u64>,
    /// Take the sidecar lock, as other programs do that use the frame with locking
    #[arg(long)]
    pub lock: bool,
}

impl How {
    /// Through what files are opened.
    pub fn io(&self) -> Arc<dyn Backend> {
        if self.lock { Arc::new(LockingDisk) } else { Storage::default().io }
    }
}

impl Place {
    /// Opens the super-chunk.
    pub fn open(&self) -> Result<SuperChunk, Failure> {
        open_at(&self.path, self.how.offset.unwrap_or(0), &self.how.io())
    }

    /// Opens the array, or the super-chunk where there is none in it.
    pub fn content(&self) -> Result<Content, Failure> {
        content(self.open()?).at(&self.path)
    }
}

/// Opens the super-chunk at byte `offset` of `path`.
pub fn open_at(path: &Path, offset: u64, io: &Arc<dyn Backend>) -> Result<SuperChunk, Failure> {
    SuperChunk::open(path, offset, io.clone()).at(path)
}

/// Where the frames of a path begin: the one asked for, or all that are in a file. Where none is found, the first byte:
/// opening it tells what is wrong.
pub fn frames(path: &Path, how: &How) -> Result<Vec<Range<u64>>, Failure> {
    let io = how.io();
    let stamp = io.stamp(path).at(path)?;
    let len = stamp.map_or(0, |stamp| stamp.len);
    if let Some(offset) = how.offset {
        return Ok(vec![Range { start: offset, end: len.max(offset) }]);
    }
    let found = match stamp {
        Some(stamp) if !stamp.is_dir => blosc2::frame::find::frames_in(&io, path).at(path)?,
        _ => Vec::new(),
    };
    Ok(if found.is_empty() { vec![Range { start: 0, end: len }] } else { found })
}

/// What a frame holds.
pub enum Content {
    /// An n-dimensional array.
    Array(Box<NdArray>),
    /// Chunks.
    Chunks(Box<SuperChunk>),
}

impl Content {
    /// The super-chunk.
    pub fn schunk(&self) -> &SuperChunk {
        match self {
            Content::Array(array) => array.schunk(),
            Content::Chunks(schunk) => schunk,
        }
    }
}

/// The array in a super-chunk, if there is one.
pub fn content(schunk: SuperChunk) -> Result<Content, Failure> {
    if !is_array(&schunk) {
        return Ok(Content::Chunks(Box::new(schunk)));
    }
    Ok(Content::Array(Box::new(NdArray::from_schunk(schunk)?)))
}

/// Bytes of the data: of an array without the padding of its chunks.
pub fn data_bytes(schunk: &SuperChunk) -> u64 {
    let array = array_meta(schunk).and_then(Result::ok);
    array.map_or(schunk.nbytes(), |(_, layout)| layout.nbytes()).max(0) as u64
}

/// Whether a super-chunk says that it holds an array.
pub fn is_array(schunk: &SuperChunk) -> bool {
    array_kind(schunk).is_some()
}

/// Which metalayer says that a super-chunk holds an array.
pub fn array_kind(schunk: &SuperChunk) -> Option<&'static str> {
    use blosc2::ndarray::meta::{CATERVA_NAME, NAME};
    [NAME, CATERVA_NAME].into_iter().find(|name| schunk.meta_exists(name).is_ok())
}

/// What the metalayer of an array says, and the layout that follows.
pub fn array_meta(schunk: &SuperChunk) -> Option<Result<(NdMeta, Layout), Failure>> {
    is_array(schunk).then(|| {
        let meta = open::read_meta(schunk)?;
        let layout = meta.layout(schunk.typesize())?;
        Ok((meta, layout))
    })
}
