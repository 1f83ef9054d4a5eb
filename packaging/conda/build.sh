#!/bin/sh
# Run by the recipe in the sources' folder.
set -eu
cmake -S . -B build/conda ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
    -DBUILD_TESTS=OFF -DBLOSC_ENABLE_ZFP=ON
cmake --build build/conda
cmake --install build/conda
