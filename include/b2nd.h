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

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Copies a box of items from one buffer in C order to another.
 *
 * @param ndim How many dimensions both buffers have, from 0 to #B2ND_MAX_DIM.
 * @param itemsize Bytes per item.
 * @param src The buffer that the items are in.
 * @param src_pad_shape Items of it along each dimension.
 * @param src_start The first index of the box along each dimension.
 * @param src_stop The index after the last one along each dimension.
 * @param dst The buffer that the items go to. It may be the same; then the boxes should not overlap.
 * @param dst_pad_shape Items of it along each dimension.
 * @param dst_start Where the box goes.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the box is not inside both buffers' shapes.
 */
BLOSC_EXPORT
int b2nd_copy_buffer2(int8_t ndim,
                      int32_t itemsize,
                      const void *src,
                      const int64_t *src_pad_shape,
                      const int64_t *src_start,
                      const int64_t *src_stop,
                      void *dst,
                      const int64_t *dst_pad_shape,
                      const int64_t *dst_start);

/**
 * Copies a box of items from one buffer in C order to another. For items of up to 255 bytes; otherwise as
 * `b2nd_copy_buffer2`.
 *
 * @param ndim How many dimensions both buffers have, from 0 to #B2ND_MAX_DIM.
 * @param itemsize Bytes per item.
 * @param src The buffer that the items are in.
 * @param src_pad_shape Items of it along each dimension.
 * @param src_start The first index of the box along each dimension.
 * @param src_stop The index after the last one along each dimension.
 * @param dst The buffer that the items go to.
 * @param dst_pad_shape Items of it along each dimension.
 * @param dst_start Where the box goes.
 * @return As `b2nd_copy_buffer2`.
 */
BLOSC_EXPORT
B2ND_DEPRECATED("Use b2nd_copy_buffer2 instead.")
int b2nd_copy_buffer(int8_t ndim,
                     uint8_t itemsize,
                     const void *src,
                     const int64_t *src_pad_shape,
                     const int64_t *src_start,
                     const int64_t *src_stop,
                     void *dst,
                     const int64_t *dst_pad_shape,
                     const int64_t *dst_start);

/**
 * Describes an array that is to be made.
 *
 * @param b2_storage Where and how to keep its super-chunk; copied, with all it points to. The items' size is
 *   `cparams->typesize`; `cparams->blocksize` follows from the block shape. NULL for #BLOSC2_STORAGE_DEFAULTS.
 * @param ndim How many dimensions, from 0 to #B2ND_MAX_DIM.
 * @param shape Items along each dimension; `ndim` numbers, 0 or more.
 * @param chunkshape Items of a chunk along each dimension.
 * @param blockshape Items of a block along each dimension.
 * @param dtype What an item is; copied. NULL for bytes without a meaning: "|S8" for items of 8 bytes.
 * @param dtype_format How the dtype is written: #DTYPE_NUMPY_FORMAT, or a program's own number up to 127.
 * @param metalayers Metalayers that the array is to have; `nmetalayers` of them. What they point to is not copied, and
 *   has to live as long as the context is used.
 * @param nmetalayers How many metalayers, at most #B2ND_MAX_METALAYERS.
 * @return The description, for `b2nd_free_ctx`; NULL when something of it cannot be, or memory is short.
 */
BLOSC_EXPORT
b2nd_context_t *b2nd_create_ctx(const blosc2_storage *b2_storage,
                                int8_t ndim,
                                const int64_t *shape,
                                const int32_t *chunkshape,
                                const int32_t *blockshape,
                                const char *dtype,
                                int8_t dtype_format,
                                const blosc2_metalayer *metalayers,
                                int32_t nmetalayers);

/**
 * Frees the description of an array. Arrays made from it stay.
 *
 * @param ctx The description.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT int b2nd_free_ctx(b2nd_context_t *ctx);

/**
 * An array as the bytes of a contiguous frame.
 *
 * @param array The array.
 * @param cframe Set to the frame.
 * @param cframe_len Set to its bytes.
 * @param needs_free Set to whether the caller frees the frame. If not, it is where the array has it, and valid until
 *   that changes.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when a chunk cannot be read, or memory is short.
 */
BLOSC_EXPORT
int b2nd_to_cframe(const struct b2nd_array_t *array,
                   uint8_t **cframe,
                   int64_t *cframe_len,
                   bool *needs_free);

