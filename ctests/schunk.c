/* Super-chunks where they can live: scattered in memory, contiguous in memory, in one file. */
#include "blosc2.h"
#include "check.h"

enum { NCHUNKS = 7, ITEMS = 25000, CHUNKSIZE = ITEMS * (int)sizeof(int32_t), LAST_ITEMS = 1234 };

static int32_t data[ITEMS], back[ITEMS];

/* The items of chunk `nchunk`. */
static const int32_t *items_of(int nchunk) {
  for (int i = 0; i < ITEMS; i++) {
    data[i] = nchunk * 1000000 + i * 3;
  }
  return data;
}

static void check_contents(blosc2_schunk *schunk) {
  CHECK_EQ(schunk->nchunks, NCHUNKS + 1);
  CHECK_EQ(schunk->nbytes, (int64_t)NCHUNKS * CHUNKSIZE + LAST_ITEMS * 4);
  CHECK_EQ(schunk->chunksize, CHUNKSIZE);
  CHECK_EQ(schunk->typesize, 4);
  CHECK(schunk->cbytes > 0 && schunk->cbytes < schunk->nbytes);
  for (int n = NCHUNKS; n >= 0; n--) {
    int32_t want = n < NCHUNKS ? CHUNKSIZE : LAST_ITEMS * 4;
    memset(back, 0xee, sizeof back);
    CHECK_EQ(blosc2_schunk_decompress_chunk(schunk, n, back, CHUNKSIZE), want);
    CHECK_BYTES(back, items_of(n), want);
  }
  CHECK(blosc2_schunk_decompress_chunk(schunk, NCHUNKS + 1, back, CHUNKSIZE) < 0);
  CHECK(blosc2_schunk_decompress_chunk(schunk, -1, back, CHUNKSIZE) < 0);
  CHECK(blosc2_schunk_decompress_chunk(schunk, 0, back, CHUNKSIZE - 1) < 0);
}

/* The chunks as they are stored: each is a chunk that can be decompressed by itself. */
static void check_get_chunk(blosc2_schunk *schunk) {
  int64_t total = 0;
  for (int n = 0; n <= NCHUNKS; n++) {
    uint8_t *chunk = NULL;
    bool needs_free = false;
    int cbytes = blosc2_schunk_get_chunk(schunk, n, &chunk, &needs_free);
    if (!CHECK(cbytes > 0 && chunk != NULL)) {
      continue;
    }
    int32_t nbytes = 0, csize = 0;
    CHECK_EQ(blosc2_cbuffer_sizes(chunk, &nbytes, &csize, NULL), 0);
    CHECK_EQ(csize, cbytes);
    CHECK_EQ(blosc2_decompress(chunk, cbytes, back, sizeof back), nbytes);
    CHECK_BYTES(back, items_of(n), nbytes);
    total += cbytes;
    if (needs_free) {
      free(chunk);
    }
  }
  CHECK_EQ(total, schunk->cbytes);
  uint8_t *chunk = NULL;
  bool needs_free = false;
  CHECK(blosc2_schunk_get_chunk(schunk, NCHUNKS + 1, &chunk, &needs_free) < 0);
}

/* A program says how large chunks are going to be by writing the field, before there is one. */
static void check_chunksize_said(bool contiguous) {
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.contiguous = contiguous;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (!CHECK(schunk != NULL)) {
    return;
  }
  schunk->chunksize = 8192;
  uint8_t part[300];
  memset(part, 7, sizeof part);
  CHECK_EQ(blosc2_schunk_append_buffer(schunk, part, 100), 1);
  CHECK_EQ(schunk->chunksize, 8192);
  CHECK_EQ(schunk->nbytes, 100);
  /* The last chunk may be shorter, and may grow. */
  uint8_t chunk[300 + BLOSC2_MAX_OVERHEAD];
  CHECK(blosc2_compress_ctx(schunk->cctx, part, 300, chunk, sizeof chunk) > 0);
  CHECK_EQ(blosc2_schunk_update_chunk(schunk, 0, chunk, true), 1);
  CHECK_EQ(schunk->chunksize, 8192);
  CHECK_EQ(schunk->nbytes, 300);
  uint8_t *frame = NULL;
  bool needs_free = false;
  int64_t len = blosc2_schunk_to_buffer(schunk, &frame, &needs_free);
  blosc2_schunk *again = len > 0 ? blosc2_schunk_from_buffer(frame, len, true) : NULL;
  if (CHECK(again != NULL)) {
    CHECK_EQ(again->chunksize, 8192);
    blosc2_schunk_free(again);
  }
  if (needs_free) {
    free(frame);
  }
  blosc2_schunk_free(schunk);
}

