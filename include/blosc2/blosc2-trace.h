/*
 * oxiblosc2: telling people what happened, and giving up on an error.
 *
 * For the library's users and plugins. Nothing is printed unless the environment variable BLOSC_TRACE (or BLOSC_INFO) is
 * set. Included by blosc2.h.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_BLOSC2_TRACE_H
#define BLOSC_BLOSC2_BLOSC2_TRACE_H

#include "blosc2-common.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __GNUC__
__attribute__((unused, format(printf, 4, 5)))
#endif
static void blosc2_trace_to_stderr(const char *category, const char *file, int line, const char *format, ...) {
  va_list arguments;
  if (getenv("BLOSC_TRACE") == NULL) {
    return;
  }
  fprintf(stderr, "[%s] - ", category);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, " (%s:%d)\n", file, line);
}

#ifdef __GNUC__
__attribute__((unused, format(printf, 1, 2)))
#endif
static void blosc2_info_to_stderr(const char *format, ...) {
  va_list arguments;
  if (getenv("BLOSC_INFO") == NULL) {
    return;
  }
  fprintf(stderr, "[INFO] - ");
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
}

/** BLOSC_TRACE(category, format, ...) prints a line as printf() would, with where it comes from. The category is a bare
 *  word. */
#define BLOSC_TRACE(cat, ...) blosc2_trace_to_stderr(#cat, __FILE__, __LINE__, __VA_ARGS__)
/** BLOSC_TRACE_ERROR(format, ...): something went wrong. */
#define BLOSC_TRACE_ERROR(...) BLOSC_TRACE(error, __VA_ARGS__)
/** BLOSC_TRACE_WARNING(format, ...): something may go wrong. */
#define BLOSC_TRACE_WARNING(...) BLOSC_TRACE(warning, __VA_ARGS__)
/** BLOSC_TRACE_INFO(format, ...): something worth knowing. */
#define BLOSC_TRACE_INFO(...) BLOSC_TRACE(info, __VA_ARGS__)
/** BLOSC_INFO(format, ...): something worth knowing, when BLOSC_INFO is set. */
#define BLOSC_INFO(...) blosc2_info_to_stderr(__VA_ARGS__)

/** Returns `rc` from the function it stands in when `pointer` is NULL. */
#define BLOSC_ERROR_NULL(pointer, rc)        \
  do {                                       \
    if ((pointer) == NULL) {                 \
      BLOSC_TRACE_ERROR("Pointer is null");  \
      return (rc);                           \
    }                                        \
  } while (0)

/** Evaluates `rc` once, and returns it from the function it stands in when it is an error code. */
#define BLOSC_ERROR(rc)                                           \
  do {                                                            \
    int blosc2_error_rc_ = (rc);                                  \
    if (blosc2_error_rc_ < BLOSC2_ERROR_SUCCESS) {                \
      BLOSC_TRACE_ERROR("%s", print_error(blosc2_error_rc_));     \
      return blosc2_error_rc_;                                    \
    }                                                             \
  } while (0)

#endif /* BLOSC_BLOSC2_BLOSC2_TRACE_H */
