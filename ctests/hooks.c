/* Prefilters and postfilters: what they are told, from one thread and from several, on partial reads, and when they use the
 * library themselves. */
#include "blosc2.h"
#include "check.h"

enum { ITEMS = 40000, TYPESIZE = 4, SIZE = ITEMS * TYPESIZE, BLOCKSIZE = 10000, NBLOCKS = SIZE / BLOCKSIZE, THREADS = 3 };

static int32_t data[ITEMS], back[ITEMS];
static uint8_t chunk[SIZE + BLOSC2_MAX_OVERHEAD];
static char tag;

/* What a hook saw of each block: every block has a place of its own, so threads do not get in each other's way. */
typedef struct {
  int calls;
  bool good;
  int tid;
} Seen;

static Seen seen[NBLOCKS];
static blosc2_context *at_work;
static int fail_at = -1;
static bool reenter;

static void forget(void) {
  memset(seen, 0, sizeof seen);
}

static bool saw_block(int nblock) {
  return seen[nblock].calls == 1 && seen[nblock].good && seen[nblock].tid >= 0 && seen[nblock].tid < THREADS;
}

static bool saw_all(void) {
  for (int n = 0; n < NBLOCKS; n++) {
    if (!saw_block(n)) {
      return false;
    }
  }
  return true;
}

/* Compresses and decompresses something of its own, with several threads. */
static bool use_the_library(void) {
  static const uint8_t zeros[5000];
  uint8_t packed[5000 + BLOSC2_MAX_OVERHEAD], unpacked[5000];
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.nthreads = 2;
  cparams.blocksize = 1000;
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  int size = blosc2_compress_ctx(cctx, zeros, sizeof zeros, packed, sizeof packed);
  blosc2_free_ctx(cctx);
  blosc2_context *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  int got = blosc2_decompress_ctx(dctx, packed, size, unpacked, sizeof unpacked);
  blosc2_free_ctx(dctx);
  return got == (int)sizeof unpacked && memcmp(unpacked, zeros, sizeof zeros) == 0;
}

static int add_one(blosc2_prefilter_params *p) {
  bool good = p->user_data == &tag && p->nblock >= 0 && p->nblock < NBLOCKS;
  if (!good) {
    return 1;
  }
  Seen *block = &seen[p->nblock];
  block->calls++;
  block->tid = p->tid;
  good = p->input == (const uint8_t *)data + p->nblock * BLOCKSIZE && p->output != NULL && p->output_size == BLOCKSIZE;
  good = good && p->output_typesize == TYPESIZE && p->output_offset == p->nblock * BLOCKSIZE && p->nchunk == -1;
  good = good && p->ttmp != NULL && p->ttmp_nbytes >= 2 * BLOCKSIZE && p->ctx == at_work && !p->output_is_disposable;
  for (int i = 0; i < p->output_size; i++) {
    good = good && p->output[i] == 0;
  }
  memset(p->ttmp, 0xaa, p->ttmp_nbytes);
  block->good = good && (!reenter || use_the_library());
  for (int i = 0; i < p->output_size / TYPESIZE; i++) {
    ((int32_t *)p->output)[i] = ((const int32_t *)p->input)[i] + 1;
  }
  return p->nblock == fail_at ? 7 : 0;
}

static int take_two(blosc2_postfilter_params *p) {
  bool good = p->user_data == &tag && p->nblock >= 0 && p->nblock < NBLOCKS;
  if (!good) {
    return 1;
  }
  Seen *block = &seen[p->nblock];
  block->calls++;
  block->tid = p->tid;
  good = p->input != NULL && p->output != NULL && p->size == BLOCKSIZE && p->typesize == TYPESIZE;
  good = good && p->offset == p->nblock * BLOCKSIZE && p->nchunk == -1 && p->ttmp != NULL;
  good = good && p->ttmp_nbytes >= 2 * BLOCKSIZE && p->ctx == at_work;
  block->good = good && (!reenter || use_the_library());
  for (int i = 0; i < p->size / TYPESIZE; i++) {
    ((int32_t *)p->output)[i] = ((const int32_t *)p->input)[i] - 2;
  }
  return p->nblock == fail_at ? 7 : 0;
}

static int compress(int clevel, int16_t nthreads, bool disposable) {
  blosc2_prefilter_params preparams;
  memset(&preparams, 0, sizeof preparams);
  preparams.user_data = &tag;
  preparams.output_is_disposable = disposable;
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = TYPESIZE;
  cparams.blocksize = BLOCKSIZE;
  cparams.clevel = (uint8_t)clevel;
  cparams.nthreads = nthreads;
  cparams.prefilter = add_one;
  cparams.preparams = &preparams;
  at_work = blosc2_create_cctx(cparams);
  memset(&preparams, 0xee, sizeof preparams); /* what counts is the context's copy */
  int cbytes = blosc2_compress_ctx(at_work, data, SIZE, chunk, sizeof chunk);
  blosc2_free_ctx(at_work);
  return cbytes;
}

static blosc2_context *postfiltering(int16_t nthreads) {
  blosc2_postfilter_params postparams;
  memset(&postparams, 0, sizeof postparams);
  postparams.user_data = &tag;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = nthreads;
  dparams.postfilter = take_two;
  dparams.postparams = &postparams;
  at_work = blosc2_create_dctx(dparams);
  return at_work;
}

