/*
 * oxiblosc2: small macros about the compiler and the machine, for programs and plugins.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC_BLOSC2_BLOSC2_COMMON_H
#define BLOSC_BLOSC2_BLOSC2_COMMON_H

#include "blosc2-export.h"

#include <stdint.h>
#include <string.h>

/* BLOSC_UNUSED_VAR goes before a variable or function that may stay unused, BLOSC_UNUSED_PARAM(x) into the body of a
 * function that does not use its parameter x. BLOSC_GCC_VERSION is 1302 for GCC 13.2. */
#ifdef __GNUC__
  #define BLOSC_GCC_VERSION (__GNUC__ * 100 + __GNUC_MINOR__)
  #define BLOSC_UNUSED_VAR __attribute__((unused))
  #define BLOSC_ATTRIBUTE_UNUSED __attribute__((unused))
#else
  #define BLOSC_UNUSED_VAR
  #define BLOSC_ATTRIBUTE_UNUSED
#endif
#define BLOSC_UNUSED_PARAM(x) ((void)(x))

/* Microsoft's compiler has SSE2 on every 64-bit x86 but does not say so. */
#if defined(_MSC_VER) && !defined(__SSE2__) && (defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP >= 2))
  #define __SSE2__
#endif

/* BLOSC_STRICT_ALIGN is defined where numbers may only be read at multiples of their size. */
#if !defined(BLOSC_STRICT_ALIGN) && \
    !(defined(__i386__) || defined(__x86_64__) || defined(_M_IX86) || defined(_M_X64) || \
      (defined(__aarch64__) && defined(__ARM_FEATURE_UNALIGNED)) || defined(__PPC__) || defined(_ARCH_PPC))
  #define BLOSC_STRICT_ALIGN
#endif

/* Plugins expect the vector intrinsics that the compiler was told to use. */
#if defined(__AVX2__) || defined(__AVX512F__)
  #include <immintrin.h>
#elif defined(__SSE2__)
  #include <emmintrin.h>
#endif

#endif /* BLOSC_BLOSC2_BLOSC2_COMMON_H */
