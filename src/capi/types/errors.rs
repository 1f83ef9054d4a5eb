//! Error codes.

/// What functions return when they fail: always negative. `blosc2_error_string` puts them into words; with the
/// environment variable `BLOSC_TRACE` set, the library says on stderr what went wrong and where.
#[repr(C)]
pub enum blosc2_error {
    /// It went well.
    BLOSC2_ERROR_SUCCESS = 0,
    /// Something that no other code names, or a failure inside the library.
    BLOSC2_ERROR_FAILURE = -1,
    /// A compressed stream makes no sense.
    BLOSC2_ERROR_STREAM = -2,
    /// Data contradicts itself.
    BLOSC2_ERROR_DATA = -3,
    /// Memory could not be had.
    BLOSC2_ERROR_MEMORY_ALLOC = -4,
    /// The input ends too early.
    BLOSC2_ERROR_READ_BUFFER = -5,
    /// The output has no room.
    BLOSC2_ERROR_WRITE_BUFFER = -6,
    /// This build has no such codec.
    BLOSC2_ERROR_CODEC_SUPPORT = -7,
    /// The codec cannot take a parameter.
    BLOSC2_ERROR_CODEC_PARAM = -8,
    /// A dictionary is missing or bad.
    BLOSC2_ERROR_CODEC_DICT = -9,
    /// The format is newer than this library.
    BLOSC2_ERROR_VERSION_SUPPORT = -10,
    /// A field of a header is out of its range.
    BLOSC2_ERROR_INVALID_HEADER = -11,
    /// An argument is out of its range.
    BLOSC2_ERROR_INVALID_PARAM = -12,
    /// Reading a file failed.
    BLOSC2_ERROR_FILE_READ = -13,
    /// Writing a file failed.
    BLOSC2_ERROR_FILE_WRITE = -14,
    /// Opening a file failed.
    BLOSC2_ERROR_FILE_OPEN = -15,
    /// There is no such thing.
    BLOSC2_ERROR_NOT_FOUND = -16,
    /// A run-length encoding makes no sense.
    BLOSC2_ERROR_RUN_LENGTH = -17,
    /// A filter failed or is unknown.
    BLOSC2_ERROR_FILTER_PIPELINE = -18,
    /// A chunk could not be inserted.
    BLOSC2_ERROR_CHUNK_INSERT = -19,
    /// A chunk could not be appended.
    BLOSC2_ERROR_CHUNK_APPEND = -20,
    /// A chunk could not be replaced.
    BLOSC2_ERROR_CHUNK_UPDATE = -21,
    /// A size of 2 GB or more, where the format cannot say it.
    BLOSC2_ERROR_2GB_LIMIT = -22,
    /// A super-chunk could not be copied.
    BLOSC2_ERROR_SCHUNK_COPY = -23,
    /// The frame is of another type.
    BLOSC2_ERROR_FRAME_TYPE = -24,
    /// A file could not be cut to its size.
    BLOSC2_ERROR_FILE_TRUNCATE = -25,
    /// A thread could not be started.
    BLOSC2_ERROR_THREAD_CREATE = -26,
    /// A postfilter failed.
    BLOSC2_ERROR_POSTFILTER = -27,
    /// A special chunk of a frame is bad.
    BLOSC2_ERROR_FRAME_SPECIAL = -28,
    /// A special chunk of a super-chunk is bad.
    BLOSC2_ERROR_SCHUNK_SPECIAL = -29,
    /// An I/O backend failed or is unknown.
    BLOSC2_ERROR_PLUGIN_IO = -30,
    /// A file could not be removed.
    BLOSC2_ERROR_FILE_REMOVE = -31,
    /// A pointer is NULL that may not be.
    BLOSC2_ERROR_NULL_POINTER = -32,
    /// An index is out of its range.
    BLOSC2_ERROR_INVALID_INDEX = -33,
    /// There is no metalayer of that name.
    BLOSC2_ERROR_METALAYER_NOT_FOUND = -34,
    /// A buffer is larger than the format allows.
    BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED = -35,
    /// A tuner failed.
    BLOSC2_ERROR_TUNER = -36,
    /// The lock of a frame could not be had.
    BLOSC2_ERROR_LOCK = -37,
}
