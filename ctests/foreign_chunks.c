/* Chunks that this program writes byte by byte, as other writers leave them: special values, plain copies, Blosc1. */
#include "blosc2.h"
#include "check.h"

#include <math.h>

static void put32(uint8_t *to, int32_t value) {
  for (int i = 0; i < 4; i++) {
    to[i] = (uint8_t)((uint32_t)value >> (8 * i));
  }
}

/* An extended header for `nbytes` bytes in one block; gives its length. */
static int put_header(uint8_t *chunk, uint8_t typesize, int32_t nbytes, int32_t cbytes, uint8_t special) {
  memset(chunk, 0, BLOSC_EXTENDED_HEADER_LENGTH);
  chunk[BLOSC2_CHUNK_VERSION] = BLOSC2_VERSION_FORMAT_STABLE;
  chunk[BLOSC2_CHUNK_VERSIONLZ] = 1;
  chunk[BLOSC2_CHUNK_FLAGS] = BLOSC_DOSHUFFLE | BLOSC_DOBITSHUFFLE | (special ? 0 : BLOSC_MEMCPYED);
  chunk[BLOSC2_CHUNK_TYPESIZE] = typesize;
  put32(chunk + BLOSC2_CHUNK_NBYTES, nbytes);
  put32(chunk + BLOSC2_CHUNK_BLOCKSIZE, nbytes);
  put32(chunk + BLOSC2_CHUNK_CBYTES, cbytes);
  chunk[BLOSC2_CHUNK_BLOSC2_FLAGS] = (uint8_t)(special << 4);
  return BLOSC_EXTENDED_HEADER_LENGTH;
}

/* Reads items 3 and 4 of the chunk by getitem into `two`. */
static int get_two(const uint8_t *chunk, int cbytes, void *two, int32_t room) {
  blosc2_context *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
  int got = blosc2_getitem_ctx(dctx, chunk, cbytes, 3, 2, two, room);
  blosc2_free_ctx(dctx);
  return got;
}

static void check_zeros(void) {
  uint8_t chunk[BLOSC_EXTENDED_HEADER_LENGTH], back[4000], zeros[4000] = {0}, two[8];
  int cbytes = put_header(chunk, 4, sizeof back, sizeof chunk, BLOSC2_SPECIAL_ZERO);
  memset(back, 0xee, sizeof back);
  CHECK_EQ(blosc2_decompress(chunk, cbytes, back, sizeof back), sizeof back);
  CHECK_BYTES(back, zeros, sizeof back);
  memset(two, 0xee, sizeof two);
  CHECK_EQ(get_two(chunk, cbytes, two, sizeof two), 8);
  CHECK_BYTES(two, zeros, 8);
}

static void check_nans(void) {
  uint8_t chunk[BLOSC_EXTENDED_HEADER_LENGTH];
  float floats[500];
  double doubles[500];
  int cbytes = put_header(chunk, sizeof(float), sizeof floats, sizeof chunk, BLOSC2_SPECIAL_NAN);
  memset(floats, 0, sizeof floats);
  CHECK_EQ(blosc2_decompress(chunk, cbytes, floats, sizeof floats), sizeof floats);
  CHECK(isnan(floats[0]) && isnan(floats[249]) && isnan(floats[499]));
  cbytes = put_header(chunk, sizeof(double), sizeof doubles, sizeof chunk, BLOSC2_SPECIAL_NAN);
  memset(doubles, 0, sizeof doubles);
  CHECK_EQ(blosc2_decompress(chunk, cbytes, doubles, sizeof doubles), sizeof doubles);
  CHECK(isnan(doubles[0]) && isnan(doubles[250]) && isnan(doubles[499]));
}

static void check_repeated_value(void) {
  uint8_t chunk[BLOSC_EXTENDED_HEADER_LENGTH + 3], back[3 * 1000], want[3 * 1000], two[6];
  int header = put_header(chunk, 3, sizeof back, sizeof chunk, BLOSC2_SPECIAL_VALUE);
  memcpy(chunk + header, "\x0a\x0b\x0c", 3);
  for (size_t i = 0; i < sizeof want; i++) {
    want[i] = (uint8_t)(0x0a + i % 3);
  }
  CHECK_EQ(blosc2_decompress(chunk, sizeof chunk, back, sizeof back), sizeof back);
  CHECK_BYTES(back, want, sizeof back);
  CHECK_EQ(get_two(chunk, sizeof chunk, two, sizeof two), 6);
  CHECK_BYTES(two, want, 6);
  CHECK(blosc2_decompress(chunk, sizeof chunk - 3, back, sizeof back) < 0);
}

static void check_uninitialised(void) {
  uint8_t chunk[BLOSC_EXTENDED_HEADER_LENGTH], back[4000];
  int cbytes = put_header(chunk, 4, sizeof back, sizeof chunk, BLOSC2_SPECIAL_UNINIT);
  CHECK_EQ(blosc2_decompress(chunk, cbytes, back, sizeof back), sizeof back);
}

