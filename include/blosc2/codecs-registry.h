/*
 * oxiblosc2: codecs of the public registry.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_CODECS_REGISTRY_H
#define BLOSC_BLOSC2_CODECS_REGISTRY_H

/** Ids of registered codecs, for `blosc2_cparams.compcode`. From 36 on they come as plugins of their own. */
enum {
  /** A small Lempel-Ziv codec for cells of 4x4 or 8x8 items of one byte; `compcode_meta` is 4 or 8. */
  BLOSC_CODEC_NDLZ = 32,
  /** ZFP, lossy, for arrays of floats of 1 to 4 dimensions: the largest error is 10 to the power of `compcode_meta` (as
   *  int8_t). */
  BLOSC_CODEC_ZFP_FIXED_ACCURACY = 33,
  /** ZFP with `compcode_meta` bits of precision per item. */
  BLOSC_CODEC_ZFP_FIXED_PRECISION = 34,
  /** ZFP at a fixed rate: `compcode_meta` is the size in percent of the uncompressed data. */
  BLOSC_CODEC_ZFP_FIXED_RATE = 35,
  /** JPEG 2000, high throughput, by OpenHTJ2K. */
  BLOSC_CODEC_OPENHTJ2K = 36,
  /** JPEG 2000 by Grok. */
  BLOSC_CODEC_GROK = 37,
  /** OpenZL. */
  BLOSC_CODEC_OPENZL = 38,
  /** JPEG 2000. */
  BLOSC_CODEC_J2K = 39,
  /** JPEG 2000, high throughput. */
  BLOSC_CODEC_HTJ2K = 40
};

/** What a plugin that holds a codec tells about itself: the names of its functions. */
typedef struct {
  /** Name of the function that compresses (#blosc2_codec_encoder_cb). */
  char *encoder;
  /** Name of the function that decompresses (#blosc2_codec_decoder_cb). */
  char *decoder;
} codec_info;

#endif /* BLOSC_BLOSC2_CODECS_REGISTRY_H */
