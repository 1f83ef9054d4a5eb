#!/bin/sh
# The steps of test.sh, each a process of its own so that the first command that fails ends it: sh scripts/steps.sh STEP
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/lib.sh"
cd "$root"

tree=$build/test
prefix=$build/test-prefix

formatting() { cargo fmt --check; }
lints() { cargo clippy --locked --all-targets --all-features -- -D warnings; }
documentation() { RUSTDOCFLAGS='-D warnings -A rustdoc::private_intra_doc_links' cargo doc --locked --no-deps --all-features --document-private-items; }
rust_tests() { cargo test --locked --all-features --no-fail-fast -- --show-output; }
# What kernels have a part in, with those of older processors: as rust_tests was built.
simd_levels() {
    for level in scalar sse2 avx2; do
        BLOSC_SIMD=$level cargo test --locked --all-features --no-fail-fast --lib --test chunk_interop --test chunk_hostile \
            --test filter_interop --test filter_reference --test frame_interop --test ndarray_interop --test guard_pages \
            --test determinism -- --show-output || return
    done
}
# The pool's hand-over in all orders in which threads can meet. Other flags, so a folder of its own.
pool_models() { ( cd models && CARGO_TARGET_DIR="$CARGO_TARGET_DIR/models" RUSTFLAGS='--cfg loom' cargo test --locked --release ); }
without_features() { cargo clippy --locked --no-default-features --lib -- -D warnings; }

# Ends a step that cannot run here. test.sh counts it, and shows why.
skip() {
    say "SKIPPED: $*"
    exit 77
}

# configure FOLDER SOURCE [OPTION...]
configure() {
    to=$1 from=$2
    shift 2
    cmake -S "$from" -B "$to" -DBLOSC2_CARGO_TARGET_DIR="$CARGO_TARGET_DIR" "$@"
}

cmake_build() {
    configure "$tree" "$root" -DCMAKE_BUILD_TYPE=Release -DBLOSC_ENABLE_ZFP=ON -DBUILD_TESTS=ON -DBUILD_EXAMPLES=ON \
        -DBLOSC2_REFERENCE="${BLOSC2_REFERENCE:-}" -DBLOSC2_REFERENCE_INCLUDE="${BLOSC2_REFERENCE_INCLUDE:-}" \
        -DCMAKE_INSTALL_PREFIX="$prefix"
    cmake --build "$tree" --parallel "$(processors)"
}

places() {
    [ "$(uname -sm)" = 'Linux x86_64' ] || skip 'functions have places on Linux and x86-64 only'
    make_venv
    "$venv/bin/python" scripts/places.py "$tree/lib/libblosc2.so"
    # Of libm, which is a third of a megabyte, nobody asks for more than ZFP's C code does: without it, none is loaded.
    nm -D --undefined-only "$tree/lib/libblosc2.so" >"$build/undefined.txt"
    ! grep -wE 'powf?|expf?|logf?|log2|log10|fmod' "$build/undefined.txt"
}

c_tests() { ( cd "$tree" && ctest --output-on-failure --no-tests=error -L "^$1\$" ); }
c_tests_shared() { c_tests shared; }
c_tests_static() { c_tests static; }
c_tests_reference() { c_tests reference; }
c_examples() { c_tests examples; }
c_examples_reference() { c_tests examples-reference; }

# sanitized_cargo KIND COMMAND ARGUMENT...: cargo with the settings of cmake/Sanitize.cmake, so that both build the same once.
sanitized_cargo() {
    kind=$1 command=$2 flags="-fsanitize=$1 -fno-omit-frame-pointer -g -fno-sanitize-address-use-after-scope"
    shift 2
    RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=$kind CFLAGS=$flags CXXFLAGS=$flags CARGO_PROFILE_DEV_OPT_LEVEL=1 \
        CARGO_PROFILE_TEST_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=line-tables-only \
        cargo "$command" --locked --features zfp --target "$(rustc -vV | sed -n 's/^host: //p')" \
        --target-dir "$CARGO_TARGET_DIR/$kind" "$@"
}

# sanitized_tree KIND: the library and the C programs in the folder of that name.
sanitized_tree() {
    cmake -S "$root" -B "$build/$1" -DBLOSC2_CARGO_TARGET_DIR="$CARGO_TARGET_DIR/$1" -DBLOSC_SANITIZE="$1" \
        -DCMAKE_BUILD_TYPE=Debug -DBUILD_STATIC=OFF -DBUILD_TOOL=OFF -DBLOSC_ENABLE_ZFP=ON
    cmake --build "$build/$1" --parallel "$(processors)"
    tree=$build/$1
}

# They also ask for memory that cannot be had, to see what they are told.
ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1
export ASAN_OPTIONS

# The C programs, and all of the library with its codecs, under the address sanitizer.
memory() {
    sanitized_tree address
    c_tests shared
}

# The tests of hostile bytes under the address sanitizer.
memory_of_hostile_bytes() {
    sanitized_cargo address test --test mutation --test chunk_hostile --test frame_hostile --test ndarray_hostile
}

