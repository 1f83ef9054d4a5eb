/* A walk through a real file: what is in it, slices of it, and a new array made out of it.
 *
 *   terrain [elevation.b2nd [slope.b2nd]]
 *
 * reads a digital elevation model (metres, int16, rows from north to south), prints a map and a profile, writes the
 * steepness of the ground as a second array, and reads that back to see that it is what was computed.
 */
#include "example.h"
#include <b2nd.h>
#include <math.h>
#include <string.h>

enum { MAP_COLUMNS = 70, MAP_ROWS = 34, PROFILE_ROWS = 12 };

static const double METRES_PER_DEGREE = 111200.0;
static const double RADIANS = 3.14159265358979323846 / 180.0;

/* An opened elevation model and where on Earth it lies. */
typedef struct {
  b2nd_array_t *array;
  int64_t rows, columns;
  double west, north, step; /* degrees; of the upper left sample, and between samples */
} Terrain;

static void *must_alloc(int64_t items, size_t size) {
  void *memory = calloc((size_t)items, size);
  if (memory == NULL) {
    fprintf(stderr, "Out of memory.\n");
    exit(EXIT_FAILURE);
  }
  return memory;
}

/* ---- what the file holds ---- */

/* The text of a note that belongs to the array, as a string to free. Python's blosc2 writes notes in msgpack, where a
 * text has one to three bytes with its length before it. */
static char *note(blosc2_schunk *schunk, const char *name) {
  uint8_t *content;
  int32_t length;
  must(blosc2_vlmeta_get(schunk, name, &content, &length), name);
  int32_t head = length > 0 && content[0] == 0xd9 ? 2 : length > 0 && content[0] == 0xda ? 3 : 1;
  int32_t size = length > head ? length - head : 0;
  char *text = must_alloc(size + 1, 1);
  memcpy(text, content + (size > 0 ? head : 0), (size_t)size);
  free(content);
  return text;
}

static void print_shape(const char *what, int8_t ndim, const int64_t *wide, const int32_t *narrow) {
  printf("  %-11s", what);
  for (int8_t d = 0; d < ndim; d++) {
    printf("%s%lld", d > 0 ? " x " : "", (long long)(wide != NULL ? wide[d] : narrow[d]));
  }
  printf("\n");
}

static void print_filters(const blosc2_schunk *schunk) {
  static const char *const names[] = {NULL, "shuffle", "bitshuffle", "delta", "trunc_prec"};
  printf("  %-11s", "filters");
  const char *separator = "";
  for (int i = 0; i < BLOSC2_MAX_FILTERS; i++) {
    uint8_t filter = schunk->filters[i];
    if (filter != BLOSC_NOFILTER) {
      printf("%s%s", separator, filter < BLOSC_LAST_FILTER ? names[filter] : "a registered one");
      separator = ", ";
    }
  }
  printf("%s\n", *separator ? "" : "none");
}

static void print_contents(const char *path, const b2nd_array_t *array) {
  const blosc2_schunk *schunk = array->sc;
  const char *codec = "?";
  blosc2_compcode_to_compname(schunk->compcode, &codec);
  printf("%s\n", path);
  print_shape("shape", array->ndim, array->shape, NULL);
  print_shape("chunks", array->ndim, NULL, array->chunkshape);
  print_shape("blocks", array->ndim, NULL, array->blockshape);
  printf("  %-11s%s, %d bytes each\n", "items", array->dtype != NULL ? array->dtype : "?", (int)schunk->typesize);
  printf("  %-11s%s, level %d\n", "codec", codec, schunk->clevel);
  print_filters(schunk);
  printf("  %-11s%lld bytes in %lld chunks, %lld uncompressed: %.2f to 1\n", "size", (long long)schunk->cbytes,
         (long long)schunk->nchunks, (long long)schunk->nbytes, (double)schunk->nbytes / (double)schunk->cbytes);
}

