// blosc2.hpp: what its classes give back, what they throw, who owns what.
#include <blosc2.hpp>

#include <array>
#include <string>

#include "check.h"

// Nothing but include guards is defined.
#if defined(CHECKED) || defined(min) || defined(span) || defined(error)
#error "blosc2.hpp defines macros"
#endif

// In classes_too.cpp: another unit of the program that includes the header.
blosc2::Array half_of(const blosc2::Array &array);

static_assert(!std::is_copy_constructible_v<blosc2::Context> && std::is_nothrow_move_constructible_v<blosc2::Context>);
static_assert(!std::is_copy_constructible_v<blosc2::SuperChunk> && std::is_nothrow_move_constructible_v<blosc2::SuperChunk>);
static_assert(!std::is_copy_constructible_v<blosc2::Array> && std::is_nothrow_move_constructible_v<blosc2::Array>);
static_assert(std::is_convertible_v<std::vector<int> &, blosc2::span<const int>>);
static_assert(std::is_convertible_v<blosc2::span<int>, blosc2::span<const int>>);
static_assert(!std::is_convertible_v<const std::vector<int> &, blosc2::span<int>>);
static_assert(!std::is_convertible_v<std::vector<int> &, blosc2::span<const long long>>);

// The code of the error that a call throws; 0 when it throws none.
template <class Call>
static int code_of(Call call) {
  try {
    call();
  } catch (const blosc2::error &e) {
    CHECK(std::string(e.what()).size() > 2);
    return e.code();
  }
  return 0;
}

static void check_spans() {
  int plain[3] = {1, 2, 3};
  const std::array<int, 2> fixed{4, 5};
  const blosc2::span<const int> of_plain(plain), of_fixed(fixed), nothing;
  CHECK(of_plain.size() == 3 && of_plain[2] == 3 && of_fixed.size() == 2 && of_fixed[1] == 5);
  CHECK(nothing.empty() && nothing.begin() == nothing.end());
  const std::string text = "text";
  CHECK(blosc2::span<const char>(text).size() == 4);
  CHECK_TEXT(blosc2::dtype_of<double>().c_str(), "<f8");
  CHECK_TEXT(blosc2::dtype_of<const std::uint16_t>().c_str(), "<u2");
  CHECK_TEXT(blosc2::dtype_of<std::int8_t>().c_str(), "|i1");
  CHECK_TEXT(blosc2::dtype_of<bool>().c_str(), "|b1");
  struct Pair {
    int a, b;
  };
  CHECK_TEXT(blosc2::dtype_of<Pair>().c_str(), "|V8");
}

static void check_contexts() {
  std::vector<float> items(50000);
  for (std::size_t i = 0; i < items.size(); i++) {
    items[i] = static_cast<float>(i / 10);
  }
  blosc2::Context first(blosc2::cparams<float>(BLOSC_LZ4, 7, 2));
  blosc2::Context context = std::move(first);
  const blosc2::Bytes chunk = context.compress(items);
  CHECK(chunk.size() < items.size());
  CHECK(context.decompress<float>(chunk) == items);
  CHECK(context.items<float>(chunk, 1000, 1002) == (std::vector<float>{100, 100}));
  CHECK(context.items<float>(chunk, 5, 5).empty());
  CHECK(context.decompress<float>(context.compress(std::vector<float>())).empty());

  const blosc2::Bytes cut(chunk.begin(), chunk.begin() + 10);
  CHECK(code_of([&] { context.decompress<float>(cut); }) == BLOSC2_ERROR_READ_BUFFER);
  CHECK(code_of([&] { context.decompress<std::array<char, 3>>(chunk); }) == BLOSC2_ERROR_INVALID_PARAM);
  CHECK(code_of([&] { context.items<float>(chunk, 49999, 50001); }) < 0);
  CHECK(code_of([&] { context.items<float>(chunk, 2, 1); }) == BLOSC2_ERROR_INVALID_PARAM);
  blosc2::Bytes damaged = chunk;
  damaged[BLOSC2_CHUNK_CBYTES + 3] = 0xff;
  CHECK(code_of([&] { context.decompress<float>(damaged); }) < 0);
}

