/* Codecs in libraries of their own: found where the loader looks, once, and nowhere else, whatever a chunk says.
 *
 * Runs with LD_LIBRARY_PATH naming the folder of libblosc2_turn.so, which is also PLUGIN_FILE. */
#define _POSIX_C_SOURCE 200809L
#include "blosc2.h"
#include "blosc2/codecs-registry.h"
#include "check.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 50000, TURN = 210, LATE = 211, NEW = 212 };

static uint8_t data[SIZE], back[SIZE], chunk[SIZE + BLOSC2_MAX_OVERHEAD];

static int add_codec(uint8_t id, char *name) {
  blosc2_codec codec;
  memset(&codec, 0, sizeof codec);
  codec.compcode = id;
  codec.compname = name;
  codec.complib = id;
  codec.version = 1;
  return blosc2_register_codec(&codec);
}

static int compress(uint8_t codec, int16_t nthreads) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.compcode = codec;
  cparams.typesize = 1;
  cparams.blocksize = 5000;
  cparams.nthreads = nthreads;
  blosc2_context *cctx = blosc2_create_cctx(cparams);
  int cbytes = blosc2_compress_ctx(cctx, data, SIZE, chunk, sizeof chunk);
  blosc2_free_ctx(cctx);
  return cbytes;
}

static int decompress(int cbytes) {
  memset(back, 0xee, SIZE);
  return blosc2_decompress(chunk, cbytes, back, SIZE);
}

static void check_plugin(void) {
  CHECK_EQ(add_codec(TURN, "turn"), BLOSC2_ERROR_SUCCESS);
  for (int16_t nthreads = 1; nthreads <= 4; nthreads += 3) {
    int cbytes = compress(TURN, nthreads);
    CHECK(cbytes > 0 && cbytes < SIZE * 3 / 4);
    CHECK_EQ(chunk[0x16], TURN);
    CHECK_EQ(decompress(cbytes), SIZE);
    CHECK_BYTES(back, data, SIZE);
  }
}

#ifndef AGAINST_REFERENCE /* which runs a Python interpreter in the current directory */

static bool copy_file(const char *from, const char *to) {
  FILE *source = fopen(from, "rb"), *copy = fopen(to, "wb");
  char buffer[4096];
  size_t n;
  bool good = source != NULL && copy != NULL;
  while (good && (n = fread(buffer, 1, sizeof buffer, source)) > 0) {
    good = fwrite(buffer, 1, n, copy) == n;
  }
  if (source != NULL) {
    fclose(source);
  }
  return copy != NULL && fclose(copy) == 0 && good;
}

/* What a test does in a process of its own, where nothing was looked for yet. */
static void apart(void (*act)(void)) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    checks_failed = 0;
    act();
    _exit(checks_failed == 0 ? 0 : 1);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void turned_off(void) {
  setenv("BLOSC_PLUGINS", "0", 1);
  CHECK_EQ(add_codec(TURN, "turn"), BLOSC2_ERROR_SUCCESS);
  CHECK(compress(TURN, 1) < 0);
  CHECK(access("trace", F_OK) != 0);
}

static void once(void) {
  setenv("PLUGIN_TRACE", "trace", 1);
  check_plugin();
  check_plugin();
  FILE *trace = fopen("trace", "r");
  char line[32];
  int lines = 0;
  while (trace != NULL && fgets(line, sizeof line, trace) != NULL) {
    lines++;
  }
  if (trace != NULL) {
    fclose(trace);
  }
  CHECK_EQ(lines, 1);
  remove("trace");
}

