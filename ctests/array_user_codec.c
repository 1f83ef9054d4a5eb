/* A codec that wants to know the array: it finds the `b2nd` metalayer in the super-chunk of its parameters, from the first
 * block of a new array on, however the array is made. */
#include "b2nd.h"
#include "check.h"

enum { ID = 201, ROWS = 40, COLUMNS = 30, NITEMS = ROWS * COLUMNS };

static int32_t data[NITEMS], got[NITEMS];
static int asked, well_told;

/* Whether the super-chunk says what it holds. */
static bool tells(const void *of) {
  blosc2_schunk *schunk = (blosc2_schunk *)of;
  uint8_t *content = NULL;
  int32_t length = 0;
  if (schunk == NULL || blosc2_meta_exists(schunk, "b2nd") < 0 || blosc2_meta_get(schunk, "b2nd", &content, &length) < 0) {
    return false;
  }
  int8_t ndim = 0, dtype_format;
  int64_t shape[B2ND_MAX_DIM];
  int32_t chunkshape[B2ND_MAX_DIM], blockshape[B2ND_MAX_DIM];
  char *dtype = NULL;
  int code = b2nd_deserialize_meta(content, length, &ndim, shape, chunkshape, blockshape, &dtype, &dtype_format);
  free(content);
  free(dtype);
  return code >= 0 && ndim == 2 && schunk->typesize == sizeof(int32_t) && blockshape[1] >= 10;
}

static int encode(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                  blosc2_cparams *cparams, const void *chunk) {
  (void)meta, (void)chunk;
  asked++;
  well_told += tells(cparams->schunk);
  /* Items are below 65536: half of their bytes will do. */
  if (input_len % 4 != 0 || input_len / 2 > output_len) {
    return 0;
  }
  for (int32_t i = 0; i < input_len / 4; i++) {
    output[2 * i] = input[4 * i];
    output[2 * i + 1] = input[4 * i + 1];
  }
  return input_len / 2;
}

static int decode(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                  blosc2_dparams *dparams, const void *chunk) {
  (void)meta, (void)chunk;
  asked++;
  well_told += tells(dparams->schunk);
  if (input_len * 2 != output_len) {
    return -1;
  }
  memset(output, 0, (size_t)output_len);
  for (int32_t i = 0; i < output_len / 4; i++) {
    output[4 * i] = input[2 * i];
    output[4 * i + 1] = input[2 * i + 1];
  }
  return output_len;
}

static void check_told(const char *how) {
  if (!CHECK(asked > 0) || !CHECK_EQ(well_told, asked)) {
    fprintf(stderr, "    while: %s\n", how);
  }
  asked = well_told = 0;
}

static void check_array(bool contiguous, char *urlpath) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  cparams.compcode = ID;
  cparams.splitmode = BLOSC_NEVER_SPLIT;
  memset(cparams.filters, 0, sizeof cparams.filters);
  blosc2_storage storage = {.contiguous = contiguous, .urlpath = urlpath, .cparams = &cparams};
  int64_t shape[] = {ROWS, COLUMNS}, start[] = {3, 4}, stop[] = {33, 24};
  int32_t chunkshape[] = {20, 15}, blockshape[] = {10, 15}, other_chunkshape[] = {10, 20}, other_blockshape[] = {5, 10};
  b2nd_context_t *ctx = b2nd_create_ctx(&storage, 2, shape, chunkshape, blockshape, "<i4", 0, NULL, 0);
  b2nd_array_t *array = NULL;
  CHECK_OK(b2nd_from_cbuffer(ctx, &array, data, sizeof data));
  check_told("b2nd_from_cbuffer");
  CHECK_OK(b2nd_to_cbuffer(array, got, sizeof got));
  CHECK_BYTES(got, data, sizeof data);
  check_told("b2nd_to_cbuffer");

  blosc2_storage in_memory = {.contiguous = contiguous, .cparams = &cparams};
  b2nd_context_t *other = b2nd_create_ctx(&in_memory, 2, shape, other_chunkshape, other_blockshape, "<i4", 0, NULL, 0);
  b2nd_array_t *copy = NULL, *slice = NULL;
  CHECK_OK(b2nd_copy(other, array, &copy));
  check_told("b2nd_copy");
  CHECK_OK(b2nd_get_slice(other, &slice, array, start, stop));
  check_told("b2nd_get_slice");
  b2nd_free(copy);
  b2nd_free(slice);
  b2nd_free_ctx(other);

  CHECK_OK(b2nd_set_slice_cbuffer(data, shape, sizeof data, (int64_t[]){0, 0}, shape, array));
  check_told("b2nd_set_slice_cbuffer");
  b2nd_free(array);
  b2nd_free_ctx(ctx);
  if (urlpath != NULL) {
    CHECK_OK(b2nd_open(urlpath, &array));
    CHECK_OK(b2nd_to_cbuffer(array, got, sizeof got));
    CHECK_BYTES(got, data, sizeof data);
    check_told("an array that was opened");
    b2nd_free(array);
    CHECK_OK(blosc2_remove_urlpath(urlpath));
  }
}

int main(void) {
  blosc2_init();
  for (int i = 0; i < NITEMS; i++) {
    data[i] = i * 31;
  }
  blosc2_codec codec = {.compcode = ID, .compname = "knowing", .complib = 1, .version = 1, .encoder = encode, .decoder = decode};
  CHECK_OK(blosc2_register_codec(&codec));
  char file[] = "array_user_codec.b2nd", directory[] = "array_user_codec_dir.b2nd";
  blosc2_remove_urlpath(file);
  blosc2_remove_urlpath(directory);
  check_array(false, NULL);
  check_array(true, NULL);
  check_array(true, file);
  check_array(false, directory);
  blosc2_destroy();
  return check_report();
}
