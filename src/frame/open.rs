//! Reading what a frame says about itself.

use super::checksums::{self, Sums, Table};
use super::contents::Contents;
use super::header::{FIXED_LEN, FrameHeader, FrameKind};
use super::index::Index;
use super::trailer::{self, Trailer};
use crate::base::Result;
use crate::base::consts::MIN_HEADER_LEN;
use crate::chunk::ChunkHeader;
use crate::chunk::scratch::{SMALL, with_small};
use crate::fail;
use crate::io::File;
use std::borrow::Cow;

/// How much is read at either end of a frame at first: in most frames all of the header, and all of the trailer.
const FIRST_READ: u64 = 4096;

/// A frame's bytes, somewhere in a file, or a buffer.
#[derive(Clone, Copy)]
pub struct Span<'a> {
    file: Source<'a>,
    start: u64,
    len: u64,
}

#[derive(Clone, Copy)]
enum Source<'a> {
    File(&'a dyn File),
    Bytes(&'a [u8]),
}

impl<'a> Span<'a> {
    /// Everything from byte `start` of a file on, which has `size` bytes in all.
    pub fn file(file: &'a dyn File, start: u64, size: u64) -> Result<Self> {
        match size.checked_sub(start) {
            Some(len) => Ok(Span { file: Source::File(file), start, len }),
            None => fail!(FileRead, "byte {start} of a file of {size}"),
        }
    }

    /// A buffer.
    pub fn bytes(bytes: &'a [u8]) -> Self {
        Span { file: Source::Bytes(bytes), start: 0, len: bytes.len() as u64 }
    }

    /// `len` bytes from byte `at` on; an error before any allocation when they are not all there.
    pub fn read(&self, at: u64, len: u64) -> Result<Cow<'a, [u8]>> {
        self.read_in(at, len, &mut [])
    }

    /// The same, in `room` where they must be read and fit there.
    fn read_in<'b>(&self, at: u64, len: u64, room: &'b mut [u8]) -> Result<Cow<'b, [u8]>>
    where
        'a: 'b,
    {
        if at.checked_add(len).is_none_or(|end| end > self.len) {
            fail!(ReadBuffer, "bytes {at}.. {len} long, of a frame of {}", self.len);
        }
        let (at, len) = (at + self.start, len as usize);
        let file = match self.file {
            Source::Bytes(bytes) => return Ok(bytes[at as usize..at as usize + len].into()),
            Source::File(file) => file,
        };
        if let Some(view) = file.view(at, len) {
            return Ok(view?.into());
        }
        if let Some(room) = room.get_mut(..len) {
            file.read_at(at, room)?;
            return Ok((&*room).into());
        }
        let mut out = vec![0; len];
        file.read_at(at, &mut out)?;
        Ok(out.into())
    }

    fn cut(&self, len: u64) -> Result<Self> {
        if len > self.len {
            fail!(InvalidHeader, "a frame of {len} bytes, of which {} are there", self.len);
        }
        Ok(Span { len, ..*self })
    }
}

/// A frame's contents, and with them its index where that was at hand.
pub struct Opened {
    /// The contents.
    pub contents: Contents,
    /// The index, if it had to be looked at or came with the trailer.
    pub index: Option<Index>,
    /// The header's fixed part as it is stored: what another look is compared with.
    pub fixed: [u8; FIXED_LEN],
}

/// Reads header and trailer of the frame that starts `span`.
pub fn open(span: Span<'_>) -> Result<Opened> {
    with_small(|room| open_in(span, room))
}