static void check_schunks() {
  const std::string path = "classes.b2frame";
  blosc2_remove_urlpath(path.c_str());
  {
    blosc2::SuperChunk first(blosc2::Storage::file(path).cparams(blosc2::cparams<std::int32_t>()));
    first.set_meta("fixed", blosc2::as_bytes("one"));
    blosc2::SuperChunk schunk = std::move(first);
    for (int n = 0; n < 3; n++) {
      CHECK_EQ(schunk.append(std::vector<std::int32_t>(1000, n)), n + 1);
    }
    const int items[2] = {7, 8};
    schunk.set<std::int32_t>(999, items);
    schunk.set_meta("fixed", blosc2::as_bytes("two"));
    schunk.set_vlmeta("note", blosc2::as_bytes("short"));
    schunk.set_vlmeta("note", blosc2::as_bytes("longer than before"));
    schunk.set_vlmeta("other", {});
    const auto turn = schunk.lock();
  }
  // Making it again is not possible: it is there.
  CHECK(code_of([&] { blosc2::SuperChunk again{blosc2::Storage::file(path)}; }) < 0);

  blosc2::SuperChunk schunk = blosc2::SuperChunk::open(path);
  CHECK_EQ(schunk.nchunks(), 3);
  CHECK_EQ(schunk.nbytes(), 12000);
  CHECK(schunk.ratio() > 1);
  CHECK(schunk.chunk<std::int32_t>(2) == std::vector<std::int32_t>(1000, 2));
  CHECK(schunk.get<std::int32_t>(998, 1002) == (std::vector<std::int32_t>{0, 7, 8, 1}));
  CHECK(schunk.meta("fixed") == (blosc2::Bytes{'t', 'w', 'o'}));
  CHECK(blosc2::as_text(schunk.vlmeta("note")) == "longer than before");
  CHECK(schunk.has_vlmeta("note") && schunk.vlmeta("other").empty());
  schunk.remove_vlmeta("note");
  CHECK(!schunk.has_vlmeta("note"));
  CHECK(code_of([&] { schunk.vlmeta("note"); }) < 0);
  CHECK(code_of([&] { schunk.meta("note"); }) == BLOSC2_ERROR_NOT_FOUND);
  CHECK(code_of([&] { schunk.set_meta("late", blosc2::as_bytes("one")); }) < 0);
  CHECK(code_of([&] { schunk.chunk<std::int32_t>(3); }) < 0);
  CHECK(code_of([&] { schunk.get<std::int32_t>(2999, 3001); }) == BLOSC2_ERROR_INVALID_INDEX);
  CHECK(code_of([&] { schunk.get<double>(0, 1); }) == BLOSC2_ERROR_INVALID_PARAM);
  CHECK(code_of([&] { blosc2::SuperChunk::open("classes-not-there"); }) < 0);
  schunk = blosc2::SuperChunk(blosc2::Storage());
  CHECK_EQ(schunk.nchunks(), 0);
  blosc2_remove_urlpath(path.c_str());
}

