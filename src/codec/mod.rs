//! Codecs: one stream of bytes in, one out.
//!
//! A block of a chunk is one stream, or one per byte of the type; this room knows streams only. [`compress`] and
//! [`decompress`] pick the codec that [`StreamParams`] names; what a thread keeps between streams (tables, contexts,
//! so that a warm path allocates nothing) is its [`State`]. A stream that would not shrink is not an error: `compress`
//! answers 0, and the chunk stores it raw. A compressed stream is untrusted: `decompress` gives bytes or an error, and
//! touches nothing but its two slices.
//!
//! [`blosclz`] and [`ndlz`] are our own; [`lz4`] reads streams itself, and writes some, others by a library; [`zlib`] reads them
//! itself, too, and writes its lower levels; [`zstd`] wraps a library but for tiny streams, and [`zfp`] one for all. `copy` and
//! `items` have what readers of streams share, `words`, `entry` and `rows` what those have that look for matches; `noise` spares
//! slow codecs hopeless streams ([`zstd`] has a look of its own), `sections` hopeless parts of them, `chance` a search that finds
//! what is no better than codes. [`dict`] holds dictionaries, [`names`] what codecs and their libraries are called, [`user`] the
//! codecs that a program registers.

pub mod blosclz;
mod chance;
mod copy;
pub mod dict;
mod entry;
mod items;
pub mod lz4;
pub mod names;
pub mod ndlz;
mod noise;
mod pieces;
mod rows;
mod sections;
pub mod user;
mod words;
pub mod zfp;
pub mod zlib;
pub mod zstd;

pub use dict::Dict;

use crate::base::params::NdShape;
use crate::base::{Error, ErrorKind, Result};
use crate::fail;
use std::ops::Range;

/// Our own fast codec.
pub const BLOSCLZ: u8 = 0;
/// LZ4, fast mode.
pub const LZ4: u8 = 1;
/// LZ4, high compression; the same stream format as [`LZ4`].
pub const LZ4HC: u8 = 2;
/// Deflate in a zlib wrapper.
pub const ZLIB: u8 = 4;
/// Zstandard.
pub const ZSTD: u8 = 5;
/// The first id of a registered codec.
pub const FIRST_REGISTERED: u8 = 32;
/// Matches of cells in two-dimensional blocks.
pub const NDLZ: u8 = 32;
/// ZFP with a bounded absolute error.
pub const ZFP_FIXED_ACCURACY: u8 = 33;
/// ZFP with a bounded relative precision.
pub const ZFP_FIXED_PRECISION: u8 = 34;
/// ZFP with a fixed number of bits per value.
pub const ZFP_FIXED_RATE: u8 = 35;

/// Whether the codecs of the registry are in this build.
const PLUGINS: bool = cfg!(feature = "plugins");

/// How one stream is to be coded.
#[derive(Clone, Copy, Default)]
pub struct StreamParams<'a> {
    /// The codec's id.
    pub codec: u8,
    /// The codec's parameter byte.
    pub meta: u8,
    /// Compression level, 1 to 9; not used when decompressing.
    pub clevel: u8,
    /// Bytes per item of the data that the stream is made of.
    pub typesize: i32,
    /// Whether the stream is one of several of its block.
    pub split: bool,
    /// What it is made of.
    pub made_of: MadeOf,
    /// The chunk's dictionary, made for this codec and direction.
    pub dict: Option<&'a Dict>,
    /// The array that the chunk belongs to.
    pub nd: Option<&'a NdShape>,
    /// What a registered codec gets to see of the call.
    pub call: Option<&'a user::Call<'a>>,
}

impl StreamParams<'_> {
    /// Whether equal streams are coded alike, however often. What a registered codec makes of them is its own affair.
    pub fn codes_alike(&self) -> bool {
        self.codec < FIRST_REGISTERED
    }

    /// Bytes of the items that stand in the stream as they are; 0 where other things do.
    fn item(&self) -> usize {
        match self.made_of {
            MadeOf::Items | MadeOf::Numbers => usize::try_from(self.typesize).unwrap_or(0),
            MadeOf::Planes | MadeOf::Bits | MadeOf::Bytes => 0,
        }
    }
}

/// What a stream is made of, as far as it makes a difference to how long it takes to read, or to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MadeOf {
    /// Whole items of the sizes at which it pays to look out for [`items`].
    Items,
    /// Whole items of fewer bytes.
    Numbers,
    /// One byte of each item after the other: matches mostly begin near, in what was written a moment ago.
    Planes,
    /// One bit of each item after the other.
    Bits,
    /// Anything else.
    #[default]
    Bytes,
}

impl MadeOf {
    /// All there is.
    pub const ALL: [MadeOf; 5] =
        [MadeOf::Items, MadeOf::Numbers, MadeOf::Planes, MadeOf::Bits, MadeOf::Bytes];

    /// What a stream is made of in which items of `typesize` bytes stand as they are.
    pub fn items(typesize: usize) -> Self {
        match typesize {
            _ if items::ITEM.contains(&typesize) => MadeOf::Items,
            2.. if typesize < *items::ITEM.start() => MadeOf::Numbers,
            _ => MadeOf::Bytes,
        }
    }
}

