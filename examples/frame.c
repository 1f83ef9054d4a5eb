/* A super-chunk in a file, with what a reader should know about it in metalayers: fixed ones, whose size is settled before
 * the data comes, and ones of variable length, which come, change and go at any time. */
#include "example.h"
#include <string.h>

enum { ITEMS = 5000, SIZE = ITEMS * (int)sizeof(float) };

static char path[] = "frame.b2frame";
static float items[ITEMS];

static void write_it(void) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(float);
  /* contiguous: one file; otherwise a directory with a file for each chunk */
  blosc2_storage storage = {.contiguous = true, .urlpath = path, .cparams = &cparams};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  expect(schunk != NULL, "a new file");

  uint8_t version[] = {1, 0};
  must(blosc2_meta_add(schunk, "version", version, sizeof version), "metalayer");
  for (int n = 0; n < 4; n++) {
    for (int i = 0; i < ITEMS; i++) items[i] = (float)(n + 1) * (float)i;
    must(blosc2_schunk_append_buffer(schunk, items, SIZE), "append");
  }
  version[1] = 7; /* new content, same size */
  must(blosc2_meta_update(schunk, "version", version, sizeof version), "update");

  char note[] = "metres";
  must(blosc2_vlmeta_add(schunk, "unit", (uint8_t *)note, sizeof note, NULL), "variable-length metalayer");
  char better[] = "metres above the sea";
  must(blosc2_vlmeta_update(schunk, "unit", (uint8_t *)better, sizeof better, NULL), "longer content");
  must(blosc2_schunk_free(schunk), "close");
}

int main(void) {
  blosc2_init();
  blosc2_remove_urlpath(path);
  write_it();

  blosc2_schunk *schunk = blosc2_schunk_open(path);
  expect(schunk != NULL, "the file opens");
  uint8_t *version = NULL, *unit = NULL;
  int32_t version_len = 0, unit_len = 0;
  must(blosc2_meta_get(schunk, "version", &version, &version_len), "metalayer");
  expect(version_len == 2 && version[0] == 1 && version[1] == 7, "its content");
  must(blosc2_vlmeta_get(schunk, "unit", &unit, &unit_len), "variable-length metalayer");
  expect(strcmp((char *)unit, "metres above the sea") == 0, "its content");
  must(blosc2_schunk_decompress_chunk(schunk, 3, items, SIZE), "decompress");
  expect(items[ITEMS - 1] == 4.0f * (ITEMS - 1), "the last item");

  printf("ok frame: %lld chunks in %s, version %d.%d, %s\n", (long long)schunk->nchunks, path, version[0], version[1],
         (char *)unit);
  free(version);
  free(unit);
  must(blosc2_schunk_free(schunk), "close");
  must(blosc2_remove_urlpath(path), "remove");
  blosc2_destroy();
  return 0;
}
