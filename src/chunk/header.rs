//! The chunk header: what a chunk says about itself. [`read`] is the one place where that is checked.

mod read;

use crate::base::Result;
use crate::base::consts::{EXTENDED_HEADER_LEN, MAX_FILTERS, MIN_HEADER_LEN};
use crate::base::params::{FilterSlot, FilterSlots};
use crate::{codec, fail, filter};
use std::ops::Range;

/// Version written for ordinary chunks.
pub const VERSION_STABLE: u8 = 5;
/// Version written for chunks of VL blocks, the newest there is.
pub const VERSION_VL_BLOCKS: u8 = 6;
/// The version of early Blosc2 chunks that left the last filter slot uninitialised.
const VERSION_ALPHA: u8 = 3;

/// Bits of the flags byte.
pub(crate) mod flag {
    pub(crate) const SHUFFLE: u8 = 0x01;
    pub(crate) const MEMCPYED: u8 = 0x02;
    pub(crate) const BITSHUFFLE: u8 = 0x04;
    pub(crate) const DELTA: u8 = 0x08;
    pub(crate) const NOT_SPLIT: u8 = 0x10;
    /// Both shuffles at once, which no chunk could mean, say that the extended header follows.
    pub(crate) const EXTENDED: u8 = SHUFFLE | BITSHUFFLE;
    /// The codec's format stands above this bit.
    pub(crate) const FORMAT_SHIFT: u8 = 5;
}

/// Bits of the Blosc2 flags byte, the last of the extended header.
pub(crate) mod flag2 {
    pub(crate) const DICT: u8 = 0x01;
    pub(crate) const BIG_ENDIAN: u8 = 0x02;
    pub(crate) const LAZY: u8 = 0x08;
    pub(crate) const SPECIAL_SHIFT: u8 = 4;
    pub(crate) const SPECIAL_MASK: u8 = 0x7;
    pub(crate) const INSTRUMENTED: u8 = 0x80;
    /// In the byte before: the blocks have lengths of their own.
    pub(crate) const VL_BLOCKS: u8 = 0x01;
}

/// What all items of a special chunk are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Special {
    /// All bytes are zero.
    Zeros = 1,
    /// All items are NaN, of 4 or 8 bytes.
    Nans = 2,
    /// One value, which follows the header.
    Value = 3,
    /// Never written.
    Uninit = 4,
}

impl Special {
    /// The kind that the format's number stands for.
    pub fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => Special::Zeros,
            2 => Special::Nans,
            3 => Special::Value,
            4 => Special::Uninit,
            _ => return None,
        })
    }

    /// The format's number.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// A chunk header whose fields are in range and agree with each other.
///
/// It is kept as it stands in the chunk, zeros in the place of what a short header lacks: most of it is only looked at
/// now and then. As words of eight bytes, the first one lowest, it is moved in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkHeader([u64; EXTENDED_HEADER_LEN / 8]);

impl ChunkHeader {
    /// The byte at `at`.
    #[inline]
    fn byte(&self, at: usize) -> u8 {
        (self.0[at / 8] >> (8 * (at % 8))) as u8
    }

    /// The number of four bytes at `at`, a multiple of four.
    #[inline]
    fn field(&self, at: usize) -> i32 {
        (self.0[at / 8] >> (8 * (at % 8))) as i32
    }

    /// Bytes of this header: 16 or 32.
    pub fn header_len(&self) -> usize {
        if self.is_extended() { EXTENDED_HEADER_LEN } else { MIN_HEADER_LEN }
    }

    /// Whether this is a Blosc2 header of 32 bytes.
    pub fn is_extended(&self) -> bool {
        self.flags() & flag::EXTENDED == flag::EXTENDED
    }

    /// The chunk format's version.
    pub fn version(&self) -> u8 {
        self.byte(0)
    }

    /// The version of the codec's stream format.
    pub fn versionlz(&self) -> u8 {
        self.byte(1)
    }

    /// The flags byte.
    pub fn flags(&self) -> u8 {
        self.byte(2)
    }

