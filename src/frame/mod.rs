//! Frames: a super-chunk's chunks, index and metadata in one file, one buffer, or one directory.
//!
//! A contiguous frame is `header | chunks | index chunk | trailer`. [`header`] and [`trailer`] turn their bytes into
//! values that cannot be wrong and back; both hold [`metalayers`].

pub mod header;
pub mod metalayers;
pub mod trailer;

pub use header::{FrameHeader, FrameKind};
pub use metalayers::{Metalayer, Metalayers};
pub use trailer::Trailer;
