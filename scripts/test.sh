#!/bin/sh
# Checks everything: formatting, lints, Rust tests, C tests against both libraries, packages of the result: sh scripts/test.sh [--once]
#
# With --once, what later steps do not need is deleted, which takes half of the disk space; another run begins anew.
#
# Works from a fresh clone on a machine with a Rust toolchain and a C compiler, and installs the rest: as root with apt-get,
# else with pip into build/venv. The C library, for comparison, comes as the wheel blosc2; without it those tests are skipped.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/lib.sh"
cd "$root" || exit 1

once=no
[ "${1:-}" = --once ] && once=yes
reference_wheel=blosc2==4.14.1
logs=$build/logs
passed=0 failed=0 skipped=0 failures=

# step NAME STEP: runs a step of steps.sh, keeps what it says in a log, shows of it what went wrong, and why it was skipped
# when it was (exit code 77).
step() {
    name=$1 log=$logs/$2.log began=$(date +%s)
    printf '%-46s' "$name"
    sh "$root/scripts/steps.sh" "$2" >"$log" 2>&1
    case $? in
        0) verdict=ok passed=$((passed + 1)) ;;
        77) verdict=SKIPPED skipped=$((skipped + 1)) ;;
        *) verdict=FAILED failed=$((failed + 1)) ;;
    esac
    printf '%-7s %4d s\n' "$verdict" $(($(date +%s) - began))
    [ "$verdict" = FAILED ] && what_went_wrong "$name" "$log"
    [ "$verdict" = SKIPPED ] && sed -n 's/^SKIPPED:/   /p' "$log"
    [ "$verdict" = ok ]
}

