/* Selections that are no boxes: rows and columns by lists, and single items. */
#include "arrays.h"

static const Geometry MATRIX = {2, {40, 50}, {16, 13}, {5, 13}};

static void check_lists(bool contiguous) {
  b2nd_array_t *array = counting_array(&MATRIX, contiguous, NULL);
  int64_t rows[] = {39, 0, 17, 17, 3}, columns[] = {12, 13, 49};
  int64_t *selection[] = {rows, columns};
  int64_t sizes[] = {5, 3};
  int32_t got[15];
  CHECK_OK(b2nd_get_orthogonal_selection(array, selection, sizes, got, sizes, sizeof got));
  for (int r = 0; r < 5; r++) {
    for (int c = 0; c < 3; c++) {
      CHECK_EQ(got[r * 3 + c], rows[r] * 50 + columns[c]);
    }
  }

  /* Written back at other rows; the rest stays. */
  int64_t other[] = {5, 6, 7, 21, 38};
  selection[0] = other;
  CHECK_OK(b2nd_set_orthogonal_selection(array, selection, sizes, got, sizes, sizeof got));
  int32_t *all = must_alloc(2000 * 4);
  CHECK_OK(b2nd_to_cbuffer(array, all, 2000 * 4));
  for (int64_t i = 0; i < 2000; i++) {
    int32_t want = (int32_t)i;
    for (int r = 0; r < 5; r++) {
      for (int c = 0; c < 3; c++) {
        want = other[r] * 50 + columns[c] == i ? got[r * 3 + c] : want;
      }
    }
    if (!CHECK_EQ(all[i], want)) {
      break;
    }
  }
  free(all);

  /* A buffer that is larger than what goes into it, and an index that is not there. */
  CHECK_EQ(b2nd_get_orthogonal_selection(array, selection, sizes, got, sizes, sizeof got + 1),
           BLOSC2_ERROR_INVALID_PARAM);
  other[4] = 41;
  CHECK_EQ(b2nd_get_orthogonal_selection(array, selection, sizes, got, sizes, sizeof got),
           BLOSC2_ERROR_INVALID_INDEX);
  b2nd_free(array);
}

static void check_items(void) {
  Geometry geometries[] = {{1, {1000}, {300}, {70}}, {3, {7, 11, 13}, {3, 5, 7}, {2, 2, 3}}};
  for (int i = 0; i < 2; i++) {
    b2nd_array_t *array = counting_array(&geometries[i], i == 1, NULL);
    int64_t n = array->nitems;
    int64_t coords[] = {n - 1, 0, 5, 5, n / 2, 1};
    int32_t got[6] = {0};
    CHECK_OK(b2nd_get_sparse_cbuffer(array, 6, coords, got, sizeof got));
    for (int k = 0; k < 6; k++) {
      CHECK_EQ(got[k], coords[k]);
    }
    CHECK_OK(b2nd_get_sparse_cbuffer(array, 0, NULL, NULL, 0));
    CHECK_EQ(b2nd_get_sparse_cbuffer(array, 6, coords, got, sizeof got - 1), BLOSC2_ERROR_INVALID_PARAM);
    CHECK_EQ(b2nd_get_sparse_cbuffer(array, -1, coords, got, sizeof got), BLOSC2_ERROR_INVALID_PARAM);
    coords[3] = n;
    CHECK_EQ(b2nd_get_sparse_cbuffer(array, 6, coords, got, sizeof got), BLOSC2_ERROR_INVALID_PARAM);
    coords[3] = -1;
    CHECK_EQ(b2nd_get_sparse_cbuffer(array, 6, coords, got, sizeof got), BLOSC2_ERROR_INVALID_PARAM);
    b2nd_free(array);
  }
}

int main(void) {
  blosc2_init();
  check_lists(false);
  check_lists(true);
  check_items();
  blosc2_destroy();
  return check_report();
}
