/* Arrays of one value: zeros, NaNs, anything, and nothing in particular. */
#include "arrays.h"

#include <math.h>

enum { ROWS = 130, COLS = 170, ITEMS = ROWS * COLS };

static b2nd_context_t *context(int32_t typesize, const char *dtype, char *urlpath) {
  int64_t shape[] = {ROWS, COLS};
  int32_t chunkshape[] = {50, 60}, blockshape[] = {25, 7};
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = typesize;
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.cparams = &cparams;
  storage.urlpath = urlpath;
  storage.contiguous = urlpath != NULL;
  if (urlpath != NULL) {
    remove(urlpath);
  }
  return b2nd_create_ctx(&storage, 2, shape, chunkshape, blockshape, dtype, DTYPE_NUMPY_FORMAT, NULL, 0);
}

static void check_zeros(char *urlpath) {
  static int64_t back[ITEMS], zeros[ITEMS];
  b2nd_context_t *ctx = context(8, "<i8", urlpath);
  b2nd_array_t *array = NULL;
  CHECK_OK(b2nd_zeros(ctx, &array));
  if (CHECK(array != NULL)) {
    CHECK_EQ(array->sc->nchunks, 9);
    CHECK(array->sc->cbytes < 9 * 100);
    memset(back, 0xee, sizeof back);
    CHECK_OK(b2nd_to_cbuffer(array, back, sizeof back));
    CHECK_BYTES(back, zeros, sizeof back);

    /* One item set in the last chunk; all others stay. */
    int64_t value = 7, start[] = {129, 169}, stop[] = {130, 170}, one[] = {1, 1};
    CHECK_OK(b2nd_set_slice_cbuffer(&value, one, 8, start, stop, array));
    CHECK_OK(b2nd_to_cbuffer(array, back, sizeof back));
    CHECK_EQ(back[ITEMS - 1], 7);
    CHECK_BYTES(back, zeros, sizeof back - 8);
    b2nd_free(array);
  }
  b2nd_free_ctx(ctx);
}

static void check_nans(void) {
  static float floats[ITEMS];
  static double doubles[ITEMS];
  b2nd_context_t *ctx = context(4, "<f4", NULL);
  b2nd_array_t *array = NULL;
  CHECK_OK(b2nd_nans(ctx, &array));
  CHECK_OK(b2nd_to_cbuffer(array, floats, sizeof floats));
  b2nd_free(array);
  b2nd_free_ctx(ctx);
  ctx = context(8, "<f8", NULL);
  array = NULL;
  CHECK_OK(b2nd_nans(ctx, &array));
  CHECK_OK(b2nd_to_cbuffer(array, doubles, sizeof doubles));
  b2nd_free(array);
  b2nd_free_ctx(ctx);
  bool all = true;
  for (int i = 0; i < ITEMS; i++) {
    all = all && isnan(floats[i]) && isnan(doubles[i]);
  }
  CHECK(all);

  /* Only floats and doubles have NaNs. */
  ctx = context(2, "<i2", NULL);
  array = NULL;
  CHECK(b2nd_nans(ctx, &array) < 0);
  b2nd_free_ctx(ctx);
}

static void check_full(int32_t typesize, const char *dtype, const void *value, char *urlpath) {
  uint8_t *back = must_alloc((size_t)ITEMS * (size_t)typesize);
  b2nd_context_t *ctx = context(typesize, dtype, urlpath);
  b2nd_array_t *array = NULL;
  CHECK_OK(b2nd_full(ctx, &array, value));
  if (CHECK(array != NULL)) {
    CHECK(array->sc->cbytes < 9 * 100);
    CHECK_OK(b2nd_to_cbuffer(array, back, (int64_t)ITEMS * typesize));
    bool all = true;
    for (int i = 0; i < ITEMS; i++) {
      all = all && memcmp(back + (size_t)i * (size_t)typesize, value, (size_t)typesize) == 0;
    }
    CHECK(all);
    b2nd_free(array);
  }
  b2nd_free_ctx(ctx);
  free(back);
}

/* The contents are anyone's guess, but there is an array to write to. */
static void check_uninit(void) {
  static int32_t back[ITEMS], data[ITEMS];
  fill_ramp(data, sizeof data, 4);
  b2nd_context_t *ctx = context(4, "<i4", NULL);
  int64_t start[] = {0, 0}, stop[] = {ROWS, COLS};
  for (int pass = 0; pass < 2; pass++) {
    b2nd_array_t *array = NULL;
    CHECK_OK(pass == 0 ? b2nd_uninit(ctx, &array) : b2nd_empty(ctx, &array));
    if (CHECK(array != NULL)) {
      CHECK_EQ(array->sc->nchunks, 9);
      CHECK_OK(b2nd_to_cbuffer(array, back, sizeof back));
      CHECK_OK(b2nd_set_slice_cbuffer(data, stop, sizeof data, start, stop, array));
      CHECK_OK(b2nd_to_cbuffer(array, back, sizeof back));
      CHECK_BYTES(back, data, sizeof back);
      b2nd_free(array);
    }
  }
  b2nd_free_ctx(ctx);
}

int main(void) {
  char urlpath[] = "array_fill.b2nd";
  blosc2_init();
  check_zeros(NULL);
  check_zeros(urlpath);
  check_nans();
  int16_t small = -300;
  double large = 6.25e100;
  uint8_t byte = 200;
  check_full(2, "<i2", &small, NULL);
  check_full(2, "<i2", &small, urlpath);
  check_full(8, "<f8", &large, NULL);
  check_full(1, "|u1", &byte, NULL);
  check_full(12, "|S12", "twelve bytes", NULL);
  check_uninit();
  remove(urlpath);
  blosc2_destroy();
  return check_report();
}