# Shows the log without what went well, and remembers what failed: the last lines say it again, for readers of a long output
# and of one that was cut.
what_went_wrong() {
    shown=$(awk '
        /^successes:$/ { well = 1 }
        /^(failures:$|test result:)/ { well = 0 }
        !well && !/^test .* \.\.\. ok$/ { print "    " $0 }' "$2")
    say "$shown"
    failures=$(
        printf '%s\nFAILED: %s\n' "$failures" "$1"
        say "$shown" | sed -n -E -e '/^    (test .* \.\.\. FAILED|error: | *[0-9]+\/[0-9]+ Test .*\*\*\*[^S])/p' \
            -e '/ panicked at /{' -e N -e p -e '}' | head -n 40
    )
}

# Of a run that nothing follows: deletes what was needed, as find is told it.
done_with() {
    [ "$once" = no ] || find "$@" -delete
}

# Adds up what cargo's test programs report. A test that could not run says so in a line that begins with "SKIPPED:".
count_cargo() {
    set -- $(awk '
        /^test result: [a-zA-Z]+\. [0-9]+ passed; [0-9]+ failed; [0-9]+ ignored;/ { p += $4; f += $6; s += $8 }
        /^---- / { told = 0 }
        /^SKIPPED:/ && !told { told = 1; p--; s++ }
        END { print p + 0, f + 0, s + 0 }' "$1")
    add_counts "$@"
}

count_ctest() {
    set -- $(awk '
        /^ *[0-9]+\/[0-9]+ Test .* Passed / { p++; next }
        /^ *[0-9]+\/[0-9]+ Test .*\*\*\*Skipped/ { s++; next }
        /^ *[0-9]+\/[0-9]+ Test / { f++ }
        END { print p + 0, f + 0, s + 0 }' "$1")
    add_counts "$@"
}

# Adds up the blocks of the documentation's pages.
count_blocks() {
    set -- $(sed -n 's/^BLOCKS: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$1")
    add_counts "${1:-0}" "${2:-1}" 0
}

add_counts() {
    printf '    %d passed, %d failed, %d skipped\n' "$@"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# Exports BLOSC2_REFERENCE and BLOSC2_REFERENCE_INCLUDE, unless the caller already has.
find_reference() {
    if [ -z "${BLOSC2_REFERENCE:-}" ]; then
        make_venv && "$venv/bin/pip" install --quiet "$reference_wheel" || return 1
        package=$("$venv/bin/python" -c 'import importlib.util as u; print(u.find_spec("blosc2").submodule_search_locations[0])')
        BLOSC2_REFERENCE=$package/lib/libblosc2.so
        BLOSC2_REFERENCE_INCLUDE=$package/include
    fi
    BLOSC2_REFERENCE_INCLUDE=${BLOSC2_REFERENCE_INCLUDE:-$(dirname "$BLOSC2_REFERENCE")/../include}
    export BLOSC2_REFERENCE BLOSC2_REFERENCE_INCLUDE
    [ -f "$BLOSC2_REFERENCE" ] && [ -f "$BLOSC2_REFERENCE_INCLUDE/blosc2.h" ]
}

shout_without_reference() {
    unset BLOSC2_REFERENCE BLOSC2_REFERENCE_INCLUDE
    say '****************************************************************************'
    say "* The wheel $reference_wheel could not be had:"
    say '* every test that compares with the C library is SKIPPED.'
    say '****************************************************************************'
    skipped=$((skipped + 1))
}

need_rust
need_c_compiler
need_all_features
have cargo-clippy || rustup component add clippy rustfmt || die "clippy and rustfmt are needed (rustup component add)."
mkdir -p "$logs"
find_reference || shout_without_reference
# For the tests that put the system's codecs beside ours; they can do without.
[ -f /usr/include/lz4.h ] && [ -f /usr/include/zstd.h ] || system_install liblz4-dev libzstd-dev || true

step 'rustfmt' formatting
step 'clippy, all targets and features' lints
step 'clippy, without default features' without_features
step 'documentation of the crate' documentation
if need_sphinx >/dev/null 2>&1; then
    step 'documentation, the site and its links' docs_site
else
    say 'Sphinx could not be had: the site of the documentation is SKIPPED.'
    skipped=$((skipped + 1))
fi
step 'cargo test, all features' rust_tests
count_cargo "$logs/rust_tests.log"
step 'the same, kernels of older processors' simd_levels
count_cargo "$logs/simd_levels.log"
step 'models of the pool' pool_models
count_cargo "$logs/pool_models.log"
done_with "$CARGO_TARGET_DIR/debug/deps" -type f -perm -u+x ! -name '*.so' -size +8M
step 'Rust examples' rust
if step 'CMake: configure and build' cmake_build; then
    step 'places of functions in the library' places
    step 'C tests, shared library' c_tests_shared
    count_ctest "$logs/c_tests_shared.log"
    step 'C tests, static library' c_tests_static
    count_ctest "$logs/c_tests_static.log"
    if [ -n "${BLOSC2_REFERENCE:-}" ]; then
        step 'C tests, the C library itself' c_tests_reference
        count_ctest "$logs/c_tests_reference.log"
    fi
    step 'examples' c_examples
    count_ctest "$logs/c_examples.log"
    if [ -n "${BLOSC2_REFERENCE:-}" ]; then
        step 'examples, the C library itself' c_examples_reference
        count_ctest "$logs/c_examples_reference.log"
    fi
    step 'C tests, address sanitizer' memory
    count_ctest "$logs/memory.log"
    step 'hostile bytes, address sanitizer' memory_of_hostile_bytes
    count_cargo "$logs/memory_of_hostile_bytes.log"
    done_with "$CARGO_TARGET_DIR/address" "$build/address"
    step 'demonstration' demonstration
    if step 'CMake: install' cmake_install; then
        step 'a project with find_package' consumer_find_package
        step 'a program with pkg-config' consumer_pkg_config
        step 'documentation, its programs' docs_blocks
        count_blocks "$logs/docs_blocks.log"
        step 'C++17 and C++20, g++' cplusplus_gcc
        step 'C++17 and C++20, clang++' cplusplus_clang
        step 'Python, ctypes and NumPy' python_numpy
        step 'Fortran' fortran
        step 'Node.js' nodejs
        step 'Dask, workers in processes of their own' python_dask
    fi
    step 'a project with add_subdirectory, Debug' consumer_subdirectory
    step "options of the C library's build" cmake_options
    step 'a library without plugins' without_plugins
    count_ctest "$logs/without_plugins.log"
    if step 'packages' packages_made; then
        step 'packages: archives, unpacked and used' package_archives
        step 'packages: .deb, in an empty root and used' package_debs
    fi
    step 'the recipe for conda' recipe_conda
    step 'the recipe for vcpkg' recipe_vcpkg
    step 'the crate as it is published' crate_package
fi

[ -z "$failures" ] || say "$failures"
say
say "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
