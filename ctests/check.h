/* A test program in one header: CHECK macros that count and say where, and data to test with.
 *
 * A program calls the macros and ends with `return check_report();`, which is 1 when anything failed.
 * AGAINST_REFERENCE is defined when the program is linked with the C library instead of ours.
 */
#ifndef CHECK_H
#define CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The exit code by which ctest knows a skipped program. */
#define CHECK_SKIPPED 77

#if defined(__GNUC__)
#define CHECK_MAYBE_UNUSED __attribute__((unused))
#else
#define CHECK_MAYBE_UNUSED
#endif

static int checks_made = 0;
static int checks_failed = 0;

CHECK_MAYBE_UNUSED static bool check_true(bool holds, const char *what, const char *file, int line) {
  checks_made++;
  if (!holds) {
    checks_failed++;
    fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
  }
  return holds;
}

CHECK_MAYBE_UNUSED static bool check_equal(int64_t got, int64_t want, const char *what, const char *file, int line) {
  if (!check_true(got == want, what, file, line)) {
    fprintf(stderr, "    got %" PRId64 ", expected %" PRId64 "\n", got, want);
    return false;
  }
  return true;
}

CHECK_MAYBE_UNUSED static bool check_text(const char *got, const char *want, const char *what, const char *file,
                                          int line) {
  bool same = got != NULL && want != NULL ? strcmp(got, want) == 0 : got == want;
  if (!check_true(same, what, file, line)) {
    fprintf(stderr, "    got \"%s\", expected \"%s\"\n", got ? got : "(null)", want ? want : "(null)");
  }
  return same;
}

CHECK_MAYBE_UNUSED static bool check_bytes(const void *got, const void *want, size_t size, const char *what,
                                           const char *file, int line) {
  const uint8_t *a = (const uint8_t *)got, *b = (const uint8_t *)want;
  size_t i = 0;
  while (i < size && a[i] == b[i]) {
    i++;
  }
  if (!check_true(i == size, what, file, line)) {
    fprintf(stderr, "    byte %zu of %zu is 0x%02x, expected 0x%02x\n", i, size, a[i], b[i]);
  }
  return i == size;
}

/* Every macro is an expression with the outcome, so that a caller can stop where going on makes no sense. */
#define CHECK(condition) check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQ(got, want) check_equal((int64_t)(got), (int64_t)(want), #got " == " #want, __FILE__, __LINE__)
#define CHECK_TEXT(got, want) check_text((got), (want), #got " == " #want, __FILE__, __LINE__)
#define CHECK_BYTES(got, want, size) \
  check_bytes((got), (want), (size_t)(size), "the bytes of " #got " and " #want, __FILE__, __LINE__)
/* A return code that says success, which for many functions is zero or a positive number. */
#define CHECK_OK(call) CHECK((call) >= 0)

CHECK_MAYBE_UNUSED static int check_report(void) {
  printf("%d checks, %d failed\n", checks_made, checks_failed);
  return checks_failed == 0 ? 0 : 1;
}

/* Memory that a test cannot do without. */
CHECK_MAYBE_UNUSED static void *must_alloc(size_t size) {
  void *memory = malloc(size > 0 ? size : 1);
  if (memory == NULL) {
    fprintf(stderr, "out of memory: %zu bytes\n", size);
    exit(1);
  }
  return memory;
}

/* Reproducible noise (xorshift64). */
CHECK_MAYBE_UNUSED static void fill_noise(void *buffer, size_t size, uint64_t seed) {
  uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  uint8_t *bytes = (uint8_t *)buffer;
  for (size_t i = 0; i < size; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    bytes[i] = (uint8_t)(state >> 32);
  }
}

/* Slowly rising integers of `width` bytes, low byte first: what filters and codecs are good at. */
CHECK_MAYBE_UNUSED static void fill_ramp(void *buffer, size_t size, size_t width) {
  uint8_t *bytes = (uint8_t *)buffer;
  for (size_t i = 0; i < size; i++) {
    uint64_t item = 1000 + (i / width) * 3;
    size_t shift = i % width;
    bytes[i] = (uint8_t)(shift < 8 ? item >> (8 * shift) : 0);
  }
}

#endif
