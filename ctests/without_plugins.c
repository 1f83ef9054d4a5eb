/* A library built with BUILD_PLUGINS=OFF knows the codecs, filters and tuners of the registry as ids that nobody has
 * registered: an error when they are used, in new chunks and in those of others. */
#include "check.h"

#include <blosc2.h>
#include <blosc2/codecs-registry.h>
#include <blosc2/filters-registry.h>

#define LEN 4000
static uint8_t data[LEN], chunk[LEN + BLOSC2_MAX_OVERHEAD], back[LEN];

static int compress(uint8_t codec, uint8_t filter) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.compcode = codec;
  cparams.typesize = 4;
  cparams.filters[BLOSC2_MAX_FILTERS - 1] = filter;
  cparams.filters_meta[BLOSC2_MAX_FILTERS - 1] = 4;
  blosc2_context *context = blosc2_create_cctx(cparams);
  if (context == NULL) {
    return BLOSC2_ERROR_CODEC_SUPPORT;
  }
  int cbytes = blosc2_compress_ctx(context, data, LEN, chunk, sizeof chunk);
  blosc2_free_ctx(context);
  return cbytes;
}

int main(void) {
  blosc2_init();
  for (int i = 0; i < LEN; i++) {
    data[i] = (uint8_t)(i / 256);
  }
  for (int codec = BLOSC_CODEC_NDLZ; codec <= BLOSC_LAST_REGISTERED_CODEC; codec++) {
    const char *name = NULL;
    CHECK_EQ(blosc2_compcode_to_compname(codec, &name), -1);
    CHECK_EQ(compress((uint8_t)codec, BLOSC_SHUFFLE), BLOSC2_ERROR_CODEC_SUPPORT);
  }
  for (int filter = BLOSC_FILTER_NDCELL; filter <= BLOSC_FILTER_INT_TRUNC; filter++) {
    CHECK_EQ(compress(BLOSC_LZ4, (uint8_t)filter), BLOSC2_ERROR_FILTER_PIPELINE);
    /* A chunk that says it was filtered so. */
    int cbytes = compress(BLOSC_LZ4, BLOSC_SHUFFLE);
    CHECK(cbytes > 0 && cbytes < LEN);
    chunk[BLOSC_EXTENDED_HEADER_LENGTH - 16 + BLOSC2_MAX_FILTERS - 1] = (uint8_t)filter;
    CHECK(blosc2_decompress(chunk, cbytes, back, LEN) < 0);
  }
  int cbytes = compress(BLOSC_LZ4, BLOSC_SHUFFLE);
  CHECK_EQ(blosc2_decompress(chunk, cbytes, back, LEN), LEN);
  CHECK_BYTES(back, data, LEN);
  blosc2_destroy();
  return check_report();
}
