/* Locks: two processes change one frame, a bracket at a time, and none sees half of another's. */
#include "blosc2.h"
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 100, ROUNDS = 60 };

static blosc2_stdio_params locking = {true};
static blosc2_io io = {BLOSC2_IO_FILESYSTEM, "filesystem", &locking};

/* Two chunks a round, both with the process's mark: in a bracket, so that they stand side by side. */
static int append_pairs(const char *urlpath, int32_t mark) {
  blosc2_schunk *schunk = blosc2_schunk_open_udio(urlpath, &io);
  if (schunk == NULL) {
    return 1;
  }
  int32_t data[ITEMS];
  int failed = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < ITEMS; i++) {
      data[i] = mark;
    }
    failed |= blosc2_schunk_lock(schunk) != 0;
    failed |= blosc2_schunk_lock(schunk) != 0;
    data[0] = round;
    failed |= blosc2_schunk_append_buffer(schunk, data, sizeof data) < 0;
    failed |= blosc2_schunk_unlock(schunk) != 0;
    failed |= blosc2_schunk_append_buffer(schunk, data, sizeof data) < 0;
    failed |= blosc2_schunk_unlock(schunk) != 0;
  }
  blosc2_schunk_free(schunk);
  return failed;
}

static void check_store(bool contiguous, char *urlpath) {
  blosc2_remove_urlpath(urlpath);
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  blosc2_storage storage = {.contiguous = contiguous, .urlpath = urlpath, .cparams = &cparams, .io = &io};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (!CHECK(schunk != NULL)) {
    return;
  }
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    _exit(append_pairs(urlpath, 1));
  }
  CHECK_EQ(append_pairs(urlpath, 2), 0);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);

  CHECK(blosc2_schunk_refresh(schunk) >= 0);
  if (CHECK_EQ(schunk->nchunks, 4 * ROUNDS)) {
    int32_t a[ITEMS], b[ITEMS];
    int next[3] = {0, 0, 0};
    for (int64_t n = 0; n < schunk->nchunks; n += 2) {
      CHECK_EQ(blosc2_schunk_decompress_chunk(schunk, n, a, sizeof a), sizeof a);
      CHECK_EQ(blosc2_schunk_decompress_chunk(schunk, n + 1, b, sizeof b), sizeof b);
      CHECK_BYTES(a, b, sizeof a);
      int mark = a[ITEMS - 1];
      if (CHECK(mark == 1 || mark == 2)) {
        CHECK_EQ(a[0], next[mark]++);
      }
    }
  }
  blosc2_schunk_free(schunk);
  CHECK_EQ(blosc2_remove_urlpath(urlpath), 0);
}

int main(void) {
  blosc2_init();
  check_store(true, "locks.b2frame");
  check_store(false, "locks.b2dir");

  /* Where there is nothing to lock. */
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (CHECK(schunk != NULL)) {
    CHECK_EQ(blosc2_schunk_lock(schunk), 0);
    CHECK_EQ(blosc2_schunk_unlock(schunk), 0);
    CHECK_EQ(blosc2_schunk_unlock(schunk), 0);
    blosc2_schunk_free(schunk);
  }
  blosc2_destroy();
  return check_report();
}
