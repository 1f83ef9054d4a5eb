/*
 * oxiblosc2: tuners of the public registry.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_TUNERS_REGISTRY_H
#define BLOSC_BLOSC2_TUNERS_REGISTRY_H

/** Ids of registered tuners, for `blosc2_cparams.tuner_id`. They come as plugins of their own. */
enum {
  /** Btune. */
  BLOSC_BTUNE = 32
};

/** What a plugin that holds a tuner tells about itself: the names of its functions (#blosc2_tuner). */
typedef struct {
  /** Name of `init`. */
  char *init;
  /** Name of `next_blocksize`. */
  char *next_blocksize;
  /** Name of `next_cparams`. */
  char *next_cparams;
  /** Name of `update`. */
  char *update;
  /** Name of `free`. */
  char *free;
} tuner_info;

#endif /* BLOSC_BLOSC2_TUNERS_REGISTRY_H */
