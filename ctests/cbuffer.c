/* What can be asked of a chunk without decompressing it. */
#include "blosc2.h"
#include "check.h"

enum { SIZE = 100000 };

static uint8_t data[SIZE], chunk[SIZE + BLOSC2_MAX_OVERHEAD];

static void check_sizes(int cbytes) {
  int32_t nbytes = -1, csize = -1, blocksize = -1;
  CHECK_EQ(blosc2_cbuffer_sizes(chunk, &nbytes, &csize, &blocksize), 0);
  CHECK_EQ(nbytes, SIZE);
  CHECK_EQ(csize, cbytes);
  CHECK(blocksize > 0 && blocksize <= SIZE);
  int32_t only = -1;
  CHECK_EQ(blosc2_cbuffer_sizes(chunk, NULL, &only, NULL), 0);
  CHECK_EQ(only, cbytes);

  size_t nbytes1 = 0, csize1 = 0, blocksize1 = 0;
  blosc1_cbuffer_sizes(chunk, &nbytes1, &csize1, &blocksize1);
  CHECK_EQ(nbytes1, nbytes);
  CHECK_EQ(csize1, csize);
  CHECK_EQ(blocksize1, blocksize);
}

static void check_validate(int cbytes) {
  size_t nbytes = 0;
  CHECK_EQ(blosc1_cbuffer_validate(chunk, (size_t)cbytes, &nbytes), 0);
  CHECK_EQ(nbytes, SIZE);
  CHECK(blosc1_cbuffer_validate(chunk, (size_t)cbytes - 1, &nbytes) < 0);
  CHECK(blosc1_cbuffer_validate(chunk, BLOSC_MIN_HEADER_LENGTH - 1, &nbytes) < 0);
}

static void check_metainfo(int filter, int flag) {
  int cbytes = blosc2_compress(5, filter, 4, data, SIZE, chunk, sizeof chunk);
  CHECK(cbytes > 0);
  size_t typesize = 0;
  int flags = 0;
  blosc1_cbuffer_metainfo(chunk, &typesize, &flags);
  CHECK_EQ(typesize, 4);
  /* In a chunk with the extended header the shuffle bits are both set and the filter codes tell. */
  CHECK_EQ(chunk[BLOSC2_CHUNK_FILTER_CODES + BLOSC2_MAX_FILTERS - 1], filter);
  CHECK_EQ(flags & BLOSC_MEMCPYED, 0);
  CHECK((flags & flag) == flag);

  int version = 0, versionlz = 0;
  blosc2_cbuffer_versions(chunk, &version, &versionlz);
  CHECK_EQ(version, BLOSC2_VERSION_FORMAT_STABLE);
  CHECK_EQ(versionlz, 1);
}

static void check_complib(const char *codec, const char *library) {
  CHECK(blosc1_set_compressor(codec) >= 0);
  CHECK(blosc2_compress(5, BLOSC_SHUFFLE, 4, data, SIZE, chunk, sizeof chunk) > 0);
  CHECK_TEXT(blosc2_cbuffer_complib(chunk), library);
}

/* Compresses afresh, puts `value` at byte `at` of the chunk, and tells whether the sizes are refused. */
static bool refuses(size_t at, uint8_t value) {
  CHECK(blosc2_compress(5, BLOSC_SHUFFLE, 4, data, SIZE, chunk, sizeof chunk) > 0);
  chunk[at] = value;
  int32_t nbytes, cbytes, blocksize;
  return blosc2_cbuffer_sizes(chunk, &nbytes, &cbytes, &blocksize) < 0;
}

static void check_bad_headers(void) {
  CHECK(!refuses(BLOSC2_CHUNK_VERSION, BLOSC2_VERSION_FORMAT_STABLE));
  CHECK(refuses(BLOSC2_CHUNK_BLOCKSIZE + 3, 0x80)); /* negative */
  CHECK(refuses(BLOSC2_CHUNK_BLOCKSIZE + 3, 0x7f)); /* larger than the data */
  CHECK(refuses(BLOSC2_CHUNK_CBYTES + 3, 0x80));
  CHECK(refuses(BLOSC2_CHUNK_TYPESIZE, 0));
}

int main(void) {
  blosc2_init();
  fill_ramp(data, SIZE, 4);
  int cbytes = blosc2_compress(5, BLOSC_SHUFFLE, 4, data, SIZE, chunk, sizeof chunk);
  CHECK(cbytes > 0);
  check_sizes(cbytes);
  check_validate(cbytes);
  check_metainfo(BLOSC_SHUFFLE, BLOSC_DOSHUFFLE);
  check_metainfo(BLOSC_BITSHUFFLE, BLOSC_DOBITSHUFFLE);
  check_complib("blosclz", "BloscLZ");
  check_complib("lz4", "LZ4");
  check_complib("lz4hc", "LZ4");
  check_complib("zlib", "Zlib");
  check_complib("zstd", "Zstd");
  check_bad_headers();
  blosc2_destroy();
  return check_report();
}
