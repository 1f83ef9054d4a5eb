//! Sizes and limits, and where things are in a chunk's header.

/// Bytes of a Blosc2 chunk header.
pub const BLOSC_EXTENDED_HEADER_LENGTH: i32 = 32;
/// Most bytes by which a chunk may be larger than the data in it. A destination of `nbytes + BLOSC2_MAX_OVERHEAD`
/// bytes always suffices.
pub const BLOSC2_MAX_OVERHEAD: i32 = 32;
/// The largest buffer, in bytes, that one chunk can hold.
pub const BLOSC2_MAX_BUFFERSIZE: i32 = 2_147_483_615;
/// Buffers smaller than this, in bytes, are stored without compression.
pub const BLOSC_MIN_BUFFERSIZE: i32 = 32;
/// The largest dictionary, in bytes, that is trained for a chunk.
pub const BLOSC2_MAXDICTSIZE: i32 = 32_768;
/// A dictionary shorter than this, in bytes, is not worth having: the chunk is compressed without.
pub const BLOSC2_MINUSEFULDICT: i32 = 256;
/// The largest block, in bytes.
pub const BLOSC2_MAXBLOCKSIZE: i32 = 536_866_816;
/// The largest item, in bytes.
pub const BLOSC2_MAXTYPESIZE: i32 = 536_866_816;
/// Filters in a pipeline.
pub const BLOSC2_MAX_FILTERS: usize = 6;
/// Filters that a program can register.
pub const BLOSC2_MAX_UDFILTERS: usize = 16;
/// Fixed metalayers that a super-chunk can have.
pub const BLOSC2_MAX_METALAYERS: usize = 16;
/// The longest name of a metalayer, in bytes, without the final NUL.
pub const BLOSC2_METALAYER_NAME_MAXLEN: usize = 31;
/// Variable-length metalayers that a super-chunk can have.
pub const BLOSC2_MAX_VLMETALAYERS: usize = 8192;
/// The longest name of a variable-length metalayer, in bytes, without the final NUL.
pub const BLOSC2_VLMETALAYERS_NAME_MAXLEN: usize = 31;

/// Where the fields of a chunk's header are, in bytes from its start. Numbers are little-endian.
#[repr(C)]
pub enum blosc2_chunk_field {
    /// `uint8_t`: version of the chunk format.
    BLOSC2_CHUNK_VERSION = 0x00,
    /// `uint8_t`: version of the codec's format.
    BLOSC2_CHUNK_VERSIONLZ = 0x01,
    /// `uint8_t`: flags; the upper three bits say the codec's format.
    BLOSC2_CHUNK_FLAGS = 0x02,
    /// `uint8_t`: bytes per item.
    BLOSC2_CHUNK_TYPESIZE = 0x03,
    /// `int32_t`: bytes of data in the chunk.
    BLOSC2_CHUNK_NBYTES = 0x04,
    /// `int32_t`: bytes per block.
    BLOSC2_CHUNK_BLOCKSIZE = 0x08,
    /// `int32_t`: bytes of the chunk itself, header included.
    BLOSC2_CHUNK_CBYTES = 0x0c,
    /// `uint8_t[6]`: ids of the filters.
    BLOSC2_CHUNK_FILTER_CODES = 0x10,
    /// `uint8_t[6]`: parameters of the filters.
    BLOSC2_CHUNK_FILTER_META = 0x18,
    /// `uint8_t`: more flags (#BLOSC2_VL_BLOCKS).
    BLOSC2_CHUNK_BLOSC2_FLAGS2 = 0x1e,
    /// `uint8_t`: flags of Blosc2 (#BLOSC2_USEDICT and others) and the special value.
    BLOSC2_CHUNK_BLOSC2_FLAGS = 0x1f,
}

/// Bits of the flags that `blosc1_cbuffer_metainfo` gives, beyond those that Blosc1 has.
#[repr(C)]
pub enum blosc2_metainfo_flag {
    /// Data went through the delta filter.
    BLOSC_DODELTA = 0x8,
}

/// Bits of the header byte at #BLOSC2_CHUNK_BLOSC2_FLAGS.
#[repr(C)]
pub enum blosc2_chunk_flag {
    /// The chunk holds a dictionary.
    BLOSC2_USEDICT = 0x1,
    /// The data was written on a big-endian machine.
    BLOSC2_BIGENDIAN = 0x2,
    /// The chunk holds measurements of the codec (#blosc2_instr) in place of data.
    BLOSC2_INSTR_CODEC = 0x80,
}

/// Bits of the header byte at #BLOSC2_CHUNK_BLOSC2_FLAGS2.
#[repr(C)]
pub enum blosc2_chunk_flag2 {
    /// Blocks have lengths of their own.
    BLOSC2_VL_BLOCKS = 0x1,
}

/// Chunks that are one value, repeated, and take no more room than that.
#[repr(C)]
pub enum blosc2_special {
    /// An ordinary chunk.
    BLOSC2_NO_SPECIAL = 0x0,
    /// All bytes are zero.
    BLOSC2_SPECIAL_ZERO = 0x1,
    /// All items are NaN: of 4 or 8 bytes, as the typesize says.
    BLOSC2_SPECIAL_NAN = 0x2,
    /// All items are the one that follows the header.
    BLOSC2_SPECIAL_VALUE = 0x3,
    /// The data was never set, and may read as anything.
    BLOSC2_SPECIAL_UNINIT = 0x4,
    /// The bits of a header byte that say which of these it is.
    BLOSC2_SPECIAL_MASK = 0x7,
}

/// The last special value there is.
pub const BLOSC2_SPECIAL_LASTID: i32 = 4;
