/*
 * oxiblosc2: filters of the public registry.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_FILTERS_REGISTRY_H
#define BLOSC_BLOSC2_FILTERS_REGISTRY_H

/** Ids of registered filters, for `blosc2_cparams.filters`. */
enum {
  /** Puts the items of a cell of an n-dimensional block next to each other; the parameter is the cell's edge. */
  BLOSC_FILTER_NDCELL = 32,
  /** Replaces the floats of a cell by their mean; loses data. The parameter is the cell's edge. */
  BLOSC_FILTER_NDMEAN = 33,
  /** Differences of bytes, with a mistake; kept so that old data can be read. */
  BLOSC_FILTER_BYTEDELTA_BUGGY = 34,
  /** Differences of neighbouring bytes in each of the streams that `BLOSC_SHUFFLE` makes; goes after it. The parameter
   *  is the number of streams; 0 stands for the typesize. */
  BLOSC_FILTER_BYTEDELTA = 35,
  /** Zeroes low bits of integers; loses precision. The parameter is how many bits to keep, or, when negative, how many
   *  to drop. */
  BLOSC_FILTER_INT_TRUNC = 36
};

/** What a plugin that holds a filter tells about itself: the names of its functions. */
typedef struct {
  /** Name of the function applied when compressing (#blosc2_filter_forward_cb). */
  char *forward;
  /** Name of the function applied when decompressing (#blosc2_filter_backward_cb). */
  char *backward;
} filter_info;

#endif /* BLOSC_BLOSC2_FILTERS_REGISTRY_H */
