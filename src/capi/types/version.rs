//! Versions of the formats that the library reads and writes. Its own is in `cbindgen/blosc2.toml`.

/// Versions of the chunk format: the first byte of every chunk.
#[repr(C)]
pub enum blosc2_chunk_format {
    /// Blosc before 1.0.
    BLOSC1_VERSION_FORMAT_PRE1 = 1,
    /// Blosc 1.x: a header of 16 bytes.
    BLOSC1_VERSION_FORMAT = 2,
    /// Blosc2, alpha releases.
    BLOSC2_VERSION_FORMAT_ALPHA = 3,
    /// Blosc2, beta releases.
    BLOSC2_VERSION_FORMAT_BETA1 = 4,
    /// Blosc2: a header of 32 bytes. What is written by default.
    BLOSC2_VERSION_FORMAT_STABLE = 5,
    /// Blosc2 with blocks of variable length (#BLOSC2_VL_BLOCKS).
    BLOSC2_VERSION_FORMAT_VL_BLOCKS = 6,
}

/// The highest version of the chunk format that this library reads.
pub const BLOSC2_VERSION_FORMAT: i32 = 6;

/// Versions of the frame format: four bits in every frame's header.
#[repr(C)]
pub enum blosc2_frame_format {
    /// From 2.0.0-beta2 on.
    BLOSC2_VERSION_FRAME_FORMAT_BETA2 = 1,
    /// From 2.0.0-rc1 on. What is written by default.
    BLOSC2_VERSION_FRAME_FORMAT_RC1 = 2,
    /// Frames that hold chunks with blocks of variable length.
    BLOSC2_VERSION_FRAME_FORMAT_VL_BLOCKS = 3,
}

/// The highest version of the frame format that this library reads.
pub const BLOSC2_VERSION_FRAME_FORMAT: i32 = 3;
