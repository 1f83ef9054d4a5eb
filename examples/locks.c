/* Two processes that change one frame. Who asks for locking takes turns with everybody else who does. */
#include "example.h"
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 1000, ROUNDS = 25 };

static char path[] = "locks.b2frame";
static blosc2_stdio_params locking = {.locking = true};
static blosc2_io io = {.id = BLOSC2_IO_FILESYSTEM, .name = "filesystem", .params = &locking};

/* Appends chunks in pairs. One call is a turn; lock and unlock make one turn of several. */
static void append_pairs(int32_t mark) {
  int32_t items[ITEMS];
  for (int i = 0; i < ITEMS; i++) items[i] = mark;
  blosc2_schunk *schunk = blosc2_schunk_open_udio(path, &io);
  expect(schunk != NULL, "the frame opens");
  for (int round = 0; round < ROUNDS; round++) {
    must(blosc2_schunk_lock(schunk), "lock");
    must(blosc2_schunk_append_buffer(schunk, items, sizeof items), "append");
    must(blosc2_schunk_append_buffer(schunk, items, sizeof items), "append");
    must(blosc2_schunk_unlock(schunk), "unlock");
  }
  must(blosc2_schunk_free(schunk), "close");
}

int main(void) {
  blosc2_init();
  blosc2_remove_urlpath(path);
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  blosc2_storage storage = {.contiguous = true, .urlpath = path, .cparams = &cparams, .io = &io};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  expect(schunk != NULL, "a new frame");

  fflush(NULL);
  pid_t child = fork();
  expect(child >= 0, "a second process");
  append_pairs(child == 0 ? 1 : 2);
  if (child == 0) _exit(0);
  int status;
  expect(waitpid(child, &status, 0) == child && status == 0, "the second process did its part");

  /* A handle that was open all the time sees what others did. */
  must(blosc2_schunk_refresh(schunk), "refresh");
  expect(schunk->nchunks == 4 * ROUNDS, "all chunks are there");
  int32_t first[ITEMS], second[ITEMS];
  int32_t nbytes = (int32_t)sizeof first;
  for (int64_t n = 0; n < schunk->nchunks; n += 2) {
    must(blosc2_schunk_decompress_chunk(schunk, n, first, nbytes), "decompress");
    must(blosc2_schunk_decompress_chunk(schunk, n + 1, second, nbytes), "decompress");
    expect(memcmp(first, second, sizeof first) == 0, "pairs stay together");
  }
  printf("ok locks: two processes appended %lld chunks\n", (long long)schunk->nchunks);
  must(blosc2_schunk_free(schunk), "close");
  must(blosc2_remove_urlpath(path), "remove");
  blosc2_destroy();
  return 0;
}
