/*
 * oxiblosc2: errors, spans, bytes and numbers: what the classes of blosc2.hpp share.
 *
 * Included by blosc2.hpp.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC2_CPP_BASE_HPP
#define BLOSC2_CPP_BASE_HPP

#include <b2nd.h>
#include <blosc2.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace blosc2 {

/** What the library says when it fails. */
class error : public std::runtime_error {
 public:
  error(std::int64_t code, std::string_view what)
      : std::runtime_error(std::string(what) + ": " + blosc2_error_string(static_cast<int>(code))),
        code_(static_cast<int>(code)) {}

  /** A code of #blosc2_error, negative. */
  int code() const noexcept { return code_; }

 private:
  int code_;
};

/** Throws when `code` is an error; gives it back otherwise. */
template <class Int>
Int check(Int code, std::string_view what) {
  if (code < 0) {
    throw error(code, what);
  }
  return code;
}

/** Items in a row that belong to somebody else: a pointer and how many. As std::span, which C++17 has not. */
template <class T>
class span {
 public:
  using value_type = std::remove_cv_t<T>;

  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr span(T (&items)[N]) noexcept : data_(items), size_(N) {}
  /** Of whatever has data() and size(): vector, array, string, std::span. */
  template <class Container, class Pointer = decltype(std::declval<Container &>().data()),
            class = decltype(std::declval<Container &>().size()),
            class = std::enable_if_t<std::is_convertible_v<std::remove_pointer_t<Pointer> (*)[], T (*)[]>>>
  constexpr span(Container &&items) noexcept : data_(items.data()), size_(static_cast<std::size_t>(items.size())) {}

  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  constexpr T &operator[](std::size_t index) const { return data_[index]; }

 private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/** Bytes: a chunk, a metalayer. */
using Bytes = std::vector<std::uint8_t>;

/** Parameters to compress items of type T, which shuffle and the like go by. */
template <class T>
blosc2_cparams cparams(std::uint8_t codec = BLOSC_BLOSCLZ, std::uint8_t clevel = 5, std::int16_t nthreads = 1) {
  static_assert(std::is_trivially_copyable_v<T>, "items are copied as bytes");
  blosc2_cparams params = blosc2_get_blosc2_cparams_defaults();
  params.compcode = codec;
  params.clevel = clevel;
  params.nthreads = nthreads;
  params.typesize = static_cast<std::int32_t>(sizeof(T));
  return params;
}

/** The bytes of a text, for a metalayer. */
inline span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

/** The text in a metalayer. */
inline std::string as_text(const Bytes &bytes) { return std::string(bytes.begin(), bytes.end()); }

namespace detail {

struct Free {
  void operator()(void *memory) const noexcept { std::free(memory); }
};
using Malloced = std::unique_ptr<std::uint8_t, Free>;

/** Bytes of some items, in the 32 bits that the sizes of chunks have. */
template <class T>
std::int32_t chunk_bytes(span<T> items) {
  if (items.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / sizeof(T)) {
    throw error(BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED, "too many items for a chunk");
  }
  return static_cast<std::int32_t>(items.size() * sizeof(T));
}

/** Room for the data of a chunk, of which at least the shortest header is there, as items of T. */
template <class T>
std::vector<T> room_for(const std::uint8_t *chunk) {
  std::int32_t nbytes = 0;
  check(blosc2_cbuffer_sizes(chunk, &nbytes, nullptr, nullptr), "read a chunk's header");
  const auto size = static_cast<std::size_t>(nbytes);
  if (size % sizeof(T) != 0) {
    throw error(BLOSC2_ERROR_INVALID_PARAM, "items are of another size");
  }
  return std::vector<T>(size / sizeof(T));
}

template <class T>
std::int64_t bytes(span<T> items) {
  return static_cast<std::int64_t>(items.size() * sizeof(T));
}

inline Bytes copy(const Malloced &content, std::int32_t length) {
  return length > 0 ? Bytes(content.get(), content.get() + length) : Bytes();
}

/** Where items are. The C interface takes no null pointers, which no items may have. */
template <class T>
T *place(span<T> items) noexcept {
  alignas(T) static unsigned char nowhere[sizeof(T)] = {};
  return items.data() != nullptr ? items.data() : reinterpret_cast<T *>(nowhere);
}

/** The content of a metalayer where a function wants it not const. */
inline std::uint8_t *content(span<const std::uint8_t> bytes) { return const_cast<std::uint8_t *>(place(bytes)); }

}  // namespace detail

}  // namespace blosc2

#endif  // BLOSC2_CPP_BASE_HPP
