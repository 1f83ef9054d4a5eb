//! What a chunk is going to look like: decided from the parameters and the size, before a byte is compressed.
//!
//! Block size and split are decided as the C library decides them, number for number, so that files keep their shape.

use super::fields::HeaderFields;
use super::header::{Special, VERSION_STABLE, VERSION_VL_BLOCKS, flag, flag2};
use super::instr::{self, RECORD_LEN};
use crate::base::consts::{
    EXTENDED_HEADER_LEN, MAX_BLOCKSIZE, MAX_BUFFERSIZE, MAX_STREAMS, MAX_TYPESIZE, MIN_BUFFERSIZE,
    MIN_HEADER_LEN,
};
use crate::base::params::{CParams, FilterSlots, SplitMode};
use crate::base::{Result, env};
use crate::{codec, fail, filter};
use std::ops::Range;

/// The first-level cache that the default block sizes are multiples of, in bytes.
const L1: usize = 32 * 1024;
/// The largest default block of a split chunk, in bytes.
const MAX_SPLIT_BLOCK: usize = 4 * 1024 * 1024;

/// The decisions for one chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Uncompressed bytes.
    pub nbytes: usize,
    /// Bytes per item as the chunk will say: 1 to 255.
    pub typesize: usize,
    /// Uncompressed bytes per block; of the largest, where blocks have lengths of their own.
    pub blocksize: usize,
    /// The block size that the caller asked for; 0 when the choice was left to the plan.
    pub asked: usize,
    /// How many blocks.
    pub nblocks: usize,
    /// Whether blocks are split into streams.
    pub split: bool,
    /// Whether the data is stored without an attempt to compress it.
    pub stored: bool,
    /// Whether the blocks have lengths of their own.
    pub vl: bool,
    /// Whether a dictionary should be tried.
    pub use_dict: bool,
    /// The codec.
    pub codec: u8,
    /// The codec's parameter.
    pub codec_meta: u8,
    /// 0 to 9.
    pub clevel: u8,
    /// The filters.
    pub filters: FilterSlots,
    /// Bytes of the header: 32, or 16 for a Blosc1 reader.
    pub header_len: usize,
    /// Whether the streams hold measurements of the codec in place of data.
    pub instrumented: bool,
}

impl Plan {
    /// The plan for `nbytes` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) for a typesize or block size that cannot be;
    /// [`ErrorKind::CodecParam`](crate::base::ErrorKind::CodecParam) for a level above 9 and a dictionary that the codec
    /// cannot use; [`ErrorKind::MaxBufsizeExceeded`](crate::base::ErrorKind::MaxBufsizeExceeded) for more bytes than a
    /// chunk holds.
    pub fn new(params: &CParams, nbytes: usize) -> Result<Self> {
        let typesize = check(params, nbytes)?;
        check_dict(params)?;
        let blocksize = blocksize(params, nbytes)?;
        let typesize = if typesize > MAX_TYPESIZE as usize { 1 } else { typesize };
        // A block that is not a whole number of items has no streams of equal length.
        let split = split_pays(params, typesize, blocksize) && blocksize.is_multiple_of(typesize);
        Ok(Plan {
            nbytes,
            typesize,
            blocksize,
            asked: usize::try_from(params.blocksize).unwrap_or(0),
            nblocks: nbytes.div_ceil(blocksize),
            split,
            stored: params.clevel == 0 || nbytes < MIN_BUFFERSIZE,
            vl: false,
            use_dict: params.use_dict && params.clevel > 0,
            codec: params.codec,
            codec_meta: params.codec_meta,
            clevel: params.clevel,
            filters: params.filters,
            header_len: if params.blosc1_header { MIN_HEADER_LEN } else { EXTENDED_HEADER_LEN },
            instrumented: params.instr_codec,
        })
    }

    /// [`Plan::new`] with a block size that nobody has changed since the caller set it; 0 leaves it open.
    #[inline]
    pub(super) fn of_blocks(params: &CParams, nbytes: usize, blocksize: i32) -> Result<Self> {
        if blocksize == 0 || params.blocksize == blocksize {
            return Self::new(params, nbytes);
        }
        Self::new(&CParams { blocksize, ..params.clone() }, nbytes)
    }

