/* Arrays to test with, and a model of slicing in plain loops. */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "b2nd.h"
#include "check.h"

/* Where and how an array is cut up. */
typedef struct {
  int8_t ndim;
  int64_t shape[B2ND_MAX_DIM];
  int32_t chunkshape[B2ND_MAX_DIM];
  int32_t blockshape[B2ND_MAX_DIM];
} Geometry;

CHECK_MAYBE_UNUSED static int64_t items_in(int8_t ndim, const int64_t *shape) {
  int64_t items = 1;
  for (int8_t d = 0; d < ndim; d++) {
    items *= shape[d];
  }
  return items;
}

/* A context for an array of int32_t. The parameters outlive it: a context may keep the pointers. */
CHECK_MAYBE_UNUSED static b2nd_context_t *int32_context(const Geometry *g, bool contiguous, char *urlpath) {
  static blosc2_cparams cparams;
  cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  cparams.nthreads = 2;
  static blosc2_dparams dparams;
  dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = 2;
  blosc2_storage storage = {.contiguous = contiguous, .urlpath = urlpath, .cparams = &cparams, .dparams = &dparams};
  return b2nd_create_ctx(&storage, g->ndim, g->shape, g->chunkshape, g->blockshape, "<i4", DTYPE_NUMPY_FORMAT, NULL, 0);
}

/* 0, 1, 2, ... in an array of this geometry. */
CHECK_MAYBE_UNUSED static b2nd_array_t *counting_array(const Geometry *g, bool contiguous, char *urlpath) {
  int64_t items = items_in(g->ndim, g->shape);
  int32_t *values = must_alloc((size_t)items * sizeof *values);
  for (int64_t i = 0; i < items; i++) {
    values[i] = (int32_t)i;
  }
  b2nd_context_t *ctx = int32_context(g, contiguous, urlpath);
  b2nd_array_t *array = NULL;
  if (CHECK(ctx != NULL)) {
    CHECK_OK(b2nd_from_cbuffer(ctx, &array, values, items * 4));
    b2nd_free_ctx(ctx);
  }
  free(values);
  return array;
}

/* Steps `index` to the next item of the box [start, stop) in C order; false after the last. */
CHECK_MAYBE_UNUSED static bool next_index(int8_t ndim, const int64_t *start, const int64_t *stop, int64_t *index) {
  for (int8_t d = (int8_t)(ndim - 1); d >= 0; d--) {
    if (++index[d] < stop[d]) {
      return true;
    }
    index[d] = start[d];
  }
  return false;
}

/* The place of `index` in a C-contiguous buffer of this shape. */
CHECK_MAYBE_UNUSED static int64_t flat_index(int8_t ndim, const int64_t *shape, const int64_t *index) {
  int64_t flat = 0;
  for (int8_t d = 0; d < ndim; d++) {
    flat = flat * shape[d] + index[d];
  }
  return flat;
}

#endif
