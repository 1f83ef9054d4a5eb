/* Frames through I/O that a program registers: one that has the library allocate, and one that hands out its own memory. */
#include "blosc2.h"
#include "check.h"

enum { COUNTING = 200, OWN_MEMORY = 201, ITEMS = 2000, CHUNKSIZE = ITEMS * (int)sizeof(int32_t), NCHUNKS = 6 };

/* What went through, and when writing is to fail. */
typedef struct {
  int opens, closes, reads, writes, truncates, destroyed;
  bool full;
} calls;

typedef struct {
  blosc2_stdio_file *file;
  calls *calls;
} stream;

static void *counting_open(const char *urlpath, const char *mode, void *params) {
  blosc2_stdio_file *file = blosc2_stdio_open(urlpath, mode, NULL);
  if (file == NULL) {
    return NULL;
  }
  stream *opened = must_alloc(sizeof *opened);
  opened->file = file;
  opened->calls = params;
  opened->calls->opens++;
  return opened;
}

static int counting_close(void *handle) {
  stream *opened = handle;
  opened->calls->closes++;
  int code = blosc2_stdio_close(opened->file);
  free(opened);
  return code;
}

static int64_t counting_size(void *handle) {
  return blosc2_stdio_size(((stream *)handle)->file);
}

static int64_t counting_write(const void *ptr, int64_t size, int64_t nitems, int64_t position, void *handle) {
  stream *opened = handle;
  opened->calls->writes++;
  return opened->calls->full ? 0 : blosc2_stdio_write(ptr, size, nitems, position, opened->file);
}

static int64_t counting_read(void **ptr, int64_t size, int64_t nitems, int64_t position, void *handle) {
  stream *opened = handle;
  opened->calls->reads++;
  return blosc2_stdio_read(ptr, size, nitems, position, opened->file);
}

static int counting_truncate(void *handle, int64_t size) {
  stream *opened = handle;
  opened->calls->truncates++;
  return opened->calls->full ? -1 : blosc2_stdio_truncate(opened->file, size);
}

static int counting_destroy(void *params) {
  ((calls *)params)->destroyed++;
  return 0;
}

/* A file that is in memory while it is open, and on disk otherwise. What was read stays until the program ends. */
static void *kept[4096];
static int nkept = 0;

static int64_t own_read(void **ptr, int64_t size, int64_t nitems, int64_t position, void *handle) {
  stream *opened = handle;
  opened->calls->reads++;
  void *memory = must_alloc((size_t)(size * nitems));
  if (nkept < 4096) {
    kept[nkept++] = memory;
  }
  *ptr = memory;
  return blosc2_stdio_read(&memory, size, nitems, position, opened->file);
}

static void register_backends(void) {
  blosc2_io_cb io = {.id = COUNTING,
                     .name = "counting",
                     .is_allocation_necessary = true,
                     .open = counting_open,
                     .close = counting_close,
                     .size = counting_size,
                     .write = counting_write,
                     .read = counting_read,
                     .truncate = counting_truncate,
                     .destroy = counting_destroy};
  CHECK_EQ(blosc2_register_io_cb(&io), 0);
  CHECK_EQ(blosc2_register_io_cb(&io), 0);
  io.name = "another";
  CHECK_EQ(blosc2_register_io_cb(&io), BLOSC2_ERROR_PLUGIN_IO);
  io.id = OWN_MEMORY;
  io.name = "own memory";
  io.is_allocation_necessary = false;
  io.read = own_read;
  CHECK_EQ(blosc2_register_io_cb(&io), 0);
  io.id = BLOSC2_IO_REGISTERED - 1;
  CHECK_EQ(blosc2_register_io_cb(&io), BLOSC2_ERROR_PLUGIN_IO);
  CHECK_EQ(blosc2_register_io_cb(NULL), BLOSC2_ERROR_INVALID_PARAM);

  CHECK(blosc2_get_io_cb(COUNTING)->read == counting_read);
  CHECK(blosc2_get_io_cb(OWN_MEMORY)->is_allocation_necessary == false);
  CHECK(blosc2_get_io_cb(250) == NULL);
  CHECK(blosc2_get_io_cb(BLOSC2_IO_FILESYSTEM)->open == blosc2_stdio_open);
  CHECK(blosc2_get_io_cb(BLOSC2_IO_FILESYSTEM_MMAP)->read == blosc2_stdio_mmap_read);
}

