/*
 * oxiblosc2: the I/O backends that come with the library, files and memory maps.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_BLOSC2_STDIO_H
#define BLOSC_BLOSC2_BLOSC2_STDIO_H

#include "blosc2-export.h"
#include "blosc2-common.h"

#if defined(_MSC_VER)
  #include <io.h>
#else
  #include <unistd.h>
#endif
#if defined(_WIN32)
  #include <windows.h>
#endif

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A stream of the backend #BLOSC2_IO_FILESYSTEM. One that a program fills in itself must not be closed by the library. */
typedef struct {
  /** The open file. */
  FILE *file;
} blosc2_stdio_file;

/**
 * Parameters of the backend #BLOSC2_IO_FILESYSTEM: what `blosc2_io.params` points to, or NULL for the defaults. Has to
 * outlive the super-chunks opened with it.
 */
typedef struct {
  /**
   * Whether this handle takes turns with others on the same frame, in this process or another, by locking a small file
   * beside the frame: readers together, a writer alone. It works only among handles that all ask for it, and not on
   * network file systems. The environment variable BLOSC_LOCKING (set, and neither empty nor "0") asks for it
   * everywhere.
   */
  bool locking;
} blosc2_stdio_params;

/** The defaults of #blosc2_stdio_params. */
static const blosc2_stdio_params BLOSC2_STDIO_PARAMS_DEFAULTS BLOSC_ATTRIBUTE_UNUSED = {false};

/**
 * Parameters of the backend #BLOSC2_IO_FILESYSTEM_MMAP, which maps a contiguous frame's file into memory. The first
 * three fields are the caller's to set, starting from #BLOSC2_STDIO_MMAP_DEFAULTS; the others belong to the library.
 */
typedef struct {
  /**
   * How to open: "r" to read; "r+" to read and change; "w+" to make a new file; "c" to read, with changes that stay in
   * memory and never reach the file.
   */
  const char *mode;
  /**
   * How many bytes to map from the start where the file can grow ("r+", "w+", "c"): until the file outgrows them, it
   * need not be mapped anew. Address space, not memory.
   */
  size_t initial_mapping_size;
  /** Whether the library frees this struct together with the super-chunk (it then has to come from malloc). */
  bool needs_free;

  /** Where the mapping is. */
  char *addr;
  /** The file's path. */
  char *urlpath;
  /** Bytes of the file. */
  size_t file_size;
  /** Bytes of the mapping, at least `file_size`. */
  size_t mapping_size;
  /** Whether changes stay in memory (mode "c"). */
  bool is_memory_only;
  /** Not used: NULL. */
  FILE *file;
  /** The open file's descriptor. */
  int fd;
  /** How pages may be accessed, in the system's own numbers. */
  int64_t access_flags;
  /** How the file is mapped, in the system's own numbers. */
  int64_t map_flags;
#if defined(_WIN32)
  /** The system's handle of the mapping. */
  HANDLE mmap_handle;
#endif
} blosc2_stdio_mmap;

/** The defaults of #blosc2_stdio_mmap: to read, with 1 GiB of address space. */
static const blosc2_stdio_mmap BLOSC2_STDIO_MMAP_DEFAULTS BLOSC_ATTRIBUTE_UNUSED = {
  /* mode */ "r",
  /* initial_mapping_size */ (size_t)1 << 30,
  /* needs_free */ false,
  /* addr */ NULL,
  /* urlpath */ NULL,
  /* file_size */ 0,
  /* mapping_size */ 0,
  /* is_memory_only */ false,
  /* file */ NULL,
  /* fd */ -1,
  /* access_flags */ -1,
  /* map_flags */ -1,
#if defined(_WIN32)
  /* mmap_handle */ INVALID_HANDLE_VALUE,
#endif
};

/*
 * The functions of the backend #BLOSC2_IO_FILESYSTEM, for a program's own backend to build on: `blosc2_get_io_cb` gives
 * them as a #blosc2_io_cb. Reads and writes are at positions and leave the stream where it is.
 */

/** Opens a file. @return The stream, a #blosc2_stdio_file; NULL on error, and when the path or the mode is NULL. */
BLOSC_EXPORT void *blosc2_stdio_open(const char *urlpath, const char *mode, void *params);
/** Closes and frees a stream. @return 0; a negative number on error. */
BLOSC_EXPORT int blosc2_stdio_close(void *stream);
/** Gives the size of a file. @return Bytes; -1 on error. */
BLOSC_EXPORT int64_t blosc2_stdio_size(void *stream);
/** Writes `nitems` of `size` bytes. @return How many items were written; 0 for what cannot be. */
BLOSC_EXPORT int64_t blosc2_stdio_write(const void *ptr, int64_t size, int64_t nitems, int64_t position, void *stream);
/** Reads `nitems` of `size` bytes into `*ptr`. @return How many items were read; 0 for what cannot be. */
BLOSC_EXPORT int64_t blosc2_stdio_read(void **ptr, int64_t size, int64_t nitems, int64_t position, void *stream);
/** Cuts or extends a file. @return 0; -1 on error. */
BLOSC_EXPORT int blosc2_stdio_truncate(void *stream, int64_t size);
/** Does nothing: the parameters are the caller's. @return 0. */
BLOSC_EXPORT int blosc2_stdio_destroy(void *params);

/*
 * The functions of the backend #BLOSC2_IO_FILESYSTEM_MMAP, likewise. The stream is the parameters themselves, a
 * #blosc2_stdio_mmap, which map one file until they are destroyed. Not for several threads at once with one stream that
 * is written to.
 */

/** Maps a file as `params` says; `mode` does not matter. @return `params`; NULL on error, and when they map another file. */
BLOSC_EXPORT void *blosc2_stdio_mmap_open(const char *urlpath, const char *mode, void *params);
/** Does nothing: the file stays mapped. @return 0. */
BLOSC_EXPORT int blosc2_stdio_mmap_close(void *stream);
/** Gives the size of the file. @return Bytes; -1 on error. */
BLOSC_EXPORT int64_t blosc2_stdio_mmap_size(void *stream);
/** Writes `nitems` of `size` bytes; the file grows as needed. @return How many items were written: all or 0. */
BLOSC_EXPORT int64_t blosc2_stdio_mmap_write(
  const void *ptr, int64_t size, int64_t nitems, int64_t position, void *stream);
/**
 * Sets `*ptr` to where `nitems` of `size` bytes are mapped, good until the file grows. @return `nitems`; 0, and NULL at
 * `ptr`, when the file has not so many.
 */
BLOSC_EXPORT int64_t blosc2_stdio_mmap_read(void **ptr, int64_t size, int64_t nitems, int64_t position, void *stream);
/** Cuts or extends the file. @return 0; -1 on error. */
BLOSC_EXPORT int blosc2_stdio_mmap_truncate(void *stream, int64_t size);
/**
 * Writes out what was changed, unmaps the file, and frees `params` where `needs_free` says so. @return 0; -1 when nothing
 * was mapped or could not be written.
 */
BLOSC_EXPORT int blosc2_stdio_mmap_destroy(void *params);

#ifdef __cplusplus
}
#endif

#endif /* BLOSC_BLOSC2_BLOSC2_STDIO_H */
