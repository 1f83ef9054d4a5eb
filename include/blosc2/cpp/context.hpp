/*
 * oxiblosc2: chunks.
 *
 * Included by blosc2.hpp.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC2_CPP_CONTEXT_HPP
#define BLOSC2_CPP_CONTEXT_HPP

#include "base.hpp"

namespace blosc2 {

namespace detail {

struct FreeContext {
  void operator()(blosc2_context *context) const noexcept { blosc2_free_ctx(context); }
};

}  // namespace detail

/** Makes chunks, and reads them. For one thread of the program at a time; inside of a call, more may work. */
class Context {
 public:
  explicit Context(const blosc2_cparams &cparams, const blosc2_dparams &dparams = blosc2_get_blosc2_dparams_defaults())
      : typesize_(cparams.typesize), compressor_(blosc2_create_cctx(cparams)), decompressor_(blosc2_create_dctx(dparams)) {
    if (!compressor_ || !decompressor_) {
      throw error(BLOSC2_ERROR_INVALID_PARAM, "these parameters make no context");
    }
  }

  template <class T>
  Bytes compress(span<const T> items) {
    const std::int32_t nbytes = detail::chunk_bytes(items);
    if (nbytes > BLOSC2_MAX_BUFFERSIZE) {
      throw error(BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED, "too many items for a chunk");
    }
    Bytes chunk(static_cast<std::size_t>(nbytes) + BLOSC2_MAX_OVERHEAD);
    const int cbytes = check(blosc2_compress_ctx(compressor_.get(), detail::place(items), nbytes, chunk.data(),
                                                 detail::chunk_bytes(span<std::uint8_t>(chunk))), "compress");
    chunk.resize(static_cast<std::size_t>(cbytes));
    return chunk;
  }
  template <class Container>
  Bytes compress(const Container &items) {
    return compress(span<const std::remove_cv_t<std::remove_reference_t<decltype(*items.data())>>>(items));
  }

  template <class T>
  std::vector<T> decompress(span<const std::uint8_t> chunk) {
    if (chunk.size() < BLOSC_MIN_HEADER_LENGTH) {
      throw error(BLOSC2_ERROR_READ_BUFFER, "this is no chunk");
    }
    auto items = detail::room_for<T>(chunk.data());
    check(blosc2_decompress_ctx(decompressor_.get(), chunk.data(), detail::chunk_bytes(chunk), detail::place(span<T>(items)),
                                detail::chunk_bytes(span<T>(items))), "decompress");
    return items;
  }

  /** The items [start, stop) of a chunk; T has the size of its items. */
  template <class T>
  std::vector<T> items(span<const std::uint8_t> chunk, int start, int stop) {
    if (start < 0 || stop < start) {
      throw error(BLOSC2_ERROR_INVALID_PARAM, "there are no such items");
    }
    std::vector<T> items(static_cast<std::size_t>(stop - start));
    check(blosc2_getitem_ctx(decompressor_.get(), chunk.data(), detail::chunk_bytes(chunk), start, stop - start,
                             detail::place(span<T>(items)), detail::chunk_bytes(span<T>(items))), "read items");
    return items;
  }

  /** Bytes per item. */
  std::int32_t typesize() const noexcept { return typesize_; }

 private:
  std::int32_t typesize_;
  std::unique_ptr<blosc2_context, detail::FreeContext> compressor_, decompressor_;
};

}  // namespace blosc2

#endif  // BLOSC2_CPP_CONTEXT_HPP
