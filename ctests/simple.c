/* blosc2_compress and blosc2_decompress: every codec, level, filter and several type sizes. */
#include "blosc2.h"
#include "check.h"

enum { ITEMS = 20000 };

static const char *const CODECS[] = {"blosclz", "lz4", "lz4hc", "zlib", "zstd"};
static const int FILTERS[] = {BLOSC_NOFILTER, BLOSC_SHUFFLE, BLOSC_BITSHUFFLE};
static const int32_t TYPESIZES[] = {1, 2, 4, 8, 7, 16};

static void roundtrip(int clevel, int filter, int32_t typesize, const uint8_t *data, int32_t size, bool is_ramp) {
  int32_t room = size + BLOSC2_MAX_OVERHEAD;
  uint8_t *chunk = must_alloc((size_t)room);
  uint8_t *back = must_alloc((size_t)size);
  memset(back, 0xee, (size_t)size);

  int cbytes = blosc2_compress(clevel, filter, typesize, data, size, chunk, room);
  CHECK(cbytes > 0 && cbytes <= room);
  if (clevel == 0) {
    CHECK_EQ(cbytes, room);
    CHECK_BYTES(chunk + BLOSC_EXTENDED_HEADER_LENGTH, data, size);
  } else if (is_ramp && filter == BLOSC_SHUFFLE && typesize >= 4) {
    CHECK(cbytes < size * 2 / 3);
  }
  CHECK_EQ(blosc2_decompress(chunk, cbytes, back, size), size);
  CHECK_BYTES(back, data, size);

  free(back);
  free(chunk);
}

int main(void) {
  blosc2_init();
  for (size_t c = 0; c < sizeof CODECS / sizeof *CODECS; c++) {
    CHECK_EQ(blosc1_set_compressor(CODECS[c]), blosc2_compname_to_compcode(CODECS[c]));
    CHECK_TEXT(blosc1_get_compressor(), CODECS[c]);
    for (size_t t = 0; t < sizeof TYPESIZES / sizeof *TYPESIZES; t++) {
      int32_t size = ITEMS * TYPESIZES[t];
      uint8_t *ramp = must_alloc((size_t)size);
      uint8_t *noise = must_alloc((size_t)size);
      fill_ramp(ramp, (size_t)size, (size_t)TYPESIZES[t]);
      fill_noise(noise, (size_t)size, 7);
      for (size_t f = 0; f < sizeof FILTERS / sizeof *FILTERS; f++) {
        for (int clevel = 0; clevel <= 9; clevel++) {
          roundtrip(clevel, FILTERS[f], TYPESIZES[t], ramp, size, true);
        }
        roundtrip(5, FILTERS[f], TYPESIZES[t], noise, size, false);
      }
      free(noise);
      free(ramp);
    }
  }
  CHECK_EQ(blosc1_set_compressor("no such codec"), -1);
  blosc2_destroy();
  return check_report();
}
