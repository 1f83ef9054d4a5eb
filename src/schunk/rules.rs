//! Which chunks a super-chunk takes, and how its books change with them.
//!
//! Chunks have one size, the first one's, but for the last, which may be smaller. A chunk that breaks this makes the
//! super-chunk one of varying sizes (chunk size 0), for good.

use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::{Error, ErrorKind, Result};
use crate::chunk::{ChunkHeader, Special};
use crate::fail;
use crate::frame::Contents;

/// A chunk that is to become part of a super-chunk.
#[derive(Debug)]
pub struct NewChunk<'a> {
    bytes: &'a [u8],
    header: ChunkHeader,
}

impl<'a> NewChunk<'a> {
    /// Checks a chunk's header, and leaves out what is after its end.
    pub fn new(bytes: &'a [u8]) -> Result<Self> {
        let header = ChunkHeader::parse(bytes)?;
        if header.cbytes() > bytes.len() {
            fail!(ReadBuffer, "a chunk of {} bytes, of which {} are there", header.cbytes(), bytes.len());
        }
        if header.is_lazy() && header.special().is_none() {
            fail!(InvalidParam, "a lazy chunk has no blocks to store");
        }
        Ok(NewChunk { bytes: &bytes[..header.cbytes()], header })
    }

    /// The chunk.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Uncompressed bytes.
    pub fn nbytes(&self) -> i64 {
        self.header.nbytes() as i64
    }

    /// Whether it is made of VL blocks.
    pub fn is_vl(&self) -> bool {
        self.header.is_vl()
    }

    /// What a frame's index can say of the chunk without storing it. Chunks of varying sizes are always stored, as the
    /// index does not tell sizes; so are those of no whole number of items, which nobody could make again.
    pub fn special(&self, contents: &Contents) -> Option<Special> {
        let whole = self.nbytes() % i64::from(contents.header.typesize) == 0;
        let nans = !matches!(contents.header.typesize, 4 | 8);
        match self.header.special()? {
            Special::Value => None,
            Special::Nans if nans => None,
            special => (whole && contents.header.chunksize > 0).then_some(special),
        }
    }
}

/// Where a chunk is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// After all others.
    End,
    /// Before chunk `n`, or after all when `n` is their number.
    Before(i64),
    /// In place of chunk `n`.
    At(i64),
}

impl Position {
    /// The kind of failure that a refused chunk is.
    pub fn failure(self) -> ErrorKind {
        match self {
            Position::End => ErrorKind::ChunkAppend,
            Position::Before(_) => ErrorKind::ChunkInsert,
            Position::At(_) => ErrorKind::ChunkUpdate,
        }
    }
}

/// The chunk size with `chunk` at `position`, and whether that chunk may be there at all.
pub fn admit(contents: &Contents, chunk: &NewChunk<'_>, position: Position) -> Result<i32> {
    let nchunks = contents.nchunks;
    let alone = nchunks == 0 || (nchunks == 1 && position == Position::At(0));
    if !alone && contents.header.vl_blocks != chunk.header.is_vl() {
        let kind = position.failure();
        return Err(Error::new(kind, "chunks of VL blocks and others do not mix"));
    }
    let nbytes = chunk.nbytes();
    let chunksize = match contents.header.chunksize {
        -1 => nbytes as i32,
        chunksize => chunksize,
    };
    let size = i64::from(chunksize);
    let last = contents.chunk_nbytes(nchunks - 1).map_or(size, i64::from);
    let varies = match position {
        _ if chunksize == 0 => true,
        Position::At(n) => nbytes > size || (n != nchunks - 1 && nbytes != size),
        _ if nchunks == 0 => {
            if nbytes > size {
                let what = format!("a chunk of {nbytes} bytes where chunks have {size}");
                return Err(Error::new(position.failure(), what));
            }
            false
        }
        Position::End => last < size || nbytes > size,
        Position::Before(n) => last < size || nbytes > size || (n != nchunks && nbytes != size),
    };
    Ok(if varies { 0 } else { chunksize })
}

/// How the books count a chunk that is stored.
pub fn size(chunk: &NewChunk<'_>) -> i64 {
    chunk.bytes.len() as i64
}

/// How the books of a list, and of a sparse frame, count a chunk that goes: one that is a header only counted nothing.
/// (It did when it came, in a list. The C library keeps its books that way, and files have its sums.)
pub fn counted_out(cbytes: usize) -> i64 {
    if cbytes == EXTENDED_HEADER_LEN { 0 } else { cbytes as i64 }
}
