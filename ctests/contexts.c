/* Contexts: every codec, filter and split mode; reuse; the pipeline; what a context refuses. */
#include "blosc2.h"
#include "check.h"

enum { ITEMS = 50000, TYPESIZE = 4, SIZE = ITEMS * TYPESIZE };

static const uint8_t CODECS[] = {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_LZ4HC, BLOSC_ZLIB, BLOSC_ZSTD};
static uint8_t data[SIZE], back[SIZE], chunk[SIZE + BLOSC2_MAX_OVERHEAD];

/* Compresses `data` by `cparams`, decompresses it, and gives the compressed size. */
static int roundtrip(blosc2_cparams cparams) {
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  blosc2_context *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  int cbytes = -1;
  if (CHECK(cctx != NULL) && CHECK(dctx != NULL)) {
    cbytes = blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk);
    CHECK(cbytes > 0);
    memset(back, 0xee, sizeof back);
    CHECK_EQ(blosc2_decompress_ctx(dctx, chunk, cbytes, back, SIZE), SIZE);
    CHECK_BYTES(back, data, SIZE);
  }
  blosc2_free_ctx(dctx);
  blosc2_free_ctx(cctx);
  return cbytes;
}

static void check_every_combination(void) {
  for (size_t c = 0; c < sizeof CODECS; c++) {
    for (uint8_t filter = BLOSC_NOFILTER; filter <= BLOSC_DELTA; filter++) {
      for (int splitmode = BLOSC_ALWAYS_SPLIT; splitmode <= BLOSC_FORWARD_COMPAT_SPLIT; splitmode++) {
        blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
        cparams.compcode = CODECS[c];
        cparams.typesize = TYPESIZE;
        cparams.splitmode = splitmode;
        cparams.filters[BLOSC2_MAX_FILTERS - 1] = filter;
        int cbytes = roundtrip(cparams);
        CHECK(filter == BLOSC_SHUFFLE || filter == BLOSC_BITSHUFFLE ? cbytes < SIZE / 2 : cbytes <= (int)sizeof chunk);
        CHECK((chunk[BLOSC2_CHUNK_FLAGS] >> 5) != BLOSC_UDCODEC_FORMAT);
      }
    }
  }
}

/* Two filters one after the other: both are recorded in the header, in their slots. */
static void check_pipeline(void) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = TYPESIZE;
  cparams.filters[0] = BLOSC_DELTA;
  cparams.filters[BLOSC2_MAX_FILTERS - 1] = BLOSC_BITSHUFFLE;
  roundtrip(cparams);
  CHECK_EQ(chunk[BLOSC2_CHUNK_FILTER_CODES], BLOSC_DELTA);
  CHECK_EQ(chunk[BLOSC2_CHUNK_FILTER_CODES + BLOSC2_MAX_FILTERS - 1], BLOSC_BITSHUFFLE);
  CHECK_EQ(chunk[BLOSC2_CHUNK_VERSION], BLOSC2_VERSION_FORMAT_STABLE);
  CHECK_EQ(chunk[BLOSC2_CHUNK_TYPESIZE], TYPESIZE);
}

/* Truncating mantissas is lossy, but only in the bits that were given up. */
static void check_trunc_prec(void) {
  static float numbers[ITEMS], got[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    numbers[i] = 1.0f + (float)i / 7.0f;
  }
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(float);
  int exact = 0, truncated = 0;
  for (int pass = 0; pass < 2; pass++) {
    blosc2_context *cctx = blosc2_create_cctx(cparams);
    int cbytes = blosc2_compress_ctx(cctx, numbers, sizeof numbers, chunk, sizeof chunk);
    CHECK(cbytes > 0);
    *(pass == 0 ? &exact : &truncated) = cbytes;
    blosc2_free_ctx(cctx);
    cparams.filters[0] = BLOSC_TRUNC_PREC;
    cparams.filters_meta[0] = 4;
  }
  CHECK(truncated < exact / 2);
  CHECK_EQ(blosc2_decompress(chunk, truncated, got, sizeof got), (int)sizeof got);
  bool near = true;
  for (int i = 0; i < ITEMS; i++) {
    float error = numbers[i] - got[i];
    near = near && error >= 0 && error <= numbers[i] / 16;
  }
  CHECK(near);
}

/* One context, many chunks, of different sizes. */
static void check_reuse(void) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = TYPESIZE;
  cparams.compcode = BLOSC_ZSTD;
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  blosc2_context *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  for (int32_t size = 4; size <= SIZE; size *= 3) {
    int cbytes = blosc2_compress_ctx(cctx, data, size, chunk, sizeof chunk);
    CHECK(cbytes > 0);
    memset(back, 0xee, sizeof back);
    CHECK_EQ(blosc2_decompress_ctx(dctx, chunk, cbytes, back, size), size);
    CHECK_BYTES(back, data, size);
    CHECK(size == SIZE || back[size] == 0xee);
  }
  blosc2_free_ctx(dctx);
  blosc2_free_ctx(cctx);
}

static void check_refusals(void) {
  blosc2_context *cctx = blosc2_create_cctx(BLOSC2_CPARAMS_DEFAULTS);
  blosc2_context *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  int cbytes = blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk);
  CHECK(blosc2_compress_ctx(dctx, data, SIZE, back, sizeof back) < 0);
  CHECK(blosc2_decompress_ctx(cctx, chunk, cbytes, back, SIZE) < 0);
  CHECK(blosc2_decompress_ctx(dctx, chunk, cbytes, back, SIZE - 1) < 0);
  CHECK(blosc2_decompress_ctx(dctx, chunk, cbytes - 1, back, SIZE) < 0);
  CHECK(blosc2_decompress_ctx(dctx, chunk, 10, back, SIZE) < 0);
  blosc2_free_ctx(dctx);
  blosc2_free_ctx(cctx);

  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.clevel = 10;
  cctx = blosc2_create_cctx(cparams);
  if (cctx != NULL) {
    CHECK(blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk) <= 0);
    blosc2_free_ctx(cctx);
  }
}

int main(void) {
  fill_ramp(data, SIZE, TYPESIZE);
  check_every_combination();
  check_pipeline();
  check_trunc_prec();
  check_reuse();
  check_refusals();
  return check_report();
}
