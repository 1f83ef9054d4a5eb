/* Items out of the middle of a chunk, for every codec and filter, and the ranges that are refused. */
#include "blosc2.h"
#include "check.h"

enum { ITEMS = 30000, TYPESIZE = 4, SIZE = ITEMS * TYPESIZE };

static int32_t data[ITEMS], got[ITEMS];
static uint8_t chunk[SIZE + BLOSC2_MAX_OVERHEAD];

static void check_range(blosc2_context *dctx, int cbytes, int start, int count) {
  memset(got, 0xee, sizeof got);
  int bytes = count * TYPESIZE;
  CHECK_EQ(blosc2_getitem_ctx(dctx, chunk, cbytes, start, count, got, bytes), bytes);
  CHECK_BYTES(got, data + start, bytes);
  CHECK(count == ITEMS || got[count] == (int32_t)0xeeeeeeee);
}

static void check_ranges(blosc2_cparams cparams) {
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  blosc2_context *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  int cbytes = blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk);
  CHECK(cbytes > 0);
  int32_t blocksize = 0;
  CHECK_EQ(blosc2_cbuffer_sizes(chunk, NULL, NULL, &blocksize), 0);
  int block = blocksize / TYPESIZE;

  check_range(dctx, cbytes, 0, 1);
  check_range(dctx, cbytes, ITEMS - 1, 1);
  check_range(dctx, cbytes, 0, ITEMS);
  check_range(dctx, cbytes, 17, 1000);
  if (block < ITEMS) {
    check_range(dctx, cbytes, block - 1, 2);
    check_range(dctx, cbytes, block, 1);
    check_range(dctx, cbytes, block / 2, ITEMS - block);
  }
  CHECK_EQ(blosc2_getitem_ctx(dctx, chunk, cbytes, 5, 0, got, sizeof got), 0);

  CHECK(blosc2_getitem_ctx(dctx, chunk, cbytes, -1, 1, got, sizeof got) < 0);
  CHECK(blosc2_getitem_ctx(dctx, chunk, cbytes, ITEMS - 1, 2, got, sizeof got) < 0);
  CHECK(blosc2_getitem_ctx(dctx, chunk, cbytes, ITEMS + 1, 1, got, sizeof got) < 0);
  CHECK(blosc2_getitem_ctx(dctx, chunk, cbytes, 0, -1, got, sizeof got) < 0);
  CHECK(blosc2_getitem_ctx(dctx, chunk, cbytes, 0, 10, got, 39) < 0);
  CHECK(blosc2_getitem_ctx(dctx, chunk, cbytes, INT32_MAX, INT32_MAX, got, sizeof got) < 0);

  blosc2_free_ctx(dctx);
  blosc2_free_ctx(cctx);
}

int main(void) {
  static const uint8_t codecs[] = {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_LZ4HC, BLOSC_ZLIB, BLOSC_ZSTD};
  for (int i = 0; i < ITEMS; i++) {
    data[i] = i * 5 - 70000;
  }
  for (size_t c = 0; c < sizeof codecs; c++) {
    for (uint8_t filter = BLOSC_NOFILTER; filter <= BLOSC_DELTA; filter++) {
#ifdef AGAINST_REFERENCE
      if (filter == BLOSC_DELTA) {
        continue; /* it forgets the reference block when the range begins in another */
      }
#endif
      for (int clevel = 0; clevel <= 9; clevel += 3) {
        blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
        cparams.compcode = codecs[c];
        cparams.clevel = (uint8_t)clevel;
        cparams.typesize = TYPESIZE;
        cparams.blocksize = 16 * 1024;
        cparams.filters[BLOSC2_MAX_FILTERS - 1] = filter;
        check_ranges(cparams);
      }
    }
  }
  return check_report();
}
