/* Frames side by side in one file: each is opened at its offset, and a change to one never touches another. */
#include "blosc2.h"
#include "check.h"

enum { NITEMS = 2000, NCHUNKS = 3 };

static char urlpath[] = "side_by_side.b2frame";

/* What chunk `nchunk` of frame `frame` holds. */
static void fill(int32_t *items, int frame, int64_t nchunk) {
  for (int i = 0; i < NITEMS; i++) {
    items[i] = (int32_t)(frame * 1000000 + nchunk * NITEMS + i);
  }
}

/* Appends frame `frame` to the file; returns where it begins. */
static int64_t add_frame(int frame) {
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(int32_t);
  blosc2_storage storage = {.contiguous = true, .cparams = &cparams};
  blosc2_schunk *schunk = blosc2_schunk_new(&storage);
  int32_t items[NITEMS];
  for (int64_t nchunk = 0; nchunk < NCHUNKS; nchunk++) {
    fill(items, frame, nchunk);
    CHECK_EQ(blosc2_schunk_append_buffer(schunk, items, sizeof items), nchunk + 1);
  }
  CHECK_OK(blosc2_vlmeta_add(schunk, "name", (uint8_t *)"a frame among others", 20, NULL));
  int64_t offset = blosc2_schunk_append_file(schunk, urlpath);
  CHECK(offset >= 0);
  blosc2_schunk_free(schunk);
  return offset;
}

static void check_frame(int64_t offset, int frame, int64_t nchunks) {
  blosc2_schunk *schunk = blosc2_schunk_open_offset(urlpath, offset);
  if (!CHECK(schunk != NULL)) {
    return;
  }
  CHECK_EQ(schunk->nchunks, nchunks);
  int32_t items[NITEMS], got[NITEMS];
  for (int64_t nchunk = 0; nchunk < NCHUNKS; nchunk++) {
    fill(items, frame, nchunk);
    CHECK_EQ(blosc2_schunk_decompress_chunk(schunk, nchunk, got, sizeof got), sizeof got);
    CHECK_BYTES(got, items, sizeof items);
  }
  uint8_t *content = NULL;
  int32_t length = 0;
  CHECK_OK(blosc2_vlmeta_get(schunk, "name", &content, &length));
  CHECK_EQ(length, 20);
  free(content);
  blosc2_schunk_free(schunk);
}

#ifndef AGAINST_REFERENCE
/* The C library writes over what follows. */
static void check_growth_is_refused(const int64_t *offsets) {
  blosc2_schunk *schunk = blosc2_schunk_open_offset(urlpath, offsets[0]);
  int32_t items[NITEMS];
  fill(items, 0, NCHUNKS);
  CHECK(blosc2_schunk_append_buffer(schunk, items, sizeof items) < 0);
  uint8_t long_text[3000];
  fill_noise(long_text, sizeof long_text, 1);
  CHECK(blosc2_vlmeta_add(schunk, "more", long_text, sizeof long_text, NULL) < 0);
  CHECK_EQ(schunk->nchunks, NCHUNKS);
  CHECK_EQ(schunk->nvlmetalayers, 1);
  /* What stays as long as it was can change. */
  CHECK_OK(blosc2_vlmeta_update(schunk, "name", (uint8_t *)"A FRAME AMONG OTHERS", 20, NULL));
  CHECK_OK(blosc2_vlmeta_update(schunk, "name", (uint8_t *)"a frame among others", 20, NULL));
  blosc2_schunk_free(schunk);
  for (int frame = 0; frame < 2; frame++) {
    check_frame(offsets[frame], frame, NCHUNKS);
  }
}
#endif

/* The last one has room to grow. */
static void check_last_grows(int64_t offset) {
  blosc2_schunk *schunk = blosc2_schunk_open_offset(urlpath, offset);
  int32_t items[NITEMS];
  fill(items, 1, NCHUNKS);
  CHECK_EQ(blosc2_schunk_append_buffer(schunk, items, sizeof items), NCHUNKS + 1);
  blosc2_schunk_free(schunk);
}

int main(void) {
  blosc2_init();
  remove(urlpath);
  int64_t offsets[2] = {add_frame(0), add_frame(1)};
  CHECK_EQ(offsets[0], 0);
  for (int frame = 0; frame < 2; frame++) {
    check_frame(offsets[frame], frame, NCHUNKS);
  }
#ifndef AGAINST_REFERENCE
  check_growth_is_refused(offsets);
#endif
  check_last_grows(offsets[1]);
  check_frame(offsets[0], 0, NCHUNKS);
  check_frame(offsets[1], 1, NCHUNKS + 1);
  remove(urlpath);
  blosc2_destroy();
  return check_report();
}
