/* Many threads read one array and one super-chunk at the same time, without a lock. */
#define _POSIX_C_SOURCE 200809L
#include "arrays.h"

#include <pthread.h>

enum { READERS = 6, ROUNDS = 60 };

static const Geometry G = {2, {300, 200}, {64, 64}, {16, 32}};
static b2nd_array_t *array;

/* Reads boxes of the array and whole chunks, and gives the number of those that were wrong. */
static void *reader(void *seed) {
  uint64_t state = *(uint64_t *)seed;
  int32_t *box = must_alloc(300 * 200 * sizeof *box);
  int32_t *chunk = must_alloc((size_t)array->sc->chunksize);
  intptr_t wrong = 0;
  for (int round = 0; round < ROUNDS; round++) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    int64_t start[] = {(int64_t)(state >> 33) % 299, (int64_t)(state >> 13) % 199};
    int64_t stop[] = {start[0] + 1 + (int64_t)(state >> 3) % (300 - start[0]), start[1] + 1};
    stop[1] += (int64_t)(state >> 43) % (200 - start[1]);
    int64_t shape[] = {stop[0] - start[0], stop[1] - start[1]};
    if (b2nd_get_slice_cbuffer(array, start, stop, box, shape, shape[0] * shape[1] * 4) < 0) {
      wrong++;
      continue;
    }
    bool same = true;
    for (int64_t i = 0; i < shape[0]; i++) {
      for (int64_t j = 0; j < shape[1]; j++) {
        same = same && box[i * shape[1] + j] == (start[0] + i) * 200 + start[1] + j;
      }
    }
    int64_t nchunk = round % array->sc->nchunks;
    int rc = blosc2_schunk_decompress_chunk(array->sc, nchunk, chunk, array->sc->chunksize);
    same = same && rc == array->sc->chunksize && chunk[0] == nchunk / 4 * 64 * 200 + nchunk % 4 * 64;
    wrong += !same;
  }
  free(chunk);
  free(box);
  return (void *)wrong;
}

static void read_from_many_threads(void) {
  pthread_t threads[READERS];
  uint64_t seeds[READERS];
  for (int i = 0; i < READERS; i++) {
    seeds[i] = (uint64_t)i + 1;
    CHECK_EQ(pthread_create(&threads[i], NULL, reader, &seeds[i]), 0);
  }
  for (int i = 0; i < READERS; i++) {
    void *wrong = NULL;
    CHECK_EQ(pthread_join(threads[i], &wrong), 0);
    CHECK_EQ((intptr_t)wrong, 0);
  }
}

int main(void) {
  char urlpath[] = "shared_reads.b2nd";
  blosc2_init();
  for (int place = 0; place < 3; place++) {
    remove(urlpath);
    array = counting_array(&G, place > 0, place == 2 ? urlpath : NULL);
    if (CHECK(array != NULL)) {
      read_from_many_threads();
      b2nd_free(array);
    }
  }
  remove(urlpath);
  blosc2_destroy();
  return check_report();
}
