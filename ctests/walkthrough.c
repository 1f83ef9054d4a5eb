/* The library as its documentation shows it: a buffer there and back, a super-chunk in a file, an array and a slice. */
#include <b2nd.h>
#include <blosc2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_ITEMS 100000
#define CHUNKS 10

static int compress_a_buffer(void) {
  static float signal[CHUNK_ITEMS], restored[CHUNK_ITEMS];
  static char packed[sizeof signal + BLOSC2_MAX_OVERHEAD];
  for (int i = 0; i < CHUNK_ITEMS; i++) {
    signal[i] = (float)(i % 1000) * 0.5f;
  }
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(float);
  cparams.compcode = BLOSC_LZ4;
  cparams.clevel = 9;
  cparams.filters[BLOSC2_MAX_FILTERS - 1] = BLOSC_SHUFFLE;
  cparams.nthreads = 2;
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  int csize = blosc2_compress_ctx(cctx, signal, sizeof signal, packed, sizeof packed);
  blosc2_free_ctx(cctx);
  if (csize <= 0) {
    fprintf(stderr, "Compression failed: %s\n", print_error(csize));
    return 1;
  }
  printf("Compression: %zu -> %d (%.1fx)\n", sizeof signal, csize, (double)sizeof signal / csize);

  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  blosc2_context *dctx = blosc2_create_dctx(dparams);
  int dsize = blosc2_decompress_ctx(dctx, packed, csize, restored, sizeof restored);
  blosc2_free_ctx(dctx);
  return dsize == (int)sizeof signal && memcmp(signal, restored, sizeof signal) == 0 ? 0 : 1;
}

static int fill_a_file(void) {
  static int32_t items[CHUNK_ITEMS], restored[CHUNK_ITEMS];
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  cparams.compcode = BLOSC_ZSTD;
  remove("walkthrough.b2frame");
  blosc2_storage storage = {.contiguous = true, .urlpath = "walkthrough.b2frame", .cparams = &cparams, .dparams = &dparams};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  for (int n = 0; n < CHUNKS; n++) {
    for (int i = 0; i < CHUNK_ITEMS; i++) {
      items[i] = i * n;
    }
    if (blosc2_schunk_append_buffer(schunk, items, sizeof items) != n + 1) {
      return 1;
    }
  }
  blosc2_schunk_free(schunk);

  schunk = blosc2_schunk_open("walkthrough.b2frame");
  if (schunk == NULL || schunk->nchunks != CHUNKS) {
    return 1;
  }
  int dsize = blosc2_schunk_decompress_chunk(schunk, CHUNKS - 1, restored, sizeof restored);
  blosc2_schunk_free(schunk);
  remove("walkthrough.b2frame");
  return dsize == (int)sizeof items && memcmp(items, restored, sizeof items) == 0 ? 0 : 1;
}

static int cut_a_slice(void) {
  int8_t ndim = 2;
  int64_t shape[] = {10, 10};
  int32_t chunkshape[] = {4, 4}, blockshape[] = {2, 2};
  int64_t start[] = {5, 3}, stop[] = {9, 10}, buffershape[] = {4, 7};
  double source[100], slice[28];
  for (int i = 0; i < 100; i++) {
    source[i] = i;
  }
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(double);
  blosc2_storage storage = {.cparams = &cparams};
  b2nd_context_t *ctx = b2nd_create_ctx(&storage, ndim, shape, chunkshape, blockshape, NULL, 0, NULL, 0);
  b2nd_array_t *array;
  if (b2nd_from_cbuffer(ctx, &array, source, sizeof source) < 0 ||
      b2nd_get_slice_cbuffer(array, start, stop, slice, buffershape, sizeof slice) < 0) {
    return 1;
  }
  int wrong = 0;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 7; j++) {
      wrong += slice[i * 7 + j] != (5 + i) * 10 + 3 + j;
    }
  }
  b2nd_free(array);
  b2nd_free_ctx(ctx);
  return wrong;
}

int main(void) {
  blosc2_init();
  printf("Blosc version: %s (%s)\n", BLOSC2_VERSION_STRING, BLOSC2_VERSION_DATE);
  int failures = compress_a_buffer() + fill_a_file() + cut_a_slice();
  blosc2_destroy();
  printf("%s\n", failures == 0 ? "All as it was." : "Something is wrong.");
  return failures == 0 ? 0 : 1;
}