/**
 * Writes a copy of an array to disk: as a file where its super-chunk is contiguous, as a directory where not.
 *
 * @param array The array.
 * @param urlpath Where to write; there may be nothing yet.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when there is something already, nothing can be made
 *   there, or a chunk cannot be read.
 */
BLOSC_EXPORT
int b2nd_save(const struct b2nd_array_t *array,
              char *urlpath);

/**
 * Adds an array to the end of a file, as a contiguous frame. `b2nd_open_offset` opens it there.
 *
 * @param array The array.
 * @param urlpath The file; made when it is not there.
 * @return Where the frame starts, in bytes from the start of the file; and as `blosc2_schunk_append_file`.
 */
BLOSC_EXPORT int64_t b2nd_save_append(const struct b2nd_array_t *array, const char *urlpath);

/**
 * Looks whether another handle has changed the shape of an array on disk, and brings the array's fields up to date.
 * Reading and writing slices does that too.
 *
 * @param array The array.
 * @return 1 when the shape had changed; 0 when not, and for arrays in memory; #BLOSC2_ERROR_NULL_POINTER;
 *   #BLOSC2_ERROR_DATA when the array has another number of dimensions, or other chunks or blocks, than before.
 */
BLOSC_EXPORT
int b2nd_refresh(struct b2nd_array_t *array);

/**
 * Makes an array that was never written. Until it is, it reads as anything (as zeros, now).
 *
 * @param ctx How to make it.
 * @param array Set to the array, for `b2nd_free`.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for shapes or a typesize that cannot be;
 *   #BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED when a chunk would be too large; #BLOSC2_ERROR_FAILURE when there is something
 *   at the path already, or nothing can be made there, or a metalayer is refused.
 */
BLOSC_EXPORT
int b2nd_uninit(b2nd_context_t *ctx,
                struct b2nd_array_t **array);

/**
 * Makes an array to be written. Until it is, it reads as zeros.
 *
 * @param ctx How to make it.
 * @param array Set to the array, for `b2nd_free`.
 * @return As `b2nd_uninit`.
 */
BLOSC_EXPORT int b2nd_empty(b2nd_context_t *ctx, struct b2nd_array_t **array);

/**
 * Makes an array of zeros, which take no room.
 *
 * @param ctx How to make it.
 * @param array Set to the array, for `b2nd_free`.
 * @return As `b2nd_uninit`.
 */
BLOSC_EXPORT int b2nd_zeros(b2nd_context_t *ctx, struct b2nd_array_t **array);

/**
 * Makes an array of NaN, which take no room.
 *
 * @param ctx How to make it; items of 4 bytes are floats, of 8 bytes doubles.
 * @param array Set to the array, for `b2nd_free`.
 * @return #BLOSC2_ERROR_DATA for items of another size; otherwise as `b2nd_uninit`.
 */
BLOSC_EXPORT int b2nd_nans(b2nd_context_t *ctx, struct b2nd_array_t **array);

/**
 * Makes an array of one value, which takes next to no room.
 *
 * @param ctx How to make it.
 * @param array Set to the array, for `b2nd_free`.
 * @param fill_value The value, one item.
 * @return As `b2nd_uninit`.
 */
BLOSC_EXPORT int b2nd_full(b2nd_context_t *ctx, struct b2nd_array_t **array, const void *fill_value);

/**
 * Makes an array of the items in a buffer.
 *
 * @param ctx How to make it.
 * @param array Set to the array, for `b2nd_free`.
 * @param buffer The items, in C order.
 * @param buffersize Bytes at `buffer`; at least as many as the array has.
 * @return #BLOSC2_ERROR_INVALID_PARAM also when the buffer is too small; the codes of `blosc2_compress_ctx`;
 *   otherwise as `b2nd_uninit`.
 */
BLOSC_EXPORT
int b2nd_from_cbuffer(b2nd_context_t *ctx,
                      struct b2nd_array_t **array,
                      const void *buffer,
                      int64_t buffersize);

/**
 * Makes an array of the super-chunk that holds it.
 *
 * @param schunk The super-chunk. It belongs to the array from now on and is freed with it; on error it stays the
 *   caller's.
 * @param array Set to the array, for `b2nd_free`.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_METALAYER_NOT_FOUND when there is no array in it;
 *   #BLOSC2_ERROR_FAILURE or #BLOSC2_ERROR_INVALID_PARAM when its metalayer makes no sense.
 */
