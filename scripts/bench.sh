#!/bin/sh
# Measures this library against the C library: sh scripts/bench.sh [--markdown FILE] [--json FILE] [--rounds N] [WORD...]
#
# --markdown, which goes first, writes the tables of the documentation: sh scripts/bench.sh --markdown docs/figures/versus.md
#
# Builds in release, gets the wheel when BLOSC2_REFERENCE does not name a libblosc2.so, and prints a line per case and the
# table with pass or short. What is measured, and the goals, stand in benches/versus/rows.rs. WORDs pick cases.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/lib.sh"
cd "$root"

markdown=
if [ "${1:-}" = --markdown ]; then
    markdown=${2:?"--markdown wants a file"}
    shift 2
    set -- --json "$build/versus.json" "$@"
    mkdir -p "$build"
fi

need_rust
need_c_compiler
if [ -z "${BLOSC2_REFERENCE:-}" ]; then
    make_venv
    "$venv/bin/pip" install --quiet blosc2==4.14.1
    BLOSC2_REFERENCE=$("$venv/bin/python" -c 'import importlib.util as u; print(u.find_spec("blosc2").submodule_search_locations[0])')/lib/libblosc2.so
    export BLOSC2_REFERENCE
fi
cargo build --release --locked
OXIBLOSC2=${OXIBLOSC2:-${CARGO_TARGET_DIR:-$root/target}/release/libblosc2.so}
export OXIBLOSC2
cargo bench --locked --bench versus -- "$@"
[ -z "$markdown" ] || python3 scripts/bench_table.py "$build/versus.json" >"$markdown"
