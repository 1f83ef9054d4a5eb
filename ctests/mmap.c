/* Frames in files that are mapped into memory, in every mode; and the functions that map. */
#define _POSIX_C_SOURCE 200809L /* for setenv and pread */
#include "blosc2.h"
#include "check.h"

#include <fcntl.h>
#include <unistd.h>

enum { ITEMS = 1000, CHUNKSIZE = ITEMS * (int)sizeof(int64_t) };

static int64_t data[ITEMS], back[ITEMS];
static char urlpath[] = "mmap.b2frame";

static void *items_of(int nchunk) {
  fill_noise(data, sizeof data, (uint64_t)nchunk + 1);
  return data;
}

static void check_chunks(blosc2_schunk *schunk, int nchunks) {
  CHECK_EQ(schunk->nchunks, nchunks);
  for (int n = 0; n < nchunks; n++) {
    CHECK_EQ(blosc2_schunk_decompress_chunk(schunk, n, back, CHUNKSIZE), CHUNKSIZE);
    CHECK_BYTES(back, items_of(n), CHUNKSIZE);
  }
}

static blosc2_schunk *open_as(const char *mode, size_t room, blosc2_stdio_mmap *map) {
  *map = BLOSC2_STDIO_MMAP_DEFAULTS;
  map->mode = mode;
  map->initial_mapping_size = room;
  blosc2_io io = {.id = BLOSC2_IO_FILESYSTEM_MMAP, .name = "filesystem_mmap", .params = map};
  return blosc2_schunk_open_udio(urlpath, &io);
}

static void check_file(int nchunks) {
  blosc2_schunk *schunk = blosc2_schunk_open(urlpath);
  if (CHECK(schunk != NULL)) {
    check_chunks(schunk, nchunks);
    blosc2_schunk_free(schunk);
  }
}

static void check_modes(size_t room) {
  blosc2_remove_urlpath(urlpath);
  blosc2_stdio_mmap map = BLOSC2_STDIO_MMAP_DEFAULTS;
  map.mode = "w+";
  map.initial_mapping_size = room;
  blosc2_io io = {.id = BLOSC2_IO_FILESYSTEM_MMAP, .name = "filesystem_mmap", .params = &map};
  blosc2_storage storage = {.contiguous = true, .urlpath = urlpath, .io = &io};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  if (!CHECK(schunk != NULL)) {
    return;
  }
  for (int n = 0; n < 3; n++) {
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(n), CHUNKSIZE), n + 1);
  }
  check_chunks(schunk, 3);
  CHECK_EQ(blosc2_schunk_free(schunk), 0);
  check_file(3);

  schunk = open_as("r", room, &map);
  if (CHECK(schunk != NULL)) {
    check_chunks(schunk, 3);
    /* Chunks are where they are mapped. */
    uint8_t *chunk = NULL;
    bool needs_free = true;
    CHECK(blosc2_schunk_get_chunk(schunk, 1, &chunk, &needs_free) > 0);
    CHECK(!needs_free);
    CHECK_EQ(blosc2_schunk_free(schunk), 0);
  }

  schunk = open_as("c", room, &map);
  if (CHECK(schunk != NULL)) {
#ifndef AGAINST_REFERENCE
    /* The C library dies of a signal where this outgrows the file's last page. */
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(3), CHUNKSIZE), 4);
    check_chunks(schunk, 4);
#endif
    CHECK_EQ(blosc2_schunk_free(schunk), 0);
  }
  check_file(3);

  schunk = open_as("r+", room, &map);
  if (CHECK(schunk != NULL)) {
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(3), CHUNKSIZE), 4);
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, items_of(4), CHUNKSIZE), 5);
    check_chunks(schunk, 5);
    CHECK_EQ(blosc2_schunk_free(schunk), 0);
  }
  check_file(5);

  /* No such mode; nothing there. A struct from malloc goes with the attempt. */
  CHECK(open_as("x", room, &map) == NULL);
  CHECK_EQ(blosc2_remove_urlpath(urlpath), 0);
  blosc2_stdio_mmap *own = must_alloc(sizeof *own);
  *own = BLOSC2_STDIO_MMAP_DEFAULTS;
  own->needs_free = true;
  io.params = own;
  CHECK(blosc2_schunk_open_udio(urlpath, &io) == NULL);
}

