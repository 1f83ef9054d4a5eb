/* A super-chunk: data that grows, chunk by chunk. */
#include "example.h"

enum { ITEMS = 10000, SIZE = ITEMS * (int)sizeof(int64_t), CHUNKS = 20 };

static int64_t items[ITEMS];

static int64_t *chunk_of(int64_t n) {
  for (int64_t i = 0; i < ITEMS; i++) items[i] = ITEMS * n + i;
  return items;
}

int main(void) {
  blosc2_init();
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int64_t);
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS; /* in memory */
  storage.cparams = &cparams;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  expect(schunk != NULL, "a super-chunk");

  for (int64_t n = 0; n < CHUNKS; n++) {
    must(blosc2_schunk_append_buffer(schunk, chunk_of(n), SIZE), "append");
  }
  /* The last chunk may be shorter. */
  must(blosc2_schunk_append_buffer(schunk, chunk_of(CHUNKS), SIZE / 2), "append the last one");
  /* A chunk can go; the others move up. */
  must(blosc2_schunk_delete_chunk(schunk, 0), "delete");
  expect(schunk->nchunks == CHUNKS && schunk->nbytes == (int64_t)SIZE * CHUNKS - SIZE / 2, "nineteen and a half chunks");

  for (int64_t n = 0; n < schunk->nchunks; n++) {
    int nbytes = (int)must(blosc2_schunk_decompress_chunk(schunk, n, items, SIZE), "decompress");
    expect(items[0] == ITEMS * (n + 1) && nbytes == (n + 1 < CHUNKS ? SIZE : SIZE / 2), "the chunk's items");
  }
  printf("ok schunk: %lld chunks, %lld bytes in %lld\n", (long long)schunk->nchunks, (long long)schunk->nbytes,
         (long long)schunk->cbytes);
  must(blosc2_schunk_free(schunk), "free");
  blosc2_destroy();
  return 0;
}
