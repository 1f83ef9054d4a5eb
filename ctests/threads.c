/* How many threads work on a chunk, and that it makes no difference to what comes out. */
#define _POSIX_C_SOURCE 200809L /* for fork */
#include "blosc2.h"
#include "check.h"

#include <pthread.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 2000000, TYPESIZE = 8 };

static uint8_t data[SIZE], back[SIZE], chunk[SIZE + BLOSC2_MAX_OVERHEAD];

static void check_setting(void) {
  blosc2_init();
  CHECK_EQ(blosc2_get_nthreads(), 1);
  CHECK_EQ(blosc2_set_nthreads(3), 1);
  CHECK_EQ(blosc2_get_nthreads(), 3);
  CHECK_EQ(blosc2_set_nthreads(1), 3);
  blosc2_destroy();
}

static int compress_with(int16_t nthreads, uint8_t codec, uint8_t *dest) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.compcode = codec;
  cparams.typesize = TYPESIZE;
  cparams.blocksize = 64 * 1024;
  cparams.nthreads = nthreads;
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  int cbytes = blosc2_compress_ctx(cctx, data, SIZE, dest, SIZE + BLOSC2_MAX_OVERHEAD);
  blosc2_free_ctx(cctx);
  return cbytes;
}

static bool decompresses_with(int16_t nthreads, const uint8_t *src, int cbytes) {
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = nthreads;
  blosc2_context *dctx = blosc2_create_dctx(dparams);
  memset(back, 0xee, sizeof back);
  int nbytes = blosc2_decompress_ctx(dctx, src, cbytes, back, SIZE);
  blosc2_free_ctx(dctx);
  return nbytes == SIZE && memcmp(back, data, SIZE) == 0;
}

static void check_contexts(void) {
  static const uint8_t codecs[] = {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_ZLIB, BLOSC_ZSTD};
  uint8_t *alone = must_alloc(SIZE + BLOSC2_MAX_OVERHEAD);
  for (size_t c = 0; c < sizeof codecs; c++) {
    int cbytes = compress_with(1, codecs[c], alone);
    CHECK(cbytes > 0 && cbytes < SIZE);
    for (int16_t nthreads = 1; nthreads <= 8; nthreads *= 2) {
      int shared = compress_with(nthreads, codecs[c], chunk);
      CHECK_EQ(shared, cbytes);
      CHECK(decompresses_with(nthreads, chunk, shared));
#ifndef AGAINST_REFERENCE /* whose blocks land in the order in which threads finish */
      CHECK_BYTES(chunk, alone, cbytes);
#endif
    }
  }
  free(alone);
}

/* The program's own threads: what they are told, and how often. */
typedef struct {
  int calls, jobs;
  bool in_order;
} Hired;

typedef struct {
  void (*work)(void *);
  void *job;
} Shift;

static void *take_shift(void *shift) {
  ((Shift *)shift)->work(((Shift *)shift)->job);
  return NULL;
}

static void hire(void *data_of_mine, void (*work)(void *), int njobs, size_t jobsize, void *jobs) {
  enum { MOST = 16 };
  Hired *hired = data_of_mine;
  hired->calls++;
  hired->jobs += njobs;
  if (hired->in_order || njobs > MOST) {
    for (int n = 0; n < njobs; n++) {
      work((char *)jobs + (size_t)n * jobsize);
    }
    return;
  }
  pthread_t threads[MOST];
  Shift shifts[MOST];
  for (int n = 0; n < njobs; n++) {
    shifts[n].work = work;
    shifts[n].job = (char *)jobs + (size_t)n * jobsize;
    CHECK_EQ(pthread_create(&threads[n], NULL, take_shift, &shifts[n]), 0);
  }
  for (int n = 0; n < njobs; n++) {
    CHECK_EQ(pthread_join(threads[n], NULL), 0);
  }
}

static void check_threads_of_ones_own(void) {
  for (int in_order = 0; in_order < 2; in_order++) {
    Hired hired = {0, 0, in_order == 1};
    blosc2_set_threads_callback(hire, &hired);
    int cbytes = compress_with(4, BLOSC_ZSTD, chunk);
    CHECK(cbytes > 0);
    CHECK(hired.calls > 0 && hired.jobs >= 2 * hired.calls && hired.jobs <= 4 * hired.calls);
    int calls = hired.calls;
    CHECK(decompresses_with(4, chunk, cbytes));
    CHECK(hired.calls > calls);
    /* One thread is the caller's. */
    calls = hired.calls;
    CHECK_EQ(compress_with(1, BLOSC_ZSTD, chunk), cbytes);
    CHECK(decompresses_with(1, chunk, cbytes));
    CHECK_EQ(hired.calls, calls);
    /* The library's own are back. */
    blosc2_set_threads_callback(NULL, NULL);
    CHECK_EQ(compress_with(4, BLOSC_ZSTD, chunk), cbytes);
    CHECK(decompresses_with(4, chunk, cbytes));
    CHECK_EQ(hired.calls, calls);
  }
}

/* Everything works before blosc2_init, between, and again after blosc2_destroy. */
static void check_without_init(void) {
  blosc2_destroy();
  int cbytes = compress_with(4, BLOSC_LZ4, chunk);
  CHECK(cbytes > 0);
  CHECK(decompresses_with(4, chunk, cbytes));
  CHECK_EQ(blosc2_free_resources() <= 0, 1);
  cbytes = compress_with(2, BLOSC_LZ4, chunk);
  CHECK(decompresses_with(2, chunk, cbytes));
}

#ifndef AGAINST_REFERENCE /* whose children hang, now and then */
/* A child made by fork has none of its parent's threads, and must get by. */
static void check_fork(void) {
  int cbytes = compress_with(4, BLOSC_LZ4, chunk);
  CHECK(decompresses_with(4, chunk, cbytes));
  pid_t child = fork();
  if (child == 0) {
    alarm(30);
    int again = compress_with(4, BLOSC_LZ4, chunk);
    _exit(again == cbytes && decompresses_with(4, chunk, again) ? 0 : 1);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(decompresses_with(4, chunk, cbytes));
}
#endif

int main(void) {
  fill_ramp(data, SIZE, TYPESIZE);
  check_setting();
  check_contexts();
  check_threads_of_ones_own();
  check_without_init();
#ifndef AGAINST_REFERENCE
  check_fork();
#endif
  return check_report();
}