static void check_plain_copy(void) {
  enum { SIZE = 1000 };
  uint8_t chunk[BLOSC_EXTENDED_HEADER_LENGTH + SIZE], data[SIZE], back[SIZE], two[8];
  int header = put_header(chunk, 4, SIZE, sizeof chunk, 0);
  fill_noise(data, SIZE, 5);
  memcpy(chunk + header, data, SIZE);
  CHECK_EQ(blosc2_decompress(chunk, sizeof chunk, back, SIZE), SIZE);
  CHECK_BYTES(back, data, SIZE);
  CHECK_EQ(get_two(chunk, sizeof chunk, two, sizeof two), 8);
  CHECK_BYTES(two, data + 12, 8);
  CHECK(blosc2_decompress(chunk, sizeof chunk, back, SIZE - 1) < 0);
}

/* A Blosc1 chunk: 16 bytes of header, shuffled, one block split into the bytes of its 2-byte items. The first stream is
 * stored raw, so is the second; the block is below the least size at which blosclz compresses anyway. */
static void check_blosc1_split(void) {
  enum { ITEMS = 40, SIZE = 2 * ITEMS, HEADER = BLOSC_MIN_HEADER_LENGTH, START = HEADER + 4 };
  uint8_t chunk[START + 4 + ITEMS + 4 + ITEMS] = {0}, back[SIZE], want[SIZE];
  chunk[BLOSC2_CHUNK_VERSION] = BLOSC1_VERSION_FORMAT;
  chunk[BLOSC2_CHUNK_VERSIONLZ] = 1;
  chunk[BLOSC2_CHUNK_FLAGS] = BLOSC_DOSHUFFLE | (BLOSC_LZ4_FORMAT << 5);
  chunk[BLOSC2_CHUNK_TYPESIZE] = 2;
  put32(chunk + BLOSC2_CHUNK_NBYTES, SIZE);
  put32(chunk + BLOSC2_CHUNK_BLOCKSIZE, SIZE);
  put32(chunk + BLOSC2_CHUNK_CBYTES, sizeof chunk);
  put32(chunk + HEADER, START);
  put32(chunk + START, ITEMS);
  put32(chunk + START + 4 + ITEMS, ITEMS);
  for (int i = 0; i < ITEMS; i++) {
    want[2 * i] = chunk[START + 4 + i] = (uint8_t)(3 * i);
    want[2 * i + 1] = chunk[START + 4 + ITEMS + 4 + i] = (uint8_t)(200 - i);
  }
  CHECK_EQ(blosc1_decompress(chunk, back, SIZE), SIZE);
  CHECK_BYTES(back, want, SIZE);
  CHECK_TEXT(blosc2_cbuffer_complib(chunk), "LZ4");
}

/* A plain copy with the short header. */
static void check_blosc1_copy(void) {
  enum { SIZE = 100 };
  uint8_t chunk[BLOSC_MIN_HEADER_LENGTH + SIZE] = {0}, data[SIZE], back[SIZE];
  fill_noise(data, SIZE, 9);
  chunk[BLOSC2_CHUNK_VERSION] = BLOSC1_VERSION_FORMAT;
  chunk[BLOSC2_CHUNK_VERSIONLZ] = 1;
  chunk[BLOSC2_CHUNK_FLAGS] = BLOSC_MEMCPYED;
  chunk[BLOSC2_CHUNK_TYPESIZE] = 1;
  put32(chunk + BLOSC2_CHUNK_NBYTES, SIZE);
  put32(chunk + BLOSC2_CHUNK_BLOCKSIZE, SIZE);
  put32(chunk + BLOSC2_CHUNK_CBYTES, sizeof chunk);
  memcpy(chunk + BLOSC_MIN_HEADER_LENGTH, data, SIZE);
  CHECK_EQ(blosc1_decompress(chunk, back, SIZE), SIZE);
  CHECK_BYTES(back, data, SIZE);
}

static void check_future(void) {
  uint8_t chunk[BLOSC_EXTENDED_HEADER_LENGTH], back[4000];
  int cbytes = put_header(chunk, 4, sizeof back, sizeof chunk, BLOSC2_SPECIAL_ZERO);
  chunk[BLOSC2_CHUNK_VERSION] = BLOSC2_VERSION_FORMAT + 1;
  chunk[BLOSC2_CHUNK_BLOSC2_FLAGS2] = 0x80; /* a feature that nobody knows yet */
  CHECK_EQ(blosc2_decompress(chunk, cbytes, back, sizeof back), BLOSC2_ERROR_VERSION_SUPPORT);
}

int main(void) {
  blosc2_init();
  check_zeros();
  check_nans();
  check_repeated_value();
  check_uninitialised();
  check_plain_copy();
  check_blosc1_split();
  check_blosc1_copy();
  check_future();
  blosc2_destroy();
  return check_report();
}
