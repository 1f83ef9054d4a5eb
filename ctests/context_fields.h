/* What tuners know of a context: the beginning of its layout, which the C library keeps to itself, but which its tuners
 * are compiled against. */
#ifndef CONTEXT_FIELDS_H
#define CONTEXT_FIELDS_H

#include "blosc2.h"

#include <stddef.h>

struct blosc2_context_s {
  const uint8_t *src;
  uint8_t *dest;
  uint8_t header_flags, blosc2_flags, blosc2_flags2;
  int32_t sourcesize, header_overhead, nblocks, leftover, blocksize, header_blocksize, splitmode;
  int32_t output_bytes, srcsize, destsize, typesize;
  int32_t *bstarts, *blocknbytes, *blockoffsets, *blockcbytes;
  const uint8_t **vlblock_sources;
  uint8_t **vlblock_dests;
  int32_t special_type;
  int compcode;
  uint8_t compcode_meta;
  int clevel, use_dict;
  void *dict_buffer;
  int32_t dict_size;
  void *dict_cdict, *dict_ddict;
  uint8_t filter_flags, filters[BLOSC2_MAX_FILTERS], filters_meta[BLOSC2_MAX_FILTERS];
  blosc2_filter urfilters[16];
  blosc2_prefilter_fn prefilter;
  blosc2_postfilter_fn postfilter;
  blosc2_prefilter_params *preparams;
  blosc2_postfilter_params *postparams;
  bool *block_maskout;
  int block_maskout_nitems;
  blosc2_schunk *schunk;
  void *serial_context;
  int do_compress;
  void *tuner_params;
  int tuner_id;
  void *codec_params;
  void *filter_params[BLOSC2_MAX_FILTERS];
  int16_t nthreads, new_nthreads;
};

/* A mistake in the lines above would be found out here. */
typedef char filters_stand_at_169[offsetof(struct blosc2_context_s, filters) == 169 ? 1 : -1];
typedef char new_nthreads_stands_at_970[offsetof(struct blosc2_context_s, new_nthreads) == 970 ? 1 : -1];

#endif
