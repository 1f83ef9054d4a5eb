/*
 * oxiblosc2: super-chunks.
 *
 * Included by blosc2.hpp.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC2_CPP_SCHUNK_HPP
#define BLOSC2_CPP_SCHUNK_HPP

#include "base.hpp"
#include "storage.hpp"

namespace blosc2 {

namespace detail {

struct FreeSchunk {
  void operator()(blosc2_schunk *schunk) const noexcept { blosc2_schunk_free(schunk); }
};

}  // namespace detail

/** A turn with a frame that other processes use as well; ends with this object. See SchunkRef::lock(). */
class Lock {
 public:
  explicit Lock(blosc2_schunk *schunk) : schunk_(schunk) { check(blosc2_schunk_lock(schunk), "lock"); }
  Lock(Lock &&other) noexcept : schunk_(std::exchange(other.schunk_, nullptr)) {}
  Lock(const Lock &) = delete;
  Lock &operator=(Lock &&) = delete;
  Lock &operator=(const Lock &) = delete;
  ~Lock() {
    if (schunk_ != nullptr) {
      blosc2_schunk_unlock(schunk_);
    }
  }

 private:
  blosc2_schunk *schunk_;
};

/** A super-chunk that somebody else owns: a SuperChunk or an Array. */
class SchunkRef {
 public:
  explicit SchunkRef(blosc2_schunk *schunk) noexcept : schunk_(schunk) {}

  std::int64_t nchunks() const noexcept { return schunk_->nchunks; }
  std::int64_t nbytes() const noexcept { return schunk_->nbytes; }
  std::int64_t cbytes() const noexcept { return schunk_->cbytes; }
  std::int32_t typesize() const noexcept { return schunk_->typesize; }
  double ratio() const noexcept { return schunk_->cbytes > 0 ? double(schunk_->nbytes) / double(schunk_->cbytes) : 0.0; }
  /** For the C interface. */
  blosc2_schunk *get() const noexcept { return schunk_; }

  /** Compresses items and adds them as the last chunk. Gives the number of chunks. */
  template <class T>
  std::int64_t append(span<const T> items) {
    return check(blosc2_schunk_append_buffer(schunk_, detail::place(items), detail::chunk_bytes(items)), "append a chunk");
  }
  template <class Container>
  std::int64_t append(const Container &items) {
    return append(span<const std::remove_cv_t<std::remove_reference_t<decltype(*items.data())>>>(items));
  }

  /** All items of a chunk. */
  template <class T>
  std::vector<T> chunk(std::int64_t nchunk) const {
    auto items = room_for_chunk<T>(nchunk);
    check(blosc2_schunk_decompress_chunk(schunk_, nchunk, detail::place(span<T>(items)), detail::chunk_bytes(span<T>(items))),
          "decompress a chunk");
    return items;
  }

  /** The items [start, stop), of whatever chunks they are in; T has the size of an item. */
  template <class T>
  std::vector<T> get(std::int64_t start, std::int64_t stop) const {
    same_size(sizeof(T));
    if (start < 0 || stop < start || stop > nbytes() / typesize()) {
      throw error(BLOSC2_ERROR_INVALID_INDEX, "there are no such items");
    }
    std::vector<T> items(static_cast<std::size_t>(stop - start));
    check(blosc2_schunk_get_slice_buffer(schunk_, start, stop, detail::place(span<T>(items))), "read items");
    return items;
  }

  /** Puts items in the place of those from `start` on. */
  template <class T>
  void set(std::int64_t start, span<const T> items) {
    same_size(sizeof(T));
    check(blosc2_schunk_set_slice_buffer(schunk_, start, start + static_cast<std::int64_t>(items.size()),
                                         const_cast<T *>(detail::place(items))), "write items");
  }