/// What one thread keeps between streams. Each codec's part is made when it is first needed.
#[derive(Default)]
pub struct State {
    blosclz: blosclz::Tables,
    lz4: lz4::State,
    zlib: zlib::State,
    zstd: zstd::State,
    ndlz: ndlz::Tables,
    zfp: zfp::State,
}

/// Bytes that the [`State`] of a codec has once it has compressed a chunk of `chunk` bytes in blocks of `block` bytes, about, where
/// that is much: less is kept like small buffers are, since what it takes to make it anew is missed in programs that have a
/// context for each chunk, and it is not.
pub fn state_len(codec: u8, block: usize, chunk: usize) -> usize {
    match codec {
        ZSTD => zstd::state_len(block),
        LZ4HC | ZLIB => rows::state_len(chunk),
        _ => 0,
    }
}

/// Compresses `src` into `dst`, and tells how many bytes of `dst` that took; 0 when they do not fit or would not be
/// fewer than they were, in which case `dst` holds nothing of use.
///
/// # Errors
/// `CodecSupport` for a codec that does not exist in this build, `CodecParam` for parameters or data that the codec
/// cannot take, and what a registered codec reports.
pub fn compress(p: &StreamParams, st: &mut State, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    match p.codec {
        BLOSCLZ => Ok(blosclz::compress(&mut st.blosclz, p.clevel, p.item(), src, dst)),
        LZ4 => st.lz4.compress(p, src, dst),
        LZ4HC | ZLIB if may_be_noise(p) && noise::is_noise(&mut st.lz4, src, dst)? => Ok(0),
        LZ4HC => st.lz4.compress_hc(p, src, dst).map(|len| worth_reading(len, src)),
        ZLIB => st.zlib.compress(p.clevel, src, dst).map(|len| worth_reading(len, src)),
        ZSTD => st.zstd.compress(p, src, dst),
        NDLZ if PLUGINS => ndlz::compress(&mut st.ndlz, p.meta, p.nd, src, dst),
        ZFP_FIXED_ACCURACY | ZFP_FIXED_PRECISION | ZFP_FIXED_RATE if PLUGINS => {
            zfp::compress(p, &mut st.zfp, src, dst)
        }
        id => user::compress(id, p, src, dst),
    }
}

/// The part of a stream, one byte in so many, that is not worth what it takes to read the rest by a codec: stored, it is copied.
const TRIFLE: usize = 256;

/// The length of what `src` was compressed to; 0 if that saves a trifle only.
fn worth_reading(len: usize, src: &[u8]) -> usize {
    if len + src.len() / TRIFLE < src.len() { len } else { 0 }
}

/// Whether it takes longer to compress noise than to see that it is noise.
fn may_be_noise(p: &StreamParams) -> bool {
    p.dict.is_none() && (p.codec != LZ4HC || p.clevel > lz4::SOON)
}

/// Decompresses `src` into `dst`, and tells how many bytes of `dst` were written: never more than fit.
///
/// # Errors
/// `Data` when `src` is not a stream of that codec or holds more than `dst`; otherwise as [`compress`].
pub fn decompress(p: &StreamParams, st: &mut State, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    let len = dst.len();
    decompress_lent(p, st, (src, src.len()), (dst, len))
}

/// [`decompress`] of the stream that is the first `end` bytes of `src`, into the first `len` bytes of `dst`. What stands behind
/// them may be read and changed, which spares codecs care at the ends.
///
/// # Errors
/// As [`decompress`].
///
/// # Panics
/// When `src` or `dst` are shorter.
#[inline(always)]
pub fn decompress_lent(
    p: &StreamParams,
    st: &mut State,
    (src, end): (&[u8], usize),
    (dst, len): (&mut [u8], usize),
) -> Result<usize> {
    match p.codec {
        BLOSCLZ => {
            let stream = blosclz::Stream { bytes: src, end, made_of: p.made_of };
            blosclz::decompress_lent(stream, len, dst)
        }
        LZ4 | LZ4HC => lz4::decompress(p, lz4::Job { src, end, dst, len, enough: usize::MAX }),
        ZSTD => st.zstd.decompress_lent(p.dict, &src[..end], dst, len),
        _ => decompress_exactly(p, st, &src[..end], &mut dst[..len]),
    }
}

/// Whether a short stream of `len` bytes is sooner decoded to where bytes are lent, and copied, than up to the end of its place.
#[inline(always)]
pub fn wants_lent(p: &StreamParams, len: usize) -> bool {
    match p.codec {
        BLOSCLZ | ZSTD => true,
        LZ4 | LZ4HC => !lz4::is_short(p.made_of, len),
        _ => false,
    }
}

/// Shorter streams are sooner read alone: their ends are much of them.
const WORTH_A_PAIR: usize = 2 << 10;

/// Whether a stream of `len` bytes that is one of several is sooner read by [`lz4::Pairs`] than by [`decompress_lent`].
#[inline(always)]
pub fn suits_pairs(p: &StreamParams, len: usize) -> bool {
    len >= WORTH_A_PAIR && matches!(p.codec, LZ4 | LZ4HC) && p.dict.is_none() && p.made_of == MadeOf::Planes
}

