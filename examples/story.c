/* The story that is told in every language here: write an array to a file, with two metalayers; open it again; cut a slice;
 * check it. */
#include "example.h"
#include <b2nd.h>
#include <string.h>

enum { ROWS = 300, COLUMNS = 200 };

static char path[] = "story-c.b2nd";

static void write_it(void) {
  static double data[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; i++) {
    for (int j = 0; j < COLUMNS; j++) data[i][j] = 1000 * i + j;
  }
  const int64_t shape[] = {ROWS, COLUMNS};
  const int32_t chunkshape[] = {100, 100}, blockshape[] = {20, 50};
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(double);
  cparams.compcode = BLOSC_ZSTD;
  blosc2_storage storage = {.contiguous = true, .urlpath = path, .cparams = &cparams};
  uint8_t level[] = {42};
  blosc2_metalayer metalayers[] = {{.name = "level", .content = level, .content_len = sizeof level}};
  b2nd_context_t *ctx =
    b2nd_create_ctx(&storage, 2, shape, chunkshape, blockshape, "<f8", DTYPE_NUMPY_FORMAT, metalayers, 1);
  expect(ctx != NULL, "a description");

  b2nd_array_t *array;
  must(b2nd_from_cbuffer(ctx, &array, data, sizeof data), "write");
  char note[] = "written by C";
  must(blosc2_vlmeta_add(array->sc, "note", (uint8_t *)note, (int32_t)strlen(note), NULL), "note");
  must(b2nd_free(array), "close");
  must(b2nd_free_ctx(ctx), "free");
}

int main(void) {
  blosc2_init();
  blosc2_remove_urlpath(path);
  write_it();

  b2nd_array_t *array;
  must(b2nd_open(path, &array), "open");
  uint8_t *level = NULL, *note = NULL;
  int32_t level_len = 0, note_len = 0;
  must(blosc2_meta_get(array->sc, "level", &level, &level_len), "level");
  must(blosc2_vlmeta_get(array->sc, "note", &note, &note_len), "note");
  expect(level_len == 1 && level[0] == 42, "the level");
  expect(note_len == 12 && memcmp(note, "written by C", 12) == 0, "the note");

  /* Rows 99 to 101, columns 98 to 102: of all four corners where chunks meet. */
  const int64_t start[] = {99, 98}, stop[] = {102, 103}, box[] = {3, 5};
  double slice[3][5];
  must(b2nd_get_slice_cbuffer(array, start, stop, slice, box, sizeof slice), "slice");
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 5; j++) expect(slice[i][j] == 1000 * (99 + i) + 98 + j, "the slice");
  }
  printf("ok story.c: %lld x %lld of %s, \"%.*s\", %lld bytes in %lld\n", (long long)array->shape[0],
         (long long)array->shape[1], array->dtype, (int)note_len, (char *)note, (long long)array->sc->nbytes,
         (long long)array->sc->cbytes);
  free(level);
  free(note);
  must(b2nd_free(array), "close");
  must(blosc2_remove_urlpath(path), "remove");
  blosc2_destroy();
  return 0;
}
