/*
 * oxiblosc2: reading the metalayer of an array without being linked to the library.
 *
 * Included by b2nd.h, at its end.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_B2ND_INLINE_H
#define BLOSC_BLOSC2_B2ND_INLINE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The dtype that an array has when none is given: bytes. */
#define B2ND_DEFAULT_DTYPE "|u1"

/* Reads one msgpack array of ndim integers, each a marker and width bytes in big-endian order. Gives the position after
 * it, or -1 when the bytes end before. */
static inline int32_t b2nd_read_shape_(const uint8_t *smeta, int32_t smeta_len, int32_t at, int8_t ndim, int width,
                                       uint8_t *items) {
  int8_t i;
  const int32_t needed = 1 + (int32_t)ndim * (1 + width);
  if (smeta_len - at < needed) {
    return -1;
  }
  at += 1;
  for (i = 0; i < ndim; i++) {
    swap_store(items + (size_t)i * (size_t)width, smeta + at + 1, width);
    at += 1 + width;
  }
  return at;
}

/**
 * Reads the content of a `b2nd` metalayer.
 *
 * @param smeta The content.
 * @param smeta_len Its bytes.
 * @param ndim Set to the number of dimensions, from 0 to #B2ND_MAX_DIM.
 * @param shape Room for #B2ND_MAX_DIM numbers; the first `ndim` are set to the array's shape.
 * @param chunkshape Likewise, to the shape of a chunk.
 * @param blockshape Likewise, to the shape of a block.
 * @param dtype Set to the dtype, from malloc(), for the caller to free; to NULL when there is none. May be NULL.
 * @param dtype_format Set to how the dtype is written. May be NULL; then, too, the dtype is not read.
 * @return How many bytes were read; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_FAILURE when the content is not what it
 *   should be; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
static inline int b2nd_deserialize_meta_inline(const uint8_t *smeta, int32_t smeta_len, int8_t *ndim, int64_t *shape,
                                               int32_t *chunkshape, int32_t *blockshape, char **dtype,
                                               int8_t *dtype_format) {
  int32_t at = 3;
  int32_t dtype_len = 0;
  BLOSC_ERROR_NULL(smeta, BLOSC2_ERROR_NULL_POINTER);
  BLOSC_ERROR_NULL(ndim, BLOSC2_ERROR_NULL_POINTER);
  BLOSC_ERROR_NULL(shape, BLOSC2_ERROR_NULL_POINTER);
  BLOSC_ERROR_NULL(chunkshape, BLOSC2_ERROR_NULL_POINTER);
  BLOSC_ERROR_NULL(blockshape, BLOSC2_ERROR_NULL_POINTER);
  if (dtype != NULL) {
    *dtype = NULL;
  }
  if (dtype_format != NULL) {
    *dtype_format = DTYPE_NUMPY_FORMAT;
  }

  /* A marker for an array of 5 or 7 entries, the version, and the number of dimensions. */
  if (smeta_len < at || smeta[2] > B2ND_MAX_DIM) {
    BLOSC_TRACE_ERROR("A b2nd metalayer ends before its dimensions, or has too many");
    return BLOSC2_ERROR_FAILURE;
  }
  *ndim = (int8_t)smeta[2];
  at = b2nd_read_shape_(smeta, smeta_len, at, *ndim, (int)sizeof(int64_t), (uint8_t *)shape);
  if (at >= 0) {
    at = b2nd_read_shape_(smeta, smeta_len, at, *ndim, (int)sizeof(int32_t), (uint8_t *)chunkshape);
  }
  if (at >= 0) {
    at = b2nd_read_shape_(smeta, smeta_len, at, *ndim, (int)sizeof(int32_t), (uint8_t *)blockshape);
  }
  if (at < 0) {
    BLOSC_TRACE_ERROR("A b2nd metalayer ends before its shapes do");
    return BLOSC2_ERROR_FAILURE;
  }

  /* The format of the dtype, and the dtype as a string with a length of 32 bits. A `caterva` metalayer has neither. */
  if (dtype == NULL || dtype_format == NULL || at == smeta_len) {
    return at;
  }
  if (smeta_len - at < 6 || smeta[at + 1] != 0xdb) {
    BLOSC_TRACE_ERROR("A b2nd metalayer has no proper dtype");
    return BLOSC2_ERROR_FAILURE;
  }
  *dtype_format = (int8_t)smeta[at];
  swap_store(&dtype_len, smeta + at + 2, (int)sizeof(dtype_len));
  at += 6;
  if (dtype_len < 0 || dtype_len > smeta_len - at) {
    BLOSC_TRACE_ERROR("A b2nd metalayer ends before its dtype does");
    return BLOSC2_ERROR_FAILURE;
  }
  *dtype = (char *)malloc((size_t)dtype_len + 1);
  BLOSC_ERROR_NULL(*dtype, BLOSC2_ERROR_MEMORY_ALLOC);
  memcpy(*dtype, smeta + at, (size_t)dtype_len);
  (*dtype)[dtype_len] = '\0';
  return at + dtype_len;
}

#ifdef __cplusplus
}
#endif

#endif /* BLOSC_BLOSC2_B2ND_INLINE_H */
