/* Codecs of the program's own: registering them, what they are told, what becomes of what they return. */
#include "blosc2.h"
#include "blosc2/codecs-registry.h"
#include "check.h"

enum { ITEMS = 30000, TYPESIZE = 4, SIZE = ITEMS * TYPESIZE, BLOCKSIZE = 8000, META = 77, RUNS = 200, BROKEN = 201 };

static int32_t data[ITEMS], back[ITEMS];
static uint8_t chunk[SIZE + BLOSC2_MAX_OVERHEAD];
static int codec_params, filter_params;
static const void *packed_chunk;
static int strangers; /* calls that were told something wrong; only ever added to */

/* Runs of one 32-bit value: the value and how often. */
static int encode_runs(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                       blosc2_cparams *cparams, const void *src) {
  bool known = meta == META && src == data && cparams->compcode == RUNS && cparams->compcode_meta == META;
  known = known && cparams->clevel == 3 && cparams->typesize == TYPESIZE && cparams->blocksize == BLOCKSIZE;
  known = known && cparams->schunk == NULL && cparams->codec_params == &codec_params && cparams->nthreads >= 1;
  strangers += !known;
  int32_t written = 0;
  for (int32_t i = 0; i < input_len;) {
    int32_t n = TYPESIZE;
    while (i + n < input_len && memcmp(input + i + n, input + i, TYPESIZE) == 0) {
      n += TYPESIZE;
    }
    if (written + 8 > output_len) {
      return 0;
    }
    memcpy(output + written, input + i, TYPESIZE);
    memcpy(output + written + 4, &n, 4);
    written += 8;
    i += n;
  }
  return written;
}

static int decode_runs(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                       blosc2_dparams *dparams, const void *src) {
  bool known = meta == META && src == packed_chunk && dparams->typesize == TYPESIZE && dparams->schunk == NULL;
  strangers += !(known && dparams->postfilter == NULL && dparams->nthreads >= 1);
  int32_t written = 0;
  for (int32_t i = 0; i + 8 <= input_len; i += 8) {
    int32_t n;
    memcpy(&n, input + i + 4, 4);
    if (n < 0 || n > output_len - written) {
      return -1;
    }
    for (int32_t k = 0; k < n; k += TYPESIZE) {
      memcpy(output + written + k, input + i, TYPESIZE);
    }
    written += n;
  }
  return written;
}

/* What the broken codec returns. */
static int verdict = -7;

static int encode_broken(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                         blosc2_cparams *cparams, const void *src) {
  (void)input, (void)input_len, (void)output, (void)output_len, (void)meta, (void)cparams, (void)src;
  return verdict;
}

static int decode_broken(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                         blosc2_dparams *dparams, const void *src) {
  (void)input, (void)input_len, (void)output, (void)output_len, (void)meta, (void)dparams, (void)src;
  return verdict;
}

static int add_codec(uint8_t id, char *name, blosc2_codec_encoder_cb encoder, blosc2_codec_decoder_cb decoder) {
  blosc2_codec codec;
  memset(&codec, 0, sizeof codec);
  codec.compcode = id;
  codec.compname = name;
  codec.complib = id;
  codec.version = 9;
  codec.encoder = encoder;
  codec.decoder = decoder;
  return blosc2_register_codec(&codec);
}

static void check_registering(void) {
  CHECK_EQ(add_codec(159, "runs", encode_runs, decode_runs), BLOSC2_ERROR_CODEC_PARAM);
  CHECK_EQ(add_codec(0, "runs", encode_runs, decode_runs), BLOSC2_ERROR_CODEC_PARAM);
  CHECK_EQ(add_codec(RUNS, "runs", encode_runs, decode_runs), BLOSC2_ERROR_SUCCESS);
  CHECK_EQ(add_codec(RUNS, "runs", encode_runs, decode_runs), BLOSC2_ERROR_SUCCESS);
  CHECK_EQ(add_codec(RUNS, "walks", encode_runs, decode_runs), BLOSC2_ERROR_CODEC_PARAM);
  char name[] = "broken";
  CHECK_EQ(add_codec(BROKEN, name, encode_broken, decode_broken), BLOSC2_ERROR_SUCCESS);

  CHECK_EQ(blosc2_compname_to_compcode("runs"), RUNS);
  const char *known = NULL;
  CHECK_EQ(blosc2_compcode_to_compname(RUNS, &known), RUNS);
  CHECK_TEXT(known, "runs");
  CHECK_EQ(blosc1_set_compressor("runs"), BLOSC2_ERROR_CODEC_SUPPORT);
  /* The public registry's are known by name whether they are there or not. */
#ifndef WITHOUT_PLUGINS
  CHECK_EQ(blosc2_compname_to_compcode("openhtj2k"), BLOSC_CODEC_OPENHTJ2K);
  CHECK_EQ(blosc2_compname_to_compcode("htj2k"), BLOSC_CODEC_HTJ2K);
#endif
}

