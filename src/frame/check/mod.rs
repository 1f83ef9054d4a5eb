//! Looking whether a frame is whole, and saving what is left of one that is not.
//!
//! [`verify`](verify::verify) reads everything there is in a frame and tells what is wrong, finding by finding.
//! [`recover`](recover::recover) writes a new frame of the chunks and metalayers that can still be read; where the index
//! is gone, [`scan`] looks for the chunks themselves. Neither changes the frame, but for a change that was cut short and
//! left a [`journal`](super::journal): that is taken back, as by every open.

pub mod recover;
pub mod scan;
pub mod verify;

use super::Contents;
use crate::base::params::DParams;
use crate::base::{Error, Result};
use crate::chunk::{ChunkHeader, ChunkReader, ChunkSource};
use crate::fail;
use std::fmt;

/// A part of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Header, trailer, or how they fit together.
    Structure,
    /// The chunk index.
    Index,
    /// The chunk of that number.
    Chunk(i64),
    /// The metalayer of that name.
    Metalayer(Vec<u8>),
    /// The variable-length metalayer of that name.
    VlMetalayer(Vec<u8>),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Structure => f.write_str("frame"),
            Part::Index => f.write_str("index"),
            Part::Chunk(n) => write!(f, "chunk {n}"),
            Part::Metalayer(name) => write!(f, "metalayer {}", String::from_utf8_lossy(name)),
            Part::VlMetalayer(name) => write!(f, "vlmetalayer {}", String::from_utf8_lossy(name)),
        }
    }
}

/// Something that is wrong.
#[derive(Clone, Debug)]
pub struct Finding {
    /// With what.
    pub part: Part,
    /// Where in the file it begins; `None` where that is not known, or it has a file of its own.
    pub offset: Option<u64>,
    /// What.
    pub error: Error,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "{} at byte {offset}: {}", self.part, self.error),
            None => write!(f, "{}: {}", self.part, self.error),
        }
    }
}

/// How a frame's chunks are decompressed: filters and codecs of arrays want to know shapes.
pub type Decoding<'a> = &'a dyn Fn(&Contents) -> Result<DParams>;

/// Decodes all of a chunk, which has to have `nbytes` of data where that is known.
fn decode(bytes: &[u8], dparams: &DParams, nthreads: usize, nbytes: Option<i32>) -> Result<()> {
    let header = ChunkHeader::parse(bytes)?;
    if let Some(nbytes) = nbytes.filter(|&nbytes| nbytes as usize != header.nbytes()) {
        fail!(Data, "{} bytes of data instead of {nbytes}", header.nbytes());
    }
    if header.cbytes() != bytes.len() {
        fail!(Data, "{} bytes are stored of a chunk of {}", bytes.len(), header.cbytes());
    }
    let reader = ChunkReader::new(ChunkSource::Bytes(bytes), dparams)?;
    if header.special().is_some() {
        // There is no more to it than its header, however long it says it is.
        return Ok(());
    }
    reader.check_blocks(nthreads)
}
