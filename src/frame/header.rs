//! The frame header: what a frame holds, before its chunks.

use super::checksums;
use super::metalayers::{MapSize, Metalayers};
use crate::base::consts::{MAX_FILTERS, MAX_METALAYERS};
use crate::base::params::{CParams, FilterSlots, SplitMode};
use crate::base::{Error, ErrorKind, Result};
use crate::fail;

/// How a frame begins: a MessagePack array of 14, and a string of eight bytes.
pub(super) const MAGIC: &[u8; 10] = b"\x9e\xa8b2frame\0";
/// Bytes of a header before its metalayers, which all have fixed places.
pub const FIXED_LEN: usize = 87;
/// Where the frame's length is, a big-endian `u64`.
pub const FRAME_LEN_AT: usize = 16;

/// The newest format version; anything newer is refused.
const VERSION_MAX: u8 = 3;
/// Without variable chunks or VL blocks.
const VERSION_PLAIN: u8 = 2;
/// The codec nibble that says the codec's id is in byte 77.
const USER_CODEC: u8 = 6;
/// The largest codec id that fits its nibble's meaning.
const LAST_BUILTIN_CODEC: u8 = 5;

/// Whether chunks lie in the frame or beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// Chunks are in the frame.
    Contiguous,
    /// A directory; each chunk is a file.
    Sparse,
}

/// A frame header's values, without its metalayers. All sizes are in bytes and not negative, but for a chunk size of
/// -1, which says that no chunk has told it yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// Bytes of the header, metalayers included.
    pub header_len: u32,
    /// Bytes of the frame.
    pub frame_len: u64,
    /// Whether chunks lie in the frame.
    pub kind: FrameKind,
    /// Whether chunks are made of blocks of varying sizes.
    pub vl_blocks: bool,
    /// The uncompressed data.
    pub nbytes: i64,
    /// The compressed chunks; in a contiguous frame also the holes between them.
    pub cbytes: i64,
    /// An item; at least 1.
    pub typesize: i32,
    /// A block as asked for; 0: as the codec likes.
    pub blocksize: i32,
    /// An uncompressed chunk; 0: chunks vary, -1: not known yet.
    pub chunksize: i32,
    /// Threads to compress with.
    pub nthreads_c: i16,
    /// Threads to decompress with.
    pub nthreads_d: i16,
    /// Whether the trailer has metalayers.
    pub has_vlmeta: bool,
    /// The codec's id.
    pub codec: u8,
    /// The codec's parameter byte.
    pub codec_meta: u8,
    /// The compression level.
    pub clevel: u8,
    /// When blocks are split.
    pub split: SplitMode,
    /// Whether chunks have dictionaries.
    pub use_dict: bool,
    /// The filter pipeline.
    pub filters: FilterSlots,
    /// Whether the frame keeps [`checksums`]. A header alone cannot tell whether they hold.
    pub checksums: bool,
}

impl FrameHeader {
    /// Reads the fixed part of a header, the first [`FIXED_LEN`] of `bytes`, and checks all that can be checked
    /// without the rest of the frame.
    pub fn parse(bytes: &[u8]) -> Result<FrameHeader> {
        let Some(fixed) = bytes.first_chunk::<FIXED_LEN>() else {
            fail!(ReadBuffer, "{} bytes are no frame header", bytes.len());
        };
        if fixed[2..10] != MAGIC[2..] {
            fail!(InvalidHeader, "no frame starts here");
        }
        let version = version(fixed);
        if version > VERSION_MAX {
            fail!(VersionSupport, "frame format version {version}");
        }
        let header = FrameHeader {
            header_len: u32::from_be_bytes(field(fixed, 11)),
            frame_len: u64::from_be_bytes(field(fixed, FRAME_LEN_AT)),
            kind: kind(fixed[26])?,
            vl_blocks: fixed[25] & 0x80 != 0,
            nbytes: i64::from_be_bytes(field(fixed, 30)),
            cbytes: i64::from_be_bytes(field(fixed, 39)),
            typesize: i32::from_be_bytes(field(fixed, 48)),
            blocksize: i32::from_be_bytes(field(fixed, 53)),
            chunksize: i32::from_be_bytes(field(fixed, 58)),
            nthreads_c: i16::from_be_bytes(field(fixed, 63)),
            nthreads_d: i16::from_be_bytes(field(fixed, 66)),
            has_vlmeta: fixed[68] == 0xc3,
            codec: if fixed[27] & 0x0f == USER_CODEC { fixed[77] } else { fixed[27] & 0x0f },
            codec_meta: fixed[78],
            clevel: fixed[27] >> 4,
            split: split(fixed[28]),
            use_dict: fixed[85] & 1 != 0,
            filters: filters(fixed)?,
            checksums: fixed[checksums::MARK_AT] & checksums::MARK == checksums::MARK,
        };
        header.check()?;
        Ok(header)
    }

