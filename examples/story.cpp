// The story that is told in every language here, in C++: write an array to a file, with two metalayers; open it again; cut a
// slice; check it.
#include <blosc2.hpp>
#include <cstdio>

static const char path[] = "story-cpp.b2nd";

static void write_it() {
  std::vector<double> data;
  for (int i = 0; i < 300; i++) {
    for (int j = 0; j < 200; j++) data.push_back(1000 * i + j);
  }
  const blosc2::Shape shape{{300, 200}, {100, 100}, {20, 50}};
  auto storage = blosc2::Storage::file(path).cparams(blosc2::cparams<double>(BLOSC_ZSTD));
  auto array = blosc2::Array::from<double>(shape, data, storage, {{"level", {42}}});
  array.schunk().set_vlmeta("note", blosc2::as_bytes("written by C++"));
}

static void expect(bool fine, const char *what) {
  if (!fine) throw std::runtime_error(what);
}

static void read_it() {
  const auto array = blosc2::Array::open(path);
  const auto note = blosc2::as_text(array.schunk().vlmeta("note"));
  expect(array.schunk().meta("level") == blosc2::Bytes{42}, "the level");
  expect(note == "written by C++", "the note");

  const auto slice = array.get<double>({99, 98}, {102, 103});
  std::size_t at = 0;
  for (int i = 99; i < 102; i++) {
    for (int j = 98; j < 103; j++) expect(slice[at++] == 1000 * i + j, "the slice");
  }
  std::printf("ok story.cpp: %lld x %lld of %s, \"%s\", %.1f to 1\n", static_cast<long long>(array.shape()[0]),
              static_cast<long long>(array.shape()[1]), array.dtype().c_str(), note.c_str(), array.schunk().ratio());
}

int main() {
  blosc2_init();
  blosc2_remove_urlpath(path);
  int failed = 0;
  try {
    write_it();
    read_it();
    // What fails says so, with the code of the C interface.
    try {
      blosc2::Array::open("not there.b2nd");
      failed = 1;
    } catch (const blosc2::error &e) {
      failed = e.code() < 0 ? 0 : 1;
    }
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    failed = 1;
  }
  blosc2_remove_urlpath(path);
  blosc2_destroy();
  return failed;
}
