/* Slices read and written, against plain loops: inside blocks, across chunks, whole, empty, single items. */
#include "arrays.h"

static const Geometry GEOMETRIES[] = {
    {1, {1000}, {300}, {70}},
    {2, {21, 33}, {10, 10}, {3, 4}},
    {2, {64, 64}, {32, 16}, {8, 16}},
    {3, {7, 11, 13}, {3, 5, 7}, {2, 2, 3}},
    {4, {5, 6, 7, 8}, {2, 6, 3, 8}, {1, 4, 2, 5}},
};

static uint64_t state = 88172645463325252u;

/* A number in [0, n). */
static int64_t below(int64_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (int64_t)(state % (uint64_t)n);
}

static void random_box(const Geometry *g, int64_t *start, int64_t *stop, int64_t *shape) {
  for (int8_t d = 0; d < g->ndim; d++) {
    start[d] = below(g->shape[d]);
    stop[d] = start[d] + 1 + below(g->shape[d] - start[d]);
    shape[d] = stop[d] - start[d];
  }
}

/* Checks the box that the array gives against `model`, a plain copy of the whole array. */
static void check_get(const b2nd_array_t *array, const Geometry *g, const int32_t *model, const int64_t *start,
                      const int64_t *stop, const int64_t *shape) {
  int64_t items = items_in(g->ndim, shape);
  int32_t *box = must_alloc((size_t)(items + 1) * 4);
  memset(box, 0xee, (size_t)(items + 1) * 4);
  CHECK_OK(b2nd_get_slice_cbuffer(array, start, stop, box, shape, items * 4));
  int64_t index[B2ND_MAX_DIM];
  memcpy(index, start, (size_t)g->ndim * sizeof *index);
  bool same = true;
  for (int64_t i = 0; i < items; i++) {
    same = same && box[i] == model[flat_index(g->ndim, g->shape, index)];
    next_index(g->ndim, start, stop, index);
  }
  CHECK(same);
  CHECK_EQ(box[items], (int32_t)0xeeeeeeee);
  free(box);
}

/* Writes a box of new numbers to the array and to the model. */
static void set_box(b2nd_array_t *array, const Geometry *g, int32_t *model, const int64_t *start, const int64_t *stop,
                    const int64_t *shape, int32_t first) {
  int64_t items = items_in(g->ndim, shape);
  int32_t *box = must_alloc((size_t)items * 4);
  int64_t index[B2ND_MAX_DIM];
  memcpy(index, start, (size_t)g->ndim * sizeof *index);
  for (int64_t i = 0; i < items; i++) {
    box[i] = first - (int32_t)i;
    model[flat_index(g->ndim, g->shape, index)] = box[i];
    next_index(g->ndim, start, stop, index);
  }
  CHECK_OK(b2nd_set_slice_cbuffer(box, shape, items * 4, start, stop, array));
  free(box);
}

static void check_geometry(const Geometry *g, bool contiguous, char *urlpath) {
  if (urlpath != NULL) {
    remove(urlpath);
  }
  b2nd_array_t *array = counting_array(g, contiguous, urlpath);
  if (!CHECK(array != NULL)) {
    return;
  }
  int32_t *model = must_alloc((size_t)array->nitems * 4);
  for (int64_t i = 0; i < array->nitems; i++) {
    model[i] = (int32_t)i;
  }
  int64_t start[B2ND_MAX_DIM] = {0}, stop[B2ND_MAX_DIM], shape[B2ND_MAX_DIM];
  check_get(array, g, model, start, g->shape, g->shape);
  for (int round = 0; round < 60; round++) {
    random_box(g, start, stop, shape);
    if (round % 4 == 3) {
      set_box(array, g, model, start, stop, shape, -1000 * round);
      CHECK_EQ(array->sc->nchunks, array->extnitems / array->chunknitems);
    }
    check_get(array, g, model, start, stop, shape);
  }
  int32_t *whole = must_alloc((size_t)array->nitems * 4);
  CHECK_OK(b2nd_to_cbuffer(array, whole, array->nitems * 4));
  CHECK_BYTES(whole, model, array->nitems * 4);

  /* What was written to a file is there when it is opened again. */
  if (urlpath != NULL) {
    b2nd_free(array);
    array = NULL;
    CHECK_OK(b2nd_open(urlpath, &array));
    if (array != NULL) {
      memset(whole, 0, (size_t)array->nitems * 4);
      CHECK_OK(b2nd_to_cbuffer(array, whole, array->nitems * 4));
      CHECK_BYTES(whole, model, array->nitems * 4);
    }
    remove(urlpath);
  }
  free(whole);
  free(model);
  b2nd_free(array);
}

/* An empty slice touches nothing. A buffer too small for the slice is refused. */
static void check_edges(void) {
  const Geometry *g = &GEOMETRIES[1];
  b2nd_array_t *array = counting_array(g, false, NULL);
  int32_t guard = 77;
  int64_t start[] = {4, 4}, stop[] = {4, 4}, shape[] = {0, 0};
  CHECK_OK(b2nd_get_slice_cbuffer(array, start, stop, &guard, shape, 0));
  CHECK_EQ(guard, 77);
  CHECK_OK(b2nd_set_slice_cbuffer(&guard, shape, 0, start, stop, array));

  int32_t room[4];
  int64_t corner[] = {20, 32}, two[] = {2, 2};
  int64_t end[] = {21, 33}, one[] = {1, 1};
  CHECK_OK(b2nd_get_slice_cbuffer(array, corner, end, room, one, 4));
  CHECK_EQ(room[0], 21 * 33 - 1);
  int64_t origin[] = {0, 0};
  CHECK(b2nd_get_slice_cbuffer(array, origin, two, room, two, sizeof room - 1) < 0);
  CHECK(b2nd_set_slice_cbuffer(room, two, sizeof room - 1, origin, two, array) < 0);
  b2nd_free(array);
}

/* The buffer may be larger than the slice: the slice goes to its upper left corner. */
static void check_roomy_buffer(void) {
  const Geometry *g = &GEOMETRIES[2];
  b2nd_array_t *array = counting_array(g, false, NULL);
  int32_t buffer[5][6];
  memset(buffer, 0, sizeof buffer);
  int64_t start[] = {30, 14}, stop[] = {33, 18}, shape[] = {5, 6};
  CHECK_OK(b2nd_get_slice_cbuffer(array, start, stop, buffer, shape, sizeof buffer));
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 6; j++) {
      CHECK_EQ(buffer[i][j], i < 3 && j < 4 ? (30 + i) * 64 + 14 + j : 0);
    }
  }
  b2nd_free(array);
}

int main(void) {
  char urlpath[] = "array_slices.b2nd";
  blosc2_init();
  for (size_t i = 0; i < sizeof GEOMETRIES / sizeof *GEOMETRIES; i++) {
    check_geometry(&GEOMETRIES[i], false, NULL);
    check_geometry(&GEOMETRIES[i], true, NULL);
    check_geometry(&GEOMETRIES[i], true, urlpath);
  }
  check_edges();
  check_roomy_buffer();
  blosc2_destroy();
  return check_report();
}
