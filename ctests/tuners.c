/* Tuners of the program's own: when they are asked, what they see, and that what they choose is what chunks become. */
#include "context_fields.h"
#include "check.h"

enum { ITEMS = 60000, TYPESIZE = 4, SIZE = ITEMS * TYPESIZE, STEERS = 200, SIZES = 201, NCHOICES = 4 };

static int32_t data[ITEMS], back[ITEMS];
static uint8_t chunk[SIZE + BLOSC2_MAX_OVERHEAD];

/* What a chunk is to become. */
typedef struct {
  int codec, clevel, splitmode;
  int32_t blocksize;
  uint8_t filters[BLOSC2_MAX_FILTERS], metas[BLOSC2_MAX_FILTERS];
} Choice;

static const Choice CHOICES[NCHOICES] = {
  {BLOSC_LZ4, 1, BLOSC_NEVER_SPLIT, 8000, {0, 0, 0, 0, 0, BLOSC_SHUFFLE}, {0}},
  {BLOSC_ZSTD, 3, BLOSC_ALWAYS_SPLIT, 16000, {0, 0, 0, 0, BLOSC_DELTA, BLOSC_SHUFFLE}, {0}},
  {BLOSC_ZLIB, 9, BLOSC_NEVER_SPLIT, 40000, {0, 0, 0, 0, 0, BLOSC_BITSHUFFLE}, {0}},
  {BLOSC_BLOSCLZ, 7, BLOSC_ALWAYS_SPLIT, 12000, {0, 0, 0, BLOSC_TRUNC_PREC, 0, BLOSC_SHUFFLE}, {0, 0, 0, 23, 0, 0}},
};

/* What the tuner keeps with a context, and what it is told. */
typedef struct {
  const Choice *choice;
  int asked, updated, freed;
  int32_t seen_size, seen_cbytes;
  blosc2_context *context;
  blosc2_schunk *schunk;
  bool good;
} Tuning;

static Tuning tuning;
static int asked_for_blocks;
static int init_rc, choose_rc, update_rc;

static int steer_init(void *config, blosc2_context *cctx, blosc2_context *dctx) {
  Tuning *mine = config;
  mine->good = cctx != NULL && dctx == NULL && cctx->do_compress == 1 && cctx->typesize == TYPESIZE;
  mine->context = cctx;
  mine->schunk = cctx->schunk;
  cctx->tuner_params = mine;
  return init_rc;
}

static int steer_blocksize(blosc2_context *context) {
  context->blocksize = 123;
  tuning.good = false; /* only asked of tuners that keep nothing with the context */
  return 0;
}

static int steer_cparams(blosc2_context *context) {
  Tuning *mine = context->tuner_params;
  mine->asked++;
  mine->good = mine->good && context == mine->context && context->srcsize == context->sourcesize;
  mine->seen_size = context->sourcesize;
  const Choice *choice = mine->choice;
  context->compcode = choice->codec;
  context->clevel = choice->clevel;
  context->splitmode = choice->splitmode;
  context->blocksize = choice->blocksize;
  memcpy(context->filters, choice->filters, BLOSC2_MAX_FILTERS);
  memcpy(context->filters_meta, choice->metas, BLOSC2_MAX_FILTERS);
  /* The C library has worked the flags out already, and decides by them what to split and what the header says. */
  context->filter_flags = 0;
  for (int i = 0; i < BLOSC2_MAX_FILTERS; i++) {
    context->filter_flags |= choice->filters[i] == BLOSC_SHUFFLE ? 1 : choice->filters[i] == BLOSC_BITSHUFFLE ? 4
                             : choice->filters[i] == BLOSC_DELTA ? 8 : 0;
  }
  return choose_rc;
}

static int steer_update(blosc2_context *context, double seconds) {
  Tuning *mine = context->tuner_params;
  mine->updated++;
  mine->good = mine->good && seconds >= 0 && seconds < 60;
  mine->seen_cbytes = context->destsize;
  return update_rc;
}

