/* What the library says about itself: versions, codecs by name and by code, the libraries behind them. */
#include "blosc2.h"
#include "check.h"

static void check_version(void) {
  CHECK_TEXT(blosc2_get_version_string(), BLOSC2_VERSION_STRING);
  char composed[32];
  snprintf(composed, sizeof composed, "%d.%d.%d", BLOSC2_VERSION_MAJOR, BLOSC2_VERSION_MINOR, BLOSC2_VERSION_RELEASE);
  CHECK_TEXT(composed, BLOSC2_VERSION_STRING);
#ifdef EXPECTED_VERSION
  CHECK_TEXT(BLOSC2_VERSION_STRING, EXPECTED_VERSION);
#endif
  CHECK_EQ(BLOSC1_VERSION_FORMAT, 2);
  CHECK_EQ(BLOSC2_VERSION_FORMAT_STABLE, 5);
  CHECK_EQ(BLOSC2_VERSION_FORMAT, 6);
  CHECK_EQ(BLOSC2_VERSION_FRAME_FORMAT_RC1, 2);
  CHECK_EQ(BLOSC2_VERSION_FRAME_FORMAT, 3);
}

static void check_codec(const char *name, int code, const char *library, int library_code) {
  CHECK_EQ(blosc2_compname_to_compcode(name), code);

  const char *found = NULL;
  CHECK_EQ(blosc2_compcode_to_compname(code, &found), code);
  CHECK_TEXT(found, name);

  char *complib = NULL, *version = NULL;
  CHECK_EQ(blosc2_get_complib_info(name, &complib, &version), library_code);
  CHECK_TEXT(complib, library);
  CHECK(version != NULL && version[0] >= '0' && version[0] <= '9');
  free(complib);
  free(version);
}

static void check_codecs(void) {
  CHECK_TEXT(blosc2_list_compressors(), "blosclz,lz4,lz4hc,zlib,zstd");
  check_codec(BLOSC_BLOSCLZ_COMPNAME, BLOSC_BLOSCLZ, BLOSC_BLOSCLZ_LIBNAME, BLOSC_BLOSCLZ_LIB);
  check_codec(BLOSC_LZ4_COMPNAME, BLOSC_LZ4, BLOSC_LZ4_LIBNAME, BLOSC_LZ4_LIB);
  check_codec(BLOSC_LZ4HC_COMPNAME, BLOSC_LZ4HC, BLOSC_LZ4_LIBNAME, BLOSC_LZ4_LIB);
  check_codec(BLOSC_ZSTD_COMPNAME, BLOSC_ZSTD, BLOSC_ZSTD_LIBNAME, BLOSC_ZSTD_LIB);
  check_codec(BLOSC_ZLIB_COMPNAME, BLOSC_ZLIB, BLOSC_ZLIB_LIBNAME, BLOSC_ZLIB_LIB);

  const char *name = "untouched";
  CHECK_EQ(blosc2_compcode_to_compname(254, &name), -1);
  CHECK_EQ(blosc2_compname_to_compcode("gzip"), -1);
  CHECK_EQ(blosc2_compname_to_compcode(""), -1);
#ifndef AGAINST_REFERENCE /* which crashes here */
  char *complib = NULL, *version = NULL;
  CHECK_EQ(blosc2_get_complib_info("gzip", &complib, &version), -1);
#endif
}

int main(void) {
  blosc2_init();
  check_version();
  check_codecs();
  blosc2_destroy();
  return check_report();
}
