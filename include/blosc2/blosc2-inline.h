/*
 * oxiblosc2: the defaults, and the functions that are compiled into the program, so that a plugin can use them without
 * being linked to the library.
 *
 * Included by blosc2.h, at its end.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_BLOSC2_INLINE_H
#define BLOSC_BLOSC2_BLOSC2_INLINE_H

#ifdef __cplusplus
extern "C" {
#endif

/** The defaults of #blosc2_io: files. */
static const blosc2_io BLOSC2_IO_DEFAULTS BLOSC_ATTRIBUTE_UNUSED = {
  /* id */ BLOSC2_IO_FILESYSTEM,
  /* name */ "filesystem",
  /* params */ NULL,
};

/** The defaults of #blosc2_cparams: BloscLZ at level 5 after a byte shuffle, items of 8 bytes, one thread. */
static const blosc2_cparams BLOSC2_CPARAMS_DEFAULTS BLOSC_ATTRIBUTE_UNUSED = {
  /* compcode */ BLOSC_BLOSCLZ,
  /* compcode_meta */ 0,
  /* clevel */ 5,
  /* use_dict */ 0,
  /* typesize */ 8,
  /* nthreads */ 1,
  /* blocksize */ 0,
  /* splitmode */ BLOSC_FORWARD_COMPAT_SPLIT,
  /* schunk */ NULL,
  /* filters */ {0, 0, 0, 0, 0, BLOSC_SHUFFLE},
  /* filters_meta */ {0, 0, 0, 0, 0, 0},
  /* prefilter */ NULL,
  /* preparams */ NULL,
  /* tuner_params */ NULL,
  /* tuner_id */ BLOSC_STUNE,
  /* instr_codec */ false,
  /* codec_params */ NULL,
  /* filter_params */ {NULL, NULL, NULL, NULL, NULL, NULL},
};

/** The defaults of #blosc2_dparams: one thread. */
static const blosc2_dparams BLOSC2_DPARAMS_DEFAULTS BLOSC_ATTRIBUTE_UNUSED = {
  /* nthreads */ 1,
  /* schunk */ NULL,
  /* postfilter */ NULL,
  /* postparams */ NULL,
  /* typesize */ 8,
};

/** The defaults of #blosc2_storage: in memory, each chunk for itself. */
static const blosc2_storage BLOSC2_STORAGE_DEFAULTS BLOSC_ATTRIBUTE_UNUSED = {
  /* contiguous */ false,
  /* urlpath */ NULL,
  /* cparams */ NULL,
  /* dparams */ NULL,
  /* io */ NULL,
};

/**
 * Puts an error code into words, as blosc2_error_string() does, for programs that want the text not const.
 *
 * @param rc An error code.
 * @return Text that is neither to be changed nor freed.
 */
BLOSC_ATTRIBUTE_UNUSED
static char *print_error(int rc) {
  return (char *)blosc2_error_string(rc);
}

/**
 * Finds a fixed metalayer.
 *
 * @param schunk The super-chunk.
 * @param name The metalayer's name.
 * @return Its index, from 0; #BLOSC2_ERROR_NOT_FOUND when there is none of that name; #BLOSC2_ERROR_INVALID_PARAM when a
 *   pointer is NULL or the name is longer than #BLOSC2_METALAYER_NAME_MAXLEN.
 */
static inline int blosc2_meta_exists(blosc2_schunk *schunk, const char *name) {
  int index;
  if (schunk == NULL || name == NULL || strlen(name) > BLOSC2_METALAYER_NAME_MAXLEN) {
    BLOSC_TRACE_ERROR("A metalayer is looked up without a super-chunk or by an impossible name");
    return BLOSC2_ERROR_INVALID_PARAM;
  }
  for (index = 0; index < (int)schunk->nmetalayers; index++) {
    if (strcmp(schunk->metalayers[index]->name, name) == 0) {
      return index;
    }
  }
  return BLOSC2_ERROR_NOT_FOUND;
}

/**
 * Copies the content of a fixed metalayer.
 *
 * @param schunk The super-chunk.
 * @param name The metalayer's name.
 * @param content Set to a copy from malloc() that the caller frees; to NULL when the content is empty.
 * @param content_len Set to the bytes of the content.
 * @return The metalayer's index, from 0; #BLOSC2_ERROR_NOT_FOUND when there is none of that name;
 *   #BLOSC2_ERROR_INVALID_PARAM when a pointer is NULL or the name too long; #BLOSC2_ERROR_DATA when the metalayer is
 *   damaged; #BLOSC2_ERROR_MEMORY_ALLOC.
 */
static inline int blosc2_meta_get(blosc2_schunk *schunk, const char *name, uint8_t **content, int32_t *content_len) {
  const blosc2_metalayer *meta;
  uint8_t *copy = NULL;
  int index;
  if (content == NULL || content_len == NULL) {
    BLOSC_TRACE_ERROR("A metalayer's content has nowhere to go");
    return BLOSC2_ERROR_INVALID_PARAM;
  }
  index = blosc2_meta_exists(schunk, name);
  if (index < 0) {
    return index;
  }
  meta = schunk->metalayers[index];
  if (meta->content_len < 0 || (meta->content_len > 0 && meta->content == NULL)) {
    BLOSC_TRACE_ERROR("Metalayer \"%s\" is damaged", name);
    return BLOSC2_ERROR_DATA;
  }
  if (meta->content_len > 0) {
    copy = (uint8_t *)malloc((size_t)meta->content_len);
    if (copy == NULL) {
      *content = NULL;
      *content_len = 0;
      return BLOSC2_ERROR_MEMORY_ALLOC;
    }
    memcpy(copy, meta->content, (size_t)meta->content_len);
  }
  *content = copy;
  *content_len = meta->content_len;
  return index;
}

/**
 * Copies a number between the machine's byte order and the big-endian one of msgpack.
 *
 * @param dest Where the number goes; may be where it comes from.
 * @param pa The number; need not be aligned.
 * @param size Its bytes: 1, 2, 4 or 8. With any other, nothing is copied.
 */
static inline void swap_store(void *dest, const void *pa, int size) {
  const uint16_t probe = 1;
  uint8_t first_byte, from[8], to[8];
  int i;
  if (size != 1 && size != 2 && size != 4 && size != 8) {
    fprintf(stderr, "swap_store: no numbers of %d bytes\n", size);
    return;
  }
  memcpy(&first_byte, &probe, 1);
  memcpy(from, pa, (size_t)size);
  for (i = 0; i < size; i++) {
    to[i] = first_byte == 1 ? from[size - 1 - i] : from[i];
  }
  memcpy(dest, to, (size_t)size);
}

#ifdef __cplusplus
}
#endif

#endif /* BLOSC_BLOSC2_BLOSC2_INLINE_H */
