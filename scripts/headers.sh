#!/bin/sh
# Writes the generated headers of include/ anew from the sources.
set -eu
cd "$(dirname "$0")/.."
UPDATE_HEADERS=1 cargo test --quiet --test headers -- the_committed
