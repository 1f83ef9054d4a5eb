/* Contexts: how to compress and decompress, set once and used for many chunks. A context of its own for every thread of
 * the program; inside of a call, `nthreads` may work on a chunk. */
#include "example.h"
#include <string.h>

enum { ITEMS = 500000, SIZE = ITEMS * (int)sizeof(float) };

static float wave[ITEMS], back[ITEMS];
static uint8_t chunk[SIZE + BLOSC2_MAX_OVERHEAD];

int main(void) {
  blosc2_init();
  for (int i = 0; i < ITEMS; i++) wave[i] = (float)(i % 5000) / 8;

  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.compcode = BLOSC_ZSTD;
  cparams.clevel = 5;
  cparams.typesize = sizeof(float); /* shuffle sorts the bytes of items: it has to know how long they are */
  cparams.nthreads = 2;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = 2;
  blosc2_context *cctx = blosc2_create_cctx(cparams), *dctx = blosc2_create_dctx(dparams);
  expect(cctx != NULL && dctx != NULL, "contexts");

  /* A buffer of the data's size and BLOSC2_MAX_OVERHEAD always suffices. 0 would say: does not fit. */
  int cbytes = (int)must(blosc2_compress_ctx(cctx, wave, SIZE, chunk, sizeof chunk), "compress");
  expect(cbytes > 0, "the chunk fits");

  /* A chunk knows how large it is and what is in it. */
  int32_t nbytes, blocksize;
  must(blosc2_cbuffer_sizes(chunk, &nbytes, NULL, &blocksize), "sizes");
  expect(nbytes == SIZE, "the size in the header");
  must(blosc2_decompress_ctx(dctx, chunk, cbytes, back, SIZE), "decompress");
  expect(memcmp(back, wave, SIZE) == 0, "the same data");

  blosc2_free_ctx(cctx);
  blosc2_free_ctx(dctx);
  printf("ok contexts: %d bytes became %d, in blocks of %d\n", SIZE, cbytes, blocksize);
  blosc2_destroy();
  return 0;
}
