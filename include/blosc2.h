/*
 * oxiblosc2: Blosc2 for C and C++, interface level 3.3.5.
 *
 * Chunks: compressed buffers (blosc2_compress_ctx() and its likes). Super-chunks: sequences of them with metadata, in
 * memory or on disk (blosc2_schunk_new()). For n-dimensional arrays in super-chunks, see b2nd.h.
 *
 * A function that returns a number returns a negative one when it fails: a code of #blosc2_error. Memory that a function
 * hands over comes from malloc() and goes back by free(), unless its description says otherwise. Functions that only read
 * a super-chunk or an array may be called on it from many threads at once; those that change it need it for themselves.
 *
 * Generated from the library's sources; changes belong there.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_H
#define BLOSC_BLOSC2_H

/** The version of this interface. */
#define BLOSC2_VERSION_MAJOR 3 /**< major: changes when programs have to change */
#define BLOSC2_VERSION_MINOR 3 /**< minor: changes when something is added */
#define BLOSC2_VERSION_RELEASE 5 /**< release: tweaks */
#define BLOSC2_VERSION_STRING "3.3.5" /**< the three of them, as text */
#define BLOSC2_VERSION_DATE "$Date:: 2026-09-24 #$" /**< the day on which it was released */

#include "blosc2/blosc2-export.h"
#include "blosc2/blosc2-common.h"
#include "blosc2/blosc2-stdio.h"
#include "blosc2/blosc2-platform.h"
#include "blosc2/blosc2-trace.h"
#include "blosc2/blosc1-names.h"


/**
 * How many codecs of the public registry the library knows by itself.
 */
#define BLOSC2_GLOBAL_REGISTERED_CODECS 5

/**
 * The format code of chunks made by a codec with an id from 32 on.
 */
#define BLOSC_UDCODEC_FORMAT 6

/**
 * The format version in chunks made by a codec with an id from 32 on.
 */
#define BLOSC_UDCODEC_VERSION_FORMAT 1

/**
 * How many filters of the public registry the library has.
 */
#define BLOSC2_GLOBAL_REGISTERED_FILTERS 5

/**
 * How many tuners of the public registry the library has.
 */
#define BLOSC2_GLOBAL_REGISTERED_TUNERS 0

/**
 * Bytes of a Blosc2 chunk header.
 */
#define BLOSC_EXTENDED_HEADER_LENGTH 32

/**
 * Most bytes by which a chunk may be larger than the data in it. A destination of `nbytes + BLOSC2_MAX_OVERHEAD`
 * bytes always suffices.
 */
#define BLOSC2_MAX_OVERHEAD 32

/**
 * The largest buffer, in bytes, that one chunk can hold.
 */
#define BLOSC2_MAX_BUFFERSIZE 2147483615

/**
 * Buffers smaller than this, in bytes, are stored without compression.
 */
#define BLOSC_MIN_BUFFERSIZE 32

/**
 * The largest dictionary, in bytes, that is trained for a chunk.
 */
#define BLOSC2_MAXDICTSIZE 32768

/**
 * A dictionary shorter than this, in bytes, is not worth having: the chunk is compressed without.
 */
#define BLOSC2_MINUSEFULDICT 256

/**
 * The largest block, in bytes.
 */
#define BLOSC2_MAXBLOCKSIZE 536866816

/**
 * The largest item, in bytes.
 */
#define BLOSC2_MAXTYPESIZE 536866816

/**
 * Filters in a pipeline.
 */
#define BLOSC2_MAX_FILTERS 6

/**
 * Filters that a program can register.
 */
#define BLOSC2_MAX_UDFILTERS 16

/**
 * Fixed metalayers that a super-chunk can have.
 */
#define BLOSC2_MAX_METALAYERS 16

/**
 * The longest name of a metalayer, in bytes, without the final NUL.
 */
#define BLOSC2_METALAYER_NAME_MAXLEN 31

/**
 * Variable-length metalayers that a super-chunk can have.
 */
#define BLOSC2_MAX_VLMETALAYERS 8192

/**
 * The longest name of a variable-length metalayer, in bytes, without the final NUL.
 */
#define BLOSC2_VLMETALAYERS_NAME_MAXLEN 31

/**
 * The last special value there is.
 */
#define BLOSC2_SPECIAL_LASTID 4

/**
 * The highest version of the chunk format that this library reads.
 */
#define BLOSC2_VERSION_FORMAT 6

/**
 * The highest version of the frame format that this library reads.
 */
#define BLOSC2_VERSION_FRAME_FORMAT 3

/**
 * Versions of the chunk format: the first byte of every chunk.
 */
typedef enum blosc2_chunk_format {
  /**
   * Blosc before 1.0.
   */
  BLOSC1_VERSION_FORMAT_PRE1 = 1,
  /**
   * Blosc 1.x: a header of 16 bytes.
   */
  BLOSC1_VERSION_FORMAT = 2,
  /**
   * Blosc2, alpha releases.
   */
  BLOSC2_VERSION_FORMAT_ALPHA = 3,
  /**
   * Blosc2, beta releases.
   */
  BLOSC2_VERSION_FORMAT_BETA1 = 4,
  /**
   * Blosc2: a header of 32 bytes. What is written by default.
   */
  BLOSC2_VERSION_FORMAT_STABLE = 5,
  /**
   * Blosc2 with blocks of variable length (#BLOSC2_VL_BLOCKS).
   */
  BLOSC2_VERSION_FORMAT_VL_BLOCKS = 6,
} blosc2_chunk_format;

/**
 * Versions of the frame format: four bits in every frame's header.
 */
typedef enum blosc2_frame_format {
  /**
   * From 2.0.0-beta2 on.
   */
  BLOSC2_VERSION_FRAME_FORMAT_BETA2 = 1,
  /**
   * From 2.0.0-rc1 on. What is written by default.
   */
  BLOSC2_VERSION_FRAME_FORMAT_RC1 = 2,
  /**
   * Frames that hold chunks with blocks of variable length.
   */
  BLOSC2_VERSION_FRAME_FORMAT_VL_BLOCKS = 3,
} blosc2_frame_format;

/**
 * Where the fields of a chunk's header are, in bytes from its start. Numbers are little-endian.
 */
typedef enum blosc2_chunk_field {
  /**
   * `uint8_t`: version of the chunk format.
   */
  BLOSC2_CHUNK_VERSION = 0,
  /**
   * `uint8_t`: version of the codec's format.
   */
  BLOSC2_CHUNK_VERSIONLZ = 1,
  /**
   * `uint8_t`: flags; the upper three bits say the codec's format.
   */
  BLOSC2_CHUNK_FLAGS = 2,
  /**
   * `uint8_t`: bytes per item.
   */
  BLOSC2_CHUNK_TYPESIZE = 3,
  /**
   * `int32_t`: bytes of data in the chunk.
   */
  BLOSC2_CHUNK_NBYTES = 4,
  /**
   * `int32_t`: bytes per block.
   */
  BLOSC2_CHUNK_BLOCKSIZE = 8,
  /**
   * `int32_t`: bytes of the chunk itself, header included.
   */
  BLOSC2_CHUNK_CBYTES = 12,
  /**
   * `uint8_t[6]`: ids of the filters.
   */
  BLOSC2_CHUNK_FILTER_CODES = 16,
  /**
   * `uint8_t[6]`: parameters of the filters.
   */
  BLOSC2_CHUNK_FILTER_META = 24,
  /**
   * `uint8_t`: more flags (#BLOSC2_VL_BLOCKS).
   */
  BLOSC2_CHUNK_BLOSC2_FLAGS2 = 30,
  /**
   * `uint8_t`: flags of Blosc2 (#BLOSC2_USEDICT and others) and the special value.
   */
  BLOSC2_CHUNK_BLOSC2_FLAGS = 31,
} blosc2_chunk_field;

/**
 * Bits of the flags that `blosc1_cbuffer_metainfo` gives, beyond those that Blosc1 has.
 */
typedef enum blosc2_metainfo_flag {
  /**
   * Data went through the delta filter.
   */
  BLOSC_DODELTA = 8,
} blosc2_metainfo_flag;

/**
 * Bits of the header byte at #BLOSC2_CHUNK_BLOSC2_FLAGS.
 */
typedef enum blosc2_chunk_flag {
  /**
   * The chunk holds a dictionary.
   */
  BLOSC2_USEDICT = 1,
  /**
   * The data was written on a big-endian machine.
   */
  BLOSC2_BIGENDIAN = 2,
  /**
   * The chunk holds measurements of the codec (#blosc2_instr) in place of data.
   */
  BLOSC2_INSTR_CODEC = 128,
} blosc2_chunk_flag;

/**
 * Bits of the header byte at #BLOSC2_CHUNK_BLOSC2_FLAGS2.
 */
typedef enum blosc2_chunk_flag2 {
  /**
   * Blocks have lengths of their own.
   */
  BLOSC2_VL_BLOCKS = 1,
} blosc2_chunk_flag2;

/**
 * Chunks that are one value, repeated, and take no more room than that.
 */
typedef enum blosc2_special {
  /**
   * An ordinary chunk.
   */
  BLOSC2_NO_SPECIAL = 0,
  /**
   * All bytes are zero.
   */
  BLOSC2_SPECIAL_ZERO = 1,
  /**
   * All items are NaN: of 4 or 8 bytes, as the typesize says.
   */
  BLOSC2_SPECIAL_NAN = 2,
  /**
   * All items are the one that follows the header.
   */
  BLOSC2_SPECIAL_VALUE = 3,
  /**
   * The data was never set, and may read as anything.
   */
  BLOSC2_SPECIAL_UNINIT = 4,
  /**
   * The bits of a header byte that say which of these it is.
   */
  BLOSC2_SPECIAL_MASK = 7,
} blosc2_special;

/**
 * Ranges of codec ids.
 */
typedef enum blosc2_codec_range {
  /**
   * First id of the codecs that are part of the format.
   */
  BLOSC2_DEFINED_CODECS_START = 0,
  /**
   * Last id of the codecs that are part of the format.
   */
  BLOSC2_DEFINED_CODECS_STOP = 31,
  /**
   * First id of the codecs in the public registry.
   */
  BLOSC2_GLOBAL_REGISTERED_CODECS_START = 32,
  /**
   * Last id of the codecs in the public registry.
   */
  BLOSC2_GLOBAL_REGISTERED_CODECS_STOP = 159,
  /**
   * First id that a program may give to a codec of its own.
   */
  BLOSC2_USER_REGISTERED_CODECS_START = 160,
  /**
   * Last id that a program may give to a codec of its own.
   */
  BLOSC2_USER_REGISTERED_CODECS_STOP = 255,
} blosc2_codec_range;

/**
 * Ends of the lists of codecs.
 */
typedef enum blosc2_codec_last {
  /**
   * One more than the last codec id of the format.
   */
  BLOSC_LAST_CODEC = 6,
  /**
   * The last id of the public registry that the library knows.
   */
  BLOSC_LAST_REGISTERED_CODEC = 36,
} blosc2_codec_last;

/**
 * Formats of compressed streams, as a chunk header says them in three bits, beyond those that Blosc1 has.
 */
typedef enum blosc2_codec_library {
  /**
   * A codec with an id from 32 on; the header names it elsewhere.
   */
  BLOSC_UDCODEC_LIB = 6,
  /**
   * In the header of a super-chunk.
   */
  BLOSC_SCHUNK_LIB = 7,
} blosc2_codec_library;

/**
 * Ranges of filter ids.
 */
typedef enum blosc2_filter_range {
  /**
   * First id of the filters that are part of the format.
   */
  BLOSC2_DEFINED_FILTERS_START = 0,
  /**
   * Last id of the filters that are part of the format.
   */
  BLOSC2_DEFINED_FILTERS_STOP = 31,
  /**
   * First id of the filters in the public registry.
   */
  BLOSC2_GLOBAL_REGISTERED_FILTERS_START = 32,
  /**
   * Last id of the filters in the public registry.
   */
  BLOSC2_GLOBAL_REGISTERED_FILTERS_STOP = 159,
  /**
   * First id that a program may give to a filter of its own.
   */
  BLOSC2_USER_REGISTERED_FILTERS_START = 160,
  /**
   * Last id that a program may give to a filter of its own.
   */
  BLOSC2_USER_REGISTERED_FILTERS_STOP = 255,
} blosc2_filter_range;

/**
 * Filters that are part of the format, beyond those that Blosc1 has.
 */