static bool back_is(int start, int n, int more) {
  for (int i = 0; i < n; i++) {
    if (back[i] != data[start + i] + more) {
      return false;
    }
  }
  return true;
}

/* Stored and compressed chunks, one thread and several. */
static void check_both(int clevel, int16_t nthreads) {
  forget();
  int cbytes = compress(clevel, nthreads, false);
  CHECK(cbytes > 0);
  CHECK(saw_all());

  blosc2_context *plain = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  CHECK_EQ(blosc2_decompress_ctx(plain, chunk, cbytes, back, SIZE), SIZE);
  CHECK(back_is(0, ITEMS, 1));
  blosc2_free_ctx(plain);

  blosc2_context *dctx = postfiltering(nthreads);
  forget();
  CHECK_EQ(blosc2_decompress_ctx(dctx, chunk, cbytes, back, SIZE), SIZE);
  CHECK(saw_all());
  CHECK(back_is(0, ITEMS, -1));

  /* Part of one block, and blocks 3 to 6. */
  forget();
  CHECK_EQ(blosc2_getitem_ctx(dctx, chunk, cbytes, 2600, 100, back, SIZE), 400);
  CHECK(back_is(2600, 100, -1));
  CHECK(saw_block(1) && seen[0].calls == 0 && seen[2].calls == 0);
  forget();
  CHECK_EQ(blosc2_getitem_ctx(dctx, chunk, cbytes, 8000, 8000, back, SIZE), 32000);
  CHECK(back_is(8000, 8000, -1));
  for (int n = 0; n < NBLOCKS; n++) {
    CHECK(n >= 3 && n <= 6 ? saw_block(n) : seen[n].calls == 0);
  }
  blosc2_free_ctx(dctx);
}

/* Chunks that are one value go through the postfilter as well. */
static void check_special(void) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = TYPESIZE;
  cparams.blocksize = BLOCKSIZE;
  const int32_t value = 40;
  int cbytes = blosc2_chunk_repeatval(cparams, SIZE, chunk, sizeof chunk, &value);
  CHECK_EQ(cbytes, BLOSC_EXTENDED_HEADER_LENGTH + TYPESIZE);
  for (int16_t nthreads = 1; nthreads <= THREADS; nthreads += 2) {
    blosc2_context *dctx = postfiltering(nthreads);
    forget();
    CHECK_EQ(blosc2_decompress_ctx(dctx, chunk, cbytes, back, SIZE), SIZE);
    CHECK(saw_all());
    bool good = true;
    for (int i = 0; i < ITEMS; i++) {
      good = good && back[i] == 38;
    }
    CHECK(good);
    blosc2_free_ctx(dctx);
  }
}

static void check_failures(void) {
  for (int16_t nthreads = 1; nthreads <= THREADS; nthreads += 2) {
    fail_at = 5;
    CHECK(compress(5, nthreads, false) < 0);
    /* Whose output nobody wants may fail as it likes. */
    int cbytes = compress(5, nthreads, true);
    CHECK(cbytes > 0);
    fail_at = -1;
    cbytes = compress(5, nthreads, false);
    fail_at = 6;
    blosc2_context *dctx = postfiltering(nthreads);
    CHECK(blosc2_decompress_ctx(dctx, chunk, cbytes, back, SIZE) < 0);
    CHECK_EQ(blosc2_getitem_ctx(dctx, chunk, cbytes, 6 * BLOCKSIZE / TYPESIZE, 3, back, SIZE), BLOSC2_ERROR_POSTFILTER);
    blosc2_free_ctx(dctx);
    fail_at = -1;
  }
}

/* Items may become smaller. */
static int narrow(blosc2_prefilter_params *p) {
  if (p->output_typesize != 2 || p->output_size != BLOCKSIZE / 2) {
    return 1;
  }
  for (int i = 0; i < p->output_size / 2; i++) {
    ((int16_t *)p->output)[i] = (int16_t)((const int32_t *)p->input)[i];
  }
  return 0;
}

static void check_output_typesize(void) {
  blosc2_prefilter_params preparams;
  memset(&preparams, 0, sizeof preparams);
  preparams.output_typesize = 2;
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = TYPESIZE;
  cparams.blocksize = BLOCKSIZE;
  cparams.prefilter = narrow;
  cparams.preparams = &preparams;
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  int cbytes = blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk);
  blosc2_free_ctx(cctx);
  CHECK(cbytes > 0);
  CHECK_EQ(blosc2_decompress(chunk, cbytes, back, SIZE), SIZE);
  bool good = true;
  for (int i = 0; i < BLOCKSIZE / 4; i++) {
    good = good && ((int16_t *)back)[BLOCKSIZE + i] == (int16_t)data[BLOCKSIZE / 2 + i];
  }
  CHECK(good);
}

int main(void) {
  blosc2_init();
  fill_ramp(data, SIZE, TYPESIZE);
  for (int pass = 0; pass < 2; pass++) {
    reenter = pass == 1;
    for (int clevel = 0; clevel <= 5; clevel += 5) {
      check_both(clevel, 1);
      check_both(clevel, THREADS);
    }
  }
  reenter = false;
  check_special();
  check_failures();
  check_output_typesize();
  blosc2_destroy();
  return check_report();
}
