/* Codecs and filters: which of them suits some data is found out by trying them on it. */
#include "example.h"
#include <string.h>

enum { ITEMS = 200000, SIZE = ITEMS * (int)sizeof(int32_t) };

static int32_t heights[ITEMS], back[ITEMS];
static uint8_t chunk[SIZE + BLOSC2_MAX_OVERHEAD];

/* Bytes of the chunk that these parameters make of the data. */
static int chunk_size(blosc2_cparams cparams) {
  blosc2_context *cctx = blosc2_create_cctx(cparams), *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  int cbytes = (int)must(blosc2_compress_ctx(cctx, heights, SIZE, chunk, sizeof chunk), "compress");
  must(blosc2_decompress_ctx(dctx, chunk, cbytes, back, SIZE), "decompress");
  expect(memcmp(back, heights, SIZE) == 0, "the same data");
  blosc2_free_ctx(cctx);
  blosc2_free_ctx(dctx);
  return cbytes;
}

int main(void) {
  blosc2_init();
  /* A walk: each item near the one before it. */
  uint32_t state = 1;
  for (int i = 1; i < ITEMS; i++) {
    state = state * 1664525u + 1013904223u;
    heights[i] = heights[i - 1] + (int)(state >> 28) - 7;
  }

  static const uint8_t codecs[] = {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_LZ4HC, BLOSC_ZLIB, BLOSC_ZSTD};
  static const uint8_t filters[] = {BLOSC_NOFILTER, BLOSC_SHUFFLE, BLOSC_BITSHUFFLE};
  blosc2_cparams best = BLOSC2_CPARAMS_DEFAULTS;
  int best_size = SIZE + BLOSC2_MAX_OVERHEAD;
  for (size_t c = 0; c < sizeof codecs; c++) {
    for (size_t f = 0; f < sizeof filters; f++) {
      blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
      cparams.typesize = sizeof(int32_t);
      cparams.compcode = codecs[c];
      /* Up to six filters, one after another; these come last. */
      cparams.filters[BLOSC2_MAX_FILTERS - 1] = filters[f];
      int size = chunk_size(cparams);
      if (size < best_size) {
        best = cparams;
        best_size = size;
      }
    }
  }
  const char *codec;
  must(blosc2_compcode_to_compname(best.compcode, &codec), "name");
  expect(best_size < SIZE / 2, "at most half of it");
  printf("ok codecs: of %s, %s with filter %d is smallest: %.1f to 1\n", blosc2_list_compressors(), codec,
         best.filters[BLOSC2_MAX_FILTERS - 1], (double)SIZE / best_size);
  blosc2_destroy();
  return 0;
}
