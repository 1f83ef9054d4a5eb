// As headers_a.c, in C++. One of two units that include both headers, twice and in this order.
#include "blosc2.h"
#include "b2nd.h"
#include "blosc2.h"
#include "b2nd.h"
#include "headers.h"

Seen seen_by_a(void) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  Seen seen = {sizeof(blosc2_schunk), sizeof(b2nd_array_t), sizeof cparams, print_error(BLOSC2_ERROR_DATA)};
  return seen;
}
