// As headers_b.c, in C++. The other unit, which includes them the other way round and the small ones by themselves.
#include "b2nd.h"
#include "blosc2.h"
#include "blosc2/blosc2-common.h"
#include "blosc2/blosc2-export.h"
#include "blosc2/blosc2-stdio.h"
#include "blosc2/codecs-registry.h"
#include "blosc2/filters-registry.h"
#include "blosc2/tuners-registry.h"
#include "headers.h"

Seen seen_by_b(void) {
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  blosc2_dparams dparams = BLOSC2_DPARAMS_DEFAULTS;
  blosc2_io io = BLOSC2_IO_DEFAULTS;
  blosc2_stdio_mmap mapping = BLOSC2_STDIO_MMAP_DEFAULTS;
  (void)storage, (void)dparams, (void)io, (void)mapping;
  Seen seen = {sizeof(blosc2_schunk), sizeof(b2nd_array_t), sizeof(blosc2_cparams), print_error(BLOSC2_ERROR_DATA)};
  return seen;
}
