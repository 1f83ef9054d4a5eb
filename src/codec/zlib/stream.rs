//! A stream of deflate in its zlib wrapper (RFC 1950), written section after section, and unwrapped.

use super::adler::adler32;
use super::block::{MOST_STORED, STORED, lengths};
use crate::base::{Error, ErrorKind, Result};
use zlib_rs::{Deflate, DeflateError, DeflateFlush, Status};

/// Deflate.
const METHOD: u8 = 8;
/// How the largest window, of 32 KiB, is told.
const WIDEST: u8 = 7;
const CMF: u8 = WIDEST << 4 | METHOD;
/// The flag of a stream that wants a dictionary.
const DICT: u8 = 0x20;
/// A last block with nothing in it.
const END: [u8; 2] = [3, 0];
/// The lengths of a stored block with nothing in it: how a flush ends, after its header.
const EMPTY: [u8; 4] = lengths(0);

/// What has been written, and where to. What does not fit makes the answer `None`, and the stream of no use.
pub(super) struct Stream<'a> {
    dst: &'a mut [u8],
    len: usize,
    /// Whether a flush was the last that was written.
    flushed: bool,
}

impl<'a> Stream<'a> {
    /// Begins with the header for a level.
    pub fn begin(clevel: u8, dst: &'a mut [u8]) -> Option<Self> {
        // FLEVEL of RFC 1950, a hint that readers ignore, with the check bits that go with it.
        let flg = match clevel {
            0..=1 => 0x01,
            2..=5 => 0x5e,
            6 => 0x9c,
            _ => 0xda,
        };
        let mut stream = Stream { dst, len: 0, flushed: false };
        stream.put(&[CMF, flg])?;
        Some(stream)
    }

    /// Writes a section as it stands.
    pub fn store(&mut self, section: &[u8], last: bool) -> Option<()> {
        for block in section.chunks(MOST_STORED) {
            if std::mem::take(&mut self.flushed) {
                // The flush ended with an empty block, whose header will do.
                self.len -= EMPTY.len();
                debug_assert_eq!(self.dst[self.len..][..EMPTY.len()], EMPTY);
            } else {
                self.put(&[STORED as u8])?;
            }
            self.put(&lengths(block.len() as u16))?;
            self.put(block)?;
        }
        if last { self.put(&END) } else { Some(()) }
    }

    /// Writes a section by a deflate that was reset, up to the next whole byte.
    ///
    /// # Errors
    /// `Failure` when the library reports an error.
    pub fn deflate(&mut self, deflate: &mut Deflate, section: &[u8], last: bool) -> Result<Option<()>> {
        let room = &mut self.dst[self.len..];
        let flush = if last { DeflateFlush::Finish } else { DeflateFlush::SyncFlush };
        let status = deflate.compress(section, room, flush).map_err(failed)?;
        let written = deflate.total_out() as usize;
        // A flush that fills the room may have more to write.
        let done =
            if last { status == Status::StreamEnd } else { status == Status::Ok && written < room.len() };
        self.len += written;
        self.flushed = !last;
        Ok(done.then_some(()))
    }

    /// Writes all there is at once: by a function that is given the room, and tells how much it took.
    pub fn whole(&mut self, write: impl FnOnce(&mut [u8]) -> Option<usize>) -> Option<()> {
        self.len += write(&mut self.dst[self.len..])?;
        Some(())
    }

    /// Ends with the checksum of all that was written; answers with the length.
    pub fn end(mut self, src: &[u8]) -> Option<usize> {
        self.put(&adler32(src).to_be_bytes())?;
        Some(self.len)
    }

    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.dst.get_mut(self.len..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.len += bytes.len();
        Some(())
    }
}

/// What follows the header of `src`, when it is that of a stream without a dictionary.
pub(super) fn body(src: &[u8]) -> Option<&[u8]> {
    let (&[cmf, flg], body) = src.split_first_chunk()?;
    let is_deflate = cmf & 0xf == METHOD && cmf >> 4 <= WIDEST;
    let is_whole = u16::from_be_bytes([cmf, flg]).is_multiple_of(31);
    (is_deflate && is_whole && flg & DICT == 0).then_some(body)
}

/// Whether the checksum that stands at the front of `end` is that of `data`.
pub(super) fn is_of(end: &[u8], data: &[u8]) -> bool {
    end.first_chunk().is_some_and(|&sum| u32::from_be_bytes(sum) == adler32(data))
}

/// The library's error as ours.
pub(super) fn failed(e: DeflateError) -> Error {
    Error::new(ErrorKind::Failure, format!("zlib: {}", e.as_str()))
}
