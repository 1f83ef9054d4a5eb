/*
 * oxiblosc2: additions to the interface of Blosc2, under the prefix b2x_. The C library has none of them.
 *
 * Generated from the library's sources; changes belong there.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC2_EXT_H
#define BLOSC2_EXT_H

#include "blosc2.h"


/**
 * Parts of a frame.
 */
typedef enum b2x_part {
  /**
   * Header, trailer, or how they fit together.
   */
  B2X_PART_STRUCTURE = 0,
  /**
   * The chunk index.
   */
  B2X_PART_INDEX = 1,
  /**
   * A chunk.
   */
  B2X_PART_CHUNK = 2,
  /**
   * A metalayer.
   */
  B2X_PART_METALAYER = 3,
  /**
   * A variable-length metalayer.
   */
  B2X_PART_VLMETALAYER = 4,
} b2x_part;

/**
 * Something that is wrong with a frame. All of it is valid only while the callback runs.
 */
typedef struct b2x_finding {
  /**
   * With what: one of #b2x_part.
   */
  int part;
  /**
   * What kind of error: a code of #blosc2_error.
   */
  int code;
  /**
   * The chunk's number, or -1.
   */
  int64_t nchunk;
  /**
   * Where in the file the part begins, in bytes, or -1 where that is not known.
   */
  int64_t offset;
  /**
   * The metalayer's name, or NULL.
   */
  const char *name;
  /**
   * What is wrong, in words.
   */
  const char *what;
} b2x_finding;

/**
 * Gets a finding, and what the caller passed along. Anything but 0 ends a verification; a recovery goes on.
 */
typedef int (*b2x_report_cb)(const struct b2x_finding *finding, void *user_data);

/**
 * What a recovery came to.
 */
typedef struct b2x_recovered {
  /**
   * Chunks of the new frame.
   */
  int64_t nchunks;
  /**
   * Those of them that were found whole. For the others, zeros stand in the new frame.
   */
  int64_t kept;
  /**
   * Chunks that were lost.
   */
  int64_t lost;
  /**
   * Whether the order of the chunks is known. If not, they follow as they followed in the file.
   */
  bool in_order;
} b2x_recovered;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Reads everything in a frame: its structure, the index, every chunk, every metalayer.
 *
 * @param urlpath The file, or a sparse frame's directory.
 * @param offset Where in the file the frame starts, in bytes; 0 for a directory.
 * @param report Gets what is wrong, as it is found; NULL when only the number is of interest.
 * @param user_data Passed to `report`.
 * @return How many things are wrong, 0 when the frame is whole; #BLOSC2_ERROR_NULL_POINTER;
 *   #BLOSC2_ERROR_INVALID_PARAM for a negative offset; #BLOSC2_ERROR_FILE_OPEN when the file cannot be opened;
 *   #BLOSC2_ERROR_LOCK when somebody keeps changing the frame.
 */
BLOSC_EXPORT
int64_t b2x_frame_verify(const char *urlpath,
                         int64_t offset,
                         b2x_report_cb report,
                         void *user_data);

/**
 * Writes a new frame from what can be read of a damaged one, which stays as it is. Chunks that cannot be read are lost;
 * where it is known where they were, zeros stand for them. When the index is gone, chunks are looked for in the whole
 * file.
 *
 * @param urlpath The damaged file, or a sparse frame's directory.
 * @param offset Where in the file the frame starts, in bytes; 0 for a directory.
 * @param new_urlpath The new frame's file or directory, where nothing may be yet.
 * @param report Gets what was lost; NULL when only the numbers are of interest.
 * @param user_data Passed to `report`.
 * @param recovered Set to what the recovery came to; NULL when that is of no interest.
 * @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_INVALID_PARAM for a negative offset; #BLOSC2_ERROR_FILE_OPEN when
 *   the file cannot be opened or the new one be made; #BLOSC2_ERROR_FILE_WRITE; #BLOSC2_ERROR_INVALID_HEADER and others
 *   when nothing in the file looks like a frame.
 */
BLOSC_EXPORT
int b2x_frame_recover(const char *urlpath,
                      int64_t offset,
                      const char *new_urlpath,
                      b2x_report_cb report,
                      void *user_data,
                      struct b2x_recovered *recovered);

/**
 * The calling thread's last failure in this library, in words for a person: the function, what happened, and as far as
 * it is known in which file, which chunk and at which byte. A function that succeeds leaves it as it is.
 *
 * @return The words; an empty text when nothing failed yet. The library keeps the text; it is valid until the next
 *   failure in this thread, or its end.
 */
BLOSC_EXPORT
const char *b2x_last_error_message(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BLOSC2_EXT_H */