BLOSC_EXPORT
int b2nd_from_schunk(blosc2_schunk *schunk,
                     struct b2nd_array_t **array);

/**
 * Makes an array of the bytes of a contiguous frame, as `b2nd_to_cframe` gives them.
 *
 * @param cframe The frame.
 * @param cframe_len Its bytes.
 * @param copy Whether the chunks are copied. If not, the array lives in the bytes given. They stay the caller's, who
 *   frees them after the array, unless `blosc2_schunk_avoid_cframe_free` passes them on to its super-chunk.
 * @param array Set to the array, for `b2nd_free`.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when the bytes are no such frame; otherwise as
 *   `b2nd_from_schunk`.
 */
BLOSC_EXPORT
int b2nd_from_cframe(uint8_t *cframe,
                     int64_t cframe_len,
                     bool copy,
                     struct b2nd_array_t **array);

/**
 * Opens an array on disk. Chunks stay there until they are read.
 *
 * @param urlpath The file, or the directory of a sparse frame.
 * @param array Set to the array, for `b2nd_free`.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER also when there is no super-chunk or it cannot be read; otherwise as
 *   `b2nd_from_schunk`.
 */
BLOSC_EXPORT int b2nd_open(const char *urlpath, struct b2nd_array_t **array);

/**
 * Opens an array that is inside of a file, as `b2nd_save_append` puts it there.
 *
 * @param urlpath The file.
 * @param array Set to the array, for `b2nd_free`.
 * @param offset Where the frame starts, in bytes from the start of the file.
 * @return As `b2nd_open`.
 */
BLOSC_EXPORT int b2nd_open_offset(const char *urlpath, struct b2nd_array_t **array, int64_t offset);

/**
 * Frees an array and its super-chunk. What is on disk stays.
 *
 * @param array The array.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER.
 */
BLOSC_EXPORT int b2nd_free(struct b2nd_array_t *array);

/**
 * Gives an array another shape. Chunks are added or removed; none is compressed or decompressed.
 *
 * What an axis loses stays in the chunks that it shares with what stays: when the axis grows again without anything
 * having been written there, it is back. Otherwise new items are 0.
 *
 * @param array The array; not a view.
 * @param new_shape Items along each dimension.
 * @param start Along each dimension, where items come in or go. It has to be a multiple of the chunk's length, as the
 *   number of items that come or go, unless it is at the end. NULL for the end along all dimensions.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when it cannot be done at `start`, for a shape that
 *   cannot be, and for a view; #BLOSC2_ERROR_FAILURE for too many chunks; #BLOSC2_ERROR_FILE_WRITE and others when the
 *   file cannot be written.
 */
BLOSC_EXPORT
int b2nd_resize(struct b2nd_array_t *array,
                const int64_t *new_shape,
                const int64_t *start);

/**
 * Puts the items of a buffer into an array, which grows by them along one axis.
 *
 * @param array The array; not a view.
 * @param buffer The items, in C order. Along the other axes they have the array's length.
 * @param buffersize Bytes at `buffer`: a multiple of what the array has per item along `axis`.
 * @param axis The axis.
 * @param insert_start Before which item of the axis they come. Unless it is the axis's end, it has to be a multiple of
 *   the chunk's length, as the number of items.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such axis, or the buffer does not
 *   fit; otherwise as `b2nd_resize` and `b2nd_set_slice_cbuffer`.
 */
BLOSC_EXPORT
int b2nd_insert(struct b2nd_array_t *array,
                const void *buffer,
                int64_t buffersize,
                int8_t axis,
                int64_t insert_start);

/**
 * Adds the items of a buffer at the end of an axis of an array. Where the array ends with whole chunks there, old chunks
 * are not touched.
 *
 * @param array The array; not a view.
 * @param buffer The items, in C order. Along the other axes they have the array's length.
 * @param buffersize Bytes at `buffer`: a multiple of what the array has per item along `axis`.
 * @param axis The axis.
 * @return As `b2nd_insert`.
 */
BLOSC_EXPORT
int b2nd_append(struct b2nd_array_t *array,
                const void *buffer,
                int64_t buffersize,
                int8_t axis);

