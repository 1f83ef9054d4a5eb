/* The shortest program: compress a buffer, decompress it. */
#include <blosc2.h>
#include <stdio.h>

int main(void) {
  static double numbers[100000], back[100000];
  static char chunk[sizeof numbers + BLOSC2_MAX_OVERHEAD];
  for (int i = 0; i < 100000; i++) numbers[i] = i * 0.25;
  int cbytes = blosc2_compress(5, BLOSC_SHUFFLE, sizeof *numbers, numbers, sizeof numbers, chunk, sizeof chunk);
  int nbytes = blosc2_decompress(chunk, cbytes, back, sizeof back);
  if (nbytes != (int)sizeof numbers || back[99999] != numbers[99999]) return 1;
  printf("ok simple: %d bytes became %d, and %d again\n", (int)sizeof numbers, cbytes, nbytes);
  return 0;
}
