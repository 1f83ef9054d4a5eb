/*
 * oxiblosc2: how symbols are exported.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_BLOSC2_EXPORT_H
#define BLOSC_BLOSC2_BLOSC2_EXPORT_H

/*
 * BLOSC_EXPORT marks what the library exports, BLOSC_NO_EXPORT what stays inside. A program defines neither of the
 * macros asked for below; a plugin that is built as a shared library of its own may define BLOSC_SHARED_LIBRARY and use
 * both for its own symbols.
 */
#if defined(_WIN32) || defined(__CYGWIN__)
  #if defined(BLOSC_SHARED_LIBRARY) && defined(_MSC_VER)
    #define BLOSC_EXPORT __declspec(dllexport)
  #elif defined(BLOSC_SHARED_LIBRARY)
    #define BLOSC_EXPORT __attribute__((dllexport))
  #else
    #define BLOSC_EXPORT
  #endif
  #define BLOSC_NO_EXPORT
#elif defined(__GNUC__) || defined(__clang__)
  #if defined(BLOSC_SHARED_LIBRARY)
    #define BLOSC_EXPORT __attribute__((visibility("default")))
  #else
    #define BLOSC_EXPORT
  #endif
  #define BLOSC_NO_EXPORT __attribute__((visibility("hidden")))
#else
  #define BLOSC_EXPORT
  #define BLOSC_NO_EXPORT
#endif

/* Tests of a plugin may want to see everything. */
#if defined(BLOSC_TESTING)
  #undef BLOSC_NO_EXPORT
  #define BLOSC_NO_EXPORT BLOSC_EXPORT
#endif

#endif /* BLOSC_BLOSC2_BLOSC2_EXPORT_H */
