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

/** A stream of the backend #BLOSC2_IO_FILESYSTEM. */
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
  /** The open file. */
  FILE *file;
  /** Its descriptor. */
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

#ifdef __cplusplus
}
#endif

#endif /* BLOSC_BLOSC2_BLOSC2_STDIO_H */