static Terrain open_terrain(const char *path) {
  Terrain terrain = {NULL, 0, 0, 0, 0, 0};
  must(b2nd_open(path, &terrain.array), path);
  if (terrain.array->ndim != 2 || terrain.array->sc->typesize != sizeof(int16_t)) {
    fprintf(stderr, "%s is not an array of two dimensions and two-byte items.\n", path);
    exit(EXIT_FAILURE);
  }
  terrain.rows = terrain.array->shape[0];
  terrain.columns = terrain.array->shape[1];
  print_contents(path, terrain.array);

  char *origin = note(terrain.array->sc, "origin"), *grid = note(terrain.array->sc, "grid");
  printf("  %-11s%s\n", "origin", origin);
  if (sscanf(grid, "west %lf north %lf step %lf", &terrain.west, &terrain.north, &terrain.step) != 3) {
    fprintf(stderr, "The note \"grid\" of %s is not understood: %s\n", path, grid);
    exit(EXIT_FAILURE);
  }
  free(grid);
  free(origin);
  return terrain;
}

/* ---- slices ---- */

/* Reads rows [from, to) and columns [left, right). Only the blocks that the box touches are decompressed. */
static int16_t *read_box(const Terrain *terrain, int64_t from, int64_t to, int64_t left, int64_t right) {
  int64_t start[] = {from, left}, stop[] = {to, right}, shape[] = {to - from, right - left};
  int64_t items = shape[0] * shape[1];
  int16_t *box = must_alloc(items, sizeof *box);
  must(b2nd_get_slice_cbuffer(terrain->array, start, stop, box, shape, items * (int64_t)sizeof *box), "reading a slice");
  return box;
}

static double longitude(const Terrain *terrain, int64_t column) { return terrain->west + terrain->step * (double)column; }
static double latitude(const Terrain *terrain, int64_t row) { return terrain->north - terrain->step * (double)row; }

/* Finds the highest and the lowest place, a row at a time, and gives the row of the highest. */
static int64_t print_extremes(const Terrain *terrain) {
  int64_t high_row = 0, high_column = 0, low_row = 0, low_column = 0;
  int16_t high = INT16_MIN, low = INT16_MAX;
  for (int64_t row = 0; row < terrain->rows; row++) {
    int16_t *line = read_box(terrain, row, row + 1, 0, terrain->columns);
    for (int64_t column = 0; column < terrain->columns; column++) {
      if (line[column] > high) {
        high = line[column], high_row = row, high_column = column;
      }
      if (line[column] < low) {
        low = line[column], low_row = row, low_column = column;
      }
    }
    free(line);
  }
  printf("\nHighest: %4d m at row %lld, column %lld (%.4f N, %.4f W)\n", high, (long long)high_row,
         (long long)high_column, latitude(terrain, high_row), -longitude(terrain, high_column));
  printf("Lowest:  %4d m at row %lld, column %lld (%.4f N, %.4f W)\n", low, (long long)low_row, (long long)low_column,
         latitude(terrain, low_row), -longitude(terrain, low_column));
  return high_row;
}

/* The ground along one row, seen from the south. */
static void print_profile(const Terrain *terrain, int64_t row) {
  int16_t *line = read_box(terrain, row, row + 1, 0, terrain->columns);
  double height[MAP_COLUMNS], top = -1e9, bottom = 1e9;
  for (int c = 0; c < MAP_COLUMNS; c++) {
    int64_t begin = terrain->columns * c / MAP_COLUMNS, end = terrain->columns * (c + 1) / MAP_COLUMNS;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
      sum += line[i];
    }
    height[c] = sum / (double)(end - begin);
    top = fmax(top, height[c]);
    bottom = fmin(bottom, height[c]);
  }
  free(line);
  printf("\nFrom west to east through the highest place (row %lld):\n", (long long)row);
  for (int r = PROFILE_ROWS; r > 0; r--) {
    double level = bottom + (top - bottom) * (r - 0.5) / PROFILE_ROWS;
    printf("%5.0f m |", level);
    for (int c = 0; c < MAP_COLUMNS; c++) {
      putchar(height[c] >= level ? '#' : ' ');
    }
    printf("\n");
  }
}

