/* Arrays that outlive their handle: files, frames in memory, super-chunks. */
#include "arrays.h"

static const Geometry G = {2, {90, 70}, {40, 30}, {20, 10}};
static char urlpath[] = "array_storage.b2nd", other_path[] = "array_storage_2.b2nd";

static void check_is_counting(const b2nd_array_t *array) {
  if (!CHECK(array != NULL)) {
    return;
  }
  CHECK_EQ(array->ndim, 2);
  CHECK_EQ(array->shape[0], 90);
  CHECK_EQ(array->shape[1], 70);
  CHECK_EQ(array->chunkshape[1], 30);
  CHECK_EQ(array->blockshape[0], 20);
  CHECK_TEXT(array->dtype, "<i4");
  static int32_t back[90 * 70];
  memset(back, 0xee, sizeof back);
  CHECK_OK(b2nd_to_cbuffer(array, back, sizeof back));
  bool counts = true;
  for (int i = 0; i < 90 * 70; i++) {
    counts = counts && back[i] == i;
  }
  CHECK(counts);
}

static void check_file(void) {
  remove(urlpath);
  b2nd_array_t *array = counting_array(&G, true, urlpath);
  check_is_counting(array);
  b2nd_free(array);
  array = NULL;
  CHECK_OK(b2nd_open(urlpath, &array));
  check_is_counting(array);
  b2nd_free(array);
  CHECK(b2nd_open("there-is-no-such-file.b2nd", &array) < 0);
  remove(urlpath);
}

/* A copy in a file of an array that lives elsewhere. */
static void check_save(void) {
  remove(other_path);
  b2nd_array_t *array = counting_array(&G, true, NULL);
  CHECK_OK(b2nd_save(array, other_path));
  CHECK(b2nd_save(array, other_path) < 0); /* nothing is overwritten */
  b2nd_free(array);
  array = NULL;
  CHECK_OK(b2nd_open(other_path, &array));
  check_is_counting(array);
  b2nd_free(array);
  remove(other_path);
}

static void check_cframe(bool contiguous) {
  b2nd_array_t *array = counting_array(&G, contiguous, NULL);
  uint8_t *cframe = NULL;
  int64_t length = 0;
  bool needs_free = false;
  CHECK_OK(b2nd_to_cframe(array, &cframe, &length, &needs_free));
  CHECK(cframe != NULL && length > 0);
  uint8_t *copy = must_alloc((size_t)length);
  memcpy(copy, cframe, (size_t)length);
  if (needs_free) {
    free(cframe);
  }
  b2nd_free(array);

  array = NULL;
  CHECK_OK(b2nd_from_cframe(copy, length, true, &array));
  check_is_counting(array);
  b2nd_free(array);

  /* Without a copy the array lives in the buffer. */
  array = NULL;
  CHECK_OK(b2nd_from_cframe(copy, length, false, &array));
  check_is_counting(array);
  b2nd_free(array);
  free(copy);
}

/* An array is a super-chunk with a note on its shape: both ways of opening see the same. */
static void check_schunk(void) {
  remove(urlpath);
  b2nd_free(counting_array(&G, true, urlpath));
  blosc2_schunk *schunk = blosc2_schunk_open(urlpath);
  if (CHECK(schunk != NULL)) {
    b2nd_array_t *array = NULL;
    CHECK_OK(b2nd_from_schunk(schunk, &array));
    CHECK(array != NULL && array->sc == schunk);
    check_is_counting(array);
    b2nd_free(array); /* and the super-chunk with it */
  }
  remove(urlpath);

  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  schunk = blosc2_schunk_new(&storage);
  b2nd_array_t *array = NULL;
  CHECK(b2nd_from_schunk(schunk, &array) < 0);
  blosc2_schunk_free(schunk);
}

/* Notes of one's own travel along. */
static void check_metalayers(void) {
  remove(urlpath);
  uint8_t content[] = "metres above sea level";
  char name[] = "unit";
  blosc2_metalayer unit = {.name = name, .content = content, .content_len = sizeof content};
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = 4;
  blosc2_storage storage = {.contiguous = true, .urlpath = urlpath, .cparams = &cparams};
  b2nd_context_t *ctx =
      b2nd_create_ctx(&storage, G.ndim, G.shape, G.chunkshape, G.blockshape, NULL, DTYPE_NUMPY_FORMAT, &unit, 1);
  b2nd_array_t *array = NULL;
  CHECK_OK(b2nd_zeros(ctx, &array));
  CHECK_EQ(array->sc->nmetalayers, 2);
  b2nd_free(array);
  b2nd_free_ctx(ctx);

  array = NULL;
  CHECK_OK(b2nd_open(urlpath, &array));
  if (CHECK(array != NULL)) {
    CHECK_TEXT(array->dtype, "|S4"); /* none was given: strings of the type's size */
    uint8_t *got = NULL;
    int32_t length = 0;
    CHECK_EQ(blosc2_meta_get(array->sc, "unit", &got, &length), 1);
    CHECK_EQ(length, sizeof content);
    CHECK_BYTES(got, content, sizeof content);
    free(got);
    b2nd_free(array);
  }
  remove(urlpath);
}

int main(void) {
  blosc2_init();
  check_file();
  check_save();
  check_cframe(false);
  check_cframe(true);
  check_schunk();
  check_metalayers();
  blosc2_destroy();
  return check_report();
}
