/* Arrays made of arrays: copied, cut out, put together, seen with other axes; and boxes between plain buffers. */
#include "arrays.h"

static const Geometry BOX = {3, {14, 12, 5}, {7, 6, 5}, {3, 4, 2}};

/* Whether the array has, in C order, the items of a counting array of BOX from `start` on. */
static bool counts_from(const b2nd_array_t *array, const int64_t *start) {
  int64_t index[B2ND_MAX_DIM] = {0}, zeros[B2ND_MAX_DIM] = {0};
  int32_t *all = must_alloc((size_t)array->nitems * 4);
  bool same = CHECK_OK(b2nd_to_cbuffer(array, all, array->nitems * 4));
  for (int64_t i = 0; i < array->nitems; i++) {
    int64_t at[3];
    for (int d = 0; d < 3; d++) {
      at[d] = index[d] + start[d];
    }
    same = same && all[i] == flat_index(3, BOX.shape, at);
    next_index(3, zeros, array->shape, index);
  }
  free(all);
  return same;
}

static void check_copies(void) {
  b2nd_array_t *array = counting_array(&BOX, false, NULL);
  int64_t zeros[3] = {0};
  Geometry others[] = {BOX, {3, {1, 1, 1}, {5, 12, 1}, {5, 5, 1}}, {3, {1, 1, 1}, {30, 30, 30}, {4, 30, 30}}};
  for (int i = 0; i < 3; i++) {
    for (int contiguous = 0; contiguous < 2; contiguous++) {
      b2nd_context_t *ctx = int32_context(&others[i], contiguous, NULL);
      b2nd_array_t *copy = NULL, *slice = NULL;
      CHECK_OK(b2nd_copy(ctx, array, &copy));
      CHECK_EQ(copy->nitems, array->nitems);
      CHECK_EQ(copy->sc->storage->contiguous, contiguous);
      CHECK(counts_from(copy, zeros));
      int64_t start[] = {3, 0, 2}, stop[] = {13, 11, 5};
      CHECK_OK(b2nd_get_slice(ctx, &slice, copy, start, stop));
      CHECK_EQ(slice->shape[0], 10);
      CHECK_EQ(slice->shape[1], 11);
      CHECK_EQ(slice->shape[2], 3);
      CHECK(counts_from(slice, start));
      b2nd_free(slice);
      b2nd_free(copy);
      b2nd_free_ctx(ctx);
    }
  }
  b2nd_free(array);
}

static void check_concatenation(void) {
  for (int8_t axis = 0; axis < 3; axis++) {
    b2nd_array_t *a = counting_array(&BOX, false, NULL), *b = counting_array(&BOX, true, NULL);
    b2nd_context_t *ctx = int32_context(&BOX, false, NULL);
    b2nd_array_t *both = NULL;
    CHECK_OK(b2nd_concatenate(ctx, a, b, axis, true, &both));
    CHECK_EQ(both->shape[axis], 2 * BOX.shape[axis]);
    CHECK_EQ(a->shape[axis], BOX.shape[axis]);
    /* The second half is the second array. */
    int64_t start[3] = {0}, stop[3], size = a->nitems * 4;
    memcpy(stop, both->shape, sizeof stop);
    start[axis] = BOX.shape[axis];
    int32_t *half = must_alloc((size_t)size), *want = must_alloc((size_t)size);
    CHECK_OK(b2nd_get_slice_cbuffer(both, start, stop, half, BOX.shape, size));
    CHECK_OK(b2nd_to_cbuffer(b, want, size));
    CHECK_BYTES(half, want, size);
    /* Without a copy the first one grows, and is what comes back. */
    b2nd_array_t *same = NULL;
    CHECK_OK(b2nd_concatenate(ctx, a, b, axis, false, &same));
    CHECK(same == a);
    CHECK_EQ(a->shape[axis], 2 * BOX.shape[axis]);
    CHECK_OK(b2nd_get_slice_cbuffer(a, start, stop, half, BOX.shape, size));
    CHECK_BYTES(half, want, size);
    /* Now they fit along this axis only. */
    CHECK_EQ(b2nd_concatenate(ctx, a, b, (int8_t)((axis + 1) % 3), false, &same), BLOSC2_ERROR_INVALID_PARAM);
    free(half);
    free(want);
    b2nd_free(both);
    b2nd_free_ctx(ctx);
    b2nd_free(a);
    b2nd_free(b);
  }
}

