#!/bin/sh
# Builds what is committed twice, in two folders of different names and depths, and compares the libraries byte by byte.
#
#   sh scripts/reproducible.sh [COMMIT [CMAKE_OPTION...]]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/lib.sh"

commit=$(git -C "$root" rev-parse "${1:-HEAD}")
[ $# -eq 0 ] || shift
options=$*
place=$build/reproducible
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CFLAGS CXXFLAGS

need_rust
need_c_compiler
need_cmake

# build_in FOLDER: sources, build tree and what cargo builds, all below it.
build_in() {
    rm -rf "$1" && mkdir -p "$1"
    git -C "$root" archive "$commit" | tar -x -C "$1"
    cmake -S "$1" -B "$1/tree" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTS=OFF $options >/dev/null
    cmake --build "$1/tree" --parallel "$(processors)" >/dev/null 2>"$1/log" || { cat "$1/log"; die "$1: failed."; }
    rm -rf "$1/tree/cargo"
}

say "Building $commit, the first time ..."
build_in "$place/one"
say 'Building it again, somewhere else ...'
build_in "$place/another/folder/deeper"

for library in libblosc2.so.3.3.5 libblosc2.a; do
    cmp "$place/one/tree/lib/$library" "$place/another/folder/deeper/tree/lib/$library" || die "$library differs."
    for folder in "$root" "$HOME"; do
        if grep -qaF "$folder/" "$place/one/tree/lib/$library"; then die "$library names a path of this machine: $folder"; fi
    done
    say "$(sha256sum <"$place/one/tree/lib/$library" | cut -c 1-64)  $library, twice"
done
