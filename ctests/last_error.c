/* b2x_last_error_message tells what failed, with which file, chunk and byte, and for each thread its own; stderr stays
 * silent unless BLOSC_TRACE asks. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <unistd.h>

#include "b2nd.h"
#include "blosc2_ext.h"
#include "check.h"

enum { ITEMS = 1000, SIZE = ITEMS * 4 };

static int32_t data[ITEMS], back[ITEMS];
static const char *path = "words.b2frame";

static bool says(const char *word) {
  bool said = strstr(b2x_last_error_message(), word) != NULL;
  if (!said) {
    printf("\"%s\" is not in \"%s\"\n", word, b2x_last_error_message());
  }
  return said;
}

static blosc2_schunk *frame_of(int chunks) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = 4;
  blosc2_storage storage = {.contiguous = true, .urlpath = (char *)path, .cparams = &cparams};
  remove(path);
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  for (int n = 0; n < chunks; n++) {
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, data, SIZE), n + 1);
  }
  return schunk;
}

/* Where in the file a chunk begins. */
static long place_of(blosc2_schunk *schunk, int chunk) {
  int64_t *offsets = blosc2_frame_get_offsets(schunk);
  unsigned char head[15];
  FILE *file = fopen(path, "rb");
  CHECK(offsets != NULL && file != NULL && fread(head, 1, sizeof head, file) == sizeof head);
  fclose(file);
  long header = head[11] << 24 | head[12] << 16 | head[13] << 8 | head[14];
  long at = header + (long)offsets[chunk];
  free(offsets);
  return at;
}

static void overwrite(long at, int byte, int count) {
  FILE *file = fopen(path, "rb+");
  fseek(file, at, SEEK_SET);
  while (count-- > 0) {
    fputc(byte, file);
  }
  fclose(file);
}

static void check_files(void) {
  CHECK(blosc2_schunk_open("no-such-file.b2frame") == NULL);
  CHECK(says("blosc2_schunk_open") && says("no-such-file.b2frame"));
  blosc2_schunk_free(frame_of(1));
  blosc2_storage storage = {.contiguous = true, .urlpath = (char *)path};
  CHECK(blosc2_schunk_new(&storage) == NULL);
  CHECK(says("blosc2_schunk_new") && says(path));
  overwrite(2, 0xee, 4);
  CHECK(blosc2_schunk_open(path) == NULL);
  CHECK(says(path));
  b2nd_array_t *array = NULL;
  CHECK(b2nd_open(path, &array) < 0);
  CHECK(says("b2nd_open") && says(path));
}

static void check_chunks(void) {
  blosc2_schunk *schunk = frame_of(3);
  CHECK(blosc2_schunk_decompress_chunk(schunk, 3, back, SIZE) < 0);
  CHECK(says("blosc2_schunk_decompress_chunk") && says("chunk 3"));
  CHECK(blosc2_schunk_decompress_chunk(schunk, 1, back, SIZE - 1) < 0);
  CHECK(says("chunk 1"));
  CHECK(blosc2_schunk_delete_chunk(schunk, 7) < 0);
  CHECK(says("blosc2_schunk_delete_chunk") && says("chunk 7"));
  long at = place_of(schunk, 1);
  blosc2_schunk_free(schunk);
  overwrite(at, 0xee, 32);
  schunk = blosc2_schunk_open(path);
  CHECK(blosc2_schunk_decompress_chunk(schunk, 0, back, SIZE) == SIZE);
  CHECK(blosc2_schunk_decompress_chunk(schunk, 1, back, SIZE) < 0);
  CHECK(says("chunk 1"));
  blosc2_schunk_free(schunk);
  /* What is wrong with a file, with the byte. */
  char byte[40];
  snprintf(byte, sizeof byte, "%ld", at);
  b2x_recovered recovered;
  CHECK(b2x_frame_verify(path, 0, NULL, NULL) > 0);
  remove("words-new.b2frame");
  CHECK_EQ(b2x_frame_recover(path, 0, "words-new.b2frame", NULL, NULL, &recovered), 0);
  CHECK(recovered.lost == 1);
  remove("words-new.b2frame");
  remove(path);
}

static void check_parameters(void) {
  blosc2_schunk *schunk = frame_of(0);
  CHECK(blosc2_meta_add(schunk, "name", (uint8_t *)"x", 1) >= 0);
  CHECK(blosc2_meta_add(schunk, "name", (uint8_t *)"x", 1) < 0);
  CHECK(says("blosc2_meta_add") && says("\"name\""));
  uint8_t *content;
  int32_t len;
  CHECK(blosc2_vlmeta_get(schunk, "missing", &content, &len) < 0);
  CHECK(says("blosc2_vlmeta_get") && says("missing"));
  CHECK(blosc2_vlmeta_delete(NULL, "missing") < 0);
  CHECK(says("blosc2_vlmeta_delete"));
  blosc2_schunk_free(schunk);
  remove(path);
}

static void *fail_elsewhere(void *nothing) {
  CHECK(b2x_last_error_message()[0] == '\0');
  CHECK(blosc2_schunk_open("of-another-thread.b2frame") == NULL);
  CHECK(says("of-another-thread.b2frame"));
  return nothing;
}

static void check_threads(void) {
  CHECK(blosc2_schunk_open("of-this-thread.b2frame") == NULL);
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK(says("of-this-thread.b2frame"));
}

/* What `fail` writes to stderr, in bytes. */
static long bytes_told(void (*fail)(void)) {
  int before = checks_failed;
  FILE *file = tmpfile();
  fflush(stderr);
  int terminal = dup(2);
  dup2(fileno(file), 2);
  fail();
  fflush(stderr);
  dup2(terminal, 2);
  close(terminal);
  fseek(file, 0, SEEK_END);
  long told = ftell(file);
  fclose(file);
  /* Checks that fail say so on stderr. */
  CHECK_EQ(checks_failed, before);
  return told;
}

static void fail_in_every_way(void) {
  check_files();
  check_chunks();
  check_parameters();
  check_threads();
}

int main(void) {
  for (int i = 0; i < ITEMS; i++) {
    data[i] = i * i;
  }
  unsetenv("BLOSC_TRACE");
  CHECK(b2x_last_error_message()[0] == '\0');
  CHECK_EQ(bytes_told(fail_in_every_way), 0);
  setenv("BLOSC_TRACE", "1", 1);
  CHECK(bytes_told(check_files) > 0);
  unsetenv("BLOSC_TRACE");
  return check_report();
}
