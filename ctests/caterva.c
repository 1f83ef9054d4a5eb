/* A frame of the days before b2nd, with a `caterva` metalayer: written here byte by byte, opened as an array.
 *
 * The array is 3 x 4 items of int16, 1 to 12, in chunks of 2 x 4 made of blocks of 2 x 2.
 */
#include "b2nd.h"
#include "check.h"

enum { TYPESIZE = 2, CHUNK_DATA = 2 * 4 * TYPESIZE, BLOCK_DATA = 2 * 2 * TYPESIZE, NCHUNKS = 2 };
enum { CHUNK_SIZE = BLOSC_EXTENDED_HEADER_LENGTH + CHUNK_DATA, INDEX_DATA = 8 * NCHUNKS };

/* A frame while it is being written. */
static uint8_t frame[1024];
static size_t length;

static void put(const void *bytes, size_t size) {
  memcpy(frame + length, bytes, size);
  length += size;
}

/* A msgpack marker and then `size` bytes of `value`, the highest first. */
static void put_number(uint8_t marker, int64_t value, int size) {
  frame[length++] = marker;
  for (int i = size - 1; i >= 0; i--) {
    frame[length++] = (uint8_t)((uint64_t)value >> (8 * i));
  }
}

static void put_little32(int32_t value) {
  for (int i = 0; i < 4; i++) {
    frame[length++] = (uint8_t)((uint32_t)value >> (8 * i));
  }
}

/* Writes over the number that was put at `at`. */
static void patch_number(size_t at, uint8_t marker, int64_t value, int size) {
  size_t end = length;
  length = at;
  put_number(marker, value, size);
  length = end;
}

static void put_caterva(void) {
  put("\x95\x00\x02", 3); /* five things; version; dimensions */
  put("\x92", 1);
  put_number(0xd3, 3, 8);
  put_number(0xd3, 4, 8);
  put("\x92", 1);
  put_number(0xd2, 2, 4);
  put_number(0xd2, 4, 4);
  put("\x92", 1);
  put_number(0xd2, 2, 4);
  put_number(0xd2, 2, 4);
}

static void put_header(void) {
  put("\x9e\xa8" "b2frame\0", 10);
  put_number(0xd2, 0, 4);                                    /* header length, known later */
  put_number(0xcf, 0, 8);                                    /* frame length, known later */
  put("\xa4\x12\x00\x50\x03", 5);                            /* version 2, 64-bit offsets; contiguous; level 5; split */
  put_number(0xd3, NCHUNKS * CHUNK_DATA, 8);                 /* uncompressed size */
  put_number(0xd3, NCHUNKS * CHUNK_SIZE, 8);                 /* compressed size */
  put_number(0xd2, TYPESIZE, 4);
  put_number(0xd2, BLOCK_DATA, 4);
  put_number(0xd2, CHUNK_DATA, 4);
  put_number(0xd1, 1, 2);                                    /* threads */
  put_number(0xd1, 1, 2);
  put("\xc2", 1);                                            /* no vlmetalayers */
  put("\xd8\x06\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0", 18);     /* the pipeline: shuffle last */

  put("\x93", 1);
  put_number(0xcd, 1 + 2 + 3 + 1 + 7 + 5, 2);                /* size of the map of names */
  put_number(0xde, 1, 2);
  put("\xa7" "caterva", 8);
  size_t offset_at = length;
  put_number(0xd2, 0, 4);
  put_number(0xdc, 1, 2);
  patch_number(offset_at, 0xd2, (int64_t)length, 4);
  size_t size_at = length;
  put_number(0xc6, 0, 4);
  size_t begin = length;
  put_caterva();
  patch_number(size_at, 0xc6, (int64_t)(length - begin), 4);
  patch_number(10, 0xd2, (int64_t)length, 4);
}

