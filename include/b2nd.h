/*
 * oxiblosc2: n-dimensional arrays of Blosc2 for C and C++, interface level 3.3.5.
 *
 * An array is cut into chunks, each of them compressed, and chunks into blocks, the least that is decompressed to read a
 * slice. A description of how to make an array (b2nd_create_ctx()) gives arrays (b2nd_zeros(), b2nd_from_cbuffer()),
 * which are read and changed by slices (b2nd_get_slice_cbuffer(), b2nd_set_slice_cbuffer()).
 *
 * A function that returns a number returns a negative one when it fails: a code of #blosc2_error.
 *
 * Generated from the library's sources; changes belong there.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_B2ND_H
#define BLOSC_B2ND_H

#include "blosc2.h"

/* What compilers say about functions that have a better successor. */
#if defined(_MSC_VER)
  #define B2ND_DEPRECATED(msg) __declspec(deprecated(msg))
#elif defined(__GNUC__) || defined(__clang__)
  #define B2ND_DEPRECATED(msg) __attribute__((deprecated(msg)))
#else
  #define B2ND_DEPRECATED(msg)
#endif

/** How to make an array: shapes, dtype, storage, metalayers. Made by b2nd_create_ctx(). */
typedef struct b2nd_context_s b2nd_context_t;


/**
 * Version of the `b2nd` metalayer's format, at most 127.
 */
#define B2ND_METALAYER_VERSION 0

/**
 * Most dimensions of an array.
 */
#define B2ND_MAX_DIM 16

/**
 * Metalayers that an array can have beside its own.
 */
#define B2ND_MAX_METALAYERS 15

/**
 * The dtype is written as NumPy writes it.
 */
#define DTYPE_NUMPY_FORMAT 0

/**
 * The format of a dtype when none is given.
 */
#define B2ND_DEFAULT_DTYPE_FORMAT 0

/**
 * A place for one decompressed chunk. The library does not use it: threads that read an array share no state.
 */
typedef struct chunk_cache_s {
  /**
   * The chunk's data, or NULL.
   */
  uint8_t *data;
  /**
   * Which chunk it is; -1 for none.
   */
  int64_t nchunk;
} chunk_cache_s;

/**
 * An n-dimensional array in a super-chunk. Chunks and blocks are boxes of items; at the array's edges they are padded
 * with zeros to their full shape. Strides count items, in C order: the last dimension is the densest. Fields from
 * `ndim` on are 1, or 0 for strides. The fields are the library's to write and everybody's to read.
 */
typedef struct b2nd_array_t {
  /**
   * The super-chunk that holds the array; freed with it.
   */
  blosc2_schunk *sc;
  /**
   * Items along each dimension.
   */
  int64_t shape[B2ND_MAX_DIM];
  /**
   * Items of a chunk along each dimension.
   */
  int32_t chunkshape[B2ND_MAX_DIM];
  /**
   * The shape, padded to whole chunks.
   */
  int64_t extshape[B2ND_MAX_DIM];
  /**
   * Items of a block along each dimension.
   */
  int32_t blockshape[B2ND_MAX_DIM];
  /**
   * The shape of a chunk, padded to whole blocks.
   */
  int64_t extchunkshape[B2ND_MAX_DIM];
  /**
   * Items of the array.
   */
  int64_t nitems;
  /**
   * Items of a chunk.
   */
  int32_t chunknitems;
  /**
   * Items of the array, padded to whole chunks.
   */
  int64_t extnitems;
  /**
   * Items of a block.
   */
  int32_t blocknitems;
  /**
   * Items of a chunk, padded to whole blocks.
   */
  int64_t extchunknitems;
  /**
   * How many dimensions, from 0 to #B2ND_MAX_DIM.
   */
  int8_t ndim;
  /**
   * Not used.
   */
  struct chunk_cache_s chunk_cache;
  /**
   * Items from one index of a dimension to the next, in the array.
   */
  int64_t item_array_strides[B2ND_MAX_DIM];
  /**
   * Items from one index of a dimension to the next, in a chunk.
   */
  int64_t item_chunk_strides[B2ND_MAX_DIM];
  /**
   * Items from one index of a dimension to the next, in a chunk padded to whole blocks.
   */
  int64_t item_extchunk_strides[B2ND_MAX_DIM];
  /**
   * Items from one index of a dimension to the next, in a block.
   */
  int64_t item_block_strides[B2ND_MAX_DIM];
  /**
   * Blocks from one block of a dimension to the next, in a chunk.
   */
  int64_t block_chunk_strides[B2ND_MAX_DIM];
  /**
   * Chunks from one chunk of a dimension to the next, in the array.
   */
  int64_t chunk_array_strides[B2ND_MAX_DIM];
  /**
   * What an item is, in words that `dtype_format` defines; not NULL.
   */
  char *dtype;
  /**
   * How `dtype` is written: #DTYPE_NUMPY_FORMAT, or a program's own number up to 127.
   */
  int8_t dtype_format;
  /**
   * The super-chunk's `change_tick` that these fields belong to.
   */
  int64_t last_tick;
} b2nd_array_t;

#endif  /* BLOSC_B2ND_H */

/* Inline functions. */
#include "blosc2/b2nd-inline.h"
