/* What headers_a and headers_b say of the headers they were compiled with. */
#ifndef HEADERS_H
#define HEADERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  size_t schunk, array, cparams;
  const char *error;
} Seen;

Seen seen_by_a(void);
Seen seen_by_b(void);

#ifdef __cplusplus
}
#endif

#endif