static int steer_free(blosc2_context *context) {
  Tuning *mine = context->tuner_params;
  mine->freed++;
  context->tuner_params = NULL;
  return 0;
}

/* A tuner that keeps nothing: it is asked for block sizes alone, and never told anything. */
static int sizes_init(void *config, blosc2_context *cctx, blosc2_context *dctx) {
  (void)config, (void)cctx, (void)dctx;
  return 0;
}

static int sizes_blocksize(blosc2_context *context) {
  asked_for_blocks++;
  context->blocksize = context->sourcesize / 5 / TYPESIZE * TYPESIZE;
  return choose_rc;
}

static void add_tuners(void) {
  blosc2_tuner tuner;
  memset(&tuner, 0, sizeof tuner);
  tuner.init = steer_init;
  tuner.next_blocksize = steer_blocksize;
  tuner.next_cparams = steer_cparams;
  tuner.update = steer_update;
  tuner.free = steer_free;
  tuner.id = 159;
  tuner.name = "steers";
  CHECK_EQ(blosc2_register_tuner(&tuner), BLOSC2_ERROR_FAILURE);
  tuner.id = STEERS;
  CHECK_EQ(blosc2_register_tuner(&tuner), BLOSC2_ERROR_SUCCESS);
  CHECK_EQ(blosc2_register_tuner(&tuner), BLOSC2_ERROR_SUCCESS);
  tuner.name = "another";
  CHECK_EQ(blosc2_register_tuner(&tuner), BLOSC2_ERROR_FAILURE);
  tuner.id = SIZES;
  tuner.name = "sizes";
  tuner.init = sizes_init;
  tuner.next_blocksize = sizes_blocksize;
  CHECK_EQ(blosc2_register_tuner(&tuner), BLOSC2_ERROR_SUCCESS);
}

static blosc2_cparams params_of(int tuner, int16_t nthreads, const Choice *choice) {
  memset(&tuning, 0, sizeof tuning);
  tuning.choice = choice;
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = TYPESIZE;
  cparams.nthreads = nthreads;
  cparams.tuner_id = tuner;
  cparams.tuner_params = &tuning;
  return cparams;
}

static void check_became(const uint8_t *made, const Choice *choice) {
  const int formats[] = {0, 1, 1, -1, 3, 4};
  CHECK_EQ(made[BLOSC2_CHUNK_FLAGS] >> 5, formats[choice->codec]);
  CHECK_EQ(made[BLOSC2_CHUNK_FLAGS] >> 4 & 1, choice->splitmode == BLOSC_NEVER_SPLIT);
  CHECK_BYTES(made + 0x10, choice->filters, BLOSC2_MAX_FILTERS);
  CHECK_BYTES(made + 0x18, choice->metas, BLOSC2_MAX_FILTERS);
  int32_t nbytes, cbytes, blocksize;
  CHECK_OK(blosc2_cbuffer_sizes(made, &nbytes, &cbytes, &blocksize));
  CHECK_EQ(nbytes, SIZE);
  CHECK_EQ(blocksize, choice->blocksize);
  memset(back, 0xee, SIZE);
  CHECK_EQ(blosc2_decompress(made, cbytes, back, SIZE), SIZE);
  CHECK_BYTES(back, data, SIZE);
}

static void check_steering(void) {
  for (int16_t nthreads = 1; nthreads <= 3; nthreads += 2) {
    for (int n = 0; n < NCHOICES; n++) {
      blosc2_context *cctx = blosc2_create_cctx(params_of(STEERS, nthreads, &CHOICES[n]));
      CHECK(cctx != NULL && cctx == tuning.context);
      CHECK_EQ(tuning.asked, 0);
      int cbytes = blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk);
      CHECK(cbytes > 0);
      check_became(chunk, &CHOICES[n]);
      CHECK_EQ(tuning.seen_size, SIZE);
      CHECK_EQ(tuning.seen_cbytes, cbytes);
      /* Once more, with another amount of data. */
      CHECK(blosc2_compress_ctx(cctx, data, SIZE / 2, chunk, sizeof chunk) > 0);
      CHECK_EQ(tuning.seen_size, SIZE / 2);
      CHECK_EQ(tuning.asked, 2);
      CHECK_EQ(tuning.updated, 2);
      CHECK_EQ(tuning.freed, 0);
      blosc2_free_ctx(cctx);
      CHECK_EQ(tuning.freed, 1);
      CHECK(tuning.good);
    }
  }