    fn check(&self) -> Result<()> {
        if (self.header_len as usize) < FIXED_LEN || u64::from(self.header_len) > self.frame_len {
            fail!(InvalidHeader, "a header of {} bytes in a frame of {}", self.header_len, self.frame_len);
        }
        if self.header_len > i32::MAX as u32 || i64::try_from(self.frame_len).is_err() {
            fail!(InvalidHeader, "a frame of {} bytes", self.frame_len);
        }
        if self.typesize <= 0 || self.blocksize < 0 || self.chunksize < -1 {
            let (t, b, c) = (self.typesize, self.blocksize, self.chunksize);
            fail!(InvalidHeader, "typesize {t}, block size {b}, chunk size {c}");
        }
        if self.nbytes < 0 || self.cbytes < 0 || (self.nbytes > 0 && self.chunksize < 0) {
            let (n, c, k) = (self.nbytes, self.cbytes, self.chunksize);
            fail!(InvalidHeader, "{n} bytes of data, {c} compressed, in chunks of {k}");
        }
        Ok(())
    }

    /// The header as bytes, metalayers and all; `header_len` is what comes out, not what the field says.
    pub fn write(&self, metas: &Metalayers) -> Vec<u8> {
        let mut out = vec![0; FIXED_LEN];
        let header_len = FIXED_LEN + metas.encoded_len();
        let variable = self.chunksize == 0;
        out[..10].copy_from_slice(MAGIC);
        put(&mut out, 10, 0xd2, &(header_len as u32).to_be_bytes());
        put(&mut out, 15, 0xcf, &self.frame_len.to_be_bytes());
        let version = if variable || self.vl_blocks { VERSION_MAX } else { VERSION_PLAIN };
        let flags = [
            version | 0x10 | u8::from(variable) << 6 | u8::from(self.vl_blocks) << 7,
            u8::from(self.kind == FrameKind::Sparse),
            if self.codec > LAST_BUILTIN_CODEC { USER_CODEC } else { self.codec } | self.clevel << 4,
            self.split.code() as u8 - 1,
        ];
        put(&mut out, 24, 0xa4, &flags);
        put(&mut out, 29, 0xd3, &self.nbytes.to_be_bytes());
        put(&mut out, 38, 0xd3, &self.cbytes.to_be_bytes());
        put(&mut out, 47, 0xd2, &self.typesize.to_be_bytes());
        put(&mut out, 52, 0xd2, &self.blocksize.to_be_bytes());
        put(&mut out, 57, 0xd2, &self.chunksize.to_be_bytes());
        put(&mut out, 62, 0xd1, &self.nthreads_c.to_be_bytes());
        put(&mut out, 65, 0xd1, &self.nthreads_d.to_be_bytes());
        out[68] = if self.has_vlmeta { 0xc3 } else { 0xc2 };
        out[69] = 0xd8;
        out[70] = MAX_FILTERS as u8;
        for (i, slot) in self.filters.iter().enumerate() {
            out[71 + i] = slot.id;
            out[79 + i] = slot.meta;
        }
        out[77] = self.codec;
        out[78] = self.codec_meta;
        out[85] = u8::from(self.use_dict);
        if self.checksums {
            out[checksums::MARK_AT] |= checksums::MARK;
        }
        metas.write(&mut out, MapSize::Marker);
        out
    }

    /// The metalayers of a whole header.
    pub fn metalayers(bytes: &[u8]) -> Result<Metalayers> {
        Metalayers::parse(bytes, FIXED_LEN, MAX_METALAYERS).map_err(|e| e.at("frame header"))
    }

    /// How many chunks there are, where all but the last have one size; `None` where sizes vary and only the index
    /// tells.
    pub fn nchunks(&self) -> Option<i64> {
        match self.chunksize {
            _ if self.nbytes == 0 => Some(0),
            0 => None,
            size => Some((self.nbytes - 1) / i64::from(size) + 1),
        }
    }

    /// How new data was and is to be compressed.
    pub fn cparams(&self) -> CParams {
        CParams {
            codec: self.codec,
            codec_meta: self.codec_meta,
            clevel: self.clevel,
            use_dict: self.use_dict,
            typesize: self.typesize,
            nthreads: self.nthreads_c,
            blocksize: self.blocksize,
            split: self.split,
            filters: self.filters,
            in_schunk: true,
            ..CParams::default()
        }
    }
}

