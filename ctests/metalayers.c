/* Metalayers: small notes of fixed size in the header, and ones of any size in the trailer. */
#include "blosc2.h"
#include "check.h"

enum { ITEMS = 1000 };

static char urlpath[] = "metalayers.b2frame";
static int32_t data[ITEMS];

static blosc2_schunk *make(bool contiguous, char *path) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.contiguous = contiguous;
  storage.urlpath = path;
  storage.cparams = &cparams;
  if (path != NULL) {
    remove(path);
  }
  return blosc2_schunk_new(&storage);
}

static void check_meta_is(blosc2_schunk *schunk, const char *name, int index, const char *want) {
  CHECK_EQ(blosc2_meta_exists(schunk, name), index);
  uint8_t *content = NULL;
  int32_t length = -1;
  CHECK_EQ(blosc2_meta_get(schunk, name, &content, &length), index);
  if (CHECK_EQ(length, strlen(want)) && content != NULL) {
    CHECK_BYTES(content, want, length);
  }
  free(content);
}

static int add(blosc2_schunk *schunk, const char *name, const char *content) {
  return blosc2_meta_add(schunk, name, (uint8_t *)content, (int32_t)strlen(content));
}

static int update(blosc2_schunk *schunk, const char *name, const char *content) {
  return blosc2_meta_update(schunk, name, (uint8_t *)content, (int32_t)strlen(content));
}

static void check_fixed(bool contiguous, char *path) {
  blosc2_schunk *schunk = make(contiguous, path);
  if (!CHECK(schunk != NULL)) {
    return;
  }
  CHECK_EQ(schunk->nmetalayers, 0);
  CHECK_EQ(add(schunk, "first", "one"), 0);
  CHECK_EQ(add(schunk, "second", "two words"), 1);
  CHECK_EQ(schunk->nmetalayers, 2);
  CHECK(add(schunk, "first", "again") < 0);
  CHECK(blosc2_meta_exists(schunk, "third") < 0);
  CHECK(update(schunk, "third", "three") < 0);
  check_meta_is(schunk, "first", 0, "one");
  check_meta_is(schunk, "second", 1, "two words");

  CHECK_EQ(blosc2_schunk_append_buffer(schunk, data, sizeof data), 1);
  CHECK_EQ(update(schunk, "first", "ONE"), 0);
  update(schunk, "second", "longer than it was"); /* which cannot be: nothing changes */
  check_meta_is(schunk, "first", 0, "ONE");
  check_meta_is(schunk, "second", 1, "two words");

  uint8_t *cframe = NULL;
  bool needs_free = false;
  int64_t length = blosc2_schunk_to_buffer(schunk, &cframe, &needs_free);
  CHECK(length > 0);
  blosc2_schunk *other = blosc2_schunk_from_buffer(cframe, length, true);
  if (CHECK(other != NULL)) {
    CHECK_EQ(other->nmetalayers, 2);
    check_meta_is(other, "first", 0, "ONE");
    check_meta_is(other, "second", 1, "two words");
    blosc2_schunk_free(other);
  }
  if (needs_free) {
    free(cframe);
  }
  blosc2_schunk_free(schunk);
  if (path != NULL) {
    other = blosc2_schunk_open(path);
    if (CHECK(other != NULL)) {
      check_meta_is(other, "first", 0, "ONE");
      check_meta_is(other, "second", 1, "two words");
      blosc2_schunk_free(other);
    }
    remove(path);
  }
}

#ifndef AGAINST_REFERENCE /* which writes past the end of its table */
static void check_limits(void) {
  blosc2_schunk *schunk = make(false, NULL);
  char name[BLOSC2_METALAYER_NAME_MAXLEN + 2];
  for (int i = 0; i < BLOSC2_MAX_METALAYERS; i++) {
    snprintf(name, sizeof name, "layer %d", i);
    CHECK_EQ(add(schunk, name, name), i);
  }
  CHECK(add(schunk, "one too many", "") < 0);
  CHECK_EQ(schunk->nmetalayers, BLOSC2_MAX_METALAYERS);
  blosc2_schunk_free(schunk);
}

static void check_vlmeta_is(blosc2_schunk *schunk, const char *name, const void *want, int32_t size);