/**
 * Removes items along an axis of an array, which shrinks by them.
 *
 * @param array The array; not a view.
 * @param axis The axis.
 * @param delete_start The first item that goes. Unless what goes is the axis's end, it has to be a multiple of the
 *   chunk's length, as the number of items.
 * @param delete_len How many items go.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such axis, or not as many items;
 *   otherwise as `b2nd_resize`.
 */
BLOSC_EXPORT
int b2nd_delete(struct b2nd_array_t *array,
                int8_t axis,
                int64_t delete_start,
                int64_t delete_len);

/**
 * Makes the content of a `b2nd` metalayer.
 *
 * @param ndim How many dimensions, from 0 to #B2ND_MAX_DIM.
 * @param shape Items along each dimension.
 * @param chunkshape Items of a chunk along each dimension.
 * @param blockshape Items of a block along each dimension.
 * @param dtype What an item is; NULL for #B2ND_DEFAULT_DTYPE.
 * @param dtype_format How the dtype is written; 0 or more.
 * @param smeta Set to the content, which the caller frees.
 * @return Bytes of the content; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for too many dimensions;
 *   #BLOSC2_ERROR_FAILURE for a negative format; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int b2nd_serialize_meta(int8_t ndim,
                        const int64_t *shape,
                        const int32_t *chunkshape,
                        const int32_t *blockshape,
                        const char *dtype,
                        int8_t dtype_format,
                        uint8_t **smeta);

/**
 * Reads the content of a `b2nd` or `caterva` metalayer. `b2nd_deserialize_meta_inline` does the same without the
 * library.
 *
 * @param smeta The content.
 * @param smeta_len Its bytes.
 * @param ndim Set to the number of dimensions, from 0 to #B2ND_MAX_DIM.
 * @param shape Room for #B2ND_MAX_DIM numbers; the first `ndim` are set to the array's shape.
 * @param chunkshape Likewise, to the shape of a chunk.
 * @param blockshape Likewise, to the shape of a block.
 * @param dtype Set to the dtype, which the caller frees; to NULL when there is none. May be NULL.
 * @param dtype_format Set to how the dtype is written. May be NULL; then, too, the dtype is not read.
 * @return How many bytes were read; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when the content is not what it
 *   should be; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
BLOSC_EXPORT
int b2nd_deserialize_meta(const uint8_t *smeta,
                          int32_t smeta_len,
                          int8_t *ndim,
                          int64_t *shape,
                          int32_t *chunkshape,
                          int32_t *blockshape,
                          char **dtype,
                          int8_t *dtype_format);

/**
 * Prints the shapes and the dtype of an array to standard output.
 *
 * @param array The array.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_METALAYER_NOT_FOUND; #BLOSC2_ERROR_FAILURE when the metalayer
 *   makes no sense.
 */
BLOSC_EXPORT
int b2nd_print_meta(const struct b2nd_array_t *array);

/**
 * Copies the items whose indices along each dimension are all in that dimension's list.
 *
 * @param array The array.
 * @param selection For each dimension a list of indices, in any order, also several times the same.
 * @param selection_size How many indices each list has.
 * @param buffer Where the items go, in C order: to the buffer's first indices along each dimension, in the order of the
 *   lists. What is beside them stays.
 * @param buffershape Items of the buffer along each dimension; at least as many as the lists have.
 * @param buffersize Bytes at `buffer`: those of the items selected, no more.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_INDEX for an index that is not there;
 *   #BLOSC2_ERROR_INVALID_PARAM for a buffer of another size; the codes of `blosc2_schunk_decompress_chunk`.
 */
BLOSC_EXPORT
int b2nd_get_orthogonal_selection(const struct b2nd_array_t *array,
                                  int64_t **selection,
                                  int64_t *selection_size,
                                  void *buffer,
                                  int64_t *buffershape,
                                  int64_t buffersize);

/**
 * Copies items from a buffer to where `b2nd_get_orthogonal_selection` would have got them from.
 *
 * @param array The array.
 * @param selection For each dimension a list of indices. When one is there several times, its last item stays.
 * @param selection_size How many indices each list has.
 * @param buffer The items, in C order: the buffer's first indices along each dimension.
 * @param buffershape Items of the buffer along each dimension; at least as many as the lists have.
 * @param buffersize Bytes at `buffer`: those of the items selected, no more.
 * @return As `b2nd_get_orthogonal_selection`, and the codes of `blosc2_compress_ctx` and `blosc2_schunk_update_chunk`.
 *   On error, some chunks may have changed, each of them wholly.
 */
