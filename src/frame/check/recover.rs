//! What is left of a damaged frame, in a new one.

use super::scan::{Found, Scanned, scan};
use super::{Decoding, Finding, Part, decode};
use crate::base::consts::EXTENDED_HEADER_LEN;
use crate::base::params::{CParams, DParams};
use crate::base::{CBuf, Error, ErrorKind, Result};
use crate::chunk::{self, ChunkHeader, Special};
use crate::frame::checksums::{self, Sums};
use crate::frame::file_chunk::FileChunk;
use crate::frame::header::FIXED_LEN;
use crate::frame::open::Opened;
use crate::frame::trailer::Trailer;
use crate::frame::{
    Contents, Data, DiskFrame, Edit, FrameHeader, FrameKind, Index, Metalayers, Parts, Place,
};
use crate::io::handles::Reader;
use crate::io::{Backend, File, Mode};
use std::path::Path;
use std::sync::Arc;

/// What a recovery came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Chunks of the new frame.
    pub nchunks: i64,
    /// Those of them that were found whole.
    pub kept: i64,
    /// Chunks that were lost; where their place is known, zeros stand for them.
    pub lost: i64,
    /// Whether the chunks' order is known: by an index, and not by how they follow in the file.
    pub in_order: bool,
}

/// Writes a new frame, of the same kind, to `to`, from what can be read of the frame at byte `offset` of `from`. `report`
/// gets what was lost.
///
/// # Errors
/// [`ErrorKind::FileOpen`] when there is no file, or there is something at `to` already; [`ErrorKind::InvalidHeader`]
/// when nothing there looks like a frame; what writing reports.
pub fn recover(
    io: &Arc<dyn Backend>,
    from: &Path,
    offset: u64,
    to: &Path,
    decoding: Decoding<'_>,
    report: &mut dyn FnMut(&Finding),
) -> Result<Recovered> {
    let disk = DiskFrame::open(io.clone(), from, offset)?;
    let loaded = disk.load();
    let file = io.open(disk.main_path(), Mode::Read)?;
    let mut left = None;
    match loaded {
        // The index is the old one, or the new one, or partly both.
        Ok((_, ref seen)) if seen.was_cut_short() => left = remains(&*file, &disk, decoding, true, report)?,
        Ok(_) => {}
        Err(ref e) => {
            report(&Finding { part: Part::Structure, offset: Some(offset), error: e.clone() });
        }
    }
    if let (None, Ok((opened, _))) = (&left, loaded) {
        left = whole(&disk, opened, report);
    }
    if left.is_none() {
        left = remains(&*file, &disk, decoding, false, report)?;
    }
    let Some(Left { contents, places, in_order }) = left else {
        crate::fail!(InvalidHeader, "{}: nothing looks like a frame", from.display());
    };
    let dparams = dparams(&contents, decoding, report);
    let mut copy = Copy::new(io, to, &contents)?;
    let source = Source { disk: &disk, file: &*file, contents: &contents, dparams: &dparams };
    let mut recovered = Recovered { in_order, ..Recovered::default() };
    for (n, place) in places.iter().enumerate() {
        match source.chunk(n, *place) {
            Ok(Bytes::Special(special)) => copy.put_special(special, contents.chunk_nbytes(n as i64))?,
            Ok(Bytes::Stored(bytes)) => copy.put(&bytes)?,
            Err(error) => {
                report(&Finding { part: Part::Chunk(n as i64), offset: source.place(*place), error });
                recovered.lost += 1;
                let Some(nbytes) = contents.chunk_nbytes(n as i64) else { continue };
                copy.put(&zeros(&contents, nbytes)?)?;
                continue;
            }
        }
        recovered.kept += 1;
    }
    recovered.lost += (contents.nchunks - places.len() as i64).max(0);
    recovered.nchunks = copy.finish()?;
    Ok(recovered)
}

/// What is known of the frame, and where its chunks are.
struct Left {
    contents: Contents,
    places: Vec<At>,
    in_order: bool,
}

#[derive(Clone, Copy)]
enum At {
    /// As the index has it, and its checksum, where there is one.
    Indexed(Place, Option<u64>),
    /// As an index has it that was found, and about which the header knows nothing.
    Listed(Place),
    /// In the file.
    Found(Found),
    /// The index makes no sense here.
    Nowhere,
}

/// Where the index has chunk `n`.
fn indexed(index: &Index, n: usize) -> At {
    index.place(n).map_or(At::Nowhere, |place| At::Indexed(place, index.sum(n)))
}

