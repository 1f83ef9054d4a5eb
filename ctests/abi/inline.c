/*
 * Runs the functions that headers compile into programs, over good and bad input, and prints what they give. Linked to no
 * library: a plugin is not, either.
 */
#include "b2nd.h"

#include <stdio.h>
#include <string.h>

const char *blosc2_error_string(int error_code) {
  return error_code == 0 ? "none" : "some";
}

/* Version 0, 2 dimensions, shape 5 x 7, chunks 4 x 3, blocks 2 x 1, dtype "<f4". */
static const uint8_t META[] = {
    0x97, 0x00, 0x02,                                                                         /**/
    0x92, 0xd3, 0, 0, 0, 0, 0, 0, 0, 5, 0xd3, 0, 0, 0, 0, 0, 0, 0, 7,                         /**/
    0x92, 0xd2, 0, 0, 0, 4, 0xd2, 0, 0, 0, 3, 0x92, 0xd2, 0, 0, 0, 2, 0xd2, 0, 0, 0, 1,       /**/
    0x00, 0xdb, 0, 0, 0, 3, '<', 'f', '4',
};

static void read_meta(const uint8_t *meta, int32_t len, int wants_dtype) {
  int8_t ndim = -1, format = -1;
  int64_t shape[B2ND_MAX_DIM] = {0};
  int32_t chunks[B2ND_MAX_DIM] = {0}, blocks[B2ND_MAX_DIM] = {0};
  char *dtype = NULL;
  int rc = b2nd_deserialize_meta_inline(meta, len, &ndim, shape, chunks, blocks, wants_dtype ? &dtype : NULL,
                                        wants_dtype ? &format : NULL);
  printf("%d", rc);
  if (rc >= 0) {
    printf(": %d dims, %d x %d, %d x %d, %d x %d, format %d, dtype %s", ndim, (int)shape[0], (int)shape[1], chunks[0],
           chunks[1], blocks[0], blocks[1], format, dtype == NULL ? "none" : dtype);
  }
  printf("\n");
  free(dtype);
}

static void read_metalayers(void) {
  static blosc2_schunk schunk;
  char name[] = "first", other[] = "second";
  uint8_t bytes[] = {1, 2, 3};
  blosc2_metalayer first = {name, bytes, 3}, second = {other, NULL, 0}, damaged = {other, NULL, 5};
  uint8_t *content = NULL;
  int32_t len = -1;
  int rc;
  schunk.metalayers[0] = &first;
  schunk.metalayers[1] = &second;
  schunk.nmetalayers = 2;

  printf("%d %d %d\n", blosc2_meta_exists(&schunk, "first"), blosc2_meta_exists(&schunk, "second"),
         blosc2_meta_exists(&schunk, "third"));
  printf("%d\n", blosc2_meta_exists(&schunk, "a name that is longer than any metalayer may have"));
  printf("%d %d\n", blosc2_meta_exists(NULL, "first"), blosc2_meta_get(NULL, "first", &content, &len));
  rc = blosc2_meta_get(&schunk, "first", &content, &len);
  printf("%d %d %d\n", rc, len, content != NULL && memcmp(content, bytes, 3) == 0 && content != bytes);
  free(content);
  rc = blosc2_meta_get(&schunk, "second", &content, &len);
  printf("%d %d %d\n", rc, len, content == NULL);
  printf("%d\n", blosc2_meta_get(&schunk, "third", &content, &len));
  schunk.metalayers[1] = &damaged;
  printf("%d\n", blosc2_meta_get(&schunk, "second", &content, &len));
  damaged.content_len = -1;
  printf("%d\n", blosc2_meta_get(&schunk, "second", &content, &len));
}

static void swap(int size) {
  uint8_t from[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, to[9] = {0};
  int i;
  swap_store(to, from + 1, size);
  swap_store(from, from, size);
  for (i = 0; i < 9; i++) {
    printf(" %d/%d", to[i], from[i]);
  }
  printf("\n");
}

static int stop_at_null(const void *pointer) {
  BLOSC_ERROR_NULL(pointer, -7);
  return 1;
}

static int stop_at_error(int rc) {
  BLOSC_ERROR(rc);
  BLOSC_TRACE_WARNING("went on after %d", rc);
  BLOSC_TRACE_INFO("went on");
  BLOSC_INFO("went on");
  return 1;
}

int main(void) {
  const int32_t whole = (int32_t)sizeof(META);
  uint8_t bad[sizeof(META)];
  int32_t len;
  int sizes[] = {1, 2, 4, 8};
  int i;
  for (len = 0; len <= whole; len++) {
    read_meta(META, len, 1);
    read_meta(META, len, 0);
  }
  read_meta(NULL, whole, 1);
  read_meta(META, -1, 1);
  for (i = 0; i < whole; i++) {
    memcpy(bad, META, sizeof(META));
    bad[i] = 0xff;
    read_meta(bad, whole, 1);
  }
  for (i = 0; i < 4; i++) {
    swap(sizes[i]);
  }
  read_metalayers();
  printf("%d %d %d %d\n", stop_at_null(NULL), stop_at_null(""), stop_at_error(-3), stop_at_error(0));
  printf("%s %s\n", print_error(0), print_error(-1));
  return 0;
}
