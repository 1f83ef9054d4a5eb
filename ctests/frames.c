/* Frames as bytes: to a buffer and back, with and without a copy; to a file and back; what is no frame. */
#include "blosc2.h"
#include "check.h"

enum { NCHUNKS = 5, ITEMS = 4000, CHUNKSIZE = ITEMS * (int)sizeof(int64_t) };

static int64_t data[ITEMS], back[ITEMS];
static char urlpath[] = "frames.b2frame";

static void *items_of(int nchunk) {
  for (int i = 0; i < ITEMS; i++) {
    data[i] = INT64_C(10000000000) * nchunk + i;
  }
  return data;
}

static blosc2_schunk *make(bool contiguous, int nchunks) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int64_t);
  cparams.compcode = BLOSC_ZSTD;
  cparams.clevel = 3;
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.contiguous = contiguous;
  storage.cparams = &cparams;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  uint8_t origin[] = "made by a test";
  CHECK(blosc2_meta_add(schunk, "origin", origin, sizeof origin) >= 0);
  for (int n = 0; n < nchunks; n++) {
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(n), CHUNKSIZE), n + 1);
  }
  return schunk;
}

static void check_contents(blosc2_schunk *schunk, int nchunks) {
  if (!CHECK(schunk != NULL)) {
    return;
  }
  CHECK_EQ(schunk->nchunks, nchunks);
  CHECK_EQ(schunk->nbytes, (int64_t)nchunks * CHUNKSIZE);
  CHECK_EQ(schunk->typesize, sizeof(int64_t));
  CHECK_EQ(schunk->compcode, BLOSC_ZSTD);
  CHECK_EQ(schunk->clevel, 3);
  CHECK_EQ(schunk->nmetalayers, 1);
  CHECK_EQ(blosc2_meta_exists(schunk, "origin"), 0);
  for (int n = 0; n < nchunks; n++) {
    CHECK_EQ(blosc2_schunk_decompress_chunk(schunk, n, back, CHUNKSIZE), CHUNKSIZE);
    CHECK_BYTES(back, items_of(n), CHUNKSIZE);
  }
}

static int64_t be64(const uint8_t *bytes) {
  int64_t value = 0;
  for (int i = 0; i < 8; i++) {
    value = value << 8 | bytes[i];
  }
  return value;
}

static void check_buffer(bool contiguous, int nchunks) {
  blosc2_schunk *schunk = make(contiguous, nchunks);
  uint8_t *cframe = NULL;
  bool needs_free = false;
  int64_t length = blosc2_schunk_to_buffer(schunk, &cframe, &needs_free);
  if (!CHECK(length > 0 && cframe != NULL)) {
    return;
  }
  CHECK_BYTES(cframe, "\x9e\xa8" "b2frame", 10);
  CHECK_EQ(be64(cframe + 16), length);

  /* With a copy the buffer stays ours, and may go before the super-chunk does. */
  uint8_t *mine = must_alloc((size_t)length);
  memcpy(mine, cframe, (size_t)length);
  blosc2_schunk *copied = blosc2_schunk_from_buffer(mine, length, true);
  memset(mine, 0, (size_t)length);
  free(mine);
  check_contents(copied, nchunks);
  blosc2_schunk_free(copied);

  /* Without, the super-chunk lives in it, and it is still ours. */
  uint8_t *lent = must_alloc((size_t)length);
  memcpy(lent, cframe, (size_t)length);
  blosc2_schunk *borrower = blosc2_schunk_from_buffer(lent, length, false);
  check_contents(borrower, nchunks);
  blosc2_schunk_free(borrower);
  CHECK_BYTES(lent, cframe, length);
  free(lent);

  /* Until it is passed on. */
  uint8_t *theirs = must_alloc((size_t)length);
  memcpy(theirs, cframe, (size_t)length);
  blosc2_schunk *adopted = blosc2_schunk_from_buffer(theirs, length, false);
  if (CHECK(adopted != NULL)) {
    blosc2_schunk_avoid_cframe_free(adopted, false);
    check_contents(adopted, nchunks);
    blosc2_schunk_free(adopted);
  }

  if (needs_free) {
    free(cframe);
  }
  blosc2_schunk_free(schunk);
}

static void check_file(bool contiguous, int nchunks) {
  remove(urlpath);
  blosc2_schunk *schunk = make(contiguous, nchunks);
  int64_t length = blosc2_schunk_to_file(schunk, urlpath);
  CHECK(length > 0);
  blosc2_schunk_free(schunk);

  FILE *file = fopen(urlpath, "rb");
  if (CHECK(file != NULL)) {
    fseek(file, 0, SEEK_END);
    CHECK_EQ(ftell(file), length);
    fclose(file);
  }
  schunk = blosc2_schunk_open(urlpath);
  check_contents(schunk, nchunks);
  /* What is opened can grow. */
  if (schunk != NULL) {
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(nchunks), CHUNKSIZE), nchunks + 1);
    blosc2_schunk_free(schunk);
  }
  schunk = blosc2_schunk_open(urlpath);
  check_contents(schunk, nchunks + 1);
  blosc2_schunk_free(schunk);
  remove(urlpath);
}

/* Bytes that are no frame, or only the beginning of one. */
static void check_refusals(void) {
  blosc2_schunk *schunk = make(true, 2);
  uint8_t *cframe = NULL;
  bool needs_free = false;
  int64_t length = blosc2_schunk_to_buffer(schunk, &cframe, &needs_free);
  uint8_t *bytes = must_alloc((size_t)length);
  memcpy(bytes, cframe, (size_t)length);
  CHECK(blosc2_schunk_from_buffer(bytes, 10, true) == NULL);
  CHECK(blosc2_schunk_from_buffer(bytes, length - 1, true) == NULL);
  bytes[2] = 'x';
  CHECK(blosc2_schunk_from_buffer(bytes, length, true) == NULL);
  free(bytes);
  if (needs_free) {
    free(cframe);
  }
  blosc2_schunk_free(schunk);

  remove(urlpath);
  FILE *file = fopen(urlpath, "wb");
  if (CHECK(file != NULL)) {
    fputs("This is not a frame, but it is long enough to have the header of one, were it one. So read on, and refuse.", file);
    fclose(file);
    CHECK(blosc2_schunk_open(urlpath) == NULL);
  }
  remove(urlpath);
}

int main(void) {
  blosc2_init();
  for (int nchunks = 0; nchunks <= NCHUNKS; nchunks += NCHUNKS) {
    check_buffer(false, nchunks);
    check_buffer(true, nchunks);
    check_file(false, nchunks);
    check_file(true, nchunks);
  }
  check_refusals();
  blosc2_destroy();
  return check_report();
}