/* What the frame of a super-chunk says of its blocks. */
static int32_t blocksize_told(blosc2_schunk *schunk) {
  uint8_t *frame = NULL;
  bool needs_free = false;
  int64_t len = blosc2_schunk_to_buffer(schunk, &frame, &needs_free);
  blosc2_schunk *again = len > 0 ? blosc2_schunk_from_buffer(frame, len, false) : NULL;
  if (!CHECK(again != NULL)) {
    return -1;
  }
  int32_t blocksize = again->blocksize;
  blosc2_schunk_avoid_cframe_free(again, true);
  blosc2_schunk_free(again);
  if (needs_free) {
    free(frame);
  }
  return blocksize;
}

/* Other parameters from now on, as a program has them that writes to the struct: a context made anew, and the fields. */
static void check_blocksize_said(bool contiguous, int32_t first, int32_t then) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = 4;
  cparams.blocksize = first;
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.contiguous = contiguous;
  storage.cparams = &cparams;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (!CHECK(schunk != NULL)) {
    return;
  }
  CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(0), CHUNKSIZE), 1);
  CHECK_EQ(schunk->blocksize, first);
  cparams.blocksize = then;
  blosc2_free_ctx(schunk->cctx);
  schunk->cctx = blosc2_create_cctx(cparams);
  schunk->blocksize = then;
  CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(1), CHUNKSIZE), 2);
  CHECK_EQ(schunk->blocksize, then);
  uint8_t *chunk = NULL;
  bool needs_free = false;
  CHECK(blosc2_schunk_get_chunk(schunk, 1, &chunk, &needs_free) > 0);
  int32_t blocksize = 0;
  CHECK_EQ(blosc2_cbuffer_sizes(chunk, NULL, NULL, &blocksize), 0);
  CHECK(then == 0 ? blocksize > 0 : blocksize == then);
  if (needs_free) {
    free(chunk);
  }
  CHECK_EQ(blosc2_schunk_decompress_chunk(schunk, 0, back, CHUNKSIZE), CHUNKSIZE);
  CHECK_BYTES(back, items_of(0), CHUNKSIZE);
  /* Where blocks are not of one size, and nobody said which, frames of the two libraries differ. */
  if (contiguous || then > 0) {
    CHECK_EQ(blocksize_told(schunk), then);
  }
  blosc2_schunk_free(schunk);
}

/* Where nobody says how large blocks are to be, the frame of scattered chunks says how large they are. */
static void check_blocksize_found(void) {
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (!CHECK(schunk != NULL)) {
    return;
  }
  CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(0), CHUNKSIZE), 1);
  CHECK_EQ(schunk->blocksize, 0);
  uint8_t *chunk = NULL;
  bool needs_free = false;
  CHECK(blosc2_schunk_get_chunk(schunk, 0, &chunk, &needs_free) > 0);
  int32_t blocksize = 0;
  CHECK_EQ(blosc2_cbuffer_sizes(chunk, NULL, NULL, &blocksize), 0);
  CHECK_EQ(blocksize_told(schunk), blocksize);
  if (needs_free) {
    free(chunk);
  }
  blosc2_schunk_free(schunk);
}

