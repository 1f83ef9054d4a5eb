/*
 * oxiblosc2: Blosc2 for C++17 and later, over the C interface.
 *
 * Context makes chunks, SuperChunk keeps many of them, Array gives them a shape. All three own what they stand for and can
 * be moved, not copied. What fails throws blosc2::error, which carries the C interface's code. Parameters are the C
 * interface's own structs: start from cparams<T>().
 *
 *   auto array = blosc2::Array::from<double>({{300, 200}, {100, 100}, {20, 50}}, data, blosc2::Storage::file("a.b2nd"));
 *   std::vector<double> corner = array.get<double>({0, 0}, {2, 2});
 *
 * Header only; works with any libblosc2 of interface level 3.3. Defines no macros but its guards.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef BLOSC2_HPP
#define BLOSC2_HPP

#include "blosc2/cpp/array.hpp"
#include "blosc2/cpp/context.hpp"
#include "blosc2/cpp/schunk.hpp"
#include "blosc2/cpp/storage.hpp"

#endif  // BLOSC2_HPP