  bool has_meta(const char *name) const { return blosc2_meta_exists(schunk_, name) >= 0; }
  Bytes meta(const char *name) const {
    std::uint8_t *content = nullptr;
    std::int32_t length = 0;
    check(blosc2_meta_get(schunk_, name, &content, &length), name);
    return detail::copy(detail::Malloced(content), length);
  }
  /** Adds a fixed metalayer, which is possible before there is data, or gives it other content of the same size. */
  void set_meta(const char *name, span<const std::uint8_t> bytes) {
    const auto length = static_cast<std::int32_t>(bytes.size());
    check(has_meta(name) ? blosc2_meta_update(schunk_, name, detail::content(bytes), length)
                         : blosc2_meta_add(schunk_, name, detail::content(bytes), length), name);
  }

  bool has_vlmeta(const char *name) const { return blosc2_vlmeta_exists(schunk_, name) >= 0; }
  Bytes vlmeta(const char *name) const {
    std::uint8_t *content = nullptr;
    std::int32_t length = 0;
    check(blosc2_vlmeta_get(schunk_, name, &content, &length), name);
    return detail::copy(detail::Malloced(content), length);
  }
  /** Adds a metalayer of variable length, or gives it other content. */
  void set_vlmeta(const char *name, span<const std::uint8_t> bytes) {
    const auto length = static_cast<std::int32_t>(bytes.size());
    check(has_vlmeta(name) ? blosc2_vlmeta_update(schunk_, name, detail::content(bytes), length, nullptr)
                           : blosc2_vlmeta_add(schunk_, name, detail::content(bytes), length, nullptr), name);
  }
  void remove_vlmeta(const char *name) { check(blosc2_vlmeta_delete(schunk_, name), name); }

  /** Takes a turn that lasts as long as what is given back: several calls that nobody else comes between. */
  Lock lock() { return Lock(schunk_); }
  /** Sees to what others have changed in the file. */
  void refresh() { check(blosc2_schunk_refresh(schunk_), "refresh"); }

 protected:
  void point_to(blosc2_schunk *schunk) noexcept { schunk_ = schunk; }

 private:
  void same_size(std::size_t size) const {
    if (static_cast<std::size_t>(typesize()) != size) {
      throw error(BLOSC2_ERROR_INVALID_PARAM, "items are of another size");
    }
  }

  template <class T>
  std::vector<T> room_for_chunk(std::int64_t nchunk) const {
    std::uint8_t *chunk = nullptr;
    bool needs_free = false;
    check(blosc2_schunk_get_lazychunk(schunk_, nchunk, &chunk, &needs_free), "look at a chunk");
    const detail::Malloced owner(needs_free ? chunk : nullptr);
    return detail::room_for<T>(chunk);
  }

  blosc2_schunk *schunk_;
};

/** Chunks in a row, in memory or on disk. */
class SuperChunk : public SchunkRef {
 public:
  explicit SuperChunk(Storage storage) : SchunkRef(nullptr) {
    blosc2_storage c = storage.get();
    own(blosc2_schunk_new(&c), storage.path());
  }
  static SuperChunk open(const std::string &path) { return SuperChunk(blosc2_schunk_open(path.c_str()), path); }
  static SuperChunk open(const std::string &path, const blosc2_io &io) {
    return SuperChunk(blosc2_schunk_open_udio(path.c_str(), &io), path);
  }
  SuperChunk(SuperChunk &&) noexcept = default;
  SuperChunk &operator=(SuperChunk &&) noexcept = default;

 private:
  SuperChunk(blosc2_schunk *schunk, const std::string &path) : SchunkRef(nullptr) { own(schunk, path); }

  void own(blosc2_schunk *schunk, const std::string &path) {
    if (schunk == nullptr) {
      throw error(BLOSC2_ERROR_FAILURE, path.empty() ? "make a super-chunk" : path);
    }
    owner_.reset(schunk);
    point_to(schunk);
  }

  std::unique_ptr<blosc2_schunk, detail::FreeSchunk> owner_;
};

}  // namespace blosc2

#endif  // BLOSC2_CPP_SCHUNK_HPP