/// The frame when only chunks may be damaged.
fn whole(disk: &DiskFrame, opened: Opened, report: &mut dyn FnMut(&Finding)) -> Option<Left> {
    let contents = opened.contents;
    match opened.index.map_or_else(|| disk.load_index(&contents), Ok) {
        Ok(index) => {
            let places = (0..index.len()).map(|n| indexed(&index, n)).collect();
            Some(Left { contents, places, in_order: true })
        }
        Err(error) => {
            let offset = Some(disk.offset() + contents.data_end());
            report(&Finding { part: Part::Index, offset, error });
            None
        }
    }
}

/// The frame when header, index or trailer are damaged: what its bytes look like. With `strict`, only when there is an
/// index all of whose chunks are there.
fn remains(
    file: &dyn File,
    disk: &DiskFrame,
    decoding: Decoding<'_>,
    strict: bool,
    report: &mut dyn FnMut(&Finding),
) -> Result<Option<Left>> {
    let size = file.size()?;
    let mut contents = header(file, disk, size, report)?;
    if contents.header.kind == FrameKind::Sparse {
        return files(file, disk, size, contents, strict);
    }
    let dparams = dparams(&contents, decoding, report);
    let start = disk.offset() + u64::from(contents.header.header_len);
    let scanned = scan(file, start, size, &contents.header, &dparams)?;
    let expected = contents.header.nchunks();
    let index = scanned.index(expected, strict, |offset| scanned.chunk(start + offset).is_some());
    if strict && index.is_none() {
        return Ok(None);
    }
    match vlmetas(file, disk, size, index.map(|(_, end)| *end)) {
        Ok(vlmeta) => contents.vlmeta = vlmeta,
        Err(error) => report(&Finding { part: Part::Structure, offset: None, error: error.at("trailer") }),
    }
    if let Some((index, _)) = index {
        contents.header.cbytes = (size - start) as i64;
        let nbytes = |offset| Some(scanned.chunk(start + offset)?.nbytes);
        return Ok(Some(listed(contents, index, nbytes)));
    }
    let Scanned { chunks, .. } = scanned;
    contents.nchunks = expected.unwrap_or(0).max(chunks.len() as i64);
    let sizes: Vec<Option<i64>> = chunks.iter().map(|found| Some(found.nbytes)).collect();
    if !chunks.is_empty() {
        set_sizes(&mut contents, &sizes);
    }
    let error = Error::new(ErrorKind::Data, format!("lost; {} chunks were found without it", chunks.len()));
    report(&Finding { part: Part::Index, offset: None, error });
    let places = chunks.into_iter().map(At::Found).collect();
    Ok(Some(Left { contents, places, in_order: false }))
}

/// The frame that an index tells of which was found. `nbytes` tells the size of a stored chunk.
fn listed(mut contents: Contents, index: &Index, nbytes: impl Fn(u64) -> Option<i64>) -> Left {
    let mut places: Vec<At> =
        (0..index.len()).map(|n| index.place(n).map_or(At::Nowhere, At::Listed)).collect();
    let size = |at: &At| match at {
        At::Listed(Place::Stored(offset)) => nbytes(*offset),
        _ => None,
    };
    let mut sizes: Vec<Option<i64>> = places.iter().map(size).collect();
    let specials = places.iter().any(|at| matches!(at, At::Listed(Place::Special(_))));
    let full = i64::from(contents.header.chunksize);
    if specials && full > 0 {
        // Chunks that are not stored have a length only where all have the same: what has another is half of a chunk that
        // was being written, and what was there before it.
        let last = places.len() - 1;
        for (n, (place, size)) in places.iter_mut().zip(&mut sizes).enumerate() {
            if size.is_some_and(|nbytes| nbytes > full || nbytes < full && n < last) {
                (*place, *size) = (At::Nowhere, None);
            }
        }
    }
    if contents.header.nchunks() != Some(index.len() as i64) || !is_regular(&contents, &sizes) {
        set_sizes(&mut contents, &sizes);
    }
    contents.nchunks = index.len() as i64;
    Left { contents, places, in_order: true }
}

/// Whether chunks of these sizes are all as long as the header says, but for the last.
fn is_regular(contents: &Contents, sizes: &[Option<i64>]) -> bool {
    let full = i64::from(contents.header.chunksize);
    full > 0 && sizes.iter().rev().skip(1).flatten().all(|size| *size == full)
}

/// Makes the header tell of chunks of these sizes; a chunk of unknown size is as long as others.
fn set_sizes(contents: &mut Contents, sizes: &[Option<i64>]) {
    let longest = sizes.iter().flatten().copied().max().unwrap_or(0);
    if contents.header.chunksize <= 0 || i64::from(contents.header.chunksize) < longest {
        contents.header.chunksize = longest as i32;
    }
    let full = i64::from(contents.header.chunksize);
    contents.header.nbytes = sizes.iter().map(|size| size.unwrap_or(full)).sum();
    if !is_regular(contents, sizes) {
        contents.header.chunksize = 0;
    }
}