static void check_functions(void) {
  const char *path = "mmap.bin";
  remove(path);
  blosc2_stdio_mmap map = BLOSC2_STDIO_MMAP_DEFAULTS;
  CHECK(blosc2_stdio_mmap_open(path, "rb", &map) == NULL);
  map = BLOSC2_STDIO_MMAP_DEFAULTS;
  map.mode = "w+";
  map.initial_mapping_size = 16;
  void *stream = blosc2_stdio_mmap_open(path, "wb", &map);
  if (!CHECK(stream != NULL)) {
    return;
  }
  CHECK(map.addr != NULL && map.mapping_size >= 16);
  CHECK(blosc2_stdio_mmap_open(path, "rb", &map) == stream);
  CHECK(blosc2_stdio_mmap_open("other.bin", "rb", &map) == NULL);
  CHECK_EQ(blosc2_stdio_mmap_write("0123456789", 5, 2, 0, stream), 2);
  CHECK_EQ(blosc2_stdio_mmap_size(stream), 10);
  CHECK_EQ(blosc2_stdio_mmap_write("tail", 1, 4, 5000, stream), 4);
  CHECK_EQ(map.file_size, 5004);
  void *bytes = NULL;
  CHECK_EQ(blosc2_stdio_mmap_read(&bytes, 1, 4, 5000, stream), 4);
  CHECK_BYTES(bytes, "tail", 4);
  CHECK_EQ(blosc2_stdio_mmap_read(&bytes, 1, 5, 5000, stream), 0);
  CHECK(bytes == NULL);
  CHECK_EQ(blosc2_stdio_mmap_write("x", -1, 1, 0, stream), 0);
  CHECK_EQ(blosc2_stdio_mmap_truncate(stream, -1), -1);
  CHECK_EQ(blosc2_stdio_mmap_truncate(stream, 10), 0);
  CHECK_EQ(blosc2_stdio_mmap_close(stream), 0);
  CHECK_EQ(blosc2_stdio_mmap_destroy(&map), 0);
  CHECK(map.addr == NULL);
  CHECK_EQ(blosc2_stdio_mmap_destroy(&map), -1);
  char found[16] = "";
  FILE *file = fopen(path, "rb");
  if (CHECK(file != NULL)) {
    CHECK_EQ(fread(found, 1, sizeof found, file), 10);
    CHECK_BYTES(found, "0123456789", 10);
    fclose(file);
  }
  remove(path);
}

/* What BLOSC_INFO makes the library say, in words that Python's bindings look for. */
static void check_info(void) {
  static const char want[] = "[INFO] - Opened memory-mapped file mmap.b2frame in mode w+ with an mapping size of 1000 bytes.\n";
  char words[] = "mmap.info", said[256] = "";
  fflush(stderr);
  int terminal = dup(2), file = open(words, O_CREAT | O_TRUNC | O_RDWR, 0600);
  CHECK(terminal >= 0 && file >= 0 && dup2(file, 2) == 2);
  setenv("BLOSC_INFO", "1", 1);
  blosc2_stdio_mmap map = BLOSC2_STDIO_MMAP_DEFAULTS;
  map.mode = "w+";
  map.initial_mapping_size = 1000;
  blosc2_io io = {.id = BLOSC2_IO_FILESYSTEM_MMAP, .name = "filesystem_mmap", .params = &map};
  blosc2_storage storage = {.contiguous = true, .urlpath = urlpath, .io = &io};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  unsetenv("BLOSC_INFO");
  fflush(stderr);
  dup2(terminal, 2);
  close(terminal);
  CHECK(pread(file, said, sizeof said - 1, 0) > 0);
  CHECK_TEXT(said, want);
  close(file);
  remove(words);
  CHECK_EQ(blosc2_schunk_free(schunk), 0);
  blosc2_remove_urlpath(urlpath);
}

int main(void) {
  blosc2_init();
  check_modes(1);
  check_info();
  check_modes((size_t)1 << 30);
  check_functions();
  blosc2_destroy();
  return check_report();
}
