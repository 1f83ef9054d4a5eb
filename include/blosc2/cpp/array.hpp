/*
 * oxiblosc2: n-dimensional arrays.
 *
 * Included by blosc2.hpp.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC2_CPP_ARRAY_HPP
#define BLOSC2_CPP_ARRAY_HPP

#include "base.hpp"
#include "schunk.hpp"
#include "storage.hpp"

namespace blosc2 {

namespace detail {

struct FreeArray {
  void operator()(b2nd_array_t *array) const noexcept { b2nd_free(array); }
};

struct FreeArrayContext {
  void operator()(b2nd_context_t *context) const noexcept { b2nd_free_ctx(context); }
};

}  // namespace detail

/** An index along each axis. */
using Index = std::vector<std::int64_t>;

/** The dtype of numbers of type T as NumPy writes it, as "<f8"; of other types, bytes: "|V12". */
template <class T>
std::string dtype_of() {
  using U = std::remove_cv_t<T>;
  const std::string size = std::to_string(sizeof(U));
  const std::uint16_t probe = 1;
  const bool little = *reinterpret_cast<const unsigned char *>(&probe) == 1;
  const std::string order = sizeof(U) == 1 ? "|" : little ? "<" : ">";
  if constexpr (std::is_same_v<U, bool>) {
    return "|b1";
  } else if constexpr (std::is_floating_point_v<U>) {
    return order + "f" + size;
  } else if constexpr (std::is_integral_v<U>) {
    return order + (std::is_signed_v<U> ? "i" : "u") + size;
  } else {
    return "|V" + size;
  }
}

/** How an array is cut: items along each axis of it, of a chunk, and of a block. */
struct Shape {
  Index array;
  std::vector<std::int32_t> chunk, block;
};

/** A metalayer that an array is to have from the start. */
struct Metalayer {
  std::string name;
  Bytes content;
};

/** An n-dimensional array, in memory or on disk. */
class Array {
 public:
  /** An array of zeros, which take no room. */
  template <class T>
  static Array zeros(const Shape &shape, Storage storage = {}, std::vector<Metalayer> metalayers = {}) {
    return make<T>(shape, storage, metalayers, "make an array", [](b2nd_context_t *context, b2nd_array_t **array) {
      return b2nd_zeros(context, array);
    });
  }

  /** An array of the items given, in C order. */
  template <class T>
  static Array from(const Shape &shape, span<const T> items, Storage storage = {}, std::vector<Metalayer> metalayers = {}) {
    return make<T>(shape, storage, metalayers, "make an array of items", [&](b2nd_context_t *context, b2nd_array_t **array) {
      return b2nd_from_cbuffer(context, array, detail::place(items), detail::bytes(items));
    });
  }

  static Array open(const std::string &path) {
    b2nd_array_t *array = nullptr;
    check(b2nd_open(path.c_str(), &array), path);
    return Array(array);
  }
  /** Opens with an I/O backend of choice, or a file with locks. */
  static Array open(const std::string &path, const blosc2_io &io) {
    std::unique_ptr<blosc2_schunk, detail::FreeSchunk> schunk(blosc2_schunk_open_udio(path.c_str(), &io));
    if (!schunk) {
      throw error(BLOSC2_ERROR_FILE_OPEN, path);
    }
    b2nd_array_t *array = nullptr;
    check(b2nd_from_schunk(schunk.get(), &array), path);
    schunk.release();
    return Array(array);
  }

  int ndim() const noexcept { return array_->ndim; }
  Index shape() const { return Index(array_->shape, array_->shape + array_->ndim); }
  std::vector<std::int32_t> chunkshape() const { return {array_->chunkshape, array_->chunkshape + array_->ndim}; }
  std::vector<std::int32_t> blockshape() const { return {array_->blockshape, array_->blockshape + array_->ndim}; }
  std::string dtype() const { return array_->dtype != nullptr ? array_->dtype : ""; }
  std::int64_t size() const noexcept { return array_->nitems; }
  /** The super-chunk that holds the items: sizes, metalayers, locks. */
  SchunkRef schunk() const noexcept { return SchunkRef(array_->sc); }
  /** For the C interface. */
  b2nd_array_t *get() const noexcept { return array_.get(); }

  /** All items, in C order. */
  template <class T>
  std::vector<T> all() const {
    return get<T>(Index(static_cast<std::size_t>(ndim()), 0), shape());
  }

  /** The items from `start` up to, not including, `stop` along each axis, in C order. */
  template <class T>
  std::vector<T> get(const Index &start, const Index &stop) const {
    std::vector<T> items(count(box(start, stop)));
    get(start, stop, span<T>(items));
    return items;
  }
  /** The same, to where the caller wants them. */
  template <class T>
  void get(const Index &start, const Index &stop, span<T> items) const {
    const Index shape = box_for<T>(start, stop, items.size());
    check(b2nd_get_slice_cbuffer(get(), axes(start), axes(stop), detail::place(items), axes(shape), detail::bytes(items)),
          "read a slice");
  }