static blosc2_cparams params_of(uint8_t codec, int16_t nthreads) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.compcode = codec;
  cparams.compcode_meta = META;
  cparams.clevel = 3;
  cparams.typesize = TYPESIZE;
  cparams.blocksize = BLOCKSIZE;
  cparams.nthreads = nthreads;
  cparams.splitmode = BLOSC_NEVER_SPLIT;
  cparams.filters[BLOSC2_MAX_FILTERS - 1] = BLOSC_NOFILTER;
  cparams.codec_params = &codec_params;
  cparams.filter_params[2] = &filter_params;
  return cparams;
}

static int compress(uint8_t codec, int16_t nthreads) {
  blosc2_context *cctx = blosc2_create_cctx(params_of(codec, nthreads));
  int cbytes = blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk);
  blosc2_free_ctx(cctx);
  return cbytes;
}

static int decompress(int cbytes, int16_t nthreads) {
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  dparams.nthreads = nthreads;
  blosc2_context *dctx = blosc2_create_dctx(dparams);
  packed_chunk = chunk;
  int nbytes = blosc2_decompress_ctx(dctx, chunk, cbytes, back, SIZE);
  blosc2_free_ctx(dctx);
  return nbytes;
}

static void check_roundtrips(void) {
  for (int16_t nthreads = 1; nthreads <= 4; nthreads += 3) {
    int cbytes = compress(RUNS, nthreads);
    CHECK(cbytes > 0 && cbytes < SIZE / 10);
    CHECK_EQ(chunk[BLOSC2_CHUNK_FLAGS] >> 5, BLOSC_UDCODEC_FORMAT);
    CHECK_EQ(chunk[BLOSC2_CHUNK_VERSIONLZ], 9);
    CHECK_EQ(chunk[0x16], RUNS);
    CHECK_EQ(chunk[0x17], META);
    memset(back, 0xee, SIZE);
    CHECK_EQ(decompress(cbytes, nthreads), SIZE);
    CHECK_BYTES(back, data, SIZE);
    memset(back, 0xee, SIZE);
    blosc2_context *dctx = blosc2_create_dctx(BLOSC2_DPARAMS_DEFAULTS);
    CHECK_EQ(blosc2_getitem_ctx(dctx, chunk, cbytes, 3000, 2500, back, SIZE), 10000);
    CHECK_BYTES(back, data + 3000, 10000);
    blosc2_free_ctx(dctx);
    /* Without a context, too. */
    memset(back, 0xee, SIZE);
    CHECK_EQ(blosc2_decompress(chunk, cbytes, back, SIZE), SIZE);
    CHECK_BYTES(back, data, SIZE);
  }
  CHECK_EQ(strangers, 0);
}

static void check_verdicts(void) {
  for (int16_t nthreads = 1; nthreads <= 4; nthreads += 3) {
    verdict = -7;
    CHECK_EQ(compress(BROKEN, nthreads), BLOSC2_ERROR_DATA);
    verdict = 0; /* does not fit: stored */
    CHECK_EQ(compress(BROKEN, nthreads), SIZE + BLOSC2_MAX_OVERHEAD);
    verdict = BLOCKSIZE + 1; /* more than there is room for */
    CHECK_EQ(compress(BROKEN, nthreads), BLOSC2_ERROR_WRITE_BUFFER);
    verdict = 10;
    int cbytes = compress(BROKEN, nthreads);
    CHECK(cbytes > 0 && cbytes < SIZE);
    for (verdict = -3; verdict <= 10; verdict += 13) {
      CHECK_EQ(decompress(cbytes, nthreads), BLOSC2_ERROR_DATA);
    }
    verdict = BLOCKSIZE;
    CHECK_EQ(decompress(cbytes, nthreads), SIZE);
  }
}

static void check_unknown(void) {
  CHECK_EQ(compress(222, 1), BLOSC2_ERROR_CODEC_SUPPORT);
  int cbytes = compress(RUNS, 1);
  chunk[0x16] = 222;
  CHECK_EQ(decompress(cbytes, 1), BLOSC2_ERROR_CODEC_SUPPORT);
  CHECK_EQ(decompress(cbytes, 3), BLOSC2_ERROR_CODEC_SUPPORT);
}

int main(void) {
  blosc2_init();
  for (int i = 0; i < ITEMS; i++) {
    data[i] = i / 300;
  }
  check_registering();
  check_roundtrips();
  check_verdicts();
  check_unknown();
  blosc2_destroy();
  /* A new start knows nothing of before. */
  blosc2_init();
  CHECK_EQ(blosc2_compname_to_compcode("runs"), -1);
  CHECK_EQ(add_codec(RUNS, "walks", encode_runs, decode_runs), BLOSC2_ERROR_SUCCESS);
  blosc2_destroy();
  return check_report();
}