typedef enum blosc2_filter_id {
  /**
   * Exclusive or with the chunk's first block. Takes no parameter.
   */
  BLOSC_DELTA = 3,
  /**
   * Zeroes low mantissa bits of floats (typesize 4) and doubles (8); loses precision. The parameter is how many
   * bits to keep, or, when negative, how many to drop.
   */
  BLOSC_TRUNC_PREC = 4,
  /**
   * One more than the last filter id of the format.
   */
  BLOSC_LAST_FILTER = 5,
  /**
   * The last id of the public registry that the library knows.
   */
  BLOSC_LAST_REGISTERED_FILTER = 36,
} blosc2_filter_id;

/**
 * Ranges of tuner ids.
 */
typedef enum blosc2_tuner_range {
  /**
   * First id of the library's own tuners.
   */
  BLOSC2_DEFINED_TUNER_START = 0,
  /**
   * Last id of the library's own tuners.
   */
  BLOSC2_DEFINED_TUNER_STOP = 31,
  /**
   * First id of the tuners in the public registry.
   */
  BLOSC2_GLOBAL_REGISTERED_TUNER_START = 32,
  /**
   * Last id of the tuners in the public registry.
   */
  BLOSC2_GLOBAL_REGISTERED_TUNER_STOP = 159,
  /**
   * First id that a program may give to a tuner of its own.
   */
  BLOSC2_USER_REGISTERED_TUNER_START = 160,
  /**
   * Last id that a program may give to a tuner of its own.
   */
  BLOSC2_USER_REGISTERED_TUNER_STOP = 255,
} blosc2_tuner_range;

/**
 * The library's own tuners.
 */
typedef enum blosc2_tuner_id {
  /**
   * Chooses the block size by the codec, the level and the typesize; never measures.
   */
  BLOSC_STUNE = 0,
  /**
   * One more than the last tuner id of the library.
   */
  BLOSC_LAST_TUNER = 1,
  /**
   * The last id of the public registry that the library knows.
   */
  BLOSC_LAST_REGISTERED_TUNE = 31,
} blosc2_tuner_id;

/**
 * I/O backends.
 */
typedef enum blosc2_io_id {
  /**
   * Files, read and written at positions.
   */
  BLOSC2_IO_FILESYSTEM = 0,
  /**
   * Files mapped into memory.
   */
  BLOSC2_IO_FILESYSTEM_MMAP = 1,
  /**
   * One more than the last backend of the library.
   */
  BLOSC_IO_LAST_BLOSC_DEFINED = 2,
  /**
   * One more than the last backend in the public registry.
   */
  BLOSC_IO_LAST_REGISTERED = 32,
} blosc2_io_id;

/**
 * Ends of the ranges of I/O backend ids; a program registers its own from #BLOSC2_IO_REGISTERED on.
 */
typedef enum blosc2_io_range {
  /**
   * One more than the last id kept for the library.
   */
  BLOSC2_IO_BLOSC_DEFINED = 32,
  /**
   * One more than the last id kept for the public registry.
   */
  BLOSC2_IO_REGISTERED = 160,
  /**
   * One more than the last id there can be.
   */
  BLOSC2_IO_USER_DEFINED = 256,
} blosc2_io_range;

/**
 * What functions return when they fail: always negative. `blosc2_error_string` puts them into words; with the
 * environment variable `BLOSC_TRACE` set, the library says on stderr what went wrong and where.
 */
typedef enum blosc2_error {
  /**
   * It went well.
   */
  BLOSC2_ERROR_SUCCESS = 0,
  /**
   * Something that no other code names, or a failure inside the library.
   */
  BLOSC2_ERROR_FAILURE = -1,
  /**
   * A compressed stream makes no sense.
   */
  BLOSC2_ERROR_STREAM = -2,
  /**
   * Data contradicts itself.
   */
  BLOSC2_ERROR_DATA = -3,
  /**
   * Memory could not be had.
   */
  BLOSC2_ERROR_MEMORY_ALLOC = -4,
  /**
   * The input ends too early.
   */
  BLOSC2_ERROR_READ_BUFFER = -5,
  /**
   * The output has no room.
   */
  BLOSC2_ERROR_WRITE_BUFFER = -6,
  /**
   * This build has no such codec.
   */
  BLOSC2_ERROR_CODEC_SUPPORT = -7,
  /**
   * The codec cannot take a parameter.
   */
  BLOSC2_ERROR_CODEC_PARAM = -8,
  /**
   * A dictionary is missing or bad.
   */
  BLOSC2_ERROR_CODEC_DICT = -9,
  /**
   * The format is newer than this library.
   */
  BLOSC2_ERROR_VERSION_SUPPORT = -10,
  /**
   * A field of a header is out of its range.
   */
  BLOSC2_ERROR_INVALID_HEADER = -11,
  /**
   * An argument is out of its range.
   */
  BLOSC2_ERROR_INVALID_PARAM = -12,
  /**
   * Reading a file failed.
   */
  BLOSC2_ERROR_FILE_READ = -13,
  /**
   * Writing a file failed.
   */
  BLOSC2_ERROR_FILE_WRITE = -14,
  /**
   * Opening a file failed.
   */
  BLOSC2_ERROR_FILE_OPEN = -15,
  /**
   * There is no such thing.
   */
  BLOSC2_ERROR_NOT_FOUND = -16,
  /**
   * A run-length encoding makes no sense.
   */
  BLOSC2_ERROR_RUN_LENGTH = -17,
  /**
   * A filter failed or is unknown.
   */
  BLOSC2_ERROR_FILTER_PIPELINE = -18,
  /**
   * A chunk could not be inserted.
   */
  BLOSC2_ERROR_CHUNK_INSERT = -19,
  /**
   * A chunk could not be appended.
   */
  BLOSC2_ERROR_CHUNK_APPEND = -20,
  /**
   * A chunk could not be replaced.
   */
  BLOSC2_ERROR_CHUNK_UPDATE = -21,
  /**
   * A size of 2 GB or more, where the format cannot say it.
   */
  BLOSC2_ERROR_2GB_LIMIT = -22,
  /**
   * A super-chunk could not be copied.
   */
  BLOSC2_ERROR_SCHUNK_COPY = -23,
  /**
   * The frame is of another type.
   */
  BLOSC2_ERROR_FRAME_TYPE = -24,
  /**
   * A file could not be cut to its size.
   */
  BLOSC2_ERROR_FILE_TRUNCATE = -25,
  /**
   * A thread could not be started.
   */
  BLOSC2_ERROR_THREAD_CREATE = -26,
  /**
   * A postfilter failed.
   */
  BLOSC2_ERROR_POSTFILTER = -27,
  /**
   * A special chunk of a frame is bad.
   */
  BLOSC2_ERROR_FRAME_SPECIAL = -28,
  /**
   * A special chunk of a super-chunk is bad.
   */
  BLOSC2_ERROR_SCHUNK_SPECIAL = -29,
  /**
   * An I/O backend failed or is unknown.
   */
  BLOSC2_ERROR_PLUGIN_IO = -30,
  /**
   * A file could not be removed.
   */
  BLOSC2_ERROR_FILE_REMOVE = -31,
  /**
   * A pointer is NULL that may not be.
   */
  BLOSC2_ERROR_NULL_POINTER = -32,
  /**
   * An index is out of its range.
   */
  BLOSC2_ERROR_INVALID_INDEX = -33,
  /**
   * There is no metalayer of that name.
   */
  BLOSC2_ERROR_METALAYER_NOT_FOUND = -34,
  /**
   * A buffer is larger than the format allows.
   */
  BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED = -35,
  /**
   * A tuner failed.
   */
  BLOSC2_ERROR_TUNER = -36,
  /**
   * The lock of a frame could not be had.
   */
  BLOSC2_ERROR_LOCK = -37,
} blosc2_error;

/**
 * What a prefilter is called with, once per block, before the filters.
 */
typedef struct blosc2_prefilter_params {
  /**
   * What the caller put into `blosc2_cparams.preparams`.
   */
  void *user_data;
  /**
   * The block's data, from the buffer that is being compressed.
   */
  const uint8_t *input;
  /**
   * Where the prefilter writes the block's data.
   */
  uint8_t *output;
  /**
   * Bytes of the block.
   */
  int32_t output_size;
  /**
   * Bytes per item.
   */
  int32_t output_typesize;
  /**
   * Where the block starts, in bytes from the start of the chunk's data.
   */
  int32_t output_offset;
  /**
   * The chunk's index in its super-chunk; -1 when it has none.
   */
  int64_t nchunk;
  /**
   * The block's index in the chunk.
   */
  int32_t nblock;
  /**
   * Which worker runs this, from 0.
   */
  int32_t tid;
  /**
   * Scratch of the worker's own.
   */
  uint8_t *ttmp;
  /**
   * Bytes at `ttmp`.
   */
  size_t ttmp_nbytes;
  /**
   * The context that compresses.
   */
  blosc2_context *ctx;
  /**
   * Whether what is written to `output` will not be used.
   */
  bool output_is_disposable;
} blosc2_prefilter_params;

/**
 * A function that makes a block's data before it is compressed. Blocks are worked on from several threads at once.
 * Returns 0, or anything else to give up on the chunk.
 */
typedef int (*blosc2_prefilter_fn)(struct blosc2_prefilter_params *params);

/**
 * How to compress. Start from #BLOSC2_CPARAMS_DEFAULTS and change what should differ.
 */
typedef struct blosc2_cparams {
  /**
   * The codec: `BLOSC_BLOSCLZ` (default), `BLOSC_LZ4`, ... or a registered id.
   */
  uint8_t compcode;
  /**
   * A parameter for the codec; what it means is the codec's business.
   */
  uint8_t compcode_meta;
  /**
   * The compression level, from 0 (store) to 9 (smallest). Default 5.
   */
  uint8_t clevel;
  /**
   * Not 0: train a dictionary per chunk. For `BLOSC_ZSTD`, `BLOSC_LZ4` and `BLOSC_LZ4HC` only.
   */
  int use_dict;
  /**
   * Bytes per item. Default 8.
   */
  int32_t typesize;
  /**
   * How many threads may work on a chunk, the calling one included. Default 1.
   */
  int16_t nthreads;
  /**
   * Bytes per block; 0 (default) lets the tuner choose.
   */
  int32_t blocksize;
  /**
   * Whether a block is compressed as one stream or as one per byte of an item: `BLOSC_ALWAYS_SPLIT`,
   * `BLOSC_NEVER_SPLIT`, `BLOSC_AUTO_SPLIT` or `BLOSC_FORWARD_COMPAT_SPLIT` (default).
   */
  int32_t splitmode;
  /**
   * The super-chunk (`blosc2_schunk *`) that the data belongs to, or NULL. Codecs and filters that know about
   * dimensions look there for the shape.
   */
  void *schunk;
  /**
   * The filters, in the order in which they are applied; 0 is none. Default: `BLOSC_SHUFFLE` in the last place.
   */
  uint8_t filters[BLOSC2_MAX_FILTERS];
  /**
   * A parameter for each filter.
   */
  uint8_t filters_meta[BLOSC2_MAX_FILTERS];
  /**
   * A function that makes each block's data, or NULL.
   */
  blosc2_prefilter_fn prefilter;
  /**
   * What the prefilter gets; copied when the context is made.
   */
  struct blosc2_prefilter_params *preparams;
  /**
   * What the tuner gets; its meaning is the tuner's business.
   */
  void *tuner_params;
  /**
   * The tuner's id.
   */
  int tuner_id;
  /**
   * Measure the codec and store the measurements (#blosc2_instr) in place of data.
   */
  bool instr_codec;
  /**
   * Parameters for a registered codec; passed through.
   */
  void *codec_params;
  /**
   * Parameters for registered filters; passed through.
   */
  void *filter_params[BLOSC2_MAX_FILTERS];
} blosc2_cparams;

/**
 * What a postfilter is called with, once per block, after the filters are undone.
 */
typedef struct blosc2_postfilter_params {
  /**
   * What the caller put into `blosc2_dparams.postparams`.
   */
  void *user_data;
  /**
   * The block's data, decompressed.
   */
  const uint8_t *input;
  /**
   * Where the postfilter writes what the caller of the library gets.
   */
  uint8_t *output;
  /**
   * Bytes of the block.
   */
  int32_t size;
  /**
   * Bytes per item.
   */
  int32_t typesize;
  /**
   * Where the block starts, in bytes from the start of the chunk's data.
   */
  int32_t offset;
  /**
   * The chunk's index in its super-chunk; -1 when it has none.
   */
  int64_t nchunk;
  /**
   * The block's index in the chunk.
   */
  int32_t nblock;
  /**
   * Which worker runs this, from 0.
   */
  int32_t tid;
  /**
   * Scratch of the worker's own.
   */
  uint8_t *ttmp;
  /**
   * Bytes at `ttmp`.
   */
  size_t ttmp_nbytes;
  /**
   * The context that decompresses.
   */
  blosc2_context *ctx;
} blosc2_postfilter_params;

