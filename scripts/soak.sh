#!/bin/sh
# The long part of the tests: torn writes, killed writers, forks, crowds, data races, the largest chunk, and the fuzzers.
#
#   sh scripts/soak.sh [SECONDS]       each fuzzer runs that long (60), and so do the crowds
#
# SOAK multiplies what the tests do (20). FUZZ_SANITIZER=none lets the fuzzers run five times as fast, without the address
# sanitizer. cargo-fuzz, and for the thread sanitizer the sources of Rust's standard library, are installed where they are missing;
# where they cannot be had, that part fails or does not run, and the summary says so.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/lib.sh"
cd "$root" || exit 1

seconds=${1:-60}
SOAK=${SOAK:-20}
export SOAK
logs=$build/soak
targets='decompress getitem frame_open b2nd_open_slice sframe round_trip sections filters_vs_scalar blosclz_decode lz4_decode lz4_encode zlib_decode zstd_decode zstd_encode'
failed=0

# run NAME COMMAND...: shows the end of what the command said only if it failed.
run() {
    name=$1 began=$(date +%s)
    shift
    printf '%-30s' "$name"
    if "$@" >"$logs/$name.log" 2>&1; then verdict=ok; else verdict=FAILED failed=1; fi
    printf '%-7s %5d s\n' "$verdict" $(($(date +%s) - began))
    [ "$verdict" = ok ] || tail -n 30 "$logs/$name.log"
    [ "$verdict" = ok ]
}

rust_test() { cargo test --locked --all-features --test "$@"; }

# Again and again, until the time is over.
crowds() {
    until=$(($(date +%s) + seconds))
    while rust_test crowds -- --show-output; do
        [ "$(date +%s)" -lt "$until" ] || return 0
    done
    return 1
}

need_cargo_fuzz() {
    PATH=$build/cargo-fuzz/bin:$PATH
    cargo fuzz --version || cargo install --locked --root "$build/cargo-fuzz" cargo-fuzz
}

# The first inputs are small files of every sort, written by a test. What is found stays in fuzz/artifacts. GCC takes tables that
# it has made static out of functions for memory on the stack, which is gone when they are read.
fuzz() {
    CFLAGS="${CFLAGS:-} -fno-sanitize-address-use-after-scope" RUSTC_BOOTSTRAP=1 \
        cargo fuzz run --sanitizer "${FUZZ_SANITIZER:-address}" "$1" -- -max_total_time="$seconds" -max_len=1024 \
        -timeout=5 -rss_limit_mb=2048 -malloc_limit_mb=64 -print_final_stats=1
}

need_rust
need_c_compiler
need_all_features
rm -rf "$logs"
mkdir -p "$logs"
for program in torn_writes journal_process forks; do
    run "$program" rust_test "$program" -- --show-output
done
run crowds crowds
run races env SOAK=1 sh "$root/scripts/steps.sh" races
run reproducible sh "$root/scripts/reproducible.sh"
run limits cargo test --locked --release --all-features --test limits -- --include-ignored
if run cargo-fuzz need_cargo_fuzz; then
    PATH=$build/cargo-fuzz/bin:$PATH
    FUZZ_SEEDS=$root/fuzz/corpus run seeds rust_test mutation every_other
    for target in $targets; do
        run "fuzz-$target" fuzz "$target"
    done
fi

say
cat "$logs"/*.log | awk '
    /^(CUTS|KILLS|FORKS):/
    $1 == "CROWD:" { crowds++; rounds += $4 }
    END { print "CROWDS: " crowds + 0 ", " rounds + 0 " rounds" }'
for target in $targets; do
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$logs/fuzz-$target.log" 2>/dev/null)
    say "EXECUTIONS: $target ${executions:-none}"
done
exit "$failed"