/* Of the variable ones a frame holds many more; the C library writes them, but opens no frame with more than 16. */
static void check_many(char *path) {
  enum { MANY = 300 };
  blosc2_schunk *schunk = make(true, path);
  char name[BLOSC2_METALAYER_NAME_MAXLEN];
  for (int i = 0; i < MANY; i++) {
    snprintf(name, sizeof name, "layer %d", i);
    CHECK_EQ(blosc2_vlmeta_add(schunk, name, (uint8_t *)name, (int32_t)strlen(name), NULL), i);
  }
  blosc2_schunk_free(schunk);
  schunk = blosc2_schunk_open(path);
  if (CHECK(schunk != NULL)) {
    CHECK_EQ(schunk->nvlmetalayers, MANY);
    for (int i = 0; i < MANY; i += 37) {
      snprintf(name, sizeof name, "layer %d", i);
      check_vlmeta_is(schunk, name, name, (int32_t)strlen(name));
    }
    blosc2_schunk_free(schunk);
  }
  remove(path);
}
#endif

static void check_vlmeta_is(blosc2_schunk *schunk, const char *name, const void *want, int32_t size) {
  uint8_t *content = NULL;
  int32_t length = -1;
  CHECK_OK(blosc2_vlmeta_exists(schunk, name));
  CHECK_OK(blosc2_vlmeta_get(schunk, name, &content, &length));
  if (CHECK_EQ(length, size) && content != NULL) {
    CHECK_BYTES(content, want, size);
  }
  free(content);
}

static void check_variable(bool contiguous, char *path) {
  enum { LONG = 100000 };
  uint8_t *text = must_alloc(LONG);
  fill_ramp(text, LONG, 4);
  blosc2_schunk *schunk = make(contiguous, path);
  CHECK_EQ(blosc2_schunk_append_buffer(schunk, data, sizeof data), 1);
  CHECK_EQ(blosc2_vlmeta_add(schunk, "short", text, 10, NULL), 0);
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.compcode = BLOSC_ZSTD;
  CHECK_EQ(blosc2_vlmeta_add(schunk, "long", text, LONG, &cparams), 1);
  CHECK_EQ(schunk->nvlmetalayers, 2);
  CHECK(blosc2_vlmeta_add(schunk, "short", text, 20, NULL) < 0);
  CHECK(blosc2_vlmeta_exists(schunk, "absent") < 0);
  CHECK(blosc2_vlmeta_update(schunk, "absent", text, 20, NULL) < 0);
  CHECK(blosc2_vlmeta_delete(schunk, "absent") < 0);
  check_vlmeta_is(schunk, "short", text, 10);
  check_vlmeta_is(schunk, "long", text, LONG);

  /* These may change their size. */
  CHECK_OK(blosc2_vlmeta_update(schunk, "short", text + 5, 5000, NULL));
  check_vlmeta_is(schunk, "short", text + 5, 5000);
  CHECK_EQ(blosc2_vlmeta_add(schunk, "third", text, 3, NULL), 2);
  CHECK_OK(blosc2_vlmeta_delete(schunk, "long"));
  CHECK_EQ(schunk->nvlmetalayers, 2);
  char *names[2] = {NULL, NULL};
  CHECK_EQ(blosc2_vlmeta_get_names(schunk, names), 2);
  CHECK_TEXT(names[0], "short");
  CHECK_TEXT(names[1], "third");
  CHECK_EQ(blosc2_schunk_append_buffer(schunk, data, sizeof data), 2);
  check_vlmeta_is(schunk, "short", text + 5, 5000);
  blosc2_schunk_free(schunk);

  if (path != NULL) {
    schunk = blosc2_schunk_open(path);
    if (CHECK(schunk != NULL)) {
      CHECK_EQ(schunk->nvlmetalayers, 2);
      CHECK_EQ(schunk->nchunks, 2);
      check_vlmeta_is(schunk, "short", text + 5, 5000);
      check_vlmeta_is(schunk, "third", text, 3);
      CHECK(blosc2_vlmeta_exists(schunk, "long") < 0);
      blosc2_schunk_free(schunk);
    }
    remove(path);
  }
  free(text);
}

int main(void) {
  blosc2_init();
  fill_ramp(data, sizeof data, 4);
  check_fixed(false, NULL);
  check_fixed(true, NULL);
  check_fixed(true, urlpath);
#ifndef AGAINST_REFERENCE
  check_limits();
  check_many(urlpath);
#endif
  check_variable(false, NULL);
  check_variable(true, NULL);
  check_variable(true, urlpath);
  blosc2_destroy();
  return check_report();
}
