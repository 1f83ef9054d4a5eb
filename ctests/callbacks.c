/* Callbacks that call back: prefilters, postfilters, codecs, tuners, I/O and threads of the program's own use the library
 * while it waits for them, from several threads at once. Nothing hangs, and all data comes back. */
#include <pthread.h>

#include "blosc2.h"
#include "check.h"

enum { ITEMS = 20000, SIZE = ITEMS * 4, BLOCKSIZE = 8000, CODEC = 210, TUNER = 170, IO = 211, CALLERS = 4, ROUNDS = 5 };

static int32_t data[ITEMS];
/* How often each sort of callback has used the library; only ever added to, by one thread at a time. */
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static int used[6];

enum { PREFILTER, POSTFILTER, CODECS, TUNERS, FILES, THREADS };

/* Compresses something of its own and takes it out again, with two threads. */
static bool use_the_library(int who) {
  uint8_t plain[6000], packed[6000 + BLOSC2_MAX_OVERHEAD], back[6000];
  for (int i = 0; i < (int)sizeof plain; i++) {
    plain[i] = (uint8_t)(i / 7);
  }
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.nthreads = 2;
  cparams.blocksize = 1000;
  cparams.typesize = 4;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = 2;
  blosc2_context *cctx = blosc2_create_cctx(cparams), *dctx = blosc2_create_dctx(dparams);
  int size = blosc2_compress_ctx(cctx, plain, sizeof plain, packed, sizeof packed);
  int got = blosc2_decompress_ctx(dctx, packed, size, back, sizeof back);
  blosc2_free_ctx(cctx);
  blosc2_free_ctx(dctx);
  bool good = got == (int)sizeof back && memcmp(back, plain, sizeof back) == 0;
  pthread_mutex_lock(&counting);
  used[who] += good;
  pthread_mutex_unlock(&counting);
  return good;
}

static int prefilter(blosc2_prefilter_params *params) {
  memcpy(params->output, params->input, (size_t)params->output_size);
  return use_the_library(PREFILTER) ? 0 : 1;
}

static int postfilter(blosc2_postfilter_params *params) {
  memcpy(params->output, params->input, (size_t)params->size);
  return use_the_library(POSTFILTER) ? 0 : 1;
}

/* A codec that has the library do its work. */
static int encode(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                  blosc2_cparams *cparams, const void *chunk) {
  (void)meta, (void)cparams, (void)chunk;
  if (!use_the_library(CODECS)) {
    return -1;
  }
  blosc2_cparams own = BLOSC2_CPARAMS_DEFAULTS;
  own.typesize = 4;
  blosc2_context *cctx = blosc2_create_cctx(own);
  int size = blosc2_compress_ctx(cctx, input, input_len, output, output_len);
  blosc2_free_ctx(cctx);
  /* What does not get smaller is stored as it is. */
  return size < 0 ? 0 : size;
}

static int decode(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                  blosc2_dparams *dparams, const void *chunk) {
  (void)meta, (void)dparams, (void)chunk;
  if (!use_the_library(CODECS)) {
    return -1;
  }
  blosc2_context *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  int size = blosc2_decompress_ctx(dctx, input, input_len, output, output_len);
  blosc2_free_ctx(dctx);
  return size;
}

static int tuner_init(void *config, blosc2_context *cctx, blosc2_context *dctx) {
  (void)config, (void)cctx, (void)dctx;
  return use_the_library(TUNERS) ? BLOSC2_ERROR_SUCCESS : BLOSC2_ERROR_TUNER;
}

static int tuner_blocksize(blosc2_context *context) {
  (void)context;
  return use_the_library(TUNERS) ? BLOSC2_ERROR_SUCCESS : BLOSC2_ERROR_TUNER;
}

static int tuner_cparams(blosc2_context *context) {
  (void)context;
  return use_the_library(TUNERS) ? BLOSC2_ERROR_SUCCESS : BLOSC2_ERROR_TUNER;
}

static int tuner_update(blosc2_context *context, double ctime) {
  (void)context, (void)ctime;
  return BLOSC2_ERROR_SUCCESS;
}

static int tuner_free(blosc2_context *context) {
  (void)context;
  return BLOSC2_ERROR_SUCCESS;
}

static int64_t io_write(const void *ptr, int64_t size, int64_t nitems, int64_t position, void *stream) {
  return use_the_library(FILES) ? blosc2_stdio_write(ptr, size, nitems, position, stream) : 0;
}

static int64_t io_read(void **ptr, int64_t size, int64_t nitems, int64_t position, void *stream) {
  return use_the_library(FILES) ? blosc2_stdio_read(ptr, size, nitems, position, stream) : 0;
}

static void register_all(void) {
  blosc2_codec codec;
  memset(&codec, 0, sizeof codec);
  codec.compcode = CODEC;
  codec.compname = "calls back";
  codec.complib = 1;
  codec.version = 1;
  codec.encoder = encode;
  codec.decoder = decode;
  CHECK_EQ(blosc2_register_codec(&codec), 0);
  blosc2_tuner tuner;
  memset(&tuner, 0, sizeof tuner);
  tuner.init = tuner_init;
  tuner.next_blocksize = tuner_blocksize;
  tuner.next_cparams = tuner_cparams;
  tuner.update = tuner_update;
  tuner.free = tuner_free;
  tuner.id = TUNER;
  tuner.name = "calls back";
  CHECK_EQ(blosc2_register_tuner(&tuner), 0);
  blosc2_io_cb io;
  memset(&io, 0, sizeof io);
  io.id = IO;
  io.name = "calls back";
  io.is_allocation_necessary = true;
  io.open = blosc2_stdio_open;
  io.close = blosc2_stdio_close;
  io.size = blosc2_stdio_size;
  io.write = io_write;
  io.read = io_read;
  io.truncate = blosc2_stdio_truncate;
  io.destroy = blosc2_stdio_destroy;
  CHECK_EQ(blosc2_register_io_cb(&io), 0);
}

