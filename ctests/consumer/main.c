/* The least that shows a library which works: an array there and back. */
#include <b2nd.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int64_t shape[] = {30, 40};
  int32_t chunkshape[] = {10, 20}, blockshape[] = {5, 10};
  double data[30][40], back[30][40];
  for (int i = 0; i < 30; i++) {
    for (int j = 0; j < 40; j++) {
      data[i][j] = i * 0.5 - j;
    }
  }
  blosc2_init();
  blosc2_cparams cparams = BLOSC2_CPARAMS_DEFAULTS;
  cparams.typesize = sizeof(double);
  blosc2_storage storage = BLOSC2_STORAGE_DEFAULTS;
  storage.cparams = &cparams;
  b2nd_context_t *ctx = b2nd_create_ctx(&storage, 2, shape, chunkshape, blockshape, "<f8", DTYPE_NUMPY_FORMAT, NULL, 0);
  b2nd_array_t *array = NULL;
  int failed = b2nd_from_cbuffer(ctx, &array, data, sizeof data) < 0 || b2nd_to_cbuffer(array, back, sizeof back) < 0 ||
               memcmp(data, back, sizeof data) != 0;
  if (array != NULL) {
    b2nd_free(array);
  }
  b2nd_free_ctx(ctx);
  blosc2_destroy();
  printf("Blosc2 %s %s\n", blosc2_get_version_string(), failed ? "fails" : "works");
  return failed;
}
