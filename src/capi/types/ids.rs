//! Numbers that name codecs, filters, tuners and I/O backends, and who may give out which.
//!
//! Those that Blosc1 knew under the same names are in the hand-written `blosc2/blosc1-names.h`, because a program
//! may include Blosc1's header too.

/// Ranges of codec ids.
#[repr(C)]
pub enum blosc2_codec_range {
    /// First id of the codecs that are part of the format.
    BLOSC2_DEFINED_CODECS_START = 0,
    /// Last id of the codecs that are part of the format.
    BLOSC2_DEFINED_CODECS_STOP = 31,
    /// First id of the codecs in the public registry.
    BLOSC2_GLOBAL_REGISTERED_CODECS_START = 32,
    /// Last id of the codecs in the public registry.
    BLOSC2_GLOBAL_REGISTERED_CODECS_STOP = 159,
    /// First id that a program may give to a codec of its own.
    BLOSC2_USER_REGISTERED_CODECS_START = 160,
    /// Last id that a program may give to a codec of its own.
    BLOSC2_USER_REGISTERED_CODECS_STOP = 255,
}

/// How many codecs of the public registry the library knows by itself.
pub const BLOSC2_GLOBAL_REGISTERED_CODECS: i32 = 5;

/// Ends of the lists of codecs.
#[repr(C)]
pub enum blosc2_codec_last {
    /// One more than the last codec id of the format.
    BLOSC_LAST_CODEC = 6,
    /// The last id of the public registry that the library knows.
    BLOSC_LAST_REGISTERED_CODEC = 36,
}

/// Formats of compressed streams, as a chunk header says them in three bits, beyond those that Blosc1 has.
#[repr(C)]
pub enum blosc2_codec_library {
    /// A codec with an id from 32 on; the header names it elsewhere.
    BLOSC_UDCODEC_LIB = 6,
    /// In the header of a super-chunk.
    BLOSC_SCHUNK_LIB = 7,
}

/// The format code of chunks made by a codec with an id from 32 on.
pub const BLOSC_UDCODEC_FORMAT: i32 = 6;
/// The format version in chunks made by a codec with an id from 32 on.
pub const BLOSC_UDCODEC_VERSION_FORMAT: i32 = 1;

/// Ranges of filter ids.
#[repr(C)]
pub enum blosc2_filter_range {
    /// First id of the filters that are part of the format.
    BLOSC2_DEFINED_FILTERS_START = 0,
    /// Last id of the filters that are part of the format.
    BLOSC2_DEFINED_FILTERS_STOP = 31,
    /// First id of the filters in the public registry.
    BLOSC2_GLOBAL_REGISTERED_FILTERS_START = 32,
    /// Last id of the filters in the public registry.
    BLOSC2_GLOBAL_REGISTERED_FILTERS_STOP = 159,
    /// First id that a program may give to a filter of its own.
    BLOSC2_USER_REGISTERED_FILTERS_START = 160,
    /// Last id that a program may give to a filter of its own.
    BLOSC2_USER_REGISTERED_FILTERS_STOP = 255,
}

/// How many filters of the public registry the library has.
pub const BLOSC2_GLOBAL_REGISTERED_FILTERS: i32 = 5;

/// Filters that are part of the format, beyond those that Blosc1 has.
#[repr(C)]
pub enum blosc2_filter_id {
    /// Exclusive or with the chunk's first block. Takes no parameter.
    BLOSC_DELTA = 3,
    /// Zeroes low mantissa bits of floats (typesize 4) and doubles (8); loses precision. The parameter is how many
    /// bits to keep, or, when negative, how many to drop.
    BLOSC_TRUNC_PREC = 4,
    /// One more than the last filter id of the format.
    BLOSC_LAST_FILTER = 5,
    /// The last id of the public registry that the library knows.
    BLOSC_LAST_REGISTERED_FILTER = 36,
}

/// Ranges of tuner ids.
#[repr(C)]
pub enum blosc2_tuner_range {
    /// First id of the library's own tuners.
    BLOSC2_DEFINED_TUNER_START = 0,
    /// Last id of the library's own tuners.
    BLOSC2_DEFINED_TUNER_STOP = 31,
    /// First id of the tuners in the public registry.
    BLOSC2_GLOBAL_REGISTERED_TUNER_START = 32,
    /// Last id of the tuners in the public registry.
    BLOSC2_GLOBAL_REGISTERED_TUNER_STOP = 159,
    /// First id that a program may give to a tuner of its own.
    BLOSC2_USER_REGISTERED_TUNER_START = 160,
    /// Last id that a program may give to a tuner of its own.
    BLOSC2_USER_REGISTERED_TUNER_STOP = 255,
}

/// How many tuners of the public registry the library has.
pub const BLOSC2_GLOBAL_REGISTERED_TUNERS: i32 = 0;

/// The library's own tuners.
#[repr(C)]
pub enum blosc2_tuner_id {
    /// Chooses the block size by the codec, the level and the typesize; never measures.
    BLOSC_STUNE = 0,
    /// One more than the last tuner id of the library.
    BLOSC_LAST_TUNER = 1,
    /// The last id of the public registry that the library knows.
    BLOSC_LAST_REGISTERED_TUNE = 31,
}

/// I/O backends.
#[repr(C)]
pub enum blosc2_io_id {
    /// Files, read and written at positions.
    BLOSC2_IO_FILESYSTEM = 0,
    /// Files mapped into memory.
    BLOSC2_IO_FILESYSTEM_MMAP = 1,
    /// One more than the last backend of the library.
    BLOSC_IO_LAST_BLOSC_DEFINED = 2,
    /// One more than the last backend in the public registry.
    BLOSC_IO_LAST_REGISTERED = 32,
}

/// Ends of the ranges of I/O backend ids; a program registers its own from #BLOSC2_IO_REGISTERED on.
#[repr(C)]
pub enum blosc2_io_range {
    /// One more than the last id kept for the library.
    BLOSC2_IO_BLOSC_DEFINED = 32,
    /// One more than the last id kept for the public registry.
    BLOSC2_IO_REGISTERED = 160,
    /// One more than the last id there can be.
    BLOSC2_IO_USER_DEFINED = 256,
}