    /// The plan for blocks of the given lengths.
    ///
    /// # Errors
    /// As [`Plan::new`]; [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) for no blocks and for an empty
    /// one.
    pub fn vl(params: &CParams, lens: impl ExactSizeIterator<Item = usize>) -> Result<Self> {
        let nblocks = lens.len();
        let (mut nbytes, mut largest) = (0usize, 0);
        for (n, len) in lens.enumerate() {
            if len == 0 {
                fail!(InvalidParam, "VL block {n} is empty");
            }
            nbytes = nbytes.saturating_add(len);
            largest = largest.max(len);
        }
        if nblocks == 0 || nblocks > MAX_BLOCKSIZE as usize {
            fail!(InvalidParam, "a chunk of {nblocks} VL blocks");
        }
        let typesize = check(params, nbytes)?;
        check_dict(params)?;
        let typesize = if typesize > MAX_TYPESIZE as usize { 1 } else { typesize };
        Ok(Plan {
            nbytes,
            typesize,
            blocksize: largest,
            asked: 0,
            nblocks,
            split: false,
            stored: false,
            vl: true,
            use_dict: params.use_dict && params.clevel > 0,
            codec: params.codec,
            codec_meta: params.codec_meta,
            clevel: params.clevel,
            filters: params.filters,
            header_len: EXTENDED_HEADER_LEN,
            instrumented: false,
        })
    }

    /// Tells a person what was decided.
    #[cold]
    pub(super) fn tell(&self, params: &CParams) {
        let typesize = usize::try_from(params.typesize).unwrap_or(1).max(1);
        if self.nbytes >= typesize {
            env::info(format_args!(
                "compcode: {}, clevel: {}, blocksize: {}, splitmode: {}, typesize: {typesize}",
                self.codec,
                self.clevel,
                self.blocksize,
                u8::from(split_pays(params, typesize, self.nbytes)),
            ));
        }
    }

    /// The bytes of block `n`, where blocks are of one size.
    pub fn block_range(&self, n: usize) -> Range<usize> {
        let start = n.saturating_mul(self.blocksize).min(self.nbytes);
        start..(start + self.blocksize).min(self.nbytes)
    }

    /// How many streams a block of `len` bytes is.
    pub fn nstreams(&self, len: usize) -> usize {
        if self.split && len == self.blocksize { self.typesize } else { 1 }
    }

    /// The most bytes that a block of `len` bytes becomes.
    pub fn max_block_len(&self, len: usize) -> usize {
        let record = if self.instrumented { RECORD_LEN } else { 0 };
        len + self.nstreams(len) * (4 + record)
    }

    /// The most bytes that the chunk may take: none gets larger than its data with a header before it.
    pub(super) fn most(&self) -> usize {
        if self.vl || self.instrumented { usize::MAX } else { self.header_len + self.nbytes }
    }

    /// Beyond so many bytes a block is of no use to the chunk; known beforehand where it is the only one.
    pub(super) fn most_of_block(&self) -> usize {
        if self.nblocks == 1 && !self.use_dict {
            self.most().saturating_sub(self.starts_end())
        } else {
            usize::MAX
        }
    }

    /// Bytes that compressing a block leaves with a thread, about.
    pub(super) fn scratch_len(&self) -> usize {
        self.blocksize + codec::state_len(self.codec, self.blocksize, self.nbytes)
    }

    /// Whether all filters come with the library. Nobody knows what a registered one makes of zeros.
    pub(super) fn filters_are_ours(&self) -> bool {
        self.filters.iter().all(|slot| slot.id < filter::USER_START)
    }

    /// Where the block starts end, in bytes from the start of the chunk.
    pub fn starts_end(&self) -> usize {
        self.header_len + 4 * self.nblocks
    }

    /// The flags byte of the compressed chunk's header.
    pub fn flags(&self) -> u8 {
        self.header().flags
    }

    /// The header of the compressed chunk, still without its `cbytes`.
    pub(super) fn header(&self) -> HeaderFields {
        let format = codec::format_of(self.codec).unwrap_or(6);
        let mut flags = format << flag::FORMAT_SHIFT;
        for slot in &self.filters {
            flags |= match slot.id {
                filter::SHUFFLE => flag::SHUFFLE,
                filter::BITSHUFFLE => flag::BITSHUFFLE,
                filter::DELTA => flag::DELTA,
                _ => 0,
            };
        }
        if !self.split {
            flags |= flag::NOT_SPLIT;
        }
        let mut header = self.bare_header();
        header.flags |= flags;
        if self.instrumented {
            header.blosc2_flags |= flag2::INSTRUMENTED;
            let (nbytes, blocksize) = instr::sizes(self);
            (header.nbytes, header.blocksize) = (nbytes as u32, blocksize as u32);
        }
        header
    }