/* One chunk through every hook there is at once. */
static bool through_a_context(int16_t nthreads, uint8_t codec, int tuner) {
  uint8_t *chunk = must_alloc(SIZE + BLOSC2_MAX_OVERHEAD);
  int32_t *back = must_alloc(SIZE);
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  blosc2_prefilter_params before;
  memset(&before, 0, sizeof before);
  cparams.typesize = 4;
  cparams.blocksize = BLOCKSIZE;
  cparams.nthreads = nthreads;
  cparams.compcode = codec;
  cparams.tuner_id = tuner;
  cparams.prefilter = prefilter;
  cparams.preparams = &before;
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  int size = blosc2_compress_ctx(cctx, data, SIZE, chunk, SIZE + BLOSC2_MAX_OVERHEAD);
  blosc2_free_ctx(cctx);
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  blosc2_postfilter_params after;
  memset(&after, 0, sizeof after);
  dparams.nthreads = nthreads;
  dparams.postfilter = postfilter;
  dparams.postparams = &after;
  blosc2_context *dctx = blosc2_create_dctx(dparams);
  int got = blosc2_decompress_ctx(dctx, chunk, size, back, SIZE);
  blosc2_free_ctx(dctx);
  bool good = size > 0 && got == SIZE && memcmp(back, data, SIZE) == 0;
  free(chunk);
  free(back);
  return good;
}

/* A frame through I/O that uses the library. */
static bool through_a_file(const char *path) {
  int32_t *back = must_alloc(SIZE);
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = 4;
  cparams.nthreads = 2;
  blosc2_io io = {.id = IO, .name = "calls back", .params = NULL};
  blosc2_storage storage = {.contiguous = true, .urlpath = (char *)path, .cparams = &cparams, .io = &io};
  remove(path);
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  bool good = schunk != NULL && blosc2_schunk_append_buffer(schunk, data, SIZE) == 1;
  blosc2_schunk_free(schunk);
  schunk = good ? blosc2_schunk_open_udio(path, &io) : NULL;
  good = schunk != NULL && blosc2_schunk_decompress_chunk(schunk, 0, back, SIZE) == SIZE;
  good = good && memcmp(back, data, SIZE) == 0;
  if (schunk != NULL) {
    blosc2_schunk_free(schunk);
  }
  remove(path);
  free(back);
  return good;
}

/* What each of several threads does. */
static void *call(void *number) {
  int *mine = number;
  char path[40];
  snprintf(path, sizeof path, "callbacks-%d.b2frame", *mine);
  bool good = true;
  for (int round = 0; round < ROUNDS; round++) {
    good = good && through_a_context(1, BLOSC_LZ4, 0) && through_a_context(3, BLOSC_ZSTD, 0);
    good = good && through_a_context(2, CODEC, 0) && through_a_context(2, BLOSC_BLOSCLZ, TUNER);
    good = good && through_a_file(path);
  }
  *mine = good;
  return NULL;
}

static void check_from_several_threads(void) {
  pthread_t threads[CALLERS];
  int numbers[CALLERS];
  for (int n = 0; n < CALLERS; n++) {
    numbers[n] = n;
    CHECK_EQ(pthread_create(&threads[n], NULL, call, &numbers[n]), 0);
  }
  for (int n = 0; n < CALLERS; n++) {
    CHECK_EQ(pthread_join(threads[n], NULL), 0);
    CHECK(numbers[n] == 1);
  }
}

/* Threads of the program's own, which use the library before they do what they are asked to. */
static void hire(void *user_data, void (*work)(void *), int njobs, size_t jobsize, void *jobs) {
  static __thread int depth = 0;
  (void)user_data;
  /* The library that is used here asks for threads again. */
  if (depth++ == 0) {
    use_the_library(THREADS);
  }
  for (int n = 0; n < njobs; n++) {
    work((char *)jobs + (size_t)n * jobsize);
  }
  depth--;
}

int main(void) {
  for (int i = 0; i < ITEMS; i++) {
    data[i] = i * 3 / 5;
  }
  blosc2_init();
  register_all();
  CHECK(through_a_context(1, BLOSC_LZ4, 0));
  CHECK(through_a_file("callbacks.b2frame"));
  check_from_several_threads();
  blosc2_set_threads_callback(hire, NULL);
  CHECK(through_a_context(4, BLOSC_LZ4, 0));
  CHECK(through_a_context(4, CODEC, 0));
  check_from_several_threads();
  blosc2_set_threads_callback(NULL, NULL);
  CHECK(through_a_context(4, BLOSC_LZ4, 0));
  for (int who = PREFILTER; who <= THREADS; who++) {
    CHECK(used[who] > 0);
  }
  blosc2_destroy();
  return check_report();
}
