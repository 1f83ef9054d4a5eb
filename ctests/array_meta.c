/* The `b2nd` metalayer as bytes: what is written, what is read, what is refused. */
#include "b2nd.h"
#include "check.h"

/* Shape (100, 70000000000), chunks (50, 1000), blocks (10, 20), dtype "<f8". */
static const uint8_t WRITTEN[] = {
    0x97, 0x00, 0x02,                                       /* seven things; version; dimensions */
    0x92, 0xd3, 0, 0, 0, 0, 0, 0, 0, 100,                   /* shape */
    0xd3, 0, 0, 0, 0x10, 0x4c, 0x53, 0x3c, 0,               /* 70 thousand million */
    0x92, 0xd2, 0, 0, 0, 50, 0xd2, 0, 0, 0x03, 0xe8,        /* chunks */
    0x92, 0xd2, 0, 0, 0, 10, 0xd2, 0, 0, 0, 20,             /* blocks */
    0x00, 0xdb, 0, 0, 0, 3, '<', 'f', '8'};                 /* dtype */

static const int64_t SHAPE[] = {100, 70000000000};
static const int32_t CHUNKSHAPE[] = {50, 1000}, BLOCKSHAPE[] = {10, 20};

typedef int (*Reader)(const uint8_t *smeta, int32_t smeta_len, int8_t *ndim, int64_t *shape, int32_t *chunkshape,
                      int32_t *blockshape, char **dtype, int8_t *dtype_format);

static void check_read(Reader read) {
  int8_t ndim = -1, format = -1;
  int64_t shape[B2ND_MAX_DIM];
  int32_t chunkshape[B2ND_MAX_DIM], blockshape[B2ND_MAX_DIM];
  char *dtype = NULL;
  CHECK_EQ(read(WRITTEN, sizeof WRITTEN, &ndim, shape, chunkshape, blockshape, &dtype, &format), sizeof WRITTEN);
  CHECK_EQ(ndim, 2);
  CHECK_EQ(format, DTYPE_NUMPY_FORMAT);
  CHECK_BYTES(shape, SHAPE, sizeof SHAPE);
  CHECK_BYTES(chunkshape, CHUNKSHAPE, sizeof CHUNKSHAPE);
  CHECK_BYTES(blockshape, BLOCKSHAPE, sizeof BLOCKSHAPE);
  CHECK_TEXT(dtype, "<f8");
  free(dtype);
}

/* Too short at every length: never read past the end. The bytes lie at the end of an exact allocation for that. */
static void check_truncated(Reader read) {
  for (int32_t length = 0; length < (int32_t)sizeof WRITTEN; length++) {
    uint8_t *cut = must_alloc((size_t)length);
    memcpy(cut, WRITTEN, (size_t)length);
    int8_t ndim, format;
    int64_t shape[B2ND_MAX_DIM];
    int32_t chunkshape[B2ND_MAX_DIM], blockshape[B2ND_MAX_DIM];
    char *dtype = NULL;
    int rc = read(cut, length, &ndim, shape, chunkshape, blockshape, &dtype, &format);
    /* After the blocks the dtype may be missing: so wrote the library's predecessor. */
    CHECK(rc < 0 || dtype == NULL);
    CHECK(rc <= length);
    free(cut);
  }
}

static void check_write(void) {
  uint8_t *bytes = NULL;
  int length = b2nd_serialize_meta(2, SHAPE, CHUNKSHAPE, BLOCKSHAPE, "<f8", DTYPE_NUMPY_FORMAT, &bytes);
  if (CHECK_EQ(length, sizeof WRITTEN)) {
    CHECK_BYTES(bytes, WRITTEN, sizeof WRITTEN);
  }
  free(bytes);
}

static void check_all_dimensions(void) {
  for (int8_t ndim = 1; ndim <= B2ND_MAX_DIM; ndim++) {
    int64_t shape[B2ND_MAX_DIM], got_shape[B2ND_MAX_DIM];
    int32_t chunkshape[B2ND_MAX_DIM], blockshape[B2ND_MAX_DIM], got_chunkshape[B2ND_MAX_DIM], got_blockshape[B2ND_MAX_DIM];
    for (int8_t d = 0; d < ndim; d++) {
      shape[d] = (INT64_C(1) << 33) + d;
      chunkshape[d] = 1 + 2 * d;
      blockshape[d] = 1 + d;
    }
    uint8_t *bytes = NULL;
    int length = b2nd_serialize_meta(ndim, shape, chunkshape, blockshape, "|u1", 0, &bytes);
    CHECK_EQ(length, 3 + (1 + 9 * ndim) + 2 * (1 + 5 * ndim) + 1 + 5 + 3);
    int8_t got_ndim = -1, format = -1;
    char *dtype = NULL;
    CHECK_EQ(b2nd_deserialize_meta(bytes, length, &got_ndim, got_shape, got_chunkshape, got_blockshape, &dtype, &format),
             length);
    CHECK_EQ(got_ndim, ndim);
    CHECK_BYTES(got_shape, shape, (size_t)ndim * sizeof *shape);
    CHECK_BYTES(got_chunkshape, chunkshape, (size_t)ndim * sizeof *chunkshape);
    CHECK_BYTES(got_blockshape, blockshape, (size_t)ndim * sizeof *blockshape);
    CHECK_TEXT(dtype, "|u1");
    free(dtype);
    free(bytes);
  }
}

int main(void) {
  check_write();
  check_read(b2nd_deserialize_meta);
  check_read(b2nd_deserialize_meta_inline);
  check_truncated(b2nd_deserialize_meta);
  check_truncated(b2nd_deserialize_meta_inline);
  check_all_dimensions();
  return check_report();
}