static int32_t data[ITEMS], back[ITEMS];

static void *items_of(int nchunk) {
  for (int i = 0; i < ITEMS; i++) {
    data[i] = nchunk * 1000003 + i * (i % 7 + 1);
  }
  return data;
}

static void check_chunk(blosc2_schunk *schunk, int64_t n, int made_as) {
  CHECK_EQ(blosc2_schunk_decompress_chunk(schunk, n, back, CHUNKSIZE), CHUNKSIZE);
  CHECK_BYTES(back, items_of(made_as), CHUNKSIZE);
}

static void check_backend(uint8_t id, bool contiguous, char *urlpath) {
  blosc2_remove_urlpath(urlpath);
  calls calls = {0};
  blosc2_io io = {.id = id, .name = NULL, .params = &calls};
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  cparams.nthreads = 2;
  blosc2_storage storage = {.contiguous = contiguous, .urlpath = urlpath, .cparams = &cparams, .io = &io};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (!CHECK(schunk != NULL)) {
    return;
  }
  for (int n = 0; n < NCHUNKS; n++) {
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(n), CHUNKSIZE), n + 1);
  }
  int32_t answer = 42;
  CHECK(blosc2_vlmeta_add(schunk, "answer", (uint8_t *)&answer, sizeof answer, NULL) >= 0);
  CHECK(calls.opens > 0 && calls.writes > 0 && calls.truncates > 0);

  blosc2_schunk *reader = blosc2_schunk_open_udio(urlpath, &io);
  if (CHECK(reader != NULL)) {
    calls.reads = 0;
    for (int n = 0; n < NCHUNKS; n++) {
      check_chunk(reader, n, n);
    }
    CHECK(calls.reads >= NCHUNKS);
    uint8_t *content = NULL;
    int32_t len = 0;
    CHECK(blosc2_vlmeta_get(reader, "answer", &content, &len) >= 0);
    CHECK_EQ(len, sizeof answer);
    CHECK_BYTES(content, &answer, sizeof answer);
    free(content);
    CHECK_EQ(blosc2_schunk_delete_chunk(schunk, 1), NCHUNKS - 1);
#ifndef AGAINST_REFERENCE
    /* What is written through one handle is read through the other. The C library looks at default files only. */
    check_chunk(reader, 1, 2);
#endif
    CHECK_EQ(blosc2_schunk_free(reader), 0);
    CHECK_EQ(calls.destroyed, 1);
  }

  /* A disk that is full. */
  calls.full = true;
  CHECK(blosc2_schunk_append_buffer(schunk, items_of(NCHUNKS), CHUNKSIZE) < 0);
  calls.full = false;
  CHECK_EQ(blosc2_schunk_free(schunk), 0);
  CHECK_EQ(calls.destroyed, 2);
  CHECK_EQ(calls.opens, calls.closes);

  /* Nothing there: the backend hears of it. */
  CHECK_EQ(blosc2_remove_urlpath(urlpath), 0);
  CHECK(blosc2_schunk_open_udio(urlpath, &io) == NULL);
  CHECK_EQ(calls.destroyed, 3);
}

int main(void) {
  blosc2_init();
  register_backends();
  check_backend(COUNTING, true, "udio.b2frame");
  check_backend(COUNTING, false, "udio.b2dir");
  check_backend(OWN_MEMORY, true, "udio-own.b2frame");
  check_backend(OWN_MEMORY, false, "udio-own.b2dir");
  blosc2_destroy();
  for (int i = 0; i < nkept; i++) {
    free(kept[i]);
  }
  return check_report();
}
