/* Parts of a program's own in the middle of the library: a codec, a prefilter that makes the data, and a postfilter that
 * changes what is read. All of them are called from several threads at once. */
#include "example.h"
#include <string.h>

enum { ITEMS = 60000, SIZE = ITEMS * (int)sizeof(int32_t), RUNS = 200 };

static int32_t items[ITEMS];
static uint8_t chunk[SIZE + BLOSC2_MAX_OVERHEAD];

/* A codec: runs of equal bytes, as pairs of length and byte. 0 says that the output has no room. */
static int encode(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                  blosc2_cparams *cparams, const void *whole) {
  (void)meta, (void)cparams, (void)whole;
  int32_t size = 0;
  for (int32_t at = 0; at < input_len; size += 2) {
    if (size + 2 > output_len) return 0;
    int32_t run = 1;
    while (run < 255 && at + run < input_len && input[at + run] == input[at]) run++;
    output[size] = (uint8_t)run;
    output[size + 1] = input[at];
    at += run;
  }
  return size;
}

static int decode(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                  blosc2_dparams *dparams, const void *whole) {
  (void)meta, (void)dparams, (void)whole;
  int32_t size = 0;
  for (int32_t at = 0; at + 1 < input_len; at += 2) {
    if (input[at] > output_len - size) return BLOSC2_ERROR_DATA; /* files may be damaged */
    memset(output + size, input[at + 1], input[at]);
    size += input[at];
  }
  return size;
}

/* Makes a block's items: what is at `input` is not used. */
static int stairs(blosc2_prefilter_params *p) {
  int32_t first = p->output_offset / p->output_typesize;
  for (int32_t i = 0; i < p->output_size / p->output_typesize; i++) {
    int32_t item = (first + i) / RUNS;
    memcpy(p->output + i * p->output_typesize, &item, sizeof item);
  }
  return 0;
}

/* What is read, is read doubled. */
static int twice(blosc2_postfilter_params *p) {
  for (int32_t at = 0; at < p->size; at += p->typesize) {
    int32_t item;
    memcpy(&item, p->input + at, sizeof item);
    item *= 2;
    memcpy(p->output + at, &item, sizeof item);
  }
  return 0;
}

int main(void) {
  blosc2_init();
  blosc2_codec codec = {BLOSC2_USER_REGISTERED_CODECS_START, "runs", 1, 1, encode, decode};
  must(blosc2_register_codec(&codec), "register");

  blosc2_prefilter_params preparams = {0};
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.compcode = codec.compcode;
  cparams.typesize = sizeof(int32_t);
  cparams.nthreads = 2;
  cparams.prefilter = stairs;
  cparams.preparams = &preparams;
  blosc2_postfilter_params postparams = {0};
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = 2;
  dparams.postfilter = twice;
  dparams.postparams = &postparams;

  blosc2_context *cctx = blosc2_create_cctx(cparams), *dctx = blosc2_create_dctx(dparams);
  int cbytes = (int)must(blosc2_compress_ctx(cctx, items, SIZE, chunk, sizeof chunk), "compress");
  must(blosc2_decompress_ctx(dctx, chunk, cbytes, items, SIZE), "decompress");
  for (int i = 0; i < ITEMS; i++) expect(items[i] == 2 * (i / RUNS), "stairs, twice as high");
  blosc2_free_ctx(cctx);
  blosc2_free_ctx(dctx);
  blosc2_destroy();
  expect(cbytes < SIZE / 20, "runs compress");
  printf("ok own_parts: %d bytes became %d\n", SIZE, cbytes);
  return 0;
}