/**
 * A function that sees, and may change, a block's data after it was decompressed. Blocks are worked on from several
 * threads at once. Returns 0, or anything else to give up on the chunk.
 */
typedef int (*blosc2_postfilter_fn)(struct blosc2_postfilter_params *params);

/**
 * How to decompress. Start from #BLOSC2_DPARAMS_DEFAULTS and change what should differ.
 */
typedef struct blosc2_dparams {
  /**
   * How many threads may work on a chunk, the calling one included. Default 1.
   */
  int16_t nthreads;
  /**
   * The super-chunk (`blosc2_schunk *`) that the data belongs to, or NULL.
   */
  void *schunk;
  /**
   * A function that sees each block's data, or NULL.
   */
  blosc2_postfilter_fn postfilter;
  /**
   * What the postfilter gets; copied when the context is made.
   */
  struct blosc2_postfilter_params *postparams;
  /**
   * Bytes per item. Default 8; a chunk's own header wins where it says otherwise.
   */
  int32_t typesize;
} blosc2_dparams;

/**
 * Which I/O backend to use, and with what.
 */
typedef struct blosc2_io {
  /**
   * The backend's id.
   */
  uint8_t id;
  /**
   * The backend's name.
   */
  const char *name;
  /**
   * What its functions get; its meaning is the backend's business. Has to outlive the super-chunk.
   */
  void *params;
} blosc2_io;

/**
 * Where a super-chunk is kept, and how. Start from #BLOSC2_STORAGE_DEFAULTS. What it points to is copied when a
 * super-chunk is made from it, so it need not live on.
 */
typedef struct blosc2_storage {
  /**
   * Whether chunks are kept in one piece (a frame) or each for itself.
   */
  bool contiguous;
  /**
   * The file or directory to keep it in; NULL keeps it in memory.
   */
  char *urlpath;
  /**
   * How to compress; NULL for #BLOSC2_CPARAMS_DEFAULTS.
   */
  struct blosc2_cparams *cparams;
  /**
   * How to decompress; NULL for #BLOSC2_DPARAMS_DEFAULTS.
   */
  struct blosc2_dparams *dparams;
  /**
   * The I/O backend; NULL for #BLOSC2_IO_DEFAULTS.
   */
  struct blosc2_io *io;
} blosc2_storage;

/**
 * Opens what `urlpath` names, with `fopen`'s `mode`. Returns the stream that the other functions get, or NULL.
 */
typedef void *(*blosc2_open_cb)(const char *urlpath, const char *mode, void *params);

/**
 * Closes a stream. Returns 0, or a negative number.
 */
typedef int (*blosc2_close_cb)(void *stream);

/**
 * Gives the size of what a stream is open on, in bytes, or a negative number.
 */
typedef int64_t (*blosc2_size_cb)(void *stream);

/**
 * Writes `nitems` of `size` bytes from `ptr` at `position`. Returns how many items were written.
 */
typedef int64_t (*blosc2_write_cb)(const void *ptr,
                                   int64_t size,
                                   int64_t nitems,
                                   int64_t position,
                                   void *stream);

/**
 * Reads `nitems` of `size` bytes at `position`: into `*ptr`, or, when the backend allocates for itself
 * (`is_allocation_necessary` is false), into memory of its own that it sets `*ptr` to. Returns how many items were
 * read.
 */
typedef int64_t (*blosc2_read_cb)(void **ptr, int64_t size, int64_t nitems, int64_t position, void *stream);

/**
 * Makes what a stream is open on `size` bytes long. Returns 0, or a negative number.
 */
typedef int (*blosc2_truncate_cb)(void *stream, int64_t size);

/**
 * Called with `blosc2_io.params` when the super-chunk that used them is freed. Returns 0, or a negative number.
 */
typedef int (*blosc2_destroy_cb)(void *params);

/**
 * An I/O backend: seven functions and a number. Functions are called from several threads at once.
 */
typedef struct blosc2_io_cb {
  /**
   * Its id; a program's own from #BLOSC2_IO_REGISTERED on.
   */
  uint8_t id;
  /**
   * Its name.
   */
  char *name;
  /**
   * Whether the library allocates what `read` reads into.
   */
  bool is_allocation_necessary;
  /**
   * Opens.
   */
  blosc2_open_cb open;
  /**
   * Closes.
   */
  blosc2_close_cb close;
  /**
   * Tells the size.
   */
  blosc2_size_cb size;
  /**
   * Writes.
   */
  blosc2_write_cb write;
  /**
   * Reads.
   */
  blosc2_read_cb read;
  /**
   * Cuts or extends.
   */
  blosc2_truncate_cb truncate;
  /**
   * Frees the parameters.
   */
  blosc2_destroy_cb destroy;
} blosc2_io_cb;

/**
 * Compresses `input_len` bytes at `input` into at most `output_len` bytes at `output`. `meta` is the codec's
 * parameter byte, `chunk` the data of the chunk that the stream belongs to. Returns how many bytes were written, 0
 * when they do not fit, or a negative error code.
 */
typedef int (*blosc2_codec_encoder_cb)(const uint8_t *input,
                                       int32_t input_len,
                                       uint8_t *output,
                                       int32_t output_len,
                                       uint8_t meta,
                                       struct blosc2_cparams *cparams,
                                       const void *chunk);

/**
 * Decompresses `input_len` bytes at `input` into `output_len` bytes at `output`. `meta` is the codec's parameter
 * byte, `chunk` the compressed chunk. Returns how many bytes were written, or a negative error code.
 */
typedef int (*blosc2_codec_decoder_cb)(const uint8_t *input,
                                       int32_t input_len,
                                       uint8_t *output,
                                       int32_t output_len,
                                       uint8_t meta,
                                       struct blosc2_dparams *dparams,
                                       const void *chunk);

/**
 * A codec. Its functions are called from several threads at once.
 */
typedef struct blosc2_codec {
  /**
   * Its id; a program's own from #BLOSC2_USER_REGISTERED_CODECS_START on.
   */
  uint8_t compcode;
  /**
   * Its name.
   */
  char *compname;
  /**
   * The id of the format it writes.
   */
  uint8_t complib;
  /**
   * The version of that format.
   */
  uint8_t version;
  /**
   * Compresses.
   */
  blosc2_codec_encoder_cb encoder;
  /**
   * Decompresses.
   */
  blosc2_codec_decoder_cb decoder;
} blosc2_codec;

/**
 * Transforms `length` bytes from `input` to `output` before they are compressed. `meta` is the filter's parameter
 * byte, `id` its id. Returns 0, or a negative error code.
 */
typedef int (*blosc2_filter_forward_cb)(const uint8_t *input,
                                        uint8_t *output,
                                        int32_t length,
                                        uint8_t meta,
                                        struct blosc2_cparams *cparams,
                                        uint8_t id);

/**
 * Undoes what the forward function did.
 */
typedef int (*blosc2_filter_backward_cb)(const uint8_t *input,
                                         uint8_t *output,
                                         int32_t length,
                                         uint8_t meta,
                                         struct blosc2_dparams *dparams,
                                         uint8_t id);

/**
 * A filter. Its functions are called from several threads at once.
 */
typedef struct blosc2_filter {
  /**
   * Its id; a program's own from #BLOSC2_USER_REGISTERED_FILTERS_START on.
   */
  uint8_t id;
  /**
   * Its name.
   */
  char *name;
  /**
   * Its version.
   */
  uint8_t version;
  /**
   * Applied when compressing.
   */
  blosc2_filter_forward_cb forward;
  /**
   * Applied when decompressing.
   */
  blosc2_filter_backward_cb backward;
} blosc2_filter;

/**
 * A tuner: chooses compression parameters chunk by chunk. Every function returns 0, or a negative error code.
 */
typedef struct blosc2_tuner {
  /**
   * Called when a context is made. Whatever it wants to keep of `config` it copies. `dctx` may be NULL.
   */
  int (*init)(void *config, blosc2_context *cctx, blosc2_context *dctx);
  /**
   * Chooses the block size of the next chunk, and nothing else.
   */
  int (*next_blocksize)(blosc2_context *context);
  /**
   * Chooses all parameters of the next chunk.
   */
  int (*next_cparams)(blosc2_context *context);
  /**
   * Called after each chunk with the time that compressing it took, in seconds.
   */
  int (*update)(blosc2_context *context, double ctime);
  /**
   * Called when the context is freed.
   */
  int (*free)(blosc2_context *context);
  /**
   * Its id; a program's own from #BLOSC2_USER_REGISTERED_TUNER_START on.
   */
  int id;
  /**
   * Its name.
   */
  char *name;
} blosc2_tuner;

/**
 * A metalayer: a name and some bytes that a super-chunk carries beside its data.
 */
typedef struct blosc2_metalayer {
  /**
   * The name, of at most #BLOSC2_METALAYER_NAME_MAXLEN bytes.
   */
  char *name;
  /**
   * The content; what is in it is the business of who wrote it.
   */
  uint8_t *content;
  /**
   * Bytes of the content.
   */
  int32_t content_len;
} blosc2_metalayer;

/**
 * A super-chunk: a sequence of chunks with the same typesize and, but for the last one, the same size, and
 * metalayers. The fields are the library's to write and everybody's to read; they are true after every call that
 * changes the super-chunk.
 */
typedef struct blosc2_schunk {
  /**
   * Version of the chunk format.
   */
  uint8_t version;
  /**
   * The codec that appended data is compressed with.
   */
  uint8_t compcode;
  /**
   * The codec's parameter.
   */
  uint8_t compcode_meta;
  /**
   * The compression level.
   */
  uint8_t clevel;
  /**
   * The split mode.
   */
  uint8_t splitmode;
  /**
   * Bytes per item.
   */
  int32_t typesize;
  /**
   * Bytes per block; 0 when the tuner chooses.
   */
  int32_t blocksize;
  /**
   * Bytes of data per chunk; 0 when chunks differ, or as long as there is none.
   */
  int32_t chunksize;
  /**
   * Flags that all chunks share, from their header's #BLOSC2_CHUNK_BLOSC2_FLAGS2; 0 as long as there is none.
   */
  uint8_t flags2;
  /**
   * Whether a dictionary is trained per chunk.
   */
  uint8_t use_dict;
  /**
   * The filters.
   */
  uint8_t filters[BLOSC2_MAX_FILTERS];
  /**
   * The filters' parameters.
   */
  uint8_t filters_meta[BLOSC2_MAX_FILTERS];
  /**
   * How many chunks there are.
   */
  int64_t nchunks;
  /**
   * The chunk that is being worked on.
   */
  int64_t current_nchunk;
  /**
   * Bytes of data, uncompressed.
   */
  int64_t nbytes;
  /**
   * Bytes of all chunks, headers included.
   */
  int64_t cbytes;
  /**
   * The chunks, when they are kept in memory each for itself; otherwise NULL.
   */
  uint8_t **data;
  /**
   * Bytes at `data`.
   */
  size_t data_len;
  /**
   * Where and how the super-chunk is kept.
   */
  struct blosc2_storage *storage;
  /**
   * The frame that holds the chunks; NULL when they are kept each for itself.
   */
  blosc2_frame *frame;
  /**
   * Compresses what is appended.
   */
  blosc2_context *cctx;
  /**
   * Decompresses what is read.
   */
  blosc2_context *dctx;
  /**
   * The fixed metalayers, the first `nmetalayers` of them.
   */
  struct blosc2_metalayer *metalayers[BLOSC2_MAX_METALAYERS];
  /**
   * How many fixed metalayers there are.
   */
  uint16_t nmetalayers;
  /**
   * The variable-length metalayers, the first `nvlmetalayers` of them. Their contents are compressed: read them
   * with `blosc2_vlmeta_get`.
   */
  struct blosc2_metalayer *vlmetalayers[BLOSC2_MAX_VLMETALAYERS];
  /**
   * How many variable-length metalayers there are.
   */
  int16_t nvlmetalayers;
  /**
   * What the tuner gets.
   */
  void *tuner_params;
  /**
   * The tuner's id.
   */
  int tuner_id;
  /**
   * Dimensions of the array in the super-chunk, for codecs that know about them.
   */
  int8_t ndim;
  /**
   * The array's block shape, `ndim` numbers, for codecs that know about it; or NULL.
   */
  int64_t *blockshape;
  /**
   * Whether the super-chunk shares the chunks of another one.
   */
  bool view;
  /**
   * Grows whenever a metalayer changes, through this handle or another on the same file.
   */
  int64_t change_tick;
} blosc2_schunk;

