/* A damaged frame: what is wrong is told, in words, and what is left is saved. */
#include "blosc2_ext.h"
#include "check.h"

enum { ITEMS = 1000, SIZE = ITEMS * 4, CHUNKS = 5 };

static void item(int32_t *data, int chunk) {
  for (int i = 0; i < ITEMS; i++) {
    data[i] = i * i / (chunk + 1);
  }
}

static void write_frame(const char *path) {
  static int32_t data[ITEMS];
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = 4;
  blosc2_storage storage = {.contiguous = true, .urlpath = (char *)path, .cparams = &cparams};
  remove(path);
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  CHECK(schunk != NULL);
  for (int n = 0; n < CHUNKS; n++) {
    item(data, n);
    CHECK(blosc2_schunk_append_buffer(schunk, data, SIZE) == n + 1);
  }
  blosc2_schunk_free(schunk);
}

static long length_of(const char *path) {
  FILE *file = fopen(path, "rb");
  fseek(file, 0, SEEK_END);
  long length = ftell(file);
  fclose(file);
  return length;
}

static void overwrite(const char *path, long at, int count) {
  FILE *file = fopen(path, "rb+");
  fseek(file, at, SEEK_SET);
  while (count-- > 0) {
    fputc(0xa5, file);
  }
  fclose(file);
}

typedef struct {
  int count;
  int part;
  int stop;
} tally;

static int count(const b2x_finding *finding, void *user_data) {
  tally *seen = user_data;
  seen->count++;
  seen->part = finding->part;
  CHECK(finding->code < 0 && finding->what[0] != '\0');
  return seen->stop;
}

int main(void) {
  const char *path = "damaged.b2frame", *saved = "saved.b2frame";
  CHECK_TEXT(b2x_last_error_message(), "");
  write_frame(path);
  tally seen = {0, -1, 0};
  CHECK(b2x_frame_verify(path, 0, count, &seen) == 0);
  CHECK(seen.count == 0);
  CHECK(b2x_frame_verify("nothing.b2frame", 0, count, &seen) == BLOSC2_ERROR_FILE_OPEN);
  CHECK(strstr(b2x_last_error_message(), "nothing.b2frame") != NULL);
  CHECK(b2x_frame_verify(path, -1, NULL, NULL) == BLOSC2_ERROR_INVALID_PARAM);

  /* The index is gone, and the trailer with it. */
  overwrite(path, length_of(path) - 60, 60);
  CHECK(blosc2_schunk_open(path) == NULL);
  CHECK(strstr(b2x_last_error_message(), path) != NULL);
  CHECK(b2x_frame_verify(path, 0, count, &seen) == 1);
  CHECK(seen.count == 1 && seen.part == B2X_PART_STRUCTURE);

  remove(saved);
  b2x_recovered recovered;
  CHECK(b2x_frame_recover(path, 0, saved, count, &seen, &recovered) == 0);
  CHECK(recovered.nchunks == CHUNKS && recovered.kept == CHUNKS && recovered.lost == 0);
  CHECK(seen.count > 1);
  CHECK(b2x_frame_recover(path, 0, saved, NULL, NULL, NULL) == BLOSC2_ERROR_FILE_OPEN);
  CHECK(b2x_frame_verify(saved, 0, NULL, NULL) == 0);
  blosc2_schunk *schunk = blosc2_schunk_open(saved);
  CHECK(schunk != NULL && schunk->nchunks == CHUNKS);
  for (int n = 0; n < CHUNKS; n++) {
    static int32_t data[ITEMS], back[ITEMS];
    item(data, n);
    CHECK(blosc2_schunk_decompress_chunk(schunk, n, back, SIZE) == SIZE);
    CHECK(memcmp(data, back, SIZE) == 0);
  }
  blosc2_schunk_free(schunk);

  /* Every chunk is damaged; the caller has heard enough after the first. */
  write_frame(path);
  overwrite(path, 97 + 36, (int)length_of(path) - 97 - 36 - 200);
  seen = (tally){0, -1, 1};
  CHECK(b2x_frame_verify(path, 0, count, &seen) == 1);
  CHECK(seen.count == 1 && seen.part == B2X_PART_CHUNK);
  return check_report();
}