/* A chunk that holds its data as they are. */
static void put_chunk(uint8_t typesize, const void *data, int32_t nbytes, int32_t blocksize) {
  uint8_t head[] = {BLOSC2_VERSION_FORMAT_STABLE, 1, BLOSC_DOSHUFFLE | BLOSC_MEMCPYED | BLOSC_DOBITSHUFFLE, typesize};
  static const uint8_t rest[BLOSC_EXTENDED_HEADER_LENGTH - BLOSC_MIN_HEADER_LENGTH] = {0};
  put(head, sizeof head);
  put_little32(nbytes);
  put_little32(blocksize);
  put_little32(BLOSC_EXTENDED_HEADER_LENGTH + nbytes);
  put(rest, sizeof rest);
  put(data, (size_t)nbytes);
}

static void put_trailer(void) {
  size_t begin = length;
  put("\x94\x01\x93", 3);
  put_number(0xcd, 1 + 2 + 3, 2);
  put_number(0xde, 0, 2);
  put_number(0xdc, 0, 2);
  put_number(0xce, (int64_t)(length - begin) + 5 + 18, 4);
  put("\xd8\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 18);
}

/* Every chunk: its two blocks, each in C order; past the third row, zeros. Items are stored low byte first. */
static void write_frame(void) {
  static const uint8_t first[CHUNK_DATA] = {1, 0, 2, 0, 5, 0, 6, 0, 3, 0, 4, 0, 7, 0, 8, 0};
  static const uint8_t second[CHUNK_DATA] = {9, 0, 10, 0, 0, 0, 0, 0, 11, 0, 12, 0, 0, 0, 0, 0};
  static const uint8_t offsets[INDEX_DATA] = {0, 0, 0, 0, 0, 0, 0, 0, CHUNK_SIZE, 0, 0, 0, 0, 0, 0, 0};
  length = 0;
  put_header();
  put_chunk(TYPESIZE, first, sizeof first, BLOCK_DATA);
  put_chunk(TYPESIZE, second, sizeof second, BLOCK_DATA);
  put_chunk(8, offsets, sizeof offsets, sizeof offsets);
  put_trailer();
  patch_number(15, 0xcf, (int64_t)length, 8);
}

static void check_array(b2nd_array_t *array) {
  if (!CHECK(array != NULL)) {
    return;
  }
  CHECK_EQ(array->ndim, 2);
  CHECK_EQ(array->shape[0], 3);
  CHECK_EQ(array->shape[1], 4);
  CHECK_EQ(array->chunkshape[0], 2);
  CHECK_EQ(array->chunkshape[1], 4);
  CHECK_EQ(array->blockshape[0], 2);
  CHECK_EQ(array->blockshape[1], 2);
  CHECK_EQ(array->sc->typesize, TYPESIZE);
  CHECK_EQ(blosc2_meta_exists(array->sc, "caterva"), 0);
  CHECK(blosc2_meta_exists(array->sc, "b2nd") < 0);
  int16_t all[12] = {0};
  CHECK_OK(b2nd_to_cbuffer(array, all, sizeof all));
  for (int16_t i = 0; i < 12; i++) {
    CHECK_EQ(all[i], i + 1);
  }
  int64_t start[] = {1, 1}, stop[] = {3, 3}, shape[] = {2, 2};
  int16_t middle[4] = {0};
  CHECK_OK(b2nd_get_slice_cbuffer(array, start, stop, middle, shape, sizeof middle));
  CHECK_EQ(middle[0], 6);
  CHECK_EQ(middle[1], 7);
  CHECK_EQ(middle[2], 10);
  CHECK_EQ(middle[3], 11);
  b2nd_free(array);
}

int main(void) {
  const char *urlpath = "caterva.b2frame";
  blosc2_init();
  write_frame();
  b2nd_array_t *array = NULL;
  CHECK_OK(b2nd_from_cframe(frame, (int64_t)length, true, &array));
  check_array(array);

  FILE *file = fopen(urlpath, "wb");
  if (CHECK(file != NULL)) {
    CHECK_EQ(fwrite(frame, 1, length, file), length);
    fclose(file);
    array = NULL;
    CHECK_OK(b2nd_open(urlpath, &array));
    check_array(array);
  }
  remove(urlpath);
  blosc2_destroy();
  return check_report();
}
