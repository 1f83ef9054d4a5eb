/* Some of the items instead of all: of a chunk, of a super-chunk, and scattered ones. Only the blocks that have them are
 * decompressed. */
#include "example.h"

enum { ITEMS = 100000, SIZE = ITEMS * (int)sizeof(int32_t), CHUNKS = 3 };

static int32_t items[ITEMS];
static uint8_t chunk[SIZE + BLOSC2_MAX_OVERHEAD];

int main(void) {
  blosc2_init();
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  cparams.blocksize = 1 << 15; /* the C library finds scattered items only where blocks have a size that was asked for */
  blosc2_storage storage = {.cparams = &cparams};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  expect(schunk != NULL, "a super-chunk");
  for (int n = 0; n < CHUNKS; n++) {
    for (int i = 0; i < ITEMS; i++) items[i] = ITEMS * n + i;
    must(blosc2_schunk_append_buffer(schunk, items, SIZE), "append");
  }

  /* Of one chunk. */
  int32_t four[4];
  blosc2_context *cctx = blosc2_create_cctx(cparams), *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  int cbytes = (int)must(blosc2_compress_ctx(cctx, items, SIZE, chunk, sizeof chunk), "compress");
  must(blosc2_getitem_ctx(dctx, chunk, cbytes, 5000, 4, four, sizeof four), "items of a chunk");
  expect(four[0] == 205000 && four[3] == 205003, "four items of the chunk");
  blosc2_free_ctx(cctx);
  blosc2_free_ctx(dctx);

  /* Of a super-chunk: across chunks, read and written. */
  must(blosc2_schunk_get_slice_buffer(schunk, ITEMS - 2, ITEMS + 2, four), "a slice");
  expect(four[0] == ITEMS - 2 && four[3] == ITEMS + 1, "two of one chunk and two of the next");
  four[1] = four[2] = -1;
  must(blosc2_schunk_set_slice_buffer(schunk, ITEMS - 2, ITEMS + 2, four), "a slice written");

  /* Scattered ones, in any order. */
  const int64_t places[] = {250000, ITEMS - 1, 7};
  int32_t found[3];
  must(blosc2_schunk_get_sparse_buffer(schunk, 3, places, found), "scattered items");
  expect(found[0] == 250000 && found[1] == -1 && found[2] == 7, "the scattered items");
  must(blosc2_schunk_free(schunk), "free");
  printf("ok items: %d, %d and %d, wherever they are\n", found[0], found[1], found[2]);
  blosc2_destroy();
  return 0;
}