# Crowds of threads under the thread sanitizer, with a standard library that is built with it. Part of soak.sh. Forked children
# are not among them: the sanitizer's runtime hangs there; nor programs that count their callbacks without a lock.
races() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ] || rustup component add rust-src ||
        die "The sources of Rust's standard library are needed (rustup component add rust-src)."
    sanitized_cargo thread test -Zbuild-std --test crowds --test lock_fairness -- --show-output
    sanitized_tree thread
    ( cd "$tree" && ctest --output-on-failure --no-tests=error -R '^shared\.(shared_reads|contexts|locks|hooks|callbacks)$' )
}

# What a distribution packages: every file in its place, the links relative, nothing of this machine in the texts.
cmake_install() {
    rm -rf "$prefix"
    cmake --install "$tree"
    lib=$(dirname "$(find "$prefix" -name libblosc2.so)")
    [ "$(readlink "$lib/libblosc2.so")" = libblosc2.so.3.3.5 ]
    [ "$(readlink "$lib/libblosc2.so.9")" = libblosc2.so.3.3.5 ]
    for file in "$lib/libblosc2.so.3.3.5" "$lib/libblosc2.a" "$lib/cmake/Blosc2/Blosc2Config.cmake" \
        "$lib/pkgconfig/blosc2.pc" "$prefix/include/blosc2.h" "$prefix/include/blosc2.hpp" "$prefix/include/b2nd.h" \
        "$prefix/include/blosc2/blosc2-export.h" "$prefix/bin/b2" "$prefix/share/man/man1/b2.1" \
        "$prefix/share/man/man1/b2-info.1" "$prefix/share/bash-completion/completions/b2" \
        "$prefix/share/zsh/site-functions/_b2" "$prefix/share/fish/vendor_completions.d/b2.fish"; do
        [ -f "$file" ]
    done
    if grep -rF "$root" "$lib/cmake" "$lib/pkgconfig" "$prefix/include"; then
        die "The installed texts name a folder of this machine."
    fi
    # The tree can be moved.
    rm -rf "$prefix-moved"
    mv "$prefix" "$prefix-moved"
    "$prefix-moved/bin/b2" verify examples/data/jacksboro.b2nd
}

# try_consumer NAME [OPTION...]: builds and runs the project in ctests/consumer.
try_consumer() {
    consumer=$build/consumer-$1
    shift
    rm -rf "$consumer"
    configure "$consumer" "$root/ctests/consumer" "$@"
    cmake --build "$consumer" --parallel "$(processors)"
    ( cd "$consumer" && ctest --output-on-failure --no-tests=error )
}

consumer_find_package() { try_consumer find_package -DCMAKE_PREFIX_PATH="$prefix-moved"; }
consumer_subdirectory() { try_consumer subdirectory -DBLOSC2_SOURCE="$root" -DCMAKE_BUILD_TYPE=Debug; }

consumer_pkg_config() {
    have pkg-config || have pkgconf || system_install pkg-config
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix-moved" -name blosc2.pc)")
    export PKG_CONFIG_PATH
    [ "$(pkg-config --modversion blosc2)" = 3.3.5 ]
    out=$build/consumer-pkg-config
    rm -rf "$out" && mkdir -p "$out"
    "$CC" ctests/consumer/main.c -o "$out/shared" $(pkg-config --cflags --libs blosc2)
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir blosc2) "$out/shared"
    archive=$(pkg-config --variable=libdir blosc2)/libblosc2.a
    "$CC" ctests/consumer/main.c -o "$out/static" $(pkg-config --cflags blosc2) "$archive" \
        $(pkg-config --static --libs blosc2 | tr ' ' '\n' | grep -v -e '^-lblosc2$' -e '^-L')
    "$out/static"
}

# The demonstration program; what it writes is then opened by the C library's Python package.
demonstration() {
    out=$build/demonstration
    rm -rf "$out" && mkdir -p "$out"
    "$tree/examples/examples/terrain" examples/data/jacksboro.b2nd "$out/slope.b2nd"
    if [ -n "${BLOSC2_REFERENCE:-}" ] && [ -x "$venv/bin/python" ] && "$venv/bin/python" -c 'import blosc2' 2>/dev/null; then
        "$venv/bin/python" examples/check_slope.py examples/data/jacksboro.b2nd "$out/slope.b2nd"
    fi
}

docs_site() { sh "$root/scripts/docs.sh"; }

# Every program, command and output of the documentation, with what was installed.
docs_blocks() {
    make_venv
    "$venv/bin/python" -c 'import numpy' 2>/dev/null || "$venv/bin/pip" install --quiet numpy
    have pkg-config || have pkgconf || system_install pkg-config
    "$venv/bin/python" scripts/doc_blocks.py --prefix "$prefix-moved" --python "$venv/bin/python"
}

. "$root/scripts/languages.sh"
. "$root/scripts/packages.sh"

"$1"
