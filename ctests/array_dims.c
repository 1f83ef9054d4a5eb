/* From no dimension at all to sixteen, and dimensions of length nought. */
#include "arrays.h"

/* An array without dimensions is one item. */
static void check_scalar(void) {
  Geometry g = {0, {0}, {0}, {0}};
  b2nd_context_t *ctx = int32_context(&g, false, NULL);
  b2nd_array_t *array = NULL;
  int32_t value = 42, back = 0;
  CHECK_OK(b2nd_from_cbuffer(ctx, &array, &value, sizeof value));
  if (CHECK(array != NULL)) {
    CHECK_EQ(array->ndim, 0);
    CHECK_EQ(array->nitems, 1);
    CHECK_EQ(array->sc->nchunks, 1);
    CHECK_OK(b2nd_to_cbuffer(array, &back, sizeof back));
    CHECK_EQ(back, 42);
    int64_t none[1] = {0};
    back = 0;
    CHECK_OK(b2nd_get_slice_cbuffer(array, none, none, &back, none, sizeof back));
    CHECK_EQ(back, 42);
    b2nd_free(array);
  }
  b2nd_free_ctx(ctx);
}

static void check_every_ndim(void) {
  for (int8_t ndim = 1; ndim <= B2ND_MAX_DIM; ndim++) {
    Geometry g = {ndim, {0}, {0}, {0}};
    int64_t start[B2ND_MAX_DIM], stop[B2ND_MAX_DIM], one[B2ND_MAX_DIM];
    for (int8_t d = 0; d < ndim; d++) {
      /* Three long every fifth dimension, else two or one, so that sixteen of them stay small. */
      g.shape[d] = d % 5 == 0 ? 3 : d % 2 == 0 ? 2 : 1;
      g.chunkshape[d] = g.shape[d] > 1 ? 2 : 1;
      g.blockshape[d] = d % 3 == 0 ? g.chunkshape[d] : 1;
      start[d] = g.shape[d] - 1;
      stop[d] = g.shape[d];
      one[d] = 1;
    }
    b2nd_array_t *array = counting_array(&g, false, NULL);
    if (!CHECK(array != NULL)) {
      continue;
    }
    CHECK_EQ(array->ndim, ndim);
    int32_t last = -1;
    CHECK_OK(b2nd_get_slice_cbuffer(array, start, stop, &last, one, sizeof last));
    CHECK_EQ(last, array->nitems - 1);
    int32_t *all = must_alloc((size_t)array->nitems * 4);
    CHECK_OK(b2nd_to_cbuffer(array, all, array->nitems * 4));
    bool counts = true;
    for (int64_t i = 0; i < array->nitems; i++) {
      counts = counts && all[i] == i;
    }
    CHECK(counts);
    free(all);

    /* Through bytes and back the dimensions are the same. */
    uint8_t *cframe = NULL;
    int64_t length = 0;
    bool needs_free = false;
    CHECK_OK(b2nd_to_cframe(array, &cframe, &length, &needs_free));
    b2nd_array_t *copy = NULL;
    CHECK_OK(b2nd_from_cframe(cframe, length, true, &copy));
    if (copy != NULL) {
      CHECK_EQ(copy->ndim, ndim);
      CHECK_EQ(memcmp(copy->shape, g.shape, (size_t)ndim * sizeof *g.shape), 0);
      last = -1;
      CHECK_OK(b2nd_get_slice_cbuffer(copy, start, stop, &last, one, sizeof last));
      CHECK_EQ(last, copy->nitems - 1);
      b2nd_free(copy);
    }
    if (needs_free) {
      free(cframe);
    }
    b2nd_free(array);
  }
}

/* A dimension of length 0: no items and no chunks, but an array all the same. */
static void check_empty_shapes(void) {
  static const Geometry shapes[] = {
      {1, {0}, {10}, {5}},
      {2, {0, 20}, {10, 10}, {5, 5}},
      {2, {20, 0}, {10, 10}, {5, 5}},
      {3, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}},
      {2, {0, 0}, {0, 0}, {0, 0}},
      {1, {0}, {0}, {0}},
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    b2nd_context_t *ctx = int32_context(&shapes[i], true, NULL);
    b2nd_array_t *array = NULL;
    int32_t nothing = 5;
    CHECK_OK(b2nd_from_cbuffer(ctx, &array, &nothing, 0));
    if (CHECK(array != NULL)) {
      CHECK_EQ(array->nitems, 0);
      CHECK_EQ(array->sc->nchunks, 0);
      CHECK_OK(b2nd_to_cbuffer(array, &nothing, 0));
      CHECK_EQ(nothing, 5);
      b2nd_free(array);
    }
    array = NULL;
    CHECK_OK(b2nd_zeros(ctx, &array));
    if (CHECK(array != NULL)) {
      CHECK_EQ(array->nitems, 0);
      CHECK_EQ(array->sc->nchunks, 0);
      b2nd_free(array);
    }
    b2nd_free_ctx(ctx);
  }
}

int main(void) {
  blosc2_init();
  check_scalar();
  check_every_ndim();
  check_empty_shapes();
  blosc2_destroy();
  return check_report();
}
