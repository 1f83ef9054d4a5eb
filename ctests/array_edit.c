/* Arrays that grow, shrink, take items in and lose them: what is in them is told by plain loops. */
#include "arrays.h"

#define CAPACITY 4096

/* A plain matrix, to be compared with. */
typedef struct {
  int64_t rows, columns;
  int32_t items[CAPACITY];
} Matrix;

static void check_same(const b2nd_array_t *array, const Matrix *m) {
  CHECK_EQ(array->shape[0], m->rows);
  CHECK_EQ(array->shape[1], m->columns);
  CHECK_EQ(array->nitems, m->rows * m->columns);
  int32_t *all = must_alloc((size_t)(m->rows * m->columns) * 4);
  CHECK_OK(b2nd_to_cbuffer(array, all, m->rows * m->columns * 4));
  CHECK_BYTES(all, m->items, m->rows * m->columns * 4);
  free(all);
}

/* Puts rows from..from+n of zeros into the matrix, or of the items given. */
static void add_rows(Matrix *m, int64_t at, int64_t n, const int32_t *items) {
  int64_t c = m->columns;
  memmove(m->items + (at + n) * c, m->items + at * c, (size_t)((m->rows - at) * c) * 4);
  for (int64_t i = 0; i < n * c; i++) {
    m->items[at * c + i] = items != NULL ? items[i] : 0;
  }
  m->rows += n;
}

static void drop_rows(Matrix *m, int64_t at, int64_t n) {
  int64_t c = m->columns;
  memmove(m->items + at * c, m->items + (at + n) * c, (size_t)((m->rows - at - n) * c) * 4);
  m->rows -= n;
}

static void add_column(Matrix *m, const int32_t *items) {
  for (int64_t r = m->rows - 1; r >= 0; r--) {
    memmove(m->items + r * (m->columns + 1), m->items + r * m->columns, (size_t)m->columns * 4);
    m->items[r * (m->columns + 1) + m->columns] = items[r];
  }
  m->columns += 1;
}

static void check_edits(bool contiguous, char *urlpath) {
  if (urlpath != NULL) {
    remove(urlpath);
  }
  Geometry g = {2, {20, 30}, {5, 10}, {5, 4}};
  b2nd_array_t *array = counting_array(&g, contiguous, urlpath);
  if (!CHECK(array != NULL)) {
    return;
  }
  static Matrix m;
  m.rows = 20;
  m.columns = 30;
  static int32_t new_items[CAPACITY];
  for (int i = 0; i < CAPACITY; i++) {
    new_items[i] = 1000000 + i;
    m.items[i] = i;
  }

  /* Whole chunks and parts of them at the end. */
  CHECK_OK(b2nd_append(array, new_items, 5 * 30 * 4, 0));
  add_rows(&m, 25 - 5, 5, new_items);
  check_same(array, &m);
  CHECK_OK(b2nd_append(array, new_items, 3 * 30 * 4, 0));
  add_rows(&m, 25, 3, new_items);
  check_same(array, &m);
  CHECK_OK(b2nd_append(array, new_items, 28 * 4, 1));
  add_column(&m, new_items);
  check_same(array, &m);

  /* Chunks in the middle. */
  CHECK_OK(b2nd_insert(array, new_items, 10 * 31 * 4, 0, 5));
  add_rows(&m, 5, 10, new_items);
  check_same(array, &m);
  CHECK_OK(b2nd_delete(array, 0, 10, 5));
  drop_rows(&m, 10, 5);
  check_same(array, &m);
  CHECK_OK(b2nd_delete(array, 0, 31, 2));
  drop_rows(&m, 31, 2);
  check_same(array, &m);

  /* Room for more, by a shape. */
  int64_t shape[] = {46, 31}, start[] = {0, 0};
  CHECK_OK(b2nd_resize(array, shape, start));
  add_rows(&m, 0, 15, NULL);
  check_same(array, &m);
  shape[0] = 7;
  CHECK_OK(b2nd_resize(array, shape, NULL));
  drop_rows(&m, 7, 39);
  check_same(array, &m);

  /* What is no border of chunks can only be changed at the end; such calls change nothing. */
  CHECK_EQ(b2nd_insert(array, new_items, 5 * 31 * 4, 0, 3), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(b2nd_insert(array, new_items, 4 * 31 * 4, 0, 5), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(b2nd_delete(array, 0, 1, 5), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(b2nd_append(array, new_items, 31 * 4 + 1, 0), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(b2nd_append(array, new_items, 31 * 4, 2), BLOSC2_ERROR_INVALID_PARAM);
  CHECK_EQ(b2nd_delete(array, 2, 0, 1), BLOSC2_ERROR_INVALID_PARAM);
  check_same(array, &m);
  b2nd_free(array);

  /* On disk it is as it was left. */
  if (urlpath != NULL) {
    CHECK_OK(b2nd_open(urlpath, &array));
    check_same(array, &m);
    b2nd_free(array);
    remove(urlpath);
  }
}

/* Rows that arrive one by one. */
static void check_stream(void) {
  Geometry g = {2, {0, 8}, {16, 8}, {4, 8}};
  b2nd_array_t *array = counting_array(&g, true, NULL);
  int32_t row[8];
  for (int32_t i = 0; i < 100; i++) {
    for (int32_t j = 0; j < 8; j++) {
      row[j] = i * 8 + j;
    }
    CHECK_OK(b2nd_append(array, row, sizeof row, 0));
  }
  CHECK_EQ(array->shape[0], 100);
  CHECK_EQ(array->sc->nchunks, 7);
  int64_t start[] = {99, 7}, stop[] = {100, 8}, one[] = {1, 1};
  int32_t last = 0;
  CHECK_OK(b2nd_get_slice_cbuffer(array, start, stop, &last, one, sizeof last));
  CHECK_EQ(last, 799);
  b2nd_free(array);
}

int main(void) {
  blosc2_init();
  check_edits(false, NULL);
  check_edits(true, NULL);
  check_edits(true, "array_edit.b2nd");
  check_stream();
  blosc2_destroy();
  return check_report();
}
