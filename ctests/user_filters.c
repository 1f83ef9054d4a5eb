/* Filters of the program's own: registering them, what they are told, what becomes of what they return. */
#include "blosc2.h"
#include "check.h"

enum { ITEMS = 30000, TYPESIZE = 4, SIZE = ITEMS * TYPESIZE, BLOCKSIZE = 8000, META = 5, ADD = 180, BROKEN = 181 };

static int32_t data[ITEMS], back[ITEMS];
static uint8_t chunk[SIZE + BLOSC2_MAX_OVERHEAD];
static int filter_params;
static int strangers; /* calls that were told something wrong; only ever added to */

static int add(const uint8_t *input, uint8_t *output, int32_t length, uint8_t meta, blosc2_cparams *cparams, uint8_t id) {
  bool known = id == ADD && meta == META && length == BLOCKSIZE && cparams->typesize == TYPESIZE;
  known = known && cparams->filters[1] == ADD && cparams->filters_meta[1] == META && cparams->blocksize == BLOCKSIZE;
  known = known && cparams->schunk == NULL && cparams->compcode == BLOSC_LZ4;
#ifndef AGAINST_REFERENCE /* which leaves these as they were on its stack */
  known = known && cparams->filter_params[1] == &filter_params && cparams->tuner_params == NULL;
#endif
  strangers += !known;
  for (int32_t i = 0; i < length; i++) {
    output[i] = (uint8_t)(input[i] + meta);
  }
  return BLOSC2_ERROR_SUCCESS;
}

static int subtract(const uint8_t *input, uint8_t *output, int32_t length, uint8_t meta, blosc2_dparams *dparams,
                    uint8_t id) {
  bool known = id == ADD && meta == META && length == BLOCKSIZE && dparams->typesize == TYPESIZE;
  strangers += !(known && dparams->schunk == NULL && dparams->nthreads >= 1);
  for (int32_t i = 0; i < length; i++) {
    output[i] = (uint8_t)(input[i] - meta);
  }
  return BLOSC2_ERROR_SUCCESS;
}

/* What the broken filter returns. */
static int verdict = 0;

static int forward_broken(const uint8_t *input, uint8_t *output, int32_t length, uint8_t meta, blosc2_cparams *cparams,
                          uint8_t id) {
  (void)meta, (void)cparams, (void)id;
  memcpy(output, input, (size_t)length);
  return verdict;
}

static int backward_broken(const uint8_t *input, uint8_t *output, int32_t length, uint8_t meta, blosc2_dparams *dparams,
                           uint8_t id) {
  (void)meta, (void)dparams, (void)id;
  memcpy(output, input, (size_t)length);
  return verdict;
}

static int add_filter(uint8_t id, char *name, blosc2_filter_forward_cb forward, blosc2_filter_backward_cb backward) {
  blosc2_filter filter;
  memset(&filter, 0, sizeof filter);
  filter.id = id;
  filter.name = name;
  filter.version = 1;
  filter.forward = forward;
  filter.backward = backward;
  return blosc2_register_filter(&filter);
}

static void check_registering(void) {
  CHECK_EQ(add_filter(159, "add", add, subtract), BLOSC2_ERROR_FAILURE);
  CHECK_EQ(add_filter(1, "add", add, subtract), BLOSC2_ERROR_FAILURE);
  CHECK_EQ(add_filter(ADD, "add", add, subtract), BLOSC2_ERROR_SUCCESS);
  CHECK_EQ(add_filter(ADD, "add", add, subtract), BLOSC2_ERROR_SUCCESS);
  CHECK_EQ(add_filter(ADD, "increase", add, subtract), BLOSC2_ERROR_FAILURE);
  /* What has its functions needs no name, and the one it has need not be a text. */
  CHECK_EQ(add_filter(182, NULL, add, subtract), BLOSC2_ERROR_SUCCESS);
  CHECK_EQ(add_filter(183, (char *)(uintptr_t)0x10, add, subtract), BLOSC2_ERROR_SUCCESS);
  CHECK_EQ(add_filter(184, "\xff\xfe", add, subtract), BLOSC2_ERROR_SUCCESS);
#ifndef AGAINST_REFERENCE /* which goes on to look for a plugin of that name */
  CHECK_EQ(add_filter(185, NULL, NULL, subtract), BLOSC2_ERROR_NULL_POINTER);
#endif
  char name[] = "broken";
  CHECK_EQ(add_filter(BROKEN, name, forward_broken, backward_broken), BLOSC2_ERROR_SUCCESS);
}

static int compress(uint8_t filter, int16_t nthreads) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.compcode = BLOSC_LZ4;
  cparams.typesize = TYPESIZE;
  cparams.blocksize = BLOCKSIZE;
  cparams.nthreads = nthreads;
  /* Before the shuffle, which stays in the last place. */
  cparams.filters[1] = filter;
  cparams.filters_meta[1] = META;
  cparams.filter_params[1] = &filter_params;
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  int cbytes = blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk);
  blosc2_free_ctx(cctx);
  return cbytes;
}

static int decompress(int cbytes, int16_t nthreads) {
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = nthreads;
  blosc2_context *dctx = blosc2_create_dctx(dparams);
  int nbytes = blosc2_decompress_ctx(dctx, chunk, cbytes, back, SIZE);
  blosc2_free_ctx(dctx);
  return nbytes;
}

static void check_roundtrips(void) {
  for (int16_t nthreads = 1; nthreads <= 4; nthreads += 3) {
    int cbytes = compress(ADD, nthreads);
    CHECK(cbytes > 0 && cbytes < SIZE);
    CHECK_EQ(chunk[BLOSC2_CHUNK_FILTER_CODES + 1], ADD);
    CHECK_EQ(chunk[BLOSC2_CHUNK_FILTER_META + 1], META);
    memset(back, 0xee, SIZE);
    CHECK_EQ(decompress(cbytes, nthreads), SIZE);
    CHECK_BYTES(back, data, SIZE);
  }
  CHECK_EQ(strangers, 0);
}

static void check_verdicts(void) {
  for (int16_t nthreads = 1; nthreads <= 4; nthreads += 3) {
    verdict = 0;
    int cbytes = compress(BROKEN, nthreads);
    CHECK(cbytes > 0);
    CHECK_EQ(decompress(cbytes, nthreads), SIZE);
    verdict = -7;
    CHECK_EQ(decompress(cbytes, nthreads), -7);
    CHECK_EQ(compress(BROKEN, nthreads), BLOSC2_ERROR_FILTER_PIPELINE);
    verdict = 1;
    CHECK_EQ(compress(BROKEN, nthreads), BLOSC2_ERROR_FILTER_PIPELINE);
  }
}

static void check_unknown(void) {
  CHECK_EQ(compress(222, 1), BLOSC2_ERROR_FILTER_PIPELINE);
  int cbytes = compress(ADD, 1);
  chunk[BLOSC2_CHUNK_FILTER_CODES + 1] = 222;
  CHECK_EQ(decompress(cbytes, 1), BLOSC2_ERROR_FILTER_PIPELINE);
}

int main(void) {
  blosc2_init();
  fill_ramp(data, SIZE, TYPESIZE);
  check_registering();
  check_roundtrips();
  check_verdicts();
  check_unknown();
  blosc2_destroy();
  return check_report();
}