/* The mean height of every cell of a coarse map. */
static double *map_heights(const Terrain *terrain, double *bottom, double *top) {
  double *heights = must_alloc(MAP_ROWS * MAP_COLUMNS, sizeof *heights);
  *bottom = 1e9, *top = -1e9;
  for (int64_t r = 0; r < MAP_ROWS; r++) {
    int64_t from = terrain->rows * r / MAP_ROWS, to = terrain->rows * (r + 1) / MAP_ROWS;
    int16_t *band = read_box(terrain, from, to, 0, terrain->columns);
    for (int64_t c = 0; c < MAP_COLUMNS; c++) {
      int64_t left = terrain->columns * c / MAP_COLUMNS, right = terrain->columns * (c + 1) / MAP_COLUMNS;
      double sum = 0;
      for (int64_t row = 0; row < to - from; row++) {
        for (int64_t column = left; column < right; column++) {
          sum += band[row * terrain->columns + column];
        }
      }
      double height = sum / (double)((to - from) * (right - left));
      heights[r * MAP_COLUMNS + c] = height;
      *bottom = fmin(*bottom, height);
      *top = fmax(*top, height);
    }
    free(band);
  }
  return heights;
}

/* The whole land from above. */
static void print_map(const Terrain *terrain) {
  static const char signs[] = " .:-=+*#%@";
  double bottom, top;
  double *heights = map_heights(terrain, &bottom, &top);
  printf("\nThe land from above, from ' ' (%.0f m) to '@' (%.0f m); north is up, and the straight edge is the fault:\n", bottom,
         top);
  for (int cell = 0; cell < MAP_ROWS * MAP_COLUMNS; cell++) {
    int level = (int)(10 * (heights[cell] - bottom) / (top - bottom));
    putchar(signs[level > 9 ? 9 : level]);
    if (cell % MAP_COLUMNS == MAP_COLUMNS - 1) {
      printf("\n");
    }
  }
  free(heights);
}

/* ---- slopes ---- */

/* How the ground rises at an inner sample of a box, towards the east and towards the north, in metres per metre. */
static void gradient(const Terrain *terrain, const int16_t *box, int64_t width, int64_t row, int64_t column, double *east,
                     double *north) {
  const int16_t *here = box + row * width + column;
  double dy = terrain->step * METRES_PER_DEGREE;
  double dx = dy * cos(terrain->north * RADIANS);
  *east = (here[1] - here[-1]) / (2 * dx);
  *north = (here[-width] - here[width]) / (2 * dy);
}

/* The steepness in degrees of rows [from, to), which must not be the first or the last; the outermost columns get 0. */
static float *slope_band(const Terrain *terrain, int64_t from, int64_t to) {
  int64_t width = terrain->columns;
  int16_t *box = read_box(terrain, from - 1, to + 1, 0, width);
  float *band = must_alloc((to - from) * width, sizeof *band);
  for (int64_t row = 0; row < to - from; row++) {
    for (int64_t column = 1; column + 1 < width; column++) {
      double east, north;
      gradient(terrain, box, width, row + 1, column, &east, &north);
      band[row * width + column] = (float)(atan(hypot(east, north)) / RADIANS);
    }
  }
  free(box);
  return band;
}

/* The inner rows that belong to the band of chunks which begins at `row`. */
static void inner_rows(const Terrain *terrain, int64_t row, int64_t *from, int64_t *to) {
  int64_t end = row + terrain->array->chunkshape[0];
  *from = row < 1 ? 1 : row;
  *to = end > terrain->rows - 1 ? terrain->rows - 1 : end;
}