  /** Puts items, in C order, in the place of those from `start` up to `stop`. */
  template <class T>
  void set(const Index &start, const Index &stop, span<const T> items) {
    const Index shape = box_for<T>(start, stop, items.size());
    check(b2nd_set_slice_cbuffer(detail::place(items), axes(shape), detail::bytes(items), axes(start), axes(stop), get()),
          "write a slice");
  }

  /** Other lengths; what is new reads as zeros. */
  void resize(const Index &shape) {
    same_ndim(shape);
    check(b2nd_resize(get(), axes(shape), nullptr), "resize");
  }
  /** Adds items at the end of an axis. */
  template <class T>
  void append(span<const T> items, int axis) {
    same_size(sizeof(T));
    check(b2nd_append(get(), detail::place(items), detail::bytes(items), static_cast<std::int8_t>(axis)), "append");
  }

 private:
  explicit Array(b2nd_array_t *array) noexcept : array_(array) {}

  template <class T, class Maker>
  static Array make(const Shape &shape, Storage &storage, std::vector<Metalayer> &metalayers, std::string_view what,
                    Maker maker) {
    if (shape.array.size() > B2ND_MAX_DIM || shape.chunk.size() != shape.array.size() ||
        shape.block.size() != shape.array.size()) {
      throw error(BLOSC2_ERROR_INVALID_PARAM, "the shapes of array, chunk and block do not go together");
    }
    storage.cparams().typesize = static_cast<std::int32_t>(sizeof(T));
    const blosc2_storage c = storage.get();
    std::vector<blosc2_metalayer> layers;
    for (Metalayer &layer : metalayers) {
      layers.push_back({layer.name.data(), detail::content(layer.content), static_cast<std::int32_t>(layer.content.size())});
    }
    const std::unique_ptr<b2nd_context_t, detail::FreeArrayContext> context(b2nd_create_ctx(
        &c, static_cast<std::int8_t>(shape.array.size()), axes(shape.array), axes(shape.chunk), axes(shape.block),
        dtype_of<T>().c_str(), DTYPE_NUMPY_FORMAT, layers.data(), static_cast<std::int32_t>(layers.size())));
    if (!context) {
      throw error(BLOSC2_ERROR_INVALID_PARAM, what);
    }
    b2nd_array_t *array = nullptr;
    check(maker(context.get(), &array), storage.path().empty() ? what : std::string_view(storage.path()));
    return Array(array);
  }

  /** A number along each axis, for the C interface; arrays of no dimensions have none. */
  template <class Int>
  static const Int *axes(const std::vector<Int> &numbers) noexcept {
    return detail::place(span<const Int>(numbers));
  }

  void same_ndim(const Index &index) const {
    if (index.size() != static_cast<std::size_t>(ndim())) {
      throw error(BLOSC2_ERROR_INVALID_PARAM, "as many numbers are needed as the array has axes");
    }
  }
  void same_size(std::size_t size) const {
    if (static_cast<std::size_t>(array_->sc->typesize) != size) {
      throw error(BLOSC2_ERROR_INVALID_PARAM, "items are of another size");
    }
  }

  /** Items of a box along each axis. */
  Index box(const Index &start, const Index &stop) const {
    same_ndim(start);
    same_ndim(stop);
    Index shape(start.size());
    for (std::size_t d = 0; d < shape.size(); d++) {
      if (start[d] < 0 || stop[d] < start[d] || stop[d] > array_->shape[d]) {
        throw error(BLOSC2_ERROR_INVALID_INDEX, "the slice is not inside of the array");
      }
      shape[d] = stop[d] - start[d];
    }
    return shape;
  }
  template <class T>
  Index box_for(const Index &start, const Index &stop, std::size_t items) const {
    same_size(sizeof(T));
    Index shape = box(start, stop);
    if (count(shape) != items) {
      throw error(BLOSC2_ERROR_INVALID_PARAM, "as many items are needed as the slice has");
    }
    return shape;
  }
  /** How many items; they are inside of an array, so the product is one that 64 bits hold. */
  static std::size_t count(const Index &shape) {
    std::int64_t items = 1;
    for (std::int64_t length : shape) {
      items *= length;
    }
    return static_cast<std::size_t>(items);
  }

  std::unique_ptr<b2nd_array_t, detail::FreeArray> array_;
};

}  // namespace blosc2

#endif  // BLOSC2_CPP_ARRAY_HPP