/**
 * A program's own pool of threads: calls `dojob(jobdata + i * jobdata_elsize)` once for each `i` below `numjobs`,
 * at the same time or one after the other, and returns when all calls have returned. `callback_data` is what was
 * given when the function was set.
 */
typedef void (*blosc_threads_callback)(void *callback_data,
                                       void (*dojob)(void *arg1),
                                       int numjobs,
                                       size_t jobdata_elsize,
                                       void *jobdata);

/**
 * What an instrumented codec measures: one of these per block, in place of the compressed data, when
 * `blosc2_cparams.instr_codec` is set.
 */
typedef struct blosc2_instr {
  /**
   * Compression ratio of the block.
   */
  float cratio;
  /**
   * Speed of the codec, in bytes per second.
   */
  float cspeed;
  /**
   * Speed of the filters, in bytes per second.
   */
  float filter_speed;
  /**
   * The first says whether the block is a run of one value.
   */
  uint8_t flags[4];
} blosc2_instr;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The sizes in a chunk's header.
 *
 * @param cbuffer The chunk; the first `BLOSC_MIN_HEADER_LENGTH` bytes are enough.
 * @param nbytes Set to the bytes of data; 0 on error. May be NULL.
 * @param cbytes Set to the bytes of the chunk; 0 on error. May be NULL.
 * @param blocksize Set to the bytes per block; 0 on error. May be NULL.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER when `cbuffer` is; #BLOSC2_ERROR_INVALID_HEADER.
 */
BLOSC_EXPORT
int blosc2_cbuffer_sizes(const void *cbuffer,
                         int32_t *nbytes,
                         int32_t *cbytes,
                         int32_t *blocksize);

/**
 * The sizes in a chunk's header, for programs written for Blosc1.
 *
 * @param cbuffer The chunk; the first `BLOSC_MIN_HEADER_LENGTH` bytes are enough.
 * @param nbytes Set to the bytes of data; 0 on error. May be NULL.
 * @param cbytes Set to the bytes of the chunk; 0 on error. May be NULL.
 * @param blocksize Set to the bytes per block; 0 on error. May be NULL.
 */
BLOSC_EXPORT
void blosc1_cbuffer_sizes(const void *cbuffer,
                          size_t *nbytes,
                          size_t *cbytes,
                          size_t *blocksize);

/**
 * Whether a buffer can be a chunk: its header makes sense and says the buffer's length. Decompressing it may still fail,
 * but will not read or write where it must not.
 *
 * @param cbuffer The buffer.
 * @param cbytes Bytes of the buffer.
 * @param nbytes Set to the bytes of data; 0 on error.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_WRITE_BUFFER when the buffer is shorter than a header;
 *   #BLOSC2_ERROR_INVALID_HEADER; #BLOSC2_ERROR_MEMORY_ALLOC when there is more data than a chunk can have.
 */
BLOSC_EXPORT
int blosc1_cbuffer_validate(const void *cbuffer,
                            size_t cbytes,
                            size_t *nbytes);

/**
 * The typesize and the flags of a chunk.
 *
 * @param cbuffer The chunk; the first `BLOSC_MIN_HEADER_LENGTH` bytes are enough.
 * @param typesize Set to the bytes per item; 0 on error. May be NULL.
 * @param flags Set to the flags: `BLOSC_DOSHUFFLE`, `BLOSC_MEMCPYED`, `BLOSC_DOBITSHUFFLE`, #BLOSC_DODELTA (the first
 *   and the third together say that the header is one of Blosc2, and the filters are further back); 0 on error. May
 *   be NULL.
 */
BLOSC_EXPORT
void blosc1_cbuffer_metainfo(const void *cbuffer,
                             size_t *typesize,
                             int *flags);

/**
 * The format versions of a chunk.
 *
 * @param cbuffer The chunk; the first `BLOSC_MIN_HEADER_LENGTH` bytes are enough.
 * @param version Set to the version of the chunk format (#blosc2_chunk_format); 0 on error. May be NULL.
 * @param versionlz Set to the version of the codec's format; 0 on error. May be NULL.
 */
BLOSC_EXPORT void blosc2_cbuffer_versions(const void *cbuffer, int *version, int *versionlz);

/**
 * The library of the codec that a chunk was compressed with.
 *
 * @param cbuffer The chunk; the first `BLOSC_MIN_HEADER_LENGTH` bytes are enough.
 * @return Its name, "Zstd" for example, neither to be changed nor freed; NULL on error and for codecs that are not
 *   part of the format.
 */
BLOSC_EXPORT
const char *blosc2_cbuffer_complib(const void *cbuffer);

/**
 * Compresses a buffer into a chunk, by the settings of the process.
 *
 * The environment takes the place of parameters and settings, and the settings keep it: BLOSC_CLEVEL, BLOSC_SHUFFLE
 * (NOSHUFFLE, SHUFFLE or BITSHUFFLE), BLOSC_DELTA (0 or 1), BLOSC_TYPESIZE, BLOSC_COMPRESSOR, BLOSC_BLOCKSIZE,
 * BLOSC_NTHREADS and BLOSC_SPLITMODE (ALWAYS, NEVER, AUTO or FORWARD_COMPAT). With BLOSC_BLOSC1_COMPAT, the chunk is
 * one that Blosc1 reads, unless BLOSC_NOLOCK is set, which does nothing else: threads that compress do not wait for
 * each other in any case.
 *
 * @param clevel The level, from 0 (store) to 9 (smallest).
 * @param doshuffle `BLOSC_NOFILTER`, `BLOSC_SHUFFLE` or `BLOSC_BITSHUFFLE`.
 * @param typesize Bytes per item.
 * @param src The data.
 * @param srcsize Bytes of data, at most #BLOSC2_MAX_BUFFERSIZE.
 * @param dest Where the chunk goes; may not overlap `src`.
 * @param destsize Bytes at `dest`, at least #BLOSC2_MAX_OVERHEAD. With `srcsize + BLOSC2_MAX_OVERHEAD` the chunk
 *   always fits.
 * @return Bytes of the chunk; 0 when it does not fit, and what is at `dest` then means nothing;
 *   #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for a typesize that cannot be;
 *   #BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED for a size that cannot be; #BLOSC2_ERROR_CODEC_PARAM for a level that cannot be;
 *   #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int blosc2_compress(int clevel,
                    int doshuffle,
                    int32_t typesize,
                    const void *src,
                    int32_t srcsize,
                    void *dest,
                    int32_t destsize);

/**
 * Compresses a buffer into a chunk, for programs written for Blosc1. As `blosc2_compress`, environment included.
 *
 * @param clevel The level, from 0 (store) to 9 (smallest).
 * @param doshuffle `BLOSC_NOFILTER`, `BLOSC_SHUFFLE` or `BLOSC_BITSHUFFLE`.
 * @param typesize Bytes per item.
 * @param nbytes Bytes of data, at most #BLOSC2_MAX_BUFFERSIZE.
 * @param src The data.
 * @param dest Where the chunk goes; may not overlap `src`.
 * @param destsize Bytes at `dest`.
 * @return As `blosc2_compress`.
 */
BLOSC_EXPORT
int blosc1_compress(int clevel,
                    int doshuffle,
                    size_t typesize,
                    size_t nbytes,
                    const void *src,
                    void *dest,
                    size_t destsize);

/**
 * Decompresses a chunk. BLOSC_NTHREADS in the environment sets the number of threads for the process.
 *
 * @param src The chunk.
 * @param srcsize Bytes at `src`; `INT32_MAX` when the chunk's header is to be believed.
 * @param dest Where the data goes; may not overlap `src`.
 * @param destsize Bytes at `dest`.
 * @return Bytes of data; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_WRITE_BUFFER when they do not fit;
 *   #BLOSC2_ERROR_READ_BUFFER, #BLOSC2_ERROR_INVALID_HEADER, #BLOSC2_ERROR_VERSION_SUPPORT,
 *   #BLOSC2_ERROR_CODEC_SUPPORT, #BLOSC2_ERROR_DATA and others when the chunk is damaged or not one that this library
 *   knows; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int blosc2_decompress(const void *src,
                      int32_t srcsize,
                      void *dest,
                      int32_t destsize);

/**
 * Decompresses a chunk whose header is believed, for programs written for Blosc1. As `blosc2_decompress`, environment
 * included.
 *
 * @param src The chunk.
 * @param dest Where the data goes; may not overlap `src`.
 * @param destsize Bytes at `dest`.
 * @return As `blosc2_decompress`.
 */
BLOSC_EXPORT
int blosc1_decompress(const void *src,
                      void *dest,
                      size_t destsize);

/**
 * Decompresses some items of a chunk, and no more of its blocks than those that hold them.
 *
 * @param src The chunk.
 * @param srcsize Bytes at `src`; `INT32_MAX` when the chunk's header is to be believed.
 * @param start The first item, from 0. Items have the typesize that the chunk says.
 * @param nitems How many items.
 * @param dest Where the items go.
 * @param destsize Bytes at `dest`.
 * @return Bytes written; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the chunk does not have these
 *   items; #BLOSC2_ERROR_WRITE_BUFFER when they do not fit; otherwise as `blosc2_decompress`.
 */
BLOSC_EXPORT
int blosc2_getitem(const void *src,
                   int32_t srcsize,
                   int start,
                   int nitems,
                   void *dest,
                   int32_t destsize);

/**
 * Decompresses some items of a chunk whose header is believed, for programs written for Blosc1.
 *
 * @param src The chunk.
 * @param start The first item, from 0. Items have the typesize that the chunk says.
 * @param nitems How many items.
 * @param dest Where the items go; has to have room for them.
 * @return As `blosc2_getitem`.
 */
BLOSC_EXPORT int blosc1_getitem(const void *src, int start, int nitems, void *dest);

/**
 * Compresses a buffer into a chunk.
 *
 * @param context A context from `blosc2_create_cctx`, used by one thread at a time.
 * @param src The data.
 * @param srcsize Bytes of data, at most #BLOSC2_MAX_BUFFERSIZE.
 * @param dest Where the chunk goes; may not overlap `src`.
 * @param destsize Bytes at `dest`, at least #BLOSC2_MAX_OVERHEAD. With `srcsize + BLOSC2_MAX_OVERHEAD` the chunk
 *   always fits.
 * @return Bytes of the chunk; 0 when it does not fit, and what is at `dest` then means nothing;
 *   #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the context is not for compressing, or the typesize or
 *   block size cannot be; #BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED for a size that cannot be; #BLOSC2_ERROR_CODEC_PARAM for a
 *   level above 9 or a dictionary with a codec that has none; #BLOSC2_ERROR_CODEC_SUPPORT for an unknown codec;
 *   #BLOSC2_ERROR_FILTER_PIPELINE when a filter or the prefilter failed; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int blosc2_compress_ctx(blosc2_context *context,
                        const void *src,
                        int32_t srcsize,
                        void *dest,
                        int32_t destsize);

/**
 * Decompresses a chunk.
 *
 * @param context A context from `blosc2_create_dctx`. Several threads may use it at the same time unless it has a
 *   postfilter.
 * @param src The chunk.
 * @param srcsize Bytes at `src`.
 * @param dest Where the data goes; may not overlap `src`.
 * @param destsize Bytes at `dest`.
 * @return Bytes of data; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the context is not for
 *   decompressing; #BLOSC2_ERROR_WRITE_BUFFER when the data does not fit; #BLOSC2_ERROR_READ_BUFFER,
 *   #BLOSC2_ERROR_INVALID_HEADER, #BLOSC2_ERROR_VERSION_SUPPORT, #BLOSC2_ERROR_CODEC_SUPPORT,
 *   #BLOSC2_ERROR_DATA and others when the chunk is damaged or not one that this library knows;
 *   #BLOSC2_ERROR_POSTFILTER when the postfilter failed; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int blosc2_decompress_ctx(blosc2_context *context,
                          const void *src,
                          int32_t srcsize,
                          void *dest,
                          int32_t destsize);

/**
 * Makes a context that compresses.
 *
 * The environment takes the place of parameters: BLOSC_CLEVEL, BLOSC_SHUFFLE (NOSHUFFLE, SHUFFLE or BITSHUFFLE),
 * BLOSC_DELTA (0 or 1), BLOSC_TYPESIZE, BLOSC_COMPRESSOR, BLOSC_BLOCKSIZE, BLOSC_NTHREADS and BLOSC_SPLITMODE (ALWAYS,
 * NEVER, AUTO or FORWARD_COMPAT).
 *
 * @param cparams How to compress. What `preparams` points to is copied; `schunk`, `codec_params` and
 *   `filter_params` are kept as they are and have to outlive the context; `tuner_params` is passed to the tuner.
 * @return The context, for `blosc2_free_ctx`; NULL when a filter or the tuner is unknown, or memory is short.
 */