static void check_views(bool contiguous, char *urlpath) {
  if (urlpath != NULL) {
    remove(urlpath);
  }
  Geometry g = {4, {1, 14, 1, 12}, {1, 7, 1, 6}, {1, 3, 1, 4}};
  b2nd_array_t *array = counting_array(&g, contiguous, urlpath), *flat = NULL, *part = NULL, *high = NULL;
  if (!CHECK(array != NULL)) {
    return;
  }
  CHECK_OK(b2nd_squeeze(array, &flat));
  CHECK_EQ(flat->ndim, 2);
  CHECK_EQ(flat->shape[0], 14);
  CHECK_EQ(flat->shape[1], 12);
  CHECK(flat->sc->view);
  bool index[] = {false, false, true, false};
  CHECK_OK(b2nd_squeeze_index(array, &part, index));
  CHECK_EQ(part->ndim, 3);
  bool axis[] = {false, true, true, false};
  CHECK_OK(b2nd_expand_dims(flat, &high, axis, 4));
  CHECK_EQ(high->ndim, 4);
  CHECK_EQ(high->shape[0], 14);
  CHECK_EQ(high->shape[1], 1);
  b2nd_array_t *views[] = {flat, part, high};
  for (int i = 0; i < 3; i++) {
    int32_t all[14 * 12];
    CHECK_OK(b2nd_to_cbuffer(views[i], all, sizeof all));
    for (int k = 0; k < 14 * 12; k++) {
      if (!CHECK_EQ(all[k], k)) {
        break;
      }
    }
    /* What is made of a view has its shape. */
    uint8_t *cframe;
    int64_t length;
    bool needs_free;
    b2nd_array_t *back;
    CHECK_OK(b2nd_to_cframe(views[i], &cframe, &length, &needs_free));
    CHECK_OK(b2nd_from_cframe(cframe, length, true, &back));
    CHECK_EQ(back->ndim, views[i]->ndim);
    b2nd_free(back);
    if (needs_free) {
      free(cframe);
    }
  }
  index[1] = true;
  b2nd_array_t *none;
  CHECK_EQ(b2nd_squeeze_index(array, &none, index), BLOSC2_ERROR_INVALID_INDEX);
  b2nd_free(high);
  b2nd_free(part);
  b2nd_free(flat);
  b2nd_free(array);
  if (urlpath != NULL) {
    remove(urlpath);
  }
}

/* A transposed look: a column of one buffer into a row of another is no box, but every part of a box is. */
static void check_buffers(void) {
  uint8_t src[6 * 8], dst[9 * 10];
  for (int i = 0; i < 48; i++) {
    src[i] = (uint8_t)i;
  }
  memset(dst, 0xee, sizeof dst);
  int64_t src_shape[] = {6, 8}, start[] = {1, 2}, stop[] = {5, 7}, dst_shape[] = {9, 10}, at[] = {4, 5};
  CHECK_OK(b2nd_copy_buffer2(2, 1, src, src_shape, start, stop, dst, dst_shape, at));
  for (int r = 0; r < 9; r++) {
    for (int c = 0; c < 10; c++) {
      bool inside = r >= 4 && r < 8 && c >= 5;
      CHECK_EQ(dst[r * 10 + c], inside ? (r - 3) * 8 + c - 3 : 0xee);
    }
  }
}

int main(void) {
  blosc2_init();
  check_copies();
  check_concatenation();
  check_views(false, NULL);
  check_views(true, NULL);
  check_views(true, "array_copies.b2nd");
  check_buffers();
  blosc2_destroy();
  return check_report();
}
