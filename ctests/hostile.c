/* Chunks and frames with flipped bits or cut short: an error code or data of the promised size, and nothing else. */
#include "arrays.h"

enum { ITEMS = 3000, SIZE = ITEMS * 4, ROUNDS = 4000 };

static uint64_t state = 1;

static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* A copy of `size` bytes with a few bits flipped, mostly in the first `head`, where sizes and offsets are. */
static uint8_t *spoiled(const uint8_t *bytes, size_t size, size_t head) {
  uint8_t *copy = must_alloc(size);
  memcpy(copy, bytes, size);
  for (uint64_t flips = 1 + next_random() % 3; flips > 0; flips--) {
    size_t range = next_random() % 4 != 0 && head < size ? head : size;
    copy[next_random() % range] ^= (uint8_t)(1u << next_random() % 8);
  }
  return copy;
}

static void check_chunks(uint8_t codec, uint8_t filter) {
  static int32_t data[ITEMS], back[ITEMS + 1];
  static uint8_t chunk[SIZE + BLOSC2_MAX_OVERHEAD];
  for (int i = 0; i < ITEMS; i++) {
    data[i] = i * i;
  }
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = 4;
  cparams.compcode = codec;
  cparams.blocksize = 4096;
  cparams.filters[BLOSC2_MAX_FILTERS - 1] = filter;
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  blosc2_context *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  int cbytes = blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk);
  CHECK(cbytes > 0);
  bool kept_within = true, sensible = true;
  for (int round = 0; round < ROUNDS / 10; round++) {
    uint8_t *bad = spoiled(chunk, (size_t)cbytes, 64);
    back[ITEMS] = 12345;
    int nbytes = blosc2_decompress_ctx(dctx, bad, cbytes, back, SIZE);
    sensible = sensible && nbytes <= SIZE;
    int got = blosc2_getitem_ctx(dctx, bad, cbytes, 100, 50, back, SIZE);
    sensible = sensible && got <= SIZE;
    kept_within = kept_within && back[ITEMS] == 12345;
    free(bad);
  }
  for (int length = 0; length < cbytes; length += 1 + length / 20) {
    uint8_t *cut = must_alloc((size_t)length);
    memcpy(cut, chunk, (size_t)length);
    sensible = sensible && blosc2_decompress_ctx(dctx, cut, length, back, SIZE) < 0;
    free(cut);
  }
  CHECK(kept_within);
  CHECK(sensible);
  blosc2_free_ctx(dctx);
  blosc2_free_ctx(cctx);
}

/* Opens bytes as a frame and reads all that it claims to hold, within reason. */
static bool survives(uint8_t *bytes, int64_t size) {
  b2nd_array_t *array = NULL;
  if (b2nd_from_cframe(bytes, size, true, &array) < 0 || array == NULL) {
    return true;
  }
  bool sensible = array->ndim >= 0 && array->ndim <= B2ND_MAX_DIM && array->nitems >= 0;
  int32_t chunksize = array->sc->chunksize;
  if (chunksize > 0 && chunksize <= 1 << 20) {
    uint8_t *chunk = must_alloc((size_t)chunksize);
    for (int64_t n = 0; n < array->sc->nchunks && n < 20; n++) {
      sensible = sensible && blosc2_schunk_decompress_chunk(array->sc, n, chunk, chunksize) <= chunksize;
    }
    free(chunk);
  }
  if (array->nitems <= 100000 && array->sc->typesize > 0 && array->sc->typesize <= 16) {
    int64_t room = array->nitems * array->sc->typesize;
    uint8_t *all = must_alloc((size_t)room);
    b2nd_to_cbuffer(array, all, room);
    free(all);
  }
  b2nd_free(array);
  return sensible;
}

static void check_frames(void) {
  static const Geometry g = {2, {40, 50}, {20, 20}, {10, 10}};
  b2nd_array_t *array = counting_array(&g, true, NULL);
  uint8_t note[300];
  fill_ramp(note, sizeof note, 1);
  CHECK_OK(blosc2_vlmeta_add(array->sc, "note", note, sizeof note, NULL));
  uint8_t *cframe = NULL;
  int64_t length = 0;
  bool needs_free = false, sensible = true;
  CHECK_OK(b2nd_to_cframe(array, &cframe, &length, &needs_free));
  for (int round = 0; round < ROUNDS; round++) {
    uint8_t *bad = spoiled(cframe, (size_t)length, round % 2 == 0 ? 200 : (size_t)length);
    sensible = survives(bad, length) && sensible;
    free(bad);
  }
  for (int64_t size = 0; size < length; size += 1 + size / 100) {
    uint8_t *cut = must_alloc((size_t)size);
    memcpy(cut, cframe, (size_t)size);
    sensible = survives(cut, size) && sensible;
    free(cut);
  }
  CHECK(sensible);
  if (needs_free) {
    free(cframe);
  }
  b2nd_free(array);
}

int main(void) {
  static const uint8_t codecs[] = {BLOSC_BLOSCLZ, BLOSC_LZ4, BLOSC_LZ4HC, BLOSC_ZLIB, BLOSC_ZSTD};
  blosc2_init();
  for (size_t c = 0; c < sizeof codecs; c++) {
    for (uint8_t filter = BLOSC_NOFILTER; filter <= BLOSC_DELTA; filter++) {
      check_chunks(codecs[c], filter);
    }
  }
  check_frames();
  blosc2_destroy();
  return check_report();
}
