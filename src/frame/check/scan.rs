//! Chunks found without an index, by their own headers.

use super::decode;
use crate::base::Result;
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::params::DParams;
use crate::chunk::ChunkHeader;
use crate::frame::{FrameHeader, Index};
use crate::io::File;

/// How much is looked through at once.
const WINDOW: usize = 1 << 20;

/// A chunk in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its first byte in the file.
    pub at: u64,
    /// Its compressed size.
    pub cbytes: u64,
    /// Its data.
    pub nbytes: i64,
}

/// What a scan came to.
#[derive(Debug, Default)]
pub struct Scanned {
    /// The chunks, as they follow in the file.
    pub chunks: Vec<Found>,
    /// An index that tells of chunks that were found, and where it ends: of several, the last.
    pub index: Option<(Index, u64)>,
}

/// Looks through bytes `from..to` of a file for chunks of a frame with this header. Every chunk is decompressed before
/// it is believed.
pub fn scan(file: &dyn File, from: u64, to: u64, header: &FrameHeader, dparams: &DParams) -> Result<Scanned> {
    let mut scanned = Scanned::default();
    let mut window = Window { file, to, start: 0, bytes: Vec::new() };
    let mut at = from;
    while at + EXTENDED_HEADER_LEN as u64 <= to {
        at = match candidate(&mut window, at, header, dparams)? {
            Some(Candidate::Chunk(found)) => {
                scanned.chunks.push(found);
                at + found.cbytes
            }
            Some(Candidate::Index(index, len)) => {
                scanned.index = Some((index, at + len));
                at + len
            }
            None => at + 1,
        };
    }
    if let Some((index, _)) = &scanned.index
        && !tells_of(index, &scanned.chunks, from)
    {
        scanned.index = None;
    }
    Ok(scanned)
}

enum Candidate {
    Chunk(Found),
    Index(Index, u64),
}

fn candidate(
    window: &mut Window<'_>,
    at: u64,
    header: &FrameHeader,
    dparams: &DParams,
) -> Result<Option<Candidate>> {
    let head = window.get(at, EXTENDED_HEADER_LEN)?;
    let Ok(chunk) = ChunkHeader::parse(head) else {
        return Ok(None);
    };
    let (nbytes, cbytes) = (chunk.nbytes() as i64, chunk.cbytes());
    let fits = header.chunksize <= 0 || nbytes <= i64::from(header.chunksize);
    let typesize = if header.typesize > 255 { 1 } else { header.typesize as usize };
    let ours = fits && nbytes > 0 && chunk.typesize() == typesize;
    let like_index = chunk.typesize() == 8 && nbytes % 8 == 0;
    if at + cbytes as u64 > window.to || chunk.is_lazy() || !(ours || like_index) {
        return Ok(None);
    }
    let bytes = window.get(at, cbytes)?;
    // Before the chunks, as every chunk of 8-byte items may look like an index, but no other one's numbers do.
    if like_index
        && let Ok(index) = Index::decode(bytes, at + header.nbytes.max(0) as u64)
        && index.codes().all(|code| code < 0 || (code as u64) < at)
        && index.codes().any(|code| code > 0)
    {
        return Ok(Some(Candidate::Index(index, cbytes as u64)));
    }
    let good = ours && decode(bytes, dparams, 1, None).is_ok();
    Ok(good.then_some(Candidate::Chunk(Found { at, cbytes: cbytes as u64, nbytes })))
}

/// Whether every chunk that the index has stored begins where one was found.
fn tells_of(index: &Index, chunks: &[Found], from: u64) -> bool {
    index.codes().all(|code| match u64::try_from(code) {
        Ok(offset) => chunks.binary_search_by_key(&(from + offset), |found| found.at).is_ok(),
        Err(_) => true,
    })
}

/// A part of the file, read ahead.
struct Window<'a> {
    file: &'a dyn File,
    to: u64,
    start: u64,
    bytes: Vec<u8>,
}

impl Window<'_> {
    /// `len` bytes at `at`, which the file has.
    fn get(&mut self, at: u64, len: usize) -> Result<&[u8]> {
        let have = self.start..self.start + self.bytes.len() as u64;
        if at < have.start || at + len as u64 > have.end {
            let len = (len.max(WINDOW) as u64).min(self.to - at) as usize;
            self.bytes.resize(len, 0);
            self.file.read_at(at, &mut self.bytes)?;
            self.start = at;
        }
        let start = (at - self.start) as usize;
        Ok(&self.bytes[start..start + len])
    }
}
