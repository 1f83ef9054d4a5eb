/* Removing and renaming what a path names: a file, a directory, nothing. */
#include "blosc2.h"
#include "check.h"

static char file[] = "urlpath.b2frame", moved[] = "urlpath-moved.b2frame";
static char dir[] = "urlpath.b2dir", moved_dir[] = "urlpath-moved.b2dir";

static blosc2_schunk *make(bool contiguous, char *urlpath) {
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.contiguous = contiguous;
  storage.urlpath = urlpath;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  int64_t data[1000];
  fill_ramp(data, sizeof data, sizeof data[0]);
  if (CHECK(schunk != NULL)) {
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, data, sizeof data), 1);
  }
  return schunk;
}

static bool exists(const char *path) {
  FILE *there = fopen(path, "rb");
  if (there != NULL) {
    fclose(there);
  }
  return there != NULL;
}

static void check_kind(bool contiguous, char *path, char *other) {
  CHECK_EQ(blosc2_remove_urlpath(path), 0);
  CHECK_EQ(blosc2_remove_urlpath(other), 0);
  blosc2_schunk_free(make(contiguous, path));
  CHECK_EQ(blosc2_rename_urlpath(path, other), 0);
  CHECK(!exists(path));
  blosc2_schunk *schunk = blosc2_schunk_open(other);
  if (CHECK(schunk != NULL)) {
    int64_t data[1000], want[1000];
    fill_ramp(want, sizeof want, sizeof want[0]);
    CHECK_EQ(blosc2_schunk_decompress_chunk(schunk, 0, data, sizeof data), sizeof data);
    CHECK_BYTES(data, want, sizeof want);
    blosc2_schunk_free(schunk);
  }
  CHECK_EQ(blosc2_rename_urlpath(path, other), BLOSC2_ERROR_FAILURE);
  CHECK_EQ(blosc2_remove_urlpath(other), 0);
  CHECK(!exists(other));
  CHECK(blosc2_schunk_open(other) == NULL);
}

int main(void) {
  blosc2_init();
  check_kind(true, file, moved);
  check_kind(false, dir, moved_dir);

  /* A file's lock goes with it. */
  blosc2_stdio_params locking = {true};
  blosc2_io io = BLOSC2_IO_DEFAULTS;
  io.params = &locking;
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.contiguous = true;
  storage.urlpath = file;
  storage.io = &io;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (CHECK(schunk != NULL)) {
    int64_t data[100] = {0};
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, data, sizeof data), 1);
    blosc2_schunk_free(schunk);
  }
  CHECK(exists("urlpath.b2frame.b2lock"));
  CHECK_EQ(blosc2_remove_urlpath(file), 0);
  CHECK(!exists("urlpath.b2frame.b2lock"));

  /* A directory, and only that. */
  blosc2_schunk_free(make(false, dir));
  CHECK_EQ(blosc2_remove_dir(dir), 0);
  CHECK_EQ(blosc2_remove_dir(dir), BLOSC2_ERROR_NOT_FOUND);
  blosc2_schunk_free(make(true, file));
  CHECK_EQ(blosc2_remove_dir(file), BLOSC2_ERROR_NOT_FOUND);
  CHECK_EQ(blosc2_remove_urlpath(file), 0);

  CHECK_EQ(blosc2_remove_dir(NULL), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(blosc2_remove_dir(""), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(blosc2_remove_urlpath(NULL), 0);
  CHECK_EQ(blosc2_rename_urlpath(NULL, moved), 0);
  CHECK_EQ(blosc2_rename_urlpath(file, NULL), 0);
  blosc2_destroy();
  return check_report();
}
