/* Lazy chunks, items by number, and blocks of their own lengths: what is read without reading all. */
#include "blosc2.h"
#include "check.h"

enum { ITEMS = 10000, NITEMS = 3 * ITEMS + 1234, CHUNKSIZE = ITEMS * (int)sizeof(int32_t) };

static int32_t data[NITEMS], back[NITEMS];

static blosc2_schunk *make(bool contiguous, char *urlpath) {
  if (urlpath != NULL) {
    blosc2_remove_urlpath(urlpath);
  }
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  cparams.blocksize = 4096;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = 2;
  blosc2_storage storage = {.contiguous = contiguous, .urlpath = urlpath, .cparams = &cparams, .dparams = &dparams};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  for (int n = 0; schunk != NULL && n < NITEMS; n += ITEMS) {
    int items = NITEMS - n < ITEMS ? NITEMS - n : ITEMS;
    CHECK(blosc2_schunk_append_buffer(schunk, data + n, items * (int)sizeof(int32_t)) > 0);
  }
  return schunk;
}

static void check_lazy(blosc2_schunk *schunk, bool on_disk) {
  for (int64_t n = 0; n < schunk->nchunks; n++) {
    uint8_t *chunk = NULL;
    bool needs_free = false;
    int size = blosc2_schunk_get_lazychunk(schunk, n, &chunk, &needs_free);
    if (!CHECK(size > 0 && chunk != NULL)) {
      continue;
    }
    CHECK_EQ(needs_free, on_disk);
    CHECK_EQ((chunk[BLOSC2_CHUNK_BLOSC2_FLAGS] & 0x08) != 0, on_disk);
    int32_t nbytes = 0;
    CHECK_EQ(blosc2_cbuffer_sizes(chunk, &nbytes, NULL, NULL), 0);
    int64_t first = n * ITEMS;
    CHECK_EQ(blosc2_decompress_ctx(schunk->dctx, chunk, size, back, nbytes), nbytes);
    CHECK_BYTES(back, data + first, nbytes);
    CHECK_EQ(blosc2_getitem_ctx(schunk->dctx, chunk, size, 1100, 10, back, 40), 40);
    CHECK_BYTES(back, data + first + 1100, 40);
    if (needs_free) {
      free(chunk);
    }
  }
  uint8_t *chunk = NULL;
  bool needs_free = false;
  CHECK_EQ(blosc2_schunk_get_lazychunk(schunk, -1, &chunk, &needs_free), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(blosc2_schunk_get_lazychunk(schunk, schunk->nchunks, &chunk, &needs_free), BLOSC2_ERROR_INVALID_PARAM);
}

static void check_slice(blosc2_schunk *schunk, int64_t start, int64_t stop) {
  memset(back, 0, sizeof back);
  CHECK_EQ(blosc2_schunk_get_slice_buffer(schunk, start, stop, back), 0);
  CHECK_BYTES(back, data + start, (stop - start) * 4);
  int64_t *chunks = NULL;
  int64_t nchunks = blosc2_get_slice_nchunks(schunk, &start, &stop, &chunks);
  if (CHECK_EQ(nchunks, (stop + ITEMS - 1) / ITEMS - start / ITEMS)) {
    for (int64_t i = 0; i < nchunks; i++) {
      CHECK_EQ(chunks[i], start / ITEMS + i);
    }
  }
  free(chunks);
}

static void check_slices(blosc2_schunk *schunk) {
  check_slice(schunk, 0, NITEMS);
  check_slice(schunk, 5, 6);
  check_slice(schunk, 1020, 1030);
  check_slice(schunk, ITEMS - 1, 2 * ITEMS + 1);
  check_slice(schunk, NITEMS - 3, NITEMS);
  CHECK_EQ(blosc2_schunk_get_slice_buffer(schunk, NITEMS + ITEMS, NITEMS + ITEMS + 1, back), BLOSC2_ERROR_FAILURE);
  CHECK_EQ(blosc2_schunk_get_slice_buffer(schunk, 7, 3, back), 0);
  CHECK_EQ(blosc2_schunk_set_slice_buffer(schunk, 7, 3, data), 0);

  int64_t coords[] = {NITEMS - 1, 0, 12345, 12345, ITEMS, 77};
  CHECK_EQ(blosc2_schunk_get_sparse_buffer(schunk, 6, coords, back), 0);
  for (int i = 0; i < 6; i++) {
    CHECK_EQ(back[i], data[coords[i]]);
  }
  CHECK_EQ(blosc2_schunk_get_sparse_buffer(schunk, 0, NULL, NULL), 0);
  int64_t outside[] = {0, -1}, behind[] = {0, NITEMS};
  CHECK_EQ(blosc2_schunk_get_sparse_buffer(schunk, 2, outside, back), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(blosc2_schunk_get_sparse_buffer(schunk, 2, behind, back), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(blosc2_schunk_get_sparse_buffer(schunk, -1, coords, back), BLOSC2_ERROR_INVALID_PARAM);

  /* Writing: a part, a whole chunk and more, the end. */
  int32_t old[NITEMS];
  memcpy(old, data, sizeof data);
  int64_t bounds[][2] = {{3, 7}, {ITEMS - 5, 2 * ITEMS + 5}, {NITEMS - 1, NITEMS}, {3 * ITEMS, NITEMS}};
  for (int i = 0; i < 4; i++) {
    int64_t start = bounds[i][0], stop = bounds[i][1];
    fill_noise(data + start, (size_t)(stop - start) * 4, (uint64_t)i);
    CHECK_EQ(blosc2_schunk_set_slice_buffer(schunk, start, stop, data + start), 0);
    check_slice(schunk, 0, NITEMS);
  }
  memcpy(data, old, sizeof data);
}

static void check_offsets(blosc2_schunk *schunk, bool frame) {
  int64_t *offsets = blosc2_frame_get_offsets(schunk);
  CHECK_EQ(offsets != NULL, frame);
  if (offsets != NULL) {
    CHECK_EQ(offsets[0], 0);
    CHECK(offsets[1] > 0 && offsets[2] > offsets[1]);
  }
  free(offsets);
}

static void check_vlblocks(bool contiguous, char *urlpath) {
  blosc2_remove_urlpath(urlpath);
  blosc2_storage storage = {.contiguous = contiguous, .urlpath = urlpath};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (!CHECK(schunk != NULL)) {
    return;
  }
  const void *srcs[] = {data, data + 100, data + 5000};
  int32_t sizes[] = {400, 12, 20000};
  uint8_t *chunk = must_alloc(30000);
  int size = blosc2_vlcompress_ctx(schunk->cctx, srcs, sizes, 3, chunk, 30000);
  CHECK(size > 0);
  CHECK_EQ(blosc2_schunk_append_chunk(schunk, chunk, true), 1);
  free(chunk);
  uint8_t *block = NULL;
  int32_t blocksize = 0;
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(blosc2_schunk_get_vlblock(schunk, 0, i, &block, &blocksize), sizes[i]);
    CHECK_EQ(blocksize, sizes[i]);
    CHECK_BYTES(block, srcs[i], sizes[i]);
    free(block);
  }
  CHECK_EQ(blosc2_schunk_get_vlblock(schunk, 0, 3, &block, &blocksize), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(blosc2_schunk_get_vlblock(schunk, 0, -1, &block, &blocksize), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(blosc2_schunk_get_vlblock(schunk, 1, 0, &block, &blocksize), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(blosc2_schunk_get_vlblock(NULL, 0, 0, &block, &blocksize), BLOSC2_ERROR_INVALID_PARAM);

  /* Lazily too. */
  uint8_t *lazy = NULL;
  bool needs_free = false;
  size = blosc2_schunk_get_lazychunk(schunk, 0, &lazy, &needs_free);
  CHECK(size > 0);
  CHECK_EQ(blosc2_vldecompress_block_ctx(schunk->dctx, lazy, size, 2, &block, &blocksize), sizes[2]);
  CHECK_BYTES(block, srcs[2], sizes[2]);
  free(block);
  if (needs_free) {
    free(lazy);
  }
  blosc2_schunk_free(schunk);
  blosc2_remove_urlpath(urlpath);
}

static void check_indexes(void) {
  int64_t shape[] = {4, 5, 6}, strides[] = {30, 6, 1}, index[3], n = 0;
  for (int64_t i = 0; i < 120; i++) {
    blosc2_unidim_to_multidim(3, shape, i, index);
    CHECK(index[0] == i / 30 && index[1] == i / 6 % 5 && index[2] == i % 6);
    blosc2_multidim_to_unidim(index, 3, strides, &n);
    CHECK_EQ(n, i);
  }
}

int main(void) {
  blosc2_init();
  fill_ramp(data, sizeof data, 4);
  fill_noise(data + ITEMS, 2000, 3);
  char file[] = "lazy.b2frame", dir[] = "lazy.b2dir";
  struct {
    bool contiguous;
    char *urlpath;
  } stores[] = {{false, NULL}, {true, NULL}, {true, file}, {false, dir}};
  for (int i = 0; i < 4; i++) {
    blosc2_schunk *schunk = make(stores[i].contiguous, stores[i].urlpath);
    if (CHECK(schunk != NULL)) {
      check_lazy(schunk, stores[i].urlpath != NULL);
      check_offsets(schunk, i > 0);
      check_slices(schunk);
      blosc2_schunk_free(schunk);
    }
  }
  blosc2_remove_urlpath(file);
  blosc2_remove_urlpath(dir);
  check_vlblocks(true, file);
  check_vlblocks(false, dir);
  check_indexes();
  blosc2_destroy();
  return check_report();
}