BLOSC_EXPORT
int b2nd_set_orthogonal_selection(struct b2nd_array_t *array,
                                  int64_t **selection,
                                  int64_t *selection_size,
                                  const void *buffer,
                                  int64_t *buffershape,
                                  int64_t buffersize);

/**
 * Copies single items of an array, in the order asked for. Every block is decompressed once.
 *
 * @param array The array, of one dimension or more.
 * @param ncoords How many items.
 * @param coords Their numbers in C order, from 0, in any order, also several times the same. May be NULL for no items.
 * @param buffer Where they go, one after another. May be NULL for no items.
 * @param buffersize Bytes at `buffer`; at least `ncoords` items.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for an array of no dimensions, an item that is not
 *   there, and a buffer that is too small; the codes of `blosc2_schunk_decompress_chunk`.
 */
BLOSC_EXPORT
int b2nd_get_sparse_cbuffer(const struct b2nd_array_t *array,
                            int64_t ncoords,
                            const int64_t *coords,
                            void *buffer,
                            int64_t buffersize);

/**
 * Copies all items of an array into a buffer.
 *
 * @param array The array.
 * @param buffer Where they go, in C order.
 * @param buffersize Bytes at `buffer`; at least as many as the array has.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the buffer is too small; the codes of
 *   `blosc2_schunk_decompress_chunk`.
 */
BLOSC_EXPORT
int b2nd_to_cbuffer(const struct b2nd_array_t *array,
                    void *buffer,
                    int64_t buffersize);

/**
 * Copies a box of items out of an array into a buffer. Only blocks that have some of them are decompressed.
 *
 * @param array The array.
 * @param start The first index of the box along each dimension.
 * @param stop The index after the last one along each dimension. Where it is past the array's end, the box goes on with
 *   zeros.
 * @param buffer Where the items go, in C order: to the buffer's first indices along each dimension. The rest of the
 *   buffer becomes 0.
 * @param buffershape Items of the buffer along each dimension; at least those of the box.
 * @param buffersize Bytes at `buffer`.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the buffer is too small for the box;
 *   #BLOSC2_ERROR_FAILURE for a negative start; the codes of `blosc2_schunk_decompress_chunk`.
 */
BLOSC_EXPORT
int b2nd_get_slice_cbuffer(const struct b2nd_array_t *array,
                           const int64_t *start,
                           const int64_t *stop,
                           void *buffer,
                           const int64_t *buffershape,
                           int64_t buffersize);

/**
 * Copies items from a buffer into a box of an array. Chunks that the box covers in part are read first.
 *
 * @param buffer The items, in C order: the buffer's first indices along each dimension.
 * @param buffershape Items of the buffer along each dimension; at least those of the box.
 * @param buffersize Bytes at `buffer`.
 * @param start The first index of the box along each dimension.
 * @param stop The index after the last one along each dimension. What is past the array's end goes nowhere.
 * @param array The array.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the buffer is too small for the box;
 *   #BLOSC2_ERROR_FAILURE for a negative start; the codes of `blosc2_compress_ctx`, `blosc2_schunk_update_chunk` and
 *   `blosc2_schunk_decompress_chunk`. On error, some chunks may have changed, each of them wholly.
 */
BLOSC_EXPORT
int b2nd_set_slice_cbuffer(const void *buffer,
                           const int64_t *buffershape,
                           int64_t buffersize,
                           const int64_t *start,
                           const int64_t *stop,
                           struct b2nd_array_t *array);

/**
 * Makes an array of a box of items of another. Only what is in the box is decompressed, chunk by chunk.
 *
 * @param ctx How to make it. Its dimensions and shape are set to those of the box.
 * @param array Set to the new array, for `b2nd_free`.
 * @param src The array that the items are of; with as many bytes per item.
 * @param start The first index of the box along each dimension.
 * @param stop The index after the last one along each dimension. Where it is past the array's end, the box goes on with
 *   zeros.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when `stop` is before `start`, or items have
 *   different sizes; #BLOSC2_ERROR_FAILURE for a negative start; the codes of `b2nd_from_cbuffer` and
 *   `b2nd_get_slice_cbuffer`.
 */