BLOSC_EXPORT
blosc2_context *blosc2_create_cctx(struct blosc2_cparams cparams);

/**
 * Makes a context that decompresses. BLOSC_NTHREADS in the environment takes the place of `nthreads`.
 *
 * @param dparams How to decompress. What `postparams` points to is copied; `schunk` is kept as it is and has to
 *   outlive the context.
 * @return The context, for `blosc2_free_ctx`; NULL when memory is short.
 */
BLOSC_EXPORT
blosc2_context *blosc2_create_dctx(struct blosc2_dparams dparams);

/**
 * Frees a context and what it owns, and memory that threads keep for contexts and are not using, where it is much. The
 * super-chunk that the context may belong to stays.
 *
 * @param context A context; with NULL, nothing happens.
 */
BLOSC_EXPORT
void blosc2_free_ctx(blosc2_context *context);

/**
 * The parameters of a compression context.
 *
 * @param ctx The context.
 * @param cparams Set to its parameters. `preparams` stays the context's.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT int blosc2_ctx_get_cparams(blosc2_context *ctx, struct blosc2_cparams *cparams);

/**
 * The parameters of a decompression context.
 *
 * @param ctx The context.
 * @param dparams Set to its parameters. `postparams` stays the context's.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT int blosc2_ctx_get_dparams(blosc2_context *ctx, struct blosc2_dparams *dparams);

/**
 * Decompresses some items of a chunk, and no more of its blocks than those that hold them.
 *
 * An item has the typesize that the chunk says, which is 1 when the data was compressed with a typesize above
 * `BLOSC_MAX_TYPESIZE`: then, items are bytes. `blosc2_getitem_bytes_ctx` counts in bytes always.
 *
 * @param context A context from `blosc2_create_dctx`.
 * @param src The chunk.
 * @param srcsize Bytes at `src`.
 * @param start The first item, from 0.
 * @param nitems How many items.
 * @param dest Where the items go.
 * @param destsize Bytes at `dest`.
 * @return Bytes written; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the chunk does not have these
 *   items; #BLOSC2_ERROR_WRITE_BUFFER when they do not fit; otherwise as `blosc2_decompress_ctx`.
 */
BLOSC_EXPORT
int blosc2_getitem_ctx(blosc2_context *context,
                       const void *src,
                       int32_t srcsize,
                       int start,
                       int nitems,
                       void *dest,
                       int32_t destsize);

/**
 * Decompresses some bytes of a chunk, and no more of its blocks than those that hold them.
 *
 * @param context A context from `blosc2_create_dctx`.
 * @param src The chunk.
 * @param srcsize Bytes at `src`.
 * @param start The first byte of the data, from 0; a multiple of the typesize that the chunk says.
 * @param nbytes How many bytes; a multiple of that typesize.
 * @param dest Where the bytes go.
 * @param destsize Bytes at `dest`.
 * @return Bytes written; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the chunk does not have these
 *   bytes or they are no multiples; #BLOSC2_ERROR_WRITE_BUFFER when they do not fit; otherwise as
 *   `blosc2_decompress_ctx`.
 */
BLOSC_EXPORT
int blosc2_getitem_bytes_ctx(blosc2_context *context,
                             const void *src,
                             int32_t srcsize,
                             int32_t start,
                             int32_t nbytes,
                             void *dest,
                             int32_t destsize);

/**
 * Leaves blocks out of the next decompression with a context: their bytes of the destination stay as they are.
 *
 * @param ctx A context from `blosc2_create_dctx`, which until then no other thread uses.
 * @param maskout For each block whether it is left out; copied.
 * @param nblocks Entries at `maskout`. The next chunk that is decompressed must have as many blocks:
 *   `blosc2_decompress_ctx` otherwise returns #BLOSC2_ERROR_DATA.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for a negative number;
 *   #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int blosc2_set_maskout(blosc2_context *ctx,
                       bool *maskout,
                       int nblocks);

/**
 * Compresses buffers into one chunk, each of them a block that can be decompressed for itself.
 *
 * @param context A context from `blosc2_create_cctx`, used by one thread at a time. Its block size and split mode do not
 *   matter.
 * @param srcs Where the blocks' data is.
 * @param srcsizes Bytes of each block; at least 1, and in all at most #BLOSC2_MAX_BUFFERSIZE.
 * @param nblocks How many blocks; at least 1.
 * @param dest Where the chunk goes; may not overlap the data.
 * @param destsize Bytes at `dest`, at least #BLOSC2_MAX_OVERHEAD. The chunk always fits in 32 bytes, 8 for each block,
 *   and the data; with a dictionary, #BLOSC2_MAXDICTSIZE and 4 more.
 * @return Bytes of the chunk; 0 when it does not fit; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the
 *   context is not for compressing, or a block is empty or not there; otherwise as `blosc2_compress_ctx`.
 */
BLOSC_EXPORT
int blosc2_vlcompress_ctx(blosc2_context *context,
                          const void *const *srcs,
                          const int32_t *srcsizes,
                          int32_t nblocks,
                          void *dest,
                          int32_t destsize);

/**
 * Decompresses all blocks of a chunk, each into memory of its own.
 *
 * @param context A context from `blosc2_create_dctx`.
 * @param src The chunk, made by `blosc2_vlcompress_ctx`.
 * @param srcsize Bytes at `src`.
 * @param dests Set to the blocks' data, each of which the caller frees.
 * @param destsizes Set to the bytes of each block.
 * @param maxblocks Entries at `dests` and at `destsizes`.
 * @return How many blocks there are; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the context is not for
 *   decompressing, there are more blocks than `maxblocks`, or the chunk is not one of these; otherwise as
 *   `blosc2_decompress_ctx`. On an error, nothing has to be freed.
 */
BLOSC_EXPORT
int blosc2_vldecompress_ctx(blosc2_context *context,
                            const void *src,
                            int32_t srcsize,
                            void **dests,
                            int32_t *destsizes,
                            int32_t maxblocks);

/**
 * Decompresses one block of a chunk.
 *
 * @param context A context from `blosc2_create_dctx`.
 * @param src The chunk, made by `blosc2_vlcompress_ctx`.
 * @param srcsize Bytes at `src`.
 * @param nblock The block, from 0.
 * @param dest Set to the block's data, which the caller frees.
 * @param destsize Set to its bytes.
 * @return Bytes of the block; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the context is not for
 *   decompressing, or there is no such block; otherwise as `blosc2_decompress_ctx`.
 */
BLOSC_EXPORT
int blosc2_vldecompress_block_ctx(blosc2_context *context,
                                  const void *src,
                                  int32_t srcsize,
                                  int32_t nblock,
                                  uint8_t **dest,
                                  int32_t *destsize);

/**
 * How many blocks a chunk has that was made by `blosc2_vlcompress_ctx`.
 *
 * @param src The chunk; its header is enough.
 * @param srcsize Bytes at `src`.
 * @param nblocks Set to how many blocks there are.
 * @return 0; #BLOSC2_ERROR_INVALID_PARAM when the chunk is not one of these, or a pointer is NULL;
 *   #BLOSC2_ERROR_READ_BUFFER, #BLOSC2_ERROR_INVALID_HEADER and others when it is not a chunk.
 */
BLOSC_EXPORT int blosc2_vlchunk_get_nblocks(const void *src, int32_t srcsize, int32_t *nblocks);

/**
 * The defaults of #blosc2_cparams, as #BLOSC2_CPARAMS_DEFAULTS.
 *
 * @return A copy of them.
 */
BLOSC_EXPORT struct blosc2_cparams blosc2_get_blosc2_cparams_defaults(void);

/**
 * The defaults of #blosc2_dparams, as #BLOSC2_DPARAMS_DEFAULTS.
 *
 * @return A copy of them.
 */
BLOSC_EXPORT struct blosc2_dparams blosc2_get_blosc2_dparams_defaults(void);

/**
 * The defaults of #blosc2_storage, as #BLOSC2_STORAGE_DEFAULTS.
 *
 * @return A copy of them.
 */
BLOSC_EXPORT struct blosc2_storage blosc2_get_blosc2_storage_defaults(void);

/**
 * The defaults of #blosc2_io, as #BLOSC2_IO_DEFAULTS.
 *
 * @return A copy of them.
 */
BLOSC_EXPORT struct blosc2_io blosc2_get_blosc2_io_defaults(void);

/**
 * The defaults of #blosc2_stdio_mmap, as #BLOSC2_STDIO_MMAP_DEFAULTS.
 *
 * @return A copy of them.
 */
BLOSC_EXPORT blosc2_stdio_mmap blosc2_get_blosc2_stdio_mmap_defaults(void);

/**
 * The coordinates of the item with a number.
 *
 * @param ndim Dimensions, at most #B2ND_MAX_DIM; of none, nothing is written.
 * @param shape Items along each dimension.
 * @param i The item's number, in C order.
 * @param index Where its `ndim` coordinates go.
 */
BLOSC_EXPORT void blosc2_unidim_to_multidim(uint8_t ndim, int64_t *shape, int64_t i, int64_t *index);

/**
 * The number of the item with coordinates.
 *
 * @param index Its coordinates.
 * @param ndim How many.
 * @param strides Along each dimension, how many items further the next one is.
 * @param i Set to the number.
 */
BLOSC_EXPORT
void blosc2_multidim_to_unidim(const int64_t *index,
                               int8_t ndim,
                               const int64_t *strides,
                               int64_t *i);

/**
 * Adds an I/O backend for the whole process, for `blosc2_io.id`. Registering the same id and name again changes nothing.
 *
 * @param io The backend; copied, but for its name, which has to stay.
 * @return 0; #BLOSC2_ERROR_PLUGIN_IO when the id is below #BLOSC2_IO_REGISTERED or has another name already;
 *   #BLOSC2_ERROR_INVALID_PARAM for NULL.
 */
BLOSC_EXPORT
int blosc2_register_io_cb(const struct blosc2_io_cb *io);

/**
 * An I/O backend: one that was registered, or one of those that come with the library.
 *
 * @param id Its id.
 * @return The backend, which stays as long as the library; NULL when there is none.
 */
BLOSC_EXPORT struct blosc2_io_cb *blosc2_get_io_cb(uint8_t id);

/**
 * Removes a directory and the files in it. Directories in it are not entered.
 *
 * @param path The directory.
 * @return 0; #BLOSC2_ERROR_INVALID_PARAM for NULL and for an empty path; #BLOSC2_ERROR_NOT_FOUND when there is no such
 *   directory; #BLOSC2_ERROR_FAILURE when something in it cannot be removed.
 */
BLOSC_EXPORT
int blosc2_remove_dir(const char *path);

/**
 * Removes a frame: a file and the lock file beside it, or a directory with the files in it.
 *
 * @param path The file or directory. When it is NULL or names nothing, nothing happens.
 * @return 0; #BLOSC2_ERROR_FILE_REMOVE when the file cannot be removed; #BLOSC2_ERROR_FAILURE when the path cannot be
 *   looked at, or something in the directory cannot be removed.
 */
BLOSC_EXPORT
int blosc2_remove_urlpath(const char *path);

/**
 * Renames a frame. A change of it that was cut short with a journal is taken back first.
 *
 * @param old_urlpath The file or directory. When it is NULL, nothing happens.
 * @param new_path Its new path, on the same file system; what is there already is replaced as rename() does it. When it
 *   is NULL, nothing happens.
 * @return 0; #BLOSC2_ERROR_FAILURE when there is no such file or directory, or it cannot be renamed.
 */
BLOSC_EXPORT
int blosc2_rename_urlpath(char *old_urlpath,
                          char *new_path);