    /// The header of the chunk with its data stored; `tried` says whether compressing it was tried first.
    pub(super) fn stored_header(&self, tried: bool) -> HeaderFields {
        let plain = Plan { instrumented: false, ..self.clone() };
        let mut header = if tried { plain.header() } else { plain.bare_header() };
        header.flags |= flag::MEMCPYED;
        if self.asked > 0 {
            // Blocks of a stored chunk need not be whole items, so it says what was asked for, as the C library does.
            let most = if self.nbytes > 0 { self.nbytes } else { MAX_BLOCKSIZE as usize };
            header.blocksize = self.asked.min(most) as u32;
        }
        header.cbytes = (self.header_len + self.nbytes) as u32;
        header
    }

    /// The header of a chunk that says only that all items are `special`, for a value of `value_len` bytes.
    pub(super) fn special_header(&self, special: Special, value_len: usize) -> HeaderFields {
        let mut header = self.bare_header();
        header.flags = flag::EXTENDED;
        header.blosc2_flags |= special.code() << flag2::SPECIAL_SHIFT;
        header.cbytes = (EXTENDED_HEADER_LEN + value_len) as u32;
        header
    }

    fn bare_header(&self) -> HeaderFields {
        let blocksize = if self.vl { self.nblocks } else { self.blocksize };
        HeaderFields {
            version: if self.vl { VERSION_VL_BLOCKS } else { VERSION_STABLE },
            versionlz: codec::format_version_of(self.codec).unwrap_or(u8::MAX),
            flags: if self.header_len == EXTENDED_HEADER_LEN { flag::EXTENDED } else { 0 },
            typesize: self.typesize as u8,
            nbytes: self.nbytes as u32,
            blocksize: blocksize as u32,
            cbytes: 0,
            filters: self.filters,
            codec: self.codec,
            codec_meta: self.codec_meta,
            flags2: if self.vl { flag2::VL_BLOCKS } else { 0 },
            blosc2_flags: 0,
        }
    }
}

/// Checks what every plan needs; gives the typesize as the caller means it.
fn check(params: &CParams, nbytes: usize) -> Result<usize> {
    if nbytes > MAX_BUFFERSIZE as usize {
        fail!(MaxBufsizeExceeded, "{nbytes} bytes are more than a chunk holds ({MAX_BUFFERSIZE})");
    }
    if params.clevel > 9 {
        fail!(CodecParam, "compression level {} is not in 0..=9", params.clevel);
    }
    match usize::try_from(params.typesize) {
        Ok(typesize) if (1..=MAX_BLOCKSIZE).contains(&params.typesize) => Ok(typesize),
        _ => fail!(InvalidParam, "typesize {} is not in 1..={MAX_BLOCKSIZE}", params.typesize),
    }
}

fn check_dict(params: &CParams) -> Result<()> {
    if params.use_dict && !matches!(params.codec, codec::ZSTD | codec::LZ4 | codec::LZ4HC) {
        fail!(CodecParam, "codec {} cannot use a dictionary", params.codec);
    }
    Ok(())
}

/// The block size: the caller's or the default one, cut to the data and to whole items.
///
/// # Errors
/// [`ErrorKind::InvalidParam`](crate::base::ErrorKind::InvalidParam) for a typesize below 1 or a negative block size.
pub fn blocksize(params: &CParams, nbytes: usize) -> Result<usize> {
    let (Ok(typesize), Ok(asked)) = (usize::try_from(params.typesize), usize::try_from(params.blocksize))
    else {
        fail!(InvalidParam, "typesize {} or block size {} is negative", params.typesize, params.blocksize);
    };
    if typesize == 0 {
        fail!(InvalidParam, "typesize is 0");
    }
    if nbytes < typesize {
        return Ok(1);
    }
    let blocksize = if asked > 0 { asked } else { default_blocksize(params, typesize, nbytes) };
    let blocksize = blocksize.min(nbytes).min(MAX_BLOCKSIZE as usize);
    Ok(if blocksize > typesize { blocksize / typesize * typesize } else { blocksize })
}

/// The default block size, before it is cut to the data.
fn default_blocksize(params: &CParams, typesize: usize, nbytes: usize) -> usize {
    if params.clevel > 0 && split_pays(params, typesize, nbytes) {
        let per_stream = match params.clevel {
            0..=3 => 32,
            4..=6 => 64,
            7 => 128,
            8 => 256,
            _ => 512,
        };
        // The C library's product is an int that wraps, for items above 4 KiB, and so does this one.
        let block = (per_stream * 1024i32).wrapping_mul(typesize as i32);
        return usize::try_from(block).unwrap_or(0).clamp(L1, MAX_SPLIT_BLOCK);
    }
    if nbytes < L1 {
        return nbytes;
    }
    // Codecs that aim at high ratios get larger blocks: small ones cost them too much.
    let thorough = matches!(params.codec, codec::LZ4HC | codec::ZLIB | codec::ZSTD);
    let base = if thorough { 2 * L1 } else { L1 };
    match params.clevel {
        0 => base / 4,
        1 => base / 2,
        2 => base,
        3 => base * 2,
        4 | 5 => base * 4,
        9 if thorough => base * 16,
        _ => base * 8,
    }
}

