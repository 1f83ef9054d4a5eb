/* Arrays from a buffer and back, whatever the chunks and blocks; and what the array says of itself. */
#include "arrays.h"

static const Geometry GEOMETRIES[] = {
    {1, {10}, {10}, {10}},
    {1, {1000}, {300}, {70}},
    {1, {1}, {1}, {1}},
    {2, {20, 20}, {10, 10}, {5, 5}},
    {2, {21, 33}, {10, 10}, {3, 4}},
    {2, {5, 1000}, {5, 400}, {2, 37}},
    {2, {1000, 3}, {333, 2}, {10, 1}},
    {3, {7, 11, 13}, {3, 5, 7}, {2, 2, 3}},
    {3, {40, 30, 20}, {20, 30, 10}, {10, 10, 10}},
    {4, {5, 6, 7, 8}, {2, 6, 3, 8}, {1, 4, 2, 5}},
    {5, {4, 3, 2, 3, 4}, {2, 2, 2, 2, 2}, {1, 2, 1, 2, 1}},
};

static int64_t round_up(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

/* The fields of the struct, which callers read. */
static void check_fields(const b2nd_array_t *array, const Geometry *g) {
  int64_t nitems = 1, extnitems = 1, extchunknitems = 1, chunknitems = 1, blocknitems = 1;
  CHECK_EQ(array->ndim, g->ndim);
  for (int8_t d = 0; d < g->ndim; d++) {
    CHECK_EQ(array->shape[d], g->shape[d]);
    CHECK_EQ(array->chunkshape[d], g->chunkshape[d]);
    CHECK_EQ(array->blockshape[d], g->blockshape[d]);
    CHECK_EQ(array->extshape[d], round_up(g->shape[d], g->chunkshape[d]));
    CHECK_EQ(array->extchunkshape[d], round_up(g->chunkshape[d], g->blockshape[d]));
    nitems *= array->shape[d];
    extnitems *= array->extshape[d];
    extchunknitems *= array->extchunkshape[d];
    chunknitems *= array->chunkshape[d];
    blocknitems *= array->blockshape[d];
  }
  CHECK_EQ(array->nitems, nitems);
  CHECK_EQ(array->extnitems, extnitems);
  CHECK_EQ(array->chunknitems, chunknitems);
  CHECK_EQ(array->extchunknitems, extchunknitems);
  CHECK_EQ(array->blocknitems, blocknitems);
  int64_t item = 1, item_in_chunk = 1, item_in_block = 1, block = 1, chunk = 1;
  for (int d = g->ndim - 1; d >= 0; d--) {
    CHECK_EQ(array->item_array_strides[d], item);
    CHECK_EQ(array->item_chunk_strides[d], item_in_chunk);
    CHECK_EQ(array->item_block_strides[d], item_in_block);
    CHECK_EQ(array->block_chunk_strides[d], block);
    item *= array->shape[d];
    item_in_chunk *= array->chunkshape[d];
    item_in_block *= array->blockshape[d];
    block *= array->extchunkshape[d] / array->blockshape[d];
    chunk *= array->extshape[d] / array->chunkshape[d];
  }
  CHECK_TEXT(array->dtype, "<i4");
  CHECK_EQ(array->dtype_format, DTYPE_NUMPY_FORMAT);
  CHECK_EQ(array->sc->typesize, 4);
  CHECK_EQ(array->sc->chunksize, extchunknitems * 4);
  CHECK_EQ(array->sc->nchunks, chunk);
  CHECK_EQ(blosc2_meta_exists(array->sc, "b2nd"), 0);
}

/* A chunk holds its blocks one after another, each in C order, and zeros where the array ends. */
static void check_chunk_layout(const b2nd_array_t *array, const Geometry *g) {
  int32_t *chunk = must_alloc((size_t)array->sc->chunksize);
  int64_t nblocks = array->extchunknitems / array->blocknitems;
  int64_t blocks_in_chunk[B2ND_MAX_DIM], zero[B2ND_MAX_DIM] = {0}, chunks_in_array[B2ND_MAX_DIM];
  int64_t blockshape[B2ND_MAX_DIM];
  for (int8_t d = 0; d < g->ndim; d++) {
    blocks_in_chunk[d] = array->extchunkshape[d] / g->blockshape[d];
    chunks_in_array[d] = array->extshape[d] / g->chunkshape[d];
    blockshape[d] = g->blockshape[d];
  }
  bool as_expected = true;
  int64_t chunk_index[B2ND_MAX_DIM] = {0};
  for (int64_t n = 0; n < array->sc->nchunks; n++) {
    CHECK_EQ(blosc2_schunk_decompress_chunk(array->sc, n, chunk, array->sc->chunksize), array->sc->chunksize);
    int64_t block_index[B2ND_MAX_DIM] = {0};
    for (int64_t b = 0; b < nblocks; b++) {
      int64_t in_block[B2ND_MAX_DIM] = {0};
      for (int32_t i = 0; i < array->blocknitems; i++) {
        int64_t at[B2ND_MAX_DIM];
        bool inside = true;
        for (int8_t d = 0; d < g->ndim; d++) {
          int64_t in_chunk = block_index[d] * g->blockshape[d] + in_block[d];
          at[d] = chunk_index[d] * g->chunkshape[d] + in_chunk;
          inside = inside && in_chunk < g->chunkshape[d] && at[d] < g->shape[d];
        }
        int32_t want = inside ? (int32_t)flat_index(g->ndim, g->shape, at) : 0;
        as_expected = as_expected && chunk[b * array->blocknitems + i] == want;
        next_index(g->ndim, zero, blockshape, in_block);
      }
      next_index(g->ndim, zero, blocks_in_chunk, block_index);
    }
    next_index(g->ndim, zero, chunks_in_array, chunk_index);
  }
  CHECK(as_expected);
  free(chunk);
}

static void check_roundtrip(const Geometry *g, bool contiguous) {
  b2nd_array_t *array = counting_array(g, contiguous, NULL);
  if (!CHECK(array != NULL)) {
    return;
  }
  check_fields(array, g);
  check_chunk_layout(array, g);
  size_t size = (size_t)array->nitems * 4;
  int32_t *back = must_alloc(size + 4);
  memset(back, 0xee, size + 4);
  CHECK_OK(b2nd_to_cbuffer(array, back, (int64_t)size));
  bool counts = true;
  for (int64_t i = 0; i < array->nitems; i++) {
    counts = counts && back[i] == i;
  }
  CHECK(counts);
  CHECK_EQ(back[array->nitems], (int32_t)0xeeeeeeee);
  CHECK(b2nd_to_cbuffer(array, back, (int64_t)size - 1) < 0);
  free(back);
  CHECK_OK(b2nd_free(array));
}

int main(void) {
  blosc2_init();
  for (size_t i = 0; i < sizeof GEOMETRIES / sizeof *GEOMETRIES; i++) {
    check_roundtrip(&GEOMETRIES[i], false);
    check_roundtrip(&GEOMETRIES[i], true);
  }
  blosc2_destroy();
  return check_report();
}