/// The format version in a header's fixed part.
pub fn version(fixed: &[u8; FIXED_LEN]) -> u8 {
    fixed[25] & 0x0f
}

fn field<const N: usize>(bytes: &[u8; FIXED_LEN], at: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[at..at + N]);
    out
}

fn put(out: &mut [u8], at: usize, marker: u8, value: &[u8]) {
    out[at] = marker;
    out[at + 1..at + 1 + value.len()].copy_from_slice(value);
}

fn kind(byte: u8) -> Result<FrameKind> {
    match byte {
        0 => Ok(FrameKind::Contiguous),
        1 => Ok(FrameKind::Sparse),
        _ => Err(Error::new(ErrorKind::FrameType, format!("frame type {byte}"))),
    }
}

fn split(byte: u8) -> SplitMode {
    match byte & 3 {
        0 => SplitMode::Always,
        1 => SplitMode::Never,
        2 => SplitMode::Auto,
        _ => SplitMode::ForwardCompat,
    }
}

fn filters(bytes: &[u8; FIXED_LEN]) -> Result<FilterSlots> {
    let count = usize::from(bytes[70]);
    if count > MAX_FILTERS {
        fail!(InvalidHeader, "{count} filters");
    }
    let mut slots = FilterSlots::default();
    for (i, slot) in slots.iter_mut().enumerate().take(count) {
        slot.id = bytes[71 + i];
        slot.meta = bytes[79 + i];
    }
    Ok(slots)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> FrameHeader {
        let mut filters = FilterSlots::default();
        filters[0].id = 160;
        filters[5].id = 1;
        filters[5].meta = 9;
        FrameHeader {
            header_len: 97,
            frame_len: 1 << 40,
            kind: FrameKind::Sparse,
            vl_blocks: false,
            nbytes: 1001,
            cbytes: 500,
            typesize: 4,
            blocksize: 0,
            chunksize: 100,
            nthreads_c: 3,
            nthreads_d: 2,
            has_vlmeta: true,
            codec: 5,
            codec_meta: 7,
            clevel: 9,
            split: SplitMode::ForwardCompat,
            use_dict: true,
            filters,
            checksums: true,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let metas = Metalayers::default();
        let written = sample().write(&metas);
        assert_eq!(written.len(), 97);
        assert_eq!(FrameHeader::parse(&written).unwrap(), sample());
        assert_eq!(FrameHeader::metalayers(&written).unwrap(), metas);
        let user = FrameHeader { codec: 200, chunksize: 0, vl_blocks: true, ..sample() };
        let written = user.write(&metas);
        assert_eq!(written[25], 0xd3);
        assert_eq!(FrameHeader::parse(&written).unwrap(), user);
    }

    #[test]
    fn chunks_are_counted_where_they_can_be() {
        assert_eq!(sample().nchunks(), Some(11));
        assert_eq!(FrameHeader { nbytes: 1000, ..sample() }.nchunks(), Some(10));
        assert_eq!(FrameHeader { nbytes: 0, chunksize: -1, ..sample() }.nchunks(), Some(0));
        assert_eq!(FrameHeader { chunksize: 0, ..sample() }.nchunks(), None);
    }

    #[test]
    fn nonsense_is_refused() {
        let good = sample();
        let bad = [
            FrameHeader { typesize: 0, ..good.clone() },
            FrameHeader { nbytes: -1, ..good.clone() },
            FrameHeader { cbytes: i64::MIN, ..good.clone() },
            FrameHeader { chunksize: -1, ..good.clone() },
            FrameHeader { blocksize: -5, ..good.clone() },
            FrameHeader { frame_len: 80, ..good.clone() },
            FrameHeader { frame_len: u64::MAX, ..good.clone() },
        ];
        for header in bad {
            let written = header.write(&Metalayers::default());
            assert_eq!(FrameHeader::parse(&written).unwrap_err().kind(), ErrorKind::InvalidHeader);
        }
        let mut written = good.write(&Metalayers::default());
        written[25] = 0x14;
        assert_eq!(FrameHeader::parse(&written).unwrap_err().kind(), ErrorKind::VersionSupport);
        written[25] = 0x12;
        written[26] = 2;
        assert_eq!(FrameHeader::parse(&written).unwrap_err().kind(), ErrorKind::FrameType);
        assert_eq!(FrameHeader::parse(&written[..86]).unwrap_err().kind(), ErrorKind::ReadBuffer);
    }
}