#ifndef AGAINST_REFERENCE /* which writes the last chunk's block size into the next one's header */
  blosc2_context *cctx = blosc2_create_cctx(params_of(STEERS, 2, CHOICES));
  for (int n = 0; n < 2 * NCHOICES; n++) {
    tuning.choice = &CHOICES[n % NCHOICES];
    CHECK(blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk) > 0);
    check_became(chunk, tuning.choice);
  }
  blosc2_free_ctx(cctx);
#endif
}

static void check_block_sizes(void) {
  for (int16_t nthreads = 1; nthreads <= 3; nthreads += 2) {
    asked_for_blocks = 0;
    blosc2_context *cctx = blosc2_create_cctx(params_of(SIZES, nthreads, NULL));
    CHECK(blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk) > 0);
    int32_t blocksize;
    CHECK_OK(blosc2_cbuffer_sizes(chunk, NULL, NULL, &blocksize));
    CHECK_EQ(blocksize, SIZE / 5);
    CHECK_EQ(asked_for_blocks, 1);
    blosc2_free_ctx(cctx);
    CHECK_EQ(tuning.asked + tuning.updated + tuning.freed, 0);
  }
}

static void check_refusals(void) {
  init_rc = -1;
  CHECK(blosc2_create_cctx(params_of(STEERS, 1, CHOICES)) == NULL);
  init_rc = 0;
  CHECK(blosc2_create_cctx(params_of(222, 1, CHOICES)) == NULL);
  for (int16_t nthreads = 1; nthreads <= 3; nthreads += 2) {
    const int tuners[] = {STEERS, SIZES};
    for (int i = 0; i < 2; i++) {
      blosc2_context *cctx = blosc2_create_cctx(params_of(tuners[i], nthreads, CHOICES));
      choose_rc = -7;
      CHECK_EQ(blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk), BLOSC2_ERROR_TUNER);
      choose_rc = 7; /* is no error */
      CHECK(blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk) > 0);
      choose_rc = 0;
      blosc2_free_ctx(cctx);
    }
    blosc2_context *cctx = blosc2_create_cctx(params_of(STEERS, nthreads, CHOICES));
    update_rc = -7;
    CHECK_EQ(blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk), BLOSC2_ERROR_TUNER);
    update_rc = 0;
    CHECK(blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk) > 0);
    blosc2_free_ctx(cctx);
  }
}

static void check_schunk(void) {
  blosc2_cparams cparams = params_of(STEERS, 2, &CHOICES[1]);
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.cparams = &cparams;
  storage.dparams = &dparams;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  CHECK(schunk != NULL && tuning.schunk == schunk && tuning.context == schunk->cctx);
  CHECK_EQ(schunk->tuner_id, STEERS);
  for (int n = 0; n < 3; n++) {
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, data, SIZE), n + 1);
    uint8_t *made;
    bool needs_free;
    CHECK(blosc2_schunk_get_chunk(schunk, n, &made, &needs_free) > 0);
    check_became(made, &CHOICES[1]);
    if (needs_free) {
      free(made);
    }
  }
  CHECK_EQ(tuning.asked, 3);
  CHECK_EQ(tuning.updated, 3);
  blosc2_schunk_free(schunk);
  CHECK_EQ(tuning.freed, 1);
}

int main(void) {
  blosc2_init();
  for (int i = 0; i < ITEMS; i++) {
    data[i] = i / 3;
  }
  add_tuners();
  check_steering();
  check_block_sizes();
  check_refusals();
  check_schunk();
  blosc2_destroy();
  return check_report();
}
