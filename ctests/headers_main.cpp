// Both headers in two C++ units of one program, and a call through them.
#include "blosc2.h"
#include "headers.h"

#include <cstdio>
#include <cstring>
#include <vector>

int main() {
  Seen a = seen_by_a(), b = seen_by_b();
  bool agree = a.schunk == b.schunk && a.array == b.array && a.cparams == b.cparams && std::strcmp(a.error, b.error) == 0;

  std::vector<double> numbers(10000, 1.5), back(numbers.size());
  auto size = static_cast<int32_t>(numbers.size() * sizeof(double));
  std::vector<char> chunk(static_cast<size_t>(size) + BLOSC2_MAX_OVERHEAD);
  int cbytes = blosc2_compress(5, BLOSC_SHUFFLE, sizeof(double), numbers.data(), size, chunk.data(),
                               static_cast<int32_t>(chunk.size()));
  bool works = cbytes > 0 && blosc2_decompress(chunk.data(), cbytes, back.data(), size) == size && back == numbers;

  std::printf("headers %s, library %s\n", agree ? "agree" : "differ", works ? "works" : "fails");
  return agree && works ? 0 : 1;
}
