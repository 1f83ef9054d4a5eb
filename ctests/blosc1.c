/* The Blosc1 interface: global settings, and programs written against blosc.h that are compiled with BLOSC1_COMPAT. */
#define BLOSC1_COMPAT
#include "blosc2.h"
#include "check.h"

enum { SIZE = 400000 };

static uint8_t data[SIZE], back[SIZE], chunk[SIZE + BLOSC_MAX_OVERHEAD];

/* The names that a Blosc1 program uses. */
static void check_old_names(void) {
  blosc_init();
  CHECK_TEXT(BLOSC_VERSION_STRING, BLOSC2_VERSION_STRING);
  CHECK_TEXT(blosc_get_version_string(), BLOSC2_VERSION_STRING);
  CHECK_EQ(blosc_set_compressor("lz4"), BLOSC_LZ4);
  CHECK_TEXT(blosc_get_compressor(), "lz4");

  int cbytes = blosc_compress(5, BLOSC_SHUFFLE, 4, SIZE, data, chunk, sizeof chunk);
  CHECK(cbytes > 0 && cbytes < SIZE / 2);
  size_t nbytes = 0, csize = 0, blocksize = 0;
  blosc_cbuffer_sizes(chunk, &nbytes, &csize, &blocksize);
  CHECK_EQ(nbytes, SIZE);
  CHECK_EQ(csize, cbytes);
  CHECK(blocksize > 0 && blocksize <= SIZE);
  CHECK_EQ(blosc_decompress(chunk, back, SIZE), SIZE);
  CHECK_BYTES(back, data, SIZE);
  blosc_destroy();
}

static void check_default_compressor(void) {
  blosc2_init();
  CHECK_TEXT(blosc1_get_compressor(), "blosclz");
  blosc2_destroy();
}

static void check_blocksize(void) {
  blosc2_init();
  CHECK_EQ(blosc1_get_blocksize(), 0);
  blosc1_set_blocksize(32 * 1024);
  CHECK_EQ(blosc1_get_blocksize(), 32 * 1024);
  int cbytes = blosc1_compress(5, BLOSC_SHUFFLE, 4, SIZE, data, chunk, sizeof chunk);
  CHECK(cbytes > 0);
  size_t nbytes = 0, csize = 0, blocksize = 0;
  blosc1_cbuffer_sizes(chunk, &nbytes, &csize, &blocksize);
  CHECK_EQ(blocksize, 32 * 1024);
  CHECK_EQ(blosc1_decompress(chunk, back, SIZE), SIZE);
  CHECK_BYTES(back, data, SIZE);
  blosc1_set_blocksize(0);
  blosc2_destroy();
}

/* Bit 4 of the flags says that blocks were not split. */
static void check_splitmode(void) {
  blosc2_init();
  blosc1_set_splitmode(BLOSC_NEVER_SPLIT);
  CHECK(blosc1_compress(5, BLOSC_SHUFFLE, 4, SIZE, data, chunk, sizeof chunk) > 0);
  CHECK_EQ(chunk[BLOSC2_CHUNK_FLAGS] & 0x10, 0x10);
  CHECK_EQ(blosc1_decompress(chunk, back, SIZE), SIZE);
  CHECK_BYTES(back, data, SIZE);
  blosc1_set_splitmode(BLOSC_ALWAYS_SPLIT);
  CHECK(blosc1_compress(5, BLOSC_SHUFFLE, 4, SIZE, data, chunk, sizeof chunk) > 0);
  CHECK_EQ(chunk[BLOSC2_CHUNK_FLAGS] & 0x10, 0);
  CHECK_EQ(blosc1_decompress(chunk, back, SIZE), SIZE);
  CHECK_BYTES(back, data, SIZE);
  blosc1_set_splitmode(BLOSC_FORWARD_COMPAT_SPLIT);
  blosc2_destroy();
}

static void check_too_small(void) {
  blosc2_init();
  int cbytes = blosc1_compress(5, BLOSC_SHUFFLE, 4, SIZE, data, chunk, sizeof chunk);
  CHECK(blosc1_decompress(chunk, back, SIZE - 1) < 0);
  fill_noise(back, SIZE, 3);
  CHECK_EQ(blosc1_compress(5, BLOSC_SHUFFLE, 4, SIZE, back, chunk, SIZE / 2), 0);
  CHECK(cbytes > 0);
  blosc2_destroy();
}

int main(void) {
  fill_ramp(data, SIZE, 4);
  check_default_compressor();
  check_old_names();
  check_blocksize();
  check_splitmode();
  check_too_small();
  return check_report();
}
