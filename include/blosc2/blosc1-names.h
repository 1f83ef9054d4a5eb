/*
 * oxiblosc2: names that Blosc2 shares with Blosc1.
 *
 * Blosc1's blosc.h defines the constants below as macros. A program that reads both formats includes that header first;
 * its guard BLOSC_H then keeps them from being defined twice. With BLOSC1_COMPAT defined, a program written for Blosc1
 * compiles against Blosc2: its names stand for today's functions.
 *
 * Included by blosc2.h.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_BLOSC1_NAMES_H
#define BLOSC_BLOSC2_BLOSC1_NAMES_H

#ifndef BLOSC_H

/** Sizes. */
enum {
  /** Bytes of a Blosc1 chunk header; enough of a chunk for the functions that only ask about it. */
  BLOSC_MIN_HEADER_LENGTH = 16,
  /** The largest typesize that a chunk can say. Data of larger items is compressed as bytes. */
  BLOSC_MAX_TYPESIZE = 255
};

/** Filters, for `blosc2_cparams.filters`. */
enum {
  /** No filter, in Blosc1's words. */
  BLOSC_NOSHUFFLE = 0,
  /** No filter. */
  BLOSC_NOFILTER = 0,
  /** Bytes of equal significance next to each other. The parameter is the number of bytes per item; 0 stands for the
   *  typesize. */
  BLOSC_SHUFFLE = 1,
  /** Bits of equal significance next to each other. Takes no parameter. */
  BLOSC_BITSHUFFLE = 2
};

/** Bits of the flags that blosc1_cbuffer_metainfo() gives. */
enum {
  /** Bytes were shuffled. */
  BLOSC_DOSHUFFLE = 0x1,
  /** The chunk is the data itself behind a header. */
  BLOSC_MEMCPYED = 0x2,
  /** Bits were shuffled. */
  BLOSC_DOBITSHUFFLE = 0x4
};

/** Codecs, for `blosc2_cparams.compcode`. */
enum {
  /** BloscLZ: fast, the default. */
  BLOSC_BLOSCLZ = 0,
  /** LZ4: the fastest. */
  BLOSC_LZ4 = 1,
  /** LZ4HC: LZ4's format, compressed slower and smaller, decompressed as fast. */
  BLOSC_LZ4HC = 2,
  /** Zlib. */
  BLOSC_ZLIB = 4,
  /** Zstandard: the smallest. */
  BLOSC_ZSTD = 5
};

/* Names of the codecs, as blosc2_compname_to_compcode() takes them. */
#define BLOSC_BLOSCLZ_COMPNAME "blosclz"
#define BLOSC_LZ4_COMPNAME "lz4"
#define BLOSC_LZ4HC_COMPNAME "lz4hc"
#define BLOSC_ZLIB_COMPNAME "zlib"
#define BLOSC_ZSTD_COMPNAME "zstd"

/** Libraries that the codecs come from. */
enum {
  /** BloscLZ. */
  BLOSC_BLOSCLZ_LIB = 0,
  /** LZ4 and LZ4HC. */
  BLOSC_LZ4_LIB = 1,
  /** Zlib. */
  BLOSC_ZLIB_LIB = 3,
  /** Zstandard. */
  BLOSC_ZSTD_LIB = 4
};

/* Names of the libraries, as blosc2_cbuffer_complib() gives them. */
#define BLOSC_BLOSCLZ_LIBNAME "BloscLZ"
#define BLOSC_LZ4_LIBNAME "LZ4"
#define BLOSC_ZLIB_LIBNAME "Zlib"
#define BLOSC_ZSTD_LIBNAME "Zstd"

/** Formats of compressed streams: the upper three bits of a chunk's flags. */
enum {
  /** BloscLZ. */
  BLOSC_BLOSCLZ_FORMAT = 0,
  /** LZ4. */
  BLOSC_LZ4_FORMAT = 1,
  /** LZ4HC: the same as LZ4. */
  BLOSC_LZ4HC_FORMAT = 1,
  /** Zlib. */
  BLOSC_ZLIB_FORMAT = 3,
  /** Zstandard. */
  BLOSC_ZSTD_FORMAT = 4
};

/** Versions of those formats: the second byte of a chunk. */
enum {
  /** BloscLZ. */
  BLOSC_BLOSCLZ_VERSION_FORMAT = 1,
  /** LZ4. */
  BLOSC_LZ4_VERSION_FORMAT = 1,
  /** LZ4HC. */
  BLOSC_LZ4HC_VERSION_FORMAT = 1,
  /** Zlib. */
  BLOSC_ZLIB_VERSION_FORMAT = 1,
  /** Zstandard. */
  BLOSC_ZSTD_VERSION_FORMAT = 1
};

/** Split modes: whether a block is compressed as one stream, or as one stream per byte of an item. */
enum {
  /** One stream per byte of an item. */
  BLOSC_ALWAYS_SPLIT = 1,
  /** One stream. */
  BLOSC_NEVER_SPLIT = 2,
  /** What tends to pay with the codec, filters and level. */
  BLOSC_AUTO_SPLIT = 3,
  /** What every release of Blosc can read; the default. */
  BLOSC_FORWARD_COMPAT_SPLIT = 4
};

#endif /* BLOSC_H */

#ifdef BLOSC1_COMPAT
  #define BLOSC_VERSION_MAJOR BLOSC2_VERSION_MAJOR
  #define BLOSC_VERSION_MINOR BLOSC2_VERSION_MINOR
  #define BLOSC_VERSION_RELEASE BLOSC2_VERSION_RELEASE
  #define BLOSC_VERSION_STRING BLOSC2_VERSION_STRING
  #define BLOSC_VERSION_DATE BLOSC2_VERSION_DATE
  #define BLOSC_MAX_OVERHEAD BLOSC2_MAX_OVERHEAD
  #define BLOSC_MAX_BUFFERSIZE BLOSC2_MAX_BUFFERSIZE

  #define blosc_init blosc2_init
  #define blosc_destroy blosc2_destroy
  #define blosc_free_resources blosc2_free_resources
  #define blosc_get_nthreads blosc2_get_nthreads
  #define blosc_set_nthreads blosc2_set_nthreads
  #define blosc_get_version_string blosc2_get_version_string
  #define blosc_list_compressors blosc2_list_compressors
  #define blosc_compcode_to_compname blosc2_compcode_to_compname
  #define blosc_compname_to_compcode blosc2_compname_to_compcode
  #define blosc_get_complib_info blosc2_get_complib_info
  #define blosc_cbuffer_versions blosc2_cbuffer_versions
  #define blosc_cbuffer_complib blosc2_cbuffer_complib

  #define blosc_compress blosc1_compress
  #define blosc_decompress blosc1_decompress
  #define blosc_getitem blosc1_getitem
  #define blosc_get_compressor blosc1_get_compressor
  #define blosc_set_compressor blosc1_set_compressor
  #define blosc_get_blocksize blosc1_get_blocksize
  #define blosc_set_blocksize blosc1_set_blocksize
  #define blosc_set_splitmode blosc1_set_splitmode
  #define blosc_cbuffer_sizes blosc1_cbuffer_sizes
  #define blosc_cbuffer_validate blosc1_cbuffer_validate
  #define blosc_cbuffer_metainfo blosc1_cbuffer_metainfo
#endif

#endif /* BLOSC_BLOSC2_BLOSC1_NAMES_H */