/// The header and its metalayers, or what a chunk says in its place.
fn header(
    file: &dyn File,
    disk: &DiskFrame,
    size: u64,
    report: &mut dyn FnMut(&Finding),
) -> Result<Contents> {
    let len = size.saturating_sub(disk.offset()).min(1 << 20);
    let mut bytes = vec![0; len as usize];
    file.read_at(disk.offset(), &mut bytes)?;
    let empty = Contents::new(&CParams::default(), &DParams::default(), disk.kind());
    let error = match FrameHeader::parse(&bytes) {
        Ok(header) => {
            let metas = bytes
                .get(..header.header_len as usize)
                .map_or_else(|| Err(Error::new(ErrorKind::ReadBuffer, "cut short")), FrameHeader::metalayers);
            let contents = Contents { header, ..empty };
            match metas {
                Ok(metas) => return Ok(Contents { metas, ..contents }),
                Err(error) => {
                    report(&Finding { part: Part::Metalayer(Vec::new()), offset: None, error });
                    return Ok(contents);
                }
            }
        }
        Err(error) => error,
    };
    report(&Finding { part: Part::Structure, offset: Some(disk.offset()), error: error.clone() });
    let first = (FIXED_LEN..bytes.len().saturating_sub(EXTENDED_HEADER_LEN)).find_map(|at| {
        let header = ChunkHeader::parse(&bytes[at..]).ok()?;
        let whole = bytes.get(at..at + header.cbytes())?;
        decode(whole, &DParams::default(), 1, None).ok().map(|()| (at, header))
    });
    let Some((at, chunk)) = first else {
        return Err(error.at("neither the header nor a chunk can be read"));
    };
    let cparams = CParams {
        typesize: chunk.typesize() as i32,
        codec: chunk.codec().unwrap_or_default(),
        filters: chunk.filters(),
        ..CParams::default()
    };
    let mut contents = Contents::new(&cparams, &DParams::default(), disk.kind());
    contents.header.header_len = at as u32;
    contents.header.vl_blocks = chunk.is_vl();
    Ok(contents)
}

/// A sparse frame's chunk files: as an index has them that was found, or by their numbers.
fn files(
    file: &dyn File,
    disk: &DiskFrame,
    size: u64,
    mut contents: Contents,
    strict: bool,
) -> Result<Option<Left>> {
    let start = disk.offset() + u64::from(contents.header.header_len);
    // Chunks are not there, so how they are compressed is no matter.
    let scanned = scan(file, start, size, &contents.header, &DParams::default())?;
    let nbytes = |number: u64| {
        let head = disk.chunk_at(&contents, number).and_then(|chunk| chunk.head(EXTENDED_HEADER_LEN));
        head.and_then(|head| ChunkHeader::parse(&head)).map(|header| header.nbytes() as i64).ok()
    };
    let there = |number| nbytes(number).is_some();
    if let Some((index, end)) = scanned.index(contents.header.nchunks(), strict, there) {
        let vlmeta = vlmetas(file, disk, size, Some(*end)).unwrap_or_default();
        return Ok(Some(listed(Contents { vlmeta, ..contents.clone() }, index, nbytes)));
    }
    if strict {
        return Ok(None);
    }
    let (mut places, mut missing) = (Vec::new(), 0);
    let expected = contents.header.nchunks().unwrap_or(0);
    for number in 0u64.. {
        match disk.chunk_at(&contents, number) {
            Ok(_) => {
                places.push(At::Listed(Place::Stored(number)));
                missing = 0;
            }
            Err(_) => missing += 1,
        }
        if missing > 1000 && number as i64 > expected {
            break;
        }
    }
    contents.nchunks = expected.max(places.len() as i64);
    Ok(Some(Left { contents, places, in_order: false }))
}

/// The metalayers of the trailer: at the frame's end, or after the index.
fn vlmetas(file: &dyn File, disk: &DiskFrame, size: u64, after_index: Option<u64>) -> Result<Metalayers> {
    let read = |at: u64, end: u64| {
        let mut bytes = vec![0; (end - at) as usize];
        file.read_at(at, &mut bytes).map(|()| bytes)
    };
    let tail = read(size.saturating_sub(64).max(disk.offset()), size)?;
    let at_end = Trailer::len_from_end(&tail).ok().and_then(|len| size.checked_sub(u64::from(len)));
    let mut error = Error::new(ErrorKind::Data, "lost");
    for at in [at_end, after_index].into_iter().flatten().filter(|at| *at >= disk.offset() && *at <= size) {
        match read(at, size).and_then(|bytes| Trailer::parse(&bytes)) {
            Ok(trailer) => return Ok(trailer.vlmeta),
            Err(e) => error = e,
        }
    }
    Err(error)
}

