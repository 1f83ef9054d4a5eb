/* What callers get wrong: null pointers, impossible shapes, buffers too small. Each gives a code, never a crash. */
#include "arrays.h"

static const Geometry G = {2, {20, 30}, {10, 10}, {5, 5}};
static int32_t buffer[20 * 30];

static void check_null_arrays(void) {
  b2nd_array_t *array = counting_array(&G, false, NULL);
  b2nd_context_t *ctx = int32_context(&G, false, NULL);
  b2nd_array_t *made = NULL;
  int64_t start[] = {0, 0}, stop[] = {2, 2}, shape[] = {2, 2};
  CHECK_EQ(b2nd_zeros(NULL, &made), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_zeros(ctx, NULL), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_from_cbuffer(NULL, &made, buffer, sizeof buffer), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_from_cbuffer(ctx, NULL, buffer, sizeof buffer), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_from_cbuffer(ctx, &made, NULL, sizeof buffer), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_to_cbuffer(NULL, buffer, sizeof buffer), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_to_cbuffer(array, NULL, sizeof buffer), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_get_slice_cbuffer(NULL, start, stop, buffer, shape, 16), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_get_slice_cbuffer(array, NULL, stop, buffer, shape, 16), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_get_slice_cbuffer(array, start, NULL, buffer, shape, 16), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_get_slice_cbuffer(array, start, stop, NULL, shape, 16), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_get_slice_cbuffer(array, start, stop, buffer, NULL, 16), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_set_slice_cbuffer(NULL, shape, 16, start, stop, array), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_set_slice_cbuffer(buffer, shape, 16, start, stop, NULL), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_open(NULL, &made), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_open("misuse.b2nd", NULL), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_from_schunk(NULL, &made), BLOSC2_ERROR_NULL_POINTER);
  CHECK_EQ(b2nd_free(NULL), BLOSC2_ERROR_NULL_POINTER);
  b2nd_free_ctx(ctx);
  b2nd_free(array);
}

/* What a context with these numbers makes of zeros. */
static int zeros_rc(Geometry g) {
  b2nd_context_t *ctx = int32_context(&g, false, NULL);
  if (ctx == NULL) {
    return BLOSC2_ERROR_INVALID_PARAM;
  }
  b2nd_array_t *array = NULL;
  int rc = b2nd_zeros(ctx, &array);
  if (rc >= 0) {
    b2nd_free(array);
  }
  b2nd_free_ctx(ctx);
  return rc;
}

static void check_impossible_shapes(void) {
  CHECK_OK(zeros_rc(G));
  /* Chunks larger than the array, and blocks larger than chunks, are wasteful but possible. */
  CHECK_OK(zeros_rc((Geometry){1, {10}, {20}, {5}}));
  CHECK_OK(zeros_rc((Geometry){1, {10}, {5}, {6}}));
  CHECK(zeros_rc((Geometry){1, {10}, {5}, {0}}) < 0);
  CHECK(zeros_rc((Geometry){1, {-1}, {5}, {5}}) < 0);
  CHECK(zeros_rc((Geometry){1, {10}, {-5}, {5}}) < 0);
  CHECK(zeros_rc((Geometry){2, {10, 10}, {5, 5}, {5, -5}}) < 0);
}

static void check_small_buffers(void) {
  b2nd_context_t *ctx = int32_context(&G, false, NULL);
  b2nd_array_t *array = NULL;
  CHECK(b2nd_from_cbuffer(ctx, &array, buffer, sizeof buffer - 1) < 0);
  b2nd_free_ctx(ctx);
}

static void check_null_contexts(void) {
  uint8_t chunk[100];
  int32_t nbytes;
  memset(chunk, 0, sizeof chunk);
  CHECK(blosc2_decompress(chunk, sizeof chunk, buffer, sizeof buffer) < 0);
  CHECK(blosc2_cbuffer_sizes(chunk, &nbytes, NULL, NULL) < 0);
#ifndef AGAINST_REFERENCE /* which crashes in these */
  CHECK(blosc2_schunk_from_buffer(NULL, 100, true) == NULL);
  CHECK(blosc2_schunk_free(NULL) < 0);
  blosc2_free_ctx(NULL);
  CHECK_EQ(b2nd_free_ctx(NULL), BLOSC2_ERROR_NULL_POINTER);
  blosc2_context *cctx = blosc2_create_cctx(BLOSC2_CPARAMS_DEFAULTS);
  blosc2_context *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  CHECK(blosc2_compress_ctx(NULL, buffer, sizeof buffer, chunk, sizeof chunk) < 0);
  CHECK(blosc2_compress_ctx(cctx, NULL, sizeof buffer, chunk, sizeof chunk) < 0);
  CHECK(blosc2_compress_ctx(cctx, buffer, sizeof buffer, NULL, sizeof chunk) < 0);
  CHECK(blosc2_decompress_ctx(NULL, chunk, sizeof chunk, buffer, sizeof buffer) < 0);
  CHECK(blosc2_decompress_ctx(dctx, NULL, sizeof chunk, buffer, sizeof buffer) < 0);
  CHECK(blosc2_getitem_ctx(dctx, NULL, sizeof chunk, 0, 1, buffer, sizeof buffer) < 0);
  CHECK(blosc2_schunk_append_buffer(NULL, buffer, 4) < 0);
  CHECK(blosc2_schunk_open(NULL) == NULL);
  CHECK(blosc2_schunk_new(NULL) == NULL);
  blosc2_free_ctx(dctx);
  blosc2_free_ctx(cctx);
#endif
}

int main(void) {
  blosc2_init();
  check_null_arrays();
  check_impossible_shapes();
  check_small_buffers();
  check_null_contexts();
  blosc2_destroy();
  return check_report();
}
