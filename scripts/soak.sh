#!/bin/sh
# The long part of the tests: torn writes, killed writers, forks, crowds, the largest chunk, and the fuzzers.
#
#   sh scripts/soak.sh [SECONDS]       each fuzzer runs that long (60)
#
# SOAK multiplies what the tests do (20). The fuzzers want cargo-fuzz (cargo install cargo-fuzz); without it they are skipped.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/lib.sh"
cd "$root" || exit 1

seconds=${1:-60}
SOAK=${SOAK:-20}
export SOAK
logs=$build/soak
mkdir -p "$logs"
failed=0

run() {
    name=$1
    shift
    printf '%-30s' "$name"
    if "$@" >"$logs/$name.log" 2>&1; then say ok; else say FAILED; failed=1; tail -n 30 "$logs/$name.log"; fi
}

for program in torn_writes journal_process forks crowds; do
    run "$program" cargo test --locked --all-features --test "$program" -- --show-output
done
run limits cargo test --locked --release --all-features --test limits -- --include-ignored

targets='decompress getitem frame_open b2nd_open_slice sframe round_trip filters_vs_scalar blosclz_decode'
if cargo fuzz --version >/dev/null 2>&1; then
    # Small files of every sort, to begin with.
    FUZZ_SEEDS=$root/fuzz/corpus run seeds cargo test --locked --all-features --test mutation every_other
    for target in $targets; do
        RUSTC_BOOTSTRAP=1 run "fuzz-$target" cargo fuzz run "$target" -- -max_total_time="$seconds" -print_final_stats=1
    done
else
    say 'cargo-fuzz is not there: the fuzzers are skipped.'
fi

say
grep -h '^CUTS:\|^KILLS:\|^FORKS:\|^THREADS:' "$logs"/*.log
for target in $targets; do
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$logs/fuzz-$target.log" 2>/dev/null)
    say "EXECUTIONS: $target ${executions:-none}"
done
exit "$failed"