static void check_place(bool contiguous, char *urlpath, uint8_t codec) {
  if (urlpath != NULL) {
    remove(urlpath);
  }
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  cparams.compcode = codec;
  cparams.nthreads = 2;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = 2;
  blosc2_storage storage = {.contiguous = contiguous, .urlpath = urlpath, .cparams = &cparams, .dparams = &dparams};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (!CHECK(schunk != NULL)) {
    return;
  }
  CHECK_EQ(schunk->nchunks, 0);
  CHECK_EQ(schunk->compcode, codec);
  CHECK_EQ(schunk->storage->contiguous, contiguous);
  for (int n = 0; n < NCHUNKS; n++) {
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(n), CHUNKSIZE), n + 1);
    CHECK_EQ(schunk->nchunks, n + 1);
  }
  CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(NCHUNKS), LAST_ITEMS * 4), NCHUNKS + 1);
  check_contents(schunk);
  check_get_chunk(schunk);
  CHECK_EQ(blosc2_schunk_free(schunk), 0);

  if (urlpath != NULL) {
    schunk = blosc2_schunk_open(urlpath);
    if (CHECK(schunk != NULL)) {
      CHECK_TEXT(schunk->storage->urlpath, urlpath);
      check_contents(schunk);
      check_get_chunk(schunk);
      CHECK_EQ(blosc2_schunk_free(schunk), 0);
    }
    remove(urlpath);
  }
}

/* Chunks made elsewhere: copied, or handed over for good. */
static void check_append_chunk(bool contiguous) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.contiguous = contiguous;
  storage.cparams = &cparams;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  for (int n = 0; n < 4; n++) {
    uint8_t *chunk = must_alloc(CHUNKSIZE + BLOSC2_MAX_OVERHEAD);
    CHECK(blosc2_compress_ctx(cctx, items_of(n), CHUNKSIZE, chunk, CHUNKSIZE + BLOSC2_MAX_OVERHEAD) > 0);
    bool copy = n % 2 == 0;
    CHECK_EQ(blosc2_schunk_append_chunk(schunk, chunk, copy), n + 1);
    if (copy) {
      memset(chunk, 0, CHUNKSIZE);
      free(chunk);
    }
  }
  for (int n = 0; n < 4; n++) {
    CHECK_EQ(blosc2_schunk_decompress_chunk(schunk, n, back, CHUNKSIZE), CHUNKSIZE);
    CHECK_BYTES(back, items_of(n), CHUNKSIZE);
  }
  blosc2_free_ctx(cctx);
  blosc2_schunk_free(schunk);
}

static void check_defaults(void) {
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (CHECK(schunk != NULL)) {
    CHECK_EQ(schunk->typesize, 8);
    CHECK_EQ(schunk->clevel, 5);
    CHECK_EQ(schunk->compcode, BLOSC_BLOSCLZ);
    CHECK_EQ(schunk->filters[BLOSC2_MAX_FILTERS - 1], BLOSC_SHUFFLE);
    CHECK_EQ(schunk->chunksize, -1);
    CHECK_EQ(schunk->nbytes, 0);
    blosc2_schunk_free(schunk);
  }
  CHECK(blosc2_schunk_open("there-is-no-such-file.b2frame") == NULL);
}

int main(void) {
  static const uint8_t codecs[] = {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_ZSTD};
  char urlpath[] = "schunk.b2frame";
  blosc2_init();
  check_defaults();
  for (size_t c = 0; c < sizeof codecs; c++) {
    check_place(false, NULL, codecs[c]);
    check_place(true, NULL, codecs[c]);
    check_place(true, urlpath, codecs[c]);
  }
  check_chunksize_said(false);
  check_chunksize_said(true);
  for (int contiguous = 0; contiguous < 2; contiguous++) {
    check_blocksize_said(contiguous, 0, 4096);
    check_blocksize_said(contiguous, 2048, 4096);
    check_blocksize_said(contiguous, 2048, 0);
  }
  check_blocksize_found();
  check_append_chunk(false);
  check_append_chunk(true);
  blosc2_destroy();
  return check_report();
}