fn dparams(contents: &Contents, decoding: Decoding<'_>, report: &mut dyn FnMut(&Finding)) -> DParams {
    decoding(contents).unwrap_or_else(|error| {
        report(&Finding { part: Part::Metalayer(Vec::new()), offset: None, error });
        DParams { typesize: contents.header.typesize, ..DParams::default() }
    })
}

/// Where chunks are read.
struct Source<'a> {
    disk: &'a DiskFrame,
    file: &'a dyn File,
    contents: &'a Contents,
    dparams: &'a DParams,
}

enum Bytes {
    Special(Special),
    Stored(CBuf),
}

impl Source<'_> {
    fn chunk(&self, n: usize, at: At) -> Result<Bytes> {
        let chunk = match at {
            At::Nowhere => crate::fail!(Data, "the index does not say where it is"),
            At::Indexed(Place::Special(special), _) | At::Listed(Place::Special(special)) => {
                return Ok(Bytes::Special(special));
            }
            At::Indexed(Place::Stored(offset), _) | At::Listed(Place::Stored(offset)) => {
                self.disk.chunk_at(self.contents, offset)?
            }
            At::Found(found) => FileChunk::new(Reader::Fixed(self.file), found.at, found.cbytes),
        };
        let bytes = chunk.likely(1 << 16).bytes()?.into_owned()?;
        let nbytes = match at {
            At::Indexed(..) => self.contents.chunk_nbytes(n as i64),
            _ => None,
        };
        if let At::Indexed(_, Some(sum)) = at {
            checksums::check(&bytes, sum)?;
        }
        decode(&bytes, self.dparams, 1, nbytes)?;
        Ok(Bytes::Stored(bytes))
    }

    fn place(&self, at: At) -> Option<u64> {
        match at {
            At::Indexed(Place::Stored(offset), _) | At::Listed(Place::Stored(offset))
                if self.disk.kind() == FrameKind::Contiguous =>
            {
                Some(self.disk.offset() + u64::from(self.contents.header.header_len) + offset)
            }
            At::Found(found) => Some(found.at),
            _ => None,
        }
    }
}

fn zeros(contents: &Contents, nbytes: i32) -> Result<CBuf> {
    let typesize = if nbytes % contents.header.typesize == 0 { contents.header.typesize } else { 1 };
    let params = CParams { typesize, blocksize: contents.header.blocksize, ..CParams::default() };
    chunk::special_chunk(&params, Special::Zeros, &[], nbytes as usize)
}

/// The new frame, which grows chunk by chunk.
struct Copy {
    disk: DiskFrame,
    seen: crate::frame::disk::Seen,
    contents: Contents,
    index: Index,
}

impl Copy {
    fn new(io: &Arc<dyn Backend>, to: &Path, like: &Contents) -> Result<Copy> {
        let mut contents = like.clone();
        contents.header.nbytes = 0;
        contents.header.cbytes = 0;
        contents.nchunks = 0;
        contents.index_len = 0;
        let mut index = Index::default().with_sums(contents.header.checksums.then(Sums::default));
        let mut disk = DiskFrame::create(io.clone(), to, contents.header.kind)?;
        let edit = Edit::new(&mut contents, Data::Same, Parts::All(&mut index))?;
        let seen = disk.commit_new(&edit)?;
        Ok(Copy { disk, seen, contents, index })
    }

    fn put_special(&mut self, special: Special, nbytes: Option<i32>) -> Result<()> {
        let n = self.index.len();
        let nbytes = nbytes.unwrap_or(self.contents.header.chunksize);
        self.contents.header.nbytes = self.contents.header.nbytes.saturating_add(nbytes.max(0).into());
        self.index.insert(n, Place::Special(special))
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        let at = match self.contents.header.kind {
            FrameKind::Contiguous => self.contents.header.cbytes as u64,
            FrameKind::Sparse => self.index.next_number(),
        };
        let n = self.index.len();
        self.index.insert(n, Place::Stored(at))?;
        self.index.note(n, bytes);
        self.contents.header.cbytes += bytes.len() as i64;
        self.contents.header.nbytes += ChunkHeader::parse(bytes)?.nbytes() as i64;
        let edit = Edit::new(&mut self.contents, Data::Put { at, bytes }, Parts::Later)?;
        self.disk.commit(&edit, &mut self.seen)
    }

    /// Writes header, index and trailer, and tells how many chunks there are.
    fn finish(mut self) -> Result<i64> {
        self.contents.nchunks = self.index.len() as i64;
        let edit = Edit::new(&mut self.contents, Data::Same, Parts::All(&mut self.index))?;
        self.disk.commit(&edit, &mut self.seen)?;
        Ok(self.contents.nchunks)
    }
}
