//! The numbers of the format and of the C interface that the engine itself needs.

/// Bytes of a Blosc1 chunk header.
pub const MIN_HEADER_LEN: usize = 16;
/// Bytes of a Blosc2 chunk header.
pub const EXTENDED_HEADER_LEN: usize = 32;
/// What a chunk may be larger than its input, in bytes.
pub const MAX_OVERHEAD: usize = EXTENDED_HEADER_LEN;
/// The largest input of one chunk, in bytes.
pub const MAX_BUFFERSIZE: i32 = i32::MAX - MAX_OVERHEAD as i32;
/// The largest block, in bytes.
pub const MAX_BLOCKSIZE: i32 = 536_866_816;
/// Buffers smaller than this, in bytes, are stored uncompressed.
pub const MIN_BUFFERSIZE: usize = 32;
/// The largest typesize a chunk header can say; data of larger items is stored as bytes (typesize 1).
pub const MAX_TYPESIZE: i32 = 255;
/// Most streams a block is split into.
pub const MAX_STREAMS: i32 = 16;
/// Slots of a filter pipeline.
pub const MAX_FILTERS: usize = 6;
/// The largest dictionary trained for a chunk, in bytes.
pub const MAX_DICT_LEN: usize = 32 * 1024;
/// Fixed metalayers a super-chunk can have.
pub const MAX_METALAYERS: usize = 16;
/// Variable-length metalayers a super-chunk can have.
pub const MAX_VLMETALAYERS: usize = 8 * 1024;
/// The longest metalayer name, in bytes.
pub const METALAYER_NAME_MAX: usize = 31;
/// Most dimensions of an array.
pub const MAX_DIM: usize = 16;
/// Most threads that may work on one job.
pub const MAX_THREADS: i16 = 256;
