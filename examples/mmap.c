/* A file mapped into memory, and chunks that are read only where they are needed (lazy chunks). */
#include "example.h"

enum { ITEMS = 250000, SIZE = ITEMS * (int)sizeof(double) };

static char path[] = "mmap.b2frame";
static double items[ITEMS];

static void write_it(void) {
  blosc2_storage storage = {.contiguous = true, .urlpath = path};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  expect(schunk != NULL, "a new file");
  for (int n = 0; n < 4; n++) {
    for (int i = 0; i < ITEMS; i++) items[i] = n + (double)(i % 1000) / 1000;
    must(blosc2_schunk_append_buffer(schunk, items, SIZE), "append");
  }
  must(blosc2_schunk_free(schunk), "close");
}

int main(void) {
  blosc2_init();
  blosc2_remove_urlpath(path);
  write_it();

  /* Mapped: "r" to read; "r+", "w+" and "c" are the other modes. */
  blosc2_stdio_mmap map = BLOSC2_STDIO_MMAP_DEFAULTS;
  map.mode = "r";
  blosc2_io io = {.id = BLOSC2_IO_FILESYSTEM_MMAP, .name = "filesystem_mmap", .params = &map};
  blosc2_schunk *mapped = blosc2_schunk_open_udio(path, &io);
  expect(mapped != NULL, "the file is mapped");
  must(blosc2_schunk_decompress_chunk(mapped, 2, items, SIZE), "decompress");
  expect(items[1] == 2.001, "an item of the third chunk");
  must(blosc2_schunk_free(mapped), "unmap");

  /* Not mapped, but lazy: the chunk's head, from which its blocks are found in the file when they are asked for. */
  blosc2_schunk *schunk = blosc2_schunk_open(path);
  expect(schunk != NULL, "the file opens");
  uint8_t *lazy;
  bool needs_free;
  int head = (int)must(blosc2_schunk_get_lazychunk(schunk, 3, &lazy, &needs_free), "a lazy chunk");
  double two[2];
  must(blosc2_getitem_ctx(schunk->dctx, lazy, head, 100000, 2, two, sizeof two), "two items");
  expect(two[0] == 3.0 && two[1] == 3.001, "items of the fourth chunk");
  if (needs_free) free(lazy);
  printf("ok mmap: %g and %g; of the fourth chunk, %d bytes are its head\n", items[1], two[1], head);
  must(blosc2_schunk_free(schunk), "close");
  must(blosc2_remove_urlpath(path), "remove");
  blosc2_destroy();
  return 0;
}