    fn flags2(&self) -> u8 {
        self.byte(0x1e)
    }

    /// The Blosc2 flags byte; 0 in a short header.
    pub fn blosc2_flags(&self) -> u8 {
        self.byte(0x1f)
    }

    /// Bytes per item: 1 to 255, 1 also for larger items.
    pub fn typesize(&self) -> usize {
        usize::from(self.byte(3))
    }

    /// Uncompressed bytes.
    pub fn nbytes(&self) -> usize {
        self.field(4) as usize
    }

    /// Compressed bytes, this header included.
    pub fn cbytes(&self) -> usize {
        self.field(12) as usize
    }

    /// Uncompressed bytes per block. With VL blocks, the field holds [`ChunkHeader::nblocks`] instead, and that is
    /// what this returns.
    pub fn blocksize(&self) -> usize {
        self.field(8) as usize
    }

    /// No block has more uncompressed bytes than this.
    pub(super) fn largest_block(&self) -> usize {
        if self.is_vl() { self.nbytes() } else { self.blocksize() }
    }

    /// How many blocks there are. (A call would have the header in memory.)
    #[inline(always)]
    pub fn nblocks(&self) -> usize {
        match (self.nbytes(), self.blocksize()) {
            (_, blocksize) if self.is_vl() => blocksize,
            // Most small chunks: spares the division.
            (nbytes, blocksize) if nbytes <= blocksize => usize::from(nbytes > 0),
            (nbytes, blocksize) => nbytes.div_ceil(blocksize),
        }
    }

    /// The uncompressed bytes of block `n` of a chunk whose blocks are of one size; empty past the last block.
    pub fn block_range(&self, n: usize) -> Range<usize> {
        let start = n.saturating_mul(self.blocksize()).min(self.nbytes());
        start..(start + self.blocksize()).min(self.nbytes())
    }

    /// Whether the data stands uncompressed after the header.
    pub fn is_memcpyed(&self) -> bool {
        self.flags() & flag::MEMCPYED != 0
    }

    fn special_code(&self) -> u8 {
        (self.blosc2_flags() >> flag2::SPECIAL_SHIFT) & flag2::SPECIAL_MASK
    }

    /// What all items are, when the chunk says only that.
    pub fn special(&self) -> Option<Special> {
        Special::from_code(self.special_code())
    }

    /// Bytes of the value that follows the header of a [`Special::Value`] chunk.
    pub fn value_len(&self) -> usize {
        if self.special() == Some(Special::Value) { self.cbytes() - self.header_len() } else { 0 }
    }

    /// Whether the blocks have lengths of their own.
    pub fn is_vl(&self) -> bool {
        self.flags2() & flag2::VL_BLOCKS != 0
    }

    /// Whether only header, block starts and a trailer are here, and the blocks are somewhere else.
    pub fn is_lazy(&self) -> bool {
        self.blosc2_flags() & flag2::LAZY != 0
    }

    /// Whether a dictionary stands between the block starts and the blocks. A memcpyed or special chunk has none,
    /// whatever its flag says.
    pub fn uses_dict(&self) -> bool {
        self.blosc2_flags() & flag2::DICT != 0 && self.has_starts()
    }

    /// Whether the streams hold measurements of the codec in place of data.
    pub fn is_instrumented(&self) -> bool {
        self.blosc2_flags() & flag2::INSTRUMENTED != 0
    }

    /// Whether the data was written on a big-endian machine.
    pub fn is_big_endian(&self) -> bool {
        self.blosc2_flags() & flag2::BIG_ENDIAN != 0
    }

    /// Whether block starts follow the header.
    pub fn has_starts(&self) -> bool {
        self.special_code() == 0 && !self.is_memcpyed()
    }

    /// Where the block starts end, in bytes from the start of the chunk; the header's length when there are none.
    #[inline]
    pub fn starts_end(&self) -> usize {
        self.header_len() + if self.has_starts() { 4 * self.nblocks() } else { 0 }
    }

