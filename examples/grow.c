/* An array that grows and shrinks, and selections out of it. */
#include "example.h"
#include <b2nd.h>

/* A day of a sensor: a row of 24 hours. */
static void fill_day(int32_t *hours, int day) {
  for (int hour = 0; hour < 24; hour++) hours[hour] = 100 * day + hour;
}

int main(void) {
  blosc2_init();
  const int64_t shape[] = {0, 24};
  const int32_t chunkshape[] = {10, 24}, blockshape[] = {5, 24};
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  blosc2_storage storage = {.cparams = &cparams};
  b2nd_context_t *ctx = b2nd_create_ctx(&storage, 2, shape, chunkshape, blockshape, "<i4", DTYPE_NUMPY_FORMAT, NULL, 0);
  b2nd_array_t *days;
  must(b2nd_zeros(ctx, &days), "an array without rows");

  /* At the end of the first axis, a row at a time. */
  int32_t hours[24];
  for (int day = 0; day < 100; day++) {
    fill_day(hours, day);
    must(b2nd_append(days, hours, sizeof hours, 0), "append");
  }
  /* Whole chunks can be put in, and go, also in the middle. */
  int32_t ten[10][24];
  for (int day = 0; day < 10; day++) fill_day(ten[day], -day);
  must(b2nd_insert(days, ten, sizeof ten, 0, 50), "insert");
  must(b2nd_delete(days, 0, 0, 10), "delete");
  expect(days->shape[0] == 100, "a hundred rows");

  /* Every combination of some rows with some columns. */
  int64_t rows[] = {99, 43, 0}, columns[] = {12, 0}, sizes[] = {3, 2}, box[] = {3, 2};
  int64_t *selection[] = {rows, columns};
  int32_t picked[3][2];
  must(b2nd_get_orthogonal_selection(days, selection, sizes, picked, box, sizeof picked), "a selection");
  expect(picked[0][0] == 9912 && picked[1][1] == -300 && picked[2][0] == 1012, "what was selected");

  /* Wider: what is new reads as zeros. */
  const int64_t wider[] = {100, 25};
  must(b2nd_resize(days, wider, NULL), "resize");
  const int64_t start[] = {98, 23}, stop[] = {99, 25}, two[] = {1, 2};
  int32_t edge[2];
  must(b2nd_get_slice_cbuffer(days, start, stop, edge, two, sizeof edge), "a slice");
  expect(edge[0] == 9823 && edge[1] == 0, "the edge");

  printf("ok grow: %lld x %lld; %d, %d and %d were selected\n", (long long)days->shape[0], (long long)days->shape[1],
         picked[0][0], picked[1][1], picked[2][0]);
  must(b2nd_free(days), "free");
  must(b2nd_free_ctx(ctx), "free");
  blosc2_destroy();
  return 0;
}
