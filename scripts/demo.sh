#!/bin/sh
# The demonstration: builds the library, installs it under build/prefix, and runs examples/terrain.c with it on real data.
#
# Needs a Rust toolchain and a C compiler; gets CMake with apt-get or pip where it is missing.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/lib.sh"

tree=$build/demo
prefix=$build/prefix

# quietly WHAT COMMAND...: shows what the command said only if it failed.
quietly() {
    what=$1 log=$build/demo.log
    shift
    say "$what ..."
    "$@" >"$log" 2>&1 || { cat "$log"; die "$what: failed."; }
}

need_rust
need_c_compiler
need_cmake
mkdir -p "$build"

# What this program shows does not need the ZFP codecs, which take longest to build.
quietly 'Configuring' cmake -S "$root" -B "$tree" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DBUILD_TESTS=OFF -DBLOSC_ENABLE_ZFP=OFF -DBLOSC2_CARGO_TARGET_DIR="$CARGO_TARGET_DIR"
quietly 'Building the library (a minute or so)' cmake --build "$tree" --parallel "$(processors)"
rm -rf "$prefix"
quietly "Installing it in build/prefix" cmake --install "$tree"
rm -rf "$tree-examples"
quietly 'Compiling examples/terrain.c with find_package(Blosc2)' cmake -S "$root/examples" -B "$tree-examples" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix"
quietly 'Linking it with the installed library' cmake --build "$tree-examples"

say
cd "$root"
"$tree-examples/examples/terrain" examples/data/jacksboro.b2nd build/slope.b2nd
say
say "The slopes are in build/slope.b2nd. Where Python has the package blosc2, it opens them:"
say "    python -c \"import blosc2; print(blosc2.open('build/slope.b2nd').info)\""
