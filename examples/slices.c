/* Slices of arrays with one, two and sixteen dimensions: written, read, and looked at. */
#include "example.h"
#include <b2nd.h>

/* An array of zeros, of doubles, in memory. */
static b2nd_array_t *zeros(int8_t ndim, const int64_t *shape, const int32_t *chunks, const int32_t *blocks) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(double);
  blosc2_storage storage = {.cparams = &cparams};
  b2nd_context_t *ctx = b2nd_create_ctx(&storage, ndim, shape, chunks, blocks, "<f8", DTYPE_NUMPY_FORMAT, NULL, 0);
  b2nd_array_t *array;
  must(b2nd_zeros(ctx, &array), "an array of zeros");
  must(b2nd_free_ctx(ctx), "free");
  return array;
}

/* A signal of a million samples: a second of it, somewhere in the middle, is one. */
static void one_dimension(void) {
  const int64_t shape[] = {1000000}, start[] = {480000}, stop[] = {528000}, length[] = {48000};
  const int32_t chunks[] = {100000}, blocks[] = {10000};
  static double second[48000];
  b2nd_array_t *signal = zeros(1, shape, chunks, blocks);
  for (int i = 0; i < 48000; i++) second[i] = 1.0;
  must(b2nd_set_slice_cbuffer(second, length, sizeof second, start, stop, signal), "write a second");

  /* The two samples at its end. */
  const int64_t from[] = {527999}, to[] = {528001}, two[] = {2};
  double edge[2];
  must(b2nd_get_slice_cbuffer(signal, from, to, edge, two, sizeof edge), "read its end");
  expect(edge[0] == 1.0 && edge[1] == 0.0, "the end of the second");
  must(b2nd_free(signal), "free");
}

/* A picture: one row written, one column read. */
static void two_dimensions(void) {
  const int64_t shape[] = {300, 400};
  const int32_t chunks[] = {100, 100}, blocks[] = {20, 50};
  b2nd_array_t *picture = zeros(2, shape, chunks, blocks);
  double row[400], column[300];
  for (int i = 0; i < 400; i++) row[i] = i;
  const int64_t row_start[] = {120, 0}, row_stop[] = {121, 400}, row_shape[] = {1, 400};
  must(b2nd_set_slice_cbuffer(row, row_shape, sizeof row, row_start, row_stop, picture), "write a row");
  const int64_t column_start[] = {0, 399}, column_stop[] = {300, 400}, column_shape[] = {300, 1};
  must(b2nd_get_slice_cbuffer(picture, column_start, column_stop, column, column_shape, sizeof column), "read a column");
  expect(column[119] == 0.0 && column[120] == 399.0 && column[121] == 0.0, "the column");
  must(b2nd_free(picture), "free");
}

/* As many as there can be: two items along each, and one of the 65536 is written and found. */
static void sixteen_dimensions(void) {
  int64_t shape[B2ND_MAX_DIM], start[B2ND_MAX_DIM], stop[B2ND_MAX_DIM], ones[B2ND_MAX_DIM];
  int32_t chunks[B2ND_MAX_DIM], blocks[B2ND_MAX_DIM];
  for (int d = 0; d < B2ND_MAX_DIM; d++) {
    shape[d] = 2;
    chunks[d] = d < 4 ? 1 : 2;
    blocks[d] = d < 8 ? 1 : 2;
    start[d] = d % 2;
    stop[d] = start[d] + 1;
    ones[d] = 1;
  }
  b2nd_array_t *array = zeros(B2ND_MAX_DIM, shape, chunks, blocks);
  double item = 16.0, back = 0.0;
  must(b2nd_set_slice_cbuffer(&item, ones, sizeof item, start, stop, array), "write an item");

  /* All items along the last dimension, beside it. */
  double pair[2];
  int64_t length[B2ND_MAX_DIM];
  for (int d = 0; d < B2ND_MAX_DIM; d++) length[d] = 1;
  length[B2ND_MAX_DIM - 1] = 2;
  start[B2ND_MAX_DIM - 1] = 0;
  must(b2nd_get_slice_cbuffer(array, start, stop, pair, length, sizeof pair), "read two");
  /* Counted in C order it is item 0101010101010101, in binary. */
  int64_t number = 0x5555;
  must(b2nd_get_sparse_cbuffer(array, 1, &number, &back, sizeof back), "read it by its number");
  expect(pair[0] == 0.0 && pair[1] == 16.0 && back == 16.0, "the item");
  must(b2nd_free(array), "free");
}

int main(void) {
  blosc2_init();
  one_dimension();
  two_dimensions();
  sixteen_dimensions();
  printf("ok slices: of 1, 2 and %d dimensions\n", B2ND_MAX_DIM);
  blosc2_destroy();
  return 0;
}