    /// Whether blocks (but for a shorter last one) are one stream per byte of the type.
    pub fn is_split(&self) -> bool {
        self.flags() & flag::NOT_SPLIT == 0 && !self.is_vl()
    }

    /// The filters, as applied when compressing.
    pub fn filters(&self) -> FilterSlots {
        if !self.is_extended() {
            return filters_of_flags(self.flags());
        }
        let mut slots = FilterSlots::default();
        for (i, slot) in slots.iter_mut().enumerate() {
            *slot = FilterSlot { id: self.byte(0x10 + i), meta: self.byte(0x18 + i) };
        }
        if self.version() == VERSION_ALPHA {
            slots[MAX_FILTERS - 1] = FilterSlot::default();
        }
        slots
    }

    /// The codec's parameter byte.
    pub fn codec_meta(&self) -> u8 {
        self.byte(0x17)
    }

    /// The codec format's code.
    pub fn codec_format(&self) -> u8 {
        self.flags() >> flag::FORMAT_SHIFT
    }

    /// The codec that decodes the streams. (LZ4HC writes what LZ4 reads.)
    ///
    /// # Errors
    /// [`ErrorKind::CodecSupport`](crate::base::ErrorKind::CodecSupport) for a format that nobody has.
    pub fn codec(&self) -> Result<u8> {
        Ok(match self.codec_format() {
            0 => codec::BLOSCLZ,
            1 => codec::LZ4,
            3 => codec::ZLIB,
            4 => codec::ZSTD,
            6 => self.byte(0x16),
            format => fail!(CodecSupport, "codec format {format} is not supported"),
        })
    }

    /// Whether nothing marks the chunk as another than most: it is not lazy, special, instrumented, of VL blocks, and has no
    /// dictionary.
    pub(super) fn is_unmarked(&self) -> bool {
        self.flags2() == 0 && self.blosc2_flags() & !flag2::BIG_ENDIAN == 0
    }

    /// The filter, where there is at most one, and it is plain to see: otherwise ask [`ChunkHeader::filters`].
    #[inline(always)]
    pub(super) fn only_filter(&self) -> Option<FilterSlot> {
        if !self.is_extended() || self.version() <= VERSION_ALPHA {
            return None;
        }
        // Six bytes of ids, the first one lowest; their parameters stand alike in the next word.
        let ids = self.0[2] << 16 >> 16;
        let at = if ids == 0 { 0 } else { ids.trailing_zeros() / 8 * 8 };
        let id = u8::try_from(ids >> at).ok()?;
        Some(FilterSlot { id, meta: (self.0[3] >> at) as u8 })
    }

    /// Whether the codec or a filter may be a program's or a plugin's.
    pub fn is_foreign(&self) -> bool {
        // A short header has zeros there.
        let [filters @ .., _, _] = self.0[2].to_le_bytes();
        self.codec_format() > 4 || filters.iter().any(|&id| id >= filter::USER_START)
    }

    /// Whether the blocks are coded by the shape that they have in an array.
    pub fn knows_shape(&self) -> bool {
        self.has_starts()
            && (self.codec().is_ok_and(codec::knows_shape)
                || self.filters().iter().any(|slot| filter::knows_shape(slot.id)))
    }

    /// The pipeline without the filter that is lossy by cells: what it left over needs no other means.
    pub fn filters_but_means(&self) -> FilterSlots {
        self.filters().map(|slot| if slot.id == filter::NDMEAN { Default::default() } else { slot })
    }
}

/// The pipeline that a short header's flags stand for.
fn filters_of_flags(flags: u8) -> FilterSlots {
    let mut filters = FilterSlots::default();
    if flags & flag::SHUFFLE != 0 {
        filters[MAX_FILTERS - 1].id = filter::SHUFFLE;
    }
    if flags & flag::BITSHUFFLE != 0 {
        filters[MAX_FILTERS - 1].id = filter::BITSHUFFLE;
    }
    if flags & flag::DELTA != 0 {
        filters[MAX_FILTERS - 2].id = filter::DELTA;
    }
    filters
}