/* Writes the slopes as an array of floats with the same chunks, a band of chunks at a time. */
static void write_slopes(const Terrain *terrain, const char *path) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(float);
  cparams.compcode = BLOSC_ZSTD;
  cparams.nthreads = 2;
  /* Twelve bits after the point are plenty for an angle: the rest would be noise, which does not compress. */
  cparams.filters[0] = BLOSC_TRUNC_PREC;
  cparams.filters_meta[0] = 12;
  cparams.filters[BLOSC2_MAX_FILTERS - 1] = BLOSC_SHUFFLE;
  char *urlpath = must_alloc((int64_t)strlen(path) + 1, 1);
  strcpy(urlpath, path);
  blosc2_storage storage = {.contiguous = true, .urlpath = urlpath, .cparams = &cparams};
  remove(path);

  const b2nd_array_t *like = terrain->array;
  b2nd_context_t *ctx = b2nd_create_ctx(&storage, like->ndim, like->shape, like->chunkshape, like->blockshape, "<f4",
                                        DTYPE_NUMPY_FORMAT, NULL, 0);
  b2nd_array_t *slopes;
  must(b2nd_zeros(ctx, &slopes), path);
  for (int64_t row = 0; row < terrain->rows; row += like->chunkshape[0]) {
    int64_t from, to;
    inner_rows(terrain, row, &from, &to);
    float *band = slope_band(terrain, from, to);
    int64_t start[] = {from, 0}, stop[] = {to, terrain->columns}, shape[] = {to - from, terrain->columns};
    must(b2nd_set_slice_cbuffer(band, shape, shape[0] * shape[1] * (int64_t)sizeof *band, start, stop, slopes), path);
    free(band);
  }
  must(b2nd_free(slopes), path);
  b2nd_free_ctx(ctx);
  free(urlpath);
}

/* Opens the slopes again and compares each with what it should be. Gives the number of differences. */
static int64_t verify_slopes(const Terrain *terrain, const char *path) {
  b2nd_array_t *slopes;
  must(b2nd_open(path, &slopes), path);
  printf("\n");
  print_contents(path, slopes);

  int64_t size = slopes->nitems * (int64_t)sizeof(float);
  float *all = must_alloc(slopes->nitems, sizeof *all);
  must(b2nd_to_cbuffer(slopes, all, size), path);
  int64_t steepest = 0, differences = 0;
  for (int64_t row = 0; row < terrain->rows; row += terrain->array->chunkshape[0]) {
    int64_t from, to;
    inner_rows(terrain, row, &from, &to);
    float *band = slope_band(terrain, from, to);
    for (int64_t i = 0; i < (to - from) * terrain->columns; i++) {
      int64_t at = from * terrain->columns + i;
      differences += fabsf(all[at] - band[i]) > band[i] / 2048;
      steepest = all[at] > all[steepest] ? at : steepest;
    }
    free(band);
  }
  for (int64_t column = 0; column < terrain->columns; column++) {
    differences += all[column] != 0 || all[(terrain->rows - 1) * terrain->columns + column] != 0;
  }
  printf("\nSteepest: %.1f degrees at row %lld, column %lld\n", all[steepest], (long long)(steepest / terrain->columns),
         (long long)(steepest % terrain->columns));
  free(all);
  b2nd_free(slopes);
  return differences;
}

int main(int argc, char **argv) {
  const char *input = argc > 1 ? argv[1] : "examples/data/jacksboro.b2nd";
  const char *output = argc > 2 ? argv[2] : "slope.b2nd";
  blosc2_init();
  printf("Blosc2 %s\n\n", blosc2_get_version_string());

  Terrain terrain = open_terrain(input);
  int64_t high_row = print_extremes(&terrain);
  print_map(&terrain);
  print_profile(&terrain, high_row);
  write_slopes(&terrain, output);
  int64_t differences = verify_slopes(&terrain, output);

  b2nd_free(terrain.array);
  blosc2_destroy();
  if (differences > 0) {
    printf("%lld values differ from what was computed.\n", (long long)differences);
    return EXIT_FAILURE;
  }
  printf("Read back and verified: every slope is as computed.\n");
  return EXIT_SUCCESS;
}