/// Whether blocks of `blocksize` bytes are to be split into one stream per byte of the type.
fn split_pays(params: &CParams, typesize: usize, blocksize: usize) -> bool {
    match params.split {
        SplitMode::Always => return true,
        SplitMode::Never => return false,
        SplitMode::Auto | SplitMode::ForwardCompat => {}
    }
    let codec_likes_it = match params.codec {
        codec::BLOSCLZ | codec::LZ4 => true,
        codec::ZSTD => params.clevel <= 5,
        _ => false,
    };
    codec_likes_it
        && params.filters.iter().any(|slot| slot.id == filter::SHUFFLE)
        && typesize <= MAX_STREAMS as usize
        && blocksize / typesize >= MIN_BUFFERSIZE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ErrorKind;

    fn plan(codec: u8, clevel: u8, typesize: i32, nbytes: usize) -> Plan {
        Plan::new(&CParams { codec, clevel, typesize, ..CParams::default() }, nbytes).unwrap()
    }

    #[test]
    fn block_sizes_follow_codec_level_and_split() {
        let size = |codec, clevel, typesize| plan(codec, clevel, typesize, 64 << 20).blocksize >> 10;
        // Split: as many KiB per stream as the level says.
        assert_eq!([1, 5, 7, 8, 9].map(|clevel| size(codec::LZ4, clevel, 4)), [128, 256, 512, 1024, 2048]);
        assert_eq!(size(codec::BLOSCLZ, 9, 16), 4096);
        assert_eq!(size(codec::ZSTD, 5, 8), 512);
        // Not split: by the level alone, twice as much for the thorough ones.
        assert_eq!([0, 1, 2, 3, 5].map(|clevel| size(codec::ZLIB, clevel, 8)), [16, 32, 64, 128, 256]);
        assert_eq!([6, 9].map(|clevel| size(codec::ZSTD, clevel, 8)), [512, 1024]);
        // An item wider than the streams there can be is not split.
        assert_eq!(size(codec::LZ4, 9, 17), 256 * 1024 / 17 * 17 / 1024);
    }

    #[test]
    fn what_slow_codecs_keep_goes_by_the_chunk_and_not_by_its_small_blocks() {
        let lz4hc = |nbytes| plan(codec::LZ4HC, 1, 4, nbytes);
        assert_eq!(lz4hc(8 << 20).blocksize, lz4hc(64 << 10).blocksize);
        // Liblz4's chains are 256 KiB.
        assert!(lz4hc(8 << 20).scratch_len() > 256 << 10);
        assert!(lz4hc(64 << 10).scratch_len() < 128 << 10);
    }

    #[test]
    fn blocks_are_whole_items_and_cover_the_data() {
        for typesize in [1, 3, 8, 17, 300] {
            for nbytes in [0, 1, 31, 32, 1000, 33_000, 1 << 20] {
                for asked in [0, 7, 1000, 1 << 21] {
                    let params = CParams { typesize, blocksize: asked, ..CParams::default() };
                    let plan = Plan::new(&params, nbytes).unwrap();
                    let covered: usize = (0..plan.nblocks).map(|n| plan.block_range(n).len()).sum();
                    assert_eq!(covered, nbytes);
                    assert!(
                        plan.nblocks < 2
                            || plan.blocksize < typesize as usize
                            || plan.blocksize.is_multiple_of(typesize as usize)
                    );
                    assert!(!plan.split || plan.blocksize.is_multiple_of(plan.typesize));
                    assert_eq!(plan.typesize, if typesize > 255 { 1 } else { typesize as usize });
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_planned_says_so() {
        let kind = |params: CParams, nbytes| Plan::new(&params, nbytes).unwrap_err().kind();
        let params = CParams::default;
        assert_eq!(kind(CParams { clevel: 10, ..params() }, 100), ErrorKind::CodecParam);
        assert_eq!(kind(CParams { use_dict: true, ..params() }, 100), ErrorKind::CodecParam);
        assert_eq!(kind(CParams { typesize: 0, ..params() }, 100), ErrorKind::InvalidParam);
        assert_eq!(kind(CParams { blocksize: -1, ..params() }, 100), ErrorKind::InvalidParam);
        assert_eq!(kind(params(), MAX_BUFFERSIZE as usize + 1), ErrorKind::MaxBufsizeExceeded);
        assert!(Plan::vl(&params(), [3, 0].into_iter()).is_err());
        assert!(Plan::vl(&params(), [].into_iter()).is_err());
    }
}