BLOSC_EXPORT
int b2nd_get_slice(b2nd_context_t *ctx,
                   struct b2nd_array_t **array,
                   const struct b2nd_array_t *src,
                   const int64_t *start,
                   const int64_t *stop);

/**
 * Makes a copy of an array, with its metalayers. Where chunks and blocks have the same shapes and the parameters would
 * give the same result, chunks are copied as they are; otherwise they are compressed anew.
 *
 * @param ctx How to make it. Its dimensions and shape are set to those of the array; its metalayers are not used.
 * @param src The array.
 * @param array Set to the copy, for `b2nd_free`.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when there is something at the path already, nothing can
 *   be made there, or a chunk cannot be read; otherwise as `b2nd_get_slice`.
 */
BLOSC_EXPORT
int b2nd_copy(b2nd_context_t *ctx,
              const struct b2nd_array_t *src,
              struct b2nd_array_t **array);

/**
 * Adds the items of one array to those of another, at the end of an axis.
 *
 * Where both are cut into the same chunks and blocks, and the first ends with a whole chunk, the chunks of the second are
 * taken over as they are.
 *
 * @param ctx How to make the new array, as for `b2nd_copy`. Not used without `copy`.
 * @param src1 The first array.
 * @param src2 The second array; with as many bytes per item, and the same shape but for the axis.
 * @param axis The axis.
 * @param copy Whether to make a new array. If not, the first one grows.
 * @param array Set to the new array, for `b2nd_free`; without `copy`, to the first one.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when there is no such axis, or the arrays do not
 *   fit together; otherwise as `b2nd_copy`, `b2nd_resize` and `b2nd_set_slice_cbuffer`.
 */
BLOSC_EXPORT
int b2nd_concatenate(b2nd_context_t *ctx,
                     const struct b2nd_array_t *src1,
                     const struct b2nd_array_t *src2,
                     int8_t axis,
                     bool copy,
                     struct b2nd_array_t **array);

/**
 * Makes a view of an array without some of its axes of length 1.
 *
 * A view shares the array's chunks: what is written through one is seen through the other. Either may be freed first.
 * A view cannot be resized; when the array is, its views follow. Copies of a view, and frames and files made of it, have
 * the view's shape. Where the codec or a filter goes by the shape of blocks, their chunks are compressed again, and stored
 * uncompressed where that shape is none for the codec.
 *
 * @param array The array, which has no fixed metalayer but its own.
 * @param view Set to the view, for `b2nd_free`.
 * @param index For each axis, whether it goes.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_INDEX when an axis that goes is not of length 1;
 *   #BLOSC2_ERROR_INVALID_PARAM when the array has other fixed metalayers, or its chunks are longer than 1 along an axis
 *   that goes.
 */
BLOSC_EXPORT
int b2nd_squeeze_index(struct b2nd_array_t *array,
                       struct b2nd_array_t **view,
                       const bool *index);

/**
 * Makes a view of an array without its axes of length 1, as `b2nd_squeeze_index`.
 *
 * @param array The array, which has no fixed metalayer but its own.
 * @param view Set to the view, for `b2nd_free`.
 * @return As `b2nd_squeeze_index`.
 */
BLOSC_EXPORT int b2nd_squeeze(struct b2nd_array_t *array, struct b2nd_array_t **view);

/**
 * Makes a view of an array with more axes, of length 1; what holds for `b2nd_squeeze_index` holds for it.
 *
 * @param array The array, which has no fixed metalayer but its own.
 * @param view Set to the view, for `b2nd_free`.
 * @param axis For each axis of the view, whether it is a new one. The others are the array's, in order.
 * @param final_dims How many axes the view has, at most #B2ND_MAX_DIM.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM when the axes that are not new are not as many as
 *   the array's, when the view has too many, or the array has other fixed metalayers.
 */
BLOSC_EXPORT
int b2nd_expand_dims(const struct b2nd_array_t *array,
                     struct b2nd_array_t **view,
                     const bool *axis,
                     uint8_t final_dims);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BLOSC_B2ND_H */

/* Inline functions. */
#include "blosc2/b2nd-inline.h"