static void check_arrays() {
  const blosc2::Shape shape{{7, 9}, {4, 5}, {2, 3}};
  std::vector<std::int16_t> items;
  for (std::int16_t i = 0; i < 63; i++) {
    items.push_back(i);
  }
  auto array = blosc2::Array::from<std::int16_t>(shape, items, {}, {{"name", {1, 2}}, {"empty", {}}});
  CHECK(array.all<std::int16_t>() == items);
  CHECK(array.shape() == shape.array && array.chunkshape() == shape.chunk && array.blockshape() == shape.block);
  CHECK(array.dtype() == "<i2" && array.ndim() == 2 && array.size() == 63);
  CHECK(array.schunk().meta("name") == (blosc2::Bytes{1, 2}) && array.schunk().meta("empty").empty());
  CHECK(array.get<std::int16_t>({3, 4}, {5, 6}) == (std::vector<std::int16_t>{31, 32, 40, 41}));
  CHECK(array.get<std::int16_t>({3, 4}, {3, 6}).empty());

  const std::int16_t two[] = {-1, -2};
  array.set<std::int16_t>({6, 7}, {7, 9}, two);
  std::int16_t back[2] = {0, 0};
  array.get<std::int16_t>({6, 7}, {7, 9}, back);
  CHECK(back[0] == -1 && back[1] == -2);
  array.append<std::int16_t>(std::vector<std::int16_t>(9, 5), 0);
  array.resize({8, 10});
  CHECK(array.get<std::int16_t>({7, 8}, {8, 10}) == (std::vector<std::int16_t>{5, 0}));

  const auto half = half_of(array);
  CHECK(half.shape() == (blosc2::Index{4, 10}) && half.get<std::int16_t>({3, 8}, {4, 9}) == (std::vector<std::int16_t>{35}));

  const float one[] = {1.5F};
  const auto scalar = blosc2::Array::from<float>({{}, {}, {}}, one);
  CHECK(scalar.ndim() == 0 && scalar.all<float>() == std::vector<float>{1.5F});
  const auto empty = blosc2::Array::from<float>({{0, 3}, {2, 2}, {1, 1}}, blosc2::span<const float>());
  CHECK(empty.size() == 0 && empty.all<float>().empty());

  CHECK(code_of([&] { array.get<std::int16_t>({0, 0}, {9, 1}); }) == BLOSC2_ERROR_INVALID_INDEX);
  CHECK(code_of([&] { array.get<std::int16_t>({0}, {1}); }) == BLOSC2_ERROR_INVALID_PARAM);
  CHECK(code_of([&] { array.get<double>({0, 0}, {1, 1}); }) == BLOSC2_ERROR_INVALID_PARAM);
  CHECK(code_of([&] { array.set<std::int16_t>({0, 0}, {1, 3}, two); }) == BLOSC2_ERROR_INVALID_PARAM);
  CHECK(code_of([&] { array.append<std::int16_t>(two, 0); }) < 0);
  CHECK(code_of([&] { array.append<std::int16_t>(two, 2); }) < 0);
  CHECK(code_of([&] { array.resize({1, 1, 1}); }) == BLOSC2_ERROR_INVALID_PARAM);
  CHECK(code_of([&] { blosc2::Array::zeros<int>({{1}, {1, 1}, {1}}); }) == BLOSC2_ERROR_INVALID_PARAM);
  CHECK(code_of([&] { blosc2::Array::from<std::int16_t>({{9, 9}, {4, 5}, {2, 3}}, items); }) < 0);
  CHECK(code_of([&] { blosc2::Array::open("classes-not-there"); }) < 0);
}

static void check_open_arrays() {
  const std::string path = "classes.b2nd";
  blosc2_remove_urlpath(path.c_str());
  blosc2::Array::zeros<double>({{10}, {5}, {5}}, blosc2::Storage::directory(path));
  CHECK(code_of([&] { blosc2::Array::zeros<double>({{10}, {5}, {5}}, blosc2::Storage::file(path)); }) < 0);
  blosc2_stdio_params locking = {true};
  blosc2_io io = blosc2_get_blosc2_io_defaults();
  io.params = &locking;
  {
    auto array = blosc2::Array::open(path, io);
    const double item[] = {2.5};
    array.set<double>({9}, {10}, item);
  }
  CHECK(blosc2::Array::open(path).get<double>({8}, {10}) == (std::vector<double>{0, 2.5}));
  CHECK(code_of([&] { blosc2::Array::open("classes-not-there", io); }) == BLOSC2_ERROR_FILE_OPEN);
  blosc2_remove_urlpath(path.c_str());
}

int main() {
  blosc2_init();
  check_spans();
  check_contexts();
  check_schunks();
  check_arrays();
  check_open_arrays();
  blosc2_destroy();
  return check_report();
}
