//! Frames: a super-chunk's chunks, index and metadata in one file, one buffer, or one directory.
//!
//! A contiguous frame is `header | chunks | index chunk | trailer`; in a sparse one the chunks are files beside it.
//! [`header`] and [`trailer`] turn their bytes into values that cannot be wrong and back; both hold [`metalayers`].
//! [`index`] says where each chunk is. Together they are a frame's [`Contents`], which [`open`] reads.
//!
//! *Changing a frame*: the decoded contents and index are changed first -> [`Edit::new`] says which bytes go where ->
//! [`commit`](commit::commit) applies that to a [`Store`](commit::Store): [`MemoryFrame`], or the files of a
//! [`DiskFrame`], which on request keeps a rollback [`journal`]. Nothing else writes to a frame.
//!
//! A frame may ask for [`checksums`] of all that is in it.
//!
//! [`find`] finds frames in a file, and [`map`] tells what of a frame's files is where.
//!
//! [`check`] looks whether a frame is whole, and saves what is left of one that is not.

pub mod check;
pub mod checksums;
pub mod commit;
pub mod contents;
pub mod disk;
pub mod edit;
pub mod file_chunk;
mod file_store;
pub mod find;
mod head_cache;
pub mod header;
pub mod index;
pub mod journal;
pub mod map;
pub mod memory;
pub mod metalayers;
pub mod open;
pub mod rename;
pub mod trailer;

pub use contents::Contents;
pub use disk::DiskFrame;
pub use edit::{Data, Edit, Parts};
pub use file_chunk::ChunkBytes;
pub use header::{FrameHeader, FrameKind};
pub use index::{Index, Place};
pub use memory::MemoryFrame;
pub use metalayers::{Metalayer, Metalayers};
pub use trailer::Trailer;
