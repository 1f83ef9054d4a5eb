/*
 * oxiblosc2: where and how super-chunks and arrays are kept.
 *
 * Included by blosc2.hpp.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC2_CPP_STORAGE_HPP
#define BLOSC2_CPP_STORAGE_HPP

#include "base.hpp"

namespace blosc2 {

/** Where and how to keep a super-chunk or an array: in memory, unless it is one of file(), directory(). */
class Storage {
 public:
  Storage() = default;
  /** One file. */
  static Storage file(std::string path) { return Storage(std::move(path), true); }
  /** A directory with a file for each chunk. */
  static Storage directory(std::string path) { return Storage(std::move(path), false); }

  Storage &cparams(const blosc2_cparams &cparams) {
    cparams_ = cparams;
    return *this;
  }
  Storage &dparams(const blosc2_dparams &dparams) {
    dparams_ = dparams;
    return *this;
  }
  /** An I/O backend; what `io.params` points to has to outlive what is made. */
  Storage &io(const blosc2_io &io) {
    io_ = io;
    return *this;
  }

  const std::string &path() const noexcept { return path_; }
  blosc2_cparams &cparams() noexcept { return cparams_; }

  /** For the C interface; points into this object. */
  blosc2_storage get() noexcept {
    blosc2_storage storage = blosc2_get_blosc2_storage_defaults();
    storage.contiguous = contiguous_;
    storage.urlpath = path_.empty() ? nullptr : path_.data();
    storage.cparams = &cparams_;
    storage.dparams = &dparams_;
    storage.io = &io_;
    return storage;
  }

 private:
  Storage(std::string path, bool contiguous) : path_(std::move(path)), contiguous_(contiguous) {}

  std::string path_;
  bool contiguous_ = false;
  blosc2_cparams cparams_ = blosc2_get_blosc2_cparams_defaults();
  blosc2_dparams dparams_ = blosc2_get_blosc2_dparams_defaults();
  blosc2_io io_ = blosc2_get_blosc2_io_defaults();
};

}  // namespace blosc2

#endif  // BLOSC2_CPP_STORAGE_HPP