/// [`decompress_lent`] for codecs that need no bytes lent.
fn decompress_exactly(p: &StreamParams, st: &mut State, src: &[u8], dst: &mut [u8]) -> Result<usize> {
    match p.codec {
        ZLIB => st.zlib.decompress(src, dst),
        NDLZ if PLUGINS => ndlz::decompress(p.meta, src, dst),
        ZFP_FIXED_ACCURACY | ZFP_FIXED_PRECISION | ZFP_FIXED_RATE if PLUGINS => {
            zfp::decompress(p, &mut st.zfp, src, dst)
        }
        id => user::decompress(id, p, src, dst),
    }
}

/// Decompresses the beginning of `src`, a stream for whose bytes `dst` has just the room: at least the first `enough`, and
/// all where the codec knows no better. What of `dst` lies behind those holds anything.
///
/// # Errors
/// As [`decompress`], for as much of the stream as was looked at; `Data` when it holds fewer than `enough` bytes.
pub fn decompress_front(
    p: &StreamParams,
    st: &mut State,
    src: &[u8],
    dst: &mut [u8],
    enough: usize,
) -> Result<()> {
    let enough = enough.min(dst.len());
    let written = match p.codec {
        BLOSCLZ => blosclz::decompress_front(blosclz::Stream::whole(src, p.made_of), dst, enough)?,
        LZ4 | LZ4HC => lz4::decompress(p, lz4::Job { src, end: src.len(), len: dst.len(), dst, enough })?,
        ZLIB => st.zlib.decompress_prefix(src, &mut dst[..enough])?,
        ZSTD if enough < dst.len() => st.zstd.decompress_front(p.dict, src, dst, enough)?,
        _ => decompress(p, st, src, dst)?,
    };
    if written < enough {
        fail!(Data, "a stream holds {written} bytes where {enough} were wanted");
    }
    Ok(())
}

/// How many of a stream's `len` bytes [`decompress_front`] decompresses, about, for the first `enough`.
pub fn front_len(codec: u8, len: usize, enough: usize) -> usize {
    match codec {
        BLOSCLZ | LZ4 | LZ4HC | ZLIB => enough,
        ZSTD => enough.next_multiple_of(zstd::BLOCK).min(len),
        _ => len,
    }
}

/// Decompresses items `items` of a stream that is a whole block into `dst`, where the codec finds them without the others.
/// False, and nothing done, where it does not: then the stream has to be decompressed.
///
/// # Errors
/// `Data` when there are no such items, or `dst` has not their size; otherwise as [`decompress`].
pub fn decompress_items(
    p: &StreamParams,
    st: &mut State,
    src: &[u8],
    items: Range<usize>,
    dst: &mut [u8],
) -> Result<bool> {
    match p.codec {
        ZFP_FIXED_RATE => zfp::decompress_items(p, &mut st.zfp, src, items, dst),
        _ => Ok(false),
    }
}

/// Whether a codec's streams depend on the shape of the block that they are of.
pub fn knows_shape(codec: u8) -> bool {
    (NDLZ..=ZFP_FIXED_RATE).contains(&codec)
}

/// The code for a codec's stream format in a chunk header's flags.
///
/// # Errors
/// `CodecSupport` for an id that no codec can have.
pub fn format_of(codec: u8) -> Result<u8> {
    Ok(match codec {
        BLOSCLZ => 0,
        LZ4 | LZ4HC => 1,
        ZLIB => 3,
        ZSTD => 4,
        FIRST_REGISTERED.. => 6,
        _ => fail!(CodecSupport, "there is no codec {codec}"),
    })
}

/// The codec that reads streams of the format `format` of a chunk header, whose user-defined codec id is `registered`.
///
/// # Errors
/// `CodecSupport` for a format that no codec reads.
pub fn codec_of_format(format: u8, registered: u8) -> Result<u8> {
    Ok(match format {
        0 => BLOSCLZ,
        1 => LZ4,
        3 => ZLIB,
        4 => ZSTD,
        6 => registered,
        _ => fail!(CodecSupport, "there is no stream format {format}"),
    })
}

/// The version of a codec's stream format, for byte 1 of a chunk header.
///
/// # Errors
/// `CodecSupport` for a codec that is not there.
pub fn format_version_of(codec: u8) -> Result<u8> {
    match codec {
        BLOSCLZ | LZ4 | LZ4HC | ZLIB | ZSTD => Ok(1),
        id => user::version_of(id).ok_or_else(|| missing(id)),
    }
}

/// The error for a codec that is not there.
fn missing(codec: u8) -> Error {
    Error::new(ErrorKind::CodecSupport, format!("there is no codec {codec}"))
}

/// The error for a stream that is not what it says.
fn bad_stream(codec: &'static str, len: usize) -> Error {
    Error::new(
        ErrorKind::Data,
        format!("a stream of {len} bytes is not {codec}, or holds more than its block"),
    )
}

#[cfg(test)]
mod tests;