/**
 * Starts the library. Nothing needs it; programs call it because they always did. After `blosc2_destroy`, it forgets
 * the codecs, filters and tuners that were registered before.
 */
BLOSC_EXPORT
void blosc2_init(void);

/**
 * Stops the library: lets its threads go, and the memory that they and the calling thread keep for their next call.
 * Everything may be used again afterwards, and contexts, super-chunks and arrays stay as they are.
 */
BLOSC_EXPORT
void blosc2_destroy(void);

/**
 * Lets threads go, and the memory that they and the calling thread keep for their next call: for a program that will
 * not need the library for a while.
 *
 * @return 0; #BLOSC2_ERROR_FAILURE when the library was not started, or was stopped.
 */
BLOSC_EXPORT
int blosc2_free_resources(void);

/**
 * The version of the interface, as text: what `BLOSC2_VERSION_STRING` is for a library that is loaded at run time.
 *
 * @return Text that is neither to be changed nor freed.
 */
BLOSC_EXPORT
const char *blosc2_get_version_string(void);

/**
 * Puts an error code into words.
 *
 * @param error_code A code of #blosc2_error.
 * @return A short text that is neither to be changed nor freed; "Unknown error" for any other number.
 */
BLOSC_EXPORT const char *blosc2_error_string(int error_code);

/**
 * The names of the codecs that are part of the format, in the order of their ids.
 *
 * @return Names separated by commas; neither to be changed nor freed.
 */
BLOSC_EXPORT const char *blosc2_list_compressors(void);

/**
 * The name of a codec.
 *
 * @param compcode The codec's id, `BLOSC_BLOSCLZ` for example.
 * @param compname Set to its name, which is neither to be changed nor freed; to NULL when there is no such codec.
 * @return The id; -1 when there is no such codec; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int blosc2_compcode_to_compname(int compcode,
                                const char **compname);

/**
 * The id of a codec.
 *
 * @param compname The codec's name, "zstd" for example.
 * @return Its id; -1 when there is no such codec; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT int blosc2_compname_to_compcode(const char *compname);

/**
 * The library that a codec comes from.
 *
 * @param compname The codec's name, "lz4hc" for example.
 * @param complib Set to the library's name, "LZ4" for example, which the caller frees; to NULL when there is no such
 *   codec.
 * @param version Set to the library's version, "1.10.0" for example, or to "unknown", which the caller frees; to
 *   NULL when there is no such codec.
 * @return The library's code, `BLOSC_LZ4_LIB` for example; -1 when there is no such codec;
 *   #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int blosc2_get_complib_info(const char *compname,
                            char **complib,
                            char **version);

/**
 * Adds a codec for the whole process. Registering the same id and name again changes nothing.
 *
 * @param codec The codec. Its name is copied. Where one of its functions is NULL, both are looked for in the library
 *   `libblosc2_<name>.so` when they are first needed.
 * @return 0; #BLOSC2_ERROR_CODEC_PARAM when the id is below #BLOSC2_USER_REGISTERED_CODECS_START or has another name
 *   already; #BLOSC2_ERROR_CODEC_SUPPORT when there are too many; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int blosc2_register_codec(struct blosc2_codec *codec);

/**
 * Adds a filter for the whole process. Registering the same id and name again changes nothing.
 *
 * @param filter The filter. Its name is copied. Where one of its functions is NULL, both are looked for in the library
 *   `libblosc2_<name>.so` when they are first needed. Where neither is, it needs no name.
 * @return 0; #BLOSC2_ERROR_FAILURE when the id is below #BLOSC2_USER_REGISTERED_FILTERS_START or has another name
 *   already; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int blosc2_register_filter(struct blosc2_filter *filter);

/**
 * Adds a tuner for the whole process. Registering the same id and name again changes nothing.
 *
 * @param tuner The tuner. Its name is copied. Where a function is NULL, all are looked for in the library
 *   `libblosc2_<name>.so` when it is first needed.
 * @return 0; #BLOSC2_ERROR_FAILURE when the id is below #BLOSC2_USER_REGISTERED_TUNER_START or has another name
 *   already; #BLOSC2_ERROR_CODEC_SUPPORT when there are too many; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int blosc2_register_tuner(struct blosc2_tuner *tuner);

/**
 * Compresses a buffer and adds it as the last chunk.
 *
 * @param schunk The super-chunk.
 * @param src The data.
 * @param nbytes Bytes of data, at most #BLOSC2_MAX_BUFFERSIZE.
 * @return How many chunks there are now; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_CHUNK_APPEND when the super-chunk
 *   does not take such a chunk; #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written; and the codes of
 *   `blosc2_compress_ctx`. On error, the super-chunk is as it was.
 */
BLOSC_EXPORT
int64_t blosc2_schunk_append_buffer(struct blosc2_schunk *schunk,
                                    const void *src,
                                    int32_t nbytes);

/**
 * Adds a chunk as the last one.
 *
 * @param schunk The super-chunk.
 * @param chunk The chunk, as `blosc2_compress_ctx` makes it.
 * @param copy Whether the chunk is copied. If not, it has to come from malloc(), and belongs to the super-chunk from
 *   now on; on error it stays the caller's.
 * @return How many chunks there are now; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_CHUNK_APPEND when the super-chunk
 *   does not take such a chunk; #BLOSC2_ERROR_INVALID_HEADER and others when it is none; #BLOSC2_ERROR_FILE_WRITE
 *   and others when the file cannot be written. On error, the super-chunk is as it was.
 */
BLOSC_EXPORT
int64_t blosc2_schunk_append_chunk(struct blosc2_schunk *schunk,
                                   uint8_t *chunk,
                                   bool copy);

/**
 * Adds a chunk between others.
 *
 * @param schunk The super-chunk.
 * @param nchunk The index that the chunk will have; those from there on move by one.
 * @param chunk The chunk, as `blosc2_compress_ctx` makes it.
 * @param copy Whether the chunk is copied. If not, it has to come from malloc(), and belongs to the super-chunk from
 *   now on; on error it stays the caller's.
 * @return How many chunks there are now; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such
 *   place; #BLOSC2_ERROR_CHUNK_INSERT when the super-chunk does not take such a chunk; otherwise as
 *   `blosc2_schunk_append_chunk`.
 */
BLOSC_EXPORT
int64_t blosc2_schunk_insert_chunk(struct blosc2_schunk *schunk,
                                   int64_t nchunk,
                                   uint8_t *chunk,
                                   bool copy);

/**
 * Puts a chunk in the place of another.
 *
 * @param schunk The super-chunk.
 * @param nchunk The index of the chunk that goes.
 * @param chunk The chunk, as `blosc2_compress_ctx` makes it.
 * @param copy Whether the chunk is copied. If not, it has to come from malloc(), and belongs to the super-chunk from
 *   now on; on error it stays the caller's.
 * @return How many chunks there are; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such
 *   chunk; #BLOSC2_ERROR_CHUNK_UPDATE when the super-chunk does not take such a chunk; otherwise as
 *   `blosc2_schunk_append_chunk`.
 */
BLOSC_EXPORT
int64_t blosc2_schunk_update_chunk(struct blosc2_schunk *schunk,
                                   int64_t nchunk,
                                   uint8_t *chunk,
                                   bool copy);

/**
 * Takes a chunk out.
 *
 * @param schunk The super-chunk.
 * @param nchunk The chunk's index; those after it move by one.
 * @return How many chunks there are now; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such
 *   chunk; #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
 */
BLOSC_EXPORT
int64_t blosc2_schunk_delete_chunk(struct blosc2_schunk *schunk,
                                   int64_t nchunk);

/**
 * Puts the chunks into another order.
 *
 * @param schunk The super-chunk.
 * @param offsets_order As many indices as there are chunks: what was chunk `offsets_order[i]` becomes chunk `i`.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_DATA when not every chunk is named once;
 *   #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
 */
BLOSC_EXPORT
int blosc2_schunk_reorder_offsets(struct blosc2_schunk *schunk,
                                  int64_t *offsets_order);

/**
 * Fills an empty super-chunk with items that are all the same and take next to no room.
 *
 * @param schunk The super-chunk.
 * @param nitems How many items.
 * @param special_value What they are: #BLOSC2_SPECIAL_ZERO, #BLOSC2_SPECIAL_NAN or #BLOSC2_SPECIAL_UNINIT.
 * @param chunksize Bytes of data per chunk.
 * @return How many chunks there are now; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for sizes that make no
 *   chunk; #BLOSC2_ERROR_FRAME_SPECIAL when the super-chunk is not empty; #BLOSC2_ERROR_SCHUNK_SPECIAL or
 *   #BLOSC2_ERROR_FRAME_SPECIAL for another value or too many items.
 */
BLOSC_EXPORT
int64_t blosc2_schunk_fill_special(struct blosc2_schunk *schunk,
                                   int64_t nitems,
                                   int special_value,
                                   int32_t chunksize);

/**
 * Decompresses a chunk.
 *
 * @param schunk The super-chunk.
 * @param nchunk The chunk's index.
 * @param dest Where the data goes.
 * @param nbytes Bytes at `dest`.
 * @return Bytes of data; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such chunk, or, where
 *   there is no frame, when the data does not fit; #BLOSC2_ERROR_WRITE_BUFFER when it does not fit and there is a frame;
 *   #BLOSC2_ERROR_FILE_READ and others when the file cannot be read; and the codes of `blosc2_decompress_ctx`.
 */
BLOSC_EXPORT
int blosc2_schunk_decompress_chunk(struct blosc2_schunk *schunk,
                                   int64_t nchunk,
                                   void *dest,
                                   int32_t nbytes);

/**
 * A chunk as it is, compressed.
 *
 * @param schunk The super-chunk.
 * @param nchunk The chunk's index.
 * @param chunk Set to the chunk.
 * @param needs_free Set to whether the caller frees the chunk. If not, it is where the super-chunk has it, and valid
 *   until that changes.
 * @return Bytes of the chunk; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such chunk;
 *   #BLOSC2_ERROR_FILE_READ and others when the file cannot be read.
 */
BLOSC_EXPORT
int blosc2_schunk_get_chunk(struct blosc2_schunk *schunk,
                            int64_t nchunk,
                            uint8_t **chunk,
                            bool *needs_free);

/**
 * A super-chunk as the bytes of a contiguous frame.
 *
 * @param schunk The super-chunk.
 * @param cframe Set to the frame.
 * @param needs_free Set to whether the caller frees the frame. If not, it is where the super-chunk has it, and valid
 *   until that changes.
 * @return Bytes of the frame; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FILE_READ and others when a chunk cannot be
 *   read; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int64_t blosc2_schunk_to_buffer(struct blosc2_schunk *schunk,
                                uint8_t **cframe,
                                bool *needs_free);

/**
 * Writes a super-chunk to a file, as a contiguous frame.
 *
 * @param schunk The super-chunk.
 * @param urlpath The file. Only a super-chunk that is a contiguous frame in memory replaces one that is there.
 * @return Bytes of the frame; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FILE_OPEN when the file cannot be made or is
 *   there; #BLOSC2_ERROR_FILE_WRITE; #BLOSC2_ERROR_FILE_READ and others when a chunk cannot be read.
 */
BLOSC_EXPORT
int64_t blosc2_schunk_to_file(struct blosc2_schunk *schunk,
                              const char *urlpath);

/**
 * Adds a super-chunk to the end of a file, as a contiguous frame. `blosc2_schunk_open_offset` opens it there.
 *
 * @param schunk The super-chunk.
 * @param urlpath The file; made when it is not there.
 * @return Where the frame starts, in bytes from the start of the file; #BLOSC2_ERROR_NULL_POINTER;
 *   #BLOSC2_ERROR_FILE_OPEN; #BLOSC2_ERROR_FILE_WRITE; #BLOSC2_ERROR_FILE_READ and others when a chunk cannot be read.
 */
BLOSC_EXPORT
int64_t blosc2_schunk_append_file(struct blosc2_schunk *schunk,
                                  const char *urlpath);

