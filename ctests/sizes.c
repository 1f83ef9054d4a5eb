/* The ends of the scale: nothing, a few bytes, no room, odd and huge types. */
#include "blosc2.h"
#include "check.h"

enum { LARGEST = 70000 };

static uint8_t noise[LARGEST], ramp[LARGEST], back[LARGEST], chunk[LARGEST + BLOSC2_MAX_OVERHEAD];

static void roundtrip(const uint8_t *data, int32_t size, int32_t typesize, int clevel) {
  int cbytes = blosc2_compress(clevel, BLOSC_SHUFFLE, typesize, data, size, chunk, size + BLOSC2_MAX_OVERHEAD);
  CHECK(cbytes >= BLOSC_EXTENDED_HEADER_LENGTH && cbytes <= size + BLOSC2_MAX_OVERHEAD);
  int32_t nbytes = -1, csize = -1;
  CHECK_EQ(blosc2_cbuffer_sizes(chunk, &nbytes, &csize, NULL), 0);
  CHECK_EQ(nbytes, size);
  CHECK_EQ(csize, cbytes);
  memset(back, 0xee, sizeof back);
  CHECK_EQ(blosc2_decompress(chunk, cbytes, back, size), size);
  CHECK_BYTES(back, data, size);
  CHECK(size == LARGEST || back[size] == 0xee);
}

static void check_small(void) {
  static const int32_t typesizes[] = {1, 2, 3, 4, 7, 8, 16, 17, 255, 256, 1000};
  static const int32_t sizes[] = {0, 1, 2, 15, 16, 31, 32, 33, 127, 128, 129, 1000, 65535, LARGEST};
  for (size_t t = 0; t < sizeof typesizes / sizeof *typesizes; t++) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      for (int clevel = 0; clevel <= 9; clevel += 3) {
        roundtrip(noise, sizes[s], typesizes[t], clevel);
        roundtrip(ramp, sizes[s], typesizes[t], clevel);
      }
    }
  }
}

/* A type larger than 255 bytes is recorded as a stream of bytes. */
static void check_huge_type(void) {
  CHECK(blosc2_compress(5, BLOSC_SHUFFLE, 256, ramp, 4096, chunk, sizeof chunk) > 0);
  CHECK_EQ(chunk[BLOSC2_CHUNK_TYPESIZE], 1);
  CHECK(blosc2_compress(5, BLOSC_SHUFFLE, 255, ramp, 4096, chunk, sizeof chunk) > 0);
  CHECK_EQ(chunk[BLOSC2_CHUNK_TYPESIZE], 255);
}

/* What does not fit gives 0; room for the data and the overhead is always enough. */
static void check_no_room(void) {
  CHECK_EQ(blosc2_compress(5, BLOSC_SHUFFLE, 4, noise, LARGEST, chunk, LARGEST + BLOSC2_MAX_OVERHEAD - 1), 0);
  CHECK_EQ(blosc2_compress(5, BLOSC_SHUFFLE, 4, noise, LARGEST, chunk, LARGEST / 2), 0);
  CHECK_EQ(blosc2_compress(0, BLOSC_SHUFFLE, 4, ramp, LARGEST, chunk, LARGEST + BLOSC2_MAX_OVERHEAD - 1), 0);
  CHECK_EQ(blosc2_compress(0, BLOSC_SHUFFLE, 4, ramp, LARGEST, chunk, LARGEST + BLOSC2_MAX_OVERHEAD),
           LARGEST + BLOSC2_MAX_OVERHEAD);

  int cbytes = blosc2_compress(5, BLOSC_SHUFFLE, 4, ramp, LARGEST, chunk, sizeof chunk);
  CHECK(cbytes > 0);
  CHECK_EQ(blosc2_compress(5, BLOSC_SHUFFLE, 4, ramp, LARGEST, chunk, cbytes), cbytes);
  CHECK_EQ(blosc2_compress(5, BLOSC_SHUFFLE, 4, ramp, LARGEST, chunk, cbytes - 1), 0);
  CHECK_EQ(blosc2_compress(5, BLOSC_SHUFFLE, 4, ramp, LARGEST, chunk, BLOSC2_MAX_OVERHEAD), 0);
}

static void check_bad_arguments(void) {
  CHECK(blosc2_compress(-1, BLOSC_SHUFFLE, 4, ramp, 1000, chunk, sizeof chunk) <= 0);
  CHECK(blosc2_compress(10, BLOSC_SHUFFLE, 4, ramp, 1000, chunk, sizeof chunk) <= 0);
  CHECK(blosc2_compress(5, BLOSC_SHUFFLE, 4, ramp, INT32_MAX, chunk, sizeof chunk) <= 0);
  CHECK(blosc2_decompress(chunk, 0, back, sizeof back) < 0);
  CHECK(blosc2_decompress(chunk, BLOSC_MIN_HEADER_LENGTH - 1, back, sizeof back) < 0);
}

int main(void) {
  blosc2_init();
  fill_noise(noise, sizeof noise, 11);
  fill_ramp(ramp, sizeof ramp, 4);
  check_small();
  check_huge_type();
  check_no_room();
  check_bad_arguments();
  blosc2_destroy();
  return check_report();
}
