//! What a caller may hang into the engine: functions over the blocks of a chunk, before they are compressed and after they
//! are decompressed, and somebody who chooses the parameters of chunks.
//!
//! The engine calls hooks from its worker threads, several at once, and never while it holds a lock, so that a hook may
//! call back into the library.

use super::Result;
use super::params::CParams;
use std::fmt;
use std::time::Duration;

/// One block on its way into the compressor.
pub struct Prefiltering<'a> {
    /// The block's bytes as the caller gave them.
    pub input: &'a [u8],
    /// Where the block that is to be compressed goes; zeros, unless it is disposable.
    pub output: &'a mut [u8],
    /// Bytes per item, as in the chunk header.
    pub typesize: usize,
    /// Where the block starts in its chunk, in bytes.
    pub offset: usize,
    /// The chunk's number in its super-chunk; -1 without one.
    pub nchunk: i64,
    /// The block's number in its chunk.
    pub nblock: usize,
    /// The seat of the thread, below the number of threads that work on the chunk.
    pub tid: usize,
    /// Several blocks' worth of bytes that are this thread's until the call returns.
    pub scratch: &'a mut [u8],
}

/// A function that makes the bytes of a block before they are compressed.
pub trait Prefilter: Send + Sync {
    /// Fills the output.
    ///
    /// # Errors
    /// Any: the compression fails with [`ErrorKind::FilterPipeline`](super::ErrorKind::FilterPipeline).
    fn apply(&self, block: Prefiltering<'_>) -> Result<()>;

    /// Whether nobody wants the output: the chunk then says that all its bytes are zero.
    fn output_is_disposable(&self) -> bool {
        false
    }
}

/// One block on its way out of the decompressor.
pub struct Postfiltering<'a> {
    /// The block as it was compressed.
    pub input: &'a [u8],
    /// Where the block that the caller sees goes.
    pub output: &'a mut [u8],
    /// Bytes per item.
    pub typesize: usize,
    /// Where the block starts in its chunk, in bytes.
    pub offset: usize,
    /// The chunk's number in its super-chunk; -1 without one.
    pub nchunk: i64,
    /// The block's number in its chunk.
    pub nblock: usize,
    /// The seat of the thread, below the number of threads that work on the chunk.
    pub tid: usize,
    /// Several blocks' worth of bytes that are this thread's until the call returns.
    pub scratch: &'a mut [u8],
}

/// A function that changes the bytes of a block after they are decompressed.
pub trait Postfilter: Send + Sync {
    /// Fills the output.
    ///
    /// # Errors
    /// Any: the decompression fails with [`ErrorKind::Postfilter`](super::ErrorKind::Postfilter).
    fn apply(&self, block: Postfiltering<'_>) -> Result<()>;
}

/// Somebody who chooses the parameters of each chunk, and learns from how it went.
pub trait Tuner: Send + Sync {
    /// Changes the parameters for a chunk of `nbytes` bytes.
    ///
    /// # Errors
    /// Any: the compression fails with [`ErrorKind::Tuner`](super::ErrorKind::Tuner).
    fn tune(&self, nbytes: usize, params: &mut CParams) -> Result<()>;

    /// Is told that the chunk of `nbytes` bytes, compressed as last tuned, has `cbytes` bytes and took `elapsed`. 0 bytes
    /// are told of a chunk that did not fit.
    ///
    /// # Errors
    /// Any: the compression fails with [`ErrorKind::Tuner`](super::ErrorKind::Tuner).
    fn learn(&self, nbytes: usize, cbytes: usize, elapsed: Duration) -> Result<()>;
}

impl fmt::Debug for dyn Tuner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tuner")
    }
}

impl fmt::Debug for dyn Prefilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prefilter")
    }
}

impl fmt::Debug for dyn Postfilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Postfilter")
    }
}