/**
 * The length of a super-chunk's frame.
 *
 * @param schunk The super-chunk.
 * @return Bytes of the frame; where chunks are kept each for itself, about as many as a frame would have;
 *   #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT int64_t blosc2_schunk_frame_len(struct blosc2_schunk *schunk);

/**
 * Looks whether somebody else has changed a super-chunk on disk, and brings its fields up to date. Reading chunks does
 * that too.
 *
 * @param schunk The super-chunk.
 * @return 1 when something had changed; 0 when not, and for super-chunks in memory; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int blosc2_schunk_refresh(struct blosc2_schunk *schunk);

/**
 * Makes an empty super-chunk.
 *
 * What the environment says about compression (see `blosc2_create_cctx`) goes before `storage->cparams`. Where
 * BTUNE_TRADEOFF is set, the tuner is BTUNE (#BLOSC_BTUNE), which has to be installed.
 *
 * @param storage Where and how to keep it; copied, with all it points to. Without a path the super-chunk is in memory.
 *   With one, it is a file (contiguous) or a directory (not contiguous) that may not exist yet.
 * @return The super-chunk, for `blosc2_schunk_free`; NULL when there is something at the path already or nothing can be
 *   made there, when parameters make no sense, or memory is short.
 */
BLOSC_EXPORT
struct blosc2_schunk *blosc2_schunk_new(struct blosc2_storage *storage);

/**
 * Copies a super-chunk, with its metalayers, into another storage.
 *
 * @param schunk The super-chunk.
 * @param storage Where and how to keep the copy; as for `blosc2_schunk_new`. Where `cparams` is NULL or describes the
 *   compression that there is already, chunks are copied as they are; otherwise they are compressed anew.
 * @return The copy, for `blosc2_schunk_free`; NULL on error, as `blosc2_schunk_new`, and when a chunk cannot be read.
 */
BLOSC_EXPORT
struct blosc2_schunk *blosc2_schunk_copy(struct blosc2_schunk *schunk,
                                         struct blosc2_storage *storage);

/**
 * Opens a super-chunk on disk. Chunks stay there until they are read. As many threads compress and decompress as
 * `blosc2_get_nthreads` says.
 *
 * @param urlpath The file, or the directory of a sparse frame.
 * @return The super-chunk, for `blosc2_schunk_free`; NULL when there is none or it cannot be read.
 */
BLOSC_EXPORT
struct blosc2_schunk *blosc2_schunk_open(const char *urlpath);

/**
 * Opens a super-chunk that is inside of a file, as `blosc2_schunk_append_file` puts it there.
 *
 * @param urlpath The file.
 * @param offset Where the frame starts, in bytes from the start of the file.
 * @return The super-chunk, for `blosc2_schunk_free`; NULL when there is none or it cannot be read.
 */
BLOSC_EXPORT struct blosc2_schunk *blosc2_schunk_open_offset(const char *urlpath, int64_t offset);

/**
 * Opens a super-chunk on disk through an I/O backend.
 *
 * @param urlpath The file, or the directory of a sparse frame.
 * @param udio The backend and its parameters; copied, but the parameters have to outlive the super-chunk. Its `destroy`
 *   is called with them when the super-chunk is freed, and when it cannot be opened.
 * @return The super-chunk, for `blosc2_schunk_free`; NULL when there is none, it cannot be read, or there is no such
 *   backend.
 */
BLOSC_EXPORT
struct blosc2_schunk *blosc2_schunk_open_udio(const char *urlpath,
                                              const struct blosc2_io *udio);

/**
 * Opens a super-chunk that is inside of a file through an I/O backend.
 *
 * @param urlpath The file.
 * @param offset Where the frame starts, in bytes from the start of the file.
 * @param udio The backend and its parameters, as for `blosc2_schunk_open_udio`.
 * @return The super-chunk, for `blosc2_schunk_free`; NULL when there is none, it cannot be read, or there is no such
 *   backend.
 */
BLOSC_EXPORT
struct blosc2_schunk *blosc2_schunk_open_offset_udio(const char *urlpath,
                                                     int64_t offset,
                                                     const struct blosc2_io *udio);

/**
 * Makes a super-chunk of the bytes of a contiguous frame, as `blosc2_schunk_to_buffer` gives them.
 *
 * @param cframe The frame.
 * @param len Its bytes.
 * @param copy Whether the chunks are copied. If not, the super-chunk lives in the bytes given. They stay the caller's,
 *   who frees them after the super-chunk, unless `blosc2_schunk_avoid_cframe_free` passes them on to it.
 * @return The super-chunk, for `blosc2_schunk_free`; NULL when the bytes are no such frame.
 */
BLOSC_EXPORT
struct blosc2_schunk *blosc2_schunk_from_buffer(uint8_t *cframe,
                                                int64_t len,
                                                bool copy);

/**
 * Says who frees the bytes of a contiguous frame in memory.
 *
 * @param schunk A super-chunk; with one of another kind, or NULL, nothing happens.
 * @param avoid_cframe_free Whether the bytes stay when the super-chunk is freed, and are the caller's to free; if not,
 *   they have to come from malloc(), and go with it. As long
 *   as they are, the super-chunk does not change them: its first change makes a copy.
 */
BLOSC_EXPORT
void blosc2_schunk_avoid_cframe_free(struct blosc2_schunk *schunk,
                                     bool avoid_cframe_free);

/**
 * Frees a super-chunk and all that belongs to it: its contexts, metalayers and storage, and what is in memory of its
 * chunks. What is on disk stays.
 *
 * @param schunk The super-chunk.
 * @return 0; 1 when the I/O backend reports an error on freeing its parameters; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int blosc2_schunk_free(struct blosc2_schunk *schunk);

/**
 * Where the chunks of a super-chunk's frame are.
 *
 * @param schunk The super-chunk.
 * @return As many numbers as there are chunks, which the caller frees: bytes from the end of the frame's header; in a sparse
 *   frame, the number of the chunk's file; negative for a chunk that is not stored because all its items are the same.
 *   NULL when there is no frame, or its index cannot be read.
 */
BLOSC_EXPORT
int64_t *blosc2_frame_get_offsets(struct blosc2_schunk *schunk);

/**
 * A chunk whose data stays on disk until it is decompressed: with a context of the super-chunk's (`schunk->dctx`), only
 * the blocks that are needed are read. A chunk in memory, or one whose items are all the same, comes whole.
 *
 * @param schunk The super-chunk.
 * @param nchunk The chunk's index.
 * @param chunk Set to the chunk. A lazy chunk is good until the super-chunk changes.
 * @param needs_free Set to whether the caller frees the chunk. If not, it is where the super-chunk has it, and valid
 *   until that changes.
 * @return Bytes at `chunk`, which of a lazy chunk are not those that its header tells; #BLOSC2_ERROR_NULL_POINTER;
 *   #BLOSC2_ERROR_INVALID_PARAM when there is no such chunk; #BLOSC2_ERROR_FILE_READ and others when the file cannot be
 *   read.
 */
BLOSC_EXPORT
int blosc2_schunk_get_lazychunk(struct blosc2_schunk *schunk,
                                int64_t nchunk,
                                uint8_t **chunk,
                                bool *needs_free);

/**
 * Decompresses one block of a chunk whose blocks have lengths of their own, as `blosc2_vlcompress_ctx` makes them. No other
 * block is read.
 *
 * @param schunk The super-chunk.
 * @param nchunk The chunk's index.
 * @param nblock The block, from 0.
 * @param dest Set to the block's data, which the caller frees.
 * @param destsize Set to its bytes.
 * @return Bytes of the block; #BLOSC2_ERROR_INVALID_PARAM when there is no such chunk or block, the chunk is not one of
 *   these, or a pointer is NULL; #BLOSC2_ERROR_FILE_READ and others when the file cannot be read; and the codes of
 *   `blosc2_decompress_ctx`.
 */
BLOSC_EXPORT
int blosc2_schunk_get_vlblock(struct blosc2_schunk *schunk,
                              int64_t nchunk,
                              int32_t nblock,
                              uint8_t **dest,
                              int32_t *destsize);

/**
 * Takes a super-chunk's lock, so that several operations are one for everybody else who uses the lock: they wait until
 * `blosc2_schunk_unlock`. The lock can be taken again by the same handle, and is free after as many unlocks. Without
 * locking (see #blosc2_stdio_params), and in memory, nothing happens.
 *
 * @param schunk The super-chunk.
 * @return 0; #BLOSC2_ERROR_LOCK when the lock file cannot be made or locked; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int blosc2_schunk_lock(struct blosc2_schunk *schunk);

/**
 * Gives back a super-chunk's lock.
 *
 * @param schunk The super-chunk.
 * @return 0, also when it was not locked; #BLOSC2_ERROR_LOCK when the system refuses; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int blosc2_schunk_unlock(struct blosc2_schunk *schunk);

/**
 * Adds a fixed metalayer. A frame takes fixed metalayers only as long as it has no chunks, because they come first.
 *
 * @param schunk The super-chunk.
 * @param name The metalayer's name, of at most #BLOSC2_METALAYER_NAME_MAXLEN bytes.
 * @param content Its content; copied.
 * @param content_len Bytes of the content.
 * @return The metalayer's index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is one of
 *   that name, or #BLOSC2_MAX_METALAYERS, when the name is too long, the frame has chunks, or it is a view;
 *   #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
 */
BLOSC_EXPORT
int blosc2_meta_add(struct blosc2_schunk *schunk,
                    const char *name,
                    uint8_t *content,
                    int32_t content_len);

/**
 * Overwrites the content of a fixed metalayer.
 *
 * @param schunk The super-chunk.
 * @param name The metalayer's name.
 * @param content The new content; copied.
 * @param content_len Its bytes: no more than there are now. When it is less, the rest stays as it is.
 * @return The metalayer's index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_NOT_FOUND when there is none of that
 *   name; #BLOSC2_ERROR_INVALID_PARAM when the content is too long or it is a view; #BLOSC2_ERROR_FILE_WRITE and others when the file
 *   cannot be written.
 */
BLOSC_EXPORT
int blosc2_meta_update(struct blosc2_schunk *schunk,
                       const char *name,
                       uint8_t *content,
                       int32_t content_len);

/**
 * Finds a variable-length metalayer.
 *
 * @param schunk The super-chunk.
 * @param name The metalayer's name.
 * @return Its index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_NOT_FOUND when there is none of that name;
 *   #BLOSC2_ERROR_INVALID_PARAM when the name is too long.
 */
BLOSC_EXPORT
int blosc2_vlmeta_exists(struct blosc2_schunk *schunk,
                         const char *name);

/**
 * Adds a variable-length metalayer: one whose content may change its length, at any time.
 *
 * @param schunk The super-chunk.
 * @param name The metalayer's name, of at most #BLOSC2_VLMETALAYERS_NAME_MAXLEN bytes.
 * @param content Its content; copied and compressed.
 * @param content_len Bytes of the content.
 * @param cparams How to compress it; NULL for #BLOSC2_CPARAMS_DEFAULTS.
 * @return The metalayer's index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is one of
 *   that name, or #BLOSC2_MAX_VLMETALAYERS, or the name is too long; the codes of `blosc2_compress_ctx`;
 *   #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
 */
BLOSC_EXPORT
int blosc2_vlmeta_add(struct blosc2_schunk *schunk,
                      const char *name,
                      uint8_t *content,
                      int32_t content_len,
                      struct blosc2_cparams *cparams);

/**
 * Replaces the content of a variable-length metalayer.
 *
 * @param schunk The super-chunk.
 * @param name The metalayer's name.
 * @param content The new content; copied and compressed.
 * @param content_len Bytes of the content.
 * @param cparams How to compress it; NULL for #BLOSC2_CPARAMS_DEFAULTS.
 * @return The metalayer's index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_NOT_FOUND when there is none of that
 *   name; the codes of `blosc2_compress_ctx`; #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
 */
BLOSC_EXPORT
int blosc2_vlmeta_update(struct blosc2_schunk *schunk,
                         const char *name,
                         uint8_t *content,
                         int32_t content_len,
                         struct blosc2_cparams *cparams);

/**
 * Copies the content of a variable-length metalayer.
 *
 * @param schunk The super-chunk.
 * @param name The metalayer's name.
 * @param content Set to a copy that the caller frees; to NULL when the content is empty.
 * @param content_len Set to the bytes of the content.
 * @return The metalayer's index, from 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_NOT_FOUND when there is none of that
 *   name; #BLOSC2_ERROR_DATA or #BLOSC2_ERROR_READ_BUFFER when it is damaged; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int blosc2_vlmeta_get(struct blosc2_schunk *schunk,
                      const char *name,
                      uint8_t **content,
                      int32_t *content_len);

/**
 * Removes a variable-length metalayer.
 *
 * @param schunk The super-chunk.
 * @param name The metalayer's name.
 * @return How many variable-length metalayers are left; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_NOT_FOUND when there
 *   is none of that name; #BLOSC2_ERROR_FILE_WRITE and others when the file cannot be written.
 */
