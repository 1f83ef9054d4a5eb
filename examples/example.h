/* What the examples share: giving up with a message. Every function of the library that returns a number returns a
 * negative one when it fails. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <blosc2.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program when `code` is an error; gives it back otherwise. */
static inline int64_t must(int64_t code, const char *what) {
  if (code < 0) {
    fprintf(stderr, "%s: %s\n", what, blosc2_error_string((int)code));
    exit(EXIT_FAILURE);
  }
  return code;
}

/* Ends the program when something is not as it should be. */
static inline void expect(bool fine, const char *what) {
  if (!fine) {
    fprintf(stderr, "not as expected: %s\n", what);
    exit(EXIT_FAILURE);
  }
}

#endif