/* What was not there when it was first needed is not looked for again. */
static void not_again(void) {
  char here[4096];
  CHECK(getcwd(here, sizeof here) != NULL);
  setenv("PYTHONPATH", here, 1);
  CHECK_EQ(add_codec(LATE, "late"), BLOSC2_ERROR_SUCCESS);
  CHECK(compress(LATE, 1) < 0);
  mkdir("blosc2_late", 0777);
  mkdir("blosc2_new", 0777);
  CHECK(copy_file(PLUGIN_FILE, "blosc2_late/libblosc2_late.so"));
  CHECK(copy_file(PLUGIN_FILE, "blosc2_new/libblosc2_new.so"));
  CHECK(compress(LATE, 1) < 0);
  /* One that was not asked for before is found there. */
  CHECK_EQ(add_codec(NEW, "new"), BLOSC2_ERROR_SUCCESS);
  CHECK(compress(NEW, 1) > 0);
  remove("blosc2_late/libblosc2_late.so"), rmdir("blosc2_late");
  remove("blosc2_new/libblosc2_new.so"), rmdir("blosc2_new");
}

/* A chunk says that its codec is one of the public registry's; in the current directory, somebody has put libraries and
 * packages of those names. */
static void hostile_chunks(void) {
  static const struct {
    uint8_t id;
    const char *name;
  } reserved[] = {{36, "openhtj2k"}, {37, "grok"}, {38, "openzl"}, {39, "j2k"}, {40, "htj2k"}};
  CHECK_EQ(add_codec(TURN, "turn"), BLOSC2_ERROR_SUCCESS);
  int cbytes = compress(TURN, 1);
  CHECK(cbytes > 0);
  setenv("PLUGIN_TRACE", "trace", 1);
  const char *paths[] = {NULL, "", ":", ".", "relative", ":/nowhere"};
  mkdir("relative", 0777);
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
    char folder[64], package[128], library[128], relative[128], script[160];
    snprintf(library, sizeof library, "libblosc2_%s.so", reserved[i].name);
    snprintf(relative, sizeof relative, "relative/libblosc2_%s.so", reserved[i].name);
    snprintf(folder, sizeof folder, "blosc2_%s", reserved[i].name);
    snprintf(package, sizeof package, "%s/libblosc2_%s.so", folder, reserved[i].name);
    snprintf(script, sizeof script, "%s/__init__.py", folder);
    mkdir(folder, 0777);
    CHECK(copy_file(PLUGIN_FILE, library) && copy_file(PLUGIN_FILE, package) && copy_file(PLUGIN_FILE, relative));
    FILE *python = fopen(script, "w");
    if (python != NULL) {
      fputs("open('trace', 'w').write('ran')\n", python);
      fclose(python);
    }
    chunk[0x16] = reserved[i].id;
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
      const char *variables[] = {"LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV"};
      for (size_t v = 0; v < 3; v++) {
        if (paths[k] != NULL) {
          setenv(variables[v], paths[k], 1);
        } else {
          unsetenv(variables[v]);
        }
      }
      CHECK_EQ(decompress(cbytes), BLOSC2_ERROR_CODEC_SUPPORT);
      CHECK_EQ(blosc2_getitem(chunk, cbytes, 0, 10, back, SIZE), BLOSC2_ERROR_CODEC_SUPPORT);
    }
    CHECK(access("trace", F_OK) != 0);
    remove(library), remove(relative), remove(package), remove(script), rmdir(folder);
  }
  rmdir("relative");
}

/* A name that is a path leads nowhere. */
static void names_that_are_paths(void) {
  CHECK(copy_file(PLUGIN_FILE, "libblosc2_here.so"));
  mkdir("libblosc2_.", 0777);
  char *names[] = {"../here", "./here", "", "here/../here", "a b"};
  for (int i = 0; i < 5; i++) {
    uint8_t id = (uint8_t)(220 + i);
    CHECK_EQ(add_codec(id, names[i]), BLOSC2_ERROR_SUCCESS);
    CHECK(compress(id, 1) < 0);
  }
  remove("libblosc2_here.so");
  rmdir("libblosc2_.");
}

#endif

int main(void) {
  blosc2_init();
  for (int i = 0; i < SIZE; i++) {
    data[i] = (uint8_t)(i % 5000 < 2500 ? i * 7 : 99);
  }
#ifndef AGAINST_REFERENCE
  remove("trace");
  apart(turned_off);
  apart(once);
  apart(not_again);
  apart(hostile_chunks);
  apart(names_that_are_paths);
#endif
  check_plugin();
  blosc2_destroy();
  return check_report();
}