BLOSC_EXPORT
int blosc2_vlmeta_delete(struct blosc2_schunk *schunk,
                         const char *name);

/**
 * The names of the variable-length metalayers.
 *
 * @param schunk The super-chunk.
 * @param names Room for `schunk->nvlmetalayers` pointers; set to the names, which are the super-chunk's, and valid until
 *   its metalayers change.
 * @return How many there are; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int blosc2_vlmeta_get_names(struct blosc2_schunk *schunk,
                            char **names);

/**
 * How a super-chunk compresses what is appended.
 *
 * @param schunk The super-chunk.
 * @param cparams Set to the parameters, which the caller frees. Prefilter, tuner and what belongs to them are not in
 *   them.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int blosc2_schunk_get_cparams(struct blosc2_schunk *schunk,
                              struct blosc2_cparams **cparams);

/**
 * How a super-chunk decompresses what is read.
 *
 * @param schunk The super-chunk.
 * @param dparams Set to the parameters, which the caller frees. The postfilter is not in them.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT int blosc2_schunk_get_dparams(struct blosc2_schunk *schunk, struct blosc2_dparams **dparams);

/**
 * Copies items of a super-chunk into a buffer. Of chunks that are only partly asked for, only the blocks that are needed
 * are decompressed.
 *
 * @param schunk The super-chunk; all its chunks have one size.
 * @param start The first item.
 * @param stop The item after the last one.
 * @param buffer Where the items go; has to have room for all of them.
 * @return 0, also for no items; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when there are no such items, or chunks vary
 *   in size; otherwise the codes of `blosc2_schunk_decompress_chunk`.
 */
BLOSC_EXPORT
int blosc2_schunk_get_slice_buffer(struct blosc2_schunk *schunk,
                                   int64_t start,
                                   int64_t stop,
                                   void *buffer);

/**
 * Puts items in the place of others. Chunks that are covered whole are not decompressed first.
 *
 * @param schunk The super-chunk; all its chunks have one size.
 * @param start The first item that is replaced.
 * @param stop The item after the last one.
 * @param buffer The new items.
 * @return 0, also for no items; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when there are no such items, or chunks vary
 *   in size; otherwise the codes of `blosc2_schunk_update_chunk`. On error, chunks at the front may have been replaced.
 */
BLOSC_EXPORT
int blosc2_schunk_set_slice_buffer(struct blosc2_schunk *schunk,
                                   int64_t start,
                                   int64_t stop,
                                   void *buffer);

/**
 * Copies scattered items of a super-chunk into a buffer. Each block that has some of them is decompressed once.
 *
 * @param schunk The super-chunk; all its chunks have one size.
 * @param ncoords How many items.
 * @param coords The items' numbers, in any order; they may repeat.
 * @param buffer Where the items go, in the order of their numbers.
 * @return 0; #BLOSC2_ERROR_INVALID_PARAM when there is no such item, chunks or blocks vary in size, or a pointer is NULL;
 *   otherwise the codes of `blosc2_schunk_decompress_chunk`.
 */
BLOSC_EXPORT
int blosc2_schunk_get_sparse_buffer(struct blosc2_schunk *schunk,
                                    int64_t ncoords,
                                    const int64_t *coords,
                                    void *buffer);

/**
 * Which chunks a slice is in.
 *
 * @param schunk The super-chunk, with an n-dimensional array in it or not.
 * @param start The first item; with an array, the first index along each dimension.
 * @param stop The item after the last one; with an array, the index after the last one along each dimension.
 * @param chunks_idx Set to the chunks' indices, ascending, which the caller frees; to NULL when there are no chunks.
 * @return How many chunks; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for a slice that makes no sense, or when
 *   chunks vary in size; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int64_t blosc2_get_slice_nchunks(struct blosc2_schunk *schunk,
                                 int64_t *start,
                                 int64_t *stop,
                                 int64_t **chunks_idx);

/**
 * How many threads functions without a context use.
 *
 * @return Threads, the calling one included. 1 unless set.
 */
BLOSC_EXPORT int16_t blosc2_get_nthreads(void);

/**
 * Sets how many threads functions without a context use.
 *
 * @param nthreads Threads, the calling one included; at least 1.
 * @return How many it were before; #BLOSC2_ERROR_INVALID_PARAM.
 */
BLOSC_EXPORT int16_t blosc2_set_nthreads(int16_t nthreads);

/**
 * The codec that functions without a context compress with.
 *
 * @return Its name, neither to be changed nor freed. "blosclz" unless set; NULL after a name that is none was set.
 */
BLOSC_EXPORT
const char *blosc1_get_compressor(void);

/**
 * Sets the codec that functions without a context compress with.
 *
 * @param compname Its name: "blosclz", "lz4", "lz4hc", "zlib" or "zstd".
 * @return Its id; -1 when there is no such codec, and then nothing can be compressed until one is set;
 *   #BLOSC2_ERROR_CODEC_SUPPORT, and nothing changes, for codecs that are not part of the format;
 *   #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT int blosc1_set_compressor(const char *compname);

/**
 * Sets whether functions without a context use the delta filter.
 *
 * @param dodelta 0 for no, anything else for yes. 0 unless set.
 */
BLOSC_EXPORT void blosc2_set_delta(int dodelta);

/**
 * The block size that functions without a context use.
 *
 * @return Bytes; 0, unless set, when it is chosen by the data.
 */
BLOSC_EXPORT int blosc1_get_blocksize(void);

/**
 * Sets the block size that functions without a context use.
 *
 * @param blocksize Bytes; 0 to have it chosen by the data. Is cut to #BLOSC2_MAXBLOCKSIZE.
 */
BLOSC_EXPORT void blosc1_set_blocksize(size_t blocksize);

/**
 * Sets the split mode that functions without a context use.
 *
 * @param splitmode `BLOSC_ALWAYS_SPLIT`, `BLOSC_NEVER_SPLIT`, `BLOSC_AUTO_SPLIT` or `BLOSC_FORWARD_COMPAT_SPLIT`
 *   (unless set, and for any other number).
 */
BLOSC_EXPORT
void blosc1_set_splitmode(int splitmode);

/**
 * Shuffles the bytes of a block: all first bytes of the items, then all second bytes, and so on. Bytes after the last
 * whole item are copied.
 *
 * @param typesize Bytes per item, from 1 to 256.
 * @param blocksize Bytes of the block.
 * @param src The block.
 * @param dest Room for `blocksize` bytes; may not overlap `src`.
 * @return `blocksize`; #BLOSC2_ERROR_INVALID_PARAM; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int32_t blosc2_shuffle(int32_t typesize,
                       int32_t blocksize,
                       const void *src,
                       void *dest);

/**
 * Undoes `blosc2_shuffle`.
 *
 * @param typesize Bytes per item, from 1 to 256.
 * @param blocksize Bytes of the block.
 * @param src The shuffled block.
 * @param dest Room for `blocksize` bytes; may not overlap `src`.
 * @return `blocksize`; #BLOSC2_ERROR_INVALID_PARAM; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT int32_t blosc2_unshuffle(int32_t typesize, int32_t blocksize, const void *src, void *dest);

/**
 * Shuffles the bits of a block: all lowest bits of the items' first bytes, then the next bits, and so on. Only whole
 * groups of eight items are shuffled; the bytes after them are copied.
 *
 * @param typesize Bytes per item, from 1 to 256.
 * @param blocksize Bytes of the block.
 * @param src The block.
 * @param dest Room for `blocksize` bytes; may not overlap `src`.
 * @return `blocksize`; #BLOSC2_ERROR_INVALID_PARAM; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT
int32_t blosc2_bitshuffle(int32_t typesize,
                          int32_t blocksize,
                          const void *src,
                          void *dest);

/**
 * Undoes `blosc2_bitshuffle`.
 *
 * @param typesize Bytes per item, from 1 to 256.
 * @param blocksize Bytes of the block.
 * @param src The shuffled block.
 * @param dest Room for `blocksize` bytes; may not overlap `src`.
 * @return `blocksize`; #BLOSC2_ERROR_INVALID_PARAM; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT int32_t blosc2_bitunshuffle(int32_t typesize, int32_t blocksize, const void *src, void *dest);

/**
 * Makes a chunk whose data is all zero.
 *
 * @param cparams How to compress: the typesize and what decides the block size matter. The environment takes the place
 *   of parameters as in `blosc2_create_cctx`.
 * @param nbytes Bytes of data, a multiple of the typesize.
 * @param dest Where the chunk goes.
 * @param destsize Bytes at `dest`, at least #BLOSC_EXTENDED_HEADER_LENGTH.
 * @return Bytes of the chunk; #BLOSC2_ERROR_DATA when `dest` is too small or `nbytes` no multiple;
 *   #BLOSC2_ERROR_NULL_POINTER when `dest` is NULL or `cparams` make no context; #BLOSC2_ERROR_INVALID_PARAM for a size
 *   that cannot be; otherwise as `blosc2_compress_ctx`.
 */
BLOSC_EXPORT
int blosc2_chunk_zeros(struct blosc2_cparams cparams,
                       int32_t nbytes,
                       void *dest,
                       int32_t destsize);

/**
 * Makes a chunk whose items are all NaN, of 4 or 8 bytes.
 *
 * @param cparams How to compress: the typesize and what decides the block size matter.
 * @param nbytes Bytes of data, a multiple of the typesize.
 * @param dest Where the chunk goes.
 * @param destsize Bytes at `dest`, at least #BLOSC_EXTENDED_HEADER_LENGTH.
 * @return As `blosc2_chunk_zeros`.
 */
BLOSC_EXPORT
int blosc2_chunk_nans(struct blosc2_cparams cparams,
                      int32_t nbytes,
                      void *dest,
                      int32_t destsize);

/**
 * Makes a chunk whose items are all the same.
 *
 * @param cparams How to compress: the typesize and what decides the block size matter.
 * @param nbytes Bytes of data, a multiple of the typesize.
 * @param dest Where the chunk goes.
 * @param destsize Bytes at `dest`, at least #BLOSC_EXTENDED_HEADER_LENGTH and the typesize.
 * @param repeatval The item, of as many bytes as `cparams.typesize` says.
 * @return As `blosc2_chunk_zeros`.
 */
BLOSC_EXPORT
int blosc2_chunk_repeatval(struct blosc2_cparams cparams,
                           int32_t nbytes,
                           void *dest,
                           int32_t destsize,
                           const void *repeatval);

/**
 * Makes a chunk whose data was never set: decompressing it leaves the destination as it is.
 *
 * @param cparams How to compress: the typesize and what decides the block size matter.
 * @param nbytes Bytes of data, a multiple of the typesize.
 * @param dest Where the chunk goes.
 * @param destsize Bytes at `dest`, at least #BLOSC_EXTENDED_HEADER_LENGTH.
 * @return As `blosc2_chunk_zeros`.
 */
BLOSC_EXPORT
int blosc2_chunk_uninit(struct blosc2_cparams cparams,
                        int32_t nbytes,
                        void *dest,
                        int32_t destsize);

/**
 * Has the program's own threads work on chunks, in the place of the library's.
 *
 * To be called before the library works on anything with several threads: work that has begun goes on as it was.
 *
 * @param callback Runs jobs; NULL puts the library's own threads back. It must return only when all jobs are done, may
 *   run them one after the other, and may be called from several threads at once.
 * @param callback_data Passed to `callback`.
 */
BLOSC_EXPORT
void blosc2_set_threads_callback(blosc_threads_callback callback,
                                 void *callback_data);

/**
 * Notes the time, by a clock that never goes back.
 *
 * @param timestamp Set to now. With NULL, nothing happens.
 */
BLOSC_EXPORT void blosc_set_timestamp(blosc_timestamp_t *timestamp);

/**
 * The time between two time stamps.
 *
 * @param start_time The earlier.
 * @param end_time The later.
 * @return Nanoseconds.
 */
BLOSC_EXPORT double blosc_elapsed_nsecs(blosc_timestamp_t start_time, blosc_timestamp_t end_time);

/**
 * The time between two time stamps.
 *
 * @param start_time The earlier.
 * @param end_time The later.
 * @return Seconds.
 */
BLOSC_EXPORT double blosc_elapsed_secs(blosc_timestamp_t start_time, blosc_timestamp_t end_time);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BLOSC_BLOSC2_H */

/* Defaults and inline functions. */
#include "blosc2/blosc2-inline.h"
