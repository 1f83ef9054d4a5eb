/*
 * oxiblosc2: what blosc2.h needs that differs from system to system, and names that stand for text.
 *
 * Included by blosc2.h.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_BLOSC2_PLATFORM_H
#define BLOSC_BLOSC2_BLOSC2_PLATFORM_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(_WIN32)
  #include <windows.h>
  #if !defined(__MINGW32__)
    #include <malloc.h>
    #include <process.h>
    #define getpid _getpid
  #endif
#endif

/** A point in time, as blosc_set_timestamp() takes it. */
#if defined(_WIN32)
typedef LARGE_INTEGER blosc_timestamp_t;
#else
typedef struct timespec blosc_timestamp_t;
#endif

/** What compresses or decompresses: a codec, filters, a number of threads. Made by blosc2_create_cctx() or
 *  blosc2_create_dctx(). */
typedef struct blosc2_context_s blosc2_context;

/** A frame: a super-chunk in one piece, in memory or on disk. */
typedef struct blosc2_frame_s blosc2_frame;

#endif /* BLOSC_BLOSC2_BLOSC2_PLATFORM_H */
