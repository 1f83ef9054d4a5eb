/* What a package of the library is tried with: it is found, linked and works. */
#include <blosc2.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  static char zeros[10000], back[sizeof zeros], chunk[sizeof zeros + BLOSC2_MAX_OVERHEAD];
  memset(back, 1, sizeof back);
  int cbytes = blosc2_compress(5, BLOSC_SHUFFLE, 4, zeros, sizeof zeros, chunk, sizeof chunk);
  int nbytes = blosc2_decompress(chunk, cbytes, back, sizeof back);
  printf("Blosc2 %s\n", blosc2_get_version_string());
  return cbytes > 0 && nbytes == (int)sizeof zeros && memcmp(zeros, back, sizeof zeros) == 0 ? 0 : 1;
}