/// [`open`], with `room` for what is read at first.
fn open_in(span: Span<'_>, room: &mut [u8; SMALL]) -> Result<Opened> {
    let (front, back) = room.split_at_mut(FIRST_READ as usize);
    let mut head = span.read_in(0, FIRST_READ.min(span.len), front)?;
    let header = FrameHeader::parse(&head)?;
    let span = span.cut(header.frame_len)?;
    if head.len() < header.header_len as usize {
        head = span.read(0, u64::from(header.header_len))?;
    }
    let metas = FrameHeader::metalayers(&head[..header.header_len as usize])?;
    let mut fixed = [0; FIXED_LEN];
    fixed.copy_from_slice(&head[..FIXED_LEN]);

    let end = match head.get(..span.len as usize) {
        // Most sparse frames, and small ones.
        Some(all) => Tail { bytes: all.into(), at: 0 },
        None => Tail::read(span, FIRST_READ, back)?,
    };
    let trailer_at = trailer_at(&header, &end)?;
    let end = if trailer_at < end.at { Tail::read(span, span.len - trailer_at, &mut [])? } else { end };
    let trailer = end.from(trailer_at).unwrap_or_default();
    let checksums = checksums::look(&head[..header.header_len as usize], trailer)?;
    let header = FrameHeader { checksums, ..header };
    let vlmeta = Trailer::parse(trailer)?.vlmeta;

    let mut contents = Contents { header, nchunks: 0, live: None, index_len: 0, metas, vlmeta };
    let nchunks = contents.header.nchunks();
    if nchunks == Some(0) && contents.header.kind == FrameKind::Contiguous {
        // All chunks were deleted: where they were is nothing any more.
        contents.header.cbytes = 0;
    }
    let Some(index_len) = trailer_at.checked_sub(contents.data_end()) else {
        fail!(
            InvalidHeader,
            "the chunks end at byte {}, the trailer starts at {trailer_at}",
            contents.data_end()
        );
    };
    contents.index_len = index_len;
    let at_hand = end.from(contents.data_end()).map(|rest| &rest[..index_len as usize]);
    let index = match (nchunks, at_hand) {
        (Some(0), _) => Some(empty_index(&contents)),
        (Some(_), None) => None,
        (_, Some(bytes)) => Some(decode_index(&contents, bytes)?),
        (None, None) => Some(decode_index(&contents, &span.read(contents.data_end(), index_len)?)?),
    };
    contents.live = (nchunks == Some(0)).then_some(0);
    contents.nchunks = match (&index, nchunks) {
        (_, Some(nchunks)) => nchunks,
        (Some(index), None) => index.len() as i64,
        (None, None) => 0,
    };
    if let Some(index) = &index {
        check_index(&contents, index)?;
    }
    Ok(Opened { contents, index, fixed })
}

/// Reads the index of a frame whose contents are known.
pub fn open_index(span: Span<'_>, contents: &Contents) -> Result<Index> {
    if contents.nchunks == 0 {
        return Ok(empty_index(contents));
    }
    let index = decode_index(contents, &span.read(contents.data_end(), contents.index_len)?)?;
    check_index(contents, &index)?;
    Ok(index)
}

fn empty_index(contents: &Contents) -> Index {
    Index::default().with_sums(contents.header.checksums.then(Sums::default))
}

/// The index in `bytes`, which are checked where the frame keeps checksums.
fn decode_index(contents: &Contents, bytes: &[u8]) -> Result<Index> {
    let most = most_chunks(&contents.header);
    if !contents.header.checksums {
        return Index::decode(bytes, most);
    }
    let table = Table::find(&contents.vlmeta)?;
    table.check_index(bytes)?;
    Ok(Index::decode(bytes, most)?.with_sums(Some(table.sums)))
}

/// What an index can tell of, before it is decoded. Where sizes vary, every chunk has bytes, or stands for some.
fn most_chunks(header: &FrameHeader) -> u64 {
    header.nchunks().map_or(header.nbytes as u64 + header.cbytes as u64, |n| n as u64)
}

fn check_index(contents: &Contents, index: &Index) -> Result<()> {
    if index.len() as i64 != contents.nchunks {
        fail!(InvalidHeader, "{} chunks in the index, {} by the header", index.len(), contents.nchunks);
    }
    match contents.header.kind {
        FrameKind::Contiguous => index.check_offsets(contents.header.cbytes as u64, MIN_HEADER_LEN as u64),
        // File numbers: any of eight hexadecimal digits.
        FrameKind::Sparse => index.check_offsets(1 << 32, 1),
    }
}

/// The last bytes of a frame.
struct Tail<'a> {
    bytes: Cow<'a, [u8]>,
    at: u64,
}

impl<'a> Tail<'a> {
    fn read(span: Span<'a>, len: u64, room: &'a mut [u8]) -> Result<Self> {
        let len = len.min(span.len);
        Ok(Tail { bytes: span.read_in(span.len - len, len, room)?, at: span.len - len })
    }

    fn from(&self, at: u64) -> Option<&[u8]> {
        self.bytes.get(usize::try_from(at.checked_sub(self.at)?).ok()?..)
    }
}

fn trailer_at(header: &FrameHeader, end: &Tail<'_>) -> Result<u64> {
    let len = u64::from(Trailer::len_from_end(&end.bytes)?);
    match header.frame_len.checked_sub(len) {
        Some(at) if at >= u64::from(header.header_len) => Ok(at),
        _ => fail!(Data, "a trailer of {len} bytes in a frame of {}", header.frame_len),
    }
}

/// Whether the chunk whose header stands at the front of `bytes` is made of VL blocks; what cannot be read is not.
pub fn has_vl_blocks(bytes: &[u8]) -> bool {
    ChunkHeader::parse(bytes).is_ok_and(|header| header.is_vl())
}

const _: () = assert!(trailer::MIN_LEN as u64 <= FIRST_READ);
const _: () = assert!(2 * FIRST_READ <= SMALL as u64);
