//! Super-chunks: chunks that belong together, with what describes them.
//!
//! A [`SuperChunk`] keeps its chunks in one of three places: a list in memory, a contiguous frame in memory, or a frame
//! on disk (one file, or a directory). What it knows about itself is the same for all, a frame's
//! [`Contents`](crate::frame::Contents).
//!
//! [`access`] reads chunks, [`edit`] changes them, by the size rules of [`rules`]; [`meta`] are the metalayers;
//! [`mod@slice`] reads and writes items by number, as bytes, and `typed` as numbers; [`create`] makes and opens
//! super-chunks, [`convert`] turns them into frames, files and copies of another kind. What is known is in `state`, which
//! also keeps it true when somebody else changes a frame on disk, and takes a change back that fails; `about` tells what
//! of it is public.
//!
//! `list` are chunks in memory, one buffer each. `place` says where in a frame a new chunk goes, and `holes` closes what is left
//! between chunks in a file.
//!
//! [`survey`] tells what is where without decompressing anything. `checksums` are those of chunks, where a frame keeps them.
//!
//! Any number of threads may read at once, also while a frame on disk changes under them: what a reader needs of the
//! shared state it takes out under a lock that is held briefly. Changing needs the super-chunk alone.

pub mod about;
pub mod access;
mod checksums;
pub mod convert;
pub mod create;
pub mod edit;
mod holes;
mod list;
pub mod meta;
mod place;
mod reshape;
pub mod rules;
pub mod slice;
mod state;
pub mod survey;
mod typed;

use crate::base::env;
use crate::base::params::{CParams, DParams};
use crate::frame::{DiskFrame, MemoryFrame, Metalayers};
use crate::io::{Backend, Disk};
use list::List;
use state::State;
use std::path::PathBuf;
use std::sync::{Arc, RwLock};

/// Where a new super-chunk's chunks go, and how they are compressed.
#[derive(Clone, Debug)]
pub struct Storage {
    /// One frame, or one thing per chunk: a list in memory, a directory on disk.
    pub contiguous: bool,
    /// On disk there; in memory without it.
    pub urlpath: Option<PathBuf>,
    /// How to compress.
    pub cparams: CParams,
    /// How to decompress.
    pub dparams: DParams,
    /// Through what files are read and written.
    pub io: Arc<dyn Backend>,
    /// Who is told what the super-chunk says of itself before it has chunks.
    pub witness: Option<Arc<dyn Witness>>,
    /// Whether a new frame keeps [`checksums`](crate::frame::checksums) of its chunks and metadata. A list has none.
    pub checksums: bool,
}

/// Somebody who shows a super-chunk to its codecs and filters while it is still being made.
pub trait Witness: Send + Sync + std::fmt::Debug {
    /// A metalayer was added; chunks of items of `typesize` bytes will have `chunksize` bytes, 0 when that is not known.
    fn metalayers(&self, metas: &Metalayers, typesize: i32, chunksize: i32);
}

impl Default for Storage {
    /// A list in memory, default parameters, the operating system's files; checksums where `BLOSC_CHECKSUMS` is set to
    /// anything but nothing and 0.
    fn default() -> Self {
        Storage {
            contiguous: false,
            urlpath: None,
            cparams: CParams::default(),
            dparams: DParams::default(),
            io: Arc::new(Disk),
            witness: None,
            checksums: env::is_on("BLOSC_CHECKSUMS"),
        }
    }
}

/// Chunks that belong together.
///
/// ```
/// use blosc2::{CParams, Storage, SuperChunk};
///
/// # fn main() -> blosc2::Result<()> {
/// // Numbers of four bytes, a thousand in a chunk, one after the other in a frame.
/// let storage = Storage { contiguous: true, cparams: CParams::of_items(4), ..Storage::default() };
/// let mut schunk = SuperChunk::new(storage)?;
/// for n in 0..10 {
///     schunk.append(&(1000 * n..1000 * (n + 1)).collect::<Vec<i32>>())?;
/// }
/// schunk.vlmeta_add("notes", b"counted", None)?;
///
/// // Items by number, whatever chunks they are in.
/// schunk.set(2000, &[-1, -2])?;
/// assert_eq!(schunk.get::<i32>(1999, 2003)?, [1999, -1, -2, 2002]);
///
/// // All of it as the bytes of a file.
/// let frame = schunk.to_cframe()?;
/// assert!(frame.len() < 20_000);
/// assert_eq!(SuperChunk::from_cframe(frame, true)?.pick::<i32>(&[9999])?, [9999]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct SuperChunk {
    cparams: CParams,
    dparams: DParams,
    chunks: Chunks,
    state: RwLock<State>,
    witness: Option<Arc<dyn Witness>>,
    /// Whether it has compressed chunks itself, rather than only taken them in.
    compressed: bool,
}

/// Where the chunks are.
#[derive(Debug)]
enum Chunks {
    /// One buffer each.
    List(List),
    /// In one buffer.
    Memory(MemoryFrame),
    /// In one file, or one each.
    Disk(Box<DiskFrame>),
}

#[cfg(test)]
mod tests;
