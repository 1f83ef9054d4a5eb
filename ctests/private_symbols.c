/* A program with functions named like those of the codecs inside the library: each side keeps its own. */
#include "blosc2.h"
#include "check.h"

/* Not the codecs', by their types or by what they do. If ours called these, its chunks would be nonsense. */
int LZ4_compressBound(int size);
int LZ4_compressBound(int size) { return -size; }
unsigned ZSTD_versionNumber(void);
unsigned ZSTD_versionNumber(void) { return 7; }
size_t ZSTD_compressBound(size_t size);
size_t ZSTD_compressBound(size_t size) { return size == 0 ? 1 : 0; }
unsigned ZSTD_isError(size_t code);
unsigned ZSTD_isError(size_t code) { return code + 1 > 0; }
int LZ4_decompress_safe(const char *from, char *to, int size, int room);
int LZ4_decompress_safe(const char *from, char *to, int size, int room) {
  (void)from, (void)to, (void)size, (void)room;
  return -1;
}

enum { SIZE = 100000 };

static uint8_t data[SIZE], back[SIZE], chunk[SIZE + BLOSC2_MAX_OVERHEAD];

int main(void) {
  fill_ramp(data, SIZE, 4);
  blosc2_init();
  static const char *const codecs[] = {"lz4", "lz4hc", "zlib", "zstd"};
  for (size_t c = 0; c < sizeof codecs / sizeof *codecs; c++) {
    CHECK(blosc1_set_compressor(codecs[c]) >= 0);
    int cbytes = blosc2_compress(9, BLOSC_SHUFFLE, 4, data, SIZE, chunk, sizeof chunk);
    CHECK(cbytes > 0 && cbytes < SIZE / 2);
    memset(back, 0, sizeof back);
    CHECK_EQ(blosc2_decompress(chunk, cbytes, back, SIZE), SIZE);
    CHECK_BYTES(back, data, SIZE);
  }
  char *complib = NULL, *version = NULL;
  CHECK_EQ(blosc2_get_complib_info("zstd", &complib, &version), BLOSC_ZSTD_LIB);
  CHECK(version != NULL && strcmp(version, "0.0.7") != 0);
  free(complib);
  free(version);
  blosc2_destroy();

  CHECK_EQ(LZ4_compressBound(3), -3);
  CHECK_EQ(ZSTD_versionNumber(), 7);
  return check_report();
}
