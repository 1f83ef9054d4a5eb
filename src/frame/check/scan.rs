//! Chunks found without an index, by their own headers.

use super::decode;
use crate::base::Result;
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::params::DParams;
use crate::chunk::ChunkHeader;
use crate::frame::{FrameHeader, Index, Place};
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
    /// What may be an index, and where it ends. A frame that was cut short may have several; so may one whose data
    /// looks like an index.
    pub indexes: Vec<(Index, u64)>,
}

impl Scanned {
    /// The chunk that begins at byte `at` of the file.
    pub fn chunk(&self, at: u64) -> Option<&Found> {
        let found = self.chunks.binary_search_by_key(&at, |found| found.at);
        found.ok().map(|i| &self.chunks[i])
    }

    /// Takes those that are indexes out of the chunks: no data names only places where chunks begin, and each once.
    fn tell_apart(&mut self, from: u64) {
        let names_chunks = |index: &Index| {
            let mut stored: Vec<u64> = index.codes().filter_map(|code| u64::try_from(code).ok()).collect();
            stored.sort_unstable();
            let once = stored.windows(2).all(|pair| pair[0] != pair[1]);
            stored.len() > 1 && once && stored.iter().all(|at| self.chunk(from + at).is_some())
        };
        let indexes: Vec<u64> =
            self.indexes.iter().filter(|(index, _)| names_chunks(index)).map(|(_, end)| *end).collect();
        self.chunks.retain(|found| indexes.binary_search(&(found.at + found.cbytes)).is_err());
    }

    /// The index that tells of chunks that are `there`, and where it ends; of several, the last, as a change that was
    /// cut short has left it. `nchunks` is how many there should be, about, where that is known. With `all`, none may be
    /// missing; else a few may.
    pub fn index(
        &self,
        nchunks: Option<i64>,
        all: bool,
        there: impl Fn(u64) -> bool,
    ) -> Option<&(Index, u64)> {
        self.indexes.iter().rev().find(|(index, _)| {
            let stored: Vec<u64> = index.codes().filter_map(|code| u64::try_from(code).ok()).collect();
            let missing = stored.iter().filter(|&&at| !there(at)).count();
            match nchunks {
                _ if all && missing > 0 => false,
                Some(nchunks) if nchunks.abs_diff(index.len() as i64) <= 1 => {
                    missing <= 1.max(stored.len() / 4)
                }
                // The one that was being written may be missing.
                _ => missing <= 1 && missing < stored.len(),
            }
        })
    }
}

/// Looks through bytes `from..to` of a file for chunks of a frame with this header. Every chunk is decompressed before
/// it is believed.
pub fn scan(file: &dyn File, from: u64, to: u64, header: &FrameHeader, dparams: &DParams) -> Result<Scanned> {
    let mut scanned = Scanned::default();
    let mut window = Window { file, to, start: 0, bytes: Vec::new() };
    let mut at = from;
    while at + EXTENDED_HEADER_LEN as u64 <= to {
        let Candidate { chunk, index, len } = candidate(&mut window, at, header, dparams)?;
        scanned.chunks.extend(chunk);
        scanned.indexes.extend(index.map(|index| (index, at + len)));
        at += len;
    }
    scanned.tell_apart(from);
    Ok(scanned)
}

/// What a place looks like: perhaps a chunk, perhaps an index, perhaps both.
struct Candidate {
    chunk: Option<Found>,
    index: Option<Index>,
    /// How far to go on.
    len: u64,
}

fn candidate(window: &mut Window<'_>, at: u64, header: &FrameHeader, dparams: &DParams) -> Result<Candidate> {
    let nothing = Candidate { chunk: None, index: None, len: 1 };
    let head = window.get(at, EXTENDED_HEADER_LEN)?;
    let Ok(chunk) = ChunkHeader::parse(head) else {
        return Ok(nothing);
    };
    let (nbytes, cbytes) = (chunk.nbytes() as i64, chunk.cbytes());
    let fits = header.chunksize <= 0 || nbytes <= i64::from(header.chunksize);
    let typesize = if header.typesize > 255 { 1 } else { header.typesize as usize };
    let ours = fits && nbytes > 0 && chunk.typesize() == typesize;
    let like_index = chunk.typesize() == 8 && nbytes > 0 && nbytes % 8 == 0;
    if at + cbytes as u64 > window.to || chunk.is_lazy() || !(ours || like_index) {
        return Ok(nothing);
    }
    let bytes = window.get(at, cbytes)?;
    let index = like_index.then(|| index(bytes, at, header)).flatten();
    let good = ours && decode(bytes, dparams, 1, None).is_ok();
    let chunk = good.then_some(Found { at, cbytes: cbytes as u64, nbytes });
    let len = if chunk.is_some() || index.is_some() { cbytes as u64 } else { 1 };
    Ok(Candidate { chunk, index, len })
}

/// An index that tells of chunks before byte `at`, where it is. Chunks of 8-byte items may look like one.
fn index(bytes: &[u8], at: u64, header: &FrameHeader) -> Option<Index> {
    let index = Index::decode(bytes, at + header.nbytes.max(0) as u64).ok()?;
    let possible = |code| match Place::from_code(code) {
        Ok(Place::Stored(offset)) => offset < at,
        Ok(special) => special.code() == code,
        Err(_) => false,
    };
    let sound = index.codes().all(possible);
    sound.then_some(index)
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
