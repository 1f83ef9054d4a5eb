/* The system's own liblz4 and libzstd in one program with our library: both sides work, each with its own version. */
#include "blosc2.h"
#include "check.h"

#include <lz4.h>
#include <zstd.h>

enum { SIZE = 100000 };

static char data[SIZE], back[SIZE], packed[SIZE + 10000];

int main(void) {
  fill_ramp(data, SIZE, 4);
  int packed_size = LZ4_compress_default(data, packed, SIZE, sizeof packed);
  CHECK(packed_size > 0);
  CHECK_EQ(LZ4_decompress_safe(packed, back, packed_size, SIZE), SIZE);
  CHECK_BYTES(back, data, SIZE);
  size_t zstd_size = ZSTD_compress(packed, sizeof packed, data, SIZE, 3);
  CHECK(!ZSTD_isError(zstd_size));
  memset(back, 0, SIZE);
  CHECK_EQ(ZSTD_decompress(back, SIZE, packed, zstd_size), SIZE);
  CHECK_BYTES(back, data, SIZE);

  blosc2_init();
  static const char *const codecs[] = {"lz4", "zstd"};
  for (int c = 0; c < 2; c++) {
    CHECK(blosc1_set_compressor(codecs[c]) >= 0);
    int cbytes = blosc2_compress(5, BLOSC_SHUFFLE, 4, data, SIZE, packed, SIZE);
    CHECK(cbytes > 0);
    memset(back, 0, SIZE);
    CHECK_EQ(blosc2_decompress(packed, cbytes, back, SIZE), SIZE);
    CHECK_BYTES(back, data, SIZE);
  }
  char *complib = NULL, *version = NULL;
  CHECK_EQ(blosc2_get_complib_info("zstd", &complib, &version), BLOSC_ZSTD_LIB);
  printf("the system's zstd %s, ours %s; the system's lz4 %s\n", ZSTD_versionString(), version, LZ4_versionString());
  free(complib);
  free(version);
  blosc2_destroy();
  return check_report();
}
