/* A codec in a library of its own: what it packs is the bytes turned over, without the last one's copies. */
#include "blosc2.h"
#include "blosc2/codecs-registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define EXPORTED __attribute__((visibility("default")))
/* Leaves a trace of having run. */
__attribute__((constructor)) static void loaded(void) {
  const char *trace = getenv("PLUGIN_TRACE");
  FILE *file = trace != NULL ? fopen(trace, "a") : NULL;
  if (file != NULL) {
    fputs("loaded\n", file);
    fclose(file);
  }
}
#else
#define EXPORTED
#endif

EXPORTED int turn_encode(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                         blosc2_cparams *cparams, const void *chunk) {
  (void)meta, (void)cparams, (void)chunk;
  int32_t tail = 0;
  while (tail + 1 < input_len && input[input_len - 1] == input[input_len - 2 - tail]) {
    tail++;
  }
  if (input_len - tail > output_len) {
    return 0;
  }
  for (int32_t i = 0; i < input_len - tail; i++) {
    output[i] = (uint8_t)~input[i];
  }
  return input_len - tail;
}

EXPORTED int turn_decode(const uint8_t *input, int32_t input_len, uint8_t *output, int32_t output_len, uint8_t meta,
                         blosc2_dparams *dparams, const void *chunk) {
  (void)meta, (void)dparams, (void)chunk;
  if (input_len < 1 || input_len > output_len) {
    return -1;
  }
  for (int32_t i = 0; i < output_len; i++) {
    output[i] = (uint8_t)~input[i < input_len ? i : input_len - 1];
  }
  return output_len;
}

EXPORTED codec_info info = {"turn_encode", "turn_decode"};
